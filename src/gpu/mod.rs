//! Draws a [`DrawList`](crate::draw::DrawList) with wgpu. The only module that uses wgpu.
//!
//! Everything works in the caller's own program: on its device, in its render passes, on its targets. Data with
//! different owners has different types:
//!
//! * [`Pipelines`], one for each device and kind of target: layouts, samplers, shader modules and pipelines.
//! * [`GpuModel`], one for each model: geometry and pages.
//! * [`ViewBuffers`], one for each view of a model in a submission: the [`Camera`], bone matrices, colours and
//!   triangles of one character or a crowd. [`ViewBuffers::prepare`] writes them, [`ViewBuffers::draw`] records a few
//!   draw calls.
//!
//! A [`Crowd`] of one character poses itself: the CPU only writes what changes and the time.
//!
//! [`Renderer`] bundles the three for a program with one model and one view. [`Context`], [`OffscreenTarget`],
//! [`Readback`] and [`Headless`] are for programs without a device of their own.
//!
//! Vertices with four influences go to the GPU as the bytes of the file, others as lists of influences. Pages are
//! premultiplied once, when they are uploaded. The output is premultiplied RGBA, blended in gamma space. What a
//! device cannot hold is refused with a [`GpuError`] before wgpu sees it, so that the caller can draw with
//! [`cpu`](crate::cpu) instead.

mod adapters;
mod backend;
mod batch;
mod buffers;
mod camera;
mod context;
mod crowd;
mod error;
mod faults;
pub(crate) mod gpu_data;
mod growing;
mod headless;
mod kept;
mod layouts;
mod level_atlas;
mod member;
mod model;
mod model_upload;
mod needs;
mod pages;
mod pipelines;
mod readback;
mod recipe;
mod renderer;
mod room;
pub(crate) mod shaders;
mod shared;
mod target;
mod upload;
mod view_buffers;

pub use adapters::{AdapterChoice, AdapterSummary, list_adapters};
pub use backend::Backend;
pub use camera::{Camera, ClipMatrix};
pub use context::{Context, ContextOptions, limits};
#[cfg(test)]
pub(crate) use crowd::gpu_data as crowd_data;
pub use crowd::{
    Crowd, CrowdBake, CrowdMember, CrowdModel, CrowdObstacle, CrowdObstacles, CrowdOptions, MemberId,
};
pub use error::GpuError;
pub use headless::Headless;
pub use member::Member;
pub use model::GpuModel;
pub use model_upload::{ModelLevels, ModelUpload};
pub use pipelines::{DepthTest, Pipelines};
pub use readback::Readback;
pub use renderer::{Group, Renderer};
pub use target::{OffscreenTarget, TargetFormat};
pub use view_buffers::ViewBuffers;
/// The version of wgpu whose devices, passes and formats are passed here.
pub use wgpu;
