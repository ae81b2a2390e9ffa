//! The window: plays a character and lets the user inspect it. Uses winit, egui and wgpu.
//!
//! [`run`] opens it. [`state`] holds what is shown and does not depend on egui; [`app`] lays it out and does not
//! depend on a window; [`window`](mod@window) turns events into frames, and [`paint`] puts them on the screen,
//! with or without a GPU.

mod actions;
pub mod app;
mod availability;
pub mod backdrop;
pub mod book;
pub mod cached;
mod clipboard;
pub mod command;
pub mod compare;
mod deferred;
mod dialog;
mod distinct;
pub mod document;
pub mod documents;
mod error;
pub mod export;
pub mod filter;
mod focus;
mod folding;
pub mod fonts;
pub mod guides;
pub mod help;
mod hidden;
mod hiding;
mod icon;
mod identity;
pub mod inspection;
mod interface;
pub mod keyboard;
mod keycap;
pub mod lists;
pub mod loading;
mod lookup;
mod marks;
pub mod mixer;
mod name;
mod options;
pub mod paint;
pub mod palette;
mod panel;
mod pasted;
mod physics;
mod physics_choice;
pub mod picking;
mod place;
mod playhead;
pub mod pointer;
mod preflight;
mod recent;
mod room;
pub mod scene;
pub mod screenshot;
pub mod selection;
pub mod settings;
mod shell;
pub mod side;
mod skinned;
pub mod state;
pub mod statistics;
mod theme;
pub mod timeline;
pub mod tree;
pub mod underlay;
pub mod view;
pub mod window;
mod worker;

pub use error::ViewerError;
pub use identity::APP_ID;
pub use options::{Background, Given, Theme, WindowOptions};
pub use window::run;
