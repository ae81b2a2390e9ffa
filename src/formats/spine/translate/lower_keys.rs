//! Keys with one curve for each value → keys with one curve for all.

use super::keys::{Curved, sort};
use super::track::{Interpolation, Joined, JoinedCurve, Point, Track, join};
use crate::formats::spine::schema::{BoneKey, Curve, DeformKey, Number};
use crate::motion::spine::Bezier;

/// How the values of a key are read and written.
pub struct Lower<G, P, const N: usize> {
    pub get: G,
    pub put: P,
    /// How far each value may be off where one curve is used for all.
    pub tolerance: [f32; N],
}

impl<const N: usize, G, P> Lower<G, P, N> {
    /// Rewrites the keys of one timeline.
    pub fn lower<K>(&self, keys: &mut Vec<K>)
    where
        K: Curved + Default,
        G: Fn(&K) -> [f32; N],
        P: Fn(&mut K, [f32; N]),
    {
        self.lower_channels(keys, std::array::from_fn(|i| i));
    }

    /// Rewrites the keys of one timeline, whose curves have handles for more values than are written. `channels`:
    /// the places of those.
    pub fn lower_channels<K>(&self, keys: &mut Vec<K>, channels: [usize; N])
    where
        K: Curved + Default,
        G: Fn(&K) -> [f32; N],
        P: Fn(&mut K, [f32; N]),
    {
        let tracks = Track::of_channels(keys, [0.0; N], channels, &self.get);
        self.write(&tracks, keys);
    }

    /// Replaces `keys` by those of `tracks`. What is not a value of a key is that of the last one before.
    pub fn write<K>(&self, tracks: &[Track; N], keys: &mut Vec<K>)
    where
        K: Curved + Default,
        P: Fn(&mut K, [f32; N]),
    {
        let old = std::mem::take(keys);
        *keys = join(tracks, self.tolerance)
            .into_iter()
            .map(|joined_key| {
                let before = old.partition_point(|key| key.time() <= joined_key.time).checked_sub(1);
                let mut key = before.and_then(|before| old.get(before)).cloned().unwrap_or_default();
                key.set_time(joined_key.time);
                (self.put)(&mut key, joined_key.values);
                key.set_curve(joined_key.curve.stated());
                key
            })
            .collect();
        sort(keys);
    }
}

impl JoinedCurve {
    fn stated(self) -> Option<Curve> {
        match self {
            Self::Linear => None,
            Self::Stepped => Some(Curve::Stepped),
            Self::Shared(handles) => Some(Curve::Four(handles)),
        }
    }
}

impl Track {
    /// The values of the keys of a timeline, which are sorted. `rest`: the values before the first key.
    pub fn of<K: Curved, const N: usize>(
        keys: &mut [K],
        rest: [f32; N],
        get: impl Fn(&K) -> [f32; N],
    ) -> [Self; N] {
        Self::of_channels(keys, rest, std::array::from_fn(|i| i), get)
    }

    /// Like [`Self::of`]; the handles of value `i` are those of channel `channels[i]`.
    pub fn of_channels<K: Curved, const N: usize>(
        keys: &mut [K],
        rest: [f32; N],
        channels: [usize; N],
        get: impl Fn(&K) -> [f32; N],
    ) -> [Self; N] {
        sort(keys);
        let mut tracks = rest.map(|rest| Self { rest, points: Vec::with_capacity(keys.len()) });
        for key in keys {
            let (time, values) = (key.time(), get(key));
            let curve = key.take_curve();
            for ((track, channel), value) in tracks.iter_mut().zip(channels).zip(values) {
                track.points.push(Point { time, value, way: Interpolation::of(curve.as_ref(), channel) });
            }
            key.set_curve(curve);
        }
        tracks
    }
}

impl Interpolation {
    /// How a value gets to that of the next key by the curve of a key.
    fn of(curve: Option<&Curve>, channel: usize) -> Self {
        match curve {
            None | Some(Curve::Linear | Curve::First(_)) => Self::Linear,
            Some(Curve::Stepped) => Self::Stepped,
            Some(curve) => {
                curve.handles().as_chunks::<4>().0.get(channel).map_or(Self::Linear, |it| Self::Curved(*it))
            }
        }
    }
}

/// The largest turn between two keys. 3.8 turns the short way, so larger turns get keys in between.
const MAX_TURN: f32 = 170.0;

/// How far a rotation may be off because shares are rounded.
pub const DEGREES: f32 = 1e-4;

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
    pub fn lower(&mut self, keys: &mut Vec<BoneKey>) {
        let value = |key: &BoneKey| [key.value.or(key.angle).unwrap_or_default().0];
        let [track] = Track::of(keys, [0.0], value);
        let joined = self.turned(join(&[track], [DEGREES]));
        *keys = joined
            .into_iter()
            .map(|joined_key| BoneKey {
                time: Number(joined_key.time),
                angle: Some(Number(joined_key.values[0])),
                curve: joined_key.curve.stated(),
                ..BoneKey::default()
            })
            .collect();
    }

    /// Adds keys to turns that are too large.
    fn turned(&mut self, joined: Vec<Joined<1>>) -> Vec<Joined<1>> {
        let mut out: Vec<Joined<1>> = Vec::with_capacity(joined.len());
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
                        values: [from + (to - from) * curve.at(share(time)) as f32],
                        curve: JoinedCurve::Linear,
                    };
                    let start = Joined { curve: JoinedCurve::Linear, ..*joined_key };
                    let points = curve.times(span).into_iter().map(point);
                    let line: Vec<Joined<1>> = std::iter::once(start).chain(points).chain([*next]).collect();
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
    fn steps<'j>(&mut self, from: &'j Joined<1>, to: &'j Joined<1>) -> impl Iterator<Item = Joined<1>> + use<'j> {
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
                values: [from.values[0] + turn * share],
                curve: JoinedCurve::Linear,
            }
        })
    }
}

/// The curve of a deformation is that of the share of the next key, which only changes its times.
pub fn lower_deform(keys: &mut [DeformKey]) {
    sort(keys);
    for at in 1..keys.len() {
        let [start, end] = [at - 1, at].map(|at| f64::from(keys[at].time.0));
        let key = &mut keys[at - 1];
        let share = |time: f32| ((f64::from(time) - start) / (end - start)) as f32;
        let curve = key.take_curve().and_then(|curve| match curve {
            Curve::Four(_) if end <= start => None,
            Curve::Four([x1, y1, x2, y2]) => Some(Curve::Four([share(x1), y1, share(x2), y2])),
            curve => Some(curve),
        });
        key.set_curve(curve);
    }
}
