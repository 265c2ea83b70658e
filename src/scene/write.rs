//! From a document to its text: ron's own words, laid out so that an element stands on a line where it fits, and a
//! change of one element is a change of its lines only.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::outline::{self, Span};
use super::types::Scene;
use super::wording;
use crate::new_file;

/// Lines are broken where they would be longer, if they can be.
const WIDTH: usize = 120;
const INDENT: usize = 4;

/// One element as a scene's text has it, on a line.
pub fn words<T: Serialize>(element: &T) -> String {
    let mut text = String::new();
    let options = wording::options();
    let written =
        ron::Serializer::with_options(&mut text, None, &options).and_then(|mut ron| element.serialize(&mut ron));
    debug_assert!(written.is_ok(), "{written:?}");
    text
}

/// What two elements say where they differ: “mass: 3” and “mass: 1”. The whole of one without another.
pub fn unlike<T: Serialize>(a: Option<&T>, b: Option<&T>) -> (String, String) {
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
pub fn unlike_fields<T: Serialize>(a: &T, b: &T) -> Vec<String> {
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

/// The text of a scene. What has its default is left out; reading it gives an equal scene.
pub fn write(scene: &Scene) -> String {
    // A scene is made of what ron can write, and a string takes it all.
    let compact = words(scene);
    let mut out = String::new();
    if let Ok(root) = outline::document(&compact) {
        Layout { text: &compact, out: &mut out }.root(&root);
    }
    out
}

/// Saves a scene's text: written beside the file and renamed over it, so that the file is the old one or the new one
/// and never half of either. Permissions of a file that is there already stay; a link is followed.
///
/// # Errors
/// What the file system says.
pub fn save(path: &Path, text: &str) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let permissions = match fs::metadata(&path) {
        Ok(old) if old.permissions().readonly() => {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        Ok(old) => Some(old.permissions()),
        Err(_) => None,
    };
    if !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", folder.display())));
    }
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    sweep_up(folder);
    let mut file = new_file::builder().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder).map_err(without_path)?;
    file.write_all(text.as_bytes()).map_err(without_path)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|e| without_path(e.error))?;
    Ok(())
}

/// What the file beside is called: something between these.
const PREFIX: &str = ".scene";
const SUFFIX: &str = ".tmp";
/// A file beside that is older than this was left by a program that was killed.
const LEFT: Duration = Duration::from_secs(60);

/// Takes away what programs that were killed while saving have left in a folder. What cannot be removed stays.
fn sweep_up(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let own = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        let old =
            || entry.metadata().and_then(|m| m.modified()).is_ok_and(|at| at.elapsed().is_ok_and(|age| age > LEFT));
        if own && old() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// What the file system says, without the name of the file beside, of which nobody has heard.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((said, _)) => io::Error::new(error.kind(), said.to_owned()),
        None => error,
    }
}

struct Layout<'a> {
    text: &'a str,
    out: &'a mut String,
}

impl Layout<'_> {
    /// The scene: a field a line, the lists of elements an element a line.
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

    /// A value that starts at a column, on one line if it fits.
    fn value(&mut self, span: &Span, indent: usize, column: usize) {
        let text = &self.text[span.clone()];
        let flat = self.flat(span);
        // The comma behind it belongs to the line.
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

    /// A bracket with a member a line.
    fn open(&mut self, span: &Span, indent: usize) {
        let text = &self.text[span.clone()];
        let name = outline::name(self.text, span);
        let Some(bracket) = text[name.len()..].chars().next() else { return };
        let members = outline::members(self.text, span);
        // Numbers are filled into lines rather than given a line each.
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

    /// A value on one line, with blanks behind colons and commas.
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
            // A joint without parameters.
            '(' if members.is_empty() && wording::is_joint(name) => name.into(),
            '(' => format!("{name}({})", members.join(", ")),
            '[' => format!("[{}]", members.join(", ")),
            _ => format!("{{{}}}", members.join(", ")),
        }
    }

    /// A long text over several lines: a backslash takes the line's end and the blanks behind it out again.
    fn prose(&mut self, quoted: &str, indent: usize, mut column: usize) {
        let words: Vec<_> = quoted.split(' ').collect();
        for (i, word) in words.iter().enumerate() {
            let width = word.chars().count();
            // A blank next to a break would be lost, so breaks stand between words only.
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

/// A text without the backslash that ron sets before an apostrophe.
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

/// A number without the `.0` that ron adds.
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

    #[test]
    fn what_a_killed_save_left_goes_at_the_next_one_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, age: u64| {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - Duration::from_secs(age)).unwrap();
        };
        file(".sceneAbc123.tmp", 3600);
        file(".sceneNow456.tmp", 1);
        file(".scenery", 3600);
        file("notes.tmp", 3600);
        save(&folder.path().join("scene.ron"), "text").unwrap();
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".sceneNow456.tmp", ".scenery", "notes.tmp", "scene.ron"]);
    }

    #[test]
    fn saving_keeps_permissions_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let mut scene = Scene { title: "one".into(), ..Scene::default() };
        save(&path, &write(&scene)).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        }
        scene.title = "two".into();
        save(&path, &write(&scene)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), write(&scene));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        }
        assert!(save(&folder.path().join("no/such/folder.ron"), "").is_err());
    }
}
