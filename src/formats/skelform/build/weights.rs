//! Binds, which pull vertices one after the other → influences, which are added up.
//!
//! A bind with weight `w` leaves `1 - w` of all binds before it, so each bind's share is its weight times what all
//! later ones leave. A bind along a path replaces the position: nothing of earlier binds remains.

use super::{Armature, bone, malformed};
use crate::error::Result;
use crate::formats::skelform::normalise::Visual;
use crate::math::{DVec2, Vec2};
use crate::motion::skelform::EntryKind;

/// One influence of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    pub kind: EntryKind,
    /// Position in the space of `kind`.
    pub position: Vec2,
    /// The weights of a vertex add up to 1; one may be negative.
    pub weight: f64,
}

/// A bind with a bone.
#[derive(Clone, Copy)]
struct Bind {
    kind: EntryKind,
    is_path: bool,
}

/// Returns the influences of each vertex of a visual on `owner`; no list is empty.
pub fn unroll(visual: &Visual<'_>, owner: u32, armature: &Armature<'_>) -> Result<Vec<Vec<Pull>>> {
    let mut binds = Vec::with_capacity(visual.binds.len());
    for index in 0..visual.binds.len() {
        binds.push(resolve_bind(visual, index, armature)?);
    }
    // By vertex: its binds and their weights.
    let mut of_vertex: Vec<Vec<(usize, f32)>> = vec![Vec::new(); visual.vertices.len()];
    for (index, bind) in visual.binds.iter().enumerate() {
        for (at, vert) in bind.verts.iter().enumerate() {
            let count = of_vertex.len();
            let Some(list) = vert.id.get().and_then(|id| of_vertex.get_mut(id)) else {
                let message = format!("vertex {} does not exist, there are {count}", vert.id.0);
                let pointer = format!("{}/binds/{index}/verts/{at}/id", visual.pointer);
                return Err(malformed("index-out-of-range", pointer, message));
            };
            list.push((index, vert.weight.0));
        }
    }
    let vertices = visual.vertices.iter().zip(&of_vertex).map(|(vertex, list)| {
        let position = vertex.init_pos.unwrap_or(vertex.pos);
        let position = DVec2::new(position.x.0.into(), position.y.0.into());
        let mut pulls = Vec::with_capacity(1);
        let mut left = 1.0;
        for &(index, weight) in list.iter().rev() {
            let weight = f64::from(weight);
            let Some(Bind { kind, is_path }) = binds[index] else { continue };
            if is_path {
                pulls.push(Pull { kind, position: (position * weight).as_vec2(), weight: left });
                left = 0.0;
            } else {
                pulls.push(Pull { kind, position: position.as_vec2(), weight: left * weight });
                left *= 1.0 - weight;
            }
            if left == 0.0 {
                break;
            }
        }
        pulls.push(Pull { kind: EntryKind::Bone(owner), position: position.as_vec2(), weight: left });
        pulls.retain(|pull| pull.weight != 0.0);
        pulls.reverse();
        pulls
    });
    Ok(vertices.collect())
}

/// Resolves a bind; `None` if it has no bone, or if it is on a path and a neighbouring bind has none.
fn resolve_bind(visual: &Visual<'_>, index: usize, armature: &Armature<'_>) -> Result<Option<Bind>> {
    let bone_of = |index: usize| match visual.binds[index].bone_id {
        id if id.get().is_some() => {
            bone(id, armature, || format!("{}/binds/{index}/bone_id", visual.pointer)).map(Some)
        }
        _ => Ok(None),
    };
    let is_path = visual.binds[index].is_path.0;
    let Some(own) = bone_of(index)? else { return Ok(None) };
    if !is_path {
        return Ok(Some(Bind { kind: EntryKind::Bone(own), is_path }));
    }
    let (before, after) = (bone_of(index.saturating_sub(1))?, bone_of((index + 1).min(visual.binds.len() - 1))?);
    Ok(before
        .zip(after)
        .map(|(before, after)| Bind { kind: EntryKind::Path { bone: own, before, after }, is_path }))
}
