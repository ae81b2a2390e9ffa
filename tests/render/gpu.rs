//! Compares the GPU renderer with expected pictures that were worked out by hand.

use crate::common::characters::{image, limbs, list_at, moved, quad, quad_weighted, roots};
use crate::common::gpu::{device_with, gpu_or_skip};
use crate::common::influences::{same_influences, with_lists};
use crate::common::read;
use crate::common::v1::{Animation, BoneTransform, File};
use pchr::Character;
use pchr::draw::{Antialias, DrawList, Filter, NEUTRAL_COLOR, Picture, Settings, View};
use pchr::gpu::{Context, GpuError, Headless, Member, OffscreenTarget, Readback, Renderer, TargetFormat};
use pchr::math::{Affine2, vec2};
use pchr::model::Model;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const GLASS: [u8; 4] = [255, 255, 255, 128];
const NOTHING: [u8; 4] = [0; 4];

const NEAREST: Settings = Settings { filter: Filter::Nearest, antialias: Antialias::None };

/// Returns a view of `width` × `height` pixels with the world's origin in the lower-left corner.
fn view(width: u32, height: u32) -> View {
    View::new(width, height, vec2(0.0, height as f32), 1.0)
}

fn render(context: Context, character: &Character, frame: u32, view: &View, settings: Settings) -> Picture {
    render_model(context, character.model(), &list_at(character, frame, view), view, settings)
}

fn render_model(context: Context, model: &Model, list: &DrawList, view: &View, settings: Settings) -> Picture {
    let mut headless = Headless::new(context, model).unwrap();
    let mut picture = Picture::default();
    headless.render(model, list, view, settings, &mut picture).unwrap();
    picture
}

/// Renders the character with every vertex converted to a list of influences.
fn render_lists(context: Context, character: &Character, frame: u32, view: &View, settings: Settings) -> Picture {
    let lists = with_lists(character.model(), same_influences);
    render_model(context, &lists, &list_at(character, frame, view), view, settings)
}

fn rows(picture: &Picture) -> Vec<Vec<[u8; 4]>> {
    (0..picture.height()).map(|y| (0..picture.width()).map(|x| picture.pixel(x, y)).collect()).collect()
}

/// Four texels, red and green above blue and translucent white, from (1, 1) to (3, 3).
fn four_texels() -> File {
    File {
        images: vec![image(2, 2, &[RED, GREEN, BLUE, GLASS])],
        bones: roots(1),
        meshes: vec![quad(0, 0, [1.0, 1.0], [3.0, 3.0])],
        ..File::default()
    }
}

#[test]
fn texels_are_upright_and_premultiplied() {
    let Some(context) = gpu_or_skip() else { return };
    let picture = render(context, &read(&four_texels()), 0, &view(4, 5), NEAREST);
    let glass = [128; 4];
    let expected = [
        [NOTHING; 4],
        [NOTHING; 4],
        [NOTHING, RED, GREEN, NOTHING],
        [NOTHING, BLUE, glass, NOTHING],
        [NOTHING; 4],
    ];
    assert_eq!(rows(&picture), expected);
}

#[test]
fn magnified_texels_are_blocks() {
    let Some(context) = gpu_or_skip() else { return };
    // 260 pixels wide, so that the rows of the readback buffer are padded.
    let view = View::new(260, 260, vec2(0.75, 3.25), 104.0);
    let auto = Settings::default();
    let picture = render(context, &read(&four_texels()), 0, &view, auto);
    assert_eq!((picture.width(), picture.height()), (260, 260));
    for (x, y, expected) in [
        (25, 25, NOTHING),
        (26, 26, RED),
        (129, 129, RED),
        (130, 129, GREEN),
        (129, 130, BLUE),
        (233, 233, [128; 4]),
    ] {
        assert_eq!(picture.pixel(x, y), expected, "{x}, {y}");
    }
}

#[test]
fn linear_filtering_clamps_to_the_edge() {
    let Some(context) = gpu_or_skip() else { return };
    let file = File {
        images: vec![image(2, 1, &[[0, 0, 0, 255], [200, 0, 0, 255]])],
        bones: roots(1),
        meshes: vec![quad(0, 0, [0.0, 0.0], [8.0, 1.0])],
        ..File::default()
    };
    let linear = Settings { filter: Filter::Linear, antialias: Antialias::None };
    let picture = render(context, &read(&file), 0, &view(8, 1), linear);
    let reds: Vec<u8> = (0..8).map(|x| picture.pixel(x, 0)[0]).collect();
    for (found, expected) in reds.iter().zip([0, 0, 25, 75, 125, 175, 200, 200]) {
        // Drivers may interpolate with as few as 8 bits.
        assert!(found.abs_diff(expected) <= 1, "{reds:?}");
    }
}

