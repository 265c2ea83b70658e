//! Draws the notices in the lower right of the view, or in the lower left if they would cover what they are about.
//! While the pointer is on one, none disappears and new ones wait. An error in a file has a button that shows the line.

use std::time::Duration;

use egui::{Align2, Frame, Label, Margin, RichText, Stroke, Ui};
use glam::Vec3;
use lucide_icons::Icon;

use crate::{
    notices::{self, Notice, NoticeSeverity, Notices, Remedy, Topic},
    request::Request,
    shell::source_view::SourceView,
    widgets::{icon_sized, mark_button, theme, word_button},
};
use delassus_session::Command;

/// Width of the column of notices, and its least width in a narrow view, points.
const WIDTH: f32 = 430.0;
const LEAST_WIDTH: f32 = 240.0;

/// How notices are drawn.
#[derive(Clone, Copy, Debug)]
pub struct NoticeLayout {
    /// A question is open above them.
    pub under: bool,
    /// A lesson is on screen: they are in the lower left, in one line and in brief, so that the motion stays in sight.
    pub brief: bool,
}

/// Draws the notices in `area` and ages them. `seen` projects a point of the world to the screen. True if some remain.
pub fn show(
    toasts: &mut Notices,
    ui: &mut Ui,
    area: egui::Rect,
    layout: NoticeLayout,
    seen: &dyn Fn(Vec3) -> Option<egui::Pos2>,
    source: &mut Option<SourceView>,
    out: &mut Vec<Request>,
) -> bool {
    // By the clock, as idle windows draw only four frames a second. A window that was hidden showed nothing meanwhile.
    let dt = ui.input(|i| i.unstable_dt).min(0.5);
    if !toasts.held {
        for toast in std::mem::take(&mut toasts.waiting) {
            toasts.list.push(toast);
        }
        notices::shorten(&mut toasts.list);
    }
    // Narrow notices in a narrow view, so that they do not cover the panels.
    let width = area.width().clamp(LEAST_WIDTH, WIDTH);
    let column = egui::Rect::from_min_max(
        egui::pos2(area.right() - width, toasts.top.min(area.bottom() - 80.0)),
        area.right_bottom(),
    );
    let covers = |toast: &Notice| toast.about.and_then(seen).is_some_and(|at| column.expand(20.0).contains(at));
    let right = if toasts.list.iter().any(covers) { area.left() + width } else { area.right() };
    let order = if layout.under { egui::Order::Middle } else { egui::Order::Foreground };
    let mut bottom = area.bottom();
    let (mut closed, mut held) = (None, false);
    for toast in toasts.list.iter_mut().rev() {
        // Under the pointer they keep their place, whatever disappears below them.
        let at = toast.bottom.filter(|_| toasts.held).unwrap_or(bottom);
        let shown = egui::Area::new(egui::Id::unique(("toast", toast.id)))
            .order(order)
            .pivot(if layout.brief { Align2::LEFT_BOTTOM } else { Align2::RIGHT_BOTTOM })
            .fixed_pos(egui::pos2(if layout.brief { area.left() } else { right }, at))
            .show(ui.ctx(), |ui| match layout.brief {
                true => line(ui, toast, area.width(), source, out),
                false => card(ui, toast, width, source, out),
            });
        toast.bottom = Some(at);
        bottom = at - shown.response.rect.height() - if layout.brief { 4.0 } else { 8.0 };
        if shown.inner {
            closed = Some(toast.id);
        }
        held |= shown.response.contains_pointer();
    }
    toasts.top = bottom;
    if !held {
        for toast in toasts.list.iter_mut().filter(|toast| toast.left != Duration::MAX) {
            toast.left = toast.left.saturating_sub(Duration::from_secs_f32(dt));
        }
    }
    toasts.held = held;
    toasts.list.retain(|toast| !toast.left.is_zero() && Some(toast.id) != closed);
    !(toasts.list.is_empty() && toasts.waiting.is_empty())
}

