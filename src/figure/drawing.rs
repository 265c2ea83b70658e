//! A figure drawn: axes at round numbers, curves, and where there is more than one a key in lines above them, where no curve
//! is.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Curve, Figure, FigureError, Panel};

pub(super) const INK: RGBColor = RGBColor(52, 57, 65);
const GRID: RGBColor = RGBColor(226, 229, 233);
/// Lengths of a stroke and of the gap behind it, pixels.
const DASHES: [(u32, u32); 3] = [(7, 4), (2, 4), (12, 3)];
/// Room for the numbers left of the axes, the height of a line of the key, and how long a curve is drawn in it, pixels.
const AXIS: i32 = 62;
const KEY_LINE: i32 = 16;
const KEY_STROKE: i32 = 18;
/// What plots reach at most: beyond it axes have no numbers.
const LARGEST: f64 = 1e30;

fn failed<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> FigureError {
    FigureError::Draw(error.to_string())
}

impl Figure {
    /// The text of an SVG file.
    ///
    /// # Errors
    /// What keeps it from being drawn.
    pub fn svg(&self, size: [u32; 2]) -> Result<String, FigureError> {
        svg(size.map(|side| side.max(64)), |area| self.draw(area))
    }

    /// A picture.
    ///
    /// # Errors
    /// What keeps it from being drawn.
    #[cfg(feature = "gui")]
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

/// Has something drawn as the text of an SVG file, `size` in pixels.
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

/// Has something drawn as a picture, `size` in pixels.
#[cfg(feature = "gui")]
pub(super) fn image<E: std::error::Error + Send + Sync>(
    size: [u32; 2],
    draw: impl FnOnce(&DrawingArea<BitMapBackend<'_>, Shift>) -> Result<(), DrawingAreaErrorKind<E>>,
) -> Result<image::RgbImage, FigureError> {
    let mut pixels = vec![255; (size[0] * size[1] * 3) as usize];
    over(&mut pixels, size, draw)?;
    image::RgbImage::from_raw(size[0], size[1], pixels).ok_or(FigureError::Draw("no room".into()))
}

/// Has something drawn over a picture of three bytes a pixel.
#[cfg(feature = "gui")]
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

/// The window's font, by which words are measured and drawn; without the window viewers choose one.
fn fonts() {
    #[cfg(feature = "gui")]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            let fonts = egui::FontDefinitions::default().font_data;
            if let Some(data) = fonts.get("Ubuntu-Light") {
                // It lives as long as the program. What cannot be read is told where it is drawn with.
                let bytes: &'static [u8] = Vec::leak(data.font.as_ref().as_ref().to_vec());
                let _ = plotters::style::register_font("sans-serif", FontStyle::Normal, bytes);
            }
        });
    }
}

/// From where to where, with some air; never empty.
fn reach(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|value| value.is_finite()).map(|value| value.clamp(-LARGEST, LARGEST));
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return [0.0, 1.0];
    }
    let air = 0.05 * (high - low);
    let least = (low.abs().max(high.abs()) * 1e-6).max(1e-12);
    if air > least { [low - air, high + air] } else { [low - 10.0 * least, high + 10.0 * least] }
}

/// A number at an axis, in few digits.
pub(super) fn number(value: f64) -> String {
    let text = match value.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e5).contains(&size) => format!("{value:.1e}").replace(".0e", "e"),
        _ => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    text.replace('-', "−")
}

/// A number at an even axis, where rounding leaves next to nothing of a zero.
fn even(value: f64, [low, high]: [f64; 2]) -> String {
    number(if value.abs() < 1e-9 * (high - low) { 0.0 } else { value })
}

/// An axis with its numbers where they are said to be.
struct Axis {
    span: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.span.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.span.range()
    }
}

