//! The animations that a character file makes of labels and symbols.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::animations::{Animations, Named};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::limits::Budget;
use crate::math::Affine2;

/// What a character file states.
pub struct Cast {
    pub roles: Vec<Role>,
    pub is_smooth: bool,
    /// The animation to show first.
    pub start: Option<String>,
}

/// An animation of a character file.
pub struct Role {
    pub place: Place,
    pub name: String,
    /// A label, or a symbol by its full name.
    pub source: String,
    /// True if a symbol of that name takes precedence over a label.
    pub is_symbol: bool,
    /// The first and the last of each range of its frames; all frames if there are none.
    pub ranges: Vec<[u64; 2]>,
    pub fps: f64,
    pub looping: bool,
    /// Moves and mirrors its frames, y up.
    pub root: Affine2,
}

impl Cast {
    /// Returns the animations with frames. Fails if there are none.
    pub fn animations(
        &self,
        of_atlas: &Animations<'_>,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<Named>> {
        let mut labels = HashMap::new();
        for named in of_atlas.list.iter().filter(|named| named.symbol == 0) {
            labels.entry(&*named.name).or_insert(named);
        }
        let mut list = Vec::with_capacity(self.roles.len());
        for role in &self.roles {
            let label = labels.get(&*role.source).copied();
            let found = match label {
                Some(label) if !role.is_symbol => Some(Cow::Borrowed(label)),
                _ => of_atlas.symbol(&role.source).map(Cow::Owned).or(label.map(Cow::Borrowed)),
            };
            let (runs, missing) = match &found {
                Some(found) => role.frames(&found.runs, budget)?,
                None => (Vec::new(), 0),
            };
            if let Some(found) = found.filter(|_| !runs.is_empty()) {
                if missing > 0 {
                    let message = format!(
                        "{missing} of the indices of `{}` have no frame; they are skipped",
                        escaped(&role.name)
                    );
                    diagnostics.warn("bad-tag", role.place.clone(), message);
                }
                let Role { name, fps, looping, root, .. } = role;
                let (name, fps, looping, root) = (name.clone(), Some(*fps), *looping, *root);
                list.push(Named { name, symbol: found.symbol, runs, node: 0, fps, looping, root });
                continue;
            }
            let message = format!(
                "the animation `{}` is left out: the texture atlas has no frames of a label or symbol `{}`",
                escaped(&role.name),
                escaped(&role.source)
            );
            diagnostics.warn("bad-tag", role.place.clone(), message);
        }
        if list.is_empty() {
            let message = "the character has no animation with frames; there is nothing to show";
            return Err(Error::malformed("no-frames", Place::inside("animations"), message));
        }
        Ok(list)
    }
}

impl Role {
    /// Returns the chosen frames of `runs`, and how many of the indices have none.
    fn frames(&self, runs: &[Range<u32>], budget: &mut Budget<'_>) -> Result<(Vec<Range<u32>>, u64)> {
        if self.ranges.is_empty() {
            budget.charge_memory(runs.len() as u64, size_of::<Range<u32>>(), || self.place.clone())?;
            return Ok((runs.to_vec(), 0));
        }
        let count: u64 = runs.iter().map(|run| run.len() as u64).sum();
        let frame = |index: u64| {
            let mut left = index;
            let run = runs.iter().find(|run| {
                let is_in = left < run.len() as u64;
                left -= if is_in { 0 } else { run.len() as u64 };
                is_in
            })?;
            let frame = run.start + left as u32;
            Some(frame..frame + 1)
        };
        let (mut list, mut missing) = (Vec::new(), 0u64);
        for &[first, last] in &self.ranges {
            let existing = first.min(last)..first.max(last).saturating_add(1).min(count);
            let found = existing.end.saturating_sub(existing.start);
            missing = missing.saturating_add((first.abs_diff(last).saturating_add(1)).saturating_sub(found));
            budget.charge_memory(found, 4 * size_of::<Range<u32>>(), || self.place.clone())?;
            budget.charge_work(found, runs.len() as u64, || self.place.clone())?;
            if first <= last {
                list.extend(existing.filter_map(frame));
            } else {
                list.extend(existing.rev().filter_map(frame));
            }
        }
        Ok((list, missing))
    }
}
