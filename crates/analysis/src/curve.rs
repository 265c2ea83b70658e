//! The path of a point of a body as a drawing: SVG with axes in metres, and DXF.
//!
//! DXF is the plain text format of AutoCAD R12: pairs of lines, a group code and its value. A curve is a POLYLINE of
//! VERTEX entities, in metres, in the plane in which the mechanism moves. Source: Autodesk, DXF Reference, release 12.

use std::fmt::Write as _;

use delassus_figure::escaped;
use glam::DVec3;

use crate::found::Analysis;

/// A curve in a plane, m.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaneCurve {
    pub points: Vec<[f64; 2]>,
    /// Labels of the horizontal and the vertical axis, such as `x (m)`.
    pub axes: [String; 2],
    /// Whether the last point joins the first.
    pub closed: bool,
}

/// A curve is closed if its ends are closer than this share of its size.
const CLOSED: f64 = 1e-6;

impl PlaneCurve {
    /// The path of the followed point in the plane of the mechanism; none if no point was followed.
    pub fn of_point(analysis: &Analysis) -> Option<Self> {
        let points: Vec<DVec3> = analysis.samples.iter().filter_map(|sample| Some(sample.point?[0])).collect();
        (!points.is_empty()).then(|| Self::of(&points, analysis.normal))
    }

    /// Projects points, m, onto the plane with the normal `n`, both in the world frame. Without a normal it takes the
    /// world axis along which the points extend least. If the normal is a world axis, the drawing has the two others as
    /// axes, with z up if it is one of them.
    pub fn of(points: &[DVec3], n: Option<DVec3>) -> Self {
        let n = n.and_then(DVec3::try_normalize).unwrap_or_else(|| flattest(points));
        let names = ["x", "y", "z"];
        // Up is z, or y if z is nearly along the normal. Right is perpendicular to up and the normal; its sign lets x
        // grow to the right.
        let up = [DVec3::Z, DVec3::Y].into_iter().find(|axis| axis.dot(n).abs() < 0.9).unwrap_or(DVec3::Y);
        let up = up.reject_from_normalized(n).normalize_or(DVec3::Y);
        let right = up.cross(n).normalize_or(DVec3::X);
        let right = if right.x + right.y + right.z < 0.0 { -right } else { right };
        let name = |axis: DVec3| {
            let own = (0..3).find(|k| axis[*k] > 1.0 - 1e-6);
            own.map_or("across the axis (m)".into(), |k| format!("{} (m)", names[k]))
        };
        let flat: Vec<[f64; 2]> = points.iter().map(|p| [p.dot(right), p.dot(up)]).collect();
        let curve = Self { points: flat, axes: [name(right), name(up)], closed: false };
        let (low, high) = curve.extent();
        let size = (high[0] - low[0]).hypot(high[1] - low[1]);
        let closed = match (curve.points.first(), curve.points.last()) {
            (Some(a), Some(b)) => curve.points.len() > 2 && (a[0] - b[0]).hypot(a[1] - b[1]) <= CLOSED * size,
            _ => false,
        };
        Self { closed, ..curve }
    }

    /// The lower left and the upper right corner of the bounding box, m.
    fn extent(&self) -> ([f64; 2], [f64; 2]) {
        let mut ends = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in &self.points {
            for (k, at) in point.iter().enumerate() {
                (ends.0[k], ends.1[k]) = (ends.0[k].min(*at), ends.1[k].max(*at));
            }
        }
        if self.points.is_empty() { ([0.0; 2], [0.0; 2]) } else { ends }
    }

