//! Notices about events and skins.

pub mod auto_skin;
pub mod fired_events;
