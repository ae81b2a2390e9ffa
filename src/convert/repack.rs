//! Packs the frames of a sheet on new pages: trimmed, equal ones once, and turned where the format can store that.

use std::collections::HashMap;

use crate::bytes::{Block, filled};
use crate::draw::Picture as Pixels;
use crate::error::{Error, Place, Result};
use crate::export::packing::{Contents, Room, Spot, arrange, block};
use crate::export::{SheetLayout, SheetOptions};
use crate::formats::image::{charge_decoding, decode_png, encode_png, png_size};
use crate::formats::sheet::dialects::Turn;
use crate::formats::sheet::{Gathered, Number, Part, Picture, Quad, Rect, StoredFrame, canvas_size, place};
use crate::limits::Budget;

/// Placements of blocks that are tried for a page of few blocks.
const PLACEMENTS: u64 = 1 << 17;
/// Units of work for a placement of a packed frame, counted from tries × steps of the skyline.
const STEP_WORK: u64 = 4;
/// Units of work for a pixel of a packed frame, counted from the sizes of the frames.
const PIXEL_WORK: u64 = 16;

/// How the frames of a sheet are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repack {
    /// Whether frames are turned by 90° where the format can store that.
    pub may_turn: bool,
    /// Pixels between frames.
    pub padding: u32,
    /// Number of times that the edge pixels of a frame are repeated around it.
    pub extrude: u32,
    /// Maximum width and height of a page in pixels.
    pub max_size: u32,
    /// Whether the sides of pages are powers of two.
    pub is_pot: bool,
}

impl Default for Repack {
    fn default() -> Self {
        let SheetOptions { padding, extrude, max_size, pot, .. } = SheetOptions::default();
        Self { may_turn: false, padding, extrude, max_size, is_pot: pot }
    }
}

/// A frame to be packed.
struct Cut {
    /// Index of its page.
    page: usize,
    /// Its pixels on the page; `None` if it shows nothing.
    quad: Option<Quad>,
    /// Left, top, width and height of the part that is kept.
    kept: [u32; 4],
    /// Equal for the same pixels.
    print: ([u64; 2], u32),
}

/// The decoded pages of a sheet.
struct Pages(Vec<([usize; 2], Vec<u8>)>);

/// Returns the frames in the order in which they are shown, as indices into all of them, and the new pages with them.
/// `turn` is the rotation of turned frames.
pub fn repack(
    gathered: &Gathered,
    how: Repack,
    (turn, is_premultiplied): (Turn, bool),
    budget: &mut Budget<'_>,
) -> Result<(Vec<u32>, Vec<Part>)> {
    let Repack { padding, extrude, max_size, is_pot: pot, .. } = how;
    let count = gathered.parts.iter().map(|part| part.frames.len()).sum();
    SheetOptions { padding, extrude, max_size, pot, ..SheetOptions::default() }.check(count)?;
    let pages = Pages::decode(gathered, budget)?;
    let order = gathered.order();
    let frames: Vec<(usize, usize, &StoredFrame)> = (0..)
        .zip(&gathered.parts)
        .flat_map(|(page, part)| part.frames.iter().enumerate().map(move |(index, frame)| (page, index, frame)))
        .collect();
    budget.charge_memory(frames.len() as u64, 2 * size_of::<Cut>() + size_of::<StoredFrame>(), Place::default)?;
    let mut cuts = Vec::with_capacity(frames.len());
    for &(page, index, frame) in order.iter().filter_map(|&index| frames.get(index as usize)) {
        let at = || gathered.parts[page].place_of(index, "/frame");
        cuts.push((pages.cut(page, frame, is_premultiplied, budget, at)?, frame));
    }
    let room = Room {
        border: 0,
        padding: how.padding,
        max_size: how.max_size,
        is_pot: how.is_pot,
        may_turn: how.may_turn && turn != Turn::None,
    };
    let (mut parts, mut rest) = (Vec::new(), &cuts[..]);
    while !rest.is_empty() {
        let Fitted { count, size, spots } = fitting(rest, how.extrude, room, budget)?;
        let (now, later) = rest.split_at(count);
        parts.push(pages.part(now, (size, &spots), (turn, how.extrude), budget)?);
        rest = later;
    }
    Ok((order, parts))
}

/// A page: how many of the first frames are on it, its size, and their places.
struct Fitted {
    count: usize,
    size: [u32; 2],
    spots: Vec<Spot>,
}

