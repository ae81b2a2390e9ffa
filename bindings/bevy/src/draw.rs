//! Animators → meshes: each batch of a character is a child entity.

use std::iter::zip;

use bevy::asset::{Assets, Handle, RenderAssetUsages};
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::{NoAutoAabb, RenderLayers, Visibility};
use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use bevy::ecs::hierarchy::ChildOf;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::{Commands, Local, Query, ResMut, SystemParam};
use bevy::image::Image;
use bevy::math::Vec3;
use bevy::mesh::{Indices, Mesh, Mesh2d, PrimitiveTopology, VertexAttributeValues};
use bevy::sprite_render::MeshMaterial2d;
use bevy::transform::components::{GlobalTransform, Transform};
use pchr::draw::{Batch, BatchVertex, Batches, DrawList, View};
use pchr::math::Vec2;
use pchr::model::SlotId;

use crate::asset::texture;
use crate::material::{DARK, LIGHT, PartMaterial, clip_texture};
use crate::play::CharacterAnimator;

/// Leaves room between the parts of a character: those up to and including this slot are drawn below z 0.4, the others
/// from z 0.6, so what has z 0.5 is between them. All z are relative to the character, whose parts are within 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Component)]
pub struct SplitAt(pub SlotId);

/// The depth of the parts behind the split, and of those in front of it.
const DEPTHS: [f32; 2] = [0.0, 0.6];
/// How much depth each half takes.
const DEPTH: f32 = 0.4;

/// What shows a character: one part for each batch, and the textures of the pages, also of those that the animator has
/// added.
#[derive(Debug, Default, Component)]
pub struct Parts {
    parts: Vec<Part>,
    pub pages: Vec<Handle<Image>>,
}

#[derive(Debug)]
struct Part {
    entity: Entity,
    mesh: Handle<Mesh>,
    material: Handle<PartMaterial>,
    /// The corners of the polygon that the material clips to.
    clip: Vec<Vec2>,
}

/// Memory that is used for one character after the other.
#[derive(Default)]
pub struct Scratch {
    lists: [DrawList; 2],
    batches: [Batches; 2],
}

/// Where parts are kept.
#[derive(SystemParam)]
pub struct Stores<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<PartMaterial>>,
    images: ResMut<'w, Assets<Image>>,
}

/// A character in the world.
#[derive(QueryData)]
#[query_data(mutable)]
pub struct Shown {
    entity: Entity,
    animator: &'static CharacterAnimator,
    parts: &'static mut Parts,
    split: Option<&'static SplitAt>,
    layers: Option<&'static RenderLayers>,
    place: &'static GlobalTransform,
}

/// Shows the parts of all characters.
pub fn draw(
    mut commands: Commands,
    mut stores: Stores,
    mut scratch: Local<Scratch>,
    mut characters: Query<Shown>,
) {
    let Scratch { lists, batches } = &mut *scratch;
    for mut shown in &mut characters {
        let model = shown.animator.model();
        build(&shown, lists);
        let Parts { parts, pages } = &mut *shown.parts;
        pages.extend(model.page_ids().skip(pages.len()).map(|page| stores.images.add(texture(model, page, None))));
        let mut used = 0;
        for ((batches, list), depth) in zip(zip(&mut *batches, &*lists), DEPTHS) {
            batches.build(model, list);
            let step = DEPTH / batches.batches().len().max(1) as f32;
            for (index, batch) in batches.batches().iter().enumerate() {
                let page = batch.page.and_then(|page| pages.get(page.index()));
                let material = PartMaterial { page: page.cloned(), clip: None, blend: batch.blend.into() };
                let z = shown.place.translation().z + depth + step * index as f32;
                let part = part(&mut commands, parts, used, shown.entity, &mut stores);
                part.show(&mut commands, batches, batch, material, z, &mut stores);
                let mut entity = commands.entity(part.entity);
                match shown.layers {
                    Some(layers) => entity.try_insert(layers.clone()),
                    None => entity.try_remove::<RenderLayers>(),
                };
                used += 1;
            }
        }
        for part in &parts[used..] {
            commands.entity(part.entity).try_insert(Visibility::Hidden);
        }
    }
}

