//! Golden pictures: what `pchr-view --reference` and `pchr test` share.

pub mod args;
pub mod check;
mod clips;
pub(super) mod judge;
pub(super) mod new_files;
pub mod print;
pub mod record;
pub mod report;
mod stills;
pub mod target;
