//! Constraints and names: JSON 4.3 ↔ documents, which have a list for each kind of constraint.
//!
//! The place in the list of 4.3 is the `order` of documents. Every field becomes one of earlier versions, if there is
//! one: `source` of a transform constraint and `slot` of a path constraint are called `target`, and `source` of a linked
//! mesh `parent`.

#[cfg(feature = "convert")]
mod join;

use super::build::escaped_key;
use super::legacy::warn_ignored;
use super::schema::{
    Constraint, ConstraintType, Entries, Event, EventKey, Ik, Links, Lone, Number, PROPERTIES, Path, Physics,
    Root, ScaleY, ScaleYMode, Slider, Text, Transform, Value, attachments,
};
use super::version::Version;
use crate::diagnostics::Diagnostics;

#[cfg(feature = "convert")]
pub use join::join;

/// The field of a transform key that 4.3 does not derive from another one.
const MIX_SCALE_Y: usize = 8;

const ONE: Number = Number(1.0);

/// The defaults of 4.3, which are 1 in 4.2.
const INERTIA: Number = Number(0.5);
const DAMPING: Number = Number(0.85);

/// Converts what JSON of 4.3 states; of other versions nothing.
pub fn split(root: &mut Root<'_>, diagnostics: &mut Diagnostics) {
    if root.version != Version::Four(3) {
        return;
    }
    for (index, mut it) in std::mem::take(&mut root.constraints).into_iter().enumerate() {
        let order = index as i64;
        match it.kind {
            ConstraintType::Ik => root.ik.push(ik(&mut it, order)),
            ConstraintType::Transform => {
                let mut transform = transform(&mut it, order);
                transform.state_split_mixes(Some(Number(0.0)));
                let properties = &transform.links.as_ref().map(|links| &links.properties.0);
                for (from, way) in properties.iter().copied().flatten() {
                    let known = |name: &Text<'_>| PROPERTIES.contains(&name.as_str());
                    let place = format!("/constraints/{index}/properties/{}", escaped_key(from.as_str()));
                    if !known(from) {
                        warn_ignored(place, diagnostics);
                        continue;
                    }
                    for (to, _) in way.to.0.iter().filter(|(to, _)| !known(to)) {
                        warn_ignored(format!("{place}/to/{}", escaped_key(to.as_str())), diagnostics);
                    }
                }
                root.transform.push(transform);
            }
            ConstraintType::Path => root.path.push(path(&mut it, order)),
            ConstraintType::Physics => root.physics.push(physics(&mut it, order)),
            ConstraintType::Slider => root.sliders.push(slider(&mut it, order)),
        }
        it.given().for_each(|field| warn_ignored(format!("/constraints/{index}/{field}"), diagnostics));
    }
    for attachment in attachments(root) {
        let source = attachment.source.take();
        attachment.parent = source.or(attachment.parent.take());
    }
    for_each_transform_key(root, |_, field| {
        if *field == Value::Missing {
            *field = Value::Number(1.0);
        }
    });
    // A key without volume has the event's volume, and a key without balance has the same number, as the goldens show.
    for_each_audio_key(root, |event, key| {
        let volume = event.volume.unwrap_or(ONE);
        key.volume.get_or_insert(volume);
        key.balance.get_or_insert(volume);
    });
}

/// Returns true if the document has constraints in the lists of earlier versions.
pub fn has_lists(root: &Root<'_>) -> bool {
    !(root.ik.is_empty() && root.transform.is_empty() && root.path.is_empty() && root.physics.is_empty())
}

/// Removes timelines of constraints, and their entries in skins: there are none.
pub fn remove_references(root: &mut Root<'_>) {
    for (_, animation) in &mut root.animations.0 {
        (animation.ik, animation.transform, animation.path) = Default::default();
        animation.physics = Entries::default();
    }
    for skin in &mut root.skins.list {
        (skin.ik, skin.transform, skin.path, skin.physics) = Default::default();
    }
}

