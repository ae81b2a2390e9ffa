//! The files of an atlas: in a folder, or in a ZIP archive.

use std::collections::HashSet;

use ::bytes::Bytes;

use super::schema::{Element, Layer, Root};
use crate::error::{Error, Place, Result};
use crate::formats::detect::json::JsonText;
use crate::formats::json::pull::Pull;
use crate::formats::json::read_with;
use crate::formats::{Input, Sidecars};
use crate::limits::Budget;
#[cfg(all(feature = "convert", feature = "skelform"))]
use crate::limits::Limits;

/// Memory per byte of text, at most, besides objects.
const BYTES_PER_BYTE: usize = 8;
/// Memory per object, at most. A list has room for four, and a growing one for twice as many as it has.
const BYTES_PER_OBJECT: usize = 4 * size_of::<Element<'_>>();

/// Access to the files of an atlas.
pub struct Files<'a> {
    /// `Animation.json`.
    pub animation: Bytes,
    pub sidecars: &'a dyn Sidecars,
    #[cfg(feature = "skelform")]
    archive: Option<archive::Archive>,
    /// Bytes read so far.
    total: u64,
}

impl<'a> Files<'a> {
    pub fn open(input: &Input<'a>, budget: &mut Budget<'_>) -> Result<Self> {
        budget.check_file(input.bytes.len() as u64)?;
        let (animation, sidecars, total) = (input.bytes.clone(), input.sidecars, input.bytes.len() as u64);
        #[cfg(feature = "skelform")]
        {
            let archive = archive::Archive::open(&animation, budget)?;
            let unpacked = archive.as_ref().map(|archive| archive.animation(budget)).transpose()?;
            Ok(Self { animation: unpacked.unwrap_or(animation), sidecars, archive, total })
        }
        #[cfg(not(feature = "skelform"))]
        Ok(Self { animation, sidecars, total })
    }

    /// Loads a file beside `Animation.json`, or returns the reason why it cannot be loaded.
    pub fn load(&mut self, name: &str, budget: &mut Budget<'_>) -> Result<Result<Bytes, String>> {
        #[cfg(feature = "skelform")]
        if let Some(found) = self.archive.as_ref().map(|archive| archive.load(name, budget)).transpose()?.flatten()
        {
            return Ok(Ok(found));
        }
        let loaded = self.sidecars.load(name, budget.limits())?;
        if let Ok(bytes) = &loaded {
            self.total += bytes.len() as u64;
            budget.check_file(self.total).map_err(|error| error.in_file(name))?;
        }
        Ok(loaded)
    }

    /// Loads the symbols of an atlas without a dictionary that `layers` show, and those that they show.
    pub fn library(&mut self, layers: &[Layer<'_>], budget: &mut Budget<'_>) -> Result<Vec<(String, Bytes)>> {
        let (mut found, mut open, mut known) = (Vec::new(), Vec::new(), HashSet::new());
        shown_symbols(layers, &mut known, &mut open);
        while let Some(name) = open.pop() {
            budget.charge_records(1, || Place::inside("LIBRARY"))?;
            let path = format!("LIBRARY/{name}.json");
            if let Ok(bytes) = self.load(&path, budget)? {
                let root: Root<'_> = read(&bytes, budget).map_err(|error| error.in_file(&path))?;
                shown_symbols(&root.layers, &mut known, &mut open);
                found.push((name, bytes.clone()));
            }
        }
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(found)
    }
}

/// Returns the stored size of each file in an archive in bytes, by its name beside `Animation.json`; nothing for a file
/// that is no archive.
#[cfg(all(feature = "convert", feature = "skelform"))]
pub fn entry_sizes(bytes: &Bytes, limits: &Limits) -> Result<Vec<(String, u64)>> {
    let archive = archive::Archive::open(bytes, &mut Budget::new(limits))?;
    Ok(archive.map(|archive| archive.sizes()).unwrap_or_default())
}

/// Reads JSON, with or without a byte order mark.
pub fn read<'b, T: Pull<'b>>(bytes: &'b [u8], budget: &mut Budget<'_>) -> Result<T> {
    let JsonText { text, offset } = JsonText::of(bytes).without_bom();
    budget.charge_memory(text.len() as u64, BYTES_PER_BYTE, Place::default)?;
    let objects = text.iter().filter(|byte| **byte == b'{').count();
    budget.charge_memory(objects as u64, BYTES_PER_OBJECT, Place::default)?;
    read_with(text, offset, budget, None, T::pull)
}

/// Adds the names of symbols that are shown, each once.
fn shown_symbols(layers: &[Layer<'_>], known: &mut HashSet<String>, open: &mut Vec<String>) {
    let elements = layers.iter().flat_map(|layer| &layer.keys).flat_map(|key| &key.elements);
    for element in elements {
        if let Element::Symbol(instance) = element
            && instance.bitmap.is_none()
            && !known.contains(instance.name.as_str())
        {
            known.insert(instance.name.as_str().to_owned());
            open.push(instance.name.as_str().to_owned());
        }
    }
}

/// Returns the error for a file that lacks a part without which nothing can be shown.
pub fn lacks(what: &str) -> Error {
    let message = format!("the file has no {what}; export the texture atlas again");
    Error::malformed("missing-timeline", Place::at("", 0), message)
}

#[cfg(feature = "skelform")]
mod archive {
    use super::{Budget, Bytes, Result, lacks};
    use crate::formats::detect::animate::{ANIMATION, is_zip};
    use crate::formats::skelform::container::Container;

    /// An archive, and the folder in it that contains `Animation.json`.
    pub struct Archive {
        container: Container,
        folder: String,
    }

    #[cfg(feature = "convert")]
    impl Archive {
        /// Returns the stored size of each file in the folder in bytes, by its name there.
        pub fn sizes(&self) -> Vec<(String, u64)> {
            let size = |path: &str| {
                let name = path.strip_prefix(&self.folder)?.to_owned();
                Some((name, self.container.packed(path)?.data.len() as u64))
            };
            self.container.names().into_iter().filter_map(size).collect()
        }
    }

    impl Archive {
        /// Returns `None` for a file that is not an archive.
        pub fn open(bytes: &Bytes, budget: &mut Budget<'_>) -> Result<Option<Self>> {
            if !is_zip(bytes) {
                return Ok(None);
            }
            let container = Container::open(bytes, budget)?;
            let folders = container.names().into_iter().filter_map(|name| name.strip_suffix(ANIMATION));
            // At most one folder deep.
            let found = folders
                .filter(|folder| folder.is_empty() || folder.find('/') == Some(folder.len() - 1))
                .min_by_key(|folder| folder.len());
            let folder = found.ok_or_else(|| lacks(ANIMATION))?.to_owned();
            Ok(Some(Self { container, folder }))
        }

        pub fn animation(&self, budget: &mut Budget<'_>) -> Result<Bytes> {
            self.load(ANIMATION, budget)?.ok_or_else(|| lacks(ANIMATION))
        }

        pub fn load(&self, name: &str, budget: &mut Budget<'_>) -> Result<Option<Bytes>> {
            self.container.load(&format!("{}{name}", self.folder), budget)
        }
    }
}
