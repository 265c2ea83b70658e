//! A step that has warmed up allocates nothing: counted by an allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use delassus::physics::world::World;
use delassus::scene::{library, read};

/// The system's allocator with a count.
struct Counting;

thread_local! {
    /// Allocations of this thread.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // The count is gone while a thread ends; then nobody asks.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn world(scene: &str) -> World {
    let loaded = read(&library::find(scene)).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    loaded.flat.world(loaded.scene.settings.settings())
}

/// Runs `warm` steps, then counts the allocations of `counted` more.
fn allocations(scene: &str, warm: u32, counted: u32) -> usize {
    let mut world = world(scene);
    (0..warm).for_each(|_| world.step());
    let before = COUNT.get();
    (0..counted).for_each(|_| world.step());
    COUNT.get() - before
}

#[test]
fn a_chain_allocates_nothing() {
    assert_eq!(allocations("jacobi/chain-40", 60, 240), 0);
}

#[test]
fn a_stack_allocates_nothing() {
    assert_eq!(allocations("book/12-stack", 240, 240), 0);
}

#[test]
fn a_pyramid_allocates_nothing() {
    assert_eq!(allocations("lab/pyramid-20", 240, 60), 0);
}
