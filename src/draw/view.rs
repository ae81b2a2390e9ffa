//! The map from the world to the pixels of a picture.

use crate::math::{Affine2, DAffine2, DMat2, DVec2, Mat2, Rect, Vec2, angle, dvec2, vec2};

/// The size of a picture and the affine map from the world into it.
///
/// World space has y up, picture space has y down and its origin in the upper-left corner; both are in pixels. A
/// view made by [`Self::new`], [`Self::centered`] or [`Self::fit`] is upright: it only scales and moves.
/// [`Self::rotated`], [`Self::mirrored`], [`Self::transformed`] and [`Self::from_affine`] give any other affine
/// view. Both renderers draw through any of them.
///
/// A view whose map is not finite or cannot be inverted is valid, but the renderers draw nothing through it.
///
/// ```
/// use pchr::draw::View;
/// use pchr::math::vec2;
///
/// // A camera at (100, 50) with a zoom of 2, rolled by 30° to the right: the world turns to the left.
/// let view = View::centered(640, 360, vec2(100.0, 50.0), 2.0).rotated(30_f32.to_radians());
/// assert!(view.pixel_from_world(vec2(100.0, 50.0)).distance(vec2(320.0, 180.0)) < 1e-3);
///
/// // What is under the mouse.
/// let world = view.world_from_pixel(vec2(12.0, 34.0));
/// assert!(view.pixel_from_world(world).distance(vec2(12.0, 34.0)) < 1e-3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    width: u32,
    height: u32,
    /// The world position of the picture's upper-left corner. Subtracting it first keeps what is far from the
    /// world's origin as exact as what is near.
    top_left: Vec2,
    /// Picture pixels per world pixel; the square root of the factor by which areas grow.
    scale: f32,
    /// The linear part of `pixel_from_world`; `None` for an upright view, whose arithmetic is simpler.
    linear: Option<Mat2>,
    /// The factor by which this picture is larger than the final one.
    enlargement: u32,
}

impl View {
    /// Creates an upright view of `width` × `height` pixels whose upper-left corner is at `top_left` in the world.
    /// `scale` is in picture pixels per world pixel.
    ///
    /// The renderers draw nothing if the scale is not positive and finite, or the corner is not finite.
    pub fn new(width: u32, height: u32, top_left: Vec2, scale: f32) -> Self {
        Self { width, height, top_left, scale, linear: None, enlargement: 1 }
    }

    /// Creates an upright view of `width` × `height` pixels centred on `center`, for a camera with a position and
    /// a zoom. `scale` is in picture pixels per world pixel.
    ///
    /// The renderers draw nothing if the scale is not positive and finite, or the centre is not finite.
    pub fn centered(width: u32, height: u32, center: Vec2, scale: f32) -> Self {
        let half = vec2(width as f32, height as f32) / (2.0 * scale);
        Self::new(width, height, vec2(center.x - half.x, center.y + half.y), scale)
    }

    /// Creates an upright view that shows all of `world` in the middle of the picture, as large as possible.
    ///
    /// If `world` is empty or not finite, or the picture has no pixels, no scale fits and the renderers draw
    /// nothing.
    pub fn fit(width: u32, height: u32, world: Rect) -> Self {
        let size = vec2(width as f32, height as f32);
        let ratio = size / world.size();
        let scale = ratio.x.min(ratio.y);
        // If the aspect ratios agree, the corner is the rectangle's own, to the last bit.
        let left = if ratio.x == scale { world.min.x } else { world.center().x - size.x / scale * 0.5 };
        let top = if ratio.y == scale { world.max.y } else { world.center().y + size.y / scale * 0.5 };
        Self::new(width, height, vec2(left, top), scale)
    }

    /// Creates a view of `width` × `height` pixels with any affine map from the world, y up, to picture pixels, y
    /// down, from the upper-left corner. The map of an unrotated view of scale `s` therefore has the columns `(s,
    /// 0)` and `(0, -s)`.
    ///
    /// The renderers draw nothing if the map is not finite or cannot be inverted.
    pub fn from_affine(width: u32, height: u32, pixel_from_world: Affine2) -> Self {
        let Affine2 { matrix2, translation } = pixel_from_world;
        let top_left = matrix2.as_dmat2().inverse() * -translation.as_dvec2();
        Self::new(width, height, top_left.as_vec2(), 0.0).with_linear(matrix2)
    }

