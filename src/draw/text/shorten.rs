//! Shortens text to a number of columns.

/// Replaces the middle of a shortened text.
const ELLIPSIS: &str = "...";

/// Returns `text` if it takes at most `most` columns. Otherwise its middle is replaced by `...`: the ends of names
/// distinguish them. Code points of characters without a glyph are kept whole.
pub fn shortened(text: &str, most: usize) -> String {
    let mut out = String::new();
    shorten_into(text, most, &mut out);
    out
}

/// Writes [`shortened`] text into `out`.
pub(in crate::draw) fn shorten_into(text: &str, most: usize, out: &mut String) {
    out.clear();
    if fits(text, most) {
        return out.push_str(text);
    }
    let Some(room) = most.checked_sub(ELLIPSIS.len()) else { return out.extend(ELLIPSIS.chars().take(most)) };
    let [head, columns] = fitting(text.chars(), room - room / 2);
    let [tail, _] = fitting(text.chars().rev(), room - columns);
    out.push_str(&text[..head]);
    out.push_str(ELLIPSIS);
    out.push_str(&text[text.len() - tail..]);
}

/// Returns true if `text` takes at most `most` columns, without examining more of it.
fn fits(text: &str, most: usize) -> bool {
    super::drawable(text).nth(most).is_none()
}

/// Returns the bytes and the columns of the first characters that fit into `room` columns.
fn fitting(chars: impl Iterator<Item = char>, room: usize) -> [usize; 2] {
    let (mut bytes, mut columns) = (0, 0);
    for c in chars {
        let wider = columns + super::spelled(c).count();
        if wider > room {
            break;
        }
        (bytes, columns) = (bytes + c.len_utf8(), wider);
    }
    [bytes, columns]
}

#[cfg(test)]
mod tests {
    use super::super::columns;
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
