//! Measures the allocations of code on its thread, and computes the memory that reading may use.

use bytes::Bytes;
use pchr::diagnostics::Diagnostics;
use pchr::formats::Input;
use pchr::formats::pchr::read_document;
use pchr::limits::{Budget, Limits};

use super::checks::Beside;

/// Returns the number of allocations made by `work`.
pub fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

/// Returns the result of `work` and its peak memory in bytes.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(work()));
    (result.expect("it was run"), usize::try_from(info.bytes_max).expect("less than the address space"))
}

/// Returns the peak memory of a successful command in KiB. Its output is dropped.
#[cfg(target_os = "linux")]
pub fn peak_kib(mut command: std::process::Command) -> u64 {
    let mut child = command.stdout(std::process::Stdio::null()).spawn().expect("the program runs");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(number.unwrap_or(0));
        if let Some(status) = child.try_wait().expect("a child process") {
            assert!(status.success(), "{command:?}: {status}");
            return peak;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Returns the memory that reading may use beside the file itself: 32 times its size, the decoded pixels, and 16
/// MiB.
pub fn allowed_bytes(file: &Bytes) -> usize {
    let (limits, input) = (Limits::default(), Input { bytes: file.clone(), sidecars: &Beside::default() });
    let pixels = match read_document(&input, &mut Budget::new(&limits), &mut Diagnostics::default()) {
        Ok(document) => {
            let images = document.file.images.iter().enumerate();
            // Missing pictures are not decoded.
            let pictures = images.filter(|(index, _)| document.missing(*index).is_none());
            pictures.map(|(_, image)| usize::from(image.width) * usize::from(image.height)).sum()
        }
        Err(_) => 0,
    };
    32 * file.len() + 4 * pixels + (16 << 20)
}
