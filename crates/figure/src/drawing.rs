//! Draws a figure: axes with round numbers, curves, and a legend above the axes if there is more than one curve.

use plotters::coord::Shift;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{TickAxis, decades, even, number, range_of};
use super::pieces::{pieces, smooth};
use super::{Curve, Figure, FigureError, Panel};

pub(super) const INK: RGBColor = RGBColor(52, 57, 65);
pub(super) const GRID: RGBColor = RGBColor(226, 229, 233);
/// Lengths of a dash and of the gap after it, pixels.
const DASHES: [(u32, u32); 3] = [(7, 4), (2, 4), (12, 3)];
/// Width for the numbers left of the axes, height of a line of the legend, and length of a line sample in it, pixels.
const AXIS: i32 = 62;
const KEY_LINE: i32 = 16;
const KEY_STROKE: i32 = 18;

fn failed<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> FigureError {
    FigureError::Draw(error.to_string())
}

impl Figure {
    /// The text of an SVG file.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(&self, size: [u32; 2]) -> Result<String, FigureError> {
        svg(size.map(|side| side.max(64)), |area| self.draw(area))
    }

    /// The figure as a bitmap.
    ///
    /// # Errors
    /// If it cannot be drawn.
    #[cfg(feature = "bitmap")]
    pub fn image(&self, size: [u32; 2]) -> Result<image::RgbImage, FigureError> {
        image(size.map(|side| side.max(64)), |area| self.draw(area))
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        area.fill(&WHITE)?;
        let area = match self.title.as_str() {
            "" => area.clone(),
            title => area.titled(title, ("sans-serif", 17).into_font().color(&INK))?,
        };
        let columns = self.columns.max(1);
        let parts = area.split_evenly((self.panels.len().div_ceil(columns).max(1), columns));
        self.panels.iter().zip(&parts).try_for_each(|(panel, part)| panel.draw(part))
    }
}

/// Calls `draw` on an SVG image of `size` pixels and returns the text of the file.
pub(super) fn svg<E: std::error::Error + Send + Sync>(
    size: [u32; 2],
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawingAreaErrorKind<E>>,
) -> Result<String, FigureError> {
    fonts();
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (size[0], size[1])).into_drawing_area();
        draw(&area).map_err(failed)?;
        area.present().map_err(failed)?;
    }
    Ok(text)
}

/// Calls `draw` on a white bitmap of `size` pixels.
#[cfg(feature = "bitmap")]
pub(super) fn image<E: std::error::Error + Send + Sync>(
    size: [u32; 2],
    draw: impl FnOnce(&DrawingArea<BitMapBackend<'_>, Shift>) -> Result<(), DrawingAreaErrorKind<E>>,
) -> Result<image::RgbImage, FigureError> {
    let mut pixels = vec![255; (size[0] * size[1] * 3) as usize];
    over(&mut pixels, size, draw)?;
    image::RgbImage::from_raw(size[0], size[1], pixels).ok_or(FigureError::Draw("no room".into()))
}

/// Calls `draw` on an existing bitmap with three bytes per pixel.
#[cfg(feature = "bitmap")]
pub(super) fn over<E: std::error::Error + Send + Sync>(
    pixels: &mut [u8],
    size: [u32; 2],
    draw: impl FnOnce(&DrawingArea<BitMapBackend<'_>, Shift>) -> Result<(), DrawingAreaErrorKind<E>>,
) -> Result<(), FigureError> {
    fonts();
    let area = BitMapBackend::with_buffer(pixels, (size[0], size[1])).into_drawing_area();
    draw(&area).map_err(failed)?;
    area.present().map_err(failed)
}

/// Registers the window's font for measuring and drawing text; without the window, viewers choose a font.
fn fonts() {
    // In the browser plotters measures text by the page and cannot draw it.
    #[cfg(all(feature = "bitmap", not(target_arch = "wasm32")))]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            let fonts = egui::FontDefinitions::default().font_data;
            if let Some(data) = fonts.get("Ubuntu-Light") {
                // It is kept for the program's lifetime. A font that cannot be read is reported when it is used.
                let bytes: &'static [u8] = Vec::leak(data.font.as_ref().as_ref().to_vec());
                let _ = plotters::style::register_font("sans-serif", FontStyle::Normal, bytes);
            }
        });
    }
}

