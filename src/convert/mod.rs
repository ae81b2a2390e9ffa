//! Converts characters between formats and reports what is lost.
//!
//! There are two kinds of conversion:
//!
//! * **Baking**: any character is converted to stored frames of bones, which PCHR documents already consist of.
//!   Every baking writer accepts them; `targets` lists the writers.
//! * **Document to document**: the structure is preserved, keys included. The forms of PCHR are converted to each
//!   other, and so are the forms of sprite sheets; SkelForm of any version becomes the current one, and Spine any
//!   supported version and form.
//!
//! [`open()`] reads the file, [`Opened::convert`] returns the output files as data, [`Files::write_into`] writes them.

mod frames;
mod loss;
mod output;
mod packing;
mod repack;
mod rewrite;
mod stepped;
mod targets;
mod text;
mod upgrade;

use std::io::{self, Write};
use std::sync::Arc;

use ::bytes::Bytes;

use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{self, Error, Fault, Result};
use crate::formats::pchr::json::description::Description;
use crate::formats::pchr::json::pachario::Pachario;
use crate::formats::pchr::{self, Bind, Document, Kind};
use crate::formats::table::{self, Source, Target};
use crate::formats::{self, Input, Loss, ReadOptions};
use crate::limits::{Budget, Limits};
use crate::model::UnknownName;

pub use output::{Place, WriteError};
pub use packing::{Packable, PackedImages, open_document};
pub use repack::Repack;
use targets::Writer;

/// Options of a conversion.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// Output format.
    pub to: &'static Target,
    /// Whether a sheet that is only packed or unpacked keeps its text byte for byte.
    pub preserve_text: bool,
    /// Name of the main output file, with its extension.
    pub file_name: String,
    /// Animations to convert, by name or `#index`; all if empty.
    pub animations: Vec<String>,
    /// Skins to apply over the default skin, by name or `#index`. If empty, and the default skin is too, the only
    /// other skin. Of a Spine file that is written as Spine: the skins to write besides the default one, all if empty.
    pub skins: Vec<String>,
    /// Stored frames per second; `None` for the file's rate, or 30.
    pub fps: Option<u16>,
    /// Whether keys may be replaced by samples.
    pub bakes: bool,
    /// How to pack the frames of a sheet again; `None` keeps its pages if the target can store the frames as they are.
    pub repack: Option<Repack>,
    /// Whether to continue if an image is missing.
    pub allows_missing_images: bool,
    /// Options that the source was read with.
    pub read: ReadOptions,
}

impl ConvertOptions {
    /// Converts the whole source to `to`, in a file named `file_name`.
    pub fn new(to: &'static Target, file_name: impl Into<String>) -> Self {
        Self {
            to,
            preserve_text: false,
            file_name: file_name.into(),
            animations: Vec::new(),
            skins: Vec::new(),
            fps: None,
            bakes: true,
            repack: None,
            allows_missing_images: false,
            read: ReadOptions::default(),
        }
    }

    /// Returns the name of the file without its extension.
    fn stem(&self) -> &str {
        let stem = std::path::Path::new(&self.file_name).file_stem().and_then(|stem| stem.to_str());
        stem.unwrap_or_default()
    }
}

/// An output file.
#[derive(Debug, Clone)]
pub struct OutFile {
    /// Path in the output folder, with `/`. Every component is a portable name.
    pub name: String,
    body: Body,
}

/// The contents of an output file.
#[derive(Debug, Clone)]
enum Body {
    /// Parts that follow each other: what the file stores unchanged is not copied.
    Parts(Vec<Bytes>),
    /// JSON that refers to `pictures`. It is larger than its document and therefore only generated while writing.
    Json { document: Arc<Document>, pictures: Vec<String>, form: JsonForm },
    /// The text of a page of a sheet, which is only generated while writing, too.
    Sheet { sheet: Arc<targets::sheets::Texts>, page: usize },
}

/// The JSON forms of stored frames.
#[derive(Debug, Clone, Copy)]
enum JsonForm {
    Description,
    Pachario,
}

impl OutFile {
    fn new(name: impl Into<String>, bytes: impl Into<Bytes>) -> Self {
        Self { name: name.into(), body: Body::Parts(vec![bytes.into()]) }
    }

    /// Returns the contents if they are in memory in one piece, such as an image.
    pub fn bytes(&self) -> Option<&Bytes> {
        match &self.body {
            Body::Parts(parts) => match &parts[..] {
                [bytes] => Some(bytes),
                _ => None,
            },
            Body::Json { .. } | Body::Sheet { .. } => None,
        }
    }

