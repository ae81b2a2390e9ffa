//! What a piece of code allocates on the thread that runs it.

/// How often `work` allocates.
pub fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

/// What `work` gives, and how many bytes it held at its peak.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(work()));
    (result.expect("it was run"), usize::try_from(info.bytes_max).expect("less than the address space"))
}
