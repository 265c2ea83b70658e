//! The reference of the scene format: each field of each type with its value, unit, range, default and meaning.
//! `format.ron` is the list. Units and ranges are those of the quantities by which scenes are checked; the joint
//! kinds and the doctor's rules describe themselves. `delassus format` prints the reference, `docs/scene-format.md`
//! is made from it, and a test compares it with what the types read. The settings are listed separately.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::check::{
    MAX_CLAIMS, MAX_CURVES, MAX_EXPERIMENTS, MAX_FORCES, MAX_HULL_POINTS, MAX_MATERIALS, MAX_PLOTS, MAX_TIMES,
    MAX_WAYPOINTS,
};
use super::expand::MAX_BODIES;
use super::ron_text;
use super::rule::Rule;
use super::sensor::MAX_SENSORS;
use delassus_physics::joints::{Given, JointDisplay, JointKind, Parameter, Role};
use delassus_physics::primitives::written::MAX_ROWS;

use delassus_physics::primitives::expression::MAX_PARAMETERS;
use delassus_physics::primitives::profile::{MAX_RADII, MIN_RADII};
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::quantity::{self, UnitRange};
use delassus_physics::refuse;
use delassus_physics::shape::MAX_PARTS;

/// A type of the format: its fields, or its forms, each with its own fields.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Type {
    /// Name of the type in the program; the heading in the reference.
    pub name: &'static str,
    pub what: String,
    /// Example of a value in a file.
    pub example: &'static str,
    /// Fields of the form without a name before the bracket; empty if the type has named forms.
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
    /// The kind of value, or the name of a [`Type`]; `[…]` is a list of these.
    pub takes: &'static str,
    /// SI unit; empty for pure numbers and words.
    pub unit: &'static str,
    /// The permitted values; empty if the kind of value says it all.
    pub range: String,
    /// The meaning of leaving it out; `required` if it must be given.
    pub default: String,
    pub what: &'static str,
}

/// A field as written in `format.ron`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: &'static str,
    takes: &'static str,
    /// Name of its quantity, which determines unit and range; may be empty.
    #[serde(default)]
    of: &'static str,
    #[serde(default)]
    unit: &'static str,
    #[serde(default)]
    range: &'static str,
    /// Added to the range of the quantity.
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
            ("{CLAIMS}", MAX_CLAIMS.to_string()),
            ("{MATERIALS}", MAX_MATERIALS.to_string()),
            ("{EXPERIMENTS}", MAX_EXPERIMENTS.to_string()),
            ("{CURVES}", MAX_CURVES.to_string()),
            ("{PLOTS}", MAX_PLOTS.to_string()),
            ("{SENSORS}", MAX_SENSORS.to_string()),
            ("{HULL}", MAX_HULL_POINTS.to_string()),
            ("{PARTS}", MAX_PARTS.to_string()),
            ("{FORCES}", MAX_FORCES.to_string()),
            ("{TIMES}", MAX_TIMES.to_string()),
            ("{WAYPOINTS}", MAX_WAYPOINTS.to_string()),
            ("{PLACE}", quantity::PLACE.max.to_string()),
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
    /// The field with the unit and range of a quantity.
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

