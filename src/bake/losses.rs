//! Describes what stored bone frames cannot represent of a character.

use std::collections::BTreeSet;

use super::bones::Bones;
use super::measure::Worst;
use super::meshes::Owned;
use super::sample::{Sampling, Track};
use super::{BakeOptions, MIN_REPORTED_PX};
use crate::character::Character;
use crate::error::and_more;
use crate::formats::Loss;
use crate::formats::pchr::Document;
use crate::formats::pchr::schema::Animation;
use crate::model::{Attachment, Blend, Model};
use crate::motion::{Span, default_skins, for_each_event};

/// Most names that a message lists.
const MOST_NAMES: usize = 8;

/// Bones whose axes deviate by more than this are reported as a cause.
const MISFIT: f32 = 1e-4;

/// The baked parts. Meshes and their names are in the order of the sampled visuals.
pub struct Parts<'a> {
    pub sampling: &'a Sampling,
    pub bones: &'a Bones,
    pub meshes: &'a [Owned],
    pub names: &'a [String],
}

/// Returns all losses, starting with losses of the whole character.
pub fn find(
    character: &Character,
    options: &BakeOptions,
    parts: &Parts<'_>,
    errors: &[Vec<Worst>],
    document: &Document,
) -> Vec<Loss> {
    let model = character.model();
    let Parts { sampling, bones, meshes, names } = *parts;
    let mut losses = Vec::new();
    skins(character, options, &mut losses);
    for &bone in &bones.detached {
        let name = &model.skeleton().bones()[bone].name;
        let message = format!(
            "bone `{name}` became a root with the same position in every frame, because its parent is flat at times \
             and cannot carry it"
        );
        losses.push(Loss::new("bone-detached", format!("bones/{name}"), message));
    }
    shapes(model, sampling, &mut losses);
    for ((track, number), written) in sampling.tracks.iter().zip(0..).zip(&document.file.animations[1..]) {
        animation(character, track, written, document.file.fps, &mut losses);
        if let Some(message) = track.cycle.remark() {
            let name = model.animation(track.animation).name.clone();
            let path = format!("animations/{name}");
            losses.push(Loss { animation: Some(name), ..Loss::new("physics-loop", path, message) });
        }
        let worst = errors.iter().map(|by_track| by_track[number]).enumerate();
        let reported = worst.filter(|(_, worst)| worst.px > MIN_REPORTED_PX);
        losses.extend(reported.map(|(visual, worst)| moved(model, parts, visual, number, worst)));
    }
    for (visual, name) in names.iter().enumerate() {
        drawing(model, sampling, visual, name, &mut losses);
        let (count, most) = meshes[visual].cut;
        if count > 0 && !options.keep_all_influences {
            let worst =
                errors[visual].iter().copied().fold(Worst::default(), |a, b| if b.px > a.px { b } else { a });
            let message = format!(
                "mesh `{name}`: {count} vertices have more than four influences (up to {most}); the four heaviest are \
                 kept, and vertices deviate by up to {:.3} px",
                worst.px
            );
            let path = slot_path(model, sampling, visual);
            let mesh = Some(name.clone());
            losses.push(Loss {
                mesh,
                error_px: Some(worst.px),
                frame: Some(worst.frame),
                ..Loss::new("influences-cut", path, message)
            });
        }
    }
    losses
}

fn slot_path(model: &Model, sampling: &Sampling, visual: usize) -> String {
    format!("slots/{}", model.slot(sampling.visuals[visual].slot).name)
}

fn skins(character: &Character, options: &BakeOptions, losses: &mut Vec<Loss>) {
    let (model, always) = (character.model(), default_skins(character));
    let others = model.skin_ids().filter(|id| !always.contains(id) && !options.skins.contains(id));
    let others: Vec<String> = others.map(|id| format!("`{}`", model.skin(id).name)).collect();
    if !others.is_empty() {
        let message = format!(
            "a file stores one combination of skins; the others are left out: {}",
            and_more(&others, MOST_NAMES)
        );
        losses.push(Loss::new("skins-dropped", "skins", message));
    }
}

/// Reports attachments that are not drawn.
fn shapes(model: &Model, sampling: &Sampling, losses: &mut Vec<Loss>) {
    let shown: BTreeSet<_> = sampling.frames.iter().flat_map(|frame| &frame.shapes).collect();
    for &id in shown {
        let attachment = model.attachment(id);
        let name = attachment.name();
        let (code, what) = match attachment {
            Attachment::ClipMask(_) => continue,
            Attachment::Path(_) => ("shape-dropped", "path"),
            Attachment::Point(_) => ("shape-dropped", "point"),
            Attachment::Bounds(_) => ("shape-dropped", "bounding box"),
            Attachment::Region(_) | Attachment::Mesh(_) => continue,
        };
        losses.push(Loss::new(code, format!("attachments/{name}"), format!("the {what} `{name}` was dropped")));
    }
}

