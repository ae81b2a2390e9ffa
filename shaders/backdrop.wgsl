// The colours of a picture, with alpha 0, all over the target. It needs nothing of common.wgsl.

@group(0) @binding(0) var picture: texture_2d<f32>;

// Pixels of the target per pixel of the picture.
override enlargement: u32 = 1;

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    // A triangle around the whole target.
    return vec4f(select(-1.0, 3.0, index == 1u), select(-1.0, 3.0, index == 2u), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let color = textureLoad(picture, vec2u(position.xy) / enlargement, 0);
    return vec4f(color.rgb, 0.0);
}
