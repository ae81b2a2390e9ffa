// One page of the atlas, premultiplied before it was uploaded: filtering leaves no dark fringes,
// and the blending is ONE, ONE_MINUS_SRC_ALPHA.

@group(1) @binding(0) var page: texture_2d<f32>;
// Nearest or linear; beyond its edge the page repeats its last pixel.
@group(1) @binding(1) var page_sampler: sampler;

@fragment
fn fs_main(in: SpriteVarying) -> @location(0) vec4f {
    // There are no mipmaps, so level 0 is the page itself.
    return for_target(textureSampleLevel(page, page_sampler, in.uv, 0.0));
}
