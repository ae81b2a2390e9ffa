//! Lists of numbers → vertices with influences.

use super::malformed;
use crate::error::Result;
use crate::formats::spine::schema::Number;
use crate::math::{Vec2, vec2};
use crate::model::{Influence, SkinNVertices};

/// How vertices are told from the outside.
pub struct Wanted<'a> {
    /// How many there are.
    pub count: usize,
    /// What moves those without weights.
    pub bone: u32,
    /// How many bones there are.
    pub bones: usize,
    /// Their texture coordinates; empty where they have none.
    pub uvs: &'a [Vec2],
    /// Where the attachment is.
    pub pointer: &'a str,
}

/// Reads `numbers`: an x and a y for each vertex, or for each the number of its influences and for each of those
/// bone, x, y and weight. It is the latter where there are not two numbers a vertex.
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
                "the {} numbers end after {index} of {} vertices; a vertex has two numbers, or a count and four \
                 numbers for each bone",
                numbers.len(),
                wanted.count
            );
            return Err(fault(at, message));
        };
        let count =
            whole(*count).filter(|count| *count > 0 && at + 4 * count < numbers.len()).ok_or_else(|| {
                let left = (numbers.len() - at - 1) / 4;
                let message = format!("{} bones for vertex {index}, the list has room for 1 to {left}", count.0);
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

/// A number that counts.
fn whole(Number(number): Number) -> Option<usize> {
    let is_whole = (0.0..1e6).contains(&number) && number.fract() == 0.0;
    is_whole.then_some(number as usize)
}
