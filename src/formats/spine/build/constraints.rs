//! The five kinds of constraints, in their common order.

use foldhash::{HashMap, HashMapExt};

use super::{Build, Names, find, malformed};
use crate::diagnostics::Diagnostics;
use crate::error::{Result, escaped};
use crate::formats::spine::schema;
use crate::formats::spine::version::Version;
use crate::math::dvec2;
use crate::model::{self, BoneId, ConstraintTarget, SlotId};
use crate::motion::spine::{
    BoneProperty, Constraint, ConstraintKind, ConstraintPose, Driver, Ik, Link, Links, PathConstraint,
    PhysicsConstraint, Rate, Rig, RotateMode, ScaleY, Slider, SpacingMode, TransformConstraint,
};

/// The pointer to the constraint with this index in the document.
pub fn pointer(root: &schema::Root<'_>, index: usize) -> String {
    if root.version == Version::Four(3) {
        return format!("/constraints/{index}");
    }
    let kind = root.constraints[index].kind();
    let place = root.constraints[..index].iter().filter(|it| it.kind() == kind).count();
    format!("/{}/{place}", kind.name())
}

/// The names of the fields that transform and path constraints follow.
fn follows(root: &schema::Root<'_>) -> [&'static str; 2] {
    if root.version == Version::Four(3) { ["source", "slot"] } else { ["target", "target"] }
}

/// Indices of all constraints in the order in which they are applied, by kind and name.
pub struct Order<'a> {
    by_name: foldhash::HashMap<(model::ConstraintKind, &'a str), u32>,
}

impl<'a> Order<'a> {
    pub fn of(root: &'a schema::Root<'a>) -> Self {
        let constraints = applied(root).into_iter().map(|at| &root.constraints[at]);
        Self { by_name: constraints.map(|it| (it.kind(), it.name().as_str())).zip(0..).collect() }
    }

    /// Returns the index of a constraint.
    pub fn find(
        &self,
        kind: model::ConstraintKind,
        name: &schema::Text<'_>,
        pointer: impl FnOnce() -> String,
    ) -> Result<u32> {
        let found = self.by_name.get(&(kind, name.as_str())).copied();
        found.ok_or_else(|| super::missing(kind.row().what, name, pointer()))
    }
}

/// The indices of the constraints in the order in which they are applied: by their `order`, from 3.0 to 3.4 by kind, and
/// in 2.1 as in the file; ties keep the order of the file.
pub fn applied(root: &schema::Root<'_>) -> Vec<usize> {
    let mut applied: Vec<usize> = (0..root.constraints.len()).collect();
    match root.version {
        Version::Two(_) => {}
        version if version.is_early() => {
            let depths = depths(root);
            applied.sort_by_key(|&at| unordered(&root.constraints[at], &depths));
        }
        Version::Three(_) | Version::Four(_) | Version::Unknown => {
            applied.sort_by_key(|&at| root.constraints[at].order());
        }
    }
    applied
}

/// The place of a constraint that states no order: inverse kinematics from the root on, then paths, then transforms.
fn unordered(constraint: &schema::Constraint<'_>, depths: &HashMap<&str, usize>) -> (usize, usize) {
    match constraint {
        schema::Constraint::Ik(ik) => {
            let first = ik.bones.first().and_then(|bone| depths.get(bone.as_str()));
            (0, first.copied().unwrap_or_default())
        }
        schema::Constraint::Path(_) => (1, 0),
        schema::Constraint::Transform(_) => (2, 0),
        // Later kinds, which are ignored in such files.
        schema::Constraint::Physics(_) | schema::Constraint::Slider(_) => (3, 0),
    }
}

/// The number of ancestors of each bone. Parents come before their children.
fn depths<'r>(root: &'r schema::Root<'_>) -> HashMap<&'r str, usize> {
    let mut depths = HashMap::with_capacity(root.bones.len());
    for bone in &root.bones {
        let above = bone.parent.as_ref().and_then(|parent| depths.get(parent.as_str()));
        let depth = above.map_or(0, |above| above + 1);
        depths.insert(bone.name.as_str(), depth);
    }
    depths
}

