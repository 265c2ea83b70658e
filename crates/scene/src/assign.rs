//! Changes one field of a scene by its path, as `--set joints.motor.speed=3` does. The change is made in the text,
//! which is then read like any other, so that a wrong value gives the usual message.
//!
//! ```text
//! bodies.bob.mass              an element by its name, or by its index: bodies[0].mass
//! joints.motor.speed           the words `kind`, `motor`, `shape` and `of` may be left out of a path
//! bodies.bob.at.z              a component of a vector that is written in the text
//! camera.eye, title            a field of the scene itself
//! ```

use super::mistake::{Mistake, Unknown, nearest};
use super::outline::{self, Span};
use super::read::{FIELDS, read_str};
use super::ron_text;
use super::wording;

/// Fields that a path may skip.
const INNER: &[&str] = &["kind", "motor", "shape", "of"];
/// The lists of a scene, and the noun for their elements.
const LISTS: &[(&str, &str)] = &[
    ("materials", "material"),
    ("bodies", "body"),
    ("patterns", "pattern"),
    ("parts", "part"),
    ("joints", "joint"),
    ("experiments", "experiment"),
    ("plots", "plot"),
    ("sensors", "sensor"),
];

/// Whether a path begins with a field of a scene.
pub fn is_path(path: &str) -> bool {
    let first = path.split(['.', '[']).next().unwrap_or_default();
    FIELDS.contains(&first)
}

/// The text with another value at `path`. `origin` is the path of its file, from which parts are found. The text must
/// have no mistakes.
///
/// # Errors
/// There is no such field, or the value is wrong, in the words of the file format.
pub fn assign(text: &str, origin: &str, path: &str, value: &str) -> Result<String, String> {
    let at_path = |what: String| format!("`{path}`: {what}");
    match outline::document(value) {
        Ok(span) if value[span.clone()] == *value.trim() => {}
        Ok(_) => return Err(at_path("expected one value and no comments".into())),
        Err(slip) => return Err(at_path(slip.what)),
    }
    let root = outline::document(text).map_err(|slip| at_path(slip.what))?;
    let first = path.split(['.', '[']).next().unwrap_or_default();
    if !FIELDS.contains(&first) {
        return Err(at_path(format!("a scene has no field `{first}`{}", nearest(first, FIELDS.iter().copied()))));
    }
    let (inside, rest) = match LISTS.iter().find(|(list, _)| *list == first) {
        Some((list, noun)) => element(text, &root, list, noun, &path[first.len()..]).map_err(at_path)?,
        None => (root, path),
    };
    let steps: Vec<&str> = rest.split('.').collect();
    if steps.iter().any(|step| step.is_empty()) {
        return Err(at_path("a field's name is missing".into()));
    }
    let mut nearest: Option<Mistake> = None;
    for changed in candidates(text, &inside, &steps, value.trim()).map_err(at_path)? {
        match read_str(&changed, origin) {
            Ok(_) => return Ok(changed),
            Err(mistakes) => {
                let Some(mistake) = mistakes.into_iter().next() else { continue };
                // A field unknown here may be known in an inner value, whose message is then more specific.
                if nearest.as_ref().is_none_or(|first| aptness(first) < aptness(&mistake)) {
                    nearest = Some(mistake);
                }
            }
        }
    }
    Err(at_path(nearest.map_or_else(|| "not understood".into(), |mistake| mistake.what)))
}

/// How specific the message is, for a path that can be understood in several ways.
fn aptness(mistake: &Mistake) -> u32 {
    match mistake.unknown {
        Some(Unknown::Strange) => 0,
        Some(Unknown::Misspelt) => 1,
        None => 2,
    }
}

/// The list element that the path names, and the rest of the path.
fn element<'p>(text: &str, root: &Span, list: &str, noun: &str, path: &'p str) -> Result<(Span, &'p str), String> {
    let members = outline::members(text, root);
    let list_span = members.iter().find(|m| m.name(text) == list);
    let elements = list_span.map(|m| outline::members(text, &m.value)).unwrap_or_default();
    if let Some(rest) = path.strip_prefix('[') {
        let (index, rest) = rest.split_once(']').ok_or("expected `]`")?;
        let rest = rest.strip_prefix('.').ok_or_else(|| format!("say which field of the {noun}"))?;
        let element = index.trim().parse().ok().and_then(|index: usize| elements.get(index));
        let element = element.ok_or_else(|| format!("there are {} {list}, counted from 0", elements.len()))?;
        return Ok((element.value.clone(), rest));
    }
    let path = path.strip_prefix('.').ok_or_else(|| format!("say which {noun}, by its name, and which field of it"))?;
    let names = names(text, &elements.iter().map(|m| m.value.clone()).collect::<Vec<_>>());
    // Names may contain dots: take the longest match.
    let fitting = names.iter().enumerate().filter(|(_, name)| {
        path.strip_prefix(name.as_str())
            .is_some_and(|rest| !name.is_empty() && (rest.is_empty() || rest.starts_with('.')))
    });
    let Some((index, name)) = fitting.max_by_key(|(_, name)| name.len()) else {
        let known = || names.iter().map(String::as_str).filter(|name| !name.is_empty());
        let asked = path.rsplit_once('.').map_or(path, |(name, _)| name);
        let near = nearest(asked, known());
        let near = if near.is_empty() { nearest(path.split('.').next().unwrap_or(path), known()) } else { near };
        let members = "; bodies and joints of a pattern or part can only be set in that pattern or part";
        let more = if near.is_empty() && matches!(list, "bodies" | "joints") { members } else { "" };
        return Err(format!("no {noun} is called `{asked}`{near}{more}"));
    };
    let rest = path[name.len()..].strip_prefix('.').ok_or_else(|| format!("say which field of the {noun}"))?;
    Ok((elements[index].value.clone(), rest))
}

