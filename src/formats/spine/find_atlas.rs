//! Which atlas belongs to a skeleton, where nobody names one.
//!
//! A `.atlas` beside the skeleton that is called after it is taken as it is. Otherwise what an atlas holds decides: of
//! those beside the skeleton, and of those in folders near it that are called after it, the one with most of the
//! regions that the skeleton asks for. Where no single one is best none is taken.

use std::cmp::Reverse;
use std::collections::HashSet;

use ::bytes::Bytes;

use super::atlas_names::{Names, Rank, atlas_stem, is_skeleton};
use crate::error::{Result, shown};
use crate::formats::{Nearby, Sidecars};
use crate::limits::Limits;

/// No more atlases than this are looked into.
const MAX_LOOKS: usize = 64;

/// Nor more bytes of them.
const MAX_BYTES: u64 = 64 << 20;

/// Of the atlases that are not taken no more are named than this.
const MAX_TOLD: usize = 8;

/// What came of the search.
pub enum Search<'a> {
    Found(Found<'a>),
    /// The atlas that is called after the skeleton cannot be read: why, in words.
    Unreadable(String),
    /// None that is sure to be the right one: in words which there are, if there are any.
    Nothing(Option<String>),
}

/// The atlas of a skeleton.
pub struct Found<'a> {
    /// Its path from the folder of the skeleton.
    pub path: String,
    pub bytes: Bytes,
    /// The folder that it is in, where that is not the skeleton's.
    pub folder: Option<Box<dyn Sidecars + 'a>>,
    /// What is to be said of the choice; `None` where the atlas is called as usual.
    pub note: Option<String>,
}

/// Finds the atlas of the skeleton that `sidecars` lie beside; `wanted` are the regions that it asks for.
pub fn search<'a>(sidecars: &'a dyn Sidecars, wanted: &HashSet<&str>, limits: &Limits) -> Result<Search<'a>> {
    let own = sidecars.own_name().unwrap_or_default();
    let names = Names::of(own);
    let here = sidecars.names_in("", &|file| atlas_stem(file).is_some());
    if let Some((path, rank)) = closest(&here, &names) {
        return Ok(match sidecars.load(path, limits)? {
            Ok(bytes) => {
                let note = (!names.is_usual(rank)).then(|| taken(path, "it is called after the skeleton"));
                Search::Found(Found { path: path.to_owned(), bytes, folder: None, note })
            }
            Err(why) => Search::Unreadable(why),
        });
    }
    if wanted.is_empty() {
        return Ok(Search::Nothing(None));
    }
    let mut looks = Looks { wanted, limits, names, bytes: 0, candidates: Vec::new() };
    looks.here(sidecars, &here, own)?;
    let mut nearby = Vec::new();
    // One that has half of what is asked for is not looked for elsewhere.
    if looks.best().is_none_or(|best| best.sure.is_none() && best.fit < looks.half()) {
        nearby = sidecars.nearby();
        looks.nearby(&nearby)?;
    }
    Ok(match looks.best() {
        Some(best) => {
            let why = format!("it has {} of the {} regions that the skeleton asks for", best.fit, wanted.len());
            let folder = best.folder.map(|folder| nearby.swap_remove(folder).sidecars);
            let note = Some(taken(&best.path, &why));
            Search::Found(Found { path: best.path.clone(), bytes: best.bytes.clone(), folder, note })
        }
        None => Search::Nothing(looks.tell()),
    })
}

fn taken(path: &str, why: &str) -> String {
    format!("the atlas is `{}`: {why}; `--atlas FILE` names another", shown(path))
}

/// The atlas that is the skeleton's by its name alone; `None` also where two are equally so.
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

/// How far an atlas is from the skeleton.
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
    /// How many of the wanted regions it has.
    fit: usize,
    /// How many it has to have.
    needed: usize,
    distance: Distance,
    rank: Option<Rank>,
    /// The same for one beside the skeleton that is called after it and nobody else.
    sure: Option<Rank>,
    /// Which of the folders near the skeleton it is in.
    folder: Option<usize>,
}

impl Candidate {
    /// The least is the best: by name where that is sure, else by what it holds.
    fn order(&self) -> impl Ord + use<> {
        let by_name = (self.sure.is_none(), self.sure);
        (by_name, Reverse(self.fit), self.distance, self.rank.is_none(), self.rank)
    }
}

/// The atlases that were looked into.
struct Looks<'w> {
    wanted: &'w HashSet<&'w str>,
    limits: &'w Limits,
    names: Names,
    bytes: u64,
    candidates: Vec<Candidate>,
}

impl Looks<'_> {
    /// Looks into the atlases beside the skeleton, which is called `own`.
    fn here(&mut self, sidecars: &dyn Sidecars, files: &[String], own: &str) -> Result<()> {
        let is_other = |file: &str| file != own && is_skeleton(file) && atlas_stem(file).is_none();
        let others = if files.is_empty() { Vec::new() } else { sidecars.names_in("", &is_other) };
        let others: Vec<Names> = others.iter().map(|other| Names::of(other)).collect();
        for file in files {
            // What is called after another skeleton may be shared, but not for one region.
            let is_foreign = others.iter().any(|other| other.is_own(file));
            let needed = if is_foreign && self.sure(file).is_none() { self.half() } else { 1 };
            self.look(sidecars, file, file.clone(), (Distance::Here, None), needed)?;
        }
        Ok(())
    }

    /// Looks into the atlases in other folders that are called after the skeleton. Other characters have their own
    /// there, and not seldom all have the same name.
    fn nearby(&mut self, nearby: &[Nearby<'_>]) -> Result<()> {
        for (index, folder) in nearby.iter().enumerate() {
            let distance = if folder.is_below { Distance::Below } else { Distance::BesideTheFolder };
            for file in folder.sidecars.names_in("", &|file| self.names.rank(file).is_some()) {
                let path = format!("{}/{file}", folder.path);
                self.look(&*folder.sidecars, &file, path, (distance, Some(index)), self.half())?;
            }
        }
        Ok(())
    }

    fn look(
        &mut self,
        sidecars: &dyn Sidecars,
        file: &str,
        path: String,
        (distance, folder): (Distance, Option<usize>),
        needed: usize,
    ) -> Result<()> {
        let size = sidecars.size(file).unwrap_or(u64::MAX);
        let total = self.bytes.saturating_add(size);
        if self.candidates.len() >= MAX_LOOKS || total > MAX_BYTES.min(self.limits.file_bytes) {
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

    /// How many of the wanted regions an atlas has.
    fn fit(&self, atlas: &[u8]) -> usize {
        // A region begins with a line that is its name.
        let lines = std::str::from_utf8(atlas).unwrap_or_default().trim_start_matches('\u{feff}').lines();
        let found: HashSet<&&str> = lines.filter_map(|line| self.wanted.get(line.trim())).collect();
        found.len()
    }

    fn half(&self) -> usize {
        self.wanted.len().div_ceil(2)
    }

    /// The one that fits better than every other.
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

    /// In words which atlases there are.
    fn tell(mut self) -> Option<String> {
        self.candidates.sort_by_key(Candidate::order);
        let told = self.candidates.iter().take(MAX_TOLD);
        let told: Vec<String> = told.map(|found| format!("`{}` has {}", shown(&found.path), found.fit)).collect();
        let more = if self.candidates.len() > MAX_TOLD { " and others" } else { "" };
        let count = self.wanted.len();
        (!told.is_empty())
            .then(|| format!("no atlas is sure to be the right one: of {count} regions {}{more}", told.join(", ")))
    }
}
