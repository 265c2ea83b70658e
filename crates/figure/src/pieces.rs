//! Splits a curve into the parts that are drawn: without its gaps, within the axes, without sharp corners.

use super::Curve;
use super::axis::MAX_VALUE;

/// Splits a piece at sharp corners; each part begins where the previous one ends. In bitmaps corners are mitred, and
/// the tip of a spike's mitre would reach beyond the axes.
pub(super) fn smooth(piece: Vec<(f64, f64)>, pixel: impl Fn(&(f64, f64)) -> (i32, i32)) -> Vec<Vec<(f64, f64)>> {
    let mut parts: Vec<Vec<(f64, f64)>> = Vec::new();
    // The last pixel, and the last displacement between different pixels.
    let mut last: Option<(i32, i32)> = None;
    let mut displacement: Option<(i64, i64)> = None;
    for point in piece {
        let at = pixel(&point);
        let next = last.map(|from| (i64::from(at.0 - from.0), i64::from(at.1 - from.1)));
        let turns = match (displacement, next) {
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
            displacement = next;
        }
        last = Some(at);
    }
    parts
}

/// The parts of a curve between its gaps, clipped to the range from `low` to `high`. `scale` maps a value to the axis.
pub(super) fn pieces(curve: &Curve, scale: &dyn Fn(f64) -> f64, [low, high]: [f64; 2]) -> Vec<Vec<(f64, f64)>> {
    let scaled: Vec<(f64, f64)> = curve.points.iter().map(|[x, y]| (*x, scale(*y))).collect();
    let is_finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite() && y.abs() <= MAX_VALUE;
    let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
    for stretch in scaled.split(|point| !is_finite(point)) {
        if let [single] = stretch {
            pieces.extend((low..=high).contains(&single.1).then(|| vec![*single]));
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

/// The part of the segment from `a` to `b` whose y is between `low` and `high`.
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

    /// A spike beyond the axes was once drawn over the words next to them.
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
