//! Commands of a comparison.

use delassus_physics::settings::Settings;

/// Commands of a comparison. Runs are numbered from 0, the main run.
#[derive(Debug, Clone, PartialEq)]
pub enum CompareCommand {
    /// Adds a run with these settings.
    Add {
        name: String,
        settings: Box<Settings>,
    },
    /// Adds a reference run with fine settings: see [`super::fine`].
    AddFine,
    /// Renames a run.
    Name(usize, String),
    /// Changes a run's settings.
    Settings(usize, Box<Settings>),
    /// An edit: the main run takes over the settings of another run.
    Take(usize),
    Remove(usize),
    /// Removes all comparison runs.
    End,
    /// Selects the run from which distances are measured.
    Reference(usize),
    /// Sets the distance of a body's centre beyond which runs count as different, m.
    Epsilon(f64),
    /// Restarts the comparison from the present state (`true`), or from the last edit of bodies (`false`).
    FromHere(bool),
}
