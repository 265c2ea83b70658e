//! The scene's sensors over the picture: a line each with its value, and in words which of them is in alarm.

use egui::{Align2, Grid, Label, Pos2, Rect, RichText, Ui};

use crate::{
    view::View,
    view3d::overlays::floating,
    widgets::{icon_sized, sensor, theme},
};

/// The height of a line, and of what stands around them, points.
const LINE: f32 = 18.0;
const FRAME: f32 = 14.0;

/// Which sensors are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    All,
    /// Those that are in alarm now.
    Alarms,
}

/// Draws the card with its upper left corner at `at`. Of more sensors than fit into `height` points those in alarm
/// come first. Returns its rectangle.
pub fn show(ui: &mut Ui, at: Pos2, height: f32, view: &View<'_>, shown: Shown) -> Option<Rect> {
    let room = ((height - FRAME) / LINE).floor();
    if view.scene.sensors.is_empty() || room < 1.0 {
        return None;
    }
    let sensors = view.session.sensors();
    let mut lines: Vec<_> = sensors
        .iter()
        .map(|view_of| {
            let state = view_of.reader.as_ref().map(|reader| view.session.sensor_state(reader)).unwrap_or_default();
            let rank = state.alarm.map_or(2, |alarm| u8::from(!alarm.active));
            (rank, view_of.sensor.name.as_str(), sensor::words(ui, view_of, &state))
        })
        .collect();
    lines.retain(|(rank, ..)| shown == Shown::All || *rank == 0);
    if lines.is_empty() {
        return None;
    }
    let fits = room as usize;
    let hidden = if lines.len() > fits { lines.len() + 1 - fits } else { 0 };
    if hidden > 0 {
        lines.sort_by_key(|(rank, ..)| *rank);
        lines.truncate(fits - 1);
    }
    let colors = theme::colors(ui.visuals());
    Some(floating(ui, "sensors", at, Align2::LEFT_TOP, |ui| {
        ui.spacing_mut().interact_size.y = 14.0;
        Grid::new("sensors").num_columns(4).spacing([8.0, 1.0]).min_col_width(0.0).show(ui, |ui| {
            for (rank, name, words) in &lines {
                ui.add(Label::new(icon_sized(words.icon, 12.0).color(words.color)).selectable(false));
                ui.add(Label::new(RichText::new(*name).small().color(colors.weak)).extend());
                let ink = if *rank == 0 { words.color } else { colors.strong };
                // No line break at the blanks before the number.
                let value = format!("{:>10}", words.value);
                ui.add(Label::new(RichText::new(value).monospace().color(ink)).extend());
                let said = if *rank < 2 || words.state == "cannot be read" { words.state } else { "" };
                ui.add(Label::new(RichText::new(said).small().color(words.color)).extend());
                ui.end_row();
            }
        });
        if hidden > 0 {
            ui.label(RichText::new(format!("and {hidden} more")).small().color(colors.weak));
        }
    }))
}