/// The names of elements; for joints without a name, their labels.
fn names(text: &str, elements: &[Span]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    elements
        .iter()
        .map(|element| {
            if let Some(name) = string(text, element, "name").filter(|name| !name.is_empty()) {
                return name;
            }
            let Some(b) = string(text, element, "b") else { return String::new() };
            let label = format!("{}-{b}", string(text, element, "a").unwrap_or_else(|| super::WORLD.into()));
            let before = labels.iter().filter(|other| **other == label).count();
            labels.push(label.clone());
            if before > 0 { format!("{label}#{}", before + 1) } else { label }
        })
        .collect()
}

/// The text of a string field, if present.
fn string(text: &str, element: &Span, field: &str) -> Option<String> {
    let member = field_of(text, element, field)?;
    ron_text::read(&text[member], &wording::options()).ok()
}

fn field_of(text: &str, inside: &Span, field: &str) -> Option<Span> {
    let found = outline::members(text, inside).into_iter().find(|m| m.name(text) == outline::present(field));
    found.map(|m| m.value)
}

/// The texts for each way to understand the path, the most likely first.
fn candidates(text: &str, inside: &Span, steps: &[&str], value: &str) -> Result<Vec<String>, String> {
    let Some((step, more)) = steps.split_first() else {
        return Ok(vec![replaced(text, inside, value)]);
    };
    if let Some(found) = field_of(text, inside, step).or_else(|| component(text, inside, step)) {
        return candidates(text, &found, more, value);
    }
    // The field is not in the text: use the inner value that has it, else add it here or in an inner value.
    let mut inner: Vec<Span> = Vec::new();
    let mut outer = inside.clone();
    while let Some(next) = INNER.iter().find_map(|field| field_of(text, &outer, field)) {
        inner.push(next.clone());
        outer = next;
    }
    if let Some(found) = inner.iter().find_map(|inner| field_of(text, inner, step)) {
        return candidates(text, &found, more, value);
    }
    let nested = more.iter().rev().fold(value.to_owned(), |value, step| format!("({step}: {value})"));
    let texts: Vec<_> =
        std::iter::once(inside).chain(&inner).filter_map(|place| inserted(text, place, step, &nested)).collect();
    if texts.is_empty() { Err(format!("`{}` has no fields", &text[inside.clone()])) } else { Ok(texts) }
}

/// A component of a vector in the text, by letter or number.
fn component(text: &str, inside: &Span, step: &str) -> Option<Span> {
    let index = match step {
        "x" => 0,
        "y" => 1,
        "z" => 2,
        "w" => 3,
        number => number.parse().ok()?,
    };
    let members = outline::members(text, inside);
    let bare = members.iter().all(|m| m.key.is_none());
    members.into_iter().nth(index).filter(|_| bare).map(|m| m.value)
}

fn replaced(text: &str, span: &Span, by: &str) -> String {
    format!("{}{by}{}", &text[..span.start], &text[span.end..])
}

/// The text with a field added to the bracket at `inside`; `None` if there is no bracket with fields.
fn inserted(text: &str, inside: &Span, field: &str, value: &str) -> Option<String> {
    let members = outline::members(text, inside);
    if let Some(last) = members.last() {
        last.key.as_ref()?;
        let at = last.value.end;
        return Some(format!("{}, {field}: {value}{}", &text[..at], &text[at..]));
    }
    let whole = &text[inside.clone()];
    let word = outline::name(text, inside);
    if word.len() == whole.len() && word.starts_with(char::is_alphabetic) {
        return Some(format!("{}({field}: {value}){}", &text[..inside.end], &text[inside.end..]));
    }
    let open = inside.start + whole.find('(')? + 1;
    (whole.ends_with(')')).then(|| format!("{}{field}: {value}{}", &text[..open], &text[open..]))
}
