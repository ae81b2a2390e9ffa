//! The images of a sheet: in the file, beside it, or in other files of the same sheet.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use ::bytes::Bytes;

use super::character::Play;
use super::frame::Odd;
use super::layers::Layers;
use super::schema::{self, Root};
use super::sequences::stem;
use super::{embedded, packed, text};
use crate::bytes::Block;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Fault, Place, Result, escaped};
use crate::formats::detect::json::{JsonText, without_bom};
use crate::formats::detect::sheet::PACKED_MAGIC;
use crate::formats::image::{PNG_SIGNATURE, charge_decoding, decode_picture_watched, picture_size};
use crate::formats::{Sidecars, json};
use crate::limits::{Budget, Limits};
use crate::model::{AlphaSource, AtlasPage, ModelBuilder, PageId};

/// The content of all files of a sheet.
#[derive(Default)]
pub struct Gathered {
    /// One entry per image.
    pub parts: Vec<Part>,
    /// Metadata of the main file.
    pub meta: schema::Meta,
    /// Animations of all files.
    pub animations: Vec<(String, Vec<schema::Name>)>,
    /// True if Adobe Animate wrote the sheet, or if its frames are named as there.
    pub is_of_animate: bool,
    /// The animations of a character, which replace those of the sheet.
    pub play: Option<Play>,
    /// The layers of a sheet that is split by them.
    pub layers: Option<Layers>,
}

/// The dialect of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Aseprite JSON and its variants.
    #[default]
    Json,
    /// Egret JSON.
    Egret,
    /// Starling XML.
    Starling,
    /// A property list.
    Plist,
    /// libGDX atlas.
    Atlas,
}

/// An image and its frames.
#[derive(Default)]
pub struct Part {
    pub dialect: Dialect,
    /// The file that describes it, if it is not the main file.
    pub file: Option<Related>,
    /// The pointer to the object that contains `frames`.
    pub pointer: String,
    pub is_hash: bool,
    pub picture: Picture,
    /// The image size according to the file.
    pub size: Option<schema::Size>,
    pub frames: Vec<schema::Frame>,
    /// Whether the image's colours are multiplied with alpha, if declared.
    pub is_premultiplied: Option<bool>,
}

/// Another file of the same sheet.
#[derive(Debug, Clone)]
pub struct Related {
    name: String,
    /// The pointer to its name in the main file.
    pointer: String,
}

impl Related {
    /// Creates a file that is named at `pointer` in the main file.
    pub fn new(name: String, pointer: &str) -> Self {
        Self { name, pointer: pointer.to_owned() }
    }

    /// Returns a place in it as a place in the main file.
    fn place(&self, pointer: &str) -> Place {
        let between = if pointer.is_empty() || pointer.starts_with('/') { "" } else { ", " };
        Place::inside(format!("{} (`{}{between}{pointer}`)", self.pointer, escaped(&self.name)))
    }

    /// Changes a fault in it to one in the main file.
    fn relocate(&self, fault: &mut Fault) {
        fault.message = match fault.place.offset {
            Some(offset) => format!("byte {offset}: {}", fault.message),
            None => std::mem::take(&mut fault.message),
        };
        fault.place = self.place(&fault.place.path);
    }

    pub fn relocate_error(&self, mut error: Error) -> Error {
        match &mut error {
            Error::Malformed(fault) | Error::Unsupported(fault) => self.relocate(fault),
            Error::LimitExceeded(excess) => excess.place = self.place(&excess.place.path),
            Error::Io { .. } | Error::Misuse(_) | Error::Cancelled => {}
        }
        error
    }
}

/// The source of an image.
pub enum Picture {
    /// In the file itself.
    Inside(Block),
    /// In the first existing file with one of these names.
    Beside(Vec<String>),
    /// In the file that the user named.
    Named(PathBuf),
    /// Loaded from elsewhere, with its path, or the reason why it cannot be loaded.
    Found(Result<(Bytes, String), String>),
    /// Already decoded; its pixels were charged.
    #[cfg_attr(not(feature = "aseprite"), expect(dead_code, reason = "only Aseprite files have such pictures"))]
    Decoded {
        page: AtlasPage,
        /// Width and height of a pixel on the canvas.
        pixel: [f32; 2],
    },
}

