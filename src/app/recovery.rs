//! Recovery of unsaved work after a crash: once a minute the edited document is written to a folder next to the
//! window's settings, and the next start offers what ended processes left there.
//!
//! A file's name is the process id of its writer; its first line names the scene file that the work belongs to. It is
//! deleted when the work is saved, discarded, or recovered.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::scene;
use crate::session::Session;

/// Default time between two writes.
const EVERY: Duration = Duration::from_secs(60);
/// If it cannot be checked whether the writer runs, a file this old is taken to be abandoned.
const ABANDONED: Duration = Duration::from_secs(150);
const HEAD: &str = "// unsaved work on: ";

/// The recovery copy of this process.
pub(super) struct Recovery {
    folder: Option<PathBuf>,
    last: Instant,
    /// Time between two writes.
    every: Duration,
    written: Option<String>,
}

/// Unsaved work of an ended process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecoveredWork {
    /// The recovery copy.
    pub copy: PathBuf,
    pub text: String,
    /// The scene file that it belongs to, if it had one.
    pub file: Option<PathBuf>,
}

impl Recovery {
    /// Writes to a folder next to the settings; nothing if there is none. `DELASSUS_KEEP_EVERY` sets the interval, s.
    pub fn new(settings: Option<&Path>) -> Self {
        let folder = settings.map(|folder| folder.join("recovery"));
        let asked = std::env::var("DELASSUS_KEEP_EVERY").ok().and_then(|seconds| seconds.parse().ok());
        let every = asked.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(EVERY);
        Self { folder, last: Instant::now(), every, written: None }
    }

    /// Time between two writes.
    pub fn every(&self) -> Duration {
        self.every
    }

    fn own(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}.ron", std::process::id())))
    }

    /// Writes the document if it has unsaved changes and the interval has passed; deletes the copy if there are none.
    ///
    /// # Errors
    /// If the folder or the file cannot be written.
    pub fn keep(&mut self, session: &Session) -> std::io::Result<()> {
        let Some(own) = self.own() else { return Ok(()) };
        if !session.is_dirty() {
            if self.written.take().is_some() {
                std::fs::remove_file(own)?;
            }
            return Ok(());
        }
        if self.last.elapsed() < self.every {
            return Ok(());
        }
        self.write(session)
    }

    fn write(&mut self, session: &Session) -> std::io::Result<()> {
        self.last = Instant::now();
        let (Some(own), Some(folder), Some(scene)) = (self.own(), &self.folder, session.scene()) else { return Ok(()) };
        let of = session.file().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.into()));
        let of = of.map_or_else(String::new, |file| file.display().to_string());
        let text = format!("{HEAD}{of}\n{}", scene::write(scene));
        // Written even if nothing has changed: the file's age shows that its writer still runs.
        std::fs::create_dir_all(folder)?;
        scene::save(&own, &text)?;
        self.written = Some(text);
        Ok(())
    }

    /// Deletes this process's copy on a regular exit.
    pub fn end(&mut self) {
        if let (Some(own), Some(_)) = (self.own(), self.written.take()) {
            // A copy that cannot be deleted is offered again; nothing is lost.
            let _ = std::fs::remove_file(own);
        }
    }

    /// The unsaved work of ended processes, newest first.
    pub fn found(&self) -> Vec<RecoveredWork> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut found: Vec<(SystemTime, RecoveredWork)> =
            entries.filter_map(|entry| abandoned(&entry.path())).collect();
        found.sort_by_key(|(age, _)| std::cmp::Reverse(*age));
        found.into_iter().map(|(_, found)| found).collect()
    }
}

/// The work in a copy whose writer has ended.
fn abandoned(copy: &Path) -> Option<(SystemTime, RecoveredWork)> {
    if copy.extension()? != "ron" {
        return None;
    }
    let writer: u32 = copy.file_stem()?.to_str()?.parse().ok()?;
    let modified = copy.metadata().ok()?.modified().ok()?;
    if lives(writer, modified) {
        return None;
    }
    let text = std::fs::read_to_string(copy).ok()?;
    let (head, _) = text.split_once('\n')?;
    let file = head.strip_prefix(HEAD)?;
    let file = (!file.is_empty()).then(|| PathBuf::from(file));
    Some((modified, RecoveredWork { copy: copy.into(), text, file }))
}

fn lives(writer: u32, modified: SystemTime) -> bool {
    if writer == std::process::id() {
        return true;
    }
    let processes = Path::new("/proc");
    if processes.join("self").exists() {
        return processes.join(writer.to_string()).exists();
    }
    modified.elapsed().is_ok_and(|age| age < ABANDONED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Command, Edit};

    /// Above any process id that a system assigns.
    const NOBODY: u32 = u32::MAX - 1;

    fn dirty() -> Session {
        let mut session = Session::new();
        session.dispatch(Command::New).expect("an empty scene");
        let edit = Edit::Remove { bodies: vec!["floor".into()], joints: vec![] };
        session.dispatch(Command::Edit { edit, gesture: None }).expect("the floor is there");
        session
    }

    #[test]
    fn what_a_killed_process_had_not_saved_is_found_and_opens_as_unsaved() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recovery = Recovery::new(Some(folder.path()));
        let session = dirty();
        recovery.write(&session).expect("the folder can be written");
        let own = recovery.own().expect("a path");
        assert!(recovery.found().is_empty(), "the writer lives");
        // As if the process had ended.
        std::fs::rename(&own, own.with_file_name(format!("{NOBODY}.ron"))).expect("the copy is there");
        let found = recovery.found();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file, None);
        let mut next = Session::new();
        next.dispatch(Command::Recover { text: found[0].text.clone(), file: None }).expect("a good scene");
        assert!(next.is_dirty());
        assert_eq!(next.scene().map(|s| s.bodies.len()), Some(0));
    }

    #[test]
    fn saved_work_leaves_no_copy_and_other_files_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recovery = Recovery::new(Some(folder.path()));
        let mut session = dirty();
        recovery.write(&session).expect("the folder can be written");
        session.dispatch(Command::SaveAs(folder.path().join("scene.ron"))).expect("it can be written");
        recovery.keep(&session).expect("the copy can go");
        assert!(!recovery.own().expect("a path").exists());
        let stray = folder.path().join("recovery").join("notes.ron");
        std::fs::write(&stray, "mine").expect("a file");
        assert!(recovery.found().is_empty() && stray.exists());
    }
}
