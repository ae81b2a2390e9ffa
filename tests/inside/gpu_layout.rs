//! Checks that the shaders are valid, and that their structs have the layout of the Rust structs.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{Binding, Expression, Literal, Module, ScalarKind, ShaderStage, TypeInner};
use pchr::draw::OverlayVertex;
use pchr::gpu::shaders::crowd_data::{
    CrowdAnimation, CrowdGlobals, CrowdOrder, CrowdPart, CrowdShare, CrowdVertex, DRAWN, MemberRecord, Play,
};
use pchr::gpu::shaders::gpu_data::{
    Bone, Globals, INSTANCE, Influence, Instance, OVERLAY_VERTEX, SKIN_N_VERTEX, SKIN4_VERTEX, SPRITE_INDEX,
    SkinNRecord, Sprite, UvPlace,
};
use pchr::gpu::shaders::wgsl;

fn parse(name: &str, source: &str) -> Module {
    let module = naga::front::wgsl::parse_str(source);
    module.unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)))
}

#[test]
fn every_shader_is_valid() {
    for (name, source) in wgsl::ALL.into_iter().chain(wgsl::COMPUTE).chain([wgsl::BACKDROP]) {
        let module = parse(name, source);
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        if let Err(error) = validator.validate(&module) {
            panic!("{name}: {}", error.emit_to_string(source));
        }
        for entry in &module.entry_points {
            let expected = match entry.stage {
                ShaderStage::Vertex => "vs_main",
                ShaderStage::Fragment => "fs_main",
                ShaderStage::Compute => "cs_main",
                other => panic!("{name}: {other:?}"),
            };
            assert_eq!(entry.name, expected, "{name}");
        }
    }
}

#[test]
fn every_shader_file_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !["common.wgsl", "crowd.wgsl", "crowd_play.wgsl"].contains(&&**name))
        .collect();
    found.sort();
    let all = wgsl::ALL.into_iter().chain(wgsl::COMPUTE).chain([wgsl::BACKDROP]);
    let mut listed: Vec<&str> = all.map(|(name, _)| name).collect();
    listed.sort_unstable();
    assert_eq!(found, listed);
}

/// Returns the size and the members (name, offset) of a struct in WGSL.
fn layout(module: &Module, name: &str) -> (u32, Vec<(String, u32)>) {
    let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
    match found.map(|(_, ty)| &ty.inner) {
        Some(TypeInner::Struct { members, span }) => {
            let named = |member: &naga::StructMember| (member.name.clone().unwrap(), member.offset);
            (*span, members.iter().map(named).collect())
        }
        _ => panic!("no struct `{name}`"),
    }
}

macro_rules! members {
    ($type:ty: $($field:ident),+) => {
        vec![$((stringify!($field).to_owned(), std::mem::offset_of!($type, $field) as u32)),+]
    };
}

#[test]
fn structs_have_the_same_bytes_on_both_sides() {
    let module = parse("skin4.wgsl", wgsl::SKIN4);
    assert_eq!(layout(&module, "Bone"), (24, members!(Bone: x_axis, y_axis, translation)));
    assert_eq!(
        layout(&module, "Globals"),
        (size_of::<Globals>() as u32, members!(Globals: x_axis, y_axis, z_axis, translation, origin, padding))
    );
    assert_eq!(layout(&module, "Influence"), (16, members!(Influence: position, bone, weight)));
    // A vertex buffer has no padding at the end, so only the members are compared.
    let (_, instance) = layout(&module, "Instance");
    assert_eq!(
        instance,
        members!(Instance: x_axis, y_axis, translation, palette_base, sprite_base, deform_base, z)
    );
    assert_eq!(layout(&module, "Sprite"), (64, members!(Sprite: light, dark, deform_shift, uv)));
    assert_eq!(layout(&module, "UvPlace"), (32, members!(UvPlace: scale, offset, min, max)));
}

#[test]
fn structs_of_crowds_have_the_same_bytes_on_both_sides() {
    let modules = [
        ("crowd_draw.wgsl", wgsl::CROWD_DRAW),
        ("crowd_pose.wgsl", wgsl::CROWD_POSE),
        ("crowd_place.wgsl", wgsl::CROWD_PLACE),
    ]
    .map(|(name, source)| parse(name, source));
    let [draw, pose, place] = &modules;
    macro_rules! same {
        ($module:expr, $type:ident: $($field:ident),+) => {
            let expected = (size_of::<$type>() as u32, members!($type: $($field),+));
            assert_eq!(layout($module, stringify!($type)), expected, stringify!($type));
        };
    }
    same!(draw, CrowdGlobals: camera, half_viewport, reach_center, now, reach_radius, member_count, bone_count,
        pose_stride, flags, nearest_pages, vertex_count);
    same!(place, Play: start, rate, animation, loop_mode);
    same!(place, MemberRecord: x_axis, y_axis, translation, tint, is_present, shown, faded, fade_start, fade_secs, z);
    same!(place, CrowdAnimation: first_frame, frame_count);
    same!(place, CrowdOrder: first_index, index_count);
    same!(pose, CrowdShare: part, bone, area);
    same!(draw, CrowdVertex: uv, part, first_influence, influence_count, padding);
    same!(draw, CrowdPart: light, dark, page, first_place, level_count, level_texture);
    // Only the GPU writes these.
    assert_eq!(u64::from(layout(draw, "Drawn").0), DRAWN.array_stride);
}

