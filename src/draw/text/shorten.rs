//! Shortens text to a number of columns.

use super::columns;

/// What replaces the middle of a shortened text.
const ELLIPSIS: &str = "...";

/// Returns `text` if it takes at most `most` columns. Otherwise its middle is replaced by `...`: the ends of names
/// distinguish them. Code points of characters without a glyph are kept whole.
pub fn shortened(text: &str, most: usize) -> String {
    if fits(text, most) {
        return text.to_owned();
    }
    let Some(room) = most.checked_sub(ELLIPSIS.len()) else { return ELLIPSIS.chars().take(most).collect() };
    let head = prefix(text.chars(), room - room / 2);
    let tail = prefix(text.chars().rev(), room - columns(&head));
    let tail: String = tail.chars().rev().collect();
    format!("{head}{ELLIPSIS}{tail}")
}

/// Returns true if `text` takes at most `most` columns, without examining more of it.
fn fits(text: &str, most: usize) -> bool {
    super::drawable(text).nth(most).is_none()
}

/// Returns as many of the characters as fit into `room` columns.
fn prefix(chars: impl Iterator<Item = char>, room: usize) -> String {
    let mut left = room;
    let fits = |c: &char| {
        let taken = columns(c.encode_utf8(&mut [0; 4]));
        let fits = taken <= left;
        left = left.saturating_sub(taken);
        fits
    };
    chars.take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_replaced() {
        for (text, most, expected) in [
            ("walk", 4, "walk"),
            ("walk_left", 8, "wal...ft"),
            ("walk_left", 9, "walk_left"),
            ("walk_left", 4, "w..."),
            ("walk_left", 3, "..."),
            ("walk_left", 2, ".."),
            ("walk_left", 0, ""),
            ("", 0, ""),
            ("中中中", 24, "中中中"),
            // A code point takes eight columns and is not cut.
            ("中中中", 23, "中...中"),
            ("中ab中", 17, "...ab中"),
            ("ab中中", 17, "ab...中"),
        ] {
            let found = shortened(text, most);
            assert_eq!(found, expected, "{text} in {most}");
            assert!(columns(&found) <= most);
        }
    }
}
