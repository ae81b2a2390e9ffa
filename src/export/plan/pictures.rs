//! [`RenderOptions`] and a character → all pictures of the run and their common view.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::contact;
use super::fit::{Area, Dress, Measure, choose_view, or_one_pixel};
use super::scene::Scene;
use super::stage;
use crate::cpu;
use crate::draw::{Hidden, Overlays, View};
use crate::export::options::{Fit, Format, FrameSpec, RenderOptions, Size, Times, hidden_meshes};
use crate::math::Rect;
use crate::model::{Animation, AnimationId, Model, SkinId};
use crate::motion::{Cue, Position, plays_physics};
use crate::{Character, Error, Result};

/// Error code: the run has too many pictures.
pub const TOO_MANY_PICTURES: &str = "too-many-pictures";
/// Error code: the picture takes more memory than allowed.
pub const TOO_LARGE_TO_DRAW: &str = "too-large-to-draw";

/// Upper bound of pictures per run, since a file of a few bytes can have billions of frames.
const MAX_PICTURES: usize = 1_000_000;

/// All pictures to render of one character.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The visible area of the world, without padding.
    pub area: Rect,
    /// Visible area and size of all pictures.
    pub view: View,
    /// True if small parts that are far away are outside of [`Self::view`].
    pub leaves_out: bool,
    /// What is not drawn.
    pub hidden: Hidden,
    /// The overlays.
    pub overlays: Overlays,
    /// All pictures, in order.
    pub pictures: Vec<Planned>,
}

/// One picture.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The animation; `None` is the bind pose.
    pub animation: Option<AnimationId>,
    /// The stored frame.
    pub frame: u32,
    /// What the picture shows.
    pub cue: Cue,
    /// Output path; `None` if it is not written to a file. Pictures of one animation may share a path.
    pub path: Option<Arc<Path>>,
}

impl Planned {
    /// Returns the value of `{animation}`.
    ///
    /// # Panics
    ///
    /// Panics if the picture belongs to another model.
    #[track_caller]
    pub fn animation_name<'a>(&self, model: &'a Model) -> &'a str {
        self.animation.map_or("bind", |id| &model.animation(id).name)
    }

    /// Returns the time since the first frame in seconds; `None` for animations without a rate.
    ///
    /// # Panics
    ///
    /// Panics if the picture belongs to another model.
    #[track_caller]
    pub fn seconds(&self, model: &Model) -> Option<f64> {
        let animation = model.animation(self.animation?);
        (animation.fps() > 0.0).then(|| match self.cue.position {
            Position::Seconds(seconds) => seconds,
            Position::Frame { frame, .. } => animation.seconds_at(frame.into()),
        })
    }
}

impl RenderOptions {
    /// Plans the requested pictures of `animations`, with `skins`.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`], or [`Error::LimitExceeded`] if only the file is to blame.
    pub fn plan(&self, character: &Character, animations: &[AnimationId], skins: &[SkinId]) -> Result<Plan> {
        character.model().check_animations(animations.iter().copied())?;
        if !(self.subject.speed.is_normal() && self.subject.speed > 0.0) {
            let message = format!("the speed must be positive and finite, found {}", self.subject.speed);
            return Err(Error::misuse("speed", message));
        }
        let hidden = hidden_meshes(character.model(), &self.subject.meshes, &self.subject.hidden_meshes)?;
        let overlays = self.look.overlays(character.model())?;
        self.look.background.read(&self.read.limits)?;
        // Physics needs time to settle, so a time after the end continues the loop.
        let physics = plays_physics(character, self.subject.physics);
        let mut pictures = self.pictures(character.model(), animations, physics)?;
        let grid = self.contact_sheet();
        grid.map_or(Ok(()), |grid| contact::check_fit(self, grid, &pictures))?;
        pictures.iter_mut().for_each(|picture| picture.cue.skins = skins.to_vec());
        let scene = Scene::new(&self.subject, character, skins)?;
        let of_scene = scene.as_ref().map(|scene| move |cues: &mut [Cue]| scene.dress(cues, &self.read.limits));
        let of_stage = |cues: &mut [Cue]| stage::dress(&self.subject, character, cues, &self.read.limits);
        let dress: Option<Dress<'_>> = match (&of_scene, self.subject.stage.is_empty()) {
            (_, false) => Some(&of_stage),
            (of_scene, true) => of_scene.as_ref().map(|dress| dress as Dress<'_>),
        };
        let mut measure = Measure::new(character, skins, physics, &hidden, dress, &self.read.limits);
        measure.add_frames(&self.look.fit.sampled(character.model(), animations))?;
        if self.starts_visible() {
            for (picture, frame) in pictures.iter_mut().zip(measure.first_frames(animations)) {
                (picture.frame, picture.cue.position) = (frame, Position::frame(frame));
            }
        }
        let mut cues: Vec<Cue> = pictures.iter().map(|picture| picture.cue.clone()).collect();
        if let Some(dress) = dress {
            dress(&mut cues)?;
            pictures.iter_mut().zip(&cues).for_each(|(picture, cue)| picture.cue.clone_from(cue));
        }
        let area = match self.look.fit {
            Fit::Rect(rect) => Area { seen: or_one_pixel(rect), whole: or_one_pixel(rect) },
            Fit::Frame | Fit::Animation | Fit::All => {
                measure.add(&cues)?;
                measure.area()
            }
        };
        let rect = if self.look.fit_whole { area.whole } else { area.seen };
        let view = choose_view(rect, self.look.size, self.look.scale, self.look.padding)?;
        self.check_memory(&view, character.model())?;
        grid.map_or(Ok(()), |grid| contact::check_size(self, grid, &pictures, &view))?;
        Ok(Plan { area: rect, view, leaves_out: rect != area.whole, hidden, overlays, pictures })
    }

