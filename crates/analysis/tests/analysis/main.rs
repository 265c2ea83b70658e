//! Mechanisms with closed forms: what the analysis finds is what the formulas say.

mod arm;
mod four_bar;
mod pose;
mod refused;
mod rows;
mod slider_crank;
mod space;

use delassus_analysis::{Analysis, DoctorCase, JointAt, Refusal, Request, analyse};
use delassus_physics::world::World;
use delassus_scene::{Loaded, read_str};

/// A scene and its world.
struct Scene {
    loaded: Loaded,
    world: World,
}

impl Scene {
    /// Bodies and joints as a scene file has them. Mechanisms lie in the plane of x and z, and turn from x to z.
    fn new(bodies: &str, joints: &str) -> Self {
        let text = format!("(version: 1, title: \"t\", bodies: [{bodies}], joints: [{joints}])");
        let loaded = read_str(&text, "test").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let world = loaded.flat.world(loaded.scene.settings.settings());
        Self { loaded, world }
    }

    fn case(&self) -> DoctorCase<'_> {
        DoctorCase::new(&self.loaded.flat, &self.world)
    }

    /// The index of a joint.
    fn joint(&self, name: &str) -> usize {
        self.loaded.flat.joints.iter().position(|joint| &*joint.name == name).expect("a joint of this name")
    }

    /// The id of a body.
    fn body(&self, name: &str) -> u32 {
        self.case().bodies.iter().position(|body| *body == name).expect("a body of this name") as u32
    }

    fn analyse(&self, request: &Request) -> Analysis {
        self.tried(request).unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    fn tried(&self, request: &Request) -> Result<Analysis, Refusal> {
        analyse(&self.case(), request)
    }

    /// A joint's part of each sample.
    fn of_joint<'a>(&self, analysis: &'a Analysis, name: &str) -> Vec<&'a JointAt> {
        let at = analysis.joints.iter().position(|joint| *joint == self.joint(name)).expect("of the mechanism");
        analysis.samples.iter().map(|sample| &sample.joints[at]).collect()
    }
}

/// A box of this name and mass around a centre in the plane of x and z, not rotated.
fn bar(name: &str, centre: [f64; 2], mass: f64) -> String {
    let [x, z] = centre;
    format!(
        "(name: \"{name}\", shape: Box(half: (0.25, 0.125, 0.125)), at: ({x}, 0, {z}), mass: {mass}, collide: false),"
    )
}

/// A hinge about −y, so that angles grow from x to z; without `a` on the world.
fn hinge(name: &str, a: Option<&str>, b: &str, at: [f64; 2], more: &str) -> String {
    let [x, z] = at;
    let a = a.map(|a| format!("a: \"{a}\", ")).unwrap_or_default();
    format!("(name: \"{name}\", {a}b: \"{b}\", anchor: ({x}, 0, {z}), axis: (0, -1, 0), kind: Hinge({more})),")
}

/// Moment of inertia of such a box about an axis through its centre along y: m/3 (0.25² + 0.125²).
fn inertia(mass: f64) -> f64 {
    mass / 3.0 * (0.0625 + 0.015625)
}

/// Whether two numbers agree to this relative tolerance, and near zero to `tolerance` of `size`.
#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64, size: f64, what: &str) {
    let most = tolerance * expected.abs().max(size);
    assert!((found - expected).abs() <= most, "{what}: {found} instead of {expected}");
}
