//! Golden pictures: what `pchr-view --reference` and `pchr test` share. They differ in which pictures they plan, and in
//! where the references are.
//!
//! ```text
//! files ─▶ check ─┬─ stills: one picture per file ─┬─▶ reference ─▶ judge ─▶ record ─▶ print, report
//!                 └─ clips: many frames per file  ─┘      (read)   (compare)
//! ```

pub mod args;
pub mod check;
mod clips;
pub mod files;
pub mod judge;
pub mod print;
pub mod record;
pub mod reference;
pub mod report;
mod stills;