/// Returns the group, the binding and the element stride of a storage buffer.
fn storage(module: &Module, name: &str) -> (u32, u32, usize) {
    let mut variables = module.global_variables.iter();
    let (_, variable) = variables.find(|(_, variable)| variable.name.as_deref() == Some(name)).unwrap();
    let binding = variable.binding.unwrap();
    match module.types[variable.ty].inner {
        TypeInner::Array { stride, .. } => (binding.group, binding.binding, stride as usize),
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn storage_buffers_are_tightly_packed_arrays() {
    let module = parse("skin_n.wgsl", wgsl::SKIN_N);
    assert_eq!(storage(&module, "palette"), (0, 1, size_of::<Bone>()));
    assert_eq!(storage(&module, "sprites"), (0, 2, size_of::<Sprite>()));
    assert_eq!(storage(&module, "influences"), (2, 0, size_of::<Influence>()));
    assert_eq!(storage(&module, "deform"), (2, 1, size_of::<pchr::math::Vec2>()));
}

#[test]
fn sentinel_values_are_the_same_on_both_sides() {
    let module = parse("skin_n.wgsl", wgsl::SKIN_N);
    let value = |name: &str| {
        let mut constants = module.constants.iter();
        let (_, constant) = constants.find(|(_, constant)| constant.name.as_deref() == Some(name)).unwrap();
        module.global_expressions[constant.init].clone()
    };
    let no_bone = value("NO_BONE");
    assert!(matches!(no_bone, Expression::Literal(Literal::U32(Influence::NO_BONE))), "{no_bone:?}");
    let no_deform = value("NO_DEFORM");
    assert!(matches!(no_deform, Expression::Literal(Literal::I32(Sprite::NO_DEFORM))), "{no_deform:?}");
}

/// Returns location, components and kind of all vertex inputs of `vs_main`.
fn shader_inputs(source: &str) -> Vec<(u32, u32, ScalarKind)> {
    let module = parse("vertex shader", source);
    let entry = module.entry_points.iter().find(|entry| entry.stage == ShaderStage::Vertex).unwrap();
    let mut inputs = Vec::new();
    for argument in &entry.function.arguments {
        let TypeInner::Struct { members, .. } = &module.types[argument.ty].inner else { panic!("not a struct") };
        for member in members {
            let Some(Binding::Location { location, .. }) = member.binding else { panic!("no location") };
            inputs.push(match module.types[member.ty].inner {
                TypeInner::Scalar(scalar) => (location, 1, scalar.kind),
                TypeInner::Vector { size, scalar } => (location, size as u32, scalar.kind),
                ref other => panic!("{other:?}"),
            });
        }
    }
    inputs.sort_by_key(|&(location, ..)| location);
    inputs
}

/// Returns the same for vertex buffers. Checks that their attributes fill the stride without gaps.
fn buffer_outputs(buffers: &[wgpu::VertexBufferLayout<'_>]) -> Vec<(u32, u32, ScalarKind)> {
    use wgpu::VertexFormat as Format;
    let mut outputs = Vec::new();
    for buffer in buffers {
        let mut end = 0;
        for attribute in buffer.attributes {
            assert_eq!(attribute.offset, end, "location {}", attribute.shader_location);
            end += attribute.format.size();
            let (components, kind) = match attribute.format {
                Format::Float32x2 => (2, ScalarKind::Float),
                Format::Float32x4 | Format::Unorm8x4 => (4, ScalarKind::Float),
                Format::Uint16x4 => (4, ScalarKind::Uint),
                Format::Float32 => (1, ScalarKind::Float),
                Format::Uint32 => (1, ScalarKind::Uint),
                other => panic!("unknown format {other:?}"),
            };
            outputs.push((attribute.shader_location, components, kind));
        }
        assert_eq!(end, buffer.array_stride);
    }
    outputs.sort_by_key(|&(location, ..)| location);
    outputs
}

#[test]
fn vertex_buffers_match_shader_inputs() {
    assert_eq!(shader_inputs(wgsl::SKIN4), buffer_outputs(&[SKIN4_VERTEX, INSTANCE, SPRITE_INDEX]));
    assert_eq!(shader_inputs(wgsl::SKIN_N), buffer_outputs(&[SKIN_N_VERTEX, INSTANCE, SPRITE_INDEX]));
    assert_eq!(shader_inputs(wgsl::OVERLAY), buffer_outputs(&[OVERLAY_VERTEX, INSTANCE]));
}

#[test]
fn attributes_match_field_offsets() {
    let offsets = |buffer: &wgpu::VertexBufferLayout<'_>| -> Vec<u32> {
        buffer.attributes.iter().map(|attribute| attribute.offset as u32).collect()
    };
    let of = |members: Vec<(String, u32)>| -> Vec<u32> { members.into_iter().map(|(_, offset)| offset).collect() };
    assert_eq!(
        offsets(&INSTANCE),
        of(members!(Instance: x_axis, y_axis, translation, palette_base, sprite_base, deform_base, z))
    );
    assert_eq!(offsets(&OVERLAY_VERTEX), of(members!(OverlayVertex: position, color)));
    assert_eq!(offsets(&SKIN_N_VERTEX), of(members!(SkinNRecord: uv, first_influence, influence_count)));
    // As stored in a file: position, uv, four ids, four weights.
    assert_eq!(offsets(&SKIN4_VERTEX), [0, 8, 16, 24]);
}
