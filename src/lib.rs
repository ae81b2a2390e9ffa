//! Open any 2D skeletal character, see it move exactly as its author meant, and get it out again.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bytes;
pub mod character;
#[cfg(feature = "cli")]
pub mod cli;
pub mod cpu;
pub mod diagnostics;
pub mod draw;
pub mod error;
#[cfg(feature = "export")]
pub mod export;
pub mod formats;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod limits;
pub mod math;
pub mod model;
pub mod motion;
pub mod player;
pub mod pose;
#[cfg(feature = "viewer")]
pub mod viewer;

pub use character::Character;
pub use error::{Error, Result};
