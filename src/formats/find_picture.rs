//! Which file a picture is in that another file names: as it is named, else under a name that differs in what other
//! systems and programs change.

use std::collections::HashMap;

use ::bytes::Bytes;

use super::Sidecars;
use super::folder::leads_out;
use super::image::EXTENSIONS;
use crate::error::Result;
use crate::limits::Limits;

/// Where so many pictures are missing no other names are tried for more of them.
const MAX_MISSING: usize = 1000;

/// Looks for pictures in one folder and below.
pub struct Finder<'a> {
    sidecars: &'a dyn Sidecars,
    /// By folder: what the pictures in it are called, by those names in lower case.
    listed: HashMap<String, HashMap<String, String>>,
    missing: usize,
}

/// A file that was found.
pub struct Found {
    /// Its path in the folder.
    pub path: String,
    pub bytes: Bytes,
}

impl<'a> Finder<'a> {
    pub fn new(sidecars: &'a dyn Sidecars) -> Self {
        Self { sidecars, listed: HashMap::new(), missing: 0 }
    }

    /// The file that is called `path`; else, of a path that leads out, the file of that name in the folder; where the
    /// name has no extension, with one. `Err`: in words why there is none.
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

    /// The picture called `name`, which is no name of a file, in `folder`.
    pub fn loose(&mut self, folder: &str, name: &str, limits: &Limits) -> Result<Result<Found, String>> {
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let mut names: Vec<String> = EXTENSIONS.map(|extension| format!("{path}.{extension}")).into();
        if has_extension(name) {
            names.push(path);
        }
        self.first(&names, limits)
    }

    /// The first of `names` that is there, else the first that is there in other upper and lower case. Where there is
    /// none the reason is that of the first.
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

/// Whether a name ends as names of pictures do.
fn has_extension(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|found| EXTENSIONS.iter().any(|known| found.eq_ignore_ascii_case(known)))
}
