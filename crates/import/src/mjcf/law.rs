//! The law of an actuator, as MuJoCo makes it of its element and its default classes.
//!
//! ```text
//! force = (g₀ + g₁ l + g₂ l') u + b₀ + b₁ l + b₂ l',   l = gear × joint value, u the control; SI units of the joint
//! ```
//! Elements of all kinds share one default: each changes the same numbers, from the outermost class to the actuator
//! itself. One of another kind than that before it starts anew with its gains, and keeps gear and ranges; `general` changes
//! what it names. Sources: the XML reference of MuJoCo (actuator, default), and MuJoCo 4.0 itself.

use delassus_scene::Mistake;

use crate::xml::Element;

/// How the control acts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Activation {
    Direct,
    /// Through a filter with this time constant, s.
    Filter(f64),
    /// Its integral acts.
    Integral,
    /// Otherwise.
    Other,
}

/// How many of three numbers count.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Type {
    None,
    Fixed,
    Affine,
    /// A law of another kind, such as that of a muscle.
    Other,
}

impl Type {
    fn of(self, numbers: [f64; 3]) -> Option<[f64; 3]> {
        match self {
            Self::None => Some([0.0; 3]),
            Self::Fixed => Some([numbers[0], 0.0, 0.0]),
            Self::Affine => Some(numbers),
            Self::Other => None,
        }
    }

    /// What an attribute says.
    fn read(element: Element<'_>, attribute: &str, old: Self) -> Self {
        match element.text(attribute) {
            None => old,
            Some("none") => Self::None,
            Some("fixed") => Self::Fixed,
            Some("affine") => Self::Affine,
            Some(_) => Self::Other,
        }
    }
}

/// A range, and whether it holds; if nothing is said, it does if it is not empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Range {
    bounds: Option<(f64, f64)>,
    holds: Option<bool>,
}

impl Range {
    /// The range if it holds.
    pub fn limit(&self, auto: bool) -> Option<(f64, f64)> {
        self.bounds.filter(|(low, high)| low < high && self.holds.unwrap_or(auto))
    }

    /// Takes what an element says by the attributes `range` and `limited`.
    pub fn read(&mut self, element: Element<'_>, range: &str, limited: &str) -> Result<(), Mistake> {
        match element.numbers(range)?.as_deref() {
            None => {}
            Some([low, high]) => self.bounds = Some((*low, *high)),
            Some(_) => return Err(element.mistake(format!("`{range}` must be two numbers"))),
        }
        match element.text(limited) {
            Some("true") => self.holds = Some(true),
            Some("false") => self.holds = Some(false),
            Some(_) => self.holds = None,
            None => {}
        }
        Ok(())
    }

    /// Whether it is to hold, but is empty.
    pub fn is_wrong(&self) -> bool {
        self.holds == Some(true) && self.bounds.is_none_or(|(low, high)| low >= high)
    }
}

/// The numbers of an actuator.
#[derive(Debug, Clone)]
pub struct Law {
    /// The kind of element that set the gains last; `general` if none did.
    kind: &'static str,
    gain_type: Type,
    gain_numbers: [f64; 3],
    bias_type: Type,
    bias_numbers: [f64; 3],
    pub activation: Activation,
    pub gear: f64,
    pub control: Range,
    pub force: Range,
    /// The control's range as a multiple of the joint's; 0 if it has its own.
    pub inherits: f64,
}

impl Default for Law {
    fn default() -> Self {
        Self {
            kind: "general",
            gain_type: Type::Fixed,
            gain_numbers: [1.0, 0.0, 0.0],
            bias_type: Type::None,
            bias_numbers: [0.0; 3],
            activation: Activation::Direct,
            gear: 1.0,
            control: Range::default(),
            force: Range::default(),
            inherits: 0.0,
        }
    }
}

/// The kinds of actuators whose law is understood.
pub const KINDS: [&str; 6] = ["general", "motor", "position", "velocity", "intvelocity", "damper"];

/// Kinds that follow another law.
pub const OTHERS: [&str; 4] = ["cylinder", "muscle", "adhesion", "plugin"];

/// The attributes of those whose law is understood.
pub const ATTRIBUTES: [&str; 17] = [
    "gear",
    "ctrlrange",
    "ctrllimited",
    "forcerange",
    "forcelimited",
    "gaintype",
    "gainprm",
    "biastype",
    "biasprm",
    "dyntype",
    "dynprm",
    "kp",
    "kv",
    "dampratio",
    "timeconst",
    "inheritrange",
    "group",
];