/// Calls `see` for the mix of scale y of each key of transform constraints: its value before 4.3, and the field.
fn for_each_transform_key(root: &mut Root<'_>, mut see: impl FnMut(f32, &mut Value)) {
    let timelines = root.animations.0.iter_mut().flat_map(|(_, animation)| &mut animation.transform.0);
    for (_, Lone(keys)) in timelines {
        for at in 0..keys.len() {
            let [_, _, _, _, scale_y, ..] = keys.get(at);
            see(scale_y, &mut keys.fields_mut(at)[MIX_SCALE_Y]);
        }
    }
}

/// Calls `see` for each key of an event with audio.
fn for_each_audio_key<'a>(root: &mut Root<'a>, mut see: impl FnMut(&Event<'a>, &mut EventKey<'a>)) {
    let Root { events, animations, .. } = root;
    for key in animations.0.iter_mut().flat_map(|(_, animation)| &mut animation.events) {
        // Of several events of one name, the last counts.
        let event = events.0.iter().rev().find(|(name, _)| *name == key.name);
        if let Some((_, event)) = event.filter(|(_, event)| event.audio.is_some()) {
            see(event, key);
        }
    }
}

fn ik<'a>(it: &mut Constraint<'a>, order: i64) -> Ik<'a> {
    let scale_y = mode(it);
    Ik {
        name: it.name.clone(),
        order,
        skin: it.skin.take().unwrap_or_default(),
        bones: it.bones.take().unwrap_or_default(),
        target: it.target.take().unwrap_or_default(),
        mix: it.mix.take().unwrap_or(ONE),
        softness: it.softness.take().unwrap_or_default(),
        bend_positive: it.bend_positive.take().unwrap_or(true),
        compress: it.compress.take().unwrap_or_default(),
        stretch: it.stretch.take().unwrap_or_default(),
        uniform: scale_y == ScaleYMode::Uniform,
        keeps_volume: scale_y == ScaleYMode::Volume,
    }
}

/// The mode in `scaleY`; an offset is left there.
fn mode(it: &mut Constraint<'_>) -> ScaleYMode {
    match it.scale_y.take_if(|scale_y| matches!(scale_y, ScaleY::Mode(_))) {
        Some(ScaleY::Mode(mode)) => mode,
        Some(ScaleY::Offset(_)) | None => ScaleYMode::None,
    }
}

fn transform<'a>(it: &mut Constraint<'a>, order: i64) -> Transform<'a> {
    let offset = match it.scale_y.take_if(|scale_y| matches!(scale_y, ScaleY::Offset(_))) {
        Some(ScaleY::Offset(offset)) => offset,
        Some(ScaleY::Mode(_)) | None => Number(0.0),
    };
    Transform {
        name: it.name.clone(),
        order,
        skin: it.skin.take().unwrap_or_default(),
        bones: it.bones.take().unwrap_or_default(),
        target: it.source.take().unwrap_or_default(),
        rotation: it.rotation.take().unwrap_or_default(),
        x: it.x.take().unwrap_or_default(),
        y: it.y.take().unwrap_or_default(),
        scale_x: it.scale_x.take().unwrap_or_default(),
        scale_y: offset,
        shear_y: it.shear_y.take().unwrap_or_default(),
        mix_rotate: it.mix_rotate.take(),
        mix_x: it.mix_x.take(),
        mix_y: it.mix_y.take(),
        mix_scale_x: it.mix_scale_x.take(),
        mix_scale_y: it.mix_scale_y.take(),
        mix_shear_y: it.mix_shear_y.take(),
        local: it.local_source.take().unwrap_or_default(),
        relative: it.additive.take().unwrap_or_default(),
        links: Some(Links {
            properties: it.properties.take().unwrap_or_default(),
            local_target: it.local_target.take().unwrap_or_default(),
            clamp: it.clamp.take().unwrap_or_default(),
        }),
        ..Transform::default()
    }
}

