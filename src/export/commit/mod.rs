//! A plan → files in place. Enters: a plan, its files, and what draws. Leaves: the paths of files, each of which is complete.

mod batch;
mod run;

pub use batch::{Batch, BatchError, Commit, Observer, Written};
pub use run::Run;
