//! Packs blocks of any size with a skyline algorithm, lowest position first.

use super::layout::{Layout, Room};

/// Packs blocks of `sizes`. None may exceed `inner` less the padding. Large blocks are placed first, and
/// pages are as close to square as the smallest area allows.
pub fn pack(sizes: &[[u32; 2]], room: Room, inner: u32) -> Layout {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse((sizes[index][1], sizes[index][0])));
    let padded: Vec<[u32; 2]> = sizes.iter().map(|size| size.map(|side| side + room.padding)).collect();
    let mut layout = Layout { pages: Vec::new(), places: vec![(0, [0, 0]); sizes.len()] };
    let mut rest = &order[..];
    while !rest.is_empty() {
        let (used, placed) = best_page(rest, &padded, room, inner);
        for (&index, corner) in rest.iter().zip(&placed) {
            layout.places[index] = (layout.pages.len(), corner.map(|side| side + room.border));
        }
        layout.pages.push(used.map(|side| room.side(side)));
        rest = &rest[placed.len()..];
    }
    layout
}

/// Number of page widths tried.
const WIDTHS: u32 = 12;

/// Returns the smallest page that takes all blocks, or else the one that takes the most: its used size, and the
/// positions of the first blocks of `order`.
fn best_page(order: &[usize], sizes: &[[u32; 2]], room: Room, inner: u32) -> ([u32; 2], Vec<[u32; 2]>) {
    let widest = order.iter().map(|&index| sizes[index][0]).max().unwrap_or(0);
    let area: u64 = order.iter().map(|&index| u64::from(sizes[index][0]) * u64::from(sizes[index][1])).sum();
    let square = u32::try_from(area.isqrt()).unwrap_or(inner).saturating_add(1);
    let narrowest = square.max(widest).min(inner);
    let mut best: Option<([u32; 2], Vec<[u32; 2]>)> = None;
    for step in 0..=WIDTHS {
        // Tries up to 1.5 times the width; the full width only if not everything fits otherwise.
        if step == WIDTHS && best.as_ref().is_some_and(|(_, placed)| placed.len() == order.len()) {
            break;
        }
        let width = if step == WIDTHS { inner } else { (narrowest + narrowest / 24 * step).min(inner) };
        let found = fill(order, sizes, width, inner);
        let worth = |(used, placed): &([u32; 2], Vec<[u32; 2]>)| {
            let [width, height] = used.map(|side| room.side(side));
            (placed.len(), std::cmp::Reverse((u64::from(width) * u64::from(height), width.max(height))))
        };
        if best.as_ref().is_none_or(|best| worth(&found) > worth(best)) {
            best = Some(found);
        }
    }
    best.unwrap_or_default()
}

/// Places blocks in order until one does not fit into `width` and `height`.
fn fill(order: &[usize], sizes: &[[u32; 2]], width: u32, height: u32) -> ([u32; 2], Vec<[u32; 2]>) {
    let mut skyline = vec![Step { x: 0, y: 0 }];
    let (mut used, mut placed) = ([0, 0], Vec::with_capacity(order.len()));
    for &index in order {
        let [w, h] = sizes[index];
        let lowest = (0..skyline.len()).filter_map(|from| Some((top(&skyline, from, w, width)?, from))).min();
        let Some((y, from)) = lowest.filter(|(y, _)| y + h <= height) else { break };
        let x = skyline[from].x;
        raise(&mut skyline, from, w, y + h);
        used = [used[0].max(x + w), used[1].max(y + h)];
        placed.push([x, y]);
    }
    (used, placed)
}

/// A step of the skyline: from `x` to the next step, everything above `y` is free.
struct Step {
    x: u32,
    y: u32,
}

/// Returns the vertical position of a block of width `w` at the left of a step, or `None` if it would exceed the
/// page.
fn top(skyline: &[Step], from: usize, w: u32, width: u32) -> Option<u32> {
    let end = skyline[from].x + w;
    let under = skyline[from..].iter().take_while(|step| step.x < end);
    if end > width { None } else { under.map(|step| step.y).max() }
}

/// Adds a block of width `w` that ends at `y` to the skyline.
fn raise(skyline: &mut Vec<Step>, from: usize, w: u32, y: u32) {
    let (x, end) = (skyline[from].x, skyline[from].x + w);
    let covered = skyline[from..].iter().take_while(|step| step.x < end).count();
    // The uncovered remainder of the last step.
    let beyond = skyline[from + covered - 1].y;
    let ends_there = skyline.get(from + covered).is_some_and(|next| next.x == end);
    let steps = [Some(Step { x, y }), (!ends_there).then_some(Step { x: end, y: beyond })];
    skyline.splice(from..from + covered, steps.into_iter().flatten());
}
