//! A session: the document (a scene), the world that was made from it, and all that happens to either.
//!
//! ```text
//! Command -> Session::dispatch -> document, world       Session::advance -> steps -> Snapshot, Samples
//! ```
//!
//! Architecture invariant: nothing outside changes a scene or a world; panels read a [`Snapshot`] and answer with
//! [`Command`]s. The document is the truth: a flipped switch is an edit of it that the world follows on its next
//! step, and Reset makes the world again from it.
//!
//! What a window calls:
//!
//! ```text
//! Session::new() -> Session                                   empty; Session::open(path) -> Result<Session, SessionError>
//! dispatch(&mut self, Command) -> Result<(), SessionError>    the only mutator
//! advance(&mut self, wall: Duration, budget: Duration) -> u32 the steps run; call once a frame
//! snapshot() -> &Snapshot   samples() -> &Samples             fresh after dispatch and advance
//! scene() -> Option<&Scene>   file() -> Option<&Path>   title() -> &str   is_dirty() -> bool   generation() -> u64
//! playing() -> bool   speed() -> f32   alpha() -> f32   real_time_factor() -> f32   behind() -> bool
//! settings() -> &Settings   file_settings() -> &Settings   settings_differ_from_file() -> Vec<&'static str>
//! differs(name) -> bool   active_experiment() -> Option<usize>   undo_label(), redo_label() -> Option<&str>
//! pick(origin: Vec3, direction: Vec3) -> Option<Hit>
//! ```
//!
//! `generation` grows whenever the world is made anew, so that caches by body number can be dropped.

pub mod clock;
pub mod command;
pub mod samples;
pub mod snapshot;

pub use command::{Command, SessionError};
pub use samples::{Mark, Sample, Samples};
pub use snapshot::{BodyView, ContactView, Hit, JointView, Metrics, Motion, Phases, Pose, PullView, Snapshot};
