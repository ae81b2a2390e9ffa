//! The timeline: keys, curves, in and out points.

pub mod below_canvas;
pub mod frame_label;
pub mod keys;
pub mod several_tracks;
