//! The material of the parts: their page, blend mode and clip polygon.

use bevy::asset::{Asset, Handle, RenderAssetUsages};
use bevy::image::Image;
use bevy::mesh::{Mesh, MeshVertexAttribute, MeshVertexBufferLayoutRef};
use bevy::reflect::TypePath;
use bevy::render::render_resource::{
    AsBindGroup, BlendComponent, BlendFactor, BlendOperation, BlendState, Extent3d, RenderPipelineDescriptor,
    SpecializedMeshPipelineError, TextureDimension, TextureFormat, VertexFormat,
};
use bevy::shader::ShaderRef;
use bevy::sprite_render::{AlphaMode2d, Material2d, Material2dKey};
use pchr::draw::BlendClass;
use pchr::math::Vec2;

/// The light colour of a vertex, of [`BatchVertex::light`](pchr::draw::BatchVertex::light).
pub const LIGHT: MeshVertexAttribute =
    MeshVertexAttribute::new("Pchr_Light", 0x7063_6872_0001, VertexFormat::Unorm8x4);
/// The dark colour of a vertex, of [`BatchVertex::dark`](pchr::draw::BatchVertex::dark).
pub const DARK: MeshVertexAttribute =
    MeshVertexAttribute::new("Pchr_Dark", 0x7063_6872_0002, VertexFormat::Unorm8x4);

/// Points of a clip polygon in a row of its texture. part.wgsl reads the width of the texture.
const ROW: usize = 1024;

/// The material of a part of a character: adjacent sprites with the same page, blend mode and clip mask.
#[derive(Debug, Clone, PartialEq, Asset, TypePath, AsBindGroup)]
#[bind_group_data(Look)]
pub struct PartMaterial {
    /// The texture of the page; `None` for plain colours.
    #[texture(0)]
    #[sampler(1)]
    pub page: Option<Handle<Image>>,
    /// The corners of the clip polygon in the world, as texels.
    #[texture(2, sample_type = "float", filterable = false)]
    pub clip: Option<Handle<Image>>,
    /// How colours are blended.
    pub blend: BlendClass,
}

/// What a pipeline depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Look {
    blend: BlendClass,
    is_clipped: bool,
}

impl From<&PartMaterial> for Look {
    fn from(material: &PartMaterial) -> Self {
        Self { blend: material.blend, is_clipped: material.clip.is_some() }
    }
}

impl Material2d for PartMaterial {
    fn vertex_shader() -> ShaderRef {
        "embedded://bevy_pchr/part.wgsl".into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://bevy_pchr/part.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode2d {
        AlphaMode2d::Blend
    }

    fn specialize(
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        key: Material2dKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let attributes = [Mesh::ATTRIBUTE_POSITION, Mesh::ATTRIBUTE_UV_0, LIGHT, DARK];
        let places: Vec<_> =
            (0..).zip(attributes).map(|(place, attribute)| attribute.at_shader_location(place)).collect();
        descriptor.vertex.buffers = vec![layout.0.get_layout(&places)?];
        let Look { blend, is_clipped } = key.bind_group_data;
        let mut defines = Vec::new();
        if is_clipped {
            defines.push("CLIPPED".into());
            // Each sample is inside or outside, as it would be with a stencil.
            defines.extend((key.mesh_key.msaa_samples() > 1).then(|| "MULTISAMPLED".into()));
        }
        descriptor.vertex.shader_defs.extend(defines.iter().cloned());
        if let Some(fragment) = &mut descriptor.fragment {
            fragment.shader_defs.extend(defines);
            fragment.targets.iter_mut().flatten().for_each(|target| target.blend = Some(blend_state(blend)));
        }
        Ok(())
    }
}

/// How a premultiplied colour is blended. Alpha is blended in the same way in every mode.
fn blend_state(class: BlendClass) -> BlendState {
    let (src_factor, dst_factor) = match class {
        BlendClass::Over => (BlendFactor::One, BlendFactor::OneMinusSrcAlpha),
        BlendClass::Multiply => (BlendFactor::Dst, BlendFactor::OneMinusSrcAlpha),
        BlendClass::Screen => (BlendFactor::One, BlendFactor::OneMinusSrc),
    };
    let color = BlendComponent { src_factor, dst_factor, operation: BlendOperation::Add };
    BlendState { color, alpha: BlendComponent::OVER }
}

/// A texture with the corners of a clip polygon. The last corner fills its row, which adds no area.
pub fn clip_texture(points: &[Vec2]) -> Image {
    let width = points.len().clamp(1, ROW);
    let height = points.len().div_ceil(width).max(1);
    let last = points.last().copied().unwrap_or_default();
    let texels = points.iter().chain(std::iter::repeat(&last)).take(width * height);
    let data = texels.flat_map(|point| point.to_array()).flat_map(f32::to_ne_bytes).collect();
    let size = Extent3d { width: width as u32, height: height as u32, depth_or_array_layers: 1 };
    Image::new(size, TextureDimension::D2, data, TextureFormat::Rg32Float, RenderAssetUsages::RENDER_WORLD)
}
