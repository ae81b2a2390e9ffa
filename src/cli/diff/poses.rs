//! Poses: every stored frame of every animation that both characters have, and the bind pose.
//!
//! Frames are posed one after the other in the same memory, however many there are.

use super::matching::Matching;
use super::posing::Posed;
use super::report::{
    FarBone, FarVertex, FoundIn, Named, OrderDifference, Part, PoseDifference, VisibilityDifference,
};
use super::tolerance::Tolerance;
use super::vertices;
use crate::error::{Place, Result, shown};
use crate::limits::{Budget, Limits};
use crate::math::Vec2;
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::{Cue, PoseWork, Position};
use crate::pose::vertices_work;

/// Of an animation that has keys so many instants are compared at most, evenly chosen; fewer in every skin.
const MOST_FRAMES: u32 = 1 << 12;
const MOST_FRAMES_IN_SKIN: u32 = 16;

/// Units of work that comparing a bone takes.
const BONE_WORK: u64 = 8;

/// Two characters and what belongs together in them.
pub struct Poses<'a> {
    a: Posed<'a>,
    b: Posed<'a>,
    bones: &'a Matching<'a>,
    tolerance: Tolerance,
    meshes: &'a Matching<'a>,
    /// By place in the first: the mesh that its vertices can be compared with, and whether both are stored in the same
    /// bytes.
    pairs: Vec<Option<(usize, bool)>>,
    /// Scratch memory: the places in the first of all meshes that both have and one draws, in order.
    seen: Vec<usize>,
    /// What posing and comparing may take.
    budget: Budget<'a>,
    /// Scratch memory: what both draw, as keys of `meshes`, in the order of each.
    orders: [Vec<usize>; 2],
    /// Scratch memory: where the vertices of one mesh are in each.
    positions: [Vec<Vec2>; 2],
}

/// What was found in the frames so far.
#[derive(Default)]
struct Found {
    bones: Option<FarBone>,
    draw_order: Option<OrderDifference>,
    vertices: Option<FarVertex>,
    visibility: Option<VisibilityDifference>,
}

impl<'a> Poses<'a> {
    pub fn new(
        a: Posed<'a>,
        b: Posed<'a>,
        bones: &'a Matching<'a>,
        meshes: &'a Matching<'a>,
        tolerance: Tolerance,
        limits: &'a Limits,
    ) -> Self {
        let mut pairs = vec![None; a.meshes.list.len()];
        for (in_a, in_b) in meshes.pairs() {
            let (a, b) = (a.meshes.list[in_a].mesh, b.meshes.list[in_b].mesh);
            if vertices::count(a) == vertices::count(b) {
                pairs[in_a] = Some((in_b, vertices::is_stored_alike(a, b)));
            }
        }
        let (orders, positions, seen) = Default::default();
        Self { a, b, bones, tolerance, meshes, pairs, seen, budget: Budget::new(limits), orders, positions }
    }

    /// The animations in which something differs, and how many poses were compared.
    pub fn compare(&mut self, animations: &Matching<'_>) -> Result<(Vec<PoseDifference>, u64)> {
        let mut differences = Vec::new();
        let mut compared = 1;
        let nothing = [None; 2];
        differences.extend(self.run(None, nothing, 1, 1)?.into_difference(None, None, 1));
        for (in_a, in_b) in animations.pairs() {
            let count = self.frame_count(in_a, in_b);
            let step = self.step(in_a, count, MOST_FRAMES);
            let looks = count.div_ceil(step);
            compared += u64::from(looks);
            let found = self.run(Some([in_a, in_b].map(AnimationId::new)), nothing, count, step)?;
            differences.extend(found.into_difference(Some(animations.named_a(in_a)), None, looks));
        }
        Ok((differences, compared))
    }

