//! Two renderers drew the same list: how far are the pictures apart?
//!
//! Both follow the same rules but round differently, so which of two meshes a pixel on their border belongs
//! to is open. A pixel is *edge* when the topmost mesh, or whether there is one, changes within its 3×3
//! neighbourhood. Inside, pictures are compared channel by channel, premultiplied; an edge pixel may have
//! any colour of its neighbourhood.

use pchr::draw::{Command, DrawList, Picture, View};
use pchr::math::Vec2;
use pchr::model::{Attachment, Model};
use pchr::pose::skin4;

/// What may differ.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Of 255, in a channel of a pixel inside.
    pub inside: u8,
    /// Of 255, beyond the range of the neighbourhood, in a channel of an edge pixel.
    pub edge: u8,
    /// Share of the covered pixels that may be further off than `inside` (nearest: the other texel).
    pub outliers: f64,
    /// Share of the covered pixels that may be edge.
    pub edges: f64,
}

/// What differs.
#[derive(Debug, Default)]
pub struct Report {
    /// Pixels that anything covers.
    pub covered: usize,
    /// Covered pixels that are edge.
    pub edges: usize,
    /// Largest difference inside.
    pub worst_inside: u8,
    /// Largest difference beyond the neighbourhood at an edge.
    pub worst_edge: u8,
    /// Pixels inside that are further off than they may be.
    pub outliers: usize,
}

impl Report {
    /// Adds another picture's.
    pub fn add(&mut self, other: &Self) {
        self.covered += other.covered;
        self.edges += other.edges;
        self.outliers += other.outliers;
        self.worst_inside = self.worst_inside.max(other.worst_inside);
        self.worst_edge = self.worst_edge.max(other.worst_edge);
    }
}

/// Compares `picture` with `oracle`, and fails when it is further off than `bounds`.
#[track_caller]
pub fn assert_alike(
    name: &str,
    (model, list, view): (&Model, &DrawList, &View),
    [oracle, picture]: [&Picture; 2],
    bounds: Bounds,
) -> Report {
    let report = compare(&cover(model, list, view), [oracle, picture], bounds);
    let share = |count: usize| count as f64 / report.covered.max(1) as f64;
    println!(
        "{name}: {} covered, {:.1} % edge, inside {}, edge {}, outliers {}",
        report.covered,
        share(report.edges) * 100.0,
        report.worst_inside,
        report.worst_edge,
        report.outliers
    );
    assert!(share(report.edges) <= bounds.edges, "{name}: too little is compared: {report:?}");
    assert!(report.worst_edge <= bounds.edge, "{name}: an edge pixel has a foreign colour: {report:?}");
    assert!(share(report.outliers) <= bounds.outliers, "{name}: too far off: {report:?}");
    report
}

fn compare(cover: &[u32], [oracle, picture]: [&Picture; 2], bounds: Bounds) -> Report {
    assert_eq!((oracle.width(), oracle.height()), (picture.width(), picture.height()));
    let (width, height) = (oracle.width(), oracle.height());
    let covered_by = |x: u32, y: u32| cover[y as usize * width as usize + x as usize];
    let mut report = Report::default();
    for y in 0..height {
        for x in 0..width {
            let around = || {
                let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
                rows.flat_map(move |y| (x.saturating_sub(1)..=(x + 1).min(width - 1)).map(move |x| (x, y)))
            };
            let own = covered_by(x, y);
            let is_edge = around().any(|(x, y)| covered_by(x, y) != own);
            let is_covered = own != 0;
            report.covered += usize::from(is_covered);
            let (expected, found) = (oracle.pixel(x, y), picture.pixel(x, y));
            if is_edge {
                report.edges += usize::from(is_covered);
                for channel in 0..4 {
                    let range = around().map(|(x, y)| oracle.pixel(x, y)[channel]);
                    let (low, high) = range.fold((255, 0), |(low, high), c| (c.min(low), c.max(high)));
                    let nearest = found[channel].clamp(low, high);
                    report.worst_edge = report.worst_edge.max(found[channel].abs_diff(nearest));
                }
            } else {
                let off = (0..4).map(|i| expected[i].abs_diff(found[i])).max().unwrap_or(0);
                report.worst_inside = report.worst_inside.max(off);
                report.outliers += usize::from(off > bounds.inside);
            }
        }
    }
    report
}

/// Per pixel the number of the topmost command that covers its middle, counted from 1; 0 for nothing.
fn cover(model: &Model, list: &DrawList, view: &View) -> Vec<u32> {
    let mut cover = vec![0; view.width() as usize * view.height() as usize];
    for (number, command) in (1..).zip(&list.commands) {
        let mut add = |corners: [Vec2; 3]| fill(&mut cover, view, corners, number);
        match command {
            Command::Attachment(id) => {
                let Attachment::Mesh(mesh) = model.attachment(*id);
                let points: Vec<Vec2> = mesh.vertices.iter().map(|vertex| skin4(&vertex, &list.palette)).collect();
                for triangle in mesh.indices.triangles() {
                    add(triangle.map(|corner| points[usize::from(corner)]));
                }
            }
            Command::Overlay(range) => {
                let corners = &list.overlay[range.start as usize..range.end as usize];
                corners.as_chunks::<3>().0.iter().for_each(|corners| add(corners.map(|corner| corner.position)));
            }
        }
    }
    cover
}

/// Writes `number` into every pixel whose middle is in the triangle.
fn fill(cover: &mut [u32], view: &View, corners: [Vec2; 3], number: u32) {
    let [a, mut b, mut c] = corners.map(|corner| {
        let pixel = view.pixel_from_world(corner);
        [f64::from(pixel.x), f64::from(pixel.y)]
    });
    if side(a, b, c) < 0.0 {
        (b, c) = (c, b);
    }
    let span = |axis: usize, size: u32| {
        let low = a[axis].min(b[axis]).min(c[axis]).floor().max(0.0);
        let high = a[axis].max(b[axis]).max(c[axis]).ceil().min(size.into());
        low as usize..high.max(0.0) as usize
    };
    for y in span(1, view.height()) {
        for x in span(0, view.width()) {
            let middle = [x as f64 + 0.5, y as f64 + 0.5];
            if [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| side(from, to, middle) >= 0.0) {
                cover[y * view.width() as usize + x] = number;
            }
        }
    }
}

/// On which side of the line from `a` to `b` the point `p` is.
fn side(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}
