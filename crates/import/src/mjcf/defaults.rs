//! Default classes: attributes that an element takes from its class, and from the classes around that.

use std::collections::HashMap;

use delassus_scene::Mistake;
use glam::DVec3;

use super::law::{self, Range};
use crate::xml::Element;

/// The name of the outermost class.
const MAIN: &str = "main";

/// The classes by their names.
#[derive(Default)]
pub struct Defaults<'a> {
    classes: HashMap<&'a str, Class<'a>>,
}

struct Class<'a> {
    /// Several elements may add to the outermost class.
    elements: Vec<Element<'a>>,
    parent: Option<&'a str>,
}

/// Attributes of the elements of a class that are read wherever one is of that class.
const KNOWN: &[(&str, &[&str])] = &[
    (
        "geom",
        &[
            "type",
            "size",
            "mass",
            "density",
            "contype",
            "conaffinity",
            "friction",
            "pos",
            "quat",
            "euler",
            "axisangle",
            "xyaxes",
            "zaxis",
            "fromto",
            "mesh",
            "fitscale",
            "condim",
            "group",
            "name",
        ],
    ),
    (
        "joint",
        &[
            "type",
            "pos",
            "axis",
            "range",
            "limited",
            "damping",
            "frictionloss",
            "armature",
            "stiffness",
            "springref",
            "springdamper",
            "ref",
            "actuatorfrcrange",
            "actuatorfrclimited",
        ],
    ),
    ("mesh", &["scale"]),
    ("equality", &["active"]),
    ("pair", &[]),
];

impl<'a> Defaults<'a> {
    /// The classes of the elements `default` of a model.
    ///
    /// # Errors
    /// A class without a name.
    pub fn read(root: Element<'a>) -> Result<Self, Mistake> {
        let mut defaults = Self::default();
        for element in root.all("default") {
            let name = element.text("class").unwrap_or(MAIN);
            // Whatever it is called, it is the outermost class.
            let mut classes = vec![(element, MAIN, None)];
            while let Some((element, name, parent)) = classes.pop() {
                defaults.add(element, name, parent);
                for inner in element.all("default").into_iter().rev() {
                    classes.push((inner, inner.needed("class")?, Some(name)));
                }
            }
            if name != MAIN {
                defaults.classes.entry(name).or_insert(Class { elements: Vec::new(), parent: Some(MAIN) });
            }
        }
        Ok(defaults)
    }

    /// Adds an element to a class.
    fn add(&mut self, element: Element<'a>, name: &'a str, parent: Option<&'a str>) {
        let class = self.classes.entry(name).or_insert(Class { elements: Vec::new(), parent });
        class.elements.push(element);
        for (tag, attributes) in KNOWN {
            for part in element.all(tag) {
                part.heed(attributes);
            }
        }
        for kind in law::KINDS {
            for part in element.all(kind) {
                part.heed(&law::ATTRIBUTES);
            }
        }
    }

    /// An element with the attributes of its class, or of the class `around` it.
    ///
    /// # Errors
    /// There is no such class.
    pub fn of(&self, element: Element<'a>, around: Option<&'a str>) -> Result<Classed<'a>, Mistake> {
        self.named(element, around, element.name())
    }

    /// The same for an element whose defaults have another name.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn named(&self, element: Element<'a>, around: Option<&'a str>, tag: &str) -> Result<Classed<'a>, Mistake> {
        let classes = self.classes_of(element, around)?;
        let parts =
            classes.into_iter().flat_map(|class| class.elements.iter().rev()).filter_map(|class| class.one(tag));
        Ok(Classed { chain: std::iter::once(element).chain(parts).collect() })
    }

    /// The elements that make an actuator: those of its classes in the order of the text, the outermost first, and itself.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn actuators(&self, element: Element<'a>) -> Result<Vec<Element<'a>>, Mistake> {
        let classes = self.classes_of(element, None)?;
        let parts =
            classes.into_iter().rev().flat_map(|class| class.elements.iter()).flat_map(|class| class.children());
        let parts = parts.filter(|part| law::KINDS.contains(&part.name()) || law::OTHERS.contains(&part.name()));
        Ok(parts.chain([element]).collect())
    }

    /// The class of an element and those around it, the innermost first.
    fn classes_of(&self, element: Element<'a>, around: Option<&'a str>) -> Result<Vec<&Class<'a>>, Mistake> {
        let mut class = match element.text("class").or(around) {
            Some(name) => match self.classes.get(name) {
                Some(class) => Some(class),
                None if name == MAIN => None,
                None => return Err(element.mistake(format!("no default class is called `{name}`"))),
            },
            None => self.classes.get(MAIN),
        };
        let mut found = Vec::new();
        while let Some(next) = class {
            found.push(next);
            class = next.parent.and_then(|parent| self.classes.get(parent));
        }
        Ok(found)
    }
}

/// An element, and behind it those whose attributes it takes if it does not have them.
pub struct Classed<'a> {
    chain: Vec<Element<'a>>,
}

impl<'a> Classed<'a> {
    pub fn element(&self) -> Element<'a> {
        self.chain[0]
    }

    /// The first element with the attribute.
    fn with(&self, attribute: &str) -> Element<'a> {
        // All are asked, so that none counts as unread.
        let found: Vec<Element<'a>> = self.chain.iter().copied().filter(|e| e.text(attribute).is_some()).collect();
        found.first().copied().unwrap_or(self.chain[0])
    }

    pub fn text(&self, attribute: &str) -> Option<&'a str> {
        self.with(attribute).text(attribute)
    }

    pub fn number(&self, attribute: &str) -> Result<Option<f64>, Mistake> {
        self.with(attribute).number(attribute)
    }

    pub fn numbers(&self, attribute: &str) -> Result<Option<Vec<f64>>, Mistake> {
        self.with(attribute).numbers(attribute)
    }

    pub fn vector(&self, attribute: &str) -> Result<Option<DVec3>, Mistake> {
        self.with(attribute).vector(attribute)
    }

    /// A range and the switch that says whether it holds.
    pub fn range(&self, range: &str, limited: &str) -> Result<Range, Mistake> {
        let mut all = Range::default();
        for element in self.chain.iter().rev() {
            all.read(*element, range, limited)?;
        }
        Ok(all)
    }

    /// Whether the element itself or its class has the attribute.
    pub fn has(&self, attribute: &str) -> bool {
        self.text(attribute).is_some()
    }
}
