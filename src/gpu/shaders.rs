//! The shaders, each with what all of them share in front.

macro_rules! shader {
    ($name:literal) => {
        concat!(include_str!("../../shaders/common.wgsl"), include_str!(concat!("../../shaders/", $name)))
    };
}

/// What all of them share: skinning included.
pub const COMMON: &str = include_str!("../../shaders/common.wgsl");
/// `vs_main`: a vertex with four influences.
pub const SKIN4: &str = shader!("skin4.wgsl");
/// `vs_main`: a vertex with a list of influences.
pub const SKIN_N: &str = shader!("skin_n.wgsl");
/// `fs_main`: a page of the atlas.
pub const SPRITE_FS: &str = shader!("sprite_fs.wgsl");
/// `fs_main`: the stencil alone.
pub const CLIP_MASK: &str = shader!("clip_mask.wgsl");
/// `vs_main` and `fs_main`: plain triangles.
pub const OVERLAY: &str = shader!("overlay.wgsl");

/// Every shader with the name of its file.
pub const ALL: [(&str, &str); 5] = [
    ("skin4.wgsl", SKIN4),
    ("skin_n.wgsl", SKIN_N),
    ("sprite_fs.wgsl", SPRITE_FS),
    ("clip_mask.wgsl", CLIP_MASK),
    ("overlay.wgsl", OVERLAY),
];
