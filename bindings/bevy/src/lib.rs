//! A [Bevy](bevy) plugin for the characters and sprite sheets that [pchr] reads.
//!
//! Add [`PchrPlugin`], and spawn [`Character2d`] with the handle of a file. When the file is loaded, the entity gets a
//! [`CharacterAnimator`], which plays it; [`CharacterEvent`]s report what happens. The origin of the character is at the
//! [`Transform`](bevy::prelude::Transform) of the entity; a world unit is a pixel of the file, y up.
//!
//! Colours are blended as the editors do, which is what [`CompositingSpace::Srgb`](bevy::camera::CompositingSpace) on the
//! camera asks for. Without it, translucent colours are blended in linear light.

mod asset;
mod draw;
mod material;
mod play;

use bevy::app::{App, Plugin, PostUpdate};
use bevy::asset::{AssetApp, AssetEventSystems, embedded_asset};
use bevy::camera::visibility::VisibilitySystems;
use bevy::ecs::schedule::{IntoScheduleConfigs, SystemSet};
use bevy::sprite_render::Material2dPlugin;
use bevy::transform::TransformSystems;

pub use asset::{CharacterAsset, CharacterLoader, LoadSettings};
pub use draw::SplitAt;
pub use material::PartMaterial;
pub use pchr;
pub use play::{Character2d, CharacterAnimator, CharacterEvent, Fired};

/// Loads, plays and draws characters.
#[derive(Debug, Clone, Copy, Default)]
pub struct PchrPlugin;

/// The systems of the plugin, in [`PostUpdate`] after transforms are propagated: animators advance by
/// [`Time`](bevy::time::Time), then their parts are drawn.
#[derive(Debug, Clone, PartialEq, Eq, Hash, SystemSet)]
pub struct CharacterSystems;

impl Plugin for PchrPlugin {
    fn build(&self, app: &mut App) {
        embedded_asset!(app, "part.wgsl");
        app.add_plugins(Material2dPlugin::<PartMaterial>::default())
            .init_asset::<CharacterAsset>()
            .init_asset_loader::<CharacterLoader>()
            .add_message::<CharacterEvent>()
            .configure_sets(
                PostUpdate,
                CharacterSystems
                    .after(TransformSystems::Propagate)
                    .before(AssetEventSystems)
                    .before(VisibilitySystems::CalculateBounds)
                    .before(VisibilitySystems::VisibilityPropagate),
            )
            .add_systems(PostUpdate, (play::start, play::update, draw::draw).chain().in_set(CharacterSystems));
    }
}
