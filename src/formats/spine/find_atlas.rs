//! Finds the atlas of a skeleton when none is given.
//!
//! A `.atlas` file next to the skeleton that is named after it is always used. Otherwise the content decides.
//! Candidates are the atlases next to the skeleton, and the atlases in nearby folders that are named after it or have
//! all of its regions. The candidate with the most regions that the skeleton references is used. If several have
//! all of them, one is chosen; if several lack equally many, none is.
//!
//! If the atlas lacks regions, others next to the skeleton are used in addition, each with at least half of the
//! regions that are still missing.

use std::collections::{HashMap, HashSet};

use ::bytes::Bytes;

use super::atlas_candidate::{Candidate, Distance, best_of_equal, listed};
use super::atlas_names::{Names, Rank, atlas_stem, is_skeleton};
use super::folder_regions;
use crate::error::{Result, escaped};
use crate::formats::spine::marks::without_mark;
use crate::formats::{Listing, Nearby, Sidecars};
use crate::limits::Limits;

/// Maximum number of atlases to read.
const MAX_ATLASES: usize = 64;

/// Maximum size of all atlases read, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Minimum number of regions to recognise an atlas by them alone.
const MIN_REGIONS: usize = 4;

/// The result of a search.
pub enum Search<'a> {
    /// The atlases, at least one. Regions are looked up in this order.
    Found(Vec<Found<'a>>),
    /// The atlas named after the skeleton cannot be read, for this reason.
    Unreadable(String),
    /// No atlas is a clear match; the message lists the candidates, if any.
    Nothing(Option<String>),
}

/// An atlas of a skeleton.
pub struct Found<'a> {
    /// Path relative to the skeleton's folder.
    pub path: String,
    pub bytes: Bytes,
    /// The folder of the atlas, unless it is the skeleton's own.
    pub folder: Option<Box<dyn Sidecars + 'a>>,
    /// The note about this choice; `None` if the atlas has the usual name.
    pub note: Option<String>,
}

/// Finds the atlases of the skeleton next to `sidecars`; `wanted` are the regions that it references.
pub fn search<'a>(sidecars: &'a dyn Sidecars, wanted: &HashSet<&str>, limits: &Limits) -> Result<Search<'a>> {
    let wanted = &wanted.iter().map(|name| name.trim()).collect();
    let own = sidecars.own_name().unwrap_or_default();
    let names = Names::of(own);
    let mut searcher = Searcher { wanted, limits, names, own, count: 0, bytes: 0, candidates: Vec::new() };
    let found = match searcher.named(sidecars) {
        Some((path, note)) => match sidecars.load(&path, limits)? {
            Ok(bytes) => Found { path, bytes, folder: None, note },
            Err(why) => return Ok(Search::Unreadable(why)),
        },
        None if wanted.is_empty() => return Ok(Search::Nothing(None)),
        None => match searcher.best_of_all(sidecars)? {
            Some(best) => best,
            None => return Ok(Search::Nothing(searcher.describe())),
        },
    };
    let mut all = vec![found];
    let missing = missing_in(&all[0].bytes, wanted);
    if !missing.is_empty() {
        searcher.add_further(sidecars, &mut all, missing)?;
    }
    Ok(Search::Found(all))
}

/// Returns the regions of `wanted` that an atlas lacks.
fn missing_in<'w>(atlas: &[u8], wanted: &HashSet<&'w str>) -> HashSet<&'w str> {
    // A region begins with a line that consists of its name.
    let text = std::str::from_utf8(atlas).unwrap_or_default().trim_start_matches('\u{feff}');
    let mut missing = wanted.clone();
    for line in text.lines() {
        if missing.is_empty() {
            break;
        }
        missing.remove(line.trim());
    }
    missing
}

/// Returns the names of the atlases in a folder.
fn atlases(listing: &Listing) -> &[String] {
    let search = || listing.names().iter().filter(|file| atlas_stem(file).is_some()).cloned().collect();
    listing.derived.atlases.get_or_init(search)
}

/// Returns true if an atlas is named after a skeleton in its folder other than `own`.
fn is_foreign(listing: &Listing, atlas: &str, own: &str) -> bool {
    let skeletons = listing.derived.skeletons.get_or_init(|| {
        let mut skeletons: HashMap<String, Vec<String>> = HashMap::new();
        for file in listing.names().iter().filter(|file| is_skeleton(file) && atlas_stem(file).is_none()) {
            Names::of(file).own().for_each(|name| skeletons.entry(name).or_default().push(file.clone()));
        }
        skeletons
    });
    let stem = atlas_stem(atlas).unwrap_or_default().to_lowercase();
    let named = [&*stem, without_mark(&stem)].into_iter().filter_map(|name| skeletons.get(name)).flatten();
    named.into_iter().any(|skeleton| skeleton != own)
}

fn choice_note(path: &str, why: &str) -> String {
    format!("the atlas is `{}`: {why}; use `--atlas FILE` for another", escaped(path))
}

