//! Keys, and interpolation between them.

/// The keys of all timelines, one timeline after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stored {
    /// Times in seconds, ascending in each timeline.
    pub times: Vec<f32>,
    /// Interpolation from each key to the next, one for each time.
    pub curves: Vec<Curve>,
    /// The values of the keys.
    pub values: Vec<f32>,
    pub beziers: Vec<Bezier>,
}

/// The keys of one timeline, as part of [`Stored`]: `N` values at each of some times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keys<const N: usize> {
    /// Index of the first time and curve.
    pub first: u32,
    /// Number of keys.
    pub len: u32,
    /// Index of the first value.
    pub values: u32,
}

/// Interpolation from a key to the next one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Curve {
    #[default]
    Linear,
    /// Keeps the value until the next key.
    Stepped,
    /// Index in [`Stored::beziers`], for all values of the key.
    Bezier(u32),
    /// Index of the first of several curves, one for each value.
    Values(u32),
}

/// A cubic curve between two keys, approximated by the ten chords between its points at every tenth of its
/// parameter. Their x is the share of the time between the keys; y is the share of the change, or the value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bezier([[f32; 2]; 9]);

/// The position of a time among keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Spot {
    /// Before the first key.
    Before,
    /// At or after the key with this index, and the share of the next key; 0 after the last key.
    At(usize, Share),
}

/// How far the values have changed from one key to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Share {
    /// All values by the same share.
    Of(f64),
    /// Each value by its own curve, after this share of the time.
    ByValue { time: f64, first: u32 },
}

/// The weights of start, handles and end at each point of a [`Bezier`].
const WEIGHTS: [[f64; 4]; 9] = {
    let mut weights = [[0.0; 4]; 9];
    let mut index = 0;
    while index < weights.len() {
        let t = (index + 1) as f64 / 10.0;
        weights[index] = [
            (1.0 - t) * (1.0 - t) * (1.0 - t),
            3.0 * t * (1.0 - t) * (1.0 - t),
            3.0 * t * t * (1.0 - t),
            t * t * t,
        ];
        index += 1;
    }
    weights
};

impl Bezier {
    /// Creates a curve from two handles. x is time and y value, both 0 to 1 between the keys.
    pub fn new(handles: [f32; 4]) -> Self {
        Self::of_values(handles, [0.0, 1.0])
    }

    /// Creates a curve from two handles. x is the time, 0 to 1 between the keys, y the value, which is `from` at
    /// the first key and `to` at the second.
    pub fn of_values([x1, y1, x2, y2]: [f32; 4], [from, to]: [f32; 2]) -> Self {
        let zeroth = [0.0, f64::from(from)];
        let [first, second] = [[f64::from(x1), f64::from(y1)], [f64::from(x2), f64::from(y2)]];
        let third = [1.0, f64::from(to)];
        let mut points = [[0.0; 2]; 9];
        for (point, [a, b, c, d]) in points.iter_mut().zip(&WEIGHTS) {
            // Both components at once: adapters of arrays here took a quarter of the time of loading a character.
            for axis in 0..2 {
                point[axis] = (a * zeroth[axis] + b * first[axis] + c * second[axis] + d * third[axis]) as f32;
            }
        }
        Self(points)
    }

    /// Returns the times from `start` to `end`, exclusive, between which the value is a line. Where a chord goes back in
    /// time, the value jumps: the nearest times before and after the jump.
    pub fn times(self, [start, end]: [f32; 2]) -> Vec<f32> {
        let (from, to) = (f64::from(start), f64::from(end));
        let mut times = Vec::with_capacity(self.0.len());
        // Chords that do not extend further than one before are not seen.
        let mut seen = 0.0;
        let nexts = self.0.iter().skip(1).map(|point| point[0]).chain([1.0]);
        for (&[x, _], next) in self.0.iter().zip(nexts) {
            if x > seen || times.is_empty() && x == 0.0 {
                let time = (from + (to - from) * f64::from(x)) as f32;
                let jumps = next <= x;
                times.extend(jumps.then(|| time.next_down()));
                times.push(time);
                times.extend(jumps.then(|| time.next_up()));
                seen = x;
            }
        }
        times.retain(|time| *time > start && *time < end);
        times
    }

    /// Returns the share of the change after share `x` of the time, on the first chord that extends to `x`.
    pub fn at(&self, x: f64) -> f64 {
        self.between(x, [0.0, 1.0])
    }

    /// Returns the value after share `x` of the time. `from` and `to` are the values of the keys.
    pub fn between(&self, x: f64, [from, to]: [f64; 2]) -> f64 {
        // Only the points around it are widened as a whole, which takes a tenth fewer instructions.
        let end = self.0.iter().position(|point| f64::from(point[0]) >= x).unwrap_or(self.0.len());
        let wide = |[x, y]: [f32; 2]| [f64::from(x), f64::from(y)];
        let before = end.checked_sub(1).map_or([0.0, from], |at| wide(self.0[at]));
        let after = self.0.get(end).map_or([1.0, to], |point| wide(*point));
        let run = after[0] - before[0];
        if run > 0.0 { before[1] + (after[1] - before[1]) * (x - before[0]) / run } else { after[1] }
    }
}

