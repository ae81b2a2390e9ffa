//! The five kinds of constraints, in their common order.

use super::{Names, find, malformed};
use crate::diagnostics::Diagnostics;
use crate::error::{Result, escaped};
use crate::formats::spine::schema;
use crate::formats::spine::version::Version;
use crate::math::dvec2;
use crate::model::{self, BoneId, ConstraintTarget, ModelBuilder, SlotId};
use crate::motion::spine::{
    BoneProperty, Constraint, ConstraintKind, ConstraintPose, Driver, Ik, Link, Links, PathConstraint,
    PhysicsConstraint, Rig, RotateMode, ScaleY, Slider, SpacingMode, TransformConstraint,
};

/// The kind of a constraint, for lookups by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Ik,
    Transform,
    Path,
    Physics,
    Slider,
}

impl Kind {
    /// The key of the list in the file.
    fn list(self) -> &'static str {
        match self {
            Self::Ik => "ik",
            Self::Transform => "transform",
            Self::Path => "path",
            Self::Physics => "physics",
            Self::Slider => "slider",
        }
    }
}

/// The name of a constraint.
pub fn name_of<'r, 'a>(root: &'r schema::Root<'a>, kind: Kind, index: usize) -> &'r schema::Text<'a> {
    match kind {
        Kind::Ik => &root.ik[index].name,
        Kind::Transform => &root.transform[index].name,
        Kind::Path => &root.path[index].name,
        Kind::Physics => &root.physics[index].name,
        Kind::Slider => &root.sliders[index].name,
    }
}

/// The pointer to a constraint; `order` is its place in the list of 4.3.
pub fn pointer(root: &schema::Root<'_>, kind: Kind, index: usize, order: i64) -> String {
    match root.version {
        Version::Four(3) => format!("/constraints/{order}"),
        _ => format!("/{}/{index}", kind.list()),
    }
}

/// The names of the fields that transform and path constraints follow.
fn follows(root: &schema::Root<'_>) -> [&'static str; 2] {
    if root.version == Version::Four(3) { ["source", "slot"] } else { ["target", "target"] }
}

/// Indices of all constraints in the order in which they are applied, by kind and name.
pub struct Order<'a> {
    by_name: std::collections::HashMap<(u8, &'a str), u32>,
}

impl<'a> Order<'a> {
    /// Sorts by the `order` of the file; ties keep the order of the lists.
    pub fn of(root: &'a schema::Root<'a>) -> Self {
        let by_name = places(root).into_iter().zip(0..).map(|(place, index)| {
            let (_, kind, at) = place;
            ((kind as u8, name_of(root, kind, at).as_str()), index)
        });
        Self { by_name: by_name.collect() }
    }

    /// Returns the index of a constraint.
    pub fn find(&self, kind: Kind, name: &schema::Text<'_>, pointer: impl FnOnce() -> String) -> Result<u32> {
        let what = match kind {
            Kind::Ik => "IK constraint",
            Kind::Transform => "transform constraint",
            Kind::Path => "path constraint",
            Kind::Physics => "physics constraint",
            Kind::Slider => "slider",
        };
        let found = self.by_name.get(&(kind as u8, name.as_str())).copied();
        found.ok_or_else(|| super::missing(what, name, pointer()))
    }
}

/// Order number, kind and list index of every constraint, in the order in which they are applied.
pub fn places(root: &schema::Root<'_>) -> Vec<(i64, Kind, usize)> {
    let ik = root.ik.iter().enumerate().map(|(index, ik)| (ik.order, Kind::Ik, index));
    let transform = root.transform.iter().enumerate().map(|(index, it)| (it.order, Kind::Transform, index));
    let path = root.path.iter().enumerate().map(|(index, path)| (path.order, Kind::Path, index));
    let physics = root.physics.iter().enumerate().map(|(index, it)| (it.order, Kind::Physics, index));
    let sliders = root.sliders.iter().enumerate().map(|(index, it)| (it.order, Kind::Slider, index));
    let mut places: Vec<_> = ik.chain(transform).chain(path).chain(physics).chain(sliders).collect();
    places.sort_by_key(|place| place.0);
    places
}

