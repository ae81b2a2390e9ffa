//! Golden pictures: what `pchr-view --reference` and `pchr test` share.

pub mod args;
pub mod check;
mod clips;
pub(super) mod judge;
pub mod print;
pub mod record;
pub mod report;
mod stills;
pub mod target;
