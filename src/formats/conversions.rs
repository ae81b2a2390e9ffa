//! What each conversion can lose: from every format that is read to every one that is written.
//!
//! A test writes `docs/conversions.md` from this list, and holds what `pchr convert` tells against it.

use Source::{Description, Pachario, PackedPachario, Pchr, Sheet, Skelform, Spine};
use Target as To;

/// What is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// PCHR v1.
    Pchr,
    /// The JSON description of PCHR v1.
    Description,
    /// Pachario JSON.
    Pachario,
    /// JSON and image in one file.
    PackedPachario,
    /// JSON of Spine 3.0 to 3.8.
    Spine,
    /// A sprite sheet.
    Sheet,
    /// An archive of SkelForm 0.2 to 0.8.
    Skelform,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// PCHR v1.
    Pchr,
    /// The JSON description of PCHR v1.
    Description,
    /// Pachario JSON.
    Pachario,
    /// JSON and image in one file.
    PackedPachario,
    /// JSON of Spine 3.8.
    Spine,
    /// An archive of SkelForm 0.7.
    Skelform,
    /// A sprite sheet whose JSON lists its frames.
    Sheet,
    /// A sprite sheet whose JSON has an object of frames.
    SheetHash,
    /// A sprite sheet with all pages in one JSON.
    SheetMultiatlas,
    /// A sprite sheet as `.sprsh`.
    SheetPacked,
}

/// Something that can be lost.
#[derive(Debug, Clone, Copy)]
pub struct Loss {
    /// As the loss report has it.
    pub code: &'static str,
    /// What becomes of it.
    pub what: &'static str,
    /// Of what it can be lost.
    pub from: &'static [Source],
    /// Where it has no place.
    pub to: &'static [Target],
}

impl Source {
    /// Every format that is read.
    pub const ALL: &[Self] = &[Pchr, Description, Pachario, PackedPachario, Spine, Sheet, Skelform];

    /// As `--from` has it.
    pub fn name(self) -> &'static str {
        match self {
            Pchr => "pchr",
            Description => "pchr-json",
            Pachario => "pachario",
            PackedPachario => "pachario-packed",
            Spine => "spine",
            Sheet => "sheet",
            Skelform => "skelform",
        }
    }
}

impl Target {
    /// Every format that is written.
    pub const ALL: &[Self] = &[
        Self::Pchr,
        Self::Description,
        Self::Pachario,
        Self::PackedPachario,
        Self::Spine,
        Self::Skelform,
        Self::Sheet,
        Self::SheetHash,
        Self::SheetMultiatlas,
        Self::SheetPacked,
    ];

    /// Whether it is made of `source`: sheets are made of sheets alone.
    pub fn takes(self, source: Source) -> bool {
        match self {
            Self::Sheet | Self::SheetHash | Self::SheetMultiatlas | Self::SheetPacked => source == Source::Sheet,
            Self::Pchr
            | Self::Description
            | Self::Pachario
            | Self::PackedPachario
            | Self::Spine
            | Self::Skelform => true,
        }
    }

    /// As `--to` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pchr => "pchr",
            Self::Description => "pchr-json",
            Self::Pachario => "pachario",
            Self::PackedPachario => "pachario-packed",
            Self::Spine => "spine",
            Self::Skelform => "skelform",
            Self::Sheet => "sheet",
            Self::SheetHash => "sheet-hash",
            Self::SheetMultiatlas => "sheet-multiatlas",
            Self::SheetPacked => "sheet-packed",
        }
    }
}

/// What a conversion can lose.
pub fn losses(from: Source, to: Target) -> impl Iterator<Item = &'static Loss> {
    // A file of SkelForm that becomes one is not sampled: it loses nothing of what others do.
    let is_upgrade = from == Skelform && to == To::Skelform;
    let is_lost = move |loss: &&Loss| loss.from.contains(&from) && loss.to.contains(&to);
    LOSSES.iter().filter(is_lost).filter(move |loss| is_upgrade == UPGRADES.contains(&loss.code))
}

/// Codes of what only an older file of SkelForm loses that is written anew.
const UPGRADES: &[&str] = &["easing-dropped", "editor-dropped", "keys-dropped", "unknown-dropped"];

const STORED: &[Source] = &[Pchr, Description, Pachario, PackedPachario];
const FRAMES: &[Source] = &[Pchr, Description, Pachario, PackedPachario, Sheet];
const KEYED: &[Source] = &[Spine];
const RIGS: &[Source] = &[Spine, Skelform];
const SAMPLED: &[Source] = &[Spine, Sheet, Skelform];
const V1: &[Target] = &[To::Pchr, To::Description];
const RIGGED: &[Target] = &[To::Pchr, To::Description, To::Pachario, To::PackedPachario, To::Spine, To::Skelform];
const SHEETS: &[Target] = &[To::Sheet, To::SheetHash, To::SheetMultiatlas, To::SheetPacked];
const WITH_KEYS: &[Target] = &[To::Spine, To::Skelform];

