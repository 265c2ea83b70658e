//! Lists the files of `scenes/` for the compiler, which puts their texts into the program.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let scenes = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../scenes");
    // The whole folder: a file that is added or taken away counts, too.
    println!("cargo::rerun-if-changed={}", scenes.display());
    let scenes = scenes.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", scenes.display()));
    let mut files = Vec::new();
    gather(&scenes, "", &mut files);
    files.sort();
    let lines = files.iter().map(|(name, path)| format!("    ({name:?}, include_str!({path:?})),\n"));
    let text = format!("&[\n{}]\n", lines.collect::<String>());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("files.rs");
    fs::write(&out, text).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}

/// The scene files below a folder: their paths within the library, and on the disk.
fn gather(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.is_empty() || name.starts_with('.') {
            continue;
        }
        let id = format!("{prefix}{name}");
        if path.is_dir() {
            gather(&path, &format!("{id}/"), files);
        } else if name.ends_with(".ron") {
            files.push((id, path));
        }
    }
}
