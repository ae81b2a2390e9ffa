//! The draw calls of a batch → buffers that change from picture to picture, and commands in a render pass.
//!
//! [`ViewBuffers`] is one view of one model. [`Renderer`] is the simple case, with everything that it needs.

mod buffers;
mod renderer;
mod view_buffers;

pub use renderer::{Group, Renderer};
pub use view_buffers::ViewBuffers;
