//! Conversion of sheets from one form to another. The text is preserved verbatim, including unknown keys. Only
//! names of frames and images change, and PNGs keep their bytes.

mod frames;
mod written;

use std::collections::HashSet;

use ::bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::entries::{self, parse};
use super::loaded_once::LoadedOnce;
use super::loose::Scalar;
use super::parts::{file_name, load_first, names_beside};
use super::sanitized::sanitized;
use super::schema::{self, Pairs};
use super::write::{Duration, Frame, Page, Sheet, TEXT_BYTES, Tag};
use super::{Kind, embedded, grid, packed, restate};
use crate::bytes::room;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::detect::json::JsonText;
use crate::formats::grid::Grid;
use crate::formats::image::{check_decodable, png_size, to_png};
use crate::formats::table::Family;
use crate::formats::{Input, ReadOptions, aseprite, best_format};
use crate::limits::Budget;
use crate::model::Order;

/// The form of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// An array of frames with their names: the JSON array of Aseprite and TexturePacker.
    List,
    /// An object of frames by name: the JSON hash of Aseprite and TexturePacker.
    Hash,
    /// All pages in one file, each with an array of frames: Phaser's multi-atlas.
    Multiatlas,
}

/// Keys and their raw values.
type Fields = Vec<(String, Box<RawValue>)>;

/// A sheet to be converted.
#[derive(Debug)]
pub struct Rewrite {
    pages: Vec<Leaf>,
    /// Number of frames that are stored rotated.
    turned: usize,
    /// Number of frames of a grid whose duration the file cannot represent exactly.
    pub rounded: usize,
    /// Width and height of the pixels of an Aseprite file, if they are not square. Sheets cannot store the ratio.
    pub stretched: Option<[u8; 2]>,
}

/// A page.
#[derive(Debug)]
struct Leaf {
    /// The name of its image, if any.
    image: Option<String>,
    picture: Bytes,
    /// Name and text of each frame. The fields of a frame take several times as much memory as its text.
    frames: Vec<(Option<String>, Box<RawValue>)>,
    meta: Fields,
    /// The keys other than `frames` and `meta`.
    others: Fields,
}

/// Key of the name of a frame in a list.
const NAME: &str = "filename";
/// Keys of `meta` that are rewritten.
const OWN: [&str; 2] = ["image", "related_multi_packs"];
/// Keys of `meta` that describe a page.
const OF_PAGE: [&str; 3] = ["format", "size", "scale"];

/// Units of work for a byte of a converted sheet, counted from the length of its JSON.
const BYTE_WORK: u64 = 8;
/// Memory of the fields of a frame per byte of its text, at most.
const FIELD_BYTES: usize = 16;
/// Longer frames are charged when their fields are read.
const LONG_FRAME: usize = 1 << 16;
/// Memory of a name that must be unique, without its text.
const NAME_BYTES: usize = 128;

