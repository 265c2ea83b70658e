//! Edits that add groups of bodies to the document: patterns, and parts by file.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::{Context, fresh};
use delassus_scene::{Part, Pattern, Scene};

/// Adds patterns and parts to the scene under unused names; returns the edit's label.
pub(crate) fn add(scene: &mut Scene, patterns: &[Pattern], parts: &[Part], context: &Context<'_>) -> String {
    let mut taken = prefixes(scene, &context.names.bodies);
    let mut free = |wanted: &str| {
        let name = fresh(wanted, |name| taken.contains(name));
        taken.insert(name.clone());
        name
    };
    let mut names = Vec::new();
    for pattern in patterns {
        let mut pattern = pattern.clone();
        let wanted = if pattern.name().is_empty() { pattern.noun() } else { pattern.name() };
        let name = free(wanted);
        pattern.name_mut().clone_from(&name);
        scene.patterns.push(pattern);
        names.push(name);
    }
    for part in parts {
        let stem = Path::new(&part.file).file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        // A dot would be read as a separator in names.
        let wanted = if part.name.is_empty() { stem.replace('.', "-") } else { part.name.clone() };
        let name = free(&wanted);
        names.push(name.clone());
        scene.parts.push(Part { name, file: (context.file)(&part.file), ..part.clone() });
    }
    match names.as_slice() {
        [one] => format!("Add {one}"),
        many => format!("Add {} patterns and parts", many.len()),
    }
}

/// All names, and all their prefixes before a dot.
fn prefixes(scene: &Scene, taken: &[Arc<str>]) -> HashSet<String> {
    let mut all: HashSet<String> = taken.iter().map(|name| name.to_string()).collect();
    all.extend(taken.iter().flat_map(|name| name.match_indices('.').map(|(at, _)| name[..at].to_owned())));
    all.extend(scene.patterns.iter().map(|p| p.name().to_owned()));
    all.extend(scene.parts.iter().map(|p| p.name.clone()));
    all
}
