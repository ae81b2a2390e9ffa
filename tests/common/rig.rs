//! Large generated characters.

use super::v1::{Animation, BoneTransform, File, Mesh};

use super::random::Random;
use super::{bone, triangle, white};

/// Returns a branching skeleton with a triangle on every bone, and one animation that moves everything.
pub fn rig(bones: usize, frames: usize) -> File {
    let mut random = Random(bones as u64);
    let parents = (0..bones).map(|index| if index == 0 { -1 } else { random.below(index.min(32_767)) as i16 });
    let bones: Vec<_> = parents.map(|parent| bone("bone", parent)).collect();
    let mut transform = || BoneTransform {
        x: random.between(-20.0, 20.0),
        y: random.between(-20.0, 20.0),
        rotation: random.between(-180.0, 180.0),
        scale_x: random.between(0.8, 1.2),
        scale_y: random.between(0.8, 1.2),
        z_order: random.between(-100.0, 100.0) as i16,
        ..BoneTransform::default()
    };
    let frames: Vec<Vec<_>> = (0..frames).map(|_| bones.iter().map(|_| transform()).collect()).collect();
    let meshes = (0..bones.len()).map(|index| Mesh::new("part", 0, &triangle(index as u16), &[0, 1, 2])).collect();
    let animations = vec![Animation::new("move", true, &frames)];
    File { fps: 24, images: vec![white("atlas", 1, 1)], bones, meshes, animations, ..File::default() }
}
