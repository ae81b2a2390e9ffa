//! Frames and captions → one PNG, written row by row.

use crate::export::plan::{CONTACT_SHEET_FULL, CONTACT_SHEET_TOO_LARGE, Planned};
use std::io;

use super::caption::{Typesetter, lines, paper};
use crate::Error;
use crate::draw::Picture;
use crate::export::encode::destination::Destination;
use crate::export::encode::png::PngSink;
use crate::export::encode::sheet::page;
use crate::export::error::ExportError;
use crate::export::frames::{Drawing, Sequence};
use crate::export::options::{Background, ContactGrid};
use crate::export::plan::contact::groups;
use crate::export::plan::contact_layout::{CAPTION_LINES, Layout};
use crate::limits::Limits;
use crate::motion::Cue;

/// A contact sheet.
#[derive(Debug, Clone, Copy)]
pub struct ContactSheet<'a> {
    /// The grid; it must have a cell for each picture.
    pub grid: ContactGrid,
    /// The pictures, in the order of the cells: row by row.
    pub pictures: &'a [Planned],
}

impl Sequence<'_> {
    /// Renders a contact sheet and writes it as a PNG, without flushing it. Frames have the same pixels as in files
    /// of their own. Returns false if cancelled; the output is incomplete then.
    ///
    /// # Errors
    ///
    /// Fails if there are more pictures than cells, and if rendering or writing fails.
    pub(crate) fn write_contact_sheet(
        &self,
        drawing: &mut Drawing<'_>,
        ContactSheet { grid, pictures }: ContactSheet<'_>,
        Destination { place, out, picture_done }: Destination<'_>,
    ) -> Result<bool, ExportError> {
        self.check_pixels()?;
        if grid.cells().is_some_and(|cells| pictures.len() > cells) {
            let message = format!("{} pictures do not fit into a contact sheet of {grid}", pictures.len());
            return Err(Error::misuse(CONTACT_SHEET_FULL, message).into());
        }
        let layout = Layout::new(self.frame_size(), CAPTION_LINES, grid, &groups(pictures));
        let limits = of_sheet(self.limits);
        let sequence = Sequence { limits: &limits, ..*self };
        let mut sink = PngSink::new(out, self.is_optimized, self.limits);
        let is_finished = write_sheet(&layout, self.background, place, &mut sink, |sheet| {
            sequence.add_to_sheet(sheet, drawing, None, pictures, picture_done)
        })??;
        Ok(is_finished && sink.finish(self.cancelled).map_err(|error| Error::io(place, error))?)
    }

    /// Draws the next cells of a sheet. Returns false if cancelled.
    pub(in crate::export) fn add_to_sheet(
        &self,
        sheet: &mut Sheet<'_>,
        drawing: &mut Drawing<'_>,
        name: Option<&str>,
        pictures: &[Planned],
        picture_done: &(dyn Fn() + Sync),
    ) -> Result<bool, ExportError> {
        self.check_pixels()?;
        let cues: Vec<&Cue> = pictures.iter().map(|picture| &picture.cue).collect();
        let finish = |_: usize, picture: &mut Picture| {
            self.surface.finish(picture);
            Ok(picture.pixels().to_vec())
        };
        let mut waiting = pictures.iter();
        let mut put = |frame: Vec<u8>| {
            picture_done();
            if let Some(picture) = waiting.next() {
                let caption = lines(name, self.character.model(), picture, sheet.layout.text_columns());
                sheet.put(&frame, self.frame_size(), &caption);
            }
            Ok(())
        };
        self.stream(drawing, &cues, &finish, &mut put)
    }

    fn frame_size(&self) -> [u32; 2] {
        [self.view.width(), self.view.height()]
    }
}

/// Returns limits for the frames of a sheet, which together may use as much as one picture.
pub fn of_sheet(limits: &Limits) -> Limits {
    limits.shared_by("the contact sheet", 1)
}