impl Transform<'_> {
    /// States the mixes of y and scale y that drive something although the mixes of x and scale x, otherwise their
    /// defaults, do not. `omitted` is the value of a mix that is not stated; `None` stands for the value in earlier
    /// versions.
    fn state_split_mixes(&mut self, omitted: Option<Number>) {
        let Some(links) = &self.links else { return };
        let drives = |name: &str| {
            let mut all = links.properties.0.iter().flat_map(|(_, from)| &from.to.0);
            all.any(|(to, _)| to.as_str() == name)
        };
        let split = [("x", "y"), ("scaleX", "scaleY")].map(|(x, y)| !drives(x) && drives(y));
        let [_, _, y, _, scale_y, _] = self.mixes();
        for (is_split, mix, now) in [(split[0], &mut self.mix_y, y), (split[1], &mut self.mix_scale_y, scale_y)] {
            if is_split {
                mix.get_or_insert(omitted.unwrap_or(now));
            }
        }
    }
}

fn path<'a>(it: &mut Constraint<'a>, order: i64) -> Path<'a> {
    Path {
        name: it.name.clone(),
        order,
        skin: it.skin.take().unwrap_or_default(),
        bones: it.bones.take().unwrap_or_default(),
        target: it.slot.take().unwrap_or_default(),
        position_mode: it.position_mode.take().unwrap_or_default(),
        spacing_mode: it.spacing_mode.take().unwrap_or_default(),
        rotate_mode: it.rotate_mode.take().unwrap_or_default(),
        rotation: it.rotation.take().unwrap_or_default(),
        position: it.position.take().unwrap_or_default(),
        spacing: it.spacing.take().unwrap_or_default(),
        mix_rotate: it.mix_rotate.take(),
        mix_x: it.mix_x.take(),
        mix_y: it.mix_y.take(),
        ..Path::default()
    }
}

fn physics<'a>(it: &mut Constraint<'a>, order: i64) -> Physics<'a> {
    Physics {
        name: it.name.clone(),
        order,
        skin: it.skin.take().unwrap_or_default(),
        bone: it.bone.take().unwrap_or_default(),
        x: it.x.take().unwrap_or_default(),
        y: it.y.take().unwrap_or_default(),
        rotate: it.rotate.take().unwrap_or_default(),
        scale_x: it.scale_x.take().unwrap_or_default(),
        shear_x: it.shear_x.take().unwrap_or_default(),
        limit: it.limit.take().unwrap_or(Physics::LIMIT),
        fps: it.fps.take().unwrap_or(Physics::FPS),
        inertia: it.inertia.take().unwrap_or(INERTIA),
        strength: it.strength.take().unwrap_or(Physics::STRENGTH),
        damping: it.damping.take().unwrap_or(DAMPING),
        mass: it.mass.take().unwrap_or(ONE),
        wind: it.wind.take().unwrap_or_default(),
        gravity: it.gravity.take().unwrap_or_default(),
        mix: it.mix.take().unwrap_or(ONE),
        inertia_global: it.inertia_global.take().unwrap_or_default(),
        strength_global: it.strength_global.take().unwrap_or_default(),
        damping_global: it.damping_global.take().unwrap_or_default(),
        mass_global: it.mass_global.take().unwrap_or_default(),
        wind_global: it.wind_global.take().unwrap_or_default(),
        gravity_global: it.gravity_global.take().unwrap_or_default(),
        mix_global: it.mix_global.take().unwrap_or_default(),
        scale_y: mode(it),
    }
}

fn slider<'a>(it: &mut Constraint<'a>, order: i64) -> Slider<'a> {
    // Without a bone, its property has no effect.
    let driver = it.bone.take().map(|bone| (bone, it.property.take().unwrap_or_default()));
    Slider {
        name: it.name.clone(),
        order,
        skin: it.skin.take().unwrap_or_default(),
        animation: it.animation.take().unwrap_or_default(),
        additive: it.additive.take().unwrap_or_default(),
        looping: it.looping.take().unwrap_or_default(),
        time: it.time.take().unwrap_or_default(),
        mix: it.mix.take().unwrap_or(ONE),
        local: it.local.take_if(|_| driver.is_some()).unwrap_or_default(),
        from: it.from.take_if(|_| driver.is_some()).unwrap_or_default(),
        to: it.to.take_if(|_| driver.is_some()).unwrap_or_default(),
        scale: it.scale.take_if(|_| driver.is_some()).unwrap_or(ONE),
        max: it.max.take_if(|_| driver.is_some()),
        driver,
    }
}
