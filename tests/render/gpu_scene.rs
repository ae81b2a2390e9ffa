//! Characters of several models among other things: depth, painter's order, and textures of the caller's own.

use crate::common::characters::{image, list_at, quad, roots};
use crate::common::gpu::gpu_or_skip;
use crate::common::memory::allocations;
use crate::common::read;
use crate::common::v1::{Animation, File};
use pchr::Character;
use pchr::draw::{DrawList, Filter, Picture, View};
use pchr::gpu::{
    ClipMatrix, Context, Crowd, CrowdBake, CrowdMember, CrowdModel, CrowdOptions, DepthTest, GpuModel, Group,
    Member, OffscreenTarget, Pipelines, Readback, Renderer, TargetFormat, ViewBuffers,
};
use pchr::math::{Affine2, Mat4, Vec3, vec2};

use glam::camera::rh::{proj::directx::perspective, view::look_at_mat4};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const CLEAR: [u8; 4] = [0; 4];

const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
const PLAIN: TargetFormat = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil: None };
const WITH_DEPTH: TargetFormat = TargetFormat { depth_stencil: Some(DEPTH), ..PLAIN };

const TESTED: DepthTest = DepthTest { compare: wgpu::CompareFunction::LessEqual, write_from_alpha: None };
const WRITTEN: DepthTest = DepthTest { write_from_alpha: Some(0.5), ..TESTED };

/// A square from (0, 0) to (8, 8). The left half of its texels has `left`, the right half `right`.
fn square(left: [u8; 4], right: [u8; 4]) -> Character {
    read(&File {
        fps: 1,
        images: vec![image(2, 1, &[left, right])],
        bones: roots(1),
        meshes: vec![quad(0, 0, [0.0, 0.0], [8.0, 8.0])],
        animations: vec![Animation::new("still", true, &[vec![Default::default()]])],
        ..File::default()
    })
}

fn view() -> View {
    View::new(24, 8, vec2(0.0, 8.0), 1.0)
}

fn at(list: &DrawList, x: f32, z: f32) -> Member<'_> {
    Member { list, world_from_character: Affine2::from_translation(vec2(x, 0.0)), z }
}

/// A target with a depth, and what was drawn into it.
struct Stage {
    context: Context,
    target: OffscreenTarget,
    depth: wgpu::TextureView,
    pipelines: Pipelines,
}

