//! A quantity that can be plotted, named as in tables and conditions.
//!
//! ```text
//! joint_error_max          a column of the metrics
//! bodies.box.z             a column of the body called `box`
//! joints.motor.torque      a column of the joint called `motor`
//! rows.motor.2.impulse     impulse (or force) of row 2 of the joint `motor`
//! contacts.floor+box.force the contact of two bodies; contacts.box.force sums all contacts of the box
//! bodies.a.z - bodies.b.z  the difference of two that are not of the run, of one unit
//! ```

use std::sync::Arc;

use super::columns::{BODIES, CONTACTS, Cell, Column, ColumnHeading, JOINTS, KEYS, METRICS, Moment};
use super::condition::{self, Subject};
use super::contact::{self, ContactPair};
use super::names::Names;
use super::snapshot::view::{body_now, joint_view};
use super::{Sample, Snapshot};
use delassus_physics::row::{RowList, SLOTS};
use delassus_physics::world::World;
use delassus_scene::nearest;

/// A quantity whose name is valid; the scene may still lack the body or joint that it names.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    text: String,
    of: Of,
}

/// The owner, by name, and the column.
#[derive(Debug, Clone, PartialEq)]
enum Of {
    Run(usize),
    Body(String, usize),
    Joint(String, usize),
    Row(String, usize, usize),
    Contact(String, usize),
    Difference(Box<[Quantity; 2]>),
}

/// Between the two quantities of a difference; a name may have a minus without spaces.
pub const MINUS: &str = " - ";

/// The columns of a joint row.
pub const ROWS: [ColumnHeading; 2] = [
    ColumnHeading {
        name: "impulse",
        unit: "N·s, N·m·s",
        what: "λ of the last sub-step; zero where it was off",
        counted: false,
    },
    ColumnHeading { name: "force", unit: "N, N·m", what: "λ/h of the last sub-step", counted: false },
];

