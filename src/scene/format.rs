//! The reference of the scene format: every field of every type with what it takes, its unit, range, default and
//! meaning, in this one place. `delassus format` prints it, `docs/scene-format.md` is made of it, and a test holds it to
//! what the types themselves read. The settings' part is their own list; the joints say what they are themselves.

use serde::Serialize;

use super::check::{MAX_COORDINATE, MAX_HULL_POINTS, MAX_SPEED, MAX_WAYPOINTS};
use super::expand::MAX_BODIES;
use crate::physics::joints::{Given, JointKind, Parameter, Role};
use crate::physics::parts::swing_twist::SwingLimit;

/// A type of the format: its fields, or its forms, each with fields of its own.
#[derive(Debug, Clone, Serialize)]
pub struct Type {
    /// The type's name in the program; the heading in the reference.
    pub name: &'static str,
    pub what: String,
    /// How it looks in a file.
    pub example: &'static str,
    /// Written without a name before its bracket; none where the type has forms.
    pub fields: Vec<Field>,
    pub forms: Vec<Form>,
}

/// One way to write a value of a type: `Sphere(radius: 1)`, `Static`.
#[derive(Debug, Clone, Serialize)]
pub struct Form {
    pub name: &'static str,
    pub what: String,
    pub fields: Vec<Field>,
}

/// A field.
#[derive(Debug, Clone, Serialize)]
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

const REQUIRED: &str = "required";
/// What fields take.
const TEXT: &str = "text";
const NUMBER: &str = "number";
const WHOLE: &str = "whole number";
const VECTOR: &str = "(x, y, z)";
const SWITCH: &str = "true or false";

fn field(name: &'static str, takes: &'static str, default: &str, what: &'static str) -> Field {
    Field { name, takes, unit: "", range: String::new(), default: default.into(), what }
}

impl Field {
    fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    fn range(mut self, range: impl Into<String>) -> Self {
        self.range = range.into();
        self
    }

    fn within(self, most: f32) -> Self {
        self.range(format!("each within ±{most}"))
    }

    fn positive(self) -> Self {
        self.range("above 0")
    }
}

fn group(name: &'static str, what: &str, example: &'static str, fields: Vec<Field>) -> Type {
    Type { name, what: what.into(), example, fields, forms: Vec::new() }
}

fn choice(name: &'static str, what: &str, example: &'static str, forms: Vec<Form>) -> Type {
    Type { name, what: what.into(), example, fields: Vec::new(), forms }
}

fn form(name: &'static str, what: impl Into<String>, fields: Vec<Field>) -> Form {
    Form { name, what: what.into(), fields }
}

fn place(name: &'static str, default: &'static str, what: &'static str) -> Field {
    field(name, VECTOR, default, what).unit("m").within(MAX_COORDINATE)
}

fn velocity(name: &'static str, unit: &'static str, what: &'static str) -> Field {
    field(name, VECTOR, "(0, 0, 0)", what).unit(unit).within(MAX_SPEED)
}

fn axis(name: &'static str, what: &'static str) -> Field {
    field(name, VECTOR, "none", what).range("not zero; any length")
}

fn rotation() -> Field {
    field("rotation", "Rotation", "(0, 0, 0, 1)", "how it is turned")
}

fn own_stabilization() -> Field {
    field(
        "stabilization",
        "StabilizationPatch",
        "()",
        "settings of the stabilisation for itself; the scene's for the rest",
    )
}

/// All types, the scene itself first.
pub fn types() -> Vec<Type> {
    let mut types = vec![scene(), camera(), material(), body()];
    types.extend([shape(), motion(), mover(), turn(), angle()]);
    types.extend(patterns());
    types.extend([joint(), kinds()]);
    types.extend(drives());
    types.extend([breaks(), experiment(), rules()]);
    types
}

