//! Opens files without blocking: what was shown stays until the new file is there.

use std::sync::Arc;
use std::time::Duration;

use super::loading::job::Job;
use super::loading::read::{Outcome, Outlook, Request, Source};
use super::loading::{Doing, Stage};
use crate::progress::Progress;
use crate::viewer::app::state::{FRAMES_A_LIMIT, State};

impl State {
    /// Loads the file at `index`, and shows it as soon as it has been loaded. Whatever was loading is cancelled.
    pub fn load(&mut self, index: usize) {
        self.leave();
        let work = self.read.limits.work / FRAMES_A_LIMIT;
        let Some(document) = self.documents.get_mut(index) else { return };
        let outlook = Outlook {
            place: document.place.clone(),
            animation: self.wanted_animation.clone(),
            skins: self.wanted_skins.clone(),
            physics: self.physics,
            work,
        };
        let source = document.source(&self.read.limits);
        let request = Request { source: source.clone(), options: self.read.clone(), outlook };
        self.has_read = true;
        self.loading.is_announced = false;
        self.loading.shown_from = None;
        match self.loading.waker.clone() {
            Some(waker) => self.loading.stage = Stage::Running(Job::start(request, waker)),
            None => {
                let outcome = request.run(&Arc::new(Progress::default()), || {});
                self.show_outcome(&source, outcome);
            }
        }
    }

    /// Shows what was loaded since the last call. Call it at the beginning of a frame.
    pub fn take_loaded(&mut self) {
        self.take_second();
        if let Some((source, outcome)) = self.loading.advance() {
            self.show_outcome(&source, outcome);
        }
    }

    /// Shows the character that the screen has uploaded.
    pub fn show_uploaded(&mut self) {
        if let Some((source, outcome)) = self.loading.uploaded() {
            self.show_outcome(&source, outcome);
        }
    }

    /// Waits for the file that is being loaded, but not longer than `at_most`.
    pub fn wait_for_loading(&mut self, at_most: Duration) {
        if let Stage::Running(job) = &self.loading.stage {
            job.wait(at_most);
        }
        self.take_loaded();
    }

    /// Stops loading; what is shown stays. Returns false if nothing was being loaded.
    pub fn cancel_loading(&mut self) -> bool {
        let Some(index) = self.loading_index() else { return false };
        self.loading.cancel();
        if let Some(document) = self.documents.get(index) {
            self.notify(format!("Cancelled loading {}", document.name()));
        }
        // The shown file has changed meanwhile.
        if index != self.current && self.current().is_some_and(|shown| shown.is_expired() && shown.was_read()) {
            self.load(self.current);
        }
        true
    }

    /// Tells that the file was read again, now or when that is done.
    pub fn announce(&mut self) {
        if self.loading.is_idle() {
            self.notify_reloaded();
        } else {
            self.loading.is_announced = true;
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

    /// Returns the index of the file that is being loaded.
    pub fn loading_index(&self) -> Option<usize> {
        self.documents.find(&self.loading.source()?.path)
    }

    /// Returns the name of the file that is being loaded, and what is being done.
    pub fn loading_status(&self) -> Option<(String, Doing)> {
        let document = self.documents.get(self.loading_index()?)?;
        Some((document.name(), self.loading.doing()?))
    }

    fn show_outcome(&mut self, source: &Source, outcome: Outcome) {
        let Some(index) = self.documents.find(&source.path) else { return };
        // The place at which the user is now, not where loading began.
        self.leave();
        let is_announced = std::mem::take(&mut self.loading.is_announced);
        if let Some(document) = self.documents.get_mut(index) {
            document.finish(outcome);
        }
        self.has_read = true;
        self.set_current(index);
        self.read_second();
        self.arrive();
        if std::mem::take(&mut self.loading.is_first) {
            self.notify_missing_physics();
        }
        if is_announced {
            self.notify_reloaded();
        }
    }
}
