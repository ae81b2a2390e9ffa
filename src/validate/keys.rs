//! Notes about keys that are probably mistakes. Each key is compared with the other keys of the file, as the file states them,
//! so that a note has the place of its key.
//!
//! The bounds are chosen so that the conformance files have few notes; tests/formats/odd_keys.rs checks that, and that planted
//! mistakes are found.

use std::collections::HashMap;

use crate::diagnostics::Diagnostics;
use crate::error::{Place, escaped};
use crate::formats::{Input, ReadOptions, StatedKey, StatedKeys, StatedValue, stated_keys};

/// A file with more values has no notes: they would take more than about 100 MB.
const MAX_POINTS: usize = 1 << 20;

/// How often a value is as far away as the other keys are apart.
const FAR: f64 = 3.0;
/// The share of timelines that may move less than a timeline that counts as typical.
const TYPICAL: f64 = 0.9;

/// The longest time of one frame, in seconds.
const FRAME: f64 = 0.042;

/// What a timeline animates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Translation,
    Rotation,
    Scale,
    /// 1 or more is visible, 0 is not.
    Visibility,
}

impl Kind {
    /// A movement that is never far, in pixels, degrees and factors.
    fn small(self) -> f64 {
        match self {
            Self::Translation => 20.0,
            Self::Rotation => 30.0,
            Self::Scale => 0.25,
            Self::Visibility => f64::INFINITY,
        }
    }
}

/// A property: its names in files, the fields of its keys, and the value of a field that a key leaves out, which is that of the
/// rest pose. Without it, the rest pose is unknown.
type Property = (&'static [&'static str], &'static [&'static str], Kind, Option<f64>);

const PROPERTIES: &[Property] = &[
    (&["translate"], &["x", "y"], Kind::Translation, Some(0.0)),
    (&["translatex", "translatey"], &["value"], Kind::Translation, Some(0.0)),
    (&["rotate"], &["angle", "value"], Kind::Rotation, Some(0.0)),
    (&["scale"], &["x", "y"], Kind::Scale, Some(1.0)),
    (&["scalex", "scaley"], &["value"], Kind::Scale, Some(1.0)),
    (&["translation", "PositionX", "PositionY"], &["x", "y", "value"], Kind::Translation, None),
    (&["rotation", "Rotation"], &["rotation", "value"], Kind::Rotation, None),
    (&["scale", "ScaleX", "ScaleY"], &["scaleX", "scaleY", "value"], Kind::Scale, None),
    (&["attachment"], &["name"], Kind::Visibility, Some(0.0)),
    (&["color", "rgba", "alpha", "twoColor", "rgba2"], &["color", "light", "value"], Kind::Visibility, Some(1.0)),
    (&["visibility", "Hidden", "TintA"], &["visible", "value"], Kind::Visibility, None),
];

/// A value of a key.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// The position of the key in the file.
    key: usize,
    seconds: f64,
    value: f64,
    /// The value stays until the next key.
    is_stepped: bool,
}

/// The values of a field in a list of keys.
#[derive(Debug)]
struct Series {
    kind: Kind,
    rest: Option<f64>,
    field: &'static str,
    is_stated: bool,
    points: Vec<Point>,
    /// Their values and that of the rest pose.
    sorted: Vec<f64>,
}

/// What is odd about a key.
#[derive(Debug, Clone, Copy)]
enum Odd {
    Outlier,
    Flip,
    Flash,
}

/// A note about a key.
struct Suspect {
    odd: Odd,
    field: &'static str,
    message: String,
}

/// Adds the notes. A file with errors in its keys has none.
pub fn check(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) {
    let Ok(keys) = stated_keys(input, options, &mut Diagnostics::default()) else { return };
    let Some(all) = series_of(&keys) else { return };
    let mut suspects = HashMap::new();
    for kind in [Kind::Translation, Kind::Rotation, Kind::Scale, Kind::Visibility] {
        let of_kind: Vec<&Series> = all.iter().filter(|series| series.kind == kind).collect();
        let mut spreads: Vec<f64> = of_kind.iter().map(|series| series.spread()).collect();
        spreads.sort_by(f64::total_cmp);
        for series in of_kind {
            let typical = typical(&spreads, series.spread()).max(kind.small());
            for at in 0..series.points.len() {
                if let (Some(suspect), Some(point)) = (series.suspect(at, typical), series.points.get(at)) {
                    suspects.entry(point.key).or_insert(suspect);
                }
            }
        }
    }
    let mut at = 0;
    _ = keys.for_each(|key| {
        if let Some(suspect) = suspects.remove(&at) {
            let (place, message) = (place(key, &suspect), message(key, &suspect));
            match suspect.odd {
                Odd::Outlier => diagnostics.note("outlying-key", place, message),
                Odd::Flip => diagnostics.note("scale-through-zero", place, message),
                Odd::Flash => diagnostics.note("single-frame-part", place, message),
            }
        }
        at += 1;
        if suspects.is_empty() { Err(()) } else { Ok(()) }
    });
}

