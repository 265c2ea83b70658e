//! The scene: the document that defines everything, and how it is read, checked, written and laid out for the
//! physics.
//!
//! ```text
//! text -> outline (positions of all values) -> document -> flat bodies and joints -> world
//! ```

pub mod assign;
mod blank;
mod bodies;
pub mod build;
mod chains;
mod check;
mod ends;
pub mod expand;
pub mod format;
mod joint_places;
pub mod lesson;
pub mod letter;
pub mod library;
pub mod list;
mod materials;
mod mirror;
pub mod mistake;
mod other_names;
mod outline;
mod parts;
pub mod pattern;
mod patterns;
pub mod read;
mod report;
mod rewrite;
pub mod ron_text;
mod rule;
mod save;
mod scan;
mod scene_text;
mod sensor;
mod share;
pub mod sources;
pub mod start_options;
mod trivia;
pub mod types;
mod walk;
mod wording;
pub mod words;
pub mod write;

pub use blank::blank;
pub use check::{MAX_CURVES, MAX_FORCES, MAX_HULL_POINTS, MAX_PLOTS, MAX_TIMES, MAX_WAYPOINTS, missing_value};
pub use delassus_physics::rotation::Rotation;
pub use delassus_physics::setting_text::SettingError;
pub use expand::{Flat, FlatBody, FlatJoint, Origin, expand, expand_as};
pub use joint_places::{EndPlaces, JointPlaces};
pub use library::{LibraryEntry, library};
pub use list::List;
pub use mirror::Mirror;
pub use mistake::{Mistake, nearest};
pub use outline::{RENAMED, line_of};
pub use parts::{part_files, part_names};
pub use read::{Loaded, MAX_BYTES, read, read_str, scene_of};
pub use rewrite::rewrite;
pub use rule::Rule;
pub use save::save;
pub use scene_text::{SceneText, scene_text_mistakes};
pub use sensor::MAX_SENSORS;
pub use types::*;
pub use words::Words;
pub use write::{unlike, unlike_fields, words, write};