    /// Writes the contents.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.body {
            Body::Parts(parts) => parts.iter().try_for_each(|part| out.write_all(part)),
            Body::Json { document, pictures, form } => match form {
                JsonForm::Description => Description::new(document, pictures).write(out),
                JsonForm::Pachario => Pachario::new(document, pictures).write(out),
            },
            Body::Sheet { sheet, page } => sheet.write(*page, out),
        }
    }
}

/// A set of output files: either all are written or none.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// Images that the other files refer to, and copied atlases. An existing file with the same bytes may be kept.
    pub pictures: Vec<OutFile>,
    /// The other files, the main file last.
    pub files: Vec<OutFile>,
    /// Names of files that must not exist: a reader would mistake them for parts of this character.
    pub must_not_exist: Vec<String>,
}

impl Files {
    /// Creates a set of a single file, whose parts follow each other.
    fn one(name: &str, parts: Vec<Bytes>) -> Self {
        Self { files: vec![OutFile { name: name.to_owned(), body: Body::Parts(parts) }], ..Self::default() }
    }
}

/// Something worth knowing that is not a loss.
#[derive(Debug, Clone, Copy)]
pub enum Note {
    /// The images of a sheet are premultiplied and stay so.
    Premultiplied,
    /// This many frames of a sheet are stored rotated by 90° and stay so.
    Rotated(usize),
    /// The frames of a sheet were packed on a new page, because the target has only one or cannot store their rotation.
    Repacked,
}

/// The result of a conversion, ready to be written.
#[derive(Debug, Clone)]
pub struct Converted {
    /// Input format.
    pub from: &'static Source,
    /// Output format.
    pub to: &'static Target,
    /// Output files.
    pub files: Files,
    /// Everything that was lost.
    pub losses: Vec<Loss>,
    /// Notes about the conversion.
    pub notes: Vec<Note>,
    /// Stored frames per second, if they were sampled.
    pub fps: Option<u16>,
    /// Largest error of a visible vertex in any stored frame, in world pixels, if frames were sampled or converted
    /// to keys, or at any 60th of a second, if a Spine file kept its keys. `None` if it was not measured.
    pub worst_error_px: Option<f32>,
    /// Number of losses from sampling, which come first.
    sampled: usize,
}

impl Converted {
    fn new(from: &'static Source, to: &'static Target, files: Files) -> Self {
        Self {
            from,
            to,
            files,
            losses: Vec::new(),
            notes: Vec::new(),
            fps: None,
            worst_error_px: None,
            sampled: 0,
        }
    }

    /// Returns the losses; of the sampling losses of one mesh in several animations only the worst.
    pub fn main_losses(&self) -> impl Iterator<Item = &Loss> {
        let (sampled, others) = self.losses.split_at(self.sampled);
        loss::worst_of_each(sampled).chain(others)
    }
}

/// The reason why a conversion failed.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The source has no animation or skin of a name in the options.
    #[error(transparent)]
    Unknown(UnknownName),
    /// The source cannot be read, or exceeds a limit.
    #[error(transparent)]
    Input(Error),
    /// An image of the source is missing.
    #[error(transparent)]
    Incomplete(Error),
    /// The output format cannot represent the source.
    #[error(transparent)]
    Output(Error),
}

impl ConvertError {
    /// An error while writing; an exceeded limit is caused by the source.
    fn writing(error: Error) -> Self {
        match error {
            Error::LimitExceeded(_) | Error::Cancelled => Self::Input(error),
            error => Self::Output(error),
        }
    }
}

/// The error of the library that is the reason.
impl From<ConvertError> for Error {
    fn from(error: ConvertError) -> Self {
        match error {
            ConvertError::Unknown(unknown) => unknown.into(),
            ConvertError::Input(error) | ConvertError::Incomplete(error) | ConvertError::Output(error) => error,
        }
    }
}

impl From<UnknownName> for ConvertError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
    }
}

/// A file that was read for conversion.
pub struct Opened<'a> {
    input: Input<'a>,
    source: &'static Source,
    content: Content,
    /// The first missing image, or one that cannot be decoded.
    missing_image: Option<Fault>,
    /// Whether the reader left out parts of animations with errors.
    has_errors: bool,
}

/// The contents of an input file.
enum Content {
    /// Stored frames, in any form of PCHR.
    Document(Box<Document>, Bind),
    /// A character of any other format.
    Character(Box<Character>),
}

/// Returns true if the file of a character is converted to `to` with its keys and skins, at least where `to` can represent
/// them.
pub fn keeps_skins(character: &Character, to: &Target) -> bool {
    rewrite::form_of(character, to).is_some()
}

