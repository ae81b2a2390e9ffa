//! What draw calls are built from, besides the members.

use crate::draw::Filter;
use crate::gpu::Camera;
use crate::gpu::pages::Pages;
use crate::gpu::room::Room;
use crate::gpu::upload::Geometry;
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
    pub room: Room,
}