/// A time in an animation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Time {
    pub secs: f64,
    /// The greatest 32-bit number that is not after it, with which keys are compared.
    key: f32,
}

impl Time {
    pub fn new(secs: f64) -> Self {
        let nearest = secs as f32;
        Self { secs, key: if f64::from(nearest) > secs { nearest.next_down() } else { nearest } }
    }
}

/// Up to this many keys are counted instead of searched: that needs no branches.
const COUNTED: usize = 32;

/// Returns the last key at or before `time`.
#[inline]
pub(super) fn last_before(times: &[f32], time: Time) -> Option<usize> {
    let count = if times.len() <= COUNTED {
        times.iter().map(|&key| u32::from(key <= time.key)).sum::<u32>() as usize
    } else {
        times.partition_point(|&key| key <= time.key)
    };
    count.checked_sub(1)
}

impl Stored {
    /// Without keys, with room for some.
    pub fn with_room(keys: usize, values: usize, beziers: usize) -> Self {
        Self {
            times: Vec::with_capacity(keys),
            curves: Vec::with_capacity(keys),
            values: Vec::with_capacity(values),
            beziers: Vec::with_capacity(beziers),
        }
    }

    /// Starts the keys of another timeline.
    pub fn start<const N: usize>(&mut self) -> Keys<N> {
        let [first, values] = [self.times.len(), self.values.len()].map(|index| index as u32);
        // A timeline that is left out because of an error can lack curves.
        self.curves.resize(self.times.len(), Curve::Linear);
        Keys { first, len: 0, values }
    }

    /// Gives back memory that is not needed.
    pub fn shrink(&mut self) {
        let Self { times, curves, values, beziers } = self;
        times.shrink_to_fit();
        curves.shrink_to_fit();
        values.shrink_to_fit();
        beziers.shrink_to_fit();
    }
}

impl<const N: usize> Keys<N> {
    /// Returns the times in seconds, ascending.
    #[inline(always)]
    pub(super) fn times(self, stored: &Stored) -> &[f32] {
        let first = self.first as usize;
        stored.times.get(first..first + self.len as usize).unwrap_or_default()
    }

    /// Returns the position of `time` among keys.
    #[inline(always)]
    pub(super) fn locate(self, stored: &Stored, time: Time) -> Spot {
        let times = self.times(stored);
        let Some(at) = last_before(times, time) else { return Spot::Before };
        let Some(&next) = times.get(at + 1) else { return Spot::At(at, Share::Of(0.0)) };
        let (from, to) = (f64::from(times[at]), f64::from(next));
        let linear = (time.secs - from) / (to - from);
        Spot::At(
            at,
            match stored.curves[self.first as usize + at] {
                Curve::Linear => Share::Of(linear),
                Curve::Stepped => Share::Of(0.0),
                Curve::Bezier(index) => Share::Of(stored.beziers[index as usize].at(linear)),
                Curve::Values(first) => Share::ByValue { time: linear, first },
            },
        )
    }

    /// Returns the values of a key, and those after them.
    #[inline(always)]
    pub fn stated(self, stored: &Stored, at: usize) -> (&[f32; N], &[f32]) {
        let values = stored.values.get(self.values as usize + at * N..).unwrap_or_default();
        values.split_first_chunk().unwrap_or((&[0.0; N], &[]))
    }

    /// Interpolates between a key and the next one.
    #[inline]
    pub(super) fn value(self, stored: &Stored, at: usize, share: Share) -> [f64; N] {
        let (from, rest) = self.stated(stored, at);
        let from: [f64; N] = std::array::from_fn(|i| from[i].into());
        // The last key has a share of 0.
        let Some(to) = rest.first_chunk::<N>().filter(|_| share != Share::Of(0.0)) else { return from };
        match share {
            Share::Of(share) => std::array::from_fn(|i| from[i] + (f64::from(to[i]) - from[i]) * share),
            Share::ByValue { time, first } => {
                let curves = &stored.beziers[first as usize..];
                let between = |i: usize| Some(curves.get(i)?.between(time, [from[i], to[i].into()]));
                std::array::from_fn(|i| between(i).unwrap_or(from[i]))
            }
        }
    }

    /// Returns the values at a time; `None` before the first key.
    #[inline(always)]
    pub(super) fn at(self, stored: &Stored, time: Time) -> Option<[f64; N]> {
        match self.locate(stored, time) {
            Spot::Before => None,
            Spot::At(at, share) => Some(self.value(stored, at, share)),
        }
    }
}