/// Reads and checks a file of any format.
pub fn open<'a>(input: Input<'a>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Opened<'a>> {
    if formats::is_document(&input.bytes) {
        let (document, bind) = read_verified(&input, options, diagnostics)?;
        let source = table::source(source_name(document.kind)).ok_or_else(no_source)?;
        let content = Content::Document(Box::new(document), bind);
        return Ok(Opened::new(input, source, content, diagnostics));
    }
    let character = formats::from_input(&input, options, diagnostics)?;
    let source =
        formats::format_of(&input.bytes).and_then(|format| format.sources.first()).ok_or_else(no_source)?;
    let content = Content::Character(Box::new(character));
    Ok(Opened::new(input, source, content, diagnostics))
}

/// Reads a document and checks it completely.
fn read_verified(
    input: &Input<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<(Document, Bind)> {
    let mut budget = Budget::new(&options.limits);
    let document = pchr::read_document(input, &mut budget, diagnostics)?;
    let bind = pchr::verify(&document, options, &mut budget, diagnostics)?;
    Ok((document, bind))
}

/// Returns the name of a form in the table of formats.
fn source_name(kind: Kind) -> &'static str {
    match kind {
        Kind::V1 => "pchr",
        Kind::Description => "pchr-json",
        Kind::PacharioJson => "pachario",
        Kind::PackedPachario => "pachario-packed",
    }
}

fn no_source() -> Error {
    Error::unsupported("other-format", error::Place::default(), "files of this format cannot be converted")
}

impl<'a> Opened<'a> {
    fn new(input: Input<'a>, source: &'static Source, content: Content, found: &Diagnostics) -> Self {
        let (missing_image, has_errors) = (found.missing_image().cloned(), found.errors() > 0);
        Self { input, source, content, missing_image, has_errors }
    }
}

impl Opened<'_> {
    /// Returns the format of the file.
    pub fn source(&self) -> &'static Source {
        self.source
    }

    /// Returns the character, unless the file is a PCHR document, whose stored frames are converted without
    /// posing.
    pub fn character(&self) -> Option<&Character> {
        match &self.content {
            Content::Document(..) => None,
            Content::Character(character) => Some(character),
        }
    }

    /// Returns the character, also of a PCHR document.
    ///
    /// # Errors
    ///
    /// Fails if the document exceeds a limit of `options`.
    pub fn into_character(self, options: &ReadOptions) -> Result<Character> {
        match self.content {
            Content::Document(document, _) => {
                pchr::build(&document, options, &mut options.budget(), &mut Diagnostics::default())
            }
            Content::Character(character) => Ok(*character),
        }
    }

    /// Returns the target that `to`, the default for some extension, stands for: if it is a binary Spine skeleton and
    /// the file is a Spine skeleton too, the one of the same version.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read within `limits`.
    pub fn usual_target(&self, to: &'static Target, limits: &Limits) -> Result<&'static Target> {
        match self.character().and_then(|character| rewrite::form_of(character, to)) {
            Some(form) if form.is_binary() => {
                let name = formats::spine::binary_target(&self.input.bytes, limits)?;
                Ok(table::target(name).unwrap_or(to))
            }
            Some(_) | None => Ok(to),
        }
    }

    /// Converts the file.
    pub fn convert(self, options: &ConvertOptions) -> Result<Converted, ConvertError> {
        if !options.to.takes(self.source) {
            let message =
                format!("only sprite sheets can be converted to {}, not {}", options.to.name, self.source.name);
            return Err(ConvertError::Input(Error::unsupported("other-format", error::Place::default(), message)));
        }
        let mut budget = options.read.budget();
        if let Some(converted) = upgrade::upgrade(&self, options)? {
            return Ok(converted);
        }
        if let Some(converted) = rewrite::rewrite(&self, options)? {
            return Ok(converted);
        }
        if let Some(converted) = stepped::convert(&self, options, &mut budget)? {
            return Ok(converted);
        }
        match targets::writer(options.to) {
            Some(Writer::Sheet(sheet)) => targets::sheets::convert(self, sheet, options, &mut budget),
            Some(Writer::Dialect(dialect)) => targets::dialects::convert(self, dialect, options, &mut budget),
            Some(Writer::Baked(writer)) => frames::convert(self, writer, options, &mut budget),
            None => {
                let message = format!("no writer for `{}`", options.to.name);
                Err(ConvertError::Output(Error::misuse("no-writer", message)))
            }
        }
    }
}

/// Returns the JSON Schema of the files that `target` writes, if it has a published one.
#[cfg(feature = "schemas")]
pub fn schema(target: &str, generator: schemars::SchemaGenerator) -> Option<schemars::Schema> {
    match target {
        "pchr-json" => Some(generator.into_root_schema_for::<Description<'_>>()),
        "pachario" => Some(generator.into_root_schema_for::<Pachario<'_>>()),
        _ => None,
    }
}
