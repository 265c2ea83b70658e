//! Lever arms and gaps of contacts in lanes whose points have moved over their bodies since they were found: see
//! `collide/rolling.rs`.

use glam::{Vec3, Vec3A};

use super::memory::Mass;
use super::{ContactGroup, Entry};
use crate::collide::Pair;
use crate::kernel::patch::LeverArms;
use crate::solvers::wide::lanes::{Lanes, set};

impl ContactGroup {
    /// Sets lever arms and `gaps`, m, of the contacts that have rolled, at the present positions of the bodies.
    pub(super) fn roll(&mut self, (entries, masses): (&[Entry], &[Mass]), pairs: &[Pair], gaps: &mut [Lanes]) {
        for lane in 0..self.lanes {
            let entry = &entries[self.entries[lane] as usize];
            let manifold = &pairs[entry.pair as usize].near.manifold;
            if !manifold.has_rolled {
                continue;
            }
            let centre = |body: u32| Vec3A::from_slice(&masses[body as usize].0[0]);
            let (n, side) = (Vec3A::from(manifold.normal), Vec3A::from(0.5 * manifold.sideways));
            let centres = (centre(entry.a), centre(entry.b));
            let rows = self.normals.iter_mut().zip(&mut self.found).zip(&mut *gaps);
            for (((row, found), gap), point) in rows.zip(&manifold.points) {
                set(&mut found.curvature, lane, point.curvature);
                let (ang_a, ang_b) = LeverArms::of_normal(Vec3A::from(point.position), side, centres).angular(n);
                row.ang_a.set_a(lane, ang_a);
                row.ang_b.set_a(lane, ang_b);
                set(gap, lane, point.separation);
            }
            let (middle, gap) = manifold.centre_and_gap(manifold.slop);
            let arms = LeverArms::of_friction((Vec3A::from(middle), gap), n, side, centres);
            for row in &mut self.slides {
                let along = row.lin.lane_a(lane);
                set(&mut row.bias, lane, Vec3::from(along).dot(manifold.curvature));
                let (ang_a, ang_b) = arms.angular(along);
                row.ang_a.set_a(lane, ang_a);
                row.ang_b.set_a(lane, ang_b);
            }
        }
    }
}