/// Returns a page with as many of the first frames as fit on it together. Tags refer to frames by their number, so the
/// frames of a page must follow each other.
fn fitting(cuts: &[(Cut, &StoredFrame)], extrude: u32, room: Room, budget: &mut Budget<'_>) -> Result<Fitted> {
    let mut on_one_page = |count: usize| -> Result<Option<Fitted>> {
        let (mut known, mut sizes) = (HashMap::new(), Vec::new());
        let mut block = |cut: &Cut| {
            *known.entry(cut.print).or_insert_with(|| {
                sizes.push([cut.kept[2] + 2 * extrude, cut.kept[3] + 2 * extrude]);
                sizes.len() - 1
            })
        };
        let blocks: Vec<usize> = cuts.iter().take(count).map(|(cut, _)| block(cut)).collect();
        // A skyline has at most as many steps as the narrowest blocks fit side by side.
        let narrowest = sizes.iter().flatten().min().map_or(1, |side| (side + room.padding).max(1));
        let steps = (room.max_size / narrowest + 1).min(sizes.len() as u32 + 1);
        let tries = PLACEMENTS.max(16 * sizes.len() as u64);
        budget.charge_work(tries, STEP_WORK * u64::from(steps), Place::default)?;
        let layout = arrange(&sizes, SheetLayout::Packed, None, room)?;
        let spots = || blocks.iter().filter_map(|&block| layout.places.get(block).copied()).collect();
        Ok(if let [size] = layout.pages[..] { Some(Fitted { count, size, spots: spots() }) } else { None })
    };
    if let Some(found) = on_one_page(cuts.len())? {
        return Ok(found);
    }
    // The first frame alone fits, all of them do not.
    let (mut best, mut most) = (on_one_page(1)?, cuts.len());
    while let Some(Fitted { count, .. }) = best
        && count + 1 < most
    {
        let middle = count.midpoint(most);
        match on_one_page(middle)? {
            Some(found) => best = Some(found),
            None => most = middle,
        }
    }
    best.ok_or_else(|| Error::misuse("sheet-too-small", "a frame does not fit on a page"))
}

impl Pages {
    fn decode(gathered: &Gathered, budget: &mut Budget<'_>) -> Result<Self> {
        let mut pages = Vec::with_capacity(gathered.parts.len());
        for part in &gathered.parts {
            let at = || part.place("image");
            let Picture::Inside(Block { bytes, .. }) = &part.picture else { continue };
            let (width, height) = png_size(bytes).unwrap_or_default();
            charge_decoding(bytes, (width, height), budget, at)?;
            // One frame at a time is copied.
            budget.charge_encoding(width, height, at)?;
            pages.push(([width as usize, height as usize], decode_png(bytes, at)?));
        }
        Ok(Self(pages))
    }

    /// Analyses a frame.
    fn cut(
        &self,
        page: usize,
        frame: &StoredFrame,
        is_premultiplied: bool,
        budget: &mut Budget<'_>,
        at: impl Fn() -> Place,
    ) -> Result<Cut> {
        let [width, height] = self.0.get(page).map_or([0; 2], |(size, _)| *size);
        let quad = place(frame, Some([width as f32, height as f32])).quad;
        let is_whole = |quad: &Quad| quad.page.iter().flatten().all(|number| number.fract() == 0.0);
        if !quad.as_ref().is_none_or(is_whole) {
            let message = "the frame is not on whole pixels of the page, so it cannot be packed again";
            return Err(Error::unsupported("bad-frame", at(), message));
        }
        let Some(quad) = quad else {
            return Ok(Cut { page, quad, kept: [0, 0, 1, 1], print: Default::default() });
        };
        charge_pixels(&quad, budget, &at)?;
        let mut pixels = self.pixels(page, Some(&quad));
        if !is_premultiplied {
            // Colours without alpha are not visible.
            let (pixels, _) = pixels.pixels_mut().as_chunks_mut::<4>();
            pixels.iter_mut().filter(|pixel| pixel[3] == 0).for_each(|pixel| *pixel = [0; 4]);
        }
        let Contents { visible, print } = Contents::of(&pixels, true);
        Ok(match visible {
            Some(kept) => Cut { page, quad: Some(quad), kept, print: (print, kept[2]) },
            None => Cut { page, quad: None, kept: [0, 0, 1, 1], print: Default::default() },
        })
    }

