// One page of the atlas, or smaller copies of its parts, premultiplied before it was uploaded: filtering leaves no
// dark fringes. What it is multiplied with is premultiplied too, so every way of blending takes the colour as it
// is.

@group(1) @binding(0) var page: texture_2d<f32>;
// Nearest or linear; it mirrors the texture at its edges.
@group(1) @binding(1) var page_sampler: sampler;

@fragment
fn fs_main(in: SpriteVarying) -> @location(0) vec4f {
    // Beyond its edge a page, or the smaller copy of a part of it, repeats its last pixel. The texture has no
    // levels: smaller copies lie beside each other, and the vertex says which is meant.
    let uv = clamp(in.uv, in.uv_bounds.xy, in.uv_bounds.zw);
    let texel = textureSampleLevel(page, page_sampler, uv, 0.0);
    // White becomes light, black becomes dark. What is additive has a light without alpha.
    let color = texel.rgb * in.light.rgb + (texel.a - texel.rgb) * in.dark;
    return for_target(vec4f(color, texel.a * in.light.a));
}
