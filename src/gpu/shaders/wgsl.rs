//! The sources of the shaders, each prepended with the code that they share.

macro_rules! shader {
    ($name:literal) => {
        concat!(include_str!("../../../shaders/common.wgsl"), include_str!(concat!("../../../shaders/", $name)))
    };
}

macro_rules! crowd_shader {
    ($($name:literal),*) => {
        concat!(
            include_str!("../../../shaders/common.wgsl"),
            include_str!("../../../shaders/crowd.wgsl"),
            $(include_str!(concat!("../../../shaders/", $name))),*
        )
    };
}

/// The shared code, which includes skinning.
#[cfg(test)]
pub const COMMON: &str = include_str!("../../../shaders/common.wgsl");
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

/// `vs_main` and `fs_main` that fill a target with a picture, with its file name.
pub const BACKDROP: (&str, &str) = ("backdrop.wgsl", include_str!("../../../shaders/backdrop.wgsl"));

/// `vs_main` and `fs_main` for the members of a crowd.
pub const CROWD_DRAW: &str = crowd_shader!("crowd_draw.wgsl");
/// `cs_main` that finds what each member of a crowd shows.
pub const CROWD_PLACE: &str = crowd_shader!("crowd_play.wgsl", "crowd_place.wgsl");
/// `cs_main` that poses the members of a crowd.
pub const CROWD_POSE: &str = crowd_shader!("crowd_play.wgsl", "crowd_pose.wgsl");
/// `cs_main` that finds the places of the visible members of a crowd.
pub const CROWD_SCAN: &str = crowd_shader!("crowd_scan.wgsl");
/// `cs_main` that moves the visible members of a crowd to the front.
pub const CROWD_COMPACT: &str = crowd_shader!("crowd_compact.wgsl");

/// The shaders that draw, with their file names.
pub const ALL: [(&str, &str); 6] = [
    ("skin4.wgsl", SKIN4),
    ("skin_n.wgsl", SKIN_N),
    ("sprite_fs.wgsl", SPRITE_FS),
    ("clip_mask.wgsl", CLIP_MASK),
    ("overlay.wgsl", OVERLAY),
    ("crowd_draw.wgsl", CROWD_DRAW),
];

/// The compute shaders, with their file names.
#[cfg(test)]
pub const COMPUTE: [(&str, &str); 4] = [
    ("crowd_place.wgsl", CROWD_PLACE),
    ("crowd_pose.wgsl", CROWD_POSE),
    ("crowd_scan.wgsl", CROWD_SCAN),
    ("crowd_compact.wgsl", CROWD_COMPACT),
];
