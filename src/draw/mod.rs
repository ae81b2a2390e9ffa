//! Builds a draw list from a pose: attachments in draw order with matrices, colours and clipping. Contains no GPU
//! types.
//!
//! The CPU and the GPU renderer draw the same [`DrawList`] through the same [`View`] with the same [`Settings`].
//! [`Batches`] turns it into vertices and indices for any other renderer.

mod batch;
mod clip;
mod command;
mod counts;
mod ghosts;
mod hidden;
mod hulls;
mod list;
pub(crate) mod mipmaps;
mod outline;
mod overlay;
mod pick;
mod picture;
mod settings;
mod sprite;
pub mod text;
mod view;
mod work;

pub use batch::{Batch, BatchVertex, Batches, ClipSpan, InfluenceSpan, UnskinnedBatches, UnskinnedVertex};
pub use command::{Command, OverlayVertex};
pub use counts::DrawCounts;
pub use ghosts::Ghosts;
pub use hidden::{Hidden, Hideable, hideable_names};
pub(crate) use hulls::HullSpan;
pub(crate) use list::Portion;
#[cfg(feature = "export")]
pub(crate) use list::drawn_slots;
pub use list::{DrawList, blended_slots};

pub use overlay::{Onion, Overlay, OverlayLabel, Overlays, overlay_labels};
pub use pick::{Hit, SurfacePoint, pick};
pub use picture::Picture;
pub(crate) use settings::Sampling;
pub use settings::{Antialias, Filter, NEUTRAL_COLOR, Settings};
pub use sprite::{BlendClass, Mask, Sprite, SpriteColor};
pub use view::View;
pub use work::PictureWork;
