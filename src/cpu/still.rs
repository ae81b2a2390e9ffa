//! A file → one picture, in one call.

use std::path::Path;
use std::sync::Arc;

use super::Renderer;
use crate::character::Character;
use crate::draw::{DrawList, Picture, PictureWork, Portion, Settings, View};
use crate::error::{Error, Place, Result};
use crate::limits::{Budget, Limits};
use crate::math::Rect;
use crate::model::{Select, SkinId, UnknownName};
use crate::motion::{
    Cue, Dynamics, Evaluator, Overview, PoseWork, Position, first_animation, has_physics, initial_skins,
};
use crate::pose::{self, Extent, Pose};
use crate::progress::Progress;

/// The content of one picture. The default is the first picture that shows the character, one pixel per world pixel.
#[derive(Debug, Clone, Default)]
pub struct Still<'a> {
    /// The name of the animation; `None`: the [first to show](first_animation), or the rest pose if there is none.
    pub animation: Option<&'a str>,
    /// Seconds from the first frame; stored frames are blended. `None`: the [first frame](Overview::first_frame) that shows
    /// enough.
    pub time_secs: Option<f64>,
    /// The names of the skins to activate in addition to the default one; if empty, those that
    /// [`initial_skins`] returns.
    pub skins: &'a [&'a str],
    /// The longer side in pixels; `None`: one pixel per world pixel.
    pub longer_side: Option<u32>,
    /// Sampling and antialiasing.
    pub settings: Settings,
    /// Limits on what the file may demand. [`Limits::work`] applies to reading and to drawing separately;
    /// antialiasing multiplies the work of drawing.
    pub limits: Limits,
    /// Receives the progress of reading, and can cancel reading and drawing.
    pub progress: Option<Arc<Progress>>,
}

/// Renders one picture of the character file at `path`, fitted to what is [seen](Extent::seen) at that instant. The result is
/// premultiplied RGBA with a transparent background.
///
/// This reads the file each time: use an [`Animator`](crate::Animator) and a [`Renderer`] for several pictures.
///
/// ```
/// use pchr::cpu::{Still, render_file};
///
/// let picture = render_file("assets/paper-knight.pchr", &Still { animation: Some("walk"), ..Still::default() })?;
/// assert_eq!(picture.pixels().len(), (picture.width() * picture.height() * 4) as usize);
/// # Ok::<(), pchr::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the file cannot be read, lacks the animation or a skin, shows nothing at that instant, exceeds
/// [`Still::limits`], or if the picture would be larger than a [`Renderer`] supports. [`Error::Cancelled`] if
/// [`Still::progress`] was cancelled.
pub fn render_file(path: impl AsRef<Path>, still: &Still<'_>) -> Result<Picture> {
    let path = path.as_ref();
    let character = Character::open_within(path, &still.limits, still.progress.clone())?;
    render(&character, still).map_err(|error| error.in_file(path.display()))
}

fn render(character: &Character, still: &Still<'_>) -> Result<Picture> {
    let (model, settings) = (character.model(), still.settings);
    let mut budget = Budget::new(&still.limits).with_progress(still.progress.as_deref());
    let cue = cue(character, still)?;
    let pose = pose(character, &cue, &mut budget)?;
    let mut palette = Vec::new();
    pose::palette(model, &pose, &mut palette);
    budget.charge_work(1, pose::bounds_work(model, &pose), || Place::inside("the bounds"))?;
    let mut extent = Extent::default();
    extent.add(model, &pose, &palette);
    let view = fit(extent.seen().round_out(), still.longer_side)?;
    if still.longer_side.is_none() {
        still.limits.check_picture(view.width(), view.height())?;
    }
    let mut renderer = Renderer::new(model).with_max_bytes(still.limits.memory_bytes);
    if let Some(progress) = &still.progress {
        renderer = renderer.with_progress(Arc::clone(progress));
    }
    renderer.check_size(&view, settings.antialias)?;
    let (mut list, mut picture) = (DrawList::default(), Picture::default());
    list.build_with(model, &pose, &palette, &view, Portion::default());
    let samples = settings.antialias.samples() * settings.antialias.supersampling().pow(2);
    let work = PictureWork::default().of(&list, model, &view, still.limits.work);
    budget.charge_work(samples.into(), work, || Place::inside("the picture"))?;
    renderer.render(model, &list, &view, settings, &mut picture);
    still.progress.as_deref().map_or(Ok(()), Progress::check)?;
    Ok(picture)
}

