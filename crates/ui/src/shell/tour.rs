//! The tour: a card over the picture that says what to do next, marks where, and notices when it is done.
//!
//! It watches only the document, so a step may be done in any way. A button does the step for the user.

use egui::{Align2, Frame, Label, Margin, RichText, Stroke, Ui, vec2};
use glam::{Vec2, Vec3};
use lucide_icons::Icon;
use std::f32::consts::FRAC_PI_2;

use crate::shell::tour_steps::{self, Step, TourNames};
use crate::widgets::{self, icon_button, icon_sized, named, word_button};
use crate::widgets::{angles::Angles, theme};
use crate::{
    panels::lesson,
    request::Request,
    shell::state::{RightTab, UiState},
    view::View,
};
use delassus_render::palette;
use delassus_session::Command;

/// Progress of the tour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tour {
    stage: TourStage,
    names: TourNames,
    /// The first lesson was chosen in its place, or the contents of the lessons.
    lesson: bool,
    contents: bool,
    /// Where the card was drawn; notices stay above it.
    pub card: Option<egui::Rect>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum TourStage {
    /// What the tour is about.
    #[default]
    Welcome,
    /// A new scene was asked for.
    NewScene,
    /// The step of this index.
    At(usize),
    Done,
}

/// The card's width, points, and that of the offer at the first start.
const WIDTH: f32 = 390.0;
const WELCOME: f32 = 270.0;
/// Height of the marks above the table, m.
const OVER: f32 = 0.01;

/// Draws the card and the marks of the current step; moves on once it is done.
pub fn show(ui: &Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(mut tour) = state.tour.take() else { return };
    advance(&mut tour, view, state);
    if let TourStage::At(index) = tour.stage {
        mark(Step::ALL[index], state);
    }
    if !card(ui, &mut tour, view, state, out) {
        state.tour = Some(tour);
    } else if tour.lesson {
        let first = lesson::first(&view.shelf.lessons);
        out.extend(lesson::enter(view, first, &mut state.lessons));
    } else if tour.contents {
        state.lessons.contents = true;
    }
}

fn advance(tour: &mut Tour, view: &View<'_>, state: &mut UiState) {
    match tour.stage {
        TourStage::NewScene if is_blank(view) => {
            let focus = Vec3::new(-0.6, -0.8, 0.0);
            state.view3d.camera.glide_to(delassus_render::orbit_view::OrbitView {
                focus,
                distance: 9.0,
                yaw: -FRAC_PI_2,
                pitch: FRAC_PI_2,
            });
            state.editor.snap = true;
            tour.stage = TourStage::At(0);
        }
        TourStage::At(index) if tour_steps::is_done(Step::ALL[index], view, &mut tour.names) => {
            go_to(tour, index + 1, state);
        }
        _ => {}
    }
}

/// Whether the scene is new: only a floor, and no file.
fn is_blank(view: &View<'_>) -> bool {
    view.path.is_none() && view.scene.bodies.len() == 1 && view.scene.joints.is_empty()
}

fn go_to(tour: &mut Tour, index: usize, state: &mut UiState) {
    tour.stage = if index < Step::ALL.len() { TourStage::At(index) } else { TourStage::Done };
    if Step::ALL.get(index) == Some(&Step::Motor) {
        state.right_tab = RightTab::Inspector;
        (state.panels.right, state.panels.hidden) = (true, false);
    }
}

/// Draws the step's target area, or its drag as an arrow, on the table.
fn mark(step: Step, state: &mut UiState) {
    let color = palette::with_alpha(palette::ACCENT, 1.0);
    let on_table = |p: Vec2| p.extend(OVER);
    let lines = &mut state.view3d.preview.lines;
    if let Some((middle, half)) = step.mark() {
        let corner = |x: f32, y: f32| on_table(middle + Vec2::new(x, y) * half);
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        lines.extend((0..4).map(|i| (corners[i], corners[(i + 1) % 4], color, 2.0)));
    }
    if let Some((from, to)) = step.drag() {
        let along = (to - from).normalize_or_zero();
        let barb = |side: f32| to - along * 0.18 + along.perp() * side * 0.1;
        lines.push((on_table(from), on_table(to), color, 2.5));
        lines.extend([1.0, -1.0].map(|side| (on_table(barb(side)), on_table(to), color, 2.5)));
        state.view3d.preview.points.push((on_table(from), color, 6.0));
    }
}

/// True if the tour was left.
fn card(ui: &Ui, tour: &mut Tour, view: &View<'_>, state: &UiState, out: &mut Vec<Request>) -> bool {
    let colors = theme::colors(ui.visuals());
    let view_rect = state.view3d.rect;
    // In the corner, clear of the scene.
    let wide = if tour.stage == TourStage::Welcome { WELCOME } else { WIDTH };
    let width = wide.min(view_rect.width() - 24.0).max(40.0);
    let mut leave = false;
    let shown = egui::Area::new(egui::Id::unique("tour"))
        .order(egui::Order::Middle)
        .pivot(Align2::RIGHT_BOTTOM)
        .fixed_pos(view_rect.right_bottom() - vec2(12.0, 12.0))
        .constrain(false)
        .show(ui.ctx(), |ui| {
            let frame = Frame::new()
                .fill(colors.raised)
                .stroke(Stroke::new(1.0, colors.line))
                .corner_radius(9)
                .shadow(ui.visuals().popup_shadow)
                .inner_margin(Margin::symmetric(14, 10));
            frame.show(ui, |ui| {
                ui.set_width(width);
                leave = contents(ui, tour, view, out);
            });
        });
    tour.card = Some(shown.response.rect);
    leave
}