/// Where a quantity is found in the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuantitySource {
    Body(u32),
    Joint(usize),
    Contact(ContactPair),
    Two(Box<[QuantitySource; 2]>),
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Quantity {
    /// Reads a quantity's name.
    ///
    /// # Errors
    /// What was expected; for an unknown column, also the most similar one.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.len() > condition::MAX_BYTES {
            return Err(format!("it is too long, at most {} bytes", condition::MAX_BYTES));
        }
        // First, for the name of a body or joint reaches to the last point.
        let mut cuts = text.match_indices(MINUS).map(|(at, _)| [&text[..at], &text[at + MINUS.len()..]]);
        if let Some([first, second]) = cuts.find_map(|[a, b]| Some([Self::one(a).ok()?, Self::one(b).ok()?])) {
            let units = [&first, &second].map(|side| side.heading().unit);
            if first.is_of_run() || second.is_of_run() {
                return Err("a difference is taken of bodies, joints, rows or contacts".into());
            }
            if units[0] != units[1] {
                return Err(format!("`{first}` is in {}, `{second}` in {}", units[0], units[1]));
            }
            return Ok(Self { text: text.to_owned(), of: Of::Difference(Box::new([first, second])) });
        }
        Self::one(text)
    }

    /// Reads a quantity that is no difference.
    fn one(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (subject, column) = condition::subject(text)?;
        if condition::is_word(&subject, column) {
            return Err(format!("`{text}` is text and cannot be plotted"));
        }
        let one = "a curve shows one quantity: give a name in place of `*`";
        let of = match subject {
            Subject::Run => Of::Run(column),
            Subject::Bodies(name) if !name.contains('*') => Of::Body(name, column),
            Subject::Joints(name) if !name.contains('*') => Of::Joint(name, column),
            Subject::Contacts(name) if !name.contains('*') => Of::Contact(name, column),
            Subject::Row(name, slot) => Of::Row(name, slot, column),
            Subject::Radius => return Err("`rho` has no curve; `radius` has one where it is measured".into()),
            Subject::RunLike(_) | Subject::Bodies(_) | Subject::Joints(_) | Subject::Contacts(_) => {
                return Err(one.into());
            }
        };
        Ok(Self { text: text.to_owned(), of })
    }

    /// The text as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The two quantities of a difference.
    pub fn difference(&self) -> Option<&[Self; 2]> {
        if let Of::Difference(sides) = &self.of { Some(sides) } else { None }
    }

    /// The owner: empty for the run, otherwise the name of a body or joint, or of two bodies as `a+b`; of a difference
    /// that of the first quantity.
    pub fn owner(&self) -> &str {
        match &self.of {
            Of::Difference(sides) => sides[0].owner(),
            Of::Run(_) => "",
            Of::Body(name, _) | Of::Joint(name, _) | Of::Row(name, ..) | Of::Contact(name, _) => name,
        }
    }

    /// Name, unit and meaning of its column.
    pub fn heading(&self) -> ColumnHeading {
        match &self.of {
            Of::Run(column) => METRICS[*column].heading(),
            Of::Body(_, column) => BODIES[*column].heading(),
            Of::Joint(_, column) => JOINTS[*column].heading(),
            Of::Row(_, _, column) => ROWS[*column],
            Of::Contact(_, column) => CONTACTS[*column].heading(),
            Of::Difference(sides) => sides[0].heading(),
        }
    }

    /// Whether it is of a joint's row, whose coordinate may be a distance or an angle.
    pub fn is_row(&self) -> bool {
        match &self.of {
            Of::Difference(sides) => sides[0].is_row(),
            of => matches!(of, Of::Row(..)),
        }
    }

    /// Its own unit. Of a column in two units it is the one that the joint's coordinate has; `turns` says whether the
    /// coordinate of the joint of a name is an angle. For a residual or a row it is the first one.
    pub fn unit(&self, turns: impl Fn(&str) -> bool) -> &'static str {
        let heading = self.heading().unit;
        let mut units = heading.split(", ");
        let (first, second) = (units.next().unwrap_or_default(), units.next());
        let of_joint = match &self.of {
            Of::Difference(sides) => matches!(sides[0].of, Of::Joint(..)),
            of => matches!(of, Of::Joint(..)),
        };
        match (heading, second) {
            ("rad, m" | "rad/s, m/s", Some(second)) if of_joint && !turns(self.owner()) => second,
            ("N, N·m", Some(second)) if of_joint && turns(self.owner()) => second,
            _ => first,
        }
    }

    /// The value from a sample's metrics, for a quantity of the run; `None` for all others.
    pub fn of_run(&self, sample: &Sample) -> Option<f64> {
        let Of::Run(column) = self.of else { return None };
        let at = Moment { step: sample.step, time: sample.time };
        Some((METRICS[column].get)(at, sample).number().unwrap_or(f64::NAN))
    }

    /// Whether the metrics contain it.
    pub fn is_of_run(&self) -> bool {
        matches!(self.of, Of::Run(_))
    }

    /// The joint's name if this is a joint's coordinate (`false`) or its rate (`true`), which samples contain for
    /// many joints.
    pub fn joint_reading(&self) -> Option<(&str, bool)> {
        let Of::Joint(name, column) = &self.of else { return None };
        match JOINTS[*column].name {
            "value" => Some((name, false)),
            "speed" => Some((name, true)),
            _ => None,
        }
    }

    /// Where it is found in the world; `None` if it does not exist there, or if it is a quantity of the run.
    pub(super) fn place(&self, names: &Names) -> Option<QuantitySource> {
        match &self.of {
            Of::Run(_) => None,
            Of::Body(name, _) => names.body(name).map(QuantitySource::Body),
            Of::Joint(name, _) | Of::Row(name, ..) => names.joint(name).map(QuantitySource::Joint),
            Of::Contact(name, _) => ContactPair::named(name, |name| names.body(name)).map(QuantitySource::Contact),
            Of::Difference(sides) => {
                let [a, b] = &**sides;
                Some(QuantitySource::Two(Box::new([a.place(names)?, b.place(names)?])))
            }
        }
    }

    /// What the shown scene lacks for this quantity, as a message; `None` if nothing.
    pub fn missing(&self, snapshot: &Snapshot) -> Option<String> {
        let (what, name, known): (_, _, Vec<&str>) = match &self.of {
            Of::Run(_) => return None,
            Of::Contact(name, _) => return contact::missing(snapshot, name).err(),
            Of::Difference(sides) => return sides.iter().find_map(|side| side.missing(snapshot)),
            Of::Body(name, _) => ("body", name, snapshot.bodies.iter().map(|b| &*b.name).collect()),
            Of::Joint(name, _) | Of::Row(name, ..) => {
                ("joint", name, snapshot.joints.iter().map(|j| &*j.name).collect())
            }
        };
        let there = known.contains(&name.as_str());
        (!there).then(|| format!("no {what} is called `{name}`{}", nearest(name, known)))
    }

    /// The value in this world; NaN if it does not exist.
    pub(super) fn value(&self, place: &QuantitySource, world: &World, list: &mut RowList) -> f64 {
        if let (Of::Difference(sides), QuantitySource::Two(places)) = (&self.of, place) {
            let [a, b] = &**sides;
            return a.value(&places[0], world, list) - b.value(&places[1], world, list);
        }
        // After an undo, the place may still be that of another world.
        let there = match place {
            QuantitySource::Body(id) => (*id as usize) < world.state.bodies.len(),
            QuantitySource::Joint(joint) => *joint < world.state.joints.len(),
            _ => true,
        };
        if !there {
            return f64::NAN;
        }
        match (&self.of, place) {
            (Of::Body(_, column), QuantitySource::Body(id)) => of_body(world, *id, *column, |cell| cell.number()),
            (Of::Joint(_, column), QuantitySource::Joint(joint)) => {
                of_joint(world, *joint, *column, list, |cell| cell.number())
            }
            (Of::Row(_, slot, column), QuantitySource::Joint(joint)) => Some(of_row(world, *joint, *slot, *column)),
            (Of::Contact(_, column), QuantitySource::Contact(between)) => of_contact(world, *between, *column),
            _ => None,
        }
        .unwrap_or(f64::NAN)
    }

    /// All quantities of the run that can be plotted, except step and time.
    pub fn all_of_run() -> impl Iterator<Item = (String, ColumnHeading)> {
        METRICS[KEYS..].iter().map(|c| (c.name.to_owned(), c.heading()))
    }

    /// All quantities of the body of this name.
    pub fn all_of_body(name: &str) -> impl Iterator<Item = (String, ColumnHeading)> {
        let quantity = move |c: &Column<_>| (format!("bodies.{name}.{}", c.name), c.heading());
        BODIES[KEYS + 1..].iter().map(quantity)
    }

    /// All quantities of the contact of two bodies, `a+b`, or of all contacts of a body.
    pub fn all_of_contacts(name: &str) -> impl Iterator<Item = (String, ColumnHeading)> {
        let quantity = move |c: &Column<_>| (format!("contacts.{name}.{}", c.name), c.heading());
        CONTACTS[KEYS + 1..].iter().map(quantity)
    }

    /// All quantities of the joint of this name and its rows.
    pub fn all_of_joint(name: &str) -> impl Iterator<Item = (String, ColumnHeading)> {
        let quantity = move |c: &Column<_>| (format!("joints.{name}.{}", c.name), c.heading());
        let row = move |slot: usize| (format!("rows.{name}.{slot}.force"), ROWS[1]);
        JOINTS[KEYS + 1..].iter().filter(|c| c.name != "at").map(quantity).chain((0..SLOTS).map(row))
    }
}

