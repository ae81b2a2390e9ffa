//! The pass of a loop with physics from which the motion repeats. Only what stores frames searches for it.

#[cfg(feature = "bake")]
mod search;

#[cfg(feature = "convert")]
pub(crate) use search::bone_distance;

/// The pass of a loop with physics that looks like the one before it.
///
/// Physics is at rest when an animation begins, and swings in over the first passes. A loop that is baked, so that
/// physics cannot go on from its end, has to begin in the state in which it ends.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cycle {
    /// The number of passes before it. 0 without physics, and for an animation whose end does not meet its start.
    #[cfg(feature = "bake")]
    pub(crate) passes: u32,
    /// How far bones are from where they were a pass earlier, in units. It is larger than `Self::TOLERANCE` if the
    /// animation does not repeat itself within [`Dynamics::MAX_REPLAY_SECS`].
    #[cfg(feature = "bake")]
    pub(crate) difference: f32,
}
