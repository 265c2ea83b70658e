//! Colour reduction for GIF frames.
//!
//! These crates were tried on films of 125 and of 250 pictures, the second with plots. Size of the file, MB, and the
//! largest error of the colours of thin curves and arrows, of 255.
//!
//! ```text
//! splitting the colour cube (here)  14.7 MB   4   29.0 MB   1   keeps the faintest grid lines
//! quantette, Wu                      7.3 MB   5   12.4 MB   1   loses them; mean error 1.89 instead of 0.70
//! quantette, k-means                 9.4 MB   8   20.9 MB   3
//! NeuQuant, of `gif` and `image`    23.2 MB  74   39.6 MB  45   takes few pixels for noise; 10 to 20 times as slow
//! ```
//! imagequant is under the GPL, which does not fit this program's licence. One palette for the whole film would need all
//! pictures before the first is written: with the palette of the first picture, a colour that appears later is off by 96.

use std::collections::HashSet;

use image::{Rgba, RgbaImage};

/// The largest number of colours of a GIF frame.
const COLOURS: usize = 256;
/// Bits per channel at which colours are distinguished if there are more.
const BITS: u32 = 6;

/// Reduces a picture to at most [`COLOURS`] colours by splitting the colour cube at the middle of its longest side.
/// Distant colours stay distinct even if few pixels have them: a thin curve keeps the colour of its legend.
pub fn with_few_colours(picture: &mut RgbaImage) {
    let mut distinct = HashSet::new();
    if !picture.pixels().any(|pixel| distinct.insert(*pixel) && distinct.len() > COLOURS) {
        return;
    }
    let place = |Rgba([r, g, b, _]): &Rgba<u8>| [r, g, b].map(|v| u32::from(*v) >> (8 - BITS));
    let key = |pixel: &Rgba<u8>| place(pixel).into_iter().fold(0, |key, v| key << BITS | v as usize);
    // For each occupied cell: its position, its number of pixels, and their sum.
    let mut index_of_cell = vec![u32::MAX; 1 << (3 * BITS)];
    let mut cells: Vec<([u32; 3], u64, [u64; 3])> = Vec::new();
    for pixel in picture.pixels() {
        let at = &mut index_of_cell[key(pixel)];
        if *at == u32::MAX {
            *at = cells.len() as u32;
            cells.push((place(pixel), 0, [0; 3]));
        }
        let (_, count, sum) = &mut cells[*at as usize];
        *count += 1;
        (0..3).for_each(|k| sum[k] += u64::from(pixel.0[k]));
    }
    // A group's longest side: channel, lower and upper end. Then the gain of splitting the group there.
    let side = |group: &[u32]| {
        let mut ends = [(u32::MAX, 0); 3];
        for &c in group {
            for (end, v) in ends.iter_mut().zip(cells[c as usize].0) {
                *end = (end.0.min(v), end.1.max(v));
            }
        }
        let k = [0, 1, 2].into_iter().max_by_key(|&k| ends[k].1 - ends[k].0).unwrap_or(0);
        let (low, high) = ends[k];
        let count: u64 = group.iter().map(|&c| cells[c as usize].1).sum();
        (k, low, high, f64::from(high - low).powi(2) * (count as f64).sqrt())
    };
    let all: Vec<u32> = (0..cells.len() as u32).collect();
    let mut groups = vec![(side(&all), all)];
    while groups.len() < COLOURS {
        let Some(widest) = (0..groups.len()).max_by(|&a, &b| groups[a].0.3.total_cmp(&groups[b].0.3)) else { break };
        let ((k, low, high, gain), group) = groups.swap_remove(widest);
        if gain == 0.0 {
            groups.push(((k, low, high, gain), group));
            break;
        }
        let middle = (low + high).div_ceil(2);
        let (below, above): (Vec<u32>, Vec<u32>) = group.into_iter().partition(|&c| cells[c as usize].0[k] < middle);
        groups.extend([below, above].map(|half| (side(&half), half)));
    }
    let mut colours = vec![[0; 3]; cells.len()];
    for (_, group) in &groups {
        let count: u64 = group.iter().map(|&c| cells[c as usize].1).sum();
        let mean = [0, 1, 2].map(|k| {
            let sum: u64 = group.iter().map(|&c| cells[c as usize].2[k]).sum();
            ((sum + count / 2) / count) as u8
        });
        group.iter().for_each(|&c| colours[c as usize] = mean);
    }
    for pixel in picture.pixels_mut() {
        let [r, g, b] = colours[index_of_cell[key(pixel)] as usize];
        *pixel = Rgba([r, g, b, pixel.0[3]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of many greys, with a thin line of each of five colours.
    #[test]
    fn thin_curves_keep_their_colours_among_many_greys() {
        const CURVES: [[u8; 3]; 5] = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0]];
        let mut picture = RgbaImage::from_fn(400, 300, |x, y| {
            let (x, y) = (x as u8, y as u8);
            Rgba([40 + x / 4, 42 + x / 4 + y % 3, 48 + y / 4, 255])
        });
        for (k, [r, g, b]) in CURVES.into_iter().enumerate() {
            (0..60).for_each(|x| picture.put_pixel(x, 10 * k as u32, Rgba([r, g, b, 255])));
        }
        let before = picture.clone();
        with_few_colours(&mut picture);
        assert!(picture.pixels().collect::<HashSet<_>>().len() <= COLOURS);
        for (k, [r, g, b]) in CURVES.into_iter().enumerate() {
            assert_eq!(picture.get_pixel(30, 10 * k as u32), &Rgba([r, g, b, 255]), "curve {k}");
        }
        let far = |(a, b): (&Rgba<u8>, &Rgba<u8>)| (0..3).map(|c| a.0[c].abs_diff(b.0[c])).max().unwrap_or(0);
        assert!(before.pixels().zip(picture.pixels()).all(|pair| far(pair) <= 12), "no other pixel changes much");
    }

    #[test]
    fn a_picture_of_few_colours_stays_as_it_is() {
        let mut picture = RgbaImage::from_fn(16, 16, |x, y| Rgba([(16 * x + y) as u8, 3, 5, 255]));
        let before = picture.clone();
        with_few_colours(&mut picture);
        assert_eq!(picture, before);
    }
}
