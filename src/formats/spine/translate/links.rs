//! Transform constraints of 4.2 ↔ transform constraints of 4.3, which state what drives what.
//!
//! Every property drives itself. Two rules of 4.2 are expressed by numbers: it turns the offset of the shear round if the
//! source is mirrored, and between local poses it divides the new scale by the old one.

use std::collections::HashMap;

use crate::formats::spine::schema::{
    Animation, Bone, Constraint, Entries, FromProperty, Inherit, Keys, Links, MAX_WIDTH, Number, OfKind,
    PROPERTIES, Property, Root, Text, ToProperty, Transform,
};

/// 4.2 → 4.3: every transform constraint states which property drives which.
pub fn link(root: &mut Root<'_>) {
    turn_shears(root);
    let bones = by_name(&root.bones);
    for it in root.constraints.iter_mut().filter_map(Transform::of_mut) {
        it.links = Some(plain(it, &bones));
    }
}

/// 4.3 → 4.2: properties that nothing drives have a mix of 0.
pub fn unlink(root: &mut Root<'_>) {
    let Root { constraints, animations, .. } = root;
    constraints.iter_mut().filter_map(Transform::of_mut).for_each(|it| state_unlinked_mixes(it, animations));
    turn_shears(root);
}

/// Tells whether something is a transform constraint that no constraint of 4.2 can express.
pub fn linked<'r, 'a>(root: &'r Root<'a>) -> impl Fn(&Constraint<'a>) -> bool + use<'r, 'a> {
    let bones = by_name(&root.bones);
    move |it| Transform::of(it).is_some_and(|it| !is_plain(it, &bones))
}

fn by_name<'r, 'a>(bones: &'r [Bone<'a>]) -> HashMap<Text<'a>, &'r Bone<'a>> {
    bones.iter().map(|bone| (bone.name.clone(), bone)).collect()
}

/// Turns the offsets of shears round that have mirrored sources, by their pose at rest.
fn turn_shears(root: &mut Root<'_>) {
    let mut is_mirrored: HashMap<&Text<'_>, bool> = HashMap::new();
    for bone in &root.bones {
        let inherits = matches!(bone.inherits(), Inherit::Normal | Inherit::NoScale);
        let parent = bone.parent.as_ref().filter(|_| inherits).and_then(|parent| is_mirrored.get(parent));
        let is_own = bone.scale_x.0 * bone.scale_y.0 < 0.0;
        is_mirrored.insert(&bone.name, is_own != parent.copied().unwrap_or_default());
    }
    for it in root.constraints.iter_mut().filter_map(Transform::of_mut) {
        if !it.local && is_mirrored.get(&it.target).copied().unwrap_or_default() {
            it.shear_y = Number(-it.shear_y.0);
        }
    }
}

/// The links of a transform constraint of 4.2.
fn plain(it: &Transform<'_>, bones: &HashMap<Text<'_>, &Bone<'_>>) -> Links<'static> {
    let same = |name: &'static str| {
        let to = Entries(vec![(Text(name.into()), to_itself(name, it, bones))]);
        (Text(name.into()), FromProperty { offset: Number(0.0), to })
    };
    Links {
        properties: Entries(PROPERTIES.iter().map(|name| same(name)).collect()),
        local_target: it.local,
        clamp: false,
    }
}

/// Returns true if a transform constraint does what one of 4.2 can do.
fn is_plain(it: &Transform<'_>, bones: &HashMap<Text<'_>, &Bone<'_>>) -> bool {
    let Some(links) = &it.links else { return true };
    let is_same = |(from, way): &(Text<'_>, FromProperty<'_>)| {
        let itself = |(to, found): &(Text<'_>, ToProperty)| {
            let same = to_itself(from.as_str(), it, bones);
            let is_found = |it: ToProperty| found.offset == it.offset && found.scale == it.scale;
            to == from && (is_found(same) || is_found(ToProperty::SAME))
        };
        way.offset.0 == 0.0 && way.to.0.iter().all(itself)
    };
    !links.clamp && links.local_target == it.local && links.properties.0.iter().all(is_same)
}

/// How a property drives itself as in 4.2. Between local poses, a mix m turns the scale s into 1 + (source - s) · m / s, and
/// in 4.3 into s + (driven - s) · m. It is expressed for bones that share s, as long as nothing animates s or m.
fn to_itself(name: &str, it: &Transform<'_>, bones: &HashMap<Text<'_>, &Bone<'_>>) -> ToProperty {
    let [_, _, _, mix_x, mix_y, _] = it.mixes();
    let (mix, scale_of): (f32, fn(&Bone<'_>) -> f32) = match name {
        "scaleX" => (mix_x.0, |bone| bone.scale_x.0),
        "scaleY" => (mix_y.0, |bone| bone.scale_y.0),
        _ => return ToProperty::SAME,
    };
    let mut scales = it.bones.iter().filter_map(|name| bones.get(name)).map(|bone| scale_of(bone));
    let scale = scales.next().filter(|first| scales.all(|scale| scale == *first));
    match scale.map(f64::from) {
        Some(scale) if it.local && !it.relative && scale != 0.0 && mix > 0.0 => {
            let mix = f64::from(mix);
            let offset = Number(((1.0 - mix) * (1.0 - scale) / mix) as f32);
            let factor = Number((1.0 / scale) as f32);
            let is_finite = offset.0.is_finite() && factor.0.is_finite();
            if is_finite { ToProperty { offset, scale: factor, ..ToProperty::SAME } } else { ToProperty::SAME }
        }
        _ => ToProperty::SAME,
    }
}

/// Sets the mixes of properties that nothing drives to 0, at rest and in keys, and removes the links.
fn state_unlinked_mixes(it: &mut Transform<'_>, animations: &mut Entries<'_, Animation<'_>>) {
    let Some(links) = it.links.take() else { return };
    let driven: Vec<&str> =
        links.properties.0.iter().flat_map(|(_, from)| &from.to.0).map(|(to, _)| to.as_str()).collect();
    let is_driven = PROPERTIES.map(|name| driven.contains(&name));
    if is_driven == [true; 6] {
        return;
    }
    let mut mixes = it.mixes();
    mixes.iter_mut().zip(is_driven).filter(|(_, is)| !is).for_each(|(mix, _)| *mix = Number(0.0));
    it.set_mixes(mixes.map(Some));
    for (_, animation) in &mut animations.0 {
        animation.keys_of_mut(&it.name, Property::Transform).for_each(|keys| zero(keys, is_driven));
    }
}

fn zero(keys: &mut Keys<'_>, is_driven: [bool; 6]) {
    for at in 0..keys.len() {
        let mut values: [f32; MAX_WIDTH] = keys.get(at);
        values.iter_mut().zip(is_driven).filter(|(_, is)| !is).for_each(|(value, _)| *value = 0.0);
        keys.set(at, &values, true);
    }
}
