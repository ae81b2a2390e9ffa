//! Rotations and deformations of 4.0 → keys of 3.8.

use crate::formats::spine::curves::{Joined, JoinedCurve, Track, join, tolerance};
use crate::formats::spine::schema::{Curve, Keys, MAX_WIDTH, Property};
use crate::motion::spine::Bezier;

/// The largest turn between two keys. 3.8 turns the short way, so larger turns get keys in between.
const MAX_TURN: f32 = 170.0;

/// Maximum number of keys in one turn, and of all that are added to a document: a few bytes can state any turn. Beyond
/// that, bones are baked.
const MAX_STEPS: f32 = 1000.0;
const MAX_ADDED: usize = 1 << 18;

/// Rewrites rotations of a document.
pub struct Turns {
    /// How many keys may still be added.
    left: usize,
}

impl Default for Turns {
    fn default() -> Self {
        Self { left: MAX_ADDED }
    }
}

impl Turns {
    /// Rotation in 3.8 has one value and turns the short way.
    pub fn lower(&mut self, keys: &mut Keys<'_>) {
        let tracks = Track::of(keys, [0.0; MAX_WIDTH]);
        let joined = self.turned(join(&tracks, tolerance(Property::Rotate)));
        keys.replace(joined.into_iter().map(|key| (key.time, key.curve.stated(), key.values)), false);
    }

    /// Adds keys to turns that are too large.
    fn turned(&mut self, joined: Vec<Joined>) -> Vec<Joined> {
        let mut out: Vec<Joined> = Vec::with_capacity(joined.len());
        for (joined_key, next) in joined.iter().zip(joined.iter().skip(1)) {
            let (from, to) = (joined_key.values[0], next.values[0]);
            match joined_key.curve {
                JoinedCurve::Shared(handles) if (to - from).abs() > MAX_TURN => {
                    let curve = Bezier::new(handles);
                    let span = [joined_key.time, next.time];
                    let [from_secs, to_secs] = span.map(f64::from);
                    let share = |time: f32| (f64::from(time) - from_secs) / (to_secs - from_secs);
                    let point = |time: f32| Joined {
                        time,
                        values: rotation(from + (to - from) * curve.at(share(time)) as f32),
                        curve: JoinedCurve::Linear,
                    };
                    let start = Joined { curve: JoinedCurve::Linear, ..*joined_key };
                    let points = curve.times(span).into_iter().map(point);
                    let line: Vec<Joined> = std::iter::once(start).chain(points).chain([*next]).collect();
                    line.windows(2).for_each(|ends| out.extend(self.steps(&ends[0], &ends[1])));
                }
                JoinedCurve::Linear => out.extend(self.steps(joined_key, next)),
                JoinedCurve::Stepped | JoinedCurve::Shared(_) => out.push(*joined_key),
            }
        }
        out.extend(joined.last());
        out
    }

    /// The first key, and those between it and the next of a linear turn.
    fn steps<'j>(&mut self, from: &'j Joined, to: &'j Joined) -> impl Iterator<Item = Joined> + use<'j> {
        let turn = to.values[0] - from.values[0];
        let count = (turn.abs() / MAX_TURN).ceil();
        let count = if to.time > from.time && count <= MAX_STEPS { (count as usize).max(1) } else { 1 };
        let left = self.left.checked_sub(count - 1);
        let count = if left.is_some() { count } else { 1 };
        self.left = left.unwrap_or(self.left);
        (0..count).map(move |step| {
            let share = step as f32 / count as f32;
            Joined {
                time: from.time + (to.time - from.time) * share,
                values: rotation(from.values[0] + turn * share),
                curve: JoinedCurve::Linear,
            }
        })
    }
}

/// A rotation as the values of a key.
fn rotation(angle: f32) -> [f32; MAX_WIDTH] {
    std::array::from_fn(|value| if value == 0 { angle } else { 0.0 })
}

/// The curve of a deformation states the share of the next key, so only its times change.
pub fn lower_deform(keys: &mut Keys<'_>) {
    keys.sort();
    for at in 1..keys.len() {
        let [start, end] = [at - 1, at].map(|at| f64::from(keys.list[at].time));
        let curve = &mut keys.list[at - 1].curve;
        let share = |time: f32| ((f64::from(time) - start) / (end - start)) as f32;
        if let &[x1, y1, x2, y2] = curve.handles() {
            *curve = if end <= start { Curve::Linear } else { Curve::Four([share(x1), y1, share(x2), y2]) };
        }
    }
}
