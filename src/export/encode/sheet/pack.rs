//! Packs blocks of any size with a skyline algorithm.
//!
//! Many pages are tried: the blocks in several orders, on pages of several widths, and each block either as low as
//! possible or where it wastes least. The smallest page wins.

use std::cmp::Reverse;

use super::layout::{Layout, Room, Spot};

/// Packs blocks of `sizes`. None may exceed `inner` less the padding.
pub fn pack(sizes: &[[u32; 2]], room: Room, inner: u32) -> Layout {
    let padded: Vec<[u32; 2]> = sizes.iter().map(|size| size.map(|side| side + room.padding)).collect();
    let mut layout = Layout { pages: Vec::new(), places: vec![Spot::default(); sizes.len()] };
    let mut rest: Vec<usize> = (0..sizes.len()).collect();
    while !rest.is_empty() {
        let Filled { used, order, placed } = best_page(&rest, &padded, room, inner);
        for (&index, &(corner, is_turned)) in order.iter().zip(&placed) {
            let corner = corner.map(|side| side + room.border);
            layout.places[index] = Spot { page: layout.pages.len(), corner, is_turned };
        }
        layout.pages.push(used.map(|side| room.side(side)));
        rest = order.get(placed.len()..).unwrap_or_default().to_vec();
    }
    layout
}

/// A page: its used size, and the positions of the first blocks of `order`, turned or not.
#[derive(Default)]
struct Filled {
    used: [u32; 2],
    order: Vec<usize>,
    placed: Vec<([u32; 2], bool)>,
}

/// Block placements that may be tried for a page in each order; with more blocks, fewer widths are tried.
const WORK: usize = 1 << 13;
/// Block placements in orders with two blocks exchanged.
const SWAPS: usize = 1 << 14;
/// With more blocks, pages are about square.
const FEW: usize = 64;
/// With more blocks, only one order is tried, and each block is placed as low as possible.
const MANY: usize = 512;

/// Returns the smallest page that takes all blocks, or else the one that takes the most.
fn best_page(blocks: &[usize], sizes: &[[u32; 2]], room: Room, inner: u32) -> Filled {
    let longer = |index: usize| sizes[index][0].max(sizes[index][1]);
    let mut best = Filled::default();
    let area: u64 = blocks.iter().map(|&index| u64::from(sizes[index][0]) * u64::from(sizes[index][1])).sum();
    let widest = blocks.iter().map(|&index| sizes[index][0]).max().unwrap_or(0);
    let square = u32::try_from(area.isqrt()).unwrap_or(inner);
    let orders: [&dyn Fn(usize) -> (u32, u32); 4] = [
        &|index| (sizes[index][1], sizes[index][0]),
        &|index| (sizes[index][0], sizes[index][1]),
        &|index| (longer(index), sizes[index][0].min(sizes[index][1])),
        &|index| (sizes[index][0] + sizes[index][1], sizes[index][0]),
    ];
    let tries = (WORK / blocks.len().max(1)).clamp(12, 600) as u32;
    let is_many = blocks.len() > MANY;
    let ways: &[(bool, bool)] = match (room.may_turn, is_many) {
        (true, true) => &[(true, false)],
        (false, true) => &[(false, false)],
        (false, false) => &[(false, false), (false, true)],
        (true, false) => &[(false, false), (false, true), (true, false), (true, true)],
    };
    // Pages are about square, because engines limit both sides; but few blocks seldom fill a square.
    let [least, most] =
        if blocks.len() > FEW { [square / 4 * 3, square / 3 * 4] } else { [square / 2, 2 * square] };
    let narrowest = least.max(widest).min(inner);
    let end = most.min(inner).max(narrowest);
    let widths: std::collections::BTreeSet<u32> = (0..=tries)
        .map(|step| narrowest + ((u64::from(end - narrowest) * u64::from(step)) / u64::from(tries)) as u32)
        .collect();
    for key in orders.into_iter().take(if is_many { 1 } else { 4 }) {
        let mut order = blocks.to_vec();
        order.sort_by_key(|&index| Reverse(key(index)));
        for &width in &widths {
            for &way in ways {
                best.improve(&order, sizes, [width, inner], way, room);
            }
        }
        if best.placed.len() < blocks.len() {
            ways.iter().for_each(|&way| best.improve(&order, sizes, [inner; 2], way, room));
        }
    }
    // Exchanges two blocks of the best order, at random but always the same way.
    let (mut random, all) = (1u64, widths.iter().copied().collect::<Vec<u32>>());
    for _ in 0..if is_many { 0 } else { SWAPS / blocks.len().max(1) } {
        let mut below = |end: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % end.max(1)
        };
        let mut order = best.order.clone();
        let (a, b) = (below(order.len()), below(order.len()));
        let width = if below(2) == 0 { all[below(all.len())] } else { best.used[0].max(widest) };
        let way = ways[below(ways.len())];
        order.swap(a, b);
        best.improve(&order, sizes, [width, inner], way, room);
    }
    best
}

