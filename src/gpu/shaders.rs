//! The sources of the shaders, each prepended with the code that they share.

macro_rules! shader {
    ($name:literal) => {
        concat!(include_str!("../../shaders/common.wgsl"), include_str!(concat!("../../shaders/", $name)))
    };
}

/// The shared code, which includes skinning.
pub const COMMON: &str = include_str!("../../shaders/common.wgsl");
/// `vs_main` for vertices with four influences.
pub const SKIN4: &str = shader!("skin4.wgsl");
/// `vs_main` for vertices with a list of influences.
pub const SKIN_N: &str = shader!("skin_n.wgsl");
/// `fs_main` that samples a page of the atlas.
pub const SPRITE_FS: &str = shader!("sprite_fs.wgsl");
/// `fs_main` for writing the stencil only.
pub const CLIP_MASK: &str = shader!("clip_mask.wgsl");
/// `vs_main` and `fs_main` for plain triangles.
pub const OVERLAY: &str = shader!("overlay.wgsl");

/// All shaders with their file names.
pub const ALL: [(&str, &str); 5] = [
    ("skin4.wgsl", SKIN4),
    ("skin_n.wgsl", SKIN_N),
    ("sprite_fs.wgsl", SPRITE_FS),
    ("clip_mask.wgsl", CLIP_MASK),
    ("overlay.wgsl", OVERLAY),
];
