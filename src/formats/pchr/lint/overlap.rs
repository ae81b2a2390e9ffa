//! Meshes that overlap with the same `zOrder`, so that file order decides which is in front.

use super::subject::frames;
use super::{Report, Subject};
use crate::formats::pchr::build::{bone_from_world, world_from_bone};
use crate::formats::pchr::document::At;
use crate::formats::pchr::schema::BoneTransform;
use crate::math::{Affine2, Rect, Vec2, vec2};

/// Maximum number of bones and vertices to pose in a file; if there are more, frames are sampled evenly, at least
/// one.
const MAX_POSED: usize = 1 << 21;
/// Maximum number of frames to examine: overlaps last for longer.
const MAX_FRAMES: usize = 32;
/// Maximum number of pairs of meshes to compare in a file.
const MAX_PAIRS: usize = 1 << 21;

/// A mesh in a frame.
struct Placed {
    mesh: usize,
    z_order: i16,
    bounds: Rect,
}

/// Compares the bounding boxes of the meshes, and reports each mesh once.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let Some(bind) = &subject.checked.bind else { return };
    let file = subject.file;
    let vertices: usize = subject.meshes().map(|(_, mesh, _)| mesh.vertex_count()).sum();
    let most = MAX_POSED / (vertices + file.bones.len()).max(1);
    let mut partner: Vec<Option<(usize, i16, usize, usize)>> = vec![None; file.meshes.len()];
    let mut pairs = MAX_PAIRS;
    for (animation, frame) in frames(subject.motions(), most.min(MAX_FRAMES)) {
        let world = world_from_bone(file, animation, frame, subject.options.y_down);
        let palette: Vec<Affine2> = world
            .iter()
            .zip(&bind.world_from_bone)
            .map(|(world, bind)| {
                bone_from_world(bind).map_or(Affine2::IDENTITY, |from| Affine2::from(*world) * from)
            })
            .collect();
        let mut placed = placed(subject, animation, frame, &palette);
        placed.sort_by(|a, b| a.z_order.cmp(&b.z_order).then(a.bounds.min.x.total_cmp(&b.bounds.min.x)));
        for (index, one) in placed.iter().enumerate() {
            let later = placed.get(index + 1..).unwrap_or_default();
            let near = later
                .iter()
                .take_while(|other| other.z_order == one.z_order && other.bounds.min.x < one.bounds.max.x);
            // One overlap per mesh is enough; further pairs are only compared until one is found.
            let found = near
                .take(pairs)
                .inspect(|_| pairs -= 1)
                .find(|other| other.bounds.min.y < one.bounds.max.y && one.bounds.min.y < other.bounds.max.y);
            if let Some(other) = found {
                let (behind, front) = (one.mesh.min(other.mesh), one.mesh.max(other.mesh));
                if let Some(partner) = partner.get_mut(front) {
                    partner.get_or_insert((behind, one.z_order, animation, frame));
                }
            }
        }
    }
    let name = |mesh: usize| file.meshes.get(mesh).map_or("", |mesh| &mesh.name);
    let findings = partner.iter().enumerate().filter_map(|(front, partner)| {
        let (behind, z_order, animation, frame) = (*partner)?;
        let message = format!(
            "`{}` and `{}` overlap with the same zOrder, {z_order} (frame {frame} of `{}`); `{}` is in front only \
             because it comes later in the file",
            name(behind),
            name(front),
            subject.animation_name(animation),
            name(front)
        );
        Some((At::Mesh(front, ""), message))
    });
    report.note_all("equal-z-order", findings);
}

/// Returns the visible meshes of a frame with a non-empty bounding box.
fn placed(subject: &Subject<'_>, animation: usize, frame: usize, palette: &[Affine2]) -> Vec<Placed> {
    let first = frame * palette.len();
    let stored = |bone: usize| {
        let bytes = &subject.file.animations.get(animation)?.frames.bytes;
        let at = (first + bone) * BoneTransform::SIZE;
        bytes.get(at..at + BoneTransform::SIZE).map(BoneTransform::read)
    };
    let mut placed = Vec::new();
    for (mesh, _, checked) in subject.meshes() {
        let owner = match checked.owner {
            Some(owner) => stored(owner.index()).unwrap_or_default(),
            None => BoneTransform::default(),
        };
        if owner.flags & BoneTransform::VISIBLE == 0 || checked.indices.is_empty() {
            continue;
        }
        let mut bounds = Rect::NOTHING;
        subject.each_vertex(mesh, |_, vertex, influences| {
            let bind = vec2(vertex.x, if subject.options.y_down { -vertex.y } else { vertex.y });
            let mut position = Vec2::ZERO;
            let mut has_weight = false;
            for &(bone, weight) in influences {
                if let (true, Some(matrix)) = (weight > 0.0, palette.get(usize::from(bone))) {
                    position += matrix.transform_point2(bind) * weight;
                    has_weight = true;
                }
            }
            bounds = bounds.include(if has_weight { position } else { bind });
        });
        if !bounds.is_empty() && bounds.size().is_finite() {
            placed.push(Placed { mesh, z_order: owner.z_order, bounds });
        }
    }
    placed
}
