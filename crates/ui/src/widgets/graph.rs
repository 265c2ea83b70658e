//! Fixed plots: the pointer neither moves nor scales them.

use std::hash::Hash;
use std::ops::RangeInclusive;

use egui::{
    Align, Align2, Color32, FontId, Layout, Pos2, Rangef, RichText, ScrollArea, Sense, Shape, Stroke, Ui, vec2,
};
use egui_plot::{AxisHints, GridInput, GridMark, LineStyle, Plot};

use super::theme;

/// 10 to the power `exponent`, in the fewest digits (one to three) that keep its value.
pub fn power_of_ten(exponent: f64) -> String {
    let value = 10f64.powf(exponent);
    let near = |text: &String| text.parse::<f64>().is_ok_and(|read| (read / value - 1.0).abs() < 1e-6);
    let text = [format!("{value:.0e}"), format!("{value:.1e}")].into_iter().find(near);
    text.unwrap_or_else(|| format!("{value:.2e}")).replace('-', "−")
}

/// 10 to the power `exponent` as the label of an axis: a plain number from a thousandth to ten thousand.
pub fn power(exponent: f64) -> String {
    match 10f64.powf(exponent) {
        value if (0.999e-3..1.001e4).contains(&value) => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => power_of_ten(exponent),
    }
}

/// The grid lines of a logarithmic axis, at powers of ten: at every one, or where there is no room for so many labels,
/// at every second or third. With room there are lines between them, and if the axis covers less than half a decade they
/// are at round numbers.
pub fn decades(input: GridInput) -> Vec<GridMark> {
    let room = (input.bounds.1 - input.bounds.0) / (LABEL * input.base_step_size);
    decades_for(&input, room.max(2.0))
}

/// The same with room for `most` labels.
fn decades_for(input: &GridInput, most: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    if high - low < 0.5 {
        return fractions(low, high);
    }
    let (first, last) = (low.floor() as i64, high.ceil() as i64);
    let parts: &[f64] = match last - first {
        ..=1 => &[1.0, 2.0, 3.0, 5.0, 7.0],
        few @ 2..=3 if 2.0 * few as f64 <= most => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let every = ((high - low) / most).ceil().max(1.0) as i64;
    let whole = (first..=last).filter(|whole| whole.rem_euclid(every) == 0).take(24);
    let all = whole.flat_map(|whole| parts.iter().map(move |part| whole as f64 + part.log10()));
    let within = all.filter(|value| (low..=high).contains(value));
    within.map(|value| GridMark { value, step_size: every as f64 }).collect()
}

/// Three or four round numbers in a range of less than half a decade, returned as exponents.
fn fractions(low: f64, high: f64) -> Vec<GridMark> {
    let (from, to) = (10f64.powf(low), 10f64.powf(high));
    let rough = (to - from) / 4.0;
    if !(rough > 1e-9 * from && rough.is_finite()) {
        return Vec::new();
    }
    let size = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * size).into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let marks = ((from / step).ceil() as i64..=(to / step).floor() as i64).take(8);
    marks.map(|n| GridMark { value: (n as f64 * step).log10(), step_size: 1.0 }).collect()
}

/// A plot over the rest of the available height.
pub fn still<'a>(ui: &Ui, name: impl Hash + std::fmt::Debug) -> Plot<'a> {
    let colors = theme::colors(ui.visuals());
    Plot::new(name)
        .height(ui.available_height() - 4.0)
        .show_background(false)
        .grid_color(colors.line)
        .cursor_color(colors.weak)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .x_axis_formatter(plain)
        .y_axis_formatter(plain)
}

/// The label of a grid line that has no unit.
fn plain(mark: GridMark, _: &RangeInclusive<f64>) -> String {
    let digits = (-mark.step_size.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{:.digits$}", mark.value + 0.0).replace('-', "−")
}

/// Height of a label of a vertical axis with the room around it, in the least distances of grid lines, of eight points.
const LABEL: f64 = 3.0;

/// A fixed plot with a logarithmic vertical axis; its values are exponents of ten.
pub fn logarithmic<'a>(ui: &Ui, name: &'static str) -> Plot<'a> {
    let axis = upright(56.0).formatter(|mark, _| power(mark.value));
    still(ui, name).y_grid_spacer(decades).custom_y_axes(vec![axis])
}

/// A vertical axis of this least width, points, whose labels may be nearly as near to each other as they are high.
pub fn upright<'a>(width: f32) -> AxisHints<'a> {
    AxisHints::new_y().min_thickness(width).label_spacing(Rangef::new(13.0, 18.0))
}

/// The label of a grid line of a time axis.
pub fn seconds(mark: GridMark, _: &RangeInclusive<f64>) -> String {
    format!("{} s", (mark.value * 1e4).round() / 1e4)
}

/// A curve in a plot's legend: its name, its colour, and its [dashes](dashed).
pub type Keyed<'a> = (&'a str, Color32, usize);