    /// The same in every skin that both have, at fewer instants: what moves is the same.
    pub fn compare_in_skins(
        &mut self,
        animations: &Matching<'_>,
        skins: &Matching<'_>,
        differences: &mut Vec<PoseDifference>,
    ) -> Result<u64> {
        let mut compared = 0;
        for (skin_a, skin_b) in skins.pairs() {
            // It is worn all the time.
            let name = skins.named_a(skin_a);
            if name.name == "default" {
                continue;
            }
            let worn = [skin_a, skin_b].map(|skin| Some(SkinId::new(skin)));
            compared += 1;
            differences.extend(self.run(None, worn, 1, 1)?.into_difference(None, Some(name.clone()), 1));
            for (in_a, in_b) in animations.pairs() {
                let count = self.frame_count(in_a, in_b);
                let step = self.step(in_a, count, MOST_FRAMES_IN_SKIN);
                let looks = count.div_ceil(step);
                compared += u64::from(looks);
                let found = self.run(Some([in_a, in_b].map(AnimationId::new)), worn, count, step)?;
                let animation = Some(animations.named_a(in_a));
                differences.extend(found.into_difference(animation, Some(name.clone()), looks));
            }
        }
        Ok(compared)
    }

    /// From frame to frame that is looked at: stored frames are all of them, of those that are counted not too many.
    fn step(&self, in_a: usize, count: u32, most: u32) -> u32 {
        let is_keyed = self.a.model().animations()[in_a].is_keyed();
        if is_keyed { count.div_ceil(most).max(1) } else { 1 }
    }

    /// How many frames of two animations can be compared.
    fn frame_count(&self, in_a: usize, in_b: usize) -> u32 {
        let (a, b) = (self.a.model(), self.b.model());
        let count = a.animations()[in_a].frame_count().min(b.animations()[in_b].frame_count());
        let is_still = [a, b].iter().all(|model| model.skeleton().bones().is_empty());
        // Frames without bones take no bytes: a tiny file can have billions, all of them the same.
        if is_still { count.min(1) } else { count }
    }

    fn run(
        &mut self,
        animations: Option<[AnimationId; 2]>,
        skins: [Option<SkinId>; 2],
        count: u32,
        step: u32,
    ) -> Result<Found> {
        self.charge(animations, skins, count.div_ceil(step))?;
        let mut found = Found::default();
        for frame in (0..count).step_by(step as usize) {
            let cue = |side: usize| Cue {
                animation: animations.map(|animations| animations[side]),
                position: Position::frame(frame),
                skins: skins[side].into_iter().collect(),
                ..Cue::default()
            };
            self.a.set(&cue(0));
            self.b.set(&cue(1));
            self.see();
            self.charge_vertices(animations)?;
            self.compare_bones(frame, &mut found.bones);
            self.compare_vertices(frame, &mut found.vertices);
            self.compare_visibility(frame, &mut found.visibility);
            self.compare_order(frame, &mut found.draw_order);
        }
        Ok(found)
    }

    /// Takes the work of posing both that often.
    fn charge(
        &mut self,
        animations: Option<[AnimationId; 2]>,
        skins: [Option<SkinId>; 2],
        looks: u32,
    ) -> Result<()> {
        let mut units = self.bones.pairs().count() as u64 * BONE_WORK;
        for (side, posed) in [&self.a, &self.b].into_iter().enumerate() {
            let work = PoseWork::new(posed.character(), skins[side].as_slice());
            units = units.saturating_add(work.of(posed.character(), animations.map(|ids| ids[side])));
        }
        let model = self.a.model();
        self.budget.charge_work(looks.into(), units, || comparing(model, animations))
    }

    /// Takes the work of placing all vertices that are seen.
    fn charge_vertices(&mut self, animations: Option<[AnimationId; 2]>) -> Result<()> {
        let work = |&in_a: &usize| 2 * vertices_work(&self.a.meshes.list[in_a].mesh.vertices);
        let units = self.seen.iter().map(work).fold(0, u64::saturating_add);
        let model = self.a.model();
        self.budget.charge_work(1, units, || comparing(model, animations))
    }

