//! Invariants of exporting any character that opens to clips and sheets: clips of every format are complete, and
//! sheets open again with the same number of frames.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use pchr::Character;
use pchr::Error;
use pchr::diagnostics::Diagnostics;
use pchr::error::Place;
use pchr::export::{
    BatchError, ExportError, Format, FrameSpec, RenderOptions, Run, SheetLayout, SheetOptions, SheetProfile,
    SheetTrim, Size, Written,
};
use pchr::formats::image::{decode_picture, decode_png};
use pchr::formats::open as open_file;
use pchr::limits::Limits;
use pchr::motion::Motion;

use super::opened::{assert_refused, open, within};

/// Width and height of pictures in pixels.
const SIDE: u32 = 12;

/// Maximum number of pictures; more would not find more.
const MOST_PICTURES: u32 = 5;

/// Draws the first frames as a clip and as a sheet. The number of bytes selects the formats and options.
pub fn export(bytes: &Bytes, limits: &Limits) {
    let Some(character) = open(bytes, limits) else { return };
    let frames =
        character.model().default_animation().map_or(1, |id| character.model().animation(id).frame_count());
    if frames == 0 {
        return;
    }
    let count = frames.min(MOST_PICTURES);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = RenderOptions::default();
    options.subject.interpolate = false;
    options.subject.physics = Some(bytes.len().is_multiple_of(2));
    options.subject.frames = Some(FrameSpec::range(0, count - 1, 1));
    options.look.size = Size::Exact(SIDE, SIDE);
    options.output.jobs = 1;
    let formats: Vec<Format> = Format::ALL
        .into_iter()
        // ffmpeg takes too long.
        .filter(|format| (format.is_animated() || *format == Format::Psd) && !format.is_compressed_video())
        .collect();
    clip(&character, folder.path(), &options, formats[bytes.len() % formats.len()], count);
    options.output.sheet = sheet_options(bytes.len());
    sheet(&character, folder.path(), &options, limits, count);
}

/// Writes a file and returns what was written; `None` if a limit was exceeded.
fn write(
    character: &Character,
    path: &Path,
    options: &RenderOptions,
    format: Format,
) -> Result<Option<Written>, &'static str> {
    let mut options = options.clone();
    options.output.path = Some(path.to_string_lossy().into_owned());
    options.output.format = Some(format);
    let animations: Vec<_> = character.model().default_animation().into_iter().collect();
    let cancelled = &AtomicBool::new(false);
    let run = Run { character, options: &options, animations: &animations, skins: &[], sources: &[], cancelled };
    match run.write(|_| (), &()) {
        Ok(written) => {
            assert!(!written.files.is_empty(), "{format:?}: the export was not cancelled");
            Ok(Some(written))
        }
        Err(BatchError::Export(ExportError::File(Error::Misuse(fault)))) => Err(fault.code),
        Err(BatchError::Export(ExportError::File(error))) => {
            assert_refused(&error);
            Ok(None)
        }
        Err(error) => panic!("{format:?}: {error}"),
    }
}

fn clip(character: &Character, folder: &Path, options: &RenderOptions, format: Format, count: u32) {
    let path = folder.join("clip").with_extension(format.extensions()[0]);
    let written = write(character, &path, options, format).unwrap_or_else(|code| panic!("{format:?}: {code}"));
    if written.is_none() {
        return;
    }
    let bytes = fs::read(&path).expect("it was written");
    let pixels = 4 * (SIDE * SIDE) as usize;
    match format {
        Format::Apng => {
            assert_eq!(decode_png(&bytes, Place::default).expect("an APNG is a PNG").len(), pixels);
        }
        Format::Webp => {
            assert_eq!(decode_picture(&bytes, Place::default).expect("it was written").len(), pixels);
        }
        Format::Gif => assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(b";")),
        Format::Raw => assert_eq!(bytes.len(), pixels * count as usize),
        Format::Y4m => assert!(bytes.starts_with(b"YUV4MPEG2 ")),
        Format::Mp4 | Format::Webm | Format::Mov => panic!("{format:?} needs ffmpeg"),
        Format::Psd => assert!(bytes.starts_with(b"8BPS\0\x01")),
        Format::Png | Format::Sheet => panic!("{format:?} is not animated"),
    }
}

/// Returns a mix of all options.
fn sheet_options(seed: usize) -> SheetOptions {
    let trims = [SheetTrim::None, SheetTrim::Frame, SheetTrim::All];
    SheetOptions {
        profile: SheetProfile::ALL[seed % 3],
        layout: SheetLayout::ALL[seed / 3 % 5],
        trim: trims[seed / 7 % 3],
        merge: (seed / 11).is_multiple_of(2),
        pot: (seed / 13).is_multiple_of(2),
        extrude: (seed / 17 % 3) as u32,
        padding: (seed / 19 % 3) as u32,
        bleed: (seed / 23 % 2) as u32,
        // Some sheets need several pages.
        max_size: [16, 4096][seed / 29 % 2],
        ..SheetOptions::default()
    }
}

fn sheet(character: &Character, folder: &Path, options: &RenderOptions, limits: &Limits, count: u32) {
    let path = folder.join("sheet.json");
    let written = match write(character, &path, options, Format::Sheet) {
        Ok(Some(written)) => written,
        Ok(None) => return,
        // A frame with its margins is larger than a page.
        Err(code) => return assert_eq!(code, "sheet-too-small"),
    };
    let pages = written.files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "png"));
    let mut options = within(limits);
    options.limits.file_bytes = u64::MAX;
    match open_file(&written.files[0], &options, &mut Diagnostics::default()) {
        Ok(back) => {
            let Motion::Flipbook(book) = back.motion() else { panic!("a sheet is not a flipbook") };
            assert_eq!(book.pictures().len(), count as usize);
            assert_eq!(back.model().pages().len(), pages.count());
        }
        Err(error) => assert_refused(&error),
    }
}