    /// Returns the upright pixels of a part of a page, or one transparent pixel.
    fn pixels(&self, page: usize, quad: Option<&Quad>) -> Pixels {
        let mut picture = Pixels::default();
        let (Some(quad), Some(([width, _], source))) = (quad, self.0.get(page)) else {
            picture.reset(1, 1);
            return picture;
        };
        let [columns, rows] = sides(quad);
        picture.reset(columns as u32, rows as u32);
        let [first, across, _, down] = quad.page;
        let step = |to: [f32; 2], count: f32| [(to[0] - first[0]) / count, (to[1] - first[1]) / count];
        let (across, down) = (step(across, columns), step(down, rows));
        let (source, _) = source.as_chunks::<4>();
        let (pixels, _) = picture.pixels_mut().as_chunks_mut::<4>();
        for (index, pixel) in pixels.iter_mut().enumerate() {
            let [column, row] = [(index % columns as usize) as f32 + 0.5, (index / columns as usize) as f32 + 0.5];
            let [x, y] = [0, 1].map(|axis| (first[axis] + across[axis] * column + down[axis] * row) as usize);
            *pixel = source.get(y * width + x).copied().unwrap_or_default();
        }
        picture
    }

    /// Draws a page and returns it with its frames.
    fn part(
        &self,
        cuts: &[(Cut, &StoredFrame)],
        ([width, height], spots): ([u32; 2], &[Spot]),
        (turn, extrude): (Turn, u32),
        budget: &mut Budget<'_>,
    ) -> Result<Part> {
        budget.charge_memory(u64::from(width) * u64::from(height), size_of::<[u8; 4]>(), Place::default)?;
        budget.charge_encoding(width, height, Place::default)?;
        let mut sheet = filled([0u8; 4], width as usize * height as usize)?;
        let mut drawn = std::collections::HashSet::new();
        let mut frames = Vec::with_capacity(cuts.len());
        for ((cut, frame), spot) in cuts.iter().zip(spots) {
            if drawn.insert(spot.corner) {
                if let Some(quad) = &cut.quad {
                    charge_pixels(quad, budget, Place::default)?;
                }
                let [w, h] = [cut.kept[2] + 2 * extrude, cut.kept[3] + 2 * extrude].map(|side| side as usize);
                let block = block(&self.pixels(cut.page, cut.quad.as_ref()), cut.kept, extrude, 0);
                let [x, y] = spot.corner.map(|side| side as usize);
                for (index, pixel) in block.as_chunks::<4>().0.iter().enumerate() {
                    let (column, row) = (index % w, index / w);
                    let [column, row] = match turn {
                        _ if !spot.is_turned => [column, row],
                        Turn::CounterClockwise => [row, w - 1 - column],
                        Turn::None | Turn::Clockwise | Turn::Half => [h - 1 - row, column],
                    };
                    if let Some(target) = sheet.get_mut((y + row) * width as usize + x + column) {
                        *target = *pixel;
                    }
                }
            }
            frames.push(cut.placed(frame, spot, turn, extrude));
        }
        let png = encode_png(width, height, sheet.as_flattened())?;
        let size = [width, height].map(|side| Number(side as f32)).into();
        Ok(Part {
            picture: Picture::Inside(Block::new(png.into(), 0)),
            size: Some(size),
            frames,
            ..Part::default()
        })
    }
}

impl Cut {
    /// Returns the frame at its new place.
    fn placed(&self, frame: &StoredFrame, spot: &Spot, turn: Turn, extrude: u32) -> StoredFrame {
        let [left, top, w, h] = self.kept.map(|side| side as f32);
        let [x, y] = spot.corner.map(|side| (side + extrude) as f32);
        let corner = self.quad.map_or([0.0; 2], |quad| [quad.canvas[0], quad.canvas[1]]);
        let canvas = if frame.is_lost { [1.0; 2] } else { canvas_size(frame).map(|side| side.max(1.0)) };
        StoredFrame {
            filename: frame.filename.clone(),
            frame: Rect::from([x, y, w, h].map(Number)),
            turn: if spot.is_turned { turn } else { Turn::None },
            sprite_source_size: Some(Rect::from([corner[0] + left, corner[1] + top, w, h].map(Number))),
            source_size: Some(canvas.map(Number).into()),
            duration: frame.duration,
            pivot: frame.pivot,
            ..StoredFrame::default()
        }
    }
}

/// Returns the width and height of the upright pixels: whole on the page, while the canvas may have fractions.
fn sides(quad: &Quad) -> [f32; 2] {
    let [first, across, _, down] = quad.page;
    [across, down].map(|to| (to[0] - first[0]).abs() + (to[1] - first[1]).abs())
}

fn charge_pixels(quad: &Quad, budget: &mut Budget<'_>, at: impl FnOnce() -> Place) -> Result<()> {
    let [columns, rows] = sides(quad).map(|side| side as u64);
    budget.charge_work(rows, columns * PIXEL_WORK, at)
}
