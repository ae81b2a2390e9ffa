//! A loss: something that a written file cannot represent.

use crate::error::{Fault, Place};

/// Something that was lost.
// In JSON, the keys are sorted because the fields are.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(deny_unknown_fields))]
pub struct Loss {
    /// Affected animation.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub animation: Option<String>,
    /// Stable name of the kind of loss.
    pub code: &'static str,
    /// Largest vertex error in world pixels.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub error_px: Option<f32>,
    /// Stored frame with the largest error.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub frame: Option<u32>,
    /// Affected mesh of the output.
    #[cfg_attr(feature = "schemas", serde(skip_serializing_if = "Option::is_none"))]
    pub mesh: Option<String>,
    /// What was lost and what replaces it.
    pub message: String,
    /// Path in the input, in the terms of its format.
    pub path: String,
}

#[cfg(feature = "bake")]
impl Loss {
    /// Creates a loss at `path`, which is empty if the whole character is affected.
    pub(crate) fn new(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        Self { animation: None, code, error_px: None, frame: None, mesh: None, message, path }
    }

    /// Creates a loss that affects the animation `name`. The message gets that name.
    #[cfg(feature = "convert")]
    pub(crate) fn in_animation(code: &'static str, name: &str, message: impl std::fmt::Display) -> Self {
        let message = format!("animation `{name}`: {message}");
        Self { animation: Some(name.to_owned()), ..Self::new(code, format!("animations/{name}"), message) }
    }
}

impl Loss {
    /// Returns the loss as a printable fault.
    pub fn fault(&self) -> Fault {
        Fault { code: self.code, place: Place::inside(self.path.clone()), message: self.message.clone() }
    }
}
