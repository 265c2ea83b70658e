//! The mechanism of a joint over its travel, as `delassus analyse` has it. The scene's pose counts, that of the run's
//! beginning, with the present settings. An analysis keeps the world it is of, so it can be read and written after the
//! scene has changed.

use std::sync::Arc;

use super::Session;
use super::document::edit::Edit;
use super::names::Names;
use super::posing::{case, edit};
use delassus_analysis::curve::PlaneCurve;
use delassus_analysis::rows::Pose;
use delassus_analysis::summary::Findings;
use delassus_analysis::{Analysis, DoctorCase, Quantity, Refusal, Request, analyse, columns, page};
use delassus_physics::work::Cancel;
use delassus_physics::world::World;

/// A file that an analysis is written to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnalysisFile {
    /// A line a sample, with everything.
    #[default]
    Csv,
    /// The path of the followed point, to scale.
    Svg,
    Dxf,
    /// The report page.
    Html,
}

impl AnalysisFile {
    /// The ending of its name.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Svg => "svg",
            Self::Dxf => "dxf",
            Self::Html => "html",
        }
    }
}

/// A number that an analysis has at every sample.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantityInfo {
    pub quantity: Quantity,
    pub name: String,
    /// The SI unit; empty where it has none.
    pub unit: &'static str,
    /// Whether it is in the usual table.
    pub is_usual: bool,
}

/// An analysis, or why there is none, with the world that it is of.
pub struct AnalysedMechanism {
    world: World,
    names: Arc<Names>,
    title: String,
    pub request: Request,
    pub result: Result<Analysis, Refusal>,
    /// What was found, in sentences.
    pub findings: Findings,
    /// All numbers of a sample.
    pub quantities: Vec<QuantityInfo>,
}

impl AnalysedMechanism {
    fn of(mut world: World, names: Arc<Names>, title: String, request: Request, cancel: Option<&Cancel>) -> Self {
        world.report.work.cancelled_by(cancel.cloned());
        let (mut findings, mut quantities) = (Findings::default(), Vec::new());
        let case = case(&world, &names);
        let result = analyse(&case, &request);
        if let Ok(analysis) = &result {
            findings = Findings::of(analysis, &case, &title);
            let usual = Quantity::usual(analysis, &case);
            let info = |quantity: Quantity| QuantityInfo {
                quantity,
                name: quantity.name(analysis, &case),
                unit: quantity.unit(analysis, &case),
                is_usual: usual.contains(&quantity),
            };
            quantities = Quantity::all(analysis, &case).into_iter().map(info).collect();
        }
        Self { world, names, title, request, result, findings, quantities }
    }

    fn case(&self) -> DoctorCase<'_> {
        case(&self.world, &self.names)
    }

    /// The name of a joint, by its index in the world.
    pub fn joint(&self, index: usize) -> &str {
        self.names.joints.get(index).map_or("", |name| name)
    }

    /// The name of a body, by its number; 0 is the world.
    pub fn body(&self, id: u32) -> &str {
        let name = (id as usize).checked_sub(1).and_then(|index| self.names.bodies.get(index));
        name.map_or("world", |name| name)
    }

    /// The text of a file; none if nothing was analysed, no point was followed, or it cannot be drawn.
    pub fn file(&self, file: AnalysisFile) -> Option<String> {
        let analysis = self.result.as_ref().ok()?;
        match file {
            AnalysisFile::Csv => {
                let mut bytes = Vec::new();
                columns::write_csv(analysis, &self.case(), &mut bytes).ok()?;
                String::from_utf8(bytes).ok()
            }
            AnalysisFile::Svg => PlaneCurve::of_point(analysis).map(|curve| curve.svg(&self.of_point())),
            AnalysisFile::Dxf => PlaneCurve::of_point(analysis).map(|curve| curve.dxf()),
            AnalysisFile::Html => page::page(analysis, &self.case(), &self.title, &self.of_point()).ok(),
        }
    }

    /// The title of the point's path.
    fn of_point(&self) -> String {
        self.request.point.map_or_else(String::new, |(body, at)| {
            format!("{}: {} {},{},{}", self.title, self.body(body), at.x, at.y, at.z)
        })
    }

    /// The edit that poses the scene as the mechanism is at a sample.
    pub fn pose_edit(&self, sample: usize) -> Option<Edit> {
        let analysis = self.result.as_ref().ok()?;
        let at = analysis.samples.get(sample)?;
        let place = |body: &delassus_analysis::BodyAt| Pose { position: body.position, rotation: body.rotation };
        let moved: Vec<(u32, Pose)> = analysis.bodies.iter().copied().zip(at.bodies.iter().map(place)).collect();
        Some(edit(&self.world, &self.names, analysis.joint, &moved))
    }
}

impl Session {
    /// Analyses the mechanism of a joint. What this returns computes it, in the frame or elsewhere; none without a
    /// scene.
    pub fn analyse(
        &self,
        request: Request,
    ) -> impl FnOnce(Option<&Cancel>) -> Option<AnalysedMechanism> + Send + use<> {
        let task = self.open.as_ref().map(|open| {
            let mut world = World::clone(open.run.beginning());
            world.settings = self.settings;
            world.pipeline.executor.device = None;
            (world, open.names.clone(), self.title())
        });
        move |cancel| {
            let (world, names, title) = task?;
            Some(AnalysedMechanism::of(world, names, title, request, cancel))
        }
    }
}
