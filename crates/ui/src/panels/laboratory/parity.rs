//! The Parity tab: the scene stepped on the processor and on the graphics device, from the moment the tab was opened.
//! Shows how far the two differ, as curves, as a list of the largest differences, and as colours in the view. Both
//! are copies; the run itself goes on with the device that the scene sets.

use std::time::Duration;

use egui::{Align, Layout, RichText, Ui, vec2};
use egui_plot::{Line, PlotPoints, VLine};
use lucide_icons::Icon;

use super::MOST_BODIES;
use crate::{
    selection::Selection,
    view::View,
    view3d::View3d,
    widgets::{self, graph, number::with_unit, theme},
};
use delassus_lab::{Parity, StepDifference};
use delassus_render::palette;

/// Time the two copies may take per frame.
const BUDGET: Duration = Duration::from_millis(12);
/// Number of largest differences in the list, and of joints marked in the view.
const WORST: usize = 12;
const MARKED: usize = 400;
/// Values below this are drawn as this: smaller differences are below 32-bit precision.
const FLOOR: f64 = 1e-9;
/// Number of decades below ε at which the colour scale begins.
const DECADES: f32 = 3.0;

/// The state of the Parity tab.
pub struct Memory {
    /// The document and the generation of its bodies from which the copies were made.
    key: (u64, u64),
    pub(crate) parity: Option<Parity>,
    /// The threshold ε, m.
    epsilon: f32,
    /// Whether differences are coloured in the view.
    colours: bool,
}

impl Default for Memory {
    fn default() -> Self {
        Self { key: (0, 0), parity: None, epsilon: 1e-5, colours: true }
    }
}

impl Memory {
    /// Steps the copies up to the run's step; starts again if another scene is open or the run has gone back.
    fn step_copies(&mut self, view: &View<'_>) -> Option<&mut Parity> {
        let session = view.session;
        let key = (session.opened(), session.generation());
        let now = view.snapshot.step;
        let goes_on = self.parity.as_ref().is_some_and(|parity| self.key == key && parity.begun <= now);
        if !goes_on || self.parity.as_ref().is_some_and(|parity| parity.step_count() > now) {
            let world = session.world()?;
            self.parity = Some(Parity::new(world, session.device(), self.epsilon));
            self.key = key;
        }
        let parity = self.parity.as_mut()?;
        parity.ask(self.epsilon);
        parity.step_to(view.settings, now, BUDGET);
        Some(parity)
    }
}

/// Draws the tab.
pub fn show(ui: &mut Ui, view: &View<'_>, shown: &mut Memory, selection: &mut Selection) {
    if let Some(why) = &view.device_refusal {
        shown.parity = None;
        return widgets::empty(ui, Icon::Cpu, &format!("The graphics device does not step this scene: {why}."));
    }
    if view.snapshot.bodies.len() > MOST_BODIES {
        let limit = widgets::number::count(MOST_BODIES);
        let text = format!("The two are stepped beside the run. This is done for up to {limit} bodies.");
        return widgets::empty(ui, Icon::Cpu, &text);
    }
    if shown.step_copies(view).is_none() {
        return widgets::empty(ui, Icon::Cpu, "Only a scene with bodies can be stepped by both.");
    }
    let again = bar(ui, view, shown);
    if again {
        shown.parity = None;
        return;
    }
    let Some(parity) = &shown.parity else { return };
    if parity.step_count() < view.snapshot.step {
        ui.ctx().request_repaint();
    }
    let room = ui.available_size();
    let across = (room.x * 0.36).clamp(150.0, 380.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 14.0;
        ui.allocate_ui_with_layout(vec2(room.x - across - 14.0, room.y), Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(vec2(room.x - across - 14.0, room.y));
            plot(ui, parity);
        });
        ui.vertical(|ui| {
            ui.set_width(across);
            worst(ui, parity, view, selection);
        });
    });
}

/// The bar with the threshold and the result; true if the comparison is to start again.
fn bar(ui: &mut Ui, view: &View<'_>, shown: &mut Memory) -> bool {
    let colors = theme::colors(ui.visuals());
    let mut again = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label("ε");
        let mut power = shown.epsilon.log10();
        let drag = egui::DragValue::new(&mut power).range(-7.0..=0.0).speed(0.05);
        let drag = drag.custom_formatter(|v, _| with_unit(10f64.powf(v), "m"));
        let response = ui.add_sized(vec2(84.0, 20.0), drag).on_hover_text("Bodies farther apart than this differ");
        if widgets::named(response, "Differs from").changed() {
            shown.epsilon = 10f32.powf(power);
        }
        widgets::switch(ui, &mut shown.colours, "Colours in the view");
        ui.label("colours in the view");
        again = ui.button("Begin here").on_hover_text("Both start from the present state of the run").clicked();
        let Some(parity) = &shown.parity else { return };
        let made = widgets::number::counted((parity.step_count() - parity.begun) as usize, "step", "steps");
        ui.label(RichText::new(format!("{made} by both, from step {}", parity.begun)).small().color(colors.weak));
        let (text, color) = match parity.first {
            Some((step, body)) => {
                let name = view.snapshot.body(body).map_or("world", |body| &*body.name);
                (format!("step {step} is the first that differs: {name}"), colors.warn)
            }
            None => ("none differs".to_owned(), colors.good),
        };
        widgets::named(ui.label(RichText::new(&text).color(color)), &text);
    });
    again
}

