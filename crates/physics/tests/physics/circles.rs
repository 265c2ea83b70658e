//! The circles of imports among the files of the physics: files that all need each other cannot be understood, or
//! changed, one at a time. The largest may only shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Files in the largest circle.
const LARGEST: usize = 5;

type Module = Vec<String>;
type Edges = BTreeMap<Module, BTreeSet<Module>>;

/// The module of each file below `folder`, with its text without comments and tests.
fn modules(folder: &Path, at: &Module, list: &mut BTreeMap<Module, String>) {
    for entry in std::fs::read_dir(folder).expect("the sources are there").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            modules(&path, &[at.clone(), vec![name]].concat(), list);
        } else if let Some(stem) = name.strip_suffix(".rs") {
            let own = if matches!(stem, "mod" | "lib") { vec![] } else { vec![stem.to_owned()] };
            let text = std::fs::read_to_string(&path).expect("a source can be read");
            let text = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
            let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            list.insert([at.clone(), own].concat(), code.collect::<Vec<_>>().join("\n"));
        }
    }
}

fn names(path: &str) -> impl Iterator<Item = String> + '_ {
    path.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// All paths of a tree of imports such as `a::{b, c::{d, e}}`.
fn paths(tree: &str, before: &[String], list: &mut Vec<Vec<String>>) {
    match tree.split_once('{') {
        None => list.push(before.iter().cloned().chain(names(tree.split(" as ").next().unwrap_or_default())).collect()),
        Some((head, rest)) => {
            let before: Vec<_> = before.iter().cloned().chain(names(head)).collect();
            let (mut depth, mut part) = (0, String::new());
            for sign in rest.chars() {
                match sign {
                    ',' | '}' if depth == 0 => paths(&std::mem::take(&mut part), &before, list),
                    _ => {
                        depth += i32::from(sign == '{') - i32::from(sign == '}');
                        part.push(sign);
                    }
                }
            }
        }
    }
}

/// The module that a path in `module` leads to.
fn target(path: &[String], module: &Module, known: &BTreeMap<Module, String>) -> Option<Module> {
    let supers = path.iter().take_while(|name| *name == "super").count();
    let (mut at, rest) = match path.first()?.as_str() {
        "crate" => (vec![], &path[1..]),
        "super" => (module[..module.len().checked_sub(supers)?].to_vec(), &path[supers..]),
        "self" => (module.clone(), &path[1..]),
        first if known.contains_key(&[module.clone(), vec![first.to_owned()]].concat()) => (module.clone(), path),
        _ => return None,
    };
    for name in rest {
        let next = [at.clone(), vec![name.clone()]].concat();
        if !known.contains_key(&next) {
            break;
        }
        at = next;
    }
    Some(at).filter(|at| !at.is_empty() && at != module)
}

fn edges(known: &BTreeMap<Module, String>) -> Edges {
    let of = |(module, text): (&Module, &String)| {
        let mut list = Vec::new();
        for import in text.split("use ").skip(1) {
            paths(import.split(';').next().unwrap_or_default(), &[], &mut list);
        }
        // Paths in the code.
        for root in ["crate::", "super::"] {
            for path in text.split(root).skip(1) {
                let end =
                    path.find(|sign: char| !(sign.is_alphanumeric() || "_:".contains(sign))).unwrap_or(path.len());
                paths(&format!("{root}{}", &path[..end]), &[], &mut list);
            }
        }
        (module.clone(), list.iter().filter_map(|path| target(path, module, known)).collect())
    };
    known.iter().filter(|(module, _)| !module.is_empty()).map(of).collect()
}

/// All modules that can be reached from `start`.
fn reached(start: &Module, edges: &Edges) -> BTreeSet<Module> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start.clone()]);
    while let Some(module) = open.pop() {
        for next in edges.get(&module).into_iter().flatten() {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    seen
}

#[test]
fn the_largest_circle_of_imports_only_shrinks() {
    let mut known = BTreeMap::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &vec![], &mut known);
    let edges = edges(&known);
    let from: BTreeMap<_, _> = edges.keys().map(|module| (module, reached(module, &edges))).collect();
    let circle = |module: &Module| from[module].iter().filter(|other| from[*other].contains(module)).count();
    let largest = edges.keys().map(circle).max().unwrap_or(0);
    assert!(largest > 1, "there are circles yet");
    assert!(largest <= LARGEST, "{largest} files need each other");
    assert!(largest == LARGEST, "only {largest} are left: note that down as LARGEST");
}
