//! A picture behind the character, such as a photograph or a drawing to animate after.
//!
//! Screenshots do not contain it; exports can.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::name;
use pchr::Result;
use pchr::draw::Picture;
use pchr::golden::read_picture;
use pchr::limits::Limits;
use pchr::math::color::premultiply;
use pchr::math::{Rect, Vec2, vec2};

/// A picture behind the character.
#[derive(Debug, Clone, PartialEq)]
pub struct Underlay {
    /// The file.
    pub path: PathBuf,
    /// The file's name for display.
    pub name: String,
    /// The picture, premultiplied. Its sides are at most [`Self::MAX_SIDE`].
    pub picture: Arc<Picture>,
    /// Width and height of the file's picture in pixels.
    pub size: [u32; 2],
    /// Opacity, 0 to 1.
    pub opacity: f32,
    /// Its size and place.
    pub placement: Placement,
}

/// The size and place of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// World pixels per pixel of the file's picture.
    pub scale: f32,
    /// Its centre in the world, y up.
    pub center: Vec2,
}

impl Underlay {
    /// Longer side in pixels above which a picture is reduced by a whole factor.
    pub const MAX_SIDE: u32 = 4096;
    /// The range of [`Placement::scale`].
    pub const SCALES: std::ops::RangeInclusive<f32> = 0.01..=100.0;
    /// The largest absolute coordinate of [`Placement::center`].
    pub const FAR: f32 = 1e6;

    /// Reads a PNG, JPEG or WebP file, which is shown opaque as a background, and else translucent. Blocking; call it from
    /// a worker thread.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is damaged or exceeds `limits`.
    pub fn read(path: &Path, is_background: bool, limits: &Limits) -> Result<Self> {
        let mut picture = read_picture(path, limits)?;
        for pixel in picture.pixels_mut().as_chunks_mut::<4>().0 {
            *pixel = premultiply(*pixel);
        }
        let size = [picture.width(), picture.height()];
        let picture = reduced(picture, Self::MAX_SIDE);
        Ok(Self {
            path: path.to_owned(),
            name: name::file(path),
            picture: Arc::new(picture),
            size,
            opacity: if is_background { 1.0 } else { 0.5 },
            placement: Placement { scale: 1.0, center: Vec2::ZERO },
        })
    }

    /// Returns the rectangle that it covers in the world.
    pub fn world(&self) -> Rect {
        let half = vec2(self.size[0] as f32, self.size[1] as f32) * self.placement.scale * 0.5;
        Rect { min: self.placement.center - half, max: self.placement.center + half }
    }
}

/// Reduces a picture by a whole factor, so that neither side is longer than `side` pixels.
pub fn reduced(mut picture: Picture, side: u32) -> Picture {
    let (width, height) = (picture.width(), picture.height());
    let factor = width.max(height).div_ceil(side.max(1));
    if factor <= width.min(height).min(Picture::MAX_SHRINK) {
        picture.shrink(factor.max(1));
        return picture;
    }
    // Nothing would be left of the shorter side.
    let mut few = Picture::default();
    few.reset(width.div_ceil(factor), height.div_ceil(factor));
    let (columns, row) = (few.width(), width as usize * 4);
    for (y, to) in few.pixels_mut().chunks_exact_mut(columns as usize * 4).enumerate() {
        let from = picture.pixels()[y * factor as usize * row..][..row].as_chunks::<4>().0;
        to.as_chunks_mut::<4>()
            .0
            .iter_mut()
            .zip(from.iter().step_by(factor as usize))
            .for_each(|(to, from)| *to = *from);
    }
    few
}

impl Placement {
    /// Returns the placement in actual size in the middle of `content`, on whole pixels; at the origin if there is
    /// no content.
    pub fn amid(content: Option<Rect>) -> Self {
        let center = content.filter(|content| !content.is_empty()).map_or(Vec2::ZERO, |content| content.center());
        let center = if center.is_finite() { center.round() } else { Vec2::ZERO };
        Self { scale: 1.0, center: center.clamp(Vec2::splat(-Underlay::FAR), Vec2::splat(Underlay::FAR)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pchr::formats::image::encode_png;

    fn read(width: u32, height: u32, pixel: [u8; 4]) -> Underlay {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a\nb.png");
        let pixels = pixel.repeat(width as usize * height as usize);
        std::fs::write(&path, encode_png(width, height, &pixels).unwrap()).unwrap();
        Underlay::read(&path, false, &Limits::default()).unwrap()
    }

    #[test]
    fn pictures_are_premultiplied_and_named_on_one_line() {
        let underlay = read(2, 1, [255, 128, 0, 128]);
        assert_eq!(underlay.picture.pixels(), [128, 64, 0, 128, 128, 64, 0, 128]);
        assert!(!underlay.name.contains('\n'), "{}", underlay.name);
    }

    #[test]
    fn large_pictures_are_reduced_but_keep_their_size_in_the_world() {
        let underlay = read(9000, 5, [9, 9, 9, 255]);
        assert_eq!((underlay.picture.width(), underlay.picture.height()), (3000, 1));
        assert_eq!(underlay.world().size(), vec2(9000.0, 5.0));
        // A strip this flat keeps its only row.
        let strip = read(20_000, 1, [9, 9, 9, 255]);
        assert_eq!((strip.picture.width(), strip.picture.height()), (4000, 1));
        assert!(strip.picture.pixels().as_chunks::<4>().0.iter().all(|pixel| *pixel == [9, 9, 9, 255]));
    }

    #[test]
    fn it_is_placed_amid_the_content() {
        let content = Rect { min: vec2(-11.0, 0.0), max: vec2(50.0, 300.0) };
        assert_eq!(Placement::amid(Some(content)).center, vec2(20.0, 150.0));
        for none in [None, Some(Rect::NOTHING), Some(Rect { min: Vec2::ZERO, max: Vec2::splat(f32::INFINITY) })] {
            assert_eq!(Placement::amid(none).center, Vec2::ZERO);
        }
    }
}
