//! The cost of a step in the window's session, depending on what is shown, how long a large scene takes to open, and
//! how much memory it uses: `cargo bench --bench session`, `cargo bench --bench session -- 2 25000` for two threads
//! and this many chains.
//!
//! Frames come 60 times a second and a step has the same length, so each frame makes a step and a snapshot. Every
//! 16th step a state is kept; it is included in the mean and is the worst. Chains of 40 beads, whole trees, split
//! correction.

use std::time::{Duration, Instant};

use delassus::session::{Command, Session, SnapshotNeeds};

/// The number of frames that are measured, and of those before them.
const FRAMES: usize = 160;
const WARM: usize = 40;

fn text(chains: usize, threads: usize) -> String {
    let side = chains.isqrt().max(1);
    let across = chains.div_ceil(side);
    format!(
        "(version: 1, title: \"Chains\", settings: (step: (rate: 60, substeps: 1), solver: (method: GaussSeidel, rows: \
         Tree, threads: {threads}), stabilization: (method: Split), contact: (enabled: false)), patterns: [Grid(name: \
         \"chain\", count: (1, {side}, {across}), spacing: (0, 0.4, 0.4), of: Chain(body: (shape: Sphere(radius: 0.1), \
         at: (-4, -9.8, 6), mass: 1, collide: false), count: 40, spacing: (0.25, 0, 0), joint: (kind: BallSocket), \
         first: Static))])"
    )
}

/// The memory used by the process, MB; nothing where the system does not report it.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn held(what: &str, before: Option<f64>) -> Option<f64> {
    let now = memory()?;
    println!("{what:44} {:8.1} MB", now - before?);
    Some(now)
}

/// Mean and worst frame time, ms.
fn frames(session: &mut Session, needs: SnapshotNeeds) -> (f64, f64) {
    session.set_needs(needs);
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    let (mut sum, mut worst) = (0.0, 0.0f64);
    for index in 0..WARM + FRAMES {
        let begin = Instant::now();
        assert_eq!(session.advance(frame, Duration::from_secs(1)), 1, "each frame makes a step");
        let took = begin.elapsed().as_secs_f64() * 1e3;
        if index >= WARM {
            (sum, worst) = (sum + took, worst.max(took));
        }
    }
    (sum / FRAMES as f64, worst)
}

fn main() {
    // `cargo test --benches` omits this word and only checks that it builds.
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    let mut numbers = std::env::args().filter_map(|word| word.parse::<usize>().ok());
    let (threads, chains) = (numbers.next().unwrap_or(2), numbers.next().unwrap_or(2500));
    let text = text(chains, threads);
    let empty = memory();
    let begin = Instant::now();
    let mut session = Session::from_text(&text, "chains").unwrap_or_else(|error| panic!("{error}"));
    let bodies = session.snapshot().bodies.len();
    println!("{bodies} bodies, {threads} threads");
    println!("{:44} {:8.2} s", "opened in", begin.elapsed().as_secs_f64());
    held("session, opened", empty);
    session.dispatch(Command::Play).unwrap_or_else(|error| panic!("{error}"));
    let world = |session: &Session| f64::from(session.snapshot().step_ms);
    // The window opens with a plot. Where the joints are follows from the poses.
    let cases = [
        ("poses", SnapshotNeeds::POSES),
        ("poses and a plot, as the window opens", SnapshotNeeds { samples: true, ..SnapshotNeeds::POSES }),
        ("poses, energies and hash", SnapshotNeeds { figures: true, ..SnapshotNeeds::POSES }),
        ("everything", SnapshotNeeds::ALL),
    ];
    println!("{:44} {:>8} {:>8} {:>8}", "ms a frame with its step", "mean", "worst", "the step");
    for (name, needs) in cases {
        let (mean, worst) = frames(&mut session, needs);
        println!("{name:44} {mean:8.2} {worst:8.2} {:8.2}", world(&session));
    }
    held("session, after these steps", empty);
}
