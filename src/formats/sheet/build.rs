//! Frames and animations → a character of one bone, one slot, and an attachment for each frame.

use std::collections::HashMap;
use std::sync::Arc;

use super::layers::Layers;
use super::parts::{Gathered, Page, Part, Picture, load_page};
use super::quad::{Placed, canvas_size, place};
use super::tags::{self, Clip};
use super::{parts, schema};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result};
use crate::formats::{ReadOptions, Sidecars, page_alpha};
use crate::limits::Budget;
use crate::math::{Affine2, Vec2, vec2};
use crate::model::{
    Animation, Attachment, AttachmentId, Bone, BoneId, FrameTimes, Indices, Influence, Mesh, ModelBuilder,
    SkinNVertices, Slot, Timing,
};
use crate::motion::{Flipbook, Motion};

/// Default duration of a frame.
const USUAL_MS: f64 = 100.0;
/// Frames per second of sheets of Adobe Animate, which do not store a rate.
const ANIMATE_FPS: f64 = 24.0;
/// Maximum duration of a frame.
const LONGEST_MS: f64 = 16_777_216.0;
/// Offset of texture coordinates to the right and down, in texels. Rounding may place a coordinate slightly before
/// the intended pixel, and filtering would then show a trace of the previous one.
const NUDGE: f32 = 1.0 / 2048.0;
/// Maximum memory per frame without its pixels, in bytes.
const FRAME_BYTES: usize = 1024;

/// Builds the character. Frames without a duration are shown at `options.fps` frames per second if that is above
/// 0.
pub fn build(
    gathered: &Gathered,
    sidecars: &dyn Sidecars,
    options: &ReadOptions,
    budget: &mut Budget<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let frames = gathered.parts.iter().map(|part| part.frames.len()).sum::<usize>();
    let tags = gathered.meta.frame_tags.as_ref().map_or(0, Vec::len) + gathered.animations.len();
    budget.charge_memory(frames as u64, FRAME_BYTES, || Place::inside("/frames"))?;
    budget.charge_records(tags as u64, || Place::inside("/meta/frameTags"))?;

    let mut builder = ModelBuilder::default();
    let name = "root".into();
    let bone = builder.bone(Bone { name, bone_from_bind: Some(Affine2::IDENTITY), ..Bone::default() })?;
    let origins = Origins::new(gathered);
    let usual_ms = usual_ms(gathered.rate(options));
    let (mut attachments, mut durations, mut total) = (Vec::with_capacity(frames), Vec::with_capacity(frames), 0);
    let mut known = HashMap::new();
    let scale = gathered.play.as_ref().map_or(1.0, |play| play.scale);
    budget.expect_images(gathered.parts.len());
    for part in &gathered.parts {
        let page = load_page(part, sidecars, &mut builder, budget, (&mut total, &mut known), diagnostics)?;
        budget.image_done();
        for (index, frame) in part.frames.iter().enumerate() {
            let number = gathered.layers.as_ref().and_then(|layers| layers.frame_of.get(attachments.len()));
            let origin = origins.of(number.map_or(attachments.len(), |number| *number as usize), frame);
            let mesh = mesh(part, index, page, bone, (origin, scale), diagnostics)?;
            attachments.push(builder.attachment(Attachment::Region(mesh))?);
            durations.push(duration(part, index, usual_ms, diagnostics));
        }
    }
    page_alpha::decide(&mut builder, options, diagnostics);
    let shows = match &gathered.layers {
        Some(layers) => layered(layers, &attachments, &mut durations, bone, &mut builder)?,
        None => {
            let attachment = attachments.first().copied();
            builder.slot(Slot { name: "sheet".into(), bone: Some(bone), attachment, ..Slot::default() })?;
            attachments.iter().map(|attachment| vec![Some(*attachment)]).collect()
        }
    };

    let image = gathered.meta.image.as_deref().map(parts::file_name);
    let title = title(sidecars.own_name().or(image).unwrap_or_default());
    let shown = tags::find(gathered, &title, &options.stills, diagnostics);
    let times = Times::new(shown.list.iter().map(|&frame| durations[frame as usize]));
    let start = gathered.play.as_ref().and_then(|play| play.start.as_deref());
    for clip in &shown.clips {
        let id = builder.animation(times.animation(clip));
        if start == Some(&*clip.name) {
            builder.first_animation(id);
        }
        clip.aliases.iter().for_each(|alias| builder.alias(alias, id));
    }
    let pictures = || shown.list.iter().map(|&frame| &shows[frame as usize]);
    // Without any frame in the lowest layer, there is nothing below the others.
    let lowest: Vec<AttachmentId> = pictures().filter_map(|shows| *shows.first()?).collect();
    let above: Vec<Option<AttachmentId>> = pictures().flat_map(|shows| shows.iter().skip(1)).copied().collect();
    let strips = shown.clips.iter().map(|clip| clip.strip).collect();
    let is_timed = gathered.parts.iter().flat_map(|part| &part.frames).all(|frame| frame.duration.is_some());
    let is_timed = is_timed || gathered.play.is_some();
    if let Some(play) = &gathered.play {
        builder.keep_sharp(!play.is_smooth);
    }
    let corners = shown.clips.iter().filter_map(|clip| Some(clip.played?.1)).collect();
    let flipbook = Flipbook::new(lowest, strips, is_timed).with_corners(corners).with_layers_above(above);
    Ok(Character::of(builder.build(), Motion::Flipbook(flipbook)))
}

