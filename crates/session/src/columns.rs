//! The columns of the tables that a run writes: name, unit, meaning and value, defined only here. The tables'
//! headings, the conditions of `--fail-if`, the run's extremes and `docs/columns.md` all use these lists. Add a new
//! column at the end of its list, so that programs that count columns keep working.

use glam::Vec3;
use serde::{Serialize, Serializer};

use crate::{BodyView, ContactView, JointView, Sample};
use delassus_physics::readout::Stops;

/// The content of one field of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    Real(f64),
    /// Written with the digits of single precision.
    Single(f32),
    Count(u64),
    Word(&'a str),
    /// Not measured: the field stays empty.
    Nothing,
}

impl Cell<'_> {
    /// The value as a number; `None` for a word or a missing value.
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Real(v) => Some(v),
            Self::Single(v) => Some(v.into()),
            Self::Count(v) => Some(v as f64),
            Self::Word(_) | Self::Nothing => None,
        }
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Real(v) => serializer.serialize_f64(*v),
            Self::Single(v) => serializer.serialize_f32(*v),
            Self::Count(v) => serializer.serialize_u64(*v),
            Self::Word(v) => serializer.serialize_str(v),
            Self::Nothing => serializer.serialize_none(),
        }
    }
}

/// When a row of a table was measured.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
}

/// A column of a table whose rows are made from `T`s.
pub struct Column<T> {
    /// Its name in the table's heading and in `--fail-if`.
    pub name: &'static str,
    /// SI unit; empty for pure numbers and words.
    pub unit: &'static str,
    /// Its meaning, a sentence without a final stop.
    pub what: &'static str,
    /// Whether it is a count: its values are whole and not negative.
    pub counted: bool,
    pub get: for<'a> fn(Moment, &'a T) -> Cell<'a>,
}

impl<T> Column<T> {
    /// The column without its getter.
    pub fn heading(&self) -> ColumnHeading {
        ColumnHeading { name: self.name, unit: self.unit, what: self.what, counted: self.counted }
    }
}

const fn column<T>(
    name: &'static str,
    unit: &'static str,
    what: &'static str,
    get: for<'a> fn(Moment, &'a T) -> Cell<'a>,
) -> Column<T> {
    Column { name, unit, what, counted: false, get }
}

/// A column that counts something.
const fn number<T>(name: &'static str, what: &'static str, get: for<'a> fn(Moment, &'a T) -> Cell<'a>) -> Column<T> {
    Column { name, unit: "", what, counted: true, get }
}

/// Number of columns with which every table begins.
pub const KEYS: usize = 2;

