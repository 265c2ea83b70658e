//! Claims: statements of a scene and its experiments, as conditions that a run from the beginning must satisfy.
//!
//! ```text
//! joint_error_max < 5 mm                         after every step of the first five seconds
//! joint_error_max < 5 mm until 2 s               after every step of the first two seconds
//! bodies.*.z > 0.4 m after 3 s until 4 s         for all bodies, after every step from 3 s to 4 s
//! joints.hinge.at == greatest within 2 s         after at least one step until 2 s
//! bodies.bullet.vx = -2 m/s ± 1 % at 0.5 s       after the step at 0.5 s
//! most joint_error_max = 30 mm ± 10 % until 8 s  the maximum until 8 s; `least` and `mean` likewise
//! change of energy = 0 ± 1 %                     since the beginning; % of the largest magnitude so far
//! change of momentum_* = 0 ± 1e-5                each of the three components
//! rho = 0.985471 ± 1e-5 at 1 s                   the spectral radius of the sweep over the rows of that step
//! ```
//! The language is that of [`condition`](super::condition), with the opposite meaning: a condition of `--fail-if`
//! that holds is a failure, a claim that does not hold is one. Therefore `*` means all (`most` and `least` are taken
//! over all of them), and a value that is not a number satisfies no claim.

mod exercise;
pub(super) mod live;
mod term;
mod trial;
mod watch;

use delassus_scene::{Loaded, Mistake, SceneText, nearest, scene_text_mistakes};

use super::condition::{Condition, Operand, Relation, Take, Time, Timing, Tolerance, condition, subject};
use super::names::Names;
use super::quantity::Quantity;
use super::sensors::unit_of;
pub use exercise::exercise_faults;
pub use live::{ClaimState, GoalState};
pub use trial::{ClaimOutcome, trial, trial_by, trial_of, trial_run};
pub use watch::{ClaimValue, ClaimVerdict};

/// Duration of a claim without an explicit end, s.
pub const LENGTH: f64 = 5.0;

/// Reads a claim.
///
/// # Errors
/// What is wrong with the condition, or why it cannot be a claim.
pub(super) fn claim(text: &str) -> Result<Condition, String> {
    let condition = condition(text)?;
    let never = |from: Time| match from {
        Time::Seconds(from) => from >= LENGTH,
        Time::Steps(_) => false,
    };
    match condition.when {
        Timing::Through(from, None) if never(from) => {
            Err(format!("a claim covers {LENGTH} s unless it says `until`: as in `after 6 s until 8 s`"))
        }
        Timing::Through(Time::Seconds(from), Some(Time::Seconds(to))) if to <= from => {
            Err("`until` has to be later than `after`".into())
        }
        Timing::Within(_) | Timing::At(_) | Timing::AtEnd if condition.take.is_of_all_steps() => {
            Err("`most`, `least` and `mean` are of all steps `until T` or `after T until T`".into())
        }
        Timing::Through(..) | Timing::Within(_) | Timing::AtEnd if rho(&condition) => {
            Err("`rho` is checked at one moment only, as in `rho < 0.9 at 1 s`".into())
        }
        _ => Ok(condition),
    }
}

fn rho(condition: &Condition) -> bool {
    matches!(condition.subject, super::condition::Subject::Radius) && condition.take == Take::Itself
}

/// Mistakes in the claims, plots, sensors and labels of a scene: unreadable text, and bodies or joints that do not exist.
pub fn mistakes(file: &std::path::Path, loaded: &Loaded) -> Vec<Mistake> {
    let names = Names::of(&loaded.flat);
    let kind = |name: &str| Some(loaded.flat.joints.get(names.joint(name)?)?.def.kind);
    scene_text_mistakes(file, &loaded.text, &loaded.scene, |said| match said {
        SceneText::Claim(text) => claim(text).and_then(|condition| watch::ClaimWatch::new(condition, &names)).err(),
        SceneText::Quantity(text) | SceneText::SensorQuantity(text) => {
            let known = |quantity: &Quantity| {
                let (subject, column) = subject(quantity.text())?;
                term::terms(&subject, column, &names).map(drop)
            };
            let read = Quantity::read(text);
            read.and_then(|read| {
                read.difference().map_or_else(|| known(&read), |sides| sides.iter().try_for_each(known))
            })
            .err()
        }
        // A wrong quantity is told by itself.
        SceneText::SensorUnit { unit, of } => {
            Quantity::read(of).ok().and_then(|quantity| unit_of(&quantity, unit, kind).err())
        }
        SceneText::Body(name) if names.body(name).is_none() => {
            let known = names.bodies.iter().map(|known| &**known);
            Some(format!("no body is called `{name}`{}", nearest(name, known)))
        }
        SceneText::Body(_) => None,
    })
}

/// What is wrong with a claim about a scene, if anything.
pub fn mistake(text: &str, loaded: &Loaded) -> Option<String> {
    claim(text).and_then(|condition| watch::ClaimWatch::new(condition, &Names::of(&loaded.flat))).err()
}

/// The tolerance of a claim `QUANTITY = b ± t`, in the unit of its quantity.
///
/// # Errors
/// What is wrong with the claim, or that it is of another form.
pub fn tolerance(text: &str) -> Result<f64, String> {
    let Condition { take, relation, bound, .. } = claim(text)?;
    match (relation, bound) {
        (Relation::Near(Tolerance::Number(tolerance)), Operand::Number(_)) => Ok(tolerance),
        // Of a change, a share is of the quantity's largest magnitude, which only a run knows.
        (Relation::Near(Tolerance::Share(share)), Operand::Number(bound)) if take != Take::Change => {
            Ok(share * bound.abs())
        }
        _ => Err("expected a number with a tolerance, as in `bodies.ball.z = 1 m ± 1 mm at 5 s`".into()),
    }
}
