//! Many frames → one picture, or a few, and where each frame is in them.
//!
//! First [`Sequence::plan_sheet`] finds out where every frame goes. Only trimming and merging need to see the
//! frames for that: they are drawn, looked at and forgotten. Then [`Sequence::write_sheet_page`] draws them in the
//! order in which they lie on a page and writes it row after row, so that no page is ever in memory as a whole.

mod describe;
mod files;
mod layout;
mod names;
mod options;
mod pack;
mod page;
mod pixels;
mod preview;

use std::collections::HashMap;
use std::io::Write;

use super::{Destination, Drawing, ExportError, Sequence};
use crate::draw::Picture;
use crate::error::Error;
use crate::motion::Cue;

pub use describe::{SheetClip, SheetFiles, describe};
pub use files::{PlannedSheet, SEVERAL_PAGES, SheetFile, SheetJob, SheetKind};
pub use layout::SheetLayout;
pub use names::{SheetName, SheetNameError, SheetValues};
pub use options::{SheetDurations, SheetOptions, SheetProfile, SheetTrim};

use layout::{Room, arrange};
use pixels::Seen;

/// Where every frame of a sheet goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetPlan {
    /// Width and height of each page.
    pub pages: Vec<[u32; 2]>,
    /// By frame.
    cells: Vec<Cell>,
    /// By page: the frames that are drawn on it, from top to bottom.
    drawn: Vec<Vec<usize>>,
    extrude: u32,
    bleed: u32,
}

/// Where one frame goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cell {
    /// Left, top, width and height of what is kept of it.
    kept: [u32; 4],
    page: usize,
    /// The upper-left corner there, without what is extruded.
    corner: [u32; 2],
}

impl Sequence<'_> {
    /// Finds out where the frames of `cues` go. `None` when it was cancelled.
    ///
    /// Refuses a sheet without frames, frames without pixels, and options beyond their limits.
    pub fn plan_sheet(
        &self,
        drawing: &mut Drawing<'_>,
        cues: &[Cue],
        options: &SheetOptions,
        worked: &(dyn Fn() + Sync),
    ) -> Result<Option<SheetPlan>, ExportError> {
        options.check(cues.len())?;
        self.check_pixels()?;
        self.check(drawing.as_cpu(), cues)?;
        if cues.is_empty() {
            return Err(Error::misuse("nothing-to-write", "a sheet has at least one frame").into());
        }
        let whole = [0, 0, self.view.width(), self.view.height()];
        let mut seen = Vec::new();
        if options.looks_first() {
            let look = |_: usize, picture: &mut Picture| {
                self.surface.finish(picture);
                Ok(Seen::of(picture, options.trim == SheetTrim::Frame))
            };
            let mut keep = |found: Seen| {
                worked();
                seen.push(found);
                Ok(())
            };
            if !self.stream(drawing, cues, &look, &mut keep)? {
                return Ok(None);
            }
        }
        let kept = kept(&seen, cues.len(), whole, options.trim);
        // By frame the one that is drawn for it.
        let mut known = HashMap::new();
        let first = |index: usize| match seen.get(index) {
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
        };
        let layout = arrange(&sizes, options.layout, options.columns, room).map_err(ExportError::File)?;
        let mut cells = vec![Cell::default(); cues.len()];
        let mut by_page = vec![Vec::new(); layout.pages.len()];
        for (&index, &(page, corner)) in drawn.iter().zip(&layout.places) {
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

    /// Draws a page and writes it as a PNG, which it does not flush; `text` says in it how the frames lie. Returns
    /// false when it was cancelled: what was written is no whole file.
    ///
    /// Refuses a page that the plan does not have, and a plan that is not one of `cues`.
    pub fn write_sheet_page(
        &self,
        drawing: &mut Drawing<'_>,
        cues: &[Cue],
        plan: &SheetPlan,
        page: usize,
        text: Option<&str>,
        Destination { place, out, worked }: Destination<'_>,
    ) -> Result<bool, ExportError> {
        let ([width, height], drawn) = plan.page(page, cues.len())?;
        let failed = |error| ExportError::File(Error::io(place, error));
        let in_order: Vec<&Cue> = drawn.iter().map(|&index| &cues[index]).collect();
        let cut = |index: usize, picture: &mut Picture| {
            self.surface.finish(picture);
            Ok((index, pixels::block(picture, plan.cells[drawn[index]].kept, plan.extrude, plan.bleed)))
        };
        let fill = |rows: &mut page::Rows<'_, &mut (dyn Write + Send)>| {
            let mut put = |(index, block): (usize, Vec<u8>)| {
                worked();
                let Cell { kept, corner, .. } = plan.cells[drawn[index]];
                let outer = 2 * plan.extrude;
                let size = [kept[2] + outer, kept[3] + outer];
                rows.place(&block, corner.map(|side| side - plan.extrude), size).map_err(failed)
            };
            self.stream(drawing, &in_order, &cut, &mut put)
        };
        page::write(&mut *out, [width, height], text, fill).map_err(failed)?
    }
}

impl SheetPlan {
    /// The size of a page and the frames that are drawn on it. Refuses a page that does not exist or was made smaller, and
    /// another number of frames than was planned.
    fn page(&self, page: usize, frames: usize) -> Result<([u32; 2], &[usize]), ExportError> {
        let misuse = |message| Err(Error::misuse("no-such-page", message).into());
        let (Some(&size), Some(drawn)) = (self.pages.get(page), self.drawn.get(page)) else {
            return misuse(format!("page {page} does not exist, the sheet has {}", self.pages.len()));
        };
        if frames != self.cells.len() {
            return misuse(format!("the sheet was planned for {} frames, not {frames}", self.cells.len()));
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
            return misuse(format!("page {page} was planned with another size than {width}×{height}"));
        }
        Ok((size, drawn))
    }
}

/// What is kept of each of `count` frames of the size of `whole`.
fn kept(seen: &[Seen], count: usize, whole: [u32; 4], trim: SheetTrim) -> Vec<[u32; 4]> {
    // Something must be there for programs to show.
    const NOTHING: [u32; 4] = [0, 0, 1, 1];
    match trim {
        SheetTrim::None => vec![whole; count],
        SheetTrim::Frame => seen.iter().map(|seen| seen.visible.unwrap_or(NOTHING)).collect(),
        SheetTrim::All => {
            let around = |a: [u32; 4], b: [u32; 4]| {
                let (left, top) = (a[0].min(b[0]), a[1].min(b[1]));
                let (right, bottom) = ((a[0] + a[2]).max(b[0] + b[2]), (a[1] + a[3]).max(b[1] + b[3]));
                [left, top, right - left, bottom - top]
            };
            let common = seen.iter().filter_map(|seen| seen.visible).reduce(around);
            vec![common.unwrap_or(NOTHING); count]
        }
    }
}
