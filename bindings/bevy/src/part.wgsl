// Parts of characters: a texel of the page, tinted, inside the clip polygon.

#import bevy_sprite::mesh2d_functions

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var page: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var page_sampler: sampler;
#ifdef CLIPPED
// The corners of the polygon, in world pixels.
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var corners: texture_2d<f32>;
#endif

struct Vertex {
    @builtin(instance_index) instance: u32,
    @location(0) position: vec3f,
    @location(1) uv: vec2f,
    @location(2) light: vec4f,
    @location(3) dark: vec4f,
}

struct Varying {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
    @location(1) @interpolate(flat) light: vec4f,
    @location(2) @interpolate(flat) dark: vec4f,
#ifdef CLIPPED
#ifdef MULTISAMPLED
    @location(3) @interpolate(perspective, sample) world: vec2f,
#else
    @location(3) world: vec2f,
#endif
#endif
}

@vertex
fn vertex(in: Vertex) -> Varying {
    var out: Varying;
    let world_from_part = mesh2d_functions::get_world_from_local(in.instance);
    out.position = mesh2d_functions::mesh2d_position_local_to_clip(world_from_part, vec4f(in.position, 1.0));
    out.uv = in.uv;
    out.light = in.light;
    out.dark = in.dark;
#ifdef CLIPPED
    out.world = in.position.xy;
#endif
    return out;
}

#ifdef CLIPPED
// The even-odd rule: true if a ray to the right crosses the outline an odd number of times.
fn is_inside(at: vec2f) -> bool {
    let size = textureDimensions(corners);
    let count = size.x * size.y;
    var inside = false;
    var last = corner(count - 1u, size.x);
    for (var i = 0u; i < count; i++) {
        let next = corner(i, size.x);
        // An edge that the outline passes twice is computed in the same way both times.
        let is_up = next.y > last.y;
        let low = select(next, last, is_up);
        let high = select(last, next, is_up);
        if low.y < at.y && at.y <= high.y {
            let x = low.x + (at.y - low.y) / (high.y - low.y) * (high.x - low.x);
            inside = inside != (at.x < x);
        }
        last = next;
    }
    return inside;
}

fn corner(index: u32, row: u32) -> vec2f {
    return textureLoad(corners, vec2u(index % row, index / row), 0).xy;
}
#endif

fn linear_from_srgb(encoded: vec3f) -> vec3f {
    let near_black = encoded / 12.92;
    let above = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(above, near_black, encoded <= vec3f(0.04045));
}

// Colours are gamma-encoded and premultiplied. For a target in linear light they are decoded, so that opaque colours are
// the same; translucent ones then blend in linear light.
fn for_target(premultiplied: vec4f) -> vec4f {
#ifdef SRGB_OUTPUT
    return premultiplied;
#else
    if premultiplied.a <= 0.0 {
        // Additive light.
        return vec4f(linear_from_srgb(min(premultiplied.rgb, vec3f(1.0))), 0.0);
    }
    let straight = min(premultiplied.rgb / premultiplied.a, vec3f(1.0));
    return vec4f(linear_from_srgb(straight) * premultiplied.a, premultiplied.a);
#endif
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4f {
    let texel = textureSample(page, page_sampler, in.uv);
#ifdef CLIPPED
    if !is_inside(in.world) {
        discard;
    }
#endif
    // White becomes light, black becomes dark.
    let color = texel.rgb * in.light.rgb + (texel.a - texel.rgb) * in.dark.rgb;
    return for_target(vec4f(color, texel.a * in.light.a));
}
