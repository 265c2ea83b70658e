//! What may be asked of a comparison.

use crate::physics::settings::Settings;

/// What may be asked of a comparison. Runs are counted from 0, the one at hand.
#[derive(Debug, Clone, PartialEq)]
pub enum CompareCommand {
    /// Another run with these settings.
    Add {
        name: String,
        settings: Box<Settings>,
    },
    /// Another run by which the others are measured: see [`super::fine`].
    AddFine,
    /// Calls a run otherwise.
    Name(usize, String),
    /// Gives a run other settings.
    Settings(usize, Box<Settings>),
    /// An edit: the run at hand has the settings of another from now on.
    Take(usize),
    Remove(usize),
    /// Removes all of them.
    End,
    /// Measures distances from this run.
    Reference(usize),
    /// Runs differ beyond this distance of a body's centre, m.
    Epsilon(f64),
    /// Begins with the present state, or again where the bodies were last edited.
    FromHere(bool),
}
