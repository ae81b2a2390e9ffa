//! Pixels of a frame: visibility analysis, cropping, bleeding and extrusion.

use std::hash::{DefaultHasher, Hasher};

use crate::draw::Picture;
use crate::export::encode::area;
use crate::export::encode::area::Area;

/// Analysis of a rendered frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// The visible area; `None` if nothing is visible.
    pub visible: Option<Area>,
    /// Hash of the pixels; equal for identical frames.
    pub print: [u64; 2],
}

impl Contents {
    /// Analyses a finished picture. With `trimmed`, only the visible area counts for equality.
    pub fn of(picture: &Picture, trimmed: bool) -> Self {
        let visible = area::visible(picture);
        let rect = if trimmed { visible.unwrap_or([0; 4]) } else { area::whole(picture) };
        // 128 bits make an accidental collision practically impossible.
        let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
        for (hasher, salt) in hashers.iter_mut().zip([0, 1]) {
            hasher.write_u64(salt);
            hasher.write_u32(rect[2]);
            area::rows(picture, rect).for_each(|row| hasher.write(row.as_flattened()));
        }
        Self { visible, print: hashers.map(|hasher| hasher.finish()) }
    }
}

/// Returns the pixels of an area of a picture, with its edges repeated `extrude` times on every side, and the
/// colours of visible pixels extended `bleed` pixels into transparent areas.
pub fn block(picture: &Picture, rect: Area, extrude: u32, bleed: u32) -> Vec<u8> {
    let [_, _, w, h] = rect.map(|side| side as usize);
    let mut inner = area::pixels(picture, rect).into_owned();
    bleed_into(&mut inner, w, bleed);
    let extrude = extrude as usize;
    if extrude == 0 {
        return inner;
    }
    let mut out = Vec::with_capacity((w + 2 * extrude) * (h + 2 * extrude) * 4);
    for y in 0..h + 2 * extrude {
        let row = &inner[y.saturating_sub(extrude).min(h - 1) * w * 4..][..w * 4];
        (0..extrude).for_each(|_| out.extend_from_slice(&row[..4]));
        out.extend_from_slice(row);
        (0..extrude).for_each(|_| out.extend_from_slice(&row[w * 4 - 4..]));
    }
    out
}

/// Returns the pixels of a picture with straight alpha, the colours of visible ones extended into transparent areas.
pub fn bleed(picture: &Picture, rings: u32) -> Vec<u8> {
    block(picture, area::whole(picture), 0, rings)
}

/// Gives transparent pixels the mean colour of their coloured neighbours, ring by ring. They stay transparent;
/// this is for programs that filter colour without regard to alpha.
fn bleed_into(pixels: &mut [u8], width: usize, rings: u32) {
    let pixels = pixels.as_chunks_mut::<4>().0;
    let height = pixels.len() / width.max(1);
    let mut has_color: Vec<bool> = pixels.iter().map(|pixel| pixel[3] > 0).collect();
    for _ in 0..rings {
        let mut ring = Vec::new();
        for index in (0..pixels.len()).filter(|&index| !has_color[index]) {
            let (x, y) = (index % width, index / width);
            let (mut sum, mut count) = ([0u32; 3], 0);
            for near_y in y.saturating_sub(1)..(y + 2).min(height) {
                for near_x in x.saturating_sub(1)..(x + 2).min(width) {
                    let near = near_y * width + near_x;
                    if has_color[near] {
                        (0..3).for_each(|channel| sum[channel] += u32::from(pixels[near][channel]));
                        count += 1;
                    }
                }
            }
            if count > 0 {
                ring.push((index, sum.map(|sum| ((sum + count / 2) / count) as u8)));
            }
        }
        if ring.is_empty() {
            break;
        }
        for (index, [r, g, b]) in ring {
            pixels[index] = [r, g, b, 0];
            has_color[index] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, rows: &[&[[u8; 4]]]) -> Picture {
        let mut picture = Picture::default();
        picture.reset(width, rows.len() as u32);
        picture.pixels_mut().copy_from_slice(rows.concat().as_flattened());
        picture
    }

    const NO: [u8; 4] = [0; 4];
    const RED: [u8; 4] = [200, 0, 0, 255];
    const BLUE: [u8; 4] = [0, 0, 100, 1];

    #[test]
    fn visible_areas_are_found_and_compared() {
        let a = picture(4, &[&[NO, NO, NO, NO], &[NO, RED, BLUE, NO], &[NO, NO, RED, NO]]);
        let b = picture(4, &[&[RED, BLUE, NO, NO], &[NO, RED, NO, NO], &[NO, NO, NO, NO]]);
        assert_eq!(Contents::of(&a, true).visible, Some([1, 1, 2, 2]));
        assert_eq!(Contents::of(&a, true).print, Contents::of(&b, true).print);
        assert_ne!(Contents::of(&a, false).print, Contents::of(&b, false).print);
        assert_eq!(Contents::of(&picture(2, &[&[NO, NO]]), true).visible, None);
        let light = [9, 0, 0, 0];
        assert_eq!(Contents::of(&picture(3, &[&[NO, light, NO]]), true).visible, Some([1, 0, 1, 1]));
    }

    #[test]
    fn edges_are_repeated_and_colours_bleed() {
        let of = |extrude, bleed| block(&picture(3, &[&[NO, RED, NO]]), [0, 0, 3, 1], extrude, bleed);
        let edge = [200, 0, 0, 0];
        assert_eq!(of(0, 1), [edge, RED, edge].concat());
        assert_eq!(of(1, 0), [NO, NO, RED, NO, NO].concat().repeat(3));
        assert_eq!(block(&picture(2, &[&[RED, BLUE]]), [1, 0, 1, 1], 1, 9), [BLUE; 9].concat());
        let far = block(&picture(4, &[&[RED, NO, NO, NO]]), [0, 0, 4, 1], 0, 2);
        assert_eq!(far, [RED, edge, edge, NO].concat());
    }
}
