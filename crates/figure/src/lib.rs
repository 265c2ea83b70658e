//! Figures as files: curves in panels with axes, as SVG, PNG or CSV. Plain data in, bytes out; used by the window's
//! plots and by the command line.

mod axis;
mod drawing;
mod escape;
mod heat;
#[cfg(feature = "bitmap")]
mod over;
mod pieces;
mod scatter;
mod table;

use std::path::Path;

use delassus_files::whole_file::put;

pub use escape::escaped;
pub use heat::Heat;
#[cfg(feature = "bitmap")]
pub use over::{Sign, notes, over};
pub use scatter::{Scatter, ScatterPoint, front};

/// One curve.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    pub name: String,
    /// The unit of its values; empty if they have none.
    pub unit: String,
    /// sRGB.
    pub color: [u8; 3],
    /// Index of the dash pattern; 0 is a solid line.
    pub dashes: usize,
    /// (x, value); a value that is not finite makes a gap.
    pub points: Vec<[f64; 2]>,
}

/// Axes with their curves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    pub title: String,
    /// The labels of the axes, with units.
    pub x: String,
    pub y: String,
    /// Logarithmic vertical axis; values that are not positive are left out.
    pub logarithmic: bool,
    /// The ranges of the axes; if `None`, those of the curves.
    pub x_range: Option<[f64; 2]>,
    pub y_range: Option<[f64; 2]>,
    pub curves: Vec<Curve>,
}

/// Panels arranged in columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figure {
    pub title: String,
    pub panels: Vec<Panel>,
    pub columns: usize,
}

/// Colours that can be distinguished with every kind of colour vision (Okabe and Ito, 2008), the darker ones first,
/// for white paper.
pub const COLORS: [[u8; 3]; 8] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [230, 159, 0],
    [86, 180, 233],
    [20, 22, 26],
    [150, 140, 20],
];

/// The file format of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureFormat {
    Svg,
    /// Only in builds with the window, which contains the font.
    Png,
    Csv,
}

/// Why a figure was not written.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    #[error("expected a name that ends with .svg, .png or .csv")]
    Ending,
    #[error("this program was built without pictures: write an .svg instead")]
    NoPictures,
    #[error("cannot be written: {0}")]
    Write(#[from] std::io::Error),
    #[error("cannot be drawn: {0}")]
    Draw(String),
}

impl FigureFormat {
    /// The format for a file name, by its ending.
    ///
    /// # Errors
    /// An unsupported ending.
    pub fn of(path: &Path) -> Result<Self, FigureError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") if cfg!(all(feature = "bitmap", not(target_arch = "wasm32"))) => Ok(Self::Png),
            Some("png") => Err(FigureError::NoPictures),
            Some("csv") => Ok(Self::Csv),
            _ => Err(FigureError::Ending),
        }
    }
}

impl Figure {
    /// Writes it to a file; the ending of its name sets the format, `size` is in pixels.
    ///
    /// # Errors
    /// An unsupported ending, or an error in drawing or writing.
    pub fn save(&self, path: &Path, size: [u32; 2]) -> Result<(), FigureError> {
        match FigureFormat::of(path)? {
            FigureFormat::Svg => Ok(put(path, self.svg(size)?.as_bytes())?),
            FigureFormat::Csv => Ok(put(path, &self.csv())?),
            #[cfg(feature = "bitmap")]
            FigureFormat::Png => Ok(put(path, &encoded(&self.image(size)?)?)?),
            #[cfg(not(feature = "bitmap"))]
            FigureFormat::Png => Err(FigureError::NoPictures),
        }
    }

    /// A size at which each panel is readable, pixels.
    pub fn usual_size(&self) -> [u32; 2] {
        let columns = self.columns.max(1);
        let rows = self.panels.len().div_ceil(columns).max(1);
        [640 * columns.min(4) as u32, (30 + 280 * rows.min(12)) as u32]
    }
}

