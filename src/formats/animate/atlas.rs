//! Spritemaps and their pages → sprites by name.

use ::bytes::Bytes;
use foldhash::HashMap;

use super::contour::contours;
use super::files::{Files, read};
use super::spritemap::{Sprite, Spritemap};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::image::{charge_decoding, decode_picture_watched, picture_size};
use crate::limits::Budget;
use crate::math::{Vec2, vec2};
use crate::model::{
    AlphaSource, AtlasPage, Attachment, BoneId, Indices, Influence, Mesh, ModelBuilder, PageId, SkinNVertices,
};

/// Offset of texture coordinates to the right and down, in texels, against rounding towards the pixel before.
const NUDGE: f32 = 1.0 / 2048.0;
/// Larger coordinates on a page are reduced to this.
const MAX_PIXELS: f32 = 1e6;
/// Maximum number of spritemaps.
const MAX_MAPS: usize = 1000;

/// All sprites of an atlas.
#[derive(Default)]
pub struct Atlas {
    pub sprites: Vec<Placed>,
    pub by_name: HashMap<String, u32>,
    pages: Vec<Page>,
    /// The program that wrote the first spritemap, and its version.
    pub exporter: Option<String>,
}

/// A sprite on a page.
pub struct Placed {
    pub name: Box<str>,
    /// Index of its page, if that has been found.
    page: Option<usize>,
    /// The upper-left corner and the size on the page.
    corner: Vec2,
    size: Vec2,
    is_rotated: bool,
    resolution: f32,
}

struct Page {
    id: PageId,
    size: [u32; 2],
    pixels: Bytes,
}

/// Loads an atlas.
struct Loader<'l, 'f, 'b> {
    atlas: Atlas,
    files: &'l mut Files<'f>,
    builder: &'l mut ModelBuilder,
    budget: &'l mut Budget<'b>,
    diagnostics: &'l mut Diagnostics,
}

impl Loader<'_, '_, '_> {
    fn load(&mut self) -> Result<()> {
        // Animate 2018 has only one, without a number.
        let names = ["spritemap".to_owned()].into_iter().chain((1..=MAX_MAPS).map(|n| format!("spritemap{n}")));
        let mut why = None;
        for (index, stem) in names.enumerate() {
            match self.files.load(&format!("{stem}.json"), self.budget)? {
                Ok(bytes) => {
                    let added = self.add(&stem, &bytes);
                    added.map_err(|error| error.in_file(format!("{stem}.json")))?;
                }
                Err(absent) if index > 0 => {
                    why = Some(absent);
                    break;
                }
                Err(_) => {}
            }
        }
        if let Some(why) = why.filter(|_| self.atlas.sprites.is_empty()) {
            let message = format!("{why}; nothing is drawn without the spritemap");
            self.diagnostics.incomplete("missing-image", Place::default(), message);
        }
        Ok(())
    }

    fn add(&mut self, stem: &str, bytes: &Bytes) -> Result<()> {
        let map: Spritemap<'_> = read(bytes, self.budget)?;
        let in_map = |path| Place { file: Some(format!("{stem}.json")), path, offset: None };
        self.budget.charge_records(map.atlas.sprites.len() as u64, || Place::inside("/ATLAS/SPRITES"))?;
        // Files that were renamed keep the former name of the image.
        let image = map.meta.image.as_ref().map(|name| name.as_str().to_owned());
        let names = [Some(format!("{stem}.png")), image];
        if let (None, Some(app)) = (&self.atlas.exporter, &map.meta.app) {
            let version = map.meta.version.as_ref().map_or("", |version| version.as_str());
            self.atlas.exporter = Some(format!("{} {version}", app.as_str()).trim_end().to_owned());
        }
        let page = self.page(names)?;
        let Self { atlas, diagnostics, .. } = self;
        let resolution = map.meta.resolution.as_str().parse().ok().filter(|r: &f32| (1e-3..=1e3).contains(r));
        if let Some(resolution) = resolution.filter(|resolution| *resolution != 1.0) {
            let message =
                format!("the resolution is {resolution}; sprites are drawn at 1/{resolution} of their size");
            diagnostics.warn("odd-resolution", in_map("/meta/resolution".to_owned()), message);
        }
        for (index, entry) in map.atlas.sprites.iter().enumerate() {
            let Sprite { ref name, x, y, w, h, rotated: is_rotated } = entry.sprite;
            let [x, y, w, h] = [x, y, w, h].map(|number| number.clamp(-MAX_PIXELS, MAX_PIXELS));
            let place = || in_map(format!("/ATLAS/SPRITES/{index}/SPRITE"));
            if let Some(page) = page.and_then(|page| atlas.pages.get(page)) {
                let [width, height] = page.size.map(|side| side as f32);
                if x < 0.0 || y < 0.0 || w < 0.0 || h < 0.0 || x + w > width || y + h > height {
                    let message = format!("the {w}×{h} pixels at {x},{y} are not all inside the image");
                    diagnostics.warn("frame-outside", place(), message);
                }
            }
            let (corner, size) = (vec2(x, y), vec2(w, h));
            let resolution = resolution.unwrap_or(1.0);
            atlas.by_name.entry(name.as_str().to_owned()).or_insert(atlas.sprites.len() as u32);
            atlas.sprites.push(Placed { name: name.as_str().into(), page, corner, size, is_rotated, resolution });
        }
        Ok(())
    }

    /// Loads the first of the images that there is.
    fn page(&mut self, names: [Option<String>; 2]) -> Result<Option<usize>> {
        let mut why = String::new();
        for name in names.into_iter().flatten() {
            match self.files.load(&name, self.budget)? {
                Ok(bytes) => match decode(&bytes, &name, self.budget) {
                    Ok(page) => {
                        let (size, pixels) = ([page.width, page.height], page.pixels.clone());
                        self.atlas.pages.push(Page { id: self.builder.page(page)?, size, pixels });
                        return Ok(Some(self.atlas.pages.len() - 1));
                    }
                    Err(Error::Malformed(fault) | Error::Unsupported(fault)) => why = fault.to_string(),
                    Err(error) => return Err(error),
                },
                Err(absent) if why.is_empty() => why = absent,
                Err(_) => {}
            }
        }
        let message = format!("{}; the sprites are drawn in a neutral colour", escaped(&why));
        self.diagnostics.incomplete("missing-image", Place::inside("/meta/image"), message);
        Ok(None)
    }
}

