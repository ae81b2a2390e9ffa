//! Atlases: their regions by name, and their pages.

use std::collections::HashSet;
use std::fmt::Display;

use foldhash::{HashMap, HashMapExt};

use super::load::load_page;
use super::{Page, Picture};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result, escaped};
use crate::formats::Missing;
use crate::formats::atlas::{self, Atlas, Region};
use crate::formats::spine::build::at;
use crate::formats::spine::find_page::{PageFinder, report_name, stated_size};
use crate::formats::spine::locate::FoundAtlas;
use crate::limits::Budget;
use crate::model::ModelBuilder;

/// The regions and pages of all atlases.
#[derive(Default)]
pub struct Atlases {
    /// The names of the atlases.
    pub names: Vec<String>,
    /// By name; the page of a region is an index into `pages`.
    regions: HashMap<String, KnownRegion>,
    /// Names that begin or end with spaces, by their names without.
    spaced: HashMap<String, String>,
    pages: Vec<Page>,
    pub lacking: Lacking,
}

/// A region of an atlas.
struct KnownRegion {
    region: Region,
    /// Index of the atlas.
    atlas: usize,
    is_used: bool,
}

impl Atlases {
    /// Adds an atlas, unless it cannot be read. Of several regions with one name, the first counts.
    pub fn add(
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

    pub fn get(&mut self, name: &str, pointer: &dyn Display) -> Option<Picture> {
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
    pub fn have_any(&self) -> bool {
        let has_picture = |region: &Region| !region.is_empty() && self.pages[region.page].id.is_some();
        self.regions.values().any(|known| known.is_used && has_picture(&known.region))
    }

    /// Returns the names of the atlases with their unused regions.
    pub fn unused(self) -> Vec<(String, Vec<String>)> {
        let mut unused: Vec<(String, Vec<String>)> =
            self.names.into_iter().map(|name| (name, Vec::new())).collect();
        for (name, region) in self.regions.into_iter().filter(|(_, region)| !region.is_used) {
            unused[region.atlas].1.push(name);
        }
        unused.iter_mut().for_each(|(_, regions)| regions.sort());
        unused
    }
}

/// Maximum number of names in a message.
const MAX_LISTED: usize = 100;

/// The regions that attachments use and no atlas has.
#[derive(Default)]
pub struct Lacking {
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

    pub fn report(&self, missing: Missing, diagnostics: &mut Diagnostics) {
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
