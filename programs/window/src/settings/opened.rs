//! Settings about files: recently opened ones and the user's places in them, the gallery, and the folder of screenshots.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::gallery::listing::Sort;
use crate::files::recent::RecentFiles;
use crate::scene::camera::Camera;
use crate::tracks::saved::SavedTracks;
use pchr::math::{Vec2, vec2};

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

/// The places in files, by their absolute paths. Files in which nothing was changed are not listed.
pub type FilePlaces = BTreeMap<String, FilePlace>;

/// The user's place in a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FilePlace {
    /// The in and the out point: frames of the animation that was shown last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[u32; 2]>,
    /// The point in the centre of the canvas in world pixels, y up, and the screen pixels for each of them. Missing while
    /// the view is fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<[f32; 3]>,
    /// What is on the tracks, if that is more than one animation.
    #[serde(skip_serializing_if = "SavedTracks::is_empty")]
    pub tracks: SavedTracks,
}

impl FilePlace {
    /// Sets the camera.
    pub fn set_camera(&mut self, camera: Camera) {
        self.camera = match camera {
            Camera::Fit => None,
            Camera::Free { center: Vec2 { x, y }, scale } => Some([x, y, scale]),
        };
    }

    /// Returns the camera; a fitted one if its numbers make no sense.
    pub fn camera(&self) -> Camera {
        match self.camera {
            Some([x, y, scale])
                if vec2(x, y).is_finite() && (Camera::MIN_SCALE..=Camera::MAX_SCALE).contains(&scale) =>
            {
                Camera::Free { center: vec2(x, y), scale }
            }
            Some(_) | None => Camera::Fit,
        }
    }
}

/// The gallery.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GallerySettings {
    /// What the files are sorted by.
    pub sort: Sort,
    /// The tiles are large.
    pub large: bool,
}

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
