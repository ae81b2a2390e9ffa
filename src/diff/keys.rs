//! Keys of two files → the keys that differ, with their places.
//!
//! Keys are compared as the files state them. Each key is reduced to a few hashes; the files are then read again for the
//! keys that differ.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Diff;
use super::animations::SAME_TIME;
use super::differences::{FieldChange, FilePlace, FoundIn, KeyDifference};
use super::key_lines::rounded;
use crate::diagnostics::Diagnostics;
use crate::formats::{Input, ReadOptions, StatedKey, StatedKeys, StatedValue, stated_texts};

/// Files with more keys are not compared: their hashes would take more than 32 MB.
const MAX_KEYS: usize = 1 << 20;
/// Number of differences that are listed.
const MAX_LISTED: usize = 500;
/// Maximum size in bytes of the listed keys of a file.
const MAX_BYTES: usize = 1 << 22;
/// The bytes that a field counts in addition to its text.
const FIELD_BYTES: usize = 64;
/// Longest text of a value, in characters.
const MAX_TEXT: usize = 60;

impl Diff {
    /// If the characters differ, adds the keys that differ, and the places of all items that differ. `inputs` are the files of
    /// both characters, with the options with which they were read.
    ///
    /// Only files of one format, version and form (text or binary) are compared. Keys and places that cannot be listed,
    /// because a file is damaged or exceeds a limit, are left out.
    #[must_use]
    pub fn with_keys(mut self, inputs: [(&Input<'_>, &ReadOptions); 2]) -> Self {
        let [a, b] = inputs;
        let read = |(input, options)| stated_texts(input, options, &mut Diagnostics::default()).ok()?;
        if !self.same
            && let Some(of_a) = read(a)
            && let Some(of_b) = read(b)
            && of_a.form == of_b.form
        {
            self.add_places(&of_a, &a.1.limits, FoundIn::B, |places| &mut places.a);
            self.add_places(&of_b, &b.1.limits, FoundIn::A, |places| &mut places.b);
            if of_a.shape.is_some()
                && let Ok(of_a) = StatedKeys::of_texts(of_a, a.1)
                && let Ok(of_b) = StatedKeys::of_texts(of_b, b.1)
            {
                self.add_keys([&of_a, &of_b]);
            }
        }
        self
    }

    fn add_keys(&mut self, [a, b]: [&StatedKeys; 2]) {
        let (Some(in_a), Some(in_b)) = (briefs(a), briefs(b)) else { return };
        (self.a.keys, self.b.keys) = (Some(in_a.len()), Some(in_b.len()));
        let differing = differing(&in_a, &in_b);
        let listed = &differing[..differing.len().min(MAX_LISTED)];
        let of_side = |side: usize| listed.iter().filter_map(|pair| pair[side]).collect();
        let mut details = [details(a, of_side(0)), details(b, of_side(1))];
        for pair in listed {
            let mut of_side = |side: usize| pair[side].and_then(|at| details[side].remove(&at));
            let found = [of_side(0), of_side(1)];
            let is_whole = found.iter().zip(pair).all(|(found, at)| found.is_some() == at.is_some());
            self.keys.extend(difference(found).filter(|_| is_whole));
        }
        self.more_keys = differing.len() - self.keys.len();
    }
}

/// A key in a few bytes.
#[derive(Debug, Clone, Copy)]
struct Brief {
    timeline: u64,
    /// Infinite without a valid time.
    seconds: f64,
    /// Hashes of the fields.
    values: u64,
    curve: u64,
}

/// Returns all keys of a file; `None` if there are too many.
fn briefs(keys: &StatedKeys) -> Option<Vec<Brief>> {
    let mut briefs = Vec::new();
    let all = keys.for_each(|key| {
        briefs.push(Brief {
            timeline: key.timeline(),
            seconds: key.seconds.unwrap_or(f64::INFINITY),
            values: content(values(key)),
            curve: content(&key.curve.0),
        });
        if briefs.len() > MAX_KEYS { Err(()) } else { Ok(()) }
    });
    all.ok().map(|()| briefs)
}

/// A field of a key.
type Stated<'k> = (Cow<'k, str>, StatedValue<'k>);

/// Returns the fields of a key, except its curve, its time and its index in the file.
fn values<'k>(key: &'k StatedKey<'k>) -> impl Iterator<Item = &'k Stated<'k>> {
    key.values.0.iter().filter(|(name, _)| !key.time_fields.contains(&&**name))
}

/// Returns a hash of fields, which does not depend on their order.
fn content<'k>(fields: impl IntoIterator<Item = &'k Stated<'k>>) -> u64 {
    let field = |(name, value): &Stated<'_>| {
        let mut hasher = DefaultHasher::new();
        (name, value.content()).hash(&mut hasher);
        hasher.finish()
    };
    fields.into_iter().map(field).fold(0, u64::wrapping_add)
}

