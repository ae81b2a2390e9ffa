//! Copies where the file states a key.

use std::sync::Arc;

use super::State;
use crate::timeline::pointers::Asked;
use crate::timeline::target_of;
use crate::widgets::actions::KeyAt;

impl State {
    /// Looks for the place of keys of the shown animation. [`Self::take_pointers`] returns it.
    pub fn copy_pointer(&mut self, key: KeyAt) {
        let animator = &self.playback.animator;
        let Some(animation) = animator.playback(0).animation() else {
            return self.notify("No animation is shown");
        };
        let character = Arc::clone(animator.character());
        let read = &self.files.read;
        let Some(document) = self.files.documents.get_mut(self.files.current) else { return };
        let (stamp, options) = (document.stamp(), document.reading.options(read));
        let source = document.source(&options.limits);
        self.timeline.pointers.ask(Asked { source, stamp, options, character, animation, key });
    }

    /// Looks for the place of the keys of the selection at the playhead.
    pub fn copy_pointer_of_selection(&mut self) {
        let position = self.playback.animator.playback(0).position();
        let Some(target) = self.parts.selected.and_then(target_of) else {
            return self.notify("A skin has no keys");
        };
        self.copy_pointer(KeyAt { target, channel: None, position });
    }

    /// Returns the text to copy when places of keys were found. Call it once per frame.
    pub fn take_pointers(&mut self) -> Option<String> {
        match self.timeline.pointers.take(self.files.loading.waker.as_ref())? {
            Ok(places) => {
                match &places[..] {
                    [place] => self.notify(format!("Copied {place}")),
                    _ => self.notify(format!("Copied the places of {} keys", places.len())),
                }
                Some(places.join("\n"))
            }
            Err(message) => {
                self.notify_error(message);
                None
            }
        }
    }
}
