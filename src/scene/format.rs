//! The reference of the scene format: every field of every type with what it takes, its unit, range, default and
//! meaning. `format.ron` is the list; units and ranges are those of the quantities by which scenes are checked, and the
//! joints' kinds and the doctor's rules say themselves what they are. `delassus format` prints it,
//! `docs/scene-format.md` is made of it, and a test holds it to what the types themselves read. The settings' part is
//! their own list.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::check::{MAX_CURVES, MAX_HULL_POINTS, MAX_PLOTS, MAX_WAYPOINTS};
use super::expand::MAX_BODIES;
use super::refuse;
use super::rule::Rule;
use crate::physics::joints::{Given, JointKind, Parameter, Role};
use crate::physics::primitives::swing_twist::SwingLimit;
use crate::physics::quantity::{self, UnitRange};

/// A type of the format: its fields, or its forms, each with fields of its own.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Type {
    /// The type's name in the program; the heading in the reference.
    pub name: &'static str,
    pub what: String,
    /// How it looks in a file.
    pub example: &'static str,
    /// Written without a name before its bracket; none where the type has forms.
    #[serde(default)]
    pub fields: Vec<Field>,
    #[serde(default)]
    pub forms: Vec<ValueForm>,
}

/// One way to write a value of a type: `Sphere(radius: 1)`, `Static`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueForm {
    pub name: &'static str,
    pub what: String,
    #[serde(default)]
    pub fields: Vec<Field>,
}

/// A field.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Line")]
pub struct Field {
    pub name: &'static str,
    /// A kind of value, or the name of a [`Type`]; `[…]` is a list of them.
    pub takes: &'static str,
    /// SI unit; empty for pure numbers and words.
    pub unit: &'static str,
    /// The values that it may have; empty where the kind of value says all.
    pub range: String,
    /// What is meant where it is left out; `required` if it must be given.
    pub default: String,
    pub what: &'static str,
}

/// A field as it stands in the list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: &'static str,
    takes: &'static str,
    /// The name of its quantity, which has its unit and range; empty if it is none.
    #[serde(default)]
    of: &'static str,
    #[serde(default)]
    unit: &'static str,
    #[serde(default)]
    range: &'static str,
    /// What its range is beside that of the quantity.
    #[serde(default)]
    also: &'static str,
    #[serde(default = "required")]
    default: String,
    what: &'static str,
}

const REQUIRED: &str = "required";

fn required() -> String {
    REQUIRED.into()
}

impl From<Line> for Field {
    fn from(Line { name, takes, of, unit, range, also, default, what }: Line) -> Self {
        let bounds = [
            ("{BODIES}", MAX_BODIES.to_string()),
            ("{CURVES}", MAX_CURVES.to_string()),
            ("{PLOTS}", MAX_PLOTS.to_string()),
            ("{HULL}", MAX_HULL_POINTS.to_string()),
            ("{WAYPOINTS}", MAX_WAYPOINTS.to_string()),
            ("{PLACE}", quantity::PLACE.most.to_string()),
        ];
        let range = bounds.iter().fold(range.to_owned(), |range, (name, bound)| range.replace(name, bound));
        let field = Self { name, takes, unit, range, default, what };
        match quantity::LIST.iter().find(|(name, _)| *name == of) {
            Some((_, quantity)) => {
                let field = field.of(quantity);
                Self { range: field.range + also, ..field }
            }
            None => field,
        }
    }
}

impl Field {
    /// With the unit and range of a quantity.
    fn of(self, quantity: &UnitRange) -> Self {
        let range = refuse::range(quantity);
        let range = match self.takes {
            "(x, y, z)" if !range.is_empty() => format!("each {range}"),
            "Angle" if !range.is_empty() => format!("{range} rad"),
            _ => range,
        };
        Self { unit: if self.takes == "Angle" { "" } else { quantity.unit }, range, ..self }
    }
}

/// All types, the scene itself first.
pub fn types() -> &'static [Type] {
    static TYPES: LazyLock<Vec<Type>> = LazyLock::new(|| {
        let read: Result<Vec<Type>, _> = ron::from_str(include_str!("format.ron"));
        let mut types = read.unwrap_or_else(|error| panic!("format.ron:{error}"));
        for kind in &mut types {
            match kind.name {
                "JointKind" => kind.forms = JointKind::all().iter().map(joint).collect(),
                "Rule" => {
                    let form =
                        |rule: &Rule| ValueForm { name: rule.name(), what: rule.what().into(), fields: Vec::new() };
                    kind.forms = Rule::ALL.iter().map(form).collect();
                }
                _ => {}
            }
        }
        types
    });
    &TYPES
}

/// A joint's kind: its fields, as its parameters' roles have them.
fn joint(kind: &JointKind) -> ValueForm {
    let info = kind.info();
    let mut kind = *kind;
    let fields = kind.parameters().into_iter().map(|Parameter { name, what, role }| {
        let field =
            |takes, default: &str| Field { name, takes, unit: "", range: String::new(), default: default.into(), what };
        let stops = |takes, unit| Field { unit, range: "least ≤ greatest".into(), ..field(takes, "free") };
        match role {
            Role::AngleLimit(_) => stops("(Angle, Angle)", ""),
            Role::SlideLimit(_) => stops("(least, greatest)", quantity::SLIDE.unit),
            Role::Swing(limit) => field("SwingLimit", &limit.get().map_or_else(|| "free".into(), swing)),
            Role::AngularMotor(motor) => field("AngularDrive", without(&motor)),
            Role::LinearMotor(motor) => field("LinearDrive", without(&motor)),
            Role::AngularSpring(_) => field("AngularSpring", "none"),
            Role::LinearSpring(_) => field("LinearSpring", "none"),
            Role::Length(_) => field("number", "the anchors' distance in the scene").of(&quantity::LENGTH),
            Role::Hertz(hertz) => field("number", &hertz.to_string()).of(&quantity::HERTZ),
            Role::DampingRatio(ratio) => field("number", &ratio.to_string()).of(&quantity::DAMPING_RATIO),
            Role::HingeForm(_) | Role::OrientationForm(_) => field("formulation", "the setting's"),
        }
    });
    let axis = if info.axis { "; needs an `axis`" } else { "" };
    ValueForm { name: info.name, what: format!("{}{axis}", info.what), fields: fields.collect() }
}

fn swing(limit: SwingLimit) -> String {
    match limit {
        SwingLimit::Cone(half) => format!("Cone({half})"),
        SwingLimit::Ellipse(first, second) => format!("Ellipse({first}, {second})"),
        SwingLimit::Pyramid(first, second) => format!("Pyramid({first}, {second})"),
    }
}

/// What is meant where a drive is left out.
fn without<T>(drive: &Given<'_, T>) -> &'static str {
    match drive {
        Given::Always(_) => REQUIRED,
        Given::Maybe(_) => "none",
    }
}
