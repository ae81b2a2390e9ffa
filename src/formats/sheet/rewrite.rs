//! A sheet in one form → the same in another: what its text says is kept word for word, keys that mean nothing here
//! too. Only frames and pictures are named anew, and pictures that are PNGs keep their bytes.

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
use crate::error::{Error, Place, Result, shown};
use crate::formats::free_names::FreeNames;
use crate::formats::grid::Grid;
use crate::formats::image::{png_size, to_png};
use crate::formats::source::read_file;
use crate::formats::{Input, ReadOptions, table};
use crate::limits::Budget;
use crate::model::Order;

/// How frames are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A list, with their names inside: Aseprite's and TexturePacker's JSON array.
    List,
    /// An object by their names: Aseprite's and TexturePacker's JSON hash.
    Hash,
    /// All pages in one file, each with its list: what Phaser calls a multi-atlas.
    Multiatlas,
}

/// Keys and what stands behind them, as it is written.
type Fields = Vec<(String, Box<RawValue>)>;

/// Everything that is said of a sheet.
#[derive(Debug)]
pub struct Rewrite {
    pages: Vec<Leaf>,
    /// How many frames of a grid are shown for other times than the file can say.
    pub rounded: usize,
    /// Width and height of the pixels of an Aseprite file, where they are not square. A sheet cannot say it.
    pub stretched: Option<[u8; 2]>,
}

/// One page.
#[derive(Debug)]
struct Leaf {
    /// The name of its picture, where it has one.
    image: Option<String>,
    picture: Bytes,
    frames: Vec<(Option<String>, Fields)>,
    meta: Fields,
    /// What stands beside frames and `meta`.
    others: Fields,
}

/// Keys of `meta` that are written anew.
const OWN: [&str; 2] = ["image", "related_multi_packs"];
/// Keys of `meta` that say something of one page.
const OF_PAGE: [&str; 3] = ["format", "size", "scale"];

/// Reads a sheet that [`formats::from_input`](crate::formats::from_input) can read. Every picture has to be there.
pub fn read(input: &Input<'_>, options: &ReadOptions) -> Result<Rewrite> {
    let mut rewrite = Rewrite { pages: Vec::new(), rounded: 0, stretched: None };
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
            for (text, picture) in restate::pages(input, options)? {
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

/// The text of a PNG that is cut into frames of one size: their numbers, and one animation of all.
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
    /// Adds what a file says of its own pages, and gives the names of the files that say more.
    fn add_file(
        &mut self,
        bytes: &Bytes,
        name: Option<&str>,
        input: &Input<'_>,
        options: &ReadOptions,
    ) -> Result<Vec<String>> {
        let sought = || Error::malformed("no-frames", Place::default(), "the picture says nothing of its frames");
        match Kind::of(bytes) {
            Some(Kind::Packed) => {
                let packed = packed::read(bytes, &mut Diagnostics::default())?;
                let place = || Place::at("image", packed.image.offset);
                let picture = to_png(packed.image.bytes.clone(), &mut Budget::new(&options.limits), place)?;
                self.add(&packed.json.bytes, Some(picture), name, input, options)
            }
            Some(Kind::Png) => {
                let Text { bytes: text, .. } = embedded::find(bytes).ok_or_else(sought)?;
                self.add(text, Some(bytes.clone()), name, input, options)
            }
            Some(Kind::Json | Kind::Egret | Kind::Starling | Kind::Plist | Kind::BinaryPlist | Kind::Atlas)
            | None => self.add(bytes, None, name, input, options),
        }
    }

    /// Adds what `json` says, whose picture is `inside` or beside it.
    fn add(
        &mut self,
        json: &[u8],
        inside: Option<Bytes>,
        name: Option<&str>,
        input: &Input<'_>,
        options: &ReadOptions,
    ) -> Result<Vec<String>> {
        let json = text::mended(Text { bytes: json, offset: 0 }, &mut Budget::new(&options.limits))?;
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
                None => picture(image.as_deref(), name, input, options)?,
            };
            let image = image.as_deref().map(|image| file_name(image).to_owned());
            let (meta, others) = (std::mem::take(&mut meta), std::mem::take(&mut others));
            self.pages.push(Leaf { image, picture, frames, meta, others });
        }
        for (index, Pairs(texture)) in textures.into_iter().enumerate() {
            let texture: Fields = texture;
            let path = format!("/textures/{index}");
            let image: Option<String> = field(&texture, "image", &path)?;
            let picture = picture(image.as_deref(), None, input, options)?;
            let found = texture.iter().find(|(key, _)| key == "frames");
            let frames = found.map_or(Ok(Vec::new()), |(_, value)| list(value, &path))?;
            let of_page = texture.into_iter().filter(|(key, _)| OF_PAGE.contains(&key.as_str()));
            // What is said of all of them goes to the first.
            let mut all: Fields = of_page.collect();
            all.extend(std::mem::take(&mut meta).into_iter().filter(|(key, _)| !OF_PAGE.contains(&key.as_str())));
            let image = image.as_deref().map(|image| file_name(image).to_owned());
            self.pages.push(Leaf { image, picture, frames, meta: all, others: std::mem::take(&mut others) });
        }
        Ok(related.unwrap_or_default())
    }

    /// How many pages there are.
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// The name of a page's picture, as the sheet has it.
    pub fn image(&self, page: usize) -> Option<&str> {
        self.pages.get(page)?.image.as_deref()
    }

    /// The PNG of a page.
    pub fn picture(&self, page: usize) -> Bytes {
        self.pages.get(page).map(|leaf| leaf.picture.clone()).unwrap_or_default()
    }

    /// How many frames are stored turned. They stay so, and who reads Aseprite's JSON does not turn them back.
    pub fn turned(&self) -> usize {
        let is_turned =
            |fields: &Fields| fields.iter().any(|(key, value)| key == "rotated" && value.get().trim() == "true");
        self.pages.iter().flat_map(|leaf| &leaf.frames).filter(|(_, fields)| is_turned(fields)).count()
    }

    /// How many frames get another name in an object, where every name is there once.
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

    /// The text of one page, of which `images` are the pictures and `files` the texts of all of them. A multi-atlas
    /// has one text, which is that of its first page.
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

    /// Pixi's animations of all pages, each once: every file of a sheet may list them all.
    fn animations(&self) -> Fields {
        let mut known = HashSet::new();
        let mut all = Fields::new();
        let named = self.pages.iter().flat_map(|leaf| &leaf.others).filter(|(key, _)| key == "animations");
        for (_, value) in named {
            // What is no object was no animation when it was read, either.
            let Ok(Pairs(animations)) = parse::<Pairs<Box<RawValue>>>(value.get(), "/animations") else {
                continue;
            };
            all.extend(animations.into_iter().filter(|(name, _)| known.insert(name.clone())));
        }
        all
    }
}

