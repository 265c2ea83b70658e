//! The new joint's axis, its anchor, and which body moves.

use egui::Key;
use glam::Vec3;

use crate::editor::{Hands, snap::clearance, tools::joining::JointEnd};
use crate::view::View;
use delassus_physics::joints::{JointKind, Role};
use delassus_session::Motion;

/// Two bodies that are farther apart than this do not touch, m.
const APART: f32 = 0.05;

/// What is deeper in another body than this does not merely rest on it, m.
const RESTS: f32 = 0.01;

/// The direction of the joint's axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisChoice {
    /// The normal of the first end's face.
    #[default]
    Face,
    /// The edge nearest to the first end.
    Edge,
    X,
    Y,
    Z,
    /// The line of sight, or a world axis that is nearly parallel to it.
    Sight,
}

impl AxisChoice {
    pub const ALL: [(Self, &str); 6] = [
        (Self::Face, "face"),
        (Self::Edge, "edge"),
        (Self::X, "x"),
        (Self::Y, "y"),
        (Self::Z, "z"),
        (Self::Sight, "sight"),
    ];

    /// The key that chooses it in the joint tool.
    pub(super) const KEYS: [(Key, Self); 5] =
        [(Key::N, Self::Face), (Key::E, Self::Edge), (Key::X, Self::X), (Key::Y, Self::Y), (Key::Z, Self::Z)];
}

/// The anchor of a joint whose anchors coincide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnchorChoice {
    /// At the far end if that is in the world, so that what was dragged hangs from there; else at the first point.
    #[default]
    Far,
    First,
    Middle,
    Second,
    /// The first body moves to the second point.
    FirstComes,
    /// The second body moves to the first point.
    SecondComes,
}

impl AnchorChoice {
    pub const ALL: [(Self, &str); 6] = [
        (Self::Far, "in the world, else first"),
        (Self::First, "at the first point"),
        (Self::Middle, "midway"),
        (Self::Second, "at the second point"),
        (Self::FirstComes, "first body moves there"),
        (Self::SecondComes, "second body moves there"),
    ];

    /// The next one, cyclically.
    pub fn next(self) -> Self {
        let index = Self::ALL.iter().position(|(choice, _)| *choice == self).unwrap_or(0);
        Self::ALL[(index + 1) % Self::ALL.len()].0
    }

    /// As text: “anchor midway”.
    pub fn words(self) -> &'static str {
        Self::ALL.iter().find(|(choice, _)| *choice == self).map_or("", |(_, words)| words)
    }
}

pub(super) fn axis(choice: AxisChoice, (from, to): (JointEnd, JointEnd), sight: Vec3) -> Vec3 {
    let turned = |free: Vec3, near: f32| {
        let world = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().find(|d| d.dot(free).abs() > near);
        world.map_or(free, |d| d * d.dot(free).signum())
    };
    let first_given = |first: Vec3, second: Vec3| [first, second].into_iter().find(|d| *d != Vec3::ZERO);
    let found = match choice {
        AxisChoice::X => return Vec3::X,
        AxisChoice::Y => return Vec3::Y,
        AxisChoice::Z => return Vec3::Z,
        AxisChoice::Face => first_given(from.normal, to.normal),
        AxisChoice::Edge => first_given(from.edge, to.edge),
        AxisChoice::Sight => None,
    };
    // Faces and edges are exact; a line of sight is not.
    straight(found.map_or_else(|| turned(sight, 0.95), |d| turned(d, 0.999_999)))
}

/// A direction without the dust of its computation, and without −0.
fn straight(direction: Vec3) -> Vec3 {
    Vec3::from(direction.to_array().map(|x| if x.abs() < 1e-6 { 0.0 } else { x }))
}

/// The body that moves, and its displacement, m; `None` if none moves.
pub(super) fn coming(kind: &JointKind, choice: AnchorChoice, (from, to): (JointEnd, JointEnd)) -> Option<(u32, Vec3)> {
    let (body, shift) = match choice {
        AnchorChoice::FirstComes => (from.body, to.point - from.point),
        AnchorChoice::SecondComes => (to.body, from.point - to.point),
        _ => return None,
    };
    (kind.info().coincident && body != 0 && from.body != to.body).then_some((body, shift))
}

