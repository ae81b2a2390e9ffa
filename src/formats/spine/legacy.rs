//! What files before 3.6 write in another way → the same as 3.6 writes it.
//!
//! Bones had a switch each for rotation and scale where they have `transform` now. Deform timelines were called `ffd`,
//! and a transform constraint had one `bone`. The older names of attachment types are read by [`schema`] itself.

use super::schema;
use super::version::Version;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::json::text::escaped;

/// Replaces every older form of `root`. In files of 3.6 and later they mean nothing and are findings.
pub fn modernise(root: &mut schema::Root<'_>, diagnostics: &mut Diagnostics) -> Result<()> {
    let is_ignored = !(root.version.is_old() || root.version == Version::Unknown);
    let mut ignored = Vec::new();
    for (index, bone) in root.bones.iter_mut().enumerate() {
        let inherits = [("inheritRotation", bone.inherit_rotation), ("inheritScale", bone.inherit_scale)];
        let pointer = |key: &str| format!("/bones/{index}/{key}");
        if is_ignored {
            ignored.extend(inherits.iter().filter(|(_, given)| given.is_some()).map(|(key, _)| pointer(key)));
            continue;
        }
        match inherits.map(|(_, given)| given.unwrap_or(true)) {
            [true, true] => {}
            [false, false] => bone.transform = schema::Inherit::OnlyTranslation,
            [rotation, _] => {
                let (key, _) = inherits[usize::from(rotation)];
                let message = "the bone inherits rotation or scale alone, which 3.6 and later do by other rules";
                return Err(differs(pointer(key), message));
            }
        }
    }
    for (index, constraint) in root.transform.iter_mut().enumerate() {
        match constraint.bone.take() {
            Some(_) if is_ignored => ignored.push(format!("/transform/{index}/bone")),
            Some(bone) => constraint.bones.push(bone),
            None => {}
        }
    }
    for (name, animation) in &mut root.animations.0 {
        let ffd = std::mem::take(&mut animation.ffd);
        match ffd {
            Some(_) if is_ignored => ignored.push(format!("/animations/{}/ffd", escaped(name.as_str()))),
            Some(ffd) => animation.deform.0.extend(ffd.0),
            None => {}
        }
    }
    for pointer in ignored {
        warn_ignored(pointer, diagnostics);
    }
    Ok(())
}

/// An error about something that a version before 3.6 has and later ones have not.
pub fn differs(pointer: String, what: &str) -> Error {
    let message = format!("{what}; open the project in Spine 3.8 and export it again");
    Error::unsupported("spine-version", Place { path: pointer, ..Place::default() }, message)
}

/// A warning about a key that is not read.
pub fn warn_ignored(pointer: String, diagnostics: &mut Diagnostics) {
    let place = Place { path: pointer, ..Place::default() };
    diagnostics.warn("unknown-key", place, "this key means nothing here and is ignored");
}
