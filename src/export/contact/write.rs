//! Frames and captions → one PNG, written row by row.

use std::io::Write;

use super::ContactGrid;
use super::caption::{lines, paper};
use super::fill::groups;
use super::layout::Layout;
use crate::Error;
use crate::draw::Picture;
use crate::export::sheet::page::{self, Rows};
use crate::export::{Destination, Drawing, ExportError, Planned, Sequence};
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
        let cues: Vec<&Cue> = pictures.iter().map(|picture| &picture.cue).collect();
        self.check(drawing.as_cpu(), cues.iter().copied())?;
        let layout = Layout::new(&self.view, grid, &groups(pictures));
        let size = layout.size().map(|side| u32::try_from(side).ok().filter(|side| *side <= i32::MAX as u32));
        let [Some(width), Some(height)] = size else {
            let [width, height] = layout.size();
            let message = format!("a PNG cannot have {width}×{height} pixels");
            return Err(Error::misuse(super::CONTACT_SHEET_TOO_LARGE, message).into());
        };
        if grid.cells().is_some_and(|cells| pictures.len() > cells) {
            let message = format!("{} pictures do not fit into a contact sheet of {grid}", pictures.len());
            return Err(Error::misuse(super::CONTACT_SHEET_FULL, message).into());
        }
        // Drawn in advance, as the renderer is busy while frames are written.
        let Some(captions) = self.captions(drawing, &layout, pictures)? else { return Ok(false) };
        let failed = |error| ExportError::File(Error::io(place, error));
        let finish = |_: usize, picture: &mut Picture| {
            self.surface.finish(picture);
            Ok(picture.pixels().to_vec())
        };
        let fill = |rows: &mut Rows<'_, &mut (dyn Write + Send)>| {
            let paper = paper(self.surface.background);
            let mut sheet = Sheet { rows, layout: &layout, captions: &captions, first: 0, paper, width };
            let mut next = 0;
            let mut put = |frame: Vec<u8>| {
                picture_done();
                next += 1;
                sheet.put(next - 1, &frame).map_err(failed)
            };
            let is_finished = self.stream(drawing, &cues, &finish, &mut put)?;
            sheet.finish().map_err(failed)?;
            Ok(is_finished)
        };
        page::write(&mut *out, [width, height], None, fill).map_err(failed)?
    }

    /// Draws the captions of all pictures. Returns `None` if cancelled.
    fn captions(
        &self,
        drawing: &mut Drawing<'_>,
        layout: &Layout,
        pictures: &[Planned],
    ) -> Result<Option<Vec<Picture>>, ExportError> {
        let mut captions = Vec::with_capacity(pictures.len());
        for picture in pictures {
            if self.is_cancelled() {
                return Ok(None);
            }
            let lines = lines(self.character.model(), picture, layout.text_columns());
            captions.push(self.caption(drawing, layout, &lines)?);
        }
        Ok(Some(captions))
    }
}

/// A sheet being written, from top to bottom.
struct Sheet<'a, 'b, W: Write> {
    rows: &'a mut Rows<'b, W>,
    layout: &'a Layout,
    captions: &'a [Picture],
    /// The first frame of the current row.
    first: usize,
    paper: [u8; 4],
    width: u32,
}

impl<W: Write> Sheet<'_, '_, W> {
    /// Places the next frame, before it the empty band of its row, and after the last frame of a row its captions.
    fn put(&mut self, index: usize, frame: &[u8]) -> std::io::Result<()> {
        let Some([column, row]) = self.layout.cell(index) else { return Ok(()) };
        if column == 0 {
            self.first = index;
            self.band(row)?;
        }
        let Layout { frame: [width, height], cell_width, .. } = *self.layout;
        let left = self.layout.left(column) + (cell_width - width) / 2;
        self.rows.place(frame, [left, self.layout.top(row)], [width, height])?;
        let is_last = self.layout.cell(index + 1).is_none_or(|[_, next]| next != row);
        if is_last { self.put_captions(row, index) } else { Ok(()) }
    }

    /// Places the captions of a row, up to that of the frame `last`.
    fn put_captions(&mut self, row: usize, last: usize) -> std::io::Result<()> {
        let top = self.layout.top(row) + self.layout.frame[1];
        for (column, caption) in self.captions[self.first..=last].iter().enumerate() {
            let size = [caption.width(), caption.height()];
            self.rows.place(caption.pixels(), [self.layout.left(column), top], size)?;
        }
        Ok(())
    }

    /// Fills the rows without frames, and the gap below the last row.
    fn finish(&mut self) -> std::io::Result<()> {
        for row in self.layout.used_rows()..self.layout.rows() {
            self.band(row)?;
        }
        let Layout { gap, .. } = *self.layout;
        self.fill(self.layout.top(self.layout.rows()) - gap, gap)
    }

    /// Fills a row of cells and the gap above it.
    fn band(&mut self, row: usize) -> std::io::Result<()> {
        let Layout { frame: [_, height], caption_height, gap, .. } = *self.layout;
        self.fill(self.layout.top(row) - gap, gap + height + caption_height)
    }

    fn fill(&mut self, top: u32, height: u32) -> std::io::Result<()> {
        let pixels = self.paper.repeat(self.width as usize * height as usize);
        self.rows.place(&pixels, [0, top], [self.width, height])
    }
}
