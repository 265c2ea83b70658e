//! The world of a case while it runs, and its readings.

use glam::{DQuat, DVec3};

use super::case::Case;
use delassus_physics::readout::Readout;
use delassus_physics::settings::{Method, Settings, SettingsPatch};
use delassus_physics::world::World;
use delassus_scene::{Flat, Loaded, Mistake, Scene, read_str};

/// The world of a case, run by one solver at one rate. A name that does not exist in the scene gives NaN readings,
/// which are within no bound.
pub struct CaseRun {
    pub world: World,
    flat: Flat,
}

/// The scene of a case with its settings, as the window opens it.
///
/// # Errors
/// If the scene or a setting's name is invalid.
pub fn document(case: &Case) -> Result<Scene, String> {
    let mut loaded = load(case)?;
    let mut settings = Settings::default();
    for assignment in case.runs.set {
        settings.assign(assignment).map_err(|e| format!("{}: {e}", case.name))?;
    }
    loaded.scene.settings = SettingsPatch::between(&Settings::default(), &settings);
    Ok(loaded.scene)
}

fn load(case: &Case) -> Result<Loaded, String> {
    let text = format!("(version: 1, title: {:?}, about: {:?}, {})", case.name, case.what, (case.scene)());
    let joined = |mistakes: Vec<Mistake>| mistakes.iter().map(|m| format!("{m}\n")).collect::<String>();
    read_str(&text, case.name).map_err(joined)
}

impl CaseRun {
    /// The world of a case before its first step.
    pub fn new(case: &Case, method: Method, rate: u32) -> Result<Self, String> {
        let mut settings = document(case)?.settings.settings();
        settings.solver.method = method;
        settings.step.rate = rate as f32;
        let flat = load(case)?.flat;
        Ok(Self { world: flat.world(settings), flat })
    }

    /// The same with additional settings, such as `solver.iterations=40`.
    ///
    /// # Errors
    /// If the scene or a setting's name is invalid.
    pub fn with(case: &Case, assignments: &[&str], rate: u32) -> Result<Self, String> {
        let mut run = Self::new(case, Method::GaussSeidel, rate)?;
        for assignment in assignments {
            run.world.settings.assign(assignment).map_err(|e| format!("{}: {e}", case.name))?;
        }
        Ok(run)
    }

    /// Length of a step, s.
    pub fn h(&self) -> f64 {
        1.0 / f64::from(self.world.settings.step.rate)
    }

    pub fn time(&self) -> f64 {
        self.world.state.time
    }

    pub fn step(&mut self) {
        self.world.step();
    }

    /// Runs for a time, s.
    pub fn run(&mut self, seconds: f64) {
        self.watch(seconds, |_| ());
    }

    /// Runs for a time, s, and takes a reading after each step.
    pub fn watch<T>(&mut self, seconds: f64, read: impl Fn(&Self) -> T) -> Vec<T> {
        let steps = (seconds / self.h()).round() as usize;
        (0..steps)
            .map(|_| {
                self.step();
                read(self)
            })
            .collect()
    }

    /// The mean of a reading over the steps of the next `seconds`.
    pub fn mean(&mut self, seconds: f64, read: impl Fn(&Self) -> f64) -> f64 {
        let [mean] = self.means(seconds, |t| [read(t)]);
        mean
    }

    /// The means of several readings over the steps of the next `seconds`.
    pub fn means<const N: usize>(&mut self, seconds: f64, read: impl Fn(&Self) -> [f64; N]) -> [f64; N] {
        let read = self.watch(seconds, read);
        std::array::from_fn(|i| read.iter().map(|values| values[i]).sum::<f64>() / read.len() as f64)
    }

    /// Runs until a reading rises to `level`. Returns the time, s, interpolated within the step; NaN if the level is
    /// not reached before the time `limit`, s.
    pub fn until(&mut self, limit: f64, level: f64, read: impl Fn(&Self) -> f64) -> f64 {
        let mut before = read(self);
        while self.time() < limit {
            self.step();
            let now = read(self);
            if before < level && now >= level {
                return self.time() - self.h() * (now - level) / (now - before);
            }
            before = now;
        }
        f64::NAN
    }

    fn index(&self, body: &str) -> Option<usize> {
        self.flat.find_body(body).map(|i| i as usize)
    }

    /// The position of a body's centre of mass, m, world frame.
    pub fn at(&self, body: &str) -> DVec3 {
        self.index(body).map_or(DVec3::NAN, |i| self.world.state.bodies[i].position.as_dvec3())
    }

    pub fn rotation(&self, body: &str) -> DQuat {
        self.index(body)
            .map_or(DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), |i| self.world.state.bodies[i].rotation.as_dquat())
    }

    /// The velocity of a body's centre of mass, m/s, world frame.
    pub fn velocity(&self, body: &str) -> DVec3 {
        self.index(body).map_or(DVec3::NAN, |i| self.world.state.velocities[i].linear.as_dvec3())
    }

    /// The angular velocity of a body, rad/s, world frame.
    pub fn angular_velocity(&self, body: &str) -> DVec3 {
        self.index(body).map_or(DVec3::NAN, |i| self.world.state.velocities[i].angular.as_dvec3())
    }

    /// The readout of a joint in the last step.
    pub fn joint(&self, name: &str) -> Readout {
        let nothing = Readout {
            value: f32::NAN,
            speed: f32::NAN,
            force: glam::Vec3::NAN,
            torque: glam::Vec3::NAN,
            ..Readout::default()
        };
        self.flat.find_joint(name).map_or(nothing, |i| self.world.state.joints[i as usize].readout)
    }

    /// The sum of the normal forces between two bodies, N.
    pub fn push(&self, a: &str, b: &str) -> f64 {
        let pair = [self.index(a), self.index(b)];
        let points = self.world.contact_points().filter(|p| {
            let found = [Some(p.a as usize), Some(p.b as usize)];
            found == pair || found == [pair[1], pair[0]]
        });
        points.map(|p| f64::from(p.impulse)).sum::<f64>() / f64::from(self.world.substep())
    }

    /// Kinetic plus potential energy, J.
    pub fn energy(&self) -> f64 {
        let m = self.world.metrics();
        m.kinetic_energy + m.potential_energy
    }

    pub fn kinetic_energy(&self) -> f64 {
        self.world.metrics().kinetic_energy
    }
}
