//! A heat map of a table with two axes: a cell for each pair of values, from dark to bright, with a colour bar.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, Ranged};
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

use delassus_files::whole_file::put;

use super::axis::number;
use super::drawing::{self, INK};
use super::{FigureError, FigureFormat};

/// The cells over two axes; each value of an axis has a name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heat {
    pub title: String,
    /// The quantity along an axis, and its values, the first at the left or at the bottom.
    pub x: (String, Vec<String>),
    pub y: (String, Vec<String>),
    /// The measured quantity.
    pub what: String,
    /// By rows from the bottom; `None` if there is no value, which is drawn grey.
    pub values: Vec<Option<f64>>,
}

/// Six equidistant colours of Viridis (van der Walt and Smith, 2015). Its lightness increases throughout, so that it
/// can be read with every kind of colour vision.
const VIRIDIS: [[f64; 3]; 6] = [
    [68.0, 1.0, 84.0],
    [65.0, 68.0, 135.0],
    [42.0, 120.0, 142.0],
    [34.0, 168.0, 132.0],
    [122.0, 209.0, 81.0],
    [253.0, 231.0, 37.0],
];
/// The colour of a cell without a value.
const NOTHING: RGBColor = RGBColor(214, 217, 221);
/// If the largest value exceeds the smallest by more than this factor, the colour scale is logarithmic.
const LOGARITHMIC_FROM: f64 = 30.0;
/// Number of steps in the colour bar.
const BAR_STEPS: usize = 64;

/// The least size with room for the axes, the colour bar and a cell or two.
fn at_least([width, height]: [u32; 2]) -> [u32; 2] {
    [width.max(160), height.max(120)]
}

/// Rounded to three digits, about the resolution of the colours.
fn short(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// The colour at a position from 0 (dark) to 1 (bright).
fn colour(share: f64) -> RGBColor {
    let at = share.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let (low, part) = ((at as usize).min(VIRIDIS.len() - 2), at - (at as usize).min(VIRIDIS.len() - 2) as f64);
    let mix = |k: usize| (VIRIDIS[low][k] + (VIRIDIS[low + 1][k] - VIRIDIS[low][k]) * part).round() as u8;
    RGBColor(mix(0), mix(1), mix(2))
}

/// The range of the values, and whether the scale is logarithmic.
struct ColourScale {
    min: f64,
    max: f64,
    logarithmic: bool,
}

impl ColourScale {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let fold = |(low, high): (f64, f64), v: f64| (low.min(v), high.max(v));
        let (min, max) = values.fold((f64::INFINITY, f64::NEG_INFINITY), fold);
        if min > max {
            return Self { min: 0.0, max: 1.0, logarithmic: false };
        }
        Self { min, max, logarithmic: min > 0.0 && max > LOGARITHMIC_FROM * min }
    }

    /// The position of a value on the scale, 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let (low, high, at) = match self.logarithmic {
            true => (self.min.ln(), self.max.ln(), value.ln()),
            false => (self.min, self.max, value),
        };
        if high > low { (at - low) / (high - low) } else { 0.5 }
    }

    /// The value at a position on the scale; the inverse of `share`.
    fn value(&self, share: f64) -> f64 {
        match self.logarithmic {
            true => self.min * (self.max / self.min).powf(share),
            false => self.min + (self.max - self.min) * share,
        }
    }
}

/// An axis of `.0` cells, with labels at the middle of some of them.
struct CellAxis(usize);

impl Ranged for CellAxis {
    type FormatOption = plotters::coord::ranged1d::NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        low + (value / self.0.max(1) as f64 * f64::from(high - low)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let every = self.0.div_ceil(hint.max_num_points().clamp(1, 12)).max(1);
        (0..self.0).step_by(every).map(|k| k as f64 + 0.5).collect()
    }

    fn range(&self) -> Range<f64> {
        0.0..self.0 as f64
    }
}

impl plotters::coord::ranged1d::ValueFormatter<f64> for CellAxis {}

impl Heat {
    /// Writes it as an image; the ending of the file's name sets the format, `size` is in pixels.
    ///
    /// # Errors
    /// An unsupported ending, or an error in drawing or writing.
    pub fn save(&self, path: &Path, size: [u32; 2]) -> Result<(), FigureError> {
        match FigureFormat::of(path)? {
            FigureFormat::Svg => Ok(put(path, self.svg(size)?.as_bytes())?),
            #[cfg(feature = "bitmap")]
            FigureFormat::Png => Ok(put(path, &super::encoded(&self.image(size)?)?)?),
            _ => Err(FigureError::Ending),
        }
    }

