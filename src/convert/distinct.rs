//! The animations to convert.

use std::collections::HashSet;

use crate::export::choose;
use crate::model::{AnimationId, Model, UnknownName};

/// Same as [`choose::animations`], without duplicates.
pub fn distinct_animations(model: &Model, wanted: &[String]) -> Result<Option<Vec<AnimationId>>, UnknownName> {
    let mut seen = HashSet::new();
    let mut chosen = choose::animations(model, wanted)?;
    if let Some(chosen) = &mut chosen {
        chosen.retain(|id| seen.insert(*id));
    }
    Ok(chosen)
}
