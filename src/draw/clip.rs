//! Which slots a clip mask cuts: from behind its own place in the draw order up to its last slot, that one included.
//!
//! One mask at a time: a second one inside is none. A mask whose last slot is drawn before it, or is its own, ends
//! with the list.

use super::{Command, Mask};
use crate::model::SlotId;

/// Goes through the slots back to front.
#[derive(Default)]
pub struct Clip {
    active: Option<Active>,
}

struct Active {
    mask: Mask,
    end: Option<SlotId>,
    /// Whether it stands in the list: a mask that cuts nothing does not.
    is_begun: bool,
}

impl Clip {
    pub fn is_active(&self) -> bool {
        self.active.is_some()
    }

    /// Cuts what follows.
    pub fn begin(&mut self, mask: Mask, end: Option<SlotId>) {
        self.active = Some(Active { mask, end, is_begun: false });
    }

    /// Something is drawn next.
    pub fn draws(&mut self, commands: &mut Vec<Command>) {
        if let Some(active) = self.active.as_mut().filter(|active| !active.is_begun) {
            active.is_begun = true;
            commands.push(Command::ClipBegin(active.mask));
        }
    }

    /// `slot` is over, whatever it showed.
    pub fn passes(&mut self, slot: SlotId, commands: &mut Vec<Command>) {
        if self.active.as_ref().is_some_and(|active| active.end == Some(slot)) {
            self.end(commands);
        }
    }

    /// Nothing follows, or nothing that is cut.
    pub fn end(&mut self, commands: &mut Vec<Command>) {
        if self.active.take().is_some_and(|active| active.is_begun) {
            commands.push(Command::ClipEnd);
        }
    }
}
