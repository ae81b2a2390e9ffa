//! Visuals → slots with one attachment for each texture and style.

use std::collections::HashMap;

use super::styles::{Candidates, Shown, Styles, Texture};
use super::weights::{Pull, unroll};
use super::{Armature, malformed};
use crate::error::Result;
use crate::formats::skelform::normalise::Visual;
use crate::formats::skelform::read::at;
use crate::limits::Budget;
use crate::math::{Vec2, vec2};
use crate::model::{
    Attachment, AttachmentId, BoneId, Indices, Influence, Mesh, ModelBuilder, SkinNRecord, SkinNVertices, Slot,
    SlotId, Tint,
};
use crate::motion::skelform::{self, Entry, EntryKind, Rig};

/// Maximum number of vertices in a mesh, given by the type of its indices.
const MAX_VERTICES: usize = 1 << 16;

/// The geometry of a slot, without its texture.
enum Shape {
    /// A rectangle with the size of the texture, centred on its bone.
    Rectangle(Influence),
    /// Texture coordinates and influences per vertex, and triangles.
    Mesh { lists: Vec<(Vec2, Vec<Influence>)>, indices: Indices },
}

/// Adds a slot for each bone with a visual, in the order of the bones.
pub fn build<'a>(
    armature: &Armature<'a>,
    styles: &Styles<'_>,
    candidates: &mut Candidates<'a>,
    builder: &mut ModelBuilder,
    rig: &mut Rig,
    budget: &mut Budget<'_>,
) -> Result<()> {
    let with_visual = armature.bones.iter().enumerate().filter_map(|(bone, json)| Some((bone, json.visual?)));
    for (slot, (bone, index)) in with_visual.enumerate() {
        let visual = &armature.visuals[index];
        budget.charge_records(1, || at(&visual.pointer))?;
        rig.slots.push(skelform::Slot {
            bone: bone as u32,
            visual: index as u32,
            first_shown: rig.shown_count as u32,
            pivot: visual.pivot,
        });
        let shape = shape(visual, (slot, bone), armature, builder, rig, budget)?;
        let mut at_rest = None;
        for (texture_index, &texture) in (0u32..).zip(&candidates.of_visual[index]) {
            let is_rest = texture == visual.rest.texture;
            for &(style, drawn) in styles.with(texture) {
                let attachment = attachment(texture, &shape, &drawn, visual, builder, budget)?;
                rig.sizes.push(drawn.size.as_dvec2());
                if is_rest && at_rest.is_none() && styles.is_active(style) {
                    at_rest = Some(attachment);
                }
                let shown = rig.shown_count as u32 + texture_index;
                candidates.shown[style].push(Shown { slot: SlotId::new(slot), texture, index: shown, attachment });
            }
        }
        rig.shown_count += candidates.of_visual[index].len();
        let name = armature.bones[bone].name.into();
        let tint = Tint { light: visual.rest.tint.map(|channel| channel.clamp(0.0, 1.0)), dark: None };
        builder.slot(Slot {
            name,
            bone: Some(BoneId::new(bone)),
            attachment: at_rest,
            tint,
            ..Slot::default()
        })?;
    }
    Ok(())
}

fn shape(
    visual: &Visual<'_>,
    (slot, owner): (usize, usize),
    armature: &Armature<'_>,
    builder: &mut ModelBuilder,
    rig: &mut Rig,
    budget: &mut Budget<'_>,
) -> Result<Shape> {
    let mut helpers = Helpers { slot: slot as u32, has_pivot: visual.pivot.is_some(), known: HashMap::new() };
    if visual.vertices.is_empty() {
        let kind = EntryKind::Bone(owner as u32);
        let pull = Pull { kind, position: Vec2::ZERO, weight: 1.0 };
        return Ok(Shape::Rectangle(helpers.influence(&pull, builder, rig, budget)?));
    }
    let count = visual.vertices.len();
    if count > MAX_VERTICES {
        let message = format!("{count} vertices; at most {MAX_VERTICES} are supported");
        return Err(malformed("too-many", format!("{}/vertices", visual.pointer), message));
    }
    let place = || at(&visual.pointer);
    let pulls: usize = count + visual.binds.iter().map(|bind| bind.verts.len()).sum::<usize>();
    budget.charge_memory(pulls as u64, 3 * size_of::<Pull>(), place)?;
    let mut lists = Vec::with_capacity(count);
    for (vertex, pulls) in visual.vertices.iter().zip(unroll(visual, owner as u32, armature)?) {
        let influences: Result<Vec<Influence>> =
            pulls.iter().map(|pull| helpers.influence(pull, builder, rig, budget)).collect();
        lists.push((vec2(vertex.uv.x.0, vertex.uv.y.0), influences?));
    }
    Ok(Shape::Mesh { lists, indices: Indices::from_triangles(&triangles(visual)?) })
}

