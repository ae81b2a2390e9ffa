//! Characters of one format → files of another, and what that loses.
//!
//! Two kinds of conversion meet here:
//!
//! * **Baking**: any character becomes stored frames of bones, which is what documents of PCHR have from the
//!   start. Each baking writer takes any of these: `targets` lists them.
//! * **Document to document**: what a format says stays as it says it. Sprite sheets become each other, and SkelForm
//!   becomes SkelForm of today with all of its keys.
//!
//! [`open`] reads the file, [`Opened::convert`] gives what is to be written as data: nothing here touches the file system.

mod frames;
mod loss;
mod targets;
mod upgrade;

use std::io::{self, Write};
use std::sync::Arc;

use ::bytes::Bytes;

use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::pchr::json::description::Description;
use crate::formats::pchr::json::pachario::Pachario;
use crate::formats::pchr::{self, Bind, Document, Kind};
use crate::formats::table::{self, Source, Target};
use crate::formats::{self, Input, ReadOptions};
use crate::limits::Budget;
use crate::model::UnknownName;

pub use loss::Loss;
use targets::Writer;

/// What is written, and from how much of the source.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    /// What to write.
    pub to: &'static Target,
    /// A sheet that is only packed or unpacked keeps its text, byte for byte.
    pub keeps_text: bool,
    /// The name of the file that names the others, with its extension.
    pub file_name: String,
    /// The animations to keep, by name or `#index`; empty: all.
    pub animations: Vec<String>,
    /// The skins to wear over the default one, by name or `#index`; empty: the only other one, where the default skin is
    /// empty.
    pub skins: Vec<String>,
    /// Stored frames a second; `None`: the file's rate, or 30.
    pub fps: Option<u16>,
    /// Go on without images that are not to be had.
    pub allows_missing_images: bool,
    /// How the source was read.
    pub read: ReadOptions,
}

impl ConvertOptions {
    /// Everything of the source as `to`, in a file called `file_name`.
    pub fn new(to: &'static Target, file_name: impl Into<String>) -> Self {
        Self {
            to,
            keeps_text: false,
            file_name: file_name.into(),
            animations: Vec::new(),
            skins: Vec::new(),
            fps: None,
            allows_missing_images: false,
            read: ReadOptions::default(),
        }
    }

    /// The name of the file without its extension.
    fn stem(&self) -> &str {
        let stem = std::path::Path::new(&self.file_name).file_stem().and_then(|stem| stem.to_str());
        stem.unwrap_or_default()
    }
}

/// A file that is to be written.
#[derive(Debug, Clone)]
pub struct OutFile {
    /// Its name, in the folder of the output.
    pub name: String,
    body: Body,
}

/// What a file holds.
#[derive(Debug, Clone)]
enum Body {
    Bytes(Bytes),
    /// JSON that names these pictures. It is larger than the document that it is made of, and made while it is written.
    Json {
        document: Arc<Document>,
        pictures: Vec<String>,
        form: JsonForm,
    },
}

/// How stored frames are written as JSON.
#[derive(Debug, Clone, Copy)]
enum JsonForm {
    Description,
    Pachario,
}

impl OutFile {
    fn new(name: impl Into<String>, bytes: impl Into<Bytes>) -> Self {
        Self { name: name.into(), body: Body::Bytes(bytes.into()) }
    }

    /// All of it, where it is in memory. Pictures are.
    pub fn bytes(&self) -> Option<&Bytes> {
        match &self.body {
            Body::Bytes(bytes) => Some(bytes),
            Body::Json { .. } => None,
        }
    }

    /// Writes all of it.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.body {
            Body::Bytes(bytes) => out.write_all(bytes),
            Body::Json { document, pictures, form } => match form {
                JsonForm::Description => Description::new(document, pictures).write(out),
                JsonForm::Pachario => Pachario::new(document, pictures).write(out),
            },
        }
    }
}

/// Files that belong together: all of them are written or none.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The pictures that the other files name. One that is there already, with the same bytes, may stay.
    pub pictures: Vec<OutFile>,
    /// The other files. The one that names all others comes last.
    pub files: Vec<OutFile>,
    /// Names of files that must not exist: they would be taken for parts of this character.
    pub absent: Vec<String>,
}

impl Files {
    /// One file with everything in it.
    fn one(name: &str, bytes: impl Into<Bytes>) -> Self {
        Self { files: vec![OutFile::new(name, bytes)], ..Self::default() }
    }
}

/// Something worth knowing that is no loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// The pictures of a sheet are premultiplied, and stay so.
    StaysPremultiplied,
    /// So many frames of a sheet are stored turned by a quarter, and stay so.
    StayTurned(usize),
}

