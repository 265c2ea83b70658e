// Box3D, with its own defaults: four sub-steps, one worker. No body sleeps, as in the other programs of the race.
// It reads a scene as text (work/src/text.rs), then a number of steps or "poses" a line, and answers as work/src/lib.rs
// says. Built by scripts/bench.

#define _POSIX_C_SOURCE 199309L

#include "box3d/box3d.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 200000

static b3WorldId world;
static b3BodyId ground;
static b3BodyId bodies[MOST];
static b3Vec3 starts[MOST];
static int count;
static float step = 1.0f / 60.0f;
static int collide;

static float number(void)
{
	double value;
	if (scanf("%lf", &value) != 1)
	{
		fprintf(stderr, "a number is missing\n");
		exit(1);
	}
	return (float)value;
}

static b3Vec3 vector(void)
{
	b3Vec3 v;
	v.x = number();
	v.y = number();
	v.z = number();
	return v;
}

static b3ShapeDef material(float density)
{
	b3ShapeDef def = b3DefaultShapeDef();
	def.density = density;
	def.baseMaterial.friction = 0.5f;
	def.baseMaterial.restitution = 0.0f;
	if (!collide)
	{
		def.filter.maskBits = 0;
	}
	return def;
}

static void make_world(void)
{
	collide = (int)number();
	b3WorldDef def = b3DefaultWorldDef();
	def.gravity = (b3Vec3){ 0.0f, 0.0f, -number() };
	def.workerCount = 1;
	step = number();
	world = b3CreateWorld(&def);
	b3BodyDef floor = b3DefaultBodyDef();
	floor.position.z = -0.5f;
	ground = b3CreateBody(world, &floor);
	if (collide)
	{
		b3BoxHull box = b3MakeBoxHull(100.0f, 100.0f, 0.5f);
		b3ShapeDef shape = material(1.0f);
		b3CreateHullShape(ground, &shape, &box.base);
	}
}

static void make_body(const char* word)
{
	b3BodyDef def = b3DefaultBodyDef();
	def.type = b3_dynamicBody;
	starts[count] = vector();
	def.position = b3ToPos(starts[count]);
	def.enableSleep = false;
	b3BodyId body = bodies[count++] = b3CreateBody(world, &def);
	float mass = number(), pi = 3.14159265f;
	if (strcmp(word, "ball") == 0)
	{
		b3Sphere ball = { 0 };
		float r = ball.radius = number();
		b3ShapeDef shape = material(mass / (4.0f / 3.0f * pi * r * r * r));
		b3CreateSphereShape(body, &shape, &ball);
	}
	else if (strcmp(word, "box") == 0)
	{
		b3Vec3 h = vector();
		b3BoxHull box = b3MakeBoxHull(h.x, h.y, h.z);
		b3ShapeDef shape = material(mass / (8.0f * h.x * h.y * h.z));
		b3CreateHullShape(body, &shape, &box.base);
	}
	else
	{
		b3Capsule capsule = { 0 };
		float r = capsule.radius = number(), half = number();
		capsule.center1.z = -half;
		capsule.center2.z = half;
		b3ShapeDef shape = material(mass / (pi * r * r * (2.0f * half + 4.0f / 3.0f * r)));
		b3CreateCapsuleShape(body, &shape, &capsule);
	}
}

// The rotation that takes z to the axis of a joint, which is x, y or z.
static b3Quat frame(b3Vec3 axis)
{
	float half = 0.70710678f;
	if (axis.x > 0.5f)
	{
		return (b3Quat){ { 0.0f, half, 0.0f }, half };
	}
	if (axis.y > 0.5f)
	{
		return (b3Quat){ { -half, 0.0f, 0.0f }, half };
	}
	return (b3Quat){ { 0.0f, 0.0f, 0.0f }, 1.0f };
}

static void make_joint(const char* word)
{
	int a = (int)number(), b = (int)number();
	b3Vec3 anchor = vector(), axis = vector();
	b3Vec3 floor = { 0.0f, 0.0f, -0.5f };
	b3Transform on_a = { b3Sub(anchor, a < 0 ? floor : starts[a]), frame(axis) };
	b3Transform on_b = { b3Sub(anchor, starts[b]), frame(axis) };
	b3BodyId first = a < 0 ? ground : bodies[a], second = bodies[b];
#define ENDS(def) ((def).base.bodyIdA = first, (def).base.bodyIdB = second, (def).base.localFrameA = on_a, (def).base.localFrameB = on_b)
	if (strcmp(word, "hinge") == 0)
	{
		b3RevoluteJointDef def = b3DefaultRevoluteJointDef();
		ENDS(def);
		def.enableLimit = true;
		def.lowerAngle = number();
		def.upperAngle = number();
		b3CreateRevoluteJoint(world, &def);
	}
	else if (strcmp(word, "fixed") == 0)
	{
		b3WeldJointDef def = b3DefaultWeldJointDef();
		ENDS(def);
		b3CreateWeldJoint(world, &def);
	}
	else
	{
		b3SphericalJointDef def = b3DefaultSphericalJointDef();
		ENDS(def);
		if (strcmp(word, "cone") == 0)
		{
			def.enableConeLimit = true;
			def.coneAngle = number();
			def.enableTwistLimit = true;
			def.upperTwistAngle = number();
			def.lowerTwistAngle = -def.upperTwistAngle;
		}
		b3CreateSphericalJoint(world, &def);
	}
}

static double milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(void)
{
	char word[32];
	while (scanf("%31s", word) == 1)
	{
		if (strcmp(word, "world") == 0)
		{
			make_world();
		}
		else if (strcmp(word, "ball") == 0 || strcmp(word, "box") == 0 || strcmp(word, "capsule") == 0)
		{
			if (count == MOST)
			{
				fprintf(stderr, "more than %d bodies\n", MOST);
				return 1;
			}
			make_body(word);
		}
		else if (strcmp(word, "poses") == 0)
		{
			for (int i = 0; i < count; ++i)
			{
				b3Pos p = b3Body_GetPosition(bodies[i]);
				b3Quat q = b3Body_GetRotation(bodies[i]);
				printf("%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", p.x, p.y, p.z, q.v.x, q.v.y, q.v.z, q.s);
			}
			fflush(stdout);
		}
		else if (word[0] >= '0' && word[0] <= '9')
		{
			for (int left = atoi(word); left > 0; --left)
			{
				double begin = milliseconds();
				b3World_Step(world, step, 4);
				printf("%.6g ", milliseconds() - begin);
			}
			printf("\n");
			fflush(stdout);
		}
		else if (strcmp(word, "end") != 0)
		{
			make_joint(word);
		}
	}
	b3DestroyWorld(world);
	return 0;
}
