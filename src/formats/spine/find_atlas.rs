//! Finds the atlas of a skeleton when none is given.
//!
//! A `.atlas` file next to the skeleton that is named after it is always used. Otherwise the content decides: of
//! the atlases next to the skeleton, and those named after it in nearby folders, the one with most of the regions
//! that the skeleton references. Without a single best match, none is used.

use std::cmp::Reverse;
use std::collections::HashSet;

use ::bytes::Bytes;

use super::atlas_names::{Names, Rank, atlas_stem, is_skeleton};
use crate::error::{Result, escaped};
use crate::formats::{Nearby, Sidecars};
use crate::limits::Limits;

/// Maximum number of atlases to read.
const MAX_ATLASES: usize = 64;

/// Maximum size of all atlases read, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Maximum number of candidates to list in a message.
const MAX_LISTED: usize = 8;

/// The result of a search.
pub enum Search<'a> {
    Found(Found<'a>),
    /// The atlas named after the skeleton cannot be read, for this reason.
    Unreadable(String),
    /// No atlas is a clear match; the message lists the candidates, if any.
    Nothing(Option<String>),
}

/// The atlas of a skeleton.
pub struct Found<'a> {
    /// Path relative to the skeleton's folder.
    pub path: String,
    pub bytes: Bytes,
    /// The folder of the atlas, unless it is the skeleton's own.
    pub folder: Option<Box<dyn Sidecars + 'a>>,
    /// The note about this choice; `None` if the atlas has the usual name.
    pub note: Option<String>,
}

/// Finds the atlas of the skeleton next to `sidecars`; `wanted` are the regions that it references.
pub fn search<'a>(sidecars: &'a dyn Sidecars, wanted: &HashSet<&str>, limits: &Limits) -> Result<Search<'a>> {
    let own = sidecars.own_name().unwrap_or_default();
    let names = Names::of(own);
    let here = sidecars.names_in("", &|file| atlas_stem(file).is_some());
    if let Some((path, rank)) = closest(&here, &names) {
        return Ok(match sidecars.load(path, limits)? {
            Ok(bytes) => {
                let note = (!names.is_usual(rank)).then(|| choice_note(path, "it is named after the skeleton"));
                Search::Found(Found { path: path.to_owned(), bytes, folder: None, note })
            }
            Err(why) => Search::Unreadable(why),
        });
    }
    if wanted.is_empty() {
        return Ok(Search::Nothing(None));
    }
    let mut searcher = Searcher { wanted, limits, names, bytes: 0, candidates: Vec::new() };
    searcher.here(sidecars, &here, own)?;
    let mut nearby = Vec::new();
    // Other folders are only searched if no atlas here has half of the regions.
    if searcher.best().is_none_or(|best| best.sure.is_none() && best.fit < searcher.half()) {
        nearby = sidecars.nearby();
        searcher.nearby(&nearby)?;
    }
    Ok(match searcher.best() {
        Some(best) => {
            let why = format!("it has {} of the {} regions that the skeleton references", best.fit, wanted.len());
            let folder = best.folder.map(|folder| nearby.swap_remove(folder).sidecars);
            let note = Some(choice_note(&best.path, &why));
            Search::Found(Found { path: best.path.clone(), bytes: best.bytes.clone(), folder, note })
        }
        None => Search::Nothing(searcher.describe()),
    })
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

/// How far an atlas is from the skeleton in the folder tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    Here,
    Below,
    BesideTheFolder,
}

/// An atlas that may be the right one.
struct Candidate {
    path: String,
    bytes: Bytes,
    /// Number of wanted regions in the atlas.
    fit: usize,
    /// Minimum `fit` to be accepted.
    needed: usize,
    distance: Distance,
    rank: Option<Rank>,
    /// `rank`, if the atlas is next to the skeleton and named after it alone.
    sure: Option<Rank>,
    /// Index of the nearby folder that contains it.
    folder: Option<usize>,
}

impl Candidate {
    /// Sort key, best first: by name if that is certain, otherwise by content.
    fn order(&self) -> impl Ord + use<> {
        let by_name = (self.sure.is_none(), self.sure);
        (by_name, Reverse(self.fit), self.distance, self.rank.is_none(), self.rank)
    }
}