fn scene() -> Type {
    let fields = vec![
        field("version", WHOLE, REQUIRED, "of the format").range("1"),
        field("title", TEXT, REQUIRED, "shown in the library and above the view"),
        field("source", TEXT, "\"\"", "the document and chapter that it reproduces, as in `004 ch. 9`"),
        field("about", TEXT, "\"\"", "what it shows, in a few sentences"),
        field("look_for", TEXT, "\"\"", "what to look for"),
        field(
            "expects",
            "[Rule]",
            "[]",
            "what the doctor would warn of and the scene is made to show: it is told as meant",
        ),
        field("settings", "SettingsPatch", "()", "what differs from the default settings"),
        field("camera", "CameraDoc", "()", "where the camera starts"),
        field("materials", "[Material]", "[]", "surfaces, to be named by bodies"),
        field("bodies", "[Body]", "[]", "the bodies")
            .range(format!("at most {MAX_BODIES} with those of patterns and parts")),
        field("patterns", "[Pattern]", "[]", "many bodies in a few words"),
        field("parts", "[Part]", "[]", "other scenes' bodies and joints, placed here"),
        field("joints", "[Joint]", "[]", "what holds bodies together"),
        field("experiments", "[Experiment]", "[]", "named changes of settings, a click each"),
    ];
    let example = "(version: 1, title: \"Pendulum\", bodies: […], joints: […])";
    group("Scene", "The whole file.", example, fields)
}

fn camera() -> Type {
    let fields = vec![
        place("eye", REQUIRED, "where it stands"),
        place("target", REQUIRED, "the point that it looks at; another one than the eye"),
    ];
    let what = "Where the camera starts; left out it is `(eye: (6, -10, 5), target: (0, 0, 1))`.";
    group("CameraDoc", what, "(eye: (4, -6, 2), target: (0, 0, 1))", fields)
}

fn material() -> Type {
    let fields = vec![
        field("name", TEXT, REQUIRED, "unique among the materials"),
        field("friction", NUMBER, "0.5", "friction coefficient").range("0 to 1000"),
        field("restitution", NUMBER, "0", "0 does not bounce, 1 bounces back").range("0 to 1"),
        field("rolling", NUMBER, "0", "rolling friction's lever arm").unit("m").range("0 to 1000"),
        field("soft", "Softness", "none", "a spring in place of a rigid surface; of two that touch, the slower one"),
    ];
    let what = "A surface. How two of them make one value is the setting `contact.mix`.";
    group("Material", what, "(name: \"ice\", friction: 0.02)", fields)
}

fn body() -> Type {
    let fields = vec![
        field("name", TEXT, REQUIRED, "unique in the scene, not `world`; a pattern's template needs none"),
        field("shape", "Shape", REQUIRED, "its geometry"),
        place("at", "(0, 0, 0)", "where the shape's own origin stands; a hull's centre of mass may be elsewhere"),
        rotation(),
        field("motion", "Motion", "Dynamic", "what moves it"),
        field("mass", NUMBER, "none", "instead of `density`")
            .unit("kg")
            .range("above 0; of a dynamic body 1e-6 to 1e12"),
        field("density", NUMBER, "1000", "instead of `mass`").unit("kg/m³").range("above 0; the mass as above"),
        velocity("velocity", "m/s", "of the centre of mass, world frame; not of a static body"),
        velocity("spin", "rad/s", "angular velocity, world frame; not of a static body"),
        field("material", TEXT, "none", "the name of one of the materials; what the body says itself goes before it"),
        field("friction", NUMBER, "its material's, else 0.5", "friction coefficient").range("0 to 1000"),
        field("restitution", NUMBER, "its material's, else 0", "0 does not bounce, 1 bounces back").range("0 to 1"),
        field("rolling", NUMBER, "its material's, else 0", "rolling friction's lever arm").unit("m").range("0 to 1000"),
        field("collide", SWITCH, "true", "whether it touches anything"),
        field("particle", SWITCH, "false", "a point mass, which does not turn; of a dynamic body"),
        axis("plane", "the normal of the plane in which it stays and turns, world frame; of a dynamic body"),
        field("mover", "Mover", "none", "the law of a kinematic body, instead of `velocity` and `spin`"),
    ];
    group("Body", "A rigid body.", "(name: \"bob\", shape: Sphere(radius: 0.2), at: (1, 0, 2), mass: 1)", fields)
}

