// Skinned vertices with four influences, in the 40 bytes that a PCHR v1 file stores.

struct Skin4Vertex {
    // Bind-pose world pixels, y up.
    @location(0) position: vec2f,
    // 0-1, v down.
    @location(1) uv: vec2f,
    @location(2) bone_ids: vec4u,
    // As authored: not normalised; negative weights count as 0.
    @location(3) weights: vec4f,
}

@vertex
fn vs_main(vertex: Skin4Vertex, instance: Instance, index: SpriteIndex) -> SpriteVarying {
    let sprite = sprites[instance.sprite_base + index.sprite];
    let skinned = skin4(vertex.position, vertex.bone_ids, vertex.weights, instance.palette_base);
    return sprite_varying(instance, sprite, skinned, vertex.uv);
}