/// Two bones with a quad each. In frame 1 the first one is in front, in frame 2 the second one is hidden.
fn two_layers(top: [u8; 4]) -> Character {
    let frame = |order, flags| {
        vec![
            BoneTransform { z_order: order, ..BoneTransform::default() },
            BoneTransform { flags, ..BoneTransform::default() },
        ]
    };
    let frames = [frame(-1, 1), frame(1, 1), frame(0, 0)];
    read(&File {
        fps: 1,
        images: vec![image(1, 1, &[BLUE]), image(1, 1, &[top])],
        bones: roots(2),
        meshes: vec![quad(0, 0, [0.0, 0.0], [2.0, 1.0]), quad(1, 1, [1.0, 0.0], [3.0, 1.0])],
        animations: vec![Animation::new("a", false, &frames)],
        ..File::default()
    })
}

#[test]
fn later_commands_are_drawn_over_earlier_ones() {
    let Some(context) = gpu_or_skip() else { return };
    let character = two_layers(RED);
    let view = view(3, 1);
    let mut headless = Headless::new(context, character.model()).unwrap();
    let mut picture = Picture::default();
    for (frame, expected) in [[BLUE, RED, RED], [BLUE, BLUE, RED], [BLUE, BLUE, NOTHING]].into_iter().enumerate() {
        let list = list_at(&character, frame as u32, &view);
        headless.render(character.model(), &list, &view, NEAREST, &mut picture).unwrap();
        assert_eq!(rows(&picture), [expected], "frame {frame}");
    }
}

#[test]
fn translucent_colours_blend_in_gamma_space() {
    let Some(context) = gpu_or_skip() else { return };
    let picture = render(context, &two_layers([200, 100, 0, 128]), 0, &view(3, 1), NEAREST);
    // Premultiplied (100, 50, 0, 128) over blue: 255 · (1 − 128 / 255) = 127.
    assert_eq!(rows(&picture), [[BLUE, [100, 50, 127, 255], [100, 50, 0, 128]]]);
}

#[test]
fn weights_are_used_as_authored() {
    let at = |y: f32| ([0.0, y], [1.0, y + 1.0]);
    let strip = |ids, weights, y| quad_weighted(0, ids, weights, at(y).0, at(y).1);
    let character = read(&File {
        fps: 1,
        images: vec![image(1, 1, &[RED])],
        bones: roots(2),
        meshes: vec![
            // Without weights it is not moved, and its bone ids are not used.
            strip([9, 9, 9, 9], [0.0; 4], 0.0),
            // Half of one bone's 4 and half of the other's 2.
            strip([0, 1, 0, 0], [0.5, 0.5, 0.0, 0.0], 1.0),
            // A negative weight counts as 0.
            strip([0, 1, 0, 0], [1.0, -1.0, 0.0, 0.0], 2.0),
            // Not normalised: a quarter of positions 4..5 is 1..1.25, 1 pixel wide after scaling.
            strip([0, 0, 0, 1], [0.0, 0.0, 0.0, 2.0], 3.0),
        ],
        animations: vec![
            Animation::new("go", false, &[vec![moved(4.0, 0.0), moved(2.0, 0.0)]]),
            Animation::new("bind", false, &[vec![moved(0.0, 0.0); 2]]),
        ],
        ..File::default()
    });
    let mut expected = vec![vec![NOTHING; 6]; 8];
    expected[7][0] = RED;
    expected[6][3] = RED;
    expected[5][4] = RED;
    // Twice (2..3, 3..4): from 4 to 6 and from 6 to 8.
    for row in &mut expected[0..2] {
        row[4..6].fill(RED);
    }
    for render in [render, render_lists] {
        let Some(context) = gpu_or_skip() else { return };
        let picture = render(context, &character, 0, &view(6, 8), NEAREST);
        assert_eq!(rows(&picture), expected);
    }
}

#[test]
fn an_empty_character_draws_nothing() {
    let Some(context) = gpu_or_skip() else { return };
    let nothing = read(&File::default());
    let picture = render(context, &nothing, 0, &view(3, 2), NEAREST);
    assert_eq!(rows(&picture), [[NOTHING; 3]; 2]);

    let Some(context) = gpu_or_skip() else { return };
    let mut file = four_texels();
    file.meshes[0].indices = crate::common::v1::Block::default();
    let picture = render(context, &read(&file), 0, &view(4, 4), NEAREST);
    assert_eq!(rows(&picture), [[NOTHING; 4]; 4]);
}

