//! What an engine shares: pipelines between models, a model between views.

use crate::common::characters::{limbs, limbs_of, list_at};
use crate::common::compare::{Scene, difference};
use crate::common::gpu::gpu_or_skip;
use crate::common::influences::{same_influences, with_lists};
use crate::common::memory::allocations;
use crate::scenes;
use pchr::cpu;
use pchr::draw::{Antialias, Command, DrawList, Filter, Overlay, OverlayVertex, Picture, Settings, View};
use pchr::gpu::{
    Context, GpuModel, Member, OffscreenTarget, Pipelines, Readback, Renderer, TargetFormat, ViewBuffers,
};
use pchr::math::{Affine2, vec2};
use pchr::model::Model;

/// Of 255: one for each renderer and translucent layer, of which two lie on each other.
const TOLERANCE: u8 = 4;

const PLAIN: TargetFormat = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil: None };
const WITH_STENCIL: TargetFormat = TargetFormat { depth_stencil: Some(OffscreenTarget::STENCIL_FORMAT), ..PLAIN };

/// Runs `record` in a pass over a new target, and reads it back.
fn drawn(
    context: &Context,
    model: &Model,
    [width, height]: [u32; 2],
    record: impl FnOnce(&mut wgpu::RenderPass<'_>),
) -> Picture {
    let (device, queue) = (context.device(), context.queue());
    let target = OffscreenTarget::for_model(device, model, width, height, 1).unwrap();
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    record(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
    let mut readback = Readback::default();
    readback.record(device, &mut encoder, &target).unwrap();
    readback.wait(device, queue.submit([encoder.finish()]));
    context.check().unwrap();
    let mut picture = Picture::default();
    readback.take(&mut picture).unwrap();
    picture
}

/// Holds a picture against the CPU renderer's.
#[track_caller]
fn expect_as_on_cpu(name: &str, model: &Model, list: &DrawList, view: View, found: &Picture) {
    let mut expected = Picture::default();
    let settings = Settings { filter: Filter::Linear, antialias: Antialias::None };
    cpu::Renderer::new(model).render(model, list, &view, settings, &mut expected);
    let difference = difference(&Scene { model, list, view }, found, &expected, TOLERANCE);
    let is_same = difference.off == 0 && difference.stray.is_empty() && difference.spill.is_empty();
    assert!(is_same, "{name}: {difference:?}");
    assert!(difference.inside > 500 && difference.excluded() < 0.5, "{name}: {difference:?}");
}

/// The part of a picture that begins at `corner`.
fn part(picture: &Picture, [left, top]: [u32; 2], [width, height]: [u32; 2]) -> Picture {
    let mut part = Picture::default();
    part.reset(width, height);
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    for (pixel, (x, y)) in part.pixels_mut().as_chunks_mut::<4>().0.iter_mut().zip(places) {
        *pixel = picture.pixel(left + x, top + y);
    }
    part
}

#[test]
fn a_hundred_models_build_pipelines_once() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let pipelines = Pipelines::new(device, PLAIN).unwrap();
    assert_eq!(pipelines.created(), 0);
    let characters: Vec<_> = (1..=5).map(|bones| limbs_of(bones + 1, 1)).collect();
    let mut renderers = Vec::new();
    for number in 0..100 {
        let model = characters[number % characters.len()].model();
        renderers.push(Renderer::with_pipelines(device, queue, model, &pipelines).unwrap());
        assert_eq!(pipelines.created(), 1, "after model {number}");
    }
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let view = View::new(128, 256, vec2(-64.0, 200.0), 1.0);
    let lists: Vec<DrawList> = characters.iter().map(|character| list_at(character, 1, &view)).collect();
    let target = OffscreenTarget::new(device, view.width(), view.height(), 1).unwrap();
    for (number, renderer) in renderers.iter_mut().enumerate() {
        let (model, list) = (characters[number % 5].model(), &lists[number % 5]);
        renderer.prepare(device, queue, model, list, view, Filter::Linear).unwrap();
        renderer.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
    }
    let mut readback = Readback::default();
    readback.record(device, &mut encoder, &target).unwrap();
    readback.wait(device, queue.submit([encoder.finish()]));
    let mut picture = Picture::default();
    readback.take(&mut picture).unwrap();
    context.check().unwrap();
    expect_as_on_cpu("the last model", characters[4].model(), &lists[4], view, &picture);
    assert_eq!(pipelines.created(), 1, "after drawing");
}

#[test]
fn pipelines_are_created_when_something_needs_them() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let pipelines = Pipelines::new(device, WITH_STENCIL).unwrap();
    let character = limbs(1);
    let lists = with_lists(character.model(), same_influences);
    let expect = |model: &Model, target: TargetFormat, expected: usize| {
        let pipelines = pipelines.for_target(target);
        let renderer = Renderer::with_pipelines(device, queue, model, &pipelines).unwrap();
        assert_eq!(pipelines.created(), expected);
        renderer
    };
    expect(character.model(), WITH_STENCIL, 1);
    expect(&lists, WITH_STENCIL, 2);
    for (name, expected) in
        [("blend-multiply", 3), ("blend-additive", 3), ("blend-screen", 4), ("clip-concave", 5)]
    {
        let scenes = scenes::scenes();
        let scene = scenes.iter().find(|scene| scene.name == name).expect(name);
        scene.with_list(1.0, |model, _, _, _| drop(expect(model, WITH_STENCIL, expected)));
    }
    // Another target has pipelines of its own, and the first ones stay.
    expect(character.model(), PLAIN, 6);
    expect(&lists, WITH_STENCIL, 6);
    let mut renderer = expect(character.model(), PLAIN, 6);
    renderer.set_target(device, WITH_STENCIL).unwrap();
    assert_eq!((renderer.target(), renderer.pipelines().created()), (WITH_STENCIL, 6));

    // Overlays come with a list.
    let view = View::new(64, 64, vec2(-32.0, 64.0), 1.0);
    let mut list = list_at(&character, 1, &view);
    renderer.prepare(device, queue, character.model(), &list, view, Filter::Linear).unwrap();
    assert_eq!(renderer.pipelines().created(), 6);
    let corner = |x, y| OverlayVertex { position: vec2(x, y), color: [255, 0, 0, 255] };
    list.overlay = vec![corner(-32.0, 0.0), corner(32.0, 0.0), corner(32.0, 64.0)];
    list.commands.push(Command::Overlay(0..3));
    renderer.prepare(device, queue, character.model(), &list, view, Filter::Linear).unwrap();
    assert_eq!(renderer.pipelines().created(), 7);
    let target = OffscreenTarget::STENCIL_FORMAT;
    assert_eq!(renderer.target().depth_stencil, Some(target));
    let stencilled = scenes::scenes().into_iter().find(|scene| scene.name == "clip-concave").expect("a mask");
    stencilled.with_list(1.0, |model, _, _, _| {
        let picture = drawn(&context, model, [64, 64], |pass| renderer.draw(pass));
        assert_eq!(picture.pixel(60, 40), [255, 0, 0, 255]);
    });
}

