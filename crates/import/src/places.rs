//! Where the files that a model names may lie: relative to it, as `file://`, or in a package around it.

use std::path::{Path, PathBuf};

/// Most folders above the model in which a package is looked for.
const MAX_FOLDERS: usize = 12;

/// The paths at which a file may lie, best first. `package://name/path` and `model://name/path` are looked for in every
/// folder above the model, in `name` and, if the folder itself is called `name`, in it.
pub fn candidates(model: &Path, name: &str) -> Vec<PathBuf> {
    let folder = model.parent().unwrap_or(Path::new(""));
    let name = name.replace('\\', "/");
    for scheme in ["package://", "model://"] {
        let Some(path) = name.strip_prefix(scheme) else { continue };
        let (package, inner) = path.split_once('/').unwrap_or((path, ""));
        let around = folder.ancestors().take(MAX_FOLDERS);
        let mut found: Vec<PathBuf> = around
            .flat_map(|above| {
                let own = above.file_name().is_some_and(|name| name == package).then(|| above.join(inner));
                [Some(above.join(path)), own].into_iter().flatten()
            })
            .collect();
        // Packages are often copied without their folder's name.
        found.extend(folder.ancestors().take(4).map(|above| above.join(inner)));
        return found;
    }
    match name.strip_prefix("file://") {
        Some(path) => vec![PathBuf::from(path), folder.join(path)],
        None => vec![folder.join(&name)],
    }
}