/// Indices of the same key in both files; one of them is missing for a key that only one file has.
type Pair = [Option<usize>; 2];

/// Returns the keys that differ, in the order of the first file, then those that only the second has.
fn differing(a: &[Brief], b: &[Brief]) -> Vec<Pair> {
    let sorted = [by_time(a), by_time(b)];
    let mut timelines: BTreeMap<u64, [&[usize]; 2]> = BTreeMap::new();
    for (side, (sorted, of_side)) in sorted.iter().zip([a, b]).enumerate() {
        for timeline in sorted.chunk_by(|x, y| of_side[*x].timeline == of_side[*y].timeline) {
            timelines.entry(of_side[timeline[0]].timeline).or_default()[side] = timeline;
        }
    }
    let mut pairs = Vec::new();
    for [mut in_a, mut in_b] in timelines.into_values() {
        let mut alone = [Vec::new(), Vec::new()];
        while let Some(time) = first_time([a, b], [in_a, in_b]) {
            let mut at_once = [take(&mut in_a, a, time), take(&mut in_b, b, time)];
            // Equal keys in any order.
            take_pairs(&mut at_once, [a, b], |key| (key.values, key.curve));
            let [of_a, of_b] = at_once;
            let both = of_a.len().min(of_b.len());
            pairs.extend(of_a.iter().zip(&of_b).map(|(a, b)| [Some(*a), Some(*b)]));
            alone[0].extend(&of_a[both..]);
            alone[1].extend(&of_b[both..]);
        }
        // Handles of curves may contain the time, so a moved key is recognized by its values.
        let moved = take_pairs(&mut alone, [a, b], |key| key.values);
        pairs.extend(moved.into_iter().map(|pair| pair.map(Some)));
        pairs.extend(alone[0].iter().map(|a| [Some(*a), None]));
        pairs.extend(alone[1].iter().map(|b| [None, Some(*b)]));
    }
    pairs.sort_unstable_by_key(|[a, b]| (a.unwrap_or(usize::MAX), *b));
    pairs
}

/// Returns the indices of keys by timeline, and those of a timeline by time.
fn by_time(keys: &[Brief]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    let of = |at: usize| keys[at];
    order.sort_by(|x, y| of(*x).timeline.cmp(&of(*y).timeline).then(of(*x).seconds.total_cmp(&of(*y).seconds)));
    order
}

/// Returns the time of the next key.
fn first_time(keys: [&[Brief]; 2], next: [&[usize]; 2]) -> Option<f64> {
    let times = keys.iter().zip(next).filter_map(|(keys, next)| Some(keys[*next.first()?].seconds));
    times.reduce(f64::min)
}

/// Takes the keys at a time from the beginning of a list.
fn take(list: &mut &[usize], keys: &[Brief], time: f64) -> Vec<usize> {
    let count = list.iter().take_while(|at| keys[**at].seconds <= time + SAME_TIME).count();
    let (taken, rest) = list.split_at(count);
    *list = rest;
    taken.to_vec()
}

/// Takes keys that are equal by `key` from both lists, in order, and returns their pairs.
fn take_pairs<K: Eq + Hash>(
    lists: &mut [Vec<usize>; 2],
    [a, b]: [&[Brief]; 2],
    key: impl Fn(&Brief) -> K,
) -> Vec<[usize; 2]> {
    let [of_a, of_b] = lists;
    let mut by_key: HashMap<K, VecDeque<usize>> = HashMap::with_capacity(of_b.len());
    for &at in &*of_b {
        by_key.entry(key(&b[at])).or_default().push_back(at);
    }
    let mut pairs = Vec::new();
    of_a.retain(|&at| {
        let partner = by_key.get_mut(&key(&a[at])).and_then(VecDeque::pop_front);
        pairs.extend(partner.map(|partner| [at, partner]));
        partner.is_none()
    });
    let taken: HashSet<usize> = pairs.iter().map(|[_, b]| *b).collect();
    of_b.retain(|at| !taken.contains(at));
    pairs
}

