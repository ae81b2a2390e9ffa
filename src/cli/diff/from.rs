//! Converts the library's differences to the JSON types. Field by field, so that the compiler catches omissions.

use super::report::{
    AnimationDifference, BoneDifference, Change, Diff, FarBone, FarVertex, FoundIn, ImageDifference,
    MeshDifference, Named, OrderDifference, Part, PixelDifference, PoseDifference, Side, ThingDifference,
    TriangleDifference, VertexDifference, VisibilityDifference, WordedChange,
};
use crate::cli::shared::json_output::JsonOutput;
use crate::diff;

impl Diff {
    /// Creates the document. `sides` describes both characters.
    pub fn new([a, b]: [Side; 2], epsilon: f32, diff: diff::Diff) -> Self {
        let same = diff.is_empty();
        let diff::Diff {
            animations,
            bones,
            constraints,
            events,
            images,
            meshes,
            poses,
            poses_compared,
            skins,
            slots,
        } = diff;
        Self {
            a,
            animations: all(animations),
            b,
            bones: all(bones),
            constraints: all(constraints),
            epsilon,
            events: all(events),
            frames: poses_compared,
            images: all(images),
            meshes: all(meshes),
            poses: all(poses),
            same,
            schema: Self::SCHEMA,
            skins: all(skins),
            slots: all(slots),
        }
    }
}

fn all<T, U: From<T>>(found: Vec<T>) -> Vec<U> {
    found.into_iter().map(U::from).collect()
}

impl<T> Change<T> {
    fn of<U: Into<T>>(diff::Change { a, b }: diff::Change<U>) -> Self {
        Self { a: a.into(), b: b.into() }
    }
}

impl Change<Option<Named>> {
    fn of_names(diff::Change { a, b }: diff::Change<Option<diff::Named>>) -> Self {
        Self { a: a.map(Named::from), b: b.map(Named::from) }
    }
}

impl From<diff::FoundIn> for FoundIn {
    fn from(found_in: diff::FoundIn) -> Self {
        match found_in {
            diff::FoundIn::A => Self::A,
            diff::FoundIn::B => Self::B,
            diff::FoundIn::Both => Self::Both,
        }
    }
}

impl From<diff::Named> for Named {
    fn from(diff::Named { name, occurrence }: diff::Named) -> Self {
        Self { name, occurrence }
    }
}

impl From<diff::ImageDifference> for ImageDifference {
    fn from(image: diff::ImageDifference) -> Self {
        let diff::ImageDifference { found_in, named: diff::Named { name, occurrence }, pixels, size } = image;
        let pixels = pixels.map(|diff::PixelDifference { count, largest }| PixelDifference { count, largest });
        Self { found_in: found_in.into(), name, occurrence, pixels, size: size.map(Change::of) }
    }
}

impl From<diff::BoneDifference> for BoneDifference {
    fn from(bone: diff::BoneDifference) -> Self {
        let diff::BoneDifference { found_in, named: diff::Named { name, occurrence }, parent } = bone;
        Self { found_in: found_in.into(), name, occurrence, parent: parent.map(Change::of_names) }
    }
}

impl From<diff::ItemDifference> for ThingDifference {
    fn from(item: diff::ItemDifference) -> Self {
        let diff::ItemDifference { changes, found_in, named: diff::Named { name, occurrence } } = item;
        let change = |diff::PropertyChange { a, b, property }| WordedChange { a, b, what: property };
        let changes = changes.into_iter().map(change).collect();
        Self { changes, found_in: found_in.into(), name, occurrence }
    }
}

impl From<diff::MeshDifference> for MeshDifference {
    fn from(mesh: diff::MeshDifference) -> Self {
        let diff::MeshDifference {
            bone,
            found_in,
            image,
            named: diff::Named { name, occurrence },
            order,
            positions,
            triangles,
            uv,
            vertices,
            weights,
        } = mesh;
        Self {
            bone: bone.map(Change::of_names),
            found_in: found_in.into(),
            image: image.map(Change::of_names),
            name,
            occurrence,
            order: order.map(Change::of),
            positions: positions.map(VertexDifference::from),
            triangles: triangles.map(TriangleDifference::from),
            uv: uv.map(VertexDifference::from),
            vertices: vertices.map(Change::of),
            weights: weights.map(VertexDifference::from),
        }
    }
}

impl From<diff::VertexDifference> for VertexDifference {
    fn from(diff::VertexDifference { count, largest, vertex }: diff::VertexDifference) -> Self {
        Self { count, largest, vertex }
    }
}

impl From<diff::TriangleDifference> for TriangleDifference {
    fn from(diff::TriangleDifference { a, b, different }: diff::TriangleDifference) -> Self {
        Self { a, b, different }
    }
}

impl From<diff::AnimationDifference> for AnimationDifference {
    fn from(animation: diff::AnimationDifference) -> Self {
        let diff::AnimationDifference {
            bind_pose,
            duration_secs,
            events,
            found_in,
            fps,
            frames,
            looping,
            named: diff::Named { name, occurrence },
        } = animation;
        Self {
            bind_pose: bind_pose.map(Change::of),
            duration_secs: duration_secs.map(Change::of),
            events: events.map(Change::of),
            found_in: found_in.into(),
            fps: fps.map(Change::of),
            frames: frames.map(Change::of),
            looping: looping.map(Change::of),
            name,
            occurrence,
        }
    }
}

impl From<diff::PoseDifference> for PoseDifference {
    fn from(pose: diff::PoseDifference) -> Self {
        let diff::PoseDifference { animation, bones, draw_order, frames, skin, vertices, visibility } = pose;
        Self {
            animation: animation.map(Named::from),
            bones: bones.map(FarBone::from),
            draw_order: draw_order.map(OrderDifference::from),
            frames,
            skin: skin.map(Named::from),
            vertices: vertices.map(FarVertex::from),
            visibility: visibility.map(VisibilityDifference::from),
        }
    }
}

impl From<diff::FarthestBone> for FarBone {
    fn from(farthest: diff::FarthestBone) -> Self {
        let diff::FarthestBone { bone, distance, frame, frames, part } = farthest;
        let part = match part {
            diff::BonePart::Origin => Part::Origin,
            diff::BonePart::XAxis => Part::XAxis,
            diff::BonePart::YAxis => Part::YAxis,
        };
        Self { bone: bone.into(), distance, frame, frames, part }
    }
}

impl From<diff::FarthestVertex> for FarVertex {
    fn from(farthest: diff::FarthestVertex) -> Self {
        let diff::FarthestVertex { distance, frame, frames, mesh, vertex } = farthest;
        Self { distance, frame, frames, mesh: mesh.into(), vertex }
    }
}

impl From<diff::OrderDifference> for OrderDifference {
    fn from(diff::OrderDifference { a, b, frame, frames }: diff::OrderDifference) -> Self {
        Self { a: a.into(), b: b.into(), frame, frames }
    }
}

impl From<diff::VisibilityDifference> for VisibilityDifference {
    fn from(visibility: diff::VisibilityDifference) -> Self {
        let diff::VisibilityDifference { frame, frames, mesh, shown_in } = visibility;
        Self { frame, frames, mesh: mesh.into(), shown_in: shown_in.into() }
    }
}
