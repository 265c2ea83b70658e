//! How a body without joints shares its weight among several supports, at the default settings. Statics leave the shares
//! open; the contacts take those of equal springs under all supports.

use std::fmt::Write;

use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::read_str;

use crate::build::{G, close, run};

fn world(bodies: &str) -> World {
    let text = format!("(version: 1, title: \"supports\", bodies: [{bodies}])");
    let loaded = read_str(&text, "supports.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    loaded.flat.world(Settings::default())
}

/// The load of each contact, N, in the order of the pairs.
fn loads(world: &World) -> Vec<f32> {
    let h = world.settings.h();
    world.tractions().map(|traction| traction.load / h).collect()
}

/// Posts at these places along x under a plank of 20 kg and 4.4 m.
fn plank_on(posts: &[f32], plank: &str) -> World {
    let mut bodies = String::new();
    for (k, x) in posts.iter().enumerate() {
        let _ = write!(
            bodies,
            r#"(name: "post{k}", shape: Box(half: (0.05, 0.2, 0.5)), at: ({x}, 0, 0.5), motion: Static, friction: 0.5), "#
        );
    }
    world(&format!(
        r#"{bodies}(name: "plank", shape: Box(half: (2.2, 0.2, 0.05)), at: (0, 0, 1.05), mass: 20, friction: 0.5, {plank})"#
    ))
}

/// On n posts that stand symmetrically each bears m g/n. Before, four bore 27, 62, 89 and 18 N of 49.
#[test]
fn a_plank_rests_on_all_posts_alike() {
    for posts in [&[-2.0f32, 2.0][..], &[-2.0, 0.0, 2.0], &[-2.0, -0.667, 0.667, 2.0], &[-2.0, -1.0, 0.0, 1.0, 2.0]] {
        let mut world = plank_on(posts, "");
        run(&mut world, 1.5);
        let equal = 20.0 * G / posts.len() as f32;
        let loads = loads(&world);
        assert_eq!(loads.len(), posts.len());
        loads.into_iter().for_each(|load| close(&format!("{} posts", posts.len()), load, equal, 5e-3 * equal));
    }
}

/// Equal springs under a load F at x: F_i = F (1/n + x x_i/Σ x_j²). 98.1 N more at 0.5 m, on posts at −2, −1, 1, 2 m.
#[test]
fn a_load_beside_the_middle_is_shared_as_by_springs() {
    let posts = [-2.0f32, -1.0, 1.0, 2.0];
    let mut world = plank_on(&posts, "forces: [(force: (0, 0, -98.1), at: (0.5, 0, 0))]");
    run(&mut world, 2.0);
    let squares: f32 = posts.iter().map(|x| x * x).sum();
    for (load, x) in loads(&world).into_iter().zip(posts) {
        let of_springs = 20.0 * G / 4.0 + 98.1 * (0.25 + 0.5 * x / squares);
        close(&format!("post at {x} m"), load, of_springs, 1e-2 * of_springs);
    }
}

/// A post that is 1 mm lower bears nothing, and the other two bear what statics say: the middle of three.
#[test]
fn a_post_that_does_not_touch_bears_nothing() {
    let mut world = world(
        r#"(name: "left", shape: Box(half: (0.05, 0.2, 0.5)), at: (-2, 0, 0.5), motion: Static),
        (name: "middle", shape: Box(half: (0.05, 0.2, 0.5)), at: (0.5, 0, 0.499), motion: Static),
        (name: "right", shape: Box(half: (0.05, 0.2, 0.5)), at: (2, 0, 0.5), motion: Static),
        (name: "plank", shape: Box(half: (2.2, 0.2, 0.05)), at: (0, 0, 1.05), mass: 20)"#,
    );
    run(&mut world, 2.0);
    let loads: Vec<f32> = loads(&world).into_iter().filter(|load| *load > 0.0).collect();
    assert_eq!(loads.len(), 2, "{loads:?}");
    loads.into_iter().for_each(|load| close("post", load, 10.0 * G, 0.02 * 10.0 * G));
}
