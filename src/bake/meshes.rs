//! Skinned triangles → vertices authored in the bind pose, and the bones that control their visibility.
//!
//! A vertex of PCHR has one position for all its influences. If the influences have different positions, as in a
//! mesh that was not bound in the rest pose, helper bones of the mesh replace them: they differ from the original
//! bones only in the bind pose. Meshes without any bind pose are handled by `blend`. PCHR does not allow negative
//! weights either: such an influence follows a helper bone that moves a vertex opposite to its bone.

use std::collections::{BTreeMap, HashMap};

use super::blend::{Blended, Shared, blend, matrices};
use super::bones::{Alone, Bones, alone, matrix_of};
use super::sample::{Sampling, Visual};
use crate::formats::pchr::document::LongInfluences;
use crate::formats::pchr::influences::largest_four;
use crate::formats::pchr::schema::{self, BoneTransform};
use crate::math::{DVec2, Vec2};
use crate::model::{Influence, Mesh, Model, Vertices};

/// A mesh, its vertices and its helper bones.
pub struct Owned {
    vertices: Vec<Vertex>,
    /// The helper bones of this mesh.
    pub helpers: Vec<Helper>,
    /// Number of vertices with more than four influences, and the largest number of influences.
    pub cut: (usize, usize),
    /// The bones that move it.
    pub bones: Vec<usize>,
    /// By bone of the source: the helper that moves opposite to it.
    opposites: HashMap<usize, usize>,
}

/// A bone that belongs to one mesh.
pub struct Helper {
    pub above: Above,
    /// Bind pose, relative to its parent.
    pub bind: BoneTransform,
    /// By frame of the animations; empty if it only follows its parent.
    pub moves: Vec<BoneTransform>,
}

/// Parent of a helper bone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Above {
    Nothing,
    /// A bone of the source.
    Bone(usize),
    /// An earlier helper of the mesh, by index.
    Own(usize),
}

/// Mapping to bones of the output.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// By bone of the source.
    pub of: &'a [usize],
    /// Index of the mesh's first helper.
    pub first_helper: usize,
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
    /// A helper of the mesh, by index.
    Own(usize),
    /// Nothing.
    World,
}

/// Deviation of an influence's position in world pixels from which it gets a helper.
const PULLED: f64 = 0.002;
/// Maximum number of such helpers per character.
pub const MAX_PULLED: usize = 1024;

/// Total weights closer than this may be ordered differently by a reader.
const TIE: f64 = 1e-6;

/// Inputs of fitting meshes.
#[derive(Clone, Copy)]
pub struct Fit<'a> {
    pub sampling: &'a Sampling,
    pub bones: &'a Bones,
    /// Keeps influences beyond the fourth.
    pub keep_all_influences: bool,
}

impl Owned {
    pub fn new(model: &Model, shown: &Visual, fit: Fit<'_>, room: &mut usize) -> Self {
        let lists = lists(model, shown.mesh(model));
        let mut owned = Self {
            vertices: Vec::new(),
            helpers: Vec::new(),
            cut: (0, 0),
            bones: Vec::new(),
            opposites: HashMap::new(),
        };
        let mut blended = owned.blend(&lists, fit, room);
        for (vertex, (uv, list)) in lists.iter().enumerate() {
            match blended.remove(&vertex) {
                Some((position, movers)) if movers.len() > 4 && !fit.keep_all_influences => {
                    owned.count_cut(movers.len());
                    owned.push(*uv, position, cut(&movers));
                }
                Some((position, movers)) => owned.push(*uv, position, movers),
                None => owned.add(*uv, list, fit, room),
            }
        }
        owned.take_owners();
        owned
    }

