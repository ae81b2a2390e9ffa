//! A loaded character: its model and its motion.

use crate::error::{Error, Result};
use crate::model::Model;
use crate::motion::Motion;

/// A loaded, immutable character. Share it as `Arc<Character>`.
///
/// [`Character::open`] and [`Character::from_bytes`] read one from a file; [`Character::new`] needs none.
#[derive(Debug, Clone, Default)]
pub struct Character {
    model: Model,
    motion: Motion,
}

impl Character {
    /// Creates a character from a model and a motion that belongs to it: for characters that a program generates, and for
    /// readers of other formats. [`Sampled::from_frames`](crate::motion::Sampled::from_frames) makes a motion of stored
    /// frames, or of none for a character that the program poses by itself.
    ///
    /// ```
    /// use pchr::math::{Affine2, vec2};
    /// use pchr::model::{Attachment, Bone, Mesh, ModelBuilder, Indices, Influence, SkinNVertices, Slot};
    /// use pchr::motion::{BoneOverride, Motion, Sampled};
    /// use pchr::{Animator, Character};
    ///
    /// let mut builder = ModelBuilder::default();
    /// // Vertices are in the space of their bone.
    /// let bone = Bone { name: "arm".into(), bone_from_bind: Some(Affine2::IDENTITY), ..Bone::default() };
    /// let arm = builder.bone(bone)?;
    /// let mut vertices = SkinNVertices::default();
    /// for corner in [vec2(0.0, -2.0), vec2(40.0, 0.0), vec2(0.0, 2.0)] {
    ///     let influence = Influence { position: corner, bone: arm.index() as u32, weight: 1.0 };
    ///     vertices.push(vec2(0.0, 0.0), corner, &[influence])?;
    /// }
    /// let indices = Indices::from_triangles(&[[0, 1, 2]]);
    /// let outline = indices.boundary().into();
    /// let (name, vertices) = ("arm".into(), vertices.into());
    /// let mesh = Mesh { name, page: None, vertices, indices, tint: [1.0; 4], outline };
    /// let attachment = Some(builder.attachment(Attachment::Mesh(mesh))?);
    /// builder.slot(Slot { name: "arm".into(), bone: Some(arm), attachment, ..Slot::default() })?;
    /// let model = builder.build();
    /// let motion = Motion::Sampled(Sampled::from_frames(&model, &[Affine2::IDENTITY], &[]));
    /// let mut animator = Animator::new(Character::new(model, motion)?);
    /// animator.override_bone(BoneOverride { rotation_radians: Some(0.5), ..BoneOverride::new(arm) });
    /// animator.update(1.0 / 60.0);
    /// assert_eq!(animator.hit(vec2(20.0, 10.0)).map(|slot| slot.index()), Some(0));
    /// # Ok::<(), pchr::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the motion has other bones, slots, animations or constraints than the model, other numbers of frames, or
    /// numbers that are not finite.
    pub fn new(model: Model, motion: Motion) -> Result<Self> {
        match motion.misfit(&model) {
            Some(message) => Err(Error::misuse("motion-of-another-model", message)),
            None => Ok(Self::of(model, motion)),
        }
    }

    /// Creates a character. `motion` must belong to `model`.
    pub(crate) fn of(model: Model, motion: Motion) -> Self {
        Self { model, motion }
    }

    /// Returns the static parts: bones, slots, attachments, skins and the list of animations.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// See [`Animator::add_picture`](crate::Animator::add_picture).
    pub(crate) fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Returns the motion, in the terms of its format.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }
}
