//! The strip of tracks.

pub mod strip;
