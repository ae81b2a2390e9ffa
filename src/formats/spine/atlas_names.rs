//! Atlas file names, and which of them match the name of a skeleton.

use crate::formats::spine::marks::without_mark;

/// Extensions after `.atlas` for programs that only load text files by extension.
const ALIASES: [&str; 7] = ["txt", "text", "bytes", "asset", "json", "data", "prefab"];

/// Extensions between the name of a skeleton and its last extension.
const KINDS: [&str; 7] = ["json", "skel", "txt", "bytes", "asset", "spine", "prefab"];

/// Suffixes that distinguish exports of one character; its atlas may lack them or have others.
const EXPORTS: [&str; 10] =
    ["straight", "npm", "pma", "pro", "ess", "export", "skeleton", "skel", "json", "atlas"];

/// Separators before such a suffix.
const SEPARATORS: [char; 3] = ['-', '_', '.'];

/// Maximum number of names derived from one file name.
const MAX_NAMES: usize = 16;

/// The name of an atlas without extensions: `hero` for `hero.atlas` and `hero.atlas.txt`; `None` for other files.
pub fn atlas_stem(file: &str) -> Option<&str> {
    let mut rest = file;
    // Each alias occurs at most once.
    for _ in 0..=ALIASES.len() {
        let (stem, extension) = without_mark(rest).rsplit_once('.')?;
        if extension.eq_ignore_ascii_case("atlas") {
            return Some(stem).filter(|stem| !stem.is_empty());
        }
        if !ALIASES.iter().any(|alias| extension.eq_ignore_ascii_case(alias)) {
            return None;
        }
        rest = stem;
    }
    None
}