/// `--csv`: the whole world, one row per step.
pub const METRICS: &[Column<Sample>] = &[
    column("step", "", "number of the step", |at, _| Cell::Count(at.step)),
    column("time", "s", "simulated time", |at, _| Cell::Real(at.time)),
    column("kinetic_energy", "J", "of all dynamic bodies", |_, s| Cell::Real(s.metrics.kinetic_energy)),
    column("potential_energy", "J", "−m g·x of all dynamic bodies; zero at the world's origin", |_, s| {
        Cell::Real(s.metrics.potential_energy)
    }),
    column("momentum_x", "N·s", "of all dynamic bodies, along the world's x", |_, s| Cell::Real(s.metrics.momentum.x)),
    column("momentum_y", "N·s", "along y", |_, s| Cell::Real(s.metrics.momentum.y)),
    column("momentum_z", "N·s", "along z", |_, s| Cell::Real(s.metrics.momentum.z)),
    column("angular_momentum_x", "N·m·s", "of all dynamic bodies about the world's origin, along x", |_, s| {
        Cell::Real(s.metrics.angular_momentum.x)
    }),
    column("angular_momentum_y", "N·m·s", "along y", |_, s| Cell::Real(s.metrics.angular_momentum.y)),
    column("angular_momentum_z", "N·m·s", "along z", |_, s| Cell::Real(s.metrics.angular_momentum.z)),
    column("joint_error_max", "m", "the largest anchor error of a joint", |_, s| Cell::Real(s.metrics.joint_error_max)),
    column("joint_error_mean", "m", "the mean anchor error of the joints", |_, s| {
        Cell::Real(s.metrics.joint_error_mean)
    }),
    column("penetration_max", "m", "the deepest overlap of two bodies; 0 where none overlap", |_, s| {
        Cell::Real(s.metrics.penetration_max)
    }),
    number("contacts", "contact points, predicted ones included", |_, s| Cell::Count(s.metrics.contacts as u64)),
    number("rows", "rows that were solved", |_, s| Cell::Count(s.metrics.rows as u64)),
    column(
        "residual",
        "m/s, rad/s",
        "the largest velocity by which a row still missed its goal after the last sweep",
        |_, s| Cell::Real(s.metrics.residual),
    ),
    column("step_ms", "ms", "wall time of the step", |_, s| Cell::Single(s.step_ms)),
    column("spring_energy", "J", "½ k C² of the joints' springs", |_, s| Cell::Real(s.metrics.spring_energy)),
    number("broken", "joints that have broken so far", |_, s| Cell::Count(s.metrics.broken as u64)),
    column("sweeps", "", "sweeps per sub-step, averaged over the step", |_, s| Cell::Real(s.metrics.sweeps)),
    number(
        "parts",
        "into how many parts the step was divided because a mechanism whips, see `step.max_turn`",
        |_, s| Cell::Count(s.metrics.parts.into()),
    ),
    column("radius", "", "the sweep's spectral radius; empty unless `solver.spectrum_every` asks for it", |_, s| {
        s.metrics.radius.map_or(Cell::Nothing, Cell::Real)
    }),
    column("angular_error_max", "rad", "the largest angle by which the orientation of a joint is off", |_, s| {
        Cell::Real(s.metrics.angular_error_max)
    }),
    column("energy", "J", "kinetic, potential and spring energy together", |_, s| Cell::Real(s.metrics.energy())),
    number("stopped", "how often so far a body was stopped because its velocity ran away", |_, s| {
        Cell::Count(s.metrics.stopped as u64)
    }),
    number("guarded", "impulses cut down or reset so far before they were carried to the next step", |_, s| {
        Cell::Count(s.metrics.guarded as u64)
    }),
    number("asleep", "bodies that sleep", |_, s| Cell::Count(s.metrics.asleep as u64)),
];

/// What is said against a run up to a step; nothing if it can be trusted.
#[derive(Debug, Clone, Default)]
pub struct Distrust(pub String);

/// The last columns of `--csv`: the verdict on the run so far. They are no metrics, so conditions do not read them: a
/// run that cannot be trusted has an exit code of its own.
pub const VERDICT: &[Column<Distrust>] = &[
    number("trusted", "1 while the run can be trusted, else 0; in the last row of the whole run", |_, why| {
        Cell::Count(why.0.is_empty().into())
    }),
    column("distrust", "", "why it cannot be trusted: sentences, with `; ` between them; empty if it can", |_, why| {
        Cell::Word(&why.0)
    }),
];

/// `--bodies`: one row per body and step. World frame.
pub const BODIES: &[Column<BodyView>] = &[
    column("step", "", "number of the step", |at, _| Cell::Count(at.step)),
    column("time", "s", "simulated time", |at, _| Cell::Real(at.time)),
    column("body", "", "its name", |_, b| Cell::Word(&b.name)),
    column("x", "m", "where its shape's origin is, world frame", |_, b| Cell::Single(b.pose.position.x)),
    column("y", "m", "along y", |_, b| Cell::Single(b.pose.position.y)),
    column("z", "m", "along z, which is up", |_, b| Cell::Single(b.pose.position.z)),
    column("qx", "", "its rotation, a unit quaternion: the part along x", |_, b| Cell::Single(b.pose.rotation.x)),
    column("qy", "", "the part along y", |_, b| Cell::Single(b.pose.rotation.y)),
    column("qz", "", "the part along z", |_, b| Cell::Single(b.pose.rotation.z)),
    column("qw", "", "the real part", |_, b| Cell::Single(b.pose.rotation.w)),
    column("vx", "m/s", "velocity of its centre of mass", |_, b| Cell::Single(b.velocity.x)),
    column("vy", "m/s", "along y", |_, b| Cell::Single(b.velocity.y)),
    column("vz", "m/s", "along z", |_, b| Cell::Single(b.velocity.z)),
    column("wx", "rad/s", "angular velocity, world frame", |_, b| Cell::Single(b.angular_velocity.x)),
    column("wy", "rad/s", "about y", |_, b| Cell::Single(b.angular_velocity.y)),
    column("wz", "rad/s", "about z", |_, b| Cell::Single(b.angular_velocity.z)),
    column("speed", "m/s", "the speed of its centre of mass", |_, b| Cell::Single(b.velocity.length())),
    column("spin", "rad/s", "the magnitude of its angular velocity", |_, b| Cell::Single(b.angular_velocity.length())),
    column("tilt", "rad", "the angle between its own z axis and the world's", |_, b| {
        Cell::Single((b.pose.rotation * Vec3::Z).angle_between(Vec3::Z))
    }),
];

