//! Scenes for engines, and the protocol of a program that contains one: it is started with the name of the scene and
//! options of its own, reads lines, and answers each. A program that is not written in Rust first reads the scene as
//! text (`text.rs`).
//!
//! ```text
//! 10        makes ten steps; the milliseconds of each, in one line
//! poses     position and rotation of each of the scene's bodies, a line each
//! ```

pub mod scene;
mod text;

use std::io::{self, BufRead, Write};
use std::time::Instant;

use glam::{Quat, Vec3};
use scene::Scene;

pub trait Engine {
    fn step(&mut self);
    /// For each body of the scene, in its order.
    fn poses(&self) -> Vec<(Vec3, Quat)>;
}

/// Serves an engine that is created from the scene and the arguments after its name, until there are no more lines.
pub fn serve<E: Engine>(make: impl FnOnce(&Scene, &[String]) -> E) -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [words, options @ ..] = arguments.as_slice() else { return Err(io::Error::other("which scene?")) };
    let scene = Scene::named(words).ok_or_else(|| io::Error::other(format!("no scene is called {words}")))?;
    let mut engine = make(&scene, options);
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        match line.parse::<usize>() {
            Ok(count) => {
                for _ in 0..count {
                    let begin = Instant::now();
                    engine.step();
                    write!(out, "{} ", begin.elapsed().as_secs_f64() * 1e3)?;
                }
                writeln!(out)?;
            }
            Err(_) => {
                for (position, rotation) in engine.poses() {
                    let all = position.to_array().into_iter().chain(rotation.to_array());
                    writeln!(out, "{}", all.map(|v| v.to_string()).collect::<Vec<_>>().join(" "))?;
                }
            }
        }
        out.flush()?;
    }
    Ok(())
}
