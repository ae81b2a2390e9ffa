//! Invariants of converting sheets of any form to every form of JSON, as `pchr convert` does: they open again with
//! the same frames, positions, durations and animations.

use bytes::Bytes;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::error::{Error, Result};
use pchr::formats::aseprite::is_aseprite;
use pchr::formats::image::PNG_SIGNATURE;
use pchr::formats::sheet::rewrite::{Form, Rewrite, read};
use pchr::formats::sheet::{Grid, header};
use pchr::formats::{Input, ReadOptions, Sidecars, from_input};
use pchr::limits::Limits;
use pchr::model::{Attachment, Vertices};
use pchr::motion::Motion;

use super::opened::{OWN_NAME, input, reopened, within};

/// Maximum number of pages that are written.
const MOST_PAGES: usize = 16;

/// Converts a sheet to every form; a PNG is also cut by a grid.
pub fn rewrite_sheet(bytes: &Bytes, limits: &Limits) {
    for grid in [None, Some(Grid { width: 2, height: 1, count: None })] {
        let mut options = within(limits);
        options.grid = grid;
        let source = input(bytes);
        let Ok(character) = from_input(&source, &options, &mut Diagnostics::default()) else { return };
        let Motion::Flipbook(_) = character.motion() else { return };
        match read(&source, &options) {
            Ok(rewrite) if rewrite.page_count() <= MOST_PAGES => {
                let expected = Facts::of(&character, is_aseprite(bytes));
                every_form(&rewrite, &expected, limits);
            }
            Ok(_) => {}
            // A character opens without an image, but a sheet cannot be written without one.
            Err(error) => {
                let is_misuse = matches!(error, Error::Misuse(_) | Error::Io { .. });
                assert!(!is_misuse && !error.to_string().is_empty(), "{}: {error}", error.code());
            }
        }
    }
}

fn every_form(rewrite: &Rewrite, expected: &Facts, limits: &Limits) {
    let mut limits = limits.clone();
    // The output may be larger than the input.
    limits.file_bytes = u64::MAX;
    let options = within(&limits);
    let is_png = |page| rewrite.picture(page).starts_with(&PNG_SIGNATURE);
    assert!((0..rewrite.page_count()).all(is_png), "an image is not a PNG");
    for form in [Form::List, Form::Hash, Form::Multiatlas] {
        let written = Written::new(rewrite, form);
        let name = format!("{form:?}");
        let Some(back) = written.open(&options, &name) else { continue };
        Facts::of(&back, false).assert_same(expected, rewrite, form);
        if let Some(packed) = written.packed(form) {
            let Some(back) = packed.open(&options, "packed") else { continue };
            Facts::of(&back, false).assert_same(expected, rewrite, form);
        }
        if form == Form::List {
            let again = read(&written.input(), &options);
            let again = again.unwrap_or_else(|error| panic!("the output cannot be converted again: {error}"));
            let again = Written::new(&again, form);
            assert!(again.files == written.files, "converting again changes the files");
        }
    }
}

/// The files of a sheet; the first is the main file.
struct Written {
    files: Vec<(String, Bytes)>,
}

impl Written {
    fn new(rewrite: &Rewrite, form: Form) -> Self {
        let count = rewrite.page_count();
        let texts = if form == Form::Multiatlas { 1 } else { count };
        let text_name = |page: usize| if page == 0 { OWN_NAME.to_owned() } else { format!("{page}.json") };
        let names: Vec<String> = (0..texts).map(text_name).collect();
        let images: Vec<String> = (0..count).map(|page| format!("{page}.png")).collect();
        let text = |(page, name): (usize, &String)| {
            (name.clone(), Bytes::from(rewrite.text(page, form, &images, &names)))
        };
        let mut files: Vec<(String, Bytes)> = names.iter().enumerate().map(text).collect();
        files.extend(images.iter().enumerate().map(|(page, name)| (name.clone(), rewrite.picture(page))));
        Self { files }
    }

    /// Packs the sheet into one file; `None` if it has several pages or is a multi-atlas, which refers to its
    /// images.
    fn packed(&self, form: Form) -> Option<Self> {
        if form == Form::Multiatlas {
            return None;
        }
        let [(name, text), (_, picture)] = &self.files[..] else { return None };
        let head = header(text, picture.len() as u64).expect("it fits");
        Some(Self { files: vec![(name.clone(), [&head[..], picture].concat().into())] })
    }