impl Filled {
    /// Fills a page, and keeps it if it is better.
    fn improve(&mut self, order: &[usize], sizes: &[[u32; 2]], size: [u32; 2], way: (bool, bool), room: Room) {
        let worth = |count: usize, used: [u32; 2]| {
            let [width, height] = used.map(|side| room.side(side));
            (count, Reverse((u64::from(width) * u64::from(height), width.max(height))))
        };
        let (used, placed) = fill(order, sizes, size, way);
        if worth(placed.len(), used) > worth(self.placed.len(), self.used) {
            *self = Self { used, placed, order: order.to_vec() };
        }
    }
}

/// Places blocks in order until one does not fit.
fn fill(
    order: &[usize],
    sizes: &[[u32; 2]],
    [width, height]: [u32; 2],
    (may_turn, is_tight): (bool, bool),
) -> ([u32; 2], Vec<([u32; 2], bool)>) {
    let mut skyline = vec![Step { x: 0, y: 0 }];
    let (mut used, mut placed) = ([0, 0], Vec::with_capacity(order.len()));
    for &index in order {
        let [w, h] = sizes[index];
        let ways: &[([u32; 2], bool)] = &[([w, h], false), ([h, w], true)];
        let ways = &ways[..if may_turn && w != h { 2 } else { 1 }];
        let spots = ways.iter().flat_map(|&([w, h], is_turned)| {
            let skyline = &skyline;
            (0..skyline.len()).filter_map(move |from| {
                let (y, waste) = top(skyline, from, w, width)?;
                let worth = if is_tight { (waste, y + h) } else { (u64::from(y + h), waste as u32) };
                (y + h <= height).then_some((worth, y, from, [w, h], is_turned))
            })
        });
        let Some((_, y, from, [w, h], is_turned)) = spots.min() else { break };
        let x = skyline[from].x;
        raise(&mut skyline, from, w, y + h);
        used = [used[0].max(x + w), used[1].max(y + h)];
        placed.push(([x, y], is_turned));
    }
    (used, placed)
}

/// A step of the skyline: from `x` to the next step, everything above `y` is free.
struct Step {
    x: u32,
    y: u32,
}

/// Returns the vertical position of a block of width `w` at the left of a step and the area lost below it, or `None` if
/// it would exceed the page.
fn top(skyline: &[Step], from: usize, w: u32, width: u32) -> Option<(u32, u64)> {
    let end = skyline[from].x + w;
    if end > width {
        return None;
    }
    let under = || skyline[from..].iter().take_while(|step| step.x < end);
    let y = under().map(|step| step.y).max()?;
    let ends = skyline[from + 1..].iter().map(|step| step.x.min(end)).chain([end]);
    let lost = under().zip(ends).map(|(step, next)| u64::from(y - step.y) * u64::from(next.min(end) - step.x));
    Some((y, lost.sum()))
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
