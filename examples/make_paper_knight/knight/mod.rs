//! The paper knight: shapes → paper → atlas, bones and parts → meshes, curves → animations.
//!
//! Everything is computed from the numbers in these files, with arithmetic that is identical on every machine, and
//! rounded to a grid before it is stored.

mod animate;
mod art;
mod atlas;
mod colors;
pub mod icon;
mod mesh;
mod paper;
mod rig;
mod shape;

use super::v1;

/// Returns the whole character.
pub fn file() -> v1::File {
    let parts = art::parts();
    let sheets: Vec<_> = parts.iter().map(|part| paper::draw(&part.layers, part.shade)).collect();
    let atlas = atlas::pack(&sheets);
    let placed = parts.iter().zip(&sheets).zip(&atlas.places);
    let bones = rig::BONES.iter().map(|joint| v1::Bone {
        name: joint.name.to_owned(),
        parent: joint.bone.parent().map_or(-1, |parent| parent as i16),
        offset: 0,
    });
    v1::File {
        fps: animate::FPS,
        flags: 0,
        images: vec![v1::Image {
            name: "paper-knight".to_owned(),
            width: atlas::SIZE as u16,
            height: atlas::SIZE as u16,
            format: v1::Image::PNG,
            data: atlas::png(&atlas.rgba).into(),
            offset: 0,
        }],
        bones: bones.collect(),
        meshes: placed.map(|((part, sheet), place)| mesh::build(part, sheet, *place)).collect(),
        animations: animate::animations(),
    }
}
