//! Lays out a document as single bodies and joints: patterns and parts are expanded, names resolved, and everything
//! is transformed to the world frame.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::check;
use super::materials::Materials;
use super::mistake::{Mistake, nearest};
use super::parts::PartFile;
use super::pattern::Pattern;
use super::patterns::Site;
use super::read::Draft;
use super::report::{DocPath, Report};
use super::types::{Scene, WORLD};
use delassus_physics::body::BodyDef;
use delassus_physics::joint::JointDef;
use delassus_physics::shape::Solid;

/// Maximum number of bodies in a scene.
pub const MAX_BODIES: usize = 1_200_000;
/// Maximum number of joints in a scene.
pub const MAX_JOINTS: usize = 2_400_000;

/// A scene after laying out. Body `i` here is body `i + 1` of the world, whose body 0 is the immovable world itself.
#[derive(Clone, Default)]
pub struct Flat {
    pub bodies: Vec<FlatBody>,
    pub joints: Vec<FlatJoint>,
}

/// The element of the document that a body or joint comes from, by its index in the scene's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    Body(usize),
    Pattern(usize),
    Part(usize),
    Joint(usize),
}

/// A body as the physics takes it, with its name.
#[derive(Clone)]
pub struct FlatBody {
    pub name: Arc<str>,
    pub origin: Origin,
    /// The solid is shared by all bodies of equal shape.
    pub def: BodyDef,
}

/// A joint as the physics takes it, with its name.
#[derive(Debug, Clone)]
pub struct FlatJoint {
    pub name: Arc<str>,
    pub origin: Origin,
    pub def: JointDef,
}

/// Lays out a scene. `base` is the folder that paths of parts are relative to.
///
/// # Errors
/// All mistakes in the scene, by their path in the document instead of a line.
pub fn expand(scene: &Scene, base: &Path) -> Result<Flat, Vec<Mistake>> {
    expand_as(scene, base, Path::new(""))
}

/// Lays out a scene for the file at this path, to which its parts must not refer back.
///
/// # Errors
/// As [`expand`].
pub fn expand_as(scene: &Scene, base: &Path, file: &Path) -> Result<Flat, Vec<Mistake>> {
    let mut report = Report::new(file, None);
    let draft = Draft { scene: scene.clone(), broken: Vec::new() };
    let flat = expand_draft(&draft, base, &mut report);
    if report.mistakes.is_empty() { Ok(flat) } else { Err(report.mistakes) }
}

/// Lays out what could be read; mistakes are added to the report.
pub(super) fn expand_draft(draft: &Draft, base: &Path, report: &mut Report) -> Flat {
    let mut expander = Expander::default();
    // A text without a file has no path, and no part can refer back to it.
    expander.open.extend(delassus_files::built_in::canonical(report.file));
    expander.document(draft, base, &DocumentFrame::default(), None, report);
    expander.flat
}

/// The placement of a document in the world, and the prefix of its names.
#[derive(Debug, Clone, Default)]
pub(super) struct DocumentFrame {
    /// Origin of the document's frame, world frame, m.
    pub position: Vec3,
    /// From the document's frame to the world frame.
    pub rotation: Quat,
    pub prefix: String,
}

impl DocumentFrame {
    /// A point of the document in the world frame, m.
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.position + self.rotation * p
    }

    /// `name` with the prefix and a dot before it.
    pub fn name(&self, name: &str) -> String {
        match (self.prefix.as_str(), name) {
            ("", name) => name.into(),
            (prefix, "") => prefix.into(),
            (prefix, name) => format!("{prefix}.{name}"),
        }
    }

    /// The name of a pattern's member; `text` is a reused buffer.
    pub fn member(&self, member: std::fmt::Arguments<'_>, text: &mut String) -> Arc<str> {
        text.clear();
        text.push_str(&self.prefix);
        if !self.prefix.is_empty() {
            text.push('.');
        }
        // Writing into a string cannot fail.
        let _ = text.write_fmt(member);
        text.as_str().into()
    }

    /// A frame placed in this one.
    pub fn inner(&self, position: Vec3, rotation: Quat, name: &str) -> Self {
        Self { position: self.point(position), rotation: self.rotation * rotation, prefix: self.name(name) }
    }
}

/// The names that may belong to something that was already reported.
struct Excuses<'a> {
    /// Whether something without a name was reported.
    any: bool,
    bodies: HashSet<&'a str>,
    /// Names that others begin with, up to a dot.
    groups: HashSet<&'a str>,
}

