//! Several models → one that has the parts of all, for characters that share a picture.

use super::{
    Animation, Attachment, AttachmentId, Bone, BoneId, ClipMask, Constraint, ConstraintTarget, Identity, Indices,
    Influence, Mesh, Model, PageId, Path, Point, Polygon, SkinNVertices, Slot, SlotId, Vertices,
};
use crate::error::Result;
use crate::math::{Affine2, Vec2};

/// Where the parts of a merged model are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Firsts {
    bone: usize,
    /// The number of its authored bones. The helpers of all models follow the authored bones of all.
    authored: usize,
    helper: usize,
    /// A helper that moves what no bone does.
    pub root: BoneId,
    slot: usize,
    attachment: usize,
    page: usize,
    /// An empty slot after all others of the model, where its clip masks end.
    pub curtain: SlotId,
}

impl Model {
    /// Returns a model with the parts of all `models`, apart from their animations, skins and events. Their names begin
    /// with the name of the model and a slash. Equal models share their pages.
    pub(crate) fn merged(models: &[(&str, &Self)]) -> Result<(Self, Vec<Firsts>)> {
        let mut all = Self::default();
        let mut firsts: Vec<Firsts> = Vec::with_capacity(models.len());
        let mut helper = models.iter().map(|(_, model)| model.skeleton.authored_bones().len()).sum();
        for (index, (_, model)) in models.iter().enumerate() {
            let mut added = models.iter().zip(&firsts);
            let same =
                added.find(|((_, other), _)| other.identity == model.identity).map(|(_, firsts)| firsts.page);
            let before =
                index.checked_sub(1).and_then(|before| Some((firsts.get(before)?, models.get(before)?.1)));
            let authored = model.skeleton.authored_bones().len();
            let root = helper + model.skeleton.helpers;
            let slot = before.map_or(0, |(firsts, _)| firsts.curtain.index() + 1);
            firsts.push(Firsts {
                bone: before.map_or(0, |(firsts, _)| firsts.bone + firsts.authored),
                authored,
                helper,
                root: BoneId::new(root),
                slot,
                attachment: before.map_or(0, |(firsts, model)| firsts.attachment + model.attachments.len()),
                page: same.unwrap_or(all.pages.len()),
                curtain: SlotId::new(slot + model.slots.len()),
            });
            helper = root + 1;
            if same.is_none() {
                all.pages.extend(model.pages.iter().cloned());
                all.sharp.extend_from_slice(&model.sharp);
            }
        }
        for ((name, model), firsts) in models.iter().zip(&firsts) {
            let bones = model.skeleton.authored_bones().iter();
            all.skeleton.bones.extend(bones.map(|bone| firsts.renamed(name, bone)));
        }
        for ((name, model), firsts) in models.iter().zip(&firsts) {
            let helpers = model.skeleton.bones.iter().skip(firsts.authored);
            all.skeleton.bones.extend(helpers.map(|bone| firsts.renamed(name, bone)));
            let bone_from_bind = Some(Affine2::IDENTITY);
            all.skeleton.bones.push(Bone { name: (*name).into(), bone_from_bind, ..Bone::default() });
            all.skeleton.helpers += model.skeleton.helpers + 1;
            firsts.add_slots(name, model, &mut all);
            for attachment in &model.attachments {
                all.attachments.push(firsts.moved(model, attachment)?);
            }
        }
        all.skeleton.is_bound_in_bones =
            all.skeleton.bones.iter().all(|bone| bone.bone_from_bind == Some(Affine2::IDENTITY));
        all.identity = Identity::unique();
        Ok((all, firsts))
    }

    /// Adds an animation to a merged model.
    pub(crate) fn add_animation(&mut self, animation: Animation) {
        self.animations.push(animation);
    }

    /// Returns true if a clip mask with this end does not apply after `slot` any more.
    #[inline]
    pub(crate) fn ends_mask(&self, end: Option<SlotId>, slot: SlotId) -> bool {
        end == Some(slot) || self.curtains.binary_search(&slot).is_ok()
    }
}

impl Firsts {
    /// Returns the id of a bone in the merged model.
    pub fn bone(self, id: BoneId) -> BoneId {
        let helper = id.index().checked_sub(self.authored);
        BoneId::new(helper.map_or(self.bone + id.index(), |helper| self.helper + helper))
    }

    fn renamed(self, name: &str, bone: &Bone) -> Bone {
        Bone { name: named(name, &bone.name), parent: bone.parent.map(|parent| self.bone(parent)), ..bone.clone() }
    }