#[test]
fn threads_that_need_the_same_pipeline_create_it_once() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let pipelines = Pipelines::new(device, PLAIN).unwrap();
    let character = limbs(1);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let model = GpuModel::new(device, queue, &pipelines, character.model()).unwrap();
                ViewBuffers::new(device, &pipelines.for_target(PLAIN), &model).unwrap();
            });
        }
    });
    assert_eq!(pipelines.created(), 1);
    context.check().unwrap();
}

#[test]
fn a_target_that_is_refused_leaves_the_pipelines_as_they_were() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let pipelines = Pipelines::new(device, PLAIN).unwrap();
    let character = limbs(1);
    let mut renderer = Renderer::with_pipelines(device, queue, character.model(), &pipelines).unwrap();
    let refused = TargetFormat { color: wgpu::TextureFormat::R32Uint, ..PLAIN };
    assert_eq!(renderer.set_target(device, refused).expect_err("it cannot blend").code(), "refused");
    assert_eq!((renderer.target(), pipelines.created()), (PLAIN, 1));
    let view = View::new(64, 64, vec2(-32.0, 64.0), 1.0);
    let list = list_at(&character, 1, &view);
    renderer.prepare(device, queue, character.model(), &list, view, Filter::Linear).unwrap();
    let picture = drawn(&context, character.model(), [64, 64], |pass| renderer.draw(pass));
    expect_as_on_cpu("after the refusal", character.model(), &list, view, &picture);
}