/// Returns true if the file name has an extension of skeletons.
pub fn is_skeleton(file: &str) -> bool {
    let mut extensions = file.split('.').skip(1);
    extensions.any(|extension| ["json", "skel"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// How closely the name of an atlas matches a skeleton's; less is closer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// Index of the derived name that matches.
    name: usize,
    likeness: Likeness,
    /// Number of extensions in addition to `.atlas`.
    aliases: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Exact,
    /// Differs only in case.
    AnyCase,
    /// Matches without the [mark](without_mark) of the atlas.
    Marked,
    /// Matches without the suffix of the atlas, which is this one of [`EXPORTS`].
    WithoutEnd(usize),
}

/// The names that the atlas of a skeleton may have.
#[derive(Debug)]
pub struct Names {
    /// Closest first: the file name without extension, then with one suffix less each.
    names: Vec<String>,
    /// How many of them drop only suffixes in [`KINDS`] and [`EXPORTS`].
    sure: usize,
}

impl Names {
    /// The names derived from the skeleton file `file`.
    pub fn of(file: &str) -> Self {
        let mut name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let (mut names, mut sure) = (Vec::new(), 0);
        let mut is_sure = true;
        while !name.is_empty() && names.len() < MAX_NAMES {
            for name in [name, without_mark(name)] {
                if names.last().is_none_or(|last| last != name) {
                    names.push(name.to_owned());
                    sure += usize::from(is_sure);
                }
            }
            name = without_mark(name);
            let Some((shorter, end)) = name.rsplit_once(SEPARATORS) else { break };
            let is = |known: &&str| end.eq_ignore_ascii_case(known);
            is_sure &= KINDS.iter().any(&is) || EXPORTS.iter().any(is);
            name = shorter;
        }
        Self { names, sure }
    }

    /// How closely an atlas matches the skeleton; `None` if it does not.
    pub fn rank(&self, file: &str) -> Option<Rank> {
        let stem = atlas_stem(file)?;
        let aliases = file[stem.len()..].matches('.').count().saturating_sub(1);
        let (lower, plain) = (stem.to_lowercase(), without_mark(stem).to_lowercase());
        let without_end = stem.rsplit_once(SEPARATORS).and_then(|(shorter, end)| {
            let at = EXPORTS.iter().position(|known| end.eq_ignore_ascii_case(known))?;
            Some((shorter.to_lowercase(), at))
        });
        self.names.iter().enumerate().find_map(|(index, name)| {
            let likeness = if name == stem {
                Likeness::Exact
            } else if name.to_lowercase() == lower {
                Likeness::AnyCase
            } else if name.to_lowercase() == plain {
                Likeness::Marked
            } else {
                let (shorter, at) = without_end.as_ref()?;
                (name.to_lowercase() == *shorter).then_some(Likeness::WithoutEnd(*at))?
            };
            Some(Rank { name: index, likeness, aliases })
        })
    }

    /// Returns true if the name of the skeleton begins with that of the atlas, or the other way round.
    pub fn is_alike(&self, file: &str) -> bool {
        let names = [self.names.first().map_or("", String::as_str), atlas_stem(file).unwrap_or_default()];
        let [own, other] = names.map(str::to_lowercase);
        own.starts_with(&other) || other.starts_with(&own)
    }

    /// Returns true if the atlas can only be named after this skeleton.
    pub fn is_sure(&self, rank: Rank) -> bool {
        rank.name < self.sure
    }

    /// Returns true if the name alone is enough. With another extension the file may be something else.
    pub fn is_certain(&self, rank: Rank) -> bool {
        self.is_sure(rank) && rank.aliases == 0
    }

    /// Returns true if the atlas has the conventional name, which needs no note.
    pub fn is_usual(&self, rank: Rank) -> bool {
        self.is_certain(rank) && rank.likeness == Likeness::Exact
    }

    /// Returns the usual name of the atlas, unless the skeleton has none.
    pub fn usual(&self) -> Option<String> {
        self.names.first().map(|name| format!("{name}.atlas"))
    }

    /// Returns the names without extension, in lower case, of atlases that can only be named after this skeleton.
    pub fn own(&self) -> impl Iterator<Item = String> {
        self.names[..self.sure].iter().map(|name| name.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atlases_are_known_by_their_extensions() {
        for (file, stem) in [
            ("hero.atlas", Some("hero")),
            ("Hero.ATLAS.txt", Some("Hero")),
            ("hero.v2.atlas.asset.txt", Some("hero.v2")),
            ("hero.atlas.bytes", Some("hero")),
            ("hero.atlas.meta", None),
            ("hero.atlas.txt.meta", None),
            ("hero.atlas.png", None),
            ("hero.txt", None),
            (".atlas", None),
            ("atlas", None),
        ] {
            assert_eq!(atlas_stem(file), stem, "{file}");
        }
    }

    /// The atlases of `files` that match `skeleton`, closest first.
    fn ranked<'a>(skeleton: &str, files: &[&'a str]) -> Vec<&'a str> {
        let names = Names::of(skeleton);
        let mut ranked: Vec<_> = files.iter().filter_map(|file| Some((names.rank(file)?, *file))).collect();
        ranked.sort();
        ranked.into_iter().map(|(_, file)| file).collect()
    }

    #[test]
    fn names_are_derived_on_both_sides() {
        let closest_first =
            ["hero-pro.atlas", "hero-pro.atlas.txt", "hero.atlas", "hero-pma.atlas", "Hero_pma.atlas.txt"];
        let mut files: Vec<&str> = closest_first.into_iter().rev().collect();
        files.extend(["hero2.atlas", "her.atlas", "heroes-pma.atlas", "hero-villain.atlas", "villain.atlas"]);
        assert_eq!(ranked("hero-pro.json", &files), closest_first);
        assert_eq!(ranked("hero.skel.json", &files), ranked("hero.json", &files));
        assert_eq!(ranked("hero.json.txt", &["hero.atlas.txt", "Hero.atlas"]), ["hero.atlas.txt", "Hero.atlas"]);
        assert_eq!(ranked("boss-red.json", &["boss-blue.atlas", "boss.atlas"]), ["boss.atlas"]);
        assert_eq!(ranked("hero2.json", &["hero.atlas"]), [""; 0]);
        // Names from tools that extract files.
        assert_eq!(ranked("hero.skel.prefab", &["hero.atlas.prefab", "hero.prefab"]), ["hero.atlas.prefab"]);
        assert_eq!(
            ranked("hero #12.skel", &["hero #13.atlas", "hero #12.atlas"]),
            ["hero #12.atlas", "hero #13.atlas"]
        );
        assert_eq!(ranked("hero.skel #12.txt", &["hero.atlas #13.txt"]), ["hero.atlas #13.txt"]);
        assert_eq!(ranked("-x.json", &[".atlas", "x.atlas"]), [""; 0]);
    }

    #[test]
    fn only_known_ends_are_sure() {
        let is_sure = |skeleton: &str, atlas: &str| {
            let names = Names::of(skeleton);
            names.rank(atlas).map(|rank| (names.is_sure(rank), names.is_usual(rank)))
        };
        assert_eq!(is_sure("hero-pro.json", "hero.atlas"), Some((true, true)));
        assert_eq!(is_sure("hero.json", "Hero.atlas"), Some((true, false)));
        assert_eq!(is_sure("hero.json", "hero.atlas.txt"), Some((true, false)));
        assert_eq!(is_sure("hero-pro.json", "hero-pma.atlas"), Some((true, false)));
        assert_eq!(is_sure("boss-red.json", "boss.atlas"), Some((false, false)));
        assert_eq!(Names::of("Hero-pro.json").own().collect::<Vec<_>>(), ["hero-pro", "hero"]);
    }
}
