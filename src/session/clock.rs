//! From wall time to steps: a fixed step with an accumulator. What cannot be run within a frame's budget is dropped
//! and told as a real-time factor below the asked speed, instead of piling up.

use std::time::Duration;

/// The state of the clock.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    pub playing: bool,
    /// Simulated seconds asked per second of wall time.
    pub speed: f32,
    /// Simulated time owed, s: below one step between frames.
    owed: f64,
    /// Simulated seconds per second of wall time, smoothed.
    factor: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { playing: false, speed: 1.0, owed: 0.0, factor: 0.0 }
    }
}

/// The longest stretch of wall time that one frame may ask for: after a sleep the world does not race, s.
const LONGEST_FRAME: f64 = 0.1;
/// Time constant of the real-time factor, s of wall time.
const SMOOTHING: f64 = 0.5;

impl Clock {
    /// Adds a frame's wall time, as far as it is playing.
    pub fn owe(&mut self, wall: Duration) {
        if self.playing {
            self.owed += wall.as_secs_f64().min(LONGEST_FRAME) * f64::from(self.speed);
        }
    }

    /// Takes one step of `h` seconds from what is owed; false if less is owed.
    pub fn take(&mut self, h: f64) -> bool {
        // A step that is all but owed is run now: the sum of many frames rounds.
        let due = self.owed >= h * (1.0 - 1e-6);
        if due {
            self.owed = (self.owed - h).max(0.0);
        }
        due
    }

    /// Drops whole steps still owed and measures what a frame achieved.
    pub fn settle(&mut self, wall: Duration, simulated: f64, h: f64) {
        if self.owed >= h {
            self.owed %= h;
        }
        let wall = wall.as_secs_f64();
        if self.playing && wall > 0.0 {
            let share = 1.0 - (-wall / SMOOTHING).exp();
            self.factor += (simulated / wall - self.factor) * share;
        }
    }

    /// Forgets what is owed: the drawn state is exactly the last step's. Call on pause, step and reset.
    pub fn still(&mut self) {
        self.owed = 0.0;
    }

    /// Starts measuring as if the asked speed were met, so that the factor does not creep up from zero.
    pub fn expect(&mut self) {
        self.factor = f64::from(self.speed);
    }

    /// How far between the previous step (0) and the last (1) the picture is; exactly the last when paused.
    pub fn alpha(&self, h: f64) -> f32 {
        if self.playing { (self.owed / h).clamp(0.0, 1.0) as f32 } else { 1.0 }
    }

    /// Simulated seconds per second of wall time, smoothed; zero when paused.
    pub fn real_time_factor(&self) -> f32 {
        if self.playing { self.factor as f32 } else { 0.0 }
    }

    /// Whether the asked speed is missed by more than a tenth.
    pub fn behind(&self) -> bool {
        self.playing && self.factor < 0.9 * f64::from(self.speed)
    }
}