/// `--joints`: one row per joint and step. World frame; forces are those on B. With impulses that close the joints at the end
/// of a sub-step they are those at its beginning: the impulse of a step from t − h/2 to t + h/2 is h times the force at t.
pub const JOINTS: &[Column<JointView>] = &[
    column("step", "", "number of the step", |at, _| Cell::Count(at.step)),
    column("time", "s", "simulated time", |at, _| Cell::Real(at.time)),
    column("joint", "", "its name, or `a-b` after its bodies", |_, j| Cell::Word(&j.name)),
    column("error", "m", "how far its anchors are from where they should be", |_, j| Cell::Single(j.readout.error)),
    column("angular_error", "rad", "the angle by which the orientations are from where they should be", |_, j| {
        Cell::Single(j.readout.angular_error)
    }),
    column("value", "rad, m", "its free coordinate: an angle, a slide or a length", |_, j| {
        Cell::Single(j.readout.value)
    }),
    column("speed", "rad/s, m/s", "the rate of `value`", |_, j| Cell::Single(j.readout.speed)),
    column("impulse", "N·s", "the norm of the impulse of all its linear rows", |_, j| {
        Cell::Single(j.readout.impulse())
    }),
    column("force", "N", "the norm over all its linear rows, stops and motors included", |_, j| {
        Cell::Single(j.readout.force.length())
    }),
    column("torque", "N·m", "the norm over all its angular rows", |_, j| Cell::Single(j.readout.torque.length())),
    column("anchor_x", "N", "force of the anchor's rows, along x", |_, j| Cell::Single(j.readout.anchor.x)),
    column("anchor_y", "N", "along y", |_, j| Cell::Single(j.readout.anchor.y)),
    column("anchor_z", "N", "along z", |_, j| Cell::Single(j.readout.anchor.z)),
    column("axis_x", "N·m", "torque of the rows that hold an axis or an orientation, about x", |_, j| {
        Cell::Single(j.readout.axis.x)
    }),
    column("axis_y", "N·m", "about y", |_, j| Cell::Single(j.readout.axis.y)),
    column("axis_z", "N·m", "about z", |_, j| Cell::Single(j.readout.axis.z)),
    column("spring", "N, N·m", "of its spring; positive drives `value` up", |_, j| Cell::Single(j.readout.spring)),
    column("motor", "N, N·m", "of its motor or servo; positive drives `value` up", |_, j| {
        Cell::Single(j.readout.motor)
    }),
    column("limit", "N, N·m", "of the stop that it stands at; positive drives `value` up", |_, j| {
        Cell::Single(j.readout.limit)
    }),
    column("swing", "N·m", "of its swing's stop", |_, j| Cell::Single(j.readout.swing)),
    column("energy", "J", "½ k C² of its spring, and ½ I q̇² of its armature", |_, j| {
        Cell::Single(j.readout.energy)
    }),
    column("at", "", "the stops that it stands at: `least`, `greatest`, `swing`, or two of them", |_, j| {
        Cell::Word(at(j.readout.stops))
    }),
    number("broken", "1 once it has broken, else 0", |_, j| Cell::Count(j.broken.is_some().into())),
    column(
        "residual",
        "m/s, rad/s",
        "the largest velocity by which one of its rows still missed its goal after the last sweep",
        |_, j| Cell::Single(j.readout.residual),
    ),
    column("friction", "N, N·m", "of its friction; positive drives `value` up", |_, j| {
        Cell::Single(j.readout.friction)
    }),
    column("damping", "N, N·m", "of its damping; positive drives `value` up", |_, j| Cell::Single(j.readout.damping)),
    column(
        "coupling",
        "N",
        "between its teeth, along its thread, the difference of its belt's two spans, or of its cam on the follower",
        |_, j| Cell::Single(j.readout.coupling),
    ),
    column("slide_x", "m", "from A's anchor to B's, along A's x, or along the joint's own x if it has axes", |_, j| {
        Cell::Single(j.readout.slides.x)
    }),
    column("slide_y", "m", "along y", |_, j| Cell::Single(j.readout.slides.y)),
    column("slide_z", "m", "along z", |_, j| Cell::Single(j.readout.slides.z)),
    column("angle_x", "rad", "B's rotation vector since the start, about the same axes: about x", |_, j| {
        Cell::Single(j.readout.angles.x)
    }),
    column("angle_y", "rad", "about y", |_, j| Cell::Single(j.readout.angles.y)),
    column("angle_z", "rad", "about z", |_, j| Cell::Single(j.readout.angles.z)),
];

