//! An allocator that counts. A test file that wants it says
//! `#[global_allocator] static ALLOCATOR: Counting = Counting;`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The system's allocator, counting.
pub struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn taken(bytes: usize) {
    // A thread that is ending counts no more.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(live, Relaxed);
}

// SAFETY: every call goes to `System` unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promise is `System`'s.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist for a moment, as when the contents move.
        taken(size);
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// How often this thread allocates while `work` runs.
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = CALLS.get();
    work();
    CALLS.get() - before
}

/// Measures peaks one at a time: the count is the whole process's.
pub struct Meter(#[expect(dead_code, reason = "held for its lock")] MutexGuard<'static, ()>);

impl Meter {
    /// Waits until nobody else measures. Every test of a file that measures holds one.
    pub fn new() -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        Self(ALONE.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What `work` gives, and how many bytes were live at its peak beyond those before it.
    pub fn peak<T>(&self, work: impl FnOnce() -> T) -> (T, usize) {
        let before = LIVE.load(Relaxed);
        PEAK.store(before, Relaxed);
        let result = work();
        (result, PEAK.load(Relaxed).saturating_sub(before))
    }
}
