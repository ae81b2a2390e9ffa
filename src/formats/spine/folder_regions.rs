//! The regions that the skeletons of a folder reference: they tell whether an atlas elsewhere belongs to them.

use std::collections::HashSet;

use super::atlas_names::{atlas_stem, is_skeleton};
use super::build::{MAX_SEARCHED, charge_sequences, numbered_pictures_of, pictures_of};
use super::{kind, read};
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::{Listing, Sidecars};
use crate::limits::{Budget, Limits};

/// Maximum number of skeletons to read.
const MAX_SKELETONS: usize = 64;

/// Maximum size of all skeletons read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Returns the regions of each skeleton in the folder with this `listing`, to which `sidecars` has access. Those that
/// cannot be read, or exceed a limit, are left out.
pub fn regions<'l>(listing: &'l Listing, sidecars: &dyn Sidecars, limits: &Limits) -> &'l [HashSet<String>] {
    listing.derived.regions.get_or_init(|| {
        let mut left = MAX_BYTES.min(limits.file_bytes);
        let skeletons = listing.names().iter().filter(|file| is_skeleton(file) && atlas_stem(file).is_none());
        let regions = |file: &String| {
            left = left.checked_sub(sidecars.size(file).ok()?)?;
            regions_of(&sidecars.load(file, limits).ok()?.ok()?, limits).ok()
        };
        skeletons.take(MAX_SKELETONS).filter_map(regions).collect()
    })
}

/// Returns the regions that a skeleton references; none for other files.
fn regions_of(bytes: &[u8], limits: &Limits) -> Result<HashSet<String>> {
    if kind(bytes).is_none() {
        return Ok(HashSet::new());
    }
    let mut budget = Budget::new(limits);
    let root = read::read(bytes, &mut budget, &mut Diagnostics::default())?;
    charge_sequences(&root, &mut budget)?;
    let numbered = numbered_pictures_of(&root, MAX_SEARCHED);
    Ok(pictures_of(&root, &numbered).into_iter().map(|name| name.trim().to_owned()).collect())
}
