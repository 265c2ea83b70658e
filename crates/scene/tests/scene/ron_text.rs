//! Reading and writing through trait objects gives what ron gives, value for value and error for error.

use delassus_scene::ron_text;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use ron::Options;
use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::{Deserialize, Serialize};

/// Every kind of value that a type can ask for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kinds {
    truth: bool,
    small: (i8, i16, i32, u8, u16),
    large: [i64; 2],
    count: u64,
    real: f32,
    double: f64,
    sign: char,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    maybe: Option<Vec<Form>>,
    nothing: (),
    nobody: Nobody,
    wrapped: Wrapped,
    pair: Pair,
    map: std::collections::BTreeMap<String, u32>,
    range: std::ops::Range<u32>,
    from: std::ops::RangeFrom<f32>,
    raw: Box<RawValue>,
    form: Form,
}

#[derive(Debug, Serialize, Deserialize)]
struct Nobody;

#[derive(Debug, Serialize, Deserialize)]
struct Wrapped(f32);

#[derive(Debug, Serialize, Deserialize)]
struct Pair(u32, Option<bool>);

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum Form {
    Unit,
    Newtype(Wrapped),
    Nested(Box<Form>),
    Tuple(u8, String),
    Fields { at: f32, of: Option<Pair> },
}

const KINDS: &str = r##"(
    truth: true, small: (-1, 2, -3, 4, 5), large: (-6, 7), count: 8, real: 0.5, double: -1e-3, sign: 'x',
    text: "a \"b\" é", maybe: [Unit, Newtype(2.5), Nested(Fields(at: 1, of: (3, true)))], nothing: (), nobody: (),
    wrapped: 1.5, pair: (1, None), map: {"one": 1, "two": 2}, range: 1..5, from: 2.5.., raw: Any(thing: [1, (2,)]),
    form: Tuple(1, r#"raw"#), // the end
)"##;

/// Pieces to put into a text instead of others.
const PIECES: &[&str] = &[
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
    "//",
    "/*",
    "-1",
    "300",
    "1e400",
    "0.5",
    "1_0",
    "1..5",
    "..=3",
    "..",
    "None",
    "Some(1)",
    "Some(",
    "true",
    "'y'",
    "\"t\"",
    "b\"t\"",
    "Unit",
    "Newtype(",
    "Nested(",
    "Fields(at: 1)",
    "at: 2,",
    "truth: true,",
    "name: \"n\",",
    "strange: 1,",
    "Hinge",
    "Any",
    "r#\"",
    "inf",
    "NaN",
    "#![enable(implicit_some)]",
];

fn options() -> [Options; 2] {
    let all = Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES | Extensions::UNWRAP_VARIANT_NEWTYPES;
    [Options::default(), Options::default().with_default_extension(all)]
}

/// Compares what is read, and then what is written of it.
fn agree<T: for<'de> Deserialize<'de> + Serialize>(text: &str) -> bool {
    let mut any = false;
    for options in options() {
        let (ours, rons) = (ron_text::read::<T>(text, &options), options.from_str::<T>(text));
        match (ours, rons) {
            (Ok(ours), Ok(rons)) => {
                any = true;
                let written = options.to_string(&rons).expect("ron writes it");
                assert_eq!(options.to_string(&ours).expect("ron writes it"), written, "{text}");
                assert_eq!(ron_text::write(&ours, &options).expect("ron writes it"), written, "{text}");
                let style = ron::ser::PrettyConfig::new().struct_names(true);
                let lines = ron::ser::to_string_pretty(&rons, style.clone()).expect("ron writes it");
                assert_eq!(ron_text::write_in_lines(&ours, style).expect("ron writes it"), lines, "{text}");
            }
            (Err(ours), Err(rons)) => assert_eq!(ours, rons, "{text}"),
            (ours, rons) => panic!("{:?} but ron {:?}: {text}", ours.err(), rons.err()),
        }
    }
    any
}

#[test]
fn each_kind_of_value_is_read_and_written_as_by_ron() {
    assert!(agree::<Kinds>(KINDS), "{:?}", options()[1].from_str::<Kinds>(KINDS).err());
    // Nested more deeply than ron permits.
    for depth in [60, 127, 128, 200] {
        agree::<Form>(&format!("{}Unit{}", "Nested(".repeat(depth), ")".repeat(depth)));
    }
}

/// A text of which a part is left out, or replaced by a few pieces.
fn spoil(text: &str, at: usize, out: usize, pieces: &[&str]) -> String {
    let place = |at: usize| text.floor_char_boundary(at.min(text.len()));
    format!("{}{}{}", &text[..place(at)], pieces.concat(), &text[place(at + out)..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5000, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn spoilt_texts_give_the_same_errors_at_the_same_places(
        at in 0_usize..520,
        out in 0_usize..12,
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..3),
    ) {
        agree::<Kinds>(&spoil(KINDS, at, out, &pieces));
    }
}
