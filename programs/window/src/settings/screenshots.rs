//! Where screenshots are saved.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Where screenshots are saved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScreenshotSettings {
    /// An absolute path; without one, the platform's folder of pictures. A path that is not valid Unicode is not kept.
    pub folder: Option<String>,
}

impl ScreenshotSettings {
    pub fn of(folder: Option<&Path>) -> Self {
        Self { folder: folder.and_then(Path::to_str).map(str::to_owned) }
    }

    pub fn folder(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(PathBuf::from).filter(|folder| folder.is_absolute())
    }
}
