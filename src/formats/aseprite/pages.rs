//! All frames of a file → pages, with the rectangle of each frame.

use std::collections::HashMap;

use super::flatten::{Picture, flatten};
use super::pack::lay_out;
use super::plan::{Plan, Step, plan};
use super::schema::{File, Pixel};
use super::unpack::Store;
use crate::bytes::filled;
use crate::error::{Place, Result};
use crate::limits::Budget;

/// All frames, flattened.
pub struct Pages {
    pub pages: Vec<Page>,
    pub frames: Vec<Shown>,
}

/// A page.
pub struct Page {
    /// Width and height in pixels, not 0.
    pub size: [u32; 2],
    /// Straight RGBA, rows top to bottom.
    pub pixels: Vec<u8>,
}

/// The position of a frame.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    pub page: usize,
    /// Left and top on the page.
    pub on_page: [u32; 2],
    /// Left and top on the canvas.
    pub on_canvas: [u32; 2],
    /// Width and height in pixels; 0 if nothing is visible.
    pub size: [u32; 2],
}

/// Memory per frame in bytes, not counting its plan and its pixels.
const FRAME_BYTES: usize = 128;

/// The maximum side of pages for frames of these sizes.
type MaxSide = fn(&[[u32; 2]]) -> u32;

/// Flattens all frames. Frames that look the same share their pixels.
pub fn pages(file: &File, max_side: MaxSide, budget: &mut Budget<'_>) -> Result<Pages> {
    let (plans, plan_of_frame) = plans(file, budget)?;
    let mut store = Store::new(file, plans.iter());
    // Untrimmed frames do not count as pixels of the character, but have the same limit.
    let mut work = Budget::new(budget.limits()).with_progress(budget.progress());
    let mut known: HashMap<([u32; 2], Vec<Pixel>), usize> = HashMap::new();
    let mut flat = Vec::with_capacity(plans.len());
    budget.expect_images(plans.len());
    for plan in &plans {
        let Picture { at, size, pixels } = flatten(file, plan, &mut store, &mut work, budget)?;
        budget.image_done();
        let next = known.len();
        let bytes = pixels.len() as u64;
        let index = *known.entry((size, pixels)).or_insert(next);
        if index == next {
            budget.charge_memory(bytes, size_of::<Pixel>(), || Place::at("frames", 128))?;
        }
        flat.push((at, index));
    }
    let pictures = in_order(known);
    let sizes: Vec<[u32; 2]> = pictures.iter().map(|(size, _)| *size).collect();
    let (pages, spots) = draw(pictures, max_side, budget)?;
    let shown = |plan: usize| {
        let (on_canvas, picture) = flat[plan];
        let (page, on_page) = spots[picture];
        Shown { page, on_page, on_canvas, size: sizes[picture] }
    };
    Ok(Pages { pages, frames: plan_of_frame.into_iter().map(shown).collect() })
}

/// Returns the distinct plans, and the index of the plan of each frame.
fn plans(file: &File, budget: &mut Budget<'_>) -> Result<(Vec<Plan>, Vec<usize>)> {
    let mut known = HashMap::new();
    let mut of_frame = Vec::with_capacity(file.frames.len());
    for frame in &file.frames {
        let plan = plan(file, frame);
        let bytes = FRAME_BYTES + plan.steps.len() * size_of::<Step>();
        budget.charge_memory(1, bytes, || Place::at("frames", 128))?;
        let next = known.len();
        of_frame.push(*known.entry(plan).or_insert(next));
    }
    Ok((in_order(known), of_frame))
}

/// Returns the keys sorted by their number.
fn in_order<K>(known: HashMap<K, usize>) -> Vec<K> {
    let mut all: Vec<(K, usize)> = known.into_iter().collect();
    all.sort_unstable_by_key(|(_, number)| *number);
    all.into_iter().map(|(key, _)| key).collect()
}

/// Positions of images: page, and left and top there.
type Spots = Vec<(usize, [u32; 2])>;

/// Draws images on pages. Images without pixels are skipped; there is always at least one page.
fn draw(
    pictures: Vec<([u32; 2], Vec<Pixel>)>,
    max_side: MaxSide,
    budget: &mut Budget<'_>,
) -> Result<(Vec<Page>, Spots)> {
    let seen: Vec<usize> = (0..pictures.len()).filter(|&index| !pictures[index].1.is_empty()).collect();
    let sizes: Vec<[u32; 2]> = seen.iter().map(|&index| pictures[index].0).collect();
    let mut layout = lay_out(&sizes, max_side(&sizes));
    if layout.pages.is_empty() {
        layout.pages.push([1, 1]);
    }
    let mut pages = Vec::with_capacity(layout.pages.len());
    for size @ [width, height] in layout.pages {
        budget.charge_records(1, || Place::at("frames", 128))?;
        budget.charge_pixels(width, height, || Place::at("frames", 128))?;
        let pixels = filled(0, 4 * width as usize * height as usize)?;
        pages.push(Page { size, pixels });
    }
    let mut spots = vec![(0, [0; 2]); pictures.len()];
    let mut rest: Vec<Option<([u32; 2], Vec<Pixel>)>> = pictures.into_iter().map(Some).collect();
    for (index, (number, at)) in seen.into_iter().zip(layout.spots) {
        spots[index] = (number, at);
        if let Some(([width, _], pixels)) = rest[index].take() {
            let page = &mut pages[number];
            let stride = page.size[0] as usize;
            for (y, row) in pixels.chunks_exact(width as usize).enumerate() {
                let start = 4 * ((at[1] as usize + y) * stride + at[0] as usize);
                page.pixels[start..start + 4 * row.len()].copy_from_slice(row.as_flattened());
            }
        }
    }
    Ok((pages, spots))
}
