//! Number lists → vertices with influences.

use std::fmt::Display;

use super::malformed;
use crate::error::Result;
use crate::formats::spine::schema::Number;
use crate::math::{Vec2, vec2};
use crate::model::{Influence, SkinNVertices};

/// Everything about the vertices that is not in the number list.
pub struct Wanted<'a> {
    /// Number of vertices.
    pub count: usize,
    /// The bone that moves vertices without weights.
    pub bone: u32,
    /// Number of bones of the skeleton.
    pub bones: usize,
    /// Texture coordinates; empty if the attachment has none.
    pub uvs: &'a [Vec2],
    /// Pointer to the attachment.
    pub pointer: &'a dyn Display,
}

/// Reads `numbers`: either x and y per vertex, or per vertex the number of influences, then bone, x, y and weight
/// for each. The list is weighted if its length is not twice the number of vertices.
pub fn vertices(numbers: &[Number], wanted: &Wanted<'_>) -> Result<SkinNVertices> {
    let uv = |index: usize| wanted.uvs.get(index).copied().unwrap_or_default();
    if numbers.len() == 2 * wanted.count {
        let mut vertices = SkinNVertices::with_capacity(wanted.count, wanted.count);
        for (index, pair) in numbers.as_chunks::<2>().0.iter().enumerate() {
            let position = vec2(pair[0].0, pair[1].0);
            vertices.push(uv(index), position, &[Influence { position, bone: wanted.bone, weight: 1.0 }])?;
        }
        return Ok(vertices);
    }
    let fault =
        |at: usize, message: String| malformed("weights", format!("{}/vertices/{at}", wanted.pointer), message);
    let mut vertices = SkinNVertices::with_capacity(wanted.count, numbers.len() / 4);
    let mut influences = Vec::new();
    let mut at = 0;
    for index in 0..wanted.count {
        let Some(count) = numbers.get(at) else {
            let message = format!(
                "the list of {} numbers ends after {index} of {} vertices; expected two numbers per vertex, or a \
                 count and four numbers per bone",
                numbers.len(),
                wanted.count
            );
            return Err(fault(at, message));
        };
        let count =
            whole(*count).filter(|count| *count > 0 && at + 4 * count < numbers.len()).ok_or_else(|| {
                let left = (numbers.len() - at - 1) / 4;
                let message =
                    format!("vertex {index} has {} bones, but the list has room for 1 to {left}", count.0);
                fault(at, message)
            })?;
        influences.clear();
        for (number, entry) in numbers[at + 1..][..4 * count].as_chunks::<4>().0.iter().enumerate() {
            let [bone, x, y, weight] = *entry;
            let found = whole(bone).filter(|bone| *bone < wanted.bones).ok_or_else(|| {
                let message = format!("bone {} does not exist, the skeleton has {}", bone.0, wanted.bones);
                fault(at + 1 + 4 * number, message)
            })?;
            influences.push(Influence { position: vec2(x.0, y.0), bone: found as u32, weight: weight.0 });
        }
        vertices.push(uv(index), Vec2::ZERO, &influences)?;
        at += 1 + 4 * count;
    }
    if at != numbers.len() {
        let message = format!("{} numbers are left over after {} vertices", numbers.len() - at, wanted.count);
        return Err(fault(at, message));
    }
    Ok(vertices)
}

/// The number as a count or index, if it is one.
pub fn whole(Number(number): Number) -> Option<usize> {
    let count = number as usize;
    ((0.0..1e6).contains(&number) && count as f32 == number).then_some(count)
}
