//! The bodies and joints that hang together with the driven joint, as unknowns and rows.
//!
//! ```text
//! unknowns   x = (Δposition, L Δrotation vector) of each dynamic body, world frame, L the size of the mechanism
//! rows       C = 0 of all joints, of planes to which bodies are confined, of particles, which do not rotate;
//!            value = target for the driven joint and for joints that are held
//! solve      the shortest x with J x = wanted, rows of unit length, by Gram–Schmidt with pivoting
//! ```
//! Static and kinematic bodies stay where the scene has them.

use glam::{DMat3, DQuat, DVec3};

use delassus_doctor::DoctorCase;
use delassus_doctor::gram_schmidt::{GramSchmidt, dot};
use delassus_physics::joint::Joint;

use crate::coordinate::Coordinate;
use crate::rows::{self, Pose, Row, Twist};

/// Of a row of unit length that depends on others no more than this is left: the axes of a scene are good to 1e-7, and to
/// 1e-6 where its author wrote six digits.
const DEPENDENT: f64 = 1e-5;

/// The bodies and joints of one mechanism.
pub struct Linkage<'a> {
    pub case: &'a DoctorCase<'a>,
    /// The dynamic bodies, ascending.
    pub bodies: Vec<u32>,
    /// The joints, by their index in the world, ascending. Their last values are those from which angles are unwrapped.
    pub joints: Vec<(usize, Joint)>,
    /// The size L, m.
    pub size: f64,
    /// Whether any row is one of the physics, in 32 bits.
    pub is_single_precision: bool,
}

/// A state of a mechanism: the poses of all bodies of the world, and the values of its joints.
#[derive(Debug, Clone)]
pub struct State {
    pub poses: Vec<Pose>,
    /// By joint of the linkage: its value, rad or m; NaN where it has none.
    pub values: Vec<f64>,
    /// By joint of the linkage: what the physics measures of it, from which the physics unwraps the next.
    pub measured: Vec<f32>,
    /// The value of the driven coordinate, rad or m; NaN where a joint is driven by its own value.
    pub driven: f64,
}

/// The rows at one state.
pub struct System {
    pub rows: Vec<Row>,
    /// The lengths of the rows in the unknowns; zero where a row acts on no body of the mechanism.
    lengths: Vec<f64>,
    basis: GramSchmidt,
}

impl<'a> Linkage<'a> {
    /// The mechanism that a joint belongs to: all that joints connect to it through dynamic bodies. With more bodies than
    /// `most` it is not complete.
    pub fn of(case: &'a DoctorCase<'a>, driven: usize, most: usize) -> Self {
        let state = &case.world.state;
        let dynamic = |id: u32| state.bodies[id as usize].is_dynamic();
        let mut joints = vec![driven];
        let mut bodies: Vec<u32> = Vec::new();
        let mut at = 0;
        while at < joints.len() && bodies.len() <= most {
            let def = &state.joints[joints[at]].def;
            at += 1;
            for id in [def.a, def.b] {
                if !dynamic(id) || bodies.contains(&id) {
                    continue;
                }
                bodies.push(id);
                for (index, joint) in state.joints.iter().enumerate() {
                    let touches = joint.def.a == id || joint.def.b == id;
                    if touches && joint.broken.is_none() && !joints.contains(&index) {
                        joints.push(index);
                    }
                }
            }
        }
        bodies.sort_unstable();
        joints.sort_unstable();
        Self::with(case, bodies, joints)
    }

    /// These dynamic bodies and these joints, both ascending. Other bodies stay where the scene has them.
    pub fn with(case: &'a DoctorCase<'a>, bodies: Vec<u32>, joints: Vec<usize>) -> Self {
        let all = &case.world.state.joints;
        let joints: Vec<(usize, Joint)> = joints.into_iter().map(|index| (index, Joint::clone(&all[index]))).collect();
        let mut linkage = Self { case, bodies, joints, size: 1.0, is_single_precision: false };
        linkage.size = linkage.measured_size();
        linkage.is_single_precision = linkage.joints.iter().any(|(_, joint)| rows::is_single_precision(joint));
        linkage
    }

    /// Half the diagonal of the box around all anchors and centres of mass, m, or the radius of the largest body.
    fn measured_size(&self) -> f64 {
        let bodies = &self.case.world.state.bodies;
        let centres = self.bodies.iter().map(|id| bodies[*id as usize].position);
        let anchors = self.joints.iter().flat_map(|(_, joint)| {
            let frames = joint.frames(bodies);
            [frames.pa(), frames.pb()]
        });
        let mut ends = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for point in centres.chain(anchors).map(|point| point.as_dvec3()) {
            ends = (ends.0.min(point), ends.1.max(point));
        }
        let largest = self.bodies.iter().map(|id| f64::from(bodies[*id as usize].solid.radius)).fold(1e-3, f64::max);
        (0.5 * (ends.1 - ends.0).length()).max(largest).min(1e6)
    }

