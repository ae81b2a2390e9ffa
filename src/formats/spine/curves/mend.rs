//! Curves in a form that no program of the document's version plays → curves of that version, as they were meant.

use super::absolute::{absolute, make_absolute};
use super::join::lower;
use crate::error::Result;
use crate::formats::spine::build::at;
use crate::formats::spine::build::keys::Way;
use crate::formats::spine::schema::{Animation, Color, Curve, Entries, Key, Keys, for_each_keys_mut};
use crate::limits::Budget;

/// The maximum number of keys that replace a curve of one value: its points, and the times beside jumps.
const MAX_POINTS: usize = 28;

/// Replaces shares in animations of 4.0 or later, and handles of several values in earlier ones.
pub fn mend_curves(
    animations: &mut Entries<'_, Animation<'_>>,
    is_four: bool,
    budget: &mut Budget<'_>,
) -> Result<()> {
    for (name, animation) in &mut animations.0 {
        if is_four {
            make_absolute(animation, |curve| matches!(curve, Curve::Shares(_)));
            continue;
        }
        let mut mended = Ok(());
        for_each_keys_mut(animation, |keys| {
            // Invalid colours are reported later.
            if mended.is_ok() && has_wide_curves(keys) && has_valid_colors(keys) {
                let most = keys.len() * (keys.row().width() * MAX_POINTS + 1);
                mended = budget.charge_memory(most as u64, size_of::<Key>(), || at(Way(&[]).at(name.as_str())));
                if mended.is_ok() {
                    absolute(keys, |curve| matches!(curve, Curve::Shares(_) | Curve::Four(_)));
                    lower(keys);
                }
            }
        });
        mended?;
    }
    Ok(())
}

/// Returns true if no key lacks a colour or has an invalid one.
fn has_valid_colors(keys: &Keys<'_>) -> bool {
    let channels = keys.row().channels.iter().filter(|channel| channel.is_color());
    let mut fields = channels.map(|channel| channel.field);
    let is_valid = |color: Option<Color<'_>>| color.is_some_and(|color| !matches!(color, Color::Invalid(_)));
    fields.all(|field| (0..keys.len()).all(|at| is_valid(keys.color(at, field))))
}

/// Returns true if the keys have handles of several values, and none of another number of values.
fn has_wide_curves(keys: &Keys<'_>) -> bool {
    let wide = 4 * keys.row().curves();
    let lengths = || keys.list.iter().map(|key| key.curve.handles().len());
    wide > 4 && lengths().any(|len| len == wide) && lengths().all(|len| len == 0 || len == 4 || len == wide)
}
