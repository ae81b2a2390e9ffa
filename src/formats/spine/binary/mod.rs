//! Binary skeletons (`.skel`) of 2.1 to 4.3 → [`schema::Root`], in the form that JSON of the same version has.
//!
//! The file is one sequence without offsets or lengths, so after a wrong number nothing makes sense. The stated
//! version determines the [`Layout`]; if the file cannot be read by it, but completely by exactly one other, the
//! stated version is wrong. Indices become names, which are borrowed from the file.

mod animations;
mod attachments;
mod constraint_list;
mod constraints;
mod cursor;
mod hash;
mod keys;
mod layout;
mod mass;
#[cfg(feature = "convert")]
mod offsets;
mod reader;
mod scale_y;
mod shapes;
mod skeleton;
mod skins;
mod trace;
#[cfg(feature = "convert")]
pub mod write;

use super::schema;
use super::version::Version;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::detect;
use crate::formats::json::locate::{Located, Tree};
#[cfg(feature = "convert")]
use crate::formats::keys::KeyOffsets;
use crate::limits::{Budget, Limits};
use cursor::Cursor;
pub use layout::Layout;
use reader::Reader;
#[cfg(not(target_family = "wasm"))]
use trace::Untraced;
use trace::{MaybeTrace, Path, Trace};

/// What to do about a file of another version.
const EXPORT: &str = "open the project in Spine and export it as JSON or binary with `Version` set to 4.2 or 3.8";

/// Reads all fields of a binary skeleton; [`build`](super::build) validates them. `budget` must be unused.
pub fn read<'a>(
    bytes: &'a [u8],
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<schema::Root<'a>> {
    budget.check_file(bytes.len() as u64)?;
    let unproven = detect::spine::binary_version_at(bytes)
        .and_then(|(text, at)| Some((at, Version::parse(text).filter(|it| it.is_unproven())?.remark(text)?)));
    let found = find_layout(bytes, budget)?;
    let Found { read, layout, stated } = found;
    let Attempt { mut root, budget: used, end } = read?;
    *budget = used;
    root.version = layout.version();
    if let Some((stated, at)) = stated {
        let message = format!(
            "the file states version {}, but its data has the form of {layout}; it is read as {layout}",
            escaped(stated)
        );
        diagnostics.flaw("version-mismatch", version_place(at), message);
    }
    if let Some((version, note)) = unproven
        && stated.is_none()
    {
        if end < bytes.len() {
            let message = format!("{note}, but its data has another form from here on; {EXPORT}");
            return Err(Error::unsupported("spine-binary", Place::at("", end as u64), message));
        }
        diagnostics.note("odd-version", version_place(version), note);
    }
    if end < bytes.len() {
        let message = format!("{} bytes after the last animation are ignored", bytes.len() - end);
        diagnostics.warn("trailing-bytes", Place::at("", end as u64), message);
    }
    Ok(root)
}

/// Adds the byte offset to an error that has only the pointer to a value of a binary skeleton.
pub fn with_offset(error: Error, bytes: &[u8]) -> Error {
    if detect::spine::binary_version(bytes).is_none() {
        return error;
    }
    error.located(|pointer| locate(bytes, &[pointer]).pop().flatten())
}

/// Returns the byte offset of the value at each JSON pointer, or of the longest prefix that exists. `None` if the
/// file is not a binary skeleton that can be read.
pub fn locate(bytes: &[u8], pointers: &[&str]) -> Vec<Option<u64>> {
    if detect::spine::binary_version(bytes).is_none() {
        return vec![None; pointers.len()];
    }
    let limits = Limits::default();
    let Ok(Found { layout, .. }) = find_layout(bytes, &Budget::new(&limits)) else {
        return vec![None; pointers.len()];
    };
    let mut tree = Tree::of(pointers);
    // An error ends the reading; what comes before it is located.
    let _ = attempt(bytes, layout, &Budget::new(&limits), Some(&mut Path::new(&mut tree)));
    let offset = |located: Option<Located>| located.map(|located| located.range.start as u64);
    tree.located().into_iter().map(offset).collect()
}

/// Reads all animations in the form of the file's version, with those timelines that are replaced by later ones. Also returns the
/// offsets of all keys, see [`offsets::Offsets`].
#[cfg(feature = "convert")]
pub fn all_animations<'a>(
    bytes: &'a [u8],
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<(schema::Entries<'a, schema::Animation<'a>>, KeyOffsets)> {
    let layout = Layout::played(read(bytes, budget, diagnostics)?.version);
    let mut offsets = KeyOffsets::new();
    let Attempt { root, budget: used, .. } =
        attempt(bytes, layout, budget, Some(&mut offsets::Offsets::new(&mut offsets)))?;
    *budget = used;
    Ok((root.animations, offsets))
}