    /// The state of the scene.
    pub fn start(&self) -> State {
        let pose = |body: &delassus_physics::body::Body| Pose {
            position: body.position.as_dvec3(),
            rotation: body.rotation.as_dquat().normalize(),
        };
        let poses = self.case.world.state.bodies.iter().map(|body| pose(body)).collect();
        let measured = self.joints.iter().map(|(_, joint)| joint.readout.value).collect();
        let mut state = State { poses, values: vec![f64::NAN; self.joints.len()], measured, driven: f64::NAN };
        for at in 0..self.joints.len() {
            let before = f64::from(self.joints[at].1.readout.value);
            state.values[at] = self.value_near(at, &state.poses, before).map_or(f64::NAN, |row| row.error);
        }
        state
    }

    /// The poses of A and B of a joint of the linkage.
    pub fn ends<'p>(&self, at: usize, poses: &'p [Pose]) -> [&'p Pose; 2] {
        let def = &self.joints[at].1.def;
        [&poses[def.a as usize], &poses[def.b as usize]]
    }

    /// The value of a joint of the linkage as a row, unwrapped from the state's own value.
    pub fn value(&self, at: usize, state: &State) -> Option<Row> {
        self.value_near(at, &state.poses, state.values[at])
    }

    /// A coordinate of a joint of the linkage as a row, unwrapped to the value that is nearest to `near`.
    pub fn coordinate(&self, (at, coordinate): (usize, Coordinate), poses: &[Pose], near: f64) -> Row {
        let (index, joint) = &self.joints[at];
        coordinate.row(*index, joint, self.ends(at, poses), near)
    }

    fn value_near(&self, at: usize, poses: &[Pose], before: f64) -> Option<Row> {
        let (index, joint) = &self.joints[at];
        rows::value(*index, joint, self.ends(at, poses), before)
    }

    /// Notes the values of the joints at the state's poses, from which the next are unwrapped.
    pub fn note(&mut self, state: &mut State) {
        for at in 0..self.joints.len() {
            if let Some(row) = self.value(at, state) {
                state.values[at] = row.error;
            }
            let frames = rows::single_precision_frames(&self.joints[at].1, self.ends(at, &state.poses));
            let relative = delassus_physics::joints::Relative::between(
                &frames,
                &delassus_physics::velocity::Velocity::default(),
                &delassus_physics::velocity::Velocity::default(),
            );
            let joint = &mut self.joints[at].1;
            joint.readout.value = joint.def.kind.measure(&frames, &relative).0;
            state.measured[at] = joint.readout.value;
        }
    }

    /// The rows with C = 0.
    pub fn constraint_rows(&self, poses: &[Pose]) -> Vec<Row> {
        let mut all = Vec::new();
        for (at, (index, joint)) in self.joints.iter().enumerate() {
            rows::constraints(*index, joint, self.ends(at, poses), &mut all);
        }
        for id in &self.bodies {
            self.confined(*id, poses, &mut all);
        }
        all
    }

    /// The rows of a plane to which a body is confined, and those of a particle.
    fn confined(&self, id: u32, poses: &[Pose], all: &mut Vec<Row>) {
        let state = &self.case.world.state;
        let (body, pose) = (&state.bodies[id as usize], poses[id as usize]);
        let turned = pose.rotation * body.rotation.as_dquat().normalize().inverse();
        let turned = 2.0 * turned.xyz() * if turned.w < 0.0 { -1.0 } else { 1.0 };
        let mut push = |linear: DVec3, angular: DVec3, error: f64| {
            let bodies = [delassus_physics::body::WORLD, id];
            all.push(Row {
                joint: None,
                bodies,
                linear: [DVec3::ZERO, linear],
                angular: [DVec3::ZERO, angular],
                error,
            });
        };
        let plane = state.planes.iter().find(|plane| plane.body == id);
        let normal = plane.map(|plane| plane.normal.as_dvec3().normalize_or_zero());
        if let (Some(plane), Some(n)) = (plane, normal) {
            push(n, DVec3::ZERO, n.dot(pose.position) - f64::from(plane.offset));
        }
        let fixed = match normal {
            _ if body.inv_inertia_local == glam::Mat3::ZERO => DVec3::AXES.to_vec(),
            Some(n) => <[DVec3; 2]>::from(n.any_orthonormal_pair()).to_vec(),
            None => Vec::new(),
        };
        fixed.into_iter().for_each(|t| push(DVec3::ZERO, t, t.dot(turned)));
    }

    /// A row in the unknowns.
    pub fn vector(&self, row: &Row) -> Vec<f64> {
        let mut v = vec![0.0; 6 * self.bodies.len()];
        for (end, body) in row.bodies.iter().enumerate() {
            let Ok(at) = self.bodies.binary_search(body) else { continue };
            let (linear, angular) = (row.linear[end], row.angular[end] / self.size);
            for (entry, more) in v[6 * at..].iter_mut().zip([linear, angular].iter().flat_map(|v| v.to_array())) {
                *entry += more;
            }
        }
        v
    }

    /// Decomposes rows, of which the last `drives` are those of driven and held joints. The others take precedence: a
    /// drive that is at a dead centre depends on them.
    pub fn system(&self, rows: Vec<Row>, drives: usize) -> System {
        let width = 6 * self.bodies.len();
        let mut vectors: Vec<Vec<f64>> = rows.iter().map(|row| self.vector(row)).collect();
        let lengths: Vec<f64> = vectors
            .iter_mut()
            .map(|v| {
                let length = dot(v, v).sqrt();
                let is_row = length > 1e-9;
                v.iter_mut().for_each(|x| *x = if is_row { *x / length } else { 0.0 });
                if is_row { length } else { 0.0 }
            })
            .collect();
        let mut basis = GramSchmidt::with_tolerance(width, DEPENDENT);
        let own = vectors.len().saturating_sub(drives);
        basis.add(&vectors[..own]);
        basis.add(&vectors[own..]);
        System { rows, lengths, basis }
    }

    /// The velocities of all bodies of the world from rates of the unknowns.
    pub fn twists(&self, rates: &[f64]) -> Vec<Twist> {
        let mut twists = vec![Twist::default(); self.case.world.state.bodies.len()];
        for (id, own) in self.bodies.iter().zip(rates.chunks_exact(6)) {
            let linear = DVec3::from_slice(own);
            twists[*id as usize] = Twist { linear, angular: DVec3::from_slice(&own[3..]) / self.size };
        }
        twists
    }

    /// Moves bodies by `share` seconds of these velocities.
    pub fn moved(&self, poses: &[Pose], twists: &[Twist], share: f64) -> Vec<Pose> {
        let mut moved = poses.to_vec();
        for id in &self.bodies {
            let (pose, twist) = (&mut moved[*id as usize], twists[*id as usize]);
            pose.position += share * twist.linear;
            pose.rotation = (DQuat::from_scaled_axis(share * twist.angular) * pose.rotation).normalize();
        }
        moved
    }

    /// The speed of the fastest body, where angular velocities count times the size; m/s.
    pub fn fastest(&self, twists: &[Twist]) -> f64 {
        let speed = |twist: &Twist| twist.linear.length().max(self.size * twist.angular.length());
        self.bodies.iter().map(|id| speed(&twists[*id as usize])).fold(0.0, f64::max)
    }

    /// A body's inertia in world axes, kg m².
    pub fn inertia(&self, id: u32, poses: &[Pose]) -> DMat3 {
        let r = DMat3::from_quat(poses[id as usize].rotation);
        r * self.case.world.state.bodies[id as usize].inertia_local.as_dmat3() * r.transpose()
    }
}

