//! The frames of a sheet as a dialect stores them: with unique names that state their animation, or in animations.

use std::collections::HashMap;

use super::Dialect;
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result};
use crate::formats::free_names::FreeNames;
use crate::formats::sheet::build::{self, Origins};
use crate::formats::sheet::parts::Gathered;
use crate::formats::sheet::quad::canvas_size;
use crate::formats::sheet::schema::{Frame, Rect, Size};
use crate::formats::sheet::sequences::{self, Numbering, Sequence};
use crate::formats::sheet::tags::{self, Clip};
use crate::formats::sheet::write::TEXT_BYTES;
use crate::limits::Budget;
use crate::math::Vec2;

/// The content of a sheet.
#[derive(Debug)]
pub struct Listing<'a> {
    pub frames: Vec<Shown<'a>>,
    /// Name, frames as indices, and whether it loops, of each animation; empty if the dialect has none.
    pub animations: Vec<(String, Vec<usize>, bool)>,
    /// Name, width and height of each image.
    pub pages: Vec<(String, [f32; 2])>,
    /// Number of frames with another name than in the sheet.
    pub renamed: usize,
    /// Number of frames that are not written.
    pub dropped: usize,
    /// True if a frame has a duration.
    pub is_timed: bool,
    /// True if a frame has an origin other than the upper-left corner.
    pub has_origin: bool,
    /// True if all animations loop.
    pub loops: bool,
}

/// A frame.
#[derive(Debug, Clone)]
pub struct Shown<'a> {
    pub name: String,
    pub page: usize,
    pub frame: &'a Frame,
    /// Duration in milliseconds.
    pub ms: f64,
    /// Pixels from the upper-left corner of the canvas, if any frame has an origin.
    pub origin: Option<Vec2>,
}

impl Shown<'_> {
    /// Returns its rectangle on the canvas, and the size of the canvas.
    pub fn placed(&self) -> (Rect, [f32; 2]) {
        let Rect { w, h, .. } = self.frame.frame;
        let inner = self.frame.sprite_source_size.unwrap_or_default();
        (Rect { w, h, ..inner }, canvas_size(self.frame))
    }
}

impl<'a> Listing<'a> {
    /// Lists a sheet for `dialect`. Without tags, the animation of all frames is named `title`. `images` are the names of
    /// the images.
    pub fn new(
        gathered: &'a Gathered,
        dialect: &Dialect,
        (title, usual_ms): (&str, f64),
        images: Vec<String>,
        budget: &mut Budget<'_>,
    ) -> Result<Self> {
        let shown = tags::find(gathered, title, &[], &mut Diagnostics::default());
        let origins = Origins::new(gathered);
        let count: usize = gathered.parts.iter().map(|part| part.frames.len()).sum();
        let frames = || gathered.parts.iter().flat_map(|part| &part.frames);
        let names: usize = frames().map(|frame| frame.name().len()).sum();
        let place = || Place::inside("/frames");
        budget.charge_memory(count as u64, 2 * size_of::<Shown<'_>>() + TEXT_BYTES, place)?;
        // Escaping makes a name up to six times as long.
        budget.charge_memory(names as u64, 12, place)?;
        let parts = gathered.parts.iter().enumerate();
        let frames = parts.flat_map(|(page, part)| part.frames.iter().map(move |frame| (page, frame)));
        let mut all: Vec<Shown<'a>> = frames
            .enumerate()
            .map(|(index, (page, frame))| {
                let name = frame.filename.as_ref().map_or_else(|| index.to_string(), |name| name.0.clone());
                let ms = frame.duration.map_or(usual_ms, |ms| build::clamped_ms(ms.0));
                Shown { name, page, frame, ms, origin: Some(origins.of(index, frame)) }
            })
            .collect();
        let has_origin = all.iter().any(|shown| shown.origin != Some(Vec2::ZERO));
        if !has_origin {
            all.iter_mut().for_each(|shown| shown.origin = None);
        }
        let is_seen = |&index: &usize| all.get(index).is_some_and(|shown| is_seen(shown.frame));
        // By clip: the frames that it shows.
        let mut clips = Vec::with_capacity(shown.clips.len());
        for clip in &shown.clips {
            let steps = clip.strip.period().max(clip.steps.unwrap_or(0).into());
            let steps = if dialect.has_animations { steps } else { clip.strip.period() };
            budget.charge_memory(steps, size_of::<Shown<'_>>() + 4 * clip.name.len() + TEXT_BYTES, || {
                Place::inside("/meta")
            })?;
            let frames = (0..steps).filter_map(|step| shown.list.get(clip.strip.entry(step)));
            let frames: Vec<usize> = frames.map(|&index| index as usize).filter(is_seen).collect();
            clips.push((clip, frames));
        }
        let order: Vec<usize> = gathered.order().into_iter().map(|index| index as usize).filter(is_seen).collect();
        let loops = shown.clips.iter().all(|clip| clip.steps.is_none());
        let size = |size: Option<Size>| size.map_or([0.0; 2], |size| [size.w.0, size.h.0]);
        let mut listing = Listing {
            frames: Vec::new(),
            animations: Vec::new(),
            pages: images.into_iter().zip(gathered.parts.iter().map(|part| size(part.size))).collect(),
            renamed: 0,
            dropped: all.len() - order.len(),
            is_timed: all.iter().any(|shown| shown.frame.duration.is_some()),
            has_origin,
            loops,
        };
        if dialect.has_animations {
            let mut is_used = vec![false; all.len()];
            clips.iter().flat_map(|(_, frames)| frames).for_each(|&index| is_used[index] = true);
            listing.dropped = is_used.iter().filter(|is_used| !**is_used).count();
            // Names are not stored.
            listing.renamed = is_used.len() - listing.dropped;
            let mut names = FreeNames::default();
            let named = |(clip, frames): (&Clip, Vec<usize>)| {
                (names.unique(&(dialect.clean)(&clip.name)), frames, clip.steps.is_none())
            };
            listing.animations = clips.into_iter().map(named).collect();
            listing.frames = all;
        } else {
            let is_tagged = gathered.meta.frame_tags.as_ref().is_some_and(|tags| !tags.is_empty())
                || !gathered.animations.is_empty();
            let clips = if is_tagged { clips } else { Vec::new() };
            listing.name(&all, &order, &clips, dialect);
        }
        Ok(listing)
    }

