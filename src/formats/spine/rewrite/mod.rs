//! A Spine skeleton → a Spine skeleton of any supported version and form, with its keys.
//!
//! Everything that the target can represent is translated (`translate`). Constraints that it lacks or plays
//! differently are baked: replaced by keys of the bones that they move. They are found by reading the result and
//! comparing poses.

mod bake;
mod compare;
mod faults;
mod form;
mod hold;
mod jumps;
mod plan;
mod report;
mod sampler;
mod select;

use super::binary::Layout;
use super::schema::Root;
use super::{binary, build, constraint_list, read, translate};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::{Input, Loss, NO_SIDECARS, ReadOptions};
use crate::limits::{Budget, Limits};
use crate::model::SkinId;
use crate::motion::{Cycle, PoseWork, has_physics};
use compare::{Physics, Worst, compare};
use plan::{Plan, TOLERANCE_OF_BAKED};

pub use form::Form;

/// Options of [`rewrite`].
#[derive(Debug, Clone)]
pub struct RewriteOptions<'a> {
    /// Version and form of the result.
    pub form: Form,
    /// Animations to write, by index; `None` for all.
    pub animations: Option<&'a [usize]>,
    /// Names of the skins to write besides the default one; empty for all.
    pub skins: &'a [&'a str],
    /// Keys per second of what is baked.
    pub fps: f64,
    /// Whether to bake what the target cannot represent, instead of returning an error.
    pub bakes: bool,
    /// Whether timelines with errors are left out, instead of returning the error.
    pub keep_going: bool,
    /// Limits on the source and the result.
    pub limits: &'a Limits,
}

/// A written skeleton.
#[derive(Debug)]
pub struct Rewritten {
    /// The file.
    pub bytes: Vec<u8>,
    /// What the target cannot represent, or that was baked.
    pub losses: Vec<Loss>,
    /// If physics of the source has become keys: the pass of each animation that was baked.
    pub baked_physics: Option<Vec<Cycle>>,
}

/// Writes the skeleton in `bytes` in another version or form. The same version gives the same document.
///
/// # Errors
///
/// The source cannot be read, the target cannot represent it, or it would have to be baked although that is disabled.
pub fn rewrite(bytes: &[u8], options: &RewriteOptions<'_>) -> Result<Rewritten> {
    let mut budget = Budget::new(options.limits);
    let mut root = read::read(bytes, &mut budget, &mut Diagnostics::default())?;
    if options.keep_going {
        faults::leave_out(&mut root, options.limits)?;
    }
    select::keep(&mut root, options);
    let (from, to) = (Layout::played(root.version), options.form.layout());
    let mut losses = Vec::new();
    let (root, baked_physics) =
        if from == to { (root, None) } else { translated(root, [from, to], options, &mut losses)? };
    let bytes = write(root, options.form, &mut losses)?;
    Ok(Rewritten { bytes, losses, baked_physics })
}

/// Poses compared per second.
const RATE: f64 = 60.0;

/// How often the plan is extended. Each round bakes what the one before has revealed.
const MAX_ROUNDS: usize = 8;

/// The share of the work limit that a comparison in a round may take.
const ROUND_SHARE: u64 = 4;

