//! How files of atlases are called, and which of them are called after a character.

/// What follows `.atlas`, where programs have to be told that it is text.
const ALIASES: [&str; 6] = ["txt", "text", "bytes", "asset", "json", "data"];

/// What stands between the name of a skeleton and its last extension.
const KINDS: [&str; 6] = ["json", "skel", "txt", "bytes", "asset", "spine"];

/// Ends of names that tell exports of one character apart, with or without its atlas's.
const EXPORTS: [&str; 10] =
    ["straight", "npm", "pma", "pro", "ess", "export", "skeleton", "skel", "json", "atlas"];

/// What such an end is separated with.
const SEPARATORS: [char; 3] = ['-', '_', '.'];

/// Of the names derived from one no more than this are tried.
const MAX_NAMES: usize = 16;

/// The name of an atlas without its extensions: `hero` of `hero.atlas` and `hero.atlas.txt`; `None` for other files.
pub fn atlas_stem(file: &str) -> Option<&str> {
    let mut rest = file;
    // Each alias stands once at most.
    for _ in 0..=ALIASES.len() {
        let (stem, extension) = rest.rsplit_once('.')?;
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

/// Whether a file is called as skeletons are.
pub fn is_skeleton(file: &str) -> bool {
    let mut extensions = file.split('.').skip(1);
    extensions.any(|extension| ["json", "skel"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// How closely an atlas is called after a character: the least is the closest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// Which of the derived names it is.
    name: usize,
    likeness: Likeness,
    /// How many extensions there are beside `.atlas`.
    aliases: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Exact,
    /// But for upper and lower case.
    AnyCase,
    /// Without the end of the atlas's name, which is this one of [`EXPORTS`].
    WithoutEnd(usize),
}

/// The names that an atlas of a character may have.
#[derive(Debug)]
pub struct Names {
    /// The closest first: that of its file without extensions, then without what it ends in.
    names: Vec<String>,
    /// How many of them leave out nothing but what is known to tell exports apart.
    sure: usize,
}

impl Names {
    /// Those that the skeleton in `file` leads to.
    pub fn of(file: &str) -> Self {
        let mut name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let (mut names, mut sure) = (Vec::new(), 0);
        let mut is_sure = true;
        while !name.is_empty() && names.len() < MAX_NAMES {
            names.push(name.to_owned());
            sure += usize::from(is_sure);
            let Some((shorter, end)) = name.rsplit_once(SEPARATORS) else { break };
            let is = |known: &&str| end.eq_ignore_ascii_case(known);
            is_sure &= KINDS.iter().any(&is) || EXPORTS.iter().any(is);
            name = shorter;
        }
        Self { names, sure }
    }

    /// How closely an atlas is called after the character; `None`: not at all.
    pub fn rank(&self, file: &str) -> Option<Rank> {
        let stem = atlas_stem(file)?;
        let aliases = file[stem.len()..].matches('.').count() - 1;
        let lower = stem.to_lowercase();
        let without_end = stem.rsplit_once(SEPARATORS).and_then(|(shorter, end)| {
            let at = EXPORTS.iter().position(|known| end.eq_ignore_ascii_case(known))?;
            Some((shorter.to_lowercase(), at))
        });
        self.names.iter().enumerate().find_map(|(index, name)| {
            let likeness = if name == stem {
                Likeness::Exact
            } else if name.to_lowercase() == lower {
                Likeness::AnyCase
            } else {
                let (shorter, at) = without_end.as_ref()?;
                (name.to_lowercase() == *shorter).then_some(Likeness::WithoutEnd(*at))?
            };
            Some(Rank { name: index, likeness, aliases })
        })
    }

    /// Whether an atlas is called after the character and nobody else.
    pub fn is_sure(&self, rank: Rank) -> bool {
        rank.name < self.sure
    }

    /// Whether an atlas is the character's whatever is in it: what has another extension may be something else.
    pub fn is_certain(&self, rank: Rank) -> bool {
        self.is_sure(rank) && rank.aliases == 0
    }

    /// Whether an atlas is called as everybody calls it, so that nothing has to be said about it.
    pub fn is_usual(&self, rank: Rank) -> bool {
        self.is_certain(rank) && rank.likeness == Likeness::Exact
    }

    /// Whether an atlas has exactly the name of the character, in any case.
    pub fn is_own(&self, file: &str) -> bool {
        self.rank(file).is_some_and(|rank| self.is_sure(rank) && rank.likeness <= Likeness::AnyCase)
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

    /// The atlases of `files` that are called after the character in `skeleton`, the closest first.
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
        assert!(Names::of("hero.json").is_own("HERO.atlas") && !Names::of("hero.json").is_own("hero-pma.atlas"));
    }
}
