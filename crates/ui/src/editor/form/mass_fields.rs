//! The fields of a body's mass centre and inertia, where these are given by value.

use egui::Ui;
use glam::{Mat3, Vec3};

use crate::editor::form::{DragRange, Form, PLACE, triple};
use crate::widgets;
use delassus_physics::inertia::Principal;
use delassus_physics::quantity;
use delassus_physics::refuse;
use delassus_physics::shape::Shape;
use delassus_scene::Inertia;

const MOMENTS: DragRange = DragRange::of(quantity::MOMENT, 0.005);
const PRODUCTS: DragRange = DragRange::of(quantity::PRODUCT, 0.005);

/// Draws the centre of mass: a switch, and its place in the shape's frame.
pub fn centre(ui: &mut Ui, form: &mut Form<'_>, centre: &mut Option<Vec3>, shape: &Shape) {
    form.row(ui, "Mass centre", "mass_centre", centre, None, |ui, centre, _| {
        let begins = || shape.solid().map(|solid| solid.centroid);
        switched(ui, "Mass centre by value", centre, begins)
    });
    if let Some(centre) = centre {
        form.vector(ui, "  in the shape", "mass_centre", centre, None, &PLACE, None);
    }
}

/// Draws the inertia of a body of `mass`, kg: a switch, the moments and the products.
pub fn inertia(ui: &mut Ui, form: &mut Form<'_>, inertia: &mut Option<Inertia>, shape: &Shape, mass: f32) {
    form.row(ui, "Inertia", "inertia", inertia, None, |ui, inertia, _| {
        let begins = || shape.solid().map(|solid| Inertia::of(solid.unit_inertia * mass));
        switched(ui, "Inertia by value", inertia, begins)
    });
    let Some(inertia) = inertia else { return };
    let before = *inertia;
    let mut moments = Vec3::new(before.xx, before.yy, before.zz);
    form.row(ui, "  xx yy zz, kg·m²", "inertia", &mut moments, None, |ui, moments, mixed| {
        triple(ui, moments, mixed(""), &MOMENTS, "Moments of inertia")
    });
    let mut products = Vec3::new(before.xy, before.xz, before.yz);
    form.row(ui, "  xy xz yz", "inertia", &mut products, None, |ui, products, mixed| {
        triple(ui, products, mixed(""), &PRODUCTS, "Products of inertia")
    });
    let [xx, yy, zz] = moments.to_array();
    let [xy, xz, yz] = products.to_array();
    let entered = Inertia { xx, yy, zz, xy, xz, yz };
    if entered != before {
        *inertia = possible(before, entered);
    }
}

/// A switch for a value that is made only when it is switched on.
fn switched<T>(ui: &mut Ui, name: &str, value: &mut Option<T>, begins: impl FnOnce() -> Option<T>) -> bool {
    let mut on = value.is_some();
    let used = widgets::switch(ui, &mut on, name).changed();
    if used {
        *value = if on { begins() } else { None };
    }
    used
}

/// An inertia that a body can have, near what was entered in place of `before`. Numbers that were entered stay: after a
/// moment the other two follow, after a product all moments grow.
fn possible(before: Inertia, entered: Inertia) -> Inertia {
    if refuse::inertia(&entered).is_none() {
        return entered;
    }
    let (old, mut moments) = ([before.xx, before.yy, before.zz], [entered.xx, entered.yy, entered.zz]);
    if moments.iter().any(|moment| *moment <= 0.0) {
        return before;
    }
    for i in 0..3 {
        if moments[i] == old[i] {
            continue;
        }
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let sum = moments[j] + moments[k];
        if moments[i] > sum {
            // Both grow in proportion.
            (moments[j], moments[k]) = (moments[j] * moments[i] / sum, moments[k] * moments[i] / sum);
        }
        // The larger one falls to the sum of the others.
        let (least, most) = if moments[j] < moments[k] { (j, k) } else { (k, j) };
        moments[most] = moments[most].min(moments[least] + moments[i]);
    }
    let [xx, yy, zz] = moments;
    let inertia = grown(Inertia { xx, yy, zz, ..entered });
    if refuse::inertia(&inertia).is_none() { inertia } else { before }
}

/// The inertia with all its moments larger by as much as its products ask for. A body has the inertia I if the matrix of
/// its second moments, ∫ r rᵀ dm = ½ tr(I) 1 − I, has no negative eigenvalue. A number added to all moments adds half of
/// it to each eigenvalue.
fn grown(inertia: Inertia) -> Inertia {
    let matrix = inertia.matrix();
    let trace = inertia.xx + inertia.yy + inertia.zz;
    let least = Principal::of(&(Mat3::from_diagonal(Vec3::splat(0.5 * trace)) - matrix)).moments.x;
    // A little more, for rounding.
    let more = if least < 0.0 { 1e-6 * trace - 2.0 * least } else { 0.0 };
    Inertia { xx: inertia.xx + more, yy: inertia.yy + more, zz: inertia.zz + more, ..inertia }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A moment may be entered far above or below the others: they follow, and what results is a body's inertia.
    #[test]
    fn a_moment_that_is_entered_stays_and_the_others_follow() {
        let ball = Inertia { xx: 1.0, yy: 1.0, zz: 1.0, xy: 0.0, xz: 0.0, yz: 0.0 };
        let large = possible(ball, Inertia { xx: 50.0, ..ball });
        // yy + zz = xx, in their old proportion.
        assert_eq!((large.xx, large.yy, large.zz), (50.0, 25.0, 25.0));
        let uneven = Inertia { yy: 1.0, zz: 1.5, ..ball };
        let small = possible(uneven, Inertia { xx: 0.1, ..uneven });
        // zz falls to xx + yy.
        assert_eq!((small.xx, small.yy, small.zz), (0.1, 1.0, 1.1));
        for inertia in [large, small] {
            assert_eq!(refuse::inertia(&inertia), None);
        }
        assert_eq!(possible(ball, Inertia { xx: -1.0, ..ball }), ball, "no body has that");
        // The second moments of a ball are ½ along each axis, and xy = 3 takes 3 from the least of them: the moments grow
        // by 2 (3 − ½) to 6.
        let skew = possible(ball, Inertia { xy: 3.0, ..ball });
        assert!(skew.xy == 3.0 && (skew.xx - 6.0).abs() < 1e-4, "{skew:?}");
        assert_eq!(refuse::inertia(&skew), None);
    }
}