/// What each frame shows in each slot, back to front.
type Shows = Vec<Vec<Option<AttachmentId>>>;

/// Adds a slot for each layer. The durations become those of the composed frames.
fn layered(
    layers: &Layers,
    attachments: &[AttachmentId],
    durations: &mut Vec<f64>,
    bone: BoneId,
    builder: &mut ModelBuilder,
) -> Result<Shows> {
    let mut composed = vec![USUAL_MS; layers.cells.len()];
    for (frame, ms) in layers.frame_of.iter().zip(durations.iter()).rev() {
        composed[*frame as usize] = *ms;
    }
    *durations = composed;
    let empty = builder.attachment(Attachment::Region(Mesh {
        name: "".into(),
        page: None,
        vertices: SkinNVertices::with_capacity(0, 0).into(),
        indices: Indices::from_triangles(&[]),
        tint: [1.0; 4],
        outline: Box::default(),
    }))?;
    let shows = layers.cells.iter().map(|cells| {
        let mut shows: Vec<_> = cells.iter().map(|cell| Some(attachments[(*cell)? as usize])).collect();
        if let Some(lowest @ None) = shows.first_mut() {
            *lowest = Some(empty);
        }
        shows
    });
    let shows: Shows = shows.collect();
    for (index, (name, blend)) in layers.shown.iter().enumerate() {
        let attachment = shows.first().and_then(|shows| shows.get(index).copied().flatten());
        let (name, bone) = (name.as_str().into(), Some(bone));
        builder.slot(Slot { name, bone, attachment, blend: *blend, ..Slot::default() })?;
    }
    Ok(shows)
}

impl Gathered {
    /// Returns the rate of frames without a duration, in frames per second, if anything states it.
    pub fn rate(&self, options: &ReadOptions) -> Option<f64> {
        options.fps.filter(|fps| *fps > 0.0).or_else(|| self.is_of_animate.then_some(ANIMATE_FPS))
    }
}

/// Returns the duration of frames without one, in milliseconds.
pub fn usual_ms(fps: Option<f64>) -> f64 {
    fps.filter(|fps| *fps > 0.0).map_or(USUAL_MS, |fps| (1000.0 / fps).clamp(1.0, LONGEST_MS))
}

/// Returns the name of the animation of a file without tags, derived from the name of the file or of its image.
pub fn title(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem.is_empty() { "sheet".to_owned() } else { stem.to_owned() }
}

fn mesh(
    part: &Part,
    index: usize,
    page: Option<Page>,
    bone: BoneId,
    (origin, scale): (Vec2, f32),
    diagnostics: &mut Diagnostics,
) -> Result<Mesh> {
    let frame = &part.frames[index];
    let (placed, pixel) = match part.picture {
        // Frames of decoded images may be empty on purpose.
        Picture::Decoded { pixel, .. } if frame.frame.w.0 == 0.0 => (Placed { quad: None, is_cut: false }, pixel),
        Picture::Decoded { pixel, .. } => (place(frame, page.map(|page| page.size)), pixel),
        Picture::Inside(_) | Picture::Beside(_) | Picture::Named(_) | Picture::Found(_) => {
            (place(frame, page.map(|page| page.size)), [1.0; 2])
        }
    };
    if placed.is_cut {
        let schema::Rect { x, y, w, h } = frame.frame;
        let extent = if placed.quad.is_some() { "partly" } else { "completely" };
        let message = format!("the {}×{} pixels at {},{} are {extent} outside the image", w.0, h.0, x.0, y.0);
        diagnostics.warn("frame-outside", part.place_of(index, "/frame"), message);
    }
    let mut vertices = SkinNVertices::with_capacity(4, 4);
    let mut triangles: &[[u16; 3]] = &[];
    let mut outline: &[[u16; 2]] = &[];
    if let Some(quad) = placed.quad {
        let [left, top, right, bottom] = quad.canvas;
        let size = page.map_or(Vec2::ONE, |page| page.size.into());
        let corners = [vec2(left, top), vec2(right, top), vec2(right, bottom), vec2(left, bottom)];
        for (corner, on_page) in corners.into_iter().zip(quad.page) {
            let uv = if page.is_some() { (Vec2::from(on_page) + NUDGE) / size } else { Vec2::ZERO };
            // Adding 0 turns -0 into 0.
            let position = vec2(corner.x - origin.x, origin.y - corner.y) * Vec2::from(pixel) * scale + 0.0;
            vertices.push(uv, position, &[Influence { position, bone: bone.index() as u32, weight: 1.0 }])?;
        }
        triangles = &[[0, 1, 2], [2, 3, 0]];
        if page.is_none() {
            outline = &[[0, 1], [1, 2], [2, 3], [3, 0]];
        }
    }
    Ok(Mesh {
        name: frame.filename.as_ref().map_or("", |name| &name.0).into(),
        page: page.map(|page| page.id),
        vertices: vertices.into(),
        indices: Indices::from_triangles(triangles),
        tint: [1.0; 4],
        outline: outline.into(),
    })
}