fn shape() -> Type {
    let radius = || field("radius", NUMBER, REQUIRED, "radius").unit("m").positive();
    let length = || field("half_length", NUMBER, REQUIRED, "half the length along z").unit("m").positive();
    let half = field("half", VECTOR, REQUIRED, "half extents along x, y and z").unit("m").range("each above 0");
    let points = field("points", "[(x, y, z)]", REQUIRED, "its corners, others inside are passed over").unit("m");
    let forms = vec![
        form("Box", "a cuboid", vec![half]),
        form("Sphere", "a ball", vec![radius()]),
        form("Capsule", "a segment along z, thickened by the radius", vec![radius(), length()]),
        form("Cylinder", "stands along z", vec![radius(), length()]),
        form(
            "Hull",
            "the convex hull of points, not all in one plane",
            vec![points.range(format!("4 to {MAX_HULL_POINTS} points, each within ±{MAX_COORDINATE}"))],
        ),
    ];
    choice("Shape", "A body's geometry, about its own origin, long axes along z.", "Box(half: (1, 0.5, 0.1))", forms)
}

fn motion() -> Type {
    let forms = vec![
        form("Static", "nothing moves it", Vec::new()),
        form("Kinematic", "its own velocity or `mover` moves it, whatever pushes against it", Vec::new()),
        form("Dynamic", "forces and impulses move it", Vec::new()),
    ];
    choice("Motion", "What moves a body.", "motion: Static", forms)
}

fn mover() -> Type {
    let points = field("points", "[(x, y, z)]", REQUIRED, "where its origin comes, one after the other").unit("m");
    let forms = vec![
        form(
            "Constant",
            "the same velocity for ever",
            vec![velocity("velocity", "m/s", "the velocity"), velocity("spin", "rad/s", "the angular velocity")],
        ),
        form(
            "Sinusoid",
            "to and fro: v cos(ω t + φ), fastest at the start unless there is a phase",
            vec![
                velocity("velocity", "m/s", "the greatest velocity"),
                velocity("spin", "rad/s", "the greatest angular velocity"),
                field("rate", NUMBER, REQUIRED, "ω").unit("rad/s").range(format!("within ±{MAX_SPEED}")),
                field("phase", "Angle", "0", "φ").range("within ±1000 rad"),
            ],
        ),
        form(
            "Waypoints",
            "from where it stands to one point after the other",
            vec![
                points.range(format!("1 to {MAX_WAYPOINTS} points, each within ±{MAX_COORDINATE}")),
                field("speed", NUMBER, REQUIRED, "along the way")
                    .unit("m/s")
                    .range(format!("above 0, at most {MAX_SPEED}")),
                field(
                    "repeat",
                    SWITCH,
                    "false",
                    "back to the start from the last point and on, instead of staying there",
                ),
            ],
        ),
    ];
    let what = "The law of a kinematic body's velocity, world frame.";
    choice("Mover", what, "Sinusoid(velocity: (0, 4, 0), rate: 0.25)", forms)
}

fn turn() -> Type {
    let forms = vec![
        form(
            "AxisAngle",
            "a turn about an axis",
            vec![
                field("axis", VECTOR, REQUIRED, "the axis").range("not zero; any length"),
                field("angle", "Angle", REQUIRED, "how far"),
            ],
        ),
        form(
            "Euler",
            "turns about the fixed x, then y, then z axis",
            vec![
                field("x", "Angle", "0", "about x"),
                field("y", "Angle", "0", "about y"),
                field("z", "Angle", "0", "about z"),
            ],
        ),
    ];
    let what = "A rotation: a quaternion `(x, y, z, w)` of unit length (within 1 %), or one of the forms.";
    choice("Rotation", what, "AxisAngle(axis: (0, 0, 1), angle: Degrees(45))", forms)
}

fn angle() -> Type {
    let forms = vec![form("Degrees", "in degrees, as in `Degrees(45)`", Vec::new())];
    choice("Angle", "A number of radians, or the form; what was written so stays so.", "0.785", forms)
}

