//! Skinned triangles → vertices that are authored in the bind pose, and the bones that say when they are seen.
//!
//! A vertex of PCHR has one position for all its influences. Where these have positions of their own, as when a mesh
//! was bound in another pose than the rest pose, bones of the mesh's own stand in: they are elsewhere in the bind
//! pose, and nowhere else. Where there was no bind pose at all, see `blend`. A weight of PCHR is not negative either:
//! such an influence follows a bone of the mesh's own that moves a vertex to the opposite of where its bone does.

use std::collections::{BTreeMap, HashMap};

use super::blend::{Blended, Shared, blend, matrices};
use super::bones::{Alone, Bones, alone, double, matrix_of};
use super::sample::{Sampling, Visual};
use crate::formats::pchr::document::{LongInfluences, heaviest_four};
use crate::formats::pchr::schema::{self, BoneTransform};
use crate::math::{DVec2, Vec2};
use crate::model::{Influence, Mesh, Model, Vertices};

/// A mesh, its vertices and bones of its own.
pub struct Owned {
    vertices: Vec<Vertex>,
    /// The bones that this mesh has for itself.
    pub helpers: Vec<Helper>,
    /// Vertices that had more than four influences, and how many these had at most.
    pub cut: (usize, usize),
    /// The bones that move it.
    pub bones: Vec<usize>,
    /// By bone of the source: the helper that moves opposite to it.
    opposites: HashMap<usize, usize>,
}

/// A bone that a mesh has for itself.
pub struct Helper {
    pub above: Above,
    /// In the bind pose, in the space of that.
    pub bind: BoneTransform,
    /// By frame of the animations; nothing for one that only goes along.
    pub moves: Vec<BoneTransform>,
}

/// What a bone of a mesh hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Above {
    Nothing,
    /// A bone of the source.
    Bone(usize),
    /// An earlier one of the mesh, by number.
    Own(usize),
}

/// Which bones of the output are meant.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// By bone of the source.
    pub of: &'a [usize],
    /// The first of the mesh's own.
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
    /// A bone that the mesh has for itself, by number.
    Own(usize),
    /// Nothing.
    World,
}

/// World pixels by which an influence may pull a vertex elsewhere before it gets a bone for that.
const PULLED: f64 = 0.002;
/// More such bones than this are not made for a character.
pub const MAX_PULLED: usize = 1024;

/// Of total weights that differ by less the reader may find another one to be the largest.
const TIE: f64 = 1e-6;

/// What meshes are fitted to.
#[derive(Clone, Copy)]
pub struct Fit<'a> {
    pub sampling: &'a Sampling,
    pub bones: &'a Bones,
    /// Influences beyond the fourth are kept.
    pub keeps_influences: bool,
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
                Some((position, movers)) if movers.len() > 4 && !fit.keeps_influences => {
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

    /// The vertices that no one position says in the rest pose, or that too many bones move, as far as all of their
    /// influences have them in the same place: by vertex where it is and what moves it.
    fn blend(
        &mut self,
        lists: &[(Vec2, List)],
        fit: Fit<'_>,
        room: &mut usize,
    ) -> HashMap<usize, (DVec2, Vec<(Mover, f32)>)> {
        let Fit { sampling, bones, keeps_influences } = fit;
        let mut shared = Vec::new();
        for (vertex, (_, list)) in lists.iter().enumerate() {
            let [(_, position, _), _, ..] = list[..] else { continue };
            let is_long = list.len() > 4 && !keeps_influences;
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
        let Some(Blended { bind, bones, vertices }) = blend(&shared, sampling, keeps_influences, *room) else {
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

    /// Adds what moves alone, and gives the number of the helper that vertices follow.
    fn add_root(&mut self, bind: BoneTransform, Alone { upper, lower }: Alone) -> usize {
        self.helpers.push(Helper { above: Above::Nothing, bind, moves: upper });
        if let Some(moves) = lower {
            let above = Above::Own(self.helpers.len() - 1);
            self.helpers.push(Helper { above, bind: BoneTransform::default(), moves });
        }
        self.helpers.len() - 1
    }

    /// The helper that moves a vertex to the opposite of where `bone` does; `None` where there is no room for it.
    fn opposite(&mut self, bone: usize, Fit { sampling, bones, .. }: Fit<'_>, room: &mut usize) -> Option<usize> {
        if let Some(number) = self.opposites.get(&bone) {
            return Some(*number);
        }
        // One that shears is two bones.
        let left = room.checked_sub(2)?;
        let count = sampling.world.len() / sampling.frames.len().max(1);
        let from_bind = bones.bind(bone).inverse();
        let wanted: Vec<_> =
            matrices(&[(bone, -1.0)], sampling, count).into_iter().map(|world| world * from_bind).collect();
        // It is nowhere in the bind pose, so that what it moves is where the bone has it there.
        let number = self.add_root(BoneTransform::default(), alone(&wanted));
        *room = left;
        self.opposites.insert(bone, number);
        Some(number)
    }

    fn count_cut(&mut self, influences: usize) {
        self.cut = (self.cut.0 + 1, self.cut.1.max(influences));
    }

    /// Adds a vertex as far as it is somewhere.
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
        let kept = if all.len() <= 4 || fit.keeps_influences { all } else { cut(&all) };
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
                // Nothing that stays where it is pulls the other way: no reader makes it.
                continue;
            }
            movers.push((mover, weight.abs()));
        }
        self.push(uv, position, movers);
    }

    /// The helper that goes along with `above`, `shift` away from it in the bind pose alone.
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

    /// Lets the bones that move the mesh most be its own: one of them owns it.
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
            // What nothing moves is said by a bone that stays where it is.
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

    /// As it is stored.
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

    /// The vertices whose influences are too many for the record.
    pub fn long_influences(&self, mesh: usize, places: Places<'_>) -> impl Iterator<Item = LongInfluences> {
        let long = self.vertices.iter().enumerate().filter(|(_, vertex)| !vertex.long.is_empty());
        long.map(move |(vertex, entry)| LongInfluences { mesh, vertex, influences: numbered(&entry.long, places) })
    }
}

