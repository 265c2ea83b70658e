//! Who makes the steps, in words.

use std::borrow::Cow;

use delassus_physics::plan::{Route, WholeReason};
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
        Route::Batched(None) => "Islands are stepped separately, each by one thread, and trees of joints in SIMD \
            lanes"
            .into(),
        Route::Batched(Some(name)) => {
            format!(
                "Islands are stepped separately, each by one thread; {name} keeps trees of joints out of the SIMD \
                lanes"
            )
        }
        Route::Whole(why) => format!("All bodies are stepped together, because {}", together(why)),
    }
}

/// The reason, to be read after “because”.
fn together(why: WholeReason) -> Cow<'static, str> {
    Cow::Borrowed(match why {
        WholeReason::Setting(name) => return format!("of {name}").into(),
        WholeReason::FewBodies => "there are only a few",
        WholeReason::RowsAreRead => "the rows are being read",
        WholeReason::Movers => "movers move some of them",
        WholeReason::Forces => "forces or drag act on some of them",
        WholeReason::OwnStabilization => "a joint has stabilisation settings of its own",
        WholeReason::Contacts => "they may touch",
        WholeReason::OneIsland => "they are all connected",
    })
}