impl Build<'_, '_, '_> {
    /// Adds all constraints to the model and the rig.
    pub fn constraints(&mut self) -> Result<()> {
        let root = self.root;
        let count = root.constraints.len() as i64;
        let is_ordered = !root.version.is_early();
        // The last constraint that is applied.
        let mut last: Option<&schema::Constraint<'_>> = None;
        for index in applied(root) {
            let stated = &root.constraints[index];
            let mut reader = Reader { root, names: &self.names, index, diagnostics: &mut *self.diagnostics };
            let constraint = match stated {
                schema::Constraint::Ik(it) => reader.ik(it, &self.rig)?,
                schema::Constraint::Transform(it) => reader.transform(it)?,
                schema::Constraint::Path(it) => reader.path(it)?,
                schema::Constraint::Physics(it) => reader.physics(it)?,
                schema::Constraint::Slider(it) => reader.slider(it)?,
            };
            let Some((kind, setup)) = constraint else { continue };
            let mut constraint = Constraint { kind, needs_skin: stated.needs_skin(), is_skipped: false, setup };
            // The orders run from 0 to their number: one with a greater order is never applied, nor the second with an
            // order.
            if is_ordered {
                let by = last.filter(|last| last.order() == stated.order());
                constraint.is_skipped = by.is_some() || !(0..count).contains(&stated.order());
                if constraint.is_skipped {
                    let place = super::at(reader.at("order"));
                    reader.diagnostics.warn("constraint-order", place, never_applied(stated, by, count));
                } else {
                    last = Some(stated);
                }
            }
            self.builder.constraint(listed(stated, &constraint))?;
            self.rig.constraints.push(constraint);
        }
        Ok(())
    }
}

/// Why a constraint is never applied. `by`: the constraint that has taken its place.
fn never_applied(stated: &schema::Constraint<'_>, by: Option<&schema::Constraint<'_>>, count: i64) -> String {
    let (name, order) = (escaped(stated.name().as_str()), stated.order());
    let why = match by {
        Some(by) => format!("`{}` has the same order, {order}", escaped(by.name().as_str())),
        None => format!("its order is {order}, but the orders of {count} constraints run from 0 to {}", count - 1),
    };
    format!("constraint `{name}` is never applied: {why}")
}

/// The constraint as an entry of the model's list.
fn listed(stated: &schema::Constraint<'_>, constraint: &Constraint) -> model::Constraint {
    let ids = |bones: &[u32]| bones.iter().map(|&bone| BoneId::new(bone as usize)).collect();
    let at = |bone| Some(ConstraintTarget::Bone(BoneId::new(bone)));
    let (bones, target) = match &constraint.kind {
        ConstraintKind::Ik(ik) => {
            ([ik.bone].into_iter().chain(ik.child).map(BoneId::new).collect(), at(ik.target))
        }
        ConstraintKind::Transform(it) => (ids(&it.bones), at(it.target)),
        ConstraintKind::Path(path) => (ids(&path.bones), Some(ConstraintTarget::Slot(SlotId::new(path.target)))),
        ConstraintKind::Physics(it) => (vec![BoneId::new(it.bone)], None),
        ConstraintKind::Slider(it) => (ids(&it.bones), it.driver.and_then(|it| at(it.bone))),
    };
    model::Constraint {
        name: stated.name().as_str().into(),
        kind: stated.kind(),
        bones,
        target,
        needs_skin: constraint.needs_skin,
    }
}

/// The kind of a constraint with its settings, and its state at rest.
type Built = (ConstraintKind, ConstraintPose);

/// Reads one constraint.
struct Reader<'c> {
    root: &'c schema::Root<'c>,
    names: &'c Names<'c>,
    /// Its index in the document.
    index: usize,
    diagnostics: &'c mut Diagnostics,
}