impl System {
    /// Whether the last row, that of the driven joint, can be met whatever the others say.
    pub fn is_driven(&self) -> bool {
        !self.rows.is_empty() && self.basis.pivots.contains(&(self.rows.len() - 1))
    }

    /// The number of rows that say what others say already.
    pub fn redundant(&self) -> usize {
        self.basis.dependent.iter().filter(|row| self.lengths[**row] > 0.0).count()
    }

    /// The motions that the rows leave, as rates of the unknowns.
    pub fn free(&self) -> Vec<Vec<f64>> {
        self.basis.free()
    }

    /// The shortest rates for which each row's J u is as wanted.
    pub fn solve(&self, wanted: &[f64]) -> Vec<f64> {
        let scaled = |(wanted, length): (&f64, &f64)| if *length > 0.0 { wanted / length } else { 0.0 };
        self.basis.solve(&wanted.iter().zip(&self.lengths).map(scaled).collect::<Vec<_>>())
    }

    /// The λ of the rows, N or N·m, by which they exert these forces and torques together, as entries of the unknowns;
    /// of all such the shortest, as far as rows depend on each other.
    pub fn loads(&self, forces: &[f64]) -> Vec<f64> {
        let unscaled = |(load, length): (f64, &f64)| if *length > 0.0 { load / length } else { 0.0 };
        self.basis.combine(forces).into_iter().zip(&self.lengths).map(unscaled).collect()
    }

    /// The largest error of the rows in the unknowns' measure, m.
    pub fn largest_error(&self) -> f64 {
        let error = |(row, length): (&Row, &f64)| if *length > 0.0 { (row.error / length).abs() } else { 0.0 };
        self.rows.iter().zip(&self.lengths).map(error).fold(0.0, f64::max)
    }
}