/// The layout of a file, and the result of reading it by that layout.
struct Found<'a, 'b> {
    layout: Layout,
    /// The version that the file states and its offset, if the version has another layout.
    stated: Option<(&'a str, usize)>,
    read: Result<Attempt<'a, 'b>>,
}

/// A file that could be read.
struct Attempt<'a, 'b> {
    root: schema::Root<'a>,
    /// What it used.
    budget: Budget<'b>,
    /// Offset of the first byte that was not read.
    end: usize,
}

/// Reads by the layout of the stated version, and if that fails by the others.
fn find_layout<'a, 'b>(bytes: &'a [u8], budget: &Budget<'b>) -> Result<Found<'a, 'b>> {
    let (text, at) = detect::spine::binary_version_at(bytes).ok_or_else(unknown_version)?;
    let version = Version::parse(text);
    let stated = version.and_then(Layout::of);
    if stated.is_none() && version != Some(Version::Unknown) {
        return Err(refused(text, at));
    }
    let is_whole = |read: &Result<Attempt<'_, '_>>| read.as_ref().is_ok_and(|read| read.end == bytes.len());
    let read = |layout| attempt(bytes, layout, budget, None);
    let own = stated.map(|layout| (layout, read(layout)));
    if let Some((layout, read)) = own.filter(|(_, read)| is_whole(read)) {
        return Ok(Found { layout, stated: None, read });
    }
    let others = Layout::ALL.into_iter().filter(|layout| Some(*layout) != stated);
    // A few bytes can be read by any layout, but without a bone.
    let has_bones = |read: &Result<Attempt<'_, '_>>| read.as_ref().is_ok_and(|read| !read.root.bones.is_empty());
    let is_other = |(_, read): &(Layout, Result<Attempt<'_, '_>>)| is_whole(read) && has_bones(read);
    let mut others = others.map(|layout| (layout, read(layout))).filter(is_other);
    if let (Some((layout, read)), None) = (others.next(), others.next()) {
        return Ok(Found { layout, stated: Some((text, at)), read });
    }
    let layout = stated.ok_or_else(|| ambiguous(text, at))?;
    // Again, for the path of the error.
    let mut tree = Tree::of(&[]);
    let read = attempt(bytes, layout, budget, Some(&mut Path::new(&mut tree)));
    Ok(Found { layout, stated: None, read })
}

fn attempt<'a, 'b>(
    bytes: &'a [u8],
    layout: Layout,
    budget: &Budget<'b>,
    trace: Option<&mut dyn Trace<'a>>,
) -> Result<Attempt<'a, 'b>> {
    #[cfg(not(target_family = "wasm"))]
    if trace.is_none() {
        return attempt_with(bytes, layout, budget, Untraced);
    }
    attempt_with(bytes, layout, budget, trace)
}

fn attempt_with<'a, 'b>(
    bytes: &'a [u8],
    layout: Layout,
    budget: &Budget<'b>,
    trace: impl MaybeTrace<'a>,
) -> Result<Attempt<'a, 'b>> {
    // Each attempt may use all of it.
    let budget = Budget::new(budget.limits()).with_progress(budget.progress());
    let mut reader = Reader::new(Cursor::new(bytes, budget, trace), layout);
    let root = reader.read()?;
    Ok(Attempt { root, end: reader.file.offset(), budget: reader.file.budget })
}

/// The place of the stated version.
fn version_place(at: usize) -> Place {
    Place::at("/skeleton/spine", at as u64)
}

fn refused(version: &str, at: usize) -> Error {
    let message = format!(
        "this is a binary skeleton of Spine {}; only binaries of 2.1 to 4.3 are supported: {EXPORT}; \
         without the project, import the file into the editor in the file's own version, and export it from there",
        escaped(version)
    );
    Error::unsupported("spine-binary", version_place(at), message)
}

fn unknown_version() -> Error {
    let message = format!("this is a binary skeleton of an unknown version of Spine; {EXPORT}");
    Error::unsupported("spine-binary", Place::default(), message)
}

/// The error for a file whose version was never released.
fn ambiguous(version: &str, at: usize) -> Error {
    let message = format!(
        "`{}` is not a released version, and its data does not fit exactly one version of 2.1 to 4.3; {EXPORT}",
        escaped(version)
    );
    Error::unsupported("spine-binary", version_place(at), message)
}
