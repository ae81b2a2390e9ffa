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
//! [`Readback`] and [`Headless`] are for programs without a device of their own. A [`Backdrop`] is what blended slots
//! blend with on a transparent target.
//!
//! Vertices with four influences go to the GPU as the bytes of the file, others as lists of influences. Pages are
//! premultiplied once, when they are uploaded. The output is premultiplied RGBA, blended in gamma space. What a
//! device cannot hold is refused with a [`GpuError`] before wgpu sees it, so that the caller can draw with
//! [`cpu`](crate::cpu) instead.
//!
//! Each folder imports only those before it in this order; `backend` and `error` come before all:
//!
//! ```text
//! device → shaders → pipeline → upload → batch → pass ─┬─ crowd
//!                                                      └─ offscreen
//! ```

mod backend;
mod batch;
mod crowd;
mod device;
mod error;
mod offscreen;
mod pass;
mod pipeline;
pub(crate) mod shaders;
mod upload;

pub use backend::Backend;
pub use batch::{Camera, ClipMatrix, Member};
pub use crowd::{
    Crowd, CrowdBake, CrowdMember, CrowdModel, CrowdObstacle, CrowdObstacles, CrowdOptions, MemberId,
};
pub use device::{AdapterChoice, AdapterSummary, Context, ContextOptions, limits, list_adapters};
pub use error::GpuError;
pub use offscreen::{Backdrop, Headless, OffscreenTarget, Readback};
pub use pass::{Group, Renderer, ViewBuffers};
pub use pipeline::{DepthTest, Pipelines, TargetFormat};
pub use upload::{GpuModel, ModelLevels, ModelUpload};
/// The version of wgpu whose devices, passes and formats are passed here.
pub use wgpu;
