//! Renders a page of a sheet in memory, downscaled if it is large, for previews.

use super::pixels;
use super::positions::{Cell, SheetPlan};
use crate::draw::Picture;
use crate::export::error::ExportError;
use crate::export::frames::{Drawing, Sequence};
use crate::motion::Cue;

impl Sequence<'_> {
    /// Renders a page with no side longer than `longest` pixels. Frames are rendered at the reduced size, and then
    /// without extrusion. Returns `None` if cancelled or if the page does not exist.
    ///
    /// # Errors
    ///
    /// Fails if the plan was not made from `cues`, and if rendering fails.
    pub fn sheet_page_picture(
        &self,
        drawing: &mut Drawing<'_>,
        cues: &[Cue],
        plan: &SheetPlan,
        page: usize,
        longest: u32,
    ) -> Result<Option<Picture>, ExportError> {
        if page >= plan.pages.len() {
            return Ok(None);
        }
        self.check_pixels()?;
        let (size, drawn) = plan.page(page, cues.len())?;
        let share = (f64::from(longest) / f64::from(size[0].max(size[1]).max(1))).min(1.0);
        let scaled = |side: u32| (f64::from(side) * share + 0.5) as u32;
        let view = match share < 1.0 {
            true => {
                let (width, height) = (scaled(self.view.width()).max(1), scaled(self.view.height()).max(1));
                // The upper-left corner is fixed, since frame positions scale by the same factor.
                self.view.resized(width, height, share as f32)
            }
            false => self.view,
        };
        let extrude = if share < 1.0 { 0 } else { plan.extrude };
        let surface = self.surface;
        let smaller = Sequence { view, ..*self };
        let in_order: Vec<&Cue> = drawn.iter().map(|&index| &cues[index]).collect();
        let cut = |index: usize, picture: &mut Picture| {
            surface.finish(picture);
            let Cell { kept, corner, .. } = plan.cells[drawn[index]];
            let [left, top] = [scaled(kept[0]).min(view.width() - 1), scaled(kept[1]).min(view.height() - 1)];
            let width = scaled(kept[2]).clamp(1, view.width() - left);
            let height = scaled(kept[3]).clamp(1, view.height() - top);
            let block = pixels::block(picture, [left, top, width, height], extrude, 0);
            Ok((corner.map(|side| scaled(side) - extrude), width + 2 * extrude, block))
        };
        let mut whole = Picture::default();
        whole.reset(scaled(size[0]).max(1), scaled(size[1]).max(1));
        let (across, down) = (whole.width() as usize, whole.height() as usize);
        let mut put = |([x, y], width, block): ([u32; 2], u32, Vec<u8>)| {
            let (x, width) = (x as usize, width as usize);
            // Rounding may cut off a row or a column.
            let kept = width.min(across.saturating_sub(x)) * 4;
            let rows = block.chunks_exact(width * 4).take(down.saturating_sub(y as usize));
            for (row, pixels) in rows.enumerate() {
                let start = ((y as usize + row) * across + x) * 4;
                if let Some(place) = whole.pixels_mut().get_mut(start..start + kept) {
                    place.copy_from_slice(&pixels[..kept]);
                }
            }
            Ok(())
        };
        let is_whole = smaller.stream(drawing, &in_order, &cut, &mut put)?;
        Ok(is_whole.then_some(whole))
    }
}
