// Jolt, with its own defaults: one collision step, ten velocity and two position iterations, one thread. No body sleeps, as
// in the other programs of the race. It reads a scene as text (work/src/text.rs), then a number of steps or "poses" a line,
// and answers as work/src/lib.rs says. Built by scripts/bench.

#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/GroupFilter.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/RotatedTranslatedShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Constraints/FixedConstraint.h>
#include <Jolt/Physics/Constraints/HingeConstraint.h>
#include <Jolt/Physics/Constraints/PointConstraint.h>
#include <Jolt/Physics/Constraints/SwingTwistConstraint.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace JPH;

namespace {

constexpr BroadPhaseLayer STILL(0), MOVING(1);

// Layer 0 does not move, layer 1 does.
struct Layers final : BroadPhaseLayerInterface {
    uint GetNumBroadPhaseLayers() const override { return 2; }
    BroadPhaseLayer GetBroadPhaseLayer(ObjectLayer layer) const override { return layer == 0 ? STILL : MOVING; }
};

struct AgainstLayer final : ObjectVsBroadPhaseLayerFilter {
    bool collide = true;
    bool ShouldCollide(ObjectLayer a, BroadPhaseLayer b) const override { return collide && (a == 1 || b == MOVING); }
};

struct AgainstObject final : ObjectLayerPairFilter {
    bool collide = true;
    bool ShouldCollide(ObjectLayer a, ObjectLayer b) const override { return collide && (a == 1 || b == 1); }
};

// Bodies that a joint connects do not touch.
struct Joined final : GroupFilter {
    std::set<std::pair<uint, uint>> pairs;
    bool CanCollide(const CollisionGroup &a, const CollisionGroup &b) const override {
        return pairs.count(std::minmax(a.GetSubGroupID(), b.GetSubGroupID())) == 0;
    }
};

float number() {
    float value;
    if (!(std::cin >> value)) {
        std::fprintf(stderr, "a number is missing\n");
        std::exit(1);
    }
    return value;
}

Vec3 vector() {
    float x = number(), y = number(), z = number();
    return Vec3(x, y, z);
}

class Race {
public:
    Race() : temporary(256 * 1024 * 1024), jobs(cMaxPhysicsJobs) {}

    void make_world() {
        against_layer.collide = against_object.collide = number() != 0.0f;
        system.Init(131072, 0, 262144, 131072, layers, against_layer, against_object);
        system.SetGravity(Vec3(0, 0, -number()));
        step = number();
        BodyCreationSettings floor(new BoxShape(Vec3(100, 100, 0.5f)), RVec3(0, 0, -0.5f), Quat::sIdentity(), EMotionType::Static, 0);
        floor.mFriction = 0.5f;
        ground = system.GetBodyInterface().CreateBody(floor);
        system.GetBodyInterface().AddBody(ground->GetID(), EActivation::DontActivate);
    }

    void make_body(const std::string &word) {
        Vec3 at = vector();
        float mass = number();
        ShapeRefC shape;
        if (word == "ball") {
            shape = new SphereShape(number());
        } else if (word == "box") {
            shape = new BoxShape(vector());
        } else {
            float radius = number(), half = number();
            Quat along_z = Quat::sRotation(Vec3::sAxisX(), 0.5f * JPH_PI);
            shape = new RotatedTranslatedShape(Vec3::sZero(), along_z, new CapsuleShape(half, radius));
        }
        BodyCreationSettings settings(shape, RVec3(at), Quat::sIdentity(), EMotionType::Dynamic, 1);
        settings.mOverrideMassProperties = EOverrideMassProperties::CalculateInertia;
        settings.mMassPropertiesOverride.mMass = mass;
        settings.mFriction = 0.5f;
        settings.mAllowSleeping = false;
        settings.mCollisionGroup = CollisionGroup(joined, 0, CollisionGroup::SubGroupID(bodies.size()));
        bodies.push_back(system.GetBodyInterface().CreateBody(settings));
        system.GetBodyInterface().AddBody(bodies.back()->GetID(), EActivation::Activate);
    }

    void make_joint(const std::string &word) {
        int a = int(number()), b = int(number());
        RVec3 anchor = RVec3(vector());
        Vec3 axis = vector();
        Body &first = a < 0 ? *ground : *bodies[a], &second = *bodies[b];
        if (a >= 0)
            joined->pairs.insert(std::minmax(uint(a), uint(b)));
        Vec3 across = axis.GetNormalizedPerpendicular();
        Ref<TwoBodyConstraintSettings> settings;
        if (word == "hinge") {
            Ref<HingeConstraintSettings> hinge = new HingeConstraintSettings;
            hinge->mPoint1 = hinge->mPoint2 = anchor;
            hinge->mHingeAxis1 = hinge->mHingeAxis2 = axis;
            hinge->mNormalAxis1 = hinge->mNormalAxis2 = across;
            hinge->mLimitsMin = number();
            hinge->mLimitsMax = number();
            settings = hinge;
        } else if (word == "cone") {
            Ref<SwingTwistConstraintSettings> cone = new SwingTwistConstraintSettings;
            cone->mPosition1 = cone->mPosition2 = anchor;
            cone->mTwistAxis1 = cone->mTwistAxis2 = axis;
            cone->mPlaneAxis1 = cone->mPlaneAxis2 = across;
            cone->mNormalHalfConeAngle = cone->mPlaneHalfConeAngle = number();
            cone->mTwistMaxAngle = number();
            cone->mTwistMinAngle = -cone->mTwistMaxAngle;
            settings = cone;
        } else if (word == "fixed") {
            Ref<FixedConstraintSettings> fixed = new FixedConstraintSettings;
            fixed->mPoint1 = fixed->mPoint2 = anchor;
            settings = fixed;
        } else {
            Ref<PointConstraintSettings> point = new PointConstraintSettings;
            point->mPoint1 = point->mPoint2 = anchor;
            settings = point;
        }
        system.AddConstraint(settings->Create(first, second));
    }

    void steps(int count) {
        for (; count > 0; --count) {
            auto begin = std::chrono::steady_clock::now();
            system.Update(step, 1, &temporary, &jobs);
            std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
            std::printf("%.6g ", time.count());
        }
        std::printf("\n");
        std::fflush(stdout);
    }

    void poses() const {
        for (const Body *body : bodies) {
            RVec3 p = body->GetPosition();
            Quat q = body->GetRotation();
            std::printf("%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", double(p.GetX()), double(p.GetY()), double(p.GetZ()), q.GetX(),
                q.GetY(), q.GetZ(), q.GetW());
        }
        std::fflush(stdout);
    }

private:
    TempAllocatorImpl temporary;
    JobSystemSingleThreaded jobs;
    Layers layers;
    AgainstLayer against_layer;
    AgainstObject against_object;
    Ref<Joined> joined = new Joined;
    PhysicsSystem system;
    Body *ground = nullptr;
    std::vector<Body *> bodies;
    float step = 1.0f / 60.0f;
};

} // namespace

int main() {
    RegisterDefaultAllocator();
    Factory::sInstance = new Factory();
    RegisterTypes();
    Race race;
    std::string word;
    while (std::cin >> word) {
        if (word == "world")
            race.make_world();
        else if (word == "ball" || word == "box" || word == "capsule")
            race.make_body(word);
        else if (word == "poses")
            race.poses();
        else if (word[0] >= '0' && word[0] <= '9')
            race.steps(std::atoi(word.c_str()));
        else if (word != "end")
            race.make_joint(word);
    }
    return 0;
}
