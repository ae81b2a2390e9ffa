//! Measures the allocations of code on its thread, and computes the memory that reading may use.

use bytes::Bytes;

use super::checks::Beside;
use super::packed::json_text;

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
    let pixels = match json_text(file) {
        Some((at, text)) => pixels_of_json(text, at == 16),
        None => pixels_of_v1(file).unwrap_or(0),
    };
    32 * file.len() + 4 * pixels + (16 << 20)
}

/// Returns the pixels of the images that exist beside a JSON form, or in it if it is packed.
fn pixels_of_json(text: &[u8], is_packed: bool) -> usize {
    let Ok(root) = serde_json::from_slice::<serde_json::Value>(text) else { return 0 };
    let size = |image: &serde_json::Value| {
        let side =
            |key: &str| image[key].as_u64().and_then(|side| u16::try_from(side).ok()).map_or(0, usize::from);
        side("width") * side("height")
    };
    let known = Beside::default().0;
    let exists = |image: &&serde_json::Value| is_packed || known.iter().any(|(name, _)| image["path"] == name[..]);
    root["images"].as_array().map_or(0, |images| images.iter().filter(exists).map(size).sum())
}

/// Returns the pixels of the images of PCHR v1; `None` if they cannot be found.
fn pixels_of_v1(file: &[u8]) -> Option<usize> {
    let u16_at = |at: usize| Some(usize::from(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?)));
    let (mut at, mut pixels) = (14, 0);
    for _ in 0..u16_at(12)? {
        at += 2 + u16_at(at)?;
        pixels += u16_at(at)? * u16_at(at + 2)?;
        let len = u32::from_le_bytes(file.get(at + 5..at + 9)?.try_into().ok()?);
        at += 9 + len as usize;
    }
    Some(pixels)
}
