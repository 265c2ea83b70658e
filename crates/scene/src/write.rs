//! Writes a document as text: ron's serialisation, laid out so that an element is on one line if it fits, and
//! changing one element changes only its lines.

use super::outline::{self, Span};
use super::ron_text::{self, Serialize};
use super::types::Scene;
use super::wording;

/// Longer lines are broken where possible.
const WIDTH: usize = 120;
const INDENT: usize = 4;

/// One element as serialised text on one line.
pub fn words(element: &dyn Serialize) -> String {
    let written = ron_text::write(element, &wording::options());
    debug_assert!(written.is_ok(), "{written:?}");
    written.unwrap_or_default()
}

/// The fields in which two elements differ, as text: “mass: 3” and “mass: 1”. If one element is missing, the text of the
/// other is whole.
pub fn unlike(a: Option<&dyn Serialize>, b: Option<&dyn Serialize>) -> (String, String) {
    let texts = [a, b].map(|element| element.map_or_else(String::new, words));
    let fields = texts.each_ref().map(|text| {
        let root = outline::document(text).unwrap_or(0..0);
        let field = |member: outline::Member| Some((text.get(member.key?)?, text.get(member.value)?));
        outline::members(text, &root).into_iter().filter_map(field).collect::<Vec<_>>()
    });
    if fields.iter().any(Vec::is_empty) {
        let [a, b] = texts;
        return (a, b);
    }
    let only = |mine: &[(&str, &str)], other: &[(&str, &str)]| {
        let own = mine.iter().filter(|field| !other.contains(field));
        let own = own.map(|(key, value)| format!("{key}: {value}"));
        let left_out = other.iter().filter(|(key, _)| !mine.iter().any(|(mine, _)| mine == key));
        own.chain(left_out.map(|(key, _)| format!("no {key}"))).collect::<Vec<_>>().join(", ")
    };
    (only(&fields[0], &fields[1]), only(&fields[1], &fields[0]))
}

