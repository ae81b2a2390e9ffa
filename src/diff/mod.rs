//! Compares two characters by what they mean, not by their bytes.
//!
//! Works on loaded characters, so every format that can be read can be compared with every other. Bones, meshes, images,
//! skins and animations are matched by name, those with the same name in file order. Every stored frame of every
//! animation that both have is posed, and the vertices of every visible mesh are compared. What a format cannot hold
//! (the constraints of a character that was baked) is not a difference: its poses show it where it can be seen.
//!
//! ```
//! use pchr::diff::{Options, Side, compare};
//!
//! let old = pchr::Character::open("assets/paper-knight.pchr")?;
//! let new = pchr::Character::open("assets/paper-knight.pchr")?;
//! let [a, b] = [&old, &new].map(|character| Side { character, file: "paper-knight.pchr" });
//! let diff = compare(a, b, &Options::default())?;
//! assert!(diff.is_empty());
//! assert!(diff.poses_compared > 1);
//! # Ok::<(), pchr::Error>(())
//! ```

mod animations;
mod bones;
mod compare;
mod differences;
mod images;
mod items;
mod matching;
mod meshes;
mod order;
mod poses;
mod posing;
mod tolerance;
mod vertices;

use crate::character::Character;
use crate::limits::Limits;

pub use compare::compare;
pub use differences::{
    AnimationDifference, BoneDifference, BonePart, Change, Diff, FarthestBone, FarthestVertex, FoundIn,
    ImageDifference, ItemDifference, MeshDifference, Named, OrderDifference, PixelDifference, PoseDifference,
    PropertyChange, TriangleDifference, VertexDifference, VisibilityDifference,
};

/// One of the two characters that are compared.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The character.
    pub character: &'a Character,
    /// The path or name of its file, with `/`. Images whose names begin with the file's name, as those of
    /// `knight.json` do in `knight.png`, are matched when the file is called otherwise. May be empty.
    pub file: &'a str,
}

/// What counts as a difference, and how much work comparing may take.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Distance in world units up to which two points are equal; it is raised to eight steps of an `f32` for large
    /// coordinates. 0 compares exactly, as does anything that is no positive number. Applies in the same way to texture
    /// coordinates (in pixels of the image), to weights (by how far they move a vertex) and to rates. Pixels are always
    /// compared exactly.
    pub epsilon: f32,
    /// How much work posing and comparing may take.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { epsilon: 0.001, limits: Limits::default() }
    }
}
