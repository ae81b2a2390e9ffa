//! The pictures of a character: atlas pages or loose files.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use super::at;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Fault, Place, Result, escaped};
use crate::formats::atlas::{self, Atlas, Region};
use crate::formats::image::{charge_decoding, decode_picture_watched, picture_size};
use crate::formats::spine::find_image::{Finder, Found};
use crate::formats::spine::find_page::{PageFinder, other_name, stated_size};
use crate::formats::spine::locate::{FoundAtlas, Located, locate, loose_folder};
use crate::formats::{Input, ReadOptions, Sidecars};
use crate::limits::Budget;
use crate::model::{AlphaSource, AtlasPage, ModelBuilder, PageId};

/// Maximum number of names in a message.
const MAX_LISTED: usize = 8;

/// The source of pictures, which attachments reference by name.
pub enum Pictures<'a> {
    /// The pages of atlases.
    Atlases(Atlases),
    /// Atlases that cannot be read, which has been reported.
    Broken,
    /// Loose files, searched on demand.
    Loose(Loose<'a>),
}

/// The regions and pages of all atlases.
#[derive(Default)]
pub struct Atlases {
    /// The names of the atlases.
    names: Vec<String>,
    /// By name; the page of a region is an index into `pages`.
    regions: HashMap<String, KnownRegion>,
    pages: Vec<Page>,
}

/// A region of an atlas.
struct KnownRegion {
    region: Region,
    /// Index of the atlas.
    atlas: usize,
    is_used: bool,
}

/// Pictures in separate files.
pub struct Loose<'a> {
    finder: Finder<'a>,
    folder: String,
    /// By the names that attachments reference.
    found: HashMap<String, Page>,
    bytes: u64,
    missing: Vec<Missing>,
    /// The candidates for the atlas as a message, if none is a clear match.
    candidates: Option<String>,
}

/// A loose picture that is missing.
struct Missing {
    /// Pointer to the attachment that references it.
    pointer: String,
    why: String,
}

/// One page, if it was found.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page {
    pub id: Option<PageId>,
    /// The size that regions refer to, in pixels.
    pub size: [f32; 2],
}

/// The picture of an attachment.
#[derive(Debug, Clone, Default)]
pub struct Picture {
    pub page: Page,
    pub region: Region,
}

impl Atlases {
    /// Adds an atlas, unless it cannot be read. Of several regions with one name, the first counts.
    fn add(
        &mut self,
        found: &FoundAtlas<'_>,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<()> {
        let parsed = found.parse(diagnostics);
        let Some(parsed) = diagnostics.recover(parsed)? else { return Ok(()) };
        let count = parsed.pages.len() + parsed.regions.len();
        budget.charge_records(count as u64, || Place::file(&found.name))?;
        let (atlas, first) = (self.names.len(), self.pages.len());
        self.names.push(found.name.clone());
        self.pages.extend(pages(found, &parsed, builder, budget, diagnostics)?);
        for mut region in parsed.regions {
            region.page += first;
            check_place(&region, self.pages[region.page], &found.name, diagnostics);
            let name = region.name.clone();
            self.regions.entry(name).or_insert(KnownRegion { region, atlas, is_used: false });
        }
        Ok(())
    }

    /// Returns the names of the atlases with their unused regions.
    fn unused(self) -> Vec<(String, Vec<String>)> {
        let mut unused: Vec<(String, Vec<String>)> =
            self.names.into_iter().map(|name| (name, Vec::new())).collect();
        for (name, region) in self.regions.into_iter().filter(|(_, region)| !region.is_used) {
            unused[region.atlas].1.push(name);
        }
        unused.iter_mut().for_each(|(_, regions)| regions.sort());
        unused
    }
}

