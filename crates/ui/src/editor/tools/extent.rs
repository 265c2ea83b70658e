//! Count and spacing of the palette's patterns: fields of the palette, and keys while the ghost follows the pointer.

use egui::{DragValue, Event, Key, Modifiers, MouseWheelUnit, RichText, Ui};

use crate::editor::Hands;
use crate::editor::tools::starters::STARTERS;
use crate::editor::tools::stencils::SpawnChoice;
use crate::editor::tools::stock::{PATTERNS, PatternTemplate};
use crate::widgets::{events, named, theme};

/// Count and spacing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternExtent {
    /// Links, boxes or tiles, along the pattern or at its bottom.
    pub count: u32,
    /// Rows of a wall; 1 for other patterns.
    pub rows: u32,
    /// Distance between neighbours, m; zero if they touch.
    pub spacing: f32,
}

/// The extents of all patterns of the palette, in its order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternExtents([PatternExtent; PATTERNS.len()]);

impl Default for PatternExtents {
    fn default() -> Self {
        Self(std::array::from_fn(|i| PATTERNS[i].begins))
    }
}

impl PatternExtents {
    /// The extent of the pattern with this index.
    pub fn of(&self, index: usize) -> PatternExtent {
        self.0[index.min(PATTERNS.len() - 1)]
    }

    /// Sets the extent of the pattern with this index, within its ranges.
    pub fn set(&mut self, index: usize, extent: PatternExtent) {
        let index = index.min(PATTERNS.len() - 1);
        let PatternTemplate { counts, rows, spacings, .. } = &PATTERNS[index];
        self.0[index] = PatternExtent {
            count: extent.count.clamp(*counts.start(), *counts.end()),
            rows: extent.rows.clamp(*rows.start(), *rows.end()),
            spacing: if extent.spacing.is_finite() {
                extent.spacing.clamp(*spacings.start(), *spacings.end())
            } else {
                *spacings.start()
            },
        };
    }
}

/// The step of the spacing for an arrow key, m, and the scroll distance that adds one element, points.
const STEP: f32 = 0.05;
const NOTCH: f32 = 50.0;

const TIP: &str = "While the ghost is in the view: the up and down arrows or Shift+wheel change how many, the left and \
                   right arrows the rows or spacing";

fn has<T: PartialEq>(range: &std::ops::RangeInclusive<T>) -> bool {
    range.start() != range.end()
}

/// Draws the fields of a pattern; other choices have none.
pub fn fields(ui: &mut Ui, state: &mut Hands<'_>) {
    let weak = theme::colors(ui.visuals()).weak;
    let SpawnChoice::Pattern(index) = state.editor.choice else {
        // The row stays, so that nothing below it moves.
        ui.horizontal(|ui| {
            ui.set_min_height(theme::ROW_HEIGHT);
            ui.add_space(5.0);
            let what = match state.editor.choice {
                SpawnChoice::Part(_) => "One part",
                SpawnChoice::Starter(index) => STARTERS.get(index).map_or("", |starter| starter.what),
                _ => "One body",
            };
            ui.label(RichText::new(what).small().color(weak));
        });
        return;
    };
    let template = &PATTERNS[index.min(PATTERNS.len() - 1)];
    let mut extent = state.editor.extents.of(index);
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW_HEIGHT);
        ui.add_space(5.0);
        ui.label(template.counted);
        let field = DragValue::new(&mut extent.count).speed(0.1).range(template.counts.clone());
        named(ui.add(field), &format!("{}: {}", template.name, template.counted)).on_hover_text(TIP);
        if has(&template.rows) {
            ui.label("Rows");
            let field = DragValue::new(&mut extent.rows).speed(0.1).range(template.rows.clone());
            named(ui.add(field), &format!("{}: Rows", template.name)).on_hover_text(TIP);
        }
        if has(&template.spacings) {
            ui.label(template.spaced);
            let field = DragValue::new(&mut extent.spacing)
                .speed(0.01)
                .range(template.spacings.clone())
                .fixed_decimals(2)
                .suffix(" m");
            named(ui.add(field), &format!("{}: {}", template.name, template.spaced)).on_hover_text(TIP);
        }
        let count = crate::widgets::number::counted(bodies(template, extent) as usize, "body", "bodies");
        ui.label(RichText::new(count).small().color(weak));
    });
    state.editor.extents.set(index, extent);
}

/// The resulting number of bodies.
fn bodies(template: &PatternTemplate, extent: PatternExtent) -> u32 {
    if template.falls_off { extent.count * (extent.count + 1) / 2 } else { extent.count * extent.rows }
}

/// Handles arrow keys and Shift with the wheel while a pattern's ghost follows the pointer and no text field has the
/// focus.
pub fn keys(ui: &Ui, state: &mut Hands<'_>) {
    let SpawnChoice::Pattern(index) = state.editor.choice else { return };
    if ui.memory(|memory| memory.focused().is_some()) {
        return;
    }
    let wheel = ui.input(|input| input.events.iter().map(notches).sum::<i32>());
    let pressed = |key| events::presses(ui, key, Modifiers::NONE) as i32;
    let more = wheel + pressed(Key::ArrowUp) - pressed(Key::ArrowDown);
    let wider = pressed(Key::ArrowRight) - pressed(Key::ArrowLeft);
    if (more, wider) == (0, 0) {
        return;
    }
    let mut extent = state.editor.extents.of(index);
    extent.count = extent.count.saturating_add_signed(more);
    if has(&PATTERNS[index.min(PATTERNS.len() - 1)].rows) {
        extent.rows = extent.rows.saturating_add_signed(wider);
    } else if wider != 0 {
        extent.spacing = crate::editor::rounded(extent.spacing + wider as f32 * STEP, STEP);
    }
    state.editor.extents.set(index, extent);
}

/// The number of notches of Shift+wheel; some systems report it as horizontal scrolling.
fn notches(event: &Event) -> i32 {
    match event {
        Event::MouseWheel { unit, delta, modifiers, .. } if modifiers.shift => {
            let turned = delta.x + delta.y;
            (if *unit == MouseWheelUnit::Point { turned / NOTCH } else { turned }).round() as i32
        }
        _ => 0,
    }
}

/// The pattern's extent as text for the pointer; `None` for other choices.
pub fn words(state: &Hands<'_>) -> Option<String> {
    let SpawnChoice::Pattern(index) = state.editor.choice else { return None };
    let template = &PATTERNS[index.min(PATTERNS.len() - 1)];
    let extent = state.editor.extents.of(index);
    let mut words = extent.count.to_string();
    if has(&template.rows) {
        words += &format!(" × {}", extent.rows);
    }
    words += &format!(" {}", template.counted.to_lowercase());
    if has(&template.spacings) {
        words += &format!(", {:.2} m", extent.spacing);
    }
    Some(words)
}