impl Reader<'_> {
    /// The pointer to a field.
    fn at(&self, field: &str) -> String {
        format!("{}/{field}", pointer(self.root, self.index))
    }

    /// Resolves the bone in a field.
    fn bone(&mut self, name: &schema::Text<'_>, field: &str) -> Result<Option<usize>> {
        self.diagnostics.recover(find(&self.names.bones, name, "bone", || self.at(field)))
    }

    /// Resolves the bones that the constraint moves; it must have at least one.
    fn bones(&mut self, list: &[schema::Text<'_>]) -> Result<Option<Vec<u32>>> {
        let find = |(index, name)| find(&self.names.bones, name, "bone", || self.at(&format!("bones/{index}")));
        let bones = if list.is_empty() {
            Err(malformed("constraint-bones", self.at("bones"), "a constraint must have at least one bone"))
        } else {
            list.iter().enumerate().map(|entry| Ok(find(entry)? as u32)).collect()
        };
        self.diagnostics.recover(bones)
    }

    /// Resolves the bones of an IK constraint: one, or one and its child.
    fn ik_bones(&mut self, ik: &schema::Ik<'_>, rig: &Rig) -> Result<Option<(u32, Option<usize>)>> {
        let Some(bones) = self.bones(&ik.bones)? else { return Ok(None) };
        // A wrong parent has been reported already.
        let is_child = |child: u32, of: u32| match rig.bones[child as usize].parent {
            Some(parent) => parent == of,
            None => self.root.bones[child as usize].parent.is_some(),
        };
        let bones = match bones[..] {
            [bone] => Ok((bone, None)),
            [bone, child] if is_child(child, bone) => Ok((bone, Some(child as usize))),
            [_, _] => {
                let message =
                    format!("the second bone, `{}`, is not a child of the first, `{}`", ik.bones[1], ik.bones[0]);
                Err(malformed("constraint-bones", self.at("bones/1"), message))
            }
            _ => {
                let message = format!("{} bones; an IK constraint has one or two", bones.len());
                Err(malformed("constraint-bones", self.at("bones"), message))
            }
        };
        self.diagnostics.recover(bones)
    }

    fn ik(&mut self, ik: &schema::Ik<'_>, rig: &Rig) -> Result<Option<Built>> {
        let bones = self.ik_bones(ik, rig)?;
        let target = self.bone(&ik.target, "target")?;
        let (Some((bone, child)), Some(target)) = (bones, target) else { return Ok(None) };
        let kind = Ik { bone: bone as usize, child, target, scale_y: scale_y(ik.scale_y) };
        let setup = ConstraintPose {
            bends_positive: ik.bend_positive,
            compresses: ik.compress,
            stretches: ik.stretch,
            ..setup([ik.mix, ik.softness])
        };
        Ok(Some((ConstraintKind::Ik(kind), setup)))
    }

    fn transform(&mut self, it: &schema::Transform<'_>) -> Result<Option<Built>> {
        let bones = self.bones(&it.bones)?;
        let target = self.bone(&it.target, follows(self.root)[0])?;
        let (Some(bones), Some(target)) = (bones, target) else { return Ok(None) };
        let kind = TransformConstraint {
            bones,
            target,
            is_local: it.local,
            is_relative: it.relative,
            rotation: it.rotation.0.into(),
            translation: dvec2(it.x.0.into(), it.y.0.into()),
            scale: dvec2(it.scale_x.0.into(), it.scale_y.0.into()),
            shear_y: it.shear_y.0.into(),
            links: it.links.as_ref().map(links),
        };
        Ok(Some((ConstraintKind::Transform(kind), setup(it.mixes()))))
    }

    fn path(&mut self, it: &schema::Path<'_>) -> Result<Option<Built>> {
        let bones = self.bones(&it.bones)?;
        let target = find(&self.names.slots, &it.target, "slot", || self.at(follows(self.root)[1]));
        let (Some(bones), Some(target)) = (bones, self.diagnostics.recover(target)?) else { return Ok(None) };
        let kind = PathConstraint {
            bones,
            target,
            is_position_percent: it.position_mode == schema::PositionMode::Percent,
            spacing: match it.spacing_mode {
                schema::SpacingMode::Length => SpacingMode::Length,
                schema::SpacingMode::Fixed => SpacingMode::Fixed,
                schema::SpacingMode::Percent => SpacingMode::Percent,
                schema::SpacingMode::Proportional => SpacingMode::Proportional,
            },
            rotate: match it.rotate_mode {
                schema::RotateMode::Tangent => RotateMode::Tangent,
                schema::RotateMode::Chain => RotateMode::Chain,
                schema::RotateMode::ChainScale => RotateMode::ChainScale,
            },
            rotation: it.rotation.0.into(),
        };
        let [rotate, x, y] = it.mixes();
        Ok(Some((ConstraintKind::Path(kind), setup([it.position, it.spacing, rotate, x, y]))))
    }

    /// Reports numbers with which nothing can swing.
    fn check_physics(&mut self, it: &schema::Physics<'_>) {
        let mut warn = |field: &str, message: String| {
            self.diagnostics.warn("bad-physics", super::at(self.at(field)), message);
        };
        let (fps, limit, mass, damping) = (it.fps.0, it.limit.0, it.mass.0, it.damping.0);
        let (most, usual) = (Rate::MAX_FPS, Rate::DEFAULT_FPS);
        if fps <= 0.0 {
            warn("fps", format!("a rate of {fps} is not possible; {usual} steps per second are used"));
        } else if f64::from(fps) > most {
            warn("fps", format!("{fps} steps per second are too many; {most} are used"));
        }
        if limit < 0.0 {
            warn("limit", format!("the limit {limit} is negative; movements of the bone have no effect"));
        }
        if mass <= 0.0 {
            warn("mass", format!("a mass of {mass} is not possible: the bone does not swing, or jumps"));
        }
        if damping < 0.0 {
            warn("damping", format!("a damping of {damping} is not possible: the bone does not swing"));
        }
    }

    fn physics(&mut self, it: &schema::Physics<'_>) -> Result<Option<Built>> {
        let Some(bone) = self.bone(&it.bone, "bone")? else { return Ok(None) };
        let reference =
            self.root.skeleton.as_ref().and_then(|skeleton| skeleton.reference_scale).map(|scale| scale.0);
        self.check_physics(it);
        let kind = PhysicsConstraint {
            bone,
            x: it.x.0.into(),
            y: it.y.0.into(),
            rotate: it.rotate.0.into(),
            scale_x: it.scale_x.0.into(),
            shear_x: it.shear_x.0.into(),
            scale_y: scale_y(it.scale_y),
            limit: f64::from(it.limit.0).max(0.0),
            rate: Rate::new(it.fps.0.into()),
            reference_scale: reference.unwrap_or(100.0).into(),
            globals: [
                it.inertia_global,
                it.strength_global,
                it.damping_global,
                it.mass_global,
                it.wind_global,
                it.gravity_global,
                it.mix_global,
            ],
        };
        let setup = setup([it.inertia, it.strength, it.damping, it.mass, it.wind, it.gravity, it.mix]);
        Ok(Some((ConstraintKind::Physics(kind), setup)))
    }

    /// The bones that an animation moves.
    fn moved_bones(&self, animation: usize) -> Vec<u32> {
        let moved = self.root.animations.0[animation].1.bones.0.iter();
        moved.filter_map(|(name, _)| self.names.bones.get(name.as_str()).copied()).collect()
    }

    /// A slider; the animation must exist, and the property if it has a bone.
    fn slider(&mut self, it: &schema::Slider<'_>) -> Result<Option<Built>> {
        let animation = self.root.animations.0.iter().rposition(|(name, _)| *name == it.animation);
        let animation = animation.ok_or_else(|| match it.animation.as_str() {
            "" => malformed("missing-name", self.at("animation"), "a slider must have an animation"),
            _ => super::missing("animation", &it.animation, self.at("animation")),
        });
        let animation = self.diagnostics.recover(animation)?;
        let driver = match &it.driver {
            None => Some(None),
            Some(stated) => {
                let bone = self.bone(&stated.bone, "bone")?;
                let name = &stated.property;
                let property = BoneProperty::named(name.as_str());
                let property = property.ok_or_else(|| super::missing("property", name, self.at("property")));
                let property = self.diagnostics.recover(property)?;
                bone.zip(property).map(|(bone, property)| {
                    Some(Driver {
                        bone,
                        property,
                        is_local: stated.local,
                        from: stated.from.0.into(),
                        to: stated.to.0.into(),
                        scale: stated.scale.0.into(),
                    })
                })
            }
        };
        let (Some(animation), Some(driver)) = (animation, driver) else { return Ok(None) };
        let kind = Slider {
            animation,
            bones: self.moved_bones(animation),
            is_additive: it.additive,
            is_looping: it.looping,
            driver,
        };
        Ok(Some((ConstraintKind::Slider(kind), setup([it.time, it.mix]))))
    }
}

