// Prepended to every other shader. The structs mirror src/gpu/shaders/gpu_data.rs;
// tests/inside/gpu_layout.rs compares them and the vertex locations with the Rust side.

// `world_from_bind` of one bone as three columns: 24 bytes, which an array in a storage buffer keeps
// (a mat3x2f would be the same bytes, without names for the columns).
struct Bone {
    x_axis: vec2f,
    y_axis: vec2f,
    translation: vec2f,
}

// The influence of one bone on one vertex: 16 bytes.
struct Influence {
    // Pixels, y up, in the space that the bone's matrix maps to the world.
    position: vec2f,
    // NO_BONE if the position is not moved.
    bone: u32,
    // As authored: not normalised, may be negative.
    weight: f32,
}

const NO_BONE: u32 = 0xffffffffu;

// The place of a part of a page in a texture.
struct UvPlace {
    // The factor for texture coordinates of the page.
    scale: vec2f,
    // The offset that is added afterwards.
    offset: vec2f,
    // The bounds to which coordinates are clamped.
    min: vec2f,
    max: vec2f,
}

// The colours, the deform offsets and the texture area of one attachment: 64 bytes.
struct Sprite {
    // The light colour multiplied by alpha, and alpha, which is 0 for additive sprites.
    light: vec4f,
    // The dark colour multiplied by alpha.
    dark: vec3f,
    // The index of an influence's deform offset among those of its character, relative to the index of the
    // influence. NO_DEFORM if not deformed.
    deform_shift: i32,
    // Its place in the bound texture.
    uv: UvPlace,
}

const NO_DEFORM: i32 = -2147483648;

// The camera. The matrix maps offsets from `origin`: subtracting that first keeps a character far from the world's
// origin exact.
struct Globals {
    // Clip space per world pixel along the world's x axis.
    x_axis: vec4f,
    // The same along the y axis.
    y_axis: vec4f,
    // The same along the z axis.
    z_axis: vec4f,
    // The clip position of `origin`.
    translation: vec4f,
    // A world position.
    origin: vec2f,
    padding: vec2f,
}

// One character of a crowd. A single character is a crowd of one.
struct Instance {
    // `world_from_character`, three columns.
    @location(4) x_axis: vec2f,
    @location(5) y_axis: vec2f,
    @location(6) translation: vec2f,
    // The index of the character's first bone in the palette.
    @location(7) palette_base: u32,
    // The index of its first sprite.
    @location(8) sprite_base: u32,
    // The index of its first deform offset.
    @location(10) deform_base: u32,
    // Its z in the world.
    @location(11) z: f32,
}

// Per vertex, in a separate buffer because files do not store it.
struct SpriteIndex {
    // The index of the vertex's attachment: a draw call draws any number of them.
    @location(9) sprite: u32,
}

struct SpriteVarying {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
    @location(1) @interpolate(flat) light: vec4f,
    @location(2) @interpolate(flat) dark: vec3f,
    // Bounds of the texture coordinates: the smallest x and y, the largest x and y.
    @location(3) @interpolate(flat) uv_bounds: vec4f,
}

struct OverlayVarying {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<uniform> globals: Globals;
@group(0) @binding(1) var<storage, read> palette: array<Bone>;
// Tables with one for each attachment. Instances that look the same share a table.
@group(0) @binding(2) var<storage, read> sprites: array<Sprite>;
// The influences of many vertices, one list after the other. Only skin_n.wgsl uses this and the next binding.
@group(2) @binding(0) var<storage, read> influences: array<Influence>;
// Deform offsets of influences, in pixels in the space of each one's bone.
@group(2) @binding(1) var<storage, read> deform: array<vec2f>;

// True for a target format that encodes sRGB when it is written.
override target_encodes_srgb: bool = false;

// Texels with less alpha are discarded, so that they do not write the depth.
override min_alpha: f32 = 0.0;

// The same sum as `pose::skin4`, in the same order. A weight that is not positive counts as 0, and its bone is not
// read; a vertex without a positive weight stays where it was authored.
fn skin4(position: vec2f, ids: vec4u, weights: vec4f, palette_base: u32) -> vec2f {
    var sum = vec2f(0.0);
    var moved = false;
    for (var i = 0u; i < 4u; i++) {
        let weight = weights[i];
        if weight > 0.0 {
            let bone = palette[palette_base + ids[i]];
            sum += (bone.x_axis * position.x + bone.y_axis * position.y + bone.translation) * weight;
            moved = true;
        }
    }
    return select(position, sum, moved);
}

// The same sum as `pose::skin_n` and `pose::skin_n_deformed`, in the same order. A vertex that no bone moves has one
// influence without a bone.
fn skin_n(first: u32, count: u32, palette_base: u32, deform_shift: i32) -> vec2f {
    var sum = vec2f(0.0);
    for (var i = first; i < first + count; i++) {
        let influence = influences[i];
        if influence.weight != 0.0 {
            var position = influence.position;
            if deform_shift != NO_DEFORM {
                position += deform[u32(i32(i) + deform_shift)];
            }
            if influence.bone != NO_BONE {
                let bone = palette[palette_base + influence.bone];
                position = bone.x_axis * position.x + bone.y_axis * position.y + bone.translation;
            }
            sum += position * influence.weight;
        }
    }
    return sum;
}

// The vertex output of a sprite, for a position in the character's own space.
fn sprite_varying(instance: Instance, sprite: Sprite, position: vec2f, uv: vec2f) -> SpriteVarying {
    let place = sprite.uv;
    let bounds = vec4f(place.min, place.max);
    return SpriteVarying(
        clip_position(instance, position), uv * place.scale + place.offset, sprite.light, sprite.dark, bounds);
}

// Maps a position from a character's own space to clip space.
fn clip_position(instance: Instance, position: vec2f) -> vec4f {
    let world = instance.x_axis * position.x + instance.y_axis * position.y + instance.translation;
    let offset = world - globals.origin;
    return globals.x_axis * offset.x + globals.y_axis * offset.y + globals.z_axis * instance.z + globals.translation;
}

fn linear_from_srgb(encoded: vec3f) -> vec3f {
    let near_black = encoded / 12.92;
    let above = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(above, near_black, encoded <= vec3f(0.04045));
}

// Colours are gamma-encoded and premultiplied, and are written as they are. For a target that encodes sRGB they
// are decoded first, so that the stored colour is the same; translucent colours then blend in linear light.
fn for_target(premultiplied: vec4f) -> vec4f {
    if !target_encodes_srgb {
        return premultiplied;
    }
    if premultiplied.a <= 0.0 {
        // Additive light.
        return vec4f(linear_from_srgb(min(premultiplied.rgb, vec3f(1.0))), 0.0);
    }
    let straight = min(premultiplied.rgb / premultiplied.a, vec3f(1.0));
    return vec4f(linear_from_srgb(straight) * premultiplied.a, premultiplied.a);
}
