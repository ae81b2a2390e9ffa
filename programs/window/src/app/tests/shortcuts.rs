//! What tests ask the state for, although it belongs to a feature.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::app::state::State;
use crate::compare::difference::Differences;
use crate::files::document::Document;
use crate::files::documents::Documents;
use crate::parts::lists::SkinLines;
use crate::scene::checkerboard::{Squares, Tones};
use crate::scene::loaded::Loaded;
use crate::scene::selection::Selected;
use crate::widgets::actions::Actions;
use pchr::model::{AnimationId, Model, SlotId};
use pchr::pose::Pose;

impl State {
    pub fn documents(&self) -> &Documents {
        &self.files.documents
    }

    pub fn current_index(&self) -> usize {
        self.files.current
    }

    pub fn posed(&mut self) -> Option<(&Model, &Pose)> {
        self.playback.posed()
    }

    pub fn range(&self) -> Option<RangeInclusive<u32>> {
        self.playback.range()
    }

    pub fn set_range(&mut self, range: Option<RangeInclusive<u32>>) {
        self.playback.set_range(range);
    }

    pub fn play_on_track(&mut self, track: usize, animation: AnimationId) {
        self.mixer.play(&mut self.playback.animator, track, animation);
        self.follow_animation();
    }

    pub fn queue_on_track(&mut self, track: usize, animation: AnimationId) {
        self.mixer.queue(&mut self.playback.animator, track, animation);
        self.follow_animation();
    }

    pub fn clear_track(&mut self, track: usize) {
        self.mixer.clear(&mut self.playback.animator, track);
        self.follow_animation();
    }

    pub fn remove_track(&mut self, track: usize) {
        self.mixer.remove(&mut self.playback.animator, track);
        self.follow_animation();
    }

    pub fn second(&self) -> Option<&Document> {
        self.compare.second_file(&self.files)
    }

    pub fn differences(&mut self) -> Option<&Differences> {
        self.compare.differences()
    }

    pub fn toggle_shown(&mut self, part: Selected) {
        let character = Arc::clone(self.playback.character().expect("a character"));
        let mut actions = Actions::default();
        self.parts.toggle_shown(&character, part, &mut actions);
        self.perform(actions);
    }

    pub fn listed_skins(&mut self) -> Arc<SkinLines> {
        let character = self.playback.character().expect("a character");
        self.parts.listed_skins(character, self.playback.animator.skins())
    }

    pub fn listed_slots(&mut self) -> Arc<[SlotId]> {
        self.parts.listed_slots(&mut self.playback)
    }

    pub fn squares(&self, is_dark: bool) -> Squares {
        let tones = self.files.loaded().and_then(Loaded::tones);
        tones.map_or(Squares::default_for(is_dark), |tones: &Tones| tones.squares(is_dark))
    }
}
