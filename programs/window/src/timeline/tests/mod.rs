//! The timeline: keys, curves, in and out points.

pub mod below_canvas;
pub mod diagnosis;
pub mod frame_label;
pub mod keys;
pub mod lines;
pub mod pointers;
pub mod several_tracks;