fn plot(ui: &mut Ui, parity: &Parity) {
    let colors = theme::colors(ui.visuals());
    type Of = fn(&StepDifference) -> f32;
    let curves: [(&str, Of); 3] = [
        ("position, m", |moment| moment.position),
        ("velocity, m/s", |moment| moment.velocity),
        ("impulse, N·s", |moment| moment.impulse),
    ];
    // One point per pixel is enough.
    let every = parity.moments.len().div_ceil(2000).max(1);
    graph::caption(ui, "largest difference after each step");
    let visuals = ui.visuals().clone();
    let ink = |index: usize| theme::curve(index, &visuals);
    let key: Vec<graph::Keyed<'_>> = (0..).zip(&curves).map(|(k, (name, _))| (*name, ink(k), 0)).collect();
    graph::with_key(ui, "parity", &key, |ui| {
        let plot = graph::logarithmic(ui, "parity").x_axis_formatter(|mark, _| format!("{}", mark.value));
        let response = plot.show(ui, |plot| {
            for (index, (name, difference)) in curves.into_iter().enumerate() {
                let at =
                    |moment: &StepDifference| [moment.step as f64, f64::from(difference(moment)).max(FLOOR).log10()];
                let points: Vec<[f64; 2]> = parity.moments.iter().step_by(every).map(at).collect();
                plot.line(Line::new(name, PlotPoints::from(points)).color(ink(index)).width(1.6));
            }
            if let Some((step, _)) = parity.first {
                plot.vline(VLine::new("first that differs", step as f64).color(colors.warn).width(1.0));
            }
        });
        widgets::named(response.response, "Differences");
    });
}

/// Lists the largest differences of bodies and joints; a click selects one.
fn worst(ui: &mut Ui, parity: &Parity, view: &View<'_>, selection: &mut Selection) {
    let colors = theme::colors(ui.visuals());
    let head = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).small().color(colors.weak));
    widgets::scroll(ui, "parity worst", |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        head(ui, "bodies that are farthest apart");
        for id in parity.worst_bodies(WORST) {
            let Some(body) = view.snapshot.body(id) else { continue };
            let apart = parity.bodies[id as usize];
            let values =
                format!("{}   {}", with_unit(apart.position.into(), "m"), with_unit(apart.velocity.into(), "m/s"));
            if line(ui, selection.bodies.contains(&id), &body.name, &values) {
                selection.joint = None;
                selection.bodies = vec![id];
            }
        }
        ui.add_space(4.0);
        head(ui, "joints whose impulses differ most");
        for index in parity.worst_joints(WORST) {
            let Some(joint) = view.snapshot.joints.get(index as usize) else { continue };
            let value = with_unit(parity.joints[index as usize].into(), "N·s");
            if line(ui, selection.joint == Some(index as usize), &joint.name, &value) {
                selection.take_joints(vec![index as usize]);
            }
        }
    });
}

/// A name on the left, its numbers on the right; returns whether it was clicked.
fn line(ui: &mut Ui, on: bool, name: &str, values: &str) -> bool {
    ui.horizontal(|ui| {
        let clicked = ui.selectable_label(on, name).clicked();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(egui::Label::new(RichText::new(values).monospace().small()).truncate());
        });
        clicked
    })
    .inner
}

/// The position on the colour scale, 0 to 1: logarithmic from ε/1000 to ε, 1 beyond ε.
fn heat(apart: f32, epsilon: f32) -> f32 {
    if apart.is_nan() {
        return 1.0;
    }
    ((apart / epsilon).max(1e-30).log10() / DECADES + 1.0).clamp(0.0, 1.0)
}

fn colour(heat: f32) -> [f32; 3] {
    let calm = [0.32, 0.40, 0.50];
    let [middle, alarm] = [[0.94, 0.71, 0.24], [0.91, 0.28, 0.18]];
    let mix = |a: [f32; 3], b: [f32; 3], t: f32| std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t);
    if heat < 0.5 { mix(calm, middle, 2.0 * heat) } else { mix(middle, alarm, 2.0 * heat - 1.0) }
}

/// Draws the differences: bodies coloured by the difference of their positions, and points at the joints whose
/// impulses differ most.
pub(super) fn draw(shown: &Memory, view: &View<'_>, view3d: &mut View3d) {
    let Some(parity) = shown.parity.as_ref().filter(|_| shown.colours) else { return };
    let moving = view.snapshot.bodies.iter().filter(|body| body.mass > 0.0);
    let apart = |id: u32| parity.bodies.get(id as usize).map_or(0.0, |apart| apart.position);
    view3d.preview.tints.extend(moving.map(|body| (body.id, colour(heat(apart(body.id), shown.epsilon)))));
    let joints = parity.worst_joints(MARKED);
    let largest = joints.first().map_or(0.0, |joint| parity.joints[*joint as usize]);
    for index in joints {
        let Some(joint) = view.snapshot.joints.get(index as usize) else { continue };
        if view3d.visibility.is_hidden(joint.b) {
            continue;
        }
        let color = palette::with_alpha(colour(heat(parity.joints[index as usize], largest)), 1.0);
        view3d.preview.points.push((view.snapshot.place(joint).anchor_b, color, 3.0));
    }
}

#[cfg(test)]
mod tests {
    use super::heat;

    #[test]
    fn colours_begin_three_decades_below_epsilon() {
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} and {b}");
        near(heat(1e-5, 1e-5), 1.0);
        near(heat(1e-8, 1e-5), 0.0);
        near(heat(1e-7, 1e-5), 1.0 / 3.0);
        near(heat(1.0, 1e-5), 1.0);
        near(heat(f32::NAN, 1e-5), 1.0);
        near(heat(0.0, 1e-5), 0.0);
    }
}