impl Panel {
    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        let placed = |y: f64| match self.logarithmic {
            true if y > 0.0 => y.log10(),
            true => f64::NAN,
            false => y,
        };
        let all = || self.curves.iter().flat_map(|curve| &curve.points);
        let x = self.x_range.unwrap_or_else(|| {
            let (values, margin) = (all().map(|p| p[0]), range_of(all().map(|p| p[0])));
            // A time axis has no margins.
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            if high > low && low.is_finite() && high.is_finite() { [low, high] } else { margin }
        });
        let y = self.y_range.map_or_else(|| range_of(all().map(|p| placed(p[1]))), |range| range.map(placed));
        let font = || ("sans-serif", 12).into_font().color(&INK);
        let area = match self.title.as_str() {
            "" => area.clone(),
            title => area.titled(title, ("sans-serif", 14).into_font().color(&INK))?,
        };
        let area = self.key(&area)?;
        let mut builder = ChartBuilder::on(&area);
        builder.margin(8).margin_right(16).x_label_area_size(34).y_label_area_size(AXIS as u32);
        let ticks = if self.logarithmic { decades(y) } else { RangedCoordf64::from(y[0]..y[1]).key_points(6) };
        let mut chart = builder.build_cartesian_2d(x[0]..x[1], TickAxis { span: (y[0]..y[1]).into(), ticks })?;
        let decade = |value: &f64| if self.logarithmic { number(10f64.powf(*value)) } else { even(*value, y) };
        chart
            .configure_mesh()
            .x_labels(8)
            .y_labels(6)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style(font())
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_label_formatter(&|value| even(*value, x))
            .y_label_formatter(&decade)
            .draw()?;
        for curve in &self.curves {
            let style = ink(curve).stroke_width(2);
            let whole = pieces(curve, &placed, y);
            let parts: Vec<_> =
                whole.into_iter().flat_map(|piece| smooth(piece, |at| chart.backend_coord(at))).collect();
            for part in parts {
                match strokes(curve) {
                    None => chart.draw_series(LineSeries::new(part, style))?,
                    Some((stroke, gap)) => chart.draw_series(DashedLineSeries::new(part, stroke, gap, style))?,
                };
            }
        }
        Ok(())
    }

    /// Draws the legend in lines at the upper edge if there is more than one curve. Returns the area below.
    fn key<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
    ) -> Result<DrawingArea<DB, Shift>, DrawingAreaErrorKind<DB::ErrorType>> {
        if self.curves.len() < 2 {
            return Ok(area.clone());
        }
        let style = ("sans-serif", 12).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
        let (width, height) = area.dim_in_pixel();
        let (left, right) = (AXIS + 8, width as i32 - 16);
        // The legend takes at most a third of the height.
        let lowest = (height as i32 / 3).max(KEY_LINE);
        let (mut x, mut y) = (left, KEY_LINE / 2 + 2);
        for (index, curve) in self.curves.iter().enumerate() {
            let (wide, _) = area.estimate_text_size(&curve.name, &style)?;
            let wide = KEY_STROKE + 6 + wide as i32;
            if x > left && x + wide > right {
                (x, y) = (left, y + KEY_LINE);
            }
            if y + KEY_LINE > lowest && x == left && index > 0 {
                let more = format!("and {} more", self.curves.len() - index);
                area.draw(&Text::new(more, (x, y), style))?;
                break;
            }
            let (line, color) = ([(x, y), (x + KEY_STROKE, y)], ink(curve).stroke_width(2));
            match strokes(curve) {
                None => area.draw(&PathElement::new(line, color))?,
                Some((stroke, gap)) => area.draw(&DashedPathElement::new(line, stroke, gap, color))?,
            }
            area.draw(&Text::new(curve.name.as_str(), (x + KEY_STROKE + 6, y), style.clone()))?;
            x += wide + 14;
        }
        Ok(area.split_vertically(y + KEY_LINE / 2).1)
    }
}

fn ink(curve: &Curve) -> RGBColor {
    let [r, g, b] = curve.color;
    RGBColor(r, g, b)
}

/// Lengths of a curve's dashes and gaps, pixels; `None` for a solid line.
fn strokes(curve: &Curve) -> Option<(u32, u32)> {
    curve.dashes.checked_sub(1).map(|at| DASHES[at % DASHES.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tip of a spike was once drawn through the title, and the legend over the curves.
    #[test]
    #[cfg(feature = "bitmap")]
    fn curves_stay_within_the_axes_and_have_the_axes_for_themselves() {
        use crate::COLORS;
        let curve = |k: usize, high: f64| Curve {
            name: format!("curve {k}"),
            color: COLORS[k],
            points: (0..400).map(|i| [f64::from(i), if i % 8 == 0 { high } else { 0.0 }]).collect(),
            ..Curve::default()
        };
        let panel = |curves| Panel { y_range: Some([0.0, 1.0]), curves, ..Panel::default() };
        let rows = |panel: Panel, color: [u8; 3]| {
            let image = Figure { panels: vec![panel], ..Figure::default() }.image([400, 300]).expect("it is drawn");
            let rows = (0..300).filter(|y| (0..400).any(|x| image.get_pixel(x, *y).0 == color));
            rows.collect::<Vec<u32>>()
        };
        // The axes reach from the margin of 8 pixels to the 34 pixels of the numbers and the margin below; plus half
        // the line width.
        let alone = rows(panel(vec![curve(0, 1.0)]), COLORS[0]);
        assert!(alone[0] >= 7 && alone[0] < 12 && *alone.last().expect("a curve") <= 300 - 34 - 8 + 1, "{alone:?}");
        // With two curves, the colour of each is in the legend, then there is a gap, and below it only within the
        // axes.
        let of_two = rows(panel(vec![curve(0, 1.0), curve(1, 0.5)]), COLORS[0]);
        let gap = of_two.windows(2).find(|pair| pair[1] > pair[0] + 1).expect("the key is apart");
        assert!(gap[0] < KEY_LINE as u32 && gap[1] > KEY_LINE as u32, "{of_two:?}");
    }
}
