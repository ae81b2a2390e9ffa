//! Draw list → flat arrays of vertices and indices, for renderers other than ours.
//!
//! [`Batches`] skins on the CPU: every vertex has a position in the world. [`UnskinnedBatches`] stores influences
//! instead, for renderers that skin on their own GPU. Both have the same indices, batches and clip spans. Views, textures
//! and devices are the renderer's business.

mod collect;
mod color;
mod skinned;
mod spans;
mod unskinned;

pub use skinned::{BatchVertex, Batches};
pub use spans::{Batch, ClipSpan};
pub use unskinned::{InfluenceSpan, UnskinnedBatches, UnskinnedVertex};