/// Draws one notice. True if it was closed.
fn card(ui: &mut Ui, toast: &Notice, width: f32, source: &mut Option<SourceView>, out: &mut Vec<Request>) -> bool {
    let colors = theme::colors(ui.visuals());
    let (image, tint) = icon(toast, colors);
    let mut closed = false;
    Frame::popup(ui.style())
        .stroke(Stroke::new(1.0, tint.gamma_multiply(0.7)))
        .inner_margin(Margin::symmetric(12, 10))
        .show(ui, |ui| {
            ui.set_max_width(width - 24.0);
            ui.horizontal_top(|ui| {
                ui.label(icon_sized(image, 17.0).color(tint));
                ui.vertical(|ui| {
                    ui.set_width(width - 104.0);
                    ui.add(Label::new(RichText::new(&toast.text).color(colors.strong)).wrap());
                    closed = remedy_buttons(ui, toast, source, out);
                });
                closed |= mark_button(ui, Icon::X, colors.weak, "Dismiss", "Dismiss").clicked();
            });
        });
    closed
}

/// Draws one notice in brief, as low as its text; the whole text is on hover. True if it was closed.
fn line(ui: &mut Ui, toast: &Notice, room: f32, source: &mut Option<SourceView>, out: &mut Vec<Request>) -> bool {
    let colors = theme::colors(ui.visuals());
    let (image, tint) = icon(toast, colors);
    let mut closed = false;
    let frame = Frame::popup(ui.style()).stroke(Stroke::new(1.0, tint.gamma_multiply(0.7)));
    frame.inner_margin(Margin::symmetric(7, 3)).show(ui, |ui| {
        ui.set_max_width((room - 14.0).max(LEAST_WIDTH));
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(icon_sized(image, 14.0).color(tint));
            let text = toast.brief.as_ref().unwrap_or(&toast.text);
            let label = ui.add(Label::new(RichText::new(text).small().color(colors.strong)).wrap());
            if toast.brief.is_some() {
                label.on_hover_text(&toast.text);
            }
            closed = remedy_buttons(ui, toast, source, out);
            closed |= mark_button(ui, Icon::X, colors.weak, "Dismiss", "Dismiss").clicked();
        });
    });
    closed
}

/// The icon of a notice and its colour.
fn icon(toast: &Notice, colors: &theme::Colors) -> (Icon, egui::Color32) {
    match toast.severity {
        NoticeSeverity::Info => (Icon::CircleCheck, colors.good),
        NoticeSeverity::Notice => {
            let image = match toast.topic {
                Some(Topic::Disk | Topic::Imported) => Icon::FileInput,
                Some(Topic::LostWork) => Icon::ArchiveRestore,
                Some(Topic::Trouble | Topic::Growth) => Icon::OctagonAlert,
                _ => Icon::Unlink,
            };
            (image, colors.warn)
        }
        NoticeSeverity::Error => (Icon::TriangleAlert, colors.bad),
    }
}

/// Draws the notice's buttons. True if one was used and the notice can go.
fn remedy_buttons(ui: &mut Ui, toast: &Notice, source: &mut Option<SourceView>, out: &mut Vec<Request>) -> bool {
    if toast.remedies.is_empty() {
        return false;
    }
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        let mut done = false;
        for remedy in &toast.remedies {
            let (image, words) = match remedy {
                Remedy::ShowLine(place) => (Icon::FileSearch, format!("Show line {}", place.line)),
                Remedy::ShowText { label, .. } => (Icon::List, label.clone()),
                Remedy::Ask { label, request } => (image_of(request), label.clone()),
            };
            let clicked = word_button(ui, image, &words).clicked();
            match remedy {
                Remedy::ShowLine(place) if clicked => *source = Some(SourceView::open(place)),
                Remedy::ShowText { title, lines, .. } if clicked => {
                    // The notice would cover it.
                    *source = Some(SourceView::of(title, lines));
                    done = true;
                }
                Remedy::Ask { request, .. } if clicked => {
                    out.push((**request).clone());
                    done = true;
                }
                _ => {}
            }
        }
        done
    })
    .inner
}

fn image_of(request: &Request) -> Icon {
    match request {
        Request::Reload | Request::Session(Command::ReadParts) => Icon::RefreshCw,
        Request::Discard(then) => image_of(then),
        Request::Session(Command::StepBack) => Icon::StepBack,
        Request::Session(Command::Reset) => Icon::SkipBack,
        Request::KeepMine | Request::Session(Command::KeepPose) => Icon::Pin,
        Request::ShowConflict => Icon::GitMerge,
        Request::Overwrite => Icon::Save,
        Request::SaveAsDialog => Icon::SaveAll,
        Request::Open(_) => Icon::FolderOpen,
        _ => Icon::Undo2,
    }
}
