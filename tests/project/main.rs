//! Tests of the repository as a whole: layers, schemas, the README and the pages, the installation, the published
//! package.

#[path = "../common/mod.rs"]
mod common;

mod checks;
mod ci;
mod commands;
mod crowd;
#[cfg(target_os = "linux")]
mod desktop;
mod features;
mod licenses;
mod options;
mod package;
mod pages;
mod releases;
mod schemas;
mod structure;