    /// Returns the requested pictures; the bind pose if the file has no animation.
    fn pictures(&self, model: &Model, animations: &[AnimationId], plays_on: bool) -> Result<Vec<Planned>> {
        let (frames, time) = match self.subject.times() {
            Times::Default => (None, None),
            Times::Frames(frames) => (Some(frames), None),
            Times::Seconds(seconds) => (None, Some(seconds)),
        };
        if animations.is_empty() {
            if frames.is_some_and(|frames| frames.resolve(1) != Ok(vec![0])) {
                let message = "the file has no animation, only its bind pose can be shown";
                return Err(Error::misuse("no-animation", message));
            }
            return Ok(vec![Planned { animation: None, frame: 0, cue: Cue::default(), path: None }]);
        }
        let default = if self.defaults_to_all_frames() { FrameSpec::All } else { FrameSpec::default() };
        // On a contact sheet, frames that are not selected are spread over its cells.
        let cells = match self.contact_sheet().filter(|_| frames.is_none() && time.is_none()) {
            Some(grid) => contact::frames_of(self, grid, animations.len())?,
            None => None,
        };
        let frames = frames.unwrap_or(&default);
        let mut pictures = Vec::new();
        for (index, &id) in animations.iter().enumerate() {
            let animation = model.animation(id);
            let picture = |frame, position, interpolate| Planned {
                animation: Some(id),
                frame,
                cue: Cue { animation: Some(id), position, interpolate, ..Cue::default() },
                path: None,
            };
            if let Some(seconds) = time {
                pictures.push(planned_at(id, animation, seconds, plays_on && animation.looping));
                continue;
            }
            if animation.frame_count() == 0 && *frames == default {
                // Without stored frames it shows the bind pose.
                pictures.push(picture(0, Position::frame(0), false));
                continue;
            }
            let no_such_frame = |frame| {
                let (name, count) = (&animation.name, animation.frame_count());
                let message = format!("frame {frame} does not exist, `{name}` has {count}, counted from 0");
                Error::misuse("no-such-frame", message)
            };
            // Counted before collecting, which could exhaust memory.
            let share = cells.as_ref().and_then(|cells| cells.get(index));
            let count = frames.len(animation.frame_count()).map_err(no_such_frame)?;
            let count = share.map_or(count, |&share| count.min(share as u64));
            if count > (MAX_PICTURES - pictures.len()) as u64 {
                let message = format!("one run can write at most {MAX_PICTURES} pictures");
                return Err(Error::misuse(TOO_MANY_PICTURES, message));
            }
            let chosen = match share {
                Some(&share) => contact::spread(animation, share),
                None => frames.resolve(animation.frame_count()).map_err(no_such_frame)?,
            };
            let blend = self.subject.interpolate;
            pictures.extend(chosen.into_iter().map(|frame| picture(frame, Position::frame(frame), blend)));
        }
        Ok(pictures)
    }

    /// Returns true if each animation is shown in one frame that was not chosen: the [first that shows](crate::pose::Extent::first_shown)
    /// enough.
    pub fn starts_visible(&self) -> bool {
        matches!(self.subject.times(), Times::Default) && !self.defaults_to_all_frames()
    }

    /// Chooses the first frame of each animation if none is chosen, so that the pictures do not depend on what is visible.
    pub fn fix_frames(&mut self) {
        if self.starts_visible() {
            self.subject.frames = Some(FrameSpec::default());
        }
    }

