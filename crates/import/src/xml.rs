//! Reads XML, and keeps account of what was read: every element and attribute that nobody asked for is reported at the
//! end ([`Documents::report_unread`]), so that nothing is left out in silence.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use delassus_scene::Mistake;
use glam::DVec3;
use roxmltree::{Document, Node, ParsingOptions};

use crate::report::{Place, Report};

/// Most files that a model may include.
const MAX_FILES: usize = 200;
/// Most elements of a file.
const MAX_NODES: u32 = 2_000_000;

/// A file's name and text.
#[derive(Debug, Clone)]
pub struct Text {
    pub name: String,
    pub text: String,
    /// The elements `include` of this text, by their node's number: each is replaced by the file of this number.
    includes: HashMap<u32, usize>,
}

/// The text of a model and of the files that it includes. What cannot be read is reported.
pub fn with_includes(
    name: &str,
    text: &str,
    read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    report: &Report,
) -> Result<Vec<Text>, Mistake> {
    let new = |name: &str, text: &str| Text { name: name.into(), text: text.into(), includes: HashMap::new() };
    let mut texts = vec![new(name, text)];
    let mut next = 0;
    while next < texts.len() {
        let Text { name, text, .. } = texts[next].clone();
        let document = parse(&name, &text)?;
        for node in document.descendants().filter(|node| node.has_tag_name("include")) {
            let line = document.text_pos_at(node.range().start).row as usize;
            let Some(file) = node.attribute("file") else { continue };
            if texts.len() >= MAX_FILES {
                return Err(mistake(&name, line, format!("more than {MAX_FILES} files are included")));
            }
            let found =
                read(file).and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".into()));
            match found {
                Ok(included) => {
                    let number = texts.len();
                    texts.push(new(file, &included));
                    texts[next].includes.insert(node.id().get(), number);
                }
                Err(why) => {
                    let what = format!("the file is left out: {why}");
                    report.note(Place { file: next, line }, format!("include `{file}`"), what);
                }
            }
        }
        next += 1;
    }
    Ok(texts)
}

fn mistake(file: &str, line: usize, what: String) -> Mistake {
    Mistake { file: PathBuf::from(file), line, column: 1, what, ..Mistake::default() }
}

fn parse<'t>(name: &str, text: &'t str) -> Result<Document<'t>, Mistake> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        let what = match error {
            roxmltree::Error::UnknownNamespace(prefix, _) if prefix == "xacro" => XACRO.into(),
            error => format!("this is not XML: {error}"),
        };
        Mistake { column: at.col as usize, ..mistake(name, at.row as usize, what) }
    })
}

/// What a file with macros of ROS is told.
const XACRO: &str = "this is a xacro file: expand it first, by `xacro FILE > model.urdf`";

/// The parsed texts of a model.
pub struct Documents<'t> {
    files: Vec<(&'t Text, Document<'t>)>,
    /// Where the lines of each file begin, in bytes.
    lines: Vec<Vec<usize>>,
    /// The elements and attributes that were read: file, node, and the attribute's name or nothing.
    read: RefCell<HashSet<(usize, u32, String)>>,
}

impl<'t> Documents<'t> {
    /// Parses all texts; the first is the model's own.
    ///
    /// # Errors
    /// One is not XML.
    pub fn parse(texts: &'t [Text]) -> Result<Self, Mistake> {
        let files = texts.iter().map(|text| Ok((text, parse(&text.name, &text.text)?)));
        let files: Vec<(&Text, Document<'t>)> = files.collect::<Result<_, Mistake>>()?;
        for (text, document) in &files {
            // A file that is expanded may still declare the prefix.
            let is_macro =
                |node: &Node<'_, '_>| node.tag_name().namespace().is_some_and(|name| name.ends_with("xacro"));
            if let Some(node) = document.descendants().find(is_macro) {
                let line = document.text_pos_at(node.range().start).row as usize;
                return Err(mistake(&text.name, line, XACRO.into()));
            }
        }
        let starts = |text: &str| text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let lines = files.iter().map(|(text, _)| starts(&text.text)).collect();
        Ok(Self { files, lines, read: RefCell::default() })
    }

    /// The root element of the model.
    pub fn root(&self) -> Element<'_> {
        let root = Element { documents: self, file: 0, node: self.files[0].1.root_element() };
        root.mark();
        root
    }

    /// Tells every element and attribute that was not read. `why` has the reason for an element by its name and that of
    /// its parent.
    pub fn report_unread(&self, report: &Report, why: impl Fn(&str, &str) -> &'static str) {
        let read = self.read.borrow();
        for (file, (text, document)) in self.files.iter().enumerate() {
            for node in document.descendants().filter(Node::is_element) {
                let element = Element { documents: self, file, node };
                let id = node.id().get();
                let is_read = |node: Node<'_, '_>| read.contains(&(file, node.id().get(), String::new()));
                let parent = node.parent_element();
                let top = parent.is_none_or(|parent| is_read(parent) || file > 0 && parent.parent_element().is_none());
                if !is_read(node) {
                    let is_frame = file > 0 && parent.is_none() || text.includes.contains_key(&id);
                    if top && !is_frame && !(node.has_tag_name("include")) {
                        let within = parent.map_or("", |parent| parent.tag_name().name());
                        let name = node.tag_name().name();
                        report.note(element.place(), format!("<{name}> of <{within}>"), why(within, name));
                    }
                    continue;
                }
                for attribute in node.attributes() {
                    if !read.contains(&(file, id, attribute.name().into())) {
                        let what = format!("attribute `{}` of <{}>", attribute.name(), node.tag_name().name());
                        report.note(element.place(), what, "has no counterpart and is left out");
                    }
                }
            }
        }
    }
}

