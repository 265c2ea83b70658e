//! MuJoCo, by its Python package and a script.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use glam::{DQuat, DVec3};

/// Where a body is at a time.
#[derive(Debug, Clone)]
pub struct Sample {
    /// s.
    pub time: f64,
    pub body: String,
    /// Centre of mass, m.
    pub place: DVec3,
    /// From the axes of the body to the world's.
    pub turn: DQuat,
    /// The body's radius about its centre of mass, m; MuJoCo does not report it.
    pub reach: f64,
    /// An upper bound of its fastest point's speed, m/s; MuJoCo is not asked for it.
    pub speed: f64,
}

impl Sample {
    /// The largest distance, m, between the two samples' centres of mass, and between their points on the body's axes.
    pub fn distance(&self, other: &Self) -> f64 {
        let reach = self.reach.max(other.reach);
        let point = |of: &Self, off: DVec3| of.place + of.turn * (off * reach);
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        points.into_iter().map(|off| point(self, off).distance(point(other, off))).fold(0.0, f64::max)
    }
}

/// A Python that has MuJoCo.
pub struct Judge {
    python: String,
}

impl Judge {
    /// Looks for it.
    ///
    /// # Errors
    /// Why there is none.
    pub fn find() -> Result<Self, String> {
        let python = std::env::var("DELASSUS_PYTHON").unwrap_or_else(|_| "python3".into());
        let output = Command::new(&python).args(["-c", "import mujoco"]).output();
        match output {
            Ok(output) if output.status.success() => Ok(Self { python }),
            Ok(_) => Err(format!("`{python}` has no package mujoco; DELASSUS_PYTHON names another interpreter")),
            Err(error) => Err(format!("`{python}` cannot be run: {error}")),
        }
    }

    /// Runs a model for so many seconds, with a sample each so many seconds and steps of so many seconds.
    pub fn run(&self, model: &str, (seconds, every, step): (f64, f64, f64)) -> Vec<Sample> {
        let mut file = tempfile::Builder::new().suffix(".xml").tempfile().expect("a temporary file");
        file.write_all(model.as_bytes()).expect("a temporary file can be written");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/judge_mjcf.py");
        let mut command = Command::new(&self.python);
        command.arg(script).arg(file.path()).args([seconds, every, step].map(|x| x.to_string()));
        let Output { status, stdout, stderr } = command.output().expect("the interpreter runs");
        assert!(status.success(), "{}\n{model}", String::from_utf8_lossy(&stderr));
        String::from_utf8_lossy(&stdout).lines().map(sample).collect()
    }
}

/// A line of the script.
fn sample(line: &str) -> Sample {
    let numbers = |text: &str| -> Vec<f64> {
        text.split(' ').map(|x| x.parse().unwrap_or_else(|_| panic!("no number in {line}"))).collect()
    };
    let fields: Vec<&str> = line.split('\t').collect();
    let [time, body, place, turn] = fields[..] else { panic!("{line}") };
    let (place, turn) = (numbers(place), numbers(turn));
    Sample {
        time: numbers(time)[0],
        body: body.into(),
        place: DVec3::from_slice(&place),
        turn: DQuat::from_xyzw(turn[1], turn[2], turn[3], turn[0]),
        reach: 0.0,
        speed: 0.0,
    }
}
