//! JSON text or a binary skeleton → [`schema::Root`], and version detection.

use super::evidence::{Decision, Evidence, ignore_others};
use super::ignored::{Harmless, is_harmless, warn_ignored};
use super::stated_version::stated_version;
use super::version::{READ_AS_3_8, Version};
use super::{binary, constraint_list, curves, legacy, schema, short_colors};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::detect::{self, json::JsonText};
use crate::formats::json::pull::Pull;
use crate::formats::json::{self, Oddity, note_boolean};
use crate::limits::Budget;

/// The supported versions, for messages.
const SUPPORTED: &str = "only Spine JSON 2.1 to 4.3 is supported";

/// How to convert a project of another version.
const EXPORT: &str = "open the project in Spine and export it as JSON, with `Version` set to 4.3 or 3.8";

/// Parses all fields of a file; [`build`](super::build) validates them.
pub fn read<'a>(
    bytes: &'a [u8],
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<schema::Root<'a>> {
    budget.check_file(bytes.len() as u64)?;
    if detect::spine::binary_version(bytes).is_some() {
        let mut root = binary::read(bytes, budget, diagnostics)?;
        let mut none = Harmless::default();
        legacy::complete(&mut root, &mut none);
        legacy::modernise(&mut root, &mut none, diagnostics);
        return Ok(root);
    }
    let JsonText { text, offset } = JsonText::of(bytes).without_bom();
    // Other versions may have other fields, or the same fields with another meaning, so the version is checked
    // first.
    let version = stated_version(text).map_or(Ok(Version::Unknown), parse_version)?;
    let mut harmless = Harmless::default();
    let mut see = |pointer: String, oddity| {
        let Oddity::Ignored(content) = oddity else {
            return note_boolean(Place::inside(pointer), diagnostics);
        };
        match is_harmless(&pointer, content, version) {
            true => harmless.add(pointer),
            false => warn_ignored(pointer, diagnostics),
        }
    };
    let root = json::read_with(text, offset, budget, Some(&mut see), schema::json::Root::pull);
    let root = root.and_then(|root| versioned(root, budget, &mut harmless, diagnostics));
    harmless.report(diagnostics);
    root
}

/// Checks the version and converts older forms.
fn versioned<'a>(
    mut root: schema::json::Root<'a>,
    budget: &mut Budget<'_>,
    harmless: &mut Harmless,
    diagnostics: &mut Diagnostics,
) -> Result<schema::Root<'a>> {
    let stated =
        root.skeleton.as_ref().and_then(|skeleton| skeleton.spine.as_ref()).map(|text| escaped(text.as_str()));
    let parsed = stated.as_deref().map_or(Ok(Version::Unknown), parse_version)?;
    let Decision { version, against, is_mixed } = Evidence::of(&mut root).decide(parsed);
    root.version = version;
    if is_mixed {
        let has_lists = constraint_list::has_lists(&root);
        ignore_others(&mut root, version, diagnostics);
        if has_lists && root.constraints.is_empty() && !constraint_list::has_lists(&root) {
            constraint_list::remove_references(&mut root);
        }
        curves::mend_curves(&mut root.animations, version.is_four(), budget)?;
    }
    let mut root = constraint_list::document(root, diagnostics);
    legacy::complete(&mut root, harmless);
    if version.is_old() || version == Version::Unknown {
        short_colors::replace(&mut root, diagnostics);
    }
    legacy::modernise(&mut root, harmless, diagnostics);
    let read_as = match version {
        Version::Unknown => READ_AS_3_8.to_owned(),
        version => format!("it is read as {version}, to which its keys belong"),
    };
    match (stated, against) {
        (Some(text), Some((pointer, odd))) => {
            let message = format!("the file states Spine {text}, which {odd}; {read_as}");
            diagnostics.flaw("version-mismatch", Place::inside(pointer), message);
        }
        (Some(text), None) => {
            if parsed == Version::Unknown {
                let note = format!("`{text}` is not a released version; {read_as}");
                diagnostics.note("odd-version", version_place(), note);
            } else if let Some(note) = version.remark(&text) {
                diagnostics.note("odd-version", version_place(), note);
            }
        }
        (None, _) => {
            let message = format!("the file does not state its version; {read_as}");
            diagnostics.note("no-version", version_place(), message);
        }
    }
    Ok(root)
}

fn version_place() -> Place {
    Place::inside("/skeleton/spine")
}

fn parse_version(text: &str) -> Result<Version> {
    Version::parse(text).ok_or_else(|| {
        let message = format!("this is Spine {}; {SUPPORTED}: {EXPORT}", escaped(text));
        Error::unsupported("spine-version", version_place(), message)
    })
}