const fn loss(code: &'static str, from: &'static [Source], to: &'static [Target], what: &'static str) -> Loss {
    Loss { code, what, from, to }
}

/// Everything that can be lost, in the order of the codes.
pub const LOSSES: &[Loss] = &[
    loss(
        "animation-renamed",
        SAMPLED,
        RIGGED,
        "An animation has a name that stands for the bind pose; `motion` is added to it.",
    ),
    loss(
        "blend-dropped",
        KEYED,
        RIGGED,
        "A mesh that is added, multiplied or screened is drawn over what is below.",
    ),
    loss(
        "bone-detached",
        RIGS,
        RIGGED,
        "A bone below one that is flat at times may become a root, at the same place in every frame.",
    ),
    loss(
        "bone-detached",
        STORED,
        &[To::Skelform],
        "Bones that are turned inside a parent of uneven scale become roots; helpers move their vertices to the same \
         places.",
    ),
    loss("clip-dropped", KEYED, RIGGED, "A mesh is drawn whole, not cut by a clip mask."),
    loss(
        "deform-dropped",
        KEYED,
        RIGGED,
        "A mesh that an animation deforms keeps its shape; the report says by how many pixels that is off.",
    ),
    loss("duration-rounded", SAMPLED, RIGGED, "An animation takes whole frames; `--fps` says how many a second."),
    loss(
        "duration-rounded",
        &[Sheet],
        SHEETS,
        "Frames of a picture with `--grid` are shown for whole milliseconds.",
    ),
    loss(
        "easing-dropped",
        &[Skelform],
        &[To::Skelform],
        "Keys without handles are joined by straight lines, whatever word an old file has for how they ease.",
    ),
    loss(
        "editor-dropped",
        &[Skelform],
        &[To::Skelform],
        "An `editor.json` that cannot be read is replaced by a plain one.",
    ),
    loss("events-dropped", KEYED, RIGGED, "What an animation tells while it plays is not written."),
    loss(
        "flags-dropped",
        &[Pchr, Description],
        &[To::Pachario, To::PackedPachario, To::Spine, To::Skelform],
        "Reserved bits of the file have no place.",
    ),
    loss(
        "frame-renamed",
        &[Sheet],
        &[To::SheetHash],
        "A frame that is called like another one before it gets a number.",
    ),
    loss(
        "images-dropped",
        Source::ALL,
        V1,
        "With `--no-image` and where one is not to be had, no image is written.",
    ),
    loss(
        "influences-cut",
        &[Description, Pachario, PackedPachario, Spine, Skelform],
        V1,
        "Of more than four influences on a vertex the heaviest four are kept, scaled to the same sum.",
    ),
    loss(
        "keys-dropped",
        &[Skelform],
        &[To::Skelform],
        "Keys of a number without a name, as old files have them, are known to nobody and not written.",
    ),
    loss("no-picture", Source::ALL, &[To::Skelform], "With `--no-image`: a mesh without a picture is not drawn."),
    loss(
        "pixels-squared",
        &[Sheet],
        SHEETS,
        "Pixels of an Aseprite file that are not square become square, because the JSON of a sheet cannot say it.",
    ),
    loss(
        "plays-once",
        FRAMES,
        WITH_KEYS,
        "Whether an animation is played once or over and over is left to whoever plays it.",
    ),
    loss("shape-dropped", KEYED, RIGGED, "Paths, points and bounding boxes are not written."),
    loss("skins-dropped", RIGS, RIGGED, "A file holds one look; `--skin` says which."),
    loss("tint-dropped", RIGS, RIGGED, "A mesh is drawn as its picture is, not multiplied with a colour."),
    loss("unknown-dropped", &[Skelform], &[To::Skelform], "What means nothing in any version is not written."),
    loss(
        "vertices-moved",
        RIGS,
        RIGGED,
        "A mesh is not where it was, because four influences are kept or more vertices were bound in another pose than \
         there are bones for; the report says by how many pixels.",
    ),
    loss(
        "vertices-moved",
        FRAMES,
        WITH_KEYS,
        "A mesh is more than 0.01 pixels from where it was, where coordinates have more digits than the format.",
    ),
    loss(
        "zero-fps",
        STORED,
        WITH_KEYS,
        "At 0 frames a second only the first frame of an animation is written, as it is shown.",
    ),
];
