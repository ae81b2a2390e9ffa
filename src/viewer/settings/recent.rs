//! Recently opened files.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::viewer::files::recent::RecentFiles;

/// Recently opened files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecentSettings {
    /// Absolute paths, the last opened first. Paths that are not valid Unicode are not kept.
    pub files: Vec<String>,
}

impl RecentSettings {
    pub fn of(recent: &RecentFiles) -> Self {
        let files = recent.files().iter().filter_map(|file| file.path.to_str());
        Self { files: files.map(str::to_owned).collect() }
    }

    pub fn apply(&self, recent: &mut RecentFiles) {
        recent.restore(self.files.iter().map(PathBuf::from));
    }
}
