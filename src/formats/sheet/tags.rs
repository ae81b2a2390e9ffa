//! Tags, or the animations that Pixi names, → which frames are shown in which order.

use std::collections::{HashMap, HashSet};

use super::parts::Gathered;
use super::schema;
use super::sequences::{self, Sequence};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, shown};
use crate::formats::json;
use crate::model::{Order, Strip};

/// What the file shows.
pub struct Shown {
    /// The frames, then once more those that Pixi's animations name: strips are parts of this.
    pub list: Vec<u32>,
    pub clips: Vec<Clip>,
}

/// One animation.
pub struct Clip {
    pub name: String,
    pub strip: Strip,
    /// How many steps it has, where it ends; `None`: it goes on for ever.
    pub steps: Option<u32>,
}

/// A tag that is played longer than this is played for ever.
const MAX_STEPS: u64 = 65_535;

/// Finds the animations. Without any there is one of all frames that is called `title`, and one for each name with
/// numbers behind it.
pub fn find(gathered: &Gathered, title: &str, diagnostics: &mut Diagnostics) -> Shown {
    let count = gathered.parts.iter().map(|part| part.frames.len()).sum::<usize>() as u32;
    let mut shown = Shown { list: gathered.order(), clips: Vec::new() };
    let tags = gathered.meta.frame_tags.as_deref().unwrap_or_default();
    if !tags.is_empty() {
        let prefixes = Prefixes::new(gathered, tags);
        for (index, tag) in tags.iter().enumerate() {
            shown.clips.extend(clip(tag, index, count, &prefixes, diagnostics));
        }
    } else if !gathered.animations.is_empty() {
        named(gathered, &mut shown, diagnostics);
    }
    if shown.clips.is_empty() {
        untagged(gathered, title, &mut shown);
    }
    check_names(&shown.clips, diagnostics);
    shown
}

fn place(index: usize, field: &str) -> Place {
    Place { path: format!("/meta/frameTags/{index}{field}"), ..Place::default() }
}

