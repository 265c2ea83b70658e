//! The table: a column for each run, a line for each measure.

use std::sync::Arc;

use egui::{
    Align, Color32, Galley, Grid, Label, Layout, RichText, ScrollArea, Stroke, TextEdit, TextStyle, Ui, UiBuilder,
    text::LayoutJob, vec2,
};
use lucide_icons::Icon;

use super::{Compare, color, compare, differences, letter};
use crate::{
    request::Request,
    view::View,
    widgets::{
        angles::Angles,
        icon, named,
        number::{self, length, with_unit},
        theme,
    },
};
use delassus_session::comparison::{FIGURES, Score};
use delassus_session::{Command, CompareCommand as Asked};

/// Width of the measures' names, points.
const NAMES: f32 = 140.0;
/// Width of a run's column, points.
const COLUMN: f32 = 98.0;
/// Gap between two columns, points.
const GAP: f32 = 8.0;
/// Height of a run's letter and menu, points.
const LETTER: f32 = 18.0;
/// The most lines of a name; hovering shows all of it.
const NAME_LINES: usize = 4;

/// Width of the table for this many runs, points.
pub(super) fn width(runs: usize) -> f32 {
    NAMES + runs as f32 * (COLUMN + GAP) + 12.0
}

pub(super) fn show(ui: &mut Ui, view: &View<'_>, state: &mut Compare, out: &mut Vec<Request>) {
    let runs = view.session.runs().len() + 1;
    let height = LETTER + names_height(ui, view) + 4.0;
    // No fade at the edges: it would cover the headers.
    ui.spacing_mut().scroll.fade.strength = 0.0;
    ScrollArea::both().id_salt("compare").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().interact_size.y = 17.0;
        let corner = ui.cursor().min;
        Grid::new("runs").striped(true).num_columns(runs + 1).spacing([GAP, 1.0]).show(ui, |ui| {
            ui.set_min_width(NAMES);
            // Room for the headers, which are drawn last.
            ui.allocate_space(vec2(NAMES, height));
            for _ in 0..runs {
                ui.allocate_space(vec2(COLUMN, height));
            }
            ui.end_row();
            let scores: Vec<Score> = (0..runs).map(|run| view.session.score(run)).collect();
            figures(ui, &scores);
            distances(ui, view, runs, out);
        });
        // The headers stay at the top while the lines scroll.
        let top = egui::pos2(corner.x, corner.y.max(ui.clip_rect().top()));
        let rect = egui::Rect::from_min_size(top, vec2(width(runs), height));
        ui.painter().rect_filled(rect, 0.0, ui.visuals().panel_fill);
        let place = rect.with_min_x(rect.left() + NAMES + GAP);
        ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Min)), |ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            (0..runs).for_each(|run| head(ui, view, run, height, state, out));
        });
    });
}

/// The height of the tallest name, points.
fn names_height(ui: &Ui, view: &View<'_>) -> f32 {
    let heights = view.session.runs().iter().map(|other| name_in_lines(ui, &other.name, Color32::WHITE).size().y);
    heights.fold(ui.text_style_height(&TextStyle::Small), f32::max)
}

/// A run's name in the width of its column.
fn name_in_lines(ui: &Ui, name: &str, color: Color32) -> Arc<Galley> {
    let font = TextStyle::Small.resolve(ui.style());
    let mut job = LayoutJob::simple(name.to_owned(), font, color, COLUMN);
    job.wrap.max_rows = NAME_LINES;
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// A run's letter and menu, and its name below.
fn head(ui: &mut Ui, view: &View<'_>, run: usize, height: f32, state: &mut Compare, out: &mut Vec<Request>) {
    ui.allocate_ui_with_layout(vec2(COLUMN, height), Layout::top_down(Align::Min), |ui| {
        ui.set_min_width(COLUMN);
        ui.set_max_width(COLUMN);
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let (rect, _) = ui.allocate_exact_size(vec2(8.0, 16.0), egui::Sense::hover());
            ui.painter().vline(rect.center().x, rect.y_range(), Stroke::new(4.0, color(run, ui.visuals())));
            ui.label(RichText::new(letter(run)).strong());
            if let Some(other) = run.checked_sub(1).and_then(|at| view.session.runs().get(at)) {
                menu(ui, view, run, other.name.as_str(), state, out);
            }
        });
        title(ui, view, run, state, out);
    });
}

/// The run's name; a click edits it.
fn title(ui: &mut Ui, view: &View<'_>, run: usize, state: &mut Compare, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let Some(other) = run.checked_sub(1).and_then(|at| view.session.runs().get(at)) else {
        let tip = "The main run: settings and pulls apply to it, and it is drawn as usual";
        ui.label(RichText::new("main").small().color(colors.weak)).on_hover_text(tip);
        return;
    };
    let name = format!("Name of run {}", letter(run));
    let Some((_, mut text)) = state.name.take_if(|(of, _)| *of == run) else {
        let differs = differences(view.settings, other.session().settings());
        let tip = match differs.as_str() {
            "" => format!("{}\nBy the present settings", other.name),
            differs => format!("{}\nAgainst the present settings: {differs}", other.name),
        };
        let lines = name_in_lines(ui, &other.name, colors.text);
        let response = ui.scope(|ui| {
            ui.spacing_mut().button_padding = vec2(0.0, 0.0);
            named(ui.add(egui::Button::new(lines).frame(false)), &name)
        });
        let response = response.inner;
        if response.on_hover_text(tip).clicked() {
            state.name = Some((run, other.name.clone()));
        }
        return;
    };
    let field = TextEdit::singleline(&mut text).desired_width(COLUMN - 8.0).margin(vec2(2.0, 0.0));
    let response = named(ui.add(field.font(egui::TextStyle::Small)), &name);
    if response.lost_focus() {
        let new = text.trim();
        if !new.is_empty() && new != other.name {
            out.push(compare(Asked::Name(run, new.to_owned())));
        }
        return;
    }
    if !response.has_focus() {
        response.request_focus();
    }
    state.name = Some((run, text));
}