fn patterns() -> [Type; 8] {
    let named = || {
        field("name", TEXT, REQUIRED, "its members are called `name.0`, `name.1`, …; inside a grid it may be left out")
    };
    let template = || field("body", "Body", REQUIRED, "the first body; without a name");
    let count = |name, what| field(name, WHOLE, REQUIRED, what).range(format!("1 to {MAX_BODIES}"));
    let step = |name, what| place(name, REQUIRED, what);
    let chain = vec![
        named(),
        template(),
        count("count", "how many"),
        step("spacing", "from each body to the next"),
        field("joint", "Link", REQUIRED, "between neighbours"),
        field("first", "Motion", "the template's", "how the first body moves"),
        field("last", "Motion", "the template's", "how the last body moves"),
    ];
    let link = vec![
        field("kind", "JointKind", REQUIRED, "what it is"),
        field(
            "along",
            NUMBER,
            "0.5",
            "where its anchor lies on the way from a body's origin (0) to the next one's (1)",
        )
        .range("within ±100"),
        axis("axis", "for kinds that need one, world frame"),
        field("collide", SWITCH, "false", "whether neighbours touch"),
        field("breaks", "Breaks", "none", "what it bears; unbreakable if left out"),
        own_stabilization(),
        field("soft", "SoftRows", "none", "rows that are springs; rigid ones if left out"),
    ];
    let stack = vec![
        named(),
        template(),
        count("count", "how many"),
        step("spacing", "from each body to the next"),
        place("stagger", "(0, 0, 0)", "every second body is moved by this"),
    ];
    let pyramid = vec![
        named(),
        template(),
        count("base", "bodies in the lowest layer").range("1 to 200000 bodies in all"),
        step("across", "from each body to its neighbour in the layer"),
        step("up", "from each layer to the next"),
    ];
    let grid = vec![
        named(),
        field("count", "(nx, ny, nz)", REQUIRED, "copies along x, y and z").range(format!("1 to {MAX_BODIES} in all")),
        step("spacing", "along x, y and z"),
        field("of", "Content", REQUIRED, "what is repeated"),
    ];
    let part = vec![
        field("name", TEXT, "\"\"", "its bodies are called `name.body` here, just `body` if it is left out"),
        field("file", TEXT, REQUIRED, "a scene file, relative to this one"),
        place("at", "(0, 0, 0)", "where its origin stands"),
        rotation(),
    ];
    let form = |name, what: &str| form(name, what, Vec::new());
    let all = vec![
        form("Chain", "a `Chain`"),
        form("Stack", "a `Stack`"),
        form("Pyramid", "a `Pyramid`"),
        form("Grid", "a `Grid`"),
    ];
    let content = vec![
        form("Body", "a `Body`"),
        form("Part", "a `Part`"),
        form("Chain", "a `Chain`"),
        form("Stack", "a `Stack`"),
        form("Pyramid", "a `Pyramid`"),
    ];
    let example = "Stack(name: \"pile\", body: (shape: Box(half: (0.5, 0.5, 0.5))), count: 10, spacing: (0, 0, 1))";
    [
        choice(
            "Pattern",
            "Many bodies in a few words. Its fields stand in the brackets behind its name.",
            example,
            all,
        ),
        group("Chain", "Bodies in a line, each jointed to the one before.", "Chain(name: \"chain\", …)", chain),
        group("Link", "The joint between a chain's neighbours.", "(kind: BallSocket)", link),
        group(
            "Stack",
            "Bodies at equal distances, one on the other or side by side.",
            "Stack(name: \"pile\", …)",
            stack,
        ),
        group(
            "Pyramid",
            "Layers of `base`, `base` − 1, …, 1 bodies, each centred on the one below.",
            "Pyramid(name: \"p\", …)",
            pyramid,
        ),
        group("Grid", "Copies in rows, columns and layers, x fastest.", "Grid(name: \"crowd\", …)", grid),
        choice(
            "Content",
            "What a grid repeats. Its name, if any, follows the copy's number: `crowd.7.torso`.",
            "Part(file: \"parts/ragdoll.ron\")",
            content,
        ),
        group(
            "Part",
            "Another scene's bodies, patterns, parts and joints, placed here; its settings, camera and experiments stay behind.",
            "(name: \"left\", file: \"parts/arm.ron\", at: (1, 0, 0))",
            part,
        ),
    ]
}

