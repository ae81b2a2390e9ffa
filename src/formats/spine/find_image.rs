//! Lookup of images that another file refers to: under the given name, or else under one that differs only in ways
//! in which systems and programs change names.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ::bytes::Bytes;

use super::marks::without_mark;
use crate::error::{Place, Result};
use crate::formats::folder::{leads_out, slashed};
use crate::formats::image::{EXTENSIONS, picture_size};
use crate::formats::{Listing, Sidecars};
use crate::limits::Limits;

/// Number of missing images after which no alternative names are tried.
const MAX_MISSING: usize = 1000;

/// Maximum number of images of a folder whose sizes are compared.
const MAX_COMPARED: usize = 64;

/// Looks up images in a folder and below.
pub struct Finder<'a> {
    sidecars: &'a dyn Sidecars,
    listings: HashMap<String, Arc<Listing>>,
    /// The sizes of images that were compared; `None` if they are not readable.
    sizes: HashMap<String, Option<(u32, u32)>>,
    missing: usize,
}

/// A file that was found.
pub struct Found {
    /// Path relative to the folder.
    pub path: String,
    pub bytes: Bytes,
    /// Chosen by its size only, not by a name.
    pub is_guess: bool,
}

impl<'a> Finder<'a> {
    pub fn new(sidecars: &'a dyn Sidecars) -> Self {
        Self { sidecars, listings: HashMap::new(), sizes: HashMap::new(), missing: 0 }
    }

    /// Finds the file `path`. If the path leads out of the folder, the file of that name in the folder is used. If
    /// the name has no extension, the usual ones are tried. Returns the reason if there is no such file.
    pub fn named(&mut self, path: &str, limits: &Limits) -> Result<Result<Found, String>> {
        let mut names = vec![path.to_owned()];
        if leads_out(path) {
            names.extend(path.rsplit(['/', '\\']).next().filter(|name| !leads_out(name)).map(str::to_owned));
        }
        if let Some(name) = names.last().filter(|name| !has_extension(name)).cloned() {
            names.extend(EXTENSIONS.map(|extension| format!("{name}.{extension}")));
        }
        self.first(names.into_iter(), limits)
    }

    /// Finds the image `name`, which is not a file name, in the first of `folders` that has it.
    pub fn loose(&mut self, folders: &[String], name: &str, limits: &Limits) -> Result<Result<Found, String>> {
        let names = folders.iter().flat_map(|folder| {
            let path = joined(folder, name);
            let as_it_is = has_extension(name).then(|| path.clone());
            EXTENSIONS.iter().map(move |extension| [&*path, ".", extension].concat()).chain(as_it_is)
        });
        self.first(names, limits)
    }

    /// Finds the only image in the folder of `path` whose size `fits`, that is none of the `others`, which are paths in
    /// lower case, and that is not named after any file but `own`. `None` if there are several, or too many to compare.
    pub fn sole(
        &mut self,
        path: &str,
        own: &str,
        others: &[String],
        fits: impl Fn((u32, u32)) -> bool,
        limits: &Limits,
    ) -> Result<Option<Found>> {
        let folder = if leads_out(path) { "" } else { split(path).0 };
        let listing = self.listing(folder);
        let names: Vec<&String> = images(&listing).values().flatten().take(MAX_COMPARED + 1).collect();
        if names.len() > MAX_COMPARED {
            return Ok(None);
        }
        let own = stem(own);
        let is_free = |path: &str| {
            let stem = stem(split(path).1);
            let stems = [&*stem, stem.trim_end_matches(|end: char| end.is_ascii_digit())];
            !others.contains(&path.to_lowercase())
                && stems.iter().all(|stem| *stem == own || !stems_in(&listing).contains(*stem))
        };
        let mut fitting = None;
        for path in names.into_iter().map(|name| joined(folder, name)) {
            if !is_free(&path) {
                continue;
            }
            let size = match self.sizes.get(&path) {
                Some(known) => *known,
                None => {
                    let bytes = self.sidecars.load_candidate(&path, limits)?.ok();
                    let size = bytes.and_then(|bytes| picture_size(&bytes, Place::default).ok());
                    self.sizes.insert(path.clone(), size);
                    size
                }
            };
            if size.is_some_and(&fits) && fitting.replace(path).is_some() {
                return Ok(None);
            }
        }
        let Some(path) = fitting else { return Ok(None) };
        Ok(self.sidecars.load(&path, limits)?.ok().map(|bytes| Found { path, bytes, is_guess: true }))
    }

