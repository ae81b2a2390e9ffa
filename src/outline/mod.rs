//! A character described as data, once: bones, slots, attachments, skins, constraints, events and animations as items with
//! named facts, and poses as rows.
//!
//! Whatever describes a character reads it from here: reports serialize the items, whose `Display` is a line without the
//! name, comparisons use [`changes`] between two lists of [`Fact`]s, and inspectors show the facts and [`references`] of
//! one [`Part`].
//!
//! ```
//! let character = pchr::Character::open("assets/paper-lamp.json")?;
//! let slot = &pchr::outline::Slot::all(character.model())[0];
//! assert_eq!((slot.name.as_str(), slot.blend), ("lower", "normal"));
//! # Ok::<(), pchr::Error>(())
//! ```

mod animate;
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

pub use animate::Atlas;
pub use animation::{Animation, fired};
pub use attachment::Attachment;
pub use bone::Bone;
pub use color::hex_of_shares;
pub use constraint::Constraint;
pub use event::Event;
pub use fact::{Change, Comparable, Fact, Link, Value, changes};
pub use part::Part;
pub use references::references;
pub use rows::{BoneRow, BoxRow, EventRow, SlotRow, matrix, placed};
pub use skin::Skin;
pub use slot::Slot;

/// Says that something is hidden in the editor, which does not affect the picture.
const HIDDEN: &str = "hidden in the editor";

/// Returns a number and what it counts.
pub(crate) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