/// What is listed of a key.
struct Detail {
    key: KeyDifference,
    place: FilePlace,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    text: String,
    content: u64,
}

/// Returns the keys at some indices, as many as fit.
fn details(keys: &StatedKeys, mut wanted: HashSet<usize>) -> HashMap<usize, Detail> {
    let (mut found, mut at, mut bytes) = (HashMap::new(), 0, 0);
    _ = keys.for_each(|key| {
        if wanted.remove(&at) {
            let pointer = key.pointer.as_deref().unwrap_or_default();
            let fields = values(key).chain(&key.curve.0);
            let texts = [&key.animation, &key.target, &key.name, &key.property].map(|name| name.len());
            let others = [&key.attachment, &key.skin].map(|name| name.as_ref().map_or(0, |name| name.len()));
            let size = texts.iter().chain(&others).sum::<usize>()
                + pointer.len()
                + fields.map(|(name, value)| name.len() + value.as_str().len() + FIELD_BYTES).sum::<usize>();
            if bytes + size <= MAX_BYTES {
                bytes += size;
                found.insert(at, Detail::of(key));
            }
        }
        at += 1;
        if wanted.is_empty() { Err(()) } else { Ok(()) }
    });
    found
}

impl Detail {
    fn of(key: &StatedKey<'_>) -> Self {
        let text = |name: &str| name.to_owned();
        let field = |name: &str, value: &StatedValue<'_>| Field {
            name: text(name),
            text: text(value.as_str()),
            content: value.content(),
        };
        let fields = values(key).chain(&key.curve.0);
        Self {
            key: KeyDifference {
                a: None,
                animation: text(&key.animation),
                attachment: key.attachment.as_deref().map(text),
                b: None,
                changes: Vec::new(),
                found_in: FoundIn::Both,
                name: text(&key.name),
                property: text(&key.property),
                skin: key.skin.as_deref().map(text),
                target: text(&key.target),
            },
            place: FilePlace::of(key),
            fields: fields.map(|(name, value)| field(name, value)).collect(),
        }
    }

    /// Returns the fields by name and, as names may be repeated, occurrence.
    fn by_name(&self) -> impl Iterator<Item = ((&str, usize), &Field)> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        self.fields.iter().map(move |field| {
            let count = seen.entry(&field.name).or_default();
            *count += 1;
            ((&*field.name, *count), field)
        })
    }
}

/// Returns the difference of a key in one or both files.
fn difference(found: [Option<Detail>; 2]) -> Option<KeyDifference> {
    Some(match found {
        [Some(a), Some(b)] => {
            let changes = changes(&a, &b);
            KeyDifference { a: Some(a.place), b: Some(b.place), changes, ..a.key }
        }
        [Some(a), None] => KeyDifference { a: Some(a.place), found_in: FoundIn::A, ..a.key },
        [None, Some(b)] => KeyDifference { b: Some(b.place), found_in: FoundIn::B, ..b.key },
        [None, None] => return None,
    })
}

/// Returns the fields that differ, in the order of the files.
fn changes(a: &Detail, b: &Detail) -> Vec<FieldChange> {
    let [in_a, in_b] = [a, b].map(|key| key.by_name().collect::<HashMap<_, _>>());
    let only_in_b = b.by_name().filter(|(name, _)| !in_a.contains_key(name));
    let mut changes = Vec::from_iter(moved(a.place.seconds, b.place.seconds));
    for (name, Field { name: what, .. }) in a.by_name().chain(only_in_b) {
        let [a, b] = [&in_a, &in_b].map(|fields| fields.get(&name));
        if a.map(|field| field.content) != b.map(|field| field.content) {
            let [a, b] = excerpts([a, b].map(|field| field.map(|field| &*field.text)));
            changes.push(FieldChange { a, b, what: what.clone() });
        }
    }
    changes
}

