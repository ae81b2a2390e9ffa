//! The device that everything runs on: the choice of an adapter → an open device, its errors, and its buffers.
//!
//! A program's own device enters as `wgpu::Device`, and [`Context`] opens one for programs without. Creation happens in
//! [`catch`], so that errors leave as a [`GpuError`](crate::gpu::GpuError) instead of a panic. Knows nothing of
//! characters.

mod adapters;
mod buffer_limits;
mod context;
mod faults;
mod growing_buffer;
mod tracked_list;

pub use adapters::{AdapterChoice, AdapterSummary, list_adapters};
pub use buffer_limits::BufferLimits;
pub use context::{Context, ContextOptions, limits};
pub use faults::catch;
pub use growing_buffer::GrowingBuffer;
pub use tracked_list::TrackedList;