/// Reads a sheet that [`formats::from_input`](crate::formats::from_input) accepts. Fails if an image is missing or
/// cannot be decoded, which is only checked if the reader `lacks_image`.
pub fn read(source: &mut Source<'_, '_, '_>) -> Result<Rewrite> {
    let sidecars = LoadedOnce::new(source.input.sidecars);
    let input = &Input { bytes: source.input.bytes.clone(), sidecars: &sidecars };
    let source = &mut Source { input, budget: &mut *source.budget, ..*source };
    let options = source.options;
    let mut rewrite = Rewrite { pages: Vec::new(), turned: 0, rounded: 0, stretched: None };
    let own_name = input.sidecars.own_name().map(str::to_owned);
    if Kind::of(&input.bytes) == Some(Kind::Png)
        && let Some(cut) = options.grid
    {
        let (text, rounded) = of_grid(cut, source)?;
        rewrite.rounded = rounded;
        rewrite.add(&text, Some(input.bytes.clone()), own_name.as_deref(), source)?;
        return Ok(rewrite);
    }
    if best_format(&input.bytes)?.family == Family::Aseprite {
        let flat = aseprite::as_sheet(input, options, source.budget)?;
        rewrite.stretched = flat.pixel;
        rewrite.rounded = flat.rounded;
        for (text, picture) in flat.pages {
            rewrite.add(text.as_bytes(), Some(picture), None, source)?;
        }
        return Ok(rewrite);
    }
    if Kind::of(&input.bytes).is_some_and(Kind::is_dialect) {
        let (pages, rounded) = restate::pages(source)?;
        rewrite.rounded = rounded;
        for (text, picture) in pages {
            rewrite.add(&text, Some(picture), own_name.as_deref(), source)?;
        }
        return Ok(rewrite);
    }
    let related = rewrite.add_file(&input.bytes, own_name.as_deref(), source)?;
    let mut known: HashSet<String> = own_name.into_iter().collect();
    for name in related.iter().map(|name| file_name(name)) {
        if known.insert(name.to_owned()) {
            let bytes = input.sidecars.load(name, &options.limits)?.map_err(missing)?;
            rewrite.add_file(&bytes, Some(name), source)?;
        }
    }
    Ok(rewrite)
}

/// The source of a sheet, and the budget of reading it.
pub(crate) struct Source<'a, 'b, 'l> {
    pub input: &'a Input<'a>,
    /// Whether an image may be one that cannot be decoded.
    pub lacks_image: bool,
    pub options: &'a ReadOptions,
    pub budget: &'b mut Budget<'l>,
}

fn missing(why: String) -> Error {
    Error::malformed("missing-image", Place::inside("/meta"), why)
}

/// Returns the text for a PNG with a grid: numbered frames and one animation of all of them.
fn of_grid(cut: Grid, Source { input, options, budget, .. }: &mut Source<'_, '_, '_>) -> Result<(Vec<u8>, usize)> {
    let gathered = grid::cut(&input.bytes, cut, budget)?;
    let count: usize = gathered.parts.iter().map(|part| part.frames.len()).sum();
    let place = || Place::at("IHDR", 16);
    budget.charge_memory(count as u64, size_of::<Frame>() + TEXT_BYTES, place)?;
    room::<u8>(count * TEXT_BYTES)?;
    let rects = gathered.parts.iter().flat_map(|part| &part.frames).map(|frame| frame.frame);
    let exact = options.fps.filter(|fps| *fps > 0.0).map_or(100.0, |fps| 1000.0 / fps);
    let ms = (exact + 0.5).floor().clamp(1.0, f64::from(u32::MAX)) as u32;
    let frame = |(index, rect): (usize, schema::Rect)| Frame {
        name: index.to_string(),
        page: 0,
        rect: [rect.x.0 as u32, rect.y.0 as u32, rect.w.0 as u32, rect.h.0 as u32],
        offset: [0, 0],
        duration: Duration::Whole(ms),
    };
    let frames: Vec<Frame> = rects.enumerate().map(frame).collect();
    let name = input.sidecars.own_name().unwrap_or("sheet.png");
    let title = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let last = frames.len().saturating_sub(1);
    let tag = Tag { name: title.to_owned(), from: 0, to: last, order: Order::Forward, plays: 0 };
    let (width, height) = png_size(&input.bytes).unwrap_or_default();
    let page = Page { image: name.to_owned(), file: name.to_owned(), size: [width, height] };
    let rounded = if exact == f64::from(ms) { 0 } else { frames.len() };
    let canvas = [cut.width, cut.height];
    let sheet = Sheet { frames, tags: vec![tag], pages: vec![page], canvas, origin: [0, 0], is_hash: false };
    Ok((sheet.json(0).into_bytes(), rounded))
}

/// Charges reading and writing a text whose values are kept as text.
pub(crate) fn charge_text(len: usize, budget: &mut Budget<'_>) -> Result<()> {
    budget.charge_memory(len as u64, 1, Place::default)?;
    budget.charge_work(len as u64, BYTE_WORK, Place::default)
}

