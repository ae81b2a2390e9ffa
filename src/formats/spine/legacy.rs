//! Converts constructs from before Spine 3.6 to their 3.6 equivalents.
//!
//! Bones had separate flags for rotation and scale instead of `transform`. Deform timelines were called `ffd`, and
//! a transform constraint had a single `bone`. [`schema`] itself reads the older names of attachment types.

use super::ignored::{Harmless, warn_ignored};
use super::schema;
use super::version::Version;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place};
use crate::formats::json::text::escaped_key;

/// Keys of early versions that 3.6 does not have: timelines and fields that mirror bones, and additive slots.
pub const UNSUPPORTED_KEYS: [&str; 3] = ["flipX", "flipY", "additive"];

/// Converts all older constructs in `root`. In files of 3.6 and later, they are ignored and reported.
pub fn modernise(root: &mut schema::Root<'_>, harmless: &mut Harmless, diagnostics: &mut Diagnostics) {
    let is_ignored = !(root.version.is_old() || root.version == Version::Unknown);
    let mut ignored = Vec::new();
    for (index, bone) in root.bones.iter_mut().enumerate() {
        let inherits = [("inheritRotation", bone.inherit_rotation), ("inheritScale", bone.inherit_scale)];
        let pointer = |key: &str| format!("/bones/{index}/{key}");
        if is_ignored {
            for (key, given) in inherits {
                match given {
                    Some(true) => harmless.add(pointer(key)),
                    Some(false) => ignored.push(pointer(key)),
                    None => {}
                }
            }
            continue;
        }
    }
    for (index, constraint) in root.all_mut::<schema::Transform<'_>>().enumerate() {
        match constraint.bone.take() {
            Some(_) if is_ignored => ignored.push(format!("/transform/{index}/bone")),
            Some(bone) => constraint.bones.push(bone),
            None => {}
        }
    }
    for (name, animation) in &mut root.animations.0 {
        let ffd = std::mem::take(&mut animation.ffd);
        let pointer = || format!("/animations/{}/ffd", escaped_key(name.as_str()));
        match ffd {
            Some(ffd) if is_ignored && ffd.is_empty() => harmless.add(pointer()),
            Some(_) if is_ignored => ignored.push(pointer()),
            Some(ffd) => animation.deform.0.extend(ffd.0),
            None => {}
        }
    }
    for pointer in ignored {
        warn_ignored(pointer, diagnostics);
    }
}

/// States what later versions state otherwise: the blend mode of slots in 2.1, and in 3.1 that constraints only copy
/// positions.
pub fn complete(root: &mut schema::Root<'_>) {
    if let Version::Two(_) = root.version {
        for slot in &mut root.slots {
            slot.blend = if slot.additive { schema::Blend::Additive } else { schema::Blend::Normal };
        }
    }
    if let Version::Three(0 | 1) = root.version {
        for it in root.all_mut::<schema::Transform<'_>>() {
            [it.rotate_mix, it.scale_mix, it.shear_mix] = [Some(schema::Number(0.0)); 3];
        }
    }
}

/// Returns the error for a feature from before 3.6 that later versions do not have or that works differently
/// there.
pub fn differs(pointer: String, what: &str) -> Error {
    let message = format!("{what}; open the project in Spine 3.8 and export it again");
    Error::unsupported("spine-version", Place::inside(pointer), message)
}
