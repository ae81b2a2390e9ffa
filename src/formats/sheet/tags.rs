//! Tags, or Pixi animations, → sequences of frames.

use std::collections::{HashMap, HashSet};

use super::character::Played;
use super::parts::Gathered;
use super::schema;
use super::sequences::{self, Numbering, Sequence};
use crate::diagnostics::Diagnostics;
use crate::error::{Place, escaped};
use crate::formats::json;
use crate::math::Vec2;
use crate::model::{Order, Strip};

/// The frames and animations of a file.
pub struct Shown {
    /// The frames, followed by the frames of Pixi animations. Strips are ranges of this list.
    pub list: Vec<u32>,
    pub clips: Vec<Clip>,
}

/// An animation.
pub struct Clip {
    pub name: String,
    pub strip: Strip,
    /// Number of steps; `None` if it loops.
    pub steps: Option<u32>,
    /// Names by which it is also found.
    pub aliases: Vec<String>,
    /// Its frames per second, and the place of its frames, y up, in a character that states them.
    pub played: Option<(f64, Vec2)>,
}

impl Clip {
    fn of(name: &str, strip: Strip) -> Self {
        Self { name: name.to_owned(), strip, steps: None, aliases: Vec::new(), played: None }
    }

    fn looping(name: &str, first: u32, count: u32) -> Self {
        Self::of(name, Strip::new(first, count, Order::Forward))
    }
}

/// Tags with more steps than this loop forever.
const MAX_STEPS: u64 = 65_535;

/// Finds the animations. Without tags or named animations, there is one of all frames, named `title`, and one for
/// each sequence of numbered frame names. Each of the names in `asked` that only a frame has becomes one, too.
pub fn find(gathered: &Gathered, title: &str, asked: &[String], diagnostics: &mut Diagnostics) -> Shown {
    let mut shown = Shown { list: gathered.order(), clips: Vec::new() };
    let count = shown.list.len() as u32;
    let tags = gathered.meta.frame_tags.as_deref().unwrap_or_default();
    if let Some(play) = &gathered.play {
        shown.list.clear();
        for Played { name, frames, fps, looping, corner } in &play.animations {
            let clip = Clip::looping(name, shown.list.len() as u32, frames.len() as u32);
            let steps = (!looping).then_some(frames.len() as u32);
            shown.list.extend(frames);
            shown.clips.push(Clip { steps, played: Some((*fps, *corner)), ..clip });
        }
    } else if !tags.is_empty() {
        let prefixes = Prefixes::new(gathered, tags);
        for (index, tag) in tags.iter().enumerate() {
            shown.clips.extend(clip(tag, index, count, &prefixes, diagnostics));
        }
    } else if !gathered.animations.is_empty() && gathered.layers.is_none() {
        named(gathered, &mut shown, diagnostics);
    }
    if shown.clips.is_empty() && gathered.layers.is_some() {
        shown.clips.push(Clip::looping(title, 0, count));
    } else if shown.clips.is_empty() {
        untagged(gathered, title, &mut shown);
    }
    if gathered.layers.is_none() {
        stills(gathered, asked, &mut shown);
    }
    check_names(&shown.clips, diagnostics);
    shown
}

fn place(index: usize, field: &str) -> Place {
    Place::inside(format!("/meta/frameTags/{index}{field}"))
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
        warn("", format!("frames {from} to {to} do not exist, the sheet has {count}; the tag is ignored"));
        return None;
    }
    let (first, last) = match prefixes.recovered(name, from, to) {
        Some((first, last)) => {
            let message = format!(
                "frames {from} to {to} belong to another sprite; frames {first} to {last} are used because of their names"
            );
            warn("", message);
            (first, last)
        }
        None => {
            let (first, last) = (from.max(0.0) as u32, (to as u32).min(count - 1));
            if first as f32 != from || last as f32 != to {
                let message = format!(
                    "not all frames {from} to {to} exist, the sheet has {count}; frames {first} to {last} are used"
                );
                warn("", message);
            }
            (first, last)
        }
    };
    let word = tag.direction.as_deref().unwrap_or("forward");
    let order = schema::ORDERS.into_iter().find(|&order| schema::direction(order) == word).unwrap_or_else(|| {
        let message = format!(
            "unknown direction `{}`, expected forward, reverse, pingpong or pingpong_reverse; forward is used",
            escaped(word)
        );
        warn("/direction", message);
        Order::Forward
    });
    let strip = Strip::new(first, last - first + 1, order);
    let steps = match tag.repeat {
        None | Some(schema::Repeat(Some(0))) => None,
        Some(schema::Repeat(None)) => {
            warn("/repeat", "invalid repeat count; the tag loops forever".to_owned());
            None
        }
        Some(schema::Repeat(Some(passes))) => {
            let steps = strip.steps_of_passes(passes.into());
            if passes > 1 && steps > MAX_STEPS {
                warn("/repeat", format!("{passes} repeats are {steps} frames, too many; the tag loops forever"));
            }
            u32::try_from(steps).ok().filter(|_| passes == 1 || steps <= MAX_STEPS)
        }
    };
    Some(Clip { steps, ..Clip::of(name, strip) })
}

