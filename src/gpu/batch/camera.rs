//! The map from the world to the target: a view, or a matrix to clip space.

use crate::draw::View;
use crate::gpu::shaders::gpu_data::Globals;
use crate::math::{Affine2, DVec2, Mat2, Mat4, Vec2, Vec3, Vec4, dvec2, vec2};

/// The map from world pixels to the viewport of a render pass.
///
/// Everything that prepares a picture takes an `impl Into<Camera>`: a [`View`], a [`ClipMatrix`], or a reference
/// to one.
#[derive(Debug, Clone, Copy)]
pub enum Camera {
    /// An affine view. The picture fills the viewport, whose size in pixels should be the view's.
    View(View),
    /// The matrix of an engine's own camera, perspective included.
    Clip(ClipMatrix),
}

/// The matrix of an engine's camera, and the size of its viewport.
///
/// ```
/// use glam::camera::rh::{proj::directx::perspective, view::look_at_mat4};
/// use pchr::gpu::ClipMatrix;
/// use pchr::math::{Vec3, vec2};
///
/// // A perspective camera 500 pixels in front of the character, which is in the plane z = 0.
/// let projection = perspective(0.8, 16.0 / 9.0, 1.0, 2000.0);
/// let eye = look_at_mat4(Vec3::new(0.0, 100.0, 500.0), Vec3::new(0.0, 100.0, 0.0), Vec3::Y);
/// let camera = ClipMatrix { clip_from_world: projection * eye, width: 1280, height: 720 };
///
/// // For `DrawList::build`, whose lines are a pixel wide.
/// let view = camera.view_near(vec2(0.0, 100.0));
/// assert!((view.scale() - 1.703).abs() < 0.001);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ClipMatrix {
    /// Maps world positions (pixels, x right, y up) to clip space, as column vectors. As in wgpu, what is
    /// shown has x and y between -w and w, y up, and z between 0 and w. The z
    /// of the world is [`Member::z`](crate::gpu::Member::z). Nothing is drawn if a number is not
    /// finite.
    pub clip_from_world: Mat4,
    /// Width of the viewport in pixels. Only mipmap levels and the choice of the filter depend on the size.
    pub width: u32,
    /// Height of the viewport in pixels.
    pub height: u32,
}

impl ClipMatrix {
    /// Returns the affine view that is closest to this camera around a point of the world: its scale there, and
    /// the pixel that the point is at.
    ///
    /// For an orthographic camera it is the same view everywhere. If the point is in the plane of the camera's
    /// eye, the view shows nothing.
    pub fn view_near(&self, world: Vec2) -> View {
        self.view_at(world.extend(0.0))
    }

    /// The view for the plane of the world with the z of `world`.
    fn view_at(&self, world: Vec3) -> View {
        let [x, y, z, origin] = self.clip_from_world.as_dmat4().to_cols_array_2d();
        let place = world.as_dvec3();
        let at = |row: usize| x[row] * place.x + y[row] * place.y + z[row] * place.z + origin[row];
        let w = at(3);
        let projected = dvec2(at(0), at(1)) / w;
        let half = dvec2(self.width.into(), self.height.into()) * 0.5;
        let to_pixels = |clip: DVec2| dvec2(clip.x * half.x, -clip.y * half.y);
        let axis = |column: [f64; 4]| to_pixels((dvec2(column[0], column[1]) - projected * column[3]) / w);
        let (x_axis, y_axis) = (axis(x), axis(y));
        let pixel = half + to_pixels(projected);
        let translation = (pixel - x_axis * place.x - y_axis * place.y).as_vec2();
        let matrix2 = Mat2::from_cols(x_axis.as_vec2(), y_axis.as_vec2());
        View::from_affine(self.width, self.height, Affine2 { matrix2, translation })
    }
}

impl Camera {
    /// Returns the affine view that is closest to this camera around a point of the world: the view itself, or
    /// [`ClipMatrix::view_near`].
    pub fn view_near(&self, world: Vec2) -> View {
        self.view_at(world.extend(0.0))
    }

    /// The same around a point with a z.
    pub(super) fn view_at(&self, world: Vec3) -> View {
        match self {
            Self::View(view) => *view,
            Self::Clip(clip) => clip.view_at(world),
        }
    }