    /// The curve as SVG, to scale, in a frame with ticks in metres. `title` is escaped, so it may have any characters.
    pub fn svg(&self, title: &str) -> String {
        const WIDE: f64 = 640.0;
        const MARGIN: f64 = 60.0;
        let (low, high) = self.extent();
        let span = (high[0] - low[0]).max(high[1] - low[1]).max(1e-9);
        let scale = (WIDE - 2.0 * MARGIN) / (1.1 * span);
        let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        let at = |p: [f64; 2]| [0.5 * WIDE + (p[0] - middle[0]) * scale, 0.5 * WIDE - (p[1] - middle[1]) * scale];
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {WIDE}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{MARGIN}\" y=\"30\" font-size=\"15\">{0}</text>\n",
            escaped(title)
        );
        let side = WIDE - 2.0 * MARGIN;
        let _ = writeln!(
            svg,
            "<rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"#888\"/>"
        );
        let half = 0.55 * span;
        for k in 0..2 {
            for tick in ticks(middle[k] - half, middle[k] + half) {
                let mut p = middle;
                p[k] = tick;
                let [x, y] = at(p);
                let label = format!("{tick}");
                let _ = match k {
                    0 => writeln!(
                        svg,
                        "<path d=\"M{x:.2} {0} v-5\" stroke=\"#888\"/><text x=\"{x:.2}\" y=\"{1}\" \
                         text-anchor=\"middle\">{label}</text>",
                        WIDE - MARGIN,
                        WIDE - MARGIN + 16.0
                    ),
                    _ => writeln!(
                        svg,
                        "<path d=\"M{MARGIN} {y:.2} h5\" stroke=\"#888\"/><text x=\"{0}\" y=\"{1:.2}\" \
                         text-anchor=\"end\">{label}</text>",
                        MARGIN - 5.0,
                        y + 4.0
                    ),
                };
            }
        }
        let _ = writeln!(
            svg,
            "<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\">{2}</text>\n<text x=\"16\" y=\"{0}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 16 {0})\">{3}</text>",
            0.5 * WIDE,
            WIDE - 20.0,
            escaped(&self.axes[0]),
            escaped(&self.axes[1])
        );
        svg += "<polyline fill=\"none\" stroke=\"#0072b2\" stroke-width=\"2\" stroke-linejoin=\"round\" points=\"";
        for point in &self.points {
            let [x, y] = at(*point);
            let _ = write!(svg, "{x:.3},{y:.3} ");
        }
        svg + "\"/>\n</svg>\n"
    }

    /// The curve as DXF, in metres.
    pub fn dxf(&self) -> String {
        let points = if self.closed { &self.points[..self.points.len() - 1] } else { &self.points[..] };
        let mut dxf = String::from("0\nSECTION\n2\nENTITIES\n");
        let _ = write!(dxf, "0\nPOLYLINE\n8\ncurve\n66\n1\n70\n{}\n10\n0.0\n20\n0.0\n30\n0.0\n", u8::from(self.closed));
        for [x, y] in points {
            let _ = write!(dxf, "0\nVERTEX\n8\ncurve\n10\n{x:.9}\n20\n{y:.9}\n30\n0.0\n");
        }
        dxf + "0\nSEQEND\n8\ncurve\n0\nENDSEC\n0\nEOF\n"
    }
}

/// The world axis along which the points extend least.
fn flattest(points: &[DVec3]) -> DVec3 {
    let mut ends = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for point in points {
        ends = (ends.0.min(*point), ends.1.max(*point));
    }
    let extent = ends.1 - ends.0;
    // On a tie y comes first, so that z is up and x to the right.
    let least = [1, 0, 2].into_iter().min_by(|a, b| extent[*a].total_cmp(&extent[*b])).unwrap_or(1);
    DVec3::AXES[least]
}

/// Four to eight round numbers from `low` to `high`.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 8.0;
    if !(rough > 0.0 && rough.is_finite()) {
        return Vec::new();
    }
    let power = 10f64.powi(rough.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|k| k * power).find(|step| *step >= rough).unwrap_or(10.0 * power);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    (first..=last).filter_map(|k| format!("{:.decimals$}", k as f64 * step).parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square in the plane of x and z: all its corners, to scale, and closed.
    #[test]
    fn a_square_is_drawn_to_scale() {
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
        let points: Vec<DVec3> = corners.iter().map(|(x, z)| DVec3::new(*x, 3.0, *z)).collect();
        let curve = PlaneCurve::of(&points, Some(DVec3::Y));
        assert_eq!(curve.axes, ["x (m)", "z (m)"]);
        assert_eq!(curve.points, corners.map(|(x, z)| [x, z]));
        assert!(curve.closed);
        assert_eq!(curve, PlaneCurve::of(&points, None));
        let svg = curve.svg("a < b");
        let (_, list) = svg.split_once("points=\"").expect("a polyline");
        let list: Vec<Vec<f64>> = (list.split('"').next().unwrap_or_default().split_whitespace())
            .map(|p| p.split(',').filter_map(|n| n.parse().ok()).collect())
            .collect();
        // 520 pixels are 1.1 times two metres: 2 m are 472.7 pixels wide, 1 m is half of it high, and up is up.
        assert!((list[1][0] - list[0][0] - 520.0 / 1.1).abs() < 2e-3, "{list:?}");
        assert!((list[1][1] - list[2][1] - 260.0 / 1.1).abs() < 2e-3, "{list:?}");
        assert!(svg.contains("a &lt; b") && !svg.contains("a < b"));
    }

    /// The pairs of a DXF file give the corners back; a closed curve has each of them once and its flag set.
    #[test]
    fn a_dxf_file_has_a_vertex_for_each_point() {
        let points = [DVec3::ZERO, DVec3::new(0.5, 0.25, 0.0), DVec3::new(0.125, -1.0, 0.0), DVec3::ZERO];
        let dxf = PlaneCurve::of(&points, Some(DVec3::Z)).dxf();
        let lines: Vec<&str> = dxf.lines().collect();
        assert_eq!(lines.len() % 2, 0, "pairs");
        let pairs: Vec<(i32, &str)> = lines.chunks(2).map(|pair| (pair[0].parse().unwrap(), pair[1])).collect();
        assert_eq!(pairs.last(), Some(&(0, "EOF")));
        assert!(pairs.contains(&(70, "1")));
        let vertices: Vec<usize> = (0..pairs.len()).filter(|k| pairs[*k] == (0, "VERTEX")).collect();
        let xy = |k: &usize| [2, 3].map(|more| pairs[k + more].1.parse::<f64>().unwrap());
        assert_eq!(vertices.iter().map(xy).collect::<Vec<_>>(), [[0.0, 0.0], [0.5, 0.25], [0.125, -1.0]]);
    }
}