/// All types, beginning with the scene itself.
pub fn types() -> &'static [Type] {
    static TYPES: LazyLock<Vec<Type>> = LazyLock::new(|| {
        let read: Result<Vec<Type>, _> = ron_text::read(include_str!("format.ron"), &ron::Options::default());
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

/// The form of a joint kind, with a field for each parameter.
fn joint(kind: &JointKind) -> ValueForm {
    let info = kind.info();
    let mut kind = *kind;
    let mut fields = Vec::new();
    for Parameter { name, what, role } in kind.parameters() {
        let field =
            |takes, default: &str| Field { name, takes, unit: "", range: String::new(), default: default.into(), what };
        let stops = |takes, unit| Field { unit, range: "least ≤ greatest".into(), ..field(takes, "free") };
        let takes = match role {
            Role::AngleLimit(_) => stops("(Angle, Angle)", ""),
            Role::SlideLimit(_) => stops("(least, greatest)", quantity::SLIDE.unit),
            Role::Swing(limit) => field("SwingLimit", &limit.get().map_or_else(|| "free".into(), swing)),
            Role::AngularMotor(motor) => field("AngularDrive", without(&motor)),
            Role::LinearMotor(motor) => field("LinearDrive", without(&motor)),
            Role::AngleZero(_) => field("Angle", "0"),
            Role::SlideZero(_) => field("number", "0").of(&quantity::SLIDE),
            Role::AngularServo(_) => field("AngularServo", "none"),
            Role::LinearServo(_) => field("LinearServo", "none"),
            Role::AngularSpring(_) => field("AngularSpring", "none"),
            Role::LinearSpring(_) => field("LinearSpring", "none"),
            Role::SlideAxis(_) => field("SlideAxis", "Locked"),
            Role::TurnAxis(_) => field("TurnAxis", "Locked"),
            Role::Axes(_) | Role::RotationZero(_) => field("(Angle, Angle, Angle)", "(0, 0, 0)"),
            Role::Length(_) if info.shown == JointDisplay::Sheaves || info.shown == JointDisplay::Drum => {
                field("number", "as in the scene").of(&quantity::LENGTH)
            }
            Role::Length(_) => field("number", "the anchors' distance in the scene").of(&quantity::LENGTH),
            // Both ways to give them; the default one is given by frequency and ratio.
            Role::SpringRate(rate) => {
                fields.push(field("number", &value(&Role::SpringRate(rate))).of(&quantity::HERTZ));
                let what = "force per metre of stretch, independent of what hangs on it; instead of `hertz`";
                Field { name: "stiffness", what, ..field("number", "none") }.of(&quantity::STIFFNESS)
            }
            Role::Damping(damping) => {
                fields.push(field("number", &value(&Role::Damping(damping))).of(&quantity::DAMPING_RATIO));
                let what = "force per metre per second, independent of what hangs on it; instead of `damping_ratio`";
                Field { name: "damping", what, ..field("number", "none") }.of(&quantity::DAMPING)
            }
            Role::Coefficient(own) => field("number", &own.usual.to_string()).of(&own.of),
            Role::Place(_) => field("(x, y, z)", REQUIRED).of(&quantity::PLACE),
            Role::Profile(_) => Field {
                unit: quantity::SIZE.unit,
                range: format!("{MIN_RADII} to {MAX_RADII} numbers above 0"),
                ..field("[number]", REQUIRED)
            },
            Role::Switch(_) => field("true or false", "false"),
            Role::Rows(_) => {
                Field { range: format!("1 to {MAX_ROWS} texts of at most 500 characters"), ..field("[text]", REQUIRED) }
            }
            Role::Bounds(_) => Field { range: format!("at most {MAX_ROWS}"), ..field("[Bound]", "[Equal]") },
            Role::Values(_) => Field {
                range: format!("at most {MAX_PARAMETERS}; values within ±{}", quantity::PARAMETER.max),
                ..field("[(name, number)]", "[]")
            },
            Role::Wrap(_) => field("Angle", "Degrees(180)").of(&quantity::WRAP),
            Role::Radius(_) => Field { range: "not 0".into(), ..field("number", REQUIRED).of(&quantity::RADIUS) },
            Role::Lead(_) => Field { range: "not 0".into(), ..field("number", REQUIRED).of(&quantity::LEAD) },
            Role::HingeForm(_) | Role::OrientationForm(_) => field("formulation", "the setting's"),
        };
        fields.push(takes);
    }
    let axis = if info.axis { "; needs an `axis`" } else { "" };
    ValueForm { name: info.name, what: format!("{}{axis}", info.what), fields }
}

fn swing(limit: SwingLimit) -> String {
    match limit {
        SwingLimit::Cone(half) => format!("Cone({half})"),
        SwingLimit::Ellipse(first, second) => format!("Ellipse({first}, {second})"),
        SwingLimit::Pyramid(first, second) => format!("Pyramid({first}, {second})"),
    }
}

/// A parameter's one number.
fn value(role: &Role<'_>) -> String {
    role.numbers().first().map_or_else(String::new, |number| number.value.to_string())
}

/// The meaning of leaving out a drive.
fn without<T>(drive: &Given<'_, T>) -> &'static str {
    match drive {
        Given::Always(_) => REQUIRED,
        Given::Maybe(_) => "none",
    }
}