impl Stage {
    fn new() -> Option<Self> {
        let context = gpu_or_skip()?;
        let device = context.device();
        let target = OffscreenTarget::new(device, view().width(), view().height(), 1).unwrap();
        let depth = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: target.texture().size(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let depth = depth.create_view(&wgpu::TextureViewDescriptor::default());
        let pipelines = Pipelines::new(device, WITH_DEPTH).unwrap();
        Some(Self { context, target, depth, pipelines })
    }

    fn model(&self, character: &Character) -> GpuModel {
        let (device, queue) = (self.context.device(), self.context.queue());
        GpuModel::new(device, queue, &self.pipelines, character.model()).unwrap()
    }

    /// Draws over a transparent picture whose depth is `depth` everywhere.
    fn drawn(&self, depth: f32, draw: impl FnOnce(&mut wgpu::RenderPass<'_>)) -> Picture {
        let (device, queue) = (self.context.device(), self.context.queue());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: self.target.view(),
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(depth),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        draw(&mut pass);
        drop(pass);
        let mut readback = Readback::default();
        readback.record(device, &mut encoder, &self.target).unwrap();
        readback.wait(device, queue.submit([encoder.finish()]));
        self.context.check().unwrap();
        let mut picture = Picture::default();
        readback.take(&mut picture).unwrap();
        picture
    }

    /// Draws members of one model at depths between 0 and 1, over a depth of 0.5.
    fn members(&self, character: &Character, test: Option<DepthTest>, members: &[Member<'_>]) -> Picture {
        let (device, queue) = (self.context.device(), self.context.queue());
        let pipelines = self.pipelines.with_depth_test(test);
        let mut buffers = ViewBuffers::new(device, &pipelines, &self.model(character)).unwrap();
        buffers.prepare(device, queue, character.model(), members, view(), Filter::Nearest).unwrap();
        self.drawn(0.5, |pass| buffers.draw(pass))
    }
}

/// The pixels in the middle of the picture's height at these x.
fn pixels<const N: usize>(picture: &Picture, places: [u32; N]) -> [[u8; 4]; N] {
    places.map(|x| picture.pixel(x, 4))
}

#[test]
fn characters_stand_before_and_behind_what_was_drawn() {
    let Some(stage) = Stage::new() else { return };
    let character = square(RED, BLUE);
    let list = list_at(&character, 0, &view());
    let members = [at(&list, 0.0, 0.25), at(&list, 8.0, 0.5), at(&list, 16.0, 0.75)];
    let places = [2, 6, 10, 14, 18, 22];
    let all = [RED, BLUE, RED, BLUE, RED, BLUE];
    let picture = stage.members(&character, None, &members);
    assert_eq!(pixels(&picture, places), all, "the depth is ignored");
    let picture = stage.members(&character, Some(TESTED), &members);
    assert_eq!(pixels(&picture, places), [RED, BLUE, RED, BLUE, CLEAR, CLEAR]);
    let reversed = DepthTest { compare: wgpu::CompareFunction::Greater, ..TESTED };
    let picture = stage.members(&character, Some(reversed), &members);
    assert_eq!(pixels(&picture, places), [CLEAR, CLEAR, CLEAR, CLEAR, RED, BLUE]);
    // A depth beyond 0 to 1 is outside the view, tested or not.
    let outside = [at(&list, 0.0, -0.1), at(&list, 8.0, 1.1), at(&list, 16.0, f32::NAN)];
    let picture = stage.members(&character, None, &outside);
    assert_eq!(pixels(&picture, [2, 10]), [CLEAR, CLEAR]);
}

#[test]
fn a_written_depth_hides_what_comes_later_except_through_transparent_texels() {
    let Some(stage) = Stage::new() else { return };
    let faint = [0, 0, 255, 100];
    let character = square(RED, faint);
    let list = list_at(&character, 0, &view());
    // The second is farther back and four pixels to the right, so its red half meets the faint one.
    let members = [at(&list, 0.0, 0.125), at(&list, 2.0, 0.25)];
    let picture = stage.members(&character, Some(TESTED), &members);
    assert_eq!(pixels(&picture, [1, 3]), [RED, RED]);
    assert_eq!(picture.pixel(7, 4)[3], 161, "two translucent layers, the later one above");
    let picture = stage.members(&character, Some(WRITTEN), &members);
    // The faint halves are discarded, and the second member is behind the first one's red half.
    assert_eq!(pixels(&picture, [1, 3, 5, 7, 9]), [RED, RED, RED, CLEAR, CLEAR]);
    let members = [at(&list, 0.0, 0.25), at(&list, 2.0, 0.125)];
    let picture = stage.members(&character, Some(DepthTest { write_from_alpha: Some(0.25), ..TESTED }), &members);
    assert_eq!(pixels(&picture, [1, 5]), [RED, RED], "{:?}", pixels(&picture, [1, 3, 5, 7, 9]));
    assert_eq!(picture.pixel(7, 4)[3], 161, "both write, and the nearer one comes later");
    // Parts of one character have the same depth, and are still drawn over each other.
    let double = read(&File {
        images: vec![image(1, 1, &[RED]), image(1, 1, &[GREEN])],
        bones: roots(1),
        meshes: vec![quad(0, 0, [0.0, 0.0], [8.0, 8.0]), quad(1, 0, [4.0, 0.0], [8.0, 8.0])],
        ..File::default()
    });
    let list = list_at(&double, 0, &view());
    let picture = stage.members(&double, Some(WRITTEN), &[at(&list, 0.0, 0.25)]);
    assert_eq!(pixels(&picture, [2, 6]), [RED, GREEN]);
}

#[test]
fn the_z_of_a_member_is_its_plane_in_perspective() {
    let Some(stage) = Stage::new() else { return };
    let (device, queue) = (stage.context.device(), stage.context.queue());
    let character = square(RED, BLUE);
    let list = list_at(&character, 0, &view());
    let eye = look_at_mat4(Vec3::new(3.0, 2.0, 20.0), Vec3::new(8.0, 4.0, 0.0), Vec3::Y);
    let clip_from_world = perspective(0.9, 3.0, 1.0, 100.0) * eye;
    let mut buffers = ViewBuffers::new(device, &stage.pipelines, &stage.model(&character)).unwrap();
    let mut draw = |clip_from_world: Mat4, z: f32| {
        let camera = ClipMatrix { clip_from_world, width: 24, height: 8 };
        let members = [at(&list, 2.0, z)];
        buffers.prepare(device, queue, character.model(), &members, camera, Filter::Nearest).unwrap();
        stage.drawn(1.0, |pass| buffers.draw(pass))
    };
    let mut seen = Vec::new();
    for z in [0.0, 6.0, -15.0] {
        // The same by moving the world.
        let expected = draw(clip_from_world * Mat4::from_translation(Vec3::new(0.0, 0.0, z)), 0.0);
        assert!(expected.pixels().iter().any(|&byte| byte > 0));
        assert!(draw(clip_from_world, z) == expected, "{z}");
        seen.push(expected);
    }
    assert!(seen[0] != seen[1] && seen[0] != seen[2]);
}

#[test]
fn members_of_a_crowd_have_depths() {
    let Some(stage) = Stage::new() else { return };
    let (device, queue) = (stage.context.device(), stage.context.queue());
    let character = square(RED, BLUE);
    let bake = CrowdBake::new(&character, CrowdOptions::default()).unwrap();
    let model = CrowdModel::new(device, &stage.model(&character), &bake).unwrap();
    let animation = character.model().animation_ids().next().unwrap();
    let picture = |test: Option<DepthTest>| {
        let mut crowd = Crowd::new(device, &stage.pipelines.with_depth_test(test), &model).unwrap();
        for (x, z) in [(0.0, 0.25), (4.0, 0.125), (16.0, 0.75)] {
            let world_from_character = Affine2::from_translation(vec2(x, 0.0));
            crowd.add(CrowdMember { world_from_character, z, ..CrowdMember::new(animation) });
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        crowd.prepare(device, queue, &mut encoder, view(), Filter::Nearest, 0.0).unwrap();
        queue.submit([encoder.finish()]);
        stage.drawn(0.5, |pass| crowd.draw(pass))
    };
    let places = [2, 6, 10, 18];
    assert_eq!(pixels(&picture(None), places), [RED, RED, BLUE, RED]);
    assert_eq!(pixels(&picture(Some(TESTED)), places), [RED, RED, BLUE, CLEAR]);
    let nearest = DepthTest { compare: wgpu::CompareFunction::Greater, ..WRITTEN };
    assert_eq!(pixels(&picture(Some(nearest)), places), [CLEAR, CLEAR, CLEAR, RED]);
}

#[test]
fn groups_of_several_models_are_drawn_back_to_front() {
    let Some(stage) = Stage::new() else { return };
    let (device, queue) = (stage.context.device(), stage.context.queue());
    let characters = [square(RED, RED), square(GREEN, GREEN), square(BLUE, BLUE)];
    let models = [0, 1, 2].map(|number| stage.model(&characters[number]));
    let lists = [0, 1, 2].map(|number| list_at(&characters[number], 0, &view()));
    let mut renderer = Renderer::of_model(device, &models[0], &stage.pipelines).unwrap();
    let mut draw = |order: &[(usize, f32)]| {
        let members: Vec<_> = order.iter().map(|&(number, x)| [at(&lists[number], x, 0.0)]).collect();
        let mut groups = Vec::new();
        for (&(number, _), members) in order.iter().zip(&members) {
            groups.push(Group { uploaded: &models[number], model: characters[number].model(), members });
        }
        renderer.prepare_groups(device, queue, &groups, view(), Filter::Nearest).unwrap();
        assert_eq!(renderer.draw_calls(), order.len());
        // wgpu itself allocates a little, and not always the same.
        let again = (0..5).map(|_| {
            queue.submit([]);
            allocations(|| renderer.prepare_groups(device, queue, &groups, view(), Filter::Nearest).unwrap())
        });
        let again = again.min();
        (stage.drawn(1.0, |pass| renderer.draw(pass)), again)
    };
    let places = [2, 6, 10, 14];
    let (picture, _) = draw(&[(0, 0.0), (1, 4.0), (0, 8.0)]);
    assert_eq!(pixels(&picture, places), [RED, GREEN, RED, RED]);
    let (picture, _) = draw(&[(0, 8.0), (2, 4.0), (1, 0.0)]);
    assert_eq!(pixels(&picture, places), [GREEN, GREEN, BLUE, RED]);
    let (picture, first) = draw(&[(1, 0.0), (2, 4.0), (0, 8.0)]);
    assert_eq!(pixels(&picture, places), [GREEN, BLUE, RED, RED]);
    // The order of models does not matter to what is kept.
    let (_, second) = draw(&[(0, 0.0), (2, 4.0), (1, 8.0)]);
    assert_eq!(first, second);
    let (picture, _) = draw(&[]);
    assert!(picture.pixels().iter().all(|&byte| byte == 0));
    // A group whose model was not uploaded leaves nothing to draw.
    let members = [at(&lists[0], 0.0, 0.0)];
    let wrong = Group { uploaded: &models[1], model: characters[0].model(), members: &members };
    let right = Group { uploaded: &models[0], ..wrong };
    let refused = renderer.prepare_groups(device, queue, &[right, wrong], view(), Filter::Nearest);
    assert_eq!(refused.err().map(|error| error.code()), Some("wrong-model"));
    assert_eq!(renderer.draw_calls(), 0);
    renderer.prepare(device, queue, characters[0].model(), &lists[0], view(), Filter::Nearest).unwrap();
    assert_eq!(renderer.draw_calls(), 1);
}

#[test]
fn a_page_can_have_a_texture_of_the_callers() {
    let Some(stage) = Stage::new() else { return };
    let (device, queue) = (stage.context.device(), stage.context.queue());
    let character = square(RED, BLUE);
    let list = list_at(&character, 0, &view());
    let uploaded = stage.model(&character);
    let texture = |format, usage, pixels: &[[u8; 4]]| {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: pixels.len() as u32, height: 1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: usage | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let layout = wgpu::TexelCopyBufferLayout::default();
        queue.write_texture(texture.as_image_copy(), pixels.as_flattened(), layout, texture.size());
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    };
    let bound = wgpu::TextureUsages::TEXTURE_BINDING;
    let page = character.model().page_ids().next().unwrap();
    let green = texture(wgpu::TextureFormat::Rgba8Unorm, bound, &[GREEN, BLUE, RED, GREEN]);
    let other = uploaded.with_page(device, page, &green).unwrap();
    let draw = |model: &GpuModel| {
        let mut renderer = Renderer::of_model(device, model, &stage.pipelines).unwrap();
        renderer.prepare(device, queue, character.model(), &list, view(), Filter::Nearest).unwrap();
        pixels(&stage.drawn(1.0, |pass| renderer.draw(pass)), [1, 3, 5, 7])
    };
    assert_eq!(draw(&other), [GREEN, BLUE, RED, GREEN]);
    assert_eq!(draw(&uploaded), [RED, RED, BLUE, BLUE], "the model stays as it was");
    assert_eq!(other.texture_bytes(), 16, "four texels, without mipmaps");
    // What cannot be sampled like a page.
    let integers = texture(wgpu::TextureFormat::Rgba8Uint, bound, &[GREEN]);
    let refused = uploaded.with_page(device, page, &integers);
    assert_eq!(refused.err().map(|error| error.code()), Some("refused"));
    let foreign = read(&File { images: vec![image(1, 1, &[RED]); 3], ..File::default() });
    let foreign = foreign.model().page_ids().last().unwrap();
    let refused = uploaded.with_page(device, foreign, &green);
    let refused = refused.expect_err("the page does not exist");
    assert_eq!(refused.code(), "wrong-model");
    assert_eq!(refused.to_string(), "page 2 does not exist, the model has 1: the id belongs to another model");
    stage.context.check().unwrap();
}

#[test]
fn a_depth_test_needs_a_depth() {
    let Some(stage) = Stage::new() else { return };
    let device = stage.context.device();
    let model = stage.model(&square(RED, BLUE));
    for depth_stencil in [None, Some(wgpu::TextureFormat::Stencil8)] {
        let target = TargetFormat { depth_stencil, ..PLAIN };
        let pipelines = stage.pipelines.for_target(target);
        let mut buffers = ViewBuffers::new(device, &pipelines, &model).unwrap();
        let tested = pipelines.with_depth_test(Some(TESTED));
        for refused in
            [ViewBuffers::new(device, &tested, &model).err(), buffers.set_pipelines(device, &tested).err()]
        {
            assert_eq!(refused.map(|error| error.code()), Some("no-depth"));
        }
        assert_eq!(buffers.pipelines().target(), target);
        ViewBuffers::new(device, &tested.with_depth_test(None), &model).unwrap();
    }
}
