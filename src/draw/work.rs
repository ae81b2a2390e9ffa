//! The work of drawing a picture, counted before it is drawn. `docs/limits.md` lists the costs.

use super::{Command, DrawList, View};
use crate::math::{Vec2, vec2};
use crate::model::{Indices, Model};
use crate::pose::{for_each_deformed_vertex, listed_vertices_work, vertices_work};

/// Units of work for a triangle, counted from visible triangles.
const TRIANGLE: u64 = 100;
/// Units of work for a row of pixels of a triangle, counted from the triangle's height within the picture.
const ROW: u64 = 20;
/// Units of work for a pixel of a triangle, counted from the triangle's area within the picture, without
/// antialiasing.
const FRAGMENT: u64 = 8;

/// Counts the work of pictures. Reuse it: after the first picture it does not allocate.
#[derive(Debug, Default)]
pub struct PictureWork {
    /// Vertices of one sprite or mask in picture pixels.
    corners: Vec<Vec2>,
}

impl PictureWork {
    /// Returns the units of work needed to draw `list` through `view` without antialiasing, see
    /// [`Limits::work`](crate::limits::Limits::work). Counting may stop once the result exceeds `enough`.
    ///
    /// # Panics
    ///
    /// If `list` belongs to another model.
    #[track_caller]
    pub fn of(&mut self, list: &DrawList, model: &Model, view: &View, enough: u64) -> u64 {
        list.expect_of(model);
        // If there is enough work for every triangle to cover the whole picture, the triangles need not be
        // examined.
        let pixels = u64::from(view.width()) * u64::from(view.height());
        let most_of_one =
            pixels.saturating_mul(FRAGMENT).saturating_add(TRIANGLE + u64::from(view.height()) * ROW);
        let sizes = list.with_ghosts().map(|list| list.size(model));
        let (vertices, triangles) = sizes.fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        let most = vertices.saturating_add(triangles.saturating_mul(most_of_one));
        if most <= enough {
            return most;
        }
        self.counted(list, model, view, enough)
    }

    /// Like [`Self::of`], but exact up to `enough`, so that several pictures can be added up.
    ///
    /// # Panics
    ///
    /// If `list` belongs to another model.
    #[track_caller]
    pub fn counted(&mut self, list: &DrawList, model: &Model, view: &View, enough: u64) -> u64 {
        list.expect_of(model);
        let vertices = list.with_ghosts().map(|list| list.size(model).0).sum();
        let mut count = Count { view, work: vertices, corners: &mut self.corners };
        for list in list.with_ghosts() {
            for command in &list.commands {
                if count.work > enough {
                    break;
                }
                list.count(model, command, &mut count);
            }
        }
        count.work
    }
}

impl DrawList {
    fn count(&self, model: &Model, command: &Command, count: &mut Count<'_>) {
        count.corners.clear();
        match command {
            Command::Sprite(sprite) => {
                let Some(mesh) = model.attachment(sprite.attachment).mesh() else { return };
                let deform = self.deform_of(sprite.deform);
                for_each_deformed_vertex(&mesh.vertices, deform, &self.palette, |position, _| {
                    count.corner(position)
                });
                count.indexed(&mesh.indices);
            }
            Command::ClipBegin(mask) => {
                self.for_each_corner(model, mask, |position| count.corner(position));
                count.fan();
            }
            Command::ClipEnd => {}
            Command::Overlay(range) => {
                let vertices = self.overlay.get(range.start as usize..range.end as usize).unwrap_or_default();
                for triangle in vertices.as_chunks::<3>().0 {
                    count.triangle(triangle.map(|vertex| count.view.pixel_from_world(vertex.position)));
                }
            }
        }
    }

    /// Returns the work of all vertices, and the number of triangles.
    fn size(&self, model: &Model) -> (u64, u64) {
        let of_command = |command: &Command| match command {
            Command::Sprite(sprite) => model
                .attachment(sprite.attachment)
                .mesh()
                .map_or((0, 0), |mesh| (vertices_work(&mesh.vertices), mesh.indices.len() / 3)),
            Command::ClipBegin(mask) => model.attachment(mask.attachment).clip_mask().map_or((0, 0), |clip| {
                let vertices = &clip.polygon.vertices;
                let times = if clip.is_convex { 2 } else { 1 };
                (times * listed_vertices_work(vertices), vertices.len())
            }),
            Command::ClipEnd => (0, 0),
            Command::Overlay(range) => (0, range.len() / 3),
        };
        self.commands
            .iter()
            .map(of_command)
            .fold((0, 0), |(work, triangles), (more, of_them)| (work + more, triangles + of_them as u64))
    }
}

/// The running count.
struct Count<'a> {
    view: &'a View,
    work: u64,
    corners: &'a mut Vec<Vec2>,
}

impl Count<'_> {
    fn corner(&mut self, world: Vec2) {
        self.corners.push(self.view.pixel_from_world(world));
    }

    fn indexed(&mut self, indices: &Indices) {
        let corners = std::mem::take(self.corners);
        for triangle in indices.triangles() {
            self.triangle(triangle.map(|index| corners[usize::from(index)]));
        }
        *self.corners = corners;
    }

    fn fan(&mut self) {
        let corners = std::mem::take(self.corners);
        if let Some((first, rest)) = corners.split_first() {
            rest.windows(2).for_each(|pair| self.triangle([*first, pair[0], pair[1]]));
        }
        *self.corners = corners;
    }

    fn triangle(&mut self, [a, b, c]: [Vec2; 3]) {
        let size = vec2(self.view.width() as f32, self.view.height() as f32);
        let within = a.max(b).max(c).clamp(Vec2::ZERO, size) - a.min(b).min(c).clamp(Vec2::ZERO, size);
        // A triangle covers at most its own area, and at most the visible part of its bounding box.
        let covered = ((b - a).perp_dot(c - a).abs() * 0.5).min(within.x * within.y);
        let work = (covered as u64).saturating_mul(FRAGMENT).saturating_add(TRIANGLE + within.y as u64 * ROW);
        self.work = self.work.saturating_add(work);
    }
}