fn clip(
    tag: &schema::Tag,
    index: usize,
    count: u32,
    prefixes: &Prefixes<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Clip> {
    let name = tag.name.as_ref().map_or("", |name| &name.0);
    let (from, to) = (tag.from.0, tag.to.0);
    let mut warn = |field: &str, message: String| diagnostics.warn("bad-tag", place(index, field), message);
    if from > to || to < 0.0 || from.max(0.0) as u32 >= count {
        warn("", format!("frames {from} to {to} are none, the sheet has {count}; the tag is left out"));
        return None;
    }
    let (first, last) = match prefixes.recovered(name, from, to) {
        Some((first, last)) => {
            let message = format!(
                "frames {from} to {to} are those of another sprite; by their names frames {first} to {last} are meant"
            );
            warn("", message);
            (first, last)
        }
        None => {
            let (first, last) = (from.max(0.0) as u32, (to as u32).min(count - 1));
            if first as f32 != from || last as f32 != to {
                let message = format!(
                    "frames {from} to {to} are not all there, the sheet has {count}; frames {first} to {last} are shown"
                );
                warn("", message);
            }
            (first, last)
        }
    };
    let order = match tag.direction.as_deref() {
        None | Some("forward") => Order::Forward,
        Some("reverse") => Order::Reverse,
        Some("pingpong") => Order::PingPong,
        Some("pingpong_reverse") => Order::PingPongReverse,
        Some(unknown) => {
            let message = format!(
                "`{}` is no direction; there are forward, reverse, pingpong and pingpong_reverse, and forward is shown",
                shown(unknown)
            );
            warn("/direction", message);
            Order::Forward
        }
    };
    let strip = Strip::new(first, last - first + 1, order);
    let steps = match tag.repeat {
        None | Some(schema::Repeat(Some(0))) => None,
        Some(schema::Repeat(None)) => {
            warn("/repeat", "this is no number of times; the tag is played for ever".to_owned());
            None
        }
        Some(schema::Repeat(Some(passes))) => {
            let steps = strip.steps_of_passes(passes.into());
            if passes > 1 && steps > MAX_STEPS {
                warn("/repeat", format!("{passes} times are {steps} frames; the tag is played for ever"));
            }
            u32::try_from(steps).ok().filter(|_| passes == 1 || steps <= MAX_STEPS)
        }
    };
    Some(Clip { name: name.to_owned(), strip, steps })
}

/// Of each frame what its name says before `:` and a number, as `{title}_{tag}:{tagframe}` does. Aseprite numbers
/// the frames of a tag within their own sprite, also where a sheet has several.
struct Prefixes<'a> {
    /// By frame: the prefix, and the first frame after those that share it.
    frames: Vec<(&'a str, u32)>,
    /// By tag: the first frame that is named for it, without a title before one that has one.
    first: HashMap<&'a str, u32>,
}

/// Names that are longer are nobody's tag behind a title.
const MAX_PREFIX: usize = 1024;

impl<'a> Prefixes<'a> {
    /// Empty where not every name is of that form.
    fn new(gathered: &'a Gathered, tags: &[schema::Tag]) -> Self {
        let prefix = |frame: &'a schema::Frame| -> Option<&'a str> {
            let (prefix, number) = frame.filename.as_ref()?.0.rsplit_once(':')?;
            number.parse::<u32>().ok().map(|_| prefix)
        };
        let all: Option<Vec<&str>> = gathered.parts.iter().flat_map(|part| &part.frames).map(prefix).collect();
        let mut frames: Vec<(&str, u32)> = all.unwrap_or_default().into_iter().map(|prefix| (prefix, 0)).collect();
        let tags: HashSet<&str> = tags.iter().filter_map(|tag| Some(&*tag.name.as_ref()?.0)).collect();
        let (mut first, mut titled) = (HashMap::new(), HashMap::new());
        let mut end = frames.len() as u32;
        for index in (0..frames.len()).rev() {
            if frames.get(index + 1).is_some_and(|next| next.0 != frames[index].0) {
                end = index as u32 + 1;
            }
            frames[index].1 = end;
            let prefix = frames[index].0;
            // From the last to the first, so that the first counts.
            if frames.get(index.wrapping_sub(1)).is_some_and(|before| before.0 == prefix) {
                continue;
            }
            first.insert(prefix, index as u32);
            if prefix.len() <= MAX_PREFIX {
                let ends = prefix.match_indices('_').map(|(at, _)| &prefix[at + 1..]);
                titled.extend(ends.filter(|end| tags.contains(end)).map(|end| (end, index as u32)));
            }
        }
        titled.extend(first);
        Self { frames, first: titled }
    }

    /// The frames that are named for a tag, where those that it numbers are named for another and as many are.
    fn recovered(&self, tag: &str, from: f32, to: f32) -> Option<(u32, u32)> {
        let is_of_tag =
            |prefix: &str| prefix.strip_suffix(tag).is_some_and(|title| title.is_empty() || title.ends_with('_'));
        let (prefix, end) = self.frames.get(from.max(0.0) as usize)?;
        if tag.is_empty() || (is_of_tag(prefix) && to < *end as f32) {
            return None;
        }
        let first = *self.first.get(tag)?;
        let end = self.frames[first as usize].1;
        ((end - first) as f32 == to - from + 1.0).then_some((first, end - 1))
    }
}

/// Pixi's animations: each has the names of its frames.
fn named(gathered: &Gathered, shown: &mut Shown, diagnostics: &mut Diagnostics) {
    let names = gathered.parts.iter().flat_map(|part| &part.frames).map(|frame| frame.filename.as_ref());
    let mut frames: HashMap<&str, u32> = HashMap::new();
    for (index, name) in (0..).zip(names) {
        if let Some(name) = name {
            frames.entry(&name.0).or_insert(index);
        }
    }
    let mut known = HashSet::new();
    // Every file of a sheet may list them all.
    for (name, list) in gathered.animations.iter().filter(|(name, _)| known.insert(name.as_str())) {
        let first = shown.list.len() as u32;
        shown.list.extend(list.iter().filter_map(|frame| frames.get(frame.0.as_str())));
        let count = shown.list.len() as u32 - first;
        if count < list.len() as u32 || count == 0 {
            let key = json::text::escaped(name);
            let place = Place { path: format!("/animations/{key}"), ..Place::default() };
            let message = format!("of the {} frames that it names {count} are there", list.len());
            diagnostics.warn("bad-tag", place, message);
        }
        if count > 0 {
            let strip = Strip::new(first, count, Order::Forward);
            shown.clips.push(Clip { name: name.clone(), strip, steps: None });
        }
    }
}

/// All frames, and then the sequences that their names tell of.
fn untagged(gathered: &Gathered, title: &str, shown: &mut Shown) {
    let all = shown.list.len() as u32;
    let frames: Vec<&schema::Frame> = gathered.parts.iter().flat_map(|part| &part.frames).collect();
    let name = |&frame: &u32| frames[frame as usize].filename.as_ref().map_or("", |name| &*name.0);
    let names: Vec<&str> = shown.list.iter().map(name).collect();
    let sequences = sequences::find(&names);
    let is_taken = |title: &str| sequences.iter().any(|sequence| sequence.name == title);
    let name = if is_taken(title) { format!("{title} (all frames)") } else { title.to_owned() };
    shown.clips.push(Clip { name, strip: Strip::new(0, all, Order::Forward), steps: None });
    for Sequence { name, places } in sequences {
        let strip = Strip::new(shown.list.len() as u32, places.len() as u32, Order::Forward);
        let list: Vec<u32> = places.iter().map(|&place| shown.list[place as usize]).collect();
        shown.list.extend(list);
        shown.clips.push(Clip { name: name.to_owned(), strip, steps: None });
    }
}

/// Animations are asked for by their names.
fn check_names(clips: &[Clip], diagnostics: &mut Diagnostics) {
    let mut known = HashSet::new();
    for clip in clips {
        let place = || Place { path: "/meta/frameTags".to_owned(), ..Place::default() };
        if clip.name.is_empty() {
            diagnostics.warn("empty-name", place(), "a tag has no name, so nothing can ask for it");
        } else if !known.insert(clip.name.as_str()) {
            let message = format!("two tags are called `{}`; who asks for it gets the first", shown(&clip.name));
            diagnostics.warn("duplicate-name", place(), message);
        }
    }
}
