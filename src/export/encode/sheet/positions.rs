//! Frames → one or several pages, and the position of each frame.
//!
//! [`Sequence::plan_sheet`] computes the position of every frame. Only trimming and merging need rendered frames
//! for that; they are rendered, analysed and discarded. [`Sequence::write_sheet_page`] then renders them in page
//! order and writes the page row by row, so that no page is held in memory completely, unless it is optimised.

use crate::export::options::{SheetOptions, SheetTrim};
use std::collections::HashMap;

use super::layout::{Room, Spot, arrange};
use super::page;
use super::pixels::{self, Contents};
use crate::Error;
use crate::draw::Picture;
use crate::export::encode::destination::Destination;
use crate::export::encode::png::PngSink;
use crate::export::error::ExportError;
use crate::export::frames::{Drawing, Sequence};
use crate::motion::Cue;

/// The positions of all frames of a sheet.
#[derive(Debug, Clone)]
pub struct SheetPlan {
    /// Width and height of each page.
    pub pages: Vec<[u32; 2]>,
    /// By frame.
    pub(super) cells: Vec<Cell>,
    /// By page: the frames drawn on it, from top to bottom.
    pub(super) drawn: Vec<Vec<usize>>,
    pub(super) extrude: u32,
    pub(super) bleed: u32,
}

/// The position of one frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell {
    /// Left, top, width and height of the area kept after trimming.
    pub(super) kept: [u32; 4],
    pub(super) page: usize,
    /// Upper-left corner on the page, without extrusion.
    pub(super) corner: [u32; 2],
}

impl Sequence<'_> {
    /// Computes the positions of the frames of `cues`. Returns `None` if cancelled.
    ///
    /// # Errors
    ///
    /// Fails for a sheet without frames, frames without pixels, and options out of range.
    pub fn plan_sheet(
        &self,
        drawing: &mut Drawing<'_>,
        cues: &[Cue],
        options: &SheetOptions,
        picture_done: &(dyn Fn() + Sync),
    ) -> Result<Option<SheetPlan>, ExportError> {
        options.check(cues.len())?;
        self.check_pixels()?;
        self.check(drawing.as_cpu(), cues)?;
        if cues.is_empty() {
            return Err(Error::misuse("nothing-to-write", "a sheet needs at least one frame").into());
        }
        let whole = [0, 0, self.view.width(), self.view.height()];
        let mut contents = Vec::new();
        if options.needs_analysis() {
            let look = |_: usize, picture: &mut Picture| {
                self.surface.finish(picture);
                Ok(Contents::of(picture, options.trim == SheetTrim::Frame))
            };
            let mut keep = |found: Contents| {
                picture_done();
                contents.push(found);
                Ok(())
            };
            if !self.stream(drawing, cues, &look, &mut keep)? {
                return Ok(None);
            }
        }
        let kept = kept(&contents, cues.len(), whole, options.trim);
        // By frame, the frame that is drawn in its place.
        let mut known = HashMap::new();
        let first = |index: usize| match contents.get(index) {
            Some(found) if options.merge => *known.entry((found.print, kept[index][2])).or_insert(index),
            _ => index,
        };
        let first: Vec<usize> = (0..cues.len()).map(first).collect();
        let drawn: Vec<usize> = (0..cues.len()).filter(|&index| first[index] == index).collect();
        let outer = 2 * options.extrude;
        let sizes: Vec<[u32; 2]> =
            drawn.iter().map(|&index| [kept[index][2] + outer, kept[index][3] + outer]).collect();
        let room = Room {
            border: options.border,
            padding: options.padding,
            max_size: options.max_size,
            is_pot: options.pot,
            may_turn: false,
        };
        let layout = arrange(&sizes, options.layout, options.columns, room).map_err(ExportError::File)?;
        let mut cells = vec![Cell::default(); cues.len()];
        let mut by_page = vec![Vec::new(); layout.pages.len()];
        for (&index, &Spot { page, corner, .. }) in drawn.iter().zip(&layout.places) {
            by_page[page].push(index);
            cells[index] = Cell { kept: kept[index], page, corner: corner.map(|side| side + options.extrude) };
        }
        for index in 0..cues.len() {
            cells[index] = Cell { kept: kept[index], ..cells[first[index]] };
        }
        for page in &mut by_page {
            page.sort_by_key(|&index| (cells[index].corner[1], cells[index].corner[0]));
        }
        let (extrude, bleed) = (options.extrude, options.bleed);
        Ok(Some(SheetPlan { pages: layout.pages, cells, drawn: by_page, extrude, bleed }))
    }

    /// Renders a page and writes it as a PNG, without flushing it; `text` embeds the metadata. Returns false if
    /// cancelled; the output is incomplete then.
    ///
    /// # Errors
    ///
    /// Fails if the plan does not have this page or was not made from `cues`, and if rendering or writing fails.
    pub(crate) fn write_sheet_page(
        &self,
        drawing: &mut Drawing<'_>,
        cues: &[Cue],
        plan: &SheetPlan,
        page: usize,
        text: Option<&str>,
        Destination { place, out, picture_done }: Destination<'_>,
    ) -> Result<bool, ExportError> {
        let ([width, height], drawn) = plan.page(page, cues.len())?;
        let failed = |error| ExportError::File(Error::io(place, error));
        let in_order: Vec<&Cue> = drawn.iter().map(|&index| &cues[index]).collect();
        let cut = |index: usize, picture: &mut Picture| {
            self.surface.finish(picture);
            Ok((index, pixels::block(picture, plan.cells[drawn[index]].kept, plan.extrude, plan.bleed)))
        };
        let fill = |rows: &mut page::Rows<'_, &mut PngSink<'_>>| {
            let mut put = |(index, block): (usize, Vec<u8>)| {
                picture_done();
                let Cell { kept, corner, .. } = plan.cells[drawn[index]];
                let outer = 2 * plan.extrude;
                let size = [kept[2] + outer, kept[3] + outer];
                rows.place(&block, corner.map(|side| side - plan.extrude), size).map_err(failed)
            };
            let filled = self.stream(drawing, &in_order, &cut, &mut put);
            (matches!(filled, Ok(true)), filled)
        };
        let mut sink = PngSink::new(out, self.is_optimized, self.limits);
        let is_finished = page::write(&mut sink, [width, height], text, fill).map_err(failed)??;
        Ok(is_finished && sink.finish(self.cancelled).map_err(failed)?)
    }
}