/// An element of a model's text.
#[derive(Clone, Copy)]
pub struct Element<'a> {
    documents: &'a Documents<'a>,
    file: usize,
    node: Node<'a, 'a>,
}

impl<'a> Element<'a> {
    pub fn name(&self) -> &'a str {
        self.node.tag_name().name()
    }

    pub fn place(&self) -> Place {
        let lines = &self.documents.lines[self.file];
        Place { file: self.file, line: lines.partition_point(|start| *start <= self.node.range().start) + 1 }
    }

    /// The element with its attribute `name`, for reports: `link arm`.
    pub fn title(&self) -> String {
        match self.node.attribute("name") {
            Some(name) => format!("{} `{name}`", self.name()),
            None => format!("<{}>", self.name()),
        }
    }

    /// The attribute `name`, not marked as read.
    pub fn name_attribute(&self) -> Option<&'a str> {
        self.node.attribute("name")
    }

    /// Marks the element as read.
    pub fn mark(&self) {
        self.mark_attribute("");
    }

    fn mark_attribute(&self, name: &str) {
        self.documents.read.borrow_mut().insert((self.file, self.node.id().get(), name.into()));
    }

    /// A mistake of this element.
    pub fn mistake(&self, what: impl std::fmt::Display) -> Mistake {
        let name = &self.documents.files[self.file].0.name;
        mistake(name, self.place().line, format!("{}: {what}", self.title()))
    }

    /// The elements within this one; an `include` is replaced by those of its file.
    pub fn children(&self) -> Vec<Self> {
        let mut children = Vec::new();
        for node in self.node.children().filter(Node::is_element) {
            match self.documents.files[self.file].0.includes.get(&node.id().get()) {
                Some(file) => {
                    let root = self.documents.files[*file].1.root_element();
                    children.extend(Self { documents: self.documents, file: *file, node: root }.children());
                }
                None => children.push(Self { node, ..*self }),
            }
        }
        children
    }

    /// The elements of this name within this one, marked as read.
    pub fn all(&self, name: &str) -> Vec<Self> {
        let found: Vec<Self> = self.children().into_iter().filter(|child| child.name() == name).collect();
        found.iter().for_each(Self::mark);
        found
    }

    /// The first element of this name within this one, marked as read.
    pub fn one(&self, name: &str) -> Option<Self> {
        let found = self.children().into_iter().find(|child| child.name() == name)?;
        found.mark();
        Some(found)
    }

    /// The attribute's text, marked as read.
    pub fn text(&self, attribute: &str) -> Option<&'a str> {
        let value = self.node.attribute(attribute)?;
        self.mark_attribute(attribute);
        Some(value)
    }

    /// Marks the element and all of its attributes as read: it is reported as a whole.
    pub fn heed_all(&self) {
        self.mark();
        self.node.attributes().for_each(|attribute| self.mark_attribute(attribute.name()));
    }

    /// Marks attributes as read, those that there are.
    pub fn heed(&self, attributes: &[&str]) {
        attributes.iter().for_each(|attribute| {
            self.text(attribute);
        });
    }

    /// The attribute's text.
    ///
    /// # Errors
    /// There is none.
    pub fn needed(&self, attribute: &str) -> Result<&'a str, Mistake> {
        self.text(attribute).ok_or_else(|| self.mistake(format!("the attribute `{attribute}` is missing")))
    }

    /// The attribute's numbers.
    ///
    /// # Errors
    /// One is not a number, or not finite.
    pub fn numbers(&self, attribute: &str) -> Result<Option<Vec<f64>>, Mistake> {
        let Some(text) = self.text(attribute) else { return Ok(None) };
        let number = |word: &str| match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            Ok(_) => Err(self.mistake(format!("`{attribute}` must be finite, not `{word}`"))),
            Err(_) if text.contains("${") => Err(self.mistake(format!("`{attribute}` is computed, `{text}`: {XACRO}"))),
            Err(_) => Err(self.mistake(format!("`{attribute}` must be a number, not `{word}`"))),
        };
        text.split_whitespace().map(number).collect::<Result<_, _>>().map(Some)
    }

    /// The attribute's only number.
    ///
    /// # Errors
    /// As [`Self::numbers`], or there are more or none.
    pub fn number(&self, attribute: &str) -> Result<Option<f64>, Mistake> {
        match self.numbers(attribute)?.as_deref() {
            None => Ok(None),
            Some([number]) => Ok(Some(*number)),
            Some(other) => Err(self.mistake(format!("`{attribute}` must be one number, not {}", other.len()))),
        }
    }

    /// The attribute's three numbers.
    ///
    /// # Errors
    /// As [`Self::numbers`], or there are not three.
    pub fn vector(&self, attribute: &str) -> Result<Option<DVec3>, Mistake> {
        match self.numbers(attribute)?.as_deref() {
            None => Ok(None),
            Some([x, y, z]) => Ok(Some(DVec3::new(*x, *y, *z))),
            Some(other) => Err(self.mistake(format!("`{attribute}` must be three numbers, not {}", other.len()))),
        }
    }
}