/// The names of the fields in which two elements differ.
pub fn unlike_fields(a: &dyn Serialize, b: &dyn Serialize) -> Vec<String> {
    let (a, b) = (words(a), words(b));
    let fields = |text: &str| {
        let root = outline::document(text).unwrap_or(0..0);
        let field = |m: outline::Member| Some((text.get(m.key?)?.to_owned(), text.get(m.value)?.to_owned()));
        outline::members(text, &root).into_iter().filter_map(field).collect::<Vec<_>>()
    };
    let (a, b) = (fields(&a), fields(&b));
    let mut names: Vec<String> = Vec::new();
    for (name, value) in a.iter().filter(|field| !b.contains(field)).chain(b.iter().filter(|field| !a.contains(field)))
    {
        debug_assert!(!value.is_empty(), "a field has a value");
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The text of a scene. Fields with default values are left out; reading the text gives an equal scene.
pub fn write(scene: &Scene) -> String {
    // Serialising cannot fail: a scene consists of types that ron supports, and it is written into a string.
    let compact = words(scene);
    let mut out = String::new();
    if let Ok(root) = outline::document(&compact) {
        PrettyPrinter { text: &compact, out: &mut out }.root(&root);
    }
    out
}

struct PrettyPrinter<'a> {
    text: &'a str,
    out: &'a mut String,
}

impl PrettyPrinter<'_> {
    /// Writes the scene: one field per line, and one element per line in its lists.
    fn root(&mut self, root: &Span) {
        self.out.push_str("(\n");
        for member in outline::members(self.text, root) {
            let key = member.key.as_ref().map_or("", |k| &self.text[k.clone()]);
            let list = self.text[member.value.clone()].starts_with('[');
            self.out.push_str(&format!("{:INDENT$}{key}: ", ""));
            if list {
                self.open(&member.value, INDENT);
            } else {
                self.value(&member.value, INDENT, INDENT + key.len() + 2);
            }
            self.out.push_str(",\n");
        }
        self.out.push_str(")\n");
    }

    /// Writes a value that starts at a column, on one line if it fits.
    fn value(&mut self, span: &Span, indent: usize, column: usize) {
        let text = &self.text[span.clone()];
        let flat = self.flat(span);
        // The comma after it must fit as well.
        if column + flat.chars().count() < WIDTH {
            self.out.push_str(&flat);
        } else if text.starts_with('"') {
            self.prose(&flat, indent + INDENT, column);
        } else if outline::members(self.text, span).is_empty() {
            self.out.push_str(&flat);
        } else {
            self.open(span, indent);
        }
    }

    /// Writes a bracket with one member per line.
    fn open(&mut self, span: &Span, indent: usize) {
        let text = &self.text[span.clone()];
        let name = outline::name(self.text, span);
        let Some(bracket) = text[name.len()..].chars().next() else { return };
        let members = outline::members(self.text, span);
        // Numbers fill the lines instead of getting a line each.
        let plain = members.iter().all(|m| m.key.is_none() && !self.text[m.value.clone()].contains(':'));
        self.out.push_str(name);
        self.out.push(bracket);
        self.out.push('\n');
        let inner = indent + INDENT;
        let mut column = 0;
        for member in &members {
            let key = member.key.as_ref().map_or(String::new(), |k| format!("{}: ", &self.text[k.clone()]));
            let width = if plain { self.flat(&member.value).chars().count() + 2 } else { WIDTH };
            if plain && column > 0 && column + width <= WIDTH {
                self.out.push(' ');
                column += width;
            } else {
                if column > 0 {
                    self.out.push('\n');
                }
                self.out.push_str(&" ".repeat(inner));
                column = inner + width;
            }
            self.out.push_str(&key);
            self.value(&member.value, inner, inner + key.len());
            self.out.push(',');
        }
        self.out.push('\n');
        self.out.push_str(&" ".repeat(indent));
        self.out.push(match bracket {
            '(' => ')',
            '[' => ']',
            _ => '}',
        });
    }

    /// A value on one line, with a blank after each colon and comma.
    fn flat(&self, span: &Span) -> String {
        let text = &self.text[span.clone()];
        let name = outline::name(self.text, span);
        let Some(bracket) = text[name.len()..].chars().next().filter(|c| matches!(c, '(' | '[' | '{')) else {
            return if text.starts_with('"') { unescape(text) } else { short(text).into() };
        };
        let members: Vec<_> = (outline::members(self.text, span).iter())
            .map(|m| {
                let key = m.key.as_ref().map_or(String::new(), |k| format!("{}: ", &self.text[k.clone()]));
                key + &self.flat(&m.value)
            })
            .collect();
        match bracket {
            // A joint kind without parameters.
            '(' if members.is_empty() && wording::is_joint(name) => name.into(),
            '(' => format!("{name}({})", members.join(", ")),
            '[' => format!("[{}]", members.join(", ")),
            _ => format!("{{{}}}", members.join(", ")),
        }
    }

    /// Writes a long text over several lines: a backslash removes the line end and the blanks after it.
    fn prose(&mut self, quoted: &str, indent: usize, mut column: usize) {
        let words: Vec<_> = quoted.split(' ').collect();
        for (i, word) in words.iter().enumerate() {
            let width = word.chars().count();
            // Blanks next to a line break would be lost, so lines are broken between words only.
            let between = i > 0 && !word.is_empty() && !words[i - 1].is_empty() && !words[i - 1].ends_with('\\');
            if i > 0 {
                self.out.push(' ');
                if between && column + 1 + width + 2 > WIDTH {
                    self.out.push_str("\\\n");
                    self.out.push_str(&" ".repeat(indent));
                    column = indent;
                } else {
                    column += 1;
                }
            }
            self.out.push_str(word);
            column += width;
        }
    }
}

/// The text without the backslash that ron puts before an apostrophe.
fn unescape(quoted: &str) -> String {
    let mut out = String::with_capacity(quoted.len());
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some('\'')) => {}
            ('\\', Some(escaped)) => {
                out.extend([c, escaped]);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

/// The number without the `.0` that ron adds.
fn short(text: &str) -> &str {
    let number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    text.strip_suffix(".0").filter(|_| number).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_come_back_word_by_word() {
        for about in [
            "word ".repeat(60),
            format!("  two  blanks {} \\ back\\\\slash \n and a \"quote\" it's \\' ", "x y  z ".repeat(50)),
            "é".repeat(400),
        ] {
            let scene = Scene { title: "t".into(), about, ..Scene::default() };
            let text = write(&scene);
            assert_eq!(super::super::read_str(&text, "t").map(|l| l.scene).unwrap(), scene, "{text}");
        }
    }
}
