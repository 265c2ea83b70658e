//! Lays out patterns: stacks, pyramids and grids. Chains are in `chains.rs`.

use std::path::Path;

use glam::{Quat, UVec3, Vec3};

use super::bodies::BodyTemplate;
use super::check;
use super::expand::{DocumentFrame, Expander, MAX_BODIES, Origin};
use super::materials::Materials;
use super::report::{DocPath, Report};
use super::types::{Body, Content, Grid, Pattern, Pyramid, Stack};
use delassus_physics::quantity;

/// Maximum base of a pyramid; a wider one exceeds the maximum number of bodies.
const MAX_BASE: u32 = 1548;

/// The document data that a pattern needs.
pub(super) struct Site<'a> {
    pub materials: &'a Materials<'a>,
    /// The folder that paths of parts are relative to.
    pub base: &'a Path,
    pub origin: Origin,
}

/// Number of bodies in one copy of a grid's content; 0 for a part, which is not read yet.
fn members(content: &Content) -> u64 {
    match content {
        Content::Body(_) => 1,
        Content::Chain(chain) => chain.count.into(),
        Content::Stack(stack) => stack.count.into(),
        Content::Pyramid(pyramid) => triangle(pyramid.base),
        Content::Part(_) => 0,
    }
}

/// Number of bodies in a pyramid.
fn triangle(base: u32) -> u64 {
    u64::from(base) * (u64::from(base) + 1) / 2
}

impl Pattern {
    /// Number of bodies, without those of parts.
    pub fn bodies(&self) -> u64 {
        match self {
            Self::Chain(chain) => chain.count.into(),
            Self::Stack(stack) => stack.count.into(),
            Self::Pyramid(pyramid) => triangle(pyramid.base),
            Self::Grid(grid) => {
                let (x, y, z) = grid.count;
                [x, y, z].into_iter().map(u64::from).fold(members(&grid.of), u64::saturating_mul)
            }
        }
    }
}

impl Expander {
    /// Lays out a pattern in a frame.
    pub fn pattern(
        &mut self,
        pattern: &Pattern,
        site: &Site,
        frame: &DocumentFrame,
        place: &DocPath,
        report: &mut Report,
    ) {
        match pattern {
            Pattern::Chain(chain) => self.chain(chain, site, frame, place, report),
            Pattern::Stack(stack) => self.stack(stack, site, frame, place, report),
            Pattern::Pyramid(pyramid) => self.pyramid(pyramid, site, frame, place, report),
            Pattern::Grid(grid) => self.grid(grid, site, frame, place, report),
        }
    }

    /// The template of a pattern's members, which are named after the pattern.
    pub fn member(&mut self, body: &Body, site: &Site, place: &DocPath, report: &mut Report) -> Option<BodyTemplate> {
        if !body.name.is_empty() {
            report.add(&place.field("name"), "the members of a pattern take their names from the pattern");
        }
        self.template(body, site.materials, place, report)
    }

    fn stack(&mut self, stack: &Stack, site: &Site, frame: &DocumentFrame, place: &DocPath, report: &mut Report) {
        let before = report.mistakes.len();
        // Fields are listed by name, here and below, so that a new field must be checked and used here.
        let Stack { name, body, count, spacing, stagger } = stack;
        let template = self.member(body, site, &place.field("body"), report);
        check::count(*count, MAX_BODIES as u32, &place.field("count"), "count", report);
        span(*spacing, *count, &place.field("spacing"), report);
        check::vector(*stagger, &quantity::PLACE, &place.field("stagger"), "stagger", report);
        let Some(template) = template.filter(|_| report.mistakes.len() == before) else { return };
        let frame = frame.inner(Vec3::ZERO, Quat::IDENTITY, name);
        for i in 0..*count {
            let shift = spacing * i as f32 + stagger * (i % 2) as f32;
            let member = self.member_name(&frame, format_args!("{i}"));
            if self.body(&template, member, &frame, shift, site.origin, place, report).is_none() {
                return;
            }
        }
    }

