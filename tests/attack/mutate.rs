//! Mutates the text of a scene structurally: it knows the bracketed values and their names. Most results are still
//! well-formed, so that they get past the parser.

use std::ops::Range;

use delassus::physics::setting::Domain;
use delassus::physics::settings::LIST;

use crate::dice::Dice;

/// A value in a text.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The name of its field; empty for elements.
    pub key: String,
    /// From the name, or from the value if it has none, to the end of the value.
    pub whole: Range<usize>,
    pub value: Range<usize>,
}

/// All values of a well-formed text, outer ones before inner ones.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut at = 0;
    value(text, &mut at, &mut found);
    found
}

fn space(text: &str, at: &mut usize) {
    loop {
        let rest = &text[*at..];
        *at += rest.len() - rest.trim_start().len();
        if !text[*at..].starts_with("//") {
            return;
        }
        *at += text[*at..].find('\n').unwrap_or(text.len() - *at);
    }
}

fn is_atom(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '+' | '-' | '.' | '#' | '!')
}

fn value(text: &str, at: &mut usize, found: &mut Vec<Piece>) -> Range<usize> {
    space(text, at);
    let start = *at;
    let word = text[start..].find(|c| !is_atom(c)).unwrap_or(text.len() - start);
    *at += word;
    let Some(c) = text[*at..].chars().next() else { return start..*at };
    match c {
        '(' | '[' | '{' => {
            *at += 1;
            loop {
                space(text, at);
                match text[*at..].chars().next() {
                    None => break,
                    Some(')' | ']' | '}') => {
                        *at += 1;
                        break;
                    }
                    Some(',') => {
                        *at += 1;
                        continue;
                    }
                    Some(_) => {}
                }
                let (slot, before) = (found.len(), *at);
                found.push(Piece { key: String::new(), whole: before..before, value: before..before });
                let mut span = value(text, at, found);
                let whole = span.start;
                space(text, at);
                if text[*at..].starts_with(':') {
                    *at += 1;
                    found[slot].key = text[span].to_owned();
                    found.truncate(slot + 1);
                    span = value(text, at, found);
                }
                found[slot].whole = whole..span.end;
                found[slot].value = span;
                if *at == before {
                    // Not a value: skip a character.
                    *at += text[*at..].chars().next().map_or(1, char::len_utf8);
                }
            }
        }
        '"' => {
            *at += 1;
            while let Some(c) = text[*at..].chars().next() {
                *at += c.len_utf8();
                if c == '\\' {
                    *at += text[*at..].chars().next().map_or(0, char::len_utf8);
                } else if c == '"' {
                    break;
                }
            }
        }
        _ => {}
    }
    start..*at
}

/// Numbers that often cause problems.
const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "0.5",
    "3.1415927",
    "1e-6",
    "-1e-6",
    "1e-20",
    "1e-38",
    "1e-45",
    "1e6",
    "-1e6",
    "1e9",
    "1e20",
    "3.4e38",
    "-3.4e38",
    "1e39",
    "inf",
    "-inf",
    "NaN",
    "100000",
    "-100000",
    "99999.99",
    "4294967295",
    "4294967296",
    "-2147483649",
    "0x10",
    "1_000",
    "1.",
    ".5",
    "65536",
    "200000",
    "200001",
    "1000",
];
/// Words in places where words are expected.
const WORDS: &[&str] = &[
    "Static",
    "Kinematic",
    "Dynamic",
    "true",
    "false",
    "None",
    "Some(1)",
    "()",
    "(0, 0, 0)",
    "(0, 0, 1)",
    "(1e5, -1e5, 1e5)",
    "[]",
    "Degrees(45)",
    "Degrees(1e30)",
    "BallSocket",
    "Fixed",
    "Hinge",
    "Spring()",
    "Box(half: (1, 1, 1))",
    "Sphere(radius: 1e-30)",
    "Hull(points: [])",
    "AxisAngle(axis: (0, 0, 0), angle: 1)",
    "Euler(x: 1)",
    "'x'",
    "\"\"",
    "\"world\"",
    "\"é\\u{202e}\\n\"",
    "r#\"raw\"#",
    "b\"bytes\"",
];
const KEYS: &[&str] = &[
    "name",
    "shape",
    "at",
    "rotation",
    "motion",
    "mass",
    "density",
    "velocity",
    "spin",
    "angular_velocity",
    "friction",
    "restitution",
    "rolling",
    "collide",
    "particle",
    "plane",
    "mover",
    "mass_centre",
    "inertia",
    "groups",
    "mask",
    "forces",
    "drag",
    "by_time",
    "a",
    "b",
    "anchor",
    "anchor_a",
    "axis",
    "kind",
    "breaks",
    "stabilization",
    "count",
    "spacing",
    "limit",
    "motor",
    "spring",
    "radius",
    "half",
    "along",
    "base",
    "of",
    "x",
];

/// A scene changed in one to six places; values may be taken from the scenes `others`.
pub fn mutated(text: &str, others: &[String], dice: &mut Dice) -> String {
    let mut text = text.to_owned();
    let most = *dice.one(&[1, 2, 6]);
    for _ in 0..1 + dice.below(most) {
        let known = pieces(&text);
        if known.is_empty() {
            break;
        }
        let piece = dice.one(&known).clone();
        change(&mut text, &piece, &known, others, dice);
        if text.len() > 200_000 {
            break;
        }
    }
    text
}

