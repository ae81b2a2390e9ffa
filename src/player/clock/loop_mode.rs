//! What happens at the end of an animation.

/// What happens at the end of an animation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum LoopMode {
    /// As authored in the file: loop or stop.
    #[default]
    Authored,
    /// Start again from the first frame.
    Loop,
    /// Stop at the last frame.
    Once,
    /// Play backwards to the first frame, then forwards again.
    PingPong,
}

impl LoopMode {
    /// Every mode, in the order in which [`Self::next`] cycles through them.
    pub const ALL: [Self; 4] = [Self::Authored, Self::Loop, Self::Once, Self::PingPong];

    /// Returns the next mode.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}
