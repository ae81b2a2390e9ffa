// Draws the members of a crowd. An instance is a member, and draws the triangles of its own draw order.

// A vertex of a part.
struct CrowdVertex {
    // 0-1, v down.
    uv: vec2f,
    part: u32,
    first_influence: u32,
    influence_count: u32,
    padding: u32,
}

// A slot that can be visible.
struct CrowdPart {
    // As in `Sprite`.
    light: vec4f,
    dark: vec3f,
    // The page.
    page: u32,
    // The index of its place on the page; those of its mipmap levels follow.
    first_place: u32,
    level_count: u32,
    // The texture of the mipmap levels; that of the page is 2 · page.
    level_texture: u32,
}

struct CrowdVarying {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
    @location(1) @interpolate(flat) light: vec4f,
    @location(2) @interpolate(flat) dark: vec3f,
    // As in `SpriteVarying`.
    @location(3) @interpolate(flat) uv_bounds: vec4f,
    // The texture: two for each page, itself and its mipmap levels. NEAREST is added.
    @location(4) @interpolate(flat) texture: u32,
}

const NEAREST: u32 = 256u;

@group(0) @binding(0) var<uniform> crowd: CrowdGlobals;
@group(0) @binding(9) var<storage, read> poses: array<vec2f>;
// The vertices of every draw order, three per triangle.
@group(0) @binding(12) var<storage, read> indices: array<u32>;
@group(0) @binding(13) var<storage, read> vertices: array<CrowdVertex>;
// Positions are in the space of the bone itself.
@group(0) @binding(14) var<storage, read> bone_influences: array<Influence>;
@group(0) @binding(15) var<storage, read> parts: array<CrowdPart>;
@group(0) @binding(16) var<storage, read> places: array<UvPlace>;

@group(1) @binding(0) var nearest: sampler;
@group(1) @binding(1) var linear: sampler;
@group(1) @binding(2) var texture_0: texture_2d<f32>;
@group(1) @binding(3) var texture_1: texture_2d<f32>;
@group(1) @binding(4) var texture_2: texture_2d<f32>;
@group(1) @binding(5) var texture_3: texture_2d<f32>;
@group(1) @binding(6) var texture_4: texture_2d<f32>;
@group(1) @binding(7) var texture_5: texture_2d<f32>;
@group(1) @binding(8) var texture_6: texture_2d<f32>;
@group(1) @binding(9) var texture_7: texture_2d<f32>;

@vertex
fn vs_main(@builtin(vertex_index) index: u32, member: Drawn) -> CrowdVarying {
    var out = CrowdVarying(vec4f(2.0, 2.0, 2.0, 1.0), vec2f(0.0), vec4f(0.0), vec3f(0.0), vec4f(0.0), 0u);
    if index >= member.index_count {
        // Other members draw more triangles: this one is outside the view.
        return out;
    }
    let vertex = vertices[indices[member.first_index + index]];
    let part = parts[vertex.part];
    let position = skinned(vertex, member.pose);
    let world = member.x_axis * position.x + member.y_axis * position.y + member.translation;
    let camera = crowd.camera;
    let offset = world - camera.origin;
    out.position = camera.x_axis * offset.x + camera.y_axis * offset.y + camera.z_axis * member.z + camera.translation;
    let level = level_of(part, vertex.part, member);
    let place = places[part.first_place + level];
    out.uv = vertex.uv * place.scale + place.offset;
    out.uv_bounds = vec4f(place.min, place.max);
    out.texture = select(2u * part.page, part.level_texture, level > 0u);
    if (crowd.nearest_pages >> part.page & 1u) != 0u {
        out.texture += NEAREST;
    }
    let tint = unpack4x8unorm(member.tint);
    out.light = part.light * vec4f(tint.rgb * tint.a, tint.a);
    out.dark = part.dark * tint.a;
    return out;
}

// The same sum as `skin_n` in common.wgsl, with matrices of bones instead of the palette.
fn skinned(vertex: CrowdVertex, pose: u32) -> vec2f {
    var sum = vec2f(0.0);
    for (var i = vertex.first_influence; i < vertex.first_influence + vertex.influence_count; i++) {
        let influence = bone_influences[i];
        var position = influence.position;
        if influence.bone != NO_BONE {
            let at = pose + 3u * influence.bone;
            position = poses[at] * position.x + poses[at + 1u] * position.y + poses[at + 2u];
        }
        sum += position * influence.weight;
    }
    return sum;
}

const FULL: f32 = 1.001;

// The mipmap level, as in `draw::mipmaps`: how often the texels can be halved until there are fewer than pixels.
fn level_of(part: CrowdPart, number: u32, member: Drawn) -> u32 {
    if (crowd.flags & USES_LEVELS) == 0u || (crowd.nearest_pages >> part.page & 1u) != 0u {
        return 0u;
    }
    let areas = poses[member.pose + 3u * crowd.bone_count + number / 2u];
    var pixels = member.magnification * select(areas.y, areas.x, number % 2u == 0u);
    var level = 0u;
    while level < part.level_count && pixels * 4.0 <= FULL {
        pixels *= 4.0;
        level += 1u;
    }
    return level;
}

fn texel_of(texture: texture_2d<f32>, uv: vec2f, is_nearest: bool) -> vec4f {
    if is_nearest {
        return textureSampleLevel(texture, nearest, uv, 0.0);
    }
    return textureSampleLevel(texture, linear, uv, 0.0);
}

@fragment
fn fs_main(in: CrowdVarying) -> @location(0) vec4f {
    let uv = clamp(in.uv, in.uv_bounds.xy, in.uv_bounds.zw);
    let is_nearest = in.texture >= NEAREST;
    var texel = vec4f(0.0);
    switch in.texture % NEAREST {
        case 0u: { texel = texel_of(texture_0, uv, is_nearest); }
        case 1u: { texel = texel_of(texture_1, uv, is_nearest); }
        case 2u: { texel = texel_of(texture_2, uv, is_nearest); }
        case 3u: { texel = texel_of(texture_3, uv, is_nearest); }
        case 4u: { texel = texel_of(texture_4, uv, is_nearest); }
        case 5u: { texel = texel_of(texture_5, uv, is_nearest); }
        case 6u: { texel = texel_of(texture_6, uv, is_nearest); }
        default: { texel = texel_of(texture_7, uv, is_nearest); }
    }
    // As in sprite_fs.wgsl.
    if texel.a < min_alpha {
        discard;
    }
    let color = texel.rgb * in.light.rgb + (texel.a - texel.rgb) * in.dark;
    return for_target(vec4f(color, texel.a * in.light.a));
}