/// The effective choice. A locked body is not moved, and no body is moved into another one; then the other body moves
/// if it can, or neither.
pub(super) fn choice(kind: &JointKind, view: &View<'_>, state: &Hands<'_>, ends: (JointEnd, JointEnd)) -> AnchorChoice {
    let (wanted, other, neither) = match state.editor.anchor {
        AnchorChoice::FirstComes => (AnchorChoice::FirstComes, AnchorChoice::SecondComes, AnchorChoice::Second),
        AnchorChoice::SecondComes => (AnchorChoice::SecondComes, AnchorChoice::FirstComes, AnchorChoice::First),
        stays => return stays,
    };
    let free = |(id, shift): (u32, Vec3)| in_the_way(id, shift, ends, view).is_none();
    let moves = |id: u32| view.snapshot.body(id).is_some_and(|body| body.motion != Motion::Static);
    match coming(kind, wanted, ends) {
        None => wanted,
        Some((id, _)) if state.view3d.visibility.is_locked(id) => neither,
        Some(motion) if free(motion) => wanted,
        Some(_) => {
            let comes =
                coming(kind, other, ends).filter(|(id, _)| !state.view3d.visibility.is_locked(*id) && moves(*id));
            if comes.is_some_and(free) { other } else { neither }
        }
    }
}

/// The body that the moved body would overlap.
pub(super) fn in_the_way(id: u32, shift: Vec3, (from, to): (JointEnd, JointEnd), view: &View<'_>) -> Option<u32> {
    let partner = if id == from.body { to.body } else { from.body };
    clearance::blocking(view.session.world()?, id, shift, partner)
}

/// Explains why the chosen body does not move, if it does not.
pub(super) fn explain(
    kind: &JointKind,
    chosen: AnchorChoice,
    ends: (JointEnd, JointEnd),
    view: &View<'_>,
    state: &mut Hands<'_>,
) {
    let wanted = state.editor.anchor;
    if wanted == chosen {
        return;
    }
    let Some((id, shift)) = coming(kind, wanted, ends) else { return };
    let name = |id: u32| view.snapshot.body(id).map_or_else(String::new, |body| body.name.to_string());
    if let Some(other) = in_the_way(id, shift, ends, view) {
        let instead = match coming(kind, chosen, ends) {
            Some((came, _)) => format!("{} moved there instead", name(came)),
            None => "neither moved, and the joint will pull them together".to_owned(),
        };
        state.notices.info(format!("{} would have overlapped {}: {instead}.", name(id), name(other)));
    }
}

/// The common anchor of a joint whose anchors coincide, world frame, m.
pub(super) fn anchor(choice: AnchorChoice, (from, to): (JointEnd, JointEnd)) -> Vec3 {
    match choice {
        AnchorChoice::Far if from.body == 0 => from.point,
        AnchorChoice::Far if to.body == 0 => to.point,
        AnchorChoice::Middle => (from.point + to.point) * 0.5,
        AnchorChoice::Second | AnchorChoice::FirstComes => to.point,
        AnchorChoice::Far | AnchorChoice::First | AnchorChoice::SecondComes => from.point,
    }
}

/// Whether the kind keeps a distance between two points, or couples two wheels that lie apart.
pub(super) fn is_apart(kind: &JointKind) -> bool {
    let mut kind = *kind;
    kind.parameters()
        .iter()
        .any(|parameter| matches!(parameter.role, Role::Length(_) | Role::Radius(_) | Role::Profile(_)))
}

/// The anchors of the two ends, world frame, m, and whether they are one. What keeps a distance has both points. A rail
/// or a guided axis goes through the body, wherever in the world the drag has ended.
pub(super) fn anchors(kind: &JointKind, choice: AnchorChoice, (from, to): (JointEnd, JointEnd)) -> (Vec3, Vec3, bool) {
    let shared = if kind.info().coincident {
        anchor(choice, (from, to))
    } else if from.body == 0 {
        to.point
    } else {
        from.point
    };
    if is_apart(kind) { (from.point, to.point, false) } else { (shared, shared, true) }
}

/// Whether the two ends collide. Not if the joint joins them where they touch. A body that hangs on something that does
/// not move, at a distance, is not to swing through it; and what rests on a floor goes on resting there if it is joined
/// to another place of it.
pub(super) fn collide(view: &View<'_>, (from, to): (JointEnd, JointEnd)) -> bool {
    let moves = |end: JointEnd| view.snapshot.body(end.body).is_some_and(|body| body.motion == Motion::Dynamic);
    let Some(world) = view.session.world().filter(|_| moves(from) != moves(to)) else { return false };
    let (still, moving) = if moves(from) { (to, from) } else { (from, to) };
    if still.body == 0 {
        return false;
    }
    let Some((apart, normal)) = clearance::touch(world, still.body, moving.body, APART) else { return true };
    let Some(reach) = clearance::reach_of(world, (still.body, still.point), moving.body) else { return false };
    let stands = normal.dot(world.settings.step.gravity.normalize_or_zero()) < -0.7;
    // Beside a post its other faces are near too.
    let size = world.state.bodies.get(moving.body as usize).map_or(0.0, |body| body.solid.radius);
    apart > -RESTS && reach > if stands { APART } else { size.max(APART) }
}
