//! A character and an entry → the pictures to render, with their references.

use std::collections::HashSet;
use std::path::Path;

use super::samples::spread;
use super::settings::Entry;
use super::structure::{Area, Structure, animation_names, fit_name, growth};
use super::suite::Folders;
use crate::golden::files::{Earlier, NewFile, PictureFiles};
use crate::golden::record::StructureChange;
use crate::shared::choose;
use crate::shared::failure::Failure;
use pchr::error;
use pchr::export::{Fit, Plan, Planned, RenderOptions, distinct_names};
use pchr::math::Rect;
use pchr::model::{AnimationId, Model, SkinId};
use pchr::{Character, Error};

/// Pictures with a common view.
pub struct Group {
    /// How they are drawn.
    pub options: RenderOptions,
    /// The pictures.
    pub plan: Plan,
    /// The files of each picture. Their `index` is set once all characters before are planned.
    pub files: Vec<PictureFiles>,
    /// How the animation has left the recorded area.
    pub left: Option<StructureChange>,
}

/// The areas that pictures showed before.
#[derive(Default)]
pub struct Recorded<'a> {
    /// What is recorded, and in which file.
    pub structure: Option<(&'a Structure, &'a Path)>,
    /// Whether areas that have become too small are replaced.
    pub update: bool,
}

impl Recorded<'_> {
    /// Returns the area that pictures of an animation show, and how the animation has left it. `now` is the area that
    /// the animation takes.
    fn area(
        &self,
        options: &RenderOptions,
        animation: Option<&str>,
        now: Rect,
    ) -> (Rect, Option<StructureChange>) {
        let structure = self.structure.filter(|(structure, _)| structure.fit == fit_name(options));
        let Some(area) = structure.and_then(|(structure, _)| structure.area(animation)) else {
            return (now, None);
        };
        match growth(animation, area, Area::of(now)) {
            Some(_) if self.update => (now, None),
            left => (area.rect(), left),
        }
    }

    /// The failure because a recorded area cannot be shown.
    fn refuse(&self, error: &Error) -> Failure {
        let place = self.structure.map_or_else(Default::default, |(_, path)| error::Place::file(path.display()));
        Failure::Input(Error::malformed("bad-area", place, format!("the recorded area cannot be shown: {error}")))
    }
}

/// Plans the pictures of a character. Each animation is a group of its own, so that a change in one does not move the
/// pictures of the others. `base` is the path of the references below the folder of references. Pictures show the areas
/// that are `recorded`.
pub fn plan(
    entry: &Entry,
    character: &Character,
    folders: &Folders,
    base: &Path,
    recorded: &Recorded<'_>,
) -> Result<Vec<Group>, Failure> {
    let model = character.model();
    let mut seen = HashSet::new();
    let Some((mut animations, skins)) = chosen(entry, character)? else { return Ok(Vec::new()) };
    animations.retain(|id| seen.insert(*id));
    // Without animations, the bind pose is rendered.
    let groups: Vec<&[AnimationId]> =
        if animations.is_empty() { vec![&[]] } else { animations.chunks(1).collect() };
    let names = distinct_names(model.animations().iter().map(|animation| animation.name.as_str()), "");
    let titles = animation_names(model);
    let group = |ids: &[AnimationId]| {
        let mut options = entry.options.clone();
        if let Some(samples) = entry.samples {
            let count = ids.first().map_or(0, |id| model.animation(*id).frame_count());
            options.subject.frames = Some(spread(samples, count));
        }
        options.fix_frames();
        let mut plan = options.plan(character, ids, &skins).map_err(Failure::reading)?;
        let (area, left) = recorded.area(&options, ids.first().map(|id| &*titles[id.index()]), plan.area);
        if area != plan.area {
            options.look.fit = Fit::Rect(area);
            plan = options.plan(character, ids, &skins).map_err(|error| recorded.refuse(&error))?;
            // A rectangle that somebody has asked for may be larger.
            let (width, height) = (plan.view.width(), plan.view.height());
            options.read.limits.check_picture(width, height).map_err(|error| recorded.refuse(&error))?;
        }
        let mut seen = HashSet::new();
        plan.pictures.retain(|picture| seen.insert(picture.frame));
        let files = plan.pictures.iter().map(|picture| files(picture, model, &names, folders, base)).collect();
        Ok(Group { options, plan, files, left })
    };
    groups.into_iter().map(group).collect()
}

/// The animations and skins that are rendered.
type Chosen = (Vec<AnimationId>, Vec<SkinId>);

/// Returns the animations and skins of an entry. One that does not name its characters applies where it can: to the
/// animations that a character has, and to none (`None`) if it lacks all of them or a skin.
fn chosen(entry: &Entry, character: &Character) -> Result<Option<Chosen>, Failure> {
    let (model, subject) = (character.model(), &entry.options.subject);
    let of = |names: &[String]| choose::animations(model, names);
    if !entry.patterns.is_empty() || subject.animations.is_empty() && subject.skins.is_empty() {
        return Ok(Some((of(&subject.animations)?, choose::skins(character, &subject.skins)?)));
    }
    let Ok(skins) = choose::skins(character, &subject.skins) else { return Ok(None) };
    let known = subject.animations.iter().filter(|name| of(std::slice::from_ref(*name)).is_ok());
    let known: Vec<String> = known.cloned().collect();
    if known.is_empty() && !subject.animations.is_empty() {
        return Ok(None);
    }
    Ok(Some((of(&known)?, skins)))
}

fn files(picture: &Planned, model: &Model, names: &[String], folders: &Folders, base: &Path) -> PictureFiles {
    let animation = picture.animation.and_then(|id| names.get(id.index()).map(String::as_str));
    let stem = format!("{}-{:04}", animation.unwrap_or_else(|| picture.animation_name(model)), picture.frame);
    let result = |ending: &str| {
        let path = folders.results.join(base.join(format!("{stem}.{ending}.png")));
        NewFile { path, earlier: Earlier::Removed }
    };
    PictureFiles {
        index: 0,
        reference: folders.references.join(base.join(format!("{stem}.png"))),
        now: result("now"),
        diff: result("diff"),
    }
}

impl Group {
    /// Numbers the pictures from `first`. Returns the next number.
    pub fn number(&mut self, first: usize) -> usize {
        for (index, files) in (first..).zip(&mut self.files) {
            files.index = index;
        }
        first + self.files.len()
    }

    /// Returns only the pictures at positions for which `is_kept` returns true.
    pub fn only(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        let kept = |at: &usize| is_kept(*at);
        let places: Vec<usize> = (0..self.files.len()).filter(kept).collect();
        let pictures = places.iter().map(|at| self.plan.pictures[*at].clone()).collect();
        Self {
            options: self.options.clone(),
            plan: Plan { pictures, hidden: self.plan.hidden.clone(), ..self.plan },
            files: places.iter().map(|at| self.files[*at].clone()).collect(),
            left: None,
        }
    }
}
