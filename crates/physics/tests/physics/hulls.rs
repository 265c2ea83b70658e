//! Hulls have all of their corners and the mass of their volume, however thin they are.

use delassus_physics::settings::Settings;
use delassus_physics::shape::{Shape, Solid};
use delassus_scene::read_str;
use glam::{DMat3, DVec3, Quat, Vec3};

/// Pseudo-random numbers in ±1.
struct Numbers(u32);

impl Numbers {
    fn one(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn three(&mut self) -> Vec3 {
        Vec3::new(self.one(), self.one(), self.one())
    }
}

/// Volume, centre and inertia per unit mass of the hull of points in general position: every triple with all other
/// points on one side is a face. Moments by the four-point rule of a tetrahedron, which is exact for squares:
/// ∫ f = V/4 Σ f(α xᵢ + β (x_j + x_k + x_l)), α = (5 + 3 √5)/20, β = (5 − √5)/20.
fn reference(points: &[Vec3]) -> (f64, DVec3, DMat3) {
    let points: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let mut tetrahedra = Vec::new();
    let n = points.len();
    for (i, j, k) in (0..n).flat_map(|i| (i + 1..n).flat_map(move |j| (j + 1..n).map(move |k| (i, j, k)))) {
        let (a, b, c) = (points[i], points[j], points[k]);
        let normal = (b - a).cross(c - a);
        let heights = || (0..n).filter(|l| ![i, j, k].contains(l)).map(|l| normal.dot(points[l] - a));
        if heights().all(|h| h < 0.0) || heights().all(|h| h > 0.0) {
            tetrahedra.push([middle, a, b, c]);
        }
    }
    let volume = |[o, a, b, c]: &[DVec3; 4]| (*a - *o).dot((*b - *o).cross(*c - *o)).abs() / 6.0;
    let (alpha, beta) = ((5.0 + 3.0 * 5f64.sqrt()) / 20.0, (5.0 - 5f64.sqrt()) / 20.0);
    let nodes = |t: &[DVec3; 4]| {
        let sum: DVec3 = t.iter().sum();
        t.map(|x| alpha * x + beta * (sum - x))
    };
    let total: f64 = tetrahedra.iter().map(volume).sum();
    let centre = tetrahedra.iter().map(|t| volume(t) / 4.0 * nodes(t).iter().sum::<DVec3>()).sum::<DVec3>() / total;
    let mut inertia = DMat3::ZERO;
    for t in &tetrahedra {
        for x in nodes(t).map(|x| x - centre) {
            let outer = DMat3::from_cols(x * x.x, x * x.y, x * x.z);
            let one = DMat3::from_diagonal(DVec3::splat(x.length_squared()));
            inertia += (one - outer) * (volume(t) / 4.0 / total);
        }
    }
    (total, centre, inertia)
}

fn norm(m: DMat3) -> f64 {
    m.to_cols_array().into_iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn compare(solid: &Solid, points: &[Vec3], what: &str) {
    let (volume, centre, inertia) = reference(points);
    let share = f64::from(solid.volume) / volume - 1.0;
    assert!(share.abs() < 1e-5, "volume {share:+e}, {what}");
    let size = points.iter().map(|p| p.distance(points[0])).fold(0.0, f32::max);
    let off = solid.centre.as_dvec3().distance(centre) / f64::from(size);
    assert!(off < 1e-5, "centre {off:e}, {what}");
    let off = norm(solid.unit_inertia.as_dmat3() - inertia) / norm(inertia);
    assert!(off < 1e-5, "inertia {off:e}, {what}");
}

/// Random hulls of 6 to 14 points: as thick as wide, plates and needles down to 1:1000, turned, large and small, and
/// away from the origin.
#[test]
fn thin_hulls_lose_no_corners() {
    let mut numbers = Numbers(3);
    for thin in [1.0, 0.2, 0.05, 0.02, 0.01, 0.003, 0.001] {
        for round in 0..60 {
            let squeeze = if round % 3 == 0 { Vec3::new(thin, thin, 1.0) } else { Vec3::new(1.0, 1.0, thin) };
            let turn = if round % 2 == 0 { Quat::IDENTITY } else { Quat::from_scaled_axis(3.0 * numbers.three()) };
            let size = [1.0, 0.03, 40.0][round % 3];
            let at = numbers.three() * if round % 5 == 0 { size } else { 0.0 };
            let count = 6 + round % 9;
            let points: Vec<Vec3> = (0..count).map(|_| at + size * (turn * (squeeze * numbers.three()))).collect();
            let what = format!("1:{}, round {round}: {points:?}", 1.0 / thin);
            let solid = Shape::Hull { points: points.clone() }.solid().unwrap_or_else(|| panic!("refused, {what}"));
            compare(&solid, &points, &what);
        }
    }
}

/// A double pyramid over a square of 1 m: V = ⅓ A (up + down), whatever the slope of its faces. Its collision shape
/// has both tips.
#[test]
fn a_flat_double_pyramid_has_both_tips() {
    for (up, down) in [(0.01, 0.005), (0.001, 0.0005), (0.3, 0.1), (0.02, 0.0)] {
        let mut points = vec![Vec3::new(0.0, 0.0, up), Vec3::new(0.0, 0.0, -down)];
        points.extend([(0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)].map(|(x, y)| Vec3::new(x, y, 0.0)));
        let solid = Shape::Hull { points }.solid().expect("a hull");
        let volume = (up + down) / 3.0;
        assert!((solid.volume / volume - 1.0).abs() < 1e-5, "{up} and {down}: {}", solid.volume);
        // The centre of a pyramid is at a quarter of its height.
        let centre = (up * up - down * down) / (12.0 * volume);
        assert!((solid.centre.z - centre).abs() < 1e-5 * (up + down), "{up} and {down}: {}", solid.centre);
        let map = solid.geometry.as_support_map().expect("convex");
        for (direction, tip) in [(Vec3::Z, up), (Vec3::NEG_Z, down)] {
            let reach = map.local_support_point(direction).dot(direction);
            assert!((reach - tip).abs() < 1e-6, "{up} and {down}: {reach}");
        }
    }
}

/// Faces with many coplanar points, turned so that rounding makes them uneven: a grid on each face of a box, and a
/// prism of 48 sides. V = 8 a b c and ½ n R² sin(2π/n) 2 h; inertia of the box (b² + c²)/3 about x.
#[test]
fn uneven_faces_of_many_points_have_their_volume() {
    let turn = Quat::from_scaled_axis(Vec3::new(0.3, -0.9, 0.5));
    let half = Vec3::new(0.5, 0.3, 0.02);
    let grid = || (0..6).map(|i| i as f32 / 2.5 - 1.0);
    let cells = grid().flat_map(|x| grid().flat_map(move |y| [(x, y, 1.0), (x, y, -1.0)]));
    let points = cells.map(|(x, y, z)| turn * (half * Vec3::new(x, y, z)) + Vec3::new(2.0, 1.0, -1.0)).collect();
    let solid = Shape::Hull { points }.solid().expect("a box");
    let volume = 8.0 * half.x * half.y * half.z;
    assert!((solid.volume / volume - 1.0).abs() < 1e-4, "{} of {volume}", solid.volume);
    let about_x = (turn * Vec3::X).dot(solid.unit_inertia * (turn * Vec3::X));
    let expected = (half.y * half.y + half.z * half.z) / 3.0;
    assert!((about_x / expected - 1.0).abs() < 1e-4, "{about_x} of {expected}");
    let sides = 48;
    let corner = |i: i32| Quat::from_rotation_z(std::f32::consts::TAU * i as f32 / sides as f32) * Vec3::X;
    let points = (0..sides).flat_map(|i| [0.1, -0.1].map(|z| turn * (corner(i) + z * Vec3::Z))).collect();
    let solid = Shape::Hull { points }.solid().expect("a prism");
    let volume = 0.5 * sides as f32 * (std::f32::consts::TAU / sides as f32).sin() * 0.2;
    assert!((solid.volume / volume - 1.0).abs() < 1e-5, "{} of {volume}", solid.volume);
    let hull = solid.geometry.as_convex_polyhedron().expect("a hull");
    assert_eq!(hull.faces().len(), 50, "two caps and 48 sides");
}

/// Points in a plane, on a line, at one place, and not finite are no hull.
#[test]
fn flat_hulls_are_refused() {
    let mut numbers = Numbers(9);
    let turn = Quat::from_scaled_axis(Vec3::new(0.4, 0.2, -0.7));
    let flat = |thin: f32, numbers: &mut Numbers| {
        (0..12).map(|_| turn * (numbers.three() * Vec3::new(1.0, 1.0, thin)) + Vec3::X).collect::<Vec<_>>()
    };
    assert!(Shape::Hull { points: flat(0.0, &mut numbers) }.solid().is_none());
    assert!(Shape::Hull { points: flat(1e-7, &mut numbers) }.solid().is_none());
    assert!(Shape::Hull { points: vec![Vec3::ONE; 9] }.solid().is_none());
    let line = |i: i32| Vec3::ONE * i as f32;
    assert!(Shape::Hull { points: (0..9).map(line).collect() }.solid().is_none());
    assert!(Shape::Hull { points: vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::NAN] }.solid().is_none());
}

/// A prism of n sides that is set down on the floor does not move, whatever the number of its corners. It stood on four
/// corners of one side, and tipped over them.
#[test]
fn prisms_stand_on_their_whole_face() {
    for sides in [5u32, 6, 7, 8, 12, 16, 24] {
        for radius in [0.03f32, 1.0] {
            let corner = |k: u32, z: f32| {
                let (sin, cos) = (std::f32::consts::TAU * k as f32 / sides as f32).sin_cos();
                format!("({}, {}, {z}),", radius * cos, radius * sin)
            };
            let points: String = (0..sides).flat_map(|k| [corner(k, -0.5 * radius), corner(k, 0.5 * radius)]).collect();
            let text = format!(
                r#"(version: 1, title: "t", bodies: [(name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5),
                motion: Static), (name: "prism", shape: Hull(points: [{points}]), at: (0, 0, {}))])"#,
                0.5 * radius
            );
            let loaded = read_str(&text, "prism.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
            let mut world = loaded.flat.world(Settings::default());
            for _ in 0..60 {
                world.step();
                let spin = world.state.velocities[2].angular.length();
                assert!(spin < 2e-3 / radius, "{sides} sides, {radius} m: it turns at {spin} rad/s");
            }
            let up = world.state.bodies[2].rotation * Vec3::Z;
            assert!(up.z > 1.0 - 1e-6, "{sides} sides, {radius} m: it leans");
        }
    }
}
