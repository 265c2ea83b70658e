//! The steps between two pictures of a film. A frame makes as many as fit into its time budget, so that a long step
//! delays the film but not the window.

use std::time::Duration;

use delassus_physics::clock::Instant;
use delassus_session::{Command, Session};

/// The time in a frame for steps.
const BUDGET: Duration = Duration::from_millis(30);

/// The steps of a film.
#[derive(Debug, Default)]
pub(super) struct FilmSteps {
    /// Steps per picture.
    per_picture: f64,
    /// Steps that are still to be made, with a fraction.
    remaining: f64,
    /// Whether the steps before the next picture are being made.
    making: bool,
}

impl FilmSteps {
    pub fn new(per_picture: f64) -> Self {
        Self { per_picture, ..Self::default() }
    }

    /// Makes steps before the next picture, or waits for those that a thread makes; true once all are made.
    pub fn are_made(&mut self, session: &mut Session) -> bool {
        if !self.making {
            (self.making, self.remaining) = (true, self.remaining + self.per_picture);
        }
        let begun = Instant::now();
        let waits = |session: &Session| session.computing().is_some() || session.runs_behind() > 0;
        while !waits(session) && self.remaining >= 1.0 - 1e-9 {
            if begun.elapsed() > BUDGET {
                return false;
            }
            self.remaining -= 1.0;
            // Without a scene the film shows nothing.
            let _ = session.dispatch(Command::Step);
        }
        self.making = waits(session);
        !self.making
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::FilmSteps;
    use delassus_session::Session;

    /// 30 chains of 20 beads with 64 sub-steps of 400 sweeps.
    const SLOW: &str = r#"(version: 1, title: "slow",
        settings: (solver: (rows: Scalar, lanes: false, iterations: 400), step: (substeps: 64)),
        patterns: [Grid(name: "g", count: (1, 30, 1), spacing: (0, 1, 0), of: Chain(count: 20, spacing: (0.25, 0, 0),
            body: (shape: Sphere(radius: 0.1), at: (0, 0, 9), collide: false), joint: (kind: BallSocket), first: Static))])"#;

    #[test]
    fn a_film_does_not_wait_in_the_frame_for_its_steps() {
        let mut session = Session::from_text(SLOW, "slow.ron").expect("a scene");
        session.run_ahead(true);
        let mut steps = FilmSteps::new(1.5);
        let (mut frames, mut seen) = (0, Vec::new());
        for _ in 0..2 {
            while !steps.are_made(&mut session) {
                session.advance(Duration::from_millis(16), Duration::from_millis(10));
                frames += 1;
            }
            seen.push(session.snapshot().step);
        }
        assert_eq!(seen, [1, 3], "each picture comes after its steps");
        assert!(frames > 3, "{frames} frames were drawn meanwhile");
    }
}
