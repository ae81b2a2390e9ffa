//! Draws batches with tiny-skia, which fills paths with patterns but knows neither textured triangles nor vertex colours.
//!
//! Each triangle is a path filled with the part of the page that its sprite shows. The part is tinted before it is used:
//! the formula of the colours is linear, so it does not matter whether a texel is tinted before or after filtering.

use pchr::draw::{Batch, BatchVertex, Batches, Picture, View};
use pchr::math::color::premultiply;
use pchr::math::{Vec2, vec2};
use pchr::model::{AtlasPage, Blend, Model};
use tiny_skia::{
    BlendMode, FillRule, FilterQuality, IntSize, Mask, Paint, Path, PathBuilder, Pattern, Pixmap, PixmapMut,
    Shader, SpreadMode, Transform,
};

/// The pages of a model, premultiplied.
pub struct Skia {
    pages: Vec<Pixmap>,
    /// The page of what has none.
    white: Pixmap,
    filter: FilterQuality,
}

/// Triangles of one sprite, and what they are filled with.
struct Fill<'a> {
    page: &'a Pixmap,
    /// In texels of the page.
    part: Part,
    triangles: &'a [[BatchVertex; 3]],
    filter: FilterQuality,
}

/// What a pass over the triangles of a sprite draws, made from the premultiplied colour `s` of the sprite.
#[derive(Clone, Copy)]
enum Source {
    /// `s`.
    Color,
    /// `s + 1 - alpha of s`, opaque.
    Factor,
    /// Black with the alpha of `s`.
    Alpha,
}

/// The passes that together blend a sprite. The `Multiply` of tiny-skia adds the source where the target is transparent,
/// which ours does not: it multiplies the colour with a factor and then covers.
fn passes(blend: Blend) -> &'static [(BlendMode, Source)] {
    match blend {
        // The alpha of additive sprites is 0.
        Blend::Normal | Blend::Additive => &[(BlendMode::SourceOver, Source::Color)],
        Blend::Multiply => &[(BlendMode::Modulate, Source::Factor), (BlendMode::DestinationOver, Source::Alpha)],
        Blend::Screen => &[(BlendMode::Screen, Source::Color)],
    }
}

impl Skia {
    /// Fails if tiny-skia does not support pages as large as those of `model`.
    pub fn new(model: &Model, filter: FilterQuality) -> Result<Self, String> {
        let page = |page: &AtlasPage| {
            let texels = page.pixels.as_chunks().0.iter();
            let premultiplied = |texel| if page.is_premultiplied { texel } else { premultiply(texel) };
            let pixels = texels.flat_map(|&texel| premultiplied(texel)).collect();
            pixmap(pixels, page.width, page.height)
                .ok_or_else(|| format!("page `{}` is too large for tiny-skia", page.name))
        };
        let white = pixmap(vec![255; 4], 1, 1).ok_or("one pixel is too large for tiny-skia")?;
        Ok(Self { pages: model.pages().iter().map(page).collect::<Result<_, _>>()?, white, filter })
    }

    /// Draws `batches`, which are of the same model, over the contents of `picture`. Fails if tiny-skia does not support
    /// pictures of this size.
    pub fn draw(&self, batches: &Batches, view: &View, picture: &mut Picture) -> Result<(), String> {
        let (width, height) = (picture.width(), picture.height());
        let too_large = || format!("tiny-skia does not draw pictures of {width}×{height} pixels");
        let mut target = PixmapMut::from_bytes(picture.pixels_mut(), width, height).ok_or_else(too_large)?;
        let mut inside = Mask::new(width, height).ok_or_else(too_large)?;
        for span in batches.batches().chunk_by(|a, b| a.clip == b.clip) {
            let Some(clip) = span[0].clip else {
                span.iter().for_each(|batch| self.draw_batch(batches, batch, view, &mut target));
                continue;
            };
            // The masks of tiny-skia fade the source, which is no clipping in every blend mode: put back what was outside.
            let before = target.data_mut().to_vec();
            span.iter().for_each(|batch| self.draw_batch(batches, batch, view, &mut target));
            inside.clear();
            let corners = batches.points_of(&batches.clips()[clip as usize]).iter();
            if let Some(outline) = path(corners.map(|corner| view.pixel_from_world(*corner))) {
                inside.fill_path(&outline, FillRule::EvenOdd, false, Transform::identity());
            }
            let pixels = target.data_mut().chunks_exact_mut(4).zip(before.chunks_exact(4));
            for ((pixel, before), _) in pixels.zip(inside.data()).filter(|(_, inside)| **inside == 0) {
                pixel.copy_from_slice(before);
            }
        }
        Ok(())
    }

    fn draw_batch(&self, batches: &Batches, batch: &Batch, view: &View, target: &mut PixmapMut<'_>) {
        let page = batch.page.map_or(&self.white, |page| &self.pages[page.index()]);
        let corners = |indices: &[u32; 3]| indices.map(|index| batches.vertices()[index as usize]);
        let triangles: Vec<_> = batches.indices_of(batch).as_chunks().0.iter().map(corners).collect();
        let colors = |triangle: &[BatchVertex; 3]| (triangle[0].light, triangle[0].dark);
        // A sprite has the same colours everywhere.
        for triangles in triangles.chunk_by(|a, b| colors(a) == colors(b)) {
            let fill = Fill { page, part: Part::of(triangles, page), triangles, filter: self.filter };
            for &(blend_mode, source) in passes(batch.blend) {
                fill.draw(blend_mode, source, view, target);
            }
        }
    }
}

