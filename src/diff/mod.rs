//! Compares two characters by content, not byte by byte.
//!
//! Works on loaded characters, so characters of any two formats can be compared. Bones, meshes, images, skins and
//! animations are matched by name; duplicate names in file order. Every stored frame of every common animation is
//! posed (of keyed ones, up to 4,096 frames), and the vertices of all visible meshes are compared. Data that a format
//! cannot represent, such as the constraints of a baked character, does not count as a difference unless it is visible
//! in the poses. Physics is played as programs play it by default, and keyed animations with different frame rates are
//! compared at the same times.
//!
//! Keys do not count: different keys may play the same. If the characters differ, [`Diff::with_keys`] adds the keys that
//! differ, and the places of items that JSON names.
//!
//! ```
//! use pchr::diff::{Options, Side, compare};
//!
//! let old = pchr::Character::open("assets/paper-knight.pchr")?;
//! let new = pchr::Character::open("assets/paper-knight.pchr")?;
//! let [a, b] = [&old, &new].map(|character| Side { character, file: "paper-knight.pchr" });
//! let diff = compare(a, b, &Options::default())?;
//! assert!(diff.is_empty());
//! assert!(diff.poses_compared() > 1);
//! # Ok::<(), pchr::Error>(())
//! ```

mod animations;
mod bones;
mod compare;
mod differences;
mod images;
mod items;
mod key_lines;
#[cfg(feature = "convert")]
mod keys;
mod lines;
mod matching;
mod meshes;
mod order;
#[cfg(feature = "convert")]
mod places;
mod poses;
mod posing;
mod text;
mod tolerance;
mod vertices;

use crate::character::Character;
use crate::limits::Limits;

pub use compare::compare;
pub use differences::{Diff, FoundIn, Named};
use differences::{ItemDifference, PoseDifference};
pub use lines::{At, Kind, Line, Part};
pub use meshes::find_mesh;

/// One of the two characters that are compared.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The character.
    pub character: &'a Character,
    /// Path or name of its file, with `/`; may be empty. Used to match images that are named after their file,
    /// such as `knight.png` of `knight.json`, if the files have different names.
    pub file: &'a str,
}

/// Options of a comparison.
#[derive(Debug, Clone)]
pub struct Options {
    /// Distance in world units up to which two points are equal, but at least eight steps of an `f32` for large
    /// coordinates. 0 compares exactly, as do negative values and NaN. Also applies to texture coordinates (in
    /// pixels of the image), to weights (by how far they move a vertex) and to rates. Pixels are always compared
    /// exactly.
    pub epsilon: f32,
    /// Limits; `work` applies to posing and comparing.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { epsilon: 0.001, limits: Limits::default() }
    }
}
