//! Planned pictures → pixels. Enters: cues, a view and a renderer. Leaves: pictures on their background, one by one or as
//! a stream in order. They are drawn on all cores or on the GPU; only a few are in memory at a time.

mod drawing;
mod finish;
mod fitted;
mod frame;
mod ground;
mod layers;
mod pose_sampling;
mod renderer;
mod sequence;
mod stream;
mod visible_animations;

#[cfg(test)]
pub use drawing::Pipeline;
pub use drawing::{Drawing, renderer};
pub use frame::GhostPoser;
pub use layers::{Content, Layers};
pub use pose_sampling::{PoseSampling, SampledMotion, SampledPose};
pub use renderer::RendererUnavailable;
pub use sequence::Sequence;
pub use stream::Sink;
pub use visible_animations::VisibleAnimations;
