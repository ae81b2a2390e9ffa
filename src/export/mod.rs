//! Character → files: which frames, which part of the world, what they are called, and how they
//! are rendered and encoded at the same time.

mod animated;
mod apart;
mod bake;
mod command_line;
mod file;
mod fit;
mod folder;
mod format;
mod frames;
mod leftover;
mod names;
mod opening_skin;
mod options;
mod plan;
mod png;
mod run;
mod seen;
mod sequence;
mod sheet;
mod side;
mod stream;
mod surface;
mod template;
mod unfinished;
mod whole;

pub use animated::{AnimatedFormat, Clip, Destination, Outcome, Rate, lay_on_matte};
pub use apart::{Apart, apart};
pub use bake::{BakeLoss, BakeOptions, Baked, NOTED, bake};
pub use command_line::quoted;
pub use file::{OutputFile, check_free};
pub use fit::{Fit, Padding, Size, bounds_of, choose_view};
pub use folder::OutputFolder;
pub use format::{Format, FormatError};
pub use frames::{FrameSpec, ParseFrameSpecError};
pub use names::{distinct_names, named};
pub use opening_skin::opening_skin;
pub use options::{Backend, Moments, NO_SKIN, RenderOptions};
pub use plan::{
    Plan, Planned, TOO_LARGE_TO_DRAW, TOO_MANY_PICTURES, first_twice, input_name, reels, source_among,
};
pub use png::write_png;
pub use run::{Run, RunError, Written};
pub use seen::Seen;
pub use sequence::{Engine, ExportError, Pipeline, Sequence, Shot};
pub use sheet::{
    PlannedSheet, SEVERAL_PAGES, SheetClip, SheetDurations, SheetFile, SheetFiles, SheetJob, SheetKind,
    SheetLayout, SheetName, SheetNameError, SheetOptions, SheetPlan, SheetProfile, SheetTrim, SheetValues,
    describe as describe_sheet, sheet_ranges,
};
pub use stream::{Drawing, FallBack};
pub use surface::{Additive, Alpha, Background, Surface};
pub use template::{Template, TemplateError, Values, safe_name};
#[cfg(feature = "viewer")]
pub(crate) use unfinished::Temporary;
pub use unfinished::abandon_all;
