//! How recently opened files were looked at.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::scene::camera::Camera;
use crate::tracks::saved::SavedTracks;
use pchr::math::{Vec2, vec2};

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