impl SheetPlan {
    /// Returns the size of a page and the frames drawn on it. Fails if the page does not exist or was shrunk, or
    /// if the number of frames differs from the plan.
    pub(super) fn page(&self, page: usize, frames: usize) -> Result<([u32; 2], &[usize]), ExportError> {
        let misuse = |message| Err(Error::misuse("no-such-page", message).into());
        let (Some(&size), Some(drawn)) = (self.pages.get(page), self.drawn.get(page)) else {
            return misuse(format!("page {page} does not exist, the sheet has {}", self.pages.len()));
        };
        if frames != self.cells.len() {
            return misuse(format!("the sheet was planned for {} frames, found {frames}", self.cells.len()));
        }
        let lies_inside = |index: &usize| {
            let Cell { kept, corner, .. } = self.cells[*index];
            let end =
                |axis: usize| [corner[axis], kept[axis + 2], self.extrude].map(u64::from).iter().sum::<u64>();
            end(0) <= size[0].into() && end(1) <= size[1].into()
        };
        let is_small = size.iter().all(|side| *side <= SheetOptions::LARGEST);
        if !is_small || !drawn.iter().all(lies_inside) {
            let [width, height] = size;
            return misuse(format!("page {page} was planned with a different size than {width}×{height}"));
        }
        Ok((size, drawn))
    }
}

/// Returns the area kept of each of `count` frames of the size of `whole`.
fn kept(contents: &[Contents], count: usize, whole: [u32; 4], trim: SheetTrim) -> Vec<[u32; 4]> {
    // Empty frames keep one pixel, since programs need something to show.
    const NOTHING: [u32; 4] = [0, 0, 1, 1];
    match trim {
        SheetTrim::None => vec![whole; count],
        SheetTrim::Frame => contents.iter().map(|contents| contents.visible.unwrap_or(NOTHING)).collect(),
        SheetTrim::All => {
            let around = |a: [u32; 4], b: [u32; 4]| {
                let (left, top) = (a[0].min(b[0]), a[1].min(b[1]));
                let (right, bottom) = ((a[0] + a[2]).max(b[0] + b[2]), (a[1] + a[3]).max(b[1] + b[3]));
                [left, top, right - left, bottom - top]
            };
            let common = contents.iter().filter_map(|contents| contents.visible).reduce(around);
            vec![common.unwrap_or(NOTHING); count]
        }
    }
}
