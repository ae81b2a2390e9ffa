//! The fuzz targets of the command lines, used by the fuzzer and by the short run of the normal tests. Their checks and
//! mutators build on those of the library in `tests/fuzzing`.

mod findings;
mod mutators;
mod names;
mod printed;
mod suites;
mod toml_damage;

use crate::fuzzing::targets::{CHARACTERS, Target, target};

/// All targets of the command lines, sorted by name.
pub const TARGETS: &[Target] = &[
    Target {
        is_valid: Some(suites::merges),
        ..target("merge_results", suites::merge_results, mutators::results, &["suite-results"])
    },
    target("print_findings", findings::print_findings, mutators::named, CHARACTERS),
    Target {
        is_valid: Some(suites::suits),
        ..target("read_settings", suites::read_settings, mutators::settings, &["suite-settings"])
    },
];
