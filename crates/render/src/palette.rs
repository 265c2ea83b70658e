//! The colours: Okabe–Ito for meanings, muted ones for bodies, viridis for magnitudes. All are sRGB, 0 to 1.
//!
//! Okabe and Ito, "Color Universal Design" (2008), chose eight colours that can be distinguished with every kind of
//! colour vision; no meaning depends on red against green alone.

use crate::picture::Theme;

pub const ORANGE: [f32; 3] = rgb(230, 159, 0);
pub const SKY_BLUE: [f32; 3] = rgb(86, 180, 233);
pub const GREEN: [f32; 3] = rgb(0, 158, 115);
pub const YELLOW: [f32; 3] = rgb(240, 228, 66);
pub const BLUE: [f32; 3] = rgb(0, 114, 178);
pub const VERMILION: [f32; 3] = rgb(213, 94, 0);
pub const PURPLE: [f32; 3] = rgb(204, 121, 167);

/// Okabe and Ito's eight colours for a theme's background: the last is near-black or near-white.
pub fn okabe_ito(theme: Theme) -> [[f32; 3]; 8] {
    let ink = match theme {
        Theme::Light => rgb(20, 22, 26),
        Theme::Dark => rgb(235, 238, 242),
    };
    [BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY_BLUE, YELLOW, ink]
}

/// The world axes.
pub const AXIS_X: [f32; 3] = rgb(214, 69, 80);
pub const AXIS_Y: [f32; 3] = rgb(104, 163, 58);
pub const AXIS_Z: [f32; 3] = rgb(62, 124, 214);

/// Outline of the selection; also the panels' accent colour.
pub const ACCENT: [f32; 3] = rgb(255, 140, 26);

/// Static bodies: similar to the background, so that floors and walls do not distract from what moves.
pub fn fixed(theme: Theme) -> [f32; 3] {
    match theme {
        Theme::Light => rgb(186, 191, 198),
        Theme::Dark => rgb(88, 93, 102),
    }
}

/// Kinematic bodies.
pub const KINEMATIC: [f32; 3] = rgb(126, 141, 166);

/// Dynamic bodies, one colour per mechanism; of similar lightness, so that none stands out.
pub const BODIES: [[f32; 3]; 8] = [
    rgb(94, 142, 190),
    rgb(222, 160, 92),
    rgb(112, 168, 138),
    rgb(200, 124, 118),
    rgb(148, 130, 186),
    rgb(196, 178, 104),
    rgb(104, 166, 178),
    rgb(190, 136, 166),
];

/// The colour of mechanism (or island) `index`; repeats after eight.
pub fn body(index: usize) -> [f32; 3] {
    BODIES[index % BODIES.len()]
}

/// The colour of a sleeping body of mechanism `index`: the same hue, mostly grey.
pub fn asleep(index: usize) -> [f32; 3] {
    let awake = body(index);
    let grey = awake.iter().sum::<f32>() / 3.0;
    awake.map(|part| 0.75 * (grey + 0.25 * (part - grey)))
}

/// The map for magnitudes, `t` from 0 (dark violet) to 1 (yellow); anything else is clamped, NaN counts as 0.
///
/// Interpolates the published viridis table at nine stops; the error stays below one part in 100.
pub fn viridis(t: f32) -> [f32; 3] {
    const STOPS: [[f32; 3]; 9] = [
        rgb(68, 1, 84),
        rgb(71, 45, 123),
        rgb(59, 82, 139),
        rgb(44, 114, 142),
        rgb(33, 145, 140),
        rgb(40, 174, 128),
        rgb(94, 201, 98),
        rgb(173, 220, 48),
        rgb(253, 231, 37),
    ];
    let along = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) } * (STOPS.len() - 1) as f32;
    let index = (along as usize).min(STOPS.len() - 2);
    let (low, high, part) = (STOPS[index], STOPS[index + 1], along - index as f32);
    std::array::from_fn(|i| low[i] + (high[i] - low[i]) * part)
}

/// Adds an alpha to a colour.
pub const fn with_alpha(color: [f32; 3], alpha: f32) -> [f32; 4] {
    [color[0], color[1], color[2], alpha]
}

/// The linear-light component for an sRGB component.
pub fn linear(srgb: f32) -> f32 {
    if srgb <= 0.04045 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

const fn rgb(red: u8, green: u8, blue: u8) -> [f32; 3] {
    [red as f32 / 255.0, green as f32 / 255.0, blue as f32 / 255.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viridis_grows_lighter_and_keeps_to_its_ends() {
        let lightness = |t: f32| {
            let [r, g, b] = viridis(t).map(linear);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        for step in 0..100 {
            let t = step as f32 / 100.0;
            assert!(lightness(t) < lightness(t + 0.01), "at {t}");
        }
        assert_eq!(viridis(-3.0), viridis(0.0));
        assert_eq!(viridis(7.0), viridis(1.0));
        assert_eq!(viridis(f32::NAN), viridis(0.0));
    }
}
