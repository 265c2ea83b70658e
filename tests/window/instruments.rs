//! The laboratory in the real window: every instrument is opened by the finder, one after the other, in a scene with
//! a linkage.

use super::desk::Desk;

/// What is typed into the finder, and what must then appear: any of these.
const INSTRUMENTS: [(&str, &[&str]); 14] = [
    ("inside the next", &["Residual within the step"]),
    ("rows of the next", &["Moment"]),
    ("delassus matrix", &["Delassus matrix"]),
    ("sweeps of the next", &["Convergence"]),
    ("ledger", &["Ledger along time"]),
    // The program says what the software driver's device does not step.
    ("processor and graphics", &["Differences", "The graphics device does not step this scene"]),
    ("events and break", &["Pause when"]),
    ("compare runs", &["Beside this"]),
    ("probes", &["Close Probes"]),
    ("film", &["Length of the film"]),
    ("linear systems", &["Path of the sweeps"]),
    // The title of a lesson begins with these two words, too.
    ("two bodies: u", &["Joint or contact"]),
    // Nothing touches in the linkage.
    ("manifold", &["Nothing touches yet"]),
    ("quaternions", &["To unit length"]),
];

#[test]
fn every_instrument_opens_in_the_real_window() {
    let scene = include_str!("../../scenes/lab/09-slider-crank.ron");
    let mut desk = Desk::open("crank.ron", scene);
    desk.control("Canvas", "3-D view");
    desk.focus();
    // The ledger is completed once the simulation is paused.
    desk.wait("it plays", |desk| desk.find("Button", "Pause"));
    desk.press(&["space"]);
    desk.wait("time stands still", |desk| desk.find("Button", "Play"));
    for (asked, there) in INSTRUMENTS {
        desk.press(&["ctrl+p"]);
        desk.wait("the finder is open", |desk| desk.layout().contains("Find").then_some(()));
        desk.input(&["type", "--delay", "30", asked]);
        desk.press(&["Return"]);
        desk.wait(&format!("{asked} is shown"), |desk| {
            let layout = desk.layout();
            there.iter().any(|name| layout.contains(name)).then_some(())
        });
    }
    // With all of them open a setting is changed, a step is made, and the past is visited.
    desk.press(&["space", "period", "comma"]);
    desk.input(&["key", "ctrl+q"]);
    let (status, kept, _) = desk.leave();
    assert!(status.success(), "{status}");
    assert!(!kept.is_empty());
}
