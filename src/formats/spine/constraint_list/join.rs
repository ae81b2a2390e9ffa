//! The lists of a document → the one list of JSON 4.3.

use super::{DAMPING, INERTIA, ONE, for_each_audio_key, for_each_transform_key};
use crate::formats::spine::schema::{
    Constraint, ConstraintType, Ik, Number, Path, Physics, Root, ScaleY, ScaleYMode, Slider, Transform, Value,
    attachments,
};

/// States everything as JSON of 4.3 does.
pub fn join(root: &mut Root<'_>) {
    let mut all = Vec::new();
    all.extend(std::mem::take(&mut root.ik).into_iter().map(|it| (it.order, of_ik(it))));
    all.extend(std::mem::take(&mut root.transform).into_iter().map(|it| (it.order, of_transform(it))));
    all.extend(std::mem::take(&mut root.path).into_iter().map(|it| (it.order, of_path(it))));
    all.extend(std::mem::take(&mut root.physics).into_iter().map(|it| (it.order, of_physics(it))));
    all.extend(std::mem::take(&mut root.sliders).into_iter().map(|it| (it.order, of_slider(it))));
    all.sort_by_key(|(order, _)| *order);
    root.constraints = all.into_iter().map(|(_, it)| it).collect();
    for attachment in attachments(root) {
        attachment.source = attachment.parent.take();
    }
    for_each_transform_key(root, |scale_y, field| {
        *field = if scale_y == 1.0 { Value::Missing } else { Value::Number(scale_y) };
    });
    for_each_audio_key(root, |_, key| {
        key.volume.get_or_insert(ONE);
        key.balance.get_or_insert(Number(0.0));
    });
}

/// A value unless it is the default.
fn unless<T: PartialEq>(default: T, value: T) -> Option<T> {
    (value != default).then_some(value)
}

fn flag(is: bool) -> Option<bool> {
    is.then_some(true)
}

fn number(number: Number) -> Option<Number> {
    unless(Number(0.0), number)
}

fn of_mode(mode: ScaleYMode) -> Option<ScaleY> {
    unless(ScaleYMode::None, mode).map(ScaleY::Mode)
}

fn of_ik(it: Ik<'_>) -> Constraint<'_> {
    let mode = match (it.uniform, it.keeps_volume) {
        (true, _) => ScaleYMode::Uniform,
        (false, true) => ScaleYMode::Volume,
        (false, false) => ScaleYMode::None,
    };
    Constraint {
        skin: flag(it.skin),
        bones: Some(it.bones),
        target: Some(it.target),
        scale_y: of_mode(mode),
        mix: unless(ONE, it.mix),
        softness: number(it.softness),
        bend_positive: unless(true, it.bend_positive),
        compress: flag(it.compress),
        stretch: flag(it.stretch),
        ..Constraint::new(ConstraintType::Ik, it.name)
    }
}

fn of_transform(mut it: Transform<'_>) -> Constraint<'_> {
    it.state_split_mixes(None);
    let links = it.links.unwrap_or_default();
    Constraint {
        skin: flag(it.skin),
        bones: Some(it.bones),
        source: Some(it.target),
        local_source: flag(it.local),
        local_target: flag(links.local_target),
        additive: flag(it.relative),
        clamp: flag(links.clamp),
        properties: Some(links.properties),
        rotation: number(it.rotation),
        x: number(it.x),
        y: number(it.y),
        scale_x: number(it.scale_x),
        scale_y: number(it.scale_y).map(ScaleY::Offset),
        shear_y: number(it.shear_y),
        mix_rotate: it.mix_rotate,
        mix_x: it.mix_x,
        mix_y: it.mix_y,
        mix_scale_x: it.mix_scale_x,
        mix_scale_y: it.mix_scale_y,
        mix_shear_y: it.mix_shear_y,
        ..Constraint::new(ConstraintType::Transform, it.name)
    }
}

fn of_path(it: Path<'_>) -> Constraint<'_> {
    Constraint {
        skin: flag(it.skin),
        bones: Some(it.bones),
        slot: Some(it.target),
        position_mode: unless(Default::default(), it.position_mode),
        spacing_mode: unless(Default::default(), it.spacing_mode),
        rotate_mode: unless(Default::default(), it.rotate_mode),
        rotation: number(it.rotation),
        position: number(it.position),
        spacing: number(it.spacing),
        mix_rotate: it.mix_rotate,
        mix_x: it.mix_x,
        mix_y: it.mix_y,
        ..Constraint::new(ConstraintType::Path, it.name)
    }
}

fn of_physics(it: Physics<'_>) -> Constraint<'_> {
    Constraint {
        skin: flag(it.skin),
        bone: Some(it.bone),
        x: number(it.x),
        y: number(it.y),
        rotate: number(it.rotate),
        scale_x: number(it.scale_x),
        scale_y: of_mode(it.scale_y),
        shear_x: number(it.shear_x),
        limit: unless(Physics::LIMIT, it.limit),
        fps: unless(Physics::FPS, it.fps),
        inertia: unless(INERTIA, it.inertia),
        strength: unless(Physics::STRENGTH, it.strength),
        damping: unless(DAMPING, it.damping),
        mass: unless(ONE, it.mass),
        wind: number(it.wind),
        gravity: number(it.gravity),
        mix: unless(ONE, it.mix),
        inertia_global: flag(it.inertia_global),
        strength_global: flag(it.strength_global),
        damping_global: flag(it.damping_global),
        mass_global: flag(it.mass_global),
        wind_global: flag(it.wind_global),
        gravity_global: flag(it.gravity_global),
        mix_global: flag(it.mix_global),
        ..Constraint::new(ConstraintType::Physics, it.name)
    }
}

fn of_slider(it: Slider<'_>) -> Constraint<'_> {
    let (bone, property) = it.driver.unzip();
    Constraint {
        skin: flag(it.skin),
        animation: Some(it.animation),
        additive: flag(it.additive),
        looping: flag(it.looping),
        time: number(it.time),
        mix: unless(ONE, it.mix),
        bone,
        property,
        local: flag(it.local),
        from: number(it.from),
        to: number(it.to),
        scale: unless(ONE, it.scale),
        max: it.max,
        ..Constraint::new(ConstraintType::Slider, it.name)
    }
}