/// A loaded image.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub id: PageId,
    /// Size in pixels.
    pub size: [f32; 2],
}

impl Default for Picture {
    fn default() -> Self {
        Self::Beside(Vec::new())
    }
}

impl Part {
    /// Returns a place in the file that describes the part.
    pub fn place(&self, pointer: impl Into<String>) -> Place {
        match &self.file {
            Some(file) => file.place(&pointer.into()),
            None => Place::inside(pointer),
        }
    }

    /// Returns the place of a frame or of its field, given as `/` and its name.
    pub fn place_of(&self, index: usize, field: &str) -> Place {
        let frame = self.frames.get(index);
        let name = frame.and_then(|frame| frame.filename.as_ref()).map(|name| &*name.0);
        let at = frame.map_or(0, |frame| frame.at);
        match self.dialect {
            Dialect::Json | Dialect::Egret => {
                let key = match name {
                    Some(name) if self.is_hash => json::text::escaped_key(name).into_owned(),
                    _ => index.to_string(),
                };
                self.place(format!("{}/frames/{key}{field}", self.pointer))
            }
            Dialect::Starling => {
                let mut place = self.place(format!("SubTexture `{}`", escaped(name.unwrap_or_default())));
                place.offset = self.file.is_none().then_some(at);
                place
            }
            Dialect::Plist => self.place(format!("frames/{}{field}", escaped(name.unwrap_or_default()))),
            Dialect::Atlas => self.place(format!("line {at}")),
        }
    }

    fn image_place(&self) -> Place {
        self.place(match self.dialect {
            Dialect::Json if self.pointer.is_empty() => "/meta/image".to_owned(),
            Dialect::Json => format!("{}/image", self.pointer),
            Dialect::Egret => "/file".to_owned(),
            Dialect::Starling => "imagePath".to_owned(),
            Dialect::Plist => "metadata/textureFileName".to_owned(),
            Dialect::Atlas if self.pointer.is_empty() => "ext_resource".to_owned(),
            Dialect::Atlas => self.pointer.clone(),
        })
    }

    fn size_place(&self) -> Place {
        self.place(match self.dialect {
            Dialect::Json | Dialect::Egret if self.pointer.is_empty() => "/meta/size".to_owned(),
            Dialect::Json | Dialect::Egret => format!("{}/size", self.pointer),
            Dialect::Starling => "TextureAtlas".to_owned(),
            Dialect::Plist => "metadata/size".to_owned(),
            Dialect::Atlas => format!("{}, size", self.pointer),
        })
    }
}

/// Returns the last component of a Windows or Unix path.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Returns the names of the other files of a JSON sheet.
pub fn parts_of_sheet(bytes: &[u8]) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Head {
        meta: Meta,
    }
    #[derive(serde::Deserialize)]
    struct Meta {
        related_multi_packs: Vec<String>,
    }
    let text = std::str::from_utf8(without_bom(bytes)).unwrap_or_default();
    // Few sheets have several files, and searching for the key is faster than parsing.
    let has_parts = text.contains("related_multi_packs");
    let head: Option<Head> = has_parts.then(|| serde_json::from_str(text).ok()).flatten();
    head.into_iter()
        .flat_map(|head| head.meta.related_multi_packs)
        .map(|name| file_name(&name).to_owned())
        .collect()
}

