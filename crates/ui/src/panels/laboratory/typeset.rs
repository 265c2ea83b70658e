//! Formulas in a line of text: `$J M$^-1^ $J$^T^` has italic symbols and raised exponents.
//!
//! ```text
//! $x$   italic, a symbol       ^x^   raised      _x_   lowered
//! ```
//! Raised and lowered text is made by size and alignment, since few fonts have a superscript T.

use egui::{Align, FontFamily, FontId, Response, TextFormat, Ui, text::LayoutJob};

use crate::widgets::theme;

/// The style of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Style {
    #[default]
    Plain,
    Symbol,
    Raised,
    Lowered,
}

/// The pieces of a formula, each with its style.
fn pieces(text: &str) -> Vec<(Style, &str)> {
    let (mut pieces, mut style, mut from) = (Vec::new(), Style::Plain, 0);
    for (at, mark) in text.char_indices().filter(|(_, c)| matches!(c, '$' | '^' | '_')) {
        if at > from {
            pieces.push((style, &text[from..at]));
        }
        let marked = match mark {
            '$' => Style::Symbol,
            '^' => Style::Raised,
            _ => Style::Lowered,
        };
        style = if style == marked { Style::Plain } else { marked };
        from = at + 1;
    }
    if from < text.len() {
        pieces.push((style, &text[from..]));
    }
    pieces
}

/// Draws a formula in one line.
pub fn formula(ui: &mut Ui, text: &str) -> Response {
    let colors = theme::colors(ui.visuals());
    let mut job = LayoutJob::default();
    let mut slanted = false;
    for (style, piece) in pieces(text) {
        // An italic symbol leans over the next character.
        let space = if slanted && style != Style::Symbol { 1.6 } else { 0.0 };
        slanted = style == Style::Symbol;
        let (size, italics, valign, color) = match style {
            Style::Plain => (13.0, false, Align::Center, colors.text),
            Style::Symbol => (14.0, true, Align::Center, colors.strong),
            Style::Raised => (9.5, false, Align::TOP, colors.strong),
            Style::Lowered => (9.5, false, Align::BOTTOM, colors.strong),
        };
        let font_id = FontId::new(size, FontFamily::Proportional);
        job.append(piece, space, TextFormat { font_id, italics, color, valign, ..TextFormat::default() });
    }
    ui.label(job)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_change_the_style_and_are_not_drawn() {
        use Style::{Lowered, Plain, Raised, Symbol};
        let found = pieces("$J M$^−1^ = $m$_eff_ kg");
        let expected =
            [(Symbol, "J M"), (Raised, "−1"), (Plain, " = "), (Symbol, "m"), (Lowered, "eff"), (Plain, " kg")];
        assert_eq!(found, expected);
        assert_eq!(pieces("plain"), [(Plain, "plain")]);
        assert!(pieces("").is_empty());
    }
}
