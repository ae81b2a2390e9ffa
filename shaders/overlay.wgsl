// Plain triangles over a character, such as outlines and bones.

struct OverlayVertex {
    // The character's own space, pixels, y up.
    @location(0) position: vec2f,
    // Premultiplied.
    @location(1) color: vec4f,
}

@vertex
fn vs_main(vertex: OverlayVertex, instance: Instance) -> OverlayVarying {
    return OverlayVarying(clip_position(instance, vertex.position), vertex.color);
}

@fragment
fn fs_main(in: OverlayVarying) -> @location(0) vec4f {
    return for_target(in.color);
}
