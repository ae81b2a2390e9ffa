//! The selected part of the character: at most one.

pub use pchr::outline::Part as Selected;