/// Two views of the same model, prepared apart: turned and in a later pose, and small.
fn two_views(bones: usize) -> [View; 2] {
    let middle = vec2(0.0, bones as f32 * 10.0);
    [View::centered(300, 400, middle, 1.0).rotated(0.5), View::centered(96, 128, middle, 0.4)]
}

#[test]
fn two_views_in_one_submission_are_both_right() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let character = limbs(3);
    for model in [character.model(), &with_lists(character.model(), same_influences)] {
        let views = two_views(8);
        let lists = [list_at(&character, 1, &views[0]), list_at(&character, 2, &views[1])];
        let pipelines = Pipelines::new(device, PLAIN).unwrap();
        let uploaded = GpuModel::new(device, queue, &pipelines, model).unwrap();
        // Of the same pose as well as of different ones.
        for lists in [[&lists[0], &lists[0]], [&lists[0], &lists[1]]] {
            let mut buffers = [0, 1].map(|_| ViewBuffers::new(device, &pipelines, &uploaded).unwrap());
            // Everything is prepared before anything is recorded, and again for another submission.
            for _ in 0..2 {
                for ((buffers, list), view) in buffers.iter_mut().zip(lists).zip(views) {
                    let members = [Member::from(list)];
                    buffers.prepare(device, queue, model, &members, view, Filter::Linear).unwrap();
                }
                let [main, minimap] = &buffers;
                // In one pass, the minimap in a corner of it with a viewport of its own.
                let picture = drawn(&context, model, [500, 400], |pass| {
                    pass.set_viewport(0.0, 0.0, 300.0, 400.0, 0.0, 1.0);
                    main.draw(pass);
                    pass.set_viewport(400.0, 8.0, 96.0, 128.0, 0.0, 1.0);
                    minimap.draw(pass);
                });
                expect_as_on_cpu("main", model, lists[0], views[0], &part(&picture, [0, 0], [300, 400]));
                expect_as_on_cpu("minimap", model, lists[1], views[1], &part(&picture, [400, 8], [96, 128]));
            }
        }
    }
}

#[test]
fn views_of_a_crowd_with_masks_are_right_in_passes_of_their_own() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let scene = scenes::scenes().into_iter().find(|scene| scene.name == "clip-weighted-ssaa2").expect("a mask");
    scene.with_list(3.0, |model, list, upright, _| {
        let pipelines = Pipelines::new(device, WITH_STENCIL).unwrap();
        let uploaded = GpuModel::new(device, queue, &pipelines, model).unwrap();
        let views = [upright, upright.rotated(1.0).mirrored(), upright.rotated(-2.0)];
        let mut buffers = views.map(|_| ViewBuffers::new(device, &pipelines, &uploaded).unwrap());
        let targets =
            views.map(|view| OffscreenTarget::for_model(device, model, view.width(), view.height(), 1).unwrap());
        // The second is far outside, so it changes the buffers but not the pictures.
        let far = Member { list, world_from_character: Affine2::from_translation(vec2(0.0, 5000.0)), z: 0.0 };
        for (index, (buffers, view)) in buffers.iter_mut().zip(views).enumerate() {
            let members = [Member::from(list), far];
            buffers.prepare(device, queue, model, &members[..1 + index % 2], view, Filter::Linear).unwrap();
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut readbacks = [const { None }; 3].map(|_: Option<()>| Readback::default());
        for ((buffers, target), readback) in buffers.iter().zip(&targets).zip(&mut readbacks) {
            buffers.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
            readback.record(device, &mut encoder, target).unwrap();
        }
        let submission = queue.submit([encoder.finish()]);
        for (readback, view) in readbacks.iter_mut().zip(views) {
            readback.wait(device, submission.clone());
            let mut picture = Picture::default();
            readback.take(&mut picture).unwrap();
            expect_as_on_cpu(&format!("{view:?}"), model, list, view, &picture);
        }
        context.check().unwrap();
    });
}

