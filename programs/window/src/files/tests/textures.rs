//! Large textures: uploaded in slices, and prepared on another thread while the old character is still drawn.

use std::sync::Arc;

use crate::WindowOptions;
use crate::app::App;
use crate::app::paint::scene_renderer::GpuSceneRenderer;
use crate::common::gpu::gpu_or_skip;
use crate::common::v1::{self as schema, write};
use crate::scene::preparation::Preparation;
use crate::scene::{CpuSceneRenderer, Scene};
use pchr::Character;
use pchr::draw::{DrawList, Filter, Picture, View};
use pchr::gpu::{
    GpuModel, ModelLevels, ModelUpload, OffscreenTarget, Pipelines, Readback, Renderer, TargetFormat,
};
use pchr::math::Vec2;
use pchr::motion::{Cue, evaluate};
use pchr::pose::Pose;

/// Larger than a slice, together with its mipmap levels.
const SIDE: u16 = 1500;

/// Returns a square that shows a page of noise.
fn square(side: u16) -> Vec<u8> {
    let corner = |x: f32, y: f32| schema::Vertex {
        x: x * 100.0,
        y: y * 100.0,
        u: x * 0.5 + 0.5,
        v: 0.5 - y * 0.5,
        bone_weights: [1.0, 0.0, 0.0, 0.0],
        ..schema::Vertex::default()
    };
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let noise = |index: u32| (index.wrapping_mul(2_654_435_761) >> 13) as u8;
    let page: Vec<u8> = (0..u32::from(side) * u32::from(side) * 4).map(noise).collect();
    let file = schema::File {
        fps: 10,
        images: vec![schema::Image {
            name: "page".to_owned(),
            width: side,
            height: side,
            format: schema::Image::RGBA8888,
            data: page.into(),
            offset: 0,
        }],
        bones: vec![schema::Bone { name: "root".to_owned(), parent: -1, offset: 0 }],
        meshes: vec![schema::Mesh::new("square", 0, &corners, &[0, 1, 2, 0, 2, 3])],
        animations: vec![schema::Animation::new("still", true, &[vec![schema::BoneTransform::default()]])],
        ..schema::File::default()
    };
    write(&file).unwrap()
}

fn scene(folder: &std::path::Path, side: u16) -> Scene {
    let path = folder.join(format!("{side}.pchr"));
    std::fs::write(&path, square(side)).unwrap();
    let mut options = WindowOptions::default();
    options.paused = true;
    options.subject.files.push(path);
    let mut app = App::new(&options);
    app.state.canvas.size = [120, 90];
    app.scene().unwrap()
}

#[test]
fn slices_stay_within_their_budget_and_draw_the_same_picture() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let character = Character::from_bytes(square(200)).unwrap();
    let model = character.model();
    let mut pose = Pose::default();
    evaluate(&character, &Cue::default(), &mut pose);
    let mut list = DrawList::default();
    let target = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil: None };
    let pipelines = Pipelines::new(device, target).unwrap();
    let mut pictures = Vec::new();
    for slice in [u64::MAX, 5000, 1] {
        let mut upload =
            ModelUpload::new(device, &pipelines, model, ModelLevels::new(model, &device.limits())).unwrap();
        let (mut calls, mut before) = (0, 0);
        while !upload.is_done() {
            upload.advance(device, queue, model, slice).unwrap();
            let (done, total) = upload.bytes();
            // A row of the page has 800 bytes.
            assert!(done > before && done - before <= slice.max(800), "{slice}: {before} to {done}");
            assert!(total > 200 * 200 * 4, "with its levels");
            (calls, before) = (calls + 1, done);
        }
        assert!(calls > 40 || slice == u64::MAX && calls == 1, "{slice}: {calls}");
        let uploaded: GpuModel = upload.finish();
        // Full size, and small enough for a mipmap level.
        for scale in [1.0, 0.2] {
            let view = View::new(64, 64, Vec2::ZERO, scale);
            list.build(model, &pose, &view);
            let mut renderer = Renderer::of_model(device, &uploaded, &pipelines).unwrap();
            let target = OffscreenTarget::for_model(device, model, 64, 64, 1).unwrap();
            renderer.prepare(device, queue, model, &list, view, Filter::Auto).unwrap();
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            renderer.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
            let mut readback = Readback::default();
            readback.record(device, &mut encoder, &target).unwrap();
            let submission = queue.submit([encoder.finish()]);
            readback.wait(device, submission);
            let mut picture = Picture::default();
            readback.take(&mut picture).unwrap();
            pictures.push(picture.pixels().to_vec());
        }
    }
    assert!(pictures[0].iter().any(|&byte| byte != 0));
    assert!(pictures[2..].chunks(2).all(|pair| pair == &pictures[..2]), "the same at once and in slices");
}

#[test]
fn the_screen_uploads_at_most_a_slice_in_one_frame() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let folder = tempfile::tempdir().unwrap();
    let (small, large) = (scene(folder.path(), 16), scene(folder.path(), SIDE));
    let mut renderer = GpuSceneRenderer::default();
    renderer.draw(device, queue, &small);
    let (mut before, mut slices) = (0, 0);
    loop {
        match renderer.prepare(device, queue, &large.character) {
            Preparation::Ready => break,
            Preparation::Computing => {}
            Preparation::Uploading(done, total) => {
                assert!(
                    done - before <= GpuSceneRenderer::SLICE_BYTES && done < total,
                    "{before} to {done} of {total}"
                );
                (before, slices) = (done, slices + 1);
            }
        }
        // The old character can be drawn meanwhile.
        assert!(renderer.draw(device, queue, &small).is_none(), "it was drawn before");
    }
    assert!(slices >= 1, "it needs several frames");
    renderer.draw(device, queue, &large);
    assert_eq!(renderer.prepare(device, queue, &small.character), Preparation::Ready, "small ones at once");
}

#[test]
fn the_cpu_prepares_on_another_thread_and_draws_the_same_picture() {
    let folder = tempfile::tempdir().unwrap();
    let (small, large) = (scene(folder.path(), 16), scene(folder.path(), 300));
    let mut plain = CpuSceneRenderer::default();
    let expected = plain.render(&large).0.pixels().to_vec();
    let mut renderer = CpuSceneRenderer::default();
    renderer.render(&small);
    while renderer.prepare(&large.character) != Preparation::Ready {
        assert!(!renderer.render(&small).1, "nothing changes meanwhile");
    }
    let clones = Arc::strong_count(&large.character);
    assert_eq!(renderer.render(&large).0.pixels(), expected);
    // An outdated preparation is dropped.
    renderer.prepare(&small.character);
    renderer.prepare(&large.character);
    while renderer.prepare(&small.character) != Preparation::Ready {}
    renderer.render(&small);
    drop(plain);
    assert!(Arc::strong_count(&large.character) <= clones, "nothing leaks");
}
