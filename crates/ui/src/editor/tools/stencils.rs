//! The shapes that can be spawned: single bodies, patterns and the library's parts.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};

use crate::editor::tools::extent::PatternExtents;
use crate::editor::tools::starters;
use crate::editor::tools::stock::{PATTERNS, PatternTemplate, SHAPES};
use delassus_physics::shape::Solid;
use delassus_scene::{Body, Part, Scene, expand};
use delassus_session::rigid::{self, Rigid};
use delassus_session::{Edit, Motion, Pose};

/// What the spawn tool places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpawnChoice {
    /// An entry of [`SHAPES`].
    Shape(usize),
    /// An entry of [`PATTERNS`].
    Pattern(usize),
    /// An entry of [`STARTERS`](crate::editor::tools::starters::STARTERS).
    Starter(usize),
    /// The scene file of a part.
    Part(PathBuf),
}

impl Default for SpawnChoice {
    fn default() -> Self {
        Self::Shape(0)
    }
}

/// A choice as it will look: its bodies about its origin.
#[derive(Clone)]
pub struct Stencil {
    pub choice: SpawnChoice,
    pub extents: PatternExtents,
    pub bodies: Vec<(Arc<Solid>, Pose)>,
    /// The bodies that rest on what is below them, as indices into `bodies`; none if all are static: then the
    /// origin is placed on the surface.
    pub stands: Vec<usize>,
}

impl Stencil {
    /// The stencil of a choice.
    ///
    /// # Errors
    /// Why the part's file yields no bodies, in one line.
    pub fn of(choice: &SpawnChoice, extents: PatternExtents) -> Result<Self, String> {
        if let SpawnChoice::Shape(index) = *choice {
            let pose = Pose { position: Vec3::ZERO, rotation: Quat::IDENTITY };
            let bodies = solid(index).map(|solid| (solid, pose)).into_iter().collect();
            return Ok(Self { choice: choice.clone(), extents, bodies, stands: vec![0] });
        }
        let pose = |body: &delassus_physics::body::BodyDef| Pose {
            position: body.position - body.rotation * body.solid.centre,
            rotation: body.rotation,
        };
        if let SpawnChoice::Starter(index) = *choice {
            let flat = starters::scene(index).map(|loaded| &loaded.flat);
            let all = flat.into_iter().flat_map(|flat| &flat.bodies);
            let bodies: Vec<_> = all.map(|body| (body.def.solid.clone(), pose(&body.def))).collect();
            // Its posts stand, too.
            let stands = (0..bodies.len()).collect();
            return Ok(Self { choice: choice.clone(), extents, bodies, stands });
        }
        let mut scene = Scene::default();
        match choice {
            SpawnChoice::Pattern(index) => {
                scene.patterns.push((template(*index).pattern)(Motion::Dynamic, extents.of(*index)));
            }
            SpawnChoice::Part(path) => scene.parts.push(part(path, Vec3::ZERO)),
            SpawnChoice::Shape(_) | SpawnChoice::Starter(_) => {}
        }
        // Without a name of its own a pattern would have members without names.
        scene.patterns.update(|pattern| {
            let mut named = pattern.clone();
            *named.name_mut() = pattern.noun().to_owned();
            Some(named)
        });
        let flat =
            expand(&scene, Path::new("")).map_err(|m| m.first().map_or_else(String::new, ToString::to_string))?;
        let bodies = flat.bodies.iter().map(|b| (b.def.solid.clone(), pose(&b.def))).collect();
        let moves = |(i, b): (usize, &delassus_scene::FlatBody)| (b.def.motion != Motion::Static).then_some(i);
        let choice = choice.clone();
        Ok(Self { choice, extents, bodies, stands: flat.bodies.iter().enumerate().filter_map(moves).collect() })
    }
}

impl Stencil {
    /// The same, rotated about its origin.
    pub fn turned(&self, turn: Quat) -> Self {
        let turned = |(solid, pose): &(Arc<Solid>, Pose)| {
            let pose = Pose { position: turn * pose.position, rotation: (turn * pose.rotation).normalize() };
            (solid.clone(), pose)
        };
        let bodies =
            if turn == Quat::IDENTITY { self.bodies.clone() } else { self.bodies.iter().map(turned).collect() };
        Self { bodies, choice: self.choice.clone(), stands: self.stands.clone(), ..*self }
    }
}

