//! The file of a recovery copy: three lines of JSON. The first says what the work is, and is all that a list of copies
//! reads. The second is the text of the scene file that the work was begun from, the third the scene with the work.

use std::io::{BufRead, BufReader, Error, Read, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use delassus_files::file_reader;
use delassus_scene::{self as scene, MAX_BYTES};
use delassus_session::UnsavedWork;

/// The ending of copies.
pub const ENDING: &str = "work";
const FORMAT: u32 = 1;
/// The longest first line, bytes.
const MAX_HEAD_BYTES: u64 = 64 << 10;
/// The largest copy: two scene files in which every byte may be escaped.
const MAX_COPY_BYTES: u64 = 12 * MAX_BYTES + MAX_HEAD_BYTES;
/// The longest title that is kept, characters.
const TITLE: usize = 200;

#[derive(Serialize, Deserialize)]
struct Head {
    format: u32,
    title: String,
    file: Option<PathBuf>,
}

/// Unsaved work in a copy, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptWork {
    /// The copy.
    pub copy: PathBuf,
    pub title: String,
    /// The scene file that it belongs to, if it had one.
    pub file: Option<PathBuf>,
    /// When it was written.
    pub written: SystemTime,
}

/// The text of unsaved work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkText {
    pub file: Option<PathBuf>,
    /// The content of the file from which the work was begun.
    pub base: Option<String>,
    pub text: String,
}

/// Writes a copy, completely or not at all.
///
/// # Errors
/// Errors of the file system.
pub fn write(copy: &Path, work: &UnsavedWork) -> Result<()> {
    let title = work.scene.title.chars().take(TITLE).collect();
    // A path that is not text cannot be written: the work is then kept as that of a new scene.
    let file = work.file.clone().filter(|file| file.to_str().is_some());
    let base = file.as_ref().map(|_| &*work.base);
    let head = serde_json::to_string(&Head { format: FORMAT, title, file })?;
    let (base, text) = (serde_json::to_string(&base)?, serde_json::to_string(&scene::write(&work.scene))?);
    scene::save(copy, &format!("{head}\n{base}\n{text}\n"))
}

/// What a copy holds, without its text; `None` if the file is no copy, or one of another format.
pub fn head(copy: &Path) -> Option<KeptWork> {
    let file = file_reader::open(copy).ok()?;
    let written = file.metadata().and_then(|data| data.modified()).ok()?;
    let mut line = String::new();
    BufReader::new(file.take(MAX_HEAD_BYTES)).read_line(&mut line).ok()?;
    let Head { title, file, .. } = read_head(&line)?;
    Some(KeptWork { copy: copy.into(), title, file, written })
}

fn read_head(line: &str) -> Option<Head> {
    serde_json::from_str(line).ok().filter(|head: &Head| head.format == FORMAT)
}

/// The text of a copy.
///
/// # Errors
/// It cannot be read, or is not complete.
pub fn read(copy: &Path) -> Result<WorkText> {
    let all = file_reader::text(copy, MAX_COPY_BYTES)?;
    let mut lines = all.lines();
    let head = lines.next().and_then(read_head).ok_or_else(|| Error::other("this is not a copy of unsaved work"))?;
    let base = json(lines.next())?;
    Ok(WorkText { file: head.file, base, text: json(lines.next())? })
}

fn json<T: DeserializeOwned>(line: Option<&str>) -> Result<T> {
    Ok(serde_json::from_str(line.unwrap_or_default())?)
}

/// Whether these are the same work, so that it need not be written again.
pub fn same(a: &UnsavedWork, b: &UnsavedWork) -> bool {
    Arc::ptr_eq(&a.scene, &b.scene) && Arc::ptr_eq(&a.base, &b.base) && a.file == b.file
}
