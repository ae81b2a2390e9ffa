//! Meshes and bounding boxes before 3.3.
//!
//! In 2.1, all lists are counted by numbers. Weights are stored as JSON lists them, every number as a float.

use super::reader::{Reader, text};
use super::trace::MaybeTrace;
use crate::error::Result;
use crate::formats::spine::schema::{Attachment, Number};

/// Size of an influence in bytes: a bone, two coordinates and a weight.
const INFLUENCE: usize = 16;

impl<'a, T: MaybeTrace<'a>> Reader<'a, '_, T> {
    pub fn old_polygon(&mut self, attachment: &mut Attachment<'a>) -> Result<()> {
        attachment.vertices = if self.layout.has_flips() {
            self.number_list("vertices")?
        } else {
            let (start, count) = (self.file.offset(), self.vertex_count()?);
            self.file.numbers("vertices", start, 2 * count)?
        };
        attachment.vertex_count = Some(attachment.vertices.len() as u32 / 2);
        Ok(())
    }

    pub fn old_mesh(&mut self, attachment: &mut Attachment<'a>, is_weighted: bool) -> Result<()> {
        attachment.path = self.file.string("path")?.map(text);
        let is_counted = self.layout.has_flips();
        if is_counted {
            attachment.uvs = self.number_list("uvs")?;
            attachment.triangles = self.short_list("triangles")?;
            attachment.vertices = self.number_list("vertices")?;
            self.old_color(attachment)?;
        } else {
            self.old_color(attachment)?;
            let count = self.vertex_count()?;
            attachment.uvs = self.uvs(count)?;
            attachment.triangles = self.short_list("triangles")?;
            let start = self.file.offset();
            attachment.vertices = match is_weighted {
                true => self.float_weights(count)?,
                false => self.file.numbers("vertices", start, 2 * count)?,
            };
        }
        attachment.hull = self.file.varint("hull")?;
        if self.is_nonessential {
            attachment.edges = match is_counted {
                true => self.list("edges", 1, |reader, _| reader.file.varint(""))?,
                false => self.short_list("edges")?,
            };
            self.size(attachment)?;
        }
        Ok(())
    }

    /// Numbers after their count.
    fn number_list(&mut self, field: &'a str) -> Result<Vec<Number>> {
        let start = self.file.offset();
        let count = self.file.varint("")? as usize;
        self.file.numbers(field, start, count)
    }

    /// For each vertex the number of its bones, then bone, x, y and weight for each of those.
    fn float_weights(&mut self, count: usize) -> Result<Vec<Number>> {
        self.file.enter("vertices");
        let mut vertices = Vec::new();
        for _ in 0..count {
            let start = self.file.offset();
            let [influences] = self.file.listed_array(vertices.len())?;
            if influences.fract() != 0.0 || !(1.0..=u16::MAX.into()).contains(&influences) {
                let message =
                    format!("a vertex with {influences} bones; a whole number of at least 1 is required");
                self.file.enter_item(vertices.len());
                return Err(self.file.fault("weights", "", start, message));
            }
            // Exact: checked above.
            let influences = influences as usize;
            self.file.require::<[Number; 5]>("", start, influences, INFLUENCE)?;
            vertices.push(Number(influences as f32));
            for _ in 0..influences {
                vertices.extend(self.file.listed_array::<4>(vertices.len())?.map(Number));
            }
        }
        self.file.leave();
        Ok(vertices)
    }
}
