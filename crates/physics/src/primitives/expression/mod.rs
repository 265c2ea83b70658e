//! The formula of a constraint: an error C as an expression of two bodies' poses, such as `length(pB - pA) - 0.2`, with
//! its gradient by automatic differentiation.
//!
//! The text becomes a list of operations once, each of which takes the results of earlier ones. `gradient.rs` goes
//! through the list forwards for C, and backwards for J. Names are in `names.rs`; the grammar is that of
//! `force/formula/read.rs`, and each result is a number or a vector.

mod gradient;
mod mirror;
mod names;

use crate::force::formula::read::{Language, alike, read};
use crate::force::formula::{CONSTANTS, FUNCTIONS, FormulaError, PAIRS};
use crate::row::ErrorForm;
use names::SLOPES;
pub use names::{DISTANCE, End, LEAVES, Leaf, OF_VECTORS};

/// The largest number of operations of a formula.
pub const MAX_OPERATIONS: usize = 200;
/// The largest number of different parameters of a formula.
pub const MAX_PARAMETERS: usize = 6;
/// The longest name of a parameter, characters.
pub const MAX_NAME: usize = 12;

/// The name of a parameter.
pub type Name = [u8; MAX_NAME];

/// The result of an earlier operation, by its place in the list.
type At = u8;

#[derive(Debug, Clone, Copy)]
enum Op {
    Number(f64),
    Parameter(u8),
    Leaf(Leaf),
    Negate(At),
    Add(At, At),
    Subtract(At, At),
    /// A number times a number or a vector.
    Times(At, At),
    /// A number or a vector by a number.
    Over(At, At),
    Dot(At, At),
    Cross(At, At),
    Length(At),
    Normalize(At),
    Component(At, u8),
    Vector(At, At, At),
    /// One of the functions of one value.
    Function(At, u8),
    Power(At, At),
    /// A power with a given exponent, which may be of a negative number.
    ToThe(At, f64),
    Min(At, At),
    Max(At, At),
    Mod(At, At),
    Atan2(At, At),
}

/// A constraint's formula.
#[derive(Debug, Clone)]
pub struct Expression {
    text: Box<str>,
    ops: Box<[Op]>,
    parameters: Box<[(Name, usize)]>,
    has_places: bool,
    form: ErrorForm,
}

impl Expression {
    /// Reads a formula.
    ///
    /// # Errors
    /// If the text is no formula whose value is a number; the error says where.
    pub fn read(text: &str) -> Result<Self, FormulaError> {
        let mut poses = PoseFormulaBuilder { text, ..PoseFormulaBuilder::default() };
        read(text, &mut poses)?;
        if poses.stack.first().is_some_and(|(_, kind)| *kind == Kind::Vector) {
            let what = "a row is a number, and this is a vector: take its `length`, a component, or a `dot`".into();
            return Err(FormulaError { what, at: 1 });
        }
        let has_places = poses.ops.iter().any(|op| matches!(op, Op::Leaf(leaf) if leaf.is_place()));
        let form = poses.form();
        let has_pose = |op: &Op| matches!(op, Op::Leaf(leaf) if !matches!(leaf, Leaf::Rest | Leaf::World(_)));
        if !poses.ops.iter().any(has_pose) {
            let what = "it does not depend on the poses of the bodies; `pB`, `aB` or `angle` do, for example".into();
            return Err(FormulaError { what, at: 1 });
        }
        Ok(Self { text: text.into(), ops: poses.ops.into(), parameters: poses.parameters.into(), has_places, form })
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the parameters, each with the character at which it first occurs.
    pub fn parameters(&self) -> &[(Name, usize)] {
        &self.parameters
    }

    /// The form of its error. If the form is known, SHAKE and RATTLE use its arcs, as for the built-in joints.
    pub fn form(&self) -> ErrorForm {
        self.form
    }

    /// The values of the poses on which it depends.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf> {
        self.ops.iter().filter_map(|op| if let Op::Leaf(leaf) = op { Some(*leaf) } else { None })
    }

    /// Whether it depends on a point or a centre. Its gradient has forces then; otherwise only moments.
    pub fn has_places(&self) -> bool {
        self.has_places
    }
}

/// A parameter's name of at most [`MAX_NAME`] bytes.
pub fn name_of(text: &str) -> Option<Name> {
    let mut name = [0; MAX_NAME];
    name.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    Some(name)
}

/// Whether a word has a meaning of its own in formulas, so that no parameter can be called so.
pub fn is_taken(word: &str) -> bool {
    word == "t" || known().any(|own| own == word)
}

