//! The limit of work of a step.

use delassus::physics::settings::{Method, Settings};
use delassus::physics::work::Work;
use delassus::scene;

const PILE: &str = "(version: 1, title: \"pile\", bodies: [(name: \"floor\", shape: Box(half: (5, 5, 0.5)), at: (0, 0, \
                    -0.5), motion: Static)], patterns: [Grid(name: \"g\", count: (2, 2, 2), spacing: (0.5, 0.5, 0.5), \
                    of: Body(shape: Box(half: (0.25, 0.25, 0.25)), at: (0, 0, 0.25)))])";

#[test]
fn a_step_beyond_the_limit_of_work_leaves_the_bodies_as_they_were() {
    let loaded = scene::read_str(PILE, "pile.ron").expect("a scene");
    for method in [Method::Direct, Method::GaussSeidel, Method::Jacobi] {
        let mut settings = Settings::default();
        settings.solver.method = method;
        let mut world = loaded.flat.world(settings);
        (0..3).for_each(|_| world.step());
        assert!(world.report.work.spent() > 0 && !world.report.work.is_over(), "{method:?}: {:?}", world.report.work);
        let (before, most) = (world.hash(), world.report.work.spent());
        for share in [0, 1, most / 2] {
            world.report.work = Work::of(share);
            world.step();
            assert!(world.report.work.is_over(), "{method:?}, {share} of {most}: {:?}", world.report.work);
            assert_eq!(world.state.step_count, 3, "{method:?}, {share} of {most}");
        }
        // Sub-steps before the limit may have been made; the first of them needs more than nothing.
        let mut fresh = loaded.flat.world(settings);
        (0..3).for_each(|_| fresh.step());
        assert_eq!(fresh.hash(), before, "{method:?}");
        fresh.report.work = Work::of(0);
        fresh.step();
        assert_eq!(fresh.hash(), before, "{method:?}: a step that is not made moves nothing");
        fresh.report.work = Work::default();
        fresh.step();
        assert_eq!((fresh.state.step_count, fresh.report.work.is_over()), (4, false), "{method:?}: it goes on");
    }
}
