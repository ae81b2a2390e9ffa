//! Members of a crowd, seen by a camera → draw calls.
//!
//! ```text
//! Member, Camera → member_calls (draw calls of one member) ─┬─ index_lists (shared by members with the same draw order)
//!                                                           ├─ sprite_tables (colours, deform offsets, texture areas)
//!                                                           └─ chunk (members that fit in one buffer of each kind)
//! ```
//!
//! Consecutive sprites with the same texture, sampling, blend class and clip span become one call, and so do
//! consecutive members that draw the same triangles in this way. A crowd that is too large for one buffer of a kind
//! continues in another chunk, with other draw calls.
//!
//! A call draws the triangles of many attachments, so their indices are in a buffer in draw order, which is only
//! written again when that order changes. What differs from attachment to attachment, such as colours and deform
//! offsets, is looked up by an index that every vertex has.

mod buffer_full;
mod camera;
mod chunk;
mod draw_call;
mod index_lists;
mod inputs;
mod member;
mod member_calls;
mod sprite_tables;

pub use camera::{Camera, ClipMatrix};
pub use chunk::Chunk;
pub use draw_call::{DrawCall, DrawState};
pub use inputs::Inputs;
pub use member::Member;

use crate::gpu::error::GpuError;
use buffer_full::BufferFull;
use draw_call::BufferOffsets;
use index_lists::IndexLists;
use member_calls::MemberCalls;

/// Everything that a view draws. Its memory is reused.
#[derive(Debug, Default)]
pub struct Batch {
    /// The draw calls of all chunks.
    pub calls: Vec<DrawCall>,
    /// The members that draw anything, by number.
    lists: Vec<u32>,
    pub index_lists: IndexLists,
    /// The first [`Self::chunk_count`] belong to this picture.
    chunks: Vec<Chunk>,
    chunk_count: usize,
    member_calls: MemberCalls,
}

impl Batch {
    /// Builds the draw calls. Refuses members and index lists that do not fit in a buffer.
    /// The lists belong to the model, which is the one that was uploaded.
    pub fn build(&mut self, inputs: Inputs<'_>, members: &[Member<'_>]) -> Result<(), GpuError> {
        self.calls.clear();
        self.lists.clear();
        self.index_lists.restart();
        self.chunk_count = 0;
        self.begin_chunk();
        let mut previous = None;
        for (number, member) in members.iter().enumerate() {
            let is_same = self.member_calls.collect(inputs, member, previous.replace(member))?;
            if !self.member_calls.calls.is_empty() {
                self.add(inputs, number, member, is_same)?;
            }
        }
        self.index_lists.finish(inputs.model, inputs.geometry);
        Ok(())
    }

    /// The chunks of the crowd, at least one.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks[..self.chunk_count]
    }

    /// The same for uploading, and the members whose lists are uploaded, by number.
    pub fn chunks_mut(&mut self) -> (&mut [Chunk], &[u32]) {
        (&mut self.chunks[..self.chunk_count], &self.lists)
    }

    fn begin_chunk(&mut self) {
        if self.chunk_count == self.chunks.len() {
            self.chunks.push(Chunk::default());
        }
        self.chunks[self.chunk_count].restart(self.calls.len(), self.lists.len());
        self.chunk_count += 1;
    }

    /// Adds a member that draws something, possibly the same as the one before.
    fn add(
        &mut self,
        inputs: Inputs<'_>,
        number: usize,
        member: &Member<'_>,
        is_same: bool,
    ) -> Result<(), GpuError> {
        let Inputs { model, limits, .. } = inputs;
        if !is_same {
            let MemberCalls { order, index_count, .. } = &self.member_calls;
            let selected = self.index_lists.select(order, *index_count, limits.buffer);
            selected.map_err(|full| full.after(number))?;
        }
        let index = self.index_lists.first_index();
        let attachments = model.attachments().len();
        let chunk = &mut self.chunks[self.chunk_count - 1];
        let mut offsets = chunk.add(member, &self.member_calls, is_same, attachments, limits);
        if offsets.is_err() && !chunk.calls.is_empty() {
            self.begin_chunk();
            offsets =
                self.chunks[self.chunk_count - 1].add(member, &self.member_calls, false, attachments, limits);
        }
        let offsets = BufferOffsets { index, ..offsets.map_err(BufferFull::alone)? };
        let chunk = &mut self.chunks[self.chunk_count - 1];
        self.lists.push(number as u32);
        for call in &self.member_calls.calls {
            let call = call.with_offsets(offsets);
            // Instances of another chunk are numbered from the start, so its calls are not appended.
            if !self.calls.last_mut().is_some_and(|last| last.append(&call)) {
                self.calls.push(call);
            }
            chunk.calls.end = self.calls.len();
        }
        chunk.lists.end = self.lists.len();
        Ok(())
    }
}
