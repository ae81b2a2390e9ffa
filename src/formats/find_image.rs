//! Lookup of images that another file refers to: under the given name, or else under one that differs only in ways
//! in which systems and programs change names.

use std::collections::HashMap;

use ::bytes::Bytes;

use super::Sidecars;
use super::folder::leads_out;
use super::image::EXTENSIONS;
use crate::error::Result;
use crate::limits::Limits;

/// Number of missing images after which no alternative names are tried.
const MAX_MISSING: usize = 1000;

/// Looks up images in a folder and below.
pub struct Finder<'a> {
    sidecars: &'a dyn Sidecars,
    /// The names of the images in each folder, by their lower-case names.
    listed: HashMap<String, HashMap<String, String>>,
    missing: usize,
}

/// A file that was found.
pub struct Found {
    /// Path relative to the folder.
    pub path: String,
    pub bytes: Bytes,
}

impl<'a> Finder<'a> {
    pub fn new(sidecars: &'a dyn Sidecars) -> Self {
        Self { sidecars, listed: HashMap::new(), missing: 0 }
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
        self.first(&names, limits)
    }

    /// Finds the image `name`, which is not a file name, in `folder`.
    pub fn loose(&mut self, folder: &str, name: &str, limits: &Limits) -> Result<Result<Found, String>> {
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let mut names: Vec<String> = EXTENSIONS.map(|extension| format!("{path}.{extension}")).into();
        if has_extension(name) {
            names.push(path);
        }
        self.first(&names, limits)
    }

    /// Loads the first of `names` that exists, or else the first that exists in different case. If none exists,
    /// the reason is that of the first name.
    fn first(&mut self, names: &[String], limits: &Limits) -> Result<Result<Found, String>> {
        let is_tried = self.missing < MAX_MISSING;
        let names = if is_tried { names } else { &names[..names.len().min(1)] };
        let mut reason = String::new();
        for name in names {
            match self.sidecars.load(name, limits)? {
                Ok(bytes) => return Ok(Ok(Found { path: name.clone(), bytes })),
                Err(why) if reason.is_empty() => reason = why,
                Err(_) => {}
            }
        }
        for name in names.iter().filter(|name| is_tried && !leads_out(name)) {
            let Some(path) = self.in_other_case(name) else { continue };
            if let Ok(bytes) = self.sidecars.load(&path, limits)? {
                return Ok(Ok(Found { path, bytes }));
            }
        }
        self.missing += 1;
        Ok(Err(reason))
    }

    fn in_other_case(&mut self, path: &str) -> Option<String> {
        let path = path.replace('\\', "/");
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let listed = self.listed.entry(folder.to_owned()).or_insert_with(|| {
            let names = self.sidecars.names_in(folder, &has_extension);
            names.into_iter().map(|name| (name.to_lowercase(), name)).collect()
        });
        let found = listed.get(&name.to_lowercase())?;
        Some(if folder.is_empty() { found.clone() } else { format!("{folder}/{found}") })
    }
}

/// Returns true if a name has the extension of an image.
fn has_extension(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|found| EXTENSIONS.iter().any(|known| found.eq_ignore_ascii_case(known)))
}
