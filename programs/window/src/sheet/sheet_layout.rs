//! The positions of a sprite sheet's frames on its pages, and the animations that show them.

use std::sync::Arc;

use crate::scene::on_page::{OnPage, on_page};
use crate::sheet::grid::GridChoice;
use pchr::Character;
use pchr::math::{Rect, Vec2};
use pchr::model::{AnimationId, AttachmentId, Order, PageId, Strip};
use pchr::motion::{Flipbook, Motion};

/// State of the sheet panel beside the canvas.
#[derive(Debug)]
pub struct SheetPanel {
    /// The grid of a picture without a description.
    pub grid: GridChoice,
    /// True if the panel is shown, provided that the window is wide enough.
    pub is_shown: bool,
    /// Its width in points.
    pub width: f32,
    /// Index of the displayed page.
    pub page: usize,
    /// Page of the frame that was last shown; the panel follows it when it changes.
    pub followed: Option<PageId>,
    /// The layout of the current character, found on first use.
    layout: Option<Arc<SheetLayout>>,
}

impl Default for SheetPanel {
    fn default() -> Self {
        Self {
            grid: GridChoice::default(),
            is_shown: true,
            width: Self::WIDTH,
            page: 0,
            followed: None,
            layout: None,
        }
    }
}

impl SheetPanel {
    /// The width in points until the user drags the edge.
    pub const WIDTH: f32 = 300.0;

    /// Returns true if the current character is a sprite sheet, as of the last call of [`Self::layout`].
    pub fn has_layout(&self) -> bool {
        self.layout.is_some()
    }

    /// Returns the frame positions of the current sheet, or `None` if the character is not a sprite sheet.
    pub fn layout(&mut self, character: Option<&Arc<Character>>) -> Option<Arc<SheetLayout>> {
        let is_known = |layout: &Arc<SheetLayout>| character.is_some_and(|of| Arc::ptr_eq(of, layout.character()));
        if !self.layout.as_ref().is_some_and(is_known) {
            self.layout = character.and_then(SheetLayout::of).map(Arc::new);
            (self.page, self.followed) = (0, None);
        }
        self.layout.clone()
    }
}

/// The frames of a sheet on their pages.
#[derive(Debug)]
pub struct SheetLayout {
    character: Arc<Character>,
    /// Indexed by attachment.
    frames: Vec<Option<OnPage>>,
}

impl SheetLayout {
    /// Returns the layout of a sheet with pages, or `None` for any other character.
    pub fn of(character: &Arc<Character>) -> Option<Self> {
        let model = character.model();
        let (Motion::Flipbook(_), false) = (character.motion(), model.pages().is_empty()) else { return None };
        let frames = model.attachments().iter().map(|frame| on_page(model, frame)).collect();
        Some(Self { character: Arc::clone(character), frames })
    }

    /// Returns the character that the layout belongs to.
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// Returns the position of a frame, or `None` if it is not on any page.
    pub fn place(&self, frame: AttachmentId) -> Option<OnPage> {
        self.frames.get(frame.index()).copied().flatten()
    }

    /// Returns the number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Returns the centre of the next or previous frame, in file order, that lies on `page` and is shown by some
    /// animation. Frames at the same position count once.
    pub fn neighbour(&self, page: usize, frame: Option<AttachmentId>, is_next: bool) -> Option<Vec2> {
        let from = frame.and_then(|frame| self.place(frame));
        let at = frame.map_or(0, |frame| frame.index());
        let middle = |other: &Option<OnPage>| {
            let place = other.filter(|place| place.page.index() == page)?;
            let middle = (place.rect.min + place.rect.max) * 0.5;
            (from != Some(place) && self.shown_at(page, middle, None).is_some()).then_some(middle)
        };
        let (before, after) = self.frames.split_at_checked(at)?;
        if is_next { after.iter().find_map(middle) } else { before.iter().rev().find_map(middle) }
    }

    /// Returns the first frame that covers `point` of a page.
    pub fn frame_at(&self, page: usize, point: Vec2) -> Option<AttachmentId> {
        self.character.model().attachment_ids().find(|&frame| self.is_at(frame, page, point))
    }

    /// Returns an animation that shows the frame at `point` of a page, and the stored frame in which it does.
    /// Prefers `current`, then the first animation in file order. Several frames may share a position.
    pub fn shown_at(&self, page: usize, point: Vec2, current: Option<AnimationId>) -> Option<(AnimationId, u32)> {
        let Motion::Flipbook(book) = self.character.motion() else { return None };
        let entries: Vec<u32> = (0u32..)
            .take(book.pictures().len())
            .filter(|&entry| book.layers_of(entry as usize).flatten().any(|frame| self.is_at(frame, page, point)))
            .collect();
        let others = self.character.model().animation_ids().filter(|&id| Some(id) != current);
        current.into_iter().chain(others).find_map(|id| Some((id, self.step(book, id, &entries)?)))
    }

    fn is_at(&self, frame: AttachmentId, page: usize, point: Vec2) -> bool {
        self.place(frame).is_some_and(|place| {
            let Rect { min, max } = place.rect;
            place.page.index() == page
                && point.x >= min.x
                && point.y >= min.y
                && point.x < max.x
                && point.y < max.y
        })
    }

    /// Returns the first stored frame of an animation that shows one of `entries`.
    fn step(&self, book: &Flipbook, id: AnimationId, entries: &[u32]) -> Option<u32> {
        let strip = book.strip(id.index())?;
        let count = self.character.model().animation(id).frame_count();
        entries.iter().filter_map(|&entry| first_step(strip, entry)).filter(|&step| step < count).min()
    }
}

/// Returns the first step of a strip that shows `entry`. The first pass visits every entry.
fn first_step(strip: Strip, entry: u32) -> Option<u32> {
    let step = entry.checked_sub(strip.first()).filter(|&step| step < strip.count())?;
    Some(match strip.order() {
        Order::Forward | Order::PingPong => step,
        Order::Reverse | Order::PingPongReverse => strip.count() - 1 - step,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_shows_the_entry() {
        for order in [Order::Forward, Order::Reverse, Order::PingPong, Order::PingPongReverse] {
            let strip = Strip::new(3, 4, order);
            for entry in 0..10 {
                let expected = (0..strip.period()).find(|&step| strip.entry(step) == entry);
                let found = first_step(strip, entry as u32).map(u64::from);
                assert_eq!(found, expected, "{order:?}, entry {entry}");
            }
        }
    }
}