impl Law {
    /// The law of an actuator by its elements: those of its classes from the outermost on, and its own.
    ///
    /// # Errors
    /// Numbers that make no sense.
    pub fn of(elements: &[Element<'_>]) -> Result<Self, Mistake> {
        let mut law = Self::default();
        for element in elements {
            law.take(*element)?;
        }
        for (range, name) in [(law.control, "ctrlrange"), (law.force, "forcerange")] {
            if let Some(element) = elements.last().filter(|_| range.is_wrong()) {
                return Err(
                    element.mistake(format!("`{name}` is to hold, but its first number is not below its second"))
                );
            }
        }
        Ok(law)
    }

    fn take(&mut self, element: Element<'_>) -> Result<(), Mistake> {
        element.text("group");
        if let Some(gear) = element.numbers("gear")?.and_then(|list| list.first().copied()) {
            self.gear = gear;
        }
        self.control.read(element, "ctrlrange", "ctrllimited")?;
        self.force.read(element, "forcerange", "forcelimited")?;
        match KINDS.into_iter().find(|kind| *kind == element.name()) {
            Some("general") => self.general(element),
            Some(kind) => self.shortcut(kind, element),
            None => {
                // Muscles, cylinders and the like.
                (self.kind, self.gain_type, self.bias_type) = ("other", Type::Other, Type::Other);
                Ok(())
            }
        }
    }

    /// `general` changes what it names.
    fn general(&mut self, element: Element<'_>) -> Result<(), Mistake> {
        for (name, numbers) in [("gainprm", &mut self.gain_numbers), ("biasprm", &mut self.bias_numbers)] {
            let given = element.numbers(name)?.unwrap_or_default();
            numbers.iter_mut().zip(given).for_each(|(number, given)| *number = given);
        }
        self.gain_type = Type::read(element, "gaintype", self.gain_type);
        self.bias_type = Type::read(element, "biastype", self.bias_type);
        let time = element.numbers("dynprm")?.and_then(|list| list.first().copied()).unwrap_or(1.0);
        match element.text("dyntype") {
            Some("none") => self.activation = Activation::Direct,
            Some("filter" | "filterexact") => self.activation = Activation::Filter(time),
            Some("integrator") => self.activation = Activation::Integral,
            Some(_) => self.activation = Activation::Other,
            None => {}
        }
        Ok(())
    }

    /// A kind that stands for a `general` of certain numbers.
    fn shortcut(&mut self, kind: &'static str, element: Element<'_>) -> Result<(), Mistake> {
        if kind != self.kind {
            if self.kind != "general" {
                self.gain_numbers = [1.0, 0.0, 0.0];
                self.bias_numbers = [0.0; 3];
                self.inherits = 0.0;
            }
            self.activation = Activation::Direct;
        }
        self.kind = kind;
        let positive = |name: &str| {
            let number = element.number(name)?;
            match number {
                Some(number) if number < 0.0 => {
                    Err(element.mistake(format!("`{name}` must not be negative, {number}")))
                }
                number => Ok(number),
            }
        };
        (self.gain_type, self.bias_type) = (Type::Fixed, Type::Affine);
        match kind {
            "motor" => {
                (self.gain_numbers, self.bias_numbers) = ([1.0, 0.0, 0.0], [0.0; 3]);
                self.bias_type = Type::None;
            }
            "position" | "intvelocity" => {
                let kp = element.number("kp")?.unwrap_or(self.gain_numbers[0]);
                // A positive number is a damping ratio.
                let damping = match (positive("kv")?, positive("dampratio")?) {
                    (Some(_), Some(_)) => return Err(element.mistake("`kv` and `dampratio` exclude each other")),
                    (Some(kv), None) => -kv,
                    (None, Some(ratio)) => ratio,
                    (None, None) => self.bias_numbers[2],
                };
                (self.gain_numbers, self.bias_numbers) = ([kp, 0.0, 0.0], [0.0, -kp, damping]);
                self.inherits = positive("inheritrange")?.unwrap_or(self.inherits);
                if kind == "intvelocity" {
                    self.activation = Activation::Integral;
                } else if let Some(time) = positive("timeconst")? {
                    self.activation = if time > 0.0 { Activation::Filter(time) } else { Activation::Direct };
                }
            }
            "velocity" => {
                let kv = positive("kv")?.unwrap_or(self.gain_numbers[0]);
                (self.gain_numbers, self.bias_numbers) = ([kv, 0.0, 0.0], [0.0, 0.0, -kv]);
            }
            _ => {
                // A damper, whose control is its share.
                let kv = positive("kv")?.unwrap_or(-self.gain_numbers[2]);
                (self.gain_numbers, self.bias_numbers) = ([0.0, 0.0, -kv], [0.0; 3]);
                (self.gain_type, self.bias_type) = (Type::Affine, Type::None);
            }
        }
        Ok(())
    }

    /// g₀, g₁ and g₂; `None` for a law of another kind.
    pub fn gain(&self) -> Option<[f64; 3]> {
        self.gain_type.of(self.gain_numbers)
    }

    /// b₀, b₁ and b₂; `None` for a law of another kind.
    pub fn bias(&self) -> Option<[f64; 3]> {
        self.bias_type.of(self.bias_numbers)
    }

    /// The damping ratio that stands for the damping of a position servo, if it does.
    pub fn damping_ratio(&self) -> Option<f64> {
        let ([gain, 0.0, 0.0], [_, stiffness, ratio]) = (self.gain()?, self.bias()?) else { return None };
        (gain == -stiffness && ratio > 0.0).then_some(ratio)
    }
}
