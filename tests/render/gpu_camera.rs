//! An engine's own camera: a 4×4 matrix to clip space in place of a view.

use crate::common::characters::{image, limbs, list_at, quad, roots};
use crate::common::compare::{Scene, difference};
use crate::common::gpu::gpu_or_skip;
use crate::common::influences::{same_influences, with_lists};
use crate::common::read;
use crate::common::v1::File;
use crate::scenes;
use glam::camera::rh::{proj::directx as projection, view::look_at_mat4};
use pchr::draw::{DrawList, Filter, Picture, View};
use pchr::gpu::{Camera, ClipMatrix, Context, OffscreenTarget, Readback, Renderer};
use pchr::math::{Mat4, Vec3, Vec4, vec2};
use pchr::model::Model;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];
const NOTHING: [u8; 4] = [0; 4];

fn draw(
    context: &Context,
    model: &Model,
    list: &DrawList,
    camera: impl Into<Camera>,
    [width, height]: [u32; 2],
    filter: Filter,
) -> Picture {
    let (device, queue) = (context.device(), context.queue());
    let target = OffscreenTarget::for_model(device, model, width, height, 1).unwrap();
    let mut renderer = Renderer::new(device, queue, model, target.format()).unwrap();
    renderer.prepare(device, queue, model, list, camera, filter).unwrap();
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    renderer.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
    let mut readback = Readback::default();
    readback.record(device, &mut encoder, &target).unwrap();
    readback.wait(device, queue.submit([encoder.finish()]));
    context.check().unwrap();
    let mut picture = Picture::default();
    readback.take(&mut picture).unwrap();
    picture
}

/// The matrix that shows what an upright view shows.
fn orthographic(view: &View) -> ClipMatrix {
    let world = view.world();
    let clip_from_world = projection::orthographic(world.min.x, world.max.x, world.min.y, world.max.y, -1.0, 1.0);
    ClipMatrix { clip_from_world, width: view.width(), height: view.height() }
}

#[test]
fn an_orthographic_matrix_draws_what_its_view_draws() {
    let Some(context) = gpu_or_skip() else { return };
    let character = limbs(2);
    let lists = with_lists(character.model(), same_influences);
    // Mipmap levels are chosen by the matrix, too.
    for (scale, filter) in [(1.0, Filter::Linear), (0.9, Filter::Auto), (0.3, Filter::Auto), (0.3, Filter::Linear)]
    {
        for model in [character.model(), &lists] {
            let view = View::centered(300, 400, vec2(0.0, 90.0), scale);
            let list = list_at(&character, 1, &view);
            let size = [view.width(), view.height()];
            let expected = draw(&context, model, &list, view, size, filter);
            let found = draw(&context, model, &list, orthographic(&view), size, filter);
            let difference = difference(&Scene { model, list: &list, view }, &found, &expected, 1);
            let is_same = difference.off == 0 && difference.stray.is_empty() && difference.spill.is_empty();
            assert!(is_same && difference.inside > 200, "{scale}, {filter:?}: {difference:?}");
        }
    }
    for scene in scenes::scenes().iter().filter(|scene| scene.name.starts_with("clip")) {
        scene.with_list(3.0, |model, list, view, _| {
            let size = [view.width(), view.height()];
            let expected = draw(&context, model, list, view, size, Filter::Linear);
            let found = draw(&context, model, list, orthographic(&view), size, Filter::Linear);
            let difference = difference(&Scene { model, list, view }, &found, &expected, 1);
            assert!(difference.off == 0 && difference.stray.is_empty(), "{}: {difference:?}", scene.name);
        });
    }
}

/// Perspective cameras that look at the square from (0, 0) to (16, 16).
fn cameras() -> [Mat4; 4] {
    let looking = |eye: Vec3, up: Vec3| {
        projection::perspective(0.9, 1.25, 0.5, 200.0) * look_at_mat4(eye, Vec3::new(8.0, 8.0, 0.0), up)
    };
    [
        looking(Vec3::new(8.0, 8.0, 25.0), Vec3::Y),
        looking(Vec3::new(-6.0, -4.0, 14.0), Vec3::new(0.2, 1.0, 0.0)),
        looking(Vec3::new(25.0, 20.0, 9.0), Vec3::Y),
        // From behind, so everything is mirrored.
        looking(Vec3::new(4.0, 18.0, -18.0), Vec3::X),
    ]
}

