//! A scatter plot of two costs on logarithmic axes, each point with its name, and the front of the points that no other
//! one beats in both (Pareto, 1896).

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use delassus_files::whole_file::put;

use super::axis::{TickAxis, decades, number, range_of};
use super::drawing::{self, GRID, INK};
use super::{COLORS, FigureError};

/// A named point; both coordinates are positive, and less is better.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScatterPoint {
    pub name: String,
    pub at: [f64; 2],
}

/// Points over two logarithmic axes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scatter {
    pub title: String,
    /// The labels of the axes, with units.
    pub x: String,
    pub y: String,
    pub points: Vec<ScatterPoint>,
}

/// Radius of a point, and height of a name, pixels.
const DOT: i32 = 4;
const NAME: i32 = 13;

/// The points that no other one beats: none is as good in both coordinates and better in one. In the order of x.
pub fn front(points: &[[f64; 2]]) -> Vec<usize> {
    let beats = |a: &[f64; 2], b: &[f64; 2]| a[0] <= b[0] && a[1] <= b[1] && a != b;
    let beaten = |point: &[f64; 2]| points.iter().any(|other| beats(other, point));
    let mut front: Vec<usize> = (0..points.len()).filter(|at| !beaten(&points[*at])).collect();
    front.sort_by(|a, b| points[*a][0].total_cmp(&points[*b][0]));
    front
}

impl Scatter {
    /// Writes it to an SVG file of `size` pixels.
    ///
    /// # Errors
    /// If it cannot be drawn or written.
    pub fn save(&self, path: &Path, size: [u32; 2]) -> Result<(), FigureError> {
        Ok(put(path, self.svg(size)?.as_bytes())?)
    }

    /// The text of an SVG file.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(&self, size: [u32; 2]) -> Result<String, FigureError> {
        drawing::svg(size.map(|side| side.max(160)), |area| self.draw(area))
    }

    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        area.fill(&WHITE)?;
        let words = |size: u32| ("sans-serif", size).into_font().color(&INK);
        let area = area.titled(&self.title, words(17))?;
        let points: Vec<[f64; 2]> = self.points.iter().map(|point| point.at.map(f64::log10)).collect();
        let axis = |of: usize| {
            let span = range_of(points.iter().map(|point| point[of]));
            TickAxis { span: (span[0]..span[1]).into(), ticks: decades(span) }
        };
        let mut builder = ChartBuilder::on(&area);
        // Room for the names of points at the right edge.
        builder.margin(8).margin_right(90).x_label_area_size(34).y_label_area_size(62);
        let mut chart = builder.build_cartesian_2d(axis(0), axis(1))?;
        let decade = |value: &f64| number(10f64.powf(*value));
        chart
            .configure_mesh()
            .x_labels(8)
            .y_labels(8)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style(words(12))
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_label_formatter(&decade)
            .y_label_formatter(&decade)
            .draw()?;
        let color = |index: usize| RGBColor(COLORS[index][0], COLORS[index][1], COLORS[index][2]);
        let best = front(&points);
        // Between two points of the front nothing is known to be better than a step.
        let corners = best.windows(2).map(|pair| (points[pair[1]][0], points[pair[0]][1]));
        let dots = best.iter().map(|at| (points[*at][0], points[*at][1]));
        let mut line: Vec<(f64, f64)> = Vec::new();
        for (dot, corner) in dots.zip(corners.map(Some).chain([None])) {
            line.extend([Some(dot), corner].into_iter().flatten());
        }
        chart.draw_series(LineSeries::new(line, color(0).stroke_width(1)))?;
        let placed: Vec<(i32, i32)> = points.iter().map(|point| chart.backend_coord(&(point[0], point[1]))).collect();
        let origin = area.get_base_pixel();
        let names = apart(&placed);
        for (at, (x, y)) in placed.iter().enumerate() {
            let (x, y) = (x - origin.0, y - origin.1);
            let style = if best.contains(&at) { color(0).filled() } else { INK.filled() };
            area.draw(&Circle::new((x, y), DOT, style))?;
            let name = (x + 2 * DOT, names[at] - origin.1 - NAME / 2);
            area.draw(&Text::new(self.points[at].name.as_str(), name, words(11)))?;
        }
        Ok(())
    }
}

/// The heights of the points' names, pixels: those of points, but lower where two names would overlap.
fn apart(placed: &[(i32, i32)]) -> Vec<i32> {
    /// About the width of a name, pixels.
    const WIDTH: i32 = 80;
    let mut order: Vec<usize> = (0..placed.len()).collect();
    order.sort_by_key(|at| placed[*at].1);
    let mut heights: Vec<i32> = placed.iter().map(|(_, y)| *y).collect();
    for (number, at) in order.iter().enumerate() {
        for before in &order[..number] {
            let beside = (placed[*before].0 - placed[*at].0).abs() < WIDTH;
            if beside && (heights[*at] - heights[*before]).abs() < NAME {
                heights[*at] = heights[*before] + NAME;
            }
        }
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_has_those_that_no_other_beats_in_both() {
        // The third is as dear as the second and worse; the fourth is worse and dearer than all.
        let points = [[1.0, 10.0], [2.0, 3.0], [2.0, 4.0], [9.0, 11.0], [5.0, 1.0], [5.0, 1.0]];
        assert_eq!(front(&points), [0, 1, 4, 5]);
        assert!(front(&[]).is_empty());
    }

    #[test]
    fn every_point_is_drawn_with_its_name() {
        let point = |name: &str, at| ScatterPoint { name: name.into(), at };
        let points = vec![point("quick & rough", [1e-3, 50.0]), point("slow", [1e-1, 1e-6])];
        let words = ("Stack".to_owned(), "cost (s)".to_owned(), "error".to_owned());
        let scatter = Scatter { title: words.0, x: words.1, y: words.2, points };
        let svg = scatter.svg([640, 420]).expect("it is drawn");
        assert_eq!(svg.matches("<circle").count(), 2);
        for words in ["quick &amp; rough", "slow", "Stack", "cost (s)", "error"] {
            assert!(svg.contains(words), "{words}");
        }
        assert!(Scatter::default().svg([1, 1]).is_ok());
    }

    /// Names of points at the same place once covered each other.
    #[test]
    fn names_do_not_overlap() {
        let heights = apart(&[(100, 50), (110, 52), (105, 51), (400, 51)]);
        for pair in [(0, 1), (0, 2), (1, 2)] {
            assert!((heights[pair.0] - heights[pair.1]).abs() >= NAME, "{heights:?}");
        }
        assert_eq!(heights[3], 51, "far to the right there is room");
    }
}