/// Gathers all files of the sheet `root`. `inside` is the image in the file itself, if any.
pub fn gather(
    root: Root,
    dialect: Dialect,
    inside: Option<Block>,
    sidecars: &dyn Sidecars,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Gathered> {
    let Root { frames, textures, meta, animations, file, is_of_animate } = root;
    let meta = meta.unwrap_or_default();
    let dialect = if file.is_some() && meta.image.is_none() { Dialect::Egret } else { dialect };
    let may_have_padding = dialect == Dialect::Json && meta.may_be_asepritic();
    let is_of_animate = is_of_animate || meta.is_of_animate();
    let image = meta.image.or(file);
    let mut gathered = Gathered {
        parts: Vec::new(),
        animations: animations.map(|pairs| pairs.0).unwrap_or_default(),
        meta: schema::Meta { related_multi_packs: None, image, ..meta },
        is_of_animate,
        play: None,
        layers: None,
    };
    let own_name = sidecars.own_name().map(str::to_owned);
    let (image, size) = (gathered.meta.image.clone(), gathered.meta.size);
    if let Some(frames) = frames {
        let picture = inside.map_or_else(|| beside(image.as_deref(), own_name.as_deref()), Picture::Inside);
        let part = Part { dialect, picture, size, ..Part::default() };
        add(&mut gathered.parts, part, frames, budget)?;
    }
    let textures = textures.unwrap_or_default();
    let only_name = own_name.as_deref().filter(|_| dialect == Dialect::Atlas && textures.len() == 1);
    for (index, texture) in textures.into_iter().enumerate() {
        let schema::Texture { image, size, frames, is_premultiplied } = texture;
        let (picture, pointer) = match dialect {
            Dialect::Atlas => (of_atlas(image.as_deref(), only_name), format!("page {}", index + 1)),
            Dialect::Json | Dialect::Egret | Dialect::Starling | Dialect::Plist => {
                (beside(image.as_deref(), None), format!("/textures/{index}"))
            }
        };
        let part = Part { dialect, pointer, picture, size, is_premultiplied, ..Part::default() };
        add(&mut gathered.parts, part, frames, budget)?;
    }
    for part in &gathered.parts {
        note_foreign_path(part, image.as_deref(), diagnostics);
    }
    let mut known: HashSet<String> = own_name.into_iter().collect();
    for (index, name) in meta.related_multi_packs.into_iter().flatten().enumerate() {
        let name = file_name(&name).to_owned();
        if !known.insert(name.clone()) {
            continue;
        }
        let file = Related { pointer: format!("/meta/related_multi_packs/{index}"), name };
        let place = Place::inside(file.pointer.clone());
        budget.charge_records(1, || place.clone())?;
        match sidecars.load(&file.name, budget.limits())? {
            Ok(bytes) => {
                let more = related(&file, &bytes, &mut gathered.parts, budget, diagnostics);
                gathered.animations.extend(more.map_err(|error| file.relocate_error(error))?);
            }
            Err(why) => diagnostics.incomplete("missing-image", place, format!("{why}; its frames are missing")),
        }
    }
    let own = gathered.parts.iter_mut().filter(|part| part.file.is_none() && may_have_padding);
    own.flat_map(|part| &mut part.frames).for_each(schema::Frame::include_padding);
    check_frames(&gathered.parts, diagnostics)?;
    Ok(gathered)
}

/// Reports findings about frames. Fails if no frame can be shown.
pub fn check_frames(parts: &[Part], diagnostics: &mut Diagnostics) -> Result<()> {
    if parts.iter().all(|part| part.frames.is_empty()) {
        let path = match parts.first().map(|part| part.dialect) {
            None | Some(Dialect::Json | Dialect::Egret) => "/frames",
            Some(Dialect::Starling) => "TextureAtlas",
            Some(Dialect::Plist) => "frames",
            Some(Dialect::Atlas) => "page 1",
        };
        let message = "the sheet has no frames; there is nothing to show";
        return Err(Error::malformed("no-frames", Place::inside(path), message));
    }
    let frames = || {
        parts
            .iter()
            .flat_map(|part| part.frames.iter().enumerate().map(move |(index, frame)| (part, index, frame)))
    };
    let odd = || frames().flat_map(|(part, index, frame)| frame.odd.iter().map(move |odd| (part, index, odd)));
    let place = |part: &Part, index, odd: &Odd| match odd.field {
        "" => part.place_of(index, ""),
        field => part.place_of(index, &format!("/{field}")),
    };
    if let Some((part, index, odd)) = odd().next()
        && frames().all(|(.., frame)| frame.is_lost)
    {
        let message = format!("none of the {} frames can be shown: {}", frames().count(), odd.message);
        return Err(Error::malformed("no-frames", place(part, index, odd), message));
    }
    for (part, index, odd) in odd() {
        diagnostics.warn("bad-frame", place(part, index, odd), odd.message.clone());
    }
    Ok(())
}

/// Adds the frames of `part`.
fn add(parts: &mut Vec<Part>, part: Part, frames: schema::Frames, budget: &mut Budget<'_>) -> Result<()> {
    let schema::Frames { list, is_hash, .. } = frames;
    let part = Part { is_hash, frames: list, ..part };
    budget.charge_records(part.frames.len() as u64, || part.place(format!("{}/frames", part.pointer)))?;
    parts.push(part);
    Ok(())
}

/// Extensions of GPU textures, which engines use in place of PNG and which are not supported.
const COMPRESSED: [&str; 8] = ["pvr", "ccz", "gz", "pkm", "ktx", "atf", "astc", "dds"];

fn beside(image: Option<&str>, own_name: Option<&str>) -> Picture {
    Picture::Beside(names_beside(image, own_name))
}

/// Returns the candidate names of an image: the name in the file, then the name of the file itself.
pub(super) fn names_beside(image: Option<&str>, own_name: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> =
        image.map(file_name).filter(|name| !name.is_empty()).map(str::to_owned).into_iter().collect();
    add_as_png(&mut names);
    add_own_name(&mut names, own_name);
    names.dedup();
    names
}

/// Returns the candidate names of an atlas page. Unlike in [`names_beside`], the path is used.
fn of_atlas(file: Option<&str>, own_name: Option<&str>) -> Picture {
    let mut names: Vec<String> =
        file.into_iter().flat_map(|file| [file, file_name(file)]).map(str::to_owned).collect();
    names.dedup();
    add_as_png(&mut names);
    add_own_name(&mut names, own_name);
    Picture::Beside(names)
}

/// Adds the PNG with the same name if a name has no extension, or the extension of a GPU texture.
fn add_as_png(names: &mut Vec<String>) {
    let Some(name) = names.last() else { return };
    let mut stem = name.as_str();
    while let Some((shorter, extension)) = stem.rsplit_once('.')
        && COMPRESSED.iter().any(|known| extension.eq_ignore_ascii_case(known))
    {
        stem = shorter;
    }
    if stem.len() < name.len() || !file_name(name).contains('.') {
        names.push(format!("{stem}.png"));
    }
}

fn add_own_name(names: &mut Vec<String>, own_name: Option<&str>) {
    if let Some((stem, _)) = own_name.and_then(|name| name.rsplit_once('.')) {
        names.push(format!("{stem}.png"));
    }
}

/// Returns the candidate names of the image of the sheet `text`, which is in the file `own_name`. Fails if the
/// sheet has several images.
#[cfg(feature = "convert")]
pub fn picture_names(text: JsonText<'_>, own_name: Option<&str>) -> Result<Vec<String>> {
    let limits = Limits::default();
    let root = text::read(text, &mut Budget::new(&limits), &mut Diagnostics::default())?;
    let meta = root.meta.unwrap_or_default();
    let has_more = meta.related_multi_packs.is_some_and(|names| !names.is_empty());
    if has_more || root.textures.is_some_and(|textures| !textures.is_empty()) {
        return Err(Error::unsupported(
            "too-many",
            Place::inside("/meta"),
            "the sheet has several images; a .sprsh contains only one",
        ));
    }
    Ok(names_beside(meta.image.or(root.file).as_deref(), own_name))
}

fn note_foreign_path(part: &Part, image: Option<&str>, diagnostics: &mut Diagnostics) {
    let Some(image) = image.filter(|image| part.pointer.is_empty() && file_name(image) != *image) else { return };
    let message = format!(
        "`{}` is a path, but only its file name is used; the image is looked up next to the file as `{}`",
        escaped(image),
        escaped(file_name(image))
    );
    diagnostics.note("image-path", part.image_place(), message);
}

/// Adds the frames of another file of the same sheet and returns its animations.
fn related(
    file: &Related,
    bytes: &::bytes::Bytes,
    parts: &mut Vec<Part>,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<(String, Vec<schema::Name>)>> {
    let mut found = Diagnostics::default();
    let (root, inside) = if bytes.starts_with(&PNG_SIGNATURE) {
        let text = embedded::find(bytes).ok_or_else(|| {
            let message = "the image is listed as a file of the sheet, but does not describe its frames";
            Error::malformed("no-frames", Place::at("IHDR", 8), message)
        })?;
        (text::read(text, budget, &mut found)?, Some(Block::new(bytes.clone(), 0)))
    } else if bytes.starts_with(&PACKED_MAGIC) {
        let packed = packed::read(bytes, &mut found)?;
        (text::read(packed.text(), budget, &mut found)?, Some(packed.image))
    } else {
        (text::read(JsonText::of(bytes), budget, &mut found)?, None)
    };
    for finding in found.findings() {
        let mut fault = finding.fault.clone();
        file.relocate(&mut fault);
        diagnostics.add(finding.severity, fault);
    }
    let meta = root.meta.unwrap_or_default();
    if let Some(mut frames) = root.frames {
        if meta.may_be_asepritic() {
            frames.list.iter_mut().for_each(schema::Frame::include_padding);
        }
        let picture = inside.map_or_else(|| beside(meta.image.as_deref(), Some(&file.name)), Picture::Inside);
        let part = Part { file: Some(file.clone()), picture, size: meta.size, ..Part::default() };
        add(parts, part, frames, budget)?;
    }
    Ok(root.animations.map(|pairs| pairs.0).unwrap_or_default())
}

impl Gathered {
    /// Uses the image at `path` instead of the one beside the file. Fails if the sheet has several.
    pub fn use_picture(&mut self, path: &Path) -> Result<()> {
        let mut beside =
            self.parts.iter_mut().filter(|part| matches!(part.picture, Picture::Beside(_) | Picture::Found(_)));
        let (first, second) = (beside.next(), beside.next());
        if second.is_some() {
            let message = "`--atlas` names one image, but the sheet has several";
            return Err(Error::misuse("several-pictures", message));
        }
        if let Some(part) = first {
            part.picture = Picture::Named(path.to_owned());
        }
        Ok(())
    }

    /// Returns the order of the frames, as indices into the concatenated parts. Frames named by numbers are sorted by
    /// number, whichever file was opened and whichever page they are on. Tags of a single file count them as listed.
    pub fn order(&self) -> Vec<u32> {
        if let Some(layers) = &self.layers {
            return (0..layers.cells.len() as u32).collect();
        }
        let frames = || self.parts.iter().flat_map(|part| &part.frames);
        let mut order: Vec<u32> = (0..frames().count() as u32).collect();
        if self.parts.len() > 1 || self.meta.frame_tags.as_deref().unwrap_or_default().is_empty() {
            let number = |frame: &schema::Frame| stem(&frame.filename.as_ref()?.0).parse::<u64>().ok();
            let numbers: Option<Vec<u64>> = frames().map(number).collect();
            if let Some(numbers) = numbers {
                order.sort_by_key(|&frame| numbers[frame as usize]);
            }
        }
        order
    }
}

/// The bytes of an image, its name, and the place where it is named.
pub struct Encoded {
    pub bytes: Bytes,
    pub name: String,
    pub place: Place,
    /// True for a separate file, which other parts may use as well.
    is_beside: bool,
}

/// An image, encoded or decoded.
pub enum Loaded<'a> {
    Encoded(Encoded),
    Decoded(&'a AtlasPage),
}

/// Loads the image of a part, or returns the reason why it cannot be loaded.
pub fn load<'a>(part: &'a Part, sidecars: &dyn Sidecars, limits: &Limits) -> Result<Result<Loaded<'a>, String>> {
    Ok(Ok(Loaded::Encoded(match &part.picture {
        Picture::Decoded { page, .. } => return Ok(Ok(Loaded::Decoded(page))),
        Picture::Inside(block) => {
            let own_name = || sidecars.own_name().unwrap_or("sheet").to_owned();
            let name = part.file.as_ref().map_or_else(own_name, |file| file.name.clone());
            let place = Place { offset: Some(block.offset), ..part.place("image") };
            Encoded { bytes: block.bytes.clone(), name, place, is_beside: false }
        }
        Picture::Named(path) => {
            let (bytes, name) = (sidecars.load_chosen(path, limits)?, path.display().to_string());
            Encoded { bytes, place: Place::file(escaped(&name)), name, is_beside: false }
        }
        Picture::Found(Err(why)) => return Ok(Err(why.clone())),
        Picture::Found(Ok((bytes, name))) => {
            let place = Place::file(escaped(name));
            Encoded { bytes: bytes.clone(), name: name.clone(), place, is_beside: true }
        }
        Picture::Beside(names) => match load_first(names, sidecars, limits)? {
            Ok((bytes, name)) => {
                let mut place = part.image_place();
                place.path = format!("{} (`{}`)", place.path, escaped(name));
                Encoded { bytes, name: name.to_owned(), place, is_beside: true }
            }
            Err(why) => return Ok(Err(why.unwrap_or_else(|| "no image is named".to_owned()))),
        },
    })))
}

