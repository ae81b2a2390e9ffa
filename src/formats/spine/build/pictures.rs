//! The pictures of a character: atlas pages or loose files.

use std::collections::{HashMap, HashSet};

use super::at;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Fault, Place, Result, escaped};
use crate::formats::atlas::{self, Atlas, Region};
use crate::formats::find_image::{Finder, Found};
use crate::formats::image::{charge_decoding, decode_picture_watched, picture_size};
use crate::formats::spine::locate::{Located, locate, loose_folder};
use crate::formats::{Input, ReadOptions, Sidecars};
use crate::limits::Budget;
use crate::model::{AlphaSource, AtlasPage, ModelBuilder, PageId};

/// Maximum number of names in a message.
const MAX_LISTED: usize = 8;

/// The source of pictures, which attachments reference by name.
pub enum Pictures<'a> {
    /// An atlas with this name.
    Atlas { name: String, regions: HashMap<String, (Region, bool)>, pages: Vec<Page> },
    /// An atlas that cannot be read, which has been reported.
    Broken,
    /// Loose files, searched on demand.
    Loose(Loose<'a>),
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
            Located::Atlas(atlas) => {
                Self::atlas(&atlas.bytes, &atlas.name, atlas.folder(), builder, budget, diagnostics)?
            }
            Located::Loose(candidates) => Self::Loose(Loose::new(images, input.sidecars, candidates)),
        })
    }

    fn atlas(
        bytes: &[u8],
        name: &str,
        sidecars: &dyn Sidecars,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let place = Place::at("", error.valid_up_to() as u64);
            Error::malformed("bad-utf8", place, "an atlas must be UTF-8 text").in_file(name)
        });
        let atlas = text.and_then(|text| Atlas::parse(text, name, diagnostics));
        let Some(atlas) = diagnostics.recover(atlas)? else { return Ok(Self::Broken) };
        budget.charge_records((atlas.pages.len() + atlas.regions.len()) as u64, || Place::file(name))?;
        let pages = pages(&atlas, name, sidecars, builder, budget, diagnostics)?;
        // Of several regions with one name, the first counts.
        let mut regions = HashMap::with_capacity(atlas.regions.len());
        for region in atlas.regions {
            regions.entry(region.name.clone()).or_insert((region, false));
        }
        Ok(Self::Atlas { name: name.to_owned(), regions, pages })
    }

    /// Returns the picture called `name`; `None` if it is missing, which is reported.
    pub fn get(
        &mut self,
        name: &str,
        pointer: &str,
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
        pointer: &str,
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
        pointer: &str,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Picture>> {
        Ok(self.look_up(name, pointer, builder, budget)?.picture())
    }

    fn look_up(
        &mut self,
        name: &str,
        pointer: &str,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<LookUp> {
        Ok(match self {
            Self::Broken => LookUp::Nothing,
            Self::Atlas { regions, pages, .. } => match regions.get_mut(name) {
                None => LookUp::Lacking(Lack::Region),
                Some((region, is_used)) => {
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
    /// Reports missing loose pictures, in a single finding if all are missing. Returns the name of the atlas and
    /// its unused regions.
    pub fn report(self, diagnostics: &mut Diagnostics) -> Option<(String, Vec<String>)> {
        match self {
            Self::Broken => None,
            Self::Atlas { name, regions, .. } => {
                let unused = regions.into_iter().filter(|(_, (_, is_used))| !is_used);
                let mut unused: Vec<String> = unused.map(|(name, _)| name).collect();
                unused.sort();
                Some((name, unused))
            }
            Self::Loose(loose) => {
                loose.report(diagnostics);
                None
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
        pointer: &str,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
    ) -> Result<Page> {
        if let Some(page) = self.found.get(name) {
            return Ok(*page);
        }
        let page = match self.finder.loose(&self.folder, name, budget.limits())? {
            Ok(found) => load_page(found, None, builder, budget, &mut self.bytes)?,
            Err(why) => Err(why),
        };
        let page = page.unwrap_or_else(|why| {
            self.missing.push(Missing { pointer: pointer.to_owned(), why });
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

/// Loads the pages of the atlas called `name`. Missing and broken pictures are reported.
fn pages(
    atlas: &Atlas,
    name: &str,
    sidecars: &dyn Sidecars,
    builder: &mut ModelBuilder,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Page>> {
    let mut finder = Finder::new(sidecars);
    let mut total = 0;
    // A picture that several pages reference is decoded once.
    let mut known: HashMap<(String, Option<bool>), Page> = HashMap::new();
    let mut loaded = Vec::with_capacity(atlas.pages.len());
    budget.expect_images(atlas.pages.len());
    for (page, reach) in atlas.pages.iter().zip(reaches(atlas)) {
        let is_premultiplied = page.is_premultiplied;
        let key = (page.file.clone(), is_premultiplied);
        let found = match known.get(&key) {
            Some(found) => Ok(*found),
            None => match finder.named(&page.file, budget.limits())? {
                Ok(found) => {
                    if found.path != page.file {
                        let message = format!(
                            "the picture `{}` is used for the page `{}`",
                            escaped(&found.path),
                            escaped(&page.file)
                        );
                        diagnostics.note("found-elsewhere", Place::file(escaped(name)), message);
                    }
                    let is_same = known.get(&(found.path.clone(), is_premultiplied)).copied();
                    match is_same {
                        Some(same) => Ok(same),
                        None => load_page(found, is_premultiplied, builder, budget, &mut total)?,
                    }
                }
                Err(why) => Err(why),
            },
        };
        budget.image_done();
        loaded.push(match found {
            Ok(found) => {
                known.insert(key, found);
                Page { size: size_for_regions(page, reach, found.size, name, diagnostics), ..found }
            }
            Err(why) => {
                let message = format!("{why}; its attachments are drawn in a neutral colour");
                diagnostics.incomplete("missing-image", Place::file(name), message);
                Page { id: None, size: page.size.unwrap_or([1.0, 1.0]) }
            }
        });
    }
    Ok(loaded)
}

/// Returns how far the regions of each page reach to the right and down, in pixels.
fn reaches(atlas: &Atlas) -> Vec<[f32; 2]> {
    let mut reaches = vec![[0.0f32; 2]; atlas.pages.len()];
    for region in &atlas.regions {
        let [width, height] = region.size;
        let on_page = if matches!(region.degrees, 90 | 270) { [height, width] } else { [width, height] };
        let end = [0, 1].map(|axis| region.at[axis] + on_page[axis]);
        let reach = &mut reaches[region.page];
        *reach = [0, 1].map(|axis| reach[axis].max(end[axis]));
    }
    reaches
}

/// Returns the size that the regions of a page refer to: that of its picture, or the one that the atlas states if they
/// only fit into that, because the picture was scaled after packing.
fn size_for_regions(
    page: &atlas::Page,
    reach: [f32; 2],
    found: [f32; 2],
    atlas: &str,
    diagnostics: &mut Diagnostics,
) -> [f32; 2] {
    let is_other = |said: &[f32; 2]| said.iter().all(|side| *side > 0.0) && *said != found;
    let Some(stated) = page.size.filter(is_other) else { return found };
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
    diagnostics.warn("page-size", Place::file(escaped(atlas)), message);
    size
}

/// Decodes a picture. The inner error is the reason that it cannot be used.
fn load_page(
    Found { path, bytes }: Found,
    is_premultiplied: Option<bool>,
    builder: &mut ModelBuilder,
    budget: &mut Budget<'_>,
    total: &mut u64,
) -> Result<Result<Page, String>> {
    *total += bytes.len() as u64;
    budget.check_file(*total).map_err(|error| error.in_file(&path))?;
    let place = || Place::file(escaped(&path));
    let decoded = picture_size(&bytes, place).and_then(|(width, height)| {
        charge_decoding(&bytes, (width, height), budget, place)?;
        Ok((width, height, decode_picture_watched(&bytes, budget.progress(), place)?))
    });
    let (width, height, pixels) = match decoded {
        Ok(decoded) => decoded,
        // A broken picture counts as missing.
        Err(Error::Malformed(fault) | Error::Unsupported(fault)) => {
            let Fault { message, .. } = *fault;
            return Ok(Err(format!("`{}` is broken: {message}", escaped(&path))));
        }
        Err(error) => return Err(error),
    };
    let pixels = pixels.into();
    let alpha_source = is_premultiplied.map_or(AlphaSource::Assumed, |_| AlphaSource::Stated);
    let is_premultiplied = is_premultiplied.unwrap_or_default();
    let page = AtlasPage { name: path.into(), width, height, pixels, is_premultiplied, alpha_source };
    Ok(Ok(Page { id: Some(builder.page(page)?), size: [width as f32, height as f32] }))
}
