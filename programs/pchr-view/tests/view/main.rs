//! `pchr-view` without a window, and what both programs do alike, as users run them: arguments, files, messages, exit
//! codes, pictures.

use pchr_tests as common;
#[path = "../../../../tests/quirks/mod.rs"]
mod quirks;

mod additive;
mod animated;
mod blended;
mod config;
mod contact;
mod contact_shared;
mod golden;
mod headless;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod interrupted;
#[cfg(unix)]
mod links;
mod manual;
mod meshes;
mod optimize;
mod overlays;
mod page_alpha;
mod paths;
mod physics;
mod psd;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod races;
mod scene;
mod settings;
mod sheet;
mod sheet_convert;
mod sheet_dialects;
mod sheet_engines;
mod skelform;
mod spine;
mod stage;
mod survey;
#[cfg(unix)]
mod video;
mod warnings;
#[cfg(unix)]
mod writing;
