//! The time line under the view: every moment of the run that can be displayed again, with edits, bookmarks and mouse
//! grabs. Dragging seeks to any moment.

mod moments;

use egui::{Align2, Color32, CursorIcon, FontId, Key, Rect, Response, Sense, Stroke, Ui, pos2, vec2};
use lucide_icons::Icon;

use crate::{
    request::Request,
    view::View,
    widgets::{
        icon_button, icon_toggle, number,
        theme::{self, Colors},
    },
};
use delassus_session::{Command, Session, Timeline};
pub use moments::{Moments, show as show_moments};

/// Height of the strip, points.
pub const HEIGHT: f32 = 30.0;
/// The least number of steps that the line spans.
const MIN_SPAN: u64 = 120;
/// A click within this distance of a mark seeks to the mark, points.
const NEAR: f32 = 5.0;

/// A step that has a name.
struct Mark {
    step: u64,
    name: String,
    kind: MarkKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkKind {
    Edit,
    Bookmark,
    /// The step at which another branch forks off.
    Fork,
}

/// All marks of the current line, in order.
fn marks(session: &Session) -> Vec<Mark> {
    let edits = session.edits().map(|(step, _, name)| Mark { step, name: name.to_owned(), kind: MarkKind::Edit });
    let bookmarks = session.bookmarks().iter();
    let bookmarks = bookmarks.map(|b| Mark { step: b.step, name: b.name.clone(), kind: MarkKind::Bookmark });
    let forks = session.branches().iter().map(|branch| {
        let name = format!("{} forks off here", branch.name);
        Mark { step: branch.fork.0, name, kind: MarkKind::Fork }
    });
    let mut marks: Vec<Mark> = edits.chain(bookmarks).chain(forks).collect();
    marks.sort_by_key(|mark| mark.step);
    marks
}

/// The step of the next mark (`on`) or of the previous one, or else the end of the line in that direction.
pub fn neighbour(session: &Session, on: bool) -> Option<u64> {
    let line = session.timeline()?;
    let within = |step: &u64| (line.first..=line.last).contains(step);
    let steps = marks(session).into_iter().map(|mark| mark.step).filter(within);
    if on {
        steps.chain([line.last]).filter(|step| *step > line.now).min()
    } else {
        steps.chain([line.first]).filter(|step| *step < line.now).max()
    }
}

/// A name for the next bookmark.
pub fn next_name(session: &Session) -> String {
    let taken = |name: &String| session.bookmarks().iter().any(|bookmark| bookmark.name == *name);
    (1..).map(|n| format!("Mark {n}")).find(|name| !taken(name)).unwrap_or_default()
}

/// Draws the strip. True if the list of moments was asked for.
pub fn show(ui: &mut Ui, view: &View<'_>, listed: bool, out: &mut Vec<Request>) -> bool {
    let Some(line) = view.session.timeline() else { return false };
    let mut asked = false;
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let here = view.session.bookmarks().iter().any(|bookmark| bookmark.step == line.now);
        let tip = if here { "Remove the bookmark  (Ctrl+B)" } else { "Bookmark this moment  (Ctrl+B)" };
        if icon_toggle(ui, Icon::Bookmark, here, "Bookmark this moment", tip).clicked() {
            out.push(Request::Session(toggle_bookmark(view.session, line.now)));
        }
        let room = ui.available_width();
        let (words, buttons) = (if room > 420.0 { 150.0 } else { 0.0 }, 64.0);
        track(ui, view, line, (room - words - buttons).max(60.0), out);
        if words > 0.0 {
            time(ui, view.session, line, words);
        }
        ui.add_enabled_ui(view.session.is_past(), |ui| {
            let tip = "To the newest moment  (End)";
            if icon_button(ui, Icon::SkipForward, "To the newest moment", tip).clicked() {
                out.push(Request::Session(Command::Seek(line.last)));
            }
        });
        let tip = "Bookmarks and branches, by name  (Ctrl+L)";
        asked = icon_toggle(ui, Icon::GitBranch, listed, "Bookmarks and branches", tip).clicked();
    });
    asked
}

/// Sets or removes the bookmark at a step.
pub fn toggle_bookmark(session: &Session, step: u64) -> Command {
    let set = session.bookmarks().iter().any(|bookmark| bookmark.step == step);
    Command::Bookmark { step, name: (!set).then(|| next_name(session)) }
}

/// A narrower window may have no time in its upper bar, points.
const NARROW: f32 = 700.0;

