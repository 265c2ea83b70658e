//! Mechanisms that move in space, and the physics' own steps.

use delassus_analysis::{Request, Travel};

use super::{Scene, bar, hinge, near};

/// Hooke's joint between two shafts at the angle β, cos β = 0.8. The cross's axis on the first is across both at first:
///
/// ```text
/// tan φ = cos β tan θ,   φ' = cos β/(cos² θ + cos² β sin² θ) = cos β/D,   φ'' = sin² β cos β sin 2θ/D²
/// ```
/// The shafts' centres are on their axes, so only the second one's inertia J about its axis needs a torque: τ = J φ' φ'' ω².
#[test]
fn a_universal_joint_turns_unevenly() {
    let bodies = r#"(name: "first", shape: Box(half: (0.25, 0.125, 0.125)), at: (-1, 0, 0), mass: 2, collide: false),
        (name: "second", shape: Box(half: (0.25, 0.125, 0.125)), at: (0.8, 0.6, 0), mass: 3, collide: false),"#;
    let joints = r#"(name: "in", b: "first", anchor: (-1, 0, 0), axis: (1, 0, 0), kind: Hinge),
        (name: "out", b: "second", anchor: (0.8, 0.6, 0), axis: (0.8, 0.6, 0), kind: Hinge),
        (name: "cross", a: "first", b: "second", anchor: (0, 0, 0), axis_a: (0, 0, 1), axis_b: (-0.6, 0.8, 0), kind: Universal),"#;
    let scene = Scene::new(bodies, joints);
    let omega = 3.0;
    let request = Request { speed: omega, travel: Travel::Turns(2.0), samples: 80, ..Request::default() };
    let analysis = scene.analyse(&request);
    assert_eq!((analysis.samples.len(), analysis.normal), (81, None), "not in a plane");
    let (cos, sin) = (0.8, 0.6);
    // About (0.8, 0.6, 0): 0.64 I_x + 0.36 I_y.
    let inertia = 3.0 / 3.0 * (0.64 * 0.031_25 + 0.36 * 0.078_125);
    for (sample, out) in analysis.samples.iter().zip(scene.of_joint(&analysis, "out")) {
        let (s, c) = sample.value.sin_cos();
        let d = c * c + cos * cos * s * s;
        let (first, second) = (cos / d, sin * sin * cos * 2.0 * s * c / (d * d));
        let [value, speed, acceleration] = out.value.expect("an angle");
        // The directions of the scene have 32 bits.
        near((value - (cos * s).atan2(c)).sin(), 0.0, 2e-7, 1.0, "angle");
        near(speed, omega * first, 1e-6, 1.0, "speed");
        near(acceleration, omega * omega * second, 2e-6, 1.0, "acceleration");
        near(sample.drive.moving, inertia * first * second * omega * omega, 2e-6, 1.0, "torque");
        near(sample.drive.at_rest, 0.0, 1e-6, 1.0, "nothing to lift");
    }
}

/// A slider–crank that the physics steps at 3 rad/s by its direct solver. After some steps its motor and its pin bear what
/// the analysis says for that angle, within the error of a step of 1/2000 s.
#[test]
fn the_physics_bears_what_the_analysis_says() {
    let bodies = bar("crank", [0.25, 0.0], 2.0) + &bar("rod", [1.5, 0.0], 1.0) + &bar("slider", [2.5, 0.0], 4.0);
    let joints = hinge("crank", None, "crank", [0.0, 0.0], "motor: (speed: 3)")
        + r#"(name: "guide", b: "slider", anchor: (2.5, 0, 0), axis: (1, 0, 0), kind: Prismatic),
            (name: "pin", a: "crank", b: "rod", anchor: (0.5, 0, 0), kind: BallSocket),
            (name: "wrist", a: "slider", b: "rod", anchor: (2.5, 0, 0), axis: (1, 0, 0), kind: ConstantVelocity),"#;
    let mut scene = Scene::new(&bodies, &joints);
    let request = Request { speed: 3.0, ..Request::default() };
    for setting in [
        "preset=SingleStep",
        "solver.method=Direct",
        "step.rate=2000",
        "contact.enabled=false",
        "stabilization.method=Split",
    ] {
        scene.world.settings.assign(setting).expect("a setting");
    }
    let mut compared = 0;
    for step in 1..=3000 {
        scene.world.step();
        if step % 500 != 0 {
            continue;
        }
        let [crank, pin] = [0, 2].map(|joint| scene.world.state.joints[joint].readout);
        // Forces are those of the start of the step.
        let value = f64::from(crank.value) - 3.0 / 2000.0;
        let fresh = Scene::new(&bodies, &joints);
        let travel = Travel::Between(value, value + 0.1);
        let analysis = fresh.analyse(&Request { travel, samples: 1, ..request.clone() });
        let (sample, own) = (&analysis.samples[0], fresh.of_joint(&analysis, "pin")[0]);
        near(crank.motor.into(), sample.drive.moving, 0.01, 5.0, "motor");
        let off = (pin.force.as_dvec3() - own.moving.force).length();
        assert!(off < 0.01 * own.moving.force.length().max(10.0), "{} and {}", pin.force, own.moving.force);
        compared += 1;
    }
    assert_eq!(compared, 6);
}
