//! Converts between sprite sheet formats: the text is rewritten, PNGs are copied byte for byte. If a sheet is only
//! packed or unpacked, its text is copied byte for byte too.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::sync::Arc;

use ::bytes::Bytes;

use crate::convert::repack::repack;
use crate::convert::text::in_memory;
use crate::convert::{
    Body, Content, ConvertError, ConvertOptions, Converted, Files, Note, Opened, OutFile, Repack,
};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::export::safe_name;
use crate::formats::sheet::dialects::Turn;
use crate::formats::sheet::rewrite::{Form, Rewrite, Source, charge_text, load_picture, read};
use crate::formats::sheet::{JsonText, is_packed, is_text, picture_names, read_packed, write_parts};
use crate::formats::table::Family;
use crate::formats::{Input, Loss, best_format};
use crate::limits::Budget;

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

/// The texts of a sheet. They are written when they are needed, because they may be large.
#[derive(Debug)]
pub struct Texts {
    rewrite: Rewrite,
    form: Form,
    images: Vec<String>,
    files: Vec<String>,
}

impl Texts {
    /// Writes the text of a page.
    pub fn write(&self, page: usize, out: &mut dyn Write) -> io::Result<()> {
        self.rewrite.write_text(out, page, self.form, &self.images, &self.files)
    }
}

/// Converts a sheet.
pub fn convert(
    opened: Opened<'_>,
    writer: SheetWriter,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
) -> Result<Converted, ConvertError> {
    write(opened, writer, options, budget).map_err(ConvertError::Input)
}

/// Copies the text, or rewrites it.
fn write(
    opened: Opened<'_>,
    writer: SheetWriter,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
) -> Result<Converted> {
    let Opened { input, source, content, missing_image, has_errors: _ } = opened;
    let lacks_image = missing_image.is_some();
    let premultiplied = is_premultiplied(&content).then_some(Note::Premultiplied);
    if !options.read.layers.is_empty() && best_format(&input.bytes)?.family != Family::Aseprite {
        let message = "the layers of a sheet cannot be selected when it is converted to a sheet; `pchr-view IN -o OUT.json` \
                       draws a new one";
        return Err(Error::unsupported("other-format", Place::inside("/meta/layers"), message));
    }
    // Only the image files are needed, not their decoded pixels.
    drop(content);
    let mut sheet = Source { input: &input, lacks_image, options: &options.read, budget: &mut *budget };
    if options.repack.is_none()
        && let Some(files) = unchanged(&mut sheet, writer, options)?
    {
        let mut converted = Converted::new(source, options.to, files);
        converted.notes.extend(premultiplied);
        return Ok(converted);
    }
    let mut rewrite = read(&mut sheet)?;
    if let Some(how) = options.repack {
        let turn = (Turn::Clockwise, premultiplied.is_some());
        repacked(&mut rewrite, how, turn, budget)?;
    }
    rewrite.charge_writing(writer.form, budget)?;
    let (losses, turned) = (lost(&rewrite, writer), rewrite.turned());
    let files = rewritten(rewrite, writer, options, budget)?;
    let mut converted = Converted::new(source, options.to, files);
    converted.notes.extend(premultiplied);
    converted.notes.extend((turned > 0 && options.repack.is_none()).then_some(Note::Rotated(turned)));
    converted.losses = losses;
    Ok(converted)
}

/// Packs the frames on new pages.
fn repacked(rewrite: &mut Rewrite, how: Repack, turn: (Turn, bool), budget: &mut Budget<'_>) -> Result<()> {
    let gathered = rewrite.gathered(budget)?;
    let (order, parts) = repack(&gathered, how, turn, budget)?;
    rewrite.replace(&parts, &order, budget)
}

/// Returns true if any page is premultiplied.
pub fn is_premultiplied(content: &Content) -> bool {
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
    losses.extend(of_source(rewrite));
    losses
}

/// Returns the losses of reading grids and Aseprite files.
pub fn of_source(rewrite: &Rewrite) -> Vec<Loss> {
    let mut losses = Vec::new();
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
    sheet: &mut Source<'_, '_, '_>,
    writer: SheetWriter,
    options: &ConvertOptions,
) -> Result<Option<Files>> {
    let bytes = &sheet.input.bytes;
    if writer.is_packed && is_text(bytes) {
        return match packed(sheet, options) {
            // A multi-atlas of one image has to be rewritten as a list.
            Err(error) if error.code() == "too-many" => Ok(None),
            files => files.map(Some),
        };
    }
    let is_unpacked = is_packed(bytes) && !writer.is_packed && writer.form == Form::List;
    if is_unpacked && options.preserve_text { unpacked(bytes, options, sheet.budget).map(Some) } else { Ok(None) }
}