fn duration(part: &Part, index: usize, usual_ms: f64, diagnostics: &mut Diagnostics) -> f64 {
    let Some(schema::Milliseconds(ms)) = part.frames[index].duration else { return usual_ms };
    let used = clamped_ms(ms);
    if used == ms {
        return ms;
    }
    let message = format!("invalid duration of {ms} ms; the frame is shown for {used} ms");
    diagnostics.warn("bad-duration", part.place_of(index, "/duration"), message);
    used
}

/// Returns the duration that is used for one in a file.
pub fn clamped_ms(ms: f64) -> f64 {
    if ms > 0.0 { ms.clamp(1.0, LONGEST_MS) } else { USUAL_MS }
}

/// Returns the slice whose pivot is the origin: the one named `origin`, or else the first one with a pivot.
pub fn origin_slice(slices: &[schema::Slice]) -> Option<&schema::Slice> {
    let has_pivot = |slice: &&schema::Slice| slice.keys.iter().flatten().any(|key| key.pivot.is_some());
    let is_origin = |slice: &&schema::Slice| slice.name.as_deref() == Some("origin");
    let mut pivoted = slices.iter().filter(has_pivot);
    pivoted.clone().find(is_origin).or_else(|| pivoted.next())
}

/// The origins of the frames on their canvases.
pub struct Origins<'a> {
    /// Keys of the slice, sorted by frame; each applies until the next.
    keys: Vec<&'a schema::SliceKey>,
}

impl<'a> Origins<'a> {
    pub fn new(gathered: &'a Gathered) -> Self {
        let slice = origin_slice(gathered.meta.slices.as_deref().unwrap_or_default());
        let keys = slice.and_then(|slice| slice.keys.as_deref()).unwrap_or_default();
        let mut keys: Vec<&schema::SliceKey> = keys.iter().filter(|key| key.pivot.is_some()).collect();
        keys.sort_by(|a, b| a.frame.0.total_cmp(&b.frame.0));
        Self { keys }
    }

    /// Returns the origin in whole pixels from the upper-left corner, so that pixel art stays aligned.
    pub fn of(&self, index: usize, frame: &schema::Frame) -> Vec2 {
        let after = self.keys.partition_point(|key| key.frame.0 <= index as f32);
        let key = after.checked_sub(1).and_then(|key| self.keys.get(key));
        if let Some((key, pivot)) = key.and_then(|key| Some((key, key.pivot?))) {
            let corner = key.bounds.map_or(Vec2::ZERO, |bounds| vec2(bounds.x.0, bounds.y.0));
            return (corner + vec2(pivot.x.0, pivot.y.0) + 0.5).floor();
        }
        match frame.pivot {
            Some(pivot) => (vec2(pivot.x.0, pivot.y.0) * Vec2::from(canvas_size(frame)) + 0.5).floor(),
            None => Vec2::ZERO,
        }
    }
}

/// The durations of the frames of a list.
struct Times {
    durations: Vec<f64>,
    /// Start time of each frame, followed by the end time of the last, in milliseconds.
    starts: Arc<[f64]>,
    /// For each frame, the index of the next frame with a different duration.
    run_ends: Vec<usize>,
}

impl Times {
    fn new(durations: impl Iterator<Item = f64>) -> Self {
        let durations: Vec<f64> = durations.collect();
        let mut sum = 0.0;
        let ends = durations.iter().map(|ms| {
            sum += ms;
            sum
        });
        let starts = [0.0].into_iter().chain(ends).collect();
        let mut run_ends = vec![durations.len(); durations.len()];
        for index in (0..durations.len().saturating_sub(1)).rev() {
            let is_same = durations[index] == durations[index + 1];
            run_ends[index] = if is_same { run_ends[index + 1] } else { index + 1 };
        }
        Self { durations, starts, run_ends }
    }

    fn animation(&self, clip: &Clip) -> Animation {
        let (first, count) = (clip.strip.first() as usize, clip.strip.count() as usize);
        let is_even = clip.played.is_some() || self.run_ends[first] >= first + count;
        let times = if is_even { None } else { FrameTimes::within(Arc::clone(&self.starts), clip.strip) };
        let count = clip.steps.unwrap_or(clip.strip.period() as u32);
        let timing = match times {
            None => {
                Timing::Frames { count, fps: clip.played.map_or(1000.0 / self.durations[first], |(fps, _)| fps) }
            }
            Some(times) => Timing::TimedFrames { count, times },
        };
        Animation { name: clip.name.clone(), looping: clip.steps.is_none(), timing, is_bind_pose: false }
    }
}
