//! Both sides of the comparison: the shown file and the second one.

use super::alignment::{Counterparts, Ends, ends};
use super::difference::Differences;
use super::{Compare, Second};
use crate::model::AnimationId;
use crate::viewer::files::Files;
use crate::viewer::files::document::Document;
use crate::viewer::playback::Playback;

impl Compare {
    /// Returns the index of the second file in the list.
    pub fn second_index(&self, files: &Files) -> Option<usize> {
        files.documents.find(self.second.as_deref().map(Second::path)?)
    }

    /// Returns the second file.
    pub fn second_file<'a>(&self, files: &'a Files) -> Option<&'a Document> {
        files.documents.get(self.second_index(files)?)
    }

    /// Returns true while the second file is being read.
    pub fn is_reading_second(&self) -> bool {
        self.second.as_ref().is_some_and(|second| second.job.is_some())
    }

    /// Pairs the items of both characters by name.
    pub fn counterparts<'a>(&'a self, files: &'a Files) -> Option<Counterparts<'a>> {
        let second = self.second_file(files)?.loaded()?;
        Some(Counterparts {
            first: files.loaded()?.character.model(),
            second: second.character.model(),
            names: second.names(),
            align: self.align,
            chosen: &self.second.as_ref()?.chosen,
        })
    }

    /// Returns the shown animations of both characters; `None` for the second if it has no counterpart.
    pub fn animations(&self, files: &Files, playback: &Playback) -> Option<(AnimationId, Option<AnimationId>)> {
        let animation = playback.animator.playback(0).animation()?;
        Some((animation, self.counterparts(files)?.animation(animation)))
    }

    /// Returns which of the shown animations ends first.
    pub fn ends_first(&self, files: &Files, playback: &Playback) -> Option<Ends> {
        let pairs = self.counterparts(files)?;
        let (first, second) = self.animations(files, playback)?;
        ends(self.align, pairs.first.animation(first), pairs.second.animation(second?))
    }

    /// Returns the latest differences, which lag behind the scenes while [`Self::are_differences_pending`].
    pub fn differences(&mut self) -> Option<&Differences> {
        self.second.as_mut()?.difference.latest()
    }

    /// Returns true while newer differences are being computed.
    pub fn are_differences_pending(&self) -> bool {
        self.second.as_ref().is_some_and(|sides| sides.difference.is_busy())
    }
}
