//! Points, arrows and labels drawn over a picture.

use image::{Rgb, RgbImage, RgbaImage};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{COLORS, FigureError, drawing, drawing::INK};

/// A label with the point or arrow that it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Sign {
    /// Pixels from the picture's upper left corner.
    at: [f32; 2],
    /// The tip of an arrow that begins at `at`, pixels.
    tip: Option<[f32; 2]>,
    /// The text; an underscore makes a subscript up to the next space.
    says: String,
    /// Index into [`COLORS`]; `None` for words alone.
    tint: Option<usize>,
    /// The label is beside the arrow's middle instead of at its tip.
    beside: bool,
}

/// Font sizes of letters and of subscripts, pixels.
const SIZES: [u32; 2] = [22, 15];
/// Distance of a label from its point or arrow, pixels.
const AWAY: f32 = 15.0;
/// Length and half width of an arrow's head, pixels.
const HEAD: [f32; 2] = [13.0, 5.0];
/// An arrow shorter than this in the picture is drawn as a point, pixels.
const MIN_ARROW_LENGTH: f32 = 6.0;

impl Sign {
    /// A point, or an arrow if there is a `tip`; `None` if it is not visible. An inner `None` of `tip` is a tip that
    /// is not visible.
    pub fn new(at: Option<[f32; 2]>, tip: Option<Option<[f32; 2]>>, says: &str, tint: usize) -> Option<Self> {
        let tip = match tip {
            Some(tip) => Some(tip?),
            None => None,
        };
        Some(Self { at: at?, tip, says: says.into(), tint: Some(tint), beside: false })
    }

    /// Words alone.
    pub fn words(at: Option<[f32; 2]>, says: &str) -> Option<Self> {
        Some(Self { at: at?, tip: None, says: says.into(), tint: None, beside: false })
    }

    /// The same with the label beside the arrow's middle.
    pub fn with_label_beside(self) -> Self {
        Self { beside: true, ..self }
    }

    fn color(&self) -> RGBColor {
        let [r, g, b] = self.tint.map_or([20, 22, 26], |tint| COLORS[tint % COLORS.len()]);
        RGBColor(r, g, b)
    }

    /// The direction of the arrow and its length in pixels, if it is drawn as an arrow.
    fn arrow(&self) -> Option<([f32; 2], f32)> {
        let tip = self.tip?;
        let along = [tip[0] - self.at[0], tip[1] - self.at[1]];
        let length = along[0].hypot(along[1]);
        (length >= MIN_ARROW_LENGTH).then(|| (along.map(|part| part / length), length))
    }

    /// The centre of the label: at the tip of an arrow, above a point, or on the position itself for words alone.
    fn label_centre(&self) -> [f32; 2] {
        match (self.tip, self.arrow(), self.tint) {
            (Some(tip), Some(([dx, dy], _)), _) if self.beside => {
                // On its upper side.
                let up = if dx < 0.0 { -AWAY } else { AWAY };
                [0.5 * (self.at[0] + tip[0]) + up * dy, 0.5 * (self.at[1] + tip[1]) - up * dx]
            }
            (Some(tip), Some((along, _)), _) => [tip[0] + AWAY * along[0], tip[1] + AWAY * along[1]],
            (.., Some(_)) => [self.at[0], self.at[1] - AWAY],
            (.., None) => self.at,
        }
    }
}

/// Draws signs over a picture, in this order.
///
/// # Errors
/// If they cannot be drawn.
pub fn over(picture: &RgbaImage, signs: &[Sign]) -> Result<RgbaImage, FigureError> {
    if signs.is_empty() {
        return Ok(picture.clone());
    }
    drawn_on(picture, |area| {
        signs.iter().try_for_each(|sign| shape(sign, area))?;
        signs.iter().try_for_each(|sign| letters(sign, area))
    })
}

