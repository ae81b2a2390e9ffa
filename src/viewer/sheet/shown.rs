//! The frames of the shown sprite sheet.

use std::sync::Arc;

use super::sheet_layout::{Book, SheetPanel};
use crate::viewer::app::state::State;

impl State {
    /// Returns true if the current character is a sprite sheet, as of the last call of [`Self::book`].
    pub fn has_book(&self) -> bool {
        self.sheet.book.is_some()
    }

    /// Returns the frame positions of the current sheet, or `None` if the character is not a sprite sheet.
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