/// Reports losses of duration and events.
fn animation(character: &Character, track: &Track, written: &Animation, fps: u16, losses: &mut Vec<Loss>) {
    let (model, name) = (character.model(), written.name.as_str());
    let source = &model.animation(track.animation).name;
    let path = format!("animations/{source}");
    let about =
        |code, message| Loss { animation: Some(name.to_owned()), ..Loss::new(code, path.clone(), message) };
    if name != source {
        let message = format!(
            "animation `{source}` was renamed to `{name}`, because its name is reserved for the bind pose"
        );
        losses.push(about("animation-renamed", message));
    }
    let steps = if track.looping { track.frames.len() } else { track.frames.len().saturating_sub(1) };
    let seconds = steps as f64 / f64::from(fps);
    if (seconds - track.duration).abs() > 1e-3 {
        let message = format!(
            "the duration of animation `{source}` was rounded to whole frames: {seconds:.3} s instead of {:.3} s",
            track.duration
        );
        losses.push(about("duration-rounded", message));
    }
    let (mut count, mut names) = (0, BTreeSet::new());
    let span = Span { from: -1.0, to: track.duration, looping: false };
    for_each_event(character, track.animation, span, |fired| {
        count += 1;
        names.insert(format!("`{}`", model.events()[fired.event.index()].name));
    });
    if count > 0 {
        let names: Vec<String> = names.into_iter().collect();
        let times = if count == 1 { "once".to_owned() } else { format!("{count} times in total") };
        let message =
            format!("animation `{source}` fires {} ({times}); events were dropped", and_more(&names, MOST_NAMES));
        losses.push(about("events-dropped", message));
    }
}

/// Returns the possible causes of a deviation.
fn causes(sampling: &Sampling, bones: &Bones, mesh: &Owned, visual: usize, track: usize) -> Vec<&'static str> {
    let mut causes = Vec::new();
    if sampling.visuals[visual].is_deformed(track) {
        causes.push("it is deformed");
    }
    if mesh.cut.0 > 0 {
        causes.push("only four influences are kept");
    }
    let is_misfit = |bone: &usize| bones.off(*bone, sampling.tracks[track].frames.clone()) > MISFIT;
    if mesh.bones.iter().any(is_misfit) {
        causes.push("its bones cannot be reached from their parents");
    }
    if causes.is_empty() {
        causes.push("it was not bound in the rest pose");
    }
    causes
}

/// Returns the loss of a mesh that deviates from the source.
fn moved(model: &Model, parts: &Parts<'_>, visual: usize, track: usize, Worst { px, frame }: Worst) -> Loss {
    let Parts { sampling, bones, meshes, names } = *parts;
    let (name, animation) = (&names[visual], &model.animation(sampling.tracks[track].animation).name);
    let code = if sampling.visuals[visual].is_deformed(track) { "deform-dropped" } else { "vertices-moved" };
    let causes = causes(sampling, bones, &meshes[visual], visual, track).join(", ");
    let message =
        format!("mesh `{name}` in `{animation}`: vertices deviate by up to {px:.3} px (frame {frame}): {causes}");
    Loss {
        animation: Some(animation.clone()),
        mesh: Some(name.clone()),
        error_px: Some(px),
        frame: Some(frame),
        ..Loss::new(code, slot_path(model, sampling, visual), message)
    }
}

/// Reports losses of tint, blend mode and clipping.
fn drawing(model: &Model, sampling: &Sampling, visual: usize, name: &str, losses: &mut Vec<Loss>) {
    let shown = &sampling.visuals[visual];
    let mut lose = |code, message, animation: Option<String>| {
        let path = slot_path(model, sampling, visual);
        losses.push(Loss { animation, mesh: Some(name.to_owned()), ..Loss::new(code, path, message) });
    };
    if let Some((tint, track)) = shown.tint {
        let track = track.map(|track| model.animation(sampling.tracks[track].animation).name.clone());
        let [r, g, b, a] = tint.light;
        let dark = match tint.dark {
            Some([r, g, b]) => format!(" and the dark colour {r:.2}, {g:.2}, {b:.2}"),
            None => String::new(),
        };
        let place = track.as_ref().map_or_else(String::new, |track| format!(" in `{track}`"));
        let message = format!("the tint {r:.2}, {g:.2}, {b:.2}, {a:.2}{dark} of mesh `{name}` was dropped{place}");
        lose("tint-dropped", message, track);
    }
    let blend = model.slot(shown.slot).blend;
    if blend != Blend::Normal {
        lose(
            "blend-dropped",
            format!("mesh `{name}` is blended normally, its blend mode {} was dropped", blend.name()),
            None,
        );
    }
    if let Some(by) = shown.clip {
        let by = &model.slot(by).name;
        lose(
            "clip-dropped",
            format!("mesh `{name}` is not clipped, the clip mask in slot `{by}` was dropped"),
            None,
        );
    }
}
