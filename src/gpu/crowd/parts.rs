//! The parts of a character: slots that are visible at some time, with their vertices and colours.

use super::obstacles::{CrowdObstacle, CrowdObstacles};
use crate::draw::SpriteColor;
use crate::gpu::pipeline::CrowdPasses;
use crate::math::{Affine2, Vec2};
use crate::model::{Attachment, AttachmentId, Blend, Influence, Mesh, Model, PageId, SlotId, Vertices};

/// A slot that can be visible.
#[derive(Debug, Clone)]
pub struct Part {
    pub attachment: AttachmentId,
    pub color: SpriteColor,
    /// The index of the page among those that are shown.
    pub page: u32,
}

/// The parts of a character.
#[derive(Debug)]
pub struct Parts {
    pub list: Vec<Part>,
    /// By slot, the index of its part.
    pub of_slots: Vec<Option<u32>>,
    /// The pages that are shown.
    pub pages: Vec<PageId>,
}

/// Returns the parts of all visible slots.
pub fn parts(model: &Model, shown: impl Iterator<Item = SlotId>) -> Result<Parts, CrowdObstacles> {
    let mut is_shown = vec![false; model.slots().len()];
    shown.for_each(|slot| is_shown[slot.index()] = true);
    let (mut list, mut of_slots) = (Vec::new(), vec![None; is_shown.len()]);
    let (mut pages, mut obstacles) = (Vec::new(), Vec::new());
    for (number, slot) in model.slots().iter().enumerate().filter(|(number, _)| is_shown[*number]) {
        let Some(attachment) = slot.attachment else { continue };
        let name = || slot.name.clone();
        let mesh = match model.attachment(attachment) {
            Attachment::Region(mesh) | Attachment::Mesh(mesh) => mesh,
            Attachment::ClipMask(_) => {
                obstacles.push(CrowdObstacle::ClipMask { slot: name() });
                continue;
            }
            Attachment::Path(_) | Attachment::Point(_) | Attachment::Bounds(_) => continue,
        };
        let Some(color) = SpriteColor::new(&slot.tint, mesh.tint, slot.blend) else { continue };
        if mesh.indices.is_empty() || mesh.vertices.is_empty() || !model.is_drawn(mesh) {
            continue;
        }
        match slot.blend {
            Blend::Normal | Blend::Additive => {}
            blend @ (Blend::Multiply | Blend::Screen) => {
                obstacles.push(CrowdObstacle::Blend { slot: name(), blend });
            }
        }
        let Some(page) = mesh.page else {
            obstacles.push(CrowdObstacle::WithoutPage { slot: name() });
            continue;
        };
        if !pages.contains(&page) {
            pages.push(page);
        }
        let page = pages.iter().position(|known| *known == page).unwrap_or_default() as u32;
        of_slots[number] = Some(list.len() as u32);
        list.push(Part { attachment, color, page });
    }
    if pages.len() > CrowdPasses::MAX_PAGES {
        obstacles.push(CrowdObstacle::Pages { count: pages.len() });
    }
    if obstacles.is_empty() { Ok(Parts { list, of_slots, pages }) } else { Err(CrowdObstacles(obstacles)) }
}

impl Part {
    /// The mesh, which every part has.
    pub fn mesh<'a>(&self, model: &'a Model) -> Option<&'a Mesh> {
        model.attachment(self.attachment).mesh()
    }

    /// Calls `visit` for every vertex, with its texture coordinates and its influences. Positions are in the space
    /// of the bone, or of the character if there is none.
    pub fn vertices(&self, model: &Model, mut visit: impl FnMut(Vec2, &[Influence])) {
        let mut list = Vec::new();
        let in_bone = |position: Vec2, bone: u32, weight: f32| match bone_from_bind(model, bone) {
            Some(matrix) => Influence { position: matrix.transform_point2(position), bone, weight },
            None => Influence { position, bone: Influence::NO_BONE, weight },
        };
        match self.mesh(model).map(|mesh| &mesh.vertices) {
            Some(Vertices::Skin4(vertices)) => {
                for vertex in vertices.iter() {
                    let moving = vertex.bone_ids.into_iter().zip(vertex.bone_weights);
                    list.clear();
                    list.extend(
                        moving
                            .filter(|(_, weight)| *weight > 0.0)
                            .map(|(bone, weight)| in_bone(vertex.position, bone.into(), weight)),
                    );
                    if list.is_empty() {
                        let position = vertex.position;
                        list.push(Influence { position, bone: Influence::NO_BONE, weight: 1.0 });
                    }
                    visit(vertex.uv, &list);
                }
            }
            Some(Vertices::SkinN(vertices)) => {
                for vertex in vertices.iter() {
                    list.clear();
                    let moving = vertex.influences.iter().filter(|influence| influence.weight != 0.0);
                    list.extend(moving.map(|of| in_bone(of.position, of.bone, of.weight)));
                    visit(vertex.uv, &list);
                }
            }
            None => {}
        }
    }
}

/// The transform from the bind pose to a bone; `None` for a bone that moves nothing, and without a bone.
pub fn bone_from_bind(model: &Model, bone: u32) -> Option<Affine2> {
    model.skeleton().bones().get(bone as usize)?.bone_from_bind
}
