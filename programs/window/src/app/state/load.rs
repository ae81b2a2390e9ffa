//! Opens files without blocking: what was shown stays until the new file is there.

use std::sync::Arc;
use std::time::Duration;

use super::State;
use crate::files::loading::Phase;
use crate::files::loading::job::Job;
use crate::files::loading::read::{LoadRequest, Outcome, Outlook, Source};
use crate::scene::loaded::Loaded;

impl State {
    /// Loads the file at `index`, and shows it as soon as it has been loaded. Whatever was loading is cancelled.
    pub fn load(&mut self, index: usize) {
        self.leave();
        let Some(request) = self.reading(index) else { return };
        self.files.loading.is_announced = false;
        self.files.loading.shown_from = None;
        match &self.files.loading.waker {
            Some(waker) => self.files.loading.phase = Phase::Running(Job::start(request, waker)),
            None => {
                let source = request.source.clone();
                self.show_outcome(&source, request.run(&Arc::default(), || {}));
            }
        }
    }

    /// Reads the file at `index` for showing it beside another one. Returns what reads it, unless that was done at once.
    pub fn read_beside(&mut self, index: usize) -> Option<Job> {
        let request = self.reading(index)?;
        let Some(waker) = &self.files.loading.waker else {
            let outcome = request.run(&Arc::default(), || {});
            self.files.documents.get_mut(index)?.finish(outcome);
            return None;
        };
        Some(Job::start(request, waker))
    }

    /// Prepares to read the file at `index`, which will be shown as the user left it, or else as requested.
    fn reading(&mut self, index: usize) -> Option<LoadRequest> {
        let work = self.files.read.limits.frame_work();
        let physics = self.playback.physics;
        let document = self.files.documents.get(index)?;
        let outlook = match self.places.get(document.path()) {
            Some(place) => {
                let coverage = document.loaded().map(Loaded::coverage).unwrap_or_default();
                let tones = document.loaded().and_then(Loaded::tones).cloned();
                Outlook { tones, ..place.outlook(coverage, physics, work) }
            }
            None => {
                let animation = self.files.wanted_animation(document.path());
                let skins = self.files.wanted.subject.skins.clone();
                Outlook { animation, skins, physics, work, ..Outlook::default() }
            }
        };
        let options = document.reading.options(&self.files.read);
        let source = self.files.documents.get_mut(index)?.source(&self.files.read.limits);
        self.files.has_read = true;
        Some(LoadRequest { source, options, outlook })
    }

    /// Shows files that have finished loading. Call it at the beginning of each frame.
    pub fn take_loaded(&mut self) {
        self.wait_for_loading(Duration::ZERO);
    }

    /// Shows the character that the screen has uploaded.
    pub fn show_uploaded(&mut self) {
        if let Some((source, outcome)) = self.files.loading.uploaded() {
            self.show_outcome(&source, outcome);
        }
    }

    /// The same, but waits for the file that is being loaded, not longer than `at_most`.
    pub fn wait_for_loading(&mut self, at_most: Duration) {
        let loaded = self.files.loading.advance(at_most);
        self.take_second();
        if let Some((source, outcome)) = loaded {
            self.show_outcome(&source, outcome);
        }
    }

    /// Stops loading; what is shown stays. Returns false if nothing was being loaded.
    pub fn cancel_loading(&mut self) -> bool {
        let Some(index) = self.files.loading_index() else { return false };
        self.files.loading.cancel();
        if let Some(document) = self.files.documents.get(index) {
            self.notify(format!("Cancelled loading {}", document.name()));
        }
        // The shown file has changed meanwhile.
        if index != self.files.current
            && self.current().is_some_and(|shown| shown.is_expired() && shown.was_read())
        {
            self.load(self.files.current);
        }
        true
    }

    /// Tells that the file was read again, now or when that is done.
    pub fn announce(&mut self) {
        if self.files.loading.is_idle() {
            self.notify_reloaded();
        } else {
            self.files.loading.is_announced = true;
        }
    }

    fn notify_reloaded(&mut self) {
        // Not over the notice about animations that have gone.
        if let Some(document) = self.current().filter(|document| document.error().is_none())
            && self.notice.is_none()
        {
            self.notify(format!("Reloaded {}", document.name()));
        }
    }

    fn show_outcome(&mut self, source: &Source, outcome: Outcome) {
        let Some(index) = self.files.documents.find(&source.path) else { return };
        if outcome.is_folder {
            return self.open_listed_folder(index);
        }
        // The place at which the user is now, not where loading began.
        self.leave();
        let is_announced = std::mem::take(&mut self.files.loading.is_announced);
        let replaced = self.files.documents.get_mut(index).and_then(|document| document.finish(outcome));
        self.files.has_read = true;
        self.set_current(index);
        self.read_second();
        let earlier_notice = self.notice.take();
        self.arrive();
        if let Some(replaced) = replaced {
            self.compare.review.replaced(replaced, self.notice.is_some());
        }
        self.notice = self.notice.take().or(earlier_notice);
        if std::mem::take(&mut self.files.loading.is_first) {
            self.notify_missing_physics();
        }
        if is_announced {
            self.notify_reloaded();
        }
    }

    /// Tells the user if physics was requested but the file has none.
    fn notify_missing_physics(&mut self) {
        let wants = self.playback.physics == Some(true) && self.playback.has_character;
        if let (true, Some(document), None) = (wants && !self.playback.has_physics(), self.current(), &self.notice)
        {
            self.notify(format!("{} has no physics", document.name()));
        }
    }
}