impl Atlas {
    /// Loads all spritemaps and pages.
    pub fn load(
        files: &mut Files<'_>,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self> {
        let mut loader = Loader { atlas: Self::default(), files, builder, budget, diagnostics };
        loader.load()?;
        Ok(loader.atlas)
    }

    /// Returns the attachment of a sprite on a bone, whose origin is the upper-left corner of the upright sprite.
    pub fn region(&self, sprite: u32, bone: BoneId) -> Result<Attachment> {
        let placed = &self.sprites[sprite as usize];
        let page = placed.page.and_then(|page| self.pages.get(page));
        let page_size = page.map_or(Vec2::ONE, |page| vec2(page.size[0] as f32, page.size[1] as f32));
        let upright = placed.upright();
        let mut vertices = SkinNVertices::with_capacity(4, 4);
        for corner in [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y] {
            let stored = if placed.is_rotated { vec2(1.0 - corner.y, corner.x) } else { corner };
            let uv = (placed.corner + stored * placed.size + NUDGE) / page_size;
            let position = corner * upright * vec2(1.0, -1.0) / placed.resolution + 0.0;
            vertices.push(
                if page.is_some() { uv } else { Vec2::ZERO },
                position,
                &[Influence { position, bone: bone.index() as u32, weight: 1.0 }],
            )?;
        }
        let is_visible = placed.size.cmpgt(Vec2::ZERO).all();
        let triangles: &[[u16; 3]] = if is_visible { &[[0, 1, 2], [2, 3, 0]] } else { &[] };
        let outline: &[[u16; 2]] =
            if page.is_none() && is_visible { &[[0, 1], [1, 2], [2, 3], [3, 0]] } else { &[] };
        Ok(Attachment::Region(Mesh {
            name: placed.name.clone(),
            page: page.map(|page| page.id),
            vertices: vertices.into(),
            indices: Indices::from_triangles(triangles),
            tint: [1.0; 4],
            outline: outline.into(),
        }))
    }

    /// Returns the outlines of a sprite in the space of its bone; none without visible pixels. Without its page, the whole
    /// sprite counts as visible.
    pub fn contours(&self, sprite: u32, budget: &mut Budget<'_>) -> Result<Vec<Vec<Vec2>>> {
        let placed = &self.sprites[sprite as usize];
        let page = placed.page.and_then(|page| self.pages.get(page));
        let [width, height] = page.map_or([u32::MAX; 2], |page| page.size);
        let size = placed.upright().min(vec2(width.max(height) as f32, width.max(height) as f32)).max(Vec2::ZERO);
        let size = [size.x as u32, size.y as u32];
        if page.is_none() {
            let [right, bottom] = size.map(|side| side as f32);
            let around = [Vec2::ZERO, vec2(right, 0.0), vec2(right, bottom), vec2(0.0, bottom)];
            return Ok(vec![around.map(|corner| placed.in_bone(corner)).to_vec()]);
        }
        budget.charge_work(size[1].into(), u64::from(size[0]) * CONTOUR_WORK, Place::default)?;
        let [x, y, w] = [placed.corner.x, placed.corner.y, placed.size.x].map(|number| number as i64);
        let alpha = |u: u32, v: u32| {
            let (u, v) = (i64::from(u), i64::from(v));
            let [column, row] = if placed.is_rotated { [x + w - 1 - v, y + u] } else { [x + u, y + v] };
            let inside = (0..i64::from(width)).contains(&column) && (0..i64::from(height)).contains(&row);
            let at = inside.then(|| (row * i64::from(width) + column) as usize * 4 + 3);
            at.and_then(|at| page?.pixels.get(at).copied()).unwrap_or_default()
        };
        let mut found = contours(size, budget, alpha)?;
        for corner in found.iter_mut().flatten() {
            *corner = placed.in_bone(*corner);
        }
        Ok(found)
    }
}

/// Units of work for a pixel of a mask, counted from the sizes of its sprites.
const CONTOUR_WORK: u64 = 16;

impl Placed {
    /// Returns width and height of the upright sprite, in pixels of the page.
    fn upright(&self) -> Vec2 {
        if self.is_rotated { vec2(self.size.y, self.size.x) } else { self.size }
    }

    fn in_bone(&self, corner: Vec2) -> Vec2 {
        corner * vec2(1.0, -1.0) / self.resolution
    }
}

fn decode(bytes: &Bytes, name: &str, budget: &mut Budget<'_>) -> Result<AtlasPage> {
    let place = || Place::inside(escaped(name));
    let (width, height) = picture_size(bytes, place)?;
    charge_decoding(bytes, (width, height), budget, place)?;
    let pixels = decode_picture_watched(bytes, budget.progress(), place)?;
    let (is_premultiplied, alpha_source) = (false, AlphaSource::Assumed);
    Ok(AtlasPage { name: name.into(), width, height, pixels, is_premultiplied, alpha_source })
}
