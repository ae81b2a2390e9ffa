//! Converts names from before Spine 3.6 to those of 3.6.
//!
//! Deform timelines were called `ffd`, and a transform constraint had a single `bone`. [`schema`] itself reads the older
//! names of attachment types. Flags for rotation and scale, which bones had before 3.5, stay and are played as they are.

use super::binary::Layout;
use super::ignored::{Harmless, warn_ignored};
use super::schema;
use super::version::Version;
use crate::diagnostics::Diagnostics;
use crate::formats::json::text::escaped_key;

/// Converts all older constructs in `root`. In files of 3.6 and later, they are ignored and reported.
pub fn modernise(root: &mut schema::Root<'_>, harmless: &mut Harmless, diagnostics: &mut Diagnostics) {
    let is_ignored = !(root.version.is_old() || root.version == Version::Unknown);
    let has_modes = !root.version.is_early();
    let mut ignored = Vec::new();
    for (index, bone) in root.bones.iter().enumerate().filter(|_| has_modes) {
        for (key, given) in [("inheritRotation", bone.inherit_rotation), ("inheritScale", bone.inherit_scale)] {
            let Some(given) = given else { continue };
            let pointer = format!("/bones/{index}/{key}");
            if given { harmless.add(pointer) } else { ignored.push(pointer) }
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
/// positions. Of deformations by both names, those stay that the version plays.
pub fn complete(root: &mut schema::Root<'_>, harmless: &mut Harmless) {
    let is_ffd = Layout::played(root.version) <= Layout::V3_2;
    for (name, animation) in &mut root.animations.0 {
        let mut unused = animation.ffd.take_if(|ffd| !ffd.is_empty() && !animation.deform.is_empty());
        let Some(unused) = &mut unused else { continue };
        let key = if is_ffd { "deform" } else { "ffd" };
        if is_ffd {
            std::mem::swap(unused, &mut animation.deform);
        }
        harmless.add(format!("/animations/{}/{key}", escaped_key(name.as_str())));
    }
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
