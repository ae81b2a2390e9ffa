//! The outline of a sprite's visible pixels, for masks.

use std::collections::HashMap;

use crate::math::{Vec2, vec2};

/// Pixels with at least this alpha are visible.
const VISIBLE: u8 = 128;
/// Maximum distance of a removed corner from the outline, in pixels.
const TOLERANCE: f32 = 0.5;

/// Returns the outlines of the pixels for which `alpha` is high enough, `size` pixels in all; holes are outlines, too.
/// Corners are in the middle of the sides of pixels, so that slanted lines are straight, y down.
pub fn contours(size: [u32; 2], alpha: impl Fn(u32, u32) -> u8) -> Vec<Vec<Vec2>> {
    let is_visible = |x: i64, y: i64| {
        let inside = (0..i64::from(size[0])).contains(&x) && (0..i64::from(size[1])).contains(&y);
        inside && alpha(x as u32, y as u32) >= VISIBLE
    };
    // The edges between visible and other pixels, by the corner where they begin. Visible pixels are on their right.
    let mut edges: HashMap<[i64; 2], Vec<[i64; 2]>> = HashMap::new();
    let mut starts = Vec::new();
    for y in 0..=i64::from(size[1]) {
        for x in 0..=i64::from(size[0]) {
            let here = is_visible(x, y);
            let mut edge = |from: [i64; 2], to: [i64; 2]| {
                edges.entry(from).or_default().push(to);
                starts.push(from);
            };
            match (is_visible(x, y - 1), here) {
                (false, true) => edge([x, y], [x + 1, y]),
                (true, false) => edge([x + 1, y], [x, y]),
                _ => {}
            }
            match (is_visible(x - 1, y), here) {
                (false, true) => edge([x, y + 1], [x, y]),
                (true, false) => edge([x, y], [x, y + 1]),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    for start in starts {
        let mut outline = Vec::new();
        let mut at = start;
        while let Some(next) = edges.get_mut(&at).and_then(Vec::pop) {
            outline.push(vec2((at[0] + next[0]) as f32, (at[1] + next[1]) as f32) / 2.0);
            at = next;
        }
        if outline.len() > 3 {
            found.push(simplified(&outline));
        }
    }
    found
}

/// Removes corners that are close to the line between their neighbours (Douglas and Peucker, without recursion).
fn simplified(outline: &[Vec2]) -> Vec<Vec2> {
    let last = outline.len() - 1;
    let first = outline.first().copied().unwrap_or_default();
    let far = farthest(outline, |corner| corner.distance_squared(first)).map_or(last, |(index, _)| index);
    let mut keeps = vec![false; outline.len()];
    for kept in [0, far, last] {
        keeps[kept] = true;
    }
    let mut open = vec![[0, far], [far, last]];
    while let Some([from, to]) = open.pop() {
        let [a, b] = [outline[from], outline[to]];
        let along = (b - a).normalize_or_zero();
        let inner = outline.get(from + 1..to).unwrap_or_default();
        if let Some((index, distance)) = farthest(inner, |corner| along.perp_dot(corner - a).abs())
            && distance > TOLERANCE
        {
            let middle = from + 1 + index;
            keeps[middle] = true;
            open.extend([[from, middle], [middle, to]]);
        }
    }
    outline.iter().zip(keeps).filter(|(_, keeps)| *keeps).map(|(corner, _)| *corner).collect()
}

fn farthest(corners: &[Vec2], distance: impl Fn(Vec2) -> f32) -> Option<(usize, f32)> {
    let distances = corners.iter().enumerate().map(|(index, corner)| (index, distance(*corner)));
    distances.max_by(|(_, a), (_, b)| a.total_cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traced(rows: &[&str]) -> Vec<Vec<Vec2>> {
        let size = [rows[0].len() as u32, rows.len() as u32];
        contours(size, |x, y| if rows[y as usize].as_bytes()[x as usize] == b'#' { 255 } else { 127 })
    }

    #[test]
    fn outlines_surround_visible_pixels() {
        let found = traced(&["    ", " ## ", " ## ", "    "]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains(&vec2(1.5, 1.0)) && found[0].contains(&vec2(3.0, 2.5)), "{found:?}");
        assert!(traced(&["  ", "  "]).is_empty());
    }

    #[test]
    fn holes_and_islands_have_their_own() {
        assert_eq!(traced(&["#####", "#   #", "# # #", "#   #", "#####"]).len(), 3);
    }

    #[test]
    fn straight_and_slanted_lines_lose_corners() {
        let side = 64;
        let found = contours([side, side], |x, y| if x >= y { 255 } else { 0 });
        assert!(found.len() == 1 && found[0].len() < 12, "{found:?}");
        let found = contours([side, side], |x, y| if 4 * x >= y { 255 } else { 0 });
        assert!(found.len() == 1 && found[0].len() < 16, "{found:?}");
    }
}
