//! Converts between sprite sheet formats: the text is rewritten, PNGs are copied byte for byte. If a sheet is only
//! packed or unpacked, its text is copied byte for byte too.

use std::collections::HashSet;

use ::bytes::Bytes;

use crate::convert::{Content, ConvertError, ConvertOptions, Converted, Files, Loss, Note, Opened, OutFile};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::export::safe_name;
use crate::formats::Input;
use crate::formats::sheet::rewrite::{Form, Rewrite, load_picture, read};
use crate::formats::sheet::{Text, header, is_packed, is_text, picture_names, read_packed};

/// Maximum number of pages of a written sheet, since each file refers to all others.
const MAX_PAGES: usize = 1000;

/// A writer of sprite sheets.
#[derive(Clone, Copy)]
pub struct SheetWriter {
    /// Form of the frame list.
    pub form: Form,
    /// Whether text and image are written to one file.
    pub is_packed: bool,
}

/// Converts a sheet.
pub fn convert(
    opened: Opened<'_>,
    writer: SheetWriter,
    options: &ConvertOptions,
) -> Result<Converted, ConvertError> {
    let Opened { input, source, content, lacks_image } = opened;
    let premultiplied = is_premultiplied(&content).then_some(Note::Premultiplied);
    // Only the image files are needed, not their decoded pixels.
    drop(content);
    if let Some(files) = unchanged(&input, writer, lacks_image, options).map_err(ConvertError::Input)? {
        let mut converted = Converted::new(source, options.to, files);
        converted.notes.extend(premultiplied);
        return Ok(converted);
    }
    let rewrite = read(&input, lacks_image, &options.read).map_err(ConvertError::Input)?;
    let files = rewritten(&rewrite, writer, options).map_err(ConvertError::Input)?;
    let mut converted = Converted::new(source, options.to, files);
    converted.notes.extend(premultiplied);
    converted.notes.extend((rewrite.turned() > 0).then(|| Note::Rotated(rewrite.turned())));
    converted.losses = lost(&rewrite, writer);
    Ok(converted)
}

fn is_premultiplied(content: &Content) -> bool {
    match content {
        Content::Document(..) => false,
        Content::Character(character) => character.model().pages().iter().any(|page| page.is_premultiplied),
    }
}

/// Returns the losses: what the form cannot represent.
fn lost(rewrite: &Rewrite, writer: SheetWriter) -> Vec<Loss> {
    let mut losses = Vec::new();
    let renamed = rewrite.renamed();
    if writer.form == Form::Hash && renamed > 0 {
        let message = format!("{renamed} frames have the same name as an earlier frame; a number was appended");
        losses.push(Loss::new("frame-renamed", "/frames", message));
    }
    if rewrite.rounded > 0 {
        let message = format!("the durations of {} frames were rounded to milliseconds", rewrite.rounded);
        losses.push(Loss::new("duration-rounded", "/frames", message));
    }
    if let Some([width, height]) = rewrite.stretched {
        let message = format!("the pixel aspect ratio {width}:{height} was lost; pixels become square");
        losses.push(Loss::new("pixels-squared", "pixelRatio", message));
    }
    losses
}

/// Packs or unpacks a sheet without changing its text. Returns `None` if the text has to be rewritten.
fn unchanged(
    source: &Input<'_>,
    writer: SheetWriter,
    lacks_image: bool,
    options: &ConvertOptions,
) -> Result<Option<Files>> {
    if writer.is_packed && is_text(&source.bytes) {
        return match packed(source, lacks_image, options) {
            // A multi-atlas of one image has to be rewritten as a list.
            Err(error) if error.code() == "too-many" => Ok(None),
            files => files.map(Some),
        };
    }
    let is_unpacked = is_packed(&source.bytes) && !writer.is_packed && writer.form == Form::List;
    if is_unpacked && options.preserve_text { unpacked(&source.bytes, options).map(Some) } else { Ok(None) }
}

/// Packs a text file and its image into one file.
fn packed(source: &Input<'_>, lacks_image: bool, options: &ConvertOptions) -> Result<Files> {
    let text = Text { bytes: &source.bytes, offset: 0 };
    let names = picture_names(text, source.sidecars.own_name())?;
    let picture = load_picture(&names, lacks_image, source, &options.read)?;
    let head = header(&source.bytes, picture.len() as u64)?;
    Ok(Files::one(&options.file_name, [&head[..], &picture[..]].concat()))
}

/// Unpacks the text and the image of a packed sheet.
fn unpacked(bytes: &Bytes, options: &ConvertOptions) -> Result<Files> {
    let packed = read_packed(bytes, &mut Diagnostics::default())?;
    let names = picture_names(packed.text(), None)?;
    // The image keeps its name if possible. Otherwise it gets the name of the JSON file, which readers also try.
    let usual = format!("{}.png", options.stem());
    let is_usable = |own: &String| safe_name(own) == *own && *own != options.file_name;
    let own = names.into_iter().next().filter(is_usable);
    Ok(Files {
        pictures: vec![OutFile::new(own.unwrap_or(usual), packed.image.bytes.clone())],
        files: vec![OutFile::new(options.file_name.clone(), packed.json.bytes.clone())],
        must_not_exist: Vec::new(),
    })
}

/// Returns the images and the text files that refer to them, the main file last.
fn rewritten(rewrite: &Rewrite, writer: SheetWriter, options: &ConvertOptions) -> Result<Files> {
    let (form, stem, count) = (writer.form, options.stem(), rewrite.page_count());
    let numbered = |page: usize, extension: &str| match page {
        0 => format!("{stem}.{extension}"),
        page => format!("{stem}-{page}.{extension}"),
    };
    if count > MAX_PAGES {
        let message = format!("the sheet has {count} images, at most {MAX_PAGES} can be written");
        return Err(Error::unsupported("too-many", Place::default(), message));
    }
    // Images keep their names if these are safe and distinct.
    let own: Option<Vec<String>> = (0..count).map(|page| rewrite.image(page).map(str::to_owned)).collect();
    let is_usable = |names: &Vec<String>| {
        let safe = names.iter().all(|name| safe_name(name) == *name && name.to_lowercase().ends_with(".png"));
        let mut known = HashSet::new();
        safe && names.iter().all(|name| known.insert(name))
    };
    let images = own.filter(is_usable).unwrap_or_else(|| (0..count).map(|page| numbered(page, "png")).collect());
    if writer.is_packed {
        if count != 1 {
            let message = format!("the sheet has {count} images; a .sprsh can contain only one");
            return Err(Error::unsupported("too-many", Place::default(), message));
        }
        let (text, picture) = (rewrite.text(0, form, &images, &[]), rewrite.picture(0));
        let head = header(text.as_bytes(), picture.len() as u64)?;
        return Ok(Files::one(&options.file_name, [&head[..], &picture[..]].concat()));
    }
    let texts = if form == Form::Multiatlas { 1 } else { count };
    let of_page = |page: usize| if page == 0 { options.file_name.clone() } else { numbered(page, "json") };
    let files: Vec<String> = (0..texts).map(of_page).collect();
    let pictures = images.iter().enumerate().map(|(page, name)| OutFile::new(name.clone(), rewrite.picture(page)));
    let texts = files.iter().enumerate().rev();
    let texts = texts.map(|(page, name)| OutFile::new(name.clone(), rewrite.text(page, form, &images, &files)));
    Ok(Files { pictures: pictures.collect(), files: texts.collect(), must_not_exist: Vec::new() })
}
