//! Documents of one version → documents of another, step by step.
//!
//! Keeps everything that the target version supports. Remaining differences are found by comparing poses afterwards,
//! in [`rewrite`](super::rewrite).

pub mod early;
mod links;
mod lower;
mod lower_keys;
mod next;
mod orders;
mod paths;
mod raise;
mod sequences;
mod tidy;

use super::binary::Layout;
use super::schema::{Color, Root};
use crate::error::Result;
use crate::formats::Loss;
use crate::limits::Budget;

pub use links::linked;
pub use orders::{Named, constraints, drop_unapplied, remove};
pub use sequences::duration;
pub use tidy::tidy;

/// Translates a document to the version of `to`, and reports what that cannot represent. Timelines that only the
/// document's version has and that cannot be expressed otherwise must have been baked. Fails if the result would exceed
/// the limits.
pub fn translate(root: &mut Root<'_>, to: Layout, losses: &mut Vec<Loss>, budget: &mut Budget<'_>) -> Result<()> {
    let from = Layout::played(root.version);
    let rises = |step: Layout| from < step && to >= step;
    let falls = |step: Layout| from >= step && to < step;
    early::remove_flips(root);
    if rises(Layout::V4_0) {
        paths::raise(root);
        raise::to_4_0(root);
        orders::number(root);
    }
    if rises(Layout::V4_1) {
        raise::to_4_1(root);
    }
    if rises(Layout::V4_2) {
        raise::to_4_2(root);
    }
    if rises(Layout::V4_3) {
        next::to_4_3(root);
    }
    if falls(Layout::V4_3) {
        next::to_4_2(root, losses, budget)?;
    }
    if falls(Layout::V4_2) {
        lower::to_4_1(root, losses);
    }
    if falls(Layout::V4_1) {
        sequences::unroll(root, losses);
        lower::to_4_0(root);
    }
    if falls(Layout::V4_0) {
        lower::to_3_8(root, losses);
    }
    root.version = to.version();
    Ok(())
}

/// Red, green, blue and alpha, 0 to 1.
fn channels(color: Option<&Color<'_>>) -> [f32; 4] {
    // The reader has rejected invalid ones.
    let rgba = color.and_then(Color::valid).unwrap_or([u8::MAX; 4]);
    rgba.map(|channel| f32::from(channel) / 255.0)
}
