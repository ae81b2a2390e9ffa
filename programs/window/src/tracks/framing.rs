//! What the view fits while the strip of tracks is shown: it stays when animations are put on tracks.

use std::sync::{Arc, Weak};

use pchr::math::Rect;
use pchr::model::SkinId;
use pchr::{Animator, Character};

/// The rectangle that the view fits, in world pixels, and what it belongs to.
#[derive(Debug, Default)]
pub struct Framing(Option<(Weak<Character>, Vec<SkinId>, Rect)>);

impl Framing {
    /// Returns the rectangle of the first call for this character in these skins, when it was `content`.
    pub fn hold(&mut self, animator: &Animator, content: Rect) -> Rect {
        let (character, skins) = (animator.character(), animator.skins());
        match &self.0 {
            Some((of, active, held)) if of.as_ptr() == Arc::as_ptr(character) && active == skins => *held,
            // An animation may show nothing.
            _ if content.is_empty() => self.release(content),
            _ => {
                self.0 = Some((Arc::downgrade(character), skins.to_vec(), content));
                content
            }
        }
    }

    /// Forgets the rectangle, and returns `content`.
    pub fn release(&mut self, content: Rect) -> Rect {
        self.0 = None;
        content
    }
}
