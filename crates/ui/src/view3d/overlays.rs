//! Overlays: which are on, and their colours.

use egui::{Align2, CornerRadius, Frame, Margin, Pos2, Rect, RichText, Slider, Ui};
use lucide_icons::Icon;
use serde::{Deserialize, Serialize};

use crate::widgets::{self, theme};
use delassus_render::{palette, picture::Theme};

/// One kind of overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayKind {
    Contacts,
    Friction,
    FrictionCones,
    Moments,
    Joints,
    JointForces,
    JointError,
    Forces,
    Velocities,
    MassCentres,
    Inertia,
    Bounds,
    Names,
}

impl OverlayKind {
    pub const ALL: [Self; 13] = [
        Self::Contacts,
        Self::Friction,
        Self::FrictionCones,
        Self::Moments,
        Self::Joints,
        Self::JointForces,
        Self::JointError,
        Self::Forces,
        Self::Velocities,
        Self::MassCentres,
        Self::Inertia,
        Self::Bounds,
        Self::Names,
    ];

    /// What it shows.
    pub fn what(self) -> &'static str {
        match self {
            Self::Contacts => "Contact points, their normals, and the normal force as an arrow",
            Self::Friction => {
                "Friction forces where the solver applies them: at the middle of a patch, or at each point"
            }
            Self::FrictionCones => {
                "The friction cone with the reaction in it; its rim is the largest force that friction can give"
            }
            Self::Moments => {
                "Moments of a patch against twist and rolling; each ring fills up with the share of its bound in use"
            }
            Self::Joints => "Anchors on both bodies, the joint's axis, and its limits with the present value",
            Self::JointForces => "Force and torque that a joint transmits, at its anchor: all its rows together",
            Self::JointError => "A line from where an anchor should be to where it is, with its length",
            Self::Forces => "Forces and torques that the scene applies to bodies, where they act",
            Self::Velocities => "Velocity of the centre of mass",
            Self::MassCentres => "Centres of mass",
            Self::Inertia => {
                "The box of even density with a body's mass and inertia, and the ellipsoid of inertia, which is \
                 longest along the axis about which the body turns most easily"
            }
            Self::Bounds => "Axis-aligned bounding boxes",
            Self::Names => "Names of bodies",
        }
    }
}

/// The overlays that are on. Kept in the user's settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Overlays {
    pub contacts: bool,
    pub friction: bool,
    pub friction_cones: bool,
    pub moments: bool,
    pub joints: bool,
    pub joint_forces: bool,
    pub joint_error: bool,
    pub forces: bool,
    pub velocities: bool,
    pub mass_centres: bool,
    pub inertia: bool,
    pub bounds: bool,
    pub names: bool,
    pub grid: bool,
    pub shadows: bool,
    /// Factor on the length of force arrows.
    pub arrow_scale: f32,
}

impl Overlays {
    /// Whether something is drawn at each body.
    pub fn marks_bodies(&self) -> bool {
        self.velocities || self.mass_centres || self.inertia || self.bounds
    }
}

impl Default for Overlays {
    fn default() -> Self {
        Self {
            contacts: true,
            friction: false,
            friction_cones: false,
            moments: false,
            joints: true,
            joint_forces: false,
            joint_error: true,
            forces: true,
            velocities: false,
            mass_centres: false,
            inertia: false,
            bounds: false,
            names: false,
            grid: true,
            shadows: true,
            arrow_scale: 1.0,
        }
    }
}

pub const CONTACT: [f32; 3] = palette::ORANGE;
pub const FRICTION: [f32; 3] = palette::PURPLE;
/// Friction at its bound.
pub const SLIPPING: [f32; 3] = palette::VERMILION;
pub const JOINT: [f32; 3] = palette::SKY_BLUE;
pub const JOINT_FORCE: [f32; 3] = palette::SKY_BLUE;
pub const JOINT_ERROR: [f32; 3] = palette::VERMILION;
pub const BROKEN: [f32; 3] = palette::VERMILION;
/// The value of a joint that is at a limit.
pub const AT_STOP: [f32; 3] = palette::VERMILION;
pub const APPLIED_FORCE: [f32; 3] = palette::VERMILION;
pub const VELOCITY: [f32; 3] = palette::GREEN;
pub const MASS_CENTRE: [f32; 3] = palette::YELLOW;
pub const INERTIA: [f32; 3] = palette::YELLOW;
pub const BOUNDS: [f32; 3] = palette::BLUE;

