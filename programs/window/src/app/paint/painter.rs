//! Paints frames into the pixels of a window on the CPU. Only the differences from the previous frame are painted.

use std::collections::VecDeque;
use std::sync::Arc;

use egui::epaint::ImageDelta;
use egui::{ClippedPrimitive, Color32, TextureId, TexturesDelta};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use super::Frame;
use super::damage::{Area, Damage, Placed, compare};
use super::raster::{self, Canvas, Character};
use crate::scene::preparation::Preparation;
use crate::scene::{CpuSceneRenderer, Scene};
use pchr::Character as LoadedCharacter;
use pchr::draw::Picture;

/// Rows per band; each band is painted by one thread.
const BAND: usize = 64;
/// Number of pixels from which painting is worth several threads.
const MIN_PIXELS_FOR_THREADS: i64 = 1 << 16;
/// Age in frames above which a buffer is repainted as a whole.
const MAX_HISTORY: usize = 4;

/// Paints consecutive frames.
#[derive(Debug, Default)]
pub struct Painter {
    renderers: Vec<CpuSceneRenderer>,
    painted: Option<PaintedFrame>,
    /// The damage of the latest frames, newest first.
    history: VecDeque<Damage>,
    painted_pixels: u64,
}

/// The frame painted last.
#[derive(Debug)]
struct PaintedFrame {
    shapes: Vec<Placed>,
    size: [u32; 2],
    pixels_per_point: f32,
    clear: Color32,
    /// The non-transparent part of each character's picture, relative to its upper-left corner; `None` without a
    /// character.
    covered: Vec<Option<Area>>,
}

impl Painter {
    /// Returns the renderers that draw the characters.
    pub fn renderers(&self) -> &[CpuSceneRenderer] {
        &self.renderers
    }

    /// Prepares for drawing `character` as the first one.
    pub fn prepare(&mut self, character: &Arc<LoadedCharacter>) -> Preparation {
        if self.renderers.is_empty() {
            self.renderers.push(CpuSceneRenderer::default());
        }
        self.renderers.first_mut().map_or(Preparation::Ready, |renderer| renderer.prepare(character))
    }

    /// Returns the number of pixels painted so far.
    #[cfg(test)]
    pub fn painted_pixels(&self) -> u64 {
        self.painted_pixels
    }

    /// Discards what is known of the screen's contents: the next frame is painted as a whole.
    pub fn forget(&mut self) {
        self.painted = None;
    }

    /// Accepts a frame. Returns how it differs from the previous one, which is nothing if it looks the same.
    pub fn take(&mut self, frame: &mut Frame<'_>) -> &Damage {
        let before = self.painted.take();
        let count = self.renderers.len().max(frame.scenes.len());
        self.renderers.resize_with(count, CpuSceneRenderer::default);
        let mut covered = vec![None; count];
        let mut is_new = vec![false; count];
        for (place, renderer) in self.renderers.iter_mut().enumerate() {
            let Some(scene) = frame.scenes.get(place).and_then(Option::as_ref) else {
                renderer.forget();
                continue;
            };
            is_new[place] = renderer.render_part(scene).1;
            let known = before.as_ref().and_then(|before| *before.covered.get(place)?).filter(|_| !is_new[place]);
            // The previous frame may have been forgotten although the picture is the same.
            covered[place] = known.or_else(|| Some(covered_by(renderer, scene)));
        }
        let points = frame.pixels_per_point;
        let shapes =
            std::mem::take(&mut frame.shapes).into_iter().map(|shape| Placed::new(shape, points)).collect();
        let painted =
            PaintedFrame { shapes, size: frame.size, pixels_per_point: points, clear: frame.clear, covered };
        let damage = match before {
            Some(before) if before.is_like(&painted) && only_adds_glyphs(frame.changes) => {
                before.damage(&painted, &is_new)
            }
            _ => painted.everything(),
        };
        self.painted = Some(painted);
        if !damage.areas().is_empty() {
            self.history.push_front(damage);
            self.history.truncate(MAX_HISTORY);
            return &self.history[0];
        }
        const { &Damage::NOTHING }
    }

    /// Returns what to paint into a buffer that contains the frame from `age` frames ago; an `age` of 0 means
    /// unknown contents.
    pub fn since(&self, age: u8) -> Damage {
        let Some(painted) = &self.painted else { return Damage::default() };
        let age = usize::from(age);
        if age == 0 || age > self.history.len() {
            return painted.everything();
        }
        let window = Area::whole(painted.size);
        let mut damage = Damage::default();
        for frame in self.history.iter().take(age) {
            frame.areas().iter().for_each(|&area| damage.add(area, window));
        }
        damage
    }