/// All words with a meaning.
fn known() -> impl Iterator<Item = &'static str> {
    let names = LEAVES.iter().map(|(name, _)| *name).chain([DISTANCE]).chain(CONSTANTS.iter().map(|(name, _)| *name));
    let functions = FUNCTIONS.iter().map(|(name, _)| *name).chain(PAIRS.iter().map(|(name, _)| *name));
    names.chain(functions).chain(OF_VECTORS.iter().map(|(name, _)| *name))
}

/// The error message for a name that is neither known nor a parameter.
pub fn unknown(name: &str) -> String {
    match alike(name, known()).filter(|word| *word != name) {
        Some(word) => format!("`{name}` is not known; do you mean `{word}`?"),
        None => format!("`{name}` is not known; give it among the `parameters`"),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Vector,
}

/// Builds the list of operations of a constraint's formula while it is read.
#[derive(Default)]
struct PoseFormulaBuilder<'a> {
    text: &'a str,
    ops: Vec<Op>,
    stack: Vec<(At, Kind)>,
    parameters: Vec<(Name, usize)>,
}

impl PoseFormulaBuilder<'_> {
    fn put(&mut self, op: Op, kind: Kind) -> Result<(), String> {
        if self.ops.len() == MAX_OPERATIONS {
            return Err(format!("more than {MAX_OPERATIONS} operations"));
        }
        self.stack.push((self.ops.len() as At, kind));
        self.ops.push(op);
        Ok(())
    }

    /// Puts a value of the poses onto the stack. A value that an earlier operation has is not computed again.
    fn leaf(&mut self, leaf: Leaf) -> Result<(), String> {
        let kind = if leaf.is_vector() { Kind::Vector } else { Kind::Number };
        match self.ops.iter().position(|op| matches!(op, Op::Leaf(own) if *own == leaf)) {
            Some(at) => {
                self.stack.push((at as At, kind));
                Ok(())
            }
            None => self.put(Op::Leaf(leaf), kind),
        }
    }

    fn pop(&mut self) -> (At, Kind) {
        // The grammar puts every value before it is taken.
        self.stack.pop().unwrap_or((0, Kind::Number))
    }

    fn pop_all<const N: usize>(&mut self, of: &str, wanted: Kind) -> Result<[At; N], String> {
        let mut values = [0; N];
        for value in values.iter_mut().rev() {
            let (at, kind) = self.pop();
            if kind != wanted {
                let [wanted, is] =
                    if wanted == Kind::Number { ["numbers", "a vector"] } else { ["vectors", "a number"] };
                return Err(format!("`{of}` is of {wanted}, and one of its values is {is}"));
            }
            *value = at;
        }
        Ok(values)
    }

    /// t · p with t an axis of A and p = pB − pA, or ‖p‖ less a number.
    fn form(&self) -> ErrorForm {
        let op = |at: At| self.ops[usize::from(at)];
        let is = |at: At, leaf: Leaf| matches!(op(at), Op::Leaf(own) if own == leaf);
        let is_gap =
            |at: At| matches!(op(at), Op::Subtract(b, a) if is(b, Leaf::Point(End::B)) && is(a, Leaf::Point(End::A)));
        let is_axis = |at: At| {
            let at = if let Op::Negate(of) = op(at) { of } else { at };
            matches!(op(at), Op::Leaf(Leaf::Axis(End::A) | Leaf::Own(End::A, _)))
        };
        let is_given = |at: At| matches!(op(at), Op::Number(_) | Op::Parameter(_) | Op::Leaf(Leaf::Rest));
        let is_length = |at: At| matches!(op(at), Op::Length(of) if is_gap(of));
        match self.stack.first().map(|(at, _)| op(*at)) {
            Some(Op::Dot(a, b)) if is_gap(a) && is_axis(b) || is_axis(a) && is_gap(b) => ErrorForm::Along,
            Some(Op::Length(of)) if is_gap(of) => ErrorForm::Length,
            Some(Op::Subtract(a, b)) if is_length(a) && is_given(b) => ErrorForm::Length,
            _ => ErrorForm::Other,
        }
    }

    fn constant(&self, at: At) -> Option<f64> {
        match self.ops[usize::from(at)] {
            Op::Number(number) => Some(number),
            Op::Negate(of) => self.constant(of).map(|number| -number),
            _ => None,
        }
    }
}

