//! Meshes: triangles that show a picture.

use super::item::Item;
use super::maker::{Maker, too_large};
use crate::error::Result;
use crate::formats::spine::build::pictures::Picture;
use crate::formats::spine::build::{at, malformed, optional_color};
use crate::formats::spine::schema;
use crate::math::{Vec2, vec2};
use crate::model::{Indices, Mesh};

impl Maker<'_, '_, '_, '_> {
    /// A mesh with the given picture and the vertices of `source`: itself, or the mesh that it is linked to.
    pub fn mesh(&mut self, item: &Item<'_>, source: &Item<'_>, picture: Option<Picture>) -> Result<Mesh> {
        let json = source.json;
        let count = json.uvs.len() / 2;
        if !json.uvs.len().is_multiple_of(2) || count > usize::from(u16::MAX) {
            let message =
                format!("{} numbers; expected two per vertex, for at most {} vertices", json.uvs.len(), u16::MAX);
            return Err(malformed("vertex-count", format!("{}/uvs", source.pointer()), message));
        }
        let uv = |uv: &[schema::Number; 2]| match &picture {
            Some(Picture { page, region }) => {
                Vec2::from_array(region.on_page([uv[0].0, uv[1].0])) / Vec2::from_array(page.size)
            }
            None => vec2(uv[0].0, uv[1].0),
        };
        let uvs: Vec<Vec2> = json.uvs.as_chunks().0.iter().map(uv).collect();
        if !uvs.iter().all(|uv| uv.is_finite()) {
            return Err(too_large(source));
        }
        // Vertices without weights follow the bone of the slot that shows the mesh, even if its source is in another one.
        let vertices = self.vertices(source, item.slot, count, &uvs)?;
        // A linked mesh has a copy of the triangles.
        self.budget.charge_memory(json.triangles.len() as u64, size_of::<u16>(), || at(item.pointer()))?;
        let page = picture.and_then(|picture| picture.page.id);
        let hull = json.hull.min(count as u32) as u16;
        let edge = |from: u16| [from, if from + 1 < hull { from + 1 } else { 0 }];
        Ok(Mesh {
            name: item.name().into(),
            page,
            vertices: vertices.into(),
            indices: triangles(source, count)?,
            tint: optional_color(item.json.color.as_ref(), || format!("{}/color", item.pointer()))?,
            outline: if page.is_none() { (0..hull).map(edge).collect() } else { Box::default() },
        })
    }
}

fn triangles(item: &Item<'_>, vertices: usize) -> Result<Indices> {
    if !item.json.triangles.len().is_multiple_of(3) {
        let message =
            format!("{} is not a multiple of 3; a triangle has three indices", item.json.triangles.len());
        return Err(malformed("partial-triangle", format!("{}/triangles", item.pointer()), message));
    }
    if let Some(at) = item.json.triangles.iter().position(|&index| index as usize >= vertices) {
        let message = format!("vertex {} does not exist, the mesh has {vertices}", item.json.triangles[at]);
        return Err(malformed("index-out-of-range", format!("{}/triangles/{at}", item.pointer()), message));
    }
    let triangle = |triangle: &[u32; 3]| triangle.map(|index| index as u16);
    Ok(Indices::from_triangles(&item.json.triangles.as_chunks().0.iter().map(triangle).collect::<Vec<_>>()))
}