/// A field that another one may lack.
fn field<T: for<'de> Deserialize<'de>>(fields: &Fields, name: &str, path: &str) -> Result<Option<T>> {
    let found = fields.iter().find(|(key, _)| key == name);
    found.map_or(Ok(None), |(_, value)| parse::<Option<T>>(value.get(), path))
}

/// The picture beside a text.
fn picture(
    image: Option<&str>,
    own_name: Option<&str>,
    input: &Input<'_>,
    options: &ReadOptions,
) -> Result<Bytes> {
    match beside(image, own_name) {
        Picture::Beside(names) => load_picture(&names, input, options),
        Picture::Inside(_) | Picture::Named(_) | Picture::Decoded { .. } => load_picture(&[], input, options),
    }
}

/// The picture that the user named, else the first of those called `names` that is there. What is no PNG becomes one.
pub fn load_picture(names: &[String], input: &Input<'_>, options: &ReadOptions) -> Result<Bytes> {
    let as_png = |bytes, name: &str| to_png(bytes, &mut Budget::new(&options.limits), || Place::file(shown(name)));
    if let Some(path) = &options.atlas {
        return as_png(read_file(path, &options.limits)?, &path.to_string_lossy());
    }
    let mut why = None;
    for name in names {
        match input.sidecars.load(name, &options.limits)? {
            Ok(bytes) => return as_png(bytes, name),
            // What the file names counts, not what was guessed after it.
            Err(reason) => _ = why.get_or_insert(reason),
        }
    }
    Err(missing(why.unwrap_or_else(|| "the sheet names no picture".to_owned())))
}

/// Frames of either form, with their names. What is no object cannot be shown, and stays empty so that the others keep
/// their numbers.
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
            // The last one counts, as when it is read.
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

/// The names of a page's frames, of which the first has the number `first` among all: those without one are called
/// by their number. In an object each name is there once.
fn names(leaf: &Leaf, first: usize, once: bool) -> Vec<String> {
    let mut names = FreeNames::default();
    let name = |(index, (name, _)): (usize, &(Option<String>, Fields))| {
        let name = name.clone().unwrap_or_else(|| (first + index).to_string());
        if once { names.free(&name) } else { name }
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
