//! No text makes the reader panic, and what it accepts can be built, written and read again.

use std::path::Path;

use delassus_scene as scene;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Pieces of real scenes, to be mixed.
const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "//",
    "/*",
    "*/",
    "#!",
    "r#\"",
    "version",
    "title",
    "bodies",
    "joints",
    "patterns",
    "parts",
    "1",
    "0",
    "-1",
    "1e30",
    "1e-30",
    "1e400",
    "NaN",
    "inf",
    "0.5",
    "é",
    "\u{200e}",
    "Box",
    "Hull",
    "Compound",
    "Sphere",
    "half",
    "radius",
    "points",
    "Grid",
    "Chain",
    "count",
    "spacing",
    "of",
    "Body",
    "kind",
    "Hinge",
    "BallSocket",
    "Fixed",
    "limit",
    "Degrees",
    "rotation",
    "AxisAngle",
    "Some",
    "None",
    "true",
    "\n",
    " ",
    "world",
    "..",
    "b\"",
];

fn seed() -> String {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    ["rows/05-hinge-limit.ron", "rows/07-fixed.ron", "rows/10-friction-patch.ron", "lab/03-dominoes.ron"]
        .map(|name| std::fs::read_to_string(scenes.join(name)).unwrap())
        .join("\u{0}")
}

/// Reads a text and, if it is correct, builds it, writes it and reads it again.
fn try_it(text: &str) {
    if let Ok(loaded) = scene::read_str(text, "s.ron") {
        let again = scene::read_str(&scene::write(&loaded.scene), "s.ron").map(|l| l.scene);
        let again = again.unwrap_or_else(|m| panic!("{}\n{text}", m[0]));
        assert_eq!(again, loaded.scene, "{text}");
        let mut world = loaded.flat.world(loaded.scene.settings.settings());
        if world.state.bodies.len() < 100 {
            world.step();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn random_text(text in any::<String>()) {
        try_it(&text);
    }

    #[test]
    fn random_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        try_it(&words.concat());
        try_it(&format!("(version: 1, title: \"t\", bodies: [{}])", words.concat()));
        try_it(&format!("(version: 1, title: \"t\", joints: [(b: \"world\", {})])", words.concat()));
    }

    /// Real scenes with words removed, inserted or replaced.
    #[test]
    fn mutated_scenes(which in 0..4_usize, edits in prop::collection::vec((any::<prop::sample::Index>(), 0..30_usize,
        prop::sample::select(WORDS)), 1..6)) {
        let seeds = seed();
        let mut text = seeds.split('\u{0}').nth(which).unwrap_or_default().to_string();
        for (at, cut, word) in edits {
            let ends: Vec<_> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
            let from = at.index(ends.len());
            let to = (from + cut % 7).min(ends.len() - 1);
            text.replace_range(ends[from]..ends[to], word);
        }
        try_it(&text);
    }

    /// Real scenes with numbers replaced by numbers of all sizes.
    #[test]
    fn mutated_numbers(which in 0..4_usize, edits in prop::collection::vec((any::<prop::sample::Index>(), any::<f32>()), 1..4)) {
        let seeds = seed();
        let mut text = seeds.split('\u{0}').nth(which).unwrap_or_default().to_string();
        for (at, number) in edits {
            let digits: Vec<_> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
            let from = digits[at.index(digits.len())];
            let rest = &text[from..];
            let to = from + rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            text.replace_range(from..to, &number.to_string());
        }
        try_it(&text);
    }

    /// Hulls of arbitrary points, including flat, tiny and huge ones.
    #[test]
    fn hulls(points in prop::collection::vec((-2..3_i8, -2..3_i8, -2..3_i8), 0..12), scale in -40..40_i32, flat in any::<bool>()) {
        let scale = 10_f32.powi(scale);
        let list: Vec<_> = (points.iter())
            .map(|(x, y, z)| {
                let z = if flat { 1e-7 * f32::from(*z) } else { f32::from(*z) };
                format!("({}, {}, {})", f32::from(*x) * scale, f32::from(*y) * scale, z * scale)
            })
            .collect();
        let shape = format!("Hull(points: [{}])", list.join(", "));
        try_it(&format!("(version: 1, title: \"t\", bodies: [(name: \"a\", shape: {shape}, mass: 1)])"));
    }
}
