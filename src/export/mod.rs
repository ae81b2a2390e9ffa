//! Character → files: selects frames and the visible area, names the files, and renders and encodes them in
//! parallel.
//!
//! The folders are the stages, in this order: `files` (complete files or none), `options`, `plan`, `frames`, `encode` and
//! `commit`. None imports a later one.

mod commit;
mod encode;
mod error;
mod files;
mod frames;
mod options;
mod plan;

pub use commit::{Batch, BatchError, Commit, Observer, Run, Written};
#[cfg(feature = "convert")]
pub(crate) use encode::packing;
pub use encode::{
    Outcome, SEVERAL_PAGES, SharedSheet, SheetPart, SheetParts, SheetPlan, preview_on_matte, write_png,
};
pub use error::{ExportError, ParseError};
pub use files::{OutputFile, OutputFiles, OutputPath, abandon_all, check_not_existing, write_new};
pub use frames::{
    Drawing, GhostPoser, PoseSampling, RendererUnavailable, SampledMotion, SampledPose, Sequence,
    VisibleAnimations,
};
pub use options::{
    Additive, Alpha, AttachmentSpec, Backend, Background, BackgroundFit, BackgroundPicture, BoneChange, BoneSpec,
    ContactGrid, Fit, Format, FormatError, FrameSpec, LIMITED, Limited, Look, NO_SKIN, NamePattern, NoEffect,
    Output, OverlayChoice, Padding, PsdGroups, RenderOptions, SheetDurations, SheetKind, SheetLayout, SheetName,
    SheetOptions, SheetProfile, SheetTrim, Size, StagedCharacter, Subject, Surface, Template, Times, TrackSpec,
    Values, hidden_meshes, named, quoted, reading_args, safe_name, values,
};
pub use plan::{
    CONTACT_SHEET_FULL, CONTACT_SHEET_SHARED, CONTACT_SHEET_TOO_LARGE, Emptiness, FRAME_IN_NAME, Naming,
    OutputsError, Plan, Planned, PlannedFile, TOO_LARGE_TO_DRAW, TOO_MANY_PICTURES, animation_ranges,
    check_outputs, choose, distinct_names, first_duplicate, input_name, row, sheet_ranges, source_among,
};

#[cfg(test)]
pub(crate) use {
    encode::{Clip, ContactSheet, Destination, Rate, SheetClip, SheetFiles, Shot, describe as describe_sheet},
    frames::Pipeline,
    options::{AnimatedFormat, SheetValues},
};

pub use crate::held::confine_writing;
