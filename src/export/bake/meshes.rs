//! Skinned triangles → vertices that are authored in the bind pose, and the bones that say when they are seen.
//!
//! A vertex of PCHR has one position for all its influences. Where these have positions of their own, as when a mesh
//! was bound in another pose than the rest pose, it is their weighted mean.

use super::bones::{Bones, double};
use super::sample::Visual;
use crate::error::{Error, Place, Result};
use crate::formats::pchr::document::{LongInfluences, heaviest_four};
use crate::formats::pchr::schema;
use crate::math::{DVec2, Vec2};
use crate::model::{Influence, Mesh, Model, Vertices};

/// A mesh, its vertices and bones of its own.
pub struct Owned {
    vertices: Vec<Vertex>,
    /// The bones that this mesh has for itself: what each copies, `None` for the world.
    pub helpers: Vec<Option<usize>>,
    /// Vertices that had more than four influences, and how many these had at most.
    pub cut: (usize, usize),
    /// The bones that move it.
    pub bones: Vec<usize>,
}

struct Vertex {
    position: Vec2,
    uv: Vec2,
    influences: Vec<(Mover, f32)>,
    long: Vec<(Mover, f32)>,
}

/// What moves a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mover {
    /// A bone of the source.
    Bone(usize),
    /// A bone that the mesh has for itself, by number.
    Own(usize),
    /// Nothing.
    World,
}

/// Of total weights that differ by less the reader may find another one to be the largest.
const TIE: f64 = 1e-6;

impl Owned {
    pub fn new(
        model: &Model,
        shown: &Visual,
        visual: usize,
        bones: &Bones,
        keeps_influences: bool,
    ) -> Result<Self> {
        let mesh = shown.mesh(model);
        let mut owned = Self { vertices: Vec::new(), helpers: Vec::new(), cut: (0, 0), bones: Vec::new() };
        let mut list = Vec::new();
        match &mesh.vertices {
            Vertices::SkinN(vertices) => {
                for vertex in vertices.iter() {
                    let influence = |influence: &Influence| {
                        let bone = (influence.bone != Influence::NO_BONE).then_some(influence.bone as usize);
                        (bone, influence.position, influence.weight)
                    };
                    collect(model, vertex.influences.iter().map(influence), &mut list);
                    owned.add(vertex.uv, &list, bones, keeps_influences);
                }
            }
            Vertices::Skin4(vertices) => {
                for vertex in vertices.iter() {
                    let influences = vertex.bone_ids.iter().zip(&vertex.bone_weights);
                    let influence =
                        |(bone, weight): (&u16, &f32)| (Some(usize::from(*bone)), vertex.position, *weight);
                    collect(model, influences.map(influence), &mut list);
                    if list.is_empty() {
                        list.push((Mover::World, vertex.position.as_dvec2(), 1.0));
                    }
                    owned.add(vertex.uv, &list, bones, keeps_influences);
                }
            }
        }
        owned.take_owners();
        let last = model.skeleton().bones().len() + owned.helpers.len() + visual;
        if last > usize::from(u16::MAX) {
            let message = format!("bones and meshes are too many, together {} fit", u16::MAX);
            return Err(Error::unsupported("too-many", Place::default(), message));
        }
        Ok(owned)
    }

    fn add(&mut self, uv: Vec2, list: &[(Mover, DVec2, f64)], bones: &Bones, keeps_influences: bool) {
        let bind = |&(mover, position, _): &(Mover, DVec2, f64)| match mover {
            Mover::Bone(bone) => bones.bind(bone).transform_point2(position),
            Mover::Own(_) | Mover::World => position,
        };
        let total: f64 = list.iter().map(|(_, _, weight)| weight).sum();
        let sum: DVec2 = list.iter().map(|entry| bind(entry) * entry.2).sum();
        let position = (sum / total).as_vec2();
        let all: Vec<(Mover, f32)> = list.iter().map(|&(mover, _, weight)| (mover, weight as f32)).collect();
        let (influences, long) = if all.len() <= 4 {
            (all, Vec::new())
        } else {
            self.cut = (self.cut.0 + 1, self.cut.1.max(all.len()));
            (cut(&all), if keeps_influences { all } else { Vec::new() })
        };
        let position = if position.is_finite() { position } else { Vec2::ZERO };
        self.vertices.push(Vertex { position, uv, influences, long });
    }

