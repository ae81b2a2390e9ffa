//! Positions on a path in units: 3.8 scales them by the change of the path's length, 4.0 does not.

use std::collections::BTreeSet;

use crate::formats::spine::schema::{AttachmentType, Keys, OfKind, Path, PositionMode, Property, Root, Skins};

/// Replaces such positions by shares of the length, which are the same in 3.8, if the paths of the slot have one
/// length. Otherwise, poses decide whether the constraint is baked.
pub fn raise(root: &mut Root<'_>) {
    let Root { constraints, skins, animations, .. } = root;
    for path in constraints.iter_mut().filter_map(Path::of_mut) {
        if path.position_mode != PositionMode::Fixed {
            continue;
        }
        let Some(length) = length(skins, path.target.as_str()) else { continue };
        path.position_mode = PositionMode::Percent;
        path.position.0 /= length;
        for (_, animation) in &mut animations.0 {
            let keys = animation.keys_of_mut(&path.name, Property::PathPosition);
            keys.flat_map(Keys::numbers_mut).for_each(|position| *position /= length);
        }
    }
}

/// The stored length of the paths in a slot, if all have the same and constant speed.
fn length(skins: &Skins<'_>, slot: &str) -> Option<f32> {
    let attachments = skins.attachments().filter(|(name, ..)| name.as_str() == slot);
    let paths = attachments.map(|(.., it)| it).filter(|it| it.kind == AttachmentType::Path);
    let lengths: Option<BTreeSet<u32>> = paths
        .map(|path| {
            // The lengths add up. Each knot has three vertices, and an open path no curve after its last knot.
            let knots = path.vertex_count.unwrap_or_default() as usize / 3;
            let curves = if path.closed { knots } else { knots.saturating_sub(1) };
            let last = curves.checked_sub(1).and_then(|last| path.lengths.get(last));
            let length = last.filter(|length| length.0 > 0.0 && path.constant_speed != Some(false))?;
            Some(length.0.to_bits())
        })
        .collect();
    match lengths?.into_iter().collect::<Vec<_>>()[..] {
        [bits] => Some(f32::from_bits(bits)),
        _ => None,
    }
}
