//! What the writers of other formats tell beside what they write.

/// Something that a format cannot say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Stable name of the kind of loss.
    pub code: &'static str,
    /// The animation that it is about; `None`: all of the character.
    pub animation: Option<String>,
    /// What it was and what became of it.
    pub message: String,
}

impl Lost {
    /// About an animation.
    pub fn animation(code: &'static str, name: &str, message: impl Into<String>) -> Self {
        Self { code, animation: Some(name.to_owned()), message: message.into() }
    }

    /// About all of the character.
    pub fn character(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, animation: None, message: message.into() }
    }
}
