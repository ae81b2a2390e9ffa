//! One value over time, and several values joined in keys that share one curve, as in 3.8.
//!
//! Readers of all versions follow a curve by ten chords. So a curve that the target cannot represent is replaced by
//! linear keys at the ends of these chords, which plays the same. Handles may lie outside of the time between two
//! keys: then the value at a key differs from the key, or the value jumps.

use crate::formats::spine::schema::MAX_WIDTH;
use crate::motion::spine::Bezier;

/// One value over time.
#[derive(Debug, Clone, Default)]
pub struct Track {
    /// The value before the first point.
    pub rest: f32,
    /// By time.
    pub points: Vec<Point>,
}

#[derive(Debug, Clone, Copy)]
pub struct Point {
    pub time: f32,
    pub value: f32,
    pub way: Interpolation,
}

/// The way to the next point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Interpolation {
    Linear,
    Stepped,
    /// Handles: times in seconds, and values.
    Curved([f32; 4]),
}

/// The values of a timeline. Unused ones have no points.
pub type Tracks = [Track; MAX_WIDTH];

/// A key of several values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joined {
    pub time: f32,
    pub values: [f32; MAX_WIDTH],
    pub curve: JoinedCurve,
}

/// The way to the next key, for all values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JoinedCurve {
    Linear,
    Stepped,
    /// Handles: shares of the time and of the change.
    Shared([f32; 4]),
}

/// What a track does between two times without a point between them.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// The value does not change.
    Still(f32),
    Line(f32, f32),
    Curve(Segment),
}

/// A curve between two points, all of it or a part.
#[derive(Debug, Clone, Copy)]
struct Segment {
    /// Time and value of both points.
    ends: [[f32; 2]; 2],
    handles: [f32; 4],
}

impl Segment {
    fn share(&self, time: f32) -> f64 {
        let [start, end] = [self.ends[0][0], self.ends[1][0]].map(f64::from);
        (f64::from(time) - start) / (end - start)
    }

    fn bezier(&self) -> Bezier {
        let [x1, y1, x2, y2] = self.handles;
        Bezier::of_values(
            [self.share(x1) as f32, y1, self.share(x2) as f32, y2],
            self.ends.map(|[_, value]| value),
        )
    }

    fn at(&self, time: f32) -> f32 {
        self.bezier().between(self.share(time), self.ends.map(|[_, value]| value.into())) as f32
    }

    /// The times between which it is a line.
    fn times(&self) -> Vec<f32> {
        self.bezier().times(self.ends.map(|[time, _]| time))
    }
}

impl Part {
    /// The value at the start and just before the end.
    fn ends(self, [start, end]: [f32; 2]) -> [f32; 2] {
        [start, end].map(|time| self.at(time, [start, end]))
    }

    fn at(self, time: f32, [start, end]: [f32; 2]) -> f32 {
        match self {
            Self::Still(value) => value,
            Self::Line(from, _) if time <= start => from,
            Self::Line(_, to) if time >= end => to,
            Self::Line(from, to) => lerp([start, end], [from, to], time),
            Self::Curve(segment) => segment.at(time),
        }
    }

    fn is_still(self) -> bool {
        matches!(self, Self::Still(_))
    }
}

fn lerp([start, end]: [f32; 2], [from, to]: [f32; 2], time: f32) -> f32 {
    let share = (f64::from(time) - f64::from(start)) / (f64::from(end) - f64::from(start));
    (f64::from(from) + (f64::from(to) - f64::from(from)) * share) as f32
}

impl Track {
    /// What the track does from `start` to `end`, between which it has no point.
    fn part(&self, start: f32, end: f32) -> Part {
        let Some(at) = self.points.partition_point(|point| point.time <= start).checked_sub(1) else {
            return Part::Still(self.rest);
        };
        let point = self.points[at];
        let Some(next) = self.points.get(at + 1) else { return Part::Still(point.value) };
        let (times, values) = ([point.time, next.time], [point.value, next.value]);
        match point.way {
            Interpolation::Stepped => Part::Still(point.value),
            Interpolation::Linear if values[0] == values[1] => Part::Still(values[0]),
            Interpolation::Linear => Part::Line(lerp(times, values, start), lerp(times, values, end)),
            Interpolation::Curved([_, y1, _, y2])
                if [values[1], y1, y2].iter().all(|value| *value == values[0]) =>
            {
                Part::Still(values[0])
            }
            Interpolation::Curved(handles) => {
                Part::Curve(Segment { ends: [[times[0], values[0]], [times[1], values[1]]], handles })
            }
        }
    }
}