fn change(text: &mut String, piece: &Piece, known: &[Piece], others: &[String], dice: &mut Dice) {
    let old = text[piece.value.clone()].to_owned();
    let number = old.parse::<f64>().is_ok();
    match dice.below(16) {
        0..=4 if number => text.replace_range(piece.value.clone(), dice.one::<&str>(NUMBERS)),
        5 | 6 if number => {
            let scaled = old.parse::<f64>().unwrap_or(1.0) * f64::from(dice.power(-9.0, 9.0));
            text.replace_range(piece.value.clone(), &format!("{scaled}"));
        }
        0 | 1 => text.replace_range(piece.value.clone(), dice.one::<&str>(WORDS)),
        // The same field of another scene.
        2..=6 => {
            let other = dice.one(others);
            let theirs = pieces(other);
            let same: Vec<_> = theirs.iter().filter(|p| p.key == piece.key).collect();
            if !same.is_empty() {
                let value = other[dice.one(&same).value.clone()].to_owned();
                text.replace_range(piece.value.clone(), &value);
            }
        }
        // Deleted with its comma, or duplicated.
        7 | 8 => {
            let rest = &text[piece.whole.end..];
            let comma = rest.len() - rest.trim_start().len();
            let end = piece.whole.end + if rest.trim_start().starts_with(',') { comma + 1 } else { 0 };
            text.replace_range(piece.whole.start..end, "");
        }
        9 => {
            let again = format!("{}, ", &text[piece.whole.clone()]);
            text.insert_str(piece.whole.start, &again);
        }
        // Two values are swapped.
        10 => {
            let other = dice.one(known);
            let (first, second) = if other.value.start < piece.value.start { (other, piece) } else { (piece, other) };
            if first.value.end <= second.value.start {
                let (a, b) = (text[first.value.clone()].to_owned(), text[second.value.clone()].to_owned());
                text.replace_range(second.value.clone(), &a);
                text.replace_range(first.value.clone(), &b);
            }
        }
        11 => {
            let value = if dice.once_in(2) { dice.one(WORDS) } else { dice.one(NUMBERS) };
            text.insert_str(piece.whole.start, &format!("{}: {value}, ", dice.one(KEYS)));
        }
        12 | 13 => settings(text, dice),
        // Half a file, or a misplaced character.
        14 if dice.once_in(4) => text.truncate(piece.value.start),
        14 => text.insert(piece.value.start, *dice.one(&['(', ')', '[', '"', '\n', ',', ':', '\u{0}', '`', '/'])),
        _ => text.replace_range(piece.value.clone(), dice.one::<&str>(NUMBERS)),
    }
}

/// Replaces the settings by random ones, also at and beyond their bounds.
fn settings(text: &mut String, dice: &mut Dice) {
    let mut groups: Vec<(&str, String)> = Vec::new();
    for _ in 0..1 + dice.below(4) {
        let setting = dice.one(LIST);
        let Some((group, field)) = setting.name.split_once('.') else { continue };
        let value = match setting.domain {
            Domain::Switch => (*dice.one(&["true", "false"])).to_owned(),
            Domain::Integer { min, max } => {
                let most = max.min(min + 1 + dice.below(20) as u32);
                (*dice.one(&[min, most, most / 2])).to_string()
            }
            Domain::Real { min, max } => {
                let inside = dice.between(min, max);
                (*dice.one(&[min, max, inside, min + (max - min) * 1e-3, 2.0 * max])).to_string()
            }
            Domain::Choice(choices) => dice.one(choices.names).to_string(),
            Domain::Vector { max } => format!("({}, {max}, {})", dice.between(-max, max), dice.between(-1.0, 1.0)),
        };
        if groups.iter().all(|(known, _)| *known != group) {
            groups.push((group, format!("{field}: {value}")));
        }
    }
    let fields: Vec<_> = groups.iter().map(|(group, field)| format!("{group}: ({field})")).collect();
    let new = format!("settings: ({})", fields.join(", "));
    let known = pieces(text);
    match known.iter().find(|p| p.key == "settings") {
        Some(piece) => text.replace_range(piece.whole.clone(), &new),
        None => {
            if let Some(title) = known.iter().find(|p| p.key == "title") {
                text.insert_str(title.whole.start, &format!("{new}, "));
            }
        }
    }
}

#[test]
fn pieces_are_found_with_their_names() {
    let text = "(a: 1, // (\n b: [(x: \"(\"), Box(half: (1, 2))])";
    let found: Vec<_> = pieces(text).into_iter().map(|p| (p.key, text[p.value].to_owned())).collect();
    let expected = [
        ("a", "1"),
        ("b", "[(x: \"(\"), Box(half: (1, 2))]"),
        ("", "(x: \"(\")"),
        ("x", "\"(\""),
        ("", "Box(half: (1, 2))"),
        ("half", "(1, 2)"),
        ("", "1"),
        ("", "2"),
    ];
    assert_eq!(found, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
}