/// A picture as the bytes of a PNG file.
#[cfg(feature = "bitmap")]
fn encoded(image: &image::RgbImage) -> Result<Vec<u8>, FigureError> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).map_err(|error| FigureError::Draw(error.to_string()))?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn figure() -> Figure {
        let line = |name: &str, k: f64| Curve {
            name: name.into(),
            unit: "J".into(),
            color: COLORS[0],
            dashes: 0,
            points: (0..50).map(|i| [f64::from(i) * 0.1, k * f64::from(i)]).collect(),
        };
        let mut gaps = line("gaps & <more>", 2.0);
        gaps.points[20][1] = f64::NAN;
        let panel = |title: &str, logarithmic| Panel {
            title: title.into(),
            x: "time (s)".into(),
            y: "energy (J)".into(),
            logarithmic,
            curves: vec![line("one", 1.0), gaps.clone()],
            ..Panel::default()
        };
        Figure { title: "Energies".into(), panels: vec![panel("a", false), panel("b", true)], columns: 1 }
    }

    #[test]
    fn the_ending_says_the_kind_and_others_are_refused() {
        let kind = |name: &str| FigureFormat::of(Path::new(name)).ok();
        assert_eq!([kind("a.svg"), kind("b.CSV")], [Some(FigureFormat::Svg), Some(FigureFormat::Csv)]);
        assert!(kind("a.jpg").is_none() && kind("svg").is_none());
        assert_eq!(kind("a.png").is_some(), cfg!(feature = "bitmap"));
    }

    /// A figure is written to a temporary file first. Written in place, it would be lost if the disk is full.
    #[test]
    fn after_a_fault_at_any_point_of_saving_the_old_figure_is_there_or_the_new() {
        use delassus_files::fault::{FaultKind, at_each_point};
        let heat = heat::Heat {
            title: "Heat".into(),
            x: ("x".into(), vec!["1".into(), "2".into()]),
            y: ("y".into(), vec!["1".into()]),
            what: "energy".into(),
            values: vec![Some(1.0), Some(2.0)],
        };
        let endings = if cfg!(feature = "bitmap") { &["svg", "csv", "png"][..] } else { &["svg", "csv"] };
        for (kind, ending, map) in [FaultKind::Fails, FaultKind::Crashes]
            .into_iter()
            .flat_map(|kind| endings.iter().flat_map(move |ending| [(kind, ending, false), (kind, ending, true)]))
            .filter(|(_, ending, map)| !(*map && **ending == "csv"))
        {
            let folder = tempfile::tempdir().expect("a folder");
            let (path, whole) = (folder.path().join("a").with_extension(ending), folder.path().join("b"));
            let whole = whole.with_extension(ending);
            let save = |path: &Path| match map {
                true => heat.save(path, [200, 200]),
                false => figure().save(path, [200, 200]),
            };
            save(&whole).expect("a folder that can be written to");
            let new = std::fs::read(&whole).expect("a figure");
            let begin = || {
                std::fs::write(&path, "old").expect("a file");
                save(&path)
            };
            let points = at_each_point(kind, begin, |point, result| {
                let now = std::fs::read(&path).expect("a file");
                assert!(now == b"old" || now == new, "{kind:?} at point {point} of .{ending}");
                assert!(result.is_err() || now == new, "{kind:?} at point {point} of .{ending}: lost in silence");
            });
            assert!(points > 5, "{points}");
        }
    }

    /// A curve from (0, 0) to (4.9, 49), another with a gap: the drawing has their names, and a line on either side
    /// of the gap.
    #[test]
    fn an_svg_has_names_and_gaps() {
        let svg = figure().svg([640, 590]).expect("it is drawn");
        for words in ["Energies", "time (s)", "energy (J)", "gaps &amp; &lt;more&gt;"] {
            assert!(svg.contains(words), "{words}");
        }
        // The first panel has three lines: one curve, and both sides of the gap in the other.
        let mut one = figure();
        one.panels.truncate(1);
        let lines = |figure: &Figure| figure.svg([640, 590]).expect("it is drawn").matches("<polyline").count();
        let gap = lines(&one);
        one.panels[0].curves[1].points[20][1] = 40.0;
        assert_eq!(gap, lines(&one) + 1);
    }

    #[test]
    fn nothing_to_draw_and_values_without_end_are_drawn_too() {
        assert!(Figure::default().svg([300, 200]).is_ok());
        let wild = |value: f64| Curve { points: vec![[0.0, value], [1.0, -value]], ..Curve::default() };
        for value in [0.0, 1e300, 1e-300, f64::INFINITY, f64::NAN] {
            for logarithmic in [false, true] {
                let panel = Panel { curves: vec![wild(value)], logarithmic, ..Panel::default() };
                assert!(Figure { panels: vec![panel], ..Figure::default() }.svg([300, 200]).is_ok(), "{value}");
            }
        }
    }

    #[test]
    #[cfg(feature = "bitmap")]
    fn a_picture_has_ink_of_each_color() {
        let mut figure = figure();
        figure.panels[0].curves[1].color = COLORS[1];
        let image = figure.image([640, 590]).expect("it is drawn");
        assert_eq!(image.dimensions(), (640, 590));
        for color in [COLORS[0], COLORS[1], [255; 3]] {
            assert!(image.pixels().filter(|pixel| pixel.0 == color).count() > 50, "{color:?}");
        }
    }

    /// Curves of one panel share a line of the table if they have the same x.
    #[test]
    fn a_table_has_a_line_for_each_x() {
        let mut figure = figure();
        figure.panels.truncate(1);
        figure.panels[0].curves[1].points.truncate(2);
        let text = String::from_utf8(figure.csv()).expect("words");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "time (s),one (J),gaps & <more> (J)");
        assert_eq!((lines[1], lines[2], lines[3]), ("0,0,0", "0.1,1,2", "0.2,2,"));
        assert_eq!(lines.len(), 51);
        // A curve of counts has no unit.
        figure.panels[0].curves[0].unit.clear();
        assert!(figure.csv().starts_with(b"time (s),one,gaps & <more> (J)\n"));
    }

    /// In a table of several panels with the same curves, as for compared runs, the panel's title is part of the
    /// column names.
    #[test]
    fn a_table_of_several_panels_says_whose_each_column_is() {
        let text = String::from_utf8(figure().csv()).expect("words");
        let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("time")).collect();
        let of = |panel: &str| format!("time (s),{panel}: one (J),{panel}: gaps & <more> (J)");
        assert_eq!(heads, [of("a"), of("b")]);
    }
}
