//! Areas of pictures: the visible one, the one that changes, and the pixels in them.

use std::borrow::Cow;

use crate::draw::Picture;

/// Left, top, width and height in pixels, from the upper-left corner.
pub type Area = [u32; 4];

/// The area of a whole picture.
pub fn whole(picture: &Picture) -> Area {
    [0, 0, picture.width(), picture.height()]
}

/// Returns the smallest area with all pixels that are not 0. Premultiplied pixels without alpha may have light.
pub fn visible(picture: &Picture) -> Option<Area> {
    let is_seen = |pixel: &[u8; 4]| *pixel != [0; 4];
    let span = |row: &[[u8; 4]]| Some([row.iter().position(is_seen)?, row.iter().rposition(is_seen)?]);
    enclose(rows(picture, whole(picture)).map(span))
}

/// Returns the smallest area with all pixels in which two pictures of equal size differ.
pub fn changed(before: &Picture, after: &Picture) -> Option<Area> {
    let span = |(before, after): (&[[u8; 4]], &[[u8; 4]])| {
        // Comparing whole rows is fast, and most of them are equal.
        if before == after {
            return None;
        }
        let differ = |column: &usize| before[*column] != after[*column];
        let columns = 0..after.len();
        Some([columns.clone().find(differ)?, columns.rev().find(differ)?])
    };
    enclose(rows(before, whole(before)).zip(rows(after, whole(after))).map(span))
}

/// Returns the area around the first and last columns of all rows.
fn enclose(rows: impl Iterator<Item = Option<[usize; 2]>>) -> Option<Area> {
    let (mut left, mut right, mut top, mut bottom) = (u32::MAX, 0, 0, 0);
    for (y, span) in (0..).zip(rows) {
        let Some([first, last]) = span else { continue };
        if bottom == 0 {
            top = y;
        }
        (left, right, bottom) = (left.min(first as u32), right.max(last as u32 + 1), y + 1);
    }
    (bottom > 0).then(|| [left, top, right - left, bottom - top])
}

/// Iterates over the rows of an area of a picture.
pub fn rows(picture: &Picture, [x, y, w, h]: Area) -> impl Iterator<Item = &[[u8; 4]]> {
    let (stride, pixels) = (picture.width() as usize, picture.pixels().as_chunks::<4>().0);
    let (from, len) = (x as usize, w as usize);
    (y..y + h).map(move |row| &pixels[row as usize * stride + from..][..len])
}

/// Returns the pixels of an area, row after row.
pub fn pixels(picture: &Picture, area: Area) -> Cow<'_, [u8]> {
    if area == whole(picture) {
        return Cow::Borrowed(picture.pixels());
    }
    let mut pixels = Vec::with_capacity(area[2] as usize * area[3] as usize * 4);
    rows(picture, area).for_each(|row| pixels.extend_from_slice(row.as_flattened()));
    Cow::Owned(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, pixels: &[u8]) -> Picture {
        let mut picture = Picture::default();
        picture.reset(width, pixels.len() as u32 / width);
        let all = pixels.iter().flat_map(|value| [*value; 4]).collect::<Vec<_>>();
        picture.pixels_mut().copy_from_slice(&all);
        picture
    }

    #[test]
    fn areas_enclose_what_changes() {
        let before = picture(4, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(changed(&before, &before), None);
        for (after, expected) in [
            ([2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 1, 1]),
            ([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2], [3, 2, 1, 1]),
            ([1, 1, 1, 1, 1, 2, 1, 2, 1, 1, 0, 1], [1, 1, 3, 2]),
            ([1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1], [0, 0, 2, 3]),
        ] {
            assert_eq!(changed(&before, &picture(4, &after)), Some(expected));
        }
        let after = picture(4, &[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(*pixels(&after, [1, 0, 2, 2]), [[1u8; 4], [2; 4], [5; 4], [6; 4]].concat());
        assert_eq!(*pixels(&after, whole(&after)), *after.pixels());
    }
}
