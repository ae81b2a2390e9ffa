//! Determines which slots a clip mask applies to: every slot drawn after its own, up to and including its end
//! slot.
//!
//! Only one mask is active at a time: a second one inside is ignored. A mask whose end slot is drawn before it, or is
//! its own slot, applies until the end of the list.

use super::{Command, Mask};
use crate::model::{Model, SlotId};

/// Tracks the active mask while the slots are visited back to front.
#[derive(Default)]
pub struct Clip {
    active: Option<Active>,
}

struct Active {
    mask: Mask,
    end: Option<SlotId>,
    /// True once the mask was added to the list. A mask that clips nothing is never added.
    is_begun: bool,
}

impl Clip {
    pub fn is_active(&self) -> bool {
        self.active.is_some()
    }

    /// Starts clipping with `mask`.
    pub fn begin(&mut self, mask: Mask, end: Option<SlotId>) {
        self.active = Some(Active { mask, end, is_begun: false });
    }

    /// Called before something is drawn.
    pub fn draws(&mut self, commands: &mut Vec<Command>) {
        if let Some(active) = self.active.as_mut().filter(|active| !active.is_begun) {
            active.is_begun = true;
            commands.push(Command::ClipBegin(active.mask));
        }
    }

    /// Called after `slot`, whatever it showed.
    pub fn passes(&mut self, model: &Model, slot: SlotId, commands: &mut Vec<Command>) {
        if self.active.as_ref().is_some_and(|active| model.ends_mask(active.end, slot)) {
            self.end(commands);
        }
    }

    /// Stops clipping.
    pub fn end(&mut self, commands: &mut Vec<Command>) {
        if self.active.take().is_some_and(|active| active.is_begun) {
            commands.push(Command::ClipEnd);
        }
    }
}
