//! What draw calls are built from, besides the members.

use super::camera::Camera;
use crate::draw::Filter;
use crate::gpu::device::BufferLimits;
use crate::gpu::upload::{Geometry, Pages};
use crate::model::Model;

/// The inputs of [`Batch::build`](super::Batch::build).
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    pub model: &'a Model,
    pub geometry: &'a Geometry,
    pub pages: &'a Pages,
    pub camera: Camera,
    pub filter: Filter,
    /// The buffers of the device.
    pub limits: BufferLimits,
}
