//! A plan → a flattened image: all layers blended and trimmed to the visible part.

use super::blend::{Blend, multiply};
use super::pixels::{Look, Source};
use super::plan::{Drawn, Plan, Step};
use super::schema::{File, Form, LayerKind, Pixel};
use super::unpack::{Packed, Store, packed_of};
use crate::bytes::filled;
use crate::error::{Place, Result};
use crate::limits::Budget;

/// A rectangle of the canvas: left, top, right and bottom, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Area {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

/// A flattened frame without the transparent rows and columns around it.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Picture {
    /// Left and top on the canvas.
    pub at: [u32; 2],
    /// Width and height; 0 if nothing is visible.
    pub size: [u32; 2],
    /// Rows top to bottom.
    pub pixels: Vec<Pixel>,
}

/// Draws a plan. `work` counts the composed pixels, `budget` the memory.
pub fn flatten(
    file: &File,
    plan: &Plan,
    store: &mut Store,
    work: &mut Budget<'_>,
    budget: &mut Budget<'_>,
) -> Result<Picture> {
    let Some(area) = Area::of_plan(file, plan) else { return Ok(Picture::default()) };
    let [width, height] = area.size();
    work.charge_pixels(width as u32, height as u32, || Place::at("width", 8))?;
    let len = (width * height) as usize;
    let bytes = 4 * len as u64;
    store.hold(bytes, budget, 0)?;
    let mut layers: Vec<Vec<Pixel>> = vec![filled([0; 4], len)?];
    for step in &plan.steps {
        match *step {
            Step::Open => {
                store.hold(bytes, budget, 0)?;
                layers.push(filled([0; 4], len)?);
            }
            Step::Close { layer } => {
                let layer = &file.layers[usize::from(layer)];
                if let Some(group) = layers.pop()
                    && let Some(below) = layers.last_mut()
                {
                    blend(below, &group, layer.blend, layer.opacity);
                }
                store.release(bytes);
            }
            Step::Draw(cel) => {
                if let Some(target) = layers.last_mut() {
                    cel.draw(file, plan.palette, (target, area), store, budget)?;
                }
                packed_of(file, cel).for_each(|packed| store.give_back(packed));
            }
        }
    }
    store.release(bytes);
    Ok(layers.pop().map_or_else(Picture::default, |pixels| trimmed(&pixels, area)))
}

/// Blends an image over another of the same size.
fn blend(below: &mut [Pixel], above: &[Pixel], mode: Blend, opacity: u8) {
    for (below, above) in below.iter_mut().zip(above).filter(|(_, above)| above[3] > 0) {
        *below = mode.apply(*below, *above, opacity);
    }
}

impl Drawn {
    /// Draws the cel on `target`, the pixels of `area`, with the colours of a palette.
    fn draw(
        self,
        file: &File,
        palette: usize,
        (target, area): (&mut [Pixel], Area),
        store: &mut Store,
        budget: &mut Budget<'_>,
    ) -> Result<()> {
        let Some(seen) = Area::of_cel(file, self).within(area) else { return Ok(()) };
        let layer = &file.layers[usize::from(self.layer)];
        let content = &file.contents[self.content as usize];
        let width = usize::from(content.size[0]);
        let bytes = store.take(file, Packed::Content(self.content), budget)?;
        let tiles;
        let source = match (content.form, layer.kind) {
            (Form::Tiles(bits), LayerKind::Tilemap(id)) => {
                let Some(tileset) = file.tilesets.get(&id) else { return Ok(()) };
                tiles = store.take(file, Packed::Tileset(id), budget)?;
                Source::Tilemap { tiles: &bytes, width, bits, tileset, bytes: &tiles }
            }
            _ => Source::Image { bytes: &bytes, width },
        };
        let look = Look { file, palette, is_background: layer.is_background };
        let opacity = multiply(self.opacity, layer.opacity);
        let [left, top] = self.at.map(i64::from);
        for y in seen.top..seen.bottom {
            let row = ((y - area.top) * area.size()[0]) as usize;
            for x in seen.left..seen.right {
                let pixel = source.pixel(&look, (x - left) as usize, (y - top) as usize);
                if pixel[3] > 0 {
                    let below = &mut target[row + (x - area.left) as usize];
                    *below = layer.blend.apply(*below, pixel, opacity);
                }
            }
        }
        Ok(())
    }
}

impl Area {
    fn size(self) -> [i64; 2] {
        [self.right - self.left, self.bottom - self.top]
    }

    /// Returns the rectangle of a cel, which may be outside the canvas.
    fn of_cel(file: &File, cel: Drawn) -> Self {
        let ([left, top], [width, height]) = (cel.at.map(i64::from), file.size_of(cel));
        Self { left, top, right: left + width, bottom: top + height }
    }

    /// Returns the part of the canvas covered by cels, or `None` if it is empty.
    fn of_plan(file: &File, plan: &Plan) -> Option<Self> {
        let [right, bottom] = file.header.size.map(i64::from);
        let canvas = Self { left: 0, top: 0, right, bottom };
        let seen = plan.steps.iter().filter_map(|step| match *step {
            Step::Draw(cel) => Self::of_cel(file, cel).within(canvas),
            Step::Open | Step::Close { .. } => None,
        });
        seen.reduce(|a, b| Self {
            left: a.left.min(b.left),
            top: a.top.min(b.top),
            right: a.right.max(b.right),
            bottom: a.bottom.max(b.bottom),
        })
    }

    /// Returns the intersection with another area, or `None` if it is empty.
    fn within(self, other: Self) -> Option<Self> {
        let both = Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        (both.left < both.right && both.top < both.bottom).then_some(both)
    }
}

/// Trims the transparent rows and columns around an area.
fn trimmed(pixels: &[Pixel], area: Area) -> Picture {
    let width = area.size()[0] as usize;
    let rows = || pixels.chunks_exact(width);
    let is_seen = |pixel: &Pixel| pixel[3] > 0;
    let (mut left, mut right) = (width, 0);
    let (mut top, mut bottom) = (None, 0);
    for (y, row) in rows().enumerate() {
        let Some(first) = row.iter().position(is_seen) else { continue };
        let last = row.iter().rposition(is_seen).unwrap_or(first);
        (left, right) = (left.min(first), right.max(last + 1));
        top.get_or_insert(y);
        bottom = y + 1;
    }
    let Some(top) = top else { return Picture::default() };
    let kept = rows().take(bottom).skip(top).flat_map(|row| &row[left..right]);
    Picture {
        at: [area.left as u32 + left as u32, area.top as u32 + top as u32],
        size: [(right - left) as u32, (bottom - top) as u32],
        pixels: kept.map(|pixel| if pixel[3] > 0 { *pixel } else { [0; 4] }).collect(),
    }
}
