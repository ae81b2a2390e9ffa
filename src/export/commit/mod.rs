//! A plan → files in place: takes a plan, its files and a renderer, and returns the paths of the files, each complete.

mod batch;
mod run;

pub use batch::{Batch, BatchError, Commit, Observer, Written};
pub use run::Run;