impl<'a> Excuses<'a> {
    fn new(scene: &'a Scene, broken: &'a [String]) -> Self {
        let patterns = scene.patterns.iter().map(Pattern::name);
        let parts = scene.parts.iter().map(|part| part.name.as_str());
        let groups: HashSet<&str> = broken.iter().map(String::as_str).chain(patterns).chain(parts).collect();
        let bodies = scene.bodies.iter().map(|body| body.name.as_str()).collect();
        Self { any: groups.contains(""), bodies, groups }
    }

    fn has(&self, name: &str) -> bool {
        let begins = |(dot, _): (usize, &str)| self.groups.contains(&name[..dot]);
        self.any || self.bodies.contains(name) || self.groups.contains(name) || name.match_indices('.').any(begins)
    }
}

/// State of the layout.
#[derive(Default)]
pub(super) struct Expander {
    pub flat: Flat,
    /// Body numbers by name, for the first `named` bodies; the others are added when a name is looked up.
    names: HashMap<Arc<str>, u32>,
    named: usize,
    /// How often each joint name occurs among the first `counted` joints.
    joint_names: HashMap<Arc<str>, u32>,
    counted: usize,
    /// Buffer for making names.
    text: String,
    pub solids: HashMap<Vec<u32>, Option<Arc<Solid>>>,
    pub files: HashMap<PathBuf, Option<Rc<PartFile>>>,
    /// The files being laid out, from the scene's own file inwards.
    pub open: Vec<PathBuf>,
    /// Parts placed so far; limited because parts may contain no bodies.
    pub placed: usize,
    /// Current nesting depth of parts.
    pub depth: usize,
    /// A name that the part being laid out uses a second time.
    pub clash: Option<String>,
    /// Set when a maximum is exceeded: nothing more is laid out.
    pub full: bool,
}

impl Expander {
    /// Lays out a document. `origin` is the scene's element that contains it, `None` for the scene itself.
    pub fn document(
        &mut self,
        draft: &Draft,
        base: &Path,
        frame: &DocumentFrame,
        origin: Option<Origin>,
        report: &mut Report,
    ) {
        let scene = &draft.scene;
        // Fields are listed by name so that a new field must be laid out here.
        let Scene {
            materials,
            bodies,
            patterns,
            parts,
            joints,
            // Not laid out, or used only in the scene itself.
            version: _,
            title: _,
            source: _,
            about: _,
            look_for: _,
            claims: _,
            expects: _,
            settings: _,
            camera: _,
            opens: _,
            experiments: _,
            plots: _,
            sensors: _,
        } = scene;
        let materials = &Materials::new(materials.iter());
        let before = report.mistakes.len();
        check::document(scene, report);
        let bodies_at = DocPath::Root.field("bodies");
        for (i, body) in bodies.iter().enumerate() {
            let place = bodies_at.item(i);
            if body.name.is_empty() {
                report.add(&place, "missing field `name`");
            }
            if let Some(template) = self.template(body, materials, &place, report) {
                let name = frame.name(&body.name).into();
                self.body(&template, name, frame, Vec3::ZERO, origin.unwrap_or(Origin::Body(i)), &place, report);
            }
        }
        let patterns_at = DocPath::Root.field("patterns");
        for (i, pattern) in patterns.iter().enumerate() {
            let place = patterns_at.item(i);
            if pattern.name().is_empty() {
                report.add(&place, "missing field `name`");
            }
            let site = Site { materials, base, origin: origin.unwrap_or(Origin::Pattern(i)) };
            self.pattern(pattern, &site, frame, &place, report);
        }
        let parts_at = DocPath::Root.field("parts");
        for (i, part) in parts.iter().enumerate() {
            self.part(part, base, frame, origin.unwrap_or(Origin::Part(i)), &parts_at.item(i), report);
        }
        // Joints to a body that was refused or not read are not reported again.
        let forgiving = self.full || report.mistakes.len() > before || !draft.broken.is_empty();
        if !joints.is_empty() {
            self.know_names();
        }
        let mut known = None;
        let joints_at = DocPath::Root.field("joints");
        for (i, joint) in joints.iter().enumerate() {
            let place = joints_at.item(i);
            check::joint(joint, &place, report);
            let mut end = |field: &str, name: &str, report: &mut Report| {
                let found = self.find(frame, name);
                if found.is_some() || report.full() {
                    return found;
                }
                let excuses = || Excuses::new(scene, &draft.broken);
                let is_excused = forgiving && known.get_or_insert_with(excuses).has(name);
                if !is_excused {
                    let laid_out = self.flat.bodies.iter().take(1000).map(|body| &*body.name);
                    let groups: Vec<String> = scene.patterns.iter().map(|p| format!("{}.0", p.name())).collect();
                    let body_names = scene.bodies.iter().map(|body| body.name.as_str());
                    let names = body_names.chain(groups.iter().map(String::as_str)).chain(laid_out).chain([WORLD]);
                    let hint = nearest(name, names);
                    report.add(&place.field(field), format!("no body is called `{name}`{hint}"));
                }
                found
            };
            let (a, b) = (end("a", &joint.a, report), end("b", &joint.b, report));
            if let (Some(a), Some(b)) = (a, b) {
                self.joint(joint, a, b, frame, origin.unwrap_or(Origin::Joint(i)), &place, report);
            }
        }
    }

