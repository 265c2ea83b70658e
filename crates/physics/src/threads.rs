//! Threads: independent pieces of work, done by as many threads as the setting `solver.threads` asks for.
//!
//! Which thread takes which piece is not determined, so no result may depend on it: each piece writes to memory of its
//! own, and sums over the pieces are formed afterwards, in their order. Work that is asked for on a pool's thread is
//! done by that thread: the others are busy already, and waiting for a second pool would start even more work.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pools by number of threads, made when first asked for. Their threads sleep while there is nothing to do.
static POOLS: Mutex<BTreeMap<usize, Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// Whether this thread does all of its work itself.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `act` without other threads, which may be busy with work that must not be waited for.
pub fn alone<R>(act: impl FnOnce() -> R) -> R {
    let before = ALONE.replace(true);
    let done = act();
    ALONE.set(before);
    done
}

/// Whether threads can be started: not in the browser, where the caller does all work itself.
pub const AVAILABLE: bool = cfg!(not(target_arch = "wasm32"));

/// The number of cores. The system is asked once: it answers from files, which takes as long as a small world's step.
static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, NonZero::get));

/// The number of threads that a setting asks for; 0 means one per core.
pub fn count(setting: u32) -> usize {
    match setting {
        _ if !AVAILABLE => 1,
        0 => *CORES,
        count => count as usize,
    }
}

/// Runs `act` for each item, with the index of the thread, below `threads`.
pub fn each<T: Send>(threads: usize, items: &mut [T], act: impl Fn(usize, &mut T) + Sync) {
    let alone = |items: &mut [T]| items.iter_mut().for_each(|item| act(0, item));
    if threads <= 1 || items.len() <= 1 {
        return alone(items);
    }
    match pool(threads) {
        Some(pool) => pool.install(|| {
            items.par_iter_mut().with_max_len(1).for_each(|item| {
                act(rayon::current_thread_index().unwrap_or(0), item);
            });
        }),
        None => alone(items),
    }
}

/// Runs `act` for each run of `size` consecutive items, with the index of the thread, below `threads`.
pub fn chunks<T: Send>(threads: usize, items: &mut [T], size: usize, act: impl Fn(usize, &mut [T]) + Sync) {
    let alone = |items: &mut [T]| items.chunks_mut(size).for_each(|piece| act(0, piece));
    if threads <= 1 || items.len() <= size {
        return alone(items);
    }
    match pool(threads) {
        Some(pool) => pool.install(|| {
            items.par_chunks_mut(size).for_each(|piece| act(rayon::current_thread_index().unwrap_or(0), piece));
        }),
        None => alone(items),
    }
}

/// Runs `act` for each run of `size` consecutive items, with the index of the thread, below `threads`, and the index
/// of the first item.
pub fn pieces<T: Send>(threads: usize, items: &mut [T], size: usize, act: impl Fn(usize, usize, &mut [T]) + Sync) {
    let alone = |items: &mut [T]| items.chunks_mut(size).enumerate().for_each(|(k, piece)| act(0, k * size, piece));
    if threads <= 1 || items.len() <= size {
        return alone(items);
    }
    match pool(threads) {
        Some(pool) => pool.install(|| {
            items.par_chunks_mut(size).enumerate().for_each(|(k, piece)| {
                act(rayon::current_thread_index().unwrap_or(0), k * size, piece);
            });
        }),
        None => alone(items),
    }
}

/// A list of `count` entries, each made from its index. `room` makes the scratch value that a thread uses.
pub fn map_indices<T: Send, R>(
    threads: usize,
    count: usize,
    room: impl Fn() -> R + Sync + Send,
    make: impl Fn(&mut R, usize) -> T + Sync + Send,
) -> Vec<T> {
    let alone = || {
        let mut room = room();
        (0..count).map(|index| make(&mut room, index)).collect()
    };
    if threads <= 1 || count <= MIN_ENTRIES_PER_THREAD {
        return alone();
    }
    match pool(threads) {
        Some(pool) => pool.install(|| {
            (0..count)
                .into_par_iter()
                .with_min_len(MIN_ENTRIES_PER_THREAD)
                .map_init(&room, |room, index| make(room, index))
                .collect()
        }),
        None => alone(),
    }
}

/// The least number of entries for a thread.
const MIN_ENTRIES_PER_THREAD: usize = 1024;

/// The same as [`pieces`] for two lists of one length.
pub fn pairs<A: Send, B: Send>(
    threads: usize,
    items: &mut [A],
    others: &mut [B],
    size: usize,
    act: impl Fn(usize, usize, &mut [A], &mut [B]) + Sync,
) {
    let alone = |items: &mut [A], others: &mut [B]| {
        let both = items.chunks_mut(size).zip(others.chunks_mut(size));
        both.enumerate().for_each(|(k, (items, others))| act(0, k * size, items, others));
    };
    if threads <= 1 || items.len() <= size {
        return alone(items, others);
    }
    match pool(threads) {
        Some(pool) => pool.install(|| {
            let both = items.par_chunks_mut(size).zip(others.par_chunks_mut(size));
            both.enumerate().for_each(|(k, (items, others))| {
                act(rayon::current_thread_index().unwrap_or(0), k * size, items, others);
            });
        }),
        None => alone(items, others),
    }
}

/// The pool of `threads` threads. `None` where the system does not provide them, on a thread of a pool, and within
/// [`alone`].
fn pool(threads: usize) -> Option<Arc<ThreadPool>> {
    if ALONE.get() || rayon::current_thread_index().is_some() {
        return None;
    }
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&threads) {
        return Some(pool.clone());
    }
    let name = |index| format!("physics {index}");
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()?);
    pools.insert(threads, pool.clone());
    Some(pool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_done_once_whatever_the_threads() {
        for threads in [1, 2, 4, 16] {
            let mut items = vec![0u32; 1000];
            each(threads, &mut items, |thread, item| {
                assert!(thread < threads);
                *item += 1;
            });
            assert!(items.iter().all(|item| *item == 1));
        }
    }

    #[test]
    fn what_is_made_by_its_index_comes_in_order() {
        for threads in [1, 2, 4] {
            let list = map_indices(threads, 5000, Vec::new, |room: &mut Vec<usize>, index| {
                room.push(index);
                2 * index
            });
            assert!(list.len() == 5000 && list.iter().enumerate().all(|(index, twice)| *twice == 2 * index));
        }
    }
}
