//! Colours with a meaning can be distinguished with every kind of colour vision, and text has enough contrast on its
//! panel.
//!
//! Dichromacy is simulated after Machado, Oliveira and Fernandes ("A Physiologically-based Model for Simulation of
//! Color Vision Deficiency", 2009): a matrix on linear light. Differences are distances in CIELAB, where 2.3 is just
//! noticeable; marks of a few pixels need several times that.

use egui::{Color32, Visuals};

use crate::{view3d::overlays, widgets::theme};
use delassus_render::palette;

type Matrix = [[f32; 3]; 3];

const VISIONS: [(&str, Matrix); 4] = [
    ("full", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "without long-wave cones",
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    ),
    (
        "without middle-wave cones",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    (
        "without short-wave cones",
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ),
];

/// From linear sRGB to CIE XYZ with the same white point.
const XYZ: Matrix = [
    [0.412_456_4, 0.357_576_1, 0.180_437_5],
    [0.212_672_9, 0.715_152_2, 0.072_175],
    [0.019_333_9, 0.119_192, 0.950_304_1],
];
const WHITE: [f32; 3] = [0.950_47, 1.0, 1.088_83];

fn times(m: &Matrix, v: [f32; 3]) -> [f32; 3] {
    m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn lab(linear: [f32; 3]) -> [f32; 3] {
    let xyz = times(&XYZ, linear.map(|v| v.clamp(0.0, 1.0)));
    let f = |t: f32| if t > (6.0f32 / 29.0).powi(3) { t.cbrt() } else { t * 841.0 / 108.0 + 4.0 / 29.0 };
    let [x, y, z] = [0, 1, 2].map(|i| f(xyz[i] / WHITE[i]));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The smallest difference between two of the colours, and a description of that pair.
fn closest(colors: &[(&str, [f32; 3])]) -> (f32, String) {
    let mut least = (f32::INFINITY, String::new());
    for (vision, matrix) in &VISIONS {
        let seen = |srgb: [f32; 3]| lab(times(matrix, srgb.map(palette::linear)));
        for (i, (name, color)) in colors.iter().enumerate() {
            for (other_name, other) in &colors[..i] {
                let (a, b) = (seen(*color), seen(*other));
                let difference = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f32>().sqrt();
                if difference < least.0 {
                    least = (difference, format!("{name} and {other_name}, {vision}: {difference:.1}"));
                }
            }
        }
    }
    least
}

fn of(color: Color32) -> [f32; 3] {
    [color.r(), color.g(), color.b()].map(|c| f32::from(c) / 255.0)
}

#[test]
fn overlays_stay_apart_for_every_colour_vision() {
    let colors = [
        ("contact", overlays::CONTACT),
        ("friction", overlays::FRICTION),
        ("joint and limit", overlays::JOINT),
        ("joint error and stop", overlays::JOINT_ERROR),
        ("velocity", overlays::VELOCITY),
        ("centre of mass", overlays::MASS_CENTRE),
        ("bounds", overlays::BOUNDS),
    ];
    let (least, which) = closest(&colors);
    assert!(least > 15.0, "{which}");
}

#[test]
fn good_doubtful_and_bad_stay_apart_and_are_readable_in_both_themes() {
    for visuals in [Visuals::dark(), Visuals::light()] {
        let colors = theme::colors(&visuals);
        let (least, which) = closest(&[("good", of(colors.good)), ("warn", of(colors.warn)), ("bad", of(colors.bad))]);
        assert!(least > 15.0, "{which}");
        // Contrast of relative luminances as defined in the Web Content Accessibility Guidelines 2.1, which ask for
        // 4.5 for small text.
        let luminance = |c: Color32| times(&XYZ, of(c).map(palette::linear))[1];
        let words = [("text", colors.text), ("strong", colors.strong), ("good", colors.good), ("warn", colors.warn)];
        let contrast = |ink, back| {
            let (a, b) = (luminance(ink), luminance(back));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for (name, ink) in words.into_iter().chain([("bad", colors.bad), ("weak", colors.weak)]) {
            for (back, on) in [("panel", colors.panel), ("card", colors.raised), ("field", colors.sunken)] {
                assert!(contrast(ink, on) > 4.5, "{name} on a {back}: {:.2}", contrast(ink, on));
            }
        }
        // Small grey words on the card of the active experiment had a contrast of 3.1.
        for (name, ink) in [("weak", theme::weak_on(true, colors)), ("strong", colors.strong)] {
            let soft = contrast(ink, colors.accent_soft);
            assert!(soft > 4.5, "{name} on what is selected: {soft:.2}");
        }
    }
}
