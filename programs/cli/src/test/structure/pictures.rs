//! Checksums of the pictures of a sheet.
//!
//! They contain the pixels that a picture shows and its place, not where it is on its page, so that a sheet can be packed
//! in another way.

use std::collections::BTreeMap;

use super::sampler::distinct;
use pchr::Character;
use pchr::math::{Vec2, vec2};
use pchr::model::{AtlasPage, Mesh, SkinNVertex, Vertices};
use pchr::motion::Motion;

/// Returns a checksum for each picture, by name; none unless the character is a sheet.
pub fn checksums(character: &Character) -> BTreeMap<String, u32> {
    let model = character.model();
    if !matches!(character.motion(), Motion::Flipbook(_)) {
        return BTreeMap::new();
    }
    let attachments = model.attachments().iter();
    let names = distinct(attachments.clone().map(|attachment| attachment.name()));
    let sums = attachments.map(|attachment| {
        let mesh = attachment.mesh();
        let page = mesh.and_then(|mesh| mesh.page).and_then(|page| model.pages().get(page.index()));
        mesh.zip(page).map_or(0, |(mesh, page)| checksum(mesh, page))
    });
    names.into_iter().zip(sums).collect()
}

fn checksum(mesh: &Mesh, page: &AtlasPage) -> u32 {
    /// Places are rounded to parts of a pixel.
    const PARTS: f32 = 64.0;
    let Vertices::SkinN(vertices) = &mesh.vertices else { return 0 };
    let place = |vertex: &SkinNVertex<'_>| vertex.influences.first().map_or(Vec2::ZERO, |first| first.position);
    let corners: Vec<(Vec2, Vec2)> = vertices.iter().map(|vertex| (place(&vertex), vertex.uv)).collect();
    let places = corners.iter().flat_map(|(place, _)| place.to_array());
    let mut bytes: Vec<u8> = places.flat_map(|place| ((place * PARTS).round() as i64).to_le_bytes()).collect();
    let size = vec2(page.width as f32, page.height as f32);
    let corners: Vec<Vec2> = corners.iter().map(|(_, uv)| *uv * size).collect();
    if let &[first, along, _, down] = &corners[..] {
        // A turned picture is read in the direction in which it is shown.
        let steps = [along - first, down - first].map(|side| side.length().round().max(1.0));
        let [right, below] = [(along - first) / steps[0], (down - first) / steps[1]];
        for y in 0..steps[1] as u32 {
            for x in 0..steps[0] as u32 {
                let at = first + right * (x as f32 + 0.5) + below * (y as f32 + 0.5);
                let pixel = at.y as usize * page.width as usize + at.x as usize;
                let pixel = page.pixels.as_chunks::<4>().0.get(pixel).copied().unwrap_or_default();
                bytes.extend(if pixel[3] == 0 { [0; 4] } else { pixel });
            }
        }
    }
    rawzip::crc32(&bytes)
}