fn triangles(visual: &Visual<'_>) -> Result<Vec<[u16; 3]>> {
    let (triangles, rest) = visual.indices.as_chunks::<3>();
    let pointer = || format!("{}/indices", visual.pointer);
    if !rest.is_empty() {
        let message = format!("{} is not a multiple of 3; a triangle has three indices", visual.indices.len());
        return Err(malformed("partial-triangle", pointer(), message));
    }
    let mut found = Vec::with_capacity(triangles.len());
    for (index, triangle) in triangles.iter().enumerate() {
        let mut corners = [0; 3];
        for (corner, (at, id)) in corners.iter_mut().zip(triangle.iter().enumerate()) {
            let count = visual.vertices.len();
            match id.get().filter(|&id| id < count) {
                Some(id) => *corner = id as u16,
                None => {
                    let message = format!("vertex {} does not exist, there are {count}", id.0);
                    let pointer = format!("{}/{}", pointer(), 3 * index + at);
                    return Err(malformed("index-out-of-range", pointer, message));
                }
            }
        }
        found.push(corners);
    }
    Ok(found)
}

/// The helper bones of one slot.
struct Helpers {
    slot: u32,
    has_pivot: bool,
    known: HashMap<(EntryKind, bool), u32>,
}

impl Helpers {
    /// Uses the bone itself if it moves the vertex directly, otherwise a helper.
    fn influence(
        &mut self,
        pull: &Pull,
        builder: &mut ModelBuilder,
        rig: &mut Rig,
        budget: &mut Budget<'_>,
    ) -> Result<Influence> {
        let is_negative = pull.weight < 0.0;
        let (position, weight) = (pull.position, pull.weight.abs() as f32);
        if let (EntryKind::Bone(bone), false, false) = (pull.kind, self.has_pivot, is_negative) {
            return Ok(Influence { position, bone, weight });
        }
        let bone = match self.known.get(&(pull.kind, is_negative)) {
            Some(bone) => *bone,
            None => {
                let (EntryKind::Bone(of) | EntryKind::Path { bone: of, .. }) = pull.kind;
                budget.charge_memory(1, super::RECORD_BYTES, || at("/binds"))?;
                let bone = builder.helper(BoneId::new(of as usize))?.index() as u32;
                rig.entries.push(Entry { slot: self.slot, kind: pull.kind, is_negative });
                self.known.insert((pull.kind, is_negative), bone);
                bone
            }
        };
        Ok(Influence { position, bone, weight })
    }
}

/// The corners of a unit rectangle, each with its texture coordinate.
const CORNERS: [(Vec2, Vec2); 4] = [
    (vec2(-0.5, 0.5), vec2(0.0, 0.0)),
    (vec2(0.5, 0.5), vec2(1.0, 0.0)),
    (vec2(0.5, -0.5), vec2(1.0, 1.0)),
    (vec2(-0.5, -0.5), vec2(0.0, 1.0)),
];

fn attachment(
    name: &str,
    shape: &Shape,
    texture: &Texture,
    visual: &Visual<'_>,
    builder: &mut ModelBuilder,
    budget: &mut Budget<'_>,
) -> Result<AttachmentId> {
    let (vertex_count, influence_count) = match shape {
        Shape::Rectangle(_) => (4, 4),
        Shape::Mesh { lists, .. } => (lists.len(), lists.iter().map(|(_, list)| list.len()).sum()),
    };
    let bytes = vertex_count * size_of::<SkinNRecord>() + influence_count * size_of::<Influence>();
    budget.charge_memory(1, super::RECORD_BYTES + bytes, || at(&visual.pointer))?;
    let mut vertices = SkinNVertices::with_capacity(vertex_count, influence_count);
    let mut push = |uv: Vec2, influences: &[Influence]| {
        let position = influences.first().map_or(Vec2::ZERO, |influence| influence.position);
        let pushed = vertices.push(texture.uv_offset + uv * texture.uv_size, position, influences);
        pushed.map_err(|_| {
            let message = "positions, weights or texture coordinates are too large";
            malformed("not-finite", format!("{}/vertices", visual.pointer), message)
        })
    };
    let indices = match shape {
        Shape::Rectangle(influence) => {
            for (corner, uv) in CORNERS {
                push(uv, &[Influence { position: corner * texture.size, ..*influence }])?;
            }
            Indices::from_triangles(&[[0, 1, 2], [0, 2, 3]])
        }
        Shape::Mesh { lists, indices } => {
            for (uv, list) in lists {
                push(*uv, list)?;
            }
            indices.clone()
        }
    };
    let outline = if texture.page.is_none() { indices.boundary().into() } else { Box::default() };
    let (page, tint) = (texture.page, [1.0; 4]);
    let mesh = Mesh { name: name.into(), page, vertices: vertices.into(), indices, tint, outline };
    builder.attachment(match shape {
        Shape::Rectangle(_) => Attachment::Region(mesh),
        Shape::Mesh { .. } => Attachment::Mesh(mesh),
    })
}