/// A body's cell in a column.
pub(super) fn of_body<R>(world: &World, id: u32, column: usize, read: impl FnOnce(Cell<'_>) -> R) -> R {
    read((BODIES[column].get)(moment(world), &body_now(world, id)))
}

/// A joint's cell in a column.
pub(super) fn of_joint<R>(
    world: &World,
    joint: usize,
    column: usize,
    list: &mut RowList,
    read: impl FnOnce(Cell<'_>) -> R,
) -> R {
    read((JOINTS[column].get)(moment(world), &joint_view(world, joint, Arc::from(""), list)))
}

/// The value of a contact in a column.
pub(super) fn of_contact(world: &World, between: ContactPair, column: usize) -> Option<f64> {
    let view = between.view(world.contact_points(), world.tractions(), world.substep());
    (CONTACTS[column].get)(moment(world), &view).number()
}

/// The value of a joint's row: impulse in column 0, force in column 1.
pub(super) fn of_row(world: &World, joint: usize, slot: usize, column: usize) -> f64 {
    let settled = world.synced();
    let world = settled.as_ref().unwrap_or(world);
    let impulse = f64::from(world.state.joints[joint].impulses[slot]);
    if column == 0 { impulse } else { impulse / f64::from(world.substep()) }
}

pub(super) fn moment(world: &World) -> Moment {
    Moment { step: world.state.step_count, time: world.state.time }
}

/// `NAME.SLOT.COLUMN`
pub(super) fn row(rest: &str) -> Result<(String, usize, usize), String> {
    let form = "expected a joint, the number of its row and `impulse` or `force`, as in rows.motor.2.force";
    let (rest, column) = rest.rsplit_once('.').ok_or(form)?;
    let (name, slot) = rest.rsplit_once('.').ok_or(form)?;
    let slot = slot.parse().ok().filter(|slot| *slot < SLOTS);
    let slot = slot.ok_or_else(|| format!("a joint's rows are numbered from 0 to {}", SLOTS - 1))?;
    let column = ROWS.iter().position(|heading| heading.name == column);
    Ok((name.to_owned(), slot, column.ok_or(form)?))
}

/// Values of a quantity by step, as far as they were recorded or recomputed.
#[derive(Debug, Clone)]
pub struct QuantityTrace {
    pub quantity: Quantity,
    pub(super) place: Option<QuantitySource>,
    /// Step, simulated time, s, and value, in order.
    pub values: std::collections::VecDeque<(u64, f64, f64)>,
    /// Whether the values before it was requested have been recomputed.
    pub(super) filled: bool,
    /// Whether it is recorded while no plot shows it, because a sensor reads it.
    pub(super) always: bool,
}

impl QuantityTrace {
    pub(super) fn new(quantity: Quantity) -> Self {
        Self { quantity, place: None, values: Default::default(), filled: false, always: false }
    }

    /// Records the value after the world's step, unless known; keeps at most `capacity` values.
    pub(super) fn note(&mut self, world: &World, capacity: usize, list: &mut RowList) {
        let step = world.state.step_count;
        let Some(place) = &self.place else { return };
        let at = self.values.partition_point(|(known, ..)| *known < step);
        if self.values.get(at).is_some_and(|(known, ..)| *known == step) {
            return;
        }
        let value = self.quantity.value(place, world, list);
        self.values.insert(at, (step, world.state.time, value));
        if self.values.len() > capacity {
            self.values.pop_front();
        }
    }

    /// Takes the values of steps that are not known; keeps at most `capacity` in all.
    pub(super) fn append_unknown(&mut self, values: std::collections::VecDeque<(u64, f64, f64)>, capacity: usize) {
        let mut all: Vec<_> = self.values.drain(..).chain(values).collect();
        // Of two values of one step the first is the known one: the sort is stable.
        all.sort_by_key(|(step, ..)| *step);
        all.dedup_by_key(|(step, ..)| *step);
        let surplus = all.len().saturating_sub(capacity);
        self.values.extend(all.into_iter().skip(surplus));
    }

    /// The value after a step, if known.
    pub fn at(&self, step: u64) -> Option<f64> {
        let at = self.values.binary_search_by_key(&step, |(step, ..)| *step).ok()?;
        Some(self.values[at].2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_named_as_columns_are_and_one_is_meant() {
        for (text, owner, unit) in [
            ("energy", "", "J"),
            (" bodies.left.box.z ", "left.box", "m"),
            ("joints.motor.torque", "motor", "N·m"),
            ("rows.a.b.3.force", "a.b", "N, N·m"),
            ("contacts.left.box+right.box.penetration", "left.box+right.box", "m"),
        ] {
            let read = Quantity::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((read.owner(), read.heading().unit, read.text()), (owner, unit, text.trim()));
        }
        for (text, says) in [
            ("energi", "`energy`"),
            ("bodies.*.z", "one quantity"),
            ("joints.motor.at", "is text"),
            ("contacts.a+b.contact", "is text"),
            ("contacts.force", "as in contacts.*.force"),
            ("rows.motor.12.force", "from 0 to 11"),
            ("rows.motor.force", "expected a joint"),
            ("bodies.a.z - bodies.b.vz", "`bodies.a.z` is in m, `bodies.b.vz` in m/s"),
            ("bodies.a.speed - joint_error_max", "a difference is taken of bodies"),
            ("", "no column"),
        ] {
            let error = Quantity::read(text).expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
        }
        // A name may have a minus, and one with spaces.
        let read = Quantity::read("bodies.post-a.z - bodies.b.z").expect("a difference");
        assert_eq!(read.difference().map(|sides| sides.each_ref().map(|side| side.owner())), Some(["post-a", "b"]));
        let read = Quantity::read("bodies.a - b.z").expect("a body of this name");
        assert_eq!((read.difference().is_none(), read.owner()), (true, "a - b"));
        // Every quantity that is offered can be read.
        let all = Quantity::all_of_run().chain(Quantity::all_of_body("b")).chain(Quantity::all_of_joint("j"));
        let all = all.chain(Quantity::all_of_contacts("a+b"));
        all.for_each(|(text, _)| drop(Quantity::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))));
    }
}
