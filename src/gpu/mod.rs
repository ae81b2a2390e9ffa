//! [`DrawList`](crate::draw::DrawList) → pixels, with wgpu. The only folder that names it outside `viewer`.
//!
//! A frame: [`Renderer::prepare`] writes the matrices, the colours, the order of the triangles, the view and the
//! overlay into buffers that it keeps, [`Renderer::draw`] records as few draw calls as will do into a render pass. Both work in the caller's own wgpu program,
//! on its device, in its pass, on its target; [`Context`], [`OffscreenTarget`] and [`Headless`] are for a
//! program that has none.
//!
//! What enters is a valid [`Model`](crate::model::Model): its vertices go to the GPU as the bytes of the
//! file, lists of influences as they are in the model, its pictures are premultiplied once, when they are uploaded. What leaves is premultiplied RGBA,
//! blended in gamma space. What a device cannot hold is refused with a [`GpuError`] before wgpu sees it, so
//! that the caller can draw with [`cpu`](crate::cpu) instead.

mod adapters;
mod backend;
mod batch;
mod context;
mod error;
mod faults;
mod frame;
pub mod gpu_data;
mod growing;
mod headless;
mod layouts;
mod level_atlas;
mod pages;
mod pipelines;
mod readback;
mod renderer;
pub mod shaders;
mod target;
mod upload;

pub use adapters::{AdapterChoice, AdapterSummary, list_adapters};
pub use backend::Backend;
pub use context::{Context, ContextOptions};
pub use error::GpuError;
pub use headless::Headless;
pub use pipelines::TargetFormat;
pub use readback::Readback;
pub use renderer::{Member, Renderer};
pub use target::OffscreenTarget;