fn contents(ui: &mut Ui, tour: &mut Tour, view: &View<'_>, out: &mut Vec<Request>) -> bool {
    let (title, text) = match tour.stage {
        TourStage::Welcome => (
            "New here?",
            "See how physics engines hold things together: change the solver while it runs. Each joint and each contact \
             is a few equations, and every step solves them in sweeps. The lessons follow the book: predict, run, see \
             why. The tour builds a machine in two minutes.",
        ),
        TourStage::NewScene => ("A new scene", "Waiting for the empty scene."),
        TourStage::At(index) => Step::ALL[index].words(),
        TourStage::Done => (
            "Done",
            "That is a whole mechanism: three bodies, four hinges, a motor. Continue with it: pull the rocker with \
             Ctrl and the left button, switch warm starting off in the Solver tab, or open a chapter of the library.",
        ),
    };
    let mut leave = header(ui, tour, title);
    // What is typed is in the chosen unit.
    let text = match Angles::of(ui.ctx()) {
        Angles::Degrees => text.to_owned(),
        Angles::Radians => text.replace("type 90", "type 1.5708"),
    };
    ui.add(Label::new(text).wrap());
    if let TourStage::At(index) = tour.stage {
        let trouble = tour_steps::trouble(Step::ALL[index], view, &tour.names).or_else(|| missing(tour, view));
        if let Some(trouble) = trouble {
            let color = theme::colors(ui.visuals()).warn;
            ui.add(Label::new(RichText::new(trouble).color(color)).wrap());
        }
    }
    ui.add_space(4.0);
    if tour.stage == TourStage::Welcome {
        leave |= lessons(ui, tour, view);
    }
    ui.horizontal(|ui| match tour.stage {
        TourStage::Welcome => {
            if word_button(ui, Icon::Play, "Start the tour").clicked() {
                tour.stage = TourStage::NewScene;
                out.push(Request::New);
            }
            leave |= word_button(ui, Icon::X, "Not now").clicked();
        }
        TourStage::NewScene => leave |= word_button(ui, Icon::X, "Leave the tour").clicked(),
        TourStage::At(index) => steps(ui, index, tour, view, out),
        TourStage::Done => {
            leave |= word_button(ui, Icon::Check, "Close").clicked();
            if word_button(ui, Icon::RotateCcw, "Once more").clicked() {
                *tour = Tour::default();
            }
        }
    });
    leave
}

/// The buttons of the welcome that lead to the lessons. True if one was clicked.
fn lessons(ui: &mut Ui, tour: &mut Tour, view: &View<'_>) -> bool {
    let all = &view.shelf.lessons;
    let Some(first) = all.get(lesson::first(all)) else { return false };
    let colors = theme::colors(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        let words = "Start with chapter 6";
        // What most people are here for.
        let first_of_all = egui::Button::new((widgets::icon(Icon::GraduationCap), words))
            .fill(colors.accent_soft)
            .stroke(Stroke::new(1.0, colors.accent));
        let button = named(ui.add(first_of_all), words);
        tour.lesson = button.on_hover_text(format!("A lesson: {}", first.title)).clicked();
        let tip = format!("The contents of the {} lessons", all.len());
        tour.contents = word_button(ui, Icon::List, "All lessons").on_hover_text(tip).clicked();
    });
    tour.lesson || tour.contents
}

/// Title, progress, and the button that ends the tour.
fn header(ui: &mut Ui, tour: &Tour, title: &str) -> bool {
    let colors = theme::colors(ui.visuals());
    let mut leave = false;
    ui.horizontal(|ui| {
        let image = if tour.stage == TourStage::Done { Icon::Check } else { Icon::GraduationCap };
        ui.label(icon_sized(image, 17.0).color(colors.accent));
        ui.label(RichText::new(title).size(15.5).color(colors.strong));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            leave = icon_button(ui, Icon::X, "Leave the tour", "Leave the tour; it is also in Help").clicked();
            if let TourStage::At(index) = tour.stage {
                let far = format!("{} of {}", index + 1, Step::ALL.len());
                ui.label(RichText::new(far).small().color(colors.weak));
            }
        });
    });
    leave
}

/// The button that does the step.
fn steps(ui: &mut Ui, index: usize, tour: &Tour, view: &View<'_>, out: &mut Vec<Request>) {
    let step = Step::ALL[index];
    if word_button(ui, Icon::WandSparkles, "Do it for me").on_hover_text("Does this step for you").clicked() {
        match step {
            Step::Run => out.push(Request::Session(Command::Play)),
            Step::Keep => out.push(Request::SaveAsDialog),
            _ => {
                if let Some(edit) = tour_steps::edit(step, view, &tour.names) {
                    crate::request::ask(edit, out);
                }
            }
        }
    }
}

/// Whether what was built before is gone: undone, or another scene is open.
fn missing(tour: &Tour, view: &View<'_>) -> Option<&'static str> {
    let gone = |name: &String| !view.scene.bodies.iter().any(|body| body.name == *name);
    let any = tour.names.iter().flatten().any(gone);
    any.then_some("What was built before is missing: undo its removal, or start again from Help.")
}
