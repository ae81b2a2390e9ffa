//! Vertices, with and without weights.

use super::Writer;
use super::attachments::Pointer;
use crate::error::{Error, Result};
use crate::formats::spine::build;
use crate::formats::spine::schema::Number;

/// Returns true if the list of `count` vertices has weights.
pub fn is_weighted(numbers: &[Number], count: usize) -> bool {
    numbers.len() != count.saturating_mul(2)
}

impl Writer<'_, '_> {
    /// The vertices from the list of JSON: x and y of each, or for each the number of its bones, then bone, x, y and
    /// weight for each of those.
    pub fn vertices(&mut self, numbers: &[Number], count: usize, pointer: Pointer<'_>) -> Result<()> {
        if !is_weighted(numbers, count) {
            self.file.numbers(numbers);
            return Ok(());
        }
        if self.layout.has_one_list() {
            // Each vertex has a count, and each influence a bone and three numbers; other lists are refused below.
            self.file.count(count + numbers.len().saturating_sub(count) / 4)?;
        }
        let mut rest = numbers;
        for vertex in 0..count {
            let at = numbers.len() - rest.len();
            let Some(influences) = influences(rest) else { return Err(self.wrong(vertex, at, pointer)) };
            self.file.varint(influences.len() as u32);
            for (number, [bone, x, y, weight]) in influences.iter().enumerate() {
                let Some(bone) = build::whole(*bone).filter(|bone| *bone < self.root.bones.len()) else {
                    return Err(self.wrong(vertex, at + 1 + 4 * number, pointer));
                };
                self.file.varint(bone as u32);
                self.file.numbers(&[*x, *y, *weight]);
            }
            rest = &rest[1 + 4 * influences.len()..];
        }
        if rest.is_empty() { Ok(()) } else { Err(self.wrong(count, numbers.len() - rest.len(), pointer)) }
    }

    fn wrong(&self, vertex: usize, at: usize, pointer: Pointer<'_>) -> Error {
        let message = format!(
            "the list does not fit vertex {vertex}: expected x and y of every vertex, or for each the number of its \
             bones, and four numbers for each of the {} bones that move it",
            self.root.bones.len()
        );
        build::malformed("weights", format!("{}/vertices/{at}", pointer()), message)
    }
}

/// The influences of the vertex with which a weighted list begins: bone, x, y and weight. At least one.
pub fn influences(numbers: &[Number]) -> Option<&[[Number; 4]]> {
    let (count, rest) = numbers.split_first()?;
    let count = build::whole(*count).filter(|count| *count > 0)?;
    rest.as_chunks::<4>().0.get(..count)
}
