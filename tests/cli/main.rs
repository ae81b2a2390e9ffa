//! The programs as users run them: arguments, files, messages, exit codes.
#![cfg(feature = "viewer")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../quirks/mod.rs"]
mod quirks;

mod animated;
mod config;
mod contact;
mod contact_shared;
mod conversions;
mod convert;
mod convert_page;
mod diff;
mod folders;
mod golden;
mod inspect;
#[cfg(unix)]
mod interrupted;
#[cfg(unix)]
mod links;
mod manual;
#[cfg(all(unix, feature = "mcp"))]
mod mcp;
mod meshes;
mod optimize;
mod overlays;
mod pack;
mod paths;
mod physics;
mod poses;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod races;
mod scene;
mod settings;
mod sheet;
mod sheet_convert;
mod skelform;
mod spine;
mod spine_versions;
mod suite;
mod suite_meaning;
mod suite_settings;
mod suite_shards;
mod suite_structure;
mod suite_styles;
mod validate;
#[cfg(unix)]
mod video;
mod view;
mod warnings;
#[cfg(unix)]
mod writing;
