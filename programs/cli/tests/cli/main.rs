//! `pchr` as users run it: arguments, files, messages, exit codes.

use pchr_tests as common;
#[path = "../../../../tests/hardening/damages/mod.rs"]
mod damages;
#[path = "../../../../tests/quirks/mod.rs"]
mod quirks;

mod animate;
mod aseprite;
mod conversions;
mod convert;
mod convert_page;
mod damage;
mod diff;
mod diff_keys;
mod diff_places;
mod folders;
mod inspect;
mod keep_going;
mod keys;
#[cfg(all(unix, feature = "mcp"))]
mod mcp;
mod pack;
mod poses;
mod spine_versions;
mod suite;
mod suite_meaning;
mod suite_settings;
mod suite_shards;
mod suite_structure;
mod suite_styles;
mod upgrade_skelform;
mod validate;
