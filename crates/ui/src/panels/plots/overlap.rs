//! Curves of a plot that lie on each other. Each is drawn in every second, third … stretch of the time in which they
//! coincide, so that the colours of all of them are seen.

/// A part of a curve: points with increasing x.
pub(super) type Piece = Vec<[f64; 2]>;

/// The pieces of each curve that are drawn. Curves coincide in a stretch of the length `stripe` if they are nearer than
/// `near` to each other at its ends and in its middle; so short a stretch shows nothing else.
pub(super) fn pieces(curves: &[Piece], near: f64, stripe: f64) -> Vec<Vec<Piece>> {
    let whole = || curves.iter().map(|curve| vec![curve.clone()]).collect();
    let ends = |curve: &Piece| Some((curve.first()?[0], curve.last()?[0]));
    let (first, last) =
        curves.iter().filter_map(ends).fold((f64::MAX, f64::MIN), |(a, b), (c, d)| (a.min(c), b.max(d)));
    let is_sorted = |curve: &Piece| curve.is_sorted_by(|a, b| a[0] <= b[0]);
    if curves.len() < 2 || !(stripe > 0.0 && first < last) || !curves.iter().all(is_sorted) {
        return whole();
    }
    // Stretches begin at multiples of their length, so that they move with the curve.
    let (from, to) = ((first / stripe).floor() as i64, (last / stripe).ceil() as i64);
    if to - from > MOST_STRETCHES {
        return whole();
    }
    let mut drawn: Vec<Vec<Piece>> = vec![Vec::new(); curves.len()];
    let mut continues = vec![false; curves.len()];
    for stretch in from..to {
        let (start, end) = (stretch as f64 * stripe, (stretch + 1) as f64 * stripe);
        let at = |x: f64| -> Vec<Option<f64>> { curves.iter().map(|curve| value(curve, x)).collect() };
        let values = [at(start.max(first)), at(0.5 * (start + end)), at(end.min(last))];
        let coincide = |a: usize, b: usize| {
            let apart = values.iter().filter_map(|values| Some((values[a]? - values[b]?).abs()));
            let (count, most) = apart.fold((0, 0.0f64), |(count, most), apart| (count + 1, most.max(apart)));
            a == b || (count > 1 && most <= near)
        };
        for (index, curve) in curves.iter().enumerate() {
            let group: Vec<usize> = (0..curves.len()).filter(|other| coincide(index, *other)).collect();
            let place = group.iter().position(|member| *member == index).unwrap_or(0);
            if stretch.rem_euclid(group.len() as i64) != place as i64 {
                continues[index] = false;
                continue;
            }
            let part = between(curve, start, end);
            match drawn[index].last_mut().filter(|_| continues[index]) {
                Some(piece) => piece.extend(part),
                None if !part.is_empty() => drawn[index].push(part),
                None => {}
            }
            continues[index] = !drawn[index].is_empty();
        }
    }
    drawn
}

/// The most stretches of a plot.
const MOST_STRETCHES: i64 = 2000;

/// The value of a curve at x, between its points; `None` beyond its ends.
fn value(curve: &[[f64; 2]], x: f64) -> Option<f64> {
    let after = curve.partition_point(|point| point[0] < x);
    let right = curve.get(after)?;
    match after.checked_sub(1).map(|before| curve[before]) {
        Some(left) if right[0] > left[0] => Some(left[1] + (x - left[0]) / (right[0] - left[0]) * (right[1] - left[1])),
        _ => (right[0] == x).then_some(right[1]),
    }
}

/// The part of a curve between two x, with the points at its ends.
fn between(curve: &[[f64; 2]], start: f64, end: f64) -> Piece {
    let point = |x: f64| value(curve, x).map(|y| [x, y]);
    let inside = curve.iter().filter(|point| point[0] > start && point[0] < end).copied();
    point(start).into_iter().chain(inside).chain(point(end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parabola with 101 points from 0 to 10.
    fn parabola(up: f64) -> Piece {
        (0..=100).map(|k| f64::from(k) / 10.0).map(|x| [x, x * x + up]).collect()
    }

    fn length(pieces: &[Piece]) -> f64 {
        pieces.iter().filter_map(|piece| Some(piece.last()?[0] - piece.first()?[0])).sum()
    }

    /// Of three equal curves only the last one was seen.
    #[test]
    fn equal_curves_share_the_time() {
        let drawn = pieces(&[parabola(0.0), parabola(1e-3), parabola(-1e-3)], 0.01, 0.3);
        for curve in &drawn {
            assert!((length(curve) - 10.0 / 3.0).abs() < 0.31, "{}", length(curve));
            for [x, y] in curve.iter().flatten() {
                // Between two points 0.1 apart a chord of x² is at most 0.1²/4 above it.
                assert!((y - x * x).abs() < 1.1e-3 + 0.0026, "{x} {y}");
            }
        }
        // Together they leave no gap.
        assert!((drawn.iter().map(|curve| length(curve)).sum::<f64>() - 10.0).abs() < 1e-6);
    }

    #[test]
    fn curves_apart_are_whole() {
        let curves = [parabola(0.0), parabola(1.0)];
        let drawn = pieces(&curves, 0.01, 0.3);
        assert!(drawn.iter().all(|pieces| pieces.len() == 1 && (length(pieces) - 10.0).abs() < 1e-9));
        // Two that cross coincide in no stretch.
        let (rising, falling) = (vec![[0.0, 0.0], [10.0, 10.0]], vec![[0.0, 10.0], [10.0, 0.0]]);
        assert!(pieces(&[rising, falling], 0.05, 0.3).iter().all(|pieces| pieces.len() == 1));
    }

    #[test]
    fn nothing_is_lost_of_curves_without_a_partner() {
        for curves in [vec![], vec![parabola(0.0)], vec![vec![], parabola(0.0)], vec![vec![[1.0, 2.0]], vec![]]] {
            let drawn = pieces(&curves, 0.1, 0.3);
            for (curve, pieces) in curves.iter().zip(&drawn) {
                let end = |points: &[Piece]| points.iter().flatten().map(|point| point[0]).fold(0.0, f64::max);
                assert_eq!(end(std::slice::from_ref(curve)), end(pieces));
            }
        }
        // One ends halfway: the other is whole after that.
        let half: Piece = parabola(0.0).into_iter().filter(|point| point[0] <= 5.0).collect();
        let drawn = pieces(&[half, parabola(0.0)], 0.01, 0.5);
        assert!((length(&drawn[1]) - 7.5).abs() < 0.6, "{}", length(&drawn[1]));
    }
}
