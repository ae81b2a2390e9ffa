//! A model → the geometry and textures of a [`GpuModel`], uploaded once for each device, at once or over several frames.
//!
//! Refuses pages and meshes that the device cannot hold.

mod geometry;
mod level_atlas;
mod model;
mod model_upload;
mod needs;
mod pages;

pub use geometry::{Geometry, Shape, VertexPlace};
pub use model::GpuModel;
pub use model_upload::{ModelLevels, ModelUpload};
pub use pages::{Binding, Pages, create_texture, write_rows};
