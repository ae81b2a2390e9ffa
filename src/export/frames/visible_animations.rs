//! Records which animations show anything.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use crate::draw::Picture;
use crate::model::AnimationId;
use crate::motion::Cue;

/// Records which animations have at least one picture with a pixel that is not transparent, before a background is
/// applied. Light without alpha counts as well.
#[derive(Debug, Default)]
pub struct VisibleAnimations(Mutex<HashSet<Option<AnimationId>>>);

impl VisibleAnimations {
    /// Inspects a premultiplied picture of `cue`, unless its animation is already recorded.
    pub(crate) fn inspect(&self, cue: &Cue, picture: &Picture) {
        let is_drawn = |part: &[u8]| part.iter().fold(0, |bits, byte| bits | byte) != 0;
        if !self.has(cue.animation) && picture.pixels().chunks(4096).any(is_drawn) {
            self.record(cue.animation);
        }
    }

    /// Records this animation without inspecting a picture.
    pub fn record(&self, animation: Option<AnimationId>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(animation);
    }

    /// Returns true if this animation is recorded; `None` is the bind pose.
    pub fn has(&self, animation: Option<AnimationId>) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&animation)
    }
}
