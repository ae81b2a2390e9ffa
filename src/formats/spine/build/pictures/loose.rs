//! Pictures in separate files, which are searched for on demand.

use std::fmt::Display;

use foldhash::{HashMap, HashMapExt};

use super::Page;
use super::load::load_page;
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::spine::build::at;
use crate::formats::spine::find_image::Finder;
use crate::formats::spine::locate::loose_folders;
use crate::formats::{Missing, Sidecars};
use crate::limits::Budget;
use crate::model::ModelBuilder;

/// Pictures in separate files.
pub struct Loose<'a> {
    finder: Finder<'a>,
    folders: Vec<String>,
    /// By the names that attachments reference.
    found: HashMap<String, Page>,
    bytes: u64,
    missing: Vec<MissingPicture>,
    /// The candidates for the atlas as a message, if none is a clear match.
    candidates: Option<String>,
}

/// A loose picture that is missing.
struct MissingPicture {
    /// Pointer to the attachment that references it.
    pointer: String,
    why: String,
}

impl<'a> Loose<'a> {
    pub fn new(images: &str, sidecars: &'a dyn Sidecars, candidates: Option<String>) -> Self {
        Self {
            finder: Finder::new(sidecars),
            folders: loose_folders(images),
            found: HashMap::new(),
            bytes: 0,
            missing: Vec::new(),
            candidates,
        }
    }

    pub fn page(
        &mut self,
        name: &str,
        pointer: &dyn Display,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<Page> {
        if let Some(page) = self.found.get(name) {
            return Ok(*page);
        }
        let page = match self.finder.loose(&self.folders, name, budget.limits())? {
            Ok(found) => load_page(found, None, None, builder, budget, &mut self.bytes)?,
            Err(why) => Err(why),
        };
        let page = page.unwrap_or_else(|why| {
            self.missing.push(MissingPicture { pointer: pointer.to_string(), why });
            Page::default()
        });
        self.found.insert(name.to_owned(), page);
        Ok(page)
    }

    /// Reports the missing pictures.
    pub fn report(self, shown: Missing, diagnostics: &mut Diagnostics) {
        let Self { missing, found, candidates, .. } = self;
        let has_none = found.values().all(|page| page.id.is_none());
        let (is_unsure, outcome) = (candidates.is_some(), shown.outcome());
        let (why, count) = (missing.first().map_or("", |first| &first.why), missing.len());
        let message = match candidates {
            Some(candidates) => format!(
                "{candidates}; there are no loose pictures either: {why}; attachments are {outcome}; use \
                 `--atlas FILE` to choose an atlas"
            ),
            None => format!(
                "there is no atlas next to the file, and none of its {count} pictures can be loaded: {why}; they are \
                 {outcome}; use `--atlas FILE` to choose an atlas"
            ),
        };
        match &missing[..] {
            [first, others @ ..] if has_none && (!others.is_empty() || is_unsure) => {
                diagnostics.incomplete("missing-atlas", at(&first.pointer), message);
            }
            _ => {
                for MissingPicture { pointer, why } in missing {
                    let message = format!("{why}; it is {outcome}");
                    diagnostics.incomplete("missing-image", at(pointer), message);
                }
            }
        }
    }
}
