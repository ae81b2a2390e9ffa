//! Files in memory, and those that a page has to fetch.
//!
//! A page that opens an address does not know what is beside it, so a name that a reader asks for and that is not there is
//! noted; the page fetches it, and opens the character again.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use pchr::formats::{self, Sidecars};

/// Maximum number of files that one character is fetched with.
const MAX_WANTED: usize = 256;

/// Files by their paths from the topmost folder.
#[derive(Default)]
pub struct Files {
    known: formats::Files,
    asked: Arc<Mutex<Asked>>,
    is_complete: bool,
}

/// The files that are not known.
#[derive(Default)]
struct Asked {
    missing: BTreeSet<String>,
    /// Asked for, in this order.
    wanted: Vec<String>,
}

impl Asked {
    fn want(&mut self, path: &str) {
        let is_new = !self.missing.contains(path) && !self.wanted.iter().any(|other| other == path);
        if is_new && self.wanted.len() < 8 * MAX_WANTED {
            self.wanted.push(path.to_owned());
        }
    }
}

impl Files {
    pub fn new(is_complete: bool) -> Self {
        let asked = Arc::<Mutex<Asked>>::default();
        let noted = Arc::clone(&asked);
        let known = formats::Files::default().or_else(move |path| {
            noted.lock().unwrap_or_else(PoisonError::into_inner).want(path);
            None
        });
        Self { known, asked, is_complete }
    }

    pub fn add(&mut self, path: &str, bytes: Vec<u8>) {
        self.known.insert(path, bytes);
    }

    pub fn miss(&mut self, path: &str) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).missing.insert(path.to_owned());
    }

    /// The file `path`; empty if there is none.
    pub fn main(&self, path: &str) -> Bytes {
        self.known.get(path).unwrap_or_default()
    }

    /// All files, by path.
    #[cfg(feature = "tools")]
    pub fn all(&self) -> Vec<(String, Bytes)> {
        self.known.iter().map(|(path, bytes)| (path.to_owned(), bytes.clone())).collect()
    }

    /// The folder of the file `path`.
    pub fn beside(&self, path: &str) -> impl Sidecars {
        self.known.beside(path)
    }

    /// Takes the names that were asked for while `main` was read: atlases first, because with an atlas the loose pictures of
    /// its regions are not asked for.
    pub fn wanted(&self, main: &str) -> Vec<String> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wanted = std::mem::take(&mut asked.wanted);
        if self.is_complete {
            return Vec::new();
        }
        let is_atlas = |path: &str| path.ends_with(".atlas") || path.ends_with(".atlas.txt");
        if wanted.iter().any(|path| is_atlas(path)) {
            wanted.retain(|path| is_atlas(path));
        } else if !self.known.iter().any(|(path, _)| is_atlas(path))
            && asked.missing.iter().any(|path| is_atlas(path))
        {
            // The usual name is missing, and what else is there nobody can list.
            let other = other_atlases(main).into_iter().find(|path| !asked.missing.contains(path));
            if let Some(other) = other {
                return vec![other];
            }
        }
        wanted.truncate(MAX_WANTED);
        wanted
    }
}

/// The names that exporters give the atlas of `skeleton` beside the usual one: without the edition of the skeleton, with a
/// mark of premultiplied alpha, and with the extension that a game engine wants.
fn other_atlases(skeleton: &str) -> Vec<String> {
    let (folder, name) = skeleton.rsplit_once('/').map_or(("", skeleton), |(folder, name)| (folder, name));
    let stem = name.split('.').next().unwrap_or_default();
    let short = stem.rsplit_once('-').map(|(short, _)| short);
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let stems = short.into_iter().chain([stem]);
    let names =
        stems.flat_map(|stem| [format!("{stem}.atlas"), format!("{stem}-pma.atlas"), format!("{stem}.atlas.txt")]);
    names.map(|name| format!("{prefix}{name}")).collect()
}
