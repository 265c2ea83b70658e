//! A step that has warmed up allocates nothing.

use delassus::physics::world::World;
use delassus::scene::{library, read};

fn world(scene: &str) -> World {
    let loaded = read(&library::find(scene)).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    loaded.flat.world(loaded.scene.settings.settings())
}

/// Runs `warm` steps, then counts the allocations of `counted` more.
fn allocations(scene: &str, warm: u32, counted: u32) -> u64 {
    allocations_with(scene, &[], warm, counted)
}

/// The same with settings of its own.
fn allocations_with(scene: &str, assignments: &[&str], warm: u32, counted: u32) -> u64 {
    // The counter counts.
    let one = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(one.count_total, 1);
    let mut world = world(scene);
    assignments.iter().for_each(|a| world.settings.assign(a).unwrap());
    (0..warm).for_each(|_| world.step());
    allocation_counter::measure(|| (0..counted).for_each(|_| world.step())).count_total
}

#[test]
fn a_chain_allocates_nothing() {
    assert_eq!(allocations("jacobi/01-chain-40", 60, 240), 0);
}

#[test]
fn a_stack_allocates_nothing() {
    assert_eq!(allocations("book/12-stack", 240, 240), 0);
}

#[test]
fn a_pyramid_allocates_nothing() {
    assert_eq!(allocations("lab/02-pyramid-20", 240, 60), 0);
}

#[test]
fn contact_sources_allocate_nothing() {
    for source in ["Growing", "Single"] {
        let source = format!("contact.source={source}");
        assert_eq!(allocations_with("book/12-stack", &[&source], 240, 240), 0, "{source}");
    }
}
