//! The picture files of a skeleton, as stored on disk: the atlas with its pages, or loose pictures.
//!
//! They are the files that the reader uses. Nothing is decoded.

use std::collections::HashSet;

use ::bytes::Bytes;

use super::build::{self, MAX_SEARCHED};
use super::find_page::{PageFinder, stated_size};
use super::locate::{FoundAtlas, Located, locate, loose_folders};
use super::{read, schema};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::atlas::Atlas;
use crate::formats::folder::{leads_out, slashed};
use crate::formats::image::{check_decodable, picture_size};
use crate::formats::spine::find_image::{Finder, Found, alpha_name, has_extension};
use crate::formats::{Input, ReadOptions};
use crate::limits::{Budget, Limits};

/// The picture files of a skeleton.
#[derive(Debug, Clone, Default)]
pub struct PictureFiles {
    /// The atlas, joined from several if there are; `None` if the pictures are loose files, or if there are none.
    pub atlas: Option<Bytes>,
    /// The pages of the atlas and their alpha, or the loose pictures; each once.
    pub pictures: Vec<PictureFile>,
}

impl PictureFiles {
    /// Replaces an atlas in the form of Spine 4 by one that older programs read. Returns true if it stated that pages are
    /// premultiplied, which is lost.
    pub(crate) fn write_older_atlas(&mut self) -> Result<bool> {
        let Some(text) = self.atlas.as_deref().and_then(|atlas| std::str::from_utf8(atlas).ok()) else {
            return Ok(false);
        };
        if !Atlas::needs_spine_4(text) {
            return Ok(false);
        }
        let mut atlas = Atlas::parse(text, "the atlas", &mut Diagnostics::default())?;
        for page in atlas.pages.iter_mut().filter(|page| stated_size(page).is_none()) {
            let path = slashed(&page.file);
            let picture = self.pictures.iter().find(|picture| picture.path == path);
            let bytes = picture.and_then(|picture| picture.bytes.as_ref().ok());
            let size = bytes.and_then(|bytes| picture_size(bytes, Place::default).ok());
            page.size = size.map(|(width, height)| [width as f32, height as f32]);
        }
        self.atlas = Some(atlas.in_older_form().into());
        Ok(atlas.pages.iter().any(|page| page.is_premultiplied == Some(true)))
    }

    /// Replaces pictures that cannot be decoded by the reason.
    pub(crate) fn find_broken(&mut self, limits: &Limits) {
        for picture in &mut self.pictures {
            let place = || Place::file(escaped(&picture.path));
            let checked = picture.bytes.as_ref().map(|bytes| check_decodable(bytes, limits, place));
            if let Ok(Err(error)) = checked {
                picture.bytes = Err(error.to_string());
            }
        }
    }
}

/// A picture file.
#[derive(Debug, Clone)]
pub struct PictureFile {
    /// Path relative to the skeleton or the atlas, separated by `/`. The reader finds a copy under this path.
    pub path: String,
    /// The file, or the reason why it cannot be used.
    pub bytes: Result<Bytes, String>,
}

/// Finds the atlas and all pages that it names, or else the loose pictures of all attachments.
///
/// # Errors
///
/// Fails where reading the character would fail. Missing and broken pictures are no errors.
pub fn picture_files(input: &Input<'_>, options: &ReadOptions) -> Result<PictureFiles> {
    let mut budget = Budget::new(&options.limits);
    let mut diagnostics = Diagnostics::default();
    let root = read::read(&input.bytes, &mut budget, &mut diagnostics)?;
    build::charge_sequences(&root, &mut budget)?;
    let numbered = build::numbered_pictures_of(&root, MAX_SEARCHED);
    let wanted = build::pictures_of(&root, &numbered);
    match locate(input, options, &wanted, budget.limits(), &mut diagnostics)? {
        Located::Atlases(atlases) => of_atlases(&atlases, &mut budget, &mut diagnostics),
        Located::Loose(_) => loose(&root, input, &mut budget),
    }
}

