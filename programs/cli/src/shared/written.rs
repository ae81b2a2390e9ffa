//! The line that says which files a command has written.

use std::path::Path;

use super::failure::note;
use super::stdio::is_stdio;
use pchr::inspect::size;

/// Prints the first of the written files, how many there are, their total size, and the number of `frames` in them.
/// Prints nothing about standard output.
pub fn note_written<'a>(paths: impl IntoIterator<Item = &'a Path>, frames: Option<usize>) {
    let mut paths = paths.into_iter().filter(|path| !is_stdio(path)).peekable();
    let Some(first) = paths.peek().map(|path| path.display()) else { return };
    let (mut count, mut bytes) = (0, 0);
    for path in paths {
        count += 1;
        bytes += std::fs::metadata(path).map_or(0, |file| file.len());
    }
    let others = match count {
        1 => String::new(),
        2 => " and 1 other file".to_owned(),
        _ => format!(" and {} other files", count - 1),
    };
    let frames = match frames {
        None => String::new(),
        Some(1) => "1 frame, ".to_owned(),
        Some(frames) => format!("{frames} frames, "),
    };
    note(&format!("wrote {first}{others}: {frames}{}", size(bytes)));
}