/// Where an axis of decades has its numbers: at so many whole ones as there is room for, or where there are hardly any also
/// between them. Powers of ten.
fn decades([low, high]: [f64; 2]) -> Vec<f64> {
    /// As many numbers as have room.
    const MOST: usize = 8;
    let whole = || (low.ceil().max(-40.0) as i32)..=(high.floor().min(40.0) as i32);
    let count = whole().count();
    if count > 2 {
        return whole().step_by(count.div_ceil(MOST)).map(f64::from).collect();
    }
    let between = |parts: &[f64]| -> Vec<f64> {
        let decades = (low.floor().max(-40.0) as i32)..=(high.floor().min(40.0) as i32);
        let all = decades.flat_map(|decade| parts.iter().map(move |part| f64::from(decade) + part.log10()));
        all.filter(|value| (low..=high).contains(value)).collect()
    };
    let found = between(&[1.0, 2.0, 5.0]);
    let found = if found.len() > 2 { found } else { between(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]) };
    // Within a part of a decade it is as good as even.
    if found.len() > 2 { found } else { RangedCoordf64::from(low..high).key_points(6) }
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
            let (values, margin) = (all().map(|p| p[0]), reach(all().map(|p| p[0])));
            // Time begins at the axis.
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            if high > low && low.is_finite() && high.is_finite() { [low, high] } else { margin }
        });
        let y = self.y_range.map_or_else(|| reach(all().map(|p| placed(p[1]))), |range| range.map(placed));
        let font = || ("sans-serif", 12).into_font().color(&INK);
        let area = match self.title.as_str() {
            "" => area.clone(),
            title => area.titled(title, ("sans-serif", 14).into_font().color(&INK))?,
        };
        let area = self.key(&area)?;
        let mut builder = ChartBuilder::on(&area);
        builder.margin(8).margin_right(16).x_label_area_size(34).y_label_area_size(AXIS as u32);
        let ticks = if self.logarithmic { decades(y) } else { RangedCoordf64::from(y[0]..y[1]).key_points(6) };
        let mut chart = builder.build_cartesian_2d(x[0]..x[1], Axis { span: (y[0]..y[1]).into(), ticks })?;
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

    /// Says in lines at the upper edge which curve is which, where there is more than one. The room below.
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
        // The axes keep the larger part.
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

/// Lengths of a curve's strokes and gaps, pixels; of a whole line none.
fn strokes(curve: &Curve) -> Option<(u32, u32)> {
    curve.dashes.checked_sub(1).map(|at| DASHES[at % DASHES.len()])
}

/// A piece in parts without sharp corners, each of which begins where the last one ends: in pictures a corner's point is drawn
/// as far out as both edges of the line meet, which of a spike is beyond the axes.
fn smooth(piece: Vec<(f64, f64)>, pixel: impl Fn(&(f64, f64)) -> (i32, i32)) -> Vec<Vec<(f64, f64)>> {
    let mut parts: Vec<Vec<(f64, f64)>> = Vec::new();
    // The last two places in the picture that differ.
    let mut last: Option<(i32, i32)> = None;
    let mut way: Option<(i64, i64)> = None;
    for point in piece {
        let at = pixel(&point);
        let next = last.map(|from| (i64::from(at.0 - from.0), i64::from(at.1 - from.1)));
        let turns = match (way, next) {
            (Some((x, y)), Some((u, v))) => x * u + y * v < 0,
            _ => false,
        };
        match parts.last_mut() {
            Some(part) if !turns => part.push(point),
            Some(part) => {
                let corner = part.last().copied();
                parts.push(corner.into_iter().chain([point]).collect());
            }
            None => parts.push(vec![point]),
        }
        if next.is_some_and(|next| next != (0, 0)) {
            way = next;
        }
        last = Some(at);
    }
    parts
}

/// The stretches of a curve without gaps, as far as they lie between two heights.
fn pieces(curve: &Curve, placed: &dyn Fn(f64) -> f64, [low, high]: [f64; 2]) -> Vec<Vec<(f64, f64)>> {
    let placed: Vec<(f64, f64)> = curve.points.iter().map(|[x, y]| (*x, placed(*y))).collect();
    let whole = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite() && y.abs() <= LARGEST;
    let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
    for stretch in placed.split(|point| !whole(point)) {
        if let [alone] = stretch {
            pieces.extend((low..=high).contains(&alone.1).then(|| vec![*alone]));
        }
        let mut end = None;
        for pair in stretch.windows(2) {
            let part = between(pair[0], pair[1], low, high).filter(|[from, to]| from != to);
            let Some([from, to]) = part else { continue };
            match pieces.last_mut() {
                Some(piece) if end == Some(from) => piece.push(to),
                _ => pieces.push(vec![from, to]),
            }
            end = Some(to);
        }
    }
    pieces
}

