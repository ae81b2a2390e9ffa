//! Meshes that are hidden in every stored frame.

use super::{Report, Subject};
use crate::formats::pchr::document::At;
use crate::formats::pchr::schema::BoneTransform;

/// Scans the flags of every frame that is not a bind pose.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let bone_count = subject.file.bones.len();
    if bone_count == 0 || subject.motions().next().is_none() {
        return;
    }
    let mut is_shown = vec![false; bone_count];
    for (_, animation) in subject.motions() {
        for frame in animation.frames.bytes.chunks_exact(bone_count * BoneTransform::SIZE) {
            for (is_shown, record) in is_shown.iter_mut().zip(frame.chunks_exact(BoneTransform::SIZE)) {
                *is_shown |= record[20] & BoneTransform::VISIBLE != 0;
            }
        }
    }
    let hidden = subject.meshes().filter_map(|(index, mesh, checked)| {
        let owner = checked.owner?.index();
        let is_hidden = is_shown.get(owner).is_some_and(|is| !is) && !checked.indices.is_empty();
        let message = format!(
            "`{}` is never visible: bone `{}`, which has most of its weight, is hidden in every frame",
            mesh.name,
            subject.bone_name(owner)
        );
        is_hidden.then_some((At::Mesh(index, ""), message))
    });
    report.warn_all("never-visible", hidden);
}
