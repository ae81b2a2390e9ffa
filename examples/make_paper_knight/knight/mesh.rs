//! A part and its place in the atlas → a grid of skinned triangles over the visible area.

use super::v1;

use super::art::{Part, Weights};
use super::atlas::SIZE;
use super::paper::{DENSITY, Sheet};
use super::shape::turned;

/// Positions are rounded to this grid, which hides rounding differences between platforms.
const STEPS_PER_PIXEL: f64 = 64.0;
/// Weights are rounded too, so that they sum to exactly 1.
const STEPS_PER_WEIGHT: f64 = 256.0;

pub fn build(part: &Part, sheet: &Sheet, place: [usize; 2]) -> v1::Mesh {
    let xs = lines(sheet.width, part.cell[0]);
    let ys = lines(sheet.height, part.cell[1]);
    let mut vertices = Vec::new();
    let mut indices = Vec::new();
    let mut numbers = vec![None; xs.len() * ys.len()];
    for row in 0..ys.len() - 1 {
        for column in 0..xs.len() - 1 {
            if is_clear(sheet, [xs[column], xs[column + 1]], [ys[row], ys[row + 1]]) {
                continue;
            }
            let corners = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(dx, dy)| {
                let (i, j) = (column + dx, row + dy);
                *numbers[j * xs.len() + i].get_or_insert_with(|| {
                    vertices.push(vertex(part, sheet, place, [xs[i], ys[j]]));
                    vertices.len() as u16 - 1
                })
            });
            let [a, b, c, d] = corners;
            // Diagonals alternate between neighbouring cells, so that bends look the same from both sides.
            indices.extend(if (row + column) % 2 == 0 { [a, b, c, c, d, a] } else { [a, b, d, d, b, c] });
        }
    }
    v1::Mesh::new(part.name, 0, &vertices, &indices)
}

/// Returns the texels of the grid's lines, evenly spaced.
fn lines(texels: usize, cell: f64) -> Vec<usize> {
    let count = ((texels as f64 / DENSITY / cell).round() as usize).max(1);
    (0..=count).map(|i| (i * texels + count / 2) / count).collect()
}

/// Returns true if the cell and the texels around it are transparent.
fn is_clear(sheet: &Sheet, [left, right]: [usize; 2], [top, bottom]: [usize; 2]) -> bool {
    let columns = left.saturating_sub(1)..(right + 1).min(sheet.width);
    let mut rows = top.saturating_sub(1)..(bottom + 1).min(sheet.height);
    rows.all(|y| columns.clone().all(|x| sheet.rgba[(y * sheet.width + x) * 4 + 3] == 0))
}

fn vertex(part: &Part, sheet: &Sheet, place: [usize; 2], texel: [usize; 2]) -> v1::Vertex {
    let point = [sheet.left + texel[0] as f64 / DENSITY, sheet.top - texel[1] as f64 / DENSITY];
    let [x, y] =
        turned(point, part.degrees, part.at).map(|value| (value * STEPS_PER_PIXEL).round() / STEPS_PER_PIXEL);
    let [u, v] = [0, 1].map(|axis| (place[axis] + texel[axis]) as f32 / SIZE as f32);
    let (bone_ids, bone_weights) = influences((part.weights)(point));
    v1::Vertex { x: x as f32, y: y as f32, u, v, bone_ids, bone_weights }
}

/// Returns the heaviest four, rounded so that they sum to exactly 1.
fn influences(weights: Weights) -> ([u16; 4], [f32; 4]) {
    let mut sums: Vec<(u16, f64)> = Vec::new();
    for (bone, weight) in weights {
        match sums.iter_mut().find(|(id, _)| *id == bone as u16) {
            Some((_, sum)) => *sum += weight,
            None => sums.push((bone as u16, weight)),
        }
    }
    let mut steps: Vec<(u16, i32)> =
        sums.iter().map(|&(id, weight)| (id, (weight * STEPS_PER_WEIGHT).round() as i32)).collect();
    steps.sort_by_key(|&(id, steps)| (std::cmp::Reverse(steps), id));
    steps.truncate(4);
    steps.retain(|&(_, steps)| steps > 0);
    let rest: i32 = STEPS_PER_WEIGHT as i32 - steps.iter().map(|(_, steps)| steps).sum::<i32>();
    steps[0].1 += rest;
    let mut ids = [0; 4];
    let mut shares = [0.0; 4];
    for (i, (id, count)) in steps.into_iter().enumerate() {
        ids[i] = id;
        shares[i] = count as f32 / STEPS_PER_WEIGHT as f32;
    }
    (ids, shares)
}
