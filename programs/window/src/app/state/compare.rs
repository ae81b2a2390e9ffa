//! Starts, follows and ends comparisons.

use std::path::PathBuf;
use std::sync::Arc;

use super::State;
use super::place::Place;
use crate::base::memo::Shared;
use crate::compare::{Arrangement, Other, Second};
use crate::files::document::{Document, Origin};
use crate::files::loading::job::Job;
use crate::scene::Scene;
use crate::scene::camera::Camera;
use crate::scene::loaded::Covered;
use crate::widgets::actions::{Dialog, Request};
use pchr::math::Rect;
use pchr::motion::plays_physics;

impl State {
    /// Ends the comparison, or lets the user choose a file to compare with.
    pub fn toggle_compare(&mut self) {
        if self.compare.second.take().is_some() {
            return;
        }
        match self.files.documents.len() {
            _ if self.current().is_none() => self.notify("Open a file first, then compare it with another one"),
            1 => self.requests.push(Request::Dialog(Dialog::Compare)),
            _ => self.compare.is_choosing = true,
        }
    }

    /// Compares the shown file with the one at `index` of the list.
    pub fn compare_with(&mut self, index: usize) {
        self.compare.is_choosing = false;
        let Some(document) = self.files.documents.get(index).filter(|_| index != self.files.current) else {
            return;
        };
        self.compare.second = Some(Box::new(Second::new(Other::File(document.path().to_owned()))));
        self.compare.sees_second = false;
        self.read_second();
    }

    /// Adds a file to the list, unless it is there, and compares the shown file with it.
    pub fn compare_with_file(&mut self, path: PathBuf) {
        if self.files.documents.is_empty() {
            return self.open(vec![path]);
        }
        self.files.recent.add(std::slice::from_ref(&path), self.files.loading.waker.as_ref());
        let Some(index) = self.files.documents.add(vec![path], Origin::Window) else { return };
        if index == self.files.current {
            self.compare.is_choosing = false;
            return self.notify("This file is already shown; choose another one to compare it with");
        }
        self.compare_with(index);
    }

    /// Reads the second file if it has changed. A file that cannot be read keeps its last character.
    pub fn read_second(&mut self) {
        let Some(index) = self.compare.second_index(&self.files) else { return };
        if !self.files.documents[index].is_expired() {
            return;
        }
        let job = self.read_beside(index);
        if let Some(second) = &mut self.compare.second {
            second.job = job;
        }
    }

    /// Takes over the second file once it was read.
    pub fn take_second(&mut self) {
        let Some(index) = self.compare.second_index(&self.files) else { return };
        let (Some(second), Some(document)) = (&mut self.compare.second, self.files.documents.get_mut(index))
        else {
            return;
        };
        if let Some(outcome) = second.job.as_ref().and_then(Job::take) {
            second.job = None;
            document.finish(outcome);
            self.files.has_read = true;
        }
    }

    /// Makes the file at `index` the shown one. A file is never compared with itself: if it was the second one, the
    /// two change places. A comparison with an earlier version ends.
    pub fn set_current(&mut self, index: usize) {
        let before = self.current().map(|document| document.path().to_owned());
        let next = self.files.documents.get(index).map(|document| document.path().to_owned());
        let is_other = next != before;
        if let (Some(from), Some(to)) = (&before, &next)
            && is_other
        {
            self.lineup.leave(from, &self.playback, &self.parts.hidden);
            // While files are compared, companions stand still, and the other file takes over what is compared.
            if self.on_stage().is_some() {
                self.lineup.hand_over([from, to], &self.playback.animator, self.canvas.camera);
            }
        }
        self.files.current = index;
        let current = self.current().map(Document::path);
        match self.compare.second.as_deref() {
            Some(second) if second.other == Other::Earlier && is_other => self.compare.second = None,
            Some(second) if second.path().is_some_and(|path| current == Some(path)) => {
                self.compare.second = before.map(|path| Box::new(second.swapped(path)));
            }
            Some(_) | None => {}
        }
    }

    /// Exchanges the two files. Animation, time, skins and camera stay.
    pub fn swap_sides(&mut self) {
        let Some(index) = self.compare.second_index(&self.files) else { return };
        if let Some((path, place)) =
            self.compare.second_file(&self.files).map(Document::path).zip(self.place_in_second())
        {
            self.places.insert(path.to_owned(), place);
        }
        self.select(index);
    }