/// The atlases read so far.
struct Searcher<'w> {
    wanted: &'w HashSet<&'w str>,
    limits: &'w Limits,
    names: Names,
    bytes: u64,
    candidates: Vec<Candidate>,
}

impl Searcher<'_> {
    /// Reads the atlases next to the skeleton `own`.
    fn here(&mut self, sidecars: &dyn Sidecars, files: &[String], own: &str) -> Result<()> {
        let is_other = |file: &str| file != own && is_skeleton(file) && atlas_stem(file).is_none();
        let others = if files.is_empty() { Vec::new() } else { sidecars.names_in("", &is_other) };
        let others: Vec<Names> = others.iter().map(|other| Names::of(other)).collect();
        for file in files {
            // An atlas named after another skeleton may be shared, but one common region is not enough.
            let is_foreign = others.iter().any(|other| other.is_own(file));
            let needed = if is_foreign && self.sure(file).is_none() { self.half() } else { 1 };
            self.read_atlas(sidecars, file, file.clone(), (Distance::Here, None), needed)?;
        }
        Ok(())
    }

    /// Reads the atlases in nearby folders that are named after the skeleton. Other characters keep their own
    /// atlas there, often under the same name.
    fn nearby(&mut self, nearby: &[Nearby<'_>]) -> Result<()> {
        for (index, folder) in nearby.iter().enumerate() {
            let distance = if folder.is_below { Distance::Below } else { Distance::BesideTheFolder };
            for file in folder.sidecars.names_in("", &|file| self.names.rank(file).is_some()) {
                let path = format!("{}/{file}", folder.path);
                self.read_atlas(&*folder.sidecars, &file, path, (distance, Some(index)), self.half())?;
            }
        }
        Ok(())
    }

    fn read_atlas(
        &mut self,
        sidecars: &dyn Sidecars,
        file: &str,
        path: String,
        (distance, folder): (Distance, Option<usize>),
        needed: usize,
    ) -> Result<()> {
        let size = sidecars.size(file).unwrap_or(u64::MAX);
        let total = self.bytes.saturating_add(size);
        if self.candidates.len() >= MAX_ATLASES || total > MAX_BYTES.min(self.limits.file_bytes) {
            return Ok(());
        }
        if let Ok(bytes) = sidecars.load(file, self.limits)? {
            self.bytes = total;
            let (fit, rank) = (self.fit(&bytes), self.names.rank(file));
            let sure = self.sure(file).filter(|_| distance == Distance::Here);
            self.candidates.push(Candidate { path, bytes, fit, needed, distance, rank, sure, folder });
        }
        Ok(())
    }

    fn sure(&self, file: &str) -> Option<Rank> {
        self.names.rank(file).filter(|rank| self.names.is_sure(*rank))
    }

    /// Counts the wanted regions in an atlas.
    fn fit(&self, atlas: &[u8]) -> usize {
        // A region begins with a line that consists of its name.
        let lines = std::str::from_utf8(atlas).unwrap_or_default().trim_start_matches('\u{feff}').lines();
        let found: HashSet<&&str> = lines.filter_map(|line| self.wanted.get(line.trim())).collect();
        found.len()
    }

    fn half(&self) -> usize {
        self.wanted.len().div_ceil(2)
    }

    /// The best candidate, unless two are equally good.
    fn best(&self) -> Option<&Candidate> {
        let mut fitting: Vec<&Candidate> =
            self.candidates.iter().filter(|found| found.fit >= found.needed).collect();
        fitting.sort_by_key(|found| found.order());
        match fitting[..] {
            [first, second, ..] if first.order() == second.order() => None,
            [first, ..] => Some(first),
            [] => None,
        }
    }

    /// Lists the candidates in a message.
    fn describe(mut self) -> Option<String> {
        self.candidates.sort_by_key(Candidate::order);
        let listed = self.candidates.iter().take(MAX_LISTED);
        let listed: Vec<String> =
            listed.map(|found| format!("`{}` has {}", escaped(&found.path), found.fit)).collect();
        let more = if self.candidates.len() > MAX_LISTED { " and others" } else { "" };
        let count = self.wanted.len();
        (!listed.is_empty())
            .then(|| format!("no atlas is a clear match: of {count} regions, {}{more}", listed.join(", ")))
    }
}
