//! Golden pictures: what `pchr-view --reference` and `pchr test` share.

pub mod record;
pub mod report;
