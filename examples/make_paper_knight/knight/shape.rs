//! Outlines: points and curves → closed polygons, in pixels, y up.
//!
//! Curves are flattened here, using only arithmetic defined by IEEE 754, so that the rasteriser sees the same
//! straight lines on every machine.

use pchr::math::angle::sin_cos_degrees_f64;

pub type Point = [f64; 2];

/// A point of an outline: smooth for `S`, a corner for `C`.
#[derive(Clone, Copy)]
pub enum Node {
    S(f64, f64),
    C(f64, f64),
}

impl Node {
    fn point(self) -> Point {
        match self {
            Self::S(x, y) | Self::C(x, y) => [x, y],
        }
    }
}

/// Closed polygons, filled with the non-zero rule.
#[derive(Clone, Default)]
pub struct Shape {
    pub contours: Vec<Vec<Point>>,
}

/// Number of segments per curve between two nodes.
const PIECES: usize = 12;

impl Shape {
    /// Creates a closed outline, wound counter-clockwise so that shapes can be united with `and`.
    pub fn closed(nodes: &[Node]) -> Self {
        let mut contour = flatten(nodes, true);
        let next = contour.iter().cycle().skip(1);
        let area: f64 = contour.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
        if area < 0.0 {
            contour.reverse();
        }
        Self { contours: vec![contour] }
    }

    pub fn ellipse(x: f64, y: f64, rx: f64, ry: f64) -> Self {
        let contour = (0..48).map(|step| {
            let (sin, cos) = sin_cos_degrees_f64(f64::from(step) * 7.5);
            [x + rx * cos, y + ry * sin]
        });
        Self { contours: vec![contour.collect()] }
    }

    pub fn circle(x: f64, y: f64, r: f64) -> Self {
        Self::ellipse(x, y, r, r)
    }

    /// Creates a ribbon along an open line with round ends.
    pub fn line(nodes: &[Node], width: f64) -> Self {
        Self::ribbon(&flatten(nodes, false), false, width)
    }

    /// Creates a ribbon along the shape's outline.
    pub fn rim(&self, width: f64) -> Self {
        let ribbons = self.contours.iter().flat_map(|contour| Self::ribbon(contour, true, width).contours);
        Self { contours: ribbons.collect() }
    }

    /// Places a disc at every point and a bar between neighbours, all with the same winding so that they unite.
    fn ribbon(points: &[Point], closed: bool, width: f64) -> Self {
        let half = width / 2.0;
        let mut contours = Vec::new();
        let count = if closed { points.len() } else { points.len() - 1 };
        for i in 0..count {
            let (a, b) = (points[i], points[(i + 1) % points.len()]);
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let length = (dx * dx + dy * dy).sqrt().max(1e-9);
            let (nx, ny) = (-dy / length * half, dx / length * half);
            contours.push(vec![
                [a[0] - nx, a[1] - ny],
                [b[0] - nx, b[1] - ny],
                [b[0] + nx, b[1] + ny],
                [a[0] + nx, a[1] + ny],
            ]);
        }
        for point in points {
            contours.push((0..12).map(|k| turned([half, 0.0], f64::from(k) * 30.0, *point)).collect());
        }
        Self { contours }
    }

    /// Unites both shapes.
    pub fn and(mut self, other: Self) -> Self {
        self.contours.extend(other.contours);
        self
    }

    pub fn map(mut self, f: impl Fn(Point) -> Point) -> Self {
        self.contours.iter_mut().flatten().for_each(|point| *point = f(*point));
        self
    }

    /// Scales about a point.
    pub fn scaled(self, sx: f64, sy: f64, [cx, cy]: Point) -> Self {
        self.map(|[x, y]| [cx + (x - cx) * sx, cy + (y - cy) * sy])
    }

    /// Returns left, bottom, right and top.
    pub fn bounds(&self) -> [f64; 4] {
        let mut bounds = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        for [x, y] in self.contours.iter().flatten() {
            bounds = [bounds[0].min(*x), bounds[1].min(*y), bounds[2].max(*x), bounds[3].max(*y)];
        }
        bounds
    }
}

/// Rotates `point` about the origin, then moves it by `offset`.
pub fn turned([x, y]: Point, degrees: f64, offset: Point) -> Point {
    let (sin, cos) = sin_cos_degrees_f64(degrees);
    [offset[0] + x * cos - y * sin, offset[1] + x * sin + y * cos]
}

fn flatten(nodes: &[Node], closed: bool) -> Vec<Point> {
    let count = nodes.len();
    let at = |i: isize| {
        let last = count as isize - 1;
        let i = if closed { i.rem_euclid(count as isize) } else { i.clamp(0, last) };
        nodes[i as usize]
    };
    let mut points = Vec::new();
    let segments = if closed { count } else { count - 1 } as isize;
    for i in 0..segments {
        let (a, b) = (at(i), at(i + 1));
        let (p, q) = (a.point(), b.point());
        if matches!((a, b), (Node::C(..), Node::C(..))) {
            points.push(p);
            continue;
        }
        let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
        let third = (dx * dx + dy * dy).sqrt() / 3.0;
        let out = tangent(a, at(i - 1).point(), q, [dx, dy]);
        let into = tangent(b, p, at(i + 2).point(), [dx, dy]);
        let c = [p[0] + out[0] * third, p[1] + out[1] * third];
        let d = [q[0] - into[0] * third, q[1] - into[1] * third];
        for piece in 0..PIECES {
            let t = piece as f64 / PIECES as f64;
            let s = 1.0 - t;
            let [wp, wc, wd, wq] = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
            points.push([0, 1].map(|k| p[k] * wp + c[k] * wc + d[k] * wd + q[k] * wq));
        }
    }
    if !closed {
        points.push(at(count as isize - 1).point());
    }
    points
}

/// Returns the unit direction of the curve at `node`.
fn tangent(node: Node, before: Point, after: Point, chord: Point) -> Point {
    let [x, y] = match node {
        Node::C(..) => chord,
        Node::S(..) => [after[0] - before[0], after[1] - before[1]],
    };
    let length = (x * x + y * y).sqrt().max(1e-9);
    [x / length, y / length]
}
