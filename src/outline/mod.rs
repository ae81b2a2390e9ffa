//! A character described as data, once: bones, slots, attachments, skins, constraints, events and animations as items with
//! named facts, and poses as rows.
//!
//! Whatever describes a character reads it from here: reports serialize the items and print them as lines, comparisons
//! use [`changes`] between two lists of [`Fact`]s, and inspectors show the facts and [`references`] of one [`Part`].
//!
//! ```
//! let character = pchr::Character::open("assets/paper-lamp.json")?;
//! let slot = &pchr::outline::Slot::all(character.model())[0];
//! assert_eq!((slot.name.as_str(), slot.blend), ("base", "normal"));
//! # Ok::<(), pchr::Error>(())
//! ```

mod animation;
mod attachment;
mod bone;
mod color;
mod constraint;
mod event;
mod fact;
mod part;
mod references;
mod rows;
mod skin;
mod slot;

use std::fmt::Display;

pub use animation::{Animation, fired};
pub use attachment::Attachment;
pub use bone::Bone;
pub use color::hex_of_shares;
pub use constraint::Constraint;
pub use event::Event;
pub use fact::{Change, Fact, Link, Value, changes};
pub use part::Part;
pub use references::references;
pub use rows::{BoneRow, BoxRow, EventRow, SlotRow, matrix, placed};
pub use skin::Skin;
pub use slot::Slot;

/// Something that a character contains, described. Its text is what a line about it says, without the name.
pub trait Item: Display {
    /// Returns the name; it may be empty.
    fn name(&self) -> &str;

    /// Returns what is printed below the line.
    fn details(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Says that something is hidden in the editor, which does not affect the picture.
const HIDDEN: &str = "hidden in the editor";

/// Returns a number and what it counts.
pub(crate) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
