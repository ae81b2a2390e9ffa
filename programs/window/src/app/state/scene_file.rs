//! Scenes with several characters: saved from the stage, and opened on it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::State;
use crate::compare::lineup::MOST;
use crate::compare::member::Member;
use crate::export::{Staged, scene_file};
use crate::files::document::Origin;
use crate::files::path_prompt::PathPrompt;
use crate::widgets::actions::Dialog;
use pchr::export::{OutputFile, OutputPath, RenderOptions, Subject};
use pchr::{Error, Result};

/// The extension of scenes.
pub const SCENE: &str = "toml";

impl State {
    /// Puts the characters of a scene on the stage, in place of those that are there, or says why that fails.
    pub fn open_scene(&mut self, path: &Path) {
        match self.read_scene(path) {
            Ok(subject) => {
                self.show_scene(&subject);
                self.files.recent.add(&[path.to_owned()], self.files.loading.waker.as_ref());
            }
            Err(message) => self.notify_error(message),
        }
    }

    fn read_scene(&self, path: &Path) -> std::result::Result<Subject, String> {
        let read = self.files.read_scene.ok_or("Scenes can only be opened in pchr-view")?;
        let subject = read(path)?;
        if subject.files.len() > MOST {
            return Err(format!("The stage has room for {MOST} of {} files", subject.files.len()));
        }
        match subject.files.iter().find(|file| !file.exists()) {
            Some(missing) => Err(format!("The scene names {}, which does not exist", missing.display())),
            None => Ok(subject),
        }
    }

    fn show_scene(&mut self, subject: &Subject) {
        self.files.loading.cancel();
        self.compare.second = None;
        // As if they were opened for the first time.
        for file in &subject.files {
            self.places.remove(file);
            if let Some(index) = self.files.documents.find(file) {
                self.files.documents.remove(index);
            }
        }
        self.files.current = self.files.documents.len();
        self.arrive();
        self.lineup = Default::default();
        self.lineup.hide(subject);
        self.files.wanted.subject = subject.clone();
        self.playback.physics = subject.physics;
        self.list(subject.files.clone(), Origin::Window);
        if subject.files.len() > 1 {
            self.lineup.members = subject.files.iter().cloned().map(Member::new).collect();
        }
        self.stage(&subject.stage);
    }

    /// Shows the stage of the last session again, which is in the file `kept`. Returns false if there was none.
    pub fn reopen_stage(&mut self, kept: &Path) -> bool {
        if self.files.read_scene.is_none() || !kept.is_file() {
            return false;
        }
        match self.read_scene(kept) {
            Ok(subject) => self.show_scene(&subject),
            Err(message) => self.notify_error(format!("Cannot show the stage of the last session: {message}")),
        }
        true
    }

    /// Writes the stage to the file `kept`, or removes that file if there is no stage.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written or removed.
    pub fn keep_stage(&mut self, kept: &Path) -> Result<()> {
        // What is still being read stays as it was.
        if !self.files.loading.is_idle() || self.lineup.members.iter().any(|member| member.job.is_some()) {
            return Ok(());
        }
        let second = self.compare.second.take();
        let stage = self.staged();
        self.compare.second = second;
        match stage {
            Some(Staged { subject, .. }) => {
                write(kept, &scene_file::text(&RenderOptions { subject, ..RenderOptions::default() }))
            }
            None if kept.is_file() => fs::remove_file(kept).map_err(|error| Error::io(kept.display(), error)),
            None => Ok(()),
        }
    }

    /// Suggests a file for the scene of the stage.
    pub fn scene_path(&self) -> PathBuf {
        let file = self.current().map(|document| document.path().with_extension("scene.toml"));
        file.unwrap_or_else(|| PathBuf::from("stage.scene.toml"))
    }

    /// Writes the scene of the stage, which exports what the dialog exports. Asks first if that would replace a file and the
    /// user has not agreed to it.
    pub fn save_scene(&mut self, path: &Path, has_agreed: bool) {
        let path = if path.extension().is_none() { &path.with_extension(SCENE) } else { path };
        if !has_agreed && path.exists() {
            let text = path.display().to_string();
            self.files.prompt = Some(PathPrompt { is_taken: true, text, ..PathPrompt::new(Dialog::Scene) });
            return;
        }
        let Some(export) = self.new_export().filter(|export| export.has_stage()) else {
            return self.notify_error("There are not several characters on the stage");
        };
        match write(path, &export.scene()) {
            Ok(()) => {
                self.files.recent.add(&[path.to_owned()], self.files.loading.waker.as_ref());
                self.notify_file(path.to_owned());
            }
            Err(error) => self.notify_error(format!("Cannot save the scene: {error}")),
        }
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    let mut file = OutputFile::create(&OutputPath::named(path), true)?;
    file.write_all(text.as_bytes()).map_err(|error| Error::io(path.display(), error))?;
    file.finish()
}