/// Where the ray through a pixel's middle meets the plane z = 0; `None` behind the camera.
fn world_under(matrix: Mat4, size: [u32; 2], [x, y]: [u32; 2]) -> Option<[f64; 2]> {
    let clip_x = (f64::from(x) + 0.5) / f64::from(size[0]) * 2.0 - 1.0;
    let clip_y = 1.0 - (f64::from(y) + 0.5) / f64::from(size[1]) * 2.0;
    let [a, b, _, c] = matrix.as_dmat4().to_cols_array_2d();
    // Of `(row - clip · w) · (x, y, 1) = 0` for x and y of clip space.
    let line = |row: usize, clip: f64| [a, b, c].map(|column| column[row] - clip * column[3]);
    let ([p, q, r], [s, t, u]) = (line(0, clip_x), line(1, clip_y));
    let determinant = p * t - q * s;
    let at = [(q * u - r * t) / determinant, (r * s - p * u) / determinant];
    (a[3] * at[0] + b[3] * at[1] + c[3] > 0.0).then_some(at)
}

#[test]
fn a_perspective_camera_shows_each_texel_where_its_vertices_are_projected() {
    let Some(context) = gpu_or_skip() else { return };
    let size = [250, 200];
    let character = read(&File {
        images: vec![image(2, 2, &[RED, GREEN, BLUE, WHITE])],
        bones: roots(1),
        meshes: vec![quad(0, 0, [0.0, 0.0], [16.0, 16.0])],
        ..File::default()
    });
    let lists = with_lists(character.model(), same_influences);
    for (number, clip_from_world) in cameras().into_iter().enumerate() {
        let camera = ClipMatrix { clip_from_world, width: size[0], height: size[1] };
        let list = list_at(&character, 0, &camera.view_near(vec2(8.0, 8.0)));
        // Corners are snapped to 1/256 of a pixel; a pixel is half a world pixel where it is farthest away.
        let near_border = |at: f64| [0.0, 8.0, 16.0].iter().any(|border| (at - border).abs() < 0.02);
        for model in [character.model(), &lists] {
            let picture = draw(&context, model, &list, camera, size, Filter::Nearest);
            let (mut inside, mut outside) = (0, 0);
            for pixel in (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [x, y])) {
                let expected = match world_under(clip_from_world, size, pixel) {
                    Some([x, y]) if near_border(x) || near_border(y) => continue,
                    Some([x, y]) if x > 0.0 && x < 16.0 && y > 0.0 && y < 16.0 => match (x < 8.0, y > 8.0) {
                        (true, true) => RED,
                        (false, true) => GREEN,
                        (true, false) => BLUE,
                        (false, false) => WHITE,
                    },
                    Some(_) | None => NOTHING,
                };
                assert_eq!(picture.pixel(pixel[0], pixel[1]), expected, "{pixel:?} of camera {number}");
                *if expected == NOTHING { &mut outside } else { &mut inside } += 1;
            }
            assert!(inside > 3000 && outside > 3000, "camera {number}: {inside} inside, {outside} outside");
        }
    }
}

#[test]
fn cameras_that_look_away_or_are_not_finite_draw_nothing() {
    let Some(context) = gpu_or_skip() else { return };
    let character = limbs(1);
    let size = [64, 64];
    let list = list_at(&character, 0, &View::new(64, 64, vec2(-32.0, 64.0), 1.0));
    let from_eye = projection::perspective(0.9, 1.0, 1.0, 1000.0);
    let looking = |to: Vec3| from_eye * look_at_mat4(Vec3::new(0.0, 60.0, 200.0), to, Vec3::Y);
    let is_blank = |clip_from_world: Mat4| {
        let camera = ClipMatrix { clip_from_world, width: 64, height: 64 };
        let picture = draw(&context, character.model(), &list, camera, size, Filter::Auto);
        picture.pixels().iter().all(|&channel| channel == 0)
    };
    assert!(!is_blank(looking(Vec3::new(0.0, 60.0, 0.0))));
    assert!(is_blank(looking(Vec3::new(0.0, 60.0, 400.0))));
    assert!(is_blank(Mat4::ZERO));
    let mut broken = looking(Vec3::new(0.0, 60.0, 0.0));
    broken.w_axis = Vec4::new(f32::NAN, 0.0, 0.0, 1.0);
    assert!(is_blank(broken));
}