/// What preparing and recording pictures of two views allocates.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Allocated {
    prepare: u64,
    draw: u64,
}

#[test]
fn after_the_first_pictures_only_wgpu_allocates() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let character = limbs(4);
    let model = character.model();
    let view = View::new(64, 64, vec2(-32.0, 100.0), 0.5);
    let lists: Vec<DrawList> = (0..4).map(|frame| list_at(&character, frame, &view)).collect();
    let pipelines = Pipelines::new(device, PLAIN).unwrap();
    let uploaded = GpuModel::new(device, queue, &pipelines, model).unwrap();
    let mut buffers = [0, 1].map(|_| ViewBuffers::new(device, &pipelines, &uploaded).unwrap());
    let target = OffscreenTarget::new(device, 64, 64, 1).unwrap();
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::VERTEX;
    let other = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 4096,
        usage,
        mapped_at_creation: false,
    });
    // What one write allocates in wgpu once it is warm, and what the pictures do.
    let (mut write, mut pictures) = (u64::MAX, Vec::new());
    for number in 0..40 {
        let members = [Member::from(&lists[number % 4]), Member::from(&lists[(number + 1) % 4])];
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT);
        let mut allocated = Allocated { prepare: 0, draw: 0 };
        for buffers in &mut buffers {
            allocated.prepare += allocations(|| {
                buffers.prepare(device, queue, model, &members, view, Filter::Linear).unwrap();
            });
            allocated.draw += allocations(|| buffers.draw(&mut pass));
        }
        drop(pass);
        write = write.min(allocations(|| queue.write_buffer(&other, 0, &[0; 2048])));
        let submission = queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None }).unwrap();
        pictures.push(allocated);
    }
    // Of each view: the camera, the instances, sprites and indices if they changed, and the matrices of each member.
    let writes = 2 * (2 + 2 + 2);
    for allocated in &pictures[8..] {
        assert!(allocated.prepare <= writes * write, "{allocated:?}, {write} for each write");
        assert!(allocated.draw <= pictures[7].draw, "{allocated:?}, {:?} before", pictures[7]);
    }
    assert_eq!(pipelines.created(), 1);
}

#[test]
fn an_overlay_is_drawn_with_the_bones_of_its_view() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let character = limbs(1);
    let view = View::centered(200, 300, vec2(0.0, 80.0), 1.0).rotated(0.4);
    let mut pose = pchr::pose::Pose::default();
    pchr::motion::evaluate(&character, &pchr::motion::Cue::default(), &mut pose);
    let mut list = DrawList::default();
    list.build(character.model(), &pose, &view);
    list.commands.clear();
    list.add_overlays(character.model(), &pose, &view, Overlay::Bones.into());
    let mut renderer = Renderer::new(device, queue, character.model(), PLAIN).unwrap();
    renderer.prepare(device, queue, character.model(), &list, view, Filter::Linear).unwrap();
    let found = drawn(&context, character.model(), [200, 300], |pass| renderer.draw(pass));
    let mut expected = Picture::default();
    cpu::Renderer::new(character.model()).render(
        character.model(),
        &list,
        &view,
        Settings::default(),
        &mut expected,
    );
    let channels = found.pixels().iter().zip(expected.pixels());
    let off = channels.filter(|(found, expected)| found.abs_diff(**expected) > TOLERANCE).count();
    let covered = expected.pixels().iter().filter(|&&channel| channel > 0).count();
    // Snapping moves an edge across the middles of few pixels.
    assert!(covered > 1000 && off * 100 < covered, "{off} of {covered} channels differ");
}