impl Fill<'_> {
    fn draw(&self, blend_mode: BlendMode, source: Source, view: &View, target: &mut PixmapMut<'_>) {
        let Some(tinted) = self.tinted(source) else { return };
        let size = vec2(self.page.width() as f32, self.page.height() as f32);
        let origin = vec2(self.part.x as f32, self.part.y as f32);
        for triangle in self.triangles {
            let pixels = triangle.map(|corner| view.pixel_from_world(corner.position));
            let texels = triangle.map(|corner| corner.uv * size - origin);
            let Some(path) = path(pixels) else { continue };
            let flat;
            let shader = match pixel_from_texel(pixels, texels) {
                Some(transform) => self.pattern(&tinted, transform),
                None => {
                    let Some(texel) = texel_at(&tinted, texels[0]) else { continue };
                    flat = texel;
                    self.pattern(&flat, Transform::identity())
                }
            };
            // Neighbours with smooth edges would show what is below where they meet.
            let paint = Paint { shader, blend_mode, anti_alias: false, ..Paint::default() };
            target.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        }
    }

    fn pattern<'a>(&self, pixmap: &'a Pixmap, transform: Transform) -> Shader<'a> {
        Pattern::new(pixmap.as_ref(), SpreadMode::Pad, self.filter, 1.0, transform)
    }

    /// The part of the page, as a pass needs it.
    fn tinted(&self, source: Source) -> Option<Pixmap> {
        let Part { x, y, width, height } = self.part;
        let BatchVertex { light, dark, .. } = self.triangles.first()?[0];
        let rows = (y..y + height).map(|row| (row * self.page.width() + x) as usize * 4);
        let texels = rows.flat_map(|at| self.page.data()[at..at + width as usize * 4].as_chunks().0);
        pixmap(texels.flat_map(|&texel| source.of(shade(texel, light, dark))).collect(), width, height)
    }
}

impl Source {
    fn of(self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        let factor = |channel: u8| channel.saturating_add(255 - a);
        match self {
            Self::Color => [r, g, b, a],
            Self::Factor => [factor(r), factor(g), factor(b), 255],
            Self::Alpha => [0, 0, 0, a],
        }
    }
}

/// The colour of a texel, as a fragment shader computes it.
fn shade(texel: [u8; 4], light: [u8; 4], dark: [u8; 4]) -> [u8; 4] {
    let of = |channel: u8, light: u8, dark: u8| {
        let sum =
            i32::from(channel) * i32::from(light) + (i32::from(texel[3]) - i32::from(channel)) * i32::from(dark);
        ((sum + 127) / 255).clamp(0, 255) as u8
    };
    // The dark colour has no alpha.
    std::array::from_fn(|index| of(texel[index], light[index], if index < 3 { dark[index] } else { 0 }))
}

/// A rectangle of a page, in texels.
#[derive(Clone, Copy)]
struct Part {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

impl Part {
    /// What filtering needs for some triangles: a texel more on every side, as far as the page goes.
    fn of(triangles: &[[BatchVertex; 3]], page: &Pixmap) -> Self {
        let span = |side: u32, uv: fn(Vec2) -> f32| {
            let texels = triangles.as_flattened().iter().map(|corner| uv(corner.uv) * side as f32);
            let (low, high) = texels.fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at), high.max(at)));
            // Conversions end at 0 and at the largest number.
            let first = ((low - 1.0) as u32).min(side - 1);
            (first, ((high + 2.0) as u32).clamp(first + 1, side) - first)
        };
        let (x, width) = span(page.width(), |uv| uv.x);
        let (y, height) = span(page.height(), |uv| uv.y);
        Self { x, y, width, height }
    }
}

/// The transform that puts a triangle of texels where its pixels are; `None` if the texels span no area.
fn pixel_from_texel(pixels: [Vec2; 3], texels: [Vec2; 3]) -> Option<Transform> {
    let [p, q, r] = pixels.map(Vec2::as_dvec2);
    let [a, b, c] = texels.map(Vec2::as_dvec2);
    let (to_q, to_r, to_b, to_c) = (q - p, r - p, b - a, c - a);
    let area = to_b.perp_dot(to_c);
    if area == 0.0 {
        return None;
    }
    let right = (to_q * to_c.y - to_r * to_b.y) / area;
    let down = (to_r * to_b.x - to_q * to_c.x) / area;
    let origin = p - right * a.x - down * a.y;
    let [sx, ky, kx, sy, tx, ty] =
        [right.x, right.y, down.x, down.y, origin.x, origin.y].map(|value| value as f32);
    let transform = Transform::from_row(sx, ky, kx, sy, tx, ty);
    // Bilinear patterns that are only moved are sampled as nearest, even by fractions of a pixel.
    let scale = if transform.is_translate() { 1.0 + f32::EPSILON } else { 1.0 };
    Some(transform.pre_scale(scale, 1.0))
}

/// One pixel of a picture; the nearest one if the point is outside.
fn texel_at(pixmap: &Pixmap, at: Vec2) -> Option<Pixmap> {
    let (x, y) = ((at.x as u32).min(pixmap.width() - 1), (at.y as u32).min(pixmap.height() - 1));
    let first = (y * pixmap.width() + x) as usize * 4;
    self::pixmap(pixmap.data()[first..first + 4].to_vec(), 1, 1)
}

fn pixmap(premultiplied: Vec<u8>, width: u32, height: u32) -> Option<Pixmap> {
    Pixmap::from_vec(premultiplied, IntSize::from_wh(width, height)?)
}

/// A closed path; `None` if its points are not finite or too few.
fn path(points: impl IntoIterator<Item = Vec2>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for point in points {
        if path.is_empty() {
            path.move_to(point.x, point.y);
        } else {
            path.line_to(point.x, point.y);
        }
    }
    path.close();
    path.finish()
}
