//! Pairs the characters of two folders or patterns by their relative paths.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::shared::failure::Failure;
use crate::shared::files::{self, Found, Target, no_character};
use crate::shared::stdio::is_stdio;
use pchr::Error;
use pchr::limits::Limits;

/// The characters to compare.
pub enum Pairs {
    /// One on each side, whatever their names.
    One([PathBuf; 2]),
    /// By relative path, the characters that at least one side has.
    Many(Vec<[Option<Target>; 2]>),
}

impl Pairs {
    /// Finds the characters at two paths.
    pub fn find(paths: [&Path; 2], limits: &Limits) -> Result<Self, Failure> {
        if paths.into_iter().any(files::is_one) {
            let given = |path: &&Path| files::is_one(path) && !is_stdio(path);
            for path in paths.into_iter().filter(given) {
                fs::metadata(path).map_err(|error| Failure::Input(Error::io(path.display(), error)))?;
            }
            let [a, b] = paths.map(|path| files::one(path, limits));
            return Ok(Self::One([a?, b?]));
        }
        let [a, b] = paths.map(|path| files::at(path, limits));
        let (mut a, mut b) = (a?, b?);
        expect(&mut a, &b);
        expect(&mut b, &a);
        for (path, found) in paths.into_iter().zip([&a, &b]) {
            if found.characters.is_empty() {
                let source = io::Error::new(io::ErrorKind::NotFound, no_character());
                return Err(Failure::Input(Error::io(path.display(), source)));
            }
        }
        let are_folders = paths.into_iter().all(Path::is_dir);
        let sides =
            [a.characters, b.characters].map(|side| <[Target; 1]>::try_from(side).map_err(|side| (side, ())));
        Ok(match sides {
            [Ok([a]), Ok([b])] if !are_folders => Self::One([a.path, b.path]),
            sides => {
                let [a, b] = sides.map(|side| side.map_or_else(|(several, ())| several, Vec::from));
                Self::Many(pair(a, b))
            }
        })
    }
}

/// Treats a file as a character if the other side has one at the same path: reading it then reports what is wrong.
fn expect(found: &mut Found, other: &Found) {
    let expected: HashSet<&Path> = other.characters.iter().map(|target| &*target.below).collect();
    let (broken, foreign) = found.foreign.drain(..).partition(|target| expected.contains(&*target.below));
    found.foreign = foreign;
    found.characters.extend::<Vec<_>>(broken);
}

/// Pairs files with the same relative path. Of the others, those that differ only in their extensions are pairs, if that
/// is unambiguous.
fn pair(a: Vec<Target>, b: Vec<Target>) -> Vec<[Option<Target>; 2]> {
    let mut pairs: BTreeMap<_, [Option<Target>; 2]> = BTreeMap::new();
    for (side, targets) in [a, b].into_iter().enumerate() {
        for target in targets {
            let path = target.below.clone();
            pairs.entry(path).or_default()[side] = Some(target);
        }
    }
    // By path without extension: the paths of single files, for each side.
    let mut single: HashMap<String, [Vec<_>; 2]> = HashMap::new();
    for (path, pair) in &pairs {
        match pair {
            [Some(target), None] => single.entry(target.path_value()).or_default()[0].push(path.clone()),
            [None, Some(target)] => single.entry(target.path_value()).or_default()[1].push(path.clone()),
            _ => {}
        }
    }
    for [a, b] in single.into_values() {
        if let ([a], [b]) = (&a[..], &b[..]) {
            let other = pairs.remove(b).and_then(|[_, other]| other);
            if let Some(pair) = pairs.get_mut(a) {
                pair[1] = other;
            }
        }
    }
    pairs.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_path_comes_before_the_same_name() {
        let targets = |names: &[&str]| {
            let target = |name: &&str| Target { below: name.into(), ..Target::given(Path::new(name)) };
            names.iter().map(target).collect::<Vec<_>>()
        };
        let a = targets(&["x/hero.json", "lamp.json", "two.json", "two.skf", "gone.pchr"]);
        let b = targets(&["x/hero.pchr", "lamp.json", "lamp.skf", "two.pchr", "hero.json"]);
        let name = |target: Option<Target>| target.map_or_else(|| "-".to_owned(), |target| target.name);
        let pairs: Vec<String> = pair(a, b).into_iter().map(|pair| pair.map(name).join(" ")).collect();
        let expected = [
            "gone.pchr -",
            "- hero.json",
            "lamp.json lamp.json",
            "- lamp.skf",
            "two.json -",
            "- two.pchr",
            "two.skf -",
            "x/hero.json x/hero.pchr",
        ];
        assert_eq!(pairs, expected);
    }
}