#[test]
fn a_picture_without_pixels_is_not_an_error() {
    let Some(context) = gpu_or_skip() else { return };
    let picture = render(context, &read(&four_texels()), 0, &View::new(0, 7, vec2(0.0, 0.0), 1.0), NEAREST);
    assert_eq!((picture.width(), picture.height(), picture.pixels().len()), (0, 7, 0));
}

#[test]
fn without_bones_the_vertices_stay() {
    let mut file = four_texels();
    file.bones.clear();
    file.meshes = vec![quad_weighted(0, [0; 4], [0.0; 4], [0.0, 0.0], [2.0, 2.0])];
    for render in [render, render_lists] {
        let Some(context) = gpu_or_skip() else { return };
        let picture = render(context, &read(&file), 0, &view(2, 2), NEAREST);
        assert_eq!(rows(&picture), [[RED, GREEN], [BLUE, [128; 4]]]);
    }
}

#[test]
fn a_mesh_without_a_page_has_a_neutral_colour_and_an_outline() {
    let Some(context) = gpu_or_skip() else { return };
    let file = File { bones: roots(1), meshes: vec![quad(0, 0, [2.25, 2.25], [8.25, 8.25])], ..File::default() };
    let picture = render(context, &read(&file), 0, &view(10, 10), NEAREST);
    assert_eq!(picture.pixel(5, 5), NEUTRAL_COLOR);
    assert_eq!(picture.pixel(0, 0), NOTHING);
    // The outline covers 1.75 to 2.75 from below.
    let outline = picture.pixel(5, 7);
    assert!(outline[3] == 255 && outline[0] < NEUTRAL_COLOR[0], "{outline:?}");
}

#[test]
fn edges_are_smoothed() {
    let file = File {
        images: vec![image(1, 1, &[[255; 4]])],
        bones: roots(1),
        meshes: vec![quad(0, 0, [0.0, 0.0], [1.5, 1.0])],
        ..File::default()
    };
    for antialias in [Antialias::Msaa4, Antialias::Ssaa2, Antialias::Ssaa4] {
        let Some(context) = gpu_or_skip() else { return };
        let settings = Settings { filter: Filter::Nearest, antialias };
        let picture = render(context, &read(&file), 0, &view(3, 1), settings);
        assert_eq!(rows(&picture), [[[255; 4], [128; 4], NOTHING]], "{antialias:?}");
    }
}

#[test]
fn pictures_in_flight_are_read_back_in_order() {
    let Some(context) = gpu_or_skip() else { return };
    let character = limbs(6);
    let mut headless = Headless::new(context, character.model()).unwrap();
    let views: Vec<View> = (0..6).map(|n| View::new(100 + n, 200 - n, vec2(-50.0, 170.0), 1.0)).collect();
    let antialias = |n: usize| [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2][n % 3];
    let settings = |n: usize| Settings { filter: Filter::Linear, antialias: antialias(n) };
    let mut alone = vec![Picture::default(); 6];
    for (n, picture) in alone.iter_mut().enumerate() {
        let list = list_at(&character, n as u32, &views[n]);
        headless.render(character.model(), &list, &views[n], settings(n), picture).unwrap();
    }
    for (n, view) in views.iter().enumerate() {
        let list = list_at(&character, n as u32, view);
        headless.submit(character.model(), &list, view, settings(n)).unwrap();
    }
    let mut picture = Picture::default();
    for (n, expected) in alone.iter().enumerate() {
        assert_eq!(headless.in_flight(), 6 - n);
        headless.receive(&mut picture).unwrap();
        assert!(picture == *expected, "picture {n}");
    }
    assert_eq!(headless.receive(&mut picture).expect_err("nothing is ready").code(), "nothing-to-receive");
}