    /// Paints the part of the last frame covered by `damage` into `pixels`, which span the whole window.
    pub fn paint(&mut self, frame: &Frame<'_>, damage: &Damage, pixels: &mut [u32]) {
        let Some(painted) = &self.painted else { return };
        let touched = painted.shapes.iter().filter(|placed| damage.touches(placed.area));
        let shapes = touched.map(|placed| placed.shape.clone()).collect();
        let primitives = frame.ctx.tessellate(shapes, painted.pixels_per_point);
        let width = painted.size[0] as usize;
        let paint = |(band, pixels): (usize, &mut [u32])| {
            let mut canvas = Canvas { pixels, width, first_row: band * BAND };
            self.paint_band(&mut canvas, frame, damage, &primitives);
        };
        if damage.pixels() < MIN_PIXELS_FOR_THREADS {
            pixels.chunks_mut(width * BAND).enumerate().for_each(paint);
        } else {
            pixels.par_chunks_mut(width * BAND).enumerate().for_each(paint);
        }
        self.painted_pixels += damage.pixels() as u64;
    }

    fn paint_band(
        &self,
        canvas: &mut Canvas<'_>,
        frame: &Frame<'_>,
        damage: &Damage,
        primitives: &[ClippedPrimitive],
    ) {
        let band = canvas.area();
        let character = |place: usize| {
            let (renderer, scene) = (self.renderers.get(place)?, frame.scenes.get(place)?.as_ref()?);
            let picture = renderer.picture();
            let size = [picture.width(), picture.height()].map(|side| side as usize);
            let whole = [scene.view.width(), scene.view.height()].map(|side| side as usize);
            let corner = renderer.corner().map(i64::from);
            Some(Character { pixels: picture.pixels(), size, corner, whole, opacity: 255 })
        };
        for area in damage.areas().iter().map(|area| area.intersect(band)).filter(|area| !area.is_empty()) {
            canvas.fill(area, frame.clear);
            raster::paint(canvas, area, primitives, frame.pixels_per_point, frame.textures, &character);
        }
    }
}

impl PaintedFrame {
    fn is_like(&self, other: &Self) -> bool {
        (self.size, self.pixels_per_point, self.clear) == (other.size, other.pixels_per_point, other.clear)
            && self.covered.iter().map(Option::is_some).eq(other.covered.iter().map(Option::is_some))
    }

    fn everything(&self) -> Damage {
        let mut damage = Damage::default();
        let window = Area::whole(self.size);
        damage.add(window, window);
        damage
    }

    /// Returns the differences from `after`. `is_new` tells whose picture has changed.
    fn damage(&self, after: &Self, is_new: &[bool]) -> Damage {
        let window = Area::whole(self.size);
        let mut damage = Damage::default();
        compare(&self.shapes, &after.shapes, |area| damage.add(area, window));
        for (place, corner) in after.shapes.iter().filter_map(Placed::character) {
            if !is_new.get(place).is_some_and(|is_new| *is_new) {
                continue;
            }
            let [x, y] = [corner.x, corner.y].map(|side| (side * self.pixels_per_point).round() as i64);
            let covered = [&self.covered, &after.covered].into_iter().filter_map(|covered| *covered.get(place)?);
            for covered in covered.filter(|covered| !covered.is_empty()) {
                damage.add(covered.moved(x, y), window);
            }
        }
        damage
    }
}

/// Returns true if `changes` leave everything painted so far as it is.
fn only_adds_glyphs(changes: &TexturesDelta) -> bool {
    changes.set.iter().all(|(id, deltas)| *id == TextureId::default() && !deltas.iter().any(ImageDelta::is_whole))
}

/// Returns the non-transparent part of the picture of `scene`, relative to the upper-left corner of the scene.
fn covered_by(renderer: &CpuSceneRenderer, scene: &Scene) -> Area {
    let (picture, [x, y]) = (renderer.picture(), renderer.corner().map(i64::from));
    if scene.is_brief {
        return Area::whole([picture.width(), picture.height()]).moved(x, y);
    }
    covered(picture)
}

/// Returns the bounding box of the non-transparent pixels.
fn covered(picture: &Picture) -> Area {
    let width = picture.width() as usize;
    let mut area = Area { left: i64::MAX, top: i64::MAX, right: 0, bottom: 0 };
    for (y, row) in picture.pixels().chunks_exact((width * 4).max(4)).enumerate() {
        let is_something = |pixel: &[u8; 4]| *pixel != [0; 4];
        let pixels = row.as_chunks::<4>().0;
        if let Some(first) = pixels.iter().position(is_something) {
            let last = pixels.iter().rposition(is_something).unwrap_or(first);
            area.left = area.left.min(first as i64);
            area.right = area.right.max(last as i64 + 1);
            area.top = area.top.min(y as i64);
            area.bottom = y as i64 + 1;
        }
    }
    area
}
