//! Writes bones and slots in the setup pose.

use super::schema::{self, Number};
use super::{blend, of_channels, text, unless_white};
use crate::character::Character;
use crate::formats::stored::{Local, Pull, SlotState, Stored, distinct};
use crate::math::DVec2;
use crate::model::{BoneId, Slot, SlotId};
use crate::motion::{Cue, evaluate};
use crate::pose::{Pose, bounds, palette};

/// The bones and slots to write.
pub struct Rig {
    pub bones: Vec<schema::Bone<'static>>,
    /// In the draw order of the setup pose.
    pub slots: Vec<schema::Slot<'static>>,
    /// Model slot of each file slot.
    pub order: Vec<SlotId>,
    /// Visibility and draw order in the setup pose, by model slot.
    pub states: Vec<SlotState>,
    /// Name of the attachment, by model slot; `None` if nothing is drawn.
    pub keys: Vec<Option<String>>,
    /// Setup transforms by model bone. A scale that an animation changes is never 0.
    pub setup: Vec<Local>,
    /// Number of bones inserted before the bones of the model: 1 if a root was added, otherwise 0.
    added: usize,
}

/// Returns the skeleton's header, with the bounds in the setup pose and the frame rate.
pub fn skeleton(character: &Character) -> schema::Skeleton<'static> {
    let model = character.model();
    let (mut pose, mut matrices) = (Pose::for_model(model), Vec::new());
    evaluate(character, &Cue::default(), &mut pose);
    palette(model, &pose, &mut matrices);
    let bounds = bounds(model, &pose, &matrices);
    let [x, y, width, height] = if bounds.is_empty() || !bounds.size().is_finite() {
        [0.0; 4]
    } else {
        [bounds.min.x, bounds.min.y, bounds.size().x, bounds.size().y]
    };
    let fps = model.animations().first().map(|animation| animation.fps()).filter(|fps| *fps > 0.0);
    schema::Skeleton {
        x: Number(x),
        y: Number(y),
        width: Number(width),
        height: Number(height),
        fps: fps.map(|fps| Number(fps as f32)),
        images: Some(text("./")),
        ..schema::Skeleton::default()
    }
}

impl Rig {
    pub fn new(stored: &Stored<'_>) -> Self {
        let model = stored.model;
        let bones = model.skeleton().bones();
        let added = usize::from(needs_root(stored));
        let names = bones.iter().map(|bone| &*bone.name).chain(["root"]);
        let names = distinct(names, "bone");
        let (names, root) = names.split_at(bones.len());
        let setup = setup(stored);
        let lengths = lengths(stored, &setup);
        let mut written: Vec<schema::Bone<'static>> =
            root.iter().take(added).map(|name| schema::Bone::plain(text(name))).collect();
        for (index, (bone, local)) in bones.iter().zip(&setup).enumerate() {
            let parent = match bone.parent {
                Some(parent) => names.get(parent.index()),
                None => root.first().filter(|_| added > 0),
            };
            written.push(schema::Bone {
                parent: parent.cloned().map(text),
                length: number(lengths[index]),
                x: number(local.translation.x),
                y: number(local.translation.y),
                rotation: number(local.rotation),
                scale_x: number(local.scale.x),
                scale_y: number(local.scale.y),
                ..schema::Bone::plain(text(&names[index]))
            });
        }
        let mut rig = Self {
            bones: written,
            slots: Vec::new(),
            order: Vec::new(),
            states: stored.setup_states(),
            keys: Vec::new(),
            setup,
            added,
        };
        rig.add_slots(stored);
        rig
    }

    /// Returns the index of a model bone in the file; `None` is the static root.
    pub fn bone(&self, bone: Option<BoneId>) -> usize {
        bone.map_or(0, |bone| bone.index() + self.added)
    }

    /// Returns the name of a model bone in the file.
    pub fn bone_name(&self, bone: Option<BoneId>) -> &str {
        self.bones.get(self.bone(bone)).map_or("root", |bone| bone.name.as_str())
    }

