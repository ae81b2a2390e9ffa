//! The window, driven as a user would.
#![cfg(feature = "viewer")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../quirks/mod.rs"]
mod quirks;

mod cache;
mod checkerboard;
mod clipboard;
mod compare;
mod controls;
mod conversion;
mod desk;
mod dialog_layout;
mod export;
mod export_dialog;
mod export_sheet;
mod files;
mod fonts;
mod guides;
mod hiding;
mod inspect;
mod inspect_pick;
mod inspect_side;
mod lists;
mod loading;
mod loading_textures;
mod overlays;
mod overlays_ghosts;
mod overlays_hidden;
mod painting;
mod panel;
mod picture;
mod pictures;
mod quitting;
mod reload;
mod rigs;
mod room;
mod settings_export;
mod settings_file;
mod settings_help;
mod settings_kept;
mod settings_palette;
mod settings_transport;
mod sheet;
mod skelform;
mod spine;
mod statistics;
mod strip;
mod time;
mod timeline_plate;
mod tracks;
mod tracks_timeline;
#[cfg(all(feature = "viewer", target_os = "linux"))]
mod window;
mod worn_skins;