/// Packs a text file and its image into one file.
fn packed(sheet: &mut Source<'_, '_, '_>, options: &ConvertOptions) -> Result<Files> {
    let Input { bytes, sidecars } = sheet.input;
    charge_text(bytes.len(), sheet.budget)?;
    let names = picture_names(JsonText::of(bytes), sidecars.own_name())?;
    let picture = load_picture(&names, sheet)?;
    Ok(Files::one(&options.file_name, write_parts(std::slice::from_ref(bytes), &picture)?))
}

/// Unpacks the text and the image of a packed sheet.
fn unpacked(bytes: &Bytes, options: &ConvertOptions, budget: &mut Budget<'_>) -> Result<Files> {
    let packed = read_packed(bytes, &mut Diagnostics::default())?;
    charge_text(packed.json.bytes.len(), budget)?;
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
fn rewritten(
    rewrite: Rewrite,
    writer: SheetWriter,
    options: &ConvertOptions,
    budget: &mut Budget<'_>,
) -> Result<Files> {
    let (form, count) = (writer.form, rewrite.page_count());
    let (pictures, images) = pictures(&rewrite, options)?;
    if writer.is_packed {
        if count != 1 {
            let message = format!("the sheet has {count} images; a .sprsh can contain only one");
            return Err(Error::unsupported("too-many", Place::default(), message));
        }
        let picture = rewrite.picture(0);
        let texts = Texts { rewrite, form, images, files: Vec::new() };
        let text = in_memory(budget, |out| texts.write(0, out))?;
        return Ok(Files::one(&options.file_name, write_parts(&text, &picture)?));
    }
    let texts = if form == Form::Multiatlas { 1 } else { count };
    let of_page =
        |page: usize| if page == 0 { options.file_name.clone() } else { numbered(options, page, "json") };
    let files: Vec<String> = (0..texts).map(of_page).collect();
    let sheet = Arc::new(Texts { rewrite, form, images, files: files.clone() });
    let text = |(page, name)| OutFile { name, body: Body::Sheet { sheet: Arc::clone(&sheet), page } };
    Ok(Files { pictures, files: files.into_iter().enumerate().rev().map(text).collect(), ..Files::default() })
}

/// Returns the name of the file of a page.
fn numbered(options: &ConvertOptions, page: usize, extension: &str) -> String {
    match page {
        0 => format!("{}.{extension}", options.stem()),
        page => format!("{}-{page}.{extension}", options.stem()),
    }
}

/// Returns the images, and the name of the image of each page. An image of several pages is written once.
pub fn pictures(rewrite: &Rewrite, options: &ConvertOptions) -> Result<(Vec<OutFile>, Vec<String>)> {
    let count = rewrite.page_count();
    if count > MAX_PAGES {
        let message = format!("the sheet has {count} images, at most {MAX_PAGES} can be written");
        return Err(Error::unsupported("too-many", Place::default(), message));
    }
    // Pages with the same image share its bytes.
    let mut first: HashMap<(*const u8, usize), usize> = HashMap::new();
    let key = |page: usize| {
        let picture = rewrite.picture(page);
        (picture.as_ptr(), picture.len())
    };
    let sources: Vec<usize> = (0..count).map(|page| *first.entry(key(page)).or_insert(page)).collect();
    let written: Vec<usize> = (0..count).filter(|&page| sources[page] == page).collect();
    // Images keep their names if these are safe and distinct.
    let own: Option<Vec<String>> = written.iter().map(|&page| rewrite.image(page).map(str::to_owned)).collect();
    let is_usable = |names: &Vec<String>| {
        let safe = names.iter().all(|name| safe_name(name) == *name && name.to_lowercase().ends_with(".png"));
        let mut known = HashSet::new();
        safe && names.iter().all(|name| known.insert(name))
    };
    let names = own.filter(is_usable);
    let names = names.unwrap_or_else(|| (0..written.len()).map(|page| numbered(options, page, "png")).collect());
    let named = written.iter().zip(&names);
    let pictures = named.clone().map(|(&page, name)| OutFile::new(name.clone(), rewrite.picture(page))).collect();
    let name_of: HashMap<usize, &String> = named.map(|(&page, name)| (page, name)).collect();
    Ok((pictures, sources.iter().map(|page| name_of[page].clone()).collect()))
}
