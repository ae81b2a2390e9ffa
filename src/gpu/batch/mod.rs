//! Draw lists → draw calls. Consecutive sprites with the same texture, sampling, blend class and clip span become
//! one call, and so do consecutive members that draw the same triangles in this way.
//!
//! A call draws the triangles of many attachments, so their indices are in a buffer in draw order, which is only
//! written again when that order changes. What differs from attachment to attachment, such as colours and deform
//! offsets, is looked up by an index that every vertex has.
//!
//! What members draw is collected one by one in [`shown`], their orders in [`orders`], and colours in [`tables`]. A
//! crowd that is too large for one buffer of a kind continues in another [`part`], with other draw calls.

mod full;
mod inputs;
mod orders;
mod part;
mod shown;
mod step;
mod tables;

use super::{GpuError, Member};

use full::Full;
pub use inputs::Inputs;
pub use orders::Orders;
pub use part::Part;
use shown::Shown;
pub use step::{DrawState, Step};

/// Everything that a view draws. Its memory is reused.
#[derive(Debug, Default)]
pub struct Batch {
    /// The draw calls of all parts.
    pub steps: Vec<Step>,
    /// The members that draw anything, by number.
    lists: Vec<u32>,
    pub orders: Orders,
    /// The first [`Self::part_count`] belong to this picture.
    parts: Vec<Part>,
    part_count: usize,
    shown: Shown,
}

impl Batch {
    /// Builds the draw calls. Refuses members and orders of triangles that do not fit in a buffer.
    /// The lists belong to the model, which is the one that was uploaded.
    pub fn build(&mut self, inputs: Inputs<'_>, members: &[Member<'_>]) -> Result<(), GpuError> {
        self.steps.clear();
        self.lists.clear();
        self.orders.restart();
        self.part_count = 0;
        self.begin_part();
        let mut previous = None;
        for (number, member) in members.iter().enumerate() {
            let is_same = self.shown.collect(inputs, member, previous.replace(member))?;
            if !self.shown.steps.is_empty() {
                self.add(inputs, number, member, is_same)?;
            }
        }
        self.orders.finish(inputs.model, inputs.geometry);
        Ok(())
    }

    /// The parts of the crowd, at least one.
    pub fn parts(&self) -> &[Part] {
        &self.parts[..self.part_count]
    }

    /// The same for uploading, and the members whose lists are uploaded, by number.
    pub fn parts_mut(&mut self) -> (&mut [Part], &[u32]) {
        (&mut self.parts[..self.part_count], &self.lists)
    }

    fn begin_part(&mut self) {
        if self.part_count == self.parts.len() {
            self.parts.push(Part::default());
        }
        self.parts[self.part_count].restart(self.steps.len(), self.lists.len());
        self.part_count += 1;
    }

    /// Adds a member that draws something, possibly the same as the one before.
    fn add(
        &mut self,
        inputs: Inputs<'_>,
        number: usize,
        member: &Member<'_>,
        is_same: bool,
    ) -> Result<(), GpuError> {
        let Inputs { model, room, .. } = inputs;
        let index = self.orders.place(&self.shown.order, self.shown.index_count, room.buffer);
        let index = index.map_err(|full| full.after(number))?;
        let attachments = model.attachments().len();
        let part = &mut self.parts[self.part_count - 1];
        let mut origin = part.add(member, &self.shown, is_same, attachments, room);
        if origin.is_err() && !part.steps.is_empty() {
            self.begin_part();
            origin = self.parts[self.part_count - 1].add(member, &self.shown, false, attachments, room);
        }
        let origin = step::Origin { index, ..origin.map_err(Full::alone)? };
        let part = &mut self.parts[self.part_count - 1];
        self.lists.push(number as u32);
        for step in &self.shown.steps {
            let step = step.moved(origin);
            // Instances of another part are numbered from the start, so its calls are not appended.
            if !self.steps.last_mut().is_some_and(|last| last.append(&step)) {
                self.steps.push(step);
            }
            part.steps.end = self.steps.len();
        }
        part.lists.end = self.lists.len();
        Ok(())
    }
}