/// `--contacts`: one row per step for every pair of bodies with contact points. World frame; forces are those on B in
/// the last sub-step.
pub const CONTACTS: &[Column<ContactView>] = &[
    column("step", "", "number of the step", |at, _| Cell::Count(at.step)),
    column("time", "s", "simulated time", |at, _| Cell::Real(at.time)),
    column("contact", "", "its bodies as `a+b`", |_, c| Cell::Word(&c.name)),
    number("points", "points that carry a force", |_, c| Cell::Count(c.points as u64)),
    column("normal", "N", "the sum of the points' normal forces", |_, c| Cell::Single(c.normal)),
    column("friction", "N", "the norm of the force along the surface", |_, c| Cell::Single(c.friction.length())),
    column("used", "", "the largest share of the friction bound in use: at 1 it slips", |_, c| Cell::Single(c.used)),
    column("penetration", "m", "the deepest overlap, negative for a gap; empty where no point is", |_, c| {
        c.depth.map_or(Cell::Nothing, Cell::Single)
    }),
    column("force_x", "N", "the total force on B, along x", |_, c| Cell::Single(c.force.x)),
    column("force_y", "N", "along y", |_, c| Cell::Single(c.force.y)),
    column("force_z", "N", "along z", |_, c| Cell::Single(c.force.z)),
    column("force", "N", "the norm of the total force", |_, c| Cell::Single(c.force.length())),
    column("twist", "N·m", "the norm of the torque against spinning about the normal", |_, c| {
        Cell::Single(c.twist.length())
    }),
    column("rolling", "N·m", "the norm of the torque against rolling", |_, c| Cell::Single(c.rolling.length())),
];

/// The stops that a joint is at, in one word.
fn at(stops: Stops) -> &'static str {
    match (stops.swing, stops.least, stops.greatest) {
        (false, false, false) => "",
        (false, true, _) => "least",
        (false, false, true) => "greatest",
        (true, false, false) => "swing",
        (true, true, _) => "swing+least",
        (true, false, true) => "swing+greatest",
    }
}

/// One row of a table.
pub struct TableRow<'a, T: 'static> {
    pub columns: &'static [Column<T>],
    pub at: Moment,
    pub of: &'a T,
}

impl<T: 'static> Serialize for TableRow<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.columns.iter().map(|column| (column.get)(self.at, self.of)))
    }
}

/// A column without its getter, for lists and documents.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ColumnHeading {
    pub name: &'static str,
    pub unit: &'static str,
    pub what: &'static str,
    /// See [`Column::counted`].
    #[serde(skip)]
    pub counted: bool,
}

/// The headings of a list of columns.
pub fn headings<T>(columns: &[Column<T>]) -> Vec<ColumnHeading> {
    columns.iter().map(Column::heading).collect()
}