    fn add_slots(&mut self, stored: &Stored<'_>) {
        let model = stored.model;
        let shown = |slot: &Slot| stored.mesh(slot).map(|mesh| mesh.name.to_string());
        let named = |key: String| if key.is_empty() { "mesh".to_owned() } else { key };
        self.keys = model.slots().iter().map(|slot| shown(slot).map(named)).collect();
        let mut order: Vec<usize> = (0..model.slots().len()).collect();
        order.sort_by_key(|&slot| self.states[slot].z_order);
        let names = distinct(order.iter().map(|&slot| &*model.slots()[slot].name), "slot");
        for (slot, name) in order.into_iter().zip(names) {
            let of_model = &model.slots()[slot];
            let attachment = self.keys[slot].clone().filter(|_| self.states[slot].is_visible);
            self.slots.push(schema::Slot {
                name: text(name),
                bone: text(self.bone_name(of_model.bone)),
                color: unless_white(of_model.tint.light),
                dark: of_model.tint.dark.map(|[r, g, b]| of_channels([r, g, b, 1.0])),
                attachment: attachment.map(text),
                blend: blend(of_model.blend),
                additive: false,
                visible: true,
            });
            self.order.push(SlotId::new(slot));
        }
    }
}

/// Converts to a 32-bit float; -0 becomes 0.
pub fn number(value: f64) -> Number {
    Number(value as f32 + 0.0)
}

/// Returns true if a root has to be added: a Spine skeleton has exactly one root, and vertices without a bone need
/// a static one.
fn needs_root(stored: &Stored<'_>) -> bool {
    let model = stored.model;
    let roots = model.skeleton().bones().iter().filter(|bone| bone.parent.is_none()).count();
    let stays = |pulls: &[Pull]| pulls.iter().any(|pull| pull.bone.is_none());
    let has_rest = || {
        let meshes = model.attachments().iter().filter_map(|attachment| attachment.mesh());
        meshes.into_iter().any(|mesh| stored.pulls(mesh).iter().any(|pulls| stays(pulls)))
    };
    roots != 1 || model.slots().iter().any(|slot| slot.bone.is_none()) || has_rest()
}

/// Scales below this count as 0, since values divided by them lose their precision.
const LEAST_SCALE: f64 = 1e-6;

/// Returns the setup transforms. Keys multiply the setup scale, so a scale of 0 that is animated is replaced by 1.
fn setup(stored: &Stored<'_>) -> Vec<Local> {
    let mut setup = stored.setup().to_vec();
    for (index, local) in setup.iter_mut().enumerate() {
        for axis in 0..2 {
            let rest = local.scale[axis];
            if rest.abs() >= LEAST_SCALE {
                continue;
            }
            let changes = |local: &Local| local.scale[axis] != rest;
            let animations = stored.animations();
            if animations.into_iter().any(|id| stored.track(id, BoneId::new(index)).iter().any(changes)) {
                local.scale[axis] = 1.0;
            }
        }
    }
    setup
}

/// Returns the length of each bone along its x axis: up to the farthest child joint ahead or, if there is none, up
/// to the farthest vertex. Only editors use the lengths.
fn lengths(stored: &Stored<'_>, setup: &[Local]) -> Vec<f64> {
    let ahead = |at: DVec2| if at.x > at.y.abs() { at.x } else { 0.0 };
    let mut lengths = vec![0.0_f64; setup.len()];
    for (bone, local) in stored.model.skeleton().bones().iter().zip(setup) {
        if let Some(parent) = bone.parent {
            lengths[parent.index()] = lengths[parent.index()].max(ahead(local.translation));
        }
    }
    let mut reach = vec![0.0_f64; setup.len()];
    for slot in stored.model.slots() {
        let Some(mesh) = slot.attachment.and_then(|id| stored.model.attachment(id).mesh()) else { continue };
        let Some(bone) = slot.bone else { continue };
        let Some(bone_from_bind) = stored.bone_from_bind(bone) else { continue };
        let on_bone = |pull: &&Pull| pull.bone == Some(bone);
        for pull in stored.pulls(mesh).iter().flatten().filter(on_bone) {
            let at = bone_from_bind.transform_point2(pull.position.as_dvec2());
            reach[bone.index()] = reach[bone.index()].max(at.x);
        }
    }
    lengths.iter().zip(reach).map(|(&length, reach)| if length > 0.0 { length } else { reach }).collect()
}