    /// Adds the names of new bodies to the map.
    fn know_names(&mut self) {
        let new = &self.flat.bodies[self.named..];
        self.names.reserve(new.len());
        self.names.extend((self.named as u32 + 1..).zip(new).map(|(index, body)| (body.name.clone(), index)));
        self.named = self.flat.bodies.len();
    }

    /// Whether any body's name equals the prefix, or begins with it and a dot; an empty prefix matches any name.
    pub fn begins_a_name(&self, prefix: &str) -> bool {
        let begun = |name: &str| {
            prefix.is_empty() || name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.flat.bodies.iter().any(|body| begun(&body.name))
    }

    /// Adds a body whose name was claimed. Returns its number in the world.
    pub fn push_body(&mut self, body: FlatBody) -> u32 {
        self.flat.bodies.push(body);
        self.named = self.flat.bodies.len();
        self.named as u32
    }

    /// The body with this name in a document, after `know_names`.
    fn find(&self, frame: &DocumentFrame, name: &str) -> Option<u32> {
        if name == WORLD { Some(0) } else { self.names.get(frame.name(name).as_str()).copied() }
    }

    /// Claims a body's name; false if it is already used or there are too many bodies.
    pub fn claim(&mut self, name: &Arc<str>, place: &DocPath, report: &mut Report) -> bool {
        if self.full {
            return false;
        }
        if self.flat.bodies.len() >= MAX_BODIES {
            self.full = true;
            report.add(place, format!("the scene has too many bodies, at most {MAX_BODIES}"));
            return false;
        }
        if **name == *WORLD {
            report.add(&place.field("name"), format!("`{WORLD}` is the world itself, a body needs another name"));
            return false;
        }
        self.know_names();
        let index = self.flat.bodies.len() as u32 + 1;
        match self.names.entry(name.clone()) {
            Entry::Vacant(slot) => {
                slot.insert(index);
                true
            }
            Entry::Occupied(_) => {
                if self.depth > 0 {
                    // The document that places the part must resolve the clash.
                    self.clash.get_or_insert(name.to_string());
                } else if !name.is_empty() {
                    report.add(&place.field("name"), format!("a second body is called `{name}`"));
                }
                false
            }
        }
    }

    /// The name of a pattern's member in the pattern's frame.
    pub fn member_name(&mut self, frame: &DocumentFrame, member: std::fmt::Arguments<'_>) -> Arc<str> {
        frame.member(member, &mut self.text)
    }

    /// Reserves space for more bodies; false if there would be too many.
    pub fn make_room(&mut self, bodies: u64, place: &DocPath, report: &mut Report) -> bool {
        if bodies > (MAX_BODIES - self.flat.bodies.len().min(MAX_BODIES)) as u64 {
            self.full = true;
            report.add(place, format!("the scene has too many bodies, at most {MAX_BODIES}"));
            return false;
        }
        self.flat.bodies.reserve(bodies as usize);
        true
    }

    /// Adds a joint inside a pattern. Its name is not checked: it can only clash if the names of two bodies do.
    pub fn push_link(&mut self, joint: FlatJoint, place: &DocPath, report: &mut Report) {
        if !self.full && self.flat.joints.len() >= MAX_JOINTS {
            self.full = true;
            report.add(place, format!("the scene has too many joints, at most {MAX_JOINTS}"));
        }
        if !self.full {
            self.flat.joints.push(joint);
        }
    }

    /// Adds a joint under its name, or under the next free one if the name was generated.
    pub fn push_joint(&mut self, mut joint: FlatJoint, given: bool, place: &DocPath, report: &mut Report) {
        if self.full {
            return;
        }
        for known in &self.flat.joints[self.counted..] {
            *self.joint_names.entry(known.name.clone()).or_insert(0) += 1;
        }
        self.counted = self.flat.joints.len();
        let times = self.joint_names.entry(joint.name.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            if given {
                report.add(&place.field("name"), format!("a second joint is called `{}`", joint.name));
                return;
            }
            // Several joints connect the same two bodies.
            joint.name = format!("{}#{times}", joint.name).into();
        }
        self.push_link(joint, place, report);
        self.counted = self.flat.joints.len();
    }
}
