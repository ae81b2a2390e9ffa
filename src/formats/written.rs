//! Losses reported by the writers.

/// Something that the target format cannot represent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Stable name of the kind of loss.
    pub code: &'static str,
    /// The affected animation; `None`: the whole character.
    pub animation: Option<String>,
    /// What was lost and how it was replaced.
    pub message: String,
}

impl Lost {
    /// Creates a loss that affects an animation.
    pub fn animation(code: &'static str, name: &str, message: impl Into<String>) -> Self {
        Self { code, animation: Some(name.to_owned()), message: message.into() }
    }

    /// Creates a loss that affects the whole character.
    pub fn character(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, animation: None, message: message.into() }
    }
}