fn menu(ui: &mut Ui, view: &View<'_>, run: usize, name: &str, state: &mut Compare, out: &mut Vec<Request>) {
    let menu = ui.menu_button(icon(Icon::EllipsisVertical).size(13.0), |ui| {
        let take =
            ui.button("Set these settings").on_hover_text("The main run uses them from now on; Undo reverts this");
        if take.clicked() {
            out.push(compare(Asked::Take(run)));
        }
        let give = ui.button("Give it the present settings").on_hover_text("It restarts with the present settings");
        if give.clicked() {
            out.push(compare(Asked::Settings(run, Box::new(*view.settings))));
        }
        if ui.button("Rename it").clicked() {
            state.name = Some((run, name.to_owned()));
        }
        if ui.button("Remove this run").clicked() {
            out.push(compare(Asked::Remove(run)));
        }
    });
    named(menu.response, &format!("Run {}", letter(run))).on_hover_text("Actions for this run");
}

/// A cell of a run's column, aligned right.
fn cell(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    let layout = Layout::right_to_left(Align::Center);
    ui.allocate_ui_with_layout(vec2(COLUMN, 17.0), layout, |ui| {
        ui.set_min_width(COLUMN);
        contents(ui);
    });
}

fn value(ui: &mut Ui, text: String, best: bool) {
    let colors = theme::colors(ui.visuals());
    cell(ui, |ui| {
        let text = RichText::new(text).monospace().size(11.5);
        ui.add(Label::new(if best { text.color(colors.strong).underline() } else { text.color(colors.text) }).extend());
    });
}

fn figures(ui: &mut Ui, scores: &[Score]) {
    let angles = Angles::of(ui.ctx());
    for figure in &FIGURES {
        let values: Vec<f64> = scores.iter().map(figure.of).collect();
        ui.label(RichText::new(figure.name).small()).on_hover_text(figure.what);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let differ = values.iter().any(|value| *value != least);
        for now in &values {
            let text = match figure.unit {
                "rad" => angles.words(*now),
                "ms" => number::milliseconds(*now),
                "" => format!("{now:.1}"),
                unit => with_unit(*now, unit),
            };
            value(ui, text, figure.less && differ && *now == least);
        }
        ui.end_row();
    }
}

/// The distance of each run from the reference, and the time since which it differs.
fn distances(ui: &mut Ui, view: &View<'_>, runs: usize, out: &mut Vec<Request>) {
    let session = view.session;
    let (apart, reference, now) = (session.divergence(), session.reference_run(), view.snapshot.step);
    ui.label(RichText::new("reference").small()).on_hover_text("The run from which distances are measured");
    for run in 0..runs {
        cell(ui, |ui| {
            let named = format!("Measure from run {}", letter(run));
            let response = crate::widgets::named(ui.radio(run == reference, ""), &named);
            if response.on_hover_text(&named).clicked() && run != reference {
                out.push(compare(Asked::Reference(run)));
            }
        });
    }
    ui.end_row();
    let from = letter(reference);
    for (words, most) in [(format!("distance from {from} now"), false), (format!("largest distance from {from}"), true)]
    {
        ui.label(RichText::new(words).small())
            .on_hover_text("The largest distance of a body's centre from its place in the reference");
        for run in 0..runs {
            let far = if most { Some(apart.most(now, run, reference)) } else { apart.at(now, run, reference) };
            let text = if run == reference { "·".into() } else { far.map_or("–".into(), |far| length(far.into())) };
            value(ui, text, false);
        }
        ui.end_row();
    }
    let words = format!("differs by {}", length(apart.epsilon()));
    ui.label(RichText::new(words).small()).on_hover_text("The first step that is farther from the reference than ε");
    for run in 0..runs {
        let stopped = run.checked_sub(1).and_then(|at| session.runs()[at].stopped);
        match apart.first(run, reference).filter(|step| *step <= now || session.is_past()) {
            _ if run == reference => value(ui, "·".into(), false),
            Some(step) => {
                cell(ui, |ui| {
                    let link = ui.link(RichText::new(format!("step {step}")).size(11.5));
                    let said = match stopped {
                        Some(last) => format!("It cannot be run beyond step {last}"),
                        None => format!("To step {step}, at {}", number::time(session.time_of(step))),
                    };
                    let link = named(link, &format!("Run {} differs", letter(run))).on_hover_text(said);
                    if link.clicked() {
                        out.push(Request::Session(Command::Seek(step)));
                    }
                });
            }
            None => value(ui, "never".into(), false),
        }
    }
    ui.end_row();
}