fn joint() -> Type {
    let fields = vec![
        field("name", TEXT, "`a-b`", "unique among the joints"),
        field("a", TEXT, "\"world\"", "a body's name, or `world`"),
        field("b", TEXT, REQUIRED, "another one"),
        place("anchor", "none", "one point for both ends, world frame; instead of the next two"),
        place("anchor_a", "where B's end is", "in A's shape frame"),
        place("anchor_b", "where A's end is", "in B's shape frame"),
        axis("axis", "one direction for both ends, world frame; instead of the next two"),
        axis("axis_a", "in A's shape frame"),
        axis("axis_b", "in B's shape frame; A's axis as it stands in the scene if left out"),
        field("kind", "JointKind", REQUIRED, "what it holds"),
        field("collide", SWITCH, "false", "whether the two bodies touch each other"),
        field("breaks", "Breaks", "none", "what it bears; unbreakable if left out"),
        own_stabilization(),
        field("soft", "SoftRows", "none", "rows that are springs; rigid ones if left out"),
    ];
    let what = "A joint between two bodies. Without any anchor a rod or rope runs from origin to origin, and a weld, slider or \
                drive has its anchor at B's origin.";
    group("Joint", what, "(a: \"post\", b: \"bob\", anchor: (0, 0, 4), kind: BallSocket)", fields)
}

/// The joints' kinds; what they are they say themselves.
fn kinds() -> Type {
    let forms = JointKind::all().into_iter().map(|kind| {
        let info = kind.info();
        let axis = if info.axis { "; needs an `axis`" } else { "" };
        form(info.name, format!("{}{axis}", info.what), parameters(&kind))
    });
    let what = "What a joint holds. Without parameters its brackets may be left out.";
    choice("JointKind", what, "Hinge(limit: (Degrees(-30), Degrees(90)))", forms.collect())
}

