//! The open scene posed by the value of a joint, and the ways in which its loops close. The scene's pose counts, that of
//! the run's beginning; what is found is an edit.

use super::document::edit::{Edit, Placed};
use super::names::Names;
use super::open::OpenScene;
use super::{Session, SessionError};
use delassus_analysis::rows::Pose;
use delassus_analysis::{
    Coordinate, CoordinateAt, DoctorCase, PoseRequest, Refusal, Stop, assemblies, coordinates, pose,
};
use delassus_physics::work::Cancel;
use delassus_physics::world::World;

/// A pose that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPose {
    /// The edit that takes the scene there.
    pub edit: Edit,
    /// The value that was reached, rad or m.
    pub value: f64,
    /// Why it is not the one that was asked for.
    pub stopped: Option<Stop>,
    /// Joints of its loops that were held, by name, with their coordinates.
    pub held: Vec<(String, Coordinate)>,
    /// How many motions of its loops remained, in which it moved as little as it could.
    pub free: usize,
}

/// A way in which the loops of a joint close: the edit that takes the scene there; none for the present one.
pub type AssemblyEdit = Option<Edit>;

impl Session {
    /// The free coordinates of a joint in the scene's pose, by its index in the snapshot.
    pub fn coordinates(&self, joint: usize) -> Vec<CoordinateAt> {
        self.open.as_ref().map(|open| coordinates(&case(open.run.beginning(), &open.names), joint)).unwrap_or_default()
    }

    /// Poses the scene by a coordinate of a joint. It takes some milliseconds for a large loop.
    ///
    /// # Errors
    /// [`SessionError::Refused`] says why nothing can be moved.
    pub fn pose(&self, request: &PoseRequest) -> Result<FoundPose, SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        let case = case(open.run.beginning(), &open.names);
        let posed = pose(&case, request).map_err(|refusal: Refusal| SessionError::Refused(refusal.to_string()))?;
        let name = |index: usize| case.joint(index).to_owned();
        Ok(FoundPose {
            edit: edit(open.run.beginning(), &open.names, request.joint, &posed.moved),
            value: posed.value,
            stopped: posed.stopped_at(&case),
            held: posed.held.iter().map(|(joint, coordinate)| (name(*joint), *coordinate)).collect(),
            free: posed.free,
        })
    }

    /// Finds the ways in which the loops of a joint close at its present value, the present one among them. What this
    /// returns computes them, in the frame or elsewhere.
    pub fn assemblies(
        &self,
        joint: usize,
        coordinate: Coordinate,
    ) -> impl FnOnce(Option<&Cancel>) -> Vec<AssemblyEdit> + Send + use<> {
        let open = self.open.as_ref();
        let task = open.map(|open: &OpenScene| (open.run.beginning().clone(), open.names.clone()));
        move |cancel| {
            let Some((world, names)) = task else { return Vec::new() };
            let is_cancelled = || cancel.is_some_and(Cancel::is_cancelled);
            let found = assemblies(&case(&world, &names), joint, coordinate, is_cancelled).unwrap_or_default();
            let edit = |moved: &[(u32, Pose)]| edit(&world, &names, joint, moved);
            found.iter().map(|assembly| (!assembly.is_present).then(|| edit(&assembly.moved))).collect()
        }
    }
}

pub(super) fn case<'a>(world: &'a World, names: &'a Names) -> DoctorCase<'a> {
    DoctorCase::named(world, names.bodies.iter().map(|n| &**n), names.joints.iter().map(|n| &**n))
}

/// The edit that puts bodies to these poses of their centres of mass.
pub(super) fn edit(world: &World, names: &Names, joint: usize, moved: &[(u32, Pose)]) -> Edit {
    let placed = moved.iter().filter_map(|(id, pose)| {
        let body = world.state.bodies.get(*id as usize)?;
        let origin = pose.position - pose.rotation * body.solid.centre.as_dvec3();
        let name = names.bodies.get((*id as usize).checked_sub(1)?)?.to_string();
        Some(Placed { name, at: origin.as_vec3(), rotation: pose.rotation.as_quat() })
    });
    Edit::Pose {
        joint: names.joints.get(joint).map(|name| name.to_string()).unwrap_or_default(),
        placed: placed.collect(),
    }
}
