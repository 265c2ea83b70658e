//! `delassus pose`: a scene posed by the value of a joint.

use std::io::Write;
use std::path::PathBuf;

use super::analyse::find;
use super::common::{Failure, open};
use super::outputs;
use super::printable::within_line;
use delassus_launch::OpenRequest;
use delassus_session::pose::{CoordinateAt, PoseRequest};
use delassus_session::{Command, SessionError};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    open_request: OpenRequest,
    /// The joint whose value is set
    #[arg(long, value_name = "JOINT", allow_hyphen_values = true)]
    joint: String,
    /// Its value, degrees or m [default: only list the joint's values]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    to: Option<f64>,
    /// Which of its values, as they are listed [default: the first]
    #[arg(long, value_name = "NAME", requires = "to")]
    coordinate: Option<String>,
    /// Write the posed scene to this file; `-` is standard output
    #[arg(long, value_name = "SCENE.ron", requires = "to")]
    out: Option<PathBuf>,
}

/// Lists the values of the joint, or sets one and writes the scene.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = open(&arguments.open_request, &[])?;
    outputs::check(&outputs::scene_files(&arguments.open_request, &session), &[("--out", arguments.out.as_deref())])?;
    let names: Vec<String> = session.snapshot().joints.iter().map(|joint| joint.name.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let joint = find("--joint", &arguments.joint, "joint", &names)?;
    let known = session.coordinates(joint);
    let Some(to) = arguments.to else {
        for at in &known {
            writeln!(out, "{}", line(at))?;
        }
        if known.is_empty() {
            writeln!(out, "{} has no value that could be set", within_line(&arguments.joint))?;
        }
        return Ok(out.flush()?);
    };
    let chosen = match &arguments.coordinate {
        Some(name) => known.iter().find(|at| at.coordinate.name().eq_ignore_ascii_case(name)),
        None => known.first(),
    };
    let at = chosen.ok_or_else(|| {
        let all: Vec<&str> = known.iter().map(|at| at.coordinate.name()).collect();
        let asked = arguments.coordinate.as_deref().unwrap_or("any");
        let has = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
        Failure::Misuse(within_line(&format!("--coordinate {asked}: `{}` has {has}", arguments.joint)))
    })?;
    let to = at.coordinate.measure().from_shown(to);
    let found = session.pose(&PoseRequest { joint, coordinate: at.coordinate, to }).map_err(|error| match error {
        SessionError::Refused(what) => Failure::Error(within_line(&what)),
        other => other.into(),
    })?;
    let reached = at.coordinate.measure().words(found.value);
    if let Some(stop) = &found.stopped {
        return Err(Failure::Error(within_line(&stop.words(&reached))));
    }
    session.dispatch(Command::Edit { edit: found.edit, gesture: None })?;
    match &arguments.out {
        Some(path) if outputs::is_standard(path) => {
            let text = session.scene().map(delassus_scene::write).unwrap_or_default();
            out.write_all(text.as_bytes())?;
        }
        other => {
            if let Some(path) = other {
                session.dispatch(Command::SaveAs(path.clone()))?;
            }
            writeln!(out, "{} {}: {reached}", within_line(&arguments.joint), at.coordinate.name().to_lowercase())?;
            if !found.held.is_empty() {
                let held: Vec<&str> = found.held.iter().map(|(name, _)| name.as_str()).collect();
                writeln!(out, "held: {}", within_line(&held.join(", ")))?;
            }
        }
    }
    Ok(out.flush()?)
}

/// A value with its name, its range, and what it is.
fn line(at: &CoordinateAt) -> String {
    let range = at.range.filter(|(least, greatest)| least.is_finite() && greatest.is_finite());
    let range = range.map(|(least, greatest)| {
        format!(", from {} to {}", at.coordinate.measure().words(least), at.coordinate.measure().words(greatest))
    });
    let (name, what) = (at.coordinate.name(), at.coordinate.what());
    format!("{name}: {}{} ({what})", at.coordinate.measure().words(at.value), range.unwrap_or_default())
}
