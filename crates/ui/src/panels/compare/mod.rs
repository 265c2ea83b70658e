//! Runs with other settings: accuracy and cost of each, and how far apart they are. The view shows them as ghosts or
//! side by side with one camera.

mod cells;
mod distance;
mod table;

use delassus_scene::Words as _;
use egui::{Align, Color32, Layout, Rect, RichText, Stroke, TextEdit, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    editor::form::setting_row,
    request::Request,
    view::View,
    widgets::{self, named, number, switch, theme, word_button},
};
use delassus_physics::settings::{LIST, Settings};
use delassus_session::comparison::MOST_RUNS;
use delassus_session::{Command, CompareCommand as Asked};

pub use cells::{layout, pictures, show as show_cells, tag};

/// The state of the panel.
#[derive(Clone, Debug, Default)]
pub struct Compare {
    /// Whether the pictures are side by side; otherwise the other runs are drawn as ghosts.
    pub apart: bool,
    /// Areas of the other runs' pictures, points; empty while they are ghosts.
    pub cells: Vec<Rect>,
    /// The number of runs in the last frame.
    pub seen: usize,
    /// The text of the bound ε while it is being edited.
    epsilon: Option<String>,
    /// The run and the text of a name that is being edited.
    name: Option<(usize, String)>,
}

/// The letter of a run.
pub fn letter(run: usize) -> char {
    char::from(b'a' + run as u8)
}

/// The colour of a run's curves and ghost.
pub fn color(run: usize, visuals: &egui::Visuals) -> Color32 {
    theme::run(run, visuals)
}

/// The name of a run; that of the main one is its experiment, if it has one.
pub fn name<'a>(view: &View<'a>, run: usize) -> &'a str {
    match run.checked_sub(1) {
        None => match view.experiment.and_then(|index| view.scene.experiments.get(index)) {
            Some(experiment) => &experiment.name,
            None if view.settings == view.file_settings => "as the scene opens",
            None => "main",
        },
        Some(at) => view.session.runs().get(at).map_or("", |run| run.name.as_str()),
    }
}

/// The settings by which `new` differs from `old`, in words: “Method Jacobi, Iterations 4”.
pub fn differences(old: &Settings, new: &Settings) -> String {
    let differ = LIST.iter().filter(|setting| (setting.get)(old) != (setting.get)(new));
    let words = |setting: &&delassus_physics::setting::Setting| {
        format!("{} {}", setting.words().label, setting_row::words(setting, (setting.get)(new)))
    };
    differ.map(|setting| words(&setting)).collect::<Vec<_>>().join(", ")
}

/// A request for another run with these settings. Without a name it is named after the differences from the file's
/// settings.
pub fn ask(view: &View<'_>, name: Option<&str>, settings: &Settings) -> Request {
    let name = name.map_or_else(|| differences(view.file_settings, settings), str::to_owned);
    let name = if name.is_empty() { "as in the file".to_owned() } else { name };
    Request::Session(Command::Compare(Asked::Add { name, settings: Box::new(*settings) }))
}

/// Whether another run can be added.
pub fn can_add(view: &View<'_>) -> bool {
    !view.is_empty() && view.session.runs().len() + 1 < MOST_RUNS
}

fn compare(asked: Asked) -> Request {
    Request::Session(Command::Compare(asked))
}

/// Draws the panel over the available space.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut Compare, out: &mut Vec<Request>) {
    if view.is_empty() {
        return widgets::empty(ui, Icon::GitCompare, "A scene with bodies can be run in several ways at once.");
    }
    bar(ui, view, state, out);
    if view.session.runs().is_empty() {
        let text = "Compare up to eight runs of this scene side by side, with the same inputs but their own settings. \
                    Add a run with the present settings, then change a setting. Each experiment's card has a button \
                    for this, and a button above the cards adds them all.";
        ui.add_space(8.0);
        ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
        return;
    }
    let room = ui.available_size();
    // The plot takes what the table leaves, if that is enough.
    let table = table::width(view.session.runs().len() + 1);
    let width = if room.x > table + PLOT { table } else { room.x };
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        ui.allocate_ui_with_layout(vec2(width, room.y), Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(vec2(width, room.y));
            ui.set_max_width(width);
            table::show(ui, view, state, out);
        });
        let rest = room.x - width - 16.0;
        if rest > PLOT - 20.0 {
            ui.allocate_ui_with_layout(vec2(rest, room.y), Layout::top_down(Align::Min), |ui| {
                ui.set_min_size(vec2(rest, room.y));
                ui.set_max_width(rest);
                distance::show(ui, view, out);
            });
        }
    });
}

/// The least width of the plot, points.
const PLOT: f32 = 150.0;

