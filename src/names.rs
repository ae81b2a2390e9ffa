//! Turns names from files into file names that are safe on every platform.

use crate::error::needs_escape;

/// Device names reserved by Windows, with any extension.
const DEVICES: [&str; 30] = [
    "con", "prn", "aux", "nul", "conin$", "conout$", "com1", "com2", "com3", "com4", "com5", "com6", "com7",
    "com8", "com9", "com¹", "com²", "com³", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8",
    "lpt9", "lpt¹", "lpt²", "lpt³",
];

/// Turns a name from a file into a path component that is safe on every platform: no separators, drive, reserved
/// characters or device, not `.` or `..`, not empty, at most 200 bytes.
pub fn safe_name(name: &str) -> String {
    let replaced = |c: char| {
        let reserved = matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
        // Characters that change the reading direction can make a name look like another.
        if reserved || needs_escape(c) { '_' } else { c }
    };
    let mut safe: String = name.chars().map(replaced).collect();
    // One byte less than 200, because `_` may be prepended.
    safe.truncate(safe.floor_char_boundary(199));
    // Windows strips trailing dots and spaces, and a leading dot hides a file.
    while safe.ends_with(['.', ' ']) {
        safe.pop();
    }
    if safe.is_empty() || safe.starts_with('.') || is_device(&safe) {
        safe.insert(0, '_');
    }
    safe
}

/// Returns true if Windows treats a path component as a device, regardless of its extension.
pub fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    DEVICES.iter().any(|device| device.eq_ignore_ascii_case(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_files_cannot_leave_the_folder() {
        for name in ["..", ".", "", "/etc/passwd", "C:\\x", "a\0b", "nul", "COM1.png", "x. . ", "\u{7f}"] {
            let safe = safe_name(name);
            assert!(!safe.is_empty() && !safe.contains(['/', '\\', ':', '\0']), "{name} → {safe}");
            assert!(!safe.starts_with('.') && !safe.ends_with(['.', ' ']), "{name} → {safe}");
        }
        assert_eq!(safe_name("nul"), "_nul");
        assert_eq!(safe_name("Com².txt"), "_Com².txt");
        assert_eq!(safe_name("walk"), "walk");
        assert!(safe_name(&"ä".repeat(300)).len() <= 200);
        assert_eq!(safe_name(&format!(".{}", "x".repeat(300))).len(), 200);
    }
}
