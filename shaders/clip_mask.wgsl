// The polygon of a clip mask, which writes the stencil and no colour. Its vertex shader is vs_main of skin_n.wgsl.

@fragment
fn fs_main() -> @location(0) vec4f {
    return vec4f(0.0);
}
