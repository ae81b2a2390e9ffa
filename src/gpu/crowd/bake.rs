//! A character → the tables from which a crowd poses itself: stored frames, draw orders, vertices and colours.

use std::collections::HashMap;

use super::frames::{self, Frames};
use super::obstacles::{CrowdObstacle, CrowdObstacles};
use super::parts::{self, Part, Parts};
use super::reach::Reach;
use crate::character::Character;
use crate::draw::mipmaps::Mipmaps;
use crate::gpu::pipeline::CrowdPasses;
use crate::gpu::shaders::crowd_data::{CrowdAnimation, CrowdShare};
use crate::model::{Influence, Model, PageId, SlotId};
use crate::motion::Motion;
use crate::pose::Pose;

/// How a crowd plays its animations.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CrowdOptions {
    /// Blends stored frames, and animations when a member switches. Every member then has a pose of its own on the
    /// GPU. Otherwise members show stored frames, whose poses they share: a crowd takes a fraction of the memory.
    pub interpolate: bool,
}

impl Default for CrowdOptions {
    fn default() -> Self {
        Self { interpolate: true }
    }
}

impl CrowdOptions {
    /// The default options, with this [`Self::interpolate`].
    pub fn interpolate(interpolate: bool) -> Self {
        Self { interpolate }
    }
}

/// A character that a crowd can show, ready to be uploaded as a [`CrowdModel`](crate::gpu::CrowdModel).
#[derive(Debug)]
pub struct CrowdBake {
    character: Character,
    pub(super) options: CrowdOptions,
    pub(super) animations: Vec<CrowdAnimation>,
    pub(super) orders: Orders,
    pub(super) parts: Vec<Part>,
    pages: Vec<PageId>,
    pub(super) shares: Vec<CrowdShare>,
    pub(super) frames: Frames,
    pub(super) reach: Reach,
}

/// The draw orders of stored frames.
#[derive(Debug, Clone, Default)]
pub(super) struct Orders {
    /// The distinct ones: parts back to front.
    pub distinct: Vec<Box<[u32]>>,
    /// By stored frame, the index of its order.
    pub of_frames: Vec<u32>,
}

impl CrowdBake {
    /// The number of atlas pages that a crowd can show.
    pub(crate) const MAX_PAGES: usize = CrowdPasses::MAX_PAGES;

    /// Evaluates every stored frame of `character`, which has to have stored frames: bake Spine and SkelForm
    /// characters first, with [`bake`](crate::bake::bake), at a rate of your choice.
    ///
    /// # Errors
    ///
    /// Lists everything in the character that a crowd cannot show.
    pub fn new(character: &Character, options: CrowdOptions) -> Result<Self, CrowdObstacles> {
        let sampled = match character.motion() {
            Motion::Sampled(sampled) => sampled,
            Motion::Flipbook(_) => return Err(CrowdObstacles(vec![CrowdObstacle::Flipbook])),
            Motion::Spine(_) | Motion::SkelForm(_) | Motion::Animate(_) | Motion::Stage(_) => {
                return Err(CrowdObstacles(vec![CrowdObstacle::Keys]));
            }
        };
        let model = character.model();
        let animations = animations(model);
        let mut shown = ShownSlots::default();
        frames::poses(character, &animations, |pose| shown.push(pose));
        if shown.are_too_many {
            return Err(CrowdObstacles(vec![CrowdObstacle::DrawOrders]));
        }
        let Parts { list: parts, of_slots, pages } = parts::parts(model, shown.slots())?;
        let shares = shares(model, &parts);
        let frames = if options.interpolate {
            Frames::samples(character, sampled, &animations)
        } else {
            Frames::finished(character, &animations, &shares, parts.len())
        };
        let reach = Reach::new(character, sampled, &animations, &parts);
        let orders = shown.orders(&of_slots);
        Ok(Self { character: character.clone(), options, animations, orders, parts, pages, shares, frames, reach })
    }

    /// The character.
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// The number of stored frames of all animations together.
    pub fn frame_count(&self) -> usize {
        self.orders.of_frames.len()
    }

    /// The pages that are shown, in the order of [`Part::page`].
    pub(super) fn pages(&self) -> &[PageId] {
        &self.pages
    }

    /// The number of bones.
    pub(super) fn bone_count(&self) -> usize {
        self.character.model().skeleton().bones().len()
    }

    /// The number of pairs of numbers in a pose.
    pub(super) fn pose_stride(&self) -> usize {
        frames::pose_stride(self.bone_count(), self.parts.len())
    }
}

/// The ranges of frames of every animation. One without frames has none, and shows nothing.
fn animations(model: &Model) -> Vec<CrowdAnimation> {
    let mut first_frame = 0;
    let mut range = |frame_count| {
        let range = CrowdAnimation { first_frame, frame_count };
        first_frame += frame_count;
        range
    };
    model.animations().iter().map(|animation| range(animation.frame_count())).collect()
}

/// The areas of all parts, which select their mipmap levels, relative to bones instead of the bind pose.
fn shares(model: &Model, parts: &[Part]) -> Vec<CrowdShare> {
    let mipmaps = Mipmaps::new(model);
    let mut shares = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let first = shares.len();
        for (bone, area) in mipmaps.shares(part.attachment) {
            let growth = parts::bone_from_bind(model, bone).map(|matrix| matrix.matrix2.determinant().abs());
            shares.push(match growth {
                Some(growth) => CrowdShare { part: number as u32, bone, area: area * growth },
                None => CrowdShare { part: number as u32, bone: Influence::NO_BONE, area },
            });
        }
        if shares.len() == first {
            // No mipmap level is small enough.
            shares.push(CrowdShare { part: number as u32, bone: Influence::NO_BONE, area: f32::MAX });
        }
    }
    shares
}

/// The slots that are visible in each stored frame, back to front.
#[derive(Default)]
struct ShownSlots {
    numbers: HashMap<Box<[SlotId]>, u32>,
    distinct: Vec<Box<[SlotId]>>,
    of_frames: Vec<u32>,
    /// The slots of all distinct orders together.
    entries: usize,
    /// True if they exceed [`Self::MOST_ENTRIES`]; what follows is not stored.
    are_too_many: bool,
}

impl ShownSlots {
    /// With three vertices each, more would not fit into buffers of the usual size.
    const MOST_ENTRIES: usize = 1 << 24;

    fn push(&mut self, pose: &Pose) {
        if self.are_too_many {
            return;
        }
        let number = match self.numbers.get(&pose.draw_order[..]) {
            Some(&number) => number,
            None => {
                let number = self.distinct.len() as u32;
                self.entries += pose.draw_order.len();
                self.are_too_many = self.entries > Self::MOST_ENTRIES;
                let order: Box<[SlotId]> = pose.draw_order.as_slice().into();
                self.distinct.push(order.clone());
                self.numbers.insert(order, number);
                number
            }
        };
        self.of_frames.push(number);
    }

    /// Every slot that is visible at some time.
    fn slots(&self) -> impl Iterator<Item = SlotId> {
        self.distinct.iter().flat_map(|order| order.iter().copied())
    }

    /// Replaces slots by parts; those that show nothing are left out.
    fn orders(self, part_of_slot: &[Option<u32>]) -> Orders {
        let parts = |order: Box<[SlotId]>| order.iter().filter_map(|slot| part_of_slot[slot.index()]).collect();
        Orders { distinct: self.distinct.into_iter().map(parts).collect(), of_frames: self.of_frames }
    }
}
