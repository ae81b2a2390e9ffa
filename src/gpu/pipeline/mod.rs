//! Layouts, samplers, shader modules and pipelines: a device and a kind of target → [`Pipelines`].
//!
//! They depend on no model. Most are created when something first needs them, and all models of a device share them.

mod crowd_passes;
mod layouts;
mod pipelines;
mod recipe;
mod shared;
mod target_format;

pub use crowd_passes::{CrowdBuffer, CrowdPasses, Pass, bind};
pub use layouts::Layouts;
pub use pipelines::{DepthTest, Kind, Pipelines};
pub use shared::Shared;
pub use target_format::TargetFormat;