/// The displayed time and the end of the line, if an earlier moment is displayed; the upper bar has the time otherwise.
fn time(ui: &mut Ui, session: &Session, line: Timeline, width: f32) {
    let colors = theme::colors(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
    let (now, last) = (number::time(session.time_of(line.now)), number::time(session.time_of(line.last)));
    let (text, ink) = if session.is_past() { (format!("{now} of {last}"), colors.accent) } else { (now, colors.weak) };
    let shown = session.is_past() || ui.ctx().content_rect().width() < NARROW;
    let text = if shown { text } else { String::new() };
    ui.painter().text(rect.right_center() - vec2(6.0, 0.0), Align2::RIGHT_CENTER, text, FontId::monospace(11.5), ink);
    let used = memory(session);
    response.on_hover_text(format!("Step {} of {}\n{used}", line.now, line.last));
}

/// The memory of the kept states.
fn memory(session: &Session) -> String {
    let mib = |bytes: usize| (bytes as f64 / f64::from(1 << 20)).ceil();
    format!(
        "Kept states take {} of {} MiB; beyond that the oldest are dropped",
        mib(session.past_bytes()),
        mib(delassus_session::PAST_MEMORY)
    )
}

/// Maps steps to positions along the line, and back.
struct TrackScale {
    rect: Rect,
    first: u64,
    last: u64,
}

impl TrackScale {
    fn x(&self, step: u64) -> f32 {
        let share = step.saturating_sub(self.first) as f64 / (self.last - self.first) as f64;
        self.rect.left() + self.rect.width() * share as f32
    }

    fn step(&self, x: f32) -> u64 {
        let share = f64::from(((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0));
        self.first + (share * (self.last - self.first) as f64).round() as u64
    }
}

fn track(ui: &mut Ui, view: &View<'_>, line: Timeline, width: f32, out: &mut Vec<Request>) {
    let (room, response) = ui.allocate_exact_size(vec2(width, HEIGHT - 6.0), Sense::click_and_drag());
    let rect = room.shrink2(vec2(8.0, 2.0));
    let scale = TrackScale { rect, first: line.first, last: line.last.max(line.first + MIN_SPAN) };
    let marks = marks(view.session);
    let now = view.session.time_of(line.now);
    response.widget_info(|| egui::WidgetInfo::slider(ui.is_enabled(), now, "Timeline"));
    paint(ui, view.session, line, &scale, &marks, &response);
    let step = |at: egui::Pos2| {
        let near = marks.iter().map(|mark| (mark.step, (scale.x(mark.step) - at.x).abs()));
        let near = near.filter(|(step, far)| *far <= NEAR && (line.first..=line.last).contains(step));
        // A drag seeks to any step, a click to the mark beneath it.
        let near = near.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|_| !response.dragged());
        near.map_or_else(|| scale.step(at.x).clamp(line.first, line.last), |(step, _)| step)
    };
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged()) {
        let step = step(at);
        if step != line.now {
            out.push(Request::Session(Command::Seek(step)));
        }
    }
    keys(ui, &response, line, out);
    if let Some(at) = response.hover_pos() {
        ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
        let step = step(at);
        let named = marks.iter().filter(|mark| mark.step == step);
        let names: Vec<String> = named.map(|mark| format!("\n{}", mark.name)).collect();
        let time = number::time(view.session.time_of(step));
        response.on_hover_text_at_pointer(format!("{time}, step {step}{}", names.concat()));
    }
}

/// With keyboard focus, the arrow keys move by one step.
fn keys(ui: &Ui, response: &Response, line: Timeline, out: &mut Vec<Request>) {
    if !response.has_focus() {
        return;
    }
    let filter = egui::EventFilter { horizontal_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let (left, right) = ui.input(|i| (i.key_pressed(Key::ArrowLeft), i.key_pressed(Key::ArrowRight)));
    let target = if left { line.now.checked_sub(1) } else { Some(line.now + 1).filter(|_| right) };
    out.extend(
        target.filter(|step| (line.first..=line.last).contains(step)).map(|s| Request::Session(Command::Seek(s))),
    );
}

fn paint(ui: &Ui, session: &Session, line: Timeline, scale: &TrackScale, marks: &[Mark], response: &Response) {
    let colors = theme::colors(ui.visuals());
    let (painter, rect) = (ui.painter(), scale.rect);
    let bar = Rect::from_x_y_ranges(rect.x_range(), rect.center().y - 3.0..=rect.center().y + 3.0);
    painter.rect_filled(bar, 3.0, colors.sunken);
    let part = |from: u64, to: u64, color: Color32| {
        let x = scale.x(from)..=scale.x(to).max(scale.x(from) + 1.0);
        painter.rect_filled(Rect::from_x_y_ranges(x, bar.y_range()), 3.0, color);
    };
    part(line.first, line.last, colors.track);
    part(line.first, line.now, colors.accent_soft);
    for (from, to) in session.holds() {
        let (from, to) = (from.max(line.first), to.min(line.last));
        if from < to {
            let y = bar.bottom() + 2.5;
            painter.hline(scale.x(from)..=scale.x(to), y, Stroke::new(2.0, theme::curve(1, ui.visuals())));
        }
    }
    for mark in marks.iter().filter(|mark| (line.first..=line.last).contains(&mark.step)) {
        draw_mark(ui, mark.kind, scale.x(mark.step), rect, colors);
    }
    let x = scale.x(line.now);
    painter.vline(x, rect.y_range(), Stroke::new(2.0, colors.accent));
    let grown = if response.hovered() || response.dragged() { 6.0 } else { 5.0 };
    painter.circle(pos2(x, rect.center().y), grown, colors.accent, Stroke::new(1.5, colors.panel));
}

fn draw_mark(ui: &Ui, kind: MarkKind, x: f32, rect: Rect, colors: &Colors) {
    let painter = ui.painter();
    match kind {
        MarkKind::Edit => {
            painter.vline(x, rect.center().y - 6.0..=rect.center().y + 6.0, Stroke::new(1.5, colors.text));
        }
        MarkKind::Bookmark => {
            let (top, low) = (rect.top(), rect.center().y);
            painter.vline(x, top..=low, Stroke::new(1.5, colors.strong));
            let flag = vec![pos2(x, top), pos2(x + 7.0, top + 3.0), pos2(x, top + 6.0)];
            painter.add(egui::Shape::convex_polygon(flag, colors.strong, Stroke::NONE));
        }
        MarkKind::Fork => {
            let from = pos2(x, rect.center().y);
            let stroke = Stroke::new(1.5, colors.weak);
            painter.line_segment([from, pos2(x + 6.0, rect.bottom())], stroke);
            painter.circle_filled(from, 2.5, colors.weak);
        }
    }
}