/// What of a line lies between two heights.
fn between(a: (f64, f64), b: (f64, f64), low: f64, high: f64) -> Option<[(f64, f64); 2]> {
    if a.1.max(b.1) < low || a.1.min(b.1) > high {
        return None;
    }
    let at = |y: f64| (a.0 + (b.0 - a.0) * (y - a.1) / (b.1 - a.1), y);
    let fit = |point: (f64, f64)| {
        let y = point.1.clamp(low, high);
        if y == point.1 { point } else { at(y) }
    };
    Some([fit(a), fit(b)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// −1 to 1 in steps of 0.2 adds up to 1e-16 in the middle, which stood at the axis as such.
    #[test]
    fn a_zero_of_an_even_axis_is_said_so() {
        let middle = (0..5).fold(-1.0, |sum, _| sum + 0.2);
        assert!(middle != 0.0);
        assert_eq!(even(middle, [-1.0, 1.0]), "0");
        assert_eq!(even(2e-10, [0.0, 1e-9]), "2e−10");
    }

    /// An axis of decades had one number, or numbers as 3.2e-4 that no decade has.
    #[test]
    fn decades_have_their_numbers() {
        assert_eq!(decades([-4.3, 0.2]), [-4.0, -3.0, -2.0, -1.0, 0.0]);
        assert_eq!(decades([-20.5, 3.0]), [-20.0, -17.0, -14.0, -11.0, -8.0, -5.0, -2.0, 1.0]);
        let numbers = |range| decades(range).into_iter().map(|value| number(10f64.powf(value))).collect::<Vec<_>>();
        assert_eq!(numbers([-1.1, 0.4]), ["0.1", "0.2", "0.5", "1", "2"]);
        assert_eq!(numbers([0.5, 0.95]), ["4", "5", "6", "7", "8"]);
        for range in [[0.61, 0.62], [2.0, 2.0001], [-7.77, -7.5], [5.0, 5.3]] {
            assert!(decades(range).len() > 2, "{range:?}: {:?}", decades(range));
            assert!(decades(range).iter().all(|value| (range[0]..=range[1]).contains(value)), "{range:?}");
        }
    }

    /// The point of a spike was drawn through the title, and the key over the curves.
    #[test]
    #[cfg(feature = "gui")]
    fn curves_stay_within_the_axes_and_have_the_axes_for_themselves() {
        use crate::figure::COLORS;
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
        // The axes go from the margin of 8 pixels to the numbers' 34 and the margin below; half a line's width more.
        let alone = rows(panel(vec![curve(0, 1.0)]), COLORS[0]);
        assert!(alone[0] >= 7 && alone[0] < 12 && *alone.last().expect("a curve") <= 300 - 34 - 8 + 1, "{alone:?}");
        // Of two each is in the key, above a gap, and below it only within the axes.
        let of_two = rows(panel(vec![curve(0, 1.0), curve(1, 0.5)]), COLORS[0]);
        let gap = of_two.windows(2).find(|pair| pair[1] > pair[0] + 1).expect("the key is apart");
        assert!(gap[0] < KEY_LINE as u32 && gap[1] > KEY_LINE as u32, "{of_two:?}");
    }

    /// A spike beyond the axes was drawn over the words beside them.
    #[test]
    fn a_curve_ends_where_the_axes_do() {
        let points = vec![[0.0, 0.0], [1.0, 4.0], [2.0, 0.0], [3.0, -1.0], [4.0, -2.0], [5.0, f64::NAN], [6.0, 1.0]];
        let curve = Curve { points, ..Curve::default() };
        let found = pieces(&curve, &|y| y, [-1.0, 2.0]);
        let up = vec![(0.0, 0.0), (0.5, 2.0)];
        let down = vec![(1.5, 2.0), (2.0, 0.0), (3.0, -1.0)];
        assert_eq!(found[..2], [up, down]);
        assert_eq!(found[2..].concat().last(), Some(&(6.0, 1.0)));
        assert!(found.iter().flatten().all(|(_, y)| (-1.0..=2.0).contains(y)), "{found:?}");
    }
}