/// A conversion that is about to be written.
#[derive(Debug, Clone)]
pub struct Converted {
    /// What was read.
    pub from: &'static Source,
    /// What is written.
    pub to: &'static Target,
    /// The files.
    pub files: Files,
    /// Everything that they do not say.
    pub losses: Vec<Loss>,
    /// What else is worth knowing.
    pub notes: Vec<Note>,
    /// Stored frames a second, where they were sampled.
    pub fps: Option<u16>,
    /// By how many world pixels the worst vertex is off that is drawn in a stored frame; where frames were sampled or
    /// made keys of.
    pub worst_error_px: Option<f32>,
    /// How many of the losses come from sampling. They are the first.
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

    /// The losses, but of what sampling loses of one mesh in several animations only the worst.
    pub fn main_losses(&self) -> impl Iterator<Item = &Loss> {
        let (sampled, others) = self.losses.split_at(self.sampled);
        loss::worst_of_each(sampled).chain(others)
    }
}

/// Why a conversion fails.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The source has no animation or skin of a name that the options have.
    #[error(transparent)]
    Unknown(UnknownName),
    /// The source cannot be read, or asks for more than the limits allow.
    #[error(transparent)]
    Input(Error),
    /// The source lacks an image.
    #[error(transparent)]
    Incomplete(Error),
    /// The target cannot say it.
    #[error(transparent)]
    Output(Error),
}

impl ConvertError {
    /// While writing: what a limit forbids is asked for by the source.
    fn writing(error: Error) -> Self {
        match error {
            Error::LimitExceeded(_) => Self::Input(error),
            error => Self::Output(error),
        }
    }
}

impl From<UnknownName> for ConvertError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
    }
}

/// A file that was read to be converted.
pub struct Opened<'a> {
    input: Input<'a>,
    source: &'static Source,
    content: Content,
}

/// What a file holds.
enum Content {
    /// Stored frames, in a form of PCHR.
    Document(Box<Document>, Bind),
    /// A character of any other format.
    Character(Box<Character>),
}

/// Reads a file of any format, and checks all of it.
pub fn open<'a>(input: Input<'a>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Opened<'a>> {
    if formats::is_document(&input.bytes) {
        let mut budget = Budget::new(&options.limits);
        let document = pchr::read_document(&input, &mut budget, diagnostics)?;
        let bind = pchr::verify(&document, options, &mut budget, diagnostics)?;
        let source = source_of(document.kind)?;
        return Ok(Opened { input, source, content: Content::Document(Box::new(document), bind) });
    }
    let character = formats::from_input(&input, options, diagnostics)?;
    let source =
        formats::format_of(&input.bytes).and_then(|format| format.sources.first()).ok_or_else(no_source)?;
    Ok(Opened { input, source, content: Content::Character(Box::new(character)) })
}

fn source_of(kind: Kind) -> Result<&'static Source> {
    let name = match kind {
        Kind::V1 => "pchr",
        Kind::Description => "pchr-json",
        Kind::PacharioJson => "pachario",
        Kind::PackedPachario => "pachario-packed",
    };
    table::source(name).ok_or_else(no_source)
}

fn no_source() -> Error {
    Error::unsupported("other-format", Place::default(), "files of this format are not converted")
}

impl Opened<'_> {
    /// What the file is.
    pub fn source(&self) -> &'static Source {
        self.source
    }

    /// The character, where the file is none of PCHR, whose stored frames are not posed for a conversion.
    pub fn character(&self) -> Option<&Character> {
        match &self.content {
            Content::Document(..) => None,
            Content::Character(character) => Some(character),
        }
    }

    /// Converts it.
    pub fn convert(self, options: &ConvertOptions) -> Result<Converted, ConvertError> {
        if !options.to.takes(self.source) {
            let message = format!("{} is made of sprite sheets, not of {}", options.to.name, self.source.name);
            return Err(ConvertError::Input(Error::unsupported("other-format", Place::default(), message)));
        }
        if let Some(converted) = upgrade::upgrade(&self, options)? {
            return Ok(converted);
        }
        match targets::writer(options.to) {
            Some(Writer::Sheet(sheet)) => targets::sheets::convert(self, sheet, options),
            Some(Writer::Baked(writer)) => frames::convert(self, writer, options),
            None => {
                let message = format!("there is no writer for `{}`", options.to.name);
                Err(ConvertError::Output(Error::misuse("no-writer", message)))
            }
        }
    }
}

/// The JSON description of `document` in a file called `file_name`, with its pictures.
pub fn description(document: Arc<Document>, file_name: &str) -> Result<Files, ConvertError> {
    targets::packed::json(document, file_name, JsonForm::Description)
}
