//! Claims: what a scene and its experiments say of themselves, as conditions that a run from the beginning has to keep.
//!
//! ```text
//! joint_error_max < 5 mm                         after every step of the first five seconds
//! joint_error_max < 5 mm until 2 s               … of the first two
//! bodies.*.z > 0.4 m after 3 s until 4 s         of all bodies, from one moment to another
//! joints.hinge.at == greatest within 2 s         at some step until then
//! bodies.bullet.vx = -2 m/s ± 1 % at 0.5 s       at that moment
//! most joint_error_max = 30 mm ± 10 % until 8 s  the largest that it was; `least` and `mean` likewise
//! change of energy = 0 ± 1 %                     since the beginning; here % is of the largest size that it had
//! change of momentum_* = 0 ± 1e-5                each of the three
//! rho = 0.985471 ± 1e-5 at 1 s                   the spectral radius of the sweep over the rows of that step
//! ```
//! It is the language of [`condition`](super::condition), read the other way round: there a condition that holds is
//! bad news, here one that does not. So `*` means all (`most` and `least` are over all of them), and a value that is not a number keeps no claim.

pub(super) mod live;
mod term;
mod trial;
mod watch;

use crate::scene::{Loaded, Mistake, SceneText, nearest, scene_text_mistakes};

use super::condition::{Condition, Take, Time, Timing, condition, subject};
use super::names::Names;
use super::quantity::Quantity;
pub use live::ClaimState;
pub use trial::{ClaimOutcome, trial};
pub use watch::{ClaimValue, ClaimVerdict};

/// How long a claim looks that names no end, s.
pub const LENGTH: f64 = 5.0;

/// Reads a claim.
///
/// # Errors
/// What a condition may not be, and what could not be kept or broken.
pub(super) fn claim(text: &str) -> Result<Condition, String> {
    let condition = condition(text)?;
    let never = |from: Time| match from {
        Time::Seconds(from) => from >= LENGTH,
        Time::Steps(_) => false,
    };
    match condition.when {
        Timing::Through(from, None) if never(from) => {
            Err(format!("a claim looks at {LENGTH} s unless it says `until`: as in `after 6 s until 8 s`"))
        }
        Timing::Through(Time::Seconds(from), Some(Time::Seconds(to))) if to <= from => {
            Err("`until` has to be later than `after`".into())
        }
        Timing::Within(_) | Timing::At(_) | Timing::AtEnd if condition.take.is_of_all_steps() => {
            Err("`most`, `least` and `mean` are of all steps `until T` or `after T until T`".into())
        }
        Timing::Through(..) | Timing::Within(_) | Timing::AtEnd if rho(&condition) => {
            Err("`rho` is asked for at one moment, as in `rho < 0.9 at 1 s`".into())
        }
        _ => Ok(condition),
    }
}

fn rho(condition: &Condition) -> bool {
    matches!(condition.subject, super::condition::Subject::Radius) && condition.take == Take::Itself
}

/// What is wrong with the claims, plots and labels of a scene: words that make no sense, bodies and joints that it has
/// not.
pub fn mistakes(file: &std::path::Path, loaded: &Loaded) -> Vec<Mistake> {
    let names = Names::of(&loaded.flat);
    scene_text_mistakes(file, &loaded.text, &loaded.scene, |said| match said {
        SceneText::Claim(text) => claim(text).and_then(|condition| watch::ClaimWatch::new(condition, &names)).err(),
        SceneText::Quantity(text) => {
            let read = Quantity::read(text).and_then(|read| subject(read.text()));
            read.and_then(|(subject, column)| term::terms(&subject, column, &names)).err()
        }
        SceneText::Body(name) if names.body(name).is_none() => {
            let known = names.bodies.iter().map(|known| &**known);
            Some(format!("no body is called `{name}`{}", nearest(name, known)))
        }
        SceneText::Body(_) => None,
    })
}
