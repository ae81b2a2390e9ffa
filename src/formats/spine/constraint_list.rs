//! Constraints and names of JSON ↔ documents.
//!
//! Before 4.3, JSON has a list for each kind of constraint, and their `order` says when they are applied. Since 4.3, it
//! has one list in this order, in which some fields have other names and defaults: `source` of a transform constraint and
//! `slot` of a path constraint are called `target` before, and `source` of a linked mesh `parent`.

use super::build::escaped_key;
use super::ignored::warn_ignored;
use super::schema::{
    Constraint, Event, EventKey, Number, PROPERTIES, Property, Root, Text, Transform, Value, attachments, json,
};
use super::version::Version;
use crate::diagnostics::Diagnostics;
use crate::model::ConstraintKind;

/// The field of a transform key that 4.3 does not derive from another one.
const MIX_SCALE_Y: usize = 8;

const ONE: Number = Number(1.0);

/// JSON → a document. Fields that a constraint of 4.3 does not have are reported.
pub fn document<'a>(json: json::Root<'a>, diagnostics: &mut Diagnostics) -> Root<'a> {
    let json::Root { skeleton, bones, slots, skins, events, animations, version, .. } = json;
    let lists = json.ik.into_iter().map(Constraint::Ik);
    let lists = lists.chain(json.transform.into_iter().map(Constraint::Transform));
    let lists = lists.chain(json.path.into_iter().map(Constraint::Path));
    let lists = lists.chain(json.physics.into_iter().map(Constraint::Physics));
    let listed = json.constraints.into_iter().enumerate().map(|(index, it)| constraint(index, it, diagnostics));
    let constraints = lists.chain(listed).collect();
    let mut root = Root { skeleton, bones, slots, constraints, skins, events, animations, version };
    if version == Version::Four(3) {
        use_older_names(&mut root);
    }
    root
}

/// A constraint of 4.3.
fn constraint<'a>(index: usize, mut it: json::Constraint<'a>, diagnostics: &mut Diagnostics) -> Constraint<'a> {
    let mut constraint = Constraint::read(&mut it);
    constraint.set_order(index as i64);
    if let Constraint::Transform(transform) = &mut constraint {
        transform.state_split_mixes(Some(Number(0.0)));
        warn_of_properties(index, transform, diagnostics);
    }
    it.given().for_each(|field| warn_ignored(format!("/constraints/{index}/{field}"), diagnostics));
    constraint
}

/// Reports unknown properties.
fn warn_of_properties(index: usize, transform: &Transform<'_>, diagnostics: &mut Diagnostics) {
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
}

/// Names and keys of 4.3 → those of earlier versions.
fn use_older_names(root: &mut Root<'_>) {
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

/// Returns true if the file has constraints in the lists of earlier versions.
pub fn has_lists(root: &json::Root<'_>) -> bool {
    !(root.ik.is_empty() && root.transform.is_empty() && root.path.is_empty() && root.physics.is_empty())
}

/// Removes timelines of constraints of earlier versions, and their entries in skins: there are none.
pub fn remove_references(root: &mut json::Root<'_>) {
    let is_left = |kind| kind == ConstraintKind::Slider;
    root.animations.0.iter_mut().for_each(|(_, it)| it.constraints.retain(|it| is_left(it.kind)));
    root.skins.list.iter_mut().for_each(|skin| skin.constraints.retain(|(kind, _)| is_left(*kind)));
}

/// A document → JSON of its version.
#[cfg(feature = "convert")]
pub fn json(mut root: Root<'_>) -> json::Root<'_> {
    let mut json = json::Root::default();
    if root.version == Version::Four(3) {
        use_newer_names(&mut root);
        root.all_mut::<Transform<'_>>().for_each(|it| it.state_split_mixes(None));
        root.constraints.sort_by_key(Constraint::order);
        json.constraints = std::mem::take(&mut root.constraints).into_iter().map(Constraint::write).collect();
    } else {
        json.ik = root.all().cloned().collect();
        json.transform = root.all().cloned().collect();
        json.path = root.all().cloned().collect();
        json.physics = root.all().cloned().collect();
    }
    let Root { skeleton, bones, slots, constraints: _, skins, events, animations, version } = root;
    json::Root { skeleton, bones, slots, skins, events, animations, version, ..json }
}

/// Names and keys of earlier versions → those of 4.3.
#[cfg(feature = "convert")]
fn use_newer_names(root: &mut Root<'_>) {
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

/// Calls `see` for the mix of scale y of each key of transform constraints: its value before 4.3, and the field.
fn for_each_transform_key(root: &mut Root<'_>, mut see: impl FnMut(f32, &mut Value)) {
    let animations = root.animations.0.iter_mut().map(|(_, animation)| animation);
    for keys in animations.flat_map(|animation| animation.keys_mut(Property::Transform)) {
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
