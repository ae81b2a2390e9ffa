//! `pchr convert a.sprsh -o a.json` and back: text and picture stay the bytes that they are.

use std::io::Write;
use std::path::Path;

use ::bytes::Bytes;

use crate::cli::failure::{Failure, warn};
use crate::cli::interrupt::{Watched, Writing};
use crate::cli::load::{bytes_of, sidecars_of};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place};
use crate::export::{OutputFile, OutputFolder, safe_name};
use crate::formats::sheet::{header, picture_names, read_packed};
use crate::formats::{self, Input, ReadOptions};

/// Whether a sheet is packed or unpacked, by the names of the files; an error where something else would be packed.
pub fn is_meant(input: &Path, output: &Path) -> Result<bool, Failure> {
    let is = |path: &Path, name: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(name));
    match (is(input, "sprsh"), is(output, "sprsh")) {
        (true, false) => Ok(is(output, "json")),
        (false, false) => Ok(false),
        (false, true) if is(input, "json") => Ok(true),
        (_, true) => Err(Failure::usage_with_help(
            "only the JSON of a sprite sheet is packed as one",
            "pchr convert hero.json -o hero.sprsh; pchr-view HERO -o hero.sprsh makes a sheet of a character",
        )),
    }
}

/// Packs or unpacks a sheet that can be read.
pub fn run(input: &Path, output: &Path, options: &ReadOptions, force: bool, quiet: bool) -> Result<(), Failure> {
    let reading = |error: Error| Failure::reading(error.in_file(input.display()));
    let bytes = bytes_of(input, &options.limits).map_err(reading)?;
    let sidecars = sidecars_of(input);
    let source = Input { bytes: bytes.clone(), sidecars: &*sidecars };
    let mut diagnostics = Diagnostics::default();
    formats::from_input(&source, options, &mut diagnostics).map_err(reading)?;
    if !quiet {
        diagnostics.warnings().for_each(warn);
    }
    let _writing = Writing::begin();
    if output.extension().is_some_and(|found| found.eq_ignore_ascii_case("sprsh")) {
        let picture = picture_beside(&source, options).map_err(reading)?;
        let head = header(&bytes, picture.len() as u64).map_err(Failure::Output)?;
        let mut file = OutputFile::create(output, force).map_err(Failure::Output)?;
        let written = Watched(&mut file).write_all(&head).and_then(|()| Watched(&mut file).write_all(&picture));
        written.map_err(|error| Failure::Output(Error::io(output.display(), error)))?;
        return file.finish().map_err(Failure::Output);
    }
    let packed = read_packed(&bytes, &mut Diagnostics::default()).map_err(reading)?;
    let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let names = picture_names(packed.text(), None).map_err(reading)?;
    // Under its own name where that is one; a reader looks for that of the JSON as well.
    let usual = format!("{}.png", output.file_stem().unwrap_or_default().to_string_lossy());
    let own = names.into_iter().next().filter(|own| safe_name(own) == *own && *own != name);
    let picture = own.unwrap_or(usual);
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut out = OutputFolder::create(folder, force).map_err(Failure::Output)?;
    out.check_free([picture.as_str(), name.as_str()].into_iter()).map_err(Failure::Output)?;
    for (name, content) in [(&picture, &packed.image.bytes), (&name, &packed.json.bytes)] {
        out.write(name, |file| Watched(file).write_all(content)).map_err(Failure::Output)?;
    }
    out.finish().map_err(Failure::Output)
}

/// The only picture of a sheet whose text is `input`.
fn picture_beside(input: &Input<'_>, options: &ReadOptions) -> Result<Bytes, Error> {
    let text = formats::sheet::Text { bytes: &input.bytes, offset: 0 };
    let mut why = "the sheet names no picture".to_owned();
    for name in picture_names(text, input.sidecars.own_name())? {
        match input.sidecars.load(&name, &options.limits)? {
            Ok(bytes) => return Ok(bytes),
            Err(reason) => why = reason,
        }
    }
    let place = Place { path: "/meta/image".to_owned(), ..Place::default() };
    Err(Error::malformed("missing-image", place, why))
}