/// Translates a document to another version, and bakes as much as is needed for the same poses. Returns the document
/// and the passes in which physics was baked.
fn translated<'a>(
    root: Root<'a>,
    [from, to]: [Layout; 2],
    options: &RewriteOptions<'_>,
    losses: &mut Vec<Loss>,
) -> Result<(Root<'a>, Option<Vec<Cycle>>)> {
    let source = character(&root, options.limits)?;
    let durations = hold::durations(&root);
    let mut root = root;
    translate::early::raise(&mut root);
    if from >= Layout::V4_0 {
        translate::drop_unapplied(&mut root, losses);
    }
    let source = if losses.is_empty() { source } else { character(&root, options.limits)? };
    let mut plan = Plan::of(&root, from, to);
    let mut budget = Budget::new(options.limits);
    let cycles = match plan.has_physics() && options.bakes {
        true => Some(cycles(&source, &plan.skins(&root, &source), &mut budget)?),
        false => None,
    };
    let cycles = cycles.as_deref();
    let physics = cycles.map_or(Physics::Nobody, Physics::Source);
    let drafted = |plan: &Plan, extra, budget: &mut Budget<'_>| {
        let (mut document, mut lost) = (root.clone(), Vec::new());
        if !plan.is_empty() {
            bake::bake(&mut document, &source, plan, cycles, (options.fps, extra), budget)?;
        }
        translate::translate(&mut document, to, &mut lost, budget)?;
        hold::hold(&mut document, &durations);
        Ok::<_, Error>((document, lost))
    };
    let mut rounds = 0;
    // The result that bakes only what the target cannot represent.
    let mut first: Option<Draft<'_>> = None;
    loop {
        rounds += 1;
        if !plan.is_empty() && !options.bakes {
            return Err(report::refused(&plan, &root, to));
        }
        let (document, lost) = drafted(&plan, 0, &mut budget)?;
        let result = character(&document, options.limits)?;
        // Between its keys, what is baked is off by more.
        let rate = if plan.is_empty() { RATE } else { options.fps };
        let sides = [&source, &result];
        let work = options.limits.work;
        let worst = compare(sides, physics, rate, work / ROUND_SHARE);
        let off = worst.as_ref().filter(|worst| rounds < MAX_ROUNDS && plan.is_exceeded(worst));
        let before = plan.clone();
        let is_extended = off.is_some_and(|worst| plan.extend(&root, &source, worst));
        if is_extended && first.is_some() {
            continue;
        }
        let worst = if before.is_empty() { worst } else { compare(sides, physics, RATE, work) };
        let draft = Draft { plan: before, document, lost, worst, is_dense: false };
        if is_extended {
            first = Some(draft);
            continue;
        }
        let mut draft = first.filter(|first| first.suffices_beside(&draft)).unwrap_or(draft);
        if draft.is_off_between_keys() {
            match drafted(&draft.plan, work / ROUND_SHARE, &mut Budget::new(options.limits)) {
                Ok((document, lost)) => {
                    let result = character(&document, options.limits)?;
                    let worst = compare([&source, &result], physics, RATE, work);
                    let plan = draft.plan.clone();
                    let dense = Draft { plan, document, lost, worst, is_dense: true };
                    draft = if dense.most() < draft.most() { dense } else { draft };
                }
                Err(Error::LimitExceeded(_)) => {}
                Err(error) => return Err(error),
            }
        }
        report::report_cycles(&source, cycles, losses);
        let fps = (options.fps, draft.is_dense);
        report::report(&draft.plan, (&root, &source), draft.worst.as_ref(), fps, losses);
        if from != to && cycles.is_none() && has_physics(&source) && !draft.plan.has_physics() {
            let result = character(&draft.document, options.limits)?;
            let worst = compare([&source, &result], Physics::Both, RATE, work);
            report::report_physics(&root, worst.as_ref(), losses);
        }
        losses.extend(draft.lost);
        return Ok((draft.document, cycles.map(<[Cycle]>::to_vec)));
    }
}

/// The pass of each animation from which on physics repeats itself.
fn cycles(source: &Character, skins: &[SkinId], budget: &mut Budget<'_>) -> Result<Vec<Cycle>> {
    let work = PoseWork::new(source, skins);
    let of = |id| {
        let place = || Place::inside(format!("animations/{}", source.model().animation(id).name));
        Cycle::of(source, id, skins, |poses| budget.charge_work(poses, work.of(source, Some(id)), place))
    };
    source.model().animation_ids().map(of).collect()
}

/// A translated document, and by how much it is off.
struct Draft<'a> {
    plan: Plan,
    document: Root<'a>,
    lost: Vec<Loss>,
    worst: Option<Worst>,
    /// Whether more was baked where the bones were off between keys.
    is_dense: bool,
}

impl Draft<'_> {
    /// How far the bones are off at most, if they were compared.
    fn most(&self) -> Option<f32> {
        self.worst.as_ref().map(Worst::of_all)
    }

    fn is_off_between_keys(&self) -> bool {
        !self.plan.is_empty() && self.most().is_some_and(|most| most > TOLERANCE_OF_BAKED)
    }

    /// Returns true if it is off by so little that baking more is only worth it if that helps, and `other`, with more
    /// baked, is off by more: between their keys, baked bones are off, too.
    fn suffices_beside(&self, other: &Self) -> bool {
        matches!((self.most(), other.most()), (Some(own), Some(other)) if own < other && own <= TOLERANCE_OF_BAKED)
    }
}

/// The character of a document, without its pictures.
fn character(root: &Root<'_>, limits: &Limits) -> Result<Character> {
    let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
    built(root, &options, &mut Diagnostics::default())
}

/// Like [`character`], with other options.
fn built(root: &Root<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Character> {
    let input = Input { bytes: bytes::Bytes::new(), sidecars: NO_SIDECARS };
    build::build(root, &input, options, &mut options.budget(), diagnostics)
}

/// Writes a document that has the version of `form`.
pub(super) fn write(mut root: Root<'_>, form: Form, losses: &mut Vec<Loss>) -> Result<Vec<u8>> {
    form.state(&mut root);
    translate::tidy(&mut root);
    if form.is_binary() {
        let written = binary::write::write(&root)?;
        losses.extend(written.losses);
        return Ok(written.bytes);
    }
    serde_json::to_vec(&constraint_list::json(root)).map_err(|error| {
        let message = format!("{error}: coordinates of the character are too large for the file");
        Error::unsupported("not-finite", Place::default(), message)
    })
}

#[cfg(test)]
mod tests;