    /// Handles the vertices that no single position represents in the rest pose, or that have too many influences,
    /// if all of their influences share one position. Returns by vertex its position and what moves it.
    fn blend(
        &mut self,
        lists: &[(Vec2, List)],
        fit: Fit<'_>,
        room: &mut usize,
    ) -> HashMap<usize, (DVec2, Vec<(Mover, f32)>)> {
        let Fit { sampling, bones, keep_all_influences } = fit;
        let mut shared = Vec::new();
        for (vertex, (_, list)) in lists.iter().enumerate() {
            let [(_, position, _), _, ..] = list[..] else { continue };
            let is_long = list.len() > 4 && !keep_all_influences;
            let is_needed = is_long || !Placed::new(list, bones).pulled.is_empty();
            let is_blend = |(_, other, weight): &(Mover, DVec2, f64)| *other == position && *weight > 0.0;
            if !is_needed || !list.iter().all(is_blend) {
                continue;
            }
            let weight = |&(mover, _, weight): &(Mover, DVec2, f64)| match mover {
                Mover::Bone(bone) => Some((bone, weight)),
                Mover::Own(_) | Mover::World => None,
            };
            if let Some(weights) = list.iter().map(weight).collect() {
                shared.push(Shared { vertex, position, weights });
            }
        }
        let Some(Blended { bind, bones, vertices }) = blend(&shared, sampling, keep_all_influences, *room) else {
            return HashMap::new();
        };
        let numbers: Vec<usize> = bones.into_iter().map(|bone| self.add_root(bind, bone)).collect();
        *room = room.saturating_sub(self.helpers.len());
        let bind = matrix_of(&bind);
        let placed = shared.iter().zip(vertices).map(|(shared, list)| {
            let movers = list.into_iter().map(|(number, weight)| (Mover::Own(numbers[number]), weight as f32));
            (shared.vertex, (bind.transform_point2(shared.position), movers.collect()))
        });
        placed.collect()
    }

    /// Adds a root and returns the index of the helper that vertices follow.
    fn add_root(&mut self, bind: BoneTransform, Alone { upper, lower }: Alone) -> usize {
        self.helpers.push(Helper { above: Above::Nothing, bind, moves: upper });
        if let Some(moves) = lower {
            let above = Above::Own(self.helpers.len() - 1);
            self.helpers.push(Helper { above, bind: BoneTransform::default(), moves });
        }
        self.helpers.len() - 1
    }

    /// Returns the helper that moves a vertex opposite to `bone`, or `None` if there is no room.
    fn opposite(&mut self, bone: usize, Fit { sampling, bones, .. }: Fit<'_>, room: &mut usize) -> Option<usize> {
        if let Some(number) = self.opposites.get(&bone) {
            return Some(*number);
        }
        // A sheared one takes two bones.
        let left = room.checked_sub(2)?;
        let count = sampling.world.len() / sampling.frames.len().max(1);
        let from_bind = bones.bind(bone).inverse();
        let wanted: Vec<_> =
            matrices(&[(bone, -1.0)], sampling, count).into_iter().map(|world| world * from_bind).collect();
        // Its bind pose is the identity, so that a vertex is at the bone's position there.
        let number = self.add_root(BoneTransform::default(), alone(&wanted));
        *room = left;
        self.opposites.insert(bone, number);
        Some(number)
    }

    fn count_cut(&mut self, influences: usize) {
        self.cut = (self.cut.0 + 1, self.cut.1.max(influences));
    }

    /// Adds a vertex if its position is finite.
    fn push(&mut self, uv: Vec2, position: DVec2, kept: Vec<(Mover, f32)>) {
        let position = position.as_vec2();
        let position = if position.is_finite() { position } else { Vec2::ZERO };
        let (influences, long) = if kept.len() <= 4 { (kept, Vec::new()) } else { (cut(&kept), kept) };
        self.vertices.push(Vertex { position, uv, influences, long });
    }

    fn add(&mut self, uv: Vec2, list: &List, fit: Fit<'_>, room: &mut usize) {
        let bones = fit.bones;
        let all: Vec<(usize, f32)> =
            list.iter().enumerate().map(|(at, &(_, _, weight))| (at, weight as f32)).collect();
        let kept = if all.len() <= 4 || fit.keep_all_influences { all } else { cut(&all) };
        if list.len() > 4 {
            self.count_cut(list.len());
        }
        let Placed { mut position, heaviest, mut pulled } = Placed::new(list, bones);
        if pulled.len() <= *room {
            position = if pulled.is_empty() { position } else { heaviest };
        } else {
            pulled.clear();
        }
        let mut movers = Vec::with_capacity(kept.len());
        for (at, weight) in kept {
            let (mut mover, local, _) = list[at];
            if let Mover::Bone(bone) = mover {
                let mut above = Above::Bone(bone);
                let mut shift = bones.bind(bone).inverse().transform_point2(position) - local;
                if weight < 0.0 {
                    let Some(number) = self.opposite(bone, fit, room) else { continue };
                    (above, mover) = (Above::Own(number), Mover::Own(number));
                    shift = position - bones.bind(bone).transform_point2(local);
                }
                if pulled.contains(&at)
                    && let Some(number) = self.shifted(above, shift, room)
                {
                    mover = Mover::Own(number);
                }
            } else if weight < 0.0 {
                // A fixed influence with negative weight has no effect; no reader produces it.
                continue;
            }
            movers.push((mover, weight.abs()));
        }
        self.push(uv, position, movers);
    }