/// Loads the first of these files that exists, or returns the reason why the first one cannot be loaded, if there is
/// one: it has the name in the sheet, and the others have derived names.
pub fn load_first<'n>(
    names: &'n [String],
    sidecars: &dyn Sidecars,
    limits: &Limits,
) -> Result<Result<(Bytes, &'n str), Option<String>>> {
    let mut why = None;
    for name in names {
        match sidecars.load(name, limits)? {
            Ok(bytes) => return Ok(Ok((bytes, name))),
            Err(reason) => _ = why.get_or_insert(reason),
        }
    }
    Ok(Err(why))
}

/// Loads and decodes the image of a part. Returns `None` if it is missing, which is reported as a finding. `total`
/// counts the bytes of all images, `known` contains those beside the file that were already decoded.
pub fn load_page(
    part: &Part,
    sidecars: &dyn Sidecars,
    builder: &mut ModelBuilder,
    budget: &mut Budget<'_>,
    (total, known): (&mut u64, &mut HashMap<String, Page>),
    diagnostics: &mut Diagnostics,
) -> Result<Option<Page>> {
    let Encoded { bytes, name, place, is_beside } = match load(part, sidecars, budget.limits())? {
        Ok(Loaded::Encoded(encoded)) => encoded,
        Ok(Loaded::Decoded(page)) => {
            let size = [page.width as f32, page.height as f32];
            return Ok(Some(Page { id: builder.page(page.clone())?, size }));
        }
        Err(why) => {
            let message = format!("{why}; the frames are drawn in a neutral colour");
            diagnostics.incomplete("missing-image", part.image_place(), message);
            return Ok(None);
        }
    };
    if is_beside {
        *total += bytes.len() as u64;
        budget.check_file(*total).map_err(|error| error.in_file(&name))?;
    }
    let (width, height) = match picture_size(&bytes, || place.clone()) {
        Err(error) if is_beside => return broken(error, diagnostics),
        size => size?,
    };
    if let Some(said) = part.size.filter(|said| [said.w.0, said.h.0] != [width as f32, height as f32]) {
        let message = format!("the size is given as {}×{}, but the image is {width}×{height}", said.w.0, said.h.0);
        diagnostics.warn("sheet-size", part.size_place(), message);
    }
    if let Some(page) = known.get(&name).filter(|_| is_beside) {
        return Ok(Some(*page));
    }
    charge_decoding(&bytes, (width, height), budget, || place.clone())?;
    let pixels = match decode_picture_watched(&bytes, budget.progress(), || place.clone()) {
        Err(error) if is_beside => return broken(error, diagnostics),
        pixels => pixels?,
    };
    let alpha_source = part.is_premultiplied.map_or(AlphaSource::Assumed, |_| AlphaSource::Stated);
    let is_premultiplied = part.is_premultiplied.unwrap_or_default();
    let page = AtlasPage { name: name.as_str().into(), width, height, pixels, is_premultiplied, alpha_source };
    let page = Page { id: builder.page(page)?, size: [width as f32, height as f32] };
    if is_beside {
        known.insert(name, page);
    }
    Ok(Some(page))
}

/// Treats an invalid image beside the sheet as a missing one.
fn broken(error: Error, diagnostics: &mut Diagnostics) -> Result<Option<Page>> {
    match error {
        Error::Malformed(fault) | Error::Unsupported(fault) => {
            let message = format!("{}; the frames are drawn in a neutral colour", fault.message);
            diagnostics.incomplete("missing-image", fault.place, message);
            Ok(None)
        }
        error => Err(error),
    }
}
