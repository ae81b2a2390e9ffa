//! A contact sheet of several characters. Only one at a time has to be in memory.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use super::write::{Sheet, of_sheet, write_sheet};
use crate::export::encode::png::PngSink;
use crate::export::error::ExportError;
use crate::export::frames::{Drawing, Sequence};
use crate::export::options::{Background, ContactGrid, RenderOptions, Size, Template, Times};
use crate::export::plan::Plan;
use crate::export::plan::contact::{CONTACT_SHEET_SHARED, check_bytes, groups, overfull, shares, template};
use crate::export::plan::contact_layout::{CAPTION_LINES, Layout};
use crate::limits::Limits;
use crate::{Error, Result};

/// Width and height of a cell, unless a size or a scale is given: small and large characters are both legible.
const CELL: u32 = 160;

/// What one character adds to a [`SharedSheet`].
#[derive(Debug, Clone)]
pub struct SheetPart {
    /// Its name in the captions.
    name: String,
    /// Text of the cells that are not drawn.
    message: String,
    /// Width and height of its frames.
    frame: [u32; 2],
    /// The numbers of consecutive frames of the same animation.
    groups: Vec<usize>,
}

impl SheetPart {
    /// All pictures of `plan`.
    pub fn new(name: String, plan: &Plan) -> Self {
        let frame = [plan.view.width(), plan.view.height()];
        Self { name, message: "cannot be drawn".to_owned(), frame, groups: groups(&plan.pictures) }
    }

    /// One cell with a message, for a character that cannot be opened.
    pub fn failed(name: String, message: String) -> Self {
        Self { name, message, frame: [0, 0], groups: vec![1] }
    }

    fn cells(&self) -> usize {
        self.groups.iter().sum()
    }
}

impl RenderOptions {
    /// Returns true if several characters share one contact sheet: if nothing in the output path distinguishes them.
    pub fn shares_contact_sheet(&self) -> bool {
        self.contact_sheet().is_some() && !template(self).as_ref().is_some_and(Template::has_places)
    }

    /// Returns the options for each of `count` characters on one contact sheet. They have equal cells, unless a size or
    /// a scale is given, and each has its share of a grid whose frames are not selected.
    ///
    /// # Errors
    ///
    /// If there are more characters than cells.
    pub fn sharing_contact_sheet(&self, count: usize) -> Result<Vec<Self>> {
        let mut common = self.clone();
        if common.look.size == Size::Native && common.look.scale == 1.0 {
            common.look.size = Size::Exact(CELL, CELL);
        }
        let Some(grid) = self.contact_sheet() else { return Ok(vec![common; count]) };
        common.output.contact_sheet = Some(grid.with_any_rows());
        let (Some(cells), Times::Default) = (grid.cells(), self.subject.times()) else {
            return Ok(vec![common; count]);
        };
        let columns = grid.columns().map_or(1, |columns| columns as usize);
        let shares = shares(cells, columns, count).ok_or_else(|| {
            let message =
                format!("{count} characters are selected, but a contact sheet of {grid} has {cells} cells");
            Error::misuse(CONTACT_SHEET_SHARED, message)
        })?;
        let own = |cells: usize| {
            let grid = ContactGrid::new(columns.min(cells) as u32, None).with_cells(cells);
            let mut options = common.clone();
            options.output.contact_sheet = Some(grid);
            options
        };
        Ok(shares.into_iter().map(own).collect())
    }
}

/// A contact sheet of several characters. Each begins a row if there are enough rows, unless all have only one frame.
#[derive(Debug)]
pub struct SharedSheet {
    layout: Layout,
    parts: Vec<SheetPart>,
    background: Background,
    is_optimized: bool,
    limits: Limits,
}

impl SharedSheet {
    /// Arranges the cells of `parts`.
    ///
    /// # Errors
    ///
    /// If there are more frames than cells, or if the sheet takes more memory than allowed.
    pub fn new(options: &RenderOptions, parts: Vec<SheetPart>) -> Result<Self> {
        let grid = options.contact_sheet().unwrap_or_else(|| ContactGrid::new(1, None));
        let cells: Vec<usize> = parts.iter().map(SheetPart::cells).collect();
        let count = cells.iter().sum();
        if grid.cells().is_some_and(|cells| count > cells) {
            return Err(overfull(count, grid));
        }
        let animations: Vec<usize> = parts.iter().flat_map(|part| part.groups.iter().copied()).collect();
        let groups = match &cells[..] {
            all if all.iter().all(|cells| *cells <= 1) => vec![count],
            _ if grid.shape(&animations).1 => animations,
            _ => cells,
        };
        let side = |axis: usize| parts.iter().map(|part| part.frame[axis]).max().unwrap_or(0);
        let layout = Layout::new([side(0), side(1)], CAPTION_LINES + 1, grid, &groups);
        check_bytes(layout.size(), options)?;
        let is_optimized = options.output.optimize;
        let limits = of_sheet(&options.read.limits);
        Ok(Self { layout, parts, background: options.look.background.clone(), is_optimized, limits })
    }

    /// Writes the sheet as a PNG. `fill` draws the parts in order; the cells of those that it leaves out say that they
    /// cannot be drawn. `place` is the name of the file in errors. The inner result is the one of `fill`, or false if cancelled;
    /// the output is incomplete then.
    pub fn write<E>(
        &self,
        place: &str,
        out: &mut (dyn Write + Send),
        cancelled: &AtomicBool,
        fill: impl FnOnce(&mut SheetParts<'_, '_>) -> Result<(), E>,
    ) -> Result<Result<bool, E>, ExportError> {
        let mut sink = PngSink::new(out, self.is_optimized, &self.limits);
        let filled = write_sheet(&self.layout, &self.background, place, &mut sink, |sheet| {
            let mut parts = SheetParts { sheet, parts: &self.parts, limits: &self.limits };
            fill(&mut parts)?;
            parts.complete(self.parts.len());
            Ok(true)
        })?;
        match filled {
            Ok(_) => Ok(Ok(sink.finish(cancelled).map_err(|error| Error::io(place, error))?)),
            Err(error) => Ok(Err(error)),
        }
    }
}

/// The cells of a [`SharedSheet`] that is being written.
pub struct SheetParts<'a, 's> {
    sheet: &'a mut Sheet<'s>,
    parts: &'a [SheetPart],
    limits: &'a Limits,
}

impl SheetParts<'_, '_> {
    /// Draws the part with this number, after the ones before it. Returns false if cancelled.
    ///
    /// # Errors
    ///
    /// If drawing fails. The remaining cells of the part then say so.
    pub fn draw(
        &mut self,
        number: usize,
        sequence: &Sequence<'_>,
        drawing: &mut Drawing<'_>,
        plan: &Plan,
        picture_done: &(dyn Fn() + Sync),
    ) -> Result<bool, ExportError> {
        self.complete(number);
        // An error of the file is returned at the end: it is not the fault of this character.
        if self.sheet.written.is_err() {
            return Ok(true);
        }
        let name = self.parts.get(number).map(|part| &*part.name);
        let sequence = Sequence { limits: self.limits, ..*sequence };
        sequence.add_to_sheet(self.sheet, drawing, name, &plan.pictures, picture_done)
    }

    /// Puts messages into the cells of the first `count` parts that were not drawn.
    fn complete(&mut self, count: usize) {
        let mut end = 0;
        for part in self.parts.iter().take(count) {
            end += part.cells();
            while self.sheet.next < end && self.sheet.written.is_ok() {
                self.sheet.put_message(&part.message, std::slice::from_ref(&part.name));
            }
        }
    }
}
