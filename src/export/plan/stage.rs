//! The characters of a stage → one character, and what each of them shows in its pictures.

use std::path::Path;
use std::sync::Arc;

use super::choose;
use super::pictures::input_name;
use super::scene::{Scene, seconds};
use crate::error::Place;
use crate::export::options::{StagedCharacter, Subject};
use crate::limits::{Budget, Limits};
use crate::math::{Rect, Vec2, vec2};
use crate::model::{Animation, AnimationId, SkinId, Timing};
use crate::motion::{Actor, Cue, Motion, Overview, Position, Stage, plays_physics};
use crate::{Character, Error, Result};

/// Error code: something of a character on a stage is wrong.
const CODE: &str = "bad-stage";

/// The name of the only animation of a stage.
const STAGE: &str = "stage";
/// Maximum number of characters on a stage.
const MOST: usize = 64;
/// Space between two characters in a row, as a fraction of their average width.
const GAP: f32 = 0.15;
/// Frames per second if no character has a rate.
const FPS: f64 = 30.0;

impl Subject {
    /// Combines `characters`, which were read from the files of [`Self::stage`], into one. Its only animation lasts as long
    /// as the longest of theirs, and shorter ones repeat; its rate is `fps`, or else their highest.
    ///
    /// # Errors
    ///
    /// Fails if there are too many, or if a character lacks something that is named; errors begin with the table.
    pub fn staged(&self, characters: &[Arc<Character>], fps: Option<f64>, limits: &Limits) -> Result<Character> {
        if self.stage.len() > MOST {
            let message = format!("a stage has room for {MOST} characters, found {}", self.stage.len());
            return Err(Error::misuse(CODE, message));
        }
        let (mut actors, mut animations, names) = (Vec::new(), Vec::new(), self.names_on_stage());
        let mut shown = Vec::with_capacity(characters.len());
        for (index, (spec, character)) in self.stage.iter().zip(characters).enumerate() {
            let part = part(self, index, spec, character, limits)?;
            part.scene(character)?;
            let model = character.model();
            animations.extend(part.animation.map(|id| model.animation(id).clone()));
            let name = names.get(index).map_or("", String::as_str);
            let physics = plays_physics(character, spec.physics);
            shown.push(if spec.tracks.is_empty() {
                vec![part.animation]
            } else {
                model.motions().map(Some).collect()
            });
            actors.push(Actor {
                stage_from_world: spec.placed_at(spec.position.unwrap_or_default()),
                tint: spec.whole_tint(),
                skins: part.skins,
                physics,
                ..Actor::new(name, Arc::clone(character))
            });
        }
        self.place_row(&mut actors, &shown, limits);
        let mut order: Vec<_> = self.stage.iter().map(|spec| spec.order).zip(actors).collect();
        order.sort_by_key(|(order, _)| *order);
        let (timing, looping) = timing(&animations, fps);
        Stage::character(order.into_iter().map(|(_, actor)| actor).collect(), STAGE, timing, looping)
    }

    /// Returns the names of the characters of [`Self::stage`] in their order: those of their files, numbered if equal.
    pub fn names_on_stage(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::with_capacity(self.stage.len());
        for spec in &self.stage {
            let stem = input_name(Path::new(&spec.file));
            let mut name = stem.clone();
            let mut number = 1;
            while names.contains(&name) {
                number += 1;
                name = format!("{stem}-{number}");
            }
            names.push(name);
        }
        names
    }

    /// Places the characters without a position, by the areas that they cover in the animations that they show. If all of
    /// their animations counted, one wide effect would leave gaps between small characters.
    fn place_row(&self, actors: &mut [Actor], shown: &[Vec<Option<AnimationId>>], limits: &Limits) {
        let all = self.stage.iter().zip(actors).zip(shown);
        let mut free: Vec<_> = all.filter(|((spec, _), _)| spec.position.is_none()).collect();
        let area = |((spec, actor), shown): &((&StagedCharacter, &mut Actor), &Vec<_>)| {
            let scaled = |corner: Vec2| corner * spec.scales();
            let Rect { min, max } = covered(actor, shown, limits)?;
            let (a, b) = (scaled(min), scaled(max));
            Some(Rect { min: a.min(b), max: a.max(b) })
        };
        let areas: Vec<_> = free.iter().map(area).collect();
        for (((spec, actor), _), x) in free.iter_mut().zip(row(&areas)) {
            actor.stage_from_world = spec.placed_at(vec2(x, 0.0));
        }
    }
}

/// Returns the area of some animations of a character; `None` without a picture.
fn covered(actor: &Actor, animations: &[Option<AnimationId>], limits: &Limits) -> Option<Rect> {
    let Actor { character, skins, physics, .. } = actor;
    let seen = Overview::of(character, animations, skins, *physics, limits.frame_work()).extent().seen();
    (!seen.is_empty() && seen.min.is_finite() && seen.max.is_finite()).then_some(seen)
}