/// What moves a vertex: each mover once, where the vertex is in its space, and the weight.
type List = Vec<(Mover, DVec2, f64)>;

/// Where a vertex is in the bind pose.
struct Placed {
    /// In the middle of what its influences say.
    position: DVec2,
    /// Where the heaviest has it.
    heaviest: DVec2,
    /// Those in the list that have it elsewhere.
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
        // One of those that the others come to; the heaviest, so that fewest need a bone.
        let heavier = |most: (DVec2, f64), &(position, weight): &(DVec2, f64)| {
            if weight.abs() > most.1 { (position, weight.abs()) } else { most }
        };
        let (heaviest, _) = placed.iter().fold((DVec2::ZERO, 0.0), heavier);
        // Of weights that cancel each other there is no middle.
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

/// By vertex where it is in its picture, and what moves it.
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
                // Of four a negative weight counts as 0.
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

/// The influences that move a vertex, each bone once, its positions in the space of the bone.
fn collect(model: &Model, influences: impl Iterator<Item = (Option<usize>, Vec2, f32)>) -> List {
    let mut list = List::new();
    for (bone, position, weight) in influences.filter(|(_, _, weight)| *weight != 0.0) {
        let bone_from_bind = bone.and_then(|bone| model.skeleton().bones()[bone].bone_from_bind);
        // A bone without an inverse bind pose moves nothing.
        let (mover, position) = match (bone, bone_from_bind) {
            (Some(bone), Some(matrix)) => {
                (Mover::Bone(bone), double(matrix).transform_point2(position.as_dvec2()))
            }
            _ => (Mover::World, position.as_dvec2()),
        };
        list.push((mover, position, f64::from(weight)));
    }
    // A bone that is there several times pulls at the mean of its places. What it pushes away is apart.
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

/// The four heaviest, as PCHR takes them. With negative ones among them they have the sum of all as well.
fn cut<T: Copy>(all: &[(T, f32)]) -> Vec<(T, f32)> {
    // By place in the list instead of by bone.
    let places: Vec<(u16, f32)> =
        all.iter().enumerate().map(|(at, (_, weight))| (at as u16, weight.abs())).collect();
    let (places, weights) = heaviest_four(&places);
    let chosen = || places.iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
    if all.iter().all(|(_, weight)| *weight >= 0.0) {
        return chosen().map(|(at, weight)| (all[usize::from(*at)].0, weight)).collect();
    }
    let chosen: Vec<(T, f32)> = chosen().map(|(at, _)| all[usize::from(*at)]).collect();
    let sum = |list: &[(T, f32)]| list.iter().map(|(_, weight)| weight).sum::<f32>();
    let factor = Some(sum(all) / sum(&chosen)).filter(|factor| factor.is_finite() && *factor > 0.0).unwrap_or(1.0);
    chosen.into_iter().map(|(of, weight)| (of, weight * factor)).collect()
}

/// With the numbers of bones.
fn numbered(influences: &[(Mover, f32)], places: Places<'_>) -> Vec<(u16, f32)> {
    let number = |&(mover, weight): &(Mover, f32)| match mover {
        Mover::Bone(bone) => (places.of[bone] as u16, weight),
        Mover::Own(number) => ((places.first_helper + number) as u16, weight),
        // Every such influence has got a bone of the mesh's own.
        Mover::World => (0, 0.0),
    };
    influences.iter().map(number).collect()
}