/// Writes a sheet whose cells are put in order by `fill`; the remaining ones stay empty. The inner result is the one of
/// `fill`, which is false if cancelled; the output is incomplete then.
pub fn write_sheet<E>(
    layout: &Layout,
    background: &Background,
    place: &str,
    out: &mut (dyn io::Write + Send),
    fill: impl FnOnce(&mut Sheet<'_>) -> Result<bool, E>,
) -> Result<Result<bool, E>, ExportError> {
    let size = layout.size().map(|side| u32::try_from(side).ok().filter(|side| *side <= i32::MAX as u32));
    let [Some(width), Some(height)] = size else {
        let [width, height] = layout.size();
        let message = format!("a PNG cannot have {width}×{height} pixels");
        return Err(Error::misuse(CONTACT_SHEET_TOO_LARGE, message).into());
    };
    let paper = paper(background);
    let written = page::write(&mut *out, [width, height], None, |rows| {
        let mut sheet = Sheet {
            place: &mut |block, corner, size| rows.place(block, corner, size),
            layout,
            paper,
            width,
            typesetter: Typesetter::new(paper),
            captions: Vec::new(),
            next: 0,
            written: Ok(()),
        };
        let filled = fill(&mut sheet);
        let finished = if matches!(filled, Ok(true)) { sheet.finish() } else { sheet.written };
        (finished.is_ok() && matches!(filled, Ok(true)), finished.map(|()| filled))
    });
    written.and_then(|filled| filled).map_err(|error| ExportError::File(Error::io(place, error)))
}

/// Places a block of pixels with its upper-left corner and its size.
type Place<'a> = &'a mut (dyn FnMut(&[u8], [u32; 2], [u32; 2]) -> io::Result<()> + Send);

/// A sheet being written, from top to bottom.
pub struct Sheet<'a> {
    place: Place<'a>,
    pub layout: &'a Layout,
    paper: [u8; 4],
    width: u32,
    typesetter: Typesetter,
    /// The captions of the current row.
    captions: Vec<Picture>,
    /// The number of the next frame.
    pub next: usize,
    /// The first error. After it, nothing is written.
    pub written: io::Result<()>,
}

impl Sheet<'_> {
    /// Puts a frame of this size into the next cell, before it the empty band of its row, and after the last frame of a
    /// row the captions.
    pub fn put(&mut self, frame: &[u8], size: [u32; 2], lines: &[String]) {
        let caption = self.typesetter.caption(self.layout, lines);
        self.put_cell(frame, size, caption);
    }

    /// Puts a message into the next cell.
    pub fn put_message(&mut self, text: &str, lines: &[String]) {
        let message = self.typesetter.message(self.layout, text);
        let caption = self.typesetter.caption(self.layout, lines);
        self.put_cell(message.pixels(), [message.width(), message.height()], caption);
    }

    fn put_cell(&mut self, frame: &[u8], size: [u32; 2], caption: Picture) {
        if self.written.is_ok() {
            self.written = self.place_cell(frame, size, caption);
        }
    }

    fn place_cell(&mut self, frame: &[u8], [width, height]: [u32; 2], caption: Picture) -> io::Result<()> {
        let Some([column, row]) = self.layout.cell(self.next) else { return Ok(()) };
        self.next += 1;
        if column == 0 {
            self.band(row)?;
        }
        let Layout { frame: [_, room], cell_width, .. } = *self.layout;
        let left = self.layout.left(column) + cell_width.saturating_sub(width) / 2;
        // Blocks have to be placed in the order of their upper edges, so a low frame is filled up.
        let above = room.saturating_sub(height) / 2;
        if above > 0 {
            let mut whole = self.paper.repeat(width as usize * above as usize);
            whole.extend_from_slice(frame);
            (self.place)(&whole, [left, self.layout.top(row)], [width, above + height])?;
        } else {
            (self.place)(frame, [left, self.layout.top(row)], [width, height])?;
        }
        self.captions.push(caption);
        let is_last = self.layout.cell(self.next).is_none_or(|[_, next]| next != row);
        if is_last { self.place_captions(row) } else { Ok(()) }
    }

    /// Places the captions of a row.
    fn place_captions(&mut self, row: usize) -> io::Result<()> {
        let top = self.layout.top(row) + self.layout.frame[1];
        for (column, caption) in self.captions.drain(..).enumerate() {
            let size = [caption.width(), caption.height()];
            (self.place)(caption.pixels(), [self.layout.left(column), top], size)?;
        }
        Ok(())
    }

    /// Fills the rows without frames, and the gap below the last row.
    fn finish(mut self) -> io::Result<()> {
        self.written?;
        self.written = Ok(());
        for row in self.layout.used_rows()..self.layout.rows() {
            self.band(row)?;
        }
        let Layout { gap, .. } = *self.layout;
        self.fill(self.layout.top(self.layout.rows()) - gap, gap)
    }

    /// Fills a row of cells and the gap above it.
    fn band(&mut self, row: usize) -> io::Result<()> {
        let Layout { frame: [_, height], caption_height, gap, .. } = *self.layout;
        self.fill(self.layout.top(row) - gap, gap + height + caption_height)
    }

    fn fill(&mut self, top: u32, height: u32) -> io::Result<()> {
        let pixels = self.paper.repeat(self.width as usize * height as usize);
        (self.place)(&pixels, [0, top], [self.width, height])
    }
}
