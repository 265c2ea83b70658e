//! Breaches in words: what is wrong, and why.

use super::{Breach, Unit};
use crate::words::number;
use delassus_scene::Rule;

impl Unit {
    pub fn name(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Radian => "rad",
            Self::MetrePerSecond => "m/s",
            Self::RadianPerSecond => "rad/s",
            Self::Newton => "N",
            Self::NewtonMetre => "N·m",
            Self::Joule => "J",
        }
    }
}

impl Breach {
    /// What is wrong, with its numbers: a sentence. `joint` and `body` give the names by index and id.
    pub fn what<'n>(&self, joint: impl Fn(usize) -> &'n str, body: impl Fn(u32) -> &'n str) -> String {
        let name = self.joint.map_or("a joint", joint);
        let (value, size, unit) = (number(self.value), number(self.size), self.unit.name());
        let percent = |share: f32| format!("{} %", number(100.0 * share));
        let (share, bound) = (percent(self.share()), percent(self.bound));
        let when = format!("{:.2} s", self.since);
        match (self.rule, self.unit) {
            (Rule::Gap, Unit::Radian) => format!(
                "{name} is off by {value} rad from {when} on. More than {} rad is not trusted.",
                number(self.bound)
            ),
            (Rule::Gap, _) => format!(
                "{name} gapes from {when} on: its anchors are {value} m apart, {share} of a link of {size} m. More than {bound} is not trusted."
            ),
            (Rule::Slip, _) => format!(
                "The motor of {name} misses its speed by {value} {unit} from {when} on, although no cap of its own stops it. More than {bound} of {size} {unit} is not trusted."
            ),
            (Rule::Forces, _) => format!(
                "At {name} the sweeps are {value} {unit} off the exact solution, {share} of a load of {size} {unit}, \
                 from {when} on. More than {bound} is not trusted."
            ),
            (Rule::Penetration, _) => format!(
                "{} and {} overlap by {value} m from {when} on, {share} of the smaller one. More than {bound} is not trusted.",
                body(self.bodies.0),
                body(self.bodies.1)
            ),
            _ if self.value < 0.0 => format!(
                "The joints have taken {} J out of a motion of {size} J, from {when} on, although nothing in it takes energy.",
                number(-self.value)
            ),
            _ => format!("The rows have added {value} J to a motion of {size} J, from {when} on."),
        }
    }

    /// Why it happens, in one sentence.
    pub fn why(&self) -> &'static str {
        match self.rule {
            Rule::Gap => "The sweeps do not close the joint, or the step is too long for the motion.",
            Rule::Slip => {
                "The sweeps do not carry the load to the motor within a step, or the mechanism cannot move as the motor asks."
            }
            Rule::Forces => "Too few sweeps reach from one end of the mechanism to the other.",
            Rule::Penetration => "The sweeps do not carry the load that presses the two together.",
            _ if self.value < 0.0 => {
                "The steps are too long for a light link that turns fast between heavy bodies, or a loop passes a pose in which its bars lie in one line."
            }
            _ => {
                "Error correction, impulses carried from step to step, or steps too long for the motion do more work than the sweeps remove."
            }
        }
    }
}