/// The atlas that is certain by name alone; `None` also if two match equally well.
fn closest<'f>(files: &'f [String], names: &Names) -> Option<(&'f str, Rank)> {
    let ranked = files.iter().filter_map(|file| Some((names.rank(file)?, file.as_str())));
    let mut sure: Vec<_> = ranked.filter(|(rank, _)| names.is_sure(*rank)).collect();
    sure.sort_unstable();
    match sure[..] {
        [(first, _), (second, _), ..] if first == second => None,
        [(rank, file), ..] => names.is_certain(rank).then_some((file, rank)),
        [] => None,
    }
}

/// The atlases read so far.
struct Searcher<'w> {
    wanted: &'w HashSet<&'w str>,
    limits: &'w Limits,
    names: Names,
    /// The name of the skeleton.
    own: &'w str,
    /// Number and size of the atlases read.
    count: usize,
    bytes: u64,
    candidates: Vec<Candidate>,
}

impl Searcher<'_> {
    /// Returns the atlas next to the skeleton that is certain by name alone, with the note about it.
    fn named(&self, sidecars: &dyn Sidecars) -> Option<(String, Option<String>)> {
        // Without reading the folder, which may be large.
        if let Some(usual) = self.names.usual().filter(|usual| sidecars.size(usual).is_ok()) {
            return Some((usual, None));
        }
        let listing = sidecars.listing("");
        let (path, rank) = closest(atlases(&listing), &self.names)?;
        let note = (!self.names.is_usual(rank)).then(|| choice_note(path, "it is named after the skeleton"));
        Some((path.to_owned(), note))
    }

    /// Reads all candidates and returns the best.
    fn best_of_all<'a>(&mut self, sidecars: &'a dyn Sidecars) -> Result<Option<Found<'a>>> {
        self.here(sidecars)?;
        let mut nearby = Vec::new();
        // Other folders are only searched if no atlas here has half of the regions.
        if self.best().is_none_or(|best| best.sure.is_none() && best.fit < self.half()) {
            nearby = sidecars.nearby();
            self.nearby(sidecars, &nearby)?;
        }
        let Some((best, others)) = self.chosen() else { return Ok(None) };
        let (fit, count) = (best.fit, self.wanted.len());
        let why = format!("it has {fit} of the {count} regions that the skeleton references{others}");
        let folder = best.folder.map(|folder| nearby.swap_remove(folder).sidecars);
        let note = Some(choice_note(&best.path, &why));
        Ok(Some(Found { path: best.path.clone(), bytes: best.bytes.clone(), folder, note }))
    }

    /// Reads the atlases next to the skeleton.
    fn here(&mut self, sidecars: &dyn Sidecars) -> Result<()> {
        let listing = sidecars.listing("");
        for file in atlases(&listing) {
            // An atlas named after another skeleton may be shared, but one common region is not enough.
            let is_foreign = self.sure(file).is_none() && is_foreign(&listing, file, self.own);
            let needed = if is_foreign { self.half() } else { 1 };
            self.read_atlas(sidecars, file, file.clone(), (Distance::Here, None), needed)?;
        }
        Ok(())
    }

    /// Reads the atlases in nearby folders that are named after the skeleton, and then the others, which need all
    /// regions: other characters keep their own atlas there.
    fn nearby(&mut self, sidecars: &dyn Sidecars, nearby: &[Nearby<'_>]) -> Result<()> {
        for (is_named, needed) in [(true, self.half()), (false, self.wanted.len())] {
            for (index, folder) in nearby.iter().enumerate() {
                let distance = if folder.is_below { Distance::Below } else { Distance::BesideTheFolder };
                let listing = folder.sidecars.listing("");
                for file in atlases(&listing) {
                    if self.names.rank(file).is_some() != is_named {
                        continue;
                    }
                    let path = format!("{}/{file}", folder.path);
                    self.read_atlas(&*folder.sidecars, file, path, (distance, Some(index)), needed)?;
                }
            }
        }
        let (listing, mut candidates) = (sidecars.listing(""), std::mem::take(&mut self.candidates));
        candidates.retain(|found| {
            let is_named = found.distance == Distance::Here || found.rank.is_some();
            is_named || self.is_recognised(&found.bytes, &listing, sidecars)
        });
        self.candidates = candidates;
        Ok(())
    }

    /// Returns true if an atlas that has all regions but another name is recognised by at least four: those of the skeleton, and
    /// those of other skeletons in its folder whose regions are all in the atlas.
    fn is_recognised(&self, atlas: &[u8], listing: &Listing, sidecars: &dyn Sidecars) -> bool {
        if self.wanted.len() >= MIN_REGIONS {
            return true;
        }
        let of_skeletons = folder_regions::regions(listing, sidecars, self.limits);
        let missing = missing_in(atlas, &of_skeletons.iter().flatten().map(String::as_str).collect());
        let has_all = |regions: &&HashSet<String>| regions.iter().all(|name| !missing.contains(name.as_str()));
        let of_users = of_skeletons.iter().filter(has_all).flatten().map(String::as_str);
        of_users.chain(self.wanted.iter().copied()).collect::<HashSet<_>>().len() >= MIN_REGIONS
    }

    fn read_atlas(
        &mut self,
        sidecars: &dyn Sidecars,
        file: &str,
        path: String,
        (distance, folder): (Distance, Option<usize>),
        needed: usize,
    ) -> Result<()> {
        if let Some(bytes) = self.load(sidecars, file)? {
            let (fit, rank) = (self.wanted.len() - missing_in(&bytes, self.wanted).len(), self.names.rank(file));
            // One that is not named after the skeleton is only worth a mention if it fits.
            if distance != Distance::Here && rank.is_none() && fit < needed {
                return Ok(());
            }
            let sure = self.sure(file).filter(|_| distance == Distance::Here);
            let (is_alike, written) = (self.names.is_alike(file), sidecars.written(file).unwrap_or_default());
            let candidate =
                Candidate { path, bytes, fit, needed, distance, rank, sure, is_alike, written, folder };
            self.candidates.push(candidate);
        }
        Ok(())
    }

    /// Loads an atlas, unless that would be too much.
    fn load(&mut self, sidecars: &dyn Sidecars, file: &str) -> Result<Option<Bytes>> {
        if self.count >= MAX_ATLASES {
            return Ok(None);
        }
        let size = sidecars.size(file).unwrap_or(u64::MAX);
        let total = self.bytes.saturating_add(size);
        if total > MAX_BYTES.min(self.limits.file_bytes) {
            return Ok(None);
        }
        let loaded = sidecars.load(file, self.limits)?.ok();
        if loaded.is_some() {
            self.count += 1;
            self.bytes = total;
        }
        Ok(loaded)
    }

    /// Adds atlases next to the skeleton that are not named after another skeleton to `found`: the one with most of the
    /// regions that are still `missing`, as long as it has half of them.
    fn add_further<'a>(
        &mut self,
        sidecars: &dyn Sidecars,
        found: &mut Vec<Found<'a>>,
        mut missing: HashSet<&str>,
    ) -> Result<()> {
        let listing = sidecars.listing("");
        (self.count, self.bytes) = (0, 0);
        self.candidates.clear();
        for file in atlases(&listing) {
            if *file != found[0].path && !is_foreign(&listing, file, self.own) {
                self.read_atlas(sidecars, file, file.clone(), (Distance::Here, None), 1)?;
            }
        }
        while !missing.is_empty() {
            let fit = |candidate: &Candidate| missing.len() - missing_in(&candidate.bytes, &missing).len();
            let fits: Vec<usize> = self.candidates.iter().map(fit).collect();
            let most = fits.iter().copied().max().unwrap_or_default();
            if most < missing.len().div_ceil(2) {
                break;
            }
            let equal = self.candidates.iter().zip(fits).filter(|(_, fit)| *fit == most);
            let equal: Vec<&Candidate> = equal.map(|(candidate, _)| candidate).collect();
            let Some((best, others)) = best_of_equal(&equal, most == missing.len()) else { break };
            let (path, bytes, quoted) = (best.path.clone(), best.bytes.clone(), best.quoted());
            let why = format!("it has {most} of the {} regions that are missing elsewhere{others}", missing.len());
            missing = missing_in(&bytes, &missing);
            let note = format!("the atlas {quoted} is used too: {why}");
            found.push(Found { path, bytes, folder: None, note: Some(note) });
        }
        Ok(())
    }

    fn sure(&self, file: &str) -> Option<Rank> {
        self.names.rank(file).filter(|rank| self.names.is_sure(*rank))
    }

    fn half(&self) -> usize {
        self.wanted.len().div_ceil(2)
    }

    /// The best candidate, and what a message says about others that are equally good.
    fn chosen(&self) -> Option<(&Candidate, String)> {
        let fitting = || self.candidates.iter().filter(|found| found.fit >= found.needed);
        let first = fitting().min_by_key(|found| found.order())?;
        let equal: Vec<&Candidate> = fitting().filter(|found| found.order() == first.order()).collect();
        best_of_equal(&equal, first.fit == self.wanted.len())
    }

    fn best(&self) -> Option<&Candidate> {
        self.chosen().map(|(best, _)| best)
    }

    /// Lists the candidates in a message.
    fn describe(mut self) -> Option<String> {
        self.candidates.sort_by_key(Candidate::order);
        let candidates = self.candidates.iter().map(|found| format!("{} has {}", found.quoted(), found.fit));
        let (candidates, count) = (listed(candidates), self.wanted.len());
        (!candidates.is_empty()).then(|| format!("no atlas is a clear match: of {count} regions, {candidates}"))
    }
}
