//! The fields of a spring with a damper. Its stiffness and its damping can each be given in two ways. The value in the
//! other way is shown next to the field; a click on it switches to that way.

use egui::{Button, RichText, Ui};

use crate::editor::form::fields::significant;
use crate::editor::form::{self, DragRange, Form};
use crate::widgets::{named, theme};
use delassus_physics::quantity::{self, UnitRange};
use delassus_physics::row::{Damping, Softness, SpringRate};

/// What a spring acts on, and the mass that it moves in the running world.
#[derive(Clone, Copy)]
pub struct SpringHint {
    stiffness: UnitRange,
    damping: UnitRange,
    /// Mass, kg or kg m², to which its frequency refers.
    mass: Option<f32>,
}

impl SpringHint {
    /// A spring along a direction.
    pub const LINEAR: Self = Self { stiffness: quantity::STIFFNESS, damping: quantity::DAMPING, mass: None };
    /// A spring about an axis.
    pub const ANGULAR: Self =
        Self { stiffness: quantity::ANGULAR_STIFFNESS, damping: quantity::ANGULAR_DAMPING, mass: None };

    /// The same, on a known mass; zero stands for none.
    pub fn moving(self, mass: f32) -> Self {
        Self { mass: Some(mass).filter(|mass| *mass > 0.0), ..self }
    }
}

/// Both fields.
pub fn softness(ui: &mut Ui, form: &mut Form<'_>, path: &str, softness: &mut Softness, sprung: SpringHint) {
    // A damping ratio depends on the stiffness.
    let before = *softness;
    rate(ui, form, &format!("{path}.rate"), &mut softness.rate, (sprung, before.damping));
    damping(ui, form, &format!("{path}.damping"), &mut softness.damping, (sprung, before.rate), 0.5);
}

/// The field of a spring's stiffness or frequency; `damping` is the spring's.
pub fn rate(
    ui: &mut Ui,
    form: &mut Form<'_>,
    path: &str,
    rate: &mut SpringRate,
    (sprung, damping): (SpringHint, Damping),
) {
    const HERTZ: DragRange = DragRange::of(quantity::HERTZ, 0.05);
    let spring = Softness { rate: *rate, damping };
    let (label, name, default) = match rate {
        SpringRate::Frequency(_) => ("  frequency", "Frequency", Some(SpringRate::Frequency(2.0))),
        SpringRate::Stiffness(_) => ("  stiffness", "Stiffness", None),
    };
    form.row(ui, label, path, rate, default, |ui, rate, mixed| match rate {
        SpringRate::Frequency(hertz) => {
            let changed = form::quantity(ui, hertz, mixed(""), &HERTZ, name);
            let stiffness = sprung.mass.map(|mass| spring.stiffness(mass));
            let tip = "Give the stiffness instead of the frequency; it does not depend on the mass";
            let other = other_way(ui, stiffness, &sprung.stiffness, "Give the stiffness", tip);
            if other {
                *rate = SpringRate::Stiffness(stiffness.map_or(100.0, significant));
            }
            changed || other
        }
        SpringRate::Stiffness(stiffness) => {
            let changed = form::quantity(ui, stiffness, mixed(""), &DragRange::of(sprung.stiffness, 1.0), name);
            let hertz = sprung.mass.map(|mass| spring.hertz(mass));
            let tip = "Give the frequency instead of the stiffness, which then follows from the mass";
            let other = other_way(ui, hertz, &quantity::HERTZ, "Give the frequency", tip);
            if other {
                *rate = SpringRate::Frequency(hertz.map_or(2.0, significant));
            }
            changed || other
        }
    });
}

/// The field of a spring's damping; `rate` is the spring's stiffness or frequency.
pub fn damping(
    ui: &mut Ui,
    form: &mut Form<'_>,
    path: &str,
    damping: &mut Damping,
    (sprung, rate): (SpringHint, SpringRate),
    usual: f32,
) {
    const RATIO: DragRange = DragRange::of(quantity::DAMPING_RATIO, 0.01);
    let spring = Softness { rate, damping: *damping };
    let (name, default) = match damping {
        Damping::Ratio(_) => ("Damping ratio", Some(Damping::Ratio(usual))),
        Damping::Coefficient(_) => ("Damping", None),
    };
    form.row(ui, "  damping", path, damping, default, |ui, damping, mixed| match damping {
        Damping::Ratio(ratio) => {
            let changed = form::quantity(ui, ratio, mixed(""), &RATIO, name);
            let coefficient = sprung.mass.map(|mass| spring.damping(mass));
            let tip = "Give the damping coefficient instead of the ratio; it does not depend on the mass";
            let other = other_way(ui, coefficient, &sprung.damping, "Give the damping coefficient", tip);
            if other {
                *damping = Damping::Coefficient(coefficient.map_or(1.0, significant));
            }
            changed || other
        }
        Damping::Coefficient(coefficient) => {
            let changed = form::quantity(ui, coefficient, mixed(""), &DragRange::of(sprung.damping, 0.1), name);
            let ratio = sprung.mass.map(|mass| spring.damping_ratio(mass)).filter(|ratio| ratio.is_finite());
            let tip = "Give the damping ratio instead of the coefficient; 1 comes to rest soonest";
            let other =
                other_way(ui, ratio, &UnitRange { unit: "ζ", ..quantity::DAMPING_RATIO }, "Give the ratio", tip);
            if other {
                *damping = Damping::Ratio(ratio.map_or(usual, significant));
            }
            changed || other
        }
    });
}

/// The value given the other way, if it is known, in what is left of the row; returns whether it was clicked.
fn other_way(ui: &mut Ui, value: Option<f32>, quantity: &UnitRange, name: &str, tip: &str) -> bool {
    let weak = theme::colors(ui.visuals()).weak;
    let words = match value {
        Some(value) if quantity.unit == "ζ" => format!("ζ = {}", form::written(significant(value))),
        Some(value) => format!("= {} {}", form::written(significant(value)), quantity.unit),
        None => format!("in {}", quantity.unit),
    };
    let button = Button::new(RichText::new(words).small().color(weak)).frame(false).truncate();
    let response = named(ui.add(button), name).on_hover_text(tip);
    response.clicked()
}