    fn pyramid(&mut self, pyramid: &Pyramid, site: &Site, frame: &DocumentFrame, place: &DocPath, report: &mut Report) {
        let before = report.mistakes.len();
        let Pyramid { name, body, base, across, up } = pyramid;
        let template = self.member(body, site, &place.field("body"), report);
        check::count(*base, MAX_BASE, &place.field("base"), "base", report);
        span(*across, *base, &place.field("across"), report);
        span(*up, *base, &place.field("up"), report);
        let Some(template) = template.filter(|_| report.mistakes.len() == before) else { return };
        let frame = frame.inner(Vec3::ZERO, Quat::IDENTITY, name);
        let mut number = 0;
        for layer in 0..*base {
            for i in 0..base - layer {
                let shift = across * (i as f32 + 0.5 * layer as f32) + up * layer as f32;
                let member = self.member_name(&frame, format_args!("{number}"));
                if self.body(&template, member, &frame, shift, site.origin, place, report).is_none() {
                    return;
                }
                number += 1;
            }
        }
    }

    fn grid(&mut self, grid: &Grid, site: &Site, frame: &DocumentFrame, place: &DocPath, report: &mut Report) {
        let before = report.mistakes.len();
        let Grid { name, count: (nx, ny, nz), spacing, of: content } = grid;
        let (nx, ny, nz) = (*nx, *ny, *nz);
        let copies = [nx, ny, nz].into_iter().map(u64::from).fold(1, u64::saturating_mul);
        if copies == 0 || copies > MAX_BODIES as u64 {
            let what = format!("count must make 1 to {MAX_BODIES} copies, not {copies}");
            report.add(&place.field("count"), what);
        }
        span(*spacing, nx.max(ny).max(nz), &place.field("spacing"), report);
        let of = place.field("of");
        // A body is checked once, not for each copy.
        let template = match content {
            Content::Body(body) => self.template(body, site.materials, &of, report),
            _ => None,
        };
        let members = copies.saturating_mul(members(content));
        if report.mistakes.len() > before || !self.make_room(members, &of, report) {
            return;
        }
        let cell = |number: u32| {
            let cell = UVec3::new(number % nx, number / nx % ny, number / nx / ny);
            let frame = frame.inner(spacing * cell.as_vec3(), Quat::IDENTITY, name);
            frame.inner(Vec3::ZERO, Quat::IDENTITY, &number.to_string())
        };
        if let Content::Chain(chain) = content {
            if let Some(links) = self.links(chain, site, &of, report) {
                let frame_of = |number| cell(number).inner(Vec3::ZERO, Quat::IDENTITY, &chain.name);
                self.chains(&links, copies as u32, &frame.name(name), frame_of, &of, report);
            }
            return;
        }
        for number in 0..copies as u32 {
            let frame = cell(number);
            match (content, &template) {
                (Content::Body(body), Some(template)) => {
                    let name = frame.name(&body.name).into();
                    self.body(template, name, &frame, Vec3::ZERO, site.origin, &of, report);
                }
                (Content::Body(_), None) => {}
                (Content::Part(part), _) => self.part(part, site.base, &frame, site.origin, &of, report),
                // All copies were made above.
                (Content::Chain(_), _) => {}
                (Content::Stack(stack), _) => self.stack(stack, site, &frame, &of, report),
                (Content::Pyramid(pyramid), _) => self.pyramid(pyramid, site, &frame, &of, report),
            }
            // All copies have the same mistakes.
            if self.full || report.mistakes.len() > before {
                return;
            }
        }
    }
}

/// Checks that a spacing is finite and that the pattern's extent stays within the permitted range.
pub(super) fn span(step: Vec3, count: u32, place: &DocPath, report: &mut Report) {
    check::vector(step, &quantity::PLACE, place, "the spacing", report);
    let far = step * count as f32;
    let limit = quantity::PLACE.max;
    if step.is_finite() && far.abs().max_element() > limit && step.abs().max_element() <= limit {
        report.add(place, format!("the pattern must lie within ±{limit} m, this one is {} m long", far.length()));
    }
}
