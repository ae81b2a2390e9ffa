//! Meshes. In 4.2 the number of triangles follows from the number of vertices and the length of the hull. Some meshes
//! do not fit: their hull, which only the editor draws, is changed.

use std::borrow::Cow;
use std::collections::BTreeSet;

use foldhash::HashMap;

use super::Writer;
use super::attachments::{Pointer, is_deformed_with_parent};
use super::sink::too_many;
use super::vertices::{influences, is_weighted};
use crate::error::Result;
use crate::formats::spine::binary::layout::Layout;
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::binary::skins::DEFAULT;
use crate::formats::spine::build::{self, malformed};
use crate::formats::spine::schema::{Attachment, AttachmentType, Number, Root, Text};

/// The vertices of a mesh, and a hull that fits its triangles.
pub struct Fitted<'m> {
    count: usize,
    uvs: Cow<'m, [Number]>,
    vertices: Cow<'m, [Number]>,
    hull: u32,
    /// Vertices that were added, which no triangle uses.
    added: usize,
}

/// By skin, slot and key of a mesh: the other slots with linked meshes that have its timelines.
pub type LinkedSlots<'r> = HashMap<[&'r str; 3], Vec<&'r Text<'r>>>;

/// The linked meshes of other slots, which the layout lists.
pub fn linked_slots<'r>(root: &'r Root<'_>, layout: Layout) -> LinkedSlots<'r> {
    let mut links = LinkedSlots::default();
    let skins = root.skins.list.iter().filter(|_| layout.has_one_list());
    for (slot, attachments) in skins.flat_map(|skin| &skin.attachments.0) {
        for (_, it) in attachments.0.iter().filter(|(_, it)| it.kind == AttachmentType::LinkedMesh) {
            let (Some(of), Some(key)) = (&it.slot, &it.parent) else { continue };
            if of != slot && is_deformed_with_parent(it) {
                let skin = it.skin.as_ref().map_or(DEFAULT, Text::as_str);
                links.entry([skin, of.as_str(), key.as_str()]).or_default().push(slot);
            }
        }
    }
    links
}

impl Fitted<'_> {
    pub fn is_weighted(&self) -> bool {
        is_weighted(&self.vertices, self.count)
    }
}

/// The vertices of a mesh, and its hull if the layout demands that it fits.
pub fn fitted<'m>(it: &'m Attachment<'_>, layout: Layout, pointer: Pointer<'_>) -> Result<Fitted<'m>> {
    let count = it.uvs.len() / 2;
    if !it.uvs.len().is_multiple_of(2) {
        let message = format!("{} numbers; expected two per vertex", it.uvs.len());
        return Err(malformed("vertex-count", format!("{}/uvs", pointer()), message));
    }
    let (uvs, vertices) = (Cow::Borrowed(&it.uvs[..]), Cow::Borrowed(&it.vertices[..]));
    let mut mesh = Fitted { count, uvs, vertices, hull: it.hull, added: 0 };
    if layout.has_flags() {
        if !it.triangles.len().is_multiple_of(3) {
            let message = format!("{} is not a multiple of 3; a triangle has three indices", it.triangles.len());
            return Err(malformed("partial-triangle", format!("{}/triangles", pointer()), message));
        }
        mesh.fit(it.triangles.len() / 3);
    }
    Ok(mesh)
}

impl Fitted<'_> {
    /// Sets the hull so that there are 2 × vertices - hull - 2 triangles. Adds vertices if these are too few.
    fn fit(&mut self, triangles: usize) {
        let least = (triangles + 2).div_ceil(2);
        self.added = least.saturating_sub(self.count);
        if self.added > 0 {
            self.add();
        }
        // A list of that length cannot be in memory.
        self.hull = u32::try_from(2 * self.count - 2 - triangles).unwrap_or(u32::MAX);
    }

    /// Adds copies of the first vertex, with one bone, or vertices at the origin if there are none.
    fn add(&mut self) {
        const ONE: Number = Number(1.0);
        let copy = match influences(&self.vertices).filter(|_| self.is_weighted()) {
            Some([[bone, x, y, _], ..]) => vec![ONE, *bone, *x, *y, ONE],
            // A weighted list with errors is refused when it is written.
            _ => first_pair(&self.vertices).to_vec(),
        };
        let uv = first_pair(&self.uvs);
        for _ in 0..self.added {
            self.vertices.to_mut().extend(&copy);
            self.uvs.to_mut().extend(&uv);
        }
        self.count += self.added;
    }
}

/// The first two numbers, or zeros.
fn first_pair(numbers: &[Number]) -> [Number; 2] {
    numbers.first_chunk().copied().unwrap_or_default()
}

impl<'r> Writer<'r, '_> {
    /// A mesh; `at`: its skin, slot and key.
    pub fn mesh(
        &mut self,
        it: &'r Attachment<'_>,
        mesh: Fitted<'_>,
        at: [&'r str; 3],
        pointer: Pointer<'_>,
    ) -> Result<()> {
        self.picture(it, pointer)?;
        if self.layout.has_flags() {
            self.new_mesh(it, &mesh, at, pointer)
        } else {
            self.old_mesh(it, &mesh, pointer)
        }
    }

    fn new_mesh(
        &mut self,
        it: &Attachment<'_>,
        mesh: &Fitted<'_>,
        at: [&'r str; 3],
        pointer: Pointer<'_>,
    ) -> Result<()> {
        if mesh.hull != it.hull || mesh.added > 0 {
            self.losses.hulls.add(pointer);
            self.losses.vertices += mesh.added;
        }
        self.file.varint(mesh.hull);
        self.file.count(mesh.count)?;
        self.vertices(&mesh.vertices, mesh.count, pointer)?;
        self.file.numbers(&mesh.uvs);
        it.triangles.iter().for_each(|index| self.file.varint(*index));
        if self.layout.has_one_list() {
            let slots = self.links.get(&at).into_iter().flatten();
            let slots: Result<BTreeSet<u32>> = slots.map(|it| self.names.find(Kind::Slot, it, pointer)).collect();
            let slots = slots?;
            self.file.count(slots.len())?;
            slots.into_iter().for_each(|slot| self.file.varint(slot));
        }
        if self.is_nonessential {
            self.file.count(it.edges.len())?;
            it.edges.iter().for_each(|index| self.file.varint(*index));
            self.size(it);
        }
        Ok(())
    }

    fn old_mesh(&mut self, it: &Attachment<'_>, mesh: &Fitted<'_>, pointer: Pointer<'_>) -> Result<()> {
        self.old_color(it, pointer)?;
        self.file.count(mesh.count)?;
        self.file.numbers(&mesh.uvs);
        self.shorts(&it.triangles, || format!("{}/triangles", pointer()))?;
        self.file.bool(mesh.is_weighted());
        self.vertices(&mesh.vertices, mesh.count, pointer)?;
        self.file.varint(mesh.hull);
        self.old_sequence(it);
        if self.is_nonessential {
            self.shorts(&it.edges, || format!("{}/edges", pointer()))?;
            self.size(it);
        }
        Ok(())
    }

    /// A list of indices of 16 bits.
    fn shorts(&mut self, indices: &[u32], pointer: impl Fn() -> String) -> Result<()> {
        self.file.count(indices.len())?;
        for (at, index) in indices.iter().enumerate() {
            let short = u16::try_from(*index).map_err(|_| {
                let place = build::at(format!("{}/{at}", pointer()));
                too_many(*index as usize + 1, "vertices", u32::from(u16::MAX) + 1, place)
            })?;
            self.file.short(short);
        }
        Ok(())
    }
}