fn place(key: &StatedKey<'_>, suspect: &Suspect) -> Place {
    let is_stated = key.values.0.iter().any(|(name, _)| name == suspect.field);
    let path = match (&key.pointer, key.frame) {
        (Some(pointer), _) if is_stated => format!("{pointer}/{}", suspect.field),
        (Some(pointer), _) => pointer.clone(),
        (None, Some(frame)) => format!("animation `{}`, frame {frame}", escaped(&key.animation)),
        (None, None) => String::new(),
    };
    Place { file: key.file.map(str::to_owned), path, offset: key.byte }
}

fn message(key: &StatedKey<'_>, suspect: &Suspect) -> String {
    let StatedKey { animation, name, property, target, .. } = key;
    let seconds = (key.seconds.unwrap_or_default() * 1000.0).round() / 1000.0;
    let (name, animation) = (escaped(name), escaped(animation));
    format!("{property} of {target} `{name}` in `{animation}` at {seconds} s {}", suspect.message)
}

/// Returns the values of all keys that are checked, each list in the order of time. `None` if there are too many.
fn series_of(keys: &StatedKeys) -> Option<Vec<Series>> {
    let mut all: Vec<Series> = Vec::new();
    let mut by_list: HashMap<(u64, &str), usize> = HashMap::new();
    let (mut at, mut count) = (0, 0);
    let read = keys.for_each(|key| {
        let row = PROPERTIES.iter().find(|(names, fields, ..)| {
            let has_field = || key.values.0.iter().any(|(name, _)| fields.contains(&&**name));
            // Stored frames call their scale as Spine does.
            names.contains(&&*key.property) && (key.frame.is_none() || has_field())
        });
        if let (Some((_, fields, kind, rest)), Some(seconds), "bone" | "slot") = (row, key.seconds, &*key.target) {
            let list = key.timeline();
            for &field in *fields {
                let stated = key.values.0.iter().find(|(name, _)| name == field);
                let stated = stated.and_then(|(_, value)| number(key, value));
                let Some(value) = stated.or(*rest) else { continue };
                let index = *by_list.entry((list, field)).or_insert(all.len());
                if index == all.len() {
                    all.push(Series {
                        kind: *kind,
                        rest: *rest,
                        field,
                        is_stated: false,
                        points: Vec::new(),
                        sorted: Vec::new(),
                    });
                }
                let Some(series) = all.get_mut(index) else { continue };
                series.is_stated |= stated.is_some();
                series.points.push(Point { key: at, seconds, value, is_stepped: is_stepped(key) });
                count += 1;
            }
        }
        at += 1;
        if count > MAX_POINTS { Err(()) } else { Ok(()) }
    });
    all.retain(|series| series.is_stated && series.points.len() > 1);
    for series in &mut all {
        series.points.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        series.sorted = series.points.iter().map(|point| point.value).chain(series.rest).collect();
        series.sorted.sort_by(f64::total_cmp);
    }
    read.ok().map(|()| all)
}

/// Returns a value as a number, angles in degrees.
fn number(key: &StatedKey<'_>, value: &StatedValue<'_>) -> Option<f64> {
    let text = value.as_str();
    let number = || text.parse().ok().filter(|number: &f64| number.is_finite());
    match (&*key.property, text) {
        ("Rotation", _) => number().map(f64::to_degrees),
        ("Hidden", _) => number().map(|hidden| f64::from(hidden == 0.0)),
        ("attachment", _) => Some(f64::from(text != "null")),
        (_, "true") => Some(1.0),
        (_, "false") => Some(0.0),
        // `"rrggbbaa"`
        _ if text.starts_with('"') => Some(text.get(7..9).map_or(1.0, |alpha| f64::from(alpha != "00"))),
        _ => number(),
    }
}

