//! Keys with one curve for each value → keys with one curve for all.

use super::track::{Interpolation, JoinedCurve, Point, Track, Tracks, join};
use crate::formats::spine::binary::Layout;
use crate::formats::spine::schema::{Curve, Key, Keys, MAX_WIDTH, Property};

/// How far a value may be off where one curve is used for several values, whose handles JSON of the editor states with
/// few digits. Scale and mixes act on up to a thousand units.
const UNITS: f32 = 2e-3;
const SHARE: f32 = 5e-6;
const CHANNEL: f32 = 2e-3;

/// How far a rotation may be off because shares are rounded.
const DEGREES: f32 = 1e-4;

pub fn tolerance(property: Property) -> [f32; MAX_WIDTH] {
    match property {
        Property::Rotate | Property::Shear => [DEGREES; MAX_WIDTH],
        Property::Translate => [UNITS; MAX_WIDTH],
        Property::Color | Property::TwoColor => [CHANNEL; MAX_WIDTH],
        // The second value is the softness.
        Property::Ik => std::array::from_fn(|value| if value == 1 { UNITS } else { SHARE }),
        _ => [SHARE; MAX_WIDTH],
    }
}

/// Rewrites the keys of a timeline.
pub fn lower(keys: &mut Keys<'_>) {
    let tracks = Track::of(keys, [0.0; MAX_WIDTH]);
    // Before 4.0, a mix may be one of several values.
    let stored: Vec<usize> = keys.row().stored(Layout::V3_8).map(|(_, _, value, _)| value).collect();
    let mut kept: Tracks = Default::default();
    for (value, track) in tracks.into_iter().enumerate().filter(|(value, _)| stored.contains(value)) {
        kept[value] = track;
    }
    write(&kept, keys);
}

/// Replaces keys by the keys of `tracks`. Returns how far colours had to be rounded.
pub fn write(tracks: &Tracks, keys: &mut Keys<'_>) -> f32 {
    let joined = join(tracks, tolerance(keys.property)).into_iter();
    keys.replace(joined.map(|key| (key.time, key.curve.stated(), key.values)), false)
}

impl JoinedCurve {
    pub fn stated(self) -> Curve {
        match self {
            Self::Linear => Curve::Linear,
            Self::Stepped => Curve::Stepped,
            Self::Shared(handles) => Curve::Four(handles),
        }
    }
}

impl Track {
    /// The values of the keys of a timeline, which are sorted. `rest`: the values before the first key.
    pub fn of(keys: &mut Keys<'_>, rest: [f32; MAX_WIDTH]) -> Tracks {
        keys.sort();
        let width = keys.row().width();
        let mut tracks = rest.map(|rest| Self { rest, points: Vec::new() });
        for (at, Key { time, curve, .. }) in keys.list.iter().enumerate() {
            for (channel, (track, value)) in tracks.iter_mut().zip(keys.get(at)).enumerate().take(width) {
                track.points.push(Point { time: *time, value, way: Interpolation::of(curve, channel) });
            }
        }
        tracks
    }
}

impl Interpolation {
    /// How the curve of a key leads to the value of the next key.
    fn of(curve: &Curve, channel: usize) -> Self {
        match curve {
            Curve::Stepped => Self::Stepped,
            curve => curve.handles().as_chunks::<4>().0.get(channel).map_or(Self::Linear, |it| Self::Curved(*it)),
        }
    }
}
