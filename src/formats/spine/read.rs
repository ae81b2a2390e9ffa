//! JSON text → [`schema::Root`], and which version it is.

use super::{schema, tell};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, shown};
use crate::formats::json_text;
use crate::limits::Budget;

/// What is read, for messages.
const READ: &str = "JSON of Spine 3.6, 3.7 and 3.8 is read";

/// No field that is known lies in as many lists and objects.
const KNOWN_DEPTH: u64 = 16;

/// Finds every field of a file. What they mean is for [`build`](super::build).
pub fn read<'a>(bytes: &'a [u8], budget: &Budget<'_>, diagnostics: &mut Diagnostics) -> Result<schema::Root<'a>> {
    budget.check_file(bytes.len() as u64)?;
    if let Some(version) = tell::binary_version(bytes) {
        let message = format!("this is a binary skeleton of Spine {version}; {READ}, export it as JSON");
        return Err(Error::unsupported("spine-binary", Place::default(), message));
    }
    let text = json_text::without_bom(bytes);
    let offset = (bytes.len() - text.len()) as u64;
    // Another version may have other fields, or the same ones with another meaning: that is told first.
    if let Some(version) = tell::version(text) {
        check_version(version)?;
    }
    let mut is_odd = budget.limits().json_depth < KNOWN_DEPTH;
    let mut unknown = |path: serde_ignored::Path<'_>| {
        is_odd = true;
        let place = Place { path: json_text::ignored_pointer(&path), ..Place::default() };
        diagnostics.warn("unknown-key", place, "this key means nothing here and is ignored");
    };
    let mut parser = serde_json::Deserializer::from_slice(text);
    let root: serde_json::Result<schema::Root<'_>> =
        serde_ignored::deserialize(&mut parser, &mut unknown).and_then(|root| parser.end().map(|()| root));
    // Only what is not known lies deeper, so other texts are spared the scan.
    if is_odd || root.is_err() {
        json_text::check_depth(text, offset, budget)?;
    }
    match root {
        Ok(root) => versioned(root, diagnostics),
        Err(error) => Err(json_text::find_fault::<schema::Root<'_>>(text, offset, error)),
    }
}

/// Of a version that is read, or of none.
fn versioned<'a>(root: schema::Root<'a>, diagnostics: &mut Diagnostics) -> Result<schema::Root<'a>> {
    match root.skeleton.as_ref().and_then(|skeleton| skeleton.spine.as_ref()) {
        Some(version) => check_version(version.as_str())?,
        None => {
            let message = "the file does not say its version; it is read as 3.8";
            diagnostics.warn("no-version", version_place(), message);
        }
    }
    Ok(root)
}

fn version_place() -> Place {
    Place { path: "/skeleton/spine".to_owned(), ..Place::default() }
}

fn check_version(version: &str) -> Result<()> {
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(3), Some(6..=8)) => Ok(()),
        _ => {
            let message = format!("this is Spine {}; {READ}", shown(version));
            Err(Error::unsupported("spine-version", version_place(), message))
        }
    }
}
