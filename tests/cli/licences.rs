//! The licences of what others wrote and the program contains: `assets/licences.txt` names every crate of the program
//! with its version, its licence and its copyright, and has the text of each licence. Set `DELASSUS_WRITE_LICENCES` to
//! write the file anew after a change of the dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::Folder;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A crate that the program contains.
struct Crate {
    title: String,
    licence: String,
    authors: String,
    /// Copyright lines, and the other text, of each of its licence files.
    texts: Vec<(Vec<String>, String)>,
}

/// The crates that the program contains on any system, not those that only build or test it. With `system` only those
/// that it contains on such a one.
fn crates(system: Option<&str>) -> Vec<Crate> {
    let done = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--all-features", "--format-version", "1"])
        .args(system.iter().flat_map(|system| ["--offline", "--filter-platform", system]))
        .current_dir(ROOT)
        .output()
        .expect("cargo runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let all: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let text = |of: &Value, key: &str| of[key].as_str().unwrap_or_default().to_owned();
    let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<String, Value> =
        list(&all["packages"]).into_iter().map(|package| (text(&package, "id"), package)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&all["resolve"]["nodes"]).into_iter().map(|node| (text(&node, "id"), node)).collect();
    let mut open: Vec<String> =
        packages.iter().filter(|(_, p)| p["source"].is_null()).map(|(id, _)| id.clone()).collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !reached.insert(id.clone()) {
            continue;
        }
        for dependency in list(&nodes[&id]["deps"]) {
            if list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()) {
                open.push(text(&dependency, "pkg"));
            }
        }
    }
    let own = |id: &String| packages[id]["source"].is_null();
    let mut crates: Vec<Crate> = reached
        .iter()
        .filter(|id| !own(id))
        .map(|id| {
            let package = &packages[id];
            let folder =
                Path::new(package["manifest_path"].as_str().expect("a path")).parent().expect("a folder").to_owned();
            let licence = text(package, "license");
            Crate {
                title: format!("{} {}", text(package, "name"), text(package, "version")),
                texts: texts(&folder, &licence),
                authors: list(&package["authors"]).iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
                licence,
            }
        })
        .collect();
    crates.sort_by(|a, b| a.title.cmp(&b.title));
    crates
}

/// The licence files of a crate. Of those that may be chosen, that of the MIT licence is.
fn texts(folder: &Path, licence: &str) -> Vec<(Vec<String>, String)> {
    let names = |folder: &Path| -> Vec<String> {
        let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            found.filter(|f| f.path().is_file()).map(|f| f.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    let is_licence = |name: &String| {
        ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|s| name.to_uppercase().starts_with(s))
    };
    let mut files: Vec<_> = names(folder).into_iter().filter(is_licence).map(|name| folder.join(name)).collect();
    let is_mit =
        |file: &PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().to_uppercase().contains("MIT"));
    let choice = licence.contains("MIT") && (licence.contains(" OR ") || licence.contains('/'));
    if choice && files.iter().any(is_mit) {
        files.retain(is_mit);
    }
    // Fonts have their licences beside them.
    for fonts in ["fonts", "fonts/stix-two-math"] {
        let fonts = folder.join(fonts);
        files.extend(names(&fonts).into_iter().filter(|name| name.ends_with(".txt")).map(|name| fonts.join(name)));
    }
    files
        .iter()
        .filter_map(|file| std::fs::read(file).ok())
        .map(|bytes| split(&String::from_utf8_lossy(&bytes)))
        .collect()
}

/// Copyright lines, and the rest, with lines trimmed.
fn split(text: &str) -> (Vec<String>, String) {
    let (mut copyright, mut rest) = (Vec::new(), String::new());
    for line in text.lines().map(str::trim) {
        let owner = line.starts_with("Copyright") && line.chars().any(|c| c.is_ascii_digit() || c == '©')
            || line.starts_with("Copyright (c)");
        if owner {
            copyright.push(line.to_owned());
        } else if !(line.is_empty() && (rest.is_empty() || rest.ends_with("\n\n"))) {
            rest += line;
            rest.push('\n');
        }
    }
    (copyright, rest.trim().to_owned() + "\n")
}

/// The file: fonts, crates with their copyright, and then each text once.
fn file(crates: &[Crate]) -> String {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut texts: Vec<&String> = Vec::new();
    let mut page = String::from("Fonts\n\n");
    for (name, author, licence) in delassus::licences::FONTS {
        let _ = writeln!(page, "{name}: {author}; {licence}");
    }
    page += "\nCrates\n\n";
    for own in crates {
        let _ = write!(page, "{}: {}", own.title, own.licence);
        let mut copyright: Vec<&String> = Vec::new();
        let mut under: Vec<String> = Vec::new();
        for (lines, text) in &own.texts {
            copyright.extend(lines);
            // The wording counts, not how its lines are broken.
            let key = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let number = *numbers.entry(key).or_insert_with(|| {
                texts.push(text);
                texts.len()
            });
            under.push(format!("text {number}"));
        }
        copyright.dedup();
        if !under.is_empty() {
            let _ = write!(page, "; {}", under.join(", "));
        }
        page.push('\n');
        for line in &copyright {
            let _ = writeln!(page, "    {line}");
        }
        if copyright.is_empty() && !own.authors.is_empty() {
            let _ = writeln!(page, "    by {}", own.authors);
        }
    }
    for (k, text) in texts.iter().enumerate() {
        let _ = write!(page, "\nText {}\n\n{text}", k + 1);
    }
    page
}

/// The crates for other systems may not be on this machine, so only those for this one are looked for.
#[test]
fn every_crate_of_the_program_is_named_with_its_licence() {
    let path = Path::new(ROOT).join("assets/licences.txt");
    if std::env::var_os("DELASSUS_WRITE_LICENCES").is_some() {
        std::fs::write(&path, file(&crates(None))).expect("written");
    }
    let page = std::fs::read_to_string(&path).expect("the licences");
    let version = Command::new("rustc").arg("-vV").output().expect("the compiler runs").stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    let system = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("it names its system");
    let own = crates(Some(system));
    assert!(own.len() > 100, "{} crates", own.len());
    let is_named = |line: String| page.lines().any(|named| named.starts_with(&line));
    let missing: Vec<&str> =
        own.iter().filter(|own| !is_named(format!("{}: {}", own.title, own.licence))).map(|own| &*own.title).collect();
    assert!(missing.is_empty(), "set DELASSUS_WRITE_LICENCES=1 to add {missing:?}");
}

#[test]
fn licences_are_printed_with_fonts_by_name() {
    let printed = Folder::new().out(&["licences"]);
    for name in ["MIT licence or the Apache licence", "Lucide", "STIX Two Math", "parry3d", "Text 1\n"] {
        assert!(printed.contains(name), "{name} is not in it");
    }
}
