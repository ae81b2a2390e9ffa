//! The fuzz targets of the command lines.

use pchr_tests as common;

#[path = "../../../../tests/fuzzing/mod.rs"]
mod fuzzing;
#[path = "../../../../tests/fuzzing/runner.rs"]
mod runner;
mod targets;

mod regressions;
mod short_fuzz;
