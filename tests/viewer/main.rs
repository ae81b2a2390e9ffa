//! The window, driven as a user would.
#![cfg(feature = "viewer")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../quirks/mod.rs"]
mod quirks;

mod compare;
mod controls;
mod conversion;
mod desk;
mod desk_around;
mod desk_fonts;
mod desk_statistics;
mod export;
mod export_dialog;
mod export_sheet;
mod inspect;
mod inspect_pick;
mod inspect_side;
mod loading;
mod loading_textures;
mod overlays;
mod overlays_hidden;
mod panel;
mod pictures;
mod settings_export;
mod settings_help;
mod settings_kept;
mod settings_palette;
mod settings_transport;
mod sheet;
mod skelform;
mod spine;
mod stage;
mod time;
mod tracks;
#[cfg(all(feature = "viewer", target_os = "linux"))]
mod window;
