//! Both sides of the comparison: the shown file and the second one.

use super::alignment::{Counterparts, Ends, ends};
use super::difference::Differences;
use super::{Compare, Other, Second};
use crate::files::Files;
use crate::files::document::Document;
use crate::playback::Playback;
use crate::scene::loaded::Loaded;
use pchr::model::AnimationId;

impl Compare {
    /// Returns the index of the second file in the list; `None` if it is an earlier version of the first.
    pub fn second_index(&self, files: &Files) -> Option<usize> {
        files.documents.find(self.second.as_deref().and_then(Second::path)?)
    }

    /// Returns the second file, or the earlier version of the first.
    pub fn second_file<'a>(&'a self, files: &'a Files) -> Option<&'a Document> {
        match &self.second.as_deref()?.other {
            Other::File(path) => files.documents.get(files.documents.find(path)?),
            Other::Earlier => self.review.earlier(files.current()?.path()),
        }
    }

    /// Returns the second character, mutable for cached values.
    pub fn second_loaded<'a>(&'a mut self, files: &'a mut Files) -> Option<&'a mut Loaded> {
        match &self.second.as_deref()?.other {
            Other::File(path) => {
                let index = files.documents.find(path)?;
                files.documents.get_mut(index)?.loaded_mut()
            }
            Other::Earlier => self.review.earlier_mut(files.current()?.path())?.loaded_mut(),
        }
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
