//! Conversion of sheets from one form to another. The text is preserved verbatim, including unknown keys. Only
//! names of frames and images change, and PNGs keep their bytes.

use std::collections::HashSet;
use std::fmt::Write as _;

use ::bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::loose::Scalar;
use super::parts::{Picture, beside, file_name};
use super::schema::Pairs;
use super::text::{self, Text};
use super::write::{Duration, Frame, Page, Sheet, Tag, quoted};
use super::{Kind, embedded, grid, packed, restate};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::free_names::FreeNames;
use crate::formats::grid::Grid;
use crate::formats::image::{check_decodable, png_size, to_png};
use crate::formats::source::read_file;
use crate::formats::{Input, ReadOptions, table};
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
    /// Whether an image may be one that cannot be decoded.
    lacks_image: bool,
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
    frames: Vec<(Option<String>, Fields)>,
    meta: Fields,
    /// The keys other than `frames` and `meta`.
    others: Fields,
}

/// Keys of `meta` that are rewritten.
const OWN: [&str; 2] = ["image", "related_multi_packs"];
/// Keys of `meta` that describe a page.
const OF_PAGE: [&str; 3] = ["format", "size", "scale"];

/// Reads a sheet that [`formats::from_input`](crate::formats::from_input) accepts. Fails if an image is missing or
/// cannot be decoded, which is only checked if the reader `lacks_image`.
pub fn read(input: &Input<'_>, lacks_image: bool, options: &ReadOptions) -> Result<Rewrite> {
    let mut rewrite = Rewrite { pages: Vec::new(), lacks_image, rounded: 0, stretched: None };
    let own_name = input.sidecars.own_name().map(str::to_owned);
    if Kind::of(&input.bytes) == Some(Kind::Png)
        && let Some(cut) = options.grid
    {
        let (text, rounded) = of_grid(input, cut, options)?;
        rewrite.rounded = rounded;
        rewrite.add(&text, Some(input.bytes.clone()), own_name.as_deref(), input, options)?;
        return Ok(rewrite);
    }
    if let Some(flat) = table::as_sheet(input, options)? {
        rewrite.stretched = flat.pixel;
        rewrite.rounded = flat.rounded;
        for (text, picture) in flat.pages {
            rewrite.add(text.as_bytes(), Some(picture), None, input, options)?;
        }
        return Ok(rewrite);
    }
    match Kind::of(&input.bytes) {
        Some(Kind::Egret | Kind::Starling | Kind::Plist | Kind::BinaryPlist | Kind::Atlas) => {
            for (text, picture) in restate::pages(input, lacks_image, options)? {
                rewrite.add(&text, Some(picture), own_name.as_deref(), input, options)?;
            }
            return Ok(rewrite);
        }
        Some(Kind::Json | Kind::Packed | Kind::Png) | None => {}
    }
    let related = rewrite.add_file(&input.bytes, own_name.as_deref(), input, options)?;
    let mut known: HashSet<String> = own_name.into_iter().collect();
    for name in related.iter().map(|name| file_name(name)) {
        if known.insert(name.to_owned()) {
            let bytes = input.sidecars.load(name, &options.limits)?.map_err(missing)?;
            rewrite.add_file(&bytes, Some(name), input, options)?;
        }
    }
    Ok(rewrite)
}

fn missing(why: String) -> Error {
    let place = Place { path: "/meta".to_owned(), ..Place::default() };
    Error::malformed("missing-image", place, why)
}

fn parse<T: DeserializeOwned>(json: &str, path: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| {
        Error::malformed("bad-json", Place { path: path.to_owned(), ..Place::default() }, error.to_string())
    })
}