/// Buttons for all runs.
fn bar(ui: &mut Ui, view: &View<'_>, state: &mut Compare, out: &mut Vec<Request>) {
    let session = view.session;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        ui.add_enabled_ui(can_add(view), |ui| {
            let tip = "Adds a run with the present settings, which it keeps";
            if word_button(ui, Icon::Plus, "Run the present settings").on_hover_text(tip).clicked() {
                out.push(ask(view, None, view.settings));
            }
            let tip = "Adds a run with sixteen times as many sub-steps, whole mechanisms and at least fifty sweeps, as \
                       the reference for distances";
            if word_button(ui, Icon::Ruler, "Fine reference").on_hover_text(tip).clicked() {
                out.push(compare(Asked::AddFine));
            }
        });
        if session.runs().is_empty() {
            return;
        }
        let items = [
            ("Ghosts", "The other runs over the main one"),
            ("Side by side", "A picture of each, with the same camera"),
        ];
        let items: Vec<_> = items.iter().map(|(label, tip)| widgets::Segment::new(label, *tip)).collect();
        ui.allocate_ui(vec2(160.0, 22.0), |ui| {
            ui.set_max_width(160.0);
            if let Some(index) = widgets::segments(ui, "Other runs", &items, Some(usize::from(state.apart))) {
                state.apart = index == 1;
            }
        });
        let (from, mut here) = session.runs_from();
        let tip = "Start from the shown state, not from where the bodies were last edited";
        if switch(ui, &mut here, "From here").on_hover_text(tip).clicked() {
            out.push(compare(Asked::FromHere(here)));
        }
        let words = if here { format!("from step {from}") } else { "from here".to_owned() };
        ui.label(RichText::new(words).small());
        epsilon(ui, view, state, out);
        if word_button(ui, Icon::X, "End").on_hover_text("Removes all other runs").clicked() {
            out.push(compare(Asked::End));
        }
        let behind = session.runs_behind();
        if behind > 0 {
            let text = format!("catching up, {} to go", number::counted(behind as usize, "step", "steps"));
            ui.label(RichText::new(text).small().color(theme::colors(ui.visuals()).warn));
        }
    });
}

/// The distance beyond which runs count as different, m.
fn epsilon(ui: &mut Ui, view: &View<'_>, state: &mut Compare, out: &mut Vec<Request>) {
    let now = view.session.divergence().epsilon();
    ui.label(RichText::new("ε").small());
    let mut text = state.epsilon.clone().unwrap_or_else(|| format!("{}", now * 1e3));
    let parsed = text.trim().replace(',', ".").parse::<f64>().ok().filter(|mm| *mm >= 0.0 && mm.is_finite());
    let field = TextEdit::singleline(&mut text).desired_width(44.0);
    let response = named(ui.add(field), "Bound of difference");
    if parsed.is_none() {
        let stroke = Stroke::new(1.0, theme::colors(ui.visuals()).bad);
        ui.painter().rect_stroke(response.rect, 4.0, stroke, egui::StrokeKind::Outside);
    }
    let response = response.on_hover_text(match parsed {
        Some(_) => "Runs differ once a body's centre is farther than this from its place in the reference, mm",
        None => "Expected millimetres, 0 or more",
    });
    if response.lost_focus() {
        state.epsilon = None;
        out.extend(parsed.map(|mm| mm * 1e-3).filter(|m| *m != now).map(|m| compare(Asked::Epsilon(m))));
    } else if response.has_focus() {
        state.epsilon = Some(text);
    }
    ui.label(RichText::new("mm").small());
}

/// The runs' colours and names, in the row of tabs.
pub fn legend(ui: &mut Ui, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    ui.spacing_mut().item_spacing.x = 5.0;
    if view.session.runs().is_empty() {
        return;
    }
    let runs = view.session.runs().len() + 1;
    let font = egui::TextStyle::Small.resolve(ui.style());
    let whole = |run: usize| format!("{} {}", letter(run), name(view, run));
    let size = |text: String| ui.painter().layout_no_wrap(text, font.clone(), colors.text).size().x;
    let all: f32 = (0..runs).map(|run| size(whole(run)).min(150.0) + 32.0).sum();
    // Letters alone if the names do not fit; the table has the names.
    let letters = ui.available_width() < all;
    ui.spacing_mut().item_spacing.x = if letters { 3.0 } else { 5.0 };
    for run in 0..runs {
        if ui.available_width() < 18.0 {
            return;
        }
        let mark = if letters { 7.0 } else { 12.0 };
        let (rect, _) = ui.allocate_exact_size(vec2(mark, 16.0), egui::Sense::hover());
        ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(3.0, color(run, ui.visuals())));
        let text = if letters { letter(run).to_string() } else { whole(run) };
        let text = RichText::new(text).small().color(colors.text);
        let room = ui.available_width().min(150.0);
        ui.scope(|ui| {
            ui.set_max_width(room);
            ui.add(egui::Label::new(text).truncate()).on_hover_text(name(view, run));
        });
        ui.add_space(if letters { 2.0 } else { 4.0 });
    }
}
