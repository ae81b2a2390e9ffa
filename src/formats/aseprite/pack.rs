//! Packing of frames on pages: in rows of similar height, with a transparent pixel around each.

/// Maximum page side, unless a single frame is larger.
pub const MAX_SIDE: u32 = 4096;
/// Pages up to this size are magnified as pixel art, so small sprites get such pages.
pub const SMALL_SIDE: u32 = 256;
/// Maximum number of small pages.
const MAX_SMALL_PAGES: u64 = 64;
/// Transparent pixels between and around frames.
const GAP: u32 = 1;

/// A packing of frames on pages.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// Width and height of each page.
    pub pages: Vec<[u32; 2]>,
    /// For each frame: its page, and its left and top there.
    pub spots: Vec<(usize, [u32; 2])>,
}

/// Returns the maximum page side for frames of these sizes.
pub fn suitable_side(sizes: &[[u32; 2]]) -> u32 {
    let is_small = sizes.iter().flatten().all(|side| side + 2 * GAP <= SMALL_SIDE);
    let most = MAX_SMALL_PAGES * u64::from(SMALL_SIDE).pow(2);
    if is_small && area(sizes) <= most { SMALL_SIDE } else { MAX_SIDE }
}

/// Returns the area of the frames, including gaps.
fn area(sizes: &[[u32; 2]]) -> u64 {
    sizes.iter().map(|size| size.map(|side| u64::from(side + GAP))).map(|[width, height]| width * height).sum()
}

/// Packs frames of these sizes, which are at least 1, on pages of up to `max_side`.
pub fn lay_out(sizes: &[[u32; 2]], max_side: u32) -> Layout {
    let longest = |side: usize| sizes.iter().map(|size| size[side]).max().unwrap_or(0) + 2 * GAP;
    let square = u32::try_from(area(sizes).isqrt() + 1).unwrap_or(u32::MAX).saturating_add(GAP);
    let width = square.min(max_side).max(longest(0));
    let height = max_side.max(longest(1));
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(sizes[index][1]));
    let mut layout = Layout { pages: Vec::new(), spots: vec![(0, [0; 2]); sizes.len()] };
    // Left and top of the next frame, and the height of its row.
    let (mut at, mut row) = ([GAP; 2], 0);
    for index in order {
        let size = sizes[index];
        if at[0] + size[0] + GAP > width {
            at = [GAP, at[1] + row + GAP];
            row = 0;
        }
        if layout.pages.is_empty() || at[1] + size[1] + GAP > height {
            layout.pages.push([0; 2]);
            at = [GAP; 2];
            row = 0;
        }
        let number = layout.pages.len() - 1;
        layout.spots[index] = (number, at);
        let page = &mut layout.pages[number];
        *page = [0, 1].map(|side| page[side].max(at[side] + size[side] + GAP));
        at[0] += size[0] + GAP;
        row = row.max(size[1]);
    }
    layout
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that frames are apart from each other and from the edges, and that pages are not too large.
    fn check(sizes: &[[u32; 2]], max_side: u32) -> Layout {
        let layout = lay_out(sizes, max_side);
        for (index, (&(page, [x, y]), &[w, h])) in layout.spots.iter().zip(sizes).enumerate() {
            let [width, height] = layout.pages[page];
            assert!(x >= 1 && y >= 1 && x + w < width && y + h < height, "{sizes:?}: {layout:?}");
            for (&(other, [left, top]), &[wide, high]) in layout.spots[..index].iter().zip(sizes) {
                let is_apart = x > left + wide || left > x + w || y > top + high || top > y + h;
                assert!(other != page || is_apart, "{sizes:?}: {layout:?}");
            }
        }
        for &[width, height] in &layout.pages {
            let longest = |side: usize| sizes.iter().map(|size| size[side] + 2).max().unwrap_or(0).max(max_side);
            assert!(width <= longest(0) && height <= longest(1), "{sizes:?}: {layout:?}");
        }
        layout
    }

    #[test]
    fn frames_do_not_touch() {
        let mut random = 1u32;
        for count in [1, 2, 5, 60, 300] {
            let sizes: Vec<[u32; 2]> = (0..count)
                .map(|_| {
                    [0, 1].map(|_| {
                        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        1 + (random >> 24) % 40
                    })
                })
                .collect();
            check(&sizes, 256);
            check(&sizes, 64);
        }
        let layout = check(&[[300, 2], [1, 1]], 256);
        assert_eq!(layout.pages[0][0], 302);
        assert_eq!(check(&[], 256).pages.len(), 0);
    }

    #[test]
    fn small_sprites_have_small_pages() {
        assert_eq!(suitable_side(&[[254, 10]; 20]), SMALL_SIDE);
        assert_eq!(suitable_side(&[[255, 10]]), MAX_SIDE);
        assert_eq!(suitable_side(&[[254, 254]; 70]), MAX_SIDE);
    }
}
