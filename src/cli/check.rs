//! `delassus check`: every mistake of every file, a line each.

use std::io::Write;

use super::Failure;
use crate::scene::{self, library};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Scene files, or names from `delassus list`
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<String>,
}

pub fn check(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut mistaken = false;
    for scene in &arguments.scenes {
        let path = library::find(scene);
        match scene::read(&path) {
            Ok(loaded) => {
                let (bodies, joints) = (loaded.flat.bodies.len(), loaded.flat.joints.len());
                writeln!(out, "{}: {bodies} bodies, {joints} joints, no mistakes", path.display())?;
            }
            Err(mistakes) => {
                mistaken = true;
                for mistake in mistakes {
                    // Nobody to tell if standard error is closed; the exit code tells.
                    let _ = writeln!(std::io::stderr(), "{mistake}");
                }
            }
        }
    }
    out.flush()?;
    if mistaken { Err(Failure::Told) } else { Ok(()) }
}