/// Returns what to show.
fn cue(character: &Character, still: &Still<'_>) -> Result<Cue> {
    let model = character.model();
    let work = still.limits.first_picture_work();
    let animation = match still.animation {
        Some(name) => Some(name.select(model)?),
        None => first_animation(character, work),
    };
    let skins: Vec<SkinId> = match still.skins {
        [] => initial_skins(character),
        names => names.iter().map(|name| name.select(model)).collect::<Result<_, UnknownName>>()?,
    };
    let first = || Overview::of(character, &[animation], &skins, false, work).first_frame(animation);
    let position = still.time_secs.map_or_else(|| Position::frame(first()), Position::Seconds);
    Ok(Cue { animation, position, interpolate: true, skins, ..Cue::default() })
}

fn pose(character: &Character, cue: &Cue, budget: &mut Budget<'_>) -> Result<Pose> {
    let physics = has_physics(character);
    let steps = if physics { 1 + Dynamics::replay_steps(character, cue) } else { 1 };
    let work = PoseWork::new(character, &cue.skins).of(character, cue.animation);
    budget.charge_work(steps, work, || Place::inside("the pose"))?;
    let mut pose = Pose::default();
    Evaluator::with_dynamics(physics.then(Dynamics::default)).evaluate(character, cue, &mut pose);
    Ok(pose)
}

/// Returns the view that shows `world`.
fn fit(world: Rect, longer_side: Option<u32>) -> Result<View> {
    if world.is_empty() {
        return Err(Error::misuse("nothing-visible", "nothing is visible at this instant"));
    }
    let size = world.size();
    let scale = longer_side.map_or(1.0, |side| side as f32 / size.max_element());
    let [width, height] = (size * scale).to_array().map(|side| side.round().max(1.0) as u32);
    Ok(View::fit(width, height, world))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_becomes_a_picture_of_the_requested_size() {
        let still =
            Still { animation: Some("walk"), time_secs: Some(0.2), longer_side: Some(120), ..Still::default() };
        let picture = render_file("assets/paper-knight.pchr", &still).unwrap();
        assert_eq!(picture.width().max(picture.height()), 120);
        assert!(picture.pixels().chunks(4).filter(|pixel| pixel[3] == 255).count() > 1000);
        let other = render_file("assets/paper-knight.pchr", &Still { time_secs: Some(0.4), ..still }).unwrap();
        assert!(picture != other);
    }

    #[cfg(feature = "spine")]
    #[test]
    fn the_first_picture_shows_the_character() {
        let json = r#"{"skeleton": {"spine": "4.2.40", "fps": 10}, "bones": [{"name": "root"}],
            "slots": [{"name": "body", "bone": "root", "attachment": "body"}],
            "skins": [{"name": "default", "attachments": {"body": {"body": {"width": 80, "height": 60}}}}],
            "animations": {"hide": {"slots": {"body": {"attachment": [{"name": null}]}}},
            "grow": {"bones": {"root": {"scale": [{"x": 0.01, "y": 0.01}, {"time": 1}]}}}}}"#;
        let character = Character::from_bytes(json.as_bytes().to_vec()).unwrap();
        let width = |still: &Still<'_>| render(&character, still).map(|picture| picture.width());
        assert_eq!(width(&Still::default()).unwrap(), 26, "0.307 of 80, rounded outward");
        assert_eq!(width(&Still { animation: Some("grow"), ..Still::default() }).unwrap(), 26);
        assert_eq!(width(&Still { time_secs: Some(0.0), ..Still::default() }).unwrap(), 2);
        let hidden = width(&Still { animation: Some("hide"), ..Still::default() }).unwrap_err();
        assert_eq!(hidden.code(), "nothing-visible");
    }

    #[test]
    fn what_cannot_be_rendered_is_an_error() {
        let error = |still: &Still<'_>| render_file("assets/paper-knight.pchr", still).unwrap_err().to_string();
        assert!(error(&Still { animation: Some("wlak"), ..Still::default() }).contains("did you mean `walk`?"));
        assert!(error(&Still { skins: &["x"], ..Still::default() }).contains("no skin `x`"));
        assert!(error(&Still { longer_side: Some(u32::MAX), ..Still::default() }).contains("a side"));
        assert_eq!(render_file("missing.pchr", &Still::default()).unwrap_err().code(), "io");
    }
}
