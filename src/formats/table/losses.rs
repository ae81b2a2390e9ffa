//! Possible losses of conversions, by cause. Loss reports use the same codes.

/// A kind of loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossKind {
    /// Code in the loss report.
    pub code: &'static str,
    /// Description.
    pub what: &'static str,
}

const fn loss(code: &'static str, what: &'static str) -> LossKind {
    LossKind { code, what }
}

const PHYSICS_LOOP: LossKind = loss(
    "physics-loop",
    "Physics is not the same in every pass of a loop. The first pass that the next one resembles to 0.05 units is \
     baked, or the last one within a minute; the report states which, and how far bones are from the next or previous \
     pass as pchr plays it. In Spine's own players, the steps of physics depend on the frame rate, and passes can differ \
     more.",
);

/// Losses of stored frames, into which every character is sampled unless it has them already.
pub(crate) const SAMPLED: &[LossKind] = &[
    loss("animation-renamed", "An animation with a name reserved for the bind pose gets the suffix ` motion`."),
    loss(
        "bone-detached",
        "A child of a bone that has zero scale in some frames may become a root bone, at the same place in every \
        frame.",
    ),
    loss(
        "duration-rounded",
        "The duration of an animation is rounded to whole frames; `--fps` sets the frame rate.",
    ),
    loss("skins-dropped", "Only one skin is written; `--skin` selects it."),
    loss("tint-dropped", "A mesh is drawn in the colours of its image, without its tint."),
    loss(
        "vertices-moved",
        "The vertices of a mesh move, because only four influences are kept, or because there are not enough helper \
        bones for vertices that were bound in another pose; the report states the error in pixels.",
    ),
];

/// Losses of stored frames that only Spine files have.
pub(crate) const SAMPLED_SPINE: &[LossKind] = &[
    loss("blend-dropped", "A mesh with additive, multiply or screen blending is drawn with normal blending."),
    loss("clip-dropped", "A mesh is drawn without its clip mask."),
    loss(
        "deform-dropped",
        "A mesh that an animation deforms keeps its shape; the report states the error in pixels.",
    ),
    loss("events-dropped", "Events of animations are not written."),
    PHYSICS_LOOP,
    loss("shape-dropped", "Paths, points and bounding boxes are not written."),
];

/// Losses of formats that store which animations loop.
pub(crate) const LOOPS: &[LossKind] = &[loss(
    "loops-assumed",
    "Spine and SkelForm files do not store which animations loop; all of them are stored as looping.",
)];

/// Losses of PCHR v1 and its description.
pub(crate) const V1: &[LossKind] = &[
    loss("images-dropped", "With `--no-image`, or if an image is missing, no image is written."),
    loss(
        "influences-cut",
        "If a vertex has more than four influences, the four with the largest weights are kept and scaled to the same \
        sum.",
    ),
];

/// Losses of all formats but PCHR v1 and its description.
pub(crate) const NOT_V1: &[LossKind] = &[loss("flags-dropped", "Reserved bits of the file are not written.")];

/// Losses of converting stored frames to linear keys.
pub(crate) const KEYED: &[LossKind] = &[
    loss("plays-once", "Whether an animation loops is not stored; the player decides."),
    loss(
        "vertices-moved",
        "The vertices of a mesh move by more than 0.01 pixels, because the format stores coordinates with fewer \
        digits.",
    ),
    loss(
        "zero-fps",
        "Only the first frame of an animation with a frame rate of 0 is written; the others would never be shown.",
    ),
];

