//! What conversions may lose, by the reason why: a loss report names the same codes.

/// Something that may be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LossKind {
    /// As the loss report has it.
    pub code: &'static str,
    /// What becomes of it.
    pub what: &'static str,
}

const fn loss(code: &'static str, what: &'static str) -> LossKind {
    LossKind { code, what }
}

/// What stored frames of bones cannot say: every character is sampled into them unless it has them already.
pub const SAMPLED: &[LossKind] = &[
    loss("animation-renamed", "An animation has a name that stands for the bind pose; `motion` is added to it."),
    loss("blend-dropped", "A mesh that is added, multiplied or screened is drawn over what is below."),
    loss(
        "bone-detached",
        "A bone below one that is flat at times may become a root, at the same place in every frame.",
    ),
    loss("clip-dropped", "A mesh is drawn whole, not cut by a clip mask."),
    loss(
        "deform-dropped",
        "A mesh that an animation deforms keeps its shape; the report says by how many pixels that is off.",
    ),
    loss("duration-rounded", "An animation takes whole frames; `--fps` says how many a second."),
    loss("events-dropped", "What an animation tells while it plays is not written."),
    loss("shape-dropped", "Paths, points and bounding boxes are not written."),
    loss("skins-dropped", "A file holds one look; `--skin` says which."),
    loss("tint-dropped", "A mesh is drawn as its picture is, not multiplied with a colour."),
    loss(
        "vertices-moved",
        "A mesh is not where it was, because four influences are kept or more vertices were bound in another pose than \
         there are bones for; the report says by how many pixels.",
    ),
];

/// What PCHR v1 and its description cannot say.
pub const V1: &[LossKind] = &[
    loss("images-dropped", "With `--no-image` and where one is not to be had, no image is written."),
    loss(
        "influences-cut",
        "Of more than four influences on a vertex the heaviest four are kept, scaled to the same sum.",
    ),
];

/// What only PCHR v1 and its description say.
pub const NOT_V1: &[LossKind] = &[loss("flags-dropped", "Reserved bits of the file have no place.")];

/// What keys with straight lines between them lose of stored frames.
pub const KEYED: &[LossKind] = &[
    loss("plays-once", "Whether an animation is played once or over and over is left to whoever plays it."),
    loss(
        "vertices-moved",
        "A mesh is more than 0.01 pixels from where it was, where coordinates have more digits than the format.",
    ),
    loss("zero-fps", "At 0 frames a second only the first frame of an animation is written, as it is shown."),
];

/// What bones of SkelForm cannot do.
pub const SKELFORM: &[LossKind] = &[
    loss(
        "bone-detached",
        "Bones that are turned inside a parent of uneven scale become roots; helpers move their vertices to the same \
         places.",
    ),
    loss("no-picture", "With `--no-image`: a mesh without a picture is not drawn."),
];

/// What an older file of SkelForm loses that is written as one of today.
pub const UPGRADED: &[LossKind] = &[
    loss(
        "easing-dropped",
        "Keys without handles are joined by straight lines, whatever word an old file has for how they ease.",
    ),
    loss("editor-dropped", "An `editor.json` that cannot be read is replaced by a plain one."),
    loss(
        "keys-dropped",
        "Keys of a number without a name, as old files have them, are known to nobody and not written.",
    ),
    loss("unknown-dropped", "What means nothing in any version is not written."),
];

/// What the JSON of a sheet cannot say of another sheet.
pub const SHEET: &[LossKind] = &[
    loss("duration-rounded", "Frames of a picture with `--grid` are shown for whole milliseconds."),
    loss(
        "pixels-squared",
        "Pixels of an Aseprite file that are not square become square, because the JSON of a sheet cannot say it.",
    ),
];

/// What an object of frames by their names cannot say.
pub const BY_NAME: &[LossKind] =
    &[loss("frame-renamed", "A frame that is called like another one before it gets a number.")];