impl<'a> Pictures<'a> {
    /// [Finds](locate) the atlas. Without one, pictures are loose files in `images` or next to the skeleton. `wanted`
    /// are the picture names of all attachments.
    pub fn find(
        input: &Input<'a>,
        options: &ReadOptions,
        images: &str,
        wanted: &HashSet<&str>,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self> {
        Ok(match locate(input, options, wanted, budget.limits(), diagnostics)? {
            Located::Atlases(found) => {
                let mut atlases = Atlases::default();
                for atlas in found {
                    atlases.add(&atlas, builder, budget, diagnostics)?;
                }
                if atlases.names.is_empty() { Self::Broken } else { Self::Atlases(atlases) }
            }
            Located::Loose(candidates) => Self::Loose(Loose::new(images, input.sidecars, candidates)),
        })
    }

    /// Returns the picture called `name`; `None` if it is missing, which is reported.
    pub fn get(
        &mut self,
        name: &str,
        pointer: &dyn Display,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<Picture>> {
        let found = self.look_up(name, pointer, builder, budget)?;
        if let LookUp::Lacking(lack) = &found {
            let name = escaped(name);
            let message = match lack {
                Lack::Region => format!("the atlas has no region `{name}`; it is drawn in a neutral colour"),
                Lack::Size => {
                    format!("region `{name}` of the atlas has no size; it is drawn in a neutral colour")
                }
            };
            diagnostics.incomplete("missing-region", at(pointer), message);
        }
        Ok(found.picture())
    }

    /// Returns the picture of a sequence with the index `rest`, like [`Self::get`]. One finding names all pictures that
    /// are missing.
    pub fn get_of_sequence(
        &mut self,
        names: impl ExactSizeIterator<Item = String>,
        rest: usize,
        pointer: &dyn Display,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<Picture>> {
        let count = names.len();
        let mut picture = None;
        let (mut lacking, mut listed) = (0, Vec::new());
        for (index, name) in names.enumerate() {
            let found = self.look_up(&name, pointer, builder, budget)?;
            if let LookUp::Lacking(_) = found {
                lacking += 1;
                if listed.len() < MAX_LISTED {
                    listed.push(format!("`{}`", escaped(&name)));
                }
            }
            if index == rest {
                picture = found.picture();
            }
        }
        if lacking > 0 {
            let more = if lacking > listed.len() { " and others" } else { "" };
            let message = format!(
                "{lacking} of the {count} regions of the sequence are missing from the atlas or have no size: {}{more}; \
                 they are drawn in a neutral colour",
                listed.join(", ")
            );
            diagnostics.incomplete("missing-region", at(pointer), message);
        }
        Ok(picture)
    }

    /// Returns a picture like [`Self::get`] once more, after its absence has been reported.
    pub fn get_again(
        &mut self,
        name: &str,
        pointer: &dyn Display,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Picture>> {
        Ok(self.look_up(name, pointer, builder, budget)?.picture())
    }

    fn look_up(
        &mut self,
        name: &str,
        pointer: &dyn Display,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<LookUp> {
        Ok(match self {
            Self::Broken => LookUp::Nothing,
            Self::Atlases(Atlases { regions, pages, .. }) => match regions.get_mut(name) {
                None => LookUp::Lacking(Lack::Region),
                Some(KnownRegion { region, is_used, .. }) => {
                    *is_used = true;
                    if region.whole().contains(&0.0) {
                        LookUp::Lacking(Lack::Size)
                    } else {
                        LookUp::Found(Picture { page: pages[region.page], region: region.clone() })
                    }
                }
            },
            Self::Loose(loose) => {
                let page = loose.page(name, pointer, builder, budget)?;
                let region = Region { size: page.size, ..Region::default() };
                if page.id.is_some() { LookUp::Found(Picture { page, region }) } else { LookUp::Nothing }
            }
        })
    }
}

/// The result of looking for a picture.
enum LookUp {
    Found(Picture),
    /// The atlas has no such picture.
    Lacking(Lack),
    /// There is none for a reason that is reported elsewhere.
    Nothing,
}

/// What the atlas lacks.
enum Lack {
    Region,
    Size,
}

impl LookUp {
    fn picture(self) -> Option<Picture> {
        match self {
            Self::Found(picture) => Some(picture),
            Self::Lacking(_) | Self::Nothing => None,
        }
    }
}

impl Pictures<'_> {
    /// Reports missing loose pictures, in a single finding if all are missing. Returns the names of the atlases with
    /// their unused regions.
    pub fn report(self, diagnostics: &mut Diagnostics) -> Vec<(String, Vec<String>)> {
        match self {
            Self::Broken => Vec::new(),
            Self::Atlases(atlases) => atlases.unused(),
            Self::Loose(loose) => {
                loose.report(diagnostics);
                Vec::new()
            }
        }
    }
}

impl<'a> Loose<'a> {
    fn new(images: &str, sidecars: &'a dyn Sidecars, candidates: Option<String>) -> Self {
        Self {
            finder: Finder::new(sidecars),
            folder: loose_folder(images).to_owned(),
            found: HashMap::new(),
            bytes: 0,
            missing: Vec::new(),
            candidates,
        }
    }

    fn page(
        &mut self,
        name: &str,
        pointer: &dyn Display,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<Page> {
        if let Some(page) = self.found.get(name) {
            return Ok(*page);
        }
        let page = match self.finder.loose(&self.folder, name, budget.limits())? {
            Ok(found) => load_page(found, None, None, builder, budget, &mut self.bytes)?,
            Err(why) => Err(why),
        };
        let page = page.unwrap_or_else(|why| {
            self.missing.push(Missing { pointer: pointer.to_string(), why });
            Page::default()
        });
        self.found.insert(name.to_owned(), page);
        Ok(page)
    }

    /// Reports the missing pictures.
    fn report(self, diagnostics: &mut Diagnostics) {
        let Self { missing, found, candidates, .. } = self;
        let has_none = found.values().all(|page| page.id.is_none());
        let is_unsure = candidates.is_some();
        let (why, count) = (missing.first().map_or("", |first| &first.why), missing.len());
        let message = match candidates {
            Some(candidates) => format!(
                "{candidates}; there are no loose pictures either: {why}; attachments are drawn in a neutral colour; \
                 use `--atlas FILE` to choose an atlas"
            ),
            None => format!(
                "there is no atlas next to the file, and none of its {count} pictures can be loaded: {why}; they are \
                 drawn in a neutral colour; use `--atlas FILE` to choose an atlas"
            ),
        };
        match &missing[..] {
            [first, others @ ..] if has_none && (!others.is_empty() || is_unsure) => {
                diagnostics.incomplete("missing-atlas", at(&first.pointer), message);
            }
            _ => {
                for Missing { pointer, why } in missing {
                    let message = format!("{why}; it is drawn in a neutral colour");
                    diagnostics.incomplete("missing-image", at(pointer), message);
                }
            }
        }
    }
}

/// Returns the place of a line of the atlas in the file `name`.
fn atlas_line(name: &str, line: u64) -> Place {
    Place { path: format!("line {line}"), ..Place::file(name) }
}

/// Reports a region that is not on its page. Some packers round sizes up, hence half a pixel.
fn check_place(region: &Region, page: Page, atlas: &str, diagnostics: &mut Diagnostics) {
    let ([x, y], reach, [width, height]) = (region.at, region.reach(), page.size);
    let is_inside = x >= -0.5 && y >= -0.5 && reach[0] <= width + 0.5 && reach[1] <= height + 0.5;
    if page.id.is_some() && !is_inside {
        let message = format!(
            "region `{}` reaches from {x},{y} to {},{}, but its page has {width}×{height} pixels",
            escaped(&region.name),
            reach[0],
            reach[1]
        );
        diagnostics.warn("frame-outside", atlas_line(atlas, region.line), message);
    }
}

/// Loads the pages of an atlas. Missing and broken pictures are reported.
fn pages(
    source: &FoundAtlas<'_>,
    atlas: &Atlas,
    builder: &mut ModelBuilder,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Page>> {
    let name = &source.name;
    let mut finder = PageFinder::new(source, atlas, builder.page_names());
    let mut total = 0;
    // A picture that several pages reference is decoded once.
    let mut known: HashMap<(String, Option<bool>), Page> = HashMap::new();
    let mut loaded = Vec::with_capacity(atlas.pages.len());
    budget.expect_images(atlas.pages.len());
    for (index, page) in atlas.pages.iter().enumerate() {
        let is_premultiplied = page.is_premultiplied;
        let key = (page.file.clone(), is_premultiplied);
        let found = match known.get(&key) {
            Some(found) => Ok(*found),
            None => match finder.find(index, budget.limits())? {
                Ok(found) => {
                    if let Some(note) = other_name(page, &found) {
                        diagnostics.note("found-elsewhere", atlas_line(name, page.line), note);
                    }
                    let is_same = known.get(&(found.path.clone(), is_premultiplied)).copied();
                    match is_same {
                        Some(same) => Ok(same),
                        None => load_page(found, is_premultiplied, Some(&finder), builder, budget, &mut total)?,
                    }
                }
                Err(why) => Err(why),
            },
        };
        budget.image_done();
        loaded.push(match found {
            Ok(found) => {
                known.insert(key, found);
                let size = size_for_regions(page, finder.reaches[index], found.size, name, diagnostics);
                Page { size, ..found }
            }
            Err(why) => {
                let message = format!("{why}; its attachments are drawn in a neutral colour");
                diagnostics.incomplete("missing-image", atlas_line(name, page.line), message);
                Page { id: None, size: page.size.unwrap_or([1.0, 1.0]) }
            }
        });
    }
    Ok(loaded)
}

/// Returns the size that the regions of a page refer to: the size of its picture, or the size stated in the atlas if
/// they only fit into that one, because the picture was scaled after packing.
fn size_for_regions(
    page: &atlas::Page,
    reach: [f32; 2],
    found: [f32; 2],
    atlas: &str,
    diagnostics: &mut Diagnostics,
) -> [f32; 2] {
    let Some(stated) = stated_size(page).filter(|stated| *stated != found) else { return found };
    let fits = |size: [f32; 2]| reach[0] <= size[0] && reach[1] <= size[1];
    let (size, so) = match !fits(found) && fits(stated) {
        true => (stated, "its regions do not fit, so they are scaled with it"),
        false => (found, "regions use the actual size"),
    };
    let ([width, height], [actual_width, actual_height]) = (stated, found);
    let message = format!(
        "the atlas states {width}×{height} for `{}`, but it is {actual_width}×{actual_height}; {so}",
        escaped(&page.file)
    );
    diagnostics.warn("page-size", atlas_line(atlas, page.line), message);
    size
}

/// Decodes a picture, with the alpha that `finder` finds beside it if it has none. The inner error is the reason that it
/// cannot be used.
fn load_page(
    found: Found,
    is_premultiplied: Option<bool>,
    finder: Option<&PageFinder<'_>>,
    builder: &mut ModelBuilder,
    budget: &mut Budget<'_>,
    total: &mut u64,
) -> Result<Result<Page, String>> {
    let mut picture = match decode(&found, budget, total)? {
        Ok(picture) => picture,
        Err(why) => return Ok(Err(why)),
    };
    if let Some(finder) = finder.filter(|_| picture.is_opaque())
        && let Some(alpha) = finder.alpha_of(&found, budget.limits())?
    {
        match decode(&alpha, budget, total)? {
            Ok(alpha) => picture.take_alpha(&alpha),
            Err(why) => return Ok(Err(why)),
        }
    }
    let Decoded { width, height, pixels } = picture;
    let pixels = pixels.into();
    let alpha_source = is_premultiplied.map_or(AlphaSource::Assumed, |_| AlphaSource::Stated);
    let is_premultiplied = is_premultiplied.unwrap_or_default();
    let page = AtlasPage { name: found.path.into(), width, height, pixels, is_premultiplied, alpha_source };
    Ok(Ok(Page { id: Some(builder.page(page)?), size: [width as f32, height as f32] }))
}

/// Decodes a picture. The inner error is the reason that it cannot be used.
fn decode(found: &Found, budget: &mut Budget<'_>, total: &mut u64) -> Result<Result<Decoded, String>> {
    let Found { path, bytes } = found;
    *total += bytes.len() as u64;
    budget.check_file(*total).map_err(|error| error.in_file(path))?;
    let place = || Place::file(escaped(path));
    let decoded = picture_size(bytes, place).and_then(|(width, height)| {
        charge_decoding(bytes, (width, height), budget, place)?;
        Ok(Decoded { width, height, pixels: decode_picture_watched(bytes, budget.progress(), place)? })
    });
    match decoded {
        Ok(decoded) => Ok(Ok(decoded)),
        // A broken picture counts as missing.
        Err(Error::Malformed(fault) | Error::Unsupported(fault)) => {
            let Fault { message, .. } = *fault;
            Ok(Err(format!("`{}` is broken: {message}", escaped(path))))
        }
        Err(error) => Err(error),
    }
}

/// A decoded picture: straight RGBA.
struct Decoded {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Decoded {
    fn is_opaque(&self) -> bool {
        self.pixels.chunks_exact(4).all(|pixel| pixel[3] == 255)
    }

    /// Replaces the alpha by the alpha of `mask`, or by its brightness if it has no alpha. A smaller or larger mask is
    /// scaled, taking its nearest pixels.
    fn take_alpha(&mut self, mask: &Self) {
        let channel = if mask.is_opaque() { 0 } else { 3 };
        let scaled = |at: usize, side: u32, of_mask: u32| at as u64 * u64::from(of_mask) / u64::from(side);
        let (width, mask_width) = (self.width as usize, mask.width as usize);
        for (y, row) in self.pixels.chunks_exact_mut(width * 4).enumerate() {
            let from = scaled(y, self.height, mask.height) as usize * mask_width;
            for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
                pixel[3] = mask.pixels[(from + scaled(x, self.width, mask.width) as usize) * 4 + channel];
            }
        }
    }
}
