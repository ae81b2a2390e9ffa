//! 3.8 → 4.0 → 4.1 → 4.2. The newer version can represent everything that the older one does.

use super::{attachments, for_each_keys};
use crate::formats::spine::schema::{
    Animation, AttachmentTimelines, Curve, Entries, Group, Keys, Lone, MAX_WIDTH, Property, Root,
};
use crate::math::angle::wrap_turn;

/// 3.8 → 4.0: curves state times and values instead of shares, and timelines have other names.
pub fn to_4_0(root: &mut Root<'_>) {
    root.transform.iter_mut().for_each(|it| it.restate_mixes(true));
    root.path.iter_mut().for_each(|path| path.restate_mixes(true));
    for (_, animation) in &mut root.animations.0 {
        raise_animation(animation);
    }
}

fn raise_animation(animation: &mut Animation<'_>) {
    for (_, timelines) in &mut animation.bones.0 {
        timelines.get_mut(Property::Rotate).into_iter().for_each(raise_rotation);
    }
    make_absolute(animation, |_| true);
    for (_, timelines) in &mut animation.slots.0 {
        for (old, new) in [(Property::Color, Property::Rgba), (Property::TwoColor, Property::Rgba2)] {
            let Some(old) = timelines.take(old) else { continue };
            let mut keys = timelines.take_or_new(new);
            keys.append(old);
            timelines.put(keys);
        }
    }
    let transforms = animation.transform.0.iter_mut().map(|(_, keys)| &mut keys.0);
    let paths = animation.path.0.iter_mut().flat_map(|(_, timelines)| &mut timelines.list);
    for keys in transforms.chain(paths) {
        for at in 0..keys.len() {
            keys.set(at, &keys.get(at), true);
        }
    }
}

/// Replaces curves that state shares by times and values, in timelines of any version.
pub fn make_absolute(animation: &mut Animation<'_>, is_share: fn(&Curve) -> bool) {
    // Physics came later.
    for_each_keys(animation, |keys| {
        if keys.row().group != Group::Physics {
            absolute(keys, is_share);
        }
    });
}

/// Replaces shares by times and values: four numbers for each of the values.
pub fn absolute(keys: &mut Keys<'_>, is_share: fn(&Curve) -> bool) {
    let is_share = |curve: &Curve| *curve != Curve::Linear && is_share(curve);
    if !keys.curves.iter().any(is_share) {
        return;
    }
    keys.sort();
    for at in 1..keys.len() {
        if is_share(&keys.curves[at - 1]) {
            // The value of a deformation is the share of the next key.
            let ends = match keys.property {
                Property::Deform => [[0.0; MAX_WIDTH], [1.0; MAX_WIDTH]],
                _ => [keys.get(at - 1), keys.get(at)],
            };
            let times = [keys.times[at - 1], keys.times[at]];
            keys.curves[at - 1] = of_shares(&keys.curves[at - 1], times, ends, keys.row().curves());
        }
    }
}

fn of_shares(curve: &Curve, times: [f32; 2], values: [[f32; MAX_WIDTH]; 2], count: usize) -> Curve {
    let &[x1, y1, x2, y2] = curve.handles() else { return curve.clone() };
    let at = |[from, to]: [f32; 2], share: f32| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * f64::from(share)) as f32
    };
    let handles = (0..count).flat_map(|value| {
        let ends = values.map(|values| values[value]);
        [at(times, x1), at(ends, y1), at(times, x2), at(ends, y2)]
    });
    Curve::of_handles(&handles.collect::<Vec<f32>>())
}

/// 3.8 turns the short way, 4.0 by the difference of the angles. Whole turns are added to them.
fn raise_rotation(keys: &mut Keys<'_>) {
    const TURN: f64 = 360.0;
    keys.sort();
    let mut before: Option<(f64, f64)> = None;
    for at in 0..keys.len() {
        let mut values = keys.get(at);
        let stated = f64::from(values[0]);
        let turns = before.map_or(0.0, |(before, turns)| {
            let turn = stated - before;
            turns + ((wrap_turn(turn) - turn) / TURN).round()
        });
        before = Some((stated, turns));
        values[0] = (stated + turns * TURN) as f32;
        keys.set(at, &values, true);
    }
}

/// 4.0 → 4.1: deformations are timelines of attachments.
pub fn to_4_1(root: &mut Root<'_>) {
    for attachment in attachments(root) {
        attachment.timelines = attachment.deform.take();
    }
    for (_, animation) in &mut root.animations.0 {
        let raise = |Lone(keys)| AttachmentTimelines { steps: Vec::new(), list: vec![keys] };
        let skins = std::mem::take(&mut animation.deform).0.into_iter().map(|(skin, slots)| {
            let slots = slots.0.into_iter().map(|(slot, attachments)| {
                let attachments = attachments.0.into_iter().map(|(name, keys)| (name, raise(keys)));
                (slot, Entries(attachments.collect()))
            });
            (skin, Entries(slots.collect()))
        });
        animation.attachments = Entries(skins.collect());
    }
}

/// 4.1 → 4.2: what a bone inherits has another name.
pub fn to_4_2(root: &mut Root<'_>) {
    for bone in &mut root.bones {
        bone.inherit = bone.transform.take();
    }
}