/// A kind's own fields, as its parameters' roles have them.
fn parameters(kind: &JointKind) -> Vec<Field> {
    let mut kind = *kind;
    let fields = kind.parameters().into_iter().map(|Parameter { name, what, role }| {
        let takes = |takes, default: &str| field(name, takes, default, what);
        match role {
            Role::AngleLimit(_) => takes("(Angle, Angle)", "free").range("least ≤ greatest"),
            Role::SlideLimit(_) => takes("(least, greatest)", "free").unit("m").range("least ≤ greatest"),
            Role::Swing(limit) => takes("SwingLimit", &limit.get().map_or_else(|| "free".into(), swing)),
            Role::AngularMotor(motor) => takes("AngularDrive", without(&motor)),
            Role::LinearMotor(motor) => takes("LinearDrive", without(&motor)),
            Role::AngularSpring(_) => takes("AngularSpring", "none"),
            Role::LinearSpring(_) => takes("LinearSpring", "none"),
            Role::Length(_) => takes(NUMBER, "the anchors' distance in the scene").unit("m").positive(),
            Role::Hertz(hertz) => takes(NUMBER, &hertz.to_string()).unit("Hz").range("0 to 100000"),
            Role::DampingRatio(ratio) => takes(NUMBER, &ratio.to_string()).range("0 to 10000"),
            Role::HingeForm(_) | Role::OrientationForm(_) => takes("formulation", "the setting's"),
        }
    });
    fields.collect()
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

fn softness() -> [Field; 2] {
    [
        field("hertz", NUMBER, REQUIRED, "undamped frequency; zero switches it off").unit("Hz").range("0 to 100000"),
        field("damping_ratio", NUMBER, REQUIRED, "0 swings for ever, 1 comes to rest soonest").range("0 to 10000"),
    ]
}

fn drives() -> [Type; 7] {
    let speed = |unit, what| field("speed", NUMBER, REQUIRED, what).unit(unit);
    let cap = |name, unit, what| field(name, NUMBER, "1000000000", what).unit(unit).range("0 and more");
    let [hertz, damping] = softness();
    let rest = field("angle", "Angle", "0", "where it is at rest");
    let angular = vec![hertz.clone(), damping.clone(), rest];
    let linear = vec![hertz, damping, field("slide", NUMBER, "0", "where it is at rest").unit("m")];
    let soft = |name, what| field(name, "Softness", "rigid", what);
    let rows = vec![
        soft("anchor", "points: anchors, rods, rings, a slider's rails; a rope, where it is taut"),
        soft("axis", "axes and orientations"),
        soft("limit", "stops, those of a swing too"),
    ];
    let swings = vec![
        form("Cone", "the same half angle to every side: `Cone(Degrees(45))`", Vec::new()),
        form("Ellipse", "a half angle about each axis, joined by an ellipse: `Ellipse(0.5, 1)`", Vec::new()),
        form("Pyramid", "a half angle about each axis by itself", Vec::new()),
    ];
    [
        group(
            "AngularDrive",
            "Drives a joint about its axis.",
            "(speed: 2, max_torque: 50)",
            vec![
                speed("rad/s", "of B about the axis relative to A"),
                cap("max_torque", "N·m", "the most that it may apply"),
            ],
        ),
        group(
            "LinearDrive",
            "Drives a joint along its axis.",
            "(speed: 0.5, max_force: 200)",
            vec![
                speed("m/s", "of B along the axis relative to A"),
                cap("max_force", "N", "the most that it may apply"),
            ],
        ),
        group(
            "AngularSpring",
            "A spring with a damper about a joint's axis.",
            "(hertz: 2, damping_ratio: 0.5)",
            angular,
        ),
        group("LinearSpring", "A spring with a damper along a joint's axis.", "(hertz: 2, damping_ratio: 0.5)", linear),
        group("Softness", "A spring with a damper.", "(hertz: 5, damping_ratio: 0.5)", softness().into()),
        group("SoftRows", "Which of a joint's rows are springs.", "(anchor: (hertz: 5, damping_ratio: 0.5))", rows),
        choice("SwingLimit", "How far an axis may lean: half angles from 0.01 to π.", "Cone(Degrees(45))", swings),
    ]
}

fn breaks() -> Type {
    let fields = vec![
        field("force", NUMBER, "any", "more than this breaks it").unit("N").positive(),
        field("torque", NUMBER, "any", "more than this breaks it").unit("N·m").positive(),
    ];
    group("Breaks", "What a joint bears: one of the two at least.", "(force: 500)", fields)
}

fn experiment() -> Type {
    let fields = vec![
        field("name", TEXT, REQUIRED, "unique among the experiments; `--experiment` takes it"),
        field("about", TEXT, "\"\"", "what it shows"),
        field("set", "SettingsPatch", "()", "applied on top of the scene's own settings"),
    ];
    let example = "(name: \"Cold start\", set: (warm_start: (enabled: false)))";
    group("Experiment", "A named change of settings, so that a click shows what they do.", example, fields)
}

/// The doctor's rules.
fn rules() -> Type {
    let forms = [
        ("exclusion", "limits of two joints on the same pair that cannot both hold"),
        ("inertia", "a body that is far easier to turn about one axis than about another"),
        ("breaks", "a break limit below the load"),
        ("degrees", "an angle in radians that looks meant in degrees"),
        ("sweeps", "bodies welded in a row that the sweeps cannot carry"),
        ("jam", "axes of a loop that differ by so little that they must be meant to be one, and jam"),
        ("locked", "a motor in a loop that cannot move"),
        ("against", "motors that drive one motion at speeds that do not suit each other"),
        ("stops", "limits of several joints of a loop that leave it no motion"),
        ("singular", "loops that can begin to move in ways that do not last"),
        ("dead", "a value that stands still though its loop can move"),
        ("loop", "rows of closed loops of joints that depend on each other"),
        ("overlap", "bodies that stand in each other"),
        ("anchors", "anchors, lengths or planes that do not meet at the start"),
        ("axes", "axes of one joint that are not aligned at the start"),
        ("limit", "a value outside its limits, or a rope too short, at the start"),
        ("motor", "a motor without a cap before a stop, or one that starts by pressing on its stop"),
        ("mass", "a heavy body that hangs or stands on a light one"),
        ("far", "a body so far out that single precision has no millimetres left"),
        ("immovable", "a joint between bodies that nothing moves"),
    ];
    let forms = forms.map(|(name, what)| form(name, what, Vec::new()));
    let what = "A rule of the doctor, for scenes that are made to break it.";
    choice("Rule", what, "expects: [mass, singular]", forms.into())
}
