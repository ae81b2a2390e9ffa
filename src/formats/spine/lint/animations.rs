//! Animations without timelines, keys at implausible times, and curves whose handles lie outside it.

use super::Subject;
use crate::diagnostics::Diagnostics;
use crate::error::escaped;
use crate::formats::spine::build::at;
use crate::formats::spine::build::keys::{Way, for_each_timeline};
use crate::formats::spine::schema::{Keys, Property};

/// Longer than any animation, in seconds: most likely frames or milliseconds.
const MAX_TIME: f32 = 1000.0;

/// How far the first handle may lie after the next key and the second one before its key, as a multiple of the key's
/// length. In the official examples it is 2.2 at most.
const MAX_OUTSIDE: f32 = 10.0;

/// How far handles are off because they were rounded, in their unit.
const ROUNDING: f32 = 0.01;

/// A shorter key can have handles from 0 to 1 that are right.
const LONG_KEY: f32 = 1.0;

/// What is wrong with curves of CSS.
const SHARES: &str = "they look like shares of the key, as in CSS and before Spine 4.0";

/// Reports the first offence of each timeline.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let is_four = subject.root.version.is_four();
    for (name, animation) in &subject.root.animations.0 {
        let name = name.as_str();
        let mut is_empty = true;
        for_each_timeline(animation, |way, times, keys| {
            is_empty = false;
            if let Some((index, message)) = time(times) {
                diagnostics.warn("key-time", at(format!("{}/{index}/time", way.at(name))), message);
            }
            if let Some((index, message)) = keys.and_then(|keys| handles(keys, is_four)) {
                diagnostics.warn("curve-handles", at(format!("{}/{index}/curve", way.at(name))), message);
            }
        });
        if is_empty {
            let message =
                format!("animation `{}` has no timelines: it lasts 0 s and shows the setup pose", escaped(name));
            diagnostics.note("no-timelines", at(Way(&[]).at(name)), message);
        }
    }
}

fn time(times: &[f32]) -> Option<(usize, String)> {
    times.iter().enumerate().find_map(|(index, &time)| {
        let message = if time < 0.0 {
            format!("the key at {time} s lies before the start of the animation; times start at 0")
        } else if time >= MAX_TIME {
            format!(
                "the animation lasts until this key, at {time} s; times are in seconds, not frames or milliseconds"
            )
        } else {
            return None;
        };
        Some((index, message))
    })
}

/// Finds a curve whose first handle lies before its key or whose second one lies after the next key, or one that has a
/// handle far outside, or whose handles are shares in a version that expects seconds and values. Exports of the editor
/// have neither; their handles may cross.
fn handles(keys: &Keys<'_>, is_four: bool) -> Option<(usize, String)> {
    keys.list.windows(2).enumerate().find_map(|(index, ends)| {
        let [start, end] = if is_four { [ends[0].time, ends[1].time] } else { [0.0, 1.0] };
        let room = MAX_OUTSIDE * (end - start);
        let is_outside = |[x1, _, x2, _]: &&[f32; 4]| {
            let leaves = *x1 < start - ROUNDING || *x2 > end + ROUNDING;
            start < end && (leaves || *x1 > end + room || *x2 < start - room)
        };
        let curves = ends[0].curve.handles().as_chunks::<4>().0;
        let Some([x1, _, x2, _]) = curves.iter().find(is_outside) else {
            let what = shares(keys, index).filter(|_| is_four)?;
            return Some((index, format!("the handles of the curve are numbers from 0 to 1, but {what}; {SHARES}")));
        };
        let are_shares = is_four && [x1, x2].iter().all(|time| (0.0..=1.0).contains(*time));
        let hint = if are_shares { format!("; {SHARES}") } else { String::new() };
        let unit = if is_four { " s" } else { "" };
        let message = format!(
            "the handles of the curve lie at {x1} and {x2}{unit}, but the key goes from {start} to {end}{unit}, so the \
             value jumps{hint}"
        );
        Some((index, message))
    })
}

/// Tells why the handles of a curve, if they are numbers from 0 to 1, cannot be seconds and values.
fn shares(keys: &Keys<'_>, index: usize) -> Option<String> {
    let handles = keys.list[index].curve.handles();
    let [start, end] = [keys.list[index].time, keys.list[index + 1].time];
    // A curve that leaves 0 slowly has handles at 0.
    let is_flat = handles.iter().skip(1).step_by(2).all(|value| *value == 0.0);
    if is_flat || end - start < LONG_KEY || !handles.iter().all(|number| (0.0..=1.0).contains(number)) {
        return None;
    }
    // Values of deformations are shares in every version.
    let width = if keys.property == Property::Deform { 0 } else { keys.row().width() };
    let values = [index, index + 1].map(|at| keys.get(at));
    let far = values.iter().flat_map(|values| &values[..width]).find(|value| value.abs() >= MAX_OUTSIDE);
    match far {
        Some(value) => Some(format!("the key has the value {value}")),
        None => (end - start >= MAX_OUTSIDE).then(|| format!("the key goes from {start} to {end} s")),
    }
}
