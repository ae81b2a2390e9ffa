//! The overlay of bone names.

use super::text::{self, ADVANCE, HEIGHT, Label, columns, shortened};
use super::{OverlayVertex, View};
use crate::math::Vec2;
use crate::model::{BoneId, Model};
use crate::pose::Pose;

/// Premultiplied RGBA. The outline keeps names legible on any picture.
const COLOR: [u8; 4] = [255; 4];
const OUTLINE: [u8; 4] = [12, 14, 20, 255];

/// The most names in a picture; more are illegible anyway.
const MAX_NAMES: usize = 500;
/// The most columns of a name.
const MAX_COLUMNS: usize = 40;
/// Distance of a name from its joint, in dots.
const OFFSET: i32 = 6;
/// Shorter side of the picture for each pixel of a dot.
const SIDE_PER_DOT: u32 = 512;

/// Appends the name of each authored bone whose joint is in the picture, to the right of the joint. A name that would
/// cover an earlier one is omitted, as both would be illegible.
pub fn append(model: &Model, pose: &Pose, view: &View, out: &mut Vec<OverlayVertex>) {
    let dot = (view.width().min(view.height()) / SIDE_PER_DOT).max(1);
    let size = Vec2::new(view.width() as f32, view.height() as f32);
    let bones = model.skeleton().authored_bones().iter().zip(&pose.world_from_bone).enumerate();
    let active = bones.filter(|(index, _)| pose.inactive_bones.binary_search(&BoneId::new(*index)).is_err());
    let placed = active.map(|(_, (bone, world_from_bone))| {
        let joint = view.pixel_from_world(world_from_bone.translation);
        (bone, joint)
    });
    let is_inside = |joint: Vec2| joint.cmpge(Vec2::ZERO).all() && joint.cmple(size).all();
    let step = dot as i32;
    let mut taken: Vec<[i32; 4]> = Vec::new();
    for (bone, joint) in placed.filter(|(_, joint)| is_inside(*joint)) {
        let name = shortened(&bone.name, MAX_COLUMNS);
        let corner = [joint.x as i32 + OFFSET * step, joint.y as i32 - HEIGHT as i32 / 2 * step];
        let size = [columns(&name) as i32 * ADVANCE as i32 * step, HEIGHT as i32 * step];
        let area = [corner[0], corner[1], corner[0] + size[0], corner[1] + size[1]];
        if taken.iter().any(|other| overlap(area, *other)) {
            continue;
        }
        if taken.len() == MAX_NAMES {
            break;
        }
        taken.push(area);
        text::append(&Label { text: &name, corner, dot, color: COLOR, outline: Some(OUTLINE) }, view, out);
    }
}

/// Returns true if two areas, from their upper-left to their lower-right corner, overlap.
fn overlap(a: [i32; 4], b: [i32; 4]) -> bool {
    (0..2).all(|axis| a[axis] < b[axis + 2] && b[axis] < a[axis + 2])
}
