//! Small characters with pictures, and their draw lists.

use super::v1::{Animation, Bone, BoneTransform, File, Image, Mesh, Vertex};
use pchr::Character;
use pchr::draw::{DrawList, View};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

use super::random::Random;
use super::{bone, read};

/// Returns the draw list at a stored frame of the first animation, or of the bind pose if there is none.
pub fn list_at(character: &Character, frame: u32, view: &View) -> DrawList {
    let animation = character.model().animation_ids().next();
    list_of(
        character,
        &Cue { animation, position: Position::frame(frame), interpolate: false, ..Cue::default() },
        view,
    )
}

/// Returns the draw list at `cue`.
pub fn list_of(character: &Character, cue: &Cue, view: &View) -> DrawList {
    let mut pose = Pose::default();
    evaluate(character, cue, &mut pose);
    let mut list = DrawList::default();
    list.build(character.model(), &pose, view);
    list
}

/// Returns a picture of straight RGBA pixels.
pub fn image(width: u16, height: u16, pixels: &[[u8; 4]]) -> Image {
    assert_eq!(pixels.len(), usize::from(width) * usize::from(height));
    let data = pixels.as_flattened().to_vec().into();
    Image { name: "page".to_owned(), width, height, format: Image::RGBA8888, data, offset: 0 }
}

/// Returns a rectangle from `min` to `max` that shows a whole page and follows one bone with full weight.
pub fn quad(image: u16, bone: u16, min: [f32; 2], max: [f32; 2]) -> Mesh {
    quad_weighted(image, [bone, 0, 0, 0], [1.0, 0.0, 0.0, 0.0], min, max)
}

/// Returns a rectangle with the same influences at every corner.
pub fn quad_weighted(
    image: u16,
    bone_ids: [u16; 4],
    bone_weights: [f32; 4],
    min: [f32; 2],
    max: [f32; 2],
) -> Mesh {
    let corner = |x, y, u, v| Vertex { x, y, u, v, bone_ids, bone_weights };
    let corners = [
        corner(min[0], min[1], 0.0, 1.0),
        corner(max[0], min[1], 1.0, 1.0),
        corner(max[0], max[1], 1.0, 0.0),
        corner(min[0], max[1], 0.0, 0.0),
    ];
    Mesh::new(format!("quad on {}", bone_ids[0]), image, &corners, &[0, 1, 2, 2, 3, 0])
}

/// Returns bones without parents.
pub fn roots(count: usize) -> Vec<Bone> {
    (0..count).map(|index| bone(&format!("bone {index}"), -1)).collect()
}

/// Returns a translated bone.
pub fn moved(x: f32, y: f32) -> BoneTransform {
    BoneTransform { x, y, ..BoneTransform::default() }
}

/// Length of the bones of [`limbs`].
pub const BONE_LENGTH: f32 = 20.0;

/// Returns a limb of eight bones, drawn over a translucent second one. Its pseudo-random frames fold, turn,
/// stretch and mirror it.
pub fn limbs(frames: usize) -> Character {
    limbs_of(8, frames)
}

/// Like [`limbs`], with another number of bones, [`BONE_LENGTH`] apart.
pub fn limbs_of(bone_count: usize, frames: usize) -> Character {
    let mut random = Random(0x5eed);
    let bones = (0..bone_count).map(|index| bone(&format!("{index}"), index as i16 - 1));
    let texels: Vec<[u8; 4]> = (0..64 * 64).map(|_| (random.next() as u32).to_le_bytes()).collect();
    let opaque: Vec<[u8; 4]> = (0..64 * 64u32)
        .map(|index| [(index % 64 * 4) as u8, (index / 64 * 4) as u8, (index % 7 * 30) as u8, 255])
        .collect();

    let rest: Vec<BoneTransform> =
        (0..bone_count).map(|index| moved(0.0, if index == 0 { 0.0 } else { BONE_LENGTH })).collect();
    let mut all = vec![rest.clone()];
    for _ in 0..frames {
        all.push(
            rest.iter()
                .map(|rest| BoneTransform {
                    rotation: random.between(-40.0, 40.0),
                    scale_x: random.between(0.7, 1.3) * if random.below(12) == 0 { -1.0 } else { 1.0 },
                    scale_y: random.between(0.8, 1.2),
                    z_order: random.below(256) as i16,
                    ..*rest
                })
                .collect(),
        );
    }
    read(&File {
        fps: 24,
        images: vec![image(64, 64, &texels), image(64, 64, &opaque)],
        bones: bones.collect(),
        meshes: vec![strip(0, bone_count, 25.0), strip(1, bone_count, 12.0)],
        animations: vec![Animation::new("bind", false, &all)],
        ..File::default()
    })
}

/// Returns a grid along the bones, each row between two of them.
fn strip(image: u16, bones: usize, half_width: f32) -> Mesh {
    const COLUMNS: u16 = 4;
    let rows = (bones * 3) as u16;
    let mut vertices = Vec::new();
    for row in 0..=rows {
        let along = f32::from(row) / f32::from(rows);
        let at = along * (bones - 1) as f32;
        let (first, second) = (at.floor() as u16, at.ceil() as u16);
        for column in 0..=COLUMNS {
            let across = f32::from(column) / f32::from(COLUMNS);
            vertices.push(Vertex {
                x: (across * 2.0 - 1.0) * half_width,
                y: at * BONE_LENGTH,
                u: across,
                v: 1.0 - along,
                bone_ids: [first, second, 0, 0],
                bone_weights: [1.0 - at.fract(), at.fract(), 0.0, 0.0],
            });
        }
    }
    let mut indices = Vec::new();
    for row in 0..rows {
        for column in 0..COLUMNS {
            let corner = row * (COLUMNS + 1) + column;
            let above = corner + COLUMNS + 1;
            indices.extend([corner, corner + 1, above + 1, above + 1, above, corner]);
        }
    }
    Mesh::new(format!("strip {image}"), image, &vertices, &indices)
}
