//! Broken, hostile and huge files. Needs the feature `convert`.

#[path = "../common/mod.rs"]
mod common;
#[path = "../fuzzing/mod.rs"]
mod fuzzing;
#[path = "../quirks/mod.rs"]
mod quirks;
#[path = "../fuzzing/runner.rs"]
mod runner;

mod damage;
mod damages;
mod huge;
mod mutations;
mod mutations_skel;
mod mutations_skelform;
mod mutations_spine;
mod offsets;
mod pictures;
#[cfg(feature = "find")]
mod public_functions;
mod regressions;
mod short_fuzz;

/// Says that a part is missing.
#[cfg(not(feature = "find"))]
#[test]
#[ignore = "needs the feature `find`, which the library has when it is tested together with the programs"]
fn public_functions() {}