    /// Lists the meshes that both have and one draws.
    fn see(&mut self) {
        let (a, b, meshes) = (&self.a, &self.b, self.meshes);
        self.seen.clear();
        self.seen.extend(a.drawn.iter().filter(|&&in_a| meshes.partner(in_a).is_some()));
        let of_b = b.drawn.iter().map(|&in_b| meshes.key_of_b(in_b));
        self.seen.extend(of_b.filter(|&in_a| in_a < a.is_drawn.len()));
        self.seen.sort_unstable();
        self.seen.dedup();
    }

    fn compare_bones(&self, frame: u32, found: &mut Option<FarBone>) {
        let mut farthest: Option<(f32, usize, Part)> = None;
        for (in_a, in_b) in self.bones.pairs() {
            let (a, b) = (&self.a.pose.world_from_bone[in_a], &self.b.pose.world_from_bone[in_b]);
            let parts = [
                (Part::Origin, a.translation, b.translation),
                (Part::XAxis, a.matrix2.x_axis, b.matrix2.x_axis),
                (Part::YAxis, a.matrix2.y_axis, b.matrix2.y_axis),
            ];
            for (part, a, b) in parts {
                if let Some(distance) = self.tolerance.apart(a, b)
                    && farthest.is_none_or(|(most, ..)| distance > most)
                {
                    farthest = Some((distance, in_a, part));
                }
            }
        }
        let Some((distance, bone, part)) = farthest else { return };
        let frames = found.as_ref().map_or(0, |found| found.frames) + 1;
        match found {
            Some(found) if distance <= found.distance => found.frames = frames,
            _ => *found = Some(FarBone { bone: self.bones.named_a(bone), distance, frame, frames, part }),
        }
    }

    fn compare_vertices(&mut self, frame: u32, found: &mut Option<FarVertex>) {
        let is_palette_same = self.a.palette == self.b.palette;
        let mut farthest: Option<(f32, usize, usize)> = None;
        for &in_a in &self.seen {
            let Some((in_b, is_stored_alike)) = self.pairs[in_a] else { continue };
            let (deform_a, deform_b) = (self.a.deform_of(in_a), self.b.deform_of(in_b));
            if is_palette_same && is_stored_alike && deform_a == deform_b {
                continue;
            }
            let [of_a, of_b] = &mut self.positions;
            vertices::posed(self.a.meshes.list[in_a].mesh, deform_a, &self.a.palette, of_a);
            vertices::posed(self.b.meshes.list[in_b].mesh, deform_b, &self.b.palette, of_b);
            for (vertex, (a, b)) in of_a.iter().zip(of_b.iter()).enumerate() {
                if let Some(distance) = self.tolerance.apart(*a, *b)
                    && farthest.is_none_or(|(most, ..)| distance > most)
                {
                    farthest = Some((distance, in_a, vertex));
                }
            }
        }
        let Some((distance, mesh, vertex)) = farthest else { return };
        let frames = found.as_ref().map_or(0, |found| found.frames) + 1;
        match found {
            Some(found) if distance <= found.distance => found.frames = frames,
            _ => *found = Some(FarVertex { distance, frame, frames, mesh: self.meshes.named_a(mesh), vertex }),
        }
    }

    /// Among the meshes that both have.
    fn compare_visibility(&self, frame: u32, found: &mut Option<VisibilityDifference>) {
        let is_drawn_in_b = |in_a| self.meshes.partner(in_a).is_some_and(|in_b| self.b.is_drawn[in_b]);
        let differs = |&in_a: &usize| self.a.is_drawn[in_a] != is_drawn_in_b(in_a);
        let Some(in_a) = self.seen.iter().copied().find(differs) else { return };
        let shown_in = if self.a.is_drawn[in_a] { FoundIn::A } else { FoundIn::B };
        let first = || VisibilityDifference { frame, frames: 0, mesh: self.meshes.named_a(in_a), shown_in };
        found.get_or_insert_with(first).frames += 1;
    }

