//! Render options as plain data: what to render, how it looks and where it is written. The command line is
//! parsed into these structs; the window starts from them and its export dialog edits them.
//! [`RenderOptions::to_args`] converts them back, so the three never differ in what they can do.
//!
//! Enters: words of a command line. Leaves: [`RenderOptions`], and the same words.

mod area;
mod background;
mod command_line;
mod contact_grid;
mod effects;
mod format;
mod frame_spec;
mod look;
mod name_pattern;
mod named;
mod output;
mod overlay_choice;
mod parts;
mod psd;
mod quoted;
mod reading;
mod render;
mod sheet;
mod sheet_name;
mod stage;
mod subject;
mod surface;
mod table;
mod template;
mod track;
pub mod values;
mod words;

pub use area::{Fit, Padding, Size};
pub use background::{Background, BackgroundFit, BackgroundPicture};
pub use contact_grid::ContactGrid;
pub use effects::{LIMITED, Limited, NoEffect};
pub use format::{AnimatedFormat, Container, Format, FormatError, Transparency, WHITE};
pub use frame_spec::FrameSpec;
pub use look::{Backend, Look};
pub use name_pattern::{NamePattern, hidden_meshes};
pub use named::named;
pub use output::Output;
pub use overlay_choice::OverlayChoice;
pub use parts::{AttachmentSpec, BoneChange, BoneSpec};
pub use psd::PsdGroups;
pub use quoted::quoted;
pub use reading::reading_args;
pub use render::RenderOptions;
pub use sheet::{SheetDurations, SheetKind, SheetLayout, SheetOptions, SheetProfile, SheetTrim};
pub use sheet_name::{SheetName, SheetValues};
pub use stage::StagedCharacter;
pub use subject::{NO_SKIN, Subject, Times};
pub use surface::{Additive, Alpha, Surface};
pub use template::{Template, Values, safe_name};
pub use track::TrackSpec;