    /// Lets the bones that move the mesh most be its own: one of them owns it.
    fn take_owners(&mut self) {
        let mut totals: Vec<(Mover, f64)> = Vec::new();
        for vertex in &self.vertices {
            let list = if vertex.long.is_empty() { &vertex.influences } else { &vertex.long };
            for &(mover, weight) in list {
                match totals.iter_mut().find(|(known, _)| *known == mover) {
                    Some((_, total)) => *total += f64::from(weight),
                    None => totals.push((mover, weight.into())),
                }
            }
        }
        let bone = |(mover, _): &(Mover, f64)| if let Mover::Bone(bone) = mover { Some(*bone) } else { None };
        self.bones = totals.iter().filter_map(bone).collect();
        let most = totals.iter().fold(0.0, |most: f64, (_, total)| total.max(most));
        // What nothing moves is said by a bone that stays where it is.
        let is_owner = |&&(mover, total): &&(Mover, f64)| total >= most * (1.0 - TIE) || mover == Mover::World;
        let owners: Vec<Mover> = totals.iter().filter(is_owner).map(|(mover, _)| *mover).collect();
        for (number, owner) in owners.into_iter().enumerate() {
            self.helpers.push(if let Mover::Bone(bone) = owner { Some(bone) } else { None });
            for vertex in &mut self.vertices {
                let all = vertex.influences.iter_mut().chain(&mut vertex.long);
                all.filter(|(mover, _)| *mover == owner).for_each(|(mover, _)| *mover = Mover::Own(number));
            }
        }
    }

    /// As it is stored, where its own bones begin at `first_helper`.
    pub fn packed(&self, name: &str, image: u16, source: &Mesh, first_helper: usize) -> schema::Mesh {
        let vertices: Vec<schema::Vertex> = self
            .vertices
            .iter()
            .map(|vertex| {
                let numbered = numbered(&vertex.influences, first_helper);
                let get = |at: usize| numbered.get(at).copied().unwrap_or_default();
                schema::Vertex {
                    x: vertex.position.x,
                    y: vertex.position.y,
                    u: vertex.uv.x,
                    v: vertex.uv.y,
                    bone_ids: std::array::from_fn(|at| get(at).0),
                    bone_weights: std::array::from_fn(|at| get(at).1),
                }
            })
            .collect();
        let indices: Vec<u16> = source.indices.triangles().flatten().collect();
        schema::Mesh::new(name, image, &vertices, &indices)
    }

    /// The vertices whose influences are too many for the record.
    pub fn long_influences(&self, mesh: usize, first_helper: usize) -> impl Iterator<Item = LongInfluences> {
        let long = self.vertices.iter().enumerate().filter(|(_, vertex)| !vertex.long.is_empty());
        long.map(move |(vertex, entry)| LongInfluences {
            mesh,
            vertex,
            influences: numbered(&entry.long, first_helper),
        })
    }
}

/// The influences that move a vertex, each bone once, its positions in the space of the bone.
fn collect(
    model: &Model,
    influences: impl Iterator<Item = (Option<usize>, Vec2, f32)>,
    list: &mut Vec<(Mover, DVec2, f64)>,
) {
    list.clear();
    for (bone, position, weight) in influences.filter(|(_, _, weight)| *weight > 0.0) {
        let bone_from_bind = bone.and_then(|bone| model.skeleton().bones()[bone].bone_from_bind);
        // A bone without an inverse bind pose moves nothing.
        let (mover, position) = match (bone, bone_from_bind) {
            (Some(bone), Some(matrix)) => {
                (Mover::Bone(bone), double(matrix).transform_point2(position.as_dvec2()))
            }
            _ => (Mover::World, position.as_dvec2()),
        };
        let weight = f64::from(weight);
        match list.iter_mut().find(|(known, _, _)| *known == mover) {
            Some((_, mean, total)) => {
                *mean = (*mean * *total + position * weight) / (*total + weight);
                *total += weight;
            }
            None => list.push((mover, position, weight)),
        }
    }
}

/// The four heaviest, as PCHR takes them.
fn cut(all: &[(Mover, f32)]) -> Vec<(Mover, f32)> {
    // By place in the list instead of by bone.
    let places: Vec<(u16, f32)> = all.iter().enumerate().map(|(at, (_, weight))| (at as u16, *weight)).collect();
    let (places, weights) = heaviest_four(&places);
    places.iter().zip(weights).map(|(at, weight)| (all[usize::from(*at)].0, weight)).collect()
}

/// With the numbers of bones.
fn numbered(influences: &[(Mover, f32)], first_helper: usize) -> Vec<(u16, f32)> {
    let number = |&(mover, weight): &(Mover, f32)| match mover {
        Mover::Bone(bone) => (bone as u16, weight),
        Mover::Own(number) => ((first_helper + number) as u16, weight),
        // Every such influence has got a bone of the mesh's own.
        Mover::World => (0, 0.0),
    };
    influences.iter().map(number).collect()
}