    /// Finds the image that contains the alpha of the image at `path`, beside it.
    pub fn alpha_of(&self, path: &str, limits: &Limits) -> Result<Option<Found>> {
        let Some(path) = alpha_name(path) else { return Ok(None) };
        Ok(self.sidecars.load(&path, limits)?.ok().map(|bytes| Found { path, bytes, is_guess: false }))
    }

    /// Loads the first of `names` that exists, or else the first that exists under a similar name. If none exists,
    /// the reason is about the first name.
    fn first(&mut self, names: impl Iterator<Item = String>, limits: &Limits) -> Result<Result<Found, String>> {
        let is_tried = self.missing < MAX_MISSING && !self.sidecars.is_empty();
        let names: Vec<String> = names.take(if is_tried { usize::MAX } else { 1 }).collect();
        let mut reason = String::new();
        for name in &names {
            match self.sidecars.load(name, limits)? {
                Ok(bytes) => return Ok(Ok(Found { path: name.clone(), bytes, is_guess: false })),
                Err(why) if reason.is_empty() => reason = why,
                Err(_) => {}
            }
        }
        for name in names.iter().filter(|name| is_tried && !leads_out(name)) {
            let Some(path) = self.similar(name) else { continue };
            if let Ok(bytes) = self.sidecars.load(&path, limits)? {
                return Ok(Ok(Found { path, bytes, is_guess: false }));
            }
        }
        self.missing += 1;
        Ok(Err(reason))
    }

    /// Returns the path of the image whose name differs only in case, or else of the only one that differs only in
    /// marks.
    fn similar(&mut self, path: &str) -> Option<String> {
        let path = slashed(path);
        let (folder, name) = split(&path);
        let listing = self.listing(folder);
        let images = Some(images(&listing)).filter(|images| !images.is_empty())?;
        let lower = name.to_lowercase();
        let similar = images.get(&plain(&lower))?;
        let in_other_case = similar.iter().find(|found| found.to_lowercase() == lower);
        let found = in_other_case.or(if let [sole] = &similar[..] { Some(sole) } else { None })?;
        Some(joined(folder, found))
    }

    fn listing(&mut self, folder: &str) -> Arc<Listing> {
        if let Some(known) = self.listings.get(folder) {
            return Arc::clone(known);
        }
        let listing = self.sidecars.listing(folder);
        self.listings.insert(folder.to_owned(), Arc::clone(&listing));
        listing
    }
}

/// Returns the names of the images in a folder, by their [`plain`] names.
fn images(listing: &Listing) -> &HashMap<String, Vec<String>> {
    listing.derived.images.get_or_init(|| {
        let mut images: HashMap<String, Vec<String>> = HashMap::new();
        for name in listing.names().iter().filter(|name| has_extension(without_mark(name))) {
            images.entry(plain(&name.to_lowercase())).or_default().push(name.clone());
        }
        images
    })
}

/// Returns the stems of the files in a folder that are no images.
fn stems_in(listing: &Listing) -> &HashSet<String> {
    let search = || listing.names().iter().filter(|name| !has_extension(name)).map(|name| stem(name)).collect();
    listing.derived.stems.get_or_init(search)
}

fn stem(name: &str) -> String {
    name.split('.').next().unwrap_or_default().to_lowercase()
}

/// Returns the name of an image without marks and without a repeated extension.
fn plain(name: &str) -> String {
    let Some((stem, extension)) = without_mark(name).rsplit_once('.') else { return name.to_owned() };
    let end = format!(".{extension}");
    let stem = stem.strip_suffix(&end).unwrap_or(stem);
    without_mark(stem).to_owned() + &end
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { [folder, "/", name].concat() }
}

/// Returns the path of the image with the alpha of the one at `path`: `hero[alpha].png` for `hero.png`.
pub fn alpha_name(path: &str) -> Option<String> {
    path.rsplit_once('.').map(|(stem, extension)| format!("{stem}[alpha].{extension}"))
}

/// Returns true if a name has the extension of an image.
pub fn has_extension(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|found| EXTENSIONS.iter().any(|known| found.eq_ignore_ascii_case(known)))
}