/// A joint's value between its limits: the strongest contrast.
pub fn hand(theme: Theme) -> [f32; 3] {
    match theme {
        Theme::Dark => [0.95; 3],
        Theme::Light => [0.12; 3],
    }
}

impl Overlays {
    /// The switch of a kind.
    pub fn switch(&mut self, kind: OverlayKind) -> &mut bool {
        match kind {
            OverlayKind::Contacts => &mut self.contacts,
            OverlayKind::Friction => &mut self.friction,
            OverlayKind::FrictionCones => &mut self.friction_cones,
            OverlayKind::Moments => &mut self.moments,
            OverlayKind::Joints => &mut self.joints,
            OverlayKind::JointForces => &mut self.joint_forces,
            OverlayKind::JointError => &mut self.joint_error,
            OverlayKind::Forces => &mut self.forces,
            OverlayKind::Velocities => &mut self.velocities,
            OverlayKind::MassCentres => &mut self.mass_centres,
            OverlayKind::Inertia => &mut self.inertia,
            OverlayKind::Bounds => &mut self.bounds,
            OverlayKind::Names => &mut self.names,
        }
    }

    /// Whether a kind is on.
    pub fn shows(mut self, kind: OverlayKind) -> bool {
        *self.switch(kind)
    }
}

/// Icon, name and key of an overlay, as the list of commands has them.
pub type OverlayLabel<'a> = &'a dyn Fn(OverlayKind) -> Option<(Icon, &'static str, String)>;

/// The popup: a row for each overlay, and the scale of the arrows.
pub fn menu(ui: &mut Ui, overlays: &mut Overlays, newtons_a_metre: f32, called: OverlayLabel<'_>) {
    ui.set_width(250.0);
    widgets::title(ui, "Overlays");
    for kind in OverlayKind::ALL {
        let Some((image, name, key)) = called(kind) else { continue };
        ui.horizontal(|ui| {
            ui.label(widgets::icon(image));
            ui.label(name).on_hover_text(kind.what());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                widgets::switch(ui, overlays.switch(kind), &format!("Overlay: {name}"));
                ui.label(RichText::new(key).small().weak());
            });
        });
    }
    ui.separator();
    for (on, name) in [(&mut overlays.grid, "Ground grid"), (&mut overlays.shadows, "Shadows")] {
        ui.horizontal(|ui| {
            ui.label(name);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                widgets::switch(ui, on, name);
            });
        });
    }
    ui.separator();
    ui.horizontal(|ui| {
        ui.label("Arrow scale").on_hover_text("Length of the force arrows");
        ui.spacing_mut().slider_width = 90.0;
        let slider = Slider::new(&mut overlays.arrow_scale, 0.05..=20.0).logarithmic(true).prefix("×").max_decimals(2);
        widgets::named(ui.add(slider), "Arrow scale");
    });
    ui.label(RichText::new(scale_text(newtons_a_metre)).small().weak());
}

/// What an arrow of one metre means.
pub(super) fn scale_text(newtons_a_metre: f32) -> String {
    format!("1 m of force arrow = {}", crate::widgets::number::with_unit(f64::from(newtons_a_metre), "N"))
}

/// Margin inside a card on the picture.
pub(super) const CARD_MARGIN: Margin = Margin::symmetric(9, 6);

/// A translucent card on the picture with one of its corners (or edge middles) at `at`.
pub fn floating(ui: &mut Ui, name: &str, at: Pos2, corner: Align2, contents: impl FnOnce(&mut Ui)) -> Rect {
    let colors = theme::colors(ui.visuals());
    egui::Area::new(ui.scope_id().with(name))
        .pivot(corner)
        .fixed_pos(at)
        .order(egui::Order::Background)
        .interactable(false)
        .constrain(false)
        .show(ui.ctx(), |ui| {
            Frame::new()
                .fill(colors.overlay)
                .corner_radius(CornerRadius::same(6))
                .inner_margin(CARD_MARGIN)
                .show(ui, contents);
        })
        .response
        .rect
}
