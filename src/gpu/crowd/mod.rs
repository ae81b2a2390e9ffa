//! Crowds that pose themselves: the CPU writes what changes and the time, and the GPU does the rest.
//!
//! A character with stored frames is baked once ([`CrowdBake`]) and uploaded ([`CrowdModel`]). A member of a [`Crowd`]
//! is a small record: an animation, where it is at time 0, how fast it plays, a place and a tint. Compute passes find
//! the frames that each member shows, interpolate them, compose the bones, and leave out members outside the view. A
//! single draw call draws all of them, in the order of their places, each in the draw order of its own frame.
//!
//! ```text
//! place: time, members → draw order, visibility
//! pose: stored frames → bones
//! scan, compact: visible members → front
//! draw: one call for each chunk of members
//! ```
//!
//! Members that do not fit into the largest buffers of the device are split into chunks, with a draw call each.

mod bake;
mod changes;
mod chunk;
mod clock;
mod draw;
mod frames;
mod member;
mod model;
mod obstacles;
mod parts;
mod reach;
mod tables;

pub use bake::{CrowdBake, CrowdOptions};
pub use draw::Crowd;
pub use member::{CrowdMember, MemberId};
pub use model::CrowdModel;
pub use obstacles::{CrowdObstacle, CrowdObstacles};
