//! Recently opened files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::recent::RecentFiles;

/// Recently opened files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecentSettings {
    /// Absolute paths, the last opened first. Paths that are not valid Unicode are not kept.
    pub files: Vec<String>,
    /// The animations of these files that were shown last.
    pub animations: BTreeMap<String, String>,
}

impl RecentSettings {
    pub fn of(recent: &RecentFiles) -> Self {
        let files = recent.files().iter().filter_map(|file| file.path.to_str());
        let files: Vec<String> = files.map(str::to_owned).collect();
        let animation = |file: &String| Some((file.clone(), recent.animation(Path::new(file))?.to_owned()));
        Self { animations: files.iter().filter_map(animation).collect(), files }
    }

    pub fn apply(&self, recent: &mut RecentFiles) {
        recent.restore(self.files.iter().map(PathBuf::from));
        self.animations.iter().for_each(|(file, animation)| recent.remember(Path::new(file), animation));
    }
}