    /// Returns the place in the second file that corresponds to the current one.
    fn place_in_second(&self) -> Option<Place> {
        let pairs = self.compare.counterparts(&self.files)?;
        let playback = self.playback.animator.playback(0);
        let cue = pairs.cue(self.playback.animator.cue());
        let animation = playback.animation().and_then(|id| pairs.animation(id));
        let position = match playback.animation().zip(animation) {
            Some((first, second)) => pairs.position(first, second, playback.position()),
            None => 0.0,
        };
        let here = self.place_in_file();
        let visible = here.visible.zip(playback.animation().zip(animation));
        let visible = visible.map(|((start, end), (first, second))| {
            let position = |position| pairs.position(first, second, position);
            (position(start), position(end))
        });
        let name = animation.map(|id| pairs.second.animation(id).name.clone());
        Some(Place {
            tracks: here.tracks.with_first(name, position),
            range: None,
            skins: cue.skins.iter().map(|&id| pairs.second.skin(id).name.to_string()).collect(),
            visible,
            ..here
        })
    }

    /// Returns what the view of the second character is fitted to, in world pixels.
    pub fn second_content(&mut self, work: u64) -> Option<Rect> {
        let pairs = self.compare.counterparts(&self.files)?;
        let animation = self.playback.animator.playback(0).animation().and_then(|id| pairs.animation(id));
        let covered = if self.canvas.fits_animation { Covered::Animation(animation) } else { Covered::Shown };
        let skins = pairs.skins(self.playback.animator.skins());
        let physics = self.playback.chosen_physics();
        let loaded = self.compare.second_loaded(&mut self.files)?;
        let has_physics = plays_physics(&loaded.character, physics);
        loaded.cover(animation);
        Some(loaded.content(covered, &skins, has_physics, work)).filter(|area| Camera::reaches(*area))
    }

    /// Returns what to draw for both characters.
    pub fn scenes(&mut self) -> [Option<Scene>; 2] {
        let Some(mut first) = self.scene() else { return [None, None] };
        let (Some(document), Some(pairs)) =
            (self.compare.second_file(&self.files), self.compare.counterparts(&self.files))
        else {
            return [Some(first), None];
        };
        let Some(character) = document.loaded().map(|loaded| Arc::clone(&loaded.character)) else {
            return [Some(first), None];
        };
        let cue = pairs.cue(&first.cue);
        let mut second = Scene { cue, character: Shared::of(&character), pose: None, ..first.clone() };
        let has_physics = plays_physics(&character, self.playback.chosen_physics());
        let first_has_physics = self.playback.animator.shows_physics();
        if let Some(sides) = &mut self.compare.second {
            second.hidden = sides.hidden(&first, &self.parts.mesh_patterns, &character);
            if first_has_physics {
                first.pose = Some(sides.replay(0, &first.character, &first.cue));
            }
            second.pose = has_physics.then(|| sides.replay(1, &character, &second.cue));
        }
        [Some(first), Some(second)]
    }

    /// Requests the differences of the current scenes while they are shown. Call it once the canvas has its size.
    pub fn request_differences(&mut self) {
        if self.compare.shown() == Some(Arrangement::Difference)
            && let [Some(mut first), Some(mut second)] = self.scenes()
            && let Some(sides) = &mut self.compare.second
        {
            (first.overlays, second.overlays) = Default::default();
            sides.difference.show([first, second]);
        }
    }

    /// Returns what to draw for the canvas: nothing while it shows a picture of the differences.
    pub fn drawn_scenes(&mut self) -> Vec<Option<Scene>> {
        match self.compare.shown() {
            Some(Arrangement::Difference) => Vec::new(),
            Some(_) => self.scenes().into(),
            None => {
                let Some(shown) = self.scene() else { return Vec::new() };
                if self.blends_on_stage() {
                    return vec![Some(self.staged_scene(&shown).unwrap_or(shown))];
                }
                let companions = self.companion_scenes(&shown);
                // In the second place there is nothing: no character is compared with the shown one.
                [Some(shown), None].into_iter().chain(companions).collect()
            }
        }
    }
}