impl Rewrite {
    /// Adds the pages of a file and returns the names of further files.
    fn add_file(
        &mut self,
        bytes: &Bytes,
        name: Option<&str>,
        source: &mut Source<'_, '_, '_>,
    ) -> Result<Vec<String>> {
        let missing = || Error::malformed("no-frames", Place::default(), "the image does not describe its frames");
        match Kind::of(bytes) {
            Some(Kind::Packed) => {
                let packed = packed::read(bytes, &mut Diagnostics::default())?;
                let place = || Place::at("image", packed.image.offset);
                let picture = to_png(packed.image.bytes.clone(), source.budget, place)?;
                self.add(&packed.json.bytes, Some(picture), name, source)
            }
            Some(Kind::Png) => {
                let JsonText { text, .. } = embedded::find(bytes).ok_or_else(missing)?;
                self.add(text, Some(bytes.clone()), name, source)
            }
            None
            | Some(
                Kind::Json
                | Kind::Egret
                | Kind::Godot
                | Kind::Starling
                | Kind::Plist
                | Kind::BinaryPlist
                | Kind::Atlas
                | Kind::Unity
                | Kind::SpriteFrames
                | Kind::Character(_),
            ) => self.add(bytes, None, name, source),
        }
    }

    /// Adds the pages of `json`. The image is `inside`, or beside the file.
    fn add(
        &mut self,
        json: &[u8],
        inside: Option<Bytes>,
        name: Option<&str>,
        source: &mut Source<'_, '_, '_>,
    ) -> Result<Vec<String>> {
        charge_text(json.len(), source.budget)?;
        let json = sanitized(JsonText::of(json), source.budget)?;
        let (mut frames, mut textures, mut meta, mut others) = (None, Vec::new(), Vec::new(), Vec::new());
        for (key, value) in entries::object(&json, "", source.budget)? {
            match key.as_str() {
                "frames" => frames = Some(self.list(value, "/frames", source.budget)?),
                "textures" => textures = entries::list(value.get(), "/textures", source.budget)?,
                "meta" => meta = owned(entries::object(value.get(), "/meta", source.budget)?),
                _ => others.push((key, value.to_owned())),
            }
        }
        let image: Option<String> = field(&meta, "image", "/meta/image")?;
        let related: Option<Vec<String>> = field(&meta, "related_multi_packs", "/meta/related_multi_packs")?;
        if let Some(frames) = frames {
            let picture = match inside {
                Some(picture) => picture,
                None => picture(image.as_deref(), name, source)?,
            };
            let image = image.as_deref().map(|image| file_name(image).to_owned());
            let (meta, others) = (std::mem::take(&mut meta), std::mem::take(&mut others));
            self.pages.push(Leaf { image, picture, frames, meta, others });
        }
        for (index, (_, texture)) in textures.into_iter().enumerate() {
            let path = format!("/textures/{index}");
            let texture = entries::object(texture.get(), &path, source.budget)?;
            let found = |name: &str| texture.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
            let image = found("image").map_or(Ok(None), |value| parse::<Option<String>>(value.get(), &path))?;
            let picture = picture(image.as_deref(), None, source)?;
            let frames = found("frames").map_or(Ok(Vec::new()), |value| self.list(value, &path, source.budget))?;
            let of_page = texture.into_iter().filter(|(key, _)| OF_PAGE.contains(&key.as_str()));
            // Metadata of the whole sheet is added to the first page.
            let mut all = owned(of_page.collect());
            all.extend(std::mem::take(&mut meta).into_iter().filter(|(key, _)| !OF_PAGE.contains(&key.as_str())));
            let image = image.as_deref().map(|image| file_name(image).to_owned());
            self.pages.push(Leaf { image, picture, frames, meta: all, others: std::mem::take(&mut others) });
        }
        Ok(related.unwrap_or_default())
    }

