//! The window as a program. The tests of its contents are unit tests in `src/viewer`.
#![cfg(feature = "viewer")]

#[path = "../common/mod.rs"]
mod common;

#[cfg(target_os = "linux")]
mod window;