/// Draws `members` with the renderer alone, as in a program that has its own device.
fn draw_crowd(context: &Context, model: &Model, members: &[Member<'_>], view: &View) -> Picture {
    let picture = draw_on(context.device(), context.queue(), model, members, view);
    context.check().unwrap();
    picture
}

fn draw_on(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    model: &Model,
    members: &[Member<'_>],
    view: &View,
) -> Picture {
    let target = OffscreenTarget::new(device, view.width(), view.height(), 1).unwrap();
    let mut renderer = Renderer::new(device, queue, model, target.format()).unwrap();
    renderer.prepare_crowd(device, queue, model, members, view, Filter::Nearest).unwrap();
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    renderer.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
    let mut readback = Readback::default();
    readback.record(device, &mut encoder, &target).unwrap();
    readback.wait(device, queue.submit([encoder.finish()]));
    assert!(readback.is_ready());
    let mut picture = Picture::default();
    readback.take(&mut picture).unwrap();
    picture
}

#[test]
fn each_member_of_a_crowd_has_its_own_pose_and_position() {
    let Some(context) = gpu_or_skip() else { return };
    let frames = [vec![moved(0.0, 0.0)], vec![moved(2.0, 0.0)]];
    let character =
        read(&File { fps: 1, animations: vec![Animation::new("bind", false, &frames)], ..four_texels() });
    let view = view(6, 7);
    let lists: [DrawList; 2] = [0, 1].map(|frame| list_at(&character, frame, &view));
    let members = [
        Member { list: &lists[0], world_from_character: Affine2::from_translation(vec2(-1.0, -1.0)), z: 0.0 },
        Member { list: &lists[1], world_from_character: Affine2::from_translation(vec2(0.0, 3.0)), z: 0.0 },
    ];
    let lists = with_lists(character.model(), same_influences);
    let mut expected = vec![vec![NOTHING; 6]; 7];
    for (x, y) in [(0, 5), (3, 1)] {
        (expected[y][x], expected[y][x + 1]) = (RED, GREEN);
        (expected[y + 1][x], expected[y + 1][x + 1]) = (BLUE, [128; 4]);
    }
    for model in [character.model(), &lists] {
        assert_eq!(rows(&draw_crowd(&context, model, &members, &view)), expected);
        assert_eq!(rows(&draw_crowd(&context, model, &[], &view)), vec![vec![NOTHING; 6]; 7]);
    }
}

#[test]
fn overlays_of_a_crowd_stay_with_their_members() {
    let Some(context) = gpu_or_skip() else { return };
    let file = File { bones: roots(1), meshes: vec![quad(0, 0, [1.0, 1.0], [5.0, 5.0])], ..File::default() };
    let character = read(&file);
    let view = view(14, 6);
    let list = list_at(&character, 0, &view);
    let beside = Affine2::from_translation(vec2(7.0, 0.0));
    let members = [Affine2::IDENTITY, beside].map(|at| Member { list: &list, world_from_character: at, z: 0.0 });
    for model in [character.model(), &with_lists(character.model(), same_influences)] {
        for row in rows(&draw_crowd(&context, model, &members, &view)) {
            assert_eq!(row[..7], row[7..]);
            assert!(row.iter().all(|pixel| pixel[3] == 0 || pixel[3] == 255));
        }
    }
}

#[test]
fn influences_continue_in_another_buffer() {
    let Some(context) = gpu_or_skip() else { return };
    // Room for the influences of one quad, 4 · 4 · 16 bytes, and for ten bones.
    let limits = wgpu::Limits { max_storage_buffer_binding_size: 256, ..context.device().limits() };
    let Some((device, queue)) = device_with(limits) else { return };
    let frames = vec![moved(0.0, 0.0), moved(1.0, 0.0), moved(2.0, 0.0)];
    let quad = |bone: u16| quad(bone, bone, [0.0, f32::from(bone)], [1.0, f32::from(bone) + 1.0]);
    let character = read(&File {
        fps: 1,
        images: [RED, GREEN, BLUE].map(|color| image(1, 1, &[color])).into(),
        bones: roots(3),
        meshes: (0..3).map(quad).collect(),
        animations: vec![
            Animation::new("go", false, &[frames]),
            Animation::new("bind", false, &[vec![moved(0.0, 0.0); 3]]),
        ],
        ..File::default()
    });
    let view = view(3, 3);
    let list = list_at(&character, 0, &view);
    let members = [Member { list: &list, world_from_character: Affine2::IDENTITY, z: 0.0 }];
    let lists = with_lists(character.model(), same_influences);
    let picture = draw_on(&device, &queue, &lists, &members, &view);
    assert_eq!(rows(&picture), [[NOTHING, NOTHING, BLUE], [NOTHING, GREEN, NOTHING], [RED, NOTHING, NOTHING]]);

    let five = |vertex: &_| [same_influences(vertex), same_influences(vertex)[..1].to_vec()].concat();
    let target = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil: None };
    let refused = Renderer::new(&device, &queue, &with_lists(character.model(), five), target).unwrap_err();
    assert_eq!(refused.to_string(), "mesh `quad on 0` needs 320 bytes; the limit of this device is 256");
}

/// Draws a colour into a target of another format and returns the stored bytes.
fn drawn_into(context: &Context, format: wgpu::TextureFormat, color: [u8; 4]) -> [u8; 4] {
    let character =
        read(&File { images: vec![image(1, 1, &[color])], ..File { images: Vec::new(), ..four_texels() } });
    let (device, queue) = (context.device(), context.queue());
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 4, height: 4, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let target = TargetFormat { color: format, samples: 1, depth_stencil: None };
    let mut renderer = Renderer::new(device, queue, character.model(), target).unwrap();
    let view = view(4, 4);
    let list = list_at(&character, 0, &view);
    renderer.prepare(device, queue, character.model(), &list, view, Filter::Auto).unwrap();
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 4 * 256,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    renderer.draw(&mut encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })],
        ..wgpu::RenderPassDescriptor::default()
    }));
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
    encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
    queue.submit([encoder.finish()]);
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    context.check().unwrap();
    let mapped = buffer.slice(..).get_mapped_range().unwrap();
    // The pixel at (1, 1), within the quad.
    std::array::from_fn(|channel| mapped[256 + 4 + channel])
}

