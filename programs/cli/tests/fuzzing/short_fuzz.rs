//! A short run of every fuzz target of the command lines.

use crate::runner::short_run;
use crate::targets::TARGETS;

short_run! { TARGETS, &["cli"]; merge_results print_findings read_settings }
