//! The pictures of a character: pages of an atlas, or loose files.

use std::collections::HashMap;

use ::bytes::Bytes;

use super::at;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, shown};
use crate::formats::image::{decode_png, png_size};
use crate::formats::spine::atlas::{Atlas, Region};
use crate::formats::{Folder, Input, ReadOptions, Sidecars};
use crate::limits::Budget;
use crate::model::{AlphaSource, AtlasPage, ModelBuilder, PageId};

/// Where pictures are by the names that attachments give them.
pub enum Pictures<'a> {
    /// In an atlas of that name.
    Atlas { name: String, regions: HashMap<String, (Region, bool)>, pages: Vec<Page> },
    /// In an atlas that cannot be read, which was told.
    Broken,
    /// One by one, looked for when they are needed.
    Loose {
        sidecars: &'a dyn Sidecars,
        folder: String,
        found: HashMap<String, Page>,
        bytes: u64,
        missing: Vec<Missing>,
    },
}

/// A loose picture that is not there.
pub struct Missing {
    /// The attachment that lacks it.
    pointer: String,
    why: String,
}

/// One page, if it was found.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page {
    pub id: Option<PageId>,
    /// Pixels that regions count with.
    pub size: [f32; 2],
}

/// A picture for an attachment.
#[derive(Debug, Clone, Default)]
pub struct Picture {
    pub page: Page,
    pub region: Region,
}

impl<'a> Pictures<'a> {
    /// Finds the atlas: the one that was asked for, the one of the same name, the only one beside the file. Without
    /// one pictures are loose, in `images` or beside the file.
    pub fn find(
        input: &Input<'a>,
        options: &ReadOptions,
        images: &str,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self> {
        let loose = || {
            let folder = images.trim_start_matches("./").trim_end_matches(['/', '\\']).to_owned();
            Self::Loose { sidecars: input.sidecars, folder, found: HashMap::new(), bytes: 0, missing: Vec::new() }
        };
        if let Some(path) = &options.atlas {
            let folder = Folder::of(path);
            let (file, len) = crate::formats::open_file(path)?;
            let name = path.display().to_string();
            let bytes = crate::formats::read_limited(file, len, budget.limits());
            let bytes = bytes.map_err(|error| error.in_file(&name))?;
            return Self::atlas(&bytes, &name, &folder, builder, budget, diagnostics);
        }
        let Some(name) = atlas_name(input.sidecars) else { return Ok(loose()) };
        match input.sidecars.load(&name, budget.limits())? {
            Ok(bytes) => Self::atlas(&bytes, &name, input.sidecars, builder, budget, diagnostics),
            Err(why) => {
                diagnostics.incomplete("missing-atlas", Place::default(), why);
                Ok(loose())
            }
        }
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
            Error::malformed("bad-utf8", place, "an atlas is text in UTF-8").in_file(name)
        });
        let atlas = text.and_then(|text| Atlas::parse(text, name, diagnostics));
        let Some(atlas) = diagnostics.keep(atlas)? else { return Ok(Self::Broken) };
        budget.charge_records((atlas.pages.len() + atlas.regions.len()) as u64, || Place::file(name))?;
        let mut pages = Vec::with_capacity(atlas.pages.len());
        let mut total = 0;
        // A picture that several pages name is decoded once.
        let mut known: HashMap<(&str, Option<bool>), Page> = HashMap::new();
        for page in &atlas.pages {
            let key = (&*page.file, page.is_premultiplied);
            let loaded = match known.get(&key) {
                Some(found) => Ok(Ok(*found)),
                None => load_page(&page.file, page.is_premultiplied, sidecars, builder, budget, &mut total),
            };
            if let Ok(Ok(found)) = &loaded {
                known.insert(key, *found);
            }
            let without = Page { id: None, size: page.size.unwrap_or([1.0, 1.0]) };
            pages.push(match diagnostics.keep(loaded)? {
                Some(Ok(mut found)) => {
                    if let Some(size) = page.size.filter(|size| size[0] > 0.0 && size[1] > 0.0) {
                        found.size = size;
                    }
                    found
                }
                Some(Err(why)) => {
                    let message = format!("{why}; what it is drawn on is drawn in a neutral colour");
                    diagnostics.incomplete("missing-image", Place::file(name), message);
                    without
                }
                None => without,
            });
        }
        // Of several with one name the first is taken.
        let mut regions = HashMap::with_capacity(atlas.regions.len());
        for region in atlas.regions {
            regions.entry(region.name.clone()).or_insert((region, false));
        }
        Ok(Self::Atlas { name: name.to_owned(), regions, pages })
    }

    /// The picture called `name`; `None` where there is none, which is a finding.
    pub fn get(
        &mut self,
        name: &str,
        pointer: &str,
        builder: &mut ModelBuilder,
        budget: &mut Budget<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<Picture>> {
        match self {
            Self::Broken => Ok(None),
            Self::Atlas { regions, pages, .. } => {
                let Some((region, is_used)) = regions.get_mut(name) else {
                    let name = shown(name);
                    let message = format!("the atlas has no region `{name}`; it is drawn in a neutral colour");
                    diagnostics.incomplete("missing-region", at(pointer), message);
                    return Ok(None);
                };
                *is_used = true;
                if region.whole().contains(&0.0) {
                    let name = shown(name);
                    let message =
                        format!("region `{name}` of the atlas has no size; it is drawn in a neutral colour");
                    diagnostics.incomplete("missing-region", at(pointer), message);
                    return Ok(None);
                }
                let page = pages[region.page];
                Ok(Some(Picture { page, region: region.clone() }))
            }
            Self::Loose { sidecars, folder, found, bytes, missing } => {
                if !found.contains_key(name) {
                    let path =
                        if folder.is_empty() { format!("{name}.png") } else { format!("{folder}/{name}.png") };
                    let page = load_page(&path, None, *sidecars, builder, budget, bytes);
                    let page = match diagnostics.keep(page)? {
                        Some(Ok(page)) => page,
                        Some(Err(why)) => {
                            missing.push(Missing { pointer: pointer.to_owned(), why });
                            Page::default()
                        }
                        None => Page::default(),
                    };
                    found.insert(name.to_owned(), page);
                }
                let page = found.get(name).copied().unwrap_or_default();
                let region = Region { size: page.size, ..Region::default() };
                Ok(page.id.map(|_| Picture { page, region }))
            }
        }
    }
}

