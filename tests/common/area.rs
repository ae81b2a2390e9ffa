//! Areas of triangles clipped by polygons, exact up to rounding.

use super::compare::in_polygon;

/// An area, and its centroid times the area, so that both can be summed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Moments {
    pub area: f64,
    pub first: [f64; 2],
}

impl Moments {
    fn of(corners: &[[f64; 2]]) -> Self {
        let mut sum = Self::default();
        for (index, a) in corners.iter().enumerate() {
            let b = corners[(index + 1) % corners.len()];
            let cross = a[0] * b[1] - b[0] * a[1];
            sum.area += cross / 2.0;
            for axis in [0, 1] {
                sum.first[axis] += (a[axis] + b[axis]) * cross / 6.0;
            }
        }
        sum
    }

    pub fn add(&mut self, other: Self, factor: f64) {
        self.area += other.area * factor;
        for axis in [0, 1] {
            self.first[axis] += other.first[axis] * factor;
        }
    }

    /// Returns the centroid.
    pub fn centroid(&self) -> [f64; 2] {
        self.first.map(|first| if self.area > 0.0 { first / self.area } else { 0.0 })
    }
}

/// Returns the part of `triangle` inside of `polygon`, which may be concave and wound either way, but must not
/// cross itself.
///
/// A fan from any corner covers such a polygon: triangles wound the other way subtract the excess.
pub fn cut(triangle: [[f64; 2]; 3], polygon: &[[f64; 2]]) -> Moments {
    let mut sum = Moments::default();
    let is_clockwise = Moments::of(polygon).area < 0.0;
    for index in 1..polygon.len().saturating_sub(1) {
        let mut part = [polygon[0], polygon[index], polygon[index + 1]];
        let turns_back = Moments::of(&part).area < 0.0;
        if turns_back {
            part.swap(1, 2);
        }
        let mut left = triangle.to_vec();
        if Moments::of(&left).area < 0.0 {
            left.reverse();
        }
        for side in 0..3 {
            left = half(&left, part[side], part[(side + 1) % 3]);
        }
        sum.add(Moments::of(&left), if turns_back == is_clockwise { 1.0 } else { -1.0 });
    }
    sum
}

/// Clips a convex polygon to the left side of a line.
fn half(corners: &[[f64; 2]], from: [f64; 2], to: [f64; 2]) -> Vec<[f64; 2]> {
    let side =
        |point: [f64; 2]| (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0]);
    let mut kept = Vec::new();
    for (index, &a) in corners.iter().enumerate() {
        let b = corners[(index + 1) % corners.len()];
        let (here, there) = (side(a), side(b));
        if here >= 0.0 {
            kept.push(a);
        }
        if (here >= 0.0) != (there >= 0.0) {
            let along = here / (here - there);
            kept.push([0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * along));
        }
    }
    kept
}

/// Returns true if two non-adjacent sides of a polygon cross.
pub fn crosses_itself(polygon: &[[f64; 2]]) -> bool {
    let count = polygon.len();
    let side =
        |a: [f64; 2], b: [f64; 2], p: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let parts = |from: [f64; 2], to: [f64; 2], a, b| side(from, to, a) * side(from, to, b) < 0.0;
    (0..count).any(|first| {
        (first + 2..count).filter(|second| (second + 1) % count != first).any(|second| {
            let (a, b) = (polygon[first], polygon[first + 1]);
            let (c, d) = (polygon[second], polygon[(second + 1) % count]);
            parts(a, b, c, d) && parts(c, d, a, b)
        })
    })
}

/// Returns the area of a triangle inside of any polygon by the even-odd rule, by counting points `step` apart.
pub fn counted(triangle: [[f64; 2]; 3], polygon: &[[f64; 2]], step: f64) -> f64 {
    let span = |axis: usize| {
        let of = triangle.map(|corner| (corner[axis] / step).floor() as i64);
        of.iter().copied().min().unwrap_or(0)..=of.iter().copied().max().unwrap_or(0)
    };
    let point = |x: i64, y: i64| [(x as f64 + 0.5) * step, (y as f64 + 0.5) * step];
    let is_left = |point| in_polygon(&triangle, point).0 && in_polygon(polygon, point).0;
    let points = span(1).flat_map(|y| span(0).map(move |x| (x, y)));
    points.filter(|&(x, y)| is_left(point(x, y))).count() as f64 * step * step
}