/// Joins tracks; a curve that is used for all of them may be off by `tolerance` of each, and by rounding errors.
pub fn join(tracks: &Tracks, tolerance: [f32; MAX_WIDTH]) -> Vec<Joined> {
    let mut times: Vec<f32> = tracks.iter().flat_map(|track| &track.points).map(|point| point.time).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let mut joined = Vec::with_capacity(times.len());
    for span in times.windows(2) {
        let &[start, end] = span else { continue };
        let parts: [Part; MAX_WIDTH] = std::array::from_fn(|i| tracks[i].part(start, end));
        let next: [f32; MAX_WIDTH] = std::array::from_fn(|i| tracks[i].part(end, f32::INFINITY).start_value(end));
        add_span(&parts, [start, end], next, tolerance, &mut joined);
    }
    if let Some(&last) = times.last() {
        let values = std::array::from_fn(|i| tracks[i].part(last, f32::INFINITY).start_value(last));
        joined.push(Joined { time: last, values, curve: JoinedCurve::Linear });
    }
    joined
}

impl Part {
    /// The value at the start of a part without an end.
    fn start_value(self, start: f32) -> f32 {
        match self {
            Self::Still(value) | Self::Line(value, _) => value,
            Self::Curve(segment) => segment.at(start),
        }
    }
}

/// Adds the joined from the start of a span up to its end, exclusive. `next`: the values from the end on.
fn add_span(
    parts: &[Part; MAX_WIDTH],
    span: [f32; 2],
    next: [f32; MAX_WIDTH],
    tolerance: [f32; MAX_WIDTH],
    joined: &mut Vec<Joined>,
) {
    let [start, end] = span;
    let ends = parts.map(|part| part.ends(span));
    let [from, to] = [0, 1].map(|side| ends.map(|values| values[side]));
    let mut add = |time, values, curve| joined.push(Joined { time, values, curve });
    if parts.iter().all(|part| part.is_still()) {
        let curve = if to == next { JoinedCurve::Linear } else { JoinedCurve::Stepped };
        return add(start, from, curve);
    }
    let mut inner: Vec<f32> = parts.iter().filter_map(Part::segment).flat_map(|segment| segment.times()).collect();
    inner.retain(|time| *time > start && *time < end);
    inner.sort_by(f32::total_cmp);
    inner.dedup();
    match shared(parts, span, &inner, tolerance) {
        Some(curve) => add(start, from, curve),
        None => {
            add(start, from, JoinedCurve::Linear);
            for time in inner {
                add(time, parts.map(|part| part.at(time, span)), JoinedCurve::Linear);
            }
        }
    }
    if to != next {
        // Of keys at the same time, the first ends what comes before and the last begins what follows.
        add(end, to, JoinedCurve::Linear);
    }
}

impl Part {
    fn segment(&self) -> Option<&Segment> {
        match self {
            Self::Curve(segment) => Some(segment),
            Self::Still(_) | Self::Line(..) => None,
        }
    }
}

/// Finds one curve for all parts; `None` if there is none. `inner`: the times at which they are compared.
fn shared(
    parts: &[Part; MAX_WIDTH],
    [start, end]: [f32; 2],
    inner: &[f32],
    tolerance: [f32; MAX_WIDTH],
) -> Option<JoinedCurve> {
    if parts.iter().all(|part| part.segment().is_none()) {
        return Some(JoinedCurve::Linear);
    }
    // The part that changes most has the most precise shares.
    let segments = parts.iter().zip(tolerance).filter_map(|(part, tolerance)| Some((part.segment()?, tolerance)));
    let change = |segment: &Segment, tolerance: f32| (segment.ends[1][1] - segment.ends[0][1]).abs() / tolerance;
    let (segment, _) = segments.max_by(|(a, x), (b, y)| change(a, *x).total_cmp(&change(b, *y)))?;
    let [[from_time, from], [to_time, to]] = segment.ends;
    if from_time != start || to_time != end || from == to {
        return None;
    }
    let [x1, y1, x2, y2] = segment.handles;
    let value_share =
        |value: f32| ((f64::from(value) - f64::from(from)) / (f64::from(to) - f64::from(from))) as f32;
    let handles = [segment.share(x1) as f32, value_share(y1), segment.share(x2) as f32, value_share(y2)];
    if !handles.iter().all(|number| number.is_finite()) {
        return None;
    }
    let curve = Bezier::new(handles);
    let fits = parts.iter().zip(tolerance).all(|(part, tolerance)| {
        let [from, to] = part.ends([start, end]);
        inner.iter().all(|&time| {
            let by_curve = from + (to - from) * curve.at(segment.share(time)) as f32;
            let exact = part.at(time, [start, end]);
            (by_curve - exact).abs() <= tolerance + 4.0 * f32::EPSILON * (from.abs() + to.abs())
        })
    });
    fits.then_some(JoinedCurve::Shared(handles))
}
