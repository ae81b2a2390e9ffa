//! Where the frames of a sprite sheet lie on its pages, and which animation shows what is there.

use std::sync::Arc;

use super::state::State;
use crate::character::Character;
use crate::math::{Rect, Vec2, vec2};
use crate::model::{AnimationId, Attachment, AttachmentId, Mesh, Order, PageId, Strip, Vertices};
use crate::motion::{Flipbook, Motion};

/// What the window shows of a sheet beside the canvas.
#[derive(Debug)]
pub struct SheetPanel {
    /// It is there, where there is room for it.
    pub is_shown: bool,
    /// The number of the page that is shown.
    pub page: usize,
    /// The page of the frame that was shown last: where that changes the panel follows.
    pub followed: Option<PageId>,
    /// Of the character that is shown, once it was asked for.
    book: Option<Arc<Book>>,
}

impl Default for SheetPanel {
    fn default() -> Self {
        Self { is_shown: true, page: 0, followed: None, book: None }
    }
}

impl State {
    /// Where the frames of the shown sheet are; `None` for any other character.
    pub fn book(&mut self) -> Option<Arc<Book>> {
        let character = self.loaded().map(|loaded| Arc::clone(&loaded.character));
        let is_known = |book: &Arc<Book>| character.as_ref().is_some_and(|of| Arc::ptr_eq(of, book.character()));
        if !self.sheet.book.as_ref().is_some_and(is_known) {
            let SheetPanel { book, page, followed, .. } = &mut self.sheet;
            *book = character.as_ref().and_then(Book::of).map(Arc::new);
            (*page, *followed) = (0, None);
        }
        self.sheet.book.clone()
    }
}

/// The frames of a sheet on their pages.
#[derive(Debug)]
pub struct Book {
    character: Arc<Character>,
    /// By attachment.
    frames: Vec<Option<OnPage>>,
}

/// Where a frame is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnPage {
    /// On which page.
    pub page: PageId,
    /// In pixels of it, from its upper-left corner, y down.
    pub rect: Rect,
}

impl Book {
    /// The book of a sheet that has pictures; `None` for any other character.
    pub fn of(character: &Arc<Character>) -> Option<Self> {
        let model = character.model();
        let (Motion::Flipbook(_), false) = (character.motion(), model.pages().is_empty()) else { return None };
        let place = |attachment: &Attachment| {
            let mesh = attachment.mesh()?;
            let page = mesh.page?;
            let size = model.pages().get(page.index()).map(|page| vec2(page.width as f32, page.height as f32))?;
            Some(OnPage { page, rect: corners(mesh, size)? })
        };
        let frames = model.attachments().iter().map(place).collect();
        Some(Self { character: Arc::clone(character), frames })
    }

    /// Whose book it is.
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// Where a frame is; `None` where nothing of it is on any page.
    pub fn place(&self, frame: AttachmentId) -> Option<OnPage> {
        self.frames.get(frame.index()).copied().flatten()
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// True where there are none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The middle of the frame on a page that follows `frame` or precedes it in the file and that some animation shows;
    /// frames at one place count once.
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

    /// The first frame at `point` of a page.
    pub fn frame_at(&self, page: usize, point: Vec2) -> Option<AttachmentId> {
        self.character.model().attachment_ids().find(|&frame| self.is_at(frame, page, point))
    }

    /// Which animation shows what is at `point` of a page, and in which stored frame: `current` where that does, else
    /// the first one that does. Several frames may lie in one place.
    pub fn shown_at(&self, page: usize, point: Vec2, current: Option<AnimationId>) -> Option<(AnimationId, u32)> {
        let Motion::Flipbook(book) = self.character.motion() else { return None };
        let entries: Vec<u32> = (0..)
            .zip(book.pictures())
            .filter(|(_, frame)| self.is_at(**frame, page, point))
            .map(|(entry, _)| entry)
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

    /// The first stored frame of an animation that shows one of `entries`.
    fn step(&self, book: &Flipbook, id: AnimationId, entries: &[u32]) -> Option<u32> {
        let strip = book.strip(id.index())?;
        let count = self.character.model().animation(id).frame_count();
        entries.iter().filter_map(|&entry| first_step(strip, entry)).filter(|&step| step < count).min()
    }
}

/// The first step of a strip that shows an entry. On its first way it comes past each.
fn first_step(strip: Strip, entry: u32) -> Option<u32> {
    let step = entry.checked_sub(strip.first()).filter(|&step| step < strip.count())?;
    Some(match strip.order() {
        Order::Forward | Order::PingPong => step,
        Order::Reverse | Order::PingPongReverse => strip.count() - 1 - step,
    })
}

/// The rectangle that a mesh shows of its page, in whole pixels.
fn corners(mesh: &Mesh, size: Vec2) -> Option<Rect> {
    let mut rect = Rect::NOTHING;
    let mut add = |uv: Vec2| {
        // Coordinates are nudged by less than a hundredth of a pixel.
        rect = rect.include((uv * size + 0.5).floor());
    };
    match &mesh.vertices {
        Vertices::Skin4(vertices) => vertices.iter().for_each(|vertex| add(vertex.uv)),
        Vertices::SkinN(vertices) => vertices.iter().for_each(|vertex| add(vertex.uv)),
    }
    (!rect.is_empty()).then_some(rect)
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
