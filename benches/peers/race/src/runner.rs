//! A program that contains an engine and is located beside this one.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use glam::{Quat, Vec3};
use work::scene::Scene;

/// Engines that are not written in Rust: they read the scene as text.
const READ_TEXT: [&str; 2] = ["box3d", "jolt"];

/// Where a program beside this one lies.
fn path(file: &str) -> PathBuf {
    std::env::current_exe().expect("this program lies somewhere").with_file_name(file)
}

/// Whether a program lies beside this one.
pub fn is_built(file: &str) -> bool {
    path(file).exists()
}

pub struct Runner {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Runner {
    /// Starts it with a scene.
    pub fn start(file: &str, words: &str, options: &[&str]) -> Self {
        let path = path(file);
        let mut child = Command::new(&path)
            .arg(words)
            .args(options)
            .env("RAYON_NUM_THREADS", "2")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}; scripts/bench builds it", path.display()));
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (input, output) = (input.expect("it was asked for"), BufReader::new(output.expect("it was asked for")));
        let mut runner = Self { child, input, output };
        if READ_TEXT.contains(&file) {
            let text = Scene::named(words).expect("a scene").text();
            runner.input.write_all(text.as_bytes()).expect("it listens");
        }
        runner
    }

    fn line(&mut self) -> Vec<f64> {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        line.split_whitespace().map(|word| word.parse().unwrap_or(f64::NAN)).collect()
    }

    /// Makes steps; returns the milliseconds of each.
    pub fn steps(&mut self, count: usize) -> Vec<f64> {
        writeln!(self.input, "{count}").expect("it listens");
        let times = self.line();
        assert_eq!(times.len(), count, "it has ended early");
        times
    }

    /// The poses of the scene's bodies.
    pub fn poses(&mut self, count: usize) -> Vec<(Vec3, Quat)> {
        writeln!(self.input, "poses").expect("it listens");
        let pose = |line: Vec<f64>| {
            let v: Vec<f32> = line.into_iter().map(|v| v as f32).collect();
            (Vec3::from_slice(&v), Quat::from_slice(&v[3..]))
        };
        (0..count).map(|_| pose(self.line())).collect()
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