    /// Returns the bytes needed to draw a picture, including supersampling or multisampling, and one byte per
    /// pixel for the clip mask.
    pub(in crate::export) fn picture_bytes(&self, view: &View, model: &Model) -> u64 {
        let bytes = cpu::bytes_to_draw(view, self.settings(view).antialias, model.has_clip_masks());
        bytes.try_into().unwrap_or(u64::MAX)
    }

    /// Fails if drawing a picture takes more memory than allowed, or if the file alone makes it larger than the
    /// limit of images.
    fn check_memory(&self, view: &View, model: &Model) -> Result<()> {
        let limits = &self.read.limits;
        if self.look.size == Size::Native && !matches!(self.look.fit, Fit::Rect(_)) {
            limits.check_picture(view.width(), view.height())?;
        }
        let bytes = self.picture_bytes(view, model);
        if bytes <= limits.memory_bytes {
            return Ok(());
        }
        let message = format!(
            "a picture of {}×{} takes {bytes} bytes to draw, the limit `memory-bytes` allows {}",
            view.width(),
            view.height(),
            limits.memory_bytes
        );
        Err(Error::misuse(TOO_LARGE_TO_DRAW, message))
    }

    /// Returns how often each picture is drawn at most.
    pub fn passes(&self) -> usize {
        match self.format().animated() {
            Some(animated) => animated.passes(),
            None if self.format() == Format::Sheet => self.output.sheet.passes(),
            None => 1,
        }
    }

    /// Returns how long a picture is shown in seconds, at the requested speed; 0.1 s if the animation does not
    /// specify it.
    ///
    /// # Panics
    ///
    /// Panics if `picture` belongs to another model.
    #[track_caller]
    pub(crate) fn shown_secs(&self, model: &Model, picture: &Planned) -> f64 {
        const STILL: f64 = 0.1;
        let Some(animation) = picture.animation.map(|id| model.animation(id)) else { return STILL };
        let secs = match animation.times() {
            Some(times) => times.frame_ms(picture.frame.into()) / 1000.0,
            None if animation.fps() > 0.0 => 1.0 / animation.fps(),
            None => return STILL,
        };
        secs / f64::from(self.subject.speed)
    }

    /// Returns the start of each picture of one animation and the end of the last one, in seconds. Returns `None`
    /// if all are shown equally long, as everywhere except in flipbooks.
    ///
    /// # Panics
    ///
    /// Panics if `pictures` belong to another model.
    #[track_caller]
    pub(crate) fn starts_secs(&self, model: &Model, pictures: &[Planned]) -> Option<Vec<f64>> {
        model.animation(pictures.first()?.animation?).times()?;
        let mut end = 0.0;
        let ends = pictures.iter().map(|picture| {
            end += self.shown_secs(model, picture);
            end
        });
        Some([0.0].into_iter().chain(ends).collect())
    }
}

/// Returns the picture of `animation` at this many seconds after its first frame. The time is clamped to the
/// animation, even if it loops, unless it `plays_on`.
fn planned_at(id: AnimationId, animation: &Animation, seconds: f64, plays_on: bool) -> Planned {
    let end = animation.duration_secs();
    // Tolerates rounding at the end.
    let is_late = seconds > end + 1e-6 * end.max(1.0) && !plays_on;
    let position = Position::Seconds(if is_late { end } else { seconds.max(0.0) });
    let frame = match position.resolve(animation) {
        // The end of a loop would show its beginning.
        Some(_) if is_late && end > 0.0 => animation.frame_count() - 1,
        found => found.map_or(0, |instant| instant.frame),
    };
    let cue = Cue { animation: Some(id), position, interpolate: true, hold: is_late, ..Cue::default() };
    Planned { animation: Some(id), frame, cue, path: None }
}

/// Splits pictures into ranges of consecutive pictures of one animation.
pub fn animation_ranges(pictures: &[Planned]) -> Vec<Range<usize>> {
    neighbours(pictures, |a, b| a.animation == b.animation)
}

/// Splits pictures into ranges of consecutive pictures that `belong` together.
pub(super) fn neighbours(
    pictures: &[Planned],
    belong: impl FnMut(&Planned, &Planned) -> bool,
) -> Vec<Range<usize>> {
    let mut start = 0;
    let range = |chunk: &[Planned]| {
        start += chunk.len();
        start - chunk.len()..start
    };
    pictures.chunk_by(belong).map(range).collect()
}

/// Returns the value of `{name}`: the input's file name without extension.
pub fn input_name(file: &Path) -> String {
    if file == Path::new("-") {
        return "stdin".to_owned();
    }
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
