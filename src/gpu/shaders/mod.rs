//! The shaders, and the structs that they read: files of `shaders/` → sources, memory layouts and vertex layouts.

pub mod crowd_data;
pub mod gpu_data;
pub mod wgsl;