/// Adds all constraints to the model and the rig.
pub fn build(
    root: &schema::Root<'_>,
    names: &Names<'_>,
    builder: &mut ModelBuilder,
    rig: &mut Rig,
    diagnostics: &mut Diagnostics,
) -> Result<()> {
    let places = places(root);
    let count = places.len() as i64;
    // Early versions had no order.
    let is_ordered = !root.version.is_old() || places.iter().any(|(order, ..)| *order != 0);
    // The last constraint that is applied, and its order.
    let mut last: Option<(i64, &schema::Text<'_>)> = None;
    for (order, kind, index) in places {
        let constraint = match kind {
            Kind::Ik => ik(root, index, names, rig, diagnostics)?,
            Kind::Transform => transform(root, index, names, diagnostics)?,
            Kind::Path => path(root, index, names, diagnostics)?,
            Kind::Physics => physics(root, index, names, diagnostics)?,
            Kind::Slider => slider(root, index, names, diagnostics)?,
        };
        let Some(mut constraint) = constraint else { continue };
        // The orders run from 0 to their number: one with a greater order is never applied, nor the second with an order.
        if is_ordered {
            let name = name_of(root, kind, index);
            let is_taken = last.is_some_and(|(taken, _)| taken == order);
            constraint.is_skipped = is_taken || !(0..count).contains(&order);
            if constraint.is_skipped {
                let by = last.filter(|_| is_taken).map(|(_, by)| by);
                warn_of_order(order, (kind, index, name), by, count, diagnostics);
            } else {
                last = Some((order, name));
            }
        }
        builder.constraint(listed(root, (kind, index), &constraint))?;
        rig.constraints.push(constraint);
    }
    Ok(())
}

/// Warns of a constraint that is never applied. `by`: the constraint that has taken its place.
fn warn_of_order(
    order: i64,
    (kind, index, name): (Kind, usize, &schema::Text<'_>),
    by: Option<&schema::Text<'_>>,
    count: i64,
    diagnostics: &mut Diagnostics,
) {
    let why = match by {
        Some(by) => format!("`{}` has the same order, {order}", escaped(by.as_str())),
        None => format!("its order is {order}, but the orders of {count} constraints run from 0 to {}", count - 1),
    };
    let message = format!("constraint `{}` is never applied: {why}", escaped(name.as_str()));
    diagnostics.warn("constraint-order", super::at(format!("/{}/{index}/order", kind.list())), message);
}

/// The constraint as an entry of the model's list.
fn listed(root: &schema::Root<'_>, (kind, index): (Kind, usize), constraint: &Constraint) -> model::Constraint {
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
    let name = name_of(root, kind, index).as_str().into();
    let kind = match kind {
        Kind::Ik => model::ConstraintKind::Ik,
        Kind::Transform => model::ConstraintKind::Transform,
        Kind::Path => model::ConstraintKind::Path,
        Kind::Physics => model::ConstraintKind::Physics,
        Kind::Slider => model::ConstraintKind::Slider,
    };
    model::Constraint { name, kind, bones, target, needs_skin: constraint.needs_skin }
}

/// Resolves the bones that a constraint moves; it must have at least one.
fn bones(list: &[schema::Text<'_>], pointer: &str, names: &Names<'_>) -> Result<Vec<u32>> {
    if list.is_empty() {
        return Err(malformed(
            "constraint-bones",
            format!("{pointer}/bones"),
            "a constraint must have at least one bone",
        ));
    }
    let find = |(index, name)| find(&names.bones, name, "bone", || format!("{pointer}/bones/{index}"));
    list.iter().enumerate().map(|entry| Ok(find(entry)? as u32)).collect()
}

/// Resolves the bones of an IK constraint: one, or one and its child.
fn ik_bones(root: &schema::Root<'_>, index: usize, names: &Names<'_>, rig: &Rig) -> Result<(u32, Option<usize>)> {
    let ik = &root.ik[index];
    let pointer = pointer(root, Kind::Ik, index, ik.order);
    let bones = bones(&ik.bones, &pointer, names)?;
    // A wrong parent has been reported already.
    let is_child = |child: u32, of: u32| match rig.bones[child as usize].parent {
        Some(parent) => parent == of,
        None => root.bones[child as usize].parent.is_some(),
    };
    match bones[..] {
        [bone] => Ok((bone, None)),
        [bone, child] if is_child(child, bone) => Ok((bone, Some(child as usize))),
        [_, _] => {
            let message =
                format!("the second bone, `{}`, is not a child of the first, `{}`", ik.bones[1], ik.bones[0]);
            Err(malformed("constraint-bones", format!("{pointer}/bones/1"), message))
        }
        _ => {
            let message = format!("{} bones; an IK constraint has one or two", bones.len());
            Err(malformed("constraint-bones", format!("{pointer}/bones"), message))
        }
    }
}

fn ik(
    root: &schema::Root<'_>,
    index: usize,
    names: &Names<'_>,
    rig: &Rig,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Constraint>> {
    let ik = &root.ik[index];
    let bones = diagnostics.recover(ik_bones(root, index, names, rig))?;
    let pointer = || pointer(root, Kind::Ik, index, ik.order);
    let target = find(&names.bones, &ik.target, "bone", || pointer() + "/target");
    let target = diagnostics.recover(target)?;
    let (Some((bone, child)), Some(target)) = (bones, target) else { return Ok(None) };
    Ok(Some(Constraint {
        kind: ConstraintKind::Ik(Ik {
            bone: bone as usize,
            child,
            target,
            scale_y: match (ik.uniform, ik.keeps_volume) {
                (true, _) => ScaleY::Uniform,
                (false, true) => ScaleY::Volume,
                (false, false) => ScaleY::Stays,
            },
        }),
        needs_skin: ik.skin,
        is_skipped: false,
        setup: ConstraintPose {
            values: values([ik.mix, ik.softness]),
            bends_positive: ik.bend_positive,
            compresses: ik.compress,
            stretches: ik.stretch,
        },
    }))
}

fn transform(
    root: &schema::Root<'_>,
    index: usize,
    names: &Names<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Constraint>> {
    let it = &root.transform[index];
    let pointer = pointer(root, Kind::Transform, index, it.order);
    let bones = diagnostics.recover(bones(&it.bones, &pointer, names))?;
    let target = find(&names.bones, &it.target, "bone", || format!("{pointer}/{}", follows(root)[0]));
    let (Some(bones), Some(target)) = (bones, diagnostics.recover(target)?) else { return Ok(None) };
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
    Ok(Some(Constraint {
        kind: ConstraintKind::Transform(kind),
        needs_skin: it.skin,
        is_skipped: false,
        setup: ConstraintPose { values: values(it.mixes()), ..ConstraintPose::default() },
    }))
}

/// How properties drive others. Unknown names have been reported.
fn links(stated: &schema::Links<'_>) -> Links {
    let mut links = Links { list: Vec::new(), is_local: stated.local_target, is_clamped: stated.clamp };
    for (from, way) in &stated.properties.0 {
        let Some(from) = property(from) else { continue };
        let all = way.to.0.iter().filter_map(|(to, it)| Some((property(to)?, it)));
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

fn property(name: &schema::Text<'_>) -> Option<BoneProperty> {
    schema::PROPERTIES.iter().position(|known| *known == name.as_str()).map(|at| BoneProperty::ALL[at])
}

/// The bones that an animation moves.
fn moved_bones(root: &schema::Root<'_>, animation: usize, names: &Names<'_>) -> Vec<u32> {
    let moved = root.animations.0[animation].1.bones.0.iter();
    moved.filter_map(|(name, _)| names.bones.get(name.as_str()).copied()).collect()
}

/// A slider; the animation must exist, and the property if it has a bone.
fn slider(
    root: &schema::Root<'_>,
    index: usize,
    names: &Names<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Constraint>> {
    let it = &root.sliders[index];
    let pointer = |field| format!("{}/{field}", pointer(root, Kind::Slider, index, it.order));
    let animation = root.animations.0.iter().rposition(|(name, _)| *name == it.animation);
    let animation = animation.ok_or_else(|| match it.animation.as_str() {
        "" => malformed("missing-name", pointer("animation"), "a slider must have an animation"),
        _ => super::missing("animation", &it.animation, pointer("animation")),
    });
    let animation = diagnostics.recover(animation)?;
    let driver = match &it.driver {
        None => Some(None),
        Some((bone, name)) => {
            let bone = diagnostics.recover(find(&names.bones, bone, "bone", || pointer("bone")))?;
            let property = property(name).ok_or_else(|| super::missing("property", name, pointer("property")));
            let property = diagnostics.recover(property)?;
            bone.zip(property).map(|(bone, property)| {
                Some(Driver {
                    bone,
                    property,
                    is_local: it.local,
                    from: it.from.0.into(),
                    to: it.to.0.into(),
                    scale: it.scale.0.into(),
                })
            })
        }
    };
    let (Some(animation), Some(driver)) = (animation, driver) else { return Ok(None) };
    Ok(Some(Constraint {
        kind: ConstraintKind::Slider(Slider {
            animation,
            bones: moved_bones(root, animation, names),
            is_additive: it.additive,
            is_looping: it.looping,
            driver,
        }),
        needs_skin: it.skin,
        is_skipped: false,
        setup: ConstraintPose { values: values([it.time, it.mix]), ..ConstraintPose::default() },
    }))
}

fn path(
    root: &schema::Root<'_>,
    index: usize,
    names: &Names<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Constraint>> {
    let path = &root.path[index];
    let pointer = pointer(root, Kind::Path, index, path.order);
    let bones = diagnostics.recover(bones(&path.bones, &pointer, names))?;
    let target = find(&names.slots, &path.target, "slot", || format!("{pointer}/{}", follows(root)[1]));
    let (Some(bones), Some(target)) = (bones, diagnostics.recover(target)?) else { return Ok(None) };
    let kind = PathConstraint {
        bones,
        target,
        is_position_percent: path.position_mode == schema::PositionMode::Percent,
        spacing: match path.spacing_mode {
            schema::SpacingMode::Length => SpacingMode::Length,
            schema::SpacingMode::Fixed => SpacingMode::Fixed,
            schema::SpacingMode::Percent => SpacingMode::Percent,
            schema::SpacingMode::Proportional => SpacingMode::Proportional,
        },
        rotate: match path.rotate_mode {
            schema::RotateMode::Tangent => RotateMode::Tangent,
            schema::RotateMode::Chain => RotateMode::Chain,
            schema::RotateMode::ChainScale => RotateMode::ChainScale,
        },
        rotation: path.rotation.0.into(),
    };
    let [rotate, x, y] = path.mixes();
    let values = values([path.position, path.spacing, rotate, x, y]);
    Ok(Some(Constraint {
        kind: ConstraintKind::Path(kind),
        needs_skin: path.skin,
        is_skipped: false,
        setup: ConstraintPose { values, ..ConstraintPose::default() },
    }))
}

/// The rate of a physics constraint that does not state a usable one.
const DEFAULT_PHYSICS_FPS: f64 = 60.0;

/// Reports numbers with which nothing can swing.
fn check_physics(it: &schema::Physics<'_>, pointer: &str, diagnostics: &mut Diagnostics) {
    let mut warn = |field: &str, message: String| {
        diagnostics.warn("bad-physics", super::at(format!("{pointer}/{field}")), message);
    };
    let (fps, limit, mass, damping) = (it.fps.0, it.limit.0, it.mass.0, it.damping.0);
    let most = PhysicsConstraint::MAX_FPS;
    if fps <= 0.0 {
        warn("fps", format!("a rate of {fps} is not possible; {DEFAULT_PHYSICS_FPS} steps per second are used"));
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

fn physics(
    root: &schema::Root<'_>,
    index: usize,
    names: &Names<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Constraint>> {
    let it = &root.physics[index];
    let pointer = pointer(root, Kind::Physics, index, it.order);
    let bone = find(&names.bones, &it.bone, "bone", || format!("{pointer}/bone"));
    let Some(bone) = diagnostics.recover(bone)? else { return Ok(None) };
    let reference = root.skeleton.as_ref().and_then(|skeleton| skeleton.reference_scale).map(|scale| scale.0);
    check_physics(it, &pointer, diagnostics);
    let rate = f64::from(it.fps.0);
    let kind = PhysicsConstraint {
        bone,
        x: it.x.0.into(),
        y: it.y.0.into(),
        rotate: it.rotate.0.into(),
        scale_x: it.scale_x.0.into(),
        shear_x: it.shear_x.0.into(),
        scale_y: match it.scale_y {
            schema::ScaleYMode::None => ScaleY::Stays,
            schema::ScaleYMode::Uniform => ScaleY::Uniform,
            schema::ScaleYMode::Volume => ScaleY::Volume,
        },
        limit: f64::from(it.limit.0).max(0.0),
        fps: if rate > 0.0 { rate.min(PhysicsConstraint::MAX_FPS) } else { DEFAULT_PHYSICS_FPS },
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
    let values = values([it.inertia, it.strength, it.damping, it.mass, it.wind, it.gravity, it.mix]);
    Ok(Some(Constraint {
        kind: ConstraintKind::Physics(kind),
        needs_skin: it.skin,
        is_skipped: false,
        setup: ConstraintPose { values, ..ConstraintPose::default() },
    }))
}

/// The values at rest, in the order of [`ConstraintPose::values`].
fn values<const N: usize>(given: [schema::Number; N]) -> [f64; ConstraintPose::VALUES] {
    let mut values = [0.0; ConstraintPose::VALUES];
    values.iter_mut().zip(given).for_each(|(value, given)| *value = given.0.into());
    values
}
