//! Plays a character with macroquad: `cargo run -- [FILE [ANIMATION [OUT.png]]]`. OUT is its first frame.

use macroquad::miniquad::{BlendFactor as By, BlendState, BlendValue as Of, Equation::Add, PipelineParams};
use macroquad::models::{Mesh, Vertex, draw_mesh};
use macroquad::prelude::*;
use pchr::draw::{BatchVertex, Batches, BlendClass, DrawList, View};
use pchr::{Animator, math::color::premultiply, model::AtlasPage};

/// The largest number of corners of a clip mask, as in batch.frag.
const CORNERS: usize = 64;

fn texture(page: &AtlasPage) -> Texture2D {
    let premultiplied = |texel: &[u8; 4]| if page.is_premultiplied { *texel } else { premultiply(*texel) };
    let bytes = page.pixels.as_chunks().0.iter().flat_map(premultiplied).collect();
    Texture2D::from_image(&Image { bytes, width: page.width as u16, height: page.height as u16 })
}

fn material(source: By, target: By) -> Result<Material, macroquad::Error> {
    let shader = ShaderSource::Glsl { vertex: include_str!("batch.vert"), fragment: include_str!("batch.frag") };
    let corners = UniformDesc::new("corners", UniformType::Float2).array(CORNERS);
    let uniforms = vec![UniformDesc::new("count", UniformType::Int1), corners];
    let color_blend = Some(BlendState::new(Add, source, target));
    let alpha_blend = Some(BlendState::new(Add, By::One, By::OneMinusValue(Of::SourceAlpha)));
    let pipeline_params = PipelineParams { color_blend, alpha_blend, ..Default::default() };
    load_material(shader, MaterialParams { pipeline_params, uniforms, ..Default::default() })
}

#[macroquad::main("pchr")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [file, animation, out] = [1, 2, 3].map(|at| std::env::args().nth(at));
    let mut animator = Animator::open(file.as_deref().unwrap_or("../../assets/paper-lamp.json"))?;
    animator.play(animation.as_deref().unwrap_or("hop"))?;
    let pages: Vec<Texture2D> = animator.model().pages().iter().map(texture).collect();
    let over = By::OneMinusValue(Of::SourceAlpha);
    let multiply = material(By::Value(Of::DestinationColor), over)?;
    let materials = [material(By::One, over)?, multiply, material(By::One, By::OneMinusValue(Of::SourceColor))?];
    let (mut list, mut batches) = (DrawList::default(), Batches::default());
    loop {
        clear_background(Color::from_hex(0xe8e0c8));
        animator.update(if out.is_some() { 0.0 } else { get_frame_time().into() });
        let view = View::centered(screen_width() as u32, screen_height() as u32, Default::default(), 1.0);
        let pixel = |at| Vec2::from(view.pixel_from_world(at).to_array());
        let vertex = |BatchVertex { position, uv, light, dark }: &BatchVertex| {
            let normal = Vec4::from_array(dark.map(f32::from)) / 255.0;
            Vertex { position: pixel(*position).extend(0.0), uv: uv.to_array().into(), color: *light, normal }
        };
        animator.build_draw_list(&view, &mut list);
        batches.build(animator.model(), &list);
        for batch in batches.batches() {
            let material = &materials[BlendClass::from(batch.blend) as usize];
            let clip = batch.clip.map(|clip| batches.points_of(&batches.clips()[clip as usize]));
            let mut corners: Vec<Vec2> = clip.unwrap_or_default().iter().map(|at| pixel(*at)).collect();
            material.set_uniform("count", clip.map_or(-1, |_| corners.len() as i32));
            corners.resize(CORNERS, Vec2::ZERO);
            material.set_uniform_array("corners", &corners);
            gl_use_material(material);
            // In one call, macroquad draws fewer than 5000 indices.
            for indices in batches.indices_of(batch).chunks(4998) {
                let vertices = indices.iter().map(|index| &batches.vertices()[*index as usize]).map(vertex);
                let texture = batch.page.map(|page| pages[page.index()].clone());
                let (vertices, indices) = (vertices.collect(), (0..indices.len() as u16).collect());
                draw_mesh(&Mesh { vertices, indices, texture });
            }
        }
        match &out {
            Some(out) => break get_screen_data().export_png(out),
            None => next_frame().await,
        }
    }
    Ok(())
}