    /// Rotates the content of the picture counterclockwise by `radians`, about the middle of the picture.
    ///
    /// A camera that is itself rotated counterclockwise shows the world rotated by the negative angle. Quarter
    /// turns are exact: an angle within a millionth of one counts as one. An angle that is not finite gives a view
    /// through which nothing is drawn.
    #[must_use]
    pub fn rotated(&self, radians: f32) -> Self {
        let (sin, cos) = match angle::sin_cos_radians(radians.into()) {
            (sin, cos) if cos.abs() < 1e-6 => (sin.signum(), 0.0),
            (sin, cos) if sin.abs() < 1e-6 => (0.0, cos.signum()),
            sin_cos => sin_cos,
        };
        // Counterclockwise with y down.
        self.about_middle(DMat2::from_cols(dvec2(cos, -sin), dvec2(sin, cos)))
    }

    /// Swaps left and right of the picture.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.about_middle(DMat2::from_diagonal(dvec2(-1.0, 1.0)))
    }

    /// Applies `map`, from picture pixels, y down, to picture pixels, to the content of the picture. The size of
    /// the picture stays.
    #[must_use]
    pub fn transformed(&self, map: Affine2) -> Self {
        self.then(map.as_daffine2())
    }

    fn about_middle(&self, linear: DMat2) -> Self {
        let middle = dvec2(self.width.into(), self.height.into()) * 0.5;
        self.then(DAffine2 { matrix2: linear, translation: middle - linear * middle })
    }

    /// Returns this map followed by `map`.
    fn then(&self, map: DAffine2) -> Self {
        if !self.shows_anything() {
            return *self;
        }
        // The corner is computed in the world: subtracting pixels would lose precision far from the origin.
        let from_corner = self.linear().as_dmat2().inverse() * map.inverse().translation;
        let top_left = (self.top_left.as_dvec2() + from_corner).as_vec2();
        Self { top_left, ..*self }.with_linear((map.matrix2 * self.linear().as_dmat2()).into())
    }

    /// Returns a view with the same corner and size and another linear part.
    fn with_linear(self, linear: Mat2) -> Self {
        let scale = linear.as_dmat2().determinant().abs().sqrt() as f32;
        let is_upright = linear == Mat2::from_diagonal(vec2(scale, -scale));
        Self { scale, linear: (!is_upright).then_some(linear), ..self }
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the picture pixels per world pixel.
    ///
    /// For any affine view this is the square root of the factor by which areas grow, that is of the determinant's
    /// absolute value: the scale of a rotated or mirrored view, and the geometric mean of the scales of a
    /// stretched one. Line widths of overlays and mipmap levels depend on it.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns true if world pixels are axis-aligned and a whole number of picture pixels wide and high: texels of
    /// pixel art become blocks.
    pub(crate) fn magnifies_in_whole_steps(&self) -> bool {
        let is_whole = |scale: f32| scale >= self.enlargement as f32 && scale.fract() == 0.0;
        match self.linear {
            None => is_whole(self.scale),
            Some(Mat2 { x_axis, y_axis }) => {
                // Axes have to stay axes, whichever way they point.
                let along = [[x_axis.x, y_axis.y], [x_axis.y, y_axis.x]];
                along.iter().any(|along| along.iter().all(|scale| is_whole(scale.abs())))
                    && (x_axis.x == 0.0 || x_axis.y == 0.0)
                    && (y_axis.x == 0.0 || y_axis.y == 0.0)
            }
        }
    }

    /// Returns the smallest rectangle of the world that contains the visible part; exactly that part for an
    /// upright view.
    pub fn world(&self) -> Rect {
        let size = vec2(self.width as f32, self.height as f32);
        if self.linear.is_some() {
            let corners = [Vec2::ZERO, vec2(size.x, 0.0), vec2(0.0, size.y), size];
            return corners
                .map(|corner| self.world_from_pixel(corner))
                .into_iter()
                .fold(Rect::NOTHING, Rect::include);
        }
        let size = size / self.scale;
        Rect {
            min: vec2(self.top_left.x, self.top_left.y - size.y),
            max: vec2(self.top_left.x + size.x, self.top_left.y),
        }
    }

    /// Maps world pixels, y up, to picture pixels, y down, from the upper-left corner.
    #[inline]
    pub fn pixel_from_world(&self, world: Vec2) -> Vec2 {
        match self.linear {
            None => vec2(world.x - self.top_left.x, self.top_left.y - world.y) * self.scale,
            Some(linear) => linear * (world - self.top_left),
        }
    }

    /// Maps picture pixels to world pixels. The result is not finite if the view cannot be inverted.
    pub fn world_from_pixel(&self, pixel: Vec2) -> Vec2 {
        match self.linear {
            None => vec2(self.top_left.x + pixel.x / self.scale, self.top_left.y - pixel.y / self.scale),
            Some(linear) => {
                let from_corner: DVec2 = linear.as_dmat2().inverse() * pixel.as_dvec2();
                (self.top_left.as_dvec2() + from_corner).as_vec2()
            }
        }
    }

    /// Returns the map of [`Self::pixel_from_world`].
    pub fn to_affine(&self) -> Affine2 {
        let linear = self.linear();
        let translation = linear.as_dmat2() * -self.top_left.as_dvec2();
        Affine2 { matrix2: linear, translation: translation.as_vec2() }
    }

    /// Returns a view of the same part of the world in a picture `factor` times as large. Sides are at most
    /// [`u32::MAX`] pixels.
    #[must_use]
    pub fn enlarged(&self, factor: u32) -> Self {
        let (width, height) = (self.width.saturating_mul(factor), self.height.saturating_mul(factor));
        let enlargement = self.enlargement.saturating_mul(factor);
        Self { enlargement, ..self.resized(width, height, factor as f32) }
    }

    /// Returns a view of a picture of `width` × `height` pixels with the same upper-left corner, in which
    /// everything is `factor` times as large.
    #[must_use]
    pub fn resized(&self, width: u32, height: u32, factor: f32) -> Self {
        let linear = self.linear.map(|linear| linear * factor);
        Self { width, height, scale: self.scale * factor, linear, ..*self }
    }

    /// Returns a view of a part of the picture: `width` × `height` pixels whose upper-left corner is at `corner`
    /// in the pixels of this picture. Pixels of both pictures agree if `corner` is whole.
    #[must_use]
    pub fn part(&self, corner: Vec2, width: u32, height: u32) -> Self {
        Self { width, height, top_left: self.world_from_pixel(corner), ..*self }
    }

    /// Returns the linear part of [`Self::pixel_from_world`].
    pub(crate) fn linear(&self) -> Mat2 {
        self.linear.unwrap_or(Mat2::from_diagonal(vec2(self.scale, -self.scale)))
    }

    /// Returns true if the view can show anything.
    pub(crate) fn shows_anything(&self) -> bool {
        // If the linear part is not finite, neither is the scale; if it cannot be inverted, the scale is 0.
        self.scale > 0.0 && self.scale.is_finite() && self.top_left.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI};

    #[test]
    fn another_aspect_ratio_is_letterboxed() {
        let world = Rect { min: vec2(-10.0, 0.0), max: vec2(10.0, 40.0) };
        let view = View::fit(80, 80, world);
        assert_eq!(view.scale(), 2.0);
        assert_eq!(view.world(), Rect { min: vec2(-20.0, 0.0), max: vec2(20.0, 40.0) });
        assert_eq!(view.pixel_from_world(vec2(-10.0, 40.0)), vec2(20.0, 0.0));
        assert_eq!(view.world_from_pixel(vec2(40.0, 80.0)), vec2(0.0, 0.0));
    }

    #[test]
    fn the_same_aspect_ratio_is_exact() {
        let world = Rect { min: vec2(-0.1, 0.3), max: vec2(7.9, 4.3) };
        assert_eq!(View::fit(800, 400, world).world().min.x, -0.1);
    }

    #[test]
    fn quarter_turns_are_exact_and_turn_counterclockwise() {
        let view = View::new(40, 20, vec2(-10.0, 5.0), 2.0);
        let turned = view.rotated(FRAC_PI_2);
        // This point was to the right of the centre and is above it now.
        assert_eq!(view.pixel_from_world(vec2(4.0, 0.0)), vec2(28.0, 10.0));
        assert_eq!(turned.pixel_from_world(vec2(4.0, 0.0)), vec2(20.0, 2.0));
        assert_eq!(turned.scale(), 2.0);
        assert_eq!(turned.world(), Rect { min: vec2(-5.0, -10.0), max: vec2(5.0, 10.0) });
        assert_eq!(turned.rotated(-FRAC_PI_2), view);
        assert_eq!(view.rotated(PI).rotated(PI), view);
        assert_eq!(view.mirrored().pixel_from_world(vec2(4.0, 0.0)), vec2(12.0, 10.0));
        assert_eq!(view.mirrored().mirrored(), view);
        let part = turned.part(vec2(3.0, 1.0), 10, 5);
        assert_eq!(part.pixel_from_world(vec2(4.0, 0.0)), vec2(17.0, 1.0));
        assert_eq!((part.width(), part.height(), part.scale()), (10, 5, 2.0));
    }

    #[test]
    fn an_unrotated_affine_map_is_an_upright_view() {
        let view = View::new(30, 20, vec2(-4.0, 8.0), 2.5);
        assert_eq!(View::from_affine(30, 20, view.to_affine()), view);
        assert_eq!(View::centered(30, 20, view.world().center(), 2.5), view);
    }

    #[test]
    fn maps_and_their_inverses_agree_far_from_the_origin() {
        let shear = Affine2::from_cols_array(&[1.0, 0.25, 0.5, 1.0, 3.0, 4.0]);
        let view = View::centered(100, 80, vec2(1e5, -2e5), 4.0).rotated(0.7).transformed(shear);
        for pixel in [vec2(0.0, 0.0), vec2(100.0, 3.0), vec2(50.0, 80.0)] {
            let back = view.pixel_from_world(view.world_from_pixel(pixel));
            // Near 2e5, an f32 has steps of 1/64, which are 1/16 of a pixel at this scale.
            assert!(back.distance(pixel) < 0.2, "{pixel} came back as {back}");
        }
        let near = View::centered(100, 80, Vec2::ZERO, 4.0).rotated(0.7).transformed(shear);
        let affine = near.to_affine();
        for world in [vec2(1.0, 2.0), vec2(-7.0, 3.0)] {
            assert!(affine.transform_point2(world).distance(near.pixel_from_world(world)) < 1e-3);
        }
    }

    #[test]
    fn only_whole_steps_along_the_axes_make_blocks() {
        let view = View::new(40, 40, Vec2::ZERO, 3.0);
        let is_whole = |view: View| view.magnifies_in_whole_steps();
        assert!(is_whole(view) && is_whole(view.mirrored()) && is_whole(view.rotated(FRAC_PI_2)));
        assert!(is_whole(view.enlarged(2)));
        // Its scale is 3 as well.
        assert!(!is_whole(view.rotated(0.5)));
        assert!(!is_whole(view.transformed(Affine2::from_cols_array(&[1.0, 0.0, 0.5, 1.0, 0.0, 0.0]))));
        assert!(is_whole(view.transformed(Affine2::from_scale(vec2(2.0, 1.0)))));
        assert!(!is_whole(view.transformed(Affine2::from_scale(vec2(1.5, 1.0)))));
        assert!(!is_whole(View::new(40, 40, Vec2::ZERO, 0.5).enlarged(2)));
    }

    #[test]
    fn maps_without_an_inverse_show_nothing() {
        let shows =
            |columns: [f32; 6]| View::from_affine(8, 8, Affine2::from_cols_array(&columns)).shows_anything();
        assert!(shows([1.0, 0.0, 0.0, -1.0, 0.0, 0.0]));
        assert!(shows([-1.0, 0.0, 0.5, -2.0, 7.0, 3.0]));
        for columns in [
            [0.0; 6],
            [1.0, 2.0, 2.0, 4.0, 0.0, 0.0],
            [f32::NAN, 0.0, 0.0, 1.0, 0.0, 0.0],
            [f32::INFINITY, 0.0, 0.0, 1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, f32::INFINITY, 0.0, 0.0],
            [1.0, 0.0, 0.0, 1.0, f32::NAN, 0.0],
            [1.0, 0.0, 0.0, 1.0, 0.0, f32::NEG_INFINITY],
        ] {
            assert!(!shows(columns), "{columns:?}");
        }
        assert!(!View::new(8, 8, Vec2::ZERO, 1.0).rotated(f32::NAN).shows_anything());
        assert!(!View::new(8, 8, Vec2::ZERO, 1.0).rotated(f32::INFINITY).shows_anything());
        assert!(!View::new(8, 8, Vec2::ZERO, -1.0).mirrored().mirrored().shows_anything());
    }
}