/// Returns the places of characters that stand in a row, by the areas that they cover in their own coordinates; `None` for
/// those without a picture. The first one stands at 0.
pub fn row(areas: &[Option<Rect>]) -> Vec<f32> {
    let known = || areas.iter().flatten();
    let gap = known().map(|area| area.size().x).sum::<f32>() / known().count().max(1) as f32 * GAP;
    let mut end: Option<f32> = None;
    let place = |area: &Option<Rect>| {
        let Some(area) = area else { return end.map_or(0.0, |end| end + gap) };
        let x = end.map_or(0.0, |end| end + gap - area.min.x);
        end = Some(x + area.max.x);
        x
    };
    areas.iter().map(place).collect()
}

/// Returns how long a stage plays, and whether it repeats.
fn timing(animations: &[Animation], fps: Option<f64>) -> (Timing, bool) {
    let secs = animations.iter().map(Animation::duration_secs).filter(|secs| secs.is_finite()).fold(0.0, f64::max);
    // Of pictures with durations, that of the shortest.
    let rate = |animation: &Animation| match animation.times() {
        Some(times) => {
            let ms = (0..animation.frame_count()).map(|frame| times.frame_ms(frame.into()));
            1000.0 / ms.fold(f64::INFINITY, f64::min)
        }
        None => animation.fps(),
    };
    let rates = animations.iter().map(rate).filter(|fps| fps.is_finite());
    let highest = rates.fold(0.0, f64::max);
    let fps = fps.unwrap_or(if highest > 0.0 { highest } else { FPS });
    let looping = animations.iter().all(|animation| animation.looping);
    if animations.iter().any(Animation::is_keyed) {
        return (Timing::Keys { secs, fps }, looping);
    }
    let steps = (secs * fps).round() as u32;
    (Timing::Frames { count: steps.saturating_add(u32::from(!looping)).max(1), fps }, looping)
}

/// What a character on a stage shows.
struct Part {
    /// Its table, for errors.
    table: String,
    animation: Option<AnimationId>,
    skins: Vec<SkinId>,
    /// What it shows beside its animation.
    subject: Subject,
}

impl Part {
    /// Plans what it shows beside its animation.
    fn scene(&self, character: &Character) -> Result<Option<Scene<'_>>> {
        let place = Place { path: format!("{} track, bone or attach", self.table), ..Place::default() };
        let wrong = |error: Error| Error::malformed(CODE, place, error.to_string());
        Scene::new(&self.subject, character, &self.skins).map_err(wrong)
    }
}

fn part(
    stage: &Subject,
    index: usize,
    spec: &StagedCharacter,
    character: &Character,
    limits: &Limits,
) -> Result<Part> {
    let table = format!("[[character]] {} ({})", index + 1, spec.file);
    let place = |key: &str| Place { path: format!("{table} {key}"), ..Place::default() };
    let wrong = |key: &str, error: Error| Error::malformed(CODE, place(key), error.to_string());
    let wanted = spec.animation.as_slice();
    if wanted.iter().any(|name| name == "all" && character.model().find_animation(name).is_none()) {
        return Err(Error::malformed(CODE, place("animation"), "expected one animation, found all"));
    }
    let animations = choose::animations_or_first(character, wanted, limits);
    let animations = animations.map_err(|error| wrong("animation", error.into()))?;
    let skins = choose::skins(character, &spec.skins).map_err(|error| wrong("skin", error.into()))?;
    let mut subject = Subject {
        tracks: spec.tracks.clone(),
        bones: spec.bones.clone(),
        attachments: spec.attachments.clone(),
        ..Subject::default()
    };
    subject.set_forces(stage.forces().within(spec.placed_at(Vec2::ZERO)));
    Ok(Part { animation: animations.first().copied(), skins, subject, table })
}

/// Adds what each character shows to the cues of a stage; other cues stay as they are.
///
/// # Errors
///
/// Fails if a character lacks something, or if that takes more work than `limits` allow.
pub fn dress(subject: &Subject, character: &Character, cues: &mut [Cue], limits: &Limits) -> Result<()> {
    let Motion::Stage(stage) = character.motion() else { return Ok(()) };
    let shown = (cues.len() * stage.cast().len()) as u64;
    Budget::new(limits).charge_memory(shown, size_of::<Cue>(), Place::default)?;
    let mut specs: Vec<_> = subject.stage.iter().enumerate().collect();
    specs.sort_by_key(|(_, spec)| spec.order);
    let times: Vec<f64> = cues.iter().map(|cue| seconds(character.model(), cue)).collect();
    for ((index, spec), actor) in specs.into_iter().zip(stage.cast()) {
        let own = &*actor.character;
        let part = part(subject, index, spec, own, limits)?;
        let (scene, animation) = (part.scene(own)?, part.animation);
        let length = animation.map(|id| own.model().animation(id).duration_secs());
        let mut shown: Vec<Cue> = cues
            .iter()
            .zip(&times)
            .map(|(cue, secs)| Cue {
                animation,
                position: Position::Seconds(secs + spec.start),
                interpolate: cue.interpolate,
                // Shorter loops repeat.
                hold: cue.hold && length.is_some_and(|length| secs + spec.start <= length),
                skins: part.skins.clone(),
                ..Cue::default()
            })
            .collect();
        if let Some(scene) = scene {
            scene.dress(&mut shown, limits)?;
        }
        cues.iter_mut().zip(shown).for_each(|(cue, shown)| cue.cast.push(shown));
    }
    Ok(())
}
