//! A sensor's value and alarm in words and in their colour.

use egui::{Color32, Ui};
use lucide_icons::Icon;

use super::{number, theme};
use delassus_session::sensors::{SensorState, SensorView};

/// What is shown of a sensor.
pub struct SensorWords {
    /// The value with its unit, `—` where nothing was measured.
    pub value: String,
    /// Why it cannot be read, or its alarm; empty if all is well.
    pub trouble: String,
    pub icon: Icon,
    pub color: Color32,
    /// For screen readers: “alarm”, “was in alarm”, “within its limits”.
    pub state: &'static str,
}

/// What is shown of a sensor in this state.
pub fn words(ui: &Ui, sensor: &SensorView, state: &SensorState) -> SensorWords {
    let colors = theme::colors(ui.visuals());
    let reader = match &sensor.reader {
        Ok(reader) => reader,
        Err(why) => {
            return SensorWords {
                value: "—".into(),
                trouble: why.clone(),
                icon: Icon::CircleQuestionMark,
                color: colors.warn,
                state: "cannot be read",
            };
        }
    };
    let with_unit = |value: f64| format!("{} {}", number::bare(value), reader.unit).trim_end().to_owned();
    let value = state.value.map_or_else(|| "—".into(), with_unit);
    let has_limits = reader.low.or(reader.high).is_some();
    let (icon, color, state_word) = match &state.alarm {
        Some(alarm) if alarm.active => (Icon::TriangleAlert, colors.bad, "alarm"),
        Some(_) => (Icon::TriangleAlert, colors.warn, "was in alarm"),
        None if has_limits => (Icon::CircleCheck, colors.good, "within its limits"),
        None => (Icon::Gauge, colors.weak, "has no limits"),
    };
    let trouble = state.alarm.as_ref().map_or_else(String::new, |alarm| {
        let head = if alarm.active { "Alarm" } else { "Was in alarm" };
        format!("{head}: {}", alarm.words(&reader.unit))
    });
    SensorWords { value, trouble, icon, color, state: state_word }
}