    /// The text of an SVG file.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(&self, size: [u32; 2]) -> Result<String, FigureError> {
        drawing::svg(at_least(size), |area| self.draw(area))
    }

    /// The heat map as a bitmap.
    ///
    /// # Errors
    /// If it cannot be drawn.
    #[cfg(feature = "bitmap")]
    pub fn image(&self, size: [u32; 2]) -> Result<image::RgbImage, FigureError> {
        drawing::image(at_least(size), |area| self.draw(area))
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        area.fill(&WHITE)?;
        let words = |size: u32| ("sans-serif", size).into_font().color(&INK);
        let area = area.titled(&self.title, words(17))?;
        let (width, _) = area.dim_in_pixel();
        let (left, right) = area.split_horizontally(width as i32 - 110);
        let (columns, rows) = (self.x.1.len(), self.y.1.len());
        let scale = ColourScale::of(self.values.iter().flatten().copied());
        let mut builder = ChartBuilder::on(&left);
        builder.margin(8).x_label_area_size(34).y_label_area_size(if rows > 1 { 62 } else { 8 });
        let mut chart = builder.build_cartesian_2d(CellAxis(columns), CellAxis(rows))?;
        let name = |names: &[String], at: f64| names.get(at as usize).cloned().unwrap_or_default();
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(INK)
            .label_style(words(12))
            .x_desc(&self.x.0)
            .y_desc(&self.y.0)
            .x_label_formatter(&|at| name(&self.x.1, *at))
            .y_label_formatter(&|at| name(&self.y.1, *at))
            .draw()?;
        let cell = |(k, value): (usize, &Option<f64>)| {
            let (x, y) = ((k % columns.max(1)) as f64, (k / columns.max(1)) as f64);
            let ink = value.map_or(NOTHING, |value| colour(scale.share(value)));
            Rectangle::new([(x, y), (x + 1.0, y + 1.0)], ink.filled())
        };
        chart.draw_series(self.values.iter().enumerate().map(cell))?;
        // The colour bar.
        let mut builder = ChartBuilder::on(&right);
        builder.margin(8).margin_bottom(42).y_label_area_size(58);
        let mut bar = builder.build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
        bar.configure_mesh()
            .disable_mesh()
            .disable_x_axis()
            .axis_style(INK)
            .label_style(words(12))
            .y_labels(6)
            .y_desc(&self.what)
            .y_label_formatter(&|share| number(short(scale.value(*share))))
            .draw()?;
        let step = 1.0 / BAR_STEPS as f64;
        let cell = |k: usize| {
            let from = k as f64 * step;
            Rectangle::new([(0.0, from), (1.0, from + step)], colour(from + 0.5 * step).filled())
        };
        bar.draw_series((0..BAR_STEPS).map(cell))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heat() -> Heat {
        let names = |n: usize| (0..n).map(|k| k.to_string()).collect::<Vec<_>>();
        let values = (0..12).map(|k| (k != 5).then_some(f64::from(k))).collect();
        let (x, y) = (("sweeps".to_owned(), names(4)), ("β".to_owned(), names(3)));
        Heat { title: "Errors".into(), x, y, what: "joint_error_max (m)".into(), values }
    }

    /// Twelve cells, one of them without a value, and the names of both axes and of the measured quantity.
    #[test]
    fn a_table_is_drawn_cell_by_cell() {
        let svg = heat().svg([640, 480]).expect("it is drawn");
        for words in ["Errors", "sweeps", "β", "joint_error_max (m)"] {
            assert!(svg.contains(words), "{words}");
        }
        let inked = |ink: RGBColor| svg.matches(&format!("#{:02X}{:02X}{:02X}", ink.0, ink.1, ink.2)).count();
        assert!(inked(NOTHING) >= 1 && inked(colour(0.0)) >= 1 && inked(colour(1.0)) >= 1);
        assert!(svg.matches("<rect").count() >= 12 + BAR_STEPS);
    }

    /// Values over several decades get a logarithmic scale, and `share` and `value` are inverse to each other.
    #[test]
    fn values_over_several_decades_get_a_logarithmic_scale() {
        let scale = ColourScale::of([1e-6, 1e-3, 1.0].into_iter());
        assert!(scale.logarithmic && (scale.share(1e-3) - 0.5).abs() < 1e-12);
        let plain = ColourScale::of([1.0, 2.0, 3.0].into_iter());
        assert!(!plain.logarithmic && (plain.share(2.0) - 0.5).abs() < 1e-12);
        for share in [0.0, 0.3, 1.0] {
            assert!((scale.share(scale.value(share)) - share).abs() < 1e-12);
            assert!((plain.share(plain.value(share)) - share).abs() < 1e-12);
        }
        assert!(!ColourScale::of([0.0, 5.0].into_iter()).logarithmic, "zero has no logarithm");
        assert!(heat().svg([1, 1]).is_ok() && Heat::default().svg([300, 200]).is_ok());
    }

    /// The lightness of Viridis increases throughout.
    #[test]
    fn more_is_brighter() {
        let light = |share: f64| {
            let RGBColor(r, g, b) = colour(share);
            0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)
        };
        (0..50).for_each(|k| assert!(light(f64::from(k + 1) / 50.0) > light(f64::from(k) / 50.0), "{k}"));
    }
}
