//! Bones that move nothing, and images that no mesh uses.

use super::{Report, Subject};
use crate::formats::pchr::document::At;
use crate::formats::pchr::schema::Bone;

/// Checks weights, parents and the images of meshes. If any of these has errors, nothing is reported. A file
/// without meshes is meant to be only a skeleton, so its bones are fine.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let file = subject.file;
    if subject.checked.meshes.iter().any(Option::is_none) {
        return;
    }
    let is_parent = |(index, bone): (usize, &Bone)| bone.parent >= -1 && i64::from(bone.parent) < index as i64;
    if !file.meshes.is_empty() && file.bones.iter().enumerate().all(is_parent) {
        let unused = file.bones.iter().zip(&subject.is_used).enumerate().filter(|(_, (_, is_used))| !**is_used);
        let findings = unused.map(|(index, (bone, _))| {
            let message =
                format!("bone `{}` moves nothing: neither it nor a descendant moves a vertex", bone.name);
            (At::Bone(index, ""), message)
        });
        report.note_all("unused-bone", findings);
    }
    let mut is_drawn = vec![false; file.images.len()];
    for mesh in &file.meshes {
        if let Some(is_drawn) = is_drawn.get_mut(usize::from(mesh.image)) {
            *is_drawn = true;
        }
    }
    let unused = file.images.iter().zip(is_drawn).enumerate().filter(|(_, (_, is_drawn))| !is_drawn);
    let findings =
        unused.map(|(index, (image, _))| (At::Image(index, ""), format!("no mesh uses image `{}`", image.name)));
    report.note_all("unused-image", findings);
}