fn moved(a: Option<f64>, b: Option<f64>) -> Option<FieldChange> {
    let is_same = match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= SAME_TIME,
        (a, b) => a == b,
    };
    let text = |seconds: Option<f64>| seconds.map(|seconds| rounded(seconds).to_string());
    (!is_same).then(|| FieldChange { a: text(a), b: text(b), what: "seconds".to_owned() })
}

/// Returns two texts, or the parts of them that differ first if one is long.
fn excerpts(texts: [Option<&str>; 2]) -> [Option<String>; 2] {
    const BEFORE: usize = 10;
    let is_long = texts.iter().flatten().any(|text| text.chars().nth(MAX_TEXT).is_some());
    let start = match texts {
        [Some(a), Some(b)] if is_long => {
            a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count().saturating_sub(BEFORE)
        }
        _ => 0,
    };
    texts.map(|text| {
        let mut rest = text?.chars().skip(start);
        let part: String = rest.by_ref().take(MAX_TEXT).collect();
        let (before, after) = (if start > 0 { "…" } else { "" }, if rest.next().is_some() { "…" } else { "" });
        Some(format!("{before}{part}{after}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of one timeline, each with a time, a value and a curve.
    fn keys<const N: usize>(keys: [(f64, u64, u64); N]) -> [Brief; N] {
        keys.map(|(seconds, values, curve)| Brief { timeline: 1, seconds, values, curve })
    }

    fn both(a: usize, b: usize) -> Pair {
        [Some(a), Some(b)]
    }

    #[test]
    fn keys_are_paired_by_time_then_by_value() {
        let a = keys([(0.0, 1, 0), (0.5, 2, 0), (1.0, 3, 0), (2.0, 4, 0)]);
        assert!(differing(&a, &a).is_empty());
        // Rounded times are equal, and so are keys in another order.
        let b = keys([(2.00009, 4, 0), (0.0, 1, 0), (1.0, 3, 0), (0.5, 2, 0)]);
        assert!(differing(&a, &b).is_empty());
        let b = keys([(0.0, 1, 0), (0.5, 9, 0), (1.0, 3, 7), (2.0, 4, 0)]);
        assert_eq!(differing(&a, &b), [both(1, 1), both(2, 2)]);
        // Moved with another curve, and replaced by one with another value.
        let b = keys([(0.0, 1, 0), (0.6, 2, 5), (1.0, 3, 0), (2.5, 9, 0)]);
        assert_eq!(differing(&a, &b), [both(1, 1), [Some(3), None], [None, Some(3)]]);
        // Without a time.
        let b = keys([(0.0, 1, 0), (0.5, 2, 0), (f64::INFINITY, 3, 0), (2.0, 4, 0)]);
        assert_eq!(differing(&a, &b), [both(2, 2)]);
        assert!(differing(&b, &b).is_empty());
    }

    #[test]
    fn keys_at_one_time_are_paired_by_content_then_in_order() {
        let a = keys([(1.0, 1, 0), (1.0, 2, 0), (1.0, 3, 0)]);
        let b = keys([(1.0, 3, 0), (1.0, 9, 0), (1.0, 1, 0), (1.0, 2, 0)]);
        assert_eq!(differing(&a, &b), [[None, Some(1)]]);
        let b = keys([(1.0, 3, 0), (1.0, 9, 0)]);
        assert_eq!(differing(&a, &b), [both(0, 1), [Some(1), None]]);
    }

    #[test]
    fn keys_of_other_timelines_are_never_paired() {
        let a = [Brief { timeline: 1, seconds: 0.0, values: 1, curve: 0 }];
        let b = [Brief { timeline: 2, ..a[0] }];
        assert_eq!(differing(&a, &b), [[Some(0), None], [None, Some(0)]]);
    }

    #[test]
    fn of_long_values_the_part_that_differs_is_shown() {
        let long = |end: &str| format!("[{}{end}{}]", "0,".repeat(50), ",0".repeat(50));
        let [a, b] = [long("7"), long("8")];
        let found = excerpts([Some(&a), Some(&b)]).map(Option::unwrap);
        assert!(found[0].starts_with("…0,0,0,0,0,7,0") && found[1].starts_with("…0,0,0,0,0,8,0"), "{found:?}");
        assert!(found.iter().all(|text| text.chars().count() == MAX_TEXT + 2 && text.ends_with('…')), "{found:?}");
        assert_eq!(excerpts([Some("12"), None]), [Some("12".to_owned()), None]);
    }
}