/// Several atlases are joined.
fn of_atlases(
    atlases: &[FoundAtlas<'_>],
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<PictureFiles> {
    let mut files = Collector::default();
    for found in atlases {
        let atlas = found.parse(diagnostics)?;
        budget.charge_records(atlas.pages.len() as u64, || Place::file(&found.name))?;
        let mut finder = PageFinder::new(found, &atlas, files.paths.iter().map(String::as_str));
        let mut of_atlas = HashSet::new();
        for (index, page) in atlas.pages.iter().enumerate() {
            if !of_atlas.insert(&page.file) {
                continue;
            }
            if files.is_known(&page.file) {
                let message =
                    format!("another atlas has a page `{}` too, so they cannot be joined", escaped(&page.file));
                return Err(Error::misuse("page-twice", message).in_file(&found.name));
            }
            let picture = finder.find(index, budget.limits())?;
            let alpha =
                picture.as_ref().ok().map(|picture| finder.alpha_of(picture, budget.limits())).transpose()?;
            files.add(page.file.clone(), picture, budget)?;
            if let Some((alpha, name)) = alpha.flatten().zip(alpha_name(&page.file)) {
                files.add(name, Ok(alpha), budget)?;
            }
        }
    }
    let atlas = match atlases {
        [sole] => sole.bytes.clone(),
        _ => {
            let texts =
                atlases.iter().map(|atlas| atlas.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&atlas.bytes));
            texts.map(<[u8]>::trim_ascii).collect::<Vec<_>>().join(&b"\n\n"[..]).into()
        }
    };
    Ok(PictureFiles { atlas: Some(atlas), pictures: files.pictures })
}

fn loose(root: &schema::Root<'_>, input: &Input<'_>, budget: &mut Budget<'_>) -> Result<PictureFiles> {
    let numbered = build::numbered_pictures_of(root, usize::MAX);
    let mut names: Vec<&str> = build::pictures_of(root, &numbered).into_iter().collect();
    names.sort_unstable();
    let folders = loose_folders(build::images_of(root));
    let mut finder = Finder::new(input.sidecars);
    let mut files = Collector::default();
    for name in names {
        let picture = finder.loose(&folders, name, budget.limits())?;
        // There is no name with an extension to keep.
        let stated = picture.as_ref().map_or(name, |found| &found.path).to_owned();
        files.add(stated, picture, budget)?;
    }
    Ok(PictureFiles { atlas: None, pictures: files.pictures })
}

/// Collects pictures, each once.
#[derive(Default)]
struct Collector {
    pictures: Vec<PictureFile>,
    stated: HashSet<String>,
    paths: HashSet<String>,
    bytes: u64,
}

impl Collector {
    fn is_known(&self, stated: &str) -> bool {
        self.stated.contains(stated)
    }

    fn add(&mut self, stated: String, found: Result<Found, String>, budget: &Budget<'_>) -> Result<()> {
        let (path, bytes) = match found {
            Ok(Found { path, bytes, .. }) => {
                self.bytes = self.bytes.saturating_add(bytes.len() as u64);
                budget.check_file(self.bytes).map_err(|error| error.in_file(&path))?;
                let is_picture = picture_size(&bytes, || Place::file(escaped(&path)));
                let bytes = is_picture.map(|_| bytes).map_err(|error| error.to_string());
                // The name by which other programs look it up, wherever it was found.
                let path = if leads_out(&stated) || !has_extension(&stated) { path } else { stated.clone() };
                (path, bytes)
            }
            Err(why) => (stated.clone(), Err(why)),
        };
        self.stated.insert(stated);
        let parts = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "."));
        let path = parts.collect::<Vec<_>>().join("/");
        if self.paths.insert(path.clone()) {
            self.pictures.push(PictureFile { path, bytes });
        }
        Ok(())
    }
}