impl Pictures<'_> {
    /// Tells of loose pictures that are not there: of all at once where none is. Gives the name of the atlas back, and
    /// its regions that nothing is drawn from.
    pub fn tell(self, diagnostics: &mut Diagnostics) -> Option<(String, Vec<String>)> {
        match self {
            Self::Broken => None,
            Self::Atlas { name, regions, .. } => {
                let unused = regions.into_iter().filter(|(_, (_, is_used))| !is_used);
                let mut unused: Vec<String> = unused.map(|(name, _)| name).collect();
                unused.sort();
                Some((name, unused))
            }
            Self::Loose { missing, found, .. } => {
                match &missing[..] {
                    [first, _, ..] if found.values().all(|page| page.id.is_none()) => {
                        let message = format!(
                            "there is no atlas beside the file, and none of its {} pictures: {}; they are drawn in \
                             a neutral colour, `--atlas FILE` names an atlas",
                            missing.len(),
                            first.why
                        );
                        diagnostics.incomplete("missing-atlas", at(&first.pointer), message);
                    }
                    _ => {
                        for Missing { pointer, why } in missing {
                            let message = format!("{why}; it is drawn in a neutral colour");
                            diagnostics.incomplete("missing-image", at(pointer), message);
                        }
                    }
                }
                None
            }
        }
    }
}

/// `hero.atlas` for `hero.json` and `hero-pro.json`, else the only one there.
fn atlas_name(sidecars: &dyn Sidecars) -> Option<String> {
    const SUFFIX: &str = ".atlas";
    let names = sidecars.names_ending_in(SUFFIX);
    let own = sidecars.own_name().unwrap_or_default();
    let mut stem = own.rsplit_once('.').map_or(own, |(stem, _)| stem);
    loop {
        if let Some(found) = names.iter().find(|name| name.strip_suffix(SUFFIX) == Some(stem)) {
            return Some(found.clone());
        }
        match stem.rsplit_once(['-', '.', '_']) {
            Some((shorter, _)) => stem = shorter,
            None => break,
        }
    }
    match &names[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// Loads and decodes a picture; in words why it is not to be had.
fn load_page(
    file: &str,
    is_premultiplied: Option<bool>,
    sidecars: &dyn Sidecars,
    builder: &mut ModelBuilder,
    budget: &mut Budget<'_>,
    total: &mut u64,
) -> Result<Result<Page, String>> {
    let bytes: Bytes = match sidecars.load(file, budget.limits())? {
        Ok(bytes) => bytes,
        Err(why) => return Ok(Err(why)),
    };
    *total += bytes.len() as u64;
    budget.check_file(*total).map_err(|error| error.in_file(file))?;
    let Some((width, height)) = png_size(&bytes).filter(|&(width, height)| width > 0 && height > 0) else {
        return Ok(Err(format!("`{}` is no PNG file", shown(file))));
    };
    budget.charge_pixels(width, height, || Place::file(shown(file)))?;
    let pixels = decode_png(&bytes, || Place::file(shown(file)))?.into();
    let alpha_source = is_premultiplied.map_or(AlphaSource::Assumed, |_| AlphaSource::Stated);
    let is_premultiplied = is_premultiplied.unwrap_or_default();
    let page = AtlasPage { name: file.into(), width, height, pixels, is_premultiplied, alpha_source };
    Ok(Ok(Page { id: Some(builder.page(page)?), size: [width as f32, height as f32] }))
}
