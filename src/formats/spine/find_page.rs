//! Finds the pages of an atlas.

use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result, escaped};
use crate::formats::atlas::{Atlas, Page};
use crate::formats::folder::slashed;
use crate::formats::spine::find_image::{Finder, Found};
use crate::formats::spine::locate::FoundAtlas;
use crate::limits::Limits;

/// Finds the pages of an atlas in its folder and below.
pub struct PageFinder<'a> {
    finder: Finder<'a>,
    atlas: &'a Atlas,
    /// How far the regions of each page reach to the right and down, in pixels.
    pub reaches: Vec<[f32; 2]>,
    /// The name of the atlas.
    name: &'a str,
    /// The paths of the pages of this and all other atlases, in lower case.
    paths: Vec<String>,
}

impl<'a> PageFinder<'a> {
    /// `taken` are the paths of pictures of other atlases of the same character.
    pub fn new<'t>(found: &'a FoundAtlas<'_>, atlas: &'a Atlas, taken: impl IntoIterator<Item = &'t str>) -> Self {
        let own = atlas.pages.iter().map(|page| slashed(&page.file).into_owned());
        let paths = own.chain(taken.into_iter().map(str::to_owned)).map(|path| path.to_lowercase()).collect();
        let name = found.name.rsplit(['/', '\\']).next().unwrap_or_default();
        Self { finder: Finder::new(found.folder()), atlas, reaches: reaches(atlas), name, paths }
    }

    /// Finds the picture of the page at `index`: by its name, or else the only one in its folder that has its size and
    /// does not belong to another page. Returns the reason if there is none.
    pub fn find(&mut self, index: usize, limits: &Limits) -> Result<Result<Found, String>> {
        let page = &self.atlas.pages[index];
        let why = match self.finder.named(&page.file, limits)? {
            Ok(found) => return Ok(Ok(found)),
            Err(why) => why,
        };
        let reach = self.reaches[index];
        let fits = |(width, height): (u32, u32)| match stated_size(page) {
            Some(size) => size == [width as f32, height as f32],
            None => reach[0] <= width as f32 && reach[1] <= height as f32,
        };
        Ok(self.finder.sole(&slashed(&page.file), self.name, &self.paths, fits, limits)?.ok_or(why))
    }

    /// Finds the picture with the alpha of a page.
    pub fn alpha_of(&self, page: &Found, limits: &Limits) -> Result<Option<Found>> {
        self.finder.alpha_of(&page.path, limits)
    }
}

/// Returns the size that an atlas states for a page, if any.
pub fn stated_size(page: &Page) -> Option<[f32; 2]> {
    page.size.filter(|size| size.iter().all(|side| *side > 0.0))
}

/// Reports a picture that has another name than its page.
pub fn report_name(page: &Page, found: &Found, place: Place, diagnostics: &mut Diagnostics) {
    if found.path != page.file {
        let mut message =
            format!("the picture `{}` is used for the page `{}`", escaped(&found.path), escaped(&page.file));
        if found.is_guess {
            message += ", which does not exist: it is the only one of this size";
            diagnostics.warn("guessed-image", place, message);
        } else {
            diagnostics.note("found-elsewhere", place, message);
        }
    }
}

fn reaches(atlas: &Atlas) -> Vec<[f32; 2]> {
    let mut reaches = vec![[0.0f32; 2]; atlas.pages.len()];
    for region in &atlas.regions {
        let (reach, own) = (&mut reaches[region.page], region.reach());
        *reach = [0, 1].map(|axis| reach[axis].max(own[axis]));
    }
    reaches
}
