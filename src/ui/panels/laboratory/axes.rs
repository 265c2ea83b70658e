//! Plots whose heights are powers of ten.

use egui::Ui;
use egui_plot::{GridInput, GridMark, Plot};

use crate::ui::widgets::theme;

/// 10 to that power, in one digit.
pub fn power(exponent: f64) -> String {
    format!("{:.0e}", 10f64.powf(exponent)).replace('-', "−")
}

/// The lines of a scale of powers of ten; with some between where there is little more than one.
pub fn decades(input: GridInput) -> Vec<GridMark> {
    let (low, high) = (input.bounds.0.floor() as i64, input.bounds.1.ceil() as i64);
    let parts: &[f64] = match high - low {
        ..=1 => &[1.0, 2.0, 3.0, 5.0, 7.0],
        2..=3 => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let all = (low..=high).take(24).flat_map(|whole| parts.iter().map(move |part| whole as f64 + part.log10()));
    let within = all.filter(|value| (input.bounds.0..=input.bounds.1).contains(value));
    within.map(|value| GridMark { value, step_size: 1.0 }).collect()
}

/// A plot over what is left of the dock whose heights are powers of ten, and which stays where it is.
pub fn logarithmic<'a>(ui: &Ui, name: &'static str) -> Plot<'a> {
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
        .y_grid_spacer(decades)
        .y_axis_min_width(56.0)
        .y_axis_formatter(|mark, _| power(mark.value))
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn a_scale_of_powers_reads_as_numbers() {
        assert_eq!(power(-12.0), "1e−12");
        assert_eq!(power(2f64.log10() - 3.0), "2e−3");
    }
}