/// Solid, or one of three dash patterns.
pub fn dashed(pattern: usize) -> LineStyle {
    match pattern {
        0 => LineStyle::Solid,
        1 => LineStyle::dashed_dense(),
        2 => LineStyle::dotted_dense(),
        _ => LineStyle::dashed_loose(),
    }
}

/// A sample of a line in these dashes, for a legend.
pub fn sample(ui: &Ui, ends: [Pos2; 2], stroke: Stroke, pattern: usize) {
    match pattern {
        0 => drop(ui.painter().line_segment(ends, stroke)),
        k => ui.painter().extend(Shape::dashed_line(&ends, stroke, 4.0 / k as f32, 2.0)),
    }
}

/// Minimal width of a plot with its legend to the right, points; in less room the legend is left out, and the names
/// are in the pointer's readout.
const KEY_FROM: f32 = 420.0;

/// Draws a plot and, if there is room, a legend beside it.
pub fn with_key<R>(ui: &mut Ui, name: &str, curves: &[Keyed<'_>], plot: impl FnOnce(&mut Ui) -> R) -> R {
    let room = ui.available_size();
    let font = FontId::proportional(11.0);
    let ink = theme::colors(ui.visuals()).text;
    let width = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), ink).size().x;
    let key = curves.iter().map(|(name, ..)| width(name)).fold(0.0, f32::max) + 26.0;
    if room.x < KEY_FROM || curves.len() < 2 {
        return plot(ui);
    }
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let size = vec2(room.x - key - 8.0, room.y);
        let drawn = ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(size);
            ui.set_max_width(size.x);
            plot(ui)
        });
        ui.allocate_ui_with_layout(vec2(key, room.y), Layout::top_down(Align::Min), |ui| {
            ScrollArea::vertical().id_salt((name, "key")).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                for (name, color, pattern) in curves {
                    let (rect, _) = ui.allocate_exact_size(vec2(key, 15.0), Sense::hover());
                    let line = [rect.left_center(), rect.left_center() + vec2(14.0, 0.0)];
                    sample(ui, line, Stroke::new(2.0, *color), *pattern);
                    let at = rect.left_center() + vec2(19.0, 0.0);
                    ui.painter().text(at, Align2::LEFT_CENTER, name, font.clone(), ink);
                }
            });
        });
        drawn.inner
    })
    .inner
}

/// A line above a plot that says what it shows.
pub fn caption(ui: &mut Ui, words: &str) {
    let colors = theme::colors(ui.visuals());
    ui.add(egui::Label::new(RichText::new(words).small().color(colors.weak)).truncate()).on_hover_text(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_of_powers_reads_as_numbers() {
        assert_eq!(power_of_ten(-12.0), "1e−12");
        assert_eq!(power_of_ten(2f64.log10() - 3.0), "2e−3");
        assert_eq!(power_of_ten(8.6f64.log10() - 4.0), "8.6e−4");
        let labels = [-9.0, -3.0, 6.5f64.log10() - 1.0, 0.0, 4.0, 5.0].map(power);
        assert_eq!(labels, ["1e−9", "0.001", "0.65", "1", "10000", "1e5"]);
    }

    /// A low plot of nine decades had no number at all: labels nearer to each other than their height are left out.
    #[test]
    fn a_plain_axis_has_as_many_digits_as_its_steps() {
        let label = |value, step_size| plain(GridMark { value, step_size }, &(0.0..=1.0));
        assert_eq!(label(-10_000.0, 1000.0), "−10000");
        assert_eq!(label(0.25, 0.05), "0.25");
        assert_eq!(label(3.0, 1.0), "3");
    }

    #[test]
    fn a_low_scale_of_powers_has_as_many_numbers_as_there_is_room_for() {
        for (low, high, most) in [(-9.4, 0.3, 2.0), (-9.0, 0.0, 3.5), (-12.0, 2.0, 5.0), (-2.6, 0.2, 2.0)] {
            let marks = decades_for(&GridInput { bounds: (low, high), base_step_size: 0.1 }, most);
            assert!((1..=most as usize + 1).contains(&marks.len()), "{low} to {high}: {marks:?}");
            for mark in marks {
                assert!(mark.value.fract() == 0.0 && mark.step_size >= (high - low) / most, "{mark:?}");
            }
        }
    }

    /// Whatever part of the axis is visible, it has labels, and they are round numbers.
    #[test]
    fn a_scale_of_powers_is_never_without_numbers() {
        for (low, high) in [(-9.0, 3.0), (-3.2, -2.9), (-3.07, -3.04), (-1.0, 0.2), (2.0, 2.6), (-3.9, -3.41)] {
            let marks = decades_for(&GridInput { bounds: (low, high), base_step_size: 0.1 }, 10.0);
            assert!((2..=24).contains(&marks.len()), "{low} to {high}: {} lines", marks.len());
            for GridMark { value, .. } in marks {
                let read: f64 = power_of_ten(value).replace('−', "-").parse().expect("a number");
                assert!(
                    (low..=high).contains(&value) && (read.log10() - value).abs() < 1e-6,
                    "{low} to {high}: {read}"
                );
            }
        }
    }
}
