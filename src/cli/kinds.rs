//! The words of `--from` and `--to`.

use clap::ValueEnum;

use crate::formats::pchr::Kind;
use crate::formats::sheet::rewrite::Form;
use crate::motion::Motion;

/// Kinds of files that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SourceArg {
    /// PCHR v1
    Pchr,
    /// The JSON description of PCHR v1
    PchrJson,
    /// Pachario JSON
    Pachario,
    /// JSON and image in one file
    PacharioPacked,
    /// Spine's JSON
    Spine,
    /// SkelForm's archive
    Skelform,
    /// A sprite sheet
    Sheet,
}

impl SourceArg {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pchr => FormatArg::Pchr.name(),
            Self::PchrJson => FormatArg::PchrJson.name(),
            Self::Pachario => FormatArg::Pachario.name(),
            Self::PacharioPacked => FormatArg::PacharioPacked.name(),
            Self::Spine => "spine",
            Self::Skelform => "skelform",
            Self::Sheet => "sheet",
        }
    }

    /// By what moves it.
    pub fn of(motion: &Motion) -> Self {
        match motion {
            // What is stored frame by frame is a document, and was read as one.
            Motion::Sampled(_) => Self::Pchr,
            Motion::Spine(_) => Self::Spine,
            Motion::SkelForm(_) => Self::Skelform,
            Motion::Flipbook(_) => Self::Sheet,
        }
    }
}

/// Kinds of files that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// PCHR v1
    Pchr,
    /// The JSON description of PCHR v1, images beside it
    PchrJson,
    /// Pachario JSON, images beside it
    Pachario,
    /// JSON and image in one file
    PacharioPacked,
    /// Spine 3.8's JSON, atlas and images beside it
    Spine,
    /// An archive of SkelForm 0.7
    Skelform,
    /// A sprite sheet whose JSON lists its frames, PNGs beside it
    Sheet,
    /// The same with an object of frames by their names
    SheetHash,
    /// The same with all pages in one JSON, as Phaser has it
    SheetMultiatlas,
    /// A sprite sheet as .sprsh, JSON and PNG in one file
    SheetPacked,
}

impl FormatArg {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pchr => "pchr",
            Self::PchrJson => "pchr-json",
            Self::Pachario => "pachario",
            Self::PacharioPacked => "pachario-packed",
            Self::Spine => "spine",
            Self::Skelform => "skelform",
            Self::Sheet => "sheet",
            Self::SheetHash => "sheet-hash",
            Self::SheetMultiatlas => "sheet-multiatlas",
            Self::SheetPacked => "sheet-packed",
        }
    }

    /// Whether its pictures lie beside it.
    pub fn is_json(self) -> bool {
        matches!(
            self,
            Self::PchrJson | Self::Pachario | Self::Spine | Self::Sheet | Self::SheetHash | Self::SheetMultiatlas
        )
    }

    /// How the frames of a sheet are listed; `None` where it is none.
    pub fn form(self) -> Option<Form> {
        match self {
            Self::Sheet | Self::SheetPacked => Some(Form::List),
            Self::SheetHash => Some(Form::Hash),
            Self::SheetMultiatlas => Some(Form::Multiatlas),
            Self::Pchr | Self::PchrJson | Self::Pachario | Self::PacharioPacked | Self::Spine | Self::Skelform => {
                None
            }
        }
    }
}

impl From<Kind> for SourceArg {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::V1 => Self::Pchr,
            Kind::Description => Self::PchrJson,
            Kind::PacharioJson => Self::Pachario,
            Kind::PackedPachario => Self::PacharioPacked,
        }
    }
}