/// Writes texts on cards over a picture, centred above the pixel that each belongs to, as labels in the window, without
/// overlaps. A text whose pixel is outside the picture is left out: at the edge it would seem to belong to something
/// there.
///
/// # Errors
/// If they cannot be written.
pub fn notes(picture: &RgbaImage, notes: &[([f32; 2], &str)]) -> Result<RgbaImage, FigureError> {
    if notes.is_empty() {
        return Ok(picture.clone());
    }
    drawn_on(picture, |area| {
        let (width, height) = area.dim_in_pixel();
        // Of the same size as labels in the window's view.
        let size = (f64::from(height) / 50.0).clamp(11.0, 40.0);
        let style = ("sans-serif", size).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
        let mut taken: Vec<[i32; 4]> = Vec::new();
        let within = |[x, y]: &[f32; 2]| (0.0..width as f32).contains(x) && (0.0..height as f32).contains(y);
        for ([x, y], says) in notes.iter().filter(|(at, _)| within(at)) {
            let (wide, _) = area.estimate_text_size(says, &style)?;
            let (wide, high) = (wide as i32 + 10, (1.4 * size) as i32);
            let left = (*x as i32 - wide / 2).clamp(2, (width as i32 - wide - 2).max(2));
            let mut top = (*y as i32 - 4 - high).clamp(2, (height as i32 - high - 2).max(2));
            for _ in 0..taken.len() {
                let meets = |card: &&[i32; 4]| {
                    let [l, t, r, b] = **card;
                    left < r && left + wide > l && top < b && top + high > t
                };
                let Some([.., bottom]) = taken.iter().find(meets) else { break };
                top = bottom + 1;
            }
            let card = [left, top, left + wide, top + high];
            area.draw(&Rectangle::new([(card[0], card[1]), (card[2], card[3])], WHITE.mix(0.82).filled()))?;
            area.draw(&Text::new(*says, (left + 5, top + high / 2), style.clone()))?;
            taken.push(card);
        }
        Ok(())
    })
}

fn drawn_on(picture: &RgbaImage, draw: impl for<'a> FnOnce(&Area<'a>) -> Drawn<'a>) -> Result<RgbaImage, FigureError> {
    let (width, height) = picture.dimensions();
    let mut pixels: Vec<u8> = picture.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    drawing::over(&mut pixels, [width, height], draw)?;
    let drawn = RgbImage::from_raw(width, height, pixels).ok_or(FigureError::Draw("no room".into()))?;
    let opaque = |x, y| {
        let Rgb([r, g, b]) = *drawn.get_pixel(x, y);
        image::Rgba([r, g, b, 255])
    };
    Ok(RgbaImage::from_fn(width, height, opaque))
}

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

fn rounded_pixel([x, y]: [f32; 2]) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

/// Draws the arrow or the point with a white outline, which separates it from the picture.
fn shape<'a>(sign: &Sign, area: &Area<'a>) -> Drawn<'a> {
    let (color, [x, y]) = (sign.color(), sign.at);
    let Some(([dx, dy], length)) = sign.arrow() else {
        if sign.tint.is_some() {
            area.draw(&Circle::new(rounded_pixel(sign.at), 7, WHITE.filled()))?;
            area.draw(&Circle::new(rounded_pixel(sign.at), 5, color.filled()))?;
        }
        return Ok(());
    };
    let at = |along: f32, aside: f32| rounded_pixel([x + dx * along - dy * aside, y + dy * along + dx * aside]);
    let [head, half] = HEAD.map(|size| size.min(length * 0.6));
    for (color, width, edge) in [(WHITE, 7, 2.0), (color, 3, 0.0)] {
        area.draw(&PathElement::new(vec![at(0.0, 0.0), at(length - head, 0.0)], color.stroke_width(width)))?;
        let corners = [(length + edge, 0.0), (length - head - edge, half + edge), (length - head - edge, -half - edge)];
        area.draw(&Polygon::new(corners.map(|(along, aside)| at(along, aside)).to_vec(), color.filled()))?;
    }
    Ok(())
}

/// Draws the label with a white outline.
fn letters<'a>(sign: &Sign, area: &Area<'a>) -> Drawn<'a> {
    let font = |lower: bool| ("sans-serif", SIZES[usize::from(lower)]).into_font();
    let pieces: Vec<(String, bool)> = pieces(&sign.says);
    let widths = pieces.iter().map(|(text, lower)| {
        let (width, _) = area.estimate_text_size(text, &font(*lower).into())?;
        Ok(width as i32)
    });
    let widths: Vec<i32> = widths.collect::<Result<_, DrawingAreaErrorKind<_>>>()?;
    let (across, high) = area.dim_in_pixel();
    let all: i32 = widths.iter().sum();
    let (x, y) = rounded_pixel(sign.label_centre());
    // The label stays within the picture.
    let mut x = (x - all / 2).clamp(4, (across as i32 - all - 4).max(4));
    let y = y.clamp(14, (high as i32 - 14).max(14));
    for ((text, lower), width) in pieces.iter().zip(widths) {
        let y = y + if *lower { 6 } else { 0 };
        let style = |color: &RGBColor| font(*lower).color(color).pos(Pos::new(HPos::Left, VPos::Center));
        for (right, down) in (-2..=2).flat_map(|right| (-2..=2).map(move |down| (right, down))) {
            area.draw(&Text::new(text.as_str(), (x + right, y + down), style(&WHITE)))?;
        }
        // Twice with an offset, since the font is light.
        for right in [0, 1] {
            area.draw(&Text::new(text.as_str(), (x + right, y), style(&sign.color())))?;
        }
        x += width;
    }
    Ok(())
}

