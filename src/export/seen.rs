//! Which animations had a picture with anything in it.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use crate::draw::Picture;
use crate::model::AnimationId;
use crate::motion::Cue;

/// Looks at pictures as they are rendered, before a background is laid under them, and remembers of which animations one
/// had a pixel that is not transparent. Light without alpha counts as well.
#[derive(Debug, Default)]
pub struct Seen(Mutex<HashSet<Option<AnimationId>>>);

impl Seen {
    /// Looks at a premultiplied picture of `cue`. Of an animation of which something has been seen nothing more is read.
    pub fn look(&self, cue: &Cue, picture: &Picture) {
        let is_drawn = |part: &[u8]| part.iter().fold(0, |bits, byte| bits | byte) != 0;
        if !self.has(cue.animation) && picture.pixels().chunks(4096).any(is_drawn) {
            self.assume(cue.animation);
        }
    }

    /// Takes it that something would be seen of this animation.
    pub fn assume(&self, animation: Option<AnimationId>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(animation);
    }

    /// Whether anything was seen of this animation; `None` is the bind pose.
    pub fn has(&self, animation: Option<AnimationId>) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&animation)
    }
}
