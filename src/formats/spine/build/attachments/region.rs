//! Regions: rectangles that show a picture.

use super::item::Item;
use super::maker::{Maker, too_large};
use crate::error::{Result, escaped};
use crate::formats::atlas::Region;
use crate::formats::spine::build::pictures::Picture;
use crate::formats::spine::build::{at, optional_color};
use crate::math::angle::sin_cos_degrees;
use crate::math::{Vec2, vec2};
use crate::model::{Indices, Influence, Mesh, SkinNVertices};

/// A region at least this many times as wide or high as its picture has a wrong size. Spine writes the size of the picture;
/// atlases store it smaller, but rarely at a tenth.
const MAX_ENLARGEMENT: f32 = 10.0;

impl Maker<'_, '_, '_, '_> {
    /// Four corners on the slot's bone. If whitespace was stripped from the picture, only the rest is covered.
    pub fn region(&mut self, item: &Item<'_>, picture: Option<Picture>) -> Result<Mesh> {
        let json = item.json;
        let picture = picture.map(|picture| self.as_stored(picture, item));
        let whole = picture.as_ref().map_or([0.0; 2], |picture| picture.region.whole());
        let size = self.region_size(item, picture.is_some(), whole);
        let scale = vec2(json.scale_x.0, json.scale_y.0);
        // Fractions of the whole picture, from the lower left.
        let (low, high, uvs) = match &picture {
            Some(Picture { page, region }) => {
                let whole = Vec2::from_array(whole);
                let low = Vec2::from_array(region.offset) / whole;
                let high = low + Vec2::from_array(region.size) / whole;
                let uvs = region.corners().map(|corner| Vec2::from_array(corner) / Vec2::from_array(page.size));
                (low, high, uvs)
            }
            None => (Vec2::ZERO, Vec2::ONE, [Vec2::Y, Vec2::ZERO, Vec2::X, Vec2::ONE]),
        };
        let (sin, cos) = sin_cos_degrees(json.rotation.0);
        let corner = |share: Vec2| {
            let at = (share - 0.5) * size * scale;
            vec2(at.x * cos - at.y * sin, at.x * sin + at.y * cos) + vec2(json.x.0, json.y.0)
        };
        let corners = [low, vec2(low.x, high.y), high, vec2(high.x, low.y)].map(corner);
        self.charge(4, 4, item)?;
        let bone = self.bone(item) as u32;
        let mut vertices = SkinNVertices::with_capacity(4, 4);
        for (position, uv) in corners.into_iter().zip(uvs) {
            let influence = Influence { position, bone, weight: 1.0 };
            let pushed = vertices.push(uv, position, &[influence]);
            pushed.map_err(|_| too_large(item))?;
        }
        let page = picture.and_then(|picture| picture.page.id);
        let outline: &[[u16; 2]] = if page.is_none() { &[[0, 1], [1, 2], [2, 3], [3, 0]] } else { &[] };
        Ok(Mesh {
            name: item.name().into(),
            page,
            vertices: vertices.into(),
            indices: Indices::of_rectangle(),
            tint: optional_color(json.color.as_ref(), || format!("{}/color", item.pointer()))?,
            outline: outline.into(),
        })
    }

    /// The size of a region, by default the one of its picture.
    fn region_size(&mut self, item: &Item<'_>, has_picture: bool, whole: [f32; 2]) -> Vec2 {
        let size = [item.json.width, item.json.height].map(|side| side.map(|side| side.0));
        if let Some(missing) = size.iter().position(Option::is_none) {
            let message = format!(
                "`{}` states no {}, which Spine's own players need; the size of its picture is used",
                escaped(item.name()),
                ["width", "height"][missing]
            );
            self.diagnostics.warn("region-size", at(item.pointer()), message);
        }
        let size = vec2(size[0].unwrap_or(whole[0]), size[1].unwrap_or(whole[1]));
        if has_picture && (size / Vec2::from_array(whole)).max_element() >= MAX_ENLARGEMENT {
            let ([width, height], [own_width, own_height]) = (size.to_array(), whole);
            let message = format!(
                "`{}` is {width}×{height}, but its picture has {own_width}×{own_height} pixels",
                escaped(item.name())
            );
            self.diagnostics.warn("region-size", at(item.pointer()), message);
        }
        size
    }

    /// Spine's players turn the picture of a region only by 90 degrees: any other rotation is shown as it is stored.
    fn as_stored(&mut self, mut picture: Picture, item: &Item<'_>) -> Picture {
        let Region { name, degrees, .. } = &mut picture.region;
        if matches!(*degrees, 180 | 270) {
            let message = format!(
                "region `{}` of the atlas is rotated by {degrees} degrees; the picture is drawn as it is stored, because \
                 region attachments only support 90",
                escaped(name)
            );
            self.diagnostics.warn("atlas-rotation", at(item.pointer()), message);
            *degrees = 0;
        }
        picture
    }
}
