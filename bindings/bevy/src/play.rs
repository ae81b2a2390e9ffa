//! Animators: started when their file is loaded, advanced each frame, with their events.

use std::sync::Arc;

use bevy::asset::{AsAssetId, AssetId, Assets, Handle};
use bevy::camera::visibility::Visibility;
use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use bevy::ecs::message::{Message, MessageWriter};
use bevy::ecs::system::{Commands, Query, Res};
use bevy::prelude::{AssetChanged, Changed, Deref, DerefMut, Or};
use bevy::time::Time;
use bevy::transform::components::{GlobalTransform, Transform};
use pchr::Animator;
use pchr::math::{Affine2, vec2};
use pchr::model::AnimationId;
use pchr::motion::FiredEvent;
use pchr::player::{EventKind, TrackEvent};

use crate::asset::CharacterAsset;
use crate::draw::Parts;

/// The character that an entity shows.
#[derive(Debug, Clone, PartialEq, Eq, Component)]
#[require(Transform, Visibility, Parts)]
pub struct Character2d(pub Handle<CharacterAsset>);

impl AsAssetId for Character2d {
    type Asset = CharacterAsset;

    fn as_asset_id(&self) -> AssetId<CharacterAsset> {
        self.0.id()
    }
}

/// Plays the [`Character2d`] of an entity. It is inserted when the file is loaded, so `Added<CharacterAnimator>` is the
/// place to start an animation; if the file changes, it goes on with the new one.
///
/// Its placement follows the `GlobalTransform` of the entity, and with it the physics of the character.
#[derive(Debug, Component, Deref, DerefMut)]
pub struct CharacterAnimator(pub Animator);

/// Something that happened on a track of an animator.
#[derive(Debug, Clone, PartialEq, Message)]
pub struct CharacterEvent {
    /// The entity of the animator.
    pub entity: Entity,
    /// The track.
    pub track: usize,
    /// The animation that it happened to. `None`: the empty one to which a track fades out.
    pub animation: Option<AnimationId>,
    /// What happened.
    pub kind: EventKind<Fired>,
}

/// An event that an animation fired.
#[derive(Debug, Clone, PartialEq)]
pub struct Fired {
    /// Its name.
    pub name: String,
    /// Integer payload.
    pub int: i32,
    /// Floating-point payload.
    pub float: f32,
    /// String payload.
    pub string: String,
    /// The name of its sound file.
    pub audio: Option<String>,
    /// Volume of its sound; 1 as recorded.
    pub volume: f32,
    /// Balance of its sound, -1 left to 1 right.
    pub balance: f32,
}

impl From<FiredEvent<'_>> for Fired {
    fn from(event: FiredEvent<'_>) -> Self {
        let FiredEvent { name, int, float, string, audio, volume, balance, .. } = event;
        let (name, string, audio) = (name.to_owned(), string.to_owned(), audio.map(str::to_owned));
        Self { name, int, float, string, audio, volume, balance }
    }
}

/// What has another character than before.
type Renewed = Or<(Changed<Character2d>, AssetChanged<Character2d>)>;

/// Gives entities whose file was loaded an animator.
pub fn start(
    mut commands: Commands,
    assets: Res<Assets<CharacterAsset>>,
    mut characters: Query<
        (Entity, &Character2d, &mut Parts, Option<&mut CharacterAnimator>, &GlobalTransform),
        Renewed,
    >,
) {
    for (entity, shown, mut parts, animator, place) in &mut characters {
        let Some(asset) = assets.get(&shown.0) else { continue };
        parts.pages.clone_from(&asset.pages);
        match animator {
            Some(mut animator) => animator.set_character(Arc::clone(&asset.character)),
            None => {
                let mut animator = Animator::new(Arc::clone(&asset.character));
                animator.teleport(placement(place));
                commands.entity(entity).try_insert(CharacterAnimator(animator));
            }
        }
    }
}

/// Lets time pass.
pub fn update(
    time: Res<Time>,
    mut animators: Query<(Entity, &mut CharacterAnimator, &GlobalTransform)>,
    mut events: MessageWriter<CharacterEvent>,
) {
    for (entity, mut animator, place) in &mut animators {
        animator.set_placement(placement(place));
        events.write_batch(animator.update(time.delta_secs_f64()).filter_map(
            |TrackEvent { track, animation, kind }| {
                let kind = kind.try_map(|fired| Some(fired.into()))?;
                Some(CharacterEvent { entity, track, animation, kind })
            },
        ));
    }
}

/// The part of a transform that is in the plane.
fn placement(place: &GlobalTransform) -> Affine2 {
    let affine = place.affine();
    let [x, y, _] = affine.matrix3.to_cols_array_2d().map(|[x, y, _]| vec2(x, y));
    let [left, up, _] = affine.translation.to_array();
    Affine2::from_cols(x, y, vec2(left, up))
}