/// The pieces of a text, each with whether it is a subscript.
fn pieces(text: &str) -> Vec<(String, bool)> {
    let mut pieces = vec![(String::new(), false)];
    for c in text.chars() {
        let lower = pieces.last().is_some_and(|(_, lower)| *lower);
        match c {
            '_' if !lower => pieces.push((String::new(), true)),
            ' ' if lower => pieces.push((" ".into(), false)),
            c => pieces.last_mut().into_iter().for_each(|(piece, _)| piece.push(c)),
        }
    }
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_underscore_sets_what_follows_lower() {
        let found = pieces("r_1 = r_2");
        let found: Vec<_> = found.iter().map(|(piece, lower)| (piece.as_str(), *lower)).collect();
        assert_eq!(found, [("r", false), ("1", true), (" = r", false), ("2", true)]);
        assert_eq!(pieces("body 1"), [("body 1".to_owned(), false)]);
    }

    /// Two notes at one place are drawn one below the other; a note at the edge stays within the picture.
    #[test]
    fn notes_are_cards_that_do_not_lie_on_each_other() {
        let grey = image::Rgba([90, 90, 90, 255]);
        let picture = RgbaImage::from_pixel(300, 200, grey);
        let rows = |written: &[([f32; 2], &str)]| {
            let drawn = notes(&picture, written).expect("they can be written");
            let changed = |y: u32| (0..300).any(|x| *drawn.get_pixel(x, y) != grey);
            assert!((0..200).all(|y| [0, 299].iter().all(|x| *drawn.get_pixel(*x, y) == grey)), "within the picture");
            (0..200).filter(|y| changed(*y)).count()
        };
        let one = rows(&[([100.0, 80.0], "one")]);
        assert!((15..=17).contains(&one), "1.4 times the least size, 11 pixels: {one}");
        let two = rows(&[([100.0, 80.0], "one"), ([104.0, 83.0], "another one")]);
        assert!(two >= 2 * one, "{two} of {one}");
        assert_eq!(rows(&[([295.0, 80.0], "at the edge")]), one);
        assert_eq!(notes(&picture, &[]).expect("nothing to write"), picture);
    }

    /// A card at the edge for a body far outside the picture once seemed to belong to what was there.
    #[test]
    fn notes_of_what_is_outside_of_the_picture_are_left_out() {
        let picture = RgbaImage::from_pixel(300, 200, image::Rgba([90, 90, 90, 255]));
        let places = [[-40.0, 80.0], [330.0, 80.0], [100.0, -5.0], [100.0, 220.0]];
        let outside = places.map(|at| (at, "outside"));
        assert_eq!(notes(&picture, &outside).expect("nothing to write"), picture);
        let one = notes(&picture, &[([100.0, 80.0], "inside")]).expect("it can be written");
        let all: Vec<_> = outside.into_iter().chain([([100.0, 80.0], "inside")]).collect();
        assert_eq!(notes(&picture, &all).expect("it can be written"), one);
    }

    /// A point is drawn at its position with its label above; the rest of the picture is unchanged.
    #[test]
    fn signs_change_the_picture_where_they_stand() {
        let grey = image::Rgba([90, 90, 90, 255]);
        let picture = RgbaImage::from_pixel(200, 120, grey);
        let sign = Sign::new(Some([100.0, 80.0]), None, "A", 0).expect("it is in sight");
        let drawn = over(&picture, &[sign]).expect("it can be drawn");
        let [r, g, b] = COLORS[0];
        assert_eq!(*drawn.get_pixel(100, 80), image::Rgba([r, g, b, 255]));
        let changed = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| {
            x.flat_map(|x| y.clone().map(move |y| (x, y))).filter(|(x, y)| *drawn.get_pixel(*x, *y) != grey).count()
        };
        assert!(changed(90..110, 50..75) > 40, "the letter");
        assert_eq!(changed(0..60, 0..120) + changed(140..200, 0..120) + changed(0..200, 95..120), 0);
        // An arrow reaches to its tip; one whose tip is behind the eye is left out.
        let arrow = Sign::new(Some([20.0, 100.0]), Some(Some([120.0, 100.0])), "", 1).expect("it is in sight");
        let drawn = over(&picture, &[arrow]).expect("it can be drawn");
        let [r, g, b] = COLORS[1];
        assert_eq!([60, 112].map(|x| *drawn.get_pixel(x, 100)), [image::Rgba([r, g, b, 255]); 2]);
        assert_eq!(Sign::new(Some([20.0, 100.0]), Some(None), "behind the eye", 1), None);
    }
}