    /// Lists the frames in the order of their animations, with names that state them.
    fn name(&mut self, all: &[Shown<'a>], order: &[usize], clips: &[(&Clip, Vec<usize>)], dialect: &Dialect) {
        let mut names = FreeNames::default();
        let mut add = |index: usize, name: &str| {
            let name = names.unique(&(dialect.clean)(name));
            self.renamed += usize::from(name != all[index].name);
            self.frames.push(Shown { name, ..all[index].clone() });
        };
        if clips.is_empty() || says_names(all, order, clips) {
            order.iter().for_each(|&index| add(index, &all[index].name));
            return;
        }
        let (mut is_used, mut titles) = (vec![false; all.len()], FreeNames::default());
        for (clip, frames) in clips {
            let title = titles.unique(&(dialect.clean)(&clip.name));
            let width = (frames.len().saturating_sub(1)).to_string().len().max(2);
            for (number, &index) in frames.iter().enumerate() {
                is_used[index] = true;
                add(index, &format!("{title}_{number:0width$}"));
            }
        }
        let others = order.iter().filter(|&&index| !is_used[index]);
        others.for_each(|&index| add(index, &all[index].name));
    }
}

/// Returns true if the names of the frames imply the same animations, in programs that sort by name as well.
fn says_names(all: &[Shown<'_>], order: &[usize], clips: &[(&Clip, Vec<usize>)]) -> bool {
    let names: Vec<&str> = order.iter().map(|&index| all[index].name.as_str()).collect();
    let found = sequences::find(&names, Numbering::of(sequences::end_in_four_digits(&names)));
    let found: HashMap<&str, &Sequence<'_>> = found.iter().map(|sequence| (sequence.name, sequence)).collect();
    clips.iter().all(|(clip, frames)| {
        let is_same = |sequence: &&Sequence<'_>| {
            sequence.places.iter().map(|&place| order[place as usize]).eq(frames.iter().copied())
        };
        let is_sorted = frames.is_sorted_by_key(|&index| &all[index].name);
        frames == order || is_sorted && found.get(clip.name.as_str()).is_some_and(is_same)
    })
}

fn is_seen(frame: &Frame) -> bool {
    !frame.is_lost && frame.frame.w.0 > 0.0 && frame.frame.h.0 > 0.0
}
