//! How many parts of a step the angles of a mechanism ask for.

/// The largest number of parts for a mechanism that bears on something (a contact or a stop). A mechanism that would
/// need more has diverged, and asks for no parts at all.
pub(super) const MAX_PARTS_LOADED: f32 = 16.0;
/// A step has opened a joint if the gap exceeds this share of the link's length, and `GAP_GROWTH` times the gap at the
/// start of the step. Such a step is made again in more parts.
const OPEN: f32 = 2e-4;
/// The same for a rope: its excess length as a share of its allowed length.
const OPEN_ROPE: f32 = 2e-3;
/// How many times larger than before a gap must be. For a mechanism that bears on something a smaller multiple is
/// enough, because an impact opens joints over several steps.
const GAP_GROWTH: f32 = 30.0;
const GAP_GROWTH_LOADED: f32 = 2.0;

/// The largest angles of a mechanism, as multiples of their bounds, and what else decides on the number of parts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TurnAngles {
    /// The larger of θ and φ. It counts for a mechanism that bears on nothing.
    pub(super) unloaded_angle: f32,
    /// φ of the pulls that last for two sub-steps. It counts for a mechanism that bears on something.
    pub(super) loaded_angle: f32,
    /// The nutation of a free body that touches something, or of one on joints.
    pub(super) spin: f32,
    /// Whether it bears on something, by a contact or a stop.
    pub(super) loaded: bool,
    /// Whether it bears on something by a contact.
    pub(super) touches: bool,
    /// Whether bodies that do not move stretch it between them: see `APART` in `measure.rs`.
    pub(super) stretched: bool,
    /// Whether its joints have pulled far more than its motion needs in every measurement of this step: see `STRAIN` in `measure.rs`.
    pub(super) strained: bool,
    /// Whether it is taut: see `taut.rs`.
    pub(super) taut: bool,
    /// The widest gap of its joints, now and at the start of the step, as a share of the link's length.
    pub(super) gap: f32,
    pub(super) gap_before: f32,
    /// The same for its ropes: the largest excess length, as a share of the allowed length.
    pub(super) stretch: f32,
    pub(super) stretch_before: f32,
    /// The largest number of parts that it may ask for if it bears on nothing.
    pub(super) max_parts: f32,
    /// The same if it bears on something: for its angles, and for joints that the step has opened.
    pub(super) max_parts_loaded: f32,
    pub(super) max_parts_opened: f32,
}

impl TurnAngles {
    /// The number of parts that close its joints, if a step in `parts` parts has opened them; 1 if it has not, or if
    /// more parts are not allowed. The stretch of a rope is of second order in the length of a part: hence the square
    /// root.
    pub(super) fn parts_to_close(&self, parts: u32) -> u32 {
        let (sudden, max_parts) =
            if self.loaded { (GAP_GROWTH_LOADED, self.max_parts_opened) } else { (GAP_GROWTH, self.max_parts) };
        let opened = |now: f32, before: f32, bound: f32| now > bound.max(sudden * before);
        let has_gap = opened(self.gap, self.gap_before, OPEN);
        let is_stretched = opened(self.stretch, self.stretch_before, OPEN_ROPE);
        if self.taut || !(has_gap || is_stretched) || 2.0 * parts as f32 > max_parts {
            return 1;
        }
        let factor = if is_stretched {
            power_of_two_parts((self.stretch / OPEN_ROPE).sqrt(), max_parts / parts as f32)
        } else {
            2
        };
        factor.max(2) * parts
    }

    /// The number of parts that its angles ask for. They were measured in a step of `parts` parts.
    pub(super) fn wanted_parts(&self, parts: u32) -> u32 {
        let parts = parts as f32;
        let of_spin = power_of_two_parts(parts * self.spin, self.max_parts_loaded);
        match self.loaded {
            _ if self.taut => 1,
            false => power_of_two_parts(parts * self.unloaded_angle.max(self.spin), self.max_parts),
            true if parts * self.loaded_angle > MAX_PARTS_LOADED => of_spin,
            true => power_of_two_parts(parts * self.loaded_angle, self.max_parts_loaded).max(of_spin),
        }
    }
}

/// The number of parts, a power of two and at most `max_parts`, for a mechanism whose largest angle in an undivided
/// step is `turn` times its bound.
fn power_of_two_parts(turn: f32, max_parts: f32) -> u32 {
    let mut parts = 1;
    while parts as f32 <= 0.5 * max_parts && turn > parts as f32 {
        parts *= 2;
    }
    parts
}