    /// Returns the helper that follows `above`, offset by `shift` in the bind pose only.
    fn shifted(&mut self, above: Above, shift: DVec2, room: &mut usize) -> Option<usize> {
        let bind = at_place(shift.as_vec2());
        let is_known = |known: &Helper| known.above == above && known.bind == bind && known.moves.is_empty();
        if let Some(number) = self.helpers.iter().position(is_known) {
            return Some(number);
        }
        *room = room.checked_sub(1)?;
        self.helpers.push(Helper { above, bind, moves: Vec::new() });
        Some(self.helpers.len() - 1)
    }

    /// Replaces the bones that move the mesh most by helpers: one of them owns the mesh.
    fn take_owners(&mut self) {
        let mut totals: BTreeMap<Mover, f64> = BTreeMap::new();
        for vertex in &self.vertices {
            let list = if vertex.long.is_empty() { &vertex.influences } else { &vertex.long };
            list.iter().for_each(|&(mover, weight)| *totals.entry(mover).or_default() += f64::from(weight));
        }
        let bone = |mover: &Mover| match *mover {
            Mover::Bone(bone) => Some(bone),
            Mover::Own(number) => match self.helpers[number].above {
                Above::Bone(bone) => Some(bone),
                Above::Nothing | Above::Own(_) => None,
            },
            Mover::World => None,
        };
        self.bones = totals.keys().filter_map(bone).collect();
        let most = totals.values().fold(0.0, |most: f64, total| total.max(most));
        let mut owners = BTreeMap::new();
        for (&mover, &total) in &totals {
            // Vertices without bones are attached to a fixed bone.
            let above = match mover {
                Mover::Bone(bone) if total >= most * (1.0 - TIE) => Above::Bone(bone),
                Mover::World => Above::Nothing,
                Mover::Bone(_) | Mover::Own(_) => continue,
            };
            owners.insert(mover, Mover::Own(self.helpers.len()));
            self.helpers.push(Helper { above, bind: BoneTransform::default(), moves: Vec::new() });
        }
        for vertex in &mut self.vertices {
            for (mover, _) in vertex.influences.iter_mut().chain(&mut vertex.long) {
                *mover = owners.get(mover).copied().unwrap_or(*mover);
            }
        }
    }

