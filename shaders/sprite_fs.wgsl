// Samples a page of the atlas or its mipmap levels. Textures are premultiplied before they are uploaded, so that
// filtering leaves no dark fringes. The tint is premultiplied too, so every blend class takes the colour as it is.

@group(1) @binding(0) var page: texture_2d<f32>;
// Nearest or linear, with mirrored repetition.
@group(1) @binding(1) var page_sampler: sampler;

@fragment
fn fs_main(in: SpriteVarying) -> @location(0) vec4f {
    // Beyond its edge a page, or the mipmap level of a region, repeats its last texel. Levels are packed beside
    // each other in a texture without levels of its own; the vertex selects one.
    let uv = clamp(in.uv, in.uv_bounds.xy, in.uv_bounds.zw);
    let texel = textureSampleLevel(page, page_sampler, uv, 0.0);
    if texel.a < min_alpha {
        discard;
    }
    // White becomes light, black becomes dark. Additive sprites have a light with an alpha of 0.
    let color = texel.rgb * in.light.rgb + (texel.a - texel.rgb) * in.dark;
    return for_target(vec4f(color, texel.a * in.light.a));
}