    fn input(&self) -> Input<'_> {
        Input { bytes: self.files[0].1.clone(), sidecars: self }
    }

    fn open(&self, options: &ReadOptions, name: &str) -> Option<Character> {
        if self.files.is_empty() || self.files[0].1.is_empty() {
            return None;
        }
        reopened(from_input(&self.input(), options, &mut Diagnostics::default()), name)
    }

    fn find(&self, path: &str) -> Result<&Bytes, String> {
        let found = self.files.iter().find(|(name, _)| name == path);
        found.map(|(_, bytes)| bytes).ok_or_else(|| format!("`{path}` was not written"))
    }
}

impl Sidecars for Written {
    fn load(&self, path: &str, _limits: &Limits) -> Result<Result<Bytes, String>> {
        Ok(self.find(path).cloned())
    }

    fn own_name(&self) -> Option<&str> {
        Some(OWN_NAME)
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.find(path).map(|bytes| bytes.len() as u64)
    }
}

/// The observable content of a sheet.
struct Facts {
    /// True if it was flattened from layers.
    is_flattened: bool,
    names: Vec<String>,
    /// For each frame: the corners of its quad, empty if it is invisible.
    quads: Vec<Vec<[f32; 2]>>,
    animations: Vec<Shown>,
}

/// An animation: name, looping, and index and duration of its first frames.
#[derive(Debug, PartialEq)]
struct Shown {
    name: String,
    looping: bool,
    count: u32,
    frames: Vec<(usize, f64)>,
}

/// Maximum number of frames and animations that are compared.
const MOST: usize = 64;

impl Facts {
    fn of(character: &Character, is_flattened: bool) -> Self {
        let Motion::Flipbook(book) = character.motion() else { panic!("it is not a sheet") };
        let model = character.model();
        let animations = model.animations().iter().enumerate().take(MOST).map(|(index, animation)| {
            let strip = book.strip(index).expect("every animation has one");
            let frame = |step: u32| {
                let ms = animation.seconds_at(f64::from(step) + 1.0) - animation.seconds_at(step.into());
                (book.pictures()[strip.entry(step.into())].index(), ms)
            };
            Shown {
                name: animation.name.clone(),
                looping: animation.looping,
                count: animation.frame_count(),
                frames: (0..animation.frame_count().min(MOST as u32)).map(frame).collect(),
            }
        });
        Self {
            is_flattened,
            names: model.attachments().iter().map(|shown| shown.name().to_owned()).collect(),
            quads: model.attachments().iter().map(quad).collect(),
            animations: animations.collect(),
        }
    }

    /// Compares the result with `source`, as far as the form can represent it.
    fn assert_same(&self, source: &Self, rewrite: &Rewrite, form: Form) {
        assert_eq!(self.quads.len(), source.quads.len(), "{form:?}: the number of frames");
        for (index, (a, b)) in self.quads.iter().zip(&source.quads).enumerate() {
            // An empty Aseprite frame becomes a transparent pixel.
            let is_free = rewrite.stretched.is_some() || (source.is_flattened && b.is_empty());
            assert!(a == b || is_free, "{form:?}: frame {index}: {a:?} is not {b:?}");
        }
        let keeps_names = form != Form::Hash || rewrite.renamed() == 0;
        if keeps_names {
            for (index, (a, b)) in self.names.iter().zip(&source.names).enumerate() {
                assert!(a == b || b.is_empty(), "{form:?}: frame {index} is named `{a}`, not `{b}`");
            }
        }
        // Frames without a name get a number, which may be the name of other frames.
        if keeps_names && source.names.iter().all(|name| !name.is_empty()) && rewrite.page_count() == 1 {
            assert_eq!(self.animations.len(), source.animations.len(), "{form:?}: the number of animations");
            for (a, b) in self.animations.iter().zip(&source.animations) {
                let is_same = (&a.name, a.looping, a.count) == (&b.name, b.looping, b.count);
                assert!(is_same && (rewrite.rounded > 0 || a.frames == b.frames), "{form:?}: {a:?} is not {b:?}");
            }
        }
    }
}

/// Returns the corners.
fn quad(attachment: &Attachment) -> Vec<[f32; 2]> {
    match attachment.mesh().map(|mesh| &mesh.vertices) {
        Some(Vertices::SkinN(vertices)) => {
            vertices.iter().flat_map(|vertex| vertex.influences).map(|one| one.position.to_array()).collect()
        }
        Some(Vertices::Skin4(_)) | None => Vec::new(),
    }
}
