//! Work on many things at once. The library's own unit tests include this file as well.

use std::sync::Mutex;

/// Enough for what recurses on schemas and instances in an unoptimised build.
const STACK: usize = 16 << 20;

/// What comes of each of the items, in their order, on all cores.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = Mutex::new(items.iter().enumerate());
    let done = Mutex::new(Vec::new());
    let worker = || {
        loop {
            let Some((index, item)) = next.lock().expect("no panic").next() else { break };
            let result = work(item);
            done.lock().expect("no panic").push((index, result));
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let start = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
        let threads: Vec<_> = (0..cores).map(|_| start().expect("a thread")).collect();
        for thread in threads {
            thread.join().expect("no panic");
        }
    });
    let mut done = done.into_inner().expect("no panic");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
