//! Where scenes are found.

use std::path::{Path, PathBuf};

/// The folder of the scene library: `scenes` here, beside the program or above it, or where the program was built.
pub fn library() -> Option<PathBuf> {
    let here = PathBuf::from("scenes");
    let program = std::env::current_exe().ok();
    let around = program.iter().flat_map(|p| p.ancestors().skip(1)).map(|folder| folder.join("scenes"));
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    std::iter::once(here).chain(around).chain([built]).find(|folder| folder.is_dir())
}

/// The file that is meant: a path, or a name of the library such as `book/09-chain`.
pub fn find(scene: &Path) -> PathBuf {
    if scene.exists() || scene.is_absolute() {
        return scene.into();
    }
    let mut named = library().unwrap_or_default().join(scene);
    if named.extension().is_none_or(|e| e != "ron") {
        named.as_mut_os_string().push(".ron");
    }
    if named.is_file() { named } else { scene.into() }
}
