//! Reads values of a document by ron, and turns ron's errors into messages that state what was expected.

use ron::Options;
use ron::error::{Error, SpannedError};
use ron::extensions::Extensions;
use serde::de::DeserializeOwned;

use super::mistake::{Slip, nearest, one_of};
use super::outline::{self, Member, Span};
use super::ron_text;
use delassus_physics::joints::JointKind;

/// ron's options for scenes: no `Some(…)`, no double brackets.
pub fn options() -> Options {
    Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_default_extension(Extensions::UNWRAP_NEWTYPES)
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// Reads the value of a field or element.
///
/// # Errors
/// The position in bytes, and what is wrong there.
pub fn value<T: DeserializeOwned>(text: &str, member: &Member) -> Result<T, Slip> {
    let value = Bracketed::of(text, member);
    ron_text::read(&value.text, &options()).map_err(|error| value.slip(text, member, &error))
}

/// The text of a value in which each joint kind has brackets, as ron needs them.
struct Bracketed {
    text: String,
    /// The ends of the joint kinds that are written without brackets, as byte offsets in the document.
    bare: Vec<usize>,
}

impl Bracketed {
    fn of(text: &str, member: &Member) -> Self {
        let span = &member.value;
        let mut bare = Vec::new();
        bare_kinds(text, span, &mut bare);
        let mut full = String::with_capacity(span.len() + 2 * bare.len());
        let mut from = span.start;
        for end in &bare {
            full.push_str(&text[from..*end]);
            full.push_str("()");
            from = *end;
        }
        full.push_str(&text[from..span.end]);
        if full.contains(OPTION) {
            let whole = 0..full.len();
            blank_options(&mut full, &whole);
        }
        Self { text: full, bare }
    }

    fn slip(&self, text: &str, member: &Member, error: &SpannedError) -> Slip {
        let start = member.value.start;
        let at = outline::offset(&self.text, error.span.end.line, error.span.end.col);
        // Convert back to a position in the text without the inserted brackets.
        let inserted = self.bare.iter().enumerate().filter(|(i, end)| **end - start + 2 * i < at).count();
        reword(text, member, (start + at).saturating_sub(2 * inserted), error)
    }
}

/// Whether a word names a joint kind, which may be written without brackets.
pub fn is_joint(word: &str) -> bool {
    JointKind::all().iter().any(|kind| kind.info().name == word)
}

/// How other RON files begin a value that may be left out. Scenes write the value alone.
const OPTION: &str = "Some(";

/// Replaces the `Some(` and `)` around a value and those in it by blanks, so that all positions stay.
fn blank_options(text: &mut String, value: &Span) {
    let inside = value.start + OPTION.len()..value.end.saturating_sub(1);
    let wrapped = text[value.clone()].starts_with(OPTION) && text[value.clone()].ends_with(')');
    let members = outline::members(text, value);
    // An empty one is left to ron, which says what is missing.
    if wrapped && !members.is_empty() {
        text.replace_range(value.start..inside.start, &" ".repeat(OPTION.len()));
        text.replace_range(inside.end..value.end, " ");
    }
    for member in members {
        blank_options(text, &member.value);
    }
}

/// Finds joint kinds written without brackets, `kind: BallSocket`, to which `()` must be appended for ron.
fn bare_kinds(text: &str, span: &Span, ends: &mut Vec<usize>) {
    for member in outline::members(text, span) {
        match member.key.map(|key| &text[key]) {
            Some("kind") => {
                let word = outline::name(text, &member.value);
                if word.len() == member.value.len() && is_joint(word) {
                    ends.push(member.value.end);
                }
            }
            Some("joint" | "of") => bare_kinds(text, &member.value, ends),
            _ => {}
        }
    }
}

/// The members that enclose `at`, outermost first. The end of a member counts as inside: ron stops there.
fn around(text: &str, member: &Member, at: usize) -> Vec<Member> {
    let mut chain: Vec<Member> = vec![member.clone()];
    loop {
        let inside = chain.last().map(|last| outline::members(text, &last.value)).unwrap_or_default();
        // ron also consumes blanks after a value.
        let reaches = |m: &Member| at <= m.value.end || text[m.value.end..at].trim().is_empty();
        match inside.into_iter().rfind(|m| m.span().start <= at).filter(reaches) {
            Some(member) => chain.push(member),
            None => return chain,
        }
    }
}

fn reword(text: &str, member: &Member, at: usize, error: &SpannedError) -> Slip {
    let chain = around(text, member, at);
    let key = |m: &Member| m.key.clone().map_or("", |k| &text[k]);
    match &error.code {
        Error::NoSuchStructField { expected, found, .. } => {
            let place = chain.iter().rev().find(|m| key(m) == found).and_then(|m| m.key.clone());
            Slip::unknown_field(place.map_or(at, |k| k.start), found, expected, true)
        }
        Error::DuplicateStructField { field, .. } => {
            let place = chain.iter().rev().find(|m| key(m) == *field).and_then(|m| m.key.clone());
            Slip::new(place.map_or(at, |k| k.start), format!("the field `{field}` is given twice"))
        }
        Error::MissingStructField { field, .. } => {
            // The struct that ron has just finished reading.
            let place = chain.iter().rev().find(|m| text[..m.value.end].ends_with([')', '}']));
            let place = place.map_or(member.value.start, |m| m.value.start);
            Slip::new(place, format!("missing field `{field}`"))
        }
        Error::NoSuchEnumVariant { expected, found, .. } => {
            let place = chain.iter().rev().find(|m| outline::name(text, &m.value) == found);
            let hint = nearest(found, expected.iter().copied());
            let hint = if hint.is_empty() { format!(", expected {}", one_of(expected)) } else { hint };
            Slip::new(place.map_or(at, |m| m.value.start), format!("unknown name `{found}`{hint}"))
        }
        Error::Message(what) => {
            let place = chain.iter().rev().find(|m| m.key.is_some() || m.value.start < at);
            Slip::new(place.map_or(at, |m| m.value.start), what)
        }
        Error::ExceededRecursionLimit => Slip::new(at, "nested too deeply"),
        Error::InvalidEscape(what) => Slip::new(at, format!("{what} in this text")),
        code => wrong_type(text, &chain, at, code),
    }
}

/// The message for a value of the wrong type.
fn wrong_type(text: &str, chain: &[Member], at: usize, code: &Error) -> Slip {
    // The innermost field is the most specific: a number in a vector is reported under the vector's field.
    let field = chain.iter().rev().find(|m| m.key.is_some()).or(chain.first());
    let Some(field) = field else { return Slip::new(at, "not understood") };
    let name = field.key.clone().map_or("", |k| &text[k]);
    let subject = if name.is_empty() { String::new() } else { format!("`{name}`: ") };
    let found = &text[field.value.clone()];
    let expected = match (form(name), code) {
        (Some(form), _) => form,
        (None, Error::ExpectedFloat | Error::FloatUnderscore) => "a number",
        (None, Error::ExpectedInteger | Error::IntegerOutOfBounds | Error::InvalidIntegerDigit { .. }) => {
            "a whole number, zero or more"
        }
        (None, Error::ExpectedBoolean) => "true or false",
        (None, Error::ExpectedString | Error::ExpectedStringEnd) => "a text in double quotes",
        (None, Error::ExpectedArray) => "a list, `[…]`",
        (None, Error::ExpectedIdentifier) => "a name",
        (None, Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) | Error::ExpectedMap) => {
            "fields in brackets, `(…: …)`"
        }
        (None, Error::ExpectedMapColon) => "fields with their names, `name: value`",
        // ron read a whole number and stopped before its fraction.
        (None, Error::ExpectedComma | Error::TrailingCharacters) if found.parse::<f32>().is_ok() => {
            "a whole number, zero or more"
        }
        _ => return Slip::new(field.value.start, format!("{subject}`{}` is not understood", excerpt(found))),
    };
    let found = excerpt(found);
    Slip::new(field.value.start, format!("{subject}expected {expected}, found `{found}`"))
}

/// The form of fields that always have the same form.
fn form(field: &str) -> Option<&'static str> {
    Some(match field {
        "at" | "half" | "velocity" | "angular_velocity" | "spin" | "anchor" | "anchor_a" | "anchor_b" | "axis"
        | "axis_a" | "axis_b" | "plane" | "spacing" | "stagger" | "across" | "up" | "eye" | "target" | "gravity" => {
            "(x, y, z)"
        }
        "points" => "a list of points, `[(x, y, z), …]`",
        "limit" => "(least, greatest)",
        _ => return None,
    })
}

/// The beginning of a text, on one line.
fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 40 { line } else { line.chars().take(39).chain(['…']).collect() }
}
