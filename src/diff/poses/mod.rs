//! Compares poses: every stored frame of every common animation, and the bind pose.
//!
//! Memory is reused from frame to frame, so its size does not depend on the number of frames.

mod frame;

use super::matching::Matching;
use super::posing::Posed;
use super::tolerance::Tolerance;
use super::{Named, PoseDifference, vertices};
use crate::error::{Place, Result, escaped};
use crate::limits::{Budget, Limits};
use crate::math::Vec2;
use crate::model::{AnimationId, Model, SkinId};
use crate::motion::{Cue, PoseWork, Position};
use crate::pose::vertices_work;
use frame::Found;

/// Most frames of a keyed animation that are compared, evenly spaced; fewer with each skin.
const MOST_FRAMES: u32 = 1 << 12;
const MOST_FRAMES_IN_SKIN: u32 = 16;

/// Units of work for a compared bone, counted from bones × frames.
const BONE_WORK: u64 = 8;

/// The matching of the bones and meshes of both characters.
#[derive(Clone, Copy)]
pub struct Paired<'a> {
    pub bones: &'a Matching<'a>,
    pub meshes: &'a Matching<'a>,
}

/// The mesh of the second character that a mesh of the first is compared with.
#[derive(Clone, Copy)]
struct Partner {
    /// Index in the second character.
    in_b: usize,
    /// Whether both have identical vertex data.
    is_stored_alike: bool,
}

/// Two characters in the same pose, and their differences so far.
pub struct Poses<'a> {
    /// Animations in which something differs.
    pub differences: Vec<PoseDifference>,
    /// Number of compared poses.
    pub compared: u64,
    a: Posed<'a>,
    b: Posed<'a>,
    paired: Paired<'a>,
    tolerance: Tolerance,
    /// For each mesh of the first character, the mesh whose vertices can be compared with it.
    partners: Vec<Option<Partner>>,
    /// Scratch memory: common meshes that at least one side draws, as ascending indices in the first.
    drawn: Vec<usize>,
    /// Work budget of posing and comparing.
    budget: Budget<'a>,
    /// Scratch memory: meshes that both draw as keys of `paired.meshes`, in the draw order of each.
    orders: [Vec<usize>; 2],
    /// Scratch memory: posed vertex positions of one mesh in each.
    positions: [Vec<Vec2>; 2],
}

/// An animation and skin, and the frames that are compared.
#[derive(Clone, Copy)]
struct Played {
    /// Animation in each of the two; `None` for the bind pose.
    animations: Option<[AnimationId; 2]>,
    /// Skin applied over the default skin in each of the two, if any.
    skins: Option<[SkinId; 2]>,
    /// Number of stored frames.
    frames: u32,
    /// Every `step`-th frame is compared.
    step: u32,
    /// The frames per second of keyed animations with different rates, which are compared at the same times.
    rate: Option<f64>,
}

impl Played {
    /// The bind pose.
    fn bind_pose(skins: Option<[SkinId; 2]>) -> Self {
        Self { animations: None, skins, frames: 1, step: 1, rate: None }
    }

    /// Returns the compared frames.
    fn frames(&self) -> impl Iterator<Item = u32> {
        (0..self.frames).step_by(self.step as usize)
    }

    /// Returns what the first (0) or second (1) character shows in a frame.
    fn cue(&self, side: usize, frame: u32) -> Cue {
        Cue {
            animation: self.animation(side),
            position: match self.rate {
                Some(rate) => Position::Seconds(f64::from(frame) / rate),
                None => Position::frame(frame),
            },
            skins: self.skin(side).into_iter().collect(),
            ..Cue::default()
        }
    }

    /// Returns the number of compared frames.
    fn compared(&self) -> u32 {
        self.frames.div_ceil(self.step)
    }

    /// Returns the animation in the first (0) or second (1) character.
    fn animation(&self, side: usize) -> Option<AnimationId> {
        self.animations.map(|animations| animations[side])
    }

    /// Returns the skin in the first (0) or second (1) character.
    fn skin(&self, side: usize) -> Option<SkinId> {
        self.skins.map(|skins| skins[side])
    }
}

