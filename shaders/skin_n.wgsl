// Skinned vertices with a list of influences of any length, which contain the positions.

struct SkinNRecord {
    // 0-1, v down.
    @location(0) uv: vec2f,
    // Index into the bound storage buffer, which contains the lists of many meshes.
    @location(1) first_influence: u32,
    @location(2) influence_count: u32,
}

@vertex
fn vs_main(vertex: SkinNRecord, instance: Instance, index: SpriteIndex) -> SpriteVarying {
    let sprite = sprites[instance.sprite_base + index.sprite];
    let from_first = i32(instance.deform_base) + sprite.deform_shift;
    let deform_shift = select(from_first, NO_DEFORM, sprite.deform_shift == NO_DEFORM);
    let skinned = skin_n(vertex.first_influence, vertex.influence_count, instance.palette_base, deform_shift);
    return sprite_varying(instance, sprite, skinned, vertex.uv);
}
