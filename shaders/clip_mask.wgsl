// A polygon that cuts off what is drawn after it: only the stencil is written, no colour.
// Its vertices come from vs_main of skin_n.wgsl, like those of everything else.

@fragment
fn fs_main() -> @location(0) vec4f {
    return vec4f(0.0);
}
