//! What pictures show of parts whose image is missing.

crate::rows::words! {
    /// What pictures show of regions and meshes without an image.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Missing {
        /// Nothing. They do not count for the visible area either.
        Hide => ("hide", "Hide them, and leave them out of the visible area"),
        /// Their shapes, in a neutral colour with an outline.
        Box => ("box", "Draw their shapes in a neutral colour"),
    }
}

impl Missing {
    /// Returns what becomes of them, for messages: "they are …".
    #[cfg(feature = "spine")]
    pub(crate) fn outcome(self) -> &'static str {
        match self {
            Self::Hide => "hidden",
            Self::Box => "drawn in a neutral colour",
        }
    }
}
