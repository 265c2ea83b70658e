//! The step along the whole impulse for contacts in lanes that friction moves strongly along their normal: see
//! `solvers/coupled.rs`.

use super::ContactGroup;
use crate::bounds::{is_inside_disc, is_inside_surface};
use crate::kernel::coupling::WholeImpulse;
use crate::kernel::limit_surface::Surface;
use crate::kernel::row;
use crate::solvers::wide::lanes::{LANES, LanePair, Lanes};

impl ContactGroup {
    /// Takes away the share of the slipping contacts' impulses by which their friction lifts them off.
    #[inline(never)]
    pub(super) fn solve_coupled(&mut self, ends: &mut LanePair, surface: Surface) {
        let coupled = self.coupled.to_bitmask();
        let slips: [bool; LANES] =
            std::array::from_fn(|lane| coupled & (1 << lane) != 0 && !self.is_inside(lane, surface));
        if !slips.contains(&true) {
            return;
        }
        let (of_normals, masses, count) = (self.of_normals(), self.inv_m(), self.shape.normals as usize);
        let mut whole = WholeImpulse::default();
        self.normals[..count].iter().for_each(|row| whole.take(row, of_normals));
        self.slides.iter().for_each(|row| whole.take(row, masses));
        self.each_angular(|row| whole.take(row, ()));
        self.normals[..count].iter().for_each(|row| whole.meet(ends, row, of_normals));
        let (step, takes) = whole.step();
        let takes = takes.to_bitmask();
        let takes: [bool; LANES] = std::array::from_fn(|lane| slips[lane] && takes & (1 << lane) != 0);
        let step =
            Lanes::from(std::array::from_fn::<f32, LANES, _>(
                |lane| {
                    if takes[lane] { step.as_array()[lane] } else { 0.0 }
                },
            ));
        let start = *ends;
        for row in &mut self.normals[..count] {
            row::add(ends, row, of_normals, step * row.impulse);
        }
        for row in &mut self.slides {
            row::add(ends, row, masses, step * row.impulse);
        }
        if self.shape.twist {
            let change = step * self.twist.impulse;
            row::add(ends, &mut self.twist, (), change);
        }
        if self.shape.rolling {
            self.rolling.iter_mut().for_each(|row| row::add(ends, row, (), step * row.impulse));
        }
        // A change of zero may turn a zero's sign.
        ends.a.restore(&start.a, takes);
        ends.b.restore(&start.b, takes);
    }

    /// Whether the friction of one contact is inside its bounds by more than rounding: see
    /// [`FrictionBound::is_inside`](crate::bounds::FrictionBound::is_inside).
    fn is_inside(&self, lane: usize, surface: Surface) -> bool {
        let of = |lanes: Lanes| lanes.to_array()[lane];
        let [first, second] = self.slides.each_ref().map(|row| of(row.impulse));
        let radius = of(self.mu * self.load);
        let slides = if self.shape.twist {
            is_inside_surface(surface, [first, second, of(self.twist.impulse) / of(self.arm)], radius)
        } else {
            is_inside_disc([first, second], radius)
        };
        slides
            && (!self.shape.rolling || {
                let [first, second] = self.rolling.each_ref().map(|row| of(row.impulse));
                is_inside_disc([first, second], of(self.rolling_length * self.load))
            })
    }
}
