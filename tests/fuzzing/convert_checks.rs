//! Invariants of converting any file that opens to every target that takes it, as `pchr convert` does: the written
//! files open again, lack no image that the source has, and look the same, unless the report states a loss; or the
//! conversion fails with a valid reason.

use std::sync::Arc;

use bytes::Bytes;
use pchr::Character;
use pchr::convert::{self, ConvertError, ConvertOptions, Converted, Files, OutFile};
use pchr::diagnostics::Diagnostics;
use pchr::export::safe_name;
use pchr::formats::image::PNG_SIGNATURE;
use pchr::formats::table::{Target, targets};
use pchr::formats::{Grid, Input, Listing, ReadOptions, Sidecars, format_name, from_input};
use pchr::limits::Limits;
use pchr::{Error, Result};

use super::opened::{Surroundings, reopened, within};
use super::pose_checks::assert_looks_same;
use super::sheet_checks::assert_same_sheet;

/// Name of the written files, without an extension: the same as that of the source, which names its animation.
const STEM: &str = "hero";

/// The same as `spine38`.
const ALIAS: &str = "spine";

/// Converts a file to every target; an image is also cut by a grid. The bytes choose the images beside it, some of
/// which are damaged, and the options.
pub fn convert_everything(bytes: &Bytes, limits: &Limits) {
    let sum = bytes.iter().fold(0_u32, |sum, &byte| sum.rotate_left(5).wrapping_mul(31) ^ u32::from(byte));
    let around = Surroundings::new(sum);
    let mut read = within(limits);
    if bytes.starts_with(&PNG_SIGNATURE) {
        // More frames take long and test no more.
        read.grid = Some(Grid { width: 2, height: 1, count: Some(64), ..Grid::default() });
        read.fps = [None, Some(7.0)][(sum >> 8) as usize % 2];
    }
    let input = Input { bytes: bytes.clone(), sidecars: &around };
    let mut found = Diagnostics::default();
    let Ok(character) = from_input(&input, &read, &mut found) else { return };
    let source = Source { input, character, is_complete: found.missing_image().is_none(), read };
    for target in targets().filter(|target| target.name != ALIAS) {
        source.convert_to(target, sum);
    }
}

/// A file that opens.
struct Source<'a> {
    input: Input<'a>,
    character: Character,
    /// Whether it has all of its images.
    is_complete: bool,
    read: ReadOptions,
}

impl Source<'_> {
    fn convert_to(&self, target: &'static Target, sum: u32) {
        let input = Input { bytes: self.input.bytes.clone(), sidecars: self.input.sidecars };
        let opened = match convert::open(input, &self.read, &mut Diagnostics::default()) {
            Ok(opened) if target.takes(opened.source()) => opened,
            Ok(_) | Err(Error::LimitExceeded(_)) => return,
            Err(error) => panic!("it opens, but not to be converted: {error}"),
        };
        let mut options = ConvertOptions::new(target, format!("{STEM}.{}", target.extension));
        options.preserve_text = sum & 1 > 0;
        options.bakes = sum & 0xe > 0;
        options.allows_missing_images = sum & 0x10 > 0;
        options.read = self.read.clone();
        match opened.convert(&options) {
            Ok(converted) => self.check(&converted, &options),
            Err(error) => self.assert_fair(&error, target),
        }
    }

    /// Asserts that a conversion failed because of a limit, a missing image, or what the format cannot represent.
    fn assert_fair(&self, error: &ConvertError, target: &Target) {
        let (ConvertError::Input(cause) | ConvertError::Incomplete(cause) | ConvertError::Output(cause)) = error
        else {
            panic!("{}: {error}", target.name)
        };
        assert!(!cause.to_string().contains("cannot be read back"), "{}: {error}", target.name);
        let is_fair = matches!(cause, Error::LimitExceeded(_) | Error::Unsupported(_))
            || cause.code() == "not-finite"
            // Readers skip values that are not UTF-8 if nobody needs them; a rewritten text would contain them.
            || cause.code() == "bad-json" && target.is_sheet
            || !self.is_complete && matches!(cause, Error::Malformed(_));
        assert!(is_fair && !error.to_string().is_empty(), "{}: {}: {error}", target.name, cause.code());
    }

    fn check(&self, converted: &Converted, options: &ConvertOptions) {
        let name = converted.to.name;
        let written = Written::new(&converted.files);
        let mut read = self.read.clone();
        // The output may be larger than the input.
        read.limits.file_bytes = u64::MAX;
        read.grid = None;
        // What is written states its rate.
        read.fps = None;
        let mut found = Diagnostics::default();
        let Some(back) = reopened(from_input(&written.input(), &read, &mut found), name) else { return };
        let dropped = ["images-dropped", "no-picture"];
        let drops_images = converted.losses.iter().any(|loss| dropped.contains(&loss.code));
        if let Some(fault) = found.missing_image().filter(|_| self.is_complete && !drops_images) {
            panic!("{name}: an image is missing: {fault}");
        }
        if converted.to.is_sheet {
            let is_aseprite = format_name(&self.input.bytes) == Some("Aseprite sprite");
            assert_same_sheet(&self.character, is_aseprite, &back, converted);
            // A text that is only packed or unpacked is not rewritten, but doing so again may.
            if !options.preserve_text && converted.to.has_separate_images {
                self.assert_settled(&written, options, &read);
            }
        } else if !drops_images {
            assert_looks_same(&self.character, &back, converted);
        }
    }

    /// Asserts that converting a sheet again to the same form changes nothing.
    fn assert_settled(&self, written: &Written, options: &ConvertOptions, read: &ReadOptions) {
        let options = ConvertOptions { read: read.clone(), ..options.clone() };
        let opened = convert::open(written.input(), read, &mut Diagnostics::default());
        let again = opened.map(|opened| opened.convert(&options));
        match again {
            Ok(Ok(again)) => written.assert_same(&Written::new(&again.files)),
            Ok(Err(ConvertError::Input(Error::LimitExceeded(_)))) | Err(Error::LimitExceeded(_)) => {}
            Ok(Err(error)) => panic!("{}: the output cannot be converted again: {error}", options.to.name),
            Err(error) => panic!("{}: the output cannot be opened again: {error}", options.to.name),
        }
    }
}

