//! Worlds of bodies connected by ball-sockets: chains, trees, nets, hubs.

use std::f32::consts::TAU;
use std::sync::Arc;

use delassus_gpu::Scheme;
use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::collision_filter::CollisionFilter;
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::preset::Preset;
use delassus_physics::settings::Settings;
use delassus_physics::shape::{Shape, Solid};
use delassus_physics::world::{State, WORLD, World};
use glam::{Quat, Vec3};

/// Jacobi as in 001, with further assignments: ω = 1, no warm starting, Baumgarte, no contacts.
pub fn settings(assignments: &[&str]) -> Settings {
    let mut settings = Preset::SingleStep.settings();
    let usual = [
        "step.rate=240",
        "solver.method=Jacobi",
        "solver.rows=Block",
        "solver.iterations=20",
        "solver.jacobi=Manual",
        "solver.relaxation=1",
        "warm_start.enabled=false",
        "stabilization.method=Baumgarte",
        "contact.enabled=false",
    ];
    for assignment in usual.iter().chain(assignments) {
        settings.assign(assignment).expect("a valid assignment");
    }
    settings
}

/// The assignments that select a scheme, followed by others.
pub fn of_scheme<'a>(scheme: Scheme, assignments: &[&'a str]) -> Vec<&'a str> {
    let own: &[&str] = match scheme {
        Scheme::Printed | Scheme::Incremental | Scheme::OnePass => &[],
        Scheme::Coloured => &["solver.method=GaussSeidel", "solver.order=Coloured"],
        Scheme::Exact | Scheme::Cyclic => &["solver.method=GaussSeidel", "solver.rows=Tree"],
    };
    own.iter().chain(assignments).copied().collect()
}

/// Pseudo-random numbers, the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// An integer below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.share() * bound as f32) as usize).min(bound - 1)
    }

    /// From −1 to 1 along each axis.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.share(), self.share(), self.share()) * 2.0 - 1.0
    }

    pub fn rotation(&mut self) -> Quat {
        Quat::from_scaled_axis(self.vector() * TAU)
    }
}

/// A world under construction; its bodies share their shapes.
pub struct Builder {
    pub world: World,
    ball: Arc<Solid>,
    block: Arc<Solid>,
    /// Whether bodies are blocks instead of balls.
    pub blocks: bool,
}

impl Builder {
    pub fn new(assignments: &[&str]) -> Self {
        let solid = |shape: Shape| Arc::new(shape.solid().expect("a solid shape"));
        Self {
            world: World::new(settings(assignments)),
            ball: solid(Shape::Sphere { radius: 0.1 }),
            block: solid(Shape::Box { half: Vec3::new(0.05, 0.1, 0.2) }),
            blocks: false,
        }
    }

    /// Adds a body; without a mass it is static.
    pub fn body(&mut self, position: Vec3, mass: Option<f32>, dice: &mut Dice) -> u32 {
        self.world.add_body(BodyDef {
            solid: Arc::clone(if self.blocks { &self.block } else { &self.ball }),
            position,
            rotation: dice.rotation(),
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            motion: if mass.is_some() { Motion::Dynamic } else { Motion::Static },
            mass: mass.unwrap_or(1.0),
            inertia: None,
            material: Material::default(),
            collide: false,
            filter: CollisionFilter::default(),
            particle: false,
            plane: None,
            mover: None,
            forces: Vec::new(),
            drag: None,
        })
    }

    /// Adds a ball-socket midway between two bodies.
    pub fn join(&mut self, a: u32, b: u32) {
        let at = |body: u32| &self.world.state.bodies[body as usize];
        self.join_at(a, b, 0.5 * (at(a).position + at(b).position));
    }

    /// Adds a ball-socket at a point, world frame, m.
    pub fn join_at(&mut self, a: u32, b: u32, anchor: Vec3) {
        let local = |body: u32| {
            let body = &self.world.state.bodies[body as usize];
            body.rotation.inverse() * (anchor - body.position)
        };
        self.world.add_joint(JointDef {
            a,
            b,
            anchor_a: local(a),
            anchor_b: local(b),
            axis_a: Vec3::X,
            axis_b: Vec3::X,
            kind: JointKind::BallSocket(BallSocket {}),
            collide: false,
            options: JointOptions::default(),
        });
    }

    /// Chains of beads along x, the first of each held; `mass` gives the mass of each bead by its index.
    pub fn chains(&mut self, count: usize, beads: usize, mass: impl Fn(usize) -> f32) {
        let mut dice = Dice::new(7);
        for chain in 0..count {
            let mut before = None;
            for bead in 0..beads {
                let at = Vec3::new(0.25 * bead as f32, 0.5 * (chain % 50) as f32, 0.5 * (chain / 50) as f32);
                let own = self.body(at, (bead > 0).then(|| mass(bead)), &mut dice);
                if let Some(before) = before.replace(own) {
                    self.join(before, own);
                }
            }
        }
    }

    /// A tree of randomly placed bodies, each joined to an earlier one; the first hangs from the world.
    pub fn tree(&mut self, bodies: usize, seed: u64) {
        let mut dice = Dice::new(seed);
        let mut list: Vec<u32> = Vec::new();
        for _ in 0..bodies {
            let parent = if list.is_empty() { None } else { Some(list[dice.below(list.len())]) };
            let from = parent.map_or(Vec3::ZERO, |parent| self.world.state.bodies[parent as usize].position);
            let mass = 0.5 + dice.share();
            let own = self.body(from + 0.3 * dice.vector(), Some(mass), &mut dice);
            match parent {
                Some(parent) => self.join(parent, own),
                None => self.join_at(WORLD, own, Vec3::ZERO),
            }
            list.push(own);
        }
    }

    /// A square net with `side` bodies per side and two held corners: loops everywhere, four constraints per body.
    pub fn net(&mut self, side: usize) {
        let mut dice = Dice::new(3);
        let first = self.world.state.bodies.len();
        for row in 0..side {
            for column in 0..side {
                let held = row == 0 && (column == 0 || column == side - 1);
                let at = Vec3::new(0.25 * column as f32, 0.25 * row as f32, 0.0);
                let own = self.body(at, (!held).then_some(1.0), &mut dice);
                if column > 0 {
                    self.join(own - 1, own);
                }
                if row > 0 {
                    self.join((first + (row - 1) * side + column) as u32, own);
                }
            }
        }
    }

    /// A hub with this number of spokes, free in space.
    pub fn hub(&mut self, spokes: usize) {
        let mut dice = Dice::new(5);
        let hub = self.body(Vec3::ZERO, Some(2.0), &mut dice);
        for _ in 0..spokes {
            let at = dice.vector();
            let spoke = self.body(at, Some(1.0), &mut dice);
            self.join(hub, spoke);
        }
    }

    /// Gives every dynamic body a random velocity and angular velocity of about `speed`, m/s and rad/s.
    pub fn stir(&mut self, speed: f32) {
        let mut dice = Dice::new(11);
        let State { bodies, velocities, .. } = &mut self.world.state;
        for (body, velocity) in bodies.iter().zip(velocities.iter_mut()).filter(|(body, _)| body.is_dynamic()) {
            debug_assert!(body.inv_mass > 0.0, "it moves");
            (velocity.linear, velocity.angular) = ((dice.vector() * speed).into(), (dice.vector() * speed).into());
        }
    }
}
