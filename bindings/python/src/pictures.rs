//! Pictures of a character as arrays: the same bytes as `pchr-view --backend cpu` writes.

use std::sync::atomic::{AtomicBool, Ordering};

use numpy::PyArrayDyn;
use pchr::cpu::Renderer;
use pchr::export::{Batch, Commit, Drawing, Fit, Format, Plan, PlannedFile, RenderOptions, choose};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::arrays;
use crate::failure::Failure;

/// Rows of RGBA, from the top, of one picture after the other.
pub struct Pixels {
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
}

impl Pixels {
    pub fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyArrayDyn<u8>>> {
        arrays::array(py, self.bytes, &self.shape)
    }
}

/// One picture.
pub fn one(character: &pchr::Character, renderer: &Renderer, options: &RenderOptions) -> Result<Pixels, Failure> {
    let plan = plan(character, options)?;
    let [picture] = &plan.pictures[..] else {
        let message =
            format!("render() draws one picture, not {}; render_many() draws several", plan.pictures.len());
        return Err(Failure::misuse("several-pictures", message));
    };
    let never = AtomicBool::new(false);
    let mut options = options.clone();
    options.output.jobs = 1;
    let sequence = options.sequence(character, &plan, &never);
    let picture = sequence.picture(&mut Drawing::cpu(renderer.clone()), &picture.cue)?;
    let picture = picture.ok_or(pchr::Error::Cancelled)?;
    let shape = vec![picture.height() as usize, picture.width() as usize, 4];
    Ok(Pixels { shape, bytes: picture.pixels().to_vec() })
}

/// Several pictures with one visible area: the planned ones, or those at `times`.
pub fn many(
    character: &pchr::Character,
    renderer: &Renderer,
    mut options: RenderOptions,
    times: Option<&[f64]>,
    is_cancelled: &AtomicBool,
) -> Result<Pixels, Failure> {
    options.output.format = Some(Format::Raw);
    let plan = match times {
        Some(times) => plan_times(character, &mut options, times, is_cancelled)?,
        None => plan(character, &options)?,
    };
    let (count, width, height) = (plan.pictures.len(), plan.view.width() as usize, plan.view.height() as usize);
    let shape = vec![count, height, width, 4];
    let mut bytes = Vec::new();
    let size = shape.iter().try_fold(1usize, |size, side| size.checked_mul(*side));
    if size.is_none_or(|size| bytes.try_reserve_exact(size).is_err()) {
        let message = format!("{count} pictures of {width}×{height} do not fit into memory");
        return Err(PyMemoryError::new_err(message).into());
    }
    let batch = Batch {
        sequence: options.sequence(character, &plan, is_cancelled),
        options: &options,
        plan: &plan,
        files: &[PlannedFile { path: None, pictures: 0..count }],
        sources: &[],
        commit: Commit::Together,
        may_replace: &|_| false,
        observer: &(),
    };
    batch.write(&mut Drawing::cpu(renderer.clone()), &mut bytes)?;
    Ok(Pixels { shape, bytes })
}

fn plan(character: &pchr::Character, options: &RenderOptions) -> Result<Plan, Failure> {
    let animations = choose::animations_or_first(character, &options.subject.animations, &options.read.limits)?;
    let skins = choose::skins(character, &options.subject.skins)?;
    Ok(options.plan(character, &animations, &skins)?)
}

/// The pictures at `times`, in the area that all of them need.
fn plan_times(
    character: &pchr::Character,
    options: &mut RenderOptions,
    times: &[f64],
    is_cancelled: &AtomicBool,
) -> Result<Plan, Failure> {
    if let Some(time) = times.iter().find(|time| !time.is_finite()) {
        return Err(Failure::misuse("invalid-argument", format!("times are seconds, found {time}")));
    }
    let [first, others @ ..] = times else {
        return Err(Failure::misuse("nothing-to-render", "times are empty"));
    };
    options.subject.time = Some(*first);
    let mut whole = plan(character, options)?;
    for time in others {
        if is_cancelled.load(Ordering::Relaxed) {
            return Err(pchr::Error::Cancelled.into());
        }
        options.subject.time = Some(*time);
        // All frames are in the area of the first.
        options.look.fit = match options.look.fit {
            Fit::Animation | Fit::All => Fit::Frame,
            fit => fit,
        };
        let next = plan(character, options)?;
        whole.area = whole.area.union(next.area);
        whole.pictures.extend(next.pictures);
    }
    options.look.fit = Fit::Rect(whole.area);
    whole.view = plan(character, options)?.view;
    Ok(whole)
}