    /// Adds the slots and constraints.
    fn add_slots(self, name: &str, model: &Model, all: &mut Model) {
        all.slots.extend(model.slots.iter().map(|slot| Slot {
            name: named(name, &slot.name),
            bone: slot.bone.map(|bone| self.bone(bone)),
            attachment: slot.attachment.map(|id| self.attachment(id)),
            ..slot.clone()
        }));
        all.slots.push(Slot { name: name.into(), ..Slot::default() });
        all.curtains.push(self.curtain);
        all.constraints.extend(model.constraints.iter().map(|constraint| Constraint {
            name: named(name, &constraint.name),
            bones: constraint.bones.iter().map(|bone| self.bone(*bone)).collect(),
            target: constraint.target.map(|target| match target {
                ConstraintTarget::Bone(bone) => ConstraintTarget::Bone(self.bone(bone)),
                ConstraintTarget::Slot(slot) => ConstraintTarget::Slot(self.slot(slot)),
            }),
            ..constraint.clone()
        }));
    }

    /// Returns the id of a slot in the merged model.
    pub fn slot(self, id: SlotId) -> SlotId {
        SlotId::new(self.slot + id.index())
    }

    /// Returns the id of an attachment in the merged model.
    pub fn attachment(self, id: AttachmentId) -> AttachmentId {
        AttachmentId::new(self.attachment + id.index())
    }

    fn moved(self, model: &Model, attachment: &Attachment) -> Result<Attachment> {
        let listed = |vertices: &SkinNVertices| self.listed(model, vertices);
        let polygon = |polygon: &Polygon| {
            Ok::<_, crate::Error>(Polygon { vertices: listed(&polygon.vertices)?, name: polygon.name.clone() })
        };
        Ok(match attachment {
            Attachment::Region(mesh) => Attachment::Region(self.mesh(model, mesh)?),
            Attachment::Mesh(mesh) => Attachment::Mesh(self.mesh(model, mesh)?),
            Attachment::ClipMask(mask) => Attachment::ClipMask(ClipMask {
                polygon: polygon(&mask.polygon)?,
                end: mask.end.map(|slot| self.slot(slot)),
                ..mask.clone()
            }),
            Attachment::Path(path) => Attachment::Path(Path { vertices: listed(&path.vertices)?, ..path.clone() }),
            Attachment::Point(point) => Attachment::Point(Point { bone: self.bone(point.bone), ..point.clone() }),
            Attachment::Bounds(bounds) => Attachment::Bounds(polygon(bounds)?),
        })
    }

    fn mesh(self, model: &Model, mesh: &Mesh) -> Result<Mesh> {
        let vertices = match &mesh.vertices {
            Vertices::SkinN(vertices) => self.listed(model, vertices)?,
            Vertices::Skin4(vertices) => {
                let mut list = SkinNVertices::with_capacity(vertices.len(), vertices.len() * 4);
                for vertex in vertices.iter() {
                    let of_bone = |(&bone, &weight): (&u16, &f32)| {
                        (weight > 0.0).then(|| self.influence(model, vertex.position, bone.into(), weight))
                    };
                    let influences: Vec<Influence> =
                        vertex.bone_ids.iter().zip(&vertex.bone_weights).filter_map(of_bone).collect();
                    let still = [self.influence(model, vertex.position, Influence::NO_BONE, 1.0)];
                    let influences = if influences.is_empty() { &still } else { &influences[..] };
                    list.push(vertex.uv, vertex.position, influences)?;
                }
                list
            }
        };
        // What this model hides, another one may show.
        let indices = if model.is_drawn(mesh) { mesh.indices.clone() } else { Indices::default() };
        let page = mesh.page.map(|page| PageId::new(self.page + page.index()));
        Ok(Mesh { page, vertices: vertices.into(), indices, ..mesh.clone() })
    }

    /// Moves the bones of vertices; each keeps the number of its influences, which deformations count.
    fn listed(self, model: &Model, vertices: &SkinNVertices) -> Result<SkinNVertices> {
        let mut list = SkinNVertices::with_capacity(vertices.len(), vertices.influences().len());
        for vertex in vertices.iter() {
            let moved = |it: &Influence| self.influence(model, it.position, it.bone, it.weight);
            let influences: Vec<Influence> = vertex.influences.iter().map(moved).collect();
            let position = influences.first().map(|it| it.position).unwrap_or_default();
            list.push(vertex.uv, position, &influences)?;
        }
        Ok(list)
    }

    /// What no bone moves, the root does.
    fn influence(self, model: &Model, position: Vec2, bone: u32, weight: f32) -> Influence {
        let moving = model.skeleton.bones.get(bone as usize).filter(|bone| bone.bone_from_bind.is_some());
        let bone = moving.map_or(self.root, |_| self.bone(BoneId::new(bone as usize)));
        Influence { position, bone: bone.index() as u32, weight }
    }
}

fn named(model: &str, part: &str) -> Box<str> {
    format!("{model}/{part}").into()
}
