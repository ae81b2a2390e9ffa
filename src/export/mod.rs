//! Character → files: which frames, which part of the world, what they are called, and how they
//! are rendered and encoded at the same time.

mod animated;
mod apart;
mod bake;
mod file;
mod fit;
mod folder;
mod frames;
mod names;
mod png;
mod sequence;
#[cfg(feature = "formats-all")]
mod sheet;
mod stream;
mod surface;
mod template;

pub use animated::{AnimatedFormat, Clip, Destination, Outcome, Rate};
pub use apart::{Apart, apart};
pub use bake::{BakeLoss, BakeOptions, Baked, NOTED, bake};
#[cfg(feature = "viewer")]
pub(crate) use file::temporary;
pub use file::{OutputFile, check_free};
pub use fit::{Fit, Padding, Size, bounds_of, choose_view};
pub use folder::OutputFolder;
pub use frames::{FrameSpec, ParseFrameSpecError};
pub use names::distinct_names;
pub use png::write_png;
pub use sequence::{Engine, ExportError, Pipeline, Sequence, Shot};
#[cfg(feature = "formats-all")]
pub use sheet::{
    SheetClip, SheetDurations, SheetFiles, SheetLayout, SheetName, SheetNameError, SheetOptions, SheetPlan,
    SheetProfile, SheetTrim, SheetValues, describe as describe_sheet,
};
pub use stream::{Drawing, FallBack};
pub use surface::{Alpha, Background, Surface};
pub use template::{Template, TemplateError, Values, safe_name};
