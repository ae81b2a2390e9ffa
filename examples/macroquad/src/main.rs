//! Plays a character with macroquad: cargo run -- [FILE [ANIMATION [OUT.png]]]. With OUT, it writes the first frame and ends.

use macroquad::miniquad::{BlendFactor as By, BlendState, BlendValue as Of, Equation::Add, PipelineParams};
use macroquad::models::{Mesh, Vertex, draw_mesh};
use macroquad::prelude::*;
use pchr::draw::{Batches, DrawList, View};
use pchr::{Animator, draw::BlendClass, math::color::premultiply};

const VERTEX: &str = include_str!("batch.vert");
const FRAGMENT: &str = include_str!("batch.frag");
/// The largest number of corners of a clip mask, as in batch.frag. Inverse masks have six more than their polygon.
const CORNERS: usize = 64;
/// Indices that macroquad draws at once.
const INDICES: usize = 4800;

#[macroquad::main("pchr")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut animator = Animator::open(arguments.next().as_deref().unwrap_or("../../assets/paper-lamp.json"))?;
    animator.play(arguments.next().as_deref().unwrap_or("hop"))?;
    let out = arguments.next();
    let pages: Vec<_> = animator
        .model()
        .pages()
        .iter()
        .map(|page| {
            let premultiplied = |texel: &[u8; 4]| if page.is_premultiplied { *texel } else { premultiply(*texel) };
            let bytes = page.pixels.as_chunks().0.iter().flat_map(premultiplied).collect();
            Texture2D::from_image(&Image { bytes, width: page.width as u16, height: page.height as u16 })
        })
        .collect();
    let over = By::OneMinusValue(Of::SourceAlpha);
    let factors =
        [(By::One, over), (By::Value(Of::DestinationColor), over), (By::One, By::OneMinusValue(Of::SourceColor))];
    let mut materials = Vec::new();
    for (source, target) in factors {
        let uniforms = vec![
            UniformDesc::new("count", UniformType::Int1),
            UniformDesc::new("corners", UniformType::Float2).array(CORNERS),
        ];
        let (color_blend, alpha_blend) =
            (BlendState::new(Add, source, target), BlendState::new(Add, By::One, over));
        let pipeline_params = PipelineParams {
            color_blend: Some(color_blend),
            alpha_blend: Some(alpha_blend),
            ..Default::default()
        };
        let shader = ShaderSource::Glsl { vertex: VERTEX, fragment: FRAGMENT };
        materials.push(load_material(shader, MaterialParams { pipeline_params, uniforms, ..Default::default() })?);
    }
    let (mut list, mut batches) = (DrawList::default(), Batches::default());
    loop {
        clear_background(Color::from_hex(0xe8e0c8));
        animator.update(if out.is_some() { 0.0 } else { get_frame_time().into() });
        let view =
            View::centered(screen_width() as u32, screen_height() as u32, pchr::math::vec2(0.0, 150.0), 1.0);
        animator.build_draw_list(&view, &mut list);
        batches.build(animator.model(), &list);
        for batch in batches.batches() {
            let material = &materials[BlendClass::from(batch.blend) as usize];
            let clip = batch.clip.map(|clip| batches.points_of(&batches.clips()[clip as usize]));
            let mut corners: Vec<Vec2> =
                clip.unwrap_or_default().iter().map(|at| view.pixel_from_world(*at).to_array().into()).collect();
            material.set_uniform("count", clip.map_or(-1, |_| corners.len().min(CORNERS) as i32));
            corners.resize(CORNERS, Vec2::ZERO);
            material.set_uniform_array("corners", &corners);
            gl_use_material(material);
            for indices in batches.indices_of(batch).chunks(INDICES) {
                let vertices =
                    indices.iter().map(|index| batches.vertices()[*index as usize]).map(|vertex| Vertex {
                        position: Vec2::from(view.pixel_from_world(vertex.position).to_array()).extend(0.0),
                        uv: vertex.uv.to_array().into(),
                        color: vertex.light,
                        normal: Vec4::from_array(vertex.dark.map(f32::from)) / 255.0,
                    });
                let texture = batch.page.map(|page| pages[page.index()].clone());
                draw_mesh(&Mesh {
                    vertices: vertices.collect(),
                    indices: (0..indices.len() as u16).collect(),
                    texture,
                });
            }
        }
        gl_use_default_material();
        if let Some(out) = out.as_deref() {
            get_screen_data().export_png(out);
            return Ok(());
        }
        next_frame().await;
    }
}
