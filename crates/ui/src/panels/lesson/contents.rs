//! The contents of the lessons: all of them by document, how far each one is, and where to continue.

use egui::{Align, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, vec2};
use lucide_icons::Icon;

use super::{Lessons, Stage, enter, exercise, next, pictures, results};
use crate::{
    request::Request,
    view::View,
    widgets::{self, icon_sized, named, theme},
};
use delassus_scene::{lesson::Lesson, sources};

/// Size of the page, and least width of a column of it, points.
const SIZE: egui::Vec2 = vec2(860.0, 640.0);
const COLUMN: f32 = 380.0;
/// Height of a lesson's line, and width of its picture, points.
const LINE: f32 = 62.0;
const PICTURE: f32 = 90.0;

/// Draws the page if it is open, in the middle of the window.
pub fn show(ui: &mut Ui, view: &View<'_>, lessons: &mut Lessons, out: &mut Vec<Request>) {
    if !lessons.contents {
        return;
    }
    let screen = ui.ctx().content_rect();
    let width = SIZE.x.min(screen.width() - 40.0);
    let over = Rect::from_center_size(screen.center(), vec2(width + 80.0, 0.0));
    let mut chosen = None;
    let close = widgets::page(ui, "Lessons", over, SIZE, |ui, room| {
        let all = &view.shelf.lessons;
        if all.is_empty() {
            return widgets::empty(ui, Icon::GraduationCap, "There are no lessons in the library.");
        }
        let top = ui.cursor().top();
        chosen = go_on(ui, all, lessons, out);
        ui.add_space(4.0);
        let height = room.y - (ui.cursor().top() - top);
        let area = ScrollArea::vertical().id_salt("lessons").max_height(height).min_scrolled_height(height);
        area.auto_shrink(false).show(ui, |ui| {
            ui.set_width((ui.available_width() - 10.0).max(200.0));
            ui.spacing_mut().item_spacing.y = 2.0;
            chosen = list(ui, view, lessons).or(chosen);
        });
    });
    if let Some(index) = chosen {
        out.extend(enter(view, index, lessons));
    } else if close {
        lessons.contents = false;
    }
}

/// How many are done, a button for the next one, and the page of results. Returns its index when it is clicked.
fn go_on(ui: &mut Ui, all: &[Lesson], lessons: &mut Lessons, out: &mut Vec<Request>) -> Option<usize> {
    let colors = theme::colors(ui.visuals());
    let stage = |lesson: &Lesson| lessons.progress.stage(&lessons.answers, lesson);
    let done = all.iter().filter(|lesson| stage(lesson) == Stage::Done).count();
    let begun = all.iter().any(|lesson| stage(lesson) != Stage::New);
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        if let Some(index) = next(all, &lessons.answers, &lessons.progress) {
            let words = format!("{}: {}", if begun { "Continue" } else { "Start" }, all[index].title);
            let button = egui::Button::new(widgets::lead(widgets::icon(Icon::Play), &words))
                .fill(colors.accent_soft)
                .stroke(egui::Stroke::new(1.0, colors.accent));
            if named(ui.add(button), &words).clicked() {
                chosen = Some(index);
            }
        }
        let words = format!("{done} of {} done", all.len());
        ui.label(RichText::new(words).color(colors.weak));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tip = "Saves a page with your predictions, runs and points, to hand in";
            ui.add_enabled_ui(begun, |ui| {
                if widgets::word_button(ui, Icon::Download, "Save my results").on_hover_text(tip).clicked() {
                    out.push(Request::ResultsDialog(results::page(all, &lessons.answers, &lessons.progress)));
                }
            });
            // On the light page the usual background would be white on white.
            let field = egui::TextEdit::singleline(&mut lessons.progress.name).background_color(colors.panel);
            let field = field.hint_text("Your name").desired_width(120.0);
            named(ui.add(field), "Your name").on_hover_text("Appears on the page of results");
        });
    });
    chosen
}

/// All lessons by document, in two columns if there is room. Returns the index of the one that is clicked.
fn list(ui: &mut Ui, view: &View<'_>, lessons: &Lessons) -> Option<usize> {
    let all = &view.shelf.lessons;
    let columns = if ui.available_width() >= 2.0 * COLUMN { 2 } else { 1 };
    let width = (ui.available_width() - 8.0 * (columns as f32 - 1.0)) / columns as f32;
    let (mut chosen, mut from) = (None, 0);
    while let Some(first) = all.get(from) {
        let count = all[from..].iter().take_while(|lesson| group(lesson) == group(first)).count();
        ui.add_space(4.0);
        widgets::title(ui, group(first));
        let indices: Vec<usize> = (from..from + count).collect();
        for row in indices.chunks(columns) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 8.0;
                for index in row {
                    if line(ui, &all[*index], lessons, width) {
                        chosen = Some(*index);
                    }
                }
            });
        }
        from += count;
    }
    chosen
}