/// The prefixes of frame names before `:` and a number, as in `{title}_{tag}:{tagframe}`. Aseprite numbers the
/// frames of a tag within their own sprite, even if the sheet has several.
struct Prefixes<'a> {
    /// For each frame: the prefix, and the first frame after those that share it.
    frames: Vec<(&'a str, u32)>,
    /// For each tag: the first frame named after it. Names without a title take precedence over names with one.
    first: HashMap<&'a str, u32>,
}

/// Maximum length of a prefix that is searched for a title and a tag.
const MAX_PREFIX: usize = 1024;

impl<'a> Prefixes<'a> {
    /// Returns an empty map if any name has another form.
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
            // In reverse order, so that the first one wins.
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

    /// Returns the frames named after a tag, if the frames it refers to by number are named after another tag and
    /// their
    /// count is the same.
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

/// Adds Pixi animations, which list the names of their frames.
fn named(gathered: &Gathered, shown: &mut Shown, diagnostics: &mut Diagnostics) {
    let names = gathered.parts.iter().flat_map(|part| &part.frames).map(|frame| frame.filename.as_ref());
    let mut frames: HashMap<&str, u32> = HashMap::new();
    for (index, name) in (0..).zip(names) {
        if let Some(name) = name {
            frames.entry(&name.0).or_insert(index);
        }
    }
    let mut known = HashSet::new();
    // Each file of a sheet may list all animations.
    for (name, list) in gathered.animations.iter().filter(|(name, _)| known.insert(name.as_str())) {
        let first = shown.list.len() as u32;
        shown.list.extend(list.iter().filter_map(|frame| frames.get(frame.0.as_str())));
        let count = shown.list.len() as u32 - first;
        if count < list.len() as u32 || count == 0 {
            let key = json::text::escaped_key(name);
            let message = format!("only {count} of its {} frames exist", list.len());
            diagnostics.warn("bad-tag", Place::inside(format!("/animations/{key}")), message);
        }
        if count > 0 {
            shown.clips.push(Clip::looping(name, first, count));
        }
    }
}

/// Adds an animation of all frames, followed by the sequences of numbered names.
fn untagged(gathered: &Gathered, title: &str, shown: &mut Shown) {
    let all = shown.list.len() as u32;
    let frames: Vec<&schema::Frame> = gathered.parts.iter().flat_map(|part| &part.frames).collect();
    let names: Vec<&str> = shown.list.iter().map(|&frame| frames[frame as usize].name()).collect();
    let sequences = sequences::find(&names, Numbering::detect(gathered.is_of_animate, &names));
    let is_taken = |title: &str| sequences.iter().any(|sequence| sequence.name == title && !sequence.is_all);
    let name = if is_taken(title) { format!("{title} (all frames)") } else { title.to_owned() };
    shown.clips.push(Clip::looping(&name, 0, all));
    for sequence in sequences {
        let Sequence { name, places, is_all, .. } = &sequence;
        // The only frame of a clip is the clip.
        let only = (places.len() == 1).then(|| names[places[0] as usize]);
        let aliases = || sequence.aliases().chain(only).map(str::to_owned);
        if *is_all {
            shown.clips[0].aliases.extend(aliases());
            continue;
        }
        let clip = Clip::looping(name, shown.list.len() as u32, places.len() as u32);
        let list: Vec<u32> = places.iter().map(|&place| shown.list[place as usize]).collect();
        shown.list.extend(list);
        shown.clips.push(Clip { aliases: aliases().filter(|alias| alias != name).collect(), ..clip });
    }
}

/// Adds an animation of a single frame for each name that no animation has: the frame's name, with or without its
/// extension, or without its number.
fn stills(gathered: &Gathered, asked: &[String], shown: &mut Shown) {
    let frames: Vec<&str> = gathered.parts.iter().flat_map(|part| &part.frames).map(schema::Frame::name).collect();
    for name in asked {
        let is_known = |clip: &Clip| clip.name == *name || clip.aliases.contains(name);
        if shown.clips.iter().any(is_known) {
            continue;
        }
        let place = |is_it: &dyn Fn(&str) -> bool| frames.iter().position(|frame| is_it(frame));
        let numbering = Numbering::of(gathered.is_of_animate);
        let found = place(&|frame| frame == name)
            .or_else(|| place(&|frame| sequences::stem(frame) == name))
            .or_else(|| place(&|frame| sequences::names_of_frame(frame, numbering).any(|known| known == name)));
        if let Some(found) = found.filter(|_| !name.is_empty()) {
            shown.clips.push(Clip::looping(name, shown.list.len() as u32, 1));
            shown.list.push(found as u32);
        }
    }
}

/// Checks the names of animations, by which they are looked up.
fn check_names(clips: &[Clip], diagnostics: &mut Diagnostics) {
    let mut known = HashSet::new();
    for clip in clips {
        let place = || Place::inside("/meta/frameTags");
        if clip.name.is_empty() {
            diagnostics.warn("empty-name", place(), "a tag has no name, so it cannot be looked up");
        } else if !known.insert(clip.name.as_str()) {
            let message = format!("two tags are named `{}`; only the first is found by name", escaped(&clip.name));
            diagnostics.warn("duplicate-name", place(), message);
        }
    }
}
