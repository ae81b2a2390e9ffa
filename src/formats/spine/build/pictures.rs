//! The pictures of a character: atlas pages or loose files.

use std::collections::HashSet;
use std::fmt::Display;

use foldhash::{HashMap, HashMapExt};

use super::at;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Fault, Place, Result, escaped};
use crate::formats::atlas::{self, Atlas, Region};
use crate::formats::image::{charge_decoding, decode_picture_watched, picture_size};
use crate::formats::spine::find_image::{Finder, Found};
use crate::formats::spine::find_page::{PageFinder, report_name, stated_size};
use crate::formats::spine::locate::{FoundAtlas, Located, locate, loose_folders};
use crate::formats::{Input, Missing, ReadOptions, Sidecars};
use crate::limits::Budget;
use crate::model::{AlphaSource, AtlasPage, ModelBuilder, PageId};

/// Maximum number of names in a message.
const MAX_LISTED: usize = 100;

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
    /// Names that begin or end with spaces, by their names without.
    spaced: HashMap<String, String>,
    pages: Vec<Page>,
    lacking: Lacking,
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
    folders: Vec<String>,
    /// By the names that attachments reference.
    found: HashMap<String, Page>,
    bytes: u64,
    missing: Vec<MissingPicture>,
    /// The candidates for the atlas as a message, if none is a clear match.
    candidates: Option<String>,
}

/// A loose picture that is missing.
struct MissingPicture {
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
            if name.trim() != name {
                self.spaced.entry(name.trim().to_owned()).or_insert_with(|| name.clone());
            }
            self.regions.entry(name).or_insert(KnownRegion { region, atlas, is_used: false });
        }
        Ok(())
    }

    fn get(&mut self, name: &str, pointer: &dyn Display) -> Option<Picture> {
        // Some programs trim names, others do not.
        let (trimmed, spaced) = (name.trim(), self.spaced.get(name.trim()));
        let mut similar = [Some(name), Some(trimmed), spaced.map(String::as_str)].into_iter().flatten();
        let known =
            similar.find(|name| self.regions.contains_key(*name)).and_then(|name| self.regions.get_mut(name));
        let Some(KnownRegion { region, is_used, .. }) = known else {
            self.lacking.add(name, pointer, "");
            return None;
        };
        *is_used = true;
        if region.is_empty() {
            self.lacking.add(name, pointer, " with a size");
            return None;
        }
        Some(Picture { page: self.pages[region.page], region: region.clone() })
    }

    /// Returns true if they have a picture of an attachment.
    fn have_any(&self) -> bool {
        let has_picture = |region: &Region| !region.is_empty() && self.pages[region.page].id.is_some();
        self.regions.values().any(|known| known.is_used && has_picture(&known.region))
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

    /// Returns the picture called `name`; `None` if it is missing, which [`Self::report`] says.
    pub fn get(
        &mut self,
        name: &str,
        pointer: &dyn Display,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Picture>> {
        Ok(match self {
            Self::Broken => None,
            Self::Atlases(atlases) => atlases.get(name, pointer),
            Self::Loose(loose) => {
                let page = loose.page(name, pointer, builder, budget)?;
                let region = Region { size: page.size, ..Region::default() };
                page.id.is_some().then_some(Picture { page, region })
            }
        })
    }

    /// What is shown of missing pictures, unless the user chooses. Packers leave blank images out of an atlas on purpose.
    pub fn missing(&self) -> Missing {
        match self {
            Self::Atlases(atlases) if atlases.have_any() => Missing::Hide,
            Self::Atlases(_) | Self::Broken | Self::Loose(_) => Missing::Box,
        }
    }

    /// Reports missing pictures; `missing` says what is drawn instead. Returns the names of the atlases with their unused
    /// regions.
    pub fn report(self, missing: Missing, diagnostics: &mut Diagnostics) -> Vec<(String, Vec<String>)> {
        match self {
            Self::Broken => Vec::new(),
            Self::Atlases(atlases) => {
                atlases.lacking.report(missing, diagnostics);
                atlases.unused()
            }
            Self::Loose(loose) => {
                loose.report(missing, diagnostics);
                Vec::new()
            }
        }
    }
}

/// The regions that attachments use and no atlas has.
#[derive(Default)]
struct Lacking {
    /// Pointer to the attachment that uses the first.
    pointer: String,
    /// The first ones, for a message.
    listed: Vec<String>,
    names: HashSet<String>,
}

impl Lacking {
    fn add(&mut self, name: &str, pointer: &dyn Display, about: &str) {
        if self.names.contains(name) {
            return;
        }
        if self.names.is_empty() {
            self.pointer = pointer.to_string();
        }
        if self.listed.len() < MAX_LISTED {
            self.listed.push(format!("`{}`{about}", escaped(name)));
        }
        self.names.insert(name.to_owned());
    }

    fn report(&self, missing: Missing, diagnostics: &mut Diagnostics) {
        let (listed, outcome) = (self.listed.join(", "), missing.outcome());
        let message = match self.names.len() {
            0 => return,
            1 => format!("the atlas has no region {listed}; it is {outcome}"),
            count => {
                let more = if count > self.listed.len() { " and others" } else { "" };
                format!("the atlas lacks {count} regions, which are {outcome}: {listed}{more}")
            }
        };
        diagnostics.incomplete("missing-region", at(&self.pointer), message);
    }
}

impl<'a> Loose<'a> {
    fn new(images: &str, sidecars: &'a dyn Sidecars, candidates: Option<String>) -> Self {
        Self {
            finder: Finder::new(sidecars),
            folders: loose_folders(images),
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
        let page = match self.finder.loose(&self.folders, name, budget.limits())? {
            Ok(found) => load_page(found, None, None, builder, budget, &mut self.bytes)?,
            Err(why) => Err(why),
        };
        let page = page.unwrap_or_else(|why| {
            self.missing.push(MissingPicture { pointer: pointer.to_string(), why });
            Page::default()
        });
        self.found.insert(name.to_owned(), page);
        Ok(page)
    }

    /// Reports the missing pictures.
    fn report(self, shown: Missing, diagnostics: &mut Diagnostics) {
        let Self { missing, found, candidates, .. } = self;
        let has_none = found.values().all(|page| page.id.is_none());
        let (is_unsure, outcome) = (candidates.is_some(), shown.outcome());
        let (why, count) = (missing.first().map_or("", |first| &first.why), missing.len());
        let message = match candidates {
            Some(candidates) => format!(
                "{candidates}; there are no loose pictures either: {why}; attachments are {outcome}; use \
                 `--atlas FILE` to choose an atlas"
            ),
            None => format!(
                "there is no atlas next to the file, and none of its {count} pictures can be loaded: {why}; they are \
                 {outcome}; use `--atlas FILE` to choose an atlas"
            ),
        };
        match &missing[..] {
            [first, others @ ..] if has_none && (!others.is_empty() || is_unsure) => {
                diagnostics.incomplete("missing-atlas", at(&first.pointer), message);
            }
            _ => {
                for MissingPicture { pointer, why } in missing {
                    let message = format!("{why}; it is {outcome}");
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
                    report_name(page, &found, atlas_line(name, page.line), diagnostics);
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
                let message = format!("{why}; its attachments have no image");
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
    let Found { path, bytes, .. } = found;
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
