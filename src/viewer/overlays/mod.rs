//! What is drawn over, behind and beside the character: overlays, guides, a picture, handles of IK targets, and the
//! statistics.

pub mod guides;
pub mod panel;
pub mod picture;
pub mod statistics;
pub mod targets;
pub mod underlay;

#[cfg(test)]
pub mod tests;
