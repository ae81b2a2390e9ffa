//! `.atlas` text, in the older libGDX form or that of Spine 4 → pages and regions.
//!
//! A page starts after an empty line or at the start of the file; a line without `key: value` starts a region.
//! Regions are in pixels of their page. Whether a page was packed at another scale does not matter: attachments state
//! their own size, and only the shape of a region relative to its untrimmed image is used.

mod detect;
mod parse;
#[cfg(test)]
mod tests;

pub use detect::{Resemblance, resembles_atlas};

/// Pages and regions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Atlas {
    pub pages: Vec<Page>,
    pub regions: Vec<Region>,
}

/// An atlas page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Path of the image, relative to the atlas.
    pub file: String,
    /// Size in pixels that regions are relative to; `None`: the size of the image.
    pub size: Option<[f32; 2]>,
    /// Whether colours are multiplied with alpha, if declared.
    pub is_premultiplied: Option<bool>,
}

/// A named rectangle of a page. Pixels, y down.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Region {
    pub name: String,
    /// Index into the pages.
    pub page: usize,
    /// Position on the page.
    pub at: [f32; 2],
    /// Size before rotation, after trimming.
    pub size: [f32; 2],
    /// Distance of the trimmed rectangle from the left and bottom edges of the original.
    pub offset: [f32; 2],
    /// Size before trimming; 0 if it was not trimmed.
    pub original: [f32; 2],
    /// Rotation on the page, counter-clockwise: 0, 90, 180 or 270.
    pub degrees: u16,
    /// Index among the regions of the same name, which are frames of an animation; `None` for a single region.
    pub index: Option<u32>,
    /// Line number of its name, from 1.
    pub line: u64,
    /// Error message for its first invalid value, with [`Atlas::parse_regions`].
    pub fault: Option<String>,
}

impl Region {
    /// Returns the size before trimming.
    pub fn whole(&self) -> [f32; 2] {
        let [width, height] = self.original;
        if width > 0.0 && height > 0.0 { [width, height] } else { self.size }
    }

    /// Maps a point of the untrimmed image, 0 to 1 from the left and the top, to pixels of the page.
    pub fn on_page(&self, [u, v]: [f32; 2]) -> [f32; 2] {
        let ([width, height], [whole_width, whole_height]) = (self.size, self.whole());
        let x = u * whole_width - self.offset[0];
        let y = v * whole_height - (whole_height - self.offset[1] - height);
        let [left, top] = self.at;
        match self.degrees {
            90 => [left + y, top + width - x],
            180 => [left + width - x, top + height - y],
            270 => [left + height - y, top + x],
            _ => [left + x, top + y],
        }
    }

    /// Returns the corners of the trimmed rectangle on the page, in pixels: lower left, upper left, upper right
    /// and lower right.
    pub fn corners(&self) -> [[f32; 2]; 4] {
        let [width, height] = self.whole();
        let (left, right) = (self.offset[0] / width, (self.offset[0] + self.size[0]) / width);
        let (low, high) = (1.0 - self.offset[1] / height, 1.0 - (self.offset[1] + self.size[1]) / height);
        [[left, low], [left, high], [right, high], [right, low]].map(|corner| self.on_page(corner))
    }
}