/// Returns the text for a PNG with a grid: numbered frames and one animation of all of them.
fn of_grid(input: &Input<'_>, cut: Grid, options: &ReadOptions) -> Result<(Vec<u8>, usize)> {
    let gathered = grid::cut(&input.bytes, cut, &mut Budget::new(&options.limits))?;
    let rects = gathered.parts.iter().flat_map(|part| &part.frames).map(|frame| frame.frame);
    let exact = options.fps.filter(|fps| *fps > 0.0).map_or(100.0, |fps| 1000.0 / fps);
    let ms = (exact + 0.5).floor().clamp(1.0, f64::from(u32::MAX)) as u32;
    let frame = |(index, rect): (usize, super::schema::Rect)| Frame {
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

impl Rewrite {
    /// Adds the pages of a file and returns the names of further files.
    fn add_file(
        &mut self,
        bytes: &Bytes,
        name: Option<&str>,
        input: &Input<'_>,
        options: &ReadOptions,
    ) -> Result<Vec<String>> {
        let missing = || Error::malformed("no-frames", Place::default(), "the image does not describe its frames");
        match Kind::of(bytes) {
            Some(Kind::Packed) => {
                let packed = packed::read(bytes, &mut Diagnostics::default())?;
                let place = || Place::at("image", packed.image.offset);
                let picture = to_png(packed.image.bytes.clone(), &mut Budget::new(&options.limits), place)?;
                self.add(&packed.json.bytes, Some(picture), name, input, options)
            }
            Some(Kind::Png) => {
                let Text { bytes: text, .. } = embedded::find(bytes).ok_or_else(missing)?;
                self.add(text, Some(bytes.clone()), name, input, options)
            }
            Some(Kind::Json | Kind::Egret | Kind::Starling | Kind::Plist | Kind::BinaryPlist | Kind::Atlas)
            | None => self.add(bytes, None, name, input, options),
        }
    }

    /// Adds the pages of `json`. The image is `inside`, or beside the file.
    fn add(
        &mut self,
        json: &[u8],
        inside: Option<Bytes>,
        name: Option<&str>,
        input: &Input<'_>,
        options: &ReadOptions,
    ) -> Result<Vec<String>> {
        let json = text::sanitized(Text { bytes: json, offset: 0 }, &mut Budget::new(&options.limits))?;
        let Pairs(root) = parse::<Pairs<Box<RawValue>>>(&json, "")?;
        let (mut frames, mut textures, mut meta, mut others) = (None, Vec::new(), Vec::new(), Vec::new());
        for (key, value) in root {
            match key.as_str() {
                "frames" => frames = Some(list(&value, "/frames")?),
                "textures" => textures = parse(value.get(), "/textures")?,
                "meta" => meta = parse::<Pairs<Box<RawValue>>>(value.get(), "/meta")?.0,
                _ => others.push((key, value)),
            }
        }
        let image: Option<String> = field(&meta, "image", "/meta/image")?;
        let related: Option<Vec<String>> = field(&meta, "related_multi_packs", "/meta/related_multi_packs")?;
        if let Some(frames) = frames {
            let picture = match inside {
                Some(picture) => picture,
                None => picture(image.as_deref(), name, self.lacks_image, input, options)?,
            };
            let image = image.as_deref().map(|image| file_name(image).to_owned());
            let (meta, others) = (std::mem::take(&mut meta), std::mem::take(&mut others));
            self.pages.push(Leaf { image, picture, frames, meta, others });
        }
        for (index, Pairs(texture)) in textures.into_iter().enumerate() {
            let texture: Fields = texture;
            let path = format!("/textures/{index}");
            let image: Option<String> = field(&texture, "image", &path)?;
            let picture = picture(image.as_deref(), None, self.lacks_image, input, options)?;
            let found = texture.iter().find(|(key, _)| key == "frames");
            let frames = found.map_or(Ok(Vec::new()), |(_, value)| list(value, &path))?;
            let of_page = texture.into_iter().filter(|(key, _)| OF_PAGE.contains(&key.as_str()));
            // Metadata of the whole sheet is added to the first page.
            let mut all: Fields = of_page.collect();
            all.extend(std::mem::take(&mut meta).into_iter().filter(|(key, _)| !OF_PAGE.contains(&key.as_str())));
            let image = image.as_deref().map(|image| file_name(image).to_owned());
            self.pages.push(Leaf { image, picture, frames, meta: all, others: std::mem::take(&mut others) });
        }
        Ok(related.unwrap_or_default())
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
        let is_turned =
            |fields: &Fields| fields.iter().any(|(key, value)| key == "rotated" && value.get().trim() == "true");
        self.pages.iter().flat_map(|leaf| &leaf.frames).filter(|(_, fields)| is_turned(fields)).count()
    }

    /// Returns the number of frames that are renamed in an object, where names must be unique.
    pub fn renamed(&self) -> usize {
        let mut first = 0;
        let of_page = |leaf: &Leaf| {
            let names = names(leaf, first, true);
            first += leaf.frames.len();
            let given = leaf.frames.iter().zip(names);
            given.filter(|((given, _), name)| given.as_ref().is_some_and(|given| given != name)).count()
        };
        self.pages.iter().map(of_page).sum()
    }

    /// Returns the text of a page. `images` and `files` are the names of the images and texts of all pages. A
    /// multi-atlas has a single text, that of its first page.
    pub fn text(&self, page: usize, form: Form, images: &[String], files: &[String]) -> String {
        let mut out = String::new();
        let first = self.pages.iter().take(page).map(|leaf| leaf.frames.len()).sum();
        match (form, self.pages.get(page)) {
            (_, None) => {}
            (Form::Multiatlas, Some(_)) => self.multiatlas(&mut out, images),
            (Form::List | Form::Hash, Some(leaf)) => {
                out.push_str("{\"frames\": ");
                write_frames(&mut out, leaf, first, form == Form::Hash);
                out.push_str(",\n\"meta\": {");
                let mut fields = vec![("image", quoted(images.get(page).map_or("", String::as_str)))];
                let kept = leaf.meta.iter().filter(|(key, _)| !OWN.contains(&key.as_str()));
                fields.extend(kept.map(|(key, value)| (key.as_str(), value.get().to_owned())));
                if files.len() > 1 {
                    let others = files.iter().enumerate().filter(|(other, _)| *other != page);
                    let others: Vec<String> = others.map(|(_, name)| quoted(name)).collect();
                    fields.push(("related_multi_packs", format!("[{}]", others.join(", "))));
                }
                write_fields(&mut out, fields.iter().map(|(key, value)| (*key, value.as_str())));
                out.push('}');
                for (key, value) in &leaf.others {
                    let _ = write!(out, ",\n{}: {}", quoted(key), value.get());
                }
                out.push_str("}\n");
            }
        }
        out
    }

    fn multiatlas(&self, out: &mut String, images: &[String]) {
        out.push_str("{\"textures\": [");
        let mut first = 0;
        for (index, leaf) in self.pages.iter().enumerate() {
            let _ = write!(out, "{}\n{{", if index == 0 { "" } else { "," });
            let size = png_size(&leaf.picture).unwrap_or_default();
            let size = format!("{{\"w\": {}, \"h\": {}}}", size.0, size.1);
            let mut fields = vec![("image", quoted(images.get(index).map_or("", String::as_str))), ("size", size)];
            let kept = leaf.meta.iter().filter(|(key, _)| OF_PAGE.contains(&key.as_str()) && key != "size");
            fields.extend(kept.map(|(key, value)| (key.as_str(), value.get().to_owned())));
            write_fields(out, fields.iter().map(|(key, value)| (*key, value.as_str())));
            out.push_str(", \"frames\": ");
            write_frames(out, leaf, first, false);
            out.push('}');
            first += leaf.frames.len();
        }
        out.push_str("\n],\n\"meta\": {");
        let is_of_page = |key: &str| OWN.contains(&key) || OF_PAGE.contains(&key);
        let meta = self.pages.first().into_iter().flat_map(|leaf| &leaf.meta);
        let meta = meta.filter(|(key, _)| !is_of_page(key));
        write_fields(out, meta.map(|(key, value)| (key.as_str(), value.get())));
        out.push('}');
        let mut known = HashSet::new();
        for (key, value) in self.pages.iter().flat_map(|leaf| &leaf.others) {
            if key == "animations" {
                continue;
            }
            if known.insert(key) {
                let _ = write!(out, ",\n{}: {}", quoted(key), value.get());
            }
        }
        let animations = self.animations();
        if !animations.is_empty() {
            out.push_str(",\n\"animations\": {");
            write_fields(out, animations.iter().map(|(key, value)| (key.as_str(), value.get())));
            out.push('}');
        }
        out.push_str("}\n");
    }

    /// Returns the Pixi animations of all pages without duplicates: each file of a sheet may list all of them.
    fn animations(&self) -> Fields {
        let mut known = HashSet::new();
        let mut all = Fields::new();
        let named = self.pages.iter().flat_map(|leaf| &leaf.others).filter(|(key, _)| key == "animations");
        for (_, value) in named {
            // Values that are not objects are ignored when reading, too.
            let Ok(Pairs(animations)) = parse::<Pairs<Box<RawValue>>>(value.get(), "/animations") else {
                continue;
            };
            all.extend(animations.into_iter().filter(|(name, _)| known.insert(name.clone())));
        }
        all
    }
}

/// Reads an optional field.
fn field<T: for<'de> Deserialize<'de>>(fields: &Fields, name: &str, path: &str) -> Result<Option<T>> {
    let found = fields.iter().find(|(key, _)| key == name);
    found.map_or(Ok(None), |(_, value)| parse::<Option<T>>(value.get(), path))
}

/// Loads the image beside a text.
fn picture(
    image: Option<&str>,
    own_name: Option<&str>,
    lacks_image: bool,
    input: &Input<'_>,
    options: &ReadOptions,
) -> Result<Bytes> {
    match beside(image, own_name) {
        Picture::Beside(names) => load_picture(&names, lacks_image, input, options),
        Picture::Inside(_) | Picture::Named(_) | Picture::Decoded { .. } => {
            load_picture(&[], lacks_image, input, options)
        }
    }
}

/// Loads the image that the user named, or else the first of `names` that exists, and converts it to PNG. Checks that
/// it can be decoded if the reader `lacks_image`.
pub fn load_picture(
    names: &[String],
    lacks_image: bool,
    input: &Input<'_>,
    options: &ReadOptions,
) -> Result<Bytes> {
    let as_png = |bytes: Bytes, name: &str| {
        let place = || Place::file(escaped(name));
        if lacks_image {
            check_decodable(&bytes, &options.limits, place)?;
        }
        to_png(bytes, &mut Budget::new(&options.limits), place)
    };
    if let Some(path) = &options.atlas {
        return as_png(read_file(path, &options.limits)?, &path.to_string_lossy());
    }
    let mut why = None;
    for name in names {
        match input.sidecars.load(name, &options.limits)? {
            Ok(bytes) => return as_png(bytes, name),
            // The reason is about the name in the file, not about derived names.
            Err(reason) => _ = why.get_or_insert(reason),
        }
    }
    Err(missing(why.unwrap_or_else(|| "the sheet names no image".to_owned())))
}

/// Reads frames of either form with their names. Values that are not objects become empty frames, so that the
/// others keep their numbers.
fn list(value: &RawValue, path: &str) -> Result<Vec<(Option<String>, Fields)>> {
    let fields_of = |frame: &RawValue| match frame.get().trim_start().starts_with('{') {
        true => parse::<Pairs<Box<RawValue>>>(frame.get(), path).map(|Pairs(fields)| fields),
        false => Ok(Fields::new()),
    };
    let is_name = |(key, _): &(String, Box<RawValue>)| key == "filename";
    if value.get().trim_start().starts_with('[') {
        let list: Vec<Box<RawValue>> = parse(value.get(), path)?;
        let named = |frame: Box<RawValue>| {
            let (names, fields): (Fields, Fields) = fields_of(&frame)?.into_iter().partition(is_name);
            // The last duplicate is used, as when reading.
            let name: Option<Scalar> = names.last().map(|(_, value)| parse(value.get(), path)).transpose()?;
            Ok((name.and_then(Scalar::into_name), fields))
        };
        return list.into_iter().map(named).collect();
    }
    let Pairs(object) = parse::<Pairs<Box<RawValue>>>(value.get(), path)?;
    let named = |(name, frame): (String, Box<RawValue>)| {
        let fields = fields_of(&frame)?;
        Ok((Some(name), fields.into_iter().filter(|field| !is_name(field)).collect()))
    };
    object.into_iter().map(named).collect()
}

/// Returns the names of a page's frames. Frames without a name are named by their number; `first` is that of the
/// first frame. With `once`, names are made unique.
fn names(leaf: &Leaf, first: usize, once: bool) -> Vec<String> {
    let mut names = FreeNames::default();
    let name = |(index, (name, _)): (usize, &(Option<String>, Fields))| {
        let name = name.clone().unwrap_or_else(|| (first + index).to_string());
        if once { names.unique(&name) } else { name }
    };
    leaf.frames.iter().enumerate().map(name).collect()
}

fn write_frames(out: &mut String, leaf: &Leaf, first: usize, is_hash: bool) {
    out.push(if is_hash { '{' } else { '[' });
    for (index, (name, (_, fields))) in names(leaf, first, is_hash).iter().zip(&leaf.frames).enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        let name = quoted(name);
        let own = if is_hash { None } else { Some(("filename", name.as_str())) };
        if is_hash {
            let _ = write!(out, "{name}: ");
        }
        out.push('{');
        write_fields(out, own.into_iter().chain(fields.iter().map(|(key, value)| (key.as_str(), value.get()))));
        out.push('}');
    }
    out.push_str(if is_hash { "\n}" } else { "\n]" });
}

fn write_fields<'a>(out: &mut String, fields: impl Iterator<Item = (&'a str, &'a str)>) {
    for (index, (key, value)) in fields.enumerate() {
        let _ = write!(out, "{}{}: {value}", if index == 0 { "" } else { ", " }, quoted(key));
    }
}
