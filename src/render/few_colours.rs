//! Colour reduction for GIF frames, by Wu's method as the crate quantette has it.
//!
//! Measured on films of 125 and of 250 pictures, the second with plots: size of the file, and how far the colours of thin
//! curves and arrows are off at worst, of 255.
//!
//! ```text
//! quantette, Wu                    7.3 MB   5   12.4 MB   1
//! quantette, k-means               9.4 MB   8   20.9 MB   3   1.5 to 3 times as slow
//! Wu, first picture's palette      7.3 MB   2   12.7 MB  96   what comes into view later has no colour in it
//! NeuQuant, of `gif` and `image`  23.2 MB  74   39.6 MB  45   takes few pixels for noise; 10 to 20 times as slow
//! splitting the colour cube       14.7 MB   4   29.0 MB   1   75 lines of this program; keeps the faintest grid lines
//! ```
//! imagequant is under the GPL, which does not suit this program's licence.

use std::collections::HashSet;

use image::{Rgba, RgbaImage};
use quantette::{ImageRef, Pipeline, deps::palette::Srgb};

/// The most colours of a GIF frame.
const COLOURS: usize = 256;

/// Reduces a picture to at most [`COLOURS`] colours. Distant colours stay distinct even if few pixels have them: a thin
/// curve keeps the colour of its legend, and keeps it from picture to picture.
pub fn with_few_colours(picture: &mut RgbaImage) {
    let mut distinct = HashSet::new();
    if !picture.pixels().any(|pixel| distinct.insert(*pixel) && distinct.len() > COLOURS) {
        return;
    }
    let colours: Vec<_> = picture.pixels().map(|&Rgba([r, g, b, _])| Srgb::new(r, g, b)).collect();
    // There are as many colours as pixels.
    let Ok(all) = ImageRef::new(picture.width(), picture.height(), colours.as_slice()) else { return };
    let few = Pipeline::new().ditherer(None).input_image(all).output_srgb8_image();
    for (pixel, colour) in picture.pixels_mut().zip(few.as_slice()) {
        *pixel = Rgba([colour.red, colour.green, colour.blue, pixel.0[3]]);
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
        // Wu's method tells 32 levels of each coordinate apart: two of them are 16 of 255.
        assert!(before.pixels().zip(picture.pixels()).all(|pair| far(pair) <= 16), "no other pixel changes much");
    }

    #[test]
    fn a_picture_of_few_colours_stays_as_it_is() {
        let mut picture = RgbaImage::from_fn(16, 16, |x, y| Rgba([(16 * x + y) as u8, 3, 5, 255]));
        let before = picture.clone();
        with_few_colours(&mut picture);
        assert_eq!(picture, before);
    }
}