/// The edit that places a stencil rotated by `turn` with its origin at `at`, world frame, m. The rows of a wall are
/// along the world's axes: if it is rotated, it becomes single bodies.
pub fn placed(stencil: &Stencil, motion: Motion, turn: Quat, at: Vec3) -> Edit {
    match &stencil.choice {
        SpawnChoice::Shape(index) => {
            let item = &SHAPES[(*index).min(SHAPES.len() - 1)];
            let mut body = Body::new(item.name.to_lowercase(), (item.shape)(), at);
            body.rotation = turn.into();
            body.motion = motion;
            body.particle = item.particle && motion == Motion::Dynamic;
            Edit::Add { bodies: vec![body], joints: vec![] }
        }
        SpawnChoice::Pattern(index) => {
            let mut pattern = (template(*index).pattern)(motion, stencil.extents.of(*index));
            template(*index).name.to_lowercase().clone_into(pattern.name_mut());
            match rigid::pattern(&pattern, &Rigid { turn, shift: at }) {
                Some(pattern) => Edit::AddGroups { patterns: vec![pattern], parts: vec![] },
                None => {
                    let one = pattern.body().cloned();
                    let body = |(_, pose): &(Arc<Solid>, Pose)| {
                        let mut body = one.clone()?;
                        (body.at, body.rotation) = (at + pose.position, pose.rotation.into());
                        pattern.name().clone_into(&mut body.name);
                        Some(body)
                    };
                    Edit::Add { bodies: stencil.bodies.iter().filter_map(body).collect(), joints: vec![] }
                }
            }
        }
        SpawnChoice::Starter(index) => {
            let (bodies, joints) = starters::placed(*index, turn, at);
            Edit::Add { bodies, joints }
        }
        SpawnChoice::Part(path) => {
            let part = Part { rotation: turn.into(), ..part(path, at) };
            Edit::AddGroups { patterns: vec![], parts: vec![part] }
        }
    }
}

fn part(path: &Path, at: Vec3) -> Part {
    Part { name: String::new(), file: path.display().to_string(), at, rotation: Default::default() }
}

fn template(index: usize) -> &'static PatternTemplate {
    &PATTERNS[index.min(PATTERNS.len() - 1)]
}

/// The solid of a single body; always the same `Arc`, so that its mesh is made once.
pub fn solid(index: usize) -> Option<Arc<Solid>> {
    static SOLIDS: OnceLock<Vec<Option<Arc<Solid>>>> = OnceLock::new();
    let solids = SOLIDS.get_or_init(|| SHAPES.iter().map(|item| (item.shape)().solid().map(Arc::new)).collect());
    solids.get(index).cloned().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::tools::extent::PatternExtent;

    #[test]
    fn every_single_body_is_a_solid_of_a_size_to_handle() {
        for (i, item) in SHAPES.iter().enumerate() {
            let solid = solid(i).unwrap_or_else(|| panic!("{} is no solid", item.name));
            let least = if item.particle { 0.004 } else { 0.05 };
            assert!((least..=2.0).contains(&solid.volume), "{}: {} m³", item.name, solid.volume);
        }
    }

    #[test]
    fn every_pattern_stands_on_its_origin_in_the_middle() {
        for (i, template) in PATTERNS.iter().enumerate() {
            let (min, max) = (*template.counts.start(), *template.counts.end());
            let spacing = 0.5 * (template.spacings.start() + template.spacings.end());
            let others = [min, 7, max].map(|count| PatternExtent { count, rows: *template.rows.end(), spacing });
            for wanted in others.into_iter().chain([template.begins]) {
                let mut extents = PatternExtents::default();
                extents.set(i, wanted);
                stands_in_the_middle(i, template, extents);
            }
        }
    }

    fn stands_in_the_middle(i: usize, template: &PatternTemplate, extents: PatternExtents) {
        {
            let stencil = Stencil::of(&SpawnChoice::Pattern(i), extents).expect(template.name);
            let PatternExtent { count, rows, .. } = extents.of(i);
            let many = if template.falls_off { (1..=count).sum() } else { count * rows };
            assert_eq!(stencil.bodies.len(), many as usize, "{}", template.name);
            let lowest = (stencil.stands.iter().map(|&i| &stencil.bodies[i]))
                .map(|(solid, pose)| pose.position.z - crate::editor::tools::spawn::support(solid, -Vec3::Z))
                .fold(f32::INFINITY, f32::min);
            assert!(lowest.abs() < 1e-4, "{} begins at z = {lowest}", template.name);
            let middle = stencil.bodies.iter().map(|(_, p)| p.position.x).sum::<f32>() / stencil.bodies.len() as f32;
            assert!(middle.abs() < 1e-4, "{} has its middle at x = {middle}", template.name);
        }
    }
}
