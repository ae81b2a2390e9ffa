//! What has to be baked: what the target cannot represent, and what it plays differently.

use std::collections::{BTreeSet, HashMap};

use super::compare::Worst;
use crate::character::Character;
use crate::formats::spine::binary::Layout;
use crate::formats::spine::schema::{
    Constraint, Ik, Keys, MAX_WIDTH, OfKind, Path, Physics, Property, Root, ScaleYMode, Skin, SpacingMode, Text,
    Transform,
};
use crate::formats::spine::translate::{Named, constraints, linked};
use crate::model::{BoneId, ConstraintKind, SkinId};

/// What is replaced by keys of bones.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Constraints, with the reason.
    pub constraints: Vec<(Named, String)>,
    /// Bones whose inheritance an animation changes: index of the animation and of the bone.
    pub inherits: BTreeSet<(usize, usize)>,
    /// Other bones that the target poses differently.
    pub bones: BTreeSet<usize>,
}

/// The farthest that a bone may be off without being baked, in units.
const TOLERANCE: f32 = 0.005;
/// The same once something is baked, whose rounded keys move the bones below it.
pub const TOLERANCE_OF_BAKED: f32 = 0.1;

/// Why something is baked that the target can represent.
pub const PLAYED_DIFFERENTLY: &str = "the target version plays it differently";

impl Plan {
    /// Everything in a document that `to` cannot represent.
    pub fn of(root: &Root<'_>, from: Layout, to: Layout) -> Self {
        let mut plan = Self::default();
        if from >= Layout::V4_3 && to < Layout::V4_3 {
            plan.add_kinds(root, Layout::V4_3);
            plan.add_all(root, linked(root), "properties that drive others require 4.3");
            let keeps_volume = |it: &_| Ik::of(it).is_some_and(|it| it.scale_y == ScaleYMode::Volume);
            plan.add_all(root, keeps_volume, "keeping the volume requires 4.3");
            let scales_y = |it: &_| Physics::of(it).is_some_and(|it| it.scale_y != ScaleYMode::None);
            plan.add_all(root, scales_y, "physics of scale y requires 4.3");
        }
        if from >= Layout::V4_2 && to < Layout::V4_2 {
            plan.add_kinds(root, Layout::V4_2);
            for (at, (_, animation)) in root.animations.0.iter().enumerate() {
                let changed = animation.bones.0.iter().filter(|(_, it)| !it.steps.is_empty());
                let bone = |name: &str| root.bones.iter().rposition(|bone| bone.name.as_str() == name);
                plan.inherits.extend(changed.filter_map(|(name, _)| Some((at, bone(name.as_str())?))));
            }
        }
        if from >= Layout::V4_0 && to < Layout::V4_0 {
            let one_mix = "3.8 has one mix for both axes";
            plan.add_all(root, |it| Transform::of(it).is_some_and(|it| is_uneven(it, root)), one_mix);
            plan.add_all(root, |it| Path::of(it).is_some_and(|it| is_uneven_path(it, root)), one_mix);
            let is_proportional =
                |it: &_| Path::of(it).is_some_and(|path| path.spacing_mode == SpacingMode::Proportional);
            plan.add_all(root, is_proportional, "proportional spacing requires 4.0");
        }
        plan
    }

    /// Returns true if physics is baked.
    pub fn has_physics(&self) -> bool {
        self.constraints.iter().any(|(constraint, _)| constraint.kind == ConstraintKind::Physics)
    }

    /// Adds the constraints of the kinds that came with a layout.
    fn add_kinds(&mut self, root: &Root<'_>, layout: Layout) {
        let new = root.constraints.iter().filter(|it| it.kind().row().since == layout);
        new.for_each(|it| self.add(Named::of(it), it.kind().row().requires));
    }

    fn add_all<'a>(&mut self, root: &Root<'a>, is_baked: impl Fn(&Constraint<'a>) -> bool, why: &str) {
        root.constraints.iter().filter(|it| is_baked(it)).for_each(|it| self.add(Named::of(it), why));
    }

    fn add(&mut self, constraint: Named, why: &str) {
        if !self.has(&constraint) {
            self.constraints.push((constraint, why.to_owned()));
        }
    }

