//! The energy and momentum account of a step: the contributions of all causes add up to the measured change, with all
//! methods, on every scene of the library, with a mouse that pulls; and they agree with closed forms.

use delassus_physics::balance::{Balance, CAUSES, Cause, Share};
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::world::World;
use delassus_scene::{self as scene, library, library::scenes_folder};
use glam::Vec3;

fn balanced(world: &World, what: &str) -> (World, Balance) {
    world.balanced().unwrap_or_else(|| panic!("{what}: the step can be made"))
}

/// The difference between the sum and the measured change, and the scale to compare it with: the sum of all
/// magnitudes.
fn miss(balance: &Balance, of: impl Fn(&Share) -> f64) -> (f64, f64) {
    let gross: f64 = CAUSES.iter().map(|cause| of(balance.of(*cause)).abs()).sum();
    ((of(&balance.sum()) - of(&balance.change)).abs(), gross)
}

#[test]
fn the_shares_of_every_scene_s_steps_add_up_to_what_is_measured() {
    let (mut looked, mut worst) = (0, (0.0, String::new()));
    for entry in library::ordinary(&scenes_folder()) {
        let loaded = scene::read(&entry.path).unwrap_or_else(|e| panic!("{}: {e:?}", entry.id));
        if loaded.flat.bodies.len() > 130 {
            continue;
        }
        for method in ["GaussSeidel", "Jacobi", "Direct"] {
            let mut settings = loaded.scene.settings.settings();
            settings.assign(&format!("solver.method={method}")).expect("a setting");
            let mut world = loaded.flat.world(settings);
            for step in 0..40 {
                if step == 20 {
                    let body = (1..world.state.bodies.len()).find(|body| world.state.bodies[*body].is_dynamic());
                    world.state.mouse_joint = body.map(|body| {
                        let target = world.state.bodies[body].position + Vec3::new(0.1, 0.2, 0.3);
                        MouseJoint { body: body as u32, point: Vec3::ZERO, target }
                    });
                }
                if step % 4 == 1 || step >= 37 {
                    let what = format!("{}, {method}, step {step}", entry.id);
                    let (after, balance) = balanced(&world, &what);
                    let (off, gross) = miss(&balance, Share::energy);
                    // The rounding error of energies of this size.
                    let floor = 1e-5 * (balance.motion.abs() + gross) + 1e-9;
                    let share = off / (0.01 * gross + floor);
                    if share > worst.0 {
                        worst = (share, what.clone());
                    }
                    let sizes = after.metrics();
                    assert!(sizes.energy().is_finite(), "{what}");
                    looked += 1;
                }
                world.step();
            }
        }
    }
    assert!(looked > 2000, "{looked} steps");
    assert!(worst.0 <= 1.0, "{} times too far: {}", worst.0, worst.1);
}

/// A block of 2 kg in free fall from v: the velocity change gives m g h v̄, the height takes as much, and the momentum
/// grows by m g h. None of it is the integrator's.
#[test]
fn a_fall_is_gravity_s_to_the_last_digit() {
    let text = "(version: 1, title: \"Fall\", settings: (preset: SingleStep, step: (gravity: (0, 0, -10), rate: 60, substeps: 1)), \
                bodies: [(name: \"a\", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 9), mass: 2)])";
    let loaded = scene::read_str(text, "fall").unwrap_or_else(|e| panic!("{e:?}"));
    let mut world = loaded.flat.world(loaded.scene.settings.settings());
    (0..30).for_each(|_| world.step());
    let (v, h, g, m) = (f64::from(world.state.velocities[1].linear.z), 1.0 / 60.0, 10.0, 2.0);
    let (_, balance) = balanced(&world, "fall");
    let gravity = balance.of(Cause::Gravity);
    let after = v - g * h;
    assert!((gravity.linear.z - m * g * h * -(v + after) / 2.0).abs() < 1e-4, "{gravity:?}");
    assert!((gravity.potential - m * g * h * (v + after) / 2.0).abs() < 1e-4, "{gravity:?}");
    assert!(gravity.energy().abs() < 1e-4, "{}", gravity.energy());
    assert!((gravity.momentum.z + m * g * h).abs() < 1e-5, "{gravity:?}");
    assert_eq!(balance.rows.len(), 0);
    let drift = balance.drift();
    assert!(drift.energy().abs() < 1e-9, "{drift:?}");
}

/// A box that slides on a floor loses µ m g of momentum per second to friction, and µ m g v̄ h of energy per step.
#[test]
fn what_a_sliding_box_loses_is_friction_s() {
    let text = "(version: 1, title: \"Slide\", settings: (preset: SingleStep, step: (gravity: (0, 0, -10), rate: 60)), bodies: [\
                (name: \"floor\", shape: Box(half: (50, 5, 0.5)), at: (0, 0, -0.5), motion: Static, friction: 0.4), \
                (name: \"box\", shape: Box(half: (0.5, 0.5, 0.1)), at: (0, 0, 0.1), mass: 3, friction: 0.4, \
                velocity: (5, 0, 0))])";
    let loaded = scene::read_str(text, "slide").unwrap_or_else(|e| panic!("{e:?}"));
    let mut settings = loaded.scene.settings.settings();
    settings.warm_start.enabled = false;
    let mut world = loaded.flat.world(settings);
    (0..20).for_each(|_| world.step());
    let v = f64::from(world.state.velocities[2].linear.x);
    let (after, balance) = balanced(&world, "slide");
    let friction = balance.of(Cause::Friction);
    let (load, h) = (0.4 * 3.0 * 10.0, 1.0 / 60.0);
    assert!((friction.momentum.x + load * h).abs() < 0.02 * load * h, "{friction:?}");
    let middle = 0.5 * (v + f64::from(after.state.velocities[2].linear.x));
    assert!((friction.linear.x + load * h * middle).abs() < 0.02 * load * h * middle, "{friction:?}");
    assert_eq!(balance.of(Cause::WarmStart), &Share::default(), "it is off");
}

/// Accounting changes nothing: the copy's step is the world's, to the bit.
#[test]
fn the_step_that_is_accounted_for_is_the_world_s_own() {
    for entry in library::ordinary(&scenes_folder()).iter().filter(|entry| entry.folder() == "rows") {
        let loaded = scene::read(&entry.path).unwrap_or_else(|e| panic!("{}: {e:?}", entry.id));
        let mut world = loaded.flat.world(loaded.scene.settings.settings());
        world.pipeline.executor.keep_rows = true;
        for _ in 0..10 {
            let (after, _) = balanced(&world, &entry.id);
            world.step();
            assert_eq!(after.hash(), world.hash(), "{}", entry.id);
        }
    }
}