/// Losses of writing a Spine file in another version or form.
pub(crate) const REWRITTEN: &[LossKind] = &[
    loss("alpha-rounded", "The alpha of a key is rounded to 8 bits, in binary skeletons."),
    loss("alpha-undeclared", "An atlas of 3.8 cannot state that pages are premultiplied."),
    loss(
        "audio-dropped",
        "The volume and balance of an event without audio are not written, in binary skeletons.",
    ),
    loss(
        "bone-baked",
        "A bone that the target version poses differently, although no constraint moves it, gets keys, `--fps` of \
        them per second.",
    ),
    loss(
        "bone-moved",
        "A bone that is not baked moves by more than 0.1 units at some time, in any skin; the report states the \
        distance.",
    ),
    loss(
        "clip-changed",
        "A convex clip mask is a plain one before 4.3: it clips with its polygon, and not with the convex hull.",
    ),
    loss("clip-dropped", "An inverse clip mask becomes a bounding box before 4.3: nothing is clipped."),
    loss(
        "colors-rounded",
        "Keys of rgb and alpha at different times are joined; colours between them have 8 bits.",
    ),
    loss(
        "constraint-baked",
        "A constraint that the target lacks or plays differently becomes keys of the bones that it moves, `--fps` of \
        them per second; `--no-bake` refuses such a conversion.",
    ),
    loss("constraint-dropped", "A constraint that is never applied in the version of the source is not written."),
    loss("default-skin", "Bones and constraints of the default skin are not written, in binary skeletons."),
    loss(
        "editor-dropped",
        "Before 4.2, icons, colours of skins, and which parts the editor hides are not written.",
    ),
    loss(
        "hull-changed",
        "The hull of a mesh, which only the editor uses, is changed, because binary skeletons since 4.2 derive the \
        number of triangles from it.",
    ),
    loss(
        "images-dropped",
        "With `--no-image`: missing images are not written. Without an atlas: pictures outside the folder are not \
        written.",
    ),
    loss("inherit-baked", "Before 4.2, keys that change what a bone inherits become keys of the bone."),
    loss(
        "not-compared",
        "The result is not compared with its source if that would take more work than `--limit` allows; then the \
        report states no error.",
    ),
    PHYSICS_LOOP,
    loss(
        "physics-mass",
        "A mass that is too small for binary skeletons is raised to the smallest that they can store.",
    ),
    loss("physics-rate", "The rate of physics is rounded to 0 to 255 steps per second, in binary skeletons."),
    loss(
        "physics-scale",
        "The x scale of physics is changed to one that fits its mode of the y scale, in binary skeletons.",
    ),
    loss("sequence-cut", "Before 4.1, a sequence that would need too many keys holds its last picture."),
    loss("sequence-merged", "Before 4.1, skins with different sequences all show the pictures of the first one."),
    loss(
        "size-dropped",
        "A region without a width or height gets the size 0, because binary skeletons store every size.",
    ),
    loss("slider-dropped", "Before 4.3, only what a slider does to bones is baked."),
    loss("slider-time", "The time of a slider that follows a bone is not written, in binary skeletons."),
    loss(
        "vertices-moved",
        "The vertices of a mesh move by more than 0.01 pixels at some time, in any skin; the report states the error \
        in pixels.",
    ),
];

/// Losses of SkelForm.
pub(crate) const SKELFORM: &[LossKind] = &[
    loss(
        "bone-detached",
        "Bones that are rotated inside a parent with non-uniform scale become root bones; helper bones keep their \
        vertices at the same places.",
    ),
    loss("no-picture", "With `--no-image`: meshes without an image are not drawn."),
];

/// Losses of upgrading an older SkelForm file.
pub(crate) const UPGRADED: &[LossKind] = &[
    loss("easing-dropped", "Keys without handles become linear; the easing names of old files are dropped."),
    loss("editor-dropped", "An invalid `editor.json` is replaced by a minimal one."),
    loss("keys-dropped", "Keys of unknown properties, which old files identify by number, are not written."),
    loss("unknown-dropped", "Values that no version defines are not written."),
];

/// Losses of all sheets.
pub(crate) const SHEET: &[LossKind] = &[loss(
    "pixels-squared",
    "Non-square pixels of an Aseprite file become square, because sheets cannot store their ratio.",
)];

/// Losses of sheets with durations.
pub(crate) const ROUNDED: &[LossKind] =
    &[loss("duration-rounded", "Durations of frames cut with `--grid` are rounded to whole milliseconds.")];

/// Losses of sheets that are not JSON.
pub(crate) const DIALECT: &[LossKind] = &[
    loss("frames-dropped", "Frames that show nothing are not written; in Godot, nor are those of no animation."),
    loss("slices-dropped", "Slices other than the origin are not written."),
];

/// Losses of sheets whose animations are numbered names.
pub(crate) const BY_NUMBER: &[LossKind] = &[
    loss("durations-dropped", "Durations of frames are not stored; the player decides."),
    loss(
        "frame-renamed",
        "Frames are named after their animation and numbered, if there are tags and their names do not state them; \
        names become unique, without characters that the format cannot store.",
    ),
    loss("plays-once", "Whether an animation loops is not stored; the player decides."),
];

/// Losses of sheets whose frames have no origin.
pub(crate) const NO_ORIGIN: &[LossKind] =
    &[loss("origin-dropped", "The origin of frames is not stored; it becomes the upper-left corner.")];

/// Losses of sheets whose frames have no names.
pub(crate) const NAMELESS: &[LossKind] =
    &[loss("frame-renamed", "Names of frames are not stored; they are numbered within their animation.")];

/// Losses of storing frames as an object by name.
pub(crate) const BY_NAME: &[LossKind] =
    &[loss("frame-renamed", "A number is added to the name of a frame if an earlier frame has the same name.")];
