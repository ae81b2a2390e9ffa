//! Multiplied and screened slots on the canvas blend with the colour behind the character.

use crate::WindowOptions;
use crate::app::App;
use crate::app::paint::scene_renderer::GpuSceneRenderer;
use crate::common::gpu::gpu_or_skip;
use crate::scene::background::Background;
use crate::scene::{self, CpuSceneRenderer, Scene};
use pchr::draw::{Antialias, Picture};
use pchr::gpu::Context;

const COLOR: [u8; 3] = [230, 180, 90];

/// Returns a scene with additive, multiplied and screened slots.
fn scene() -> Scene {
    let rig = "tests/fixtures/conformance/spine/own/slots-events/slots-events.json";
    let mut options = WindowOptions::default();
    options.paused = true;
    options.subject.files.push(crate::common::root().join(rig));
    options.subject.animations = vec!["colors".to_owned()];
    let mut app = App::new(&options);
    app.state.canvas.size = [160, 120];
    app.state.overlays.background = Background::Color(COLOR);
    app.scene().unwrap()
}

fn laid_over_color(picture: &Picture) -> Picture {
    let mut picture = picture.clone();
    picture.lay_over(|_, _| [COLOR[0], COLOR[1], COLOR[2], 255]);
    picture
}

#[test]
fn the_canvas_and_screenshots_blend_with_the_colour_behind() {
    let scene = scene();
    assert_eq!(scene.behind, Some(COLOR));
    let mut renderer = CpuSceneRenderer::default();
    let shown = laid_over_color(renderer.render(&scene).0);
    assert!(shown == scene::picture(&scene));
    let over_nothing = laid_over_color(renderer.render(&Scene { behind: None, ..scene.clone() }).0);
    assert!(shown != over_nothing);
    // What is not drawn is transparent, so that guides are seen.
    let layer = renderer.render(&scene).0;
    assert_eq!(layer.pixel(0, 0), [0; 4]);
}

#[test]
fn the_gpu_blends_with_the_colour_behind_like_the_cpu() {
    let Some(context) = gpu_or_skip() else { return };
    for antialias in [Antialias::None, Antialias::Msaa4] {
        let mut scene = scene();
        scene.settings.antialias = antialias;
        let mut renderer = GpuSceneRenderer::default();
        let texture = renderer.draw(context.device(), context.queue(), &scene).unwrap();
        let found = read(&context, texture.view.texture());
        let mut renderer = CpuSceneRenderer::default();
        let expected = renderer.render(&scene).0.pixels();
        let is_off = |(found, expected): (&u8, &u8)| found.abs_diff(*expected) > 6;
        let off = found.iter().zip(expected).filter(|pair| is_off(*pair)).count();
        assert!(off * 100 < expected.len(), "{antialias:?}: {off} of {} channels differ", expected.len());
        assert!(expected.iter().any(|byte| *byte > 0));
    }
}

fn read(context: &Context, texture: &wgpu::Texture) -> Vec<u8> {
    let (width, height) = (texture.width(), texture.height());
    let stride = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = context.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(stride * height),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = context.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(stride), rows_per_image: None };
    let target = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
    context.queue().submit([encoder.finish()]);
    buffer.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.unwrap());
    context.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let mapped = buffer.slice(..).get_mapped_range().unwrap();
    mapped.chunks(stride as usize).flat_map(|row| row[..width as usize * 4].to_vec()).collect()
}