fn is_stepped(key: &StatedKey<'_>) -> bool {
    let is =
        |name: &str, text: &str| key.curve.0.iter().any(|(field, value)| field == name && value.as_str() == text);
    matches!(&*key.property, "attachment" | "visibility" | "Hidden")
        || is("curve", "\"stepped\"")
        || is("is_snap", "true")
}

/// Returns how far the typical timeline moves, of the `others` of a timeline in a sorted list of all.
fn typical(spreads: &[f64], own: f64) -> f64 {
    let own = spreads.partition_point(|spread| *spread < own);
    let at = (spreads.len().saturating_sub(2) as f64 * TYPICAL) as usize;
    spreads.get(at + usize::from(at >= own)).copied().unwrap_or_default()
}

impl Series {
    /// How far the values and the rest pose are apart.
    fn spread(&self) -> f64 {
        let (least, most) = range(self.sorted.iter().copied());
        most - least
    }

    /// The least and the greatest of the values and the rest pose, without one that is `value`.
    fn others(&self, value: f64) -> (f64, f64) {
        let least = match &*self.sorted {
            [first, rest @ ..] if *first == value => rest.first(),
            all => all.first(),
        };
        let most = match &*self.sorted {
            [rest @ .., last] if *last == value => rest.last(),
            all => all.last(),
        };
        (least.copied().unwrap_or(value), most.copied().unwrap_or(value))
    }

    fn suspect(&self, at: usize, typical: f64) -> Option<Suspect> {
        let point = self.points.get(at)?;
        let before = at.checked_sub(1).and_then(|at| self.points.get(at));
        let after = self.points.get(at + 1);
        let found = match self.kind {
            Kind::Visibility => self.flash(point, before, after),
            Kind::Scale => {
                self.flip(point, before, after).or_else(|| self.outlier(point.value, before, after, typical))
            }
            Kind::Translation | Kind::Rotation => self.outlier(point.value, before, after, typical),
        };
        found.map(|(odd, message)| Suspect { odd, field: self.field, message })
    }

    fn outlier(
        &self,
        value: f64,
        before: Option<&Point>,
        after: Option<&Point>,
        typical: f64,
    ) -> Option<(Odd, String)> {
        // A mirrored part is not larger.
        let size = |value: f64| if self.kind == Kind::Scale { value.abs() } else { value };
        let near = before.into_iter().chain(after).map(|point| point.value).chain(self.rest);
        let (least, most) = range(near.map(size));
        let distance = (size(value) - most).max(least - size(value));
        let others = self.others(value);
        let is_far = distance > FAR * typical.max(others.1 - others.0);
        let rest = if self.rest.is_some() { " and in the rest pose" } else { "" };
        is_far.then(|| {
            let message = format!("is {value:.2}, but from {least:.2} to {most:.2} in the keys beside it{rest}");
            (Odd::Outlier, message)
        })
    }

    /// A scale whose sign is that of no other key, unless it flips at once.
    fn flip(&self, point: &Point, before: Option<&Point>, after: Option<&Point>) -> Option<(Odd, String)> {
        let flips_at_once = before.is_none_or(|it| it.is_stepped) && (after.is_none() || point.is_stepped);
        let (least, most) = self.others(point.value);
        let is_alone = if point.value > 0.0 { most < 0.0 } else { point.value < 0.0 && least > 0.0 };
        (self.sorted.len() > 2 && is_alone && !flips_at_once).then(|| {
            let message = format!("is {:.2} and has another sign in all other keys", point.value);
            (Odd::Flip, message)
        })
    }

    /// A part that appears for one frame.
    fn flash(&self, point: &Point, before: Option<&Point>, after: Option<&Point>) -> Option<(Odd, String)> {
        let is_short = |from: &Point, to: &Point| to.seconds - from.seconds <= FRAME;
        let appears = match before {
            Some(before) => before.value <= 0.0 && (before.is_stepped || is_short(before, point)),
            None => point.seconds <= 0.0,
        };
        let disappears = after.is_some_and(|after| after.value <= 0.0 && is_short(point, after));
        let is_flash = point.value > 0.0 && appears && disappears;
        is_flash.then(|| (Odd::Flash, "shows it for a single frame".to_owned()))
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)))
}
