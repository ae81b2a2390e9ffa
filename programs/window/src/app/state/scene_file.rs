//! Scenes with several characters: saved from the stage, and opened on it.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::State;
use crate::compare::lineup::{MOST, Member};
use crate::files::Wanted;
use crate::files::document::Origin;
use pchr::Result;
use pchr::export::{OutputFile, OutputPath};

/// The extension of scenes.
pub const SCENE: &str = "toml";

impl State {
    /// Puts the characters of a scene on the stage, in place of those that are there, or says why that fails.
    pub fn open_scene(&mut self, path: &Path) {
        let Some(read) = self.files.read_scene else {
            return self.notify_error("Scenes can only be opened in pchr-view");
        };
        let subject = match read(path) {
            Ok(subject) => subject,
            Err(message) => return self.notify_error(message),
        };
        if subject.files.len() > MOST {
            return self.notify_error(format!("The stage has room for {MOST} of {} files", subject.files.len()));
        }
        if let Some(missing) = subject.files.iter().find(|file| !file.exists()) {
            return self.notify_error(format!("The scene names {}, which does not exist", missing.display()));
        }
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
        self.files.wanted = Wanted::of(&subject);
        self.playback.physics = subject.physics;
        self.list(subject.files.clone(), Origin::Window);
        if subject.files.len() > 1 {
            self.lineup.members = subject.files.into_iter().map(Member::new).collect();
        }
        self.stage(&subject.stage);
        self.files.recent.add(&[path.to_owned()], self.files.loading.waker.as_ref());
    }

    /// Suggests a file for the scene of the stage.
    pub fn scene_path(&self) -> PathBuf {
        let file = self.current().map(|document| document.path().with_extension("scene.toml"));
        file.unwrap_or_else(|| PathBuf::from("stage.scene.toml"))
    }

    /// Writes the scene of the stage, which exports what the dialog exports.
    pub fn save_scene(&mut self, path: &Path) {
        let path = if path.extension().is_none() { &path.with_extension(SCENE) } else { path };
        let Some(export) = self.new_export().filter(|export| export.has_stage()) else {
            return self.notify_error("There are not several characters on the stage");
        };
        let write = |text: String| -> Result<()> {
            let mut file = OutputFile::create(&OutputPath::named(path), true)?;
            file.write_all(text.as_bytes()).map_err(|error| pchr::Error::io(path.display(), error))?;
            file.finish()
        };
        match write(export.scene()) {
            Ok(()) => {
                self.files.recent.add(&[path.to_owned()], self.files.loading.waker.as_ref());
                self.notify_file(path.to_owned());
            }
            Err(error) => self.notify_error(format!("Cannot save the scene: {error}")),
        }
    }
}