/// How properties drive others. Unknown names have been reported.
fn links(stated: &schema::Links<'_>) -> Links {
    let mut links = Links { list: Vec::new(), is_local: stated.local_target, is_clamped: stated.clamp };
    for (from, way) in &stated.properties.0 {
        let Some(from) = BoneProperty::named(from.as_str()) else { continue };
        let all = way.to.0.iter().filter_map(|(to, it)| Some((BoneProperty::named(to.as_str())?, it)));
        links.list.extend(all.map(|(to, it)| Link {
            from,
            to,
            from_offset: way.offset.0.into(),
            offset: it.offset.0.into(),
            max: it.max.0.into(),
            scale: it.scale.0.into(),
        }));
    }
    links
}

fn scale_y(mode: schema::ScaleYMode) -> ScaleY {
    match mode {
        schema::ScaleYMode::None => ScaleY::Stays,
        schema::ScaleYMode::Uniform => ScaleY::Uniform,
        schema::ScaleYMode::Volume => ScaleY::Volume,
    }
}

/// The state at rest, with values in the order of [`ConstraintPose::values`].
fn setup<const N: usize>(given: [schema::Number; N]) -> ConstraintPose {
    let mut setup = ConstraintPose::default();
    setup.values.iter_mut().zip(given).for_each(|(value, given)| *value = given.0.into());
    setup
}