    /// Returns the mesh as stored.
    pub fn packed(&self, name: &str, image: u16, source: &Mesh, places: Places<'_>) -> schema::Mesh {
        let vertices: Vec<schema::Vertex> = self
            .vertices
            .iter()
            .map(|vertex| {
                let numbered = numbered(&vertex.influences, places);
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

    /// Returns the vertices with more influences than the record can hold.
    pub fn long_influences(&self, mesh: usize, places: Places<'_>) -> impl Iterator<Item = LongInfluences> {
        let long = self.vertices.iter().enumerate().filter(|(_, vertex)| !vertex.long.is_empty());
        long.map(move |(vertex, entry)| LongInfluences { mesh, vertex, influences: numbered(&entry.long, places) })
    }
}

/// What moves a vertex: each mover once, with the vertex's position in its space and the weight.
type List = Vec<(Mover, DVec2, f64)>;

/// Position of a vertex in the bind pose.
struct Placed {
    /// Weighted mean of the positions of its influences.
    position: DVec2,
    /// Position according to the heaviest influence.
    heaviest: DVec2,
    /// Influences whose position differs.
    pulled: Vec<usize>,
}

impl Placed {
    fn new(list: &List, bones: &Bones) -> Self {
        let place = |&(mover, position, weight): &(Mover, DVec2, f64)| match mover {
            Mover::Bone(bone) => (bones.bind(bone).transform_point2(position), weight),
            Mover::Own(_) | Mover::World => (position, weight),
        };
        let placed: Vec<(DVec2, f64)> = list.iter().map(place).collect();
        let total: f64 = placed.iter().map(|(_, weight)| weight).sum();
        let position = placed.iter().map(|(position, weight)| *position * *weight).sum::<DVec2>() / total;
        // A position shared by several influences; the heaviest, so that the fewest need a helper.
        let heavier = |most: (DVec2, f64), &(position, weight): &(DVec2, f64)| {
            if weight.abs() > most.1 { (position, weight.abs()) } else { most }
        };
        let (heaviest, _) = placed.iter().fold((DVec2::ZERO, 0.0), heavier);
        // Weights that cancel each other have no mean.
        let position = if position.is_finite() { position } else { heaviest };
        let is_pulled =
            |&(position, weight): &(DVec2, f64)| (position - heaviest).length() * (weight / total).abs() > PULLED;
        let pulled = (0..placed.len()).filter(|&at| is_pulled(&placed[at])).collect();
        Self { position, heaviest, pulled }
    }
}

fn at_place(Vec2 { x, y }: Vec2) -> BoneTransform {
    BoneTransform { x, y, ..BoneTransform::default() }
}

/// Returns by vertex its texture coordinates and influences.
fn lists(model: &Model, mesh: &Mesh) -> Vec<(Vec2, List)> {
    match &mesh.vertices {
        Vertices::SkinN(vertices) => {
            let influence = |influence: &Influence| {
                let bone = (influence.bone != Influence::NO_BONE).then_some(influence.bone as usize);
                (bone, influence.position, influence.weight)
            };
            let list = |influences: &[Influence]| collect(model, influences.iter().map(influence));
            vertices.iter().map(|vertex| (vertex.uv, list(vertex.influences))).collect()
        }
        Vertices::Skin4(vertices) => {
            let list = |vertex: crate::model::Skin4Vertex| {
                let influences = vertex.bone_ids.iter().zip(&vertex.bone_weights);
                // In the four-influence form a negative weight counts as 0.
                let influence =
                    |(bone, weight): (&u16, &f32)| (Some(usize::from(*bone)), vertex.position, weight.max(0.0));
                let mut list = collect(model, influences.map(influence));
                if list.is_empty() {
                    list.push((Mover::World, vertex.position.as_dvec2(), 1.0));
                }
                (vertex.uv, list)
            };
            vertices.iter().map(list).collect()
        }
    }
}

/// Collects the influences of a vertex, each bone once, with positions in the space of the bone.
fn collect(model: &Model, influences: impl Iterator<Item = (Option<usize>, Vec2, f32)>) -> List {
    let mut list = List::new();
    for (bone, position, weight) in influences.filter(|(_, _, weight)| *weight != 0.0) {
        let bone_from_bind = bone.and_then(|bone| model.skeleton().bones()[bone].bone_from_bind);
        // A bone without an inverse bind pose moves nothing.
        let (mover, position) = match (bone, bone_from_bind) {
            (Some(bone), Some(matrix)) => {
                (Mover::Bone(bone), matrix.as_daffine2().transform_point2(position.as_dvec2()))
            }
            _ => (Mover::World, position.as_dvec2()),
        };
        list.push((mover, position, f64::from(weight)));
    }
    // Repeated bones use the mean of their positions. Negative weights are kept separately.
    list.sort_by_key(|(mover, _, weight)| (*mover, *weight < 0.0));
    list.dedup_by(|(other, position, weight), (mover, mean, total)| {
        let is_same = other == mover && (*weight < 0.0) == (*total < 0.0);
        if is_same {
            *mean = (*mean * *total + *position * *weight) / (*total + *weight);
            *total += *weight;
        }
        is_same
    });
    list
}

/// Keeps the four heaviest influences, as PCHR does. If some are negative they keep the total weight.
fn cut<T: Copy>(all: &[(T, f32)]) -> Vec<(T, f32)> {
    // Indexed by position in the list instead of by bone.
    let places: Vec<(u16, f32)> =
        all.iter().enumerate().map(|(at, (_, weight))| (at as u16, weight.abs())).collect();
    let (places, weights) = largest_four(&places);
    let chosen = || places.iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
    if all.iter().all(|(_, weight)| *weight >= 0.0) {
        return chosen().map(|(at, weight)| (all[usize::from(*at)].0, weight)).collect();
    }
    let chosen: Vec<(T, f32)> = chosen().map(|(at, _)| all[usize::from(*at)]).collect();
    let sum = |list: &[(T, f32)]| list.iter().map(|(_, weight)| weight).sum::<f32>();
    let factor = Some(sum(all) / sum(&chosen)).filter(|factor| factor.is_finite() && *factor > 0.0).unwrap_or(1.0);
    chosen.into_iter().map(|(of, weight)| (of, weight * factor)).collect()
}

/// Returns the influences with bone numbers of the output.
fn numbered(influences: &[(Mover, f32)], places: Places<'_>) -> Vec<(u16, f32)> {
    let number = |&(mover, weight): &(Mover, f32)| match mover {
        Mover::Bone(bone) => (places.of[bone] as u16, weight),
        Mover::Own(number) => ((places.first_helper + number) as u16, weight),
        // Already replaced by a helper.
        Mover::World => (0, 0.0),
    };
    influences.iter().map(number).collect()
}
