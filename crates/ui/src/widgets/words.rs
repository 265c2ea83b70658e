//! Identifiers as words, and letters with subscripts or superscripts within text.

use egui::{Align, Color32, FontId, TextFormat, text::LayoutJob};

/// `BallSocket` as `Ball socket`.
pub fn spaced(name: &str) -> String {
    let mut words = String::new();
    for (i, c) in name.chars().enumerate() {
        if i > 0 && c.is_uppercase() {
            words.push(' ');
            words.extend(c.to_lowercase());
        } else {
            words.push(c);
        }
    }
    words
}

/// Units that stay on the line of their number.
const UNITS: [&str; 17] =
    ["%", "Hz", "J", "N", "N·m", "N·s", "cm", "g", "kg", "m", "m/s", "m/s²", "mm", "rad", "rad/s", "s", "µm"];

/// A text whose lines break neither between a number and its unit nor beside an equals sign.
pub fn unbroken(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    for word in text.split(' ') {
        let unit = word.trim_end_matches(['.', ',', ':', ';', ')', '?']);
        let is_unit = whole.ends_with(|c: char| c.is_ascii_digit()) && UNITS.contains(&unit);
        let is_equation = word == "=" || whole.ends_with(" =") || whole.ends_with("\u{a0}=");
        if !whole.is_empty() {
            whole.push(if is_unit || is_equation { '\u{a0}' } else { ' ' });
        }
        whole.push_str(word);
    }
    whole
}

/// Vertical placement of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Line,
    Lowered,
    Raised,
}

/// The longest index, in characters; a longer one is taken for part of a name with an underscore.
const MAX_INDEX_LENGTH: usize = 2;

/// Splits a text into pieces: the index of a letter, as in `r_A` and `ρ^N`, becomes a piece of its own, without its
/// mark.
fn pieces(text: &str) -> Vec<(Place, &str)> {
    let (mut pieces, mut from) = (Vec::new(), 0);
    for (at, mark) in text.char_indices().filter(|(_, c)| matches!(c, '_' | '^')) {
        let mut before = text[..at].chars().rev();
        let letter = before.next().is_some_and(char::is_alphabetic)
            && !before.next().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let rest = &text[at + 1..];
        let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let index = &rest[..length];
        let ends = !rest[length..].starts_with('_');
        if letter && ends && (1..=MAX_INDEX_LENGTH).contains(&index.chars().count()) {
            pieces.push((Place::Line, &text[from..at]));
            pieces.push((if mark == '_' { Place::Lowered } else { Place::Raised }, index));
            from = at + 1 + length;
        }
    }
    if from < text.len() {
        pieces.push((Place::Line, &text[from..]));
    }
    pieces
}

/// A text with its subscripts lowered and its superscripts raised.
pub fn indexed(text: &str, font: &FontId, color: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (place, piece) in pieces(text) {
        let (size, valign) = match place {
            Place::Line => (1.0, Align::Center),
            Place::Lowered => (0.72, Align::BOTTOM),
            Place::Raised => (0.72, Align::TOP),
        };
        let font_id = FontId::new(size * font.size, font.family.clone());
        job.append(piece, 0.0, TextFormat { font_id, color, valign, ..TextFormat::default() });
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_unit_and_an_equation_its_sides() {
        let text = "By 3.2 mm at ω = 1, after 10 steps of 5 s.";
        assert_eq!(unbroken(text), "By 3.2\u{a0}mm at ω\u{a0}=\u{a0}1, after 10 steps of 5\u{a0}s.");
    }

    #[test]
    fn an_index_belongs_to_a_letter_and_is_short() {
        use Place::{Line, Lowered, Raised};
        let found = pieces("levers r_A, r_B and the share ρ^N");
        let expected = [
            (Line, "levers r"),
            (Lowered, "A"),
            (Line, ", r"),
            (Lowered, "B"),
            (Line, " and the share ρ"),
            (Raised, "N"),
        ];
        assert_eq!(found, expected);
        // Names contain underscores, too, and are left as they are.
        for name in ["left_shoulder", "doll.left_arm", "x_velocity", "a_b_c", "ends in r_", "_A"] {
            assert_eq!(pieces(name), [(Line, name)], "{name}");
        }
    }
}