    /// Reads frames of either form with their names, and counts those that are rotated.
    fn list(
        &mut self,
        value: &RawValue,
        path: &str,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<(Option<String>, Box<RawValue>)>> {
        let is_list = value.get().trim_start().starts_with('[');
        let read = if is_list { entries::list } else { entries::object };
        let found = read(value.get(), path, budget)?;
        let is_turned = |(key, value): &(String, &RawValue)| key == "rotated" && value.get().trim() == "true";
        let mut frames = Vec::with_capacity(found.len());
        for (key, frame) in found {
            let mut name = (!is_list).then_some(key);
            let fields = fields_of(frame, path, budget)?;
            self.turned += usize::from(fields.iter().any(is_turned));
            // The last duplicate is used, as when reading.
            if let (true, Some((_, value))) = (is_list, fields.iter().rfind(|(key, _)| key == NAME)) {
                name = parse::<Scalar>(value.get(), path)?.into_name();
            }
            frames.push((name, frame.to_owned()));
        }
        Ok(frames)
    }

    /// Returns the number of pages.
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns the name of a page's image in the sheet.
    pub fn image(&self, page: usize) -> Option<&str> {
        self.pages.get(page)?.image.as_deref()
    }

    /// Returns the PNG of a page.
    pub fn picture(&self, page: usize) -> Bytes {
        self.pages.get(page).map(|leaf| leaf.picture.clone()).unwrap_or_default()
    }

    /// Returns the number of rotated frames. They stay rotated, which readers of Aseprite JSON do not support.
    pub fn turned(&self) -> usize {
        self.turned
    }
}

fn owned(fields: Vec<(String, &RawValue)>) -> Fields {
    fields.into_iter().map(|(key, value)| (key, value.to_owned())).collect()
}

/// Reads an optional field.
fn field<T: for<'de> Deserialize<'de>>(fields: &Fields, name: &str, path: &str) -> Result<Option<T>> {
    let found = fields.iter().find(|(key, _)| key == name);
    found.map_or(Ok(None), |(_, value)| parse::<Option<T>>(value.get(), path))
}

/// Loads the image beside a text.
fn picture(image: Option<&str>, own_name: Option<&str>, source: &mut Source<'_, '_, '_>) -> Result<Bytes> {
    let names = names_beside(image, own_name);
    load_picture(&names, source)
}

/// Loads the image that the user named, or else the first of `names` that exists, and converts it to PNG. Checks that
/// it can be decoded if the reader `lacks_image`.
pub fn load_picture(
    names: &[String],
    Source { input, lacks_image, options, budget }: &mut Source<'_, '_, '_>,
) -> Result<Bytes> {
    let mut as_png = |bytes: Bytes, name: &str| {
        let place = || Place::file(escaped(name));
        if *lacks_image {
            check_decodable(&bytes, &options.limits, place)?;
        }
        to_png(bytes, budget, place)
    };
    if let Some(path) = options.image()? {
        return as_png(input.sidecars.load_chosen(path, &options.limits)?, &path.to_string_lossy());
    }
    match load_first(names, input.sidecars, &options.limits)? {
        Ok((bytes, name)) => as_png(bytes, name),
        Err(why) => Err(missing(why.unwrap_or_else(|| "the sheet names no image".to_owned()))),
    }
}

/// Returns the fields of a frame. A value that is not an object becomes an empty frame, so that the others keep their
/// numbers.
fn fields_of<'a>(frame: &'a RawValue, path: &str, budget: &mut Budget<'_>) -> Result<Vec<(String, &'a RawValue)>> {
    if frame.get().len() > LONG_FRAME {
        budget.charge_memory(frame.get().len() as u64, FIELD_BYTES, || Place::inside(path))?;
    }
    if !frame.get().trim_start().starts_with('{') {
        return Ok(Vec::new());
    }
    parse::<Pairs<&RawValue>>(frame.get(), path).map(|Pairs(fields)| fields)
}
