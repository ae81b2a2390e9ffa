//! The outline of a sprite's visible pixels, for masks.

use std::collections::HashMap;

use crate::error::{Place, Result};
use crate::limits::Budget;
use crate::math::{Vec2, vec2};

/// Pixels with at least this alpha are visible.
const VISIBLE: u8 = 128;
/// Maximum distance of a removed corner from the outline, in pixels.
const TOLERANCE: f32 = 0.5;
/// Memory per side of a pixel on an outline, at most.
const EDGE_BYTES: usize = 256;

/// Returns the outlines of the pixels for which `alpha` is high enough, `size` pixels in all; holes are outlines, too.
/// Corners are in the middle of the sides of pixels, so that slanted lines are straight, y down.
pub fn contours(
    size: [u32; 2],
    budget: &mut Budget<'_>,
    alpha: impl Fn(u32, u32) -> u8,
) -> Result<Vec<Vec<Vec2>>> {
    let is_visible = |x: i64, y: i64| {
        let inside = (0..i64::from(size[0])).contains(&x) && (0..i64::from(size[1])).contains(&y);
        inside && alpha(x as u32, y as u32) >= VISIBLE
    };
    // The edges between visible and other pixels, by the corner where they begin. Visible pixels are on their right.
    let mut edges: HashMap<[i64; 2], Vec<[i64; 2]>> = HashMap::new();
    let mut starts = Vec::new();
    for y in 0..=i64::from(size[1]) {
        let before = starts.len();
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
        budget.charge_memory((starts.len() - before) as u64, EDGE_BYTES, Place::default)?;
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
            found.push(simplified(&outline, budget)?);
        }
    }
    Ok(found)
}

/// Removes corners that are close to the line between their neighbours (Douglas and Peucker, without recursion).
fn simplified(outline: &[Vec2], budget: &mut Budget<'_>) -> Result<Vec<Vec2>> {
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
        budget.charge_work(inner.len() as u64, 1, Place::default)?;
        if let Some((index, distance)) = farthest(inner, |corner| along.perp_dot(corner - a).abs())
            && distance > TOLERANCE
        {
            let middle = from + 1 + index;
            keeps[middle] = true;
            open.extend([[from, middle], [middle, to]]);
        }
    }
    Ok(outline.iter().zip(keeps).filter(|(_, keeps)| *keeps).map(|(corner, _)| *corner).collect())
}

fn farthest(corners: &[Vec2], distance: impl Fn(Vec2) -> f32) -> Option<(usize, f32)> {
    let distances = corners.iter().enumerate().map(|(index, corner)| (index, distance(*corner)));
    distances.max_by(|(_, a), (_, b)| a.total_cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn limited(memory_bytes: u64, size: [u32; 2], alpha: impl Fn(u32, u32) -> bool) -> Result<Vec<Vec<Vec2>>> {
        let limits = Limits { memory_bytes, ..Limits::default() };
        contours(size, &mut Budget::new(&limits), |x, y| if alpha(x, y) { 255 } else { 127 })
    }

    fn traced(rows: &[&str]) -> Vec<Vec<Vec2>> {
        let size = [rows[0].len() as u32, rows.len() as u32];
        limited(1 << 20, size, |x, y| rows[y as usize].as_bytes()[x as usize] == b'#').unwrap()
    }

    #[test]
    fn outlines_surround_visible_pixels() {
        let found = traced(&["    ", " ## ", " ## ", "    "]);
        // Corners less than half a pixel away from these lines are left out.
        let expected = [[1.5, 1.0], [3.0, 1.5], [2.5, 3.0], [1.0, 2.5], [1.0, 1.5]].map(Vec2::from);
        assert_eq!(found, [expected]);
        assert!(traced(&["  ", "  "]).is_empty());
    }

    #[test]
    fn holes_and_islands_have_their_own() {
        assert_eq!(traced(&["#####", "#   #", "# # #", "#   #", "#####"]).len(), 3);
    }

    #[test]
    fn straight_and_slanted_lines_lose_corners() {
        let found = limited(1 << 20, [64; 2], |x, y| x >= y).unwrap();
        assert!(found.len() == 1 && found[0].len() < 12, "{found:?}");
        // Each of the 16 steps is more than half a pixel away from the line, and has two corners.
        let found = limited(1 << 20, [64; 2], |x, y| 4 * x >= y).unwrap();
        assert!(found.len() == 1 && found[0].len() < 36, "{found:?}");
    }

    #[test]
    fn many_outlines_exceed_the_limit() {
        assert!(limited(1 << 20, [64; 2], |x, y| (x + y) % 2 == 0).is_err());
    }
}
