//! Writes the library out, so that its scenes can be changed.

use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};

use crate::read::read_text;
use crate::save;
use crate::walk::{FoundFile, scene_files};

/// What became of the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    pub written: Vec<PathBuf>,
    /// The number of those that were there already as they are in the library.
    pub same: usize,
    /// Those that were there already with another content, and were not replaced.
    pub kept: Vec<PathBuf>,
}

/// Writes all scenes, parts and lessons below `root` into `folder`, which is made if it is not there. Existing files
/// with another content are replaced only if `force` says so.
///
/// # Errors
/// The first file that cannot be read or written, with its path.
pub fn export(root: &Path, folder: &Path, force: bool) -> Result<Exported> {
    let mut exported = Exported::default();
    for FoundFile { id, path } in scene_files(root, &[]) {
        let text = read_text(&path).map_err(|mistake| Error::other(mistake.to_string()))?;
        let to = folder.join(id);
        // A link that leads nowhere is there, too.
        if to.symlink_metadata().is_ok() {
            if read_text(&to).is_ok_and(|there| there == text) {
                exported.same += 1;
                continue;
            }
            if !force {
                exported.kept.push(to);
                continue;
            }
        }
        let failed = |error: Error| Error::new(error.kind(), format!("{}: cannot be written: {error}", to.display()));
        to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| save(&to, &text)).map_err(failed)?;
        exported.written.push(to);
    }
    Ok(exported)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_were_changed_are_kept_unless_they_are_to_be_replaced() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        for name in ["book/09-chain.ron", "lessons/01.ron", "parts/doll.ron"] {
            fs::create_dir_all(from.join(name).parent().unwrap()).unwrap();
            fs::write(from.join(name), name).unwrap();
        }
        let all = ["book/09-chain.ron", "lessons/01.ron", "parts/doll.ron"].map(|name| to.join(name)).to_vec();
        assert_eq!(export(&from, &to, false).unwrap(), Exported { written: all.clone(), ..Exported::default() });
        assert!(all.iter().all(|file| file.ends_with(fs::read_to_string(file).unwrap())));
        fs::write(&all[0], "changed").unwrap();
        let again = export(&from, &to, false).unwrap();
        assert_eq!(again, Exported { written: vec![], same: 2, kept: all[..1].to_vec() });
        assert_eq!(fs::read_to_string(&all[0]).unwrap(), "changed");
        let replaced = export(&from, &to, true).unwrap();
        assert_eq!(replaced, Exported { written: all[..1].to_vec(), same: 2, kept: vec![] });
        assert_eq!(fs::read_to_string(&all[0]).unwrap(), "book/09-chain.ron");
    }

    #[test]
    fn a_file_in_the_way_of_the_folder_is_an_error_that_names_it() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("scene.ron");
        fs::write(&file, "text").unwrap();
        let said = export(place.path(), &file, false).unwrap_err().to_string();
        assert!(said.contains("scene.ron/scene.ron: cannot be written"), "{said}");
    }
}