    /// Returns true if the camera can show anything.
    pub(in crate::gpu) fn shows_anything(&self) -> bool {
        match self {
            Self::View(view) => view.shows_anything(),
            Self::Clip(clip) => clip.clip_from_world.is_finite(),
        }
    }
}

impl From<&Camera> for Globals {
    fn from(camera: &Camera) -> Self {
        let padding = Vec2::ZERO;
        match camera {
            Camera::View(view) => {
                // Clip space is 2 wide and 2 high, and its y is up.
                let size = vec2(view.width() as f32, view.height() as f32);
                let axis = |pixels: Vec2| (pixels * vec2(2.0, -2.0) / size).extend(0.0).extend(0.0);
                let linear = view.linear();
                let translation = Vec4::new(-1.0, 1.0, 0.0, 1.0);
                let (x_axis, y_axis) = (axis(linear.x_axis), axis(linear.y_axis));
                // The z of a member is its depth.
                let (z_axis, origin) = (Vec4::Z, view.world_from_pixel(Vec2::ZERO));
                Self { x_axis, y_axis, z_axis, translation, origin, padding }
            }
            Camera::Clip(clip) => {
                let matrix = clip.clip_from_world;
                let (x_axis, y_axis, z_axis) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
                Self { x_axis, y_axis, z_axis, translation: matrix.w_axis, origin: Vec2::ZERO, padding }
            }
        }
    }
}

impl From<View> for Camera {
    fn from(view: View) -> Self {
        Self::View(view)
    }
}

impl From<&View> for Camera {
    fn from(view: &View) -> Self {
        Self::View(*view)
    }
}

impl From<ClipMatrix> for Camera {
    fn from(clip: ClipMatrix) -> Self {
        Self::Clip(clip)
    }
}

impl From<&ClipMatrix> for Camera {
    fn from(clip: &ClipMatrix) -> Self {
        Self::Clip(*clip)
    }
}

impl From<&Camera> for Camera {
    fn from(camera: &Camera) -> Self {
        *camera
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::camera::rh::{
        proj::directx::{orthographic, perspective},
        view::look_at_mat4,
    };

    #[test]
    fn an_orthographic_camera_is_one_view() {
        let clip_from_world = orthographic(-10.0, 30.0, 5.0, 25.0, -1.0, 1.0);
        let camera = ClipMatrix { clip_from_world, width: 80, height: 40 };
        for place in [vec2(0.0, 0.0), vec2(-500.0, 40.0)] {
            let view = camera.view_near(place);
            assert!((view.scale() - 2.0).abs() < 1e-5, "{view:?}");
            assert!(view.pixel_from_world(vec2(-10.0, 25.0)).length() < 1e-3, "{view:?}");
            assert!(view.pixel_from_world(vec2(30.0, 5.0)).distance(vec2(80.0, 40.0)) < 1e-3, "{view:?}");
        }
    }

    #[test]
    fn a_perspective_camera_is_a_view_near_each_point() {
        let eye = look_at_mat4(Vec3::new(20.0, -30.0, 300.0), Vec3::new(10.0, 5.0, 0.0), Vec3::Y);
        let clip_from_world = perspective(0.9, 1.5, 1.0, 1000.0) * eye;
        let camera = ClipMatrix { clip_from_world, width: 300, height: 200 };
        let pixel = |world: Vec2| {
            let projected = clip_from_world.project_point3(world.extend(0.0));
            vec2((projected.x + 1.0) * 150.0, (1.0 - projected.y) * 100.0)
        };
        for place in [vec2(0.0, 0.0), vec2(50.0, -20.0), vec2(-40.0, 60.0)] {
            let view = camera.view_near(place);
            for beside in [Vec2::ZERO, vec2(0.5, 0.0), vec2(0.0, 0.5)] {
                let (found, expected) = (view.pixel_from_world(place + beside), pixel(place + beside));
                assert!(found.distance(expected) < 2e-3, "{found} instead of {expected}");
            }
        }
        // In the plane of the eye.
        let beside = ClipMatrix { clip_from_world: Mat4::ZERO, ..camera };
        assert!(!beside.view_near(Vec2::ZERO).shows_anything());
    }
}