    /// Among the meshes that both draw.
    fn compare_order(&mut self, frame: u32, found: &mut Option<OrderDifference>) {
        let [of_a, of_b] = &mut self.orders;
        let (a, b, meshes) = (&self.a, &self.b, self.meshes);
        of_a.clear();
        of_a.extend(a.drawn.iter().filter(|&&place| meshes.partner(place).is_some_and(|in_b| b.is_drawn[in_b])));
        of_b.clear();
        let keys = b.drawn.iter().map(|&place| meshes.key_of_b(place));
        of_b.extend(keys.filter(|&key| a.is_drawn.get(key).copied().unwrap_or(false)));
        let Some((first_a, first_b)) = of_a.iter().zip(&*of_b).find(|(a, b)| a != b) else { return };
        let first =
            || OrderDifference { a: meshes.named_a(*first_a), b: meshes.named_a(*first_b), frame, frames: 0 };
        found.get_or_insert_with(first).frames += 1;
    }
}

/// Where both are posed.
fn comparing(model: &Model, animations: Option<[AnimationId; 2]>) -> Place {
    let path = animations.map_or("the bind pose, compared".to_owned(), |[in_a, _]| {
        format!("the frames of `{}`, compared", shown(&model.animation(in_a).name))
    });
    Place { path, ..Place::default() }
}

impl Found {
    /// `None` where nothing differs.
    fn into_difference(
        self,
        animation: Option<Named>,
        skin: Option<Named>,
        frames: u32,
    ) -> Option<PoseDifference> {
        let Self { bones, draw_order, vertices, visibility } = self;
        let is_same = bones.is_none() && draw_order.is_none() && vertices.is_none() && visibility.is_none();
        (!is_same).then_some(PoseDifference { animation, bones, draw_order, frames, skin, vertices, visibility })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::cli::diff::meshes::Meshes;
    use crate::cli::diff::{animations, bones, meshes};
    use crate::formats::pchr::schema::{Animation, Bone, BoneTransform, File, Image, Mesh, Vertex};
    use crate::formats::pchr::write;

    /// One bone that is farther away in every frame, by `step`, and a triangle on it.
    fn character(frames: usize, step: f32) -> Character {
        let at = |frame: usize| vec![BoneTransform { x: frame as f32 * step, ..BoneTransform::default() }];
        let frames: Vec<Vec<BoneTransform>> = (0..frames).map(at).collect();
        let corner = |x: f32| Vertex { x, bone_weights: [1.0, 0.0, 0.0, 0.0], ..Vertex::default() };
        let data = vec![255; 4].into();
        let image = Image { width: 1, height: 1, format: Image::RGBA8888, data, ..Image::default() };
        let file = File {
            fps: 24,
            images: vec![image],
            bones: vec![Bone { name: "root".to_owned(), parent: -1, offset: 0 }],
            meshes: vec![Mesh::new("flag", 0, &[corner(0.0), corner(1.0), corner(2.0)], &[0, 1, 2])],
            animations: vec![Animation::new("walk", true, &frames)],
            ..File::default()
        };
        Character::from_bytes(write(&file).unwrap()).unwrap()
    }

    /// The most bytes that comparing that many frames holds.
    fn peak(frames: usize) -> u64 {
        let (a, b) = (character(frames, 1.0), character(frames, 2.0));
        let (in_a, in_b) = (a.model(), b.model());
        let (meshes_a, meshes_b) = (Meshes::of(in_a, false), Meshes::of(in_b, false));
        let (bones, meshes) = (bones::matched(in_a, in_b), meshes::matched(&meshes_a, &meshes_b));
        let animations = animations::matched(in_a, in_b);
        let (mut found, limits) = (Vec::new(), Limits::default());
        let info = allocation_counter::measure(|| {
            let posed = (Posed::new(&a, &meshes_a), Posed::new(&b, &meshes_b));
            let mut poses = Poses::new(posed.0, posed.1, &bones, &meshes, Tolerance::new(0.001), &limits);
            found = poses.compare(&animations).unwrap().0;
        });
        let far = found[0].bones.as_ref().unwrap();
        assert_eq!((far.distance, far.frames), ((frames - 1) as f32, frames as u32 - 1));
        assert!(found[0].vertices.is_some());
        info.bytes_max
    }

    #[test]
    fn memory_does_not_grow_with_the_frames() {
        assert_eq!(peak(10_000), peak(2));
    }
}