    fn has(&self, constraint: &Named) -> bool {
        self.constraints.iter().any(|(known, _)| known == constraint)
    }

    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty() && self.inherits.is_empty() && self.bones.is_empty()
    }

    /// Returns true if the bones are so far apart that more has to be baked.
    pub fn is_exceeded(&self, worst: &Worst) -> bool {
        worst.of_all() > self.tolerance()
    }

    fn tolerance(&self) -> f32 {
        if self.is_empty() { TOLERANCE } else { TOLERANCE_OF_BAKED }
    }

    /// Adds the constraints of bones that are off, or the bones themselves if no constraint moves them. A bone below
    /// another one that this changes has to wait for the next comparison. Returns false if nothing is left to add.
    pub fn extend(&mut self, root: &Root<'_>, character: &Character, worst: &Worst) -> bool {
        let named = constraints(root);
        let model = character.model();
        let bones = model.skeleton().bones();
        let baked = self.all_bones(root, character);
        let tolerance = self.tolerance();
        let mut waits = vec![false; bones.len()];
        for bone in 0..bones.len() {
            waits[bone] = bones[bone].parent.is_some_and(|parent| waits[parent.index()]);
            if waits[bone] || worst.of_bone(bone) <= tolerance {
                continue;
            }
            let id = BoneId::new(bone);
            let moving = model.constraints().iter().zip(&named).filter(|(it, _)| it.bones.contains(&id));
            let moving: Vec<Named> = moving.map(|(_, named)| named.clone()).filter(|it| !self.has(it)).collect();
            waits[bone] = !moving.is_empty() || !baked.contains(&bone) && self.bones.insert(bone);
            let why = format!("{PLAYED_DIFFERENTLY}, by {:.3} units", worst.of_bone(bone));
            moving.into_iter().for_each(|it| self.add(it, &why));
        }
        waits.contains(&true)
    }

    /// Returns the bone outside of the plan that is farthest off, and how far, if that is too far.
    pub fn worst_of_others(&self, root: &Root<'_>, character: &Character, worst: &Worst) -> Option<(usize, f32)> {
        let mut planned = self.all_bones(root, character);
        planned.extend(self.inherits.iter().map(|(_, bone)| *bone));
        let others = (0..root.bones.len()).filter(|bone| !planned.contains(bone));
        let worst = others.map(|bone| (bone, worst.of_bone(bone))).max_by(|(_, a), (_, b)| a.total_cmp(b));
        worst.filter(|(_, units)| *units > self.tolerance())
    }

    /// The indices of the bones that each constraint moves.
    pub fn moved_bones(root: &Root<'_>, character: &Character) -> HashMap<Named, Vec<usize>> {
        let bones = character.model().constraints().iter().map(|it| it.bones.iter().map(|bone| bone.index()));
        constraints(root).into_iter().zip(bones.map(Iterator::collect)).collect()
    }

    /// The skins in which the plan is sampled: the ones that its constraints and bones need. Without any, no skin, or
    /// all if a constraint follows a path, which a skin may have.
    pub fn skins(&self, root: &Root<'_>, character: &Character) -> Vec<SkinId> {
        let bones = self.all_bones(root, character);
        let needs = |skin: &Skin<'_>| {
            let has = |names: &[Text<'_>], name: &str| names.iter().any(|it| it.as_str() == name);
            let has_constraint = |it: &Named| {
                skin.constraints.iter().any(|(kind, name)| *kind == it.kind && name.as_str() == it.name)
            };
            let mut names = bones.iter().map(|&bone| root.bones[bone].name.as_str());
            self.constraints.iter().any(|(it, _)| has_constraint(it)) || names.any(|name| has(&skin.bones, name))
        };
        let model = character.model();
        let needed = root.skins.list.iter().filter(|skin| needs(skin));
        let needed: Vec<SkinId> = needed.filter_map(|skin| model.find_skin(skin.name.as_str())).collect();
        let follows_path = self.constraints.iter().any(|(it, _)| it.kind == ConstraintKind::Path);
        if needed.is_empty() && follows_path { model.skin_ids().collect() } else { needed }
    }

    /// The indices of all bones that a constraint to be baked moves, or that are baked in every animation.
    pub fn all_bones(&self, root: &Root<'_>, character: &Character) -> BTreeSet<usize> {
        let named = constraints(root);
        let constraints = character.model().constraints().iter().zip(&named).filter(|(_, it)| self.has(it));
        let moved = constraints.flat_map(|(it, _)| it.bones.iter().map(|bone| bone.index()));
        moved.chain(self.bones.iter().copied()).collect()
    }
}

/// Returns true if a constraint has different mixes of x and y, at rest or in a key.
fn is_uneven(it: &Transform<'_>, root: &Root<'_>) -> bool {
    let [_, x, y, scale_x, scale_y, _] = it.mixes();
    let is_uneven = |[_, x, y, scale_x, scale_y, ..]: [f32; MAX_WIDTH]| x != y || scale_x != scale_y;
    x != y || scale_x != scale_y || keys(root, &it.name, Property::Transform).any(is_uneven)
}

/// Like [`is_uneven`], of a path constraint.
fn is_uneven_path(it: &Path<'_>, root: &Root<'_>) -> bool {
    let [_, x, y] = it.mixes();
    x != y || keys(root, &it.name, Property::PathMix).any(|[_, x, y, ..]| x != y)
}

/// The values of all keys for a property of a constraint.
fn keys<'r>(
    root: &'r Root<'_>,
    name: &'r Text<'_>,
    property: Property,
) -> impl Iterator<Item = [f32; MAX_WIDTH]> + 'r {
    let animations = root.animations.0.iter().map(|(_, animation)| animation);
    animations.flat_map(move |it| it.keys_of(name, property)).flat_map(Keys::all)
}
