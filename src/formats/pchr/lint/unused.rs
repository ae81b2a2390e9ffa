//! Bones that move nothing and images that nothing is drawn from.

use super::{Report, Subject};
use crate::formats::pchr::document::At;
use crate::formats::pchr::schema::Bone;

/// Looks at weights, parents and the images of meshes; where one of those is wrong it cannot be known. Without
/// meshes a file is a skeleton alone, and that is meant.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let file = subject.file;
    if subject.checked.meshes.iter().any(Option::is_none) {
        return;
    }
    let is_parent = |(index, bone): (usize, &Bone)| bone.parent >= -1 && i64::from(bone.parent) < index as i64;
    if !file.meshes.is_empty() && file.bones.iter().enumerate().all(is_parent) {
        let unused = file.bones.iter().zip(&subject.is_used).enumerate().filter(|(_, (_, is_used))| !**is_used);
        let told = unused.map(|(index, (bone, _))| {
            let message = format!("bone `{}` moves nothing: no vertex follows it or a bone below it", bone.name);
            (At::Bone(index, ""), message)
        });
        report.note_all("unused-bone", told);
    }
    let mut is_drawn = vec![false; file.images.len()];
    for mesh in &file.meshes {
        if let Some(is_drawn) = is_drawn.get_mut(usize::from(mesh.image)) {
            *is_drawn = true;
        }
    }
    let unused = file.images.iter().zip(is_drawn).enumerate().filter(|(_, (_, is_drawn))| !is_drawn);
    let told = unused.map(|(index, (image, _))| {
        (At::Image(index, ""), format!("no mesh is drawn from image `{}`", image.name))
    });
    report.note_all("unused-image", told);
}
