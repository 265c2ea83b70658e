//! Every source file that documents or comments name in backticks, by the end of its path, exists in the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder of the repository, as paths from its root.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("a folder can be read").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The names between backticks that end like source files.
fn cited(text: &str) -> BTreeSet<&str> {
    // A pair of backticks is on one line.
    let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_file = |word: &&str| {
        let name = word.strip_suffix(".rs").or_else(|| word.strip_suffix(".wgsl"));
        name.is_some_and(|name| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_/".contains(c)))
    };
    quoted.filter(is_file).collect()
}

#[test]
fn every_source_file_that_is_named_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut sources, mut documents) = (Vec::new(), vec![root.join("README.md")]);
    ["src", "crates", "tests", "benches", "shaders"].iter().for_each(|folder| files(&root.join(folder), &mut sources));
    files(&root.join("docs"), &mut documents);
    // `physics/work.rs` is short for `crates/physics/src/work.rs`.
    let short = |path: &PathBuf| path.iter().filter(|folder| *folder != "src").collect();
    let short: Vec<PathBuf> = sources.iter().map(short).collect();
    documents.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    let readers = documents.iter().chain(&sources);
    let (mut names, mut missing) = (0, Vec::new());
    for reader in readers.filter(|path| path.extension().is_some_and(|e| ["md", "rs", "wgsl"].iter().any(|x| e == *x)))
    {
        let text = fs::read_to_string(reader).unwrap_or_else(|e| panic!("{}: {e}", reader.display()));
        for name in cited(&text) {
            names += 1;
            if !sources.iter().chain(&short).any(|source| source.ends_with(name)) {
                missing.push(format!("{} names `{name}`", reader.display()));
            }
        }
    }
    assert!(names > 300, "{names} names: they were not found");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
