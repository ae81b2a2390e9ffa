//! Which keys of a file belong to a row of [`motion::keys`](crate::motion::keys).

use super::StatedKey;
use crate::model::{AttachmentId, BoneId, Constraint, ConstraintKind, Model};
use crate::motion::{KeyChannel, KeyTarget};

impl StatedKey<'_> {
    /// Returns true if it is a key of `channel` of `target`, as [`motion::keys`](crate::motion::keys) lists them, in any
    /// animation of Spine or SkelForm. A channel may have keys of several properties.
    ///
    /// # Panics
    ///
    /// Panics if `model` does not have `target`.
    #[track_caller]
    pub fn is_of(&self, model: &Model, target: KeyTarget, channel: KeyChannel) -> bool {
        let bone = |id: BoneId| self.target == "bone" && *self.name == *model.skeleton().bones()[id.index()].name;
        let is_target = match target {
            // Any bone of a chain of SkelForm can have its keys, which motion lists at its last bone.
            KeyTarget::Bone(id) if channel == KeyChannel::Ik => {
                let is_chain = |it: &&Constraint| it.kind == ConstraintKind::Ik && it.bones.last() == Some(&id);
                let chain = model.constraints().iter().find(is_chain);
                chain.map_or(bone(id), |chain| chain.bones.iter().copied().any(bone))
            }
            KeyTarget::Bone(id) => bone(id),
            KeyTarget::Slot(id) => {
                let slot = model.slot(id);
                // In SkelForm, bones have pictures.
                (self.target == "slot" && *self.name == *slot.name) || slot.bone.is_some_and(bone)
            }
            KeyTarget::Constraint(id) => {
                let constraint = model.constraint(id);
                *self.target == *constraint.kind.name() && *self.name == *constraint.name
            }
            KeyTarget::AllPhysics => self.target == "physics" && self.name.is_empty(),
            KeyTarget::DrawOrder | KeyTarget::Events => true,
        };
        let is_attachment = match channel {
            KeyChannel::Deform(id) | KeyChannel::Sequence(id) => self.animates(model, id),
            _ => true,
        };
        is_target && is_attachment && properties(channel).split(' ').any(|name| name == self.property)
    }

    /// Returns true if it names an attachment as its skins do.
    fn animates(&self, model: &Model, attachment: AttachmentId) -> bool {
        let skins = model.skins().iter().filter(|skin| self.skin.as_deref() == Some(&*skin.name));
        let mut entries = skins.flat_map(|skin| &skin.entries);
        entries.any(|entry| entry.attachment == attachment && self.attachment.as_deref() == Some(&*entry.key))
    }
}

/// The properties of a channel in the words of Spine and SkelForm.
fn properties(channel: KeyChannel) -> &'static str {
    match channel {
        KeyChannel::Rotation => "rotate Rotation",
        KeyChannel::Translation => "translate",
        KeyChannel::TranslationX => "translatex PositionX",
        KeyChannel::TranslationY => "translatey PositionY",
        KeyChannel::Scale => "scale",
        KeyChannel::ScaleX => "scalex ScaleX",
        KeyChannel::ScaleY => "scaley ScaleY",
        KeyChannel::Shear => "shear",
        KeyChannel::ShearX => "shearx",
        KeyChannel::ShearY => "sheary",
        // Until 3.4, a flip changes what the children inherit.
        KeyChannel::Inherit => "inherit flipX flipY",
        // Only atlases of Adobe Animate have these.
        KeyChannel::Frame => "",
        KeyChannel::Visibility => "Hidden",
        KeyChannel::Attachment => "attachment Texture",
        KeyChannel::Color => "color rgba rgb twoColor rgba2 rgb2 TintR TintG TintB TintA",
        KeyChannel::Alpha => "alpha",
        KeyChannel::Deform(_) => "deform ffd",
        KeyChannel::Sequence(_) => "sequence",
        KeyChannel::Ik => "ik IkConstraint IkMode MimicTarget",
        KeyChannel::Mix => "transform mix",
        KeyChannel::PathPosition => "position",
        KeyChannel::PathSpacing => "spacing",
        KeyChannel::PathMix => "mix",
        KeyChannel::Physics => "inertia strength damping mass wind gravity mix",
        KeyChannel::PhysicsReset => "reset",
        KeyChannel::SliderTime => "time",
        KeyChannel::DrawOrder => "drawOrder draworder drawOrderFolder Zindex",
        KeyChannel::Events => "events",
    }
}
