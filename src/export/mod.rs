//! Character → files: selects frames and the visible area, names the files, and renders and encodes them in
//! parallel.

mod animated;
mod area;
mod batch;
pub mod choose;
mod contact;
mod drawing;
mod emptiness;
mod error;
mod ffmpeg;
mod fit;
mod format;
mod frame;
mod frames;
mod name_pattern;
mod names;
mod options;
mod outputs;
mod plan;
mod png;
mod pose_sampling;
mod process;
mod quoted;
mod renderer;
mod run;
mod scene;
mod sequence;
mod sheet;
mod stream;
mod surface;
mod template;
mod visible_animations;
mod whole;

pub(crate) use animated::AnimatedFormat;
pub(crate) use animated::{Clip, Destination, Rate};
pub use animated::{Outcome, preview_on_matte};
pub use batch::{Batch, BatchError, Commit, Observer, Written};
pub(crate) use contact::ContactSheet;
pub use contact::{
    CONTACT_SHEET_FULL, CONTACT_SHEET_SHARED, CONTACT_SHEET_TOO_LARGE, ContactGrid, SharedSheet, SheetPart,
    SheetParts,
};
pub use drawing::Drawing;
pub(crate) use drawing::Pipeline;
pub use emptiness::Emptiness;
pub use error::{ExportError, ParseError};
#[cfg(feature = "convert")]
pub(crate) use fit::bounds_of;
pub(crate) use fit::choose_view;
pub(crate) use fit::simulation_steps;
pub use fit::{Fit, Padding, Size};
pub use format::{Format, FormatError};
pub use frame::GhostPoser;
pub use frames::FrameSpec;
pub use name_pattern::{NamePattern, hidden_meshes};
pub use names::{distinct_names, named};
use options::words;
pub use options::{
    AttachmentSpec, Backend, BoneChange, BoneSpec, LIMITED, Limited, Look, NO_SKIN, NoEffect, Output,
    OverlayChoice, RenderOptions, Subject, Times, TrackSpec, reading_args, values,
};
pub use outputs::{
    FRAME_IN_NAME, Naming, OutputsError, PlannedFile, check_outputs, first_duplicate, sheet_ranges, source_among,
};
pub use plan::{Plan, Planned, TOO_LARGE_TO_DRAW, TOO_MANY_PICTURES, animation_ranges, input_name};
pub use png::write_png;
pub use pose_sampling::{PoseSampling, SampledMotion, SampledPose};
pub use quoted::quoted;
pub use renderer::RendererUnavailable;
pub use run::Run;
pub use sequence::Sequence;
pub(crate) use sequence::Shot;
pub(crate) use sequence::check_animations;
use sheet::{PlannedSheet, SheetJob};
pub use sheet::{
    SEVERAL_PAGES, SheetDurations, SheetKind, SheetLayout, SheetName, SheetOptions, SheetPlan, SheetProfile,
    SheetTrim,
};
#[cfg(test)]
pub(crate) use sheet::{SheetClip, SheetFiles, SheetValues, describe as describe_sheet};
pub use surface::{Additive, Alpha, Background, Surface};
pub use template::{Template, Values, safe_name};
pub use visible_animations::VisibleAnimations;
pub use whole::{OutputFile, OutputFiles, OutputPath, abandon_all, check_not_existing, write_new};

pub use crate::held::confine_writing;
