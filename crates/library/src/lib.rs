//! The library within the program: the scenes, parts and lessons of `scenes/` as texts, so that the program needs
//! nothing beside it. Only the program depends on this crate, for every change of a scene makes it anew; everything
//! else reads scenes by their paths, see `delassus_files::built_in`.

/// The files, sorted by their paths within the library, such as `book/09-chain.ron`, each with its text.
pub static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::FILES;

    #[test]
    fn scenes_parts_and_lessons_are_all_there_as_they_are_in_their_files() {
        let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        for (name, text) in FILES {
            assert_eq!(std::fs::read_to_string(scenes.join(name)).expect(name), *text, "{name}");
        }
        for name in ["book/09-chain.ron", "lab/01-stack-10.ron", "lessons/09-chain.ron", "parts/ragdoll.ron"] {
            assert!(FILES.binary_search_by_key(&name, |(known, _)| known).is_ok(), "{name}");
        }
    }
}
