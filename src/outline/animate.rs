//! What a texture atlas of Adobe Animate contains besides bones and slots.

use std::fmt;

use serde::Serialize;

use super::plural;
use crate::character::Character;
use crate::error::escaped;
use crate::motion::Motion;

/// The contents of an atlas of Adobe Animate.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Atlas {
    /// Number of instances with a blend mode.
    pub blends: usize,
    /// The program that wrote the spritemap, and its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exporter: Option<String>,
    /// Number of instances with filters, which are not drawn.
    pub filters: usize,
    /// Number of labels of the main timeline.
    pub labels: usize,
    /// Number of mask layers.
    pub masks: usize,
    /// Number of symbols besides the main timeline.
    pub symbols: usize,
}

impl Atlas {
    /// Describes the atlas; `None` for a character of another format.
    pub fn of(character: &Character) -> Option<Self> {
        let Motion::Animate(animate) = character.motion() else { return None };
        let facts = &animate.facts;
        Some(Self {
            blends: facts.blends,
            exporter: facts.exporter.clone(),
            filters: facts.filters,
            labels: facts.labels.len(),
            masks: animate.rig.layers.iter().filter(|layer| layer.is_mask).count(),
            symbols: animate.rig.symbols.len().saturating_sub(1),
        })
    }
}

impl fmt::Display for Atlas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.exporter.as_deref().map_or_else(|| "unknown exporter".to_owned(), escaped))?;
        for (count, one, many) in [
            (self.symbols, "symbol", "symbols"),
            (self.labels, "label", "labels"),
            (self.masks, "mask", "masks"),
            (self.filters, "instance with filters", "instances with filters"),
            (self.blends, "instance with a blend mode", "instances with blend modes"),
        ] {
            write!(f, ", {}", plural(count, one, many))?;
        }
        Ok(())
    }
}
