//! Converts wall time to steps: a fixed step with an accumulator. Steps that do not fit a frame's budget are dropped
//! instead of piling up; the real-time factor then falls below the requested speed.

use std::time::Duration;

/// Playback state and time accounting.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    pub playing: bool,
    /// Requested simulated seconds per second of wall time.
    pub speed: f32,
    /// Simulated time still to be run, s: below one step between frames.
    due: f64,
    /// Simulated seconds per second of wall time, smoothed.
    factor: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { playing: false, speed: 1.0, due: 0.0, factor: 0.0 }
    }
}

/// The longest wall time counted for one frame, s: the world does not rush after the computer slept.
const LONGEST_FRAME: f64 = 0.1;
/// Time constant of the real-time factor, s of wall time.
const SMOOTHING: f64 = 0.5;

impl Clock {
    /// Adds a frame's wall time if playing.
    pub fn add_time(&mut self, wall: Duration) {
        if self.playing {
            self.due += wall.as_secs_f64().min(LONGEST_FRAME) * f64::from(self.speed);
        }
    }

    /// Whether a step of `h` seconds is due.
    pub fn is_due(&self, h: f64) -> bool {
        // The tolerance covers the rounding error of summing many frames.
        self.due >= h * (1.0 - 1e-6)
    }

    /// How many steps of `h` seconds are due.
    pub fn steps_due(&self, h: f64) -> usize {
        (self.due / h * (1.0 + 1e-6)) as usize
    }

    /// Subtracts one step of `h` seconds from the time due; false if less is due.
    pub fn subtract_step(&mut self, h: f64) -> bool {
        let is_due = self.is_due(h);
        if is_due {
            self.due = (self.due - h).max(0.0);
        }
        is_due
    }

    /// Drops whole steps still due if they exceed `max_late` seconds, and updates the real-time factor of the frame.
    pub fn drop_late_steps(&mut self, wall: Duration, simulated: f64, h: f64, max_late: f64) {
        if self.due >= h.max(max_late) {
            self.due = max_late.max(self.due % h);
        }
        let wall = wall.as_secs_f64();
        if self.playing && wall > 0.0 {
            let share = 1.0 - (-wall / SMOOTHING).exp();
            self.factor += (simulated / wall - self.factor) * share;
        }
    }

    /// Clears the time due: the drawn state is exactly that of the last step. Call on pause, step and reset.
    pub fn clear_time_due(&mut self) {
        self.due = 0.0;
    }

    /// Starts the real-time factor at the requested speed, so that it does not have to rise from zero.
    pub fn reset_factor(&mut self) {
        self.factor = f64::from(self.speed);
    }

    /// Interpolation between the previous step (0) and the last (1) for the picture; 1 when paused.
    pub fn alpha(&self, h: f64) -> f32 {
        if self.playing { (self.due / h).clamp(0.0, 1.0) as f32 } else { 1.0 }
    }

    /// Simulated seconds per second of wall time, smoothed; zero when paused.
    pub fn real_time_factor(&self) -> f32 {
        if self.playing { self.factor as f32 } else { 0.0 }
    }

    /// Whether the real-time factor is more than a tenth below the requested speed.
    pub fn behind(&self) -> bool {
        self.playing && self.factor < 0.9 * f64::from(self.speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: f64 = 1.0 / 60.0;

    fn playing() -> Clock {
        let mut clock = Clock { playing: true, ..Clock::default() };
        clock.reset_factor();
        clock
    }

    fn frame(clock: &mut Clock, wall: f64, most: u32) -> u32 {
        let wall = Duration::from_secs_f64(wall);
        clock.add_time(wall);
        let mut steps = 0;
        while steps < most && clock.subtract_step(H) {
            steps += 1;
        }
        clock.drop_late_steps(wall, f64::from(steps) * H, H, 0.0);
        steps
    }

    #[test]
    fn a_second_of_frames_is_a_second_of_steps_whatever_the_frame_rate() {
        for frames in [24, 60, 144] {
            let mut clock = playing();
            let steps: u32 = (0..frames).map(|_| frame(&mut clock, 1.0 / f64::from(frames), 100)).sum();
            assert!((59..=60).contains(&steps), "{frames} frames gave {steps} steps");
            assert!((clock.real_time_factor() - 1.0).abs() < 0.05, "{}", clock.real_time_factor());
            assert!(!clock.behind());
        }
    }

    #[test]
    fn what_does_not_fit_is_dropped_and_reported() {
        let mut clock = playing();
        // Three steps are due in each frame, and one fits.
        for _ in 0..200 {
            assert_eq!(frame(&mut clock, 0.05, 1), 1);
        }
        assert!(clock.behind());
        assert!((clock.real_time_factor() - 1.0 / 3.0).abs() < 0.02, "{}", clock.real_time_factor());
        // No backlog: with room again, the next frame runs its own three steps and no more.
        assert!(frame(&mut clock, 0.05, 100) <= 4);
    }

    #[test]
    fn a_long_sleep_is_not_made_up_for() {
        assert!(frame(&mut playing(), 3600.0, 1000) <= 6);
    }

    #[test]
    fn slow_motion_is_drawn_between_steps() {
        let mut clock = Clock { speed: 0.1, ..playing() };
        assert_eq!(frame(&mut clock, 5.0 * H, 10), 0);
        assert!((clock.alpha(H) - 0.5).abs() < 1e-3);
        clock.playing = false;
        assert_eq!(clock.alpha(H), 1.0, "paused shows the last step exactly");
        assert_eq!(frame(&mut clock, 0.05, 10), 0, "paused time does not pass");
    }
}