/// The heading of the lessons of one kind.
fn group(lesson: &Lesson) -> &'static str {
    match lesson.source.split(' ').next() {
        _ if lesson.is_own() => "Your own",
        _ if !lesson.predicts() => "Exercises",
        Some("004") => sources::DOCUMENTS[4].1,
        Some("000" | "001" | "002" | "003") => "The other documents",
        _ => "More lessons",
    }
}

/// The place in its document in words: `004 ch. 14; 000` as `Chapter 14 · document 000`.
pub(super) fn chapter(source: &str) -> String {
    let place = |part: &str| match part.split_once(' ') {
        Some(("004", rest)) => rest.replacen("ch. ", "Chapter ", 1),
        Some((number, rest)) => format!("Document {number}, {rest}"),
        None if part.is_empty() => String::new(),
        None => format!("Document {part}"),
    };
    let mut places: Vec<String> = source.split("; ").map(place).collect();
    places.iter_mut().skip(1).for_each(|place| *place = place.replacen("Document", "document", 1));
    places.join(" · ")
}

/// The sign of how far a lesson is, and the same in words.
fn state(lesson: &Lesson, lessons: &Lessons) -> (Option<Icon>, String) {
    match lessons.progress.stage(&lessons.answers, lesson) {
        Stage::New => (None, "not begun".to_owned()),
        Stage::Begun(_) if lesson.trials.is_empty() => (Some(Icon::CircleDashed), "begun".to_owned()),
        Stage::Begun(runs) => (Some(Icon::CircleDashed), format!("{runs} of {} runs", lesson.trials.len())),
        Stage::Done => {
            let points = lessons.progress.exercises.get(&lesson.id).map(exercise::ExerciseRecord::points);
            let words = points.map_or_else(|| "done".to_owned(), |(points, most)| format!("done, {points} of {most}"));
            (Some(Icon::CircleCheck), words)
        }
    }
}

/// A lesson's line: picture, chapter, title, how far it is. True if it was clicked.
fn line(ui: &mut Ui, lesson: &Lesson, lessons: &Lessons, width: f32) -> bool {
    let colors = theme::colors(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(width, LINE), Sense::click());
    let (image, said) = state(lesson, lessons);
    let name = format!("{}: {said}", lesson.title);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &name));
    if !ui.is_rect_visible(rect) {
        return response.clicked();
    }
    let fill = match response.hovered() || response.has_focus() {
        true => ui.visuals().widgets.hovered.weak_bg_fill,
        false => colors.raised,
    };
    ui.painter().rect(rect, 7.0, fill, egui::Stroke::new(1.0, colors.line), egui::StrokeKind::Inside);
    let picture = Rect::from_min_size(rect.min + vec2(1.0, 1.0), vec2(PICTURE, LINE - 2.0));
    pictures::paint(ui, &lesson.id, picture);
    let text = Rect::from_min_max(rect.min + vec2(PICTURE + 10.0, 6.0), rect.max - vec2(8.0, 4.0));
    let mut ui = ui.new_child(UiBuilder::new().max_rect(text).layout(Layout::top_down(Align::Min)));
    ui.spacing_mut().item_spacing.y = 1.0;
    let label = |words: RichText| Label::new(words).selectable(false);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(image) = image {
                let color = if matches!(image, Icon::CircleCheck) { colors.good } else { colors.accent };
                ui.add(label(icon_sized(image, 14.0).color(color)));
                ui.add(label(RichText::new(said).small().color(colors.weak)));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let chapter = RichText::new(chapter(&lesson.source)).small().color(colors.weak);
                ui.add(label(chapter).truncate());
            });
        });
    });
    ui.add(label(RichText::new(&lesson.title).color(colors.strong)).wrap());
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::chapter;

    /// “Chapter 14; 000” and “002 Sequential Impulse” said nothing to a reader.
    #[test]
    fn the_place_of_a_lesson_reads_as_words() {
        for (source, words) in [
            ("004 ch. 11.1", "Chapter 11.1"),
            ("004 ch. 14; 000", "Chapter 14 · document 000"),
            ("002 Sequential Impulse", "Document 002, Sequential Impulse"),
            ("001", "Document 001"),
            ("003 §3.4, §7", "Document 003, §3.4, §7"),
            ("", ""),
        ] {
            assert_eq!(chapter(source), words);
        }
    }
}
