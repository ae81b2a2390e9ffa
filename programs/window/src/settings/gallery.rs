//! The gallery.

use serde::{Deserialize, Serialize};

use crate::files::gallery::Gallery;
use crate::files::gallery::listing::Sort;

/// The gallery.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GallerySettings {
    /// What the files are sorted by.
    pub sort: Sort,
}

impl GallerySettings {
    pub fn of(gallery: &Gallery) -> Self {
        Self { sort: gallery.sort }
    }

    pub fn apply(&self, gallery: &mut Gallery) {
        gallery.sort = self.sort;
    }
}
