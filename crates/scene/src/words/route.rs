//! Who makes the steps, in words.

use delassus_physics::plan::{Route, Together};
use delassus_physics::world::Report;

/// One sentence or two, without the last full stop.
pub fn stepped(report: &Report) -> String {
    let who = route(report.route);
    match report.dense_mechanisms {
        0 => who,
        1 => format!("{who}. Sweeps solve one mechanism, whose loops are too dense for a block of its own"),
        many => format!("{who}. Sweeps solve {many} mechanisms, whose loops are too dense for blocks of their own"),
    }
}

fn route(route: Route) -> String {
    match route {
        Route::Device => "The graphics device makes the steps".into(),
        Route::Apart => "Islands are stepped apart, each by one thread, trees of joints in SIMD lanes".into(),
        Route::Together(why) => format!("All bodies are stepped together, because {}", together(why)),
    }
}

/// The reason, to be read after “because”.
fn together(why: Together) -> &'static str {
    match why {
        Together::FewBodies => "they are few",
        Together::RowsAreRead => "the rows are read",
        Together::Method => "the method takes all islands at once",
        Together::Spectrum => "the convergence is estimated while the world runs",
        Together::Nonlinear => "positions are corrected by the nonlinear method",
        Together::Movers => "movers move some of them",
        Together::OwnStabilization => "a joint has stabilisation settings of its own",
        Together::Contacts => "they may touch",
        Together::OneIsland => "they all hang together",
    }
}