#[test]
fn opaque_colours_are_the_same_in_every_target_format() {
    use wgpu::TextureFormat as Format;
    let Some(context) = gpu_or_skip() else { return };
    let color = [200, 100, 7, 255];
    assert_eq!(drawn_into(&context, Format::Rgba8Unorm, color), color);
    assert_eq!(drawn_into(&context, Format::Bgra8Unorm, color), [7, 100, 200, 255]);
    for (found, expected) in drawn_into(&context, Format::Rgba8UnormSrgb, color).into_iter().zip(color) {
        // Decoded to linear light and encoded again.
        assert!(found.abs_diff(expected) <= 1, "{found} instead of {expected}");
    }
}

#[test]
fn pictures_and_pages_beyond_device_limits_are_rejected_by_name() {
    let Some(context) = gpu_or_skip() else { return };
    let limit = context.device().limits().max_texture_dimension_2d;
    let mut picture = Picture::default();

    let character = read(&four_texels());
    let wide = View::new(limit / 2 + 1, 1, vec2(0.0, 1.0), 1.0);
    let list = list_at(&character, 0, &wide);
    let mut headless = Headless::new(context, character.model()).unwrap();
    let settings = Settings { antialias: Antialias::Ssaa2, ..NEAREST };
    let error = headless.render(character.model(), &list, &wide, settings, &mut picture).unwrap_err();
    assert_eq!(error.code(), "picture-too-large", "{error}");
    assert!(error.to_string().contains(&format!("{limit}×{limit}")), "{error}");
    // The same picture fits without supersampling.
    headless.render(character.model(), &list, &wide, NEAREST, &mut picture).unwrap();

    let Ok(width) = u16::try_from(limit + 1) else { return };
    let texels = vec![RED; width.into()];
    let wide_page = read(&File { images: vec![image(width, 1, &texels)], ..four_texels() });
    let error = Headless::new(gpu_or_skip().unwrap(), wide_page.model()).unwrap_err();
    assert!(error.code() == "page-too-large" && error.to_string().starts_with("page `page` "), "{error}");
}

#[test]
fn a_target_that_cannot_be_blended_into_is_rejected() {
    let Some(context) = gpu_or_skip() else { return };
    let model = read(&four_texels());
    for (color, samples) in [(wgpu::TextureFormat::R32Uint, 1), (wgpu::TextureFormat::Rgba8Unorm, 3)] {
        let target = TargetFormat { color, samples, depth_stencil: None };
        let made = Renderer::new(context.device(), context.queue(), model.model(), target);
        assert_eq!(made.err().map(|error| error.code()), Some("refused"), "{target:?}");
    }
    context.check().unwrap();
}

#[test]
fn a_lost_device_is_an_error_and_does_not_panic() {
    let Some(context) = gpu_or_skip() else { return };
    let character = limbs(1);
    let view = View::new(64, 64, vec2(-32.0, 100.0), 1.0);
    let list = list_at(&character, 1, &view);
    let mut headless = Headless::new(context, character.model()).unwrap();
    let mut picture = Picture::default();
    headless.submit(character.model(), &list, &view, NEAREST).unwrap();
    headless.context().device().destroy();
    let is_lost =
        |result: Result<(), GpuError>| assert_eq!(result.err().map(|error| error.code()), Some("device-lost"));
    is_lost(headless.receive(&mut picture));
    is_lost(headless.render(character.model(), &list, &view, NEAREST, &mut picture));
    let larger = view.enlarged(2);
    let settings = Settings { antialias: Antialias::Msaa4, ..NEAREST };
    is_lost(headless.render(character.model(), &list, &larger, settings, &mut picture));
    is_lost(headless.context().check());
}
