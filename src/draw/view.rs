//! Which part of the world a picture shows.

use crate::math::{Rect, Vec2, vec2};

/// A picture's size and the part of the world it shows. One scale for both axes: nothing is stretched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    width: u32,
    height: u32,
    top_left: Vec2,
    scale: f32,
    /// How many times as large it is drawn as it will be.
    enlargement: u32,
}

impl View {
    /// A picture of `width` × `height` pixels whose upper-left corner is at `top_left` in the world,
    /// `scale` picture pixels to a world pixel.
    ///
    /// The renderers draw nothing where the scale is not positive and finite, or the corner is not finite.
    pub fn new(width: u32, height: u32, top_left: Vec2, scale: f32) -> Self {
        Self { width, height, top_left, scale, enlargement: 1 }
    }

    /// All of `world` in the middle of the picture, as large as it gets.
    ///
    /// Where `world` is empty or not finite, or the picture has no pixels, no scale fits and the renderers draw nothing.
    pub fn fit(width: u32, height: u32, world: Rect) -> Self {
        let size = vec2(width as f32, height as f32);
        let ratio = size / world.size();
        let scale = ratio.x.min(ratio.y);
        // Where the shapes agree the corner is the rectangle's own, to the last bit.
        let left = if ratio.x == scale { world.min.x } else { world.center().x - size.x / scale * 0.5 };
        let top = if ratio.y == scale { world.max.y } else { world.center().y + size.y / scale * 0.5 };
        Self::new(width, height, vec2(left, top), scale)
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Picture pixels to a world pixel.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Whether the picture that is left once [`Self::enlarged`] is undone is smaller than the world.
    pub(crate) fn is_smaller(&self) -> bool {
        self.scale < self.enlargement as f32
    }

    /// The part of the world that the picture shows.
    pub fn world(&self) -> Rect {
        let size = vec2(self.width as f32, self.height as f32) / self.scale;
        Rect {
            min: vec2(self.top_left.x, self.top_left.y - size.y),
            max: vec2(self.top_left.x + size.x, self.top_left.y),
        }
    }

    /// From world pixels, y up, to picture pixels, y down, from the upper-left corner.
    #[inline]
    pub fn pixel_from_world(&self, world: Vec2) -> Vec2 {
        vec2(world.x - self.top_left.x, self.top_left.y - world.y) * self.scale
    }

    /// From picture pixels to world pixels.
    pub fn world_from_pixel(&self, pixel: Vec2) -> Vec2 {
        vec2(self.top_left.x + pixel.x / self.scale, self.top_left.y - pixel.y / self.scale)
    }

    /// The same part of the world in a picture `factor` times as large. Sides end at [`u32::MAX`].
    #[must_use]
    pub fn enlarged(&self, factor: u32) -> Self {
        let (width, height) = (self.width.saturating_mul(factor), self.height.saturating_mul(factor));
        let enlargement = self.enlargement.saturating_mul(factor);
        Self { width, height, top_left: self.top_left, scale: self.scale * factor as f32, enlargement }
    }

    /// Whether anything of the world has a place in the picture.
    pub(crate) fn shows_anything(&self) -> bool {
        self.scale > 0.0 && self.scale.is_finite() && self.top_left.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_shape_is_letterboxed() {
        let world = Rect { min: vec2(-10.0, 0.0), max: vec2(10.0, 40.0) };
        let view = View::fit(80, 80, world);
        assert_eq!(view.scale(), 2.0);
        assert_eq!(view.world(), Rect { min: vec2(-20.0, 0.0), max: vec2(20.0, 40.0) });
        assert_eq!(view.pixel_from_world(vec2(-10.0, 40.0)), vec2(20.0, 0.0));
        assert_eq!(view.world_from_pixel(vec2(40.0, 80.0)), vec2(0.0, 0.0));
    }

    #[test]
    fn the_same_shape_is_exact() {
        let world = Rect { min: vec2(-0.1, 0.3), max: vec2(7.9, 4.3) };
        assert_eq!(View::fit(800, 400, world).world().min.x, -0.1);
    }
}
