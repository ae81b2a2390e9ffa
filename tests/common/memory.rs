//! What a piece of code allocates on the thread that runs it, and what reading may allocate.

use bytes::Bytes;
use pchr::diagnostics::Diagnostics;
use pchr::formats::Input;
use pchr::formats::pchr::read_document;
use pchr::limits::{Budget, Limits};

use super::checks::Beside;

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

/// What reading may take beside the file's own bytes: 32 times those, the decoded pixels and 16 MiB.
pub fn allowed_bytes(file: &Bytes) -> usize {
    let (limits, input) = (Limits::default(), Input { bytes: file.clone(), sidecars: &Beside::default() });
    let pixels = match read_document(&input, &mut Budget::new(&limits), &mut Diagnostics::default()) {
        Ok(document) => {
            let images = document.file.images.iter().enumerate();
            // What is not there is not decoded.
            let pictures = images.filter(|(index, _)| document.missing(*index).is_none());
            pictures.map(|(_, image)| usize::from(image.width) * usize::from(image.height)).sum()
        }
        Err(_) => 0,
    };
    32 * file.len() + 4 * pixels + (16 << 20)
}