impl<'a> Poses<'a> {
    pub fn new([a, b]: [Posed<'a>; 2], paired: Paired<'a>, tolerance: Tolerance, limits: &'a Limits) -> Self {
        let mut partners = vec![None; a.meshes.list.len()];
        for (in_a, in_b) in paired.meshes.pairs() {
            let (a, b) = (a.meshes.list[in_a].mesh, b.meshes.list[in_b].mesh);
            if vertices::count(a) == vertices::count(b) {
                partners[in_a] = Some(Partner { in_b, is_stored_alike: vertices::is_stored_alike(a, b) });
            }
        }
        let budget = Budget::new(limits);
        let (differences, drawn, orders, positions) = Default::default();
        Self { differences, compared: 0, a, b, paired, tolerance, partners, drawn, budget, orders, positions }
    }

    /// Compares the bind pose and every common animation.
    pub fn compare(&mut self, animations: &Matching<'_>) -> Result<()> {
        self.compare_played(Played::bind_pose(None), None, None)?;
        for (in_a, in_b) in animations.pairs() {
            let played = self.played(in_a, in_b, None, MOST_FRAMES);
            self.compare_played(played, Some(animations.named_a(in_a)), None)?;
        }
        Ok(())
    }

    /// Compares the same with every common skin, in fewer frames: the bones move as without it.
    pub fn compare_in_skins(&mut self, animations: &Matching<'_>, skins: &Matching<'_>) -> Result<()> {
        for (skin_a, skin_b) in skins.pairs() {
            // The default skin is always applied.
            let name = skins.named_a(skin_a);
            if name.name == "default" {
                continue;
            }
            let worn = Some([skin_a, skin_b].map(SkinId::new));
            self.compare_played(Played::bind_pose(worn), None, Some(name.clone()))?;
            for (in_a, in_b) in animations.pairs() {
                let played = self.played(in_a, in_b, worn, MOST_FRAMES_IN_SKIN);
                self.compare_played(played, Some(animations.named_a(in_a)), Some(name.clone()))?;
            }
        }
        Ok(())
    }

    /// Returns the frames of two animations to compare: all stored frames, or at most `most` of keyed motion.
    fn played(&self, in_a: usize, in_b: usize, skins: Option<[SkinId; 2]>, most: u32) -> Played {
        let animations = Some([in_a, in_b].map(AnimationId::new));
        let (a, b) = (&self.a.model().animations()[in_a], &self.b.model().animations()[in_b]);
        let are_keyed = a.is_keyed() && b.is_keyed();
        let rate = Some(a.fps()).filter(|rate| are_keyed && *rate != b.fps());
        let of_b = match rate {
            Some(rate) => ((b.duration_secs() * rate).round() as u32).max(1),
            None => b.frame_count(),
        };
        let is_still = [&self.a, &self.b].iter().all(|side| side.model().skeleton().bones().is_empty());
        // Frames without bones take no bytes: a tiny file can have billions of equal ones.
        let frames = if is_still { a.frame_count().min(of_b).min(1) } else { a.frame_count().min(of_b) };
        let step = if a.is_keyed() { frames.div_ceil(most).max(1) } else { 1 };
        Played { animations, skins, frames, step, rate }
    }

    /// Compares the frames of one animation, or the bind pose, and records the differences.
    fn compare_played(&mut self, played: Played, animation: Option<Named>, skin: Option<Named>) -> Result<()> {
        self.charge(&played)?;
        let mut found = Found::default();
        for frame in played.frames() {
            self.a.set(&played.cue(0, frame));
            self.b.set(&played.cue(1, frame));
            self.list_drawn();
            self.charge_vertices(&played)?;
            self.compare_frame(frame, &mut found);
        }
        let frames = played.compared();
        self.compared += u64::from(frames);
        let Found { bones, draw_order, vertices, visibility } = found;
        if bones.is_some() || draw_order.is_some() || vertices.is_some() || visibility.is_some() {
            let difference = PoseDifference { animation, bones, draw_order, frames, skin, vertices, visibility };
            self.differences.push(difference);
        }
        Ok(())
    }

    /// Charges the work of posing both characters in all frames.
    fn charge(&mut self, played: &Played) -> Result<()> {
        let model = self.a.model();
        let units = self.paired.bones.pairs().count() as u64 * BONE_WORK;
        self.budget.charge_work(played.compared().into(), units, || place_of(model, played))?;
        for (side, posed) in [&self.a, &self.b].into_iter().enumerate() {
            let work = PoseWork::new(posed.character(), played.skin(side).as_slice());
            let cues = played.frames().map(|frame| played.cue(side, frame));
            let poses = u64::from(played.compared()).saturating_add(posed.steps(cues));
            let units = work.of(posed.character(), played.animation(side));
            self.budget.charge_work(poses, units, || place_of(model, played))?;
        }
        Ok(())
    }

    /// Charges the work of posing all visible vertices of one frame.
    fn charge_vertices(&mut self, played: &Played) -> Result<()> {
        let work = |&in_a: &usize| 2 * vertices_work(&self.a.meshes.list[in_a].mesh.vertices);
        let units = self.drawn.iter().map(work).fold(0, u64::saturating_add);
        let model = self.a.model();
        self.budget.charge_work(1, units, || place_of(model, played))
    }
}

/// Returns the place for an error: what is being posed.
fn place_of(model: &Model, played: &Played) -> Place {
    let path = played.animation(0).map_or("comparing the bind pose".to_owned(), |in_a| {
        format!("comparing the frames of `{}`", escaped(&model.animation(in_a).name))
    });
    Place::inside(path)
}

#[cfg(test)]
#[cfg(feature = "convert")]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::diff::meshes::Meshes;
    use crate::diff::{animations, bones, meshes};
    use crate::formats::pchr::schema::{Animation, Bone, BoneTransform, File, Image, Mesh, Vertex};
    use crate::formats::pchr::write;

    /// A bone that moves by `step` every frame, with a triangle on it.
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

    /// Returns the peak memory of comparing this many frames, in bytes.
    fn peak(frames: usize) -> u64 {
        let (a, b) = (character(frames, 1.0), character(frames, 2.0));
        let (in_a, in_b) = (a.model(), b.model());
        let (meshes_a, meshes_b) = (Meshes::of(in_a, false), Meshes::of(in_b, false));
        let (bones, meshes) = (bones::matched(in_a, in_b), meshes::matched(&meshes_a, &meshes_b));
        let animations = animations::matched(in_a, in_b);
        let (mut found, limits) = (Vec::new(), Limits::default());
        let info = allocation_counter::measure(|| {
            let posed = [Posed::new(&a, &meshes_a), Posed::new(&b, &meshes_b)];
            let paired = Paired { bones: &bones, meshes: &meshes };
            let mut poses = Poses::new(posed, paired, Tolerance::new(0.001), &limits);
            poses.compare(&animations).unwrap();
            found = poses.differences;
        });
        let far = found[0].bones.as_ref().unwrap();
        assert_eq!((far.distance, far.frames), ((frames - 1) as f32, frames as u32 - 1));
        assert!(found[0].vertices.is_some());
        info.bytes_max
    }

    #[test]
    fn memory_does_not_grow_with_the_number_of_frames() {
        assert_eq!(peak(10_000), peak(2));
    }
}
