//! Models as files: where the files that they name are looked for.

use std::path::Path;

use delassus_files::file_reader;
use delassus_scene::Mistake;

use crate::{Imported, MAX_BYTES, Options, import, places};

/// Reads the model of a file. The files that it names are looked for as [`places::candidates`] says.
///
/// # Errors
/// The file cannot be read, or as [`import`].
pub fn read(path: &Path, options: &Options) -> Result<Imported, Mistake> {
    let mistake = |what: String| Mistake { file: path.into(), what, ..Mistake::default() };
    let text = file_reader::text(path, MAX_BYTES).map_err(|error| mistake(format!("cannot be read: {error}")))?;
    import(&path.to_string_lossy(), &text, options, &|name| found(path, name))
}

/// The content of the first file that is there.
fn found(model: &Path, name: &str) -> Result<Vec<u8>, String> {
    // A relative path has no folders above it to look in.
    let absolute = std::path::absolute(model).unwrap_or_else(|_| model.into());
    let mut first = None;
    for path in places::candidates(&absolute, name) {
        match file_reader::bytes(&path, MAX_BYTES) {
            Ok(bytes) => return Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.map_or_else(|| "there is no such file".into(), |error| error.to_string()))
}