/// The written files, as a folder. The last one is the main file.
struct Written(Vec<(String, Bytes)>);

impl Written {
    fn new(files: &Files) -> Self {
        let bytes = |file: &OutFile| {
            let mut bytes = Vec::new();
            file.write_to(&mut bytes).expect("memory");
            (file.name.clone(), Bytes::from(bytes))
        };
        let written: Vec<(String, Bytes)> = files.pictures.iter().chain(&files.files).map(bytes).collect();
        for (index, (name, _)) in written.iter().enumerate() {
            assert!(name.split('/').all(|part| safe_name(part) == part), "`{name}` is not a portable name");
            let mut others = written[..index].iter().map(|(other, _)| other).chain(&files.must_not_exist);
            assert!(others.all(|other| !other.eq_ignore_ascii_case(name)), "`{name}` is written twice");
        }
        Self(written)
    }

    #[track_caller]
    fn assert_same(&self, other: &Self) {
        let names = |written: &Self| written.0.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(self), names(other), "converting again");
        for ((name, bytes), (_, other)) in self.0.iter().zip(&other.0) {
            let text = |bytes: &Bytes| String::from_utf8_lossy(bytes).into_owned();
            assert!(bytes == other, "converting again changes `{name}`: {} to {}", text(bytes), text(other));
        }
    }

    fn input(&self) -> Input<'_> {
        let (_, bytes) = self.0.last().expect("a main file");
        Input { bytes: bytes.clone(), sidecars: self }
    }

    fn find(&self, path: &str) -> Result<&Bytes, String> {
        let found = self.0.iter().find(|(name, _)| name == path);
        found.map(|(_, bytes)| bytes).ok_or_else(|| format!("`{path}` was not written"))
    }
}

impl Sidecars for Written {
    fn load(&self, path: &str, _limits: &Limits) -> Result<Result<Bytes, String>> {
        Ok(self.find(path).cloned())
    }

    fn own_name(&self) -> Option<&str> {
        self.0.last().map(|(name, _)| name.as_str())
    }

    fn listing(&self, folder: &str) -> Arc<Listing> {
        let split =
            |name: &str| name.rsplit_once('/').map_or(("".into(), name.into()), |(a, b)| (a.into(), b.into()));
        let names = self.0.iter().map(|(name, _)| split(name)).filter(|(of, _): &(String, String)| of == folder);
        Listing::of_files(names.map(|(_, name)| name)).into()
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.find(path).map(|bytes| bytes.len() as u64)
    }
}