/// Builds what is behind the split, or all, and what is in front of it.
fn build(shown: &ShownItem<'_, '_>, [behind, front]: &mut [DrawList; 2]) {
    // Only outlines of meshes without a picture depend on the view.
    let view = View::new(1, 1, Vec2::ZERO, 1.0);
    let animator = &shown.animator;
    let split = shown.split.map(|SplitAt(slot)| animator.build_draw_list_around(*slot, &view, behind, front));
    if !matches!(split, Some(Ok(()))) {
        animator.build_draw_list(&view, behind);
        *front = DrawList::default();
    }
}

/// The part with this number; spawned if there is none, or someone has despawned it.
fn part<'a>(
    commands: &mut Commands<'_, '_>,
    parts: &'a mut Vec<Part>,
    number: usize,
    character: Entity,
    stores: &mut Stores,
) -> &'a mut Part {
    if number == parts.len() {
        let material = PartMaterial { page: None, clip: None, blend: Default::default() };
        let mesh = stores.meshes.reserve_handle();
        let material = stores.materials.add(material);
        parts.push(Part { entity: Entity::PLACEHOLDER, mesh, material, clip: Vec::new() });
    }
    let part = &mut parts[number];
    if commands.get_spawned_entity(part.entity).is_err() {
        let (mesh, material) = (Mesh2d(part.mesh.clone()), MeshMaterial2d(part.material.clone()));
        part.entity = commands.spawn((mesh, material, NoAutoAabb, ChildOf(character))).id();
    }
    part
}

impl Part {
    /// Shows a batch. `material` is that of the batch, without its polygon.
    fn show(
        &mut self,
        commands: &mut Commands<'_, '_>,
        batches: &Batches,
        batch: &Batch,
        mut material: PartMaterial,
        z: f32,
        stores: &mut Stores,
    ) {
        let vertices = batches.vertices_of(batch);
        let indices = batches.indices_of(batch).iter().map(|index| index - batch.vertices.start).collect();
        // The handle is strong, so its asset exists or can be inserted.
        _ = stores.meshes.insert(&self.mesh, mesh(vertices, indices));
        let old = stores.materials.get(&self.material);
        if let Some(clip) = batch.clip.and_then(|clip| batches.clips().get(clip as usize)) {
            let points = batches.points_of(clip);
            material.clip = old.and_then(|old| old.clip.clone()).filter(|_| self.clip == points);
            if material.clip.is_none() {
                self.clip = points.to_owned();
                material.clip = Some(stores.images.add(clip_texture(points)));
            }
        }
        if old != Some(&material) {
            _ = stores.materials.insert(&self.material, material);
        }
        // Vertices are in the world already: what the part inherits from the character is overwritten.
        let place = Transform::from_xyz(0.0, 0.0, z);
        let bounds = Aabb::enclosing(vertices.iter().map(at)).unwrap_or_default();
        let visibility = Visibility::Inherited;
        commands.entity(self.entity).try_insert((place, GlobalTransform::from(place), bounds, visibility));
    }
}

fn at(vertex: &BatchVertex) -> Vec3 {
    Vec3::new(vertex.position.x, vertex.position.y, 0.0)
}

/// The mesh of a batch, in world pixels. It goes to the GPU and is not kept.
fn mesh(vertices: &[BatchVertex], indices: Vec<u32>) -> Mesh {
    let positions = vertices.iter().map(|vertex| at(vertex).to_array()).collect::<Vec<_>>();
    let uvs = vertices.iter().map(|vertex| vertex.uv.to_array()).collect::<Vec<_>>();
    let colors =
        |color: fn(&BatchVertex) -> [u8; 4]| VertexAttributeValues::Unorm8x4(vertices.iter().map(color).collect());
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
        .with_inserted_attribute(LIGHT, colors(|vertex| vertex.light))
        .with_inserted_attribute(DARK, colors(|vertex| vertex.dark))
        .with_inserted_indices(Indices::U32(indices))
}
