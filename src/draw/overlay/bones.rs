//! The bone overlay: authored bones with their joints and hierarchy.

use super::Shown;
use super::pen::disc;
use super::scratch::MarkScratch;
use crate::draw::OverlayVertex;
use crate::math::{Vec2, vec2};
use crate::model::BoneId;

/// Premultiplied RGBA. Light on dark, so that the marks are visible on any picture.
const RIM: [u8; 4] = [12, 14, 20, 200];
const BONE: [u8; 4] = [87, 146, 204, 204];
const JOINT: [u8; 4] = [255, 255, 255, 255];

/// In picture pixels.
const HALF_WIDTH: f32 = 4.0;
const JOINT_RADIUS: f32 = 2.5;
const RIM_WIDTH: f32 = 1.25;

/// The position of the widest point along a bone, and its maximum width, as fractions of the bone's length.
const SHOULDER: f32 = 0.15;
const SLENDERNESS: f32 = 0.12;

/// Appends a kite from each bone to each of its children, in the child's colour if it has one, and a dot on every
/// joint.
pub fn append(shown: &Shown<'_>, _: &mut MarkScratch, out: &mut Vec<OverlayVertex>) {
    let Shown { model, pose, .. } = *shown;
    let pixel = shown.pixel();
    let bones = model.skeleton().authored_bones();
    let is_active = |index: &usize| pose.inactive_bones.binary_search(&BoneId::new(*index)).is_err();
    let joint = |index: usize| pose.world_from_bone.get(index).map(|world_from_bone| world_from_bone.translation);
    // All rims go below all kites, so that no rim covers a neighbouring bone.
    for (rim_color, rim) in [(Some(RIM), RIM_WIDTH * pixel), (None, 0.0)] {
        let half_width = HALF_WIDTH * pixel;
        for (index, bone) in bones.iter().enumerate().filter(|(index, _)| is_active(index)) {
            let parent = bone.parent.and_then(|parent| joint(parent.index()));
            let color = rim_color.unwrap_or_else(|| bone.marker.color.map_or(BONE, in_overlay));
            if let (Some(from), Some(to)) = (parent, joint(index)) {
                kite([from, to], Kite { half_width, rim, color }, out);
            }
        }
    }
    for (color, radius) in [(RIM, JOINT_RADIUS + RIM_WIDTH), (JOINT, JOINT_RADIUS)] {
        let places = (0..bones.len()).filter(is_active).filter_map(joint);
        places.for_each(|at| disc(at, radius * pixel, color, out));
    }
}

/// The colour of a bone in the editor, as transparent as the others so that the picture shows through.
fn in_overlay([r, g, b, _]: [u8; 4]) -> [u8; 4] {
    let alpha = BONE[3];
    let premultiplied = |channel: u8| (u16::from(channel) * u16::from(alpha) / 255) as u8;
    [premultiplied(r), premultiplied(g), premultiplied(b), alpha]
}

/// The appearance of a kite, in world pixels.
struct Kite {
    /// Maximum half width.
    half_width: f32,
    /// Distance by which the edges are moved outwards.
    rim: f32,
    color: [u8; 4],
}

fn kite([from, to]: [Vec2; 2], kite: Kite, out: &mut Vec<OverlayVertex>) {
    let Kite { half_width, rim, color } = kite;
    let length = from.distance(to);
    let along = (to - from).normalize_or_zero();
    if along == Vec2::ZERO {
        return;
    }
    let across = vec2(-along.y, along.x) * (half_width.min(length * SLENDERNESS) + rim);
    let shoulder = from + (to - from) * SHOULDER;
    let (from, to) = (from - along * rim, to + along * rim);
    let [a, b, c, d] =
        [from, shoulder + across, to, shoulder - across].map(|position| OverlayVertex { position, color });
    out.extend([a, b, c, c, d, a]);
}
