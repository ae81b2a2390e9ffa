//! The losses of a conversion.

use std::collections::HashMap;

use crate::bake::BakeLoss;
use crate::error::{Fault, Place};
use crate::formats::written::Lost;

/// Something that was lost in a conversion.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// Stable name of the kind of loss.
    pub code: &'static str,
    /// Path in the source, in the terms of its format.
    pub path: String,
    /// What was lost and what replaces it.
    pub message: String,
    /// Affected animation, if any.
    pub animation: Option<String>,
    /// Affected mesh of the output, if any.
    pub mesh: Option<String>,
    /// Largest vertex error in world pixels.
    pub error_px: Option<f32>,
    /// Stored frame with the largest error.
    pub frame: Option<u32>,
}

impl Loss {
    /// Creates a loss that concerns the whole character.
    pub(super) fn new(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        Self { code, path, message, animation: None, mesh: None, error_px: None, frame: None }
    }

    /// Returns the loss as a printable fault.
    pub fn fault(&self) -> Fault {
        let place = Place { path: self.path.clone(), ..Place::default() };
        Fault { code: self.code, place, message: self.message.clone() }
    }
}

impl From<&Lost> for Loss {
    fn from(lost: &Lost) -> Self {
        match &lost.animation {
            Some(animation) => Self {
                animation: Some(animation.clone()),
                ..Self::new(
                    lost.code,
                    format!("animations/{animation}"),
                    format!("animation `{animation}`: {}", lost.message),
                )
            },
            None => Self::new(lost.code, "", lost.message.clone()),
        }
    }
}

impl From<BakeLoss> for Loss {
    fn from(loss: BakeLoss) -> Self {
        let BakeLoss { code, path, message, animation, mesh, worst } = loss;
        let (error_px, frame) = worst.unzip();
        Self { code, path, message, animation, mesh, error_px, frame }
    }
}

/// Keeps only the worst of the losses of one mesh in several animations.
pub fn worst_of_each(losses: &[Loss]) -> impl Iterator<Item = &Loss> {
    let px = |loss: &Loss| loss.error_px.unwrap_or(0.0);
    let mut worst: HashMap<(&str, &str), usize> = HashMap::new();
    for (at, loss) in losses.iter().enumerate() {
        if let Some(mesh) = &loss.mesh {
            let known = worst.entry((loss.code, mesh)).or_insert(at);
            if px(loss) > px(&losses[*known]) {
                *known = at;
            }
        }
    }
    losses.iter().enumerate().filter_map(move |(at, loss)| {
        let is_worst = loss.mesh.as_ref().is_none_or(|mesh| worst.get(&(loss.code, mesh)) == Some(&at));
        is_worst.then_some(loss)
    })
}