impl Language for PoseFormulaBuilder<'_> {
    const EXAMPLE: &'static str = "angle";
    const COMPONENTS: bool = true;

    fn number(&mut self, number: f64) -> Result<(), String> {
        self.put(Op::Number(number), Kind::Number)
    }

    fn value(&mut self, name: &str, called: bool) -> Result<bool, String> {
        if let Some((_, leaf)) = LEAVES.iter().find(|(word, _)| *word == name) {
            return self.leaf(*leaf).map(|()| true);
        }
        if let Some((_, number)) = CONSTANTS.iter().find(|(word, _)| *word == name) {
            return self.number(*number).map(|()| true);
        }
        if name == DISTANCE {
            self.leaf(Leaf::Point(End::B))?;
            self.leaf(Leaf::Point(End::A))?;
            self.operate('-')?;
            return self.call("length").map(|()| true);
        }
        if name == "t" {
            return Err("the time t does not stand in constraints: they are of the poses only".into());
        }
        if called || self.takes(name).is_some() {
            return Ok(false);
        }
        let Some(own) = name_of(name) else {
            return Err(format!("`{name}` is not known, and too long for a parameter: at most {MAX_NAME} letters"));
        };
        let index = self.parameters.iter().position(|(other, _)| *other == own).unwrap_or_else(|| {
            self.parameters.push((own, first(self.text, name)));
            self.parameters.len() - 1
        });
        if index == MAX_PARAMETERS {
            return Err(unknown(name));
        }
        self.put(Op::Parameter(index as u8), Kind::Number).map(|()| true)
    }

    fn takes(&self, function: &str) -> Option<usize> {
        if FUNCTIONS.iter().any(|(word, _)| *word == function) {
            return Some(1);
        }
        let own = OF_VECTORS.iter().find(|(word, _)| *word == function).map(|(_, takes)| *takes);
        own.or_else(|| PAIRS.iter().any(|(word, _)| *word == function).then_some(2))
    }

    fn call(&mut self, function: &str) -> Result<(), String> {
        use Kind::{Number, Vector};
        if let Some(index) = FUNCTIONS.iter().position(|(word, _)| *word == function) {
            let [a] = self.pop_all(function, Number)?;
            return self.put(Op::Function(a, index as u8), Number);
        }
        match function {
            "length" | "normalize" => {
                let [a] = self.pop_all(function, Vector)?;
                let (op, kind) =
                    if function == "length" { (Op::Length(a), Number) } else { (Op::Normalize(a), Vector) };
                self.put(op, kind)
            }
            "dot" | "cross" => {
                let [a, b] = self.pop_all(function, Vector)?;
                let (op, kind) = if function == "dot" { (Op::Dot(a, b), Number) } else { (Op::Cross(a, b), Vector) };
                self.put(op, kind)
            }
            "vec" => {
                let [a, b, c] = self.pop_all(function, Number)?;
                self.put(Op::Vector(a, b, c), Vector)
            }
            _ => {
                let [a, b] = self.pop_all(function, Number)?;
                let op = match function {
                    "min" => Op::Min(a, b),
                    "max" => Op::Max(a, b),
                    "mod" => Op::Mod(a, b),
                    _ => Op::Atan2(a, b),
                };
                self.put(op, Number)
            }
        }
    }

    fn negate(&mut self) -> Result<(), String> {
        let (a, kind) = self.pop();
        self.put(Op::Negate(a), kind)
    }

    fn operate(&mut self, operator: char) -> Result<(), String> {
        use Kind::{Number, Vector};
        let ((b, of_b), (a, of_a)) = (self.pop(), self.pop());
        match (operator, of_a, of_b) {
            ('+', Number, Number) | ('+', Vector, Vector) => self.put(Op::Add(a, b), of_a),
            ('-', Number, Number) | ('-', Vector, Vector) => self.put(Op::Subtract(a, b), of_a),
            ('*', Number, _) => self.put(Op::Times(a, b), of_b),
            ('*', Vector, Number) => self.put(Op::Times(b, a), Vector),
            ('*', Vector, Vector) => Err("of two vectors take `dot` or `cross`".into()),
            ('/', _, Number) => self.put(Op::Over(a, b), of_a),
            ('/', _, Vector) => Err("nothing can be divided by a vector".into()),
            ('^', Number, Number) => match self.constant(b) {
                Some(exponent) => self.put(Op::ToThe(a, exponent), Number),
                None => self.put(Op::Power(a, b), Number),
            },
            ('^', ..) => Err("a power is of numbers; of a vector take `dot` with itself".into()),
            _ => Err(format!("a number and a vector on the two sides of `{operator}`")),
        }
    }

    fn component(&mut self, axis: char) -> Result<(), String> {
        let (a, kind) = self.pop();
        if kind == Kind::Number {
            return Err(format!("a number has no component {axis}"));
        }
        self.put(Op::Component(a, axis as u8 - b'x'), Kind::Number)
    }

    fn unknown(&self, name: &str) -> String {
        match alike(name, known()) {
            Some(word) => format!("`{name}` is not known; do you mean `{word}`?"),
            None => format!("there is no function `{name}`"),
        }
    }
}

/// The character at which a word first stands, from 1.
fn first(text: &str, word: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.match_indices(word).find(|(at, _)| {
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    });
    found.map_or(1, |(at, _)| text[..at].chars().count() + 1)
}

#[cfg(test)]
mod tests;
