//! The parts of a document that only some versions have.

use super::owners::{Elsewhere, Owners};
use super::part::{Column, Form, OfKind, Part};
use crate::formats::spine::binary::Layout;
use crate::formats::spine::build::escaped_key;
use crate::formats::spine::schema::json::Root;
use crate::formats::spine::schema::{
    Animation, Attachment, AttachmentType, Blend, ConstraintTimelines, Curve, Field, KINDS, Keys, MAX_FIELDS,
    Property, SWITCHES, SpacingMode, TypeName,
};
use crate::model::ConstraintKind;

const SINCE_3_1: Owners = Owners::since(Layout::V3_1);
const SINCE_3_2: Owners = Owners::since(Layout::V3_2);
const SINCE_3_4: Owners = Owners::since(Layout::V3_4);
const SINCE_3_6: Owners = Owners::since(Layout::V3_6);
const SINCE_3_7: Owners = Owners::since(Layout::V3_7);
const SINCE_3_8: Owners = Owners::since(Layout::V3_8);
const SINCE_4_0: Owners = Owners::since(Layout::V4_0);
const SINCE_4_1: Owners = Owners::since(Layout::V4_1);
const SINCE_4_2: Owners = Owners::since(Layout::V4_2);
const SINCE_4_3: Owners = Owners::since(Layout::V4_3);
const UNTIL_2_1: Owners = Owners::until(Layout::V2_1);
const UNTIL_3_2: Owners = Owners::until(Layout::V3_2);
const UNTIL_3_4: Owners = Owners::until(Layout::V3_4);
const UNTIL_3_8: Owners = Owners::until(Layout::V3_8);
const UNTIL_4_0: Owners = Owners::until(Layout::V4_0);
const UNTIL_4_1: Owners = Owners::until(Layout::V4_1);
const UNTIL_4_2: Owners = Owners::until(Layout::V4_2);

/// Skins as an object.
const SKIN_OBJECT: Owners = UNTIL_3_8.or(Elsewhere::Fatal("does not open such a file"));
/// Skins as a list.
const SKIN_LIST: Owners = SINCE_3_8.or(Elsewhere::Fatal("expects an object here"));
/// Curves with one number and `c2` to `c4`.
const SHORT_CURVE: Owners = UNTIL_3_8.or(Elsewhere::Fatal("shows nothing of such a character"));
/// Handles as a list of shares, or in the first second.
const LIST_CURVE: Owners = Owners::until(Layout::V3_7).or(Elsewhere::Common);
/// Handles in seconds.
const LONG_CURVE: Owners = SINCE_4_0.or(Elsewhere::Unknown);
/// Handles of several values.
const WIDE_CURVE: Owners = SINCE_4_0.or(Elsewhere::Fatal("expects four numbers here"));
/// The mesh of a linked mesh.
const PARENT: Owners = UNTIL_4_2.or(Elsewhere::Fatal("expects `source` here"));
const PROPORTIONAL: Owners = SINCE_4_0.or(Elsewhere::Fatal("does not have this mode"));

/// Called with the owners of each part of a document that only some versions have, a pointer to it, and the part.
pub type See<'s> = &'s mut dyn FnMut(Owners, &dyn Fn() -> String, &mut dyn Part);

/// Shows `see` every part of a document that only some versions have.
pub fn visit(root: &mut Root<'_>, see: See<'_>) {
    see(SINCE_4_3, &|| "/constraints".to_owned(), &mut root.constraints);
    see(UNTIL_4_2, &|| "/ik".to_owned(), &mut root.ik);
    see(Owners { until: Layout::V4_2, ..SINCE_3_1 }, &|| "/transform".to_owned(), &mut root.transform);
    see(Owners { until: Layout::V4_2, ..SINCE_3_4 }, &|| "/path".to_owned(), &mut root.path);
    let physics = Owners { since: Layout::V4_2, ..UNTIL_4_2 };
    see(physics, &|| "/physics".to_owned(), &mut root.physics);
    if let Some(skeleton) = &mut root.skeleton {
        see(SINCE_4_2, &|| "/skeleton/referenceScale".to_owned(), &mut skeleton.reference_scale);
    }
    for (index, bone) in root.bones.iter_mut().enumerate() {
        let at = |key: &str| format!("/bones/{index}/{key}");
        see(SINCE_4_2, &|| at("inherit"), &mut bone.inherit);
        see(Owners { since: Layout::V3_5, ..UNTIL_4_1 }, &|| at("transform"), &mut bone.transform);
        for (key, flag) in
            [("inheritRotation", &mut bone.inherit_rotation), ("inheritScale", &mut bone.inherit_scale)]
        {
            see(UNTIL_3_4.or(Elsewhere::Common), &|| at(key), flag);
        }
        see(UNTIL_2_1, &|| at("flipX"), &mut bone.flip_x);
        see(UNTIL_2_1, &|| at("flipY"), &mut bone.flip_y);
        see(SINCE_3_2, &|| at("shearX"), &mut bone.shear_x);
        see(SINCE_3_2, &|| at("shearY"), &mut bone.shear_y);
        see(SINCE_3_8, &|| at("skin"), &mut bone.skin);
        see(SINCE_4_3, &|| at("iconSize"), &mut bone.icon_size);
        see(SINCE_4_3, &|| at("iconRotation"), &mut bone.icon_rotation);
    }
    for (index, slot) in root.slots.iter_mut().enumerate() {
        let at = |key: &str| format!("/slots/{index}/{key}");
        see(UNTIL_2_1, &|| at("additive"), &mut slot.additive);
        see(SINCE_3_1, &|| at("blend"), &mut Form(slot.blend != Blend::Normal));
        see(SINCE_3_6, &|| at("dark"), &mut slot.dark);
    }
    for (index, ik) in root.ik.iter_mut().enumerate() {
        let at = |key: &str| format!("/ik/{index}/{key}");
        see(SINCE_3_7, &|| at("compress"), &mut ik.compress);
        see(SINCE_3_7, &|| at("stretch"), &mut ik.stretch);
        see(SINCE_3_7, &|| at("uniform"), &mut ik.scale_y);
        see(SINCE_3_8, &|| at("softness"), &mut ik.softness);
        see(SINCE_3_8, &|| at("skin"), &mut ik.skin);
    }
    for (index, it) in root.transform.iter_mut().enumerate() {
        let at = |key: &str| format!("/transform/{index}/{key}");
        see(SINCE_3_8, &|| at("skin"), &mut it.skin);
        see(UNTIL_3_2, &|| at("bone"), &mut it.bone);
        see(SINCE_3_4, &|| at("bones"), &mut it.bones);
        see(SINCE_3_6, &|| at("local"), &mut it.local);
        see(SINCE_3_6, &|| at("relative"), &mut it.relative);
        see(UNTIL_3_8, &|| at("translateMix"), &mut it.translate_mix);
        for (key, mix) in
            [("rotateMix", &mut it.rotate_mix), ("scaleMix", &mut it.scale_mix), ("shearMix", &mut it.shear_mix)]
        {
            see(Owners { since: Layout::V3_2, ..UNTIL_3_8 }, &|| at(key), mix);
        }
        for (key, mix) in [
            ("mixRotate", &mut it.mix_rotate),
            ("mixX", &mut it.mix_x),
            ("mixY", &mut it.mix_y),
            ("mixScaleX", &mut it.mix_scale_x),
            ("mixScaleY", &mut it.mix_scale_y),
            ("mixShearY", &mut it.mix_shear_y),
        ] {
            see(SINCE_4_0, &|| at(key), mix);
        }
    }
    for (index, path) in root.path.iter_mut().enumerate() {
        let at = |key: &str| format!("/path/{index}/{key}");
        see(SINCE_3_8, &|| at("skin"), &mut path.skin);
        see(UNTIL_3_8, &|| at("rotateMix"), &mut path.rotate_mix);
        see(UNTIL_3_8, &|| at("translateMix"), &mut path.translate_mix);
        for (key, mix) in
            [("mixRotate", &mut path.mix_rotate), ("mixX", &mut path.mix_x), ("mixY", &mut path.mix_y)]
        {
            see(SINCE_4_0, &|| at(key), mix);
        }
        let is_proportional = path.spacing_mode == SpacingMode::Proportional;
        see(PROPORTIONAL, &|| at("spacingMode"), &mut Form(is_proportional));
    }
    skins(root, see);
    for (name, animation) in &mut root.animations.0 {
        visit_animation(animation, &|| format!("/animations/{}", escaped_key(name.as_str())), see);
    }
}

fn skins(root: &mut Root<'_>, see: See<'_>) {
    let is_object = root.skins.is_object;
    let is_list = !is_object && !root.skins.list.is_empty();
    see(SKIN_OBJECT, &|| "/skins".to_owned(), &mut Form(is_object));
    see(SKIN_LIST, &|| "/skins".to_owned(), &mut Form(is_list));
    for (index, skin) in root.skins.list.iter_mut().enumerate() {
        let attachments = match is_object {
            true => format!("/skins/{}", escaped_key(skin.name.as_str())),
            false => format!("/skins/{index}/attachments"),
        };
        of_newer_kinds(&mut skin.constraints, |(kind, _)| *kind, &|| format!("/skins/{index}"), see);
        for (slot, list) in &mut skin.attachments.0 {
            for (name, attachment) in &mut list.0 {
                let at = |key: &str| {
                    let [slot, name] = [slot.as_str(), name.as_str()].map(escaped_key);
                    format!("{attachments}/{slot}/{name}/{key}")
                };
                see(SINCE_4_1, &|| at("sequence"), &mut attachment.sequence);
                see(SINCE_4_1, &|| at("timelines"), &mut attachment.timelines);
                see(UNTIL_4_0, &|| at("deform"), &mut attachment.deform);
                see(SINCE_4_3, &|| at("source"), &mut attachment.source);
                see(SINCE_4_3, &|| at("slot"), &mut attachment.slot);
                see(SINCE_4_3, &|| at("inverse"), &mut attachment.inverse);
                see(SINCE_4_3, &|| at("convex"), &mut attachment.convex);
                see(PARENT, &|| at("parent"), &mut Form(attachment.parent.is_some()));
                attachment_type(attachment, &|| at("type"), see);
            }
        }
    }
}

/// Shows the type of an attachment if only some versions have it, or call it so.
fn attachment_type(it: &Attachment<'_>, at: &dyn Fn() -> String, see: See<'_>) {
    let since = match it.kind {
        AttachmentType::Region | AttachmentType::Mesh | AttachmentType::BoundingBox => Layout::OLDEST,
        AttachmentType::LinkedMesh => Layout::V3_1,
        AttachmentType::Path => Layout::V3_4,
        AttachmentType::Point | AttachmentType::Clipping => Layout::V3_6,
    };
    let is_weighted = matches!(it.called, TypeName::WeightedMesh | TypeName::WeightedLinkedMesh);
    let since = if is_weighted { Layout::V3_1 } else { since };
    let owners = Owners::since(since).or(Elsewhere::Fatal("does not open such a file"));
    see(owners, at, &mut Form(since > Layout::OLDEST));
    see(UNTIL_3_2.or(Elsewhere::Common), at, &mut Form(is_weighted));
    see(UNTIL_2_1.or(Elsewhere::Common), at, &mut Form(it.called == TypeName::SkinnedMesh));
}

fn visit_animation(animation: &mut Animation<'_>, start: &dyn Fn() -> String, see: See<'_>) {
    of_newer_kinds(&mut animation.constraints, |it| it.kind, start, see);
    see(SINCE_4_3, &|| start() + "/drawOrderFolder", &mut animation.folders);
    see(SINCE_4_3, &|| start() + "/color", &mut animation.color);
    see(SINCE_4_1, &|| start() + "/attachments", &mut animation.attachments);
    // Programs write both for players of all versions.
    let has_ffd = animation.ffd.as_ref().is_some_and(|ffd| !ffd.is_empty());
    let has_both = has_ffd && !animation.deform.is_empty();
    let since = if has_both { Layout::OLDEST } else { Layout::V3_4 };
    see(Owners { since, ..UNTIL_4_0 }, &|| start() + "/deform", &mut animation.deform);
    if has_ffd && !has_both {
        see(UNTIL_3_2, &|| start() + "/ffd", &mut animation.ffd);
    }
    let slots = animation.deform.0.iter().flat_map(|(_, slots)| &slots.0);
    let deforms = slots.flat_map(|(_, attachments)| &attachments.0).map(|(_, keys)| &keys.0);
    curves(deforms, &|| start() + "/deform", see);
    let slots = animation.attachments.0.iter().flat_map(|(_, slots)| &slots.0);
    let deforms = slots.flat_map(|(_, attachments)| &attachments.0).flat_map(|(_, it)| &it.list);
    curves(deforms, &|| start() + "/attachments", see);
    for (name, timelines) in &mut animation.bones.0 {
        let at = |kind: &str| format!("{}/bones/{}/{kind}", start(), escaped_key(name.as_str()));
        see(SINCE_4_2, &|| at("inherit"), &mut timelines.steps);
        for keys in with_part(&mut timelines.list, true) {
            let kind = keys.row().name;
            let at = || at(kind);
            curves([&*keys], &at, see);
            see(owners(keys), &at, keys);
        }
        for keys in with_part(&mut timelines.list, false) {
            let kind = keys.row().name;
            let at = || at(kind);
            fields(keys, &at, see);
            curves([&*keys], &at, see);
            see(owners(keys), &at, keys);
        }
    }
    for (name, timelines) in &mut animation.slots.0 {
        // Alpha comes last.
        for is_part in [false, true] {
            for keys in with_part(&mut timelines.list, is_part) {
                let kind = keys.row().name;
                let at = || format!("{}/slots/{}/{kind}", start(), escaped_key(name.as_str()));
                see(owners(keys), &at, keys);
                curves([&*keys], &at, see);
            }
        }
    }
    for it in &mut animation.constraints {
        constraint_timelines(it, start, see);
    }
}

/// Shows what belongs to kinds of constraints that only some versions have. `start` leads to the object with their keys.
fn of_newer_kinds<T>(
    list: &mut Vec<T>,
    kind_of: fn(&T) -> ConstraintKind,
    start: &dyn Fn() -> String,
    see: See<'_>,
) {
    for &kind in KINDS.iter().filter(|kind| kind.row().since > Layout::V3_6) {
        let at = || format!("{}/{}", start(), kind.name());
        see(Owners::since(kind.row().since), &at, &mut OfKind { list: &mut *list, kind, kind_of });
    }
}

fn constraint_timelines(it: &mut ConstraintTimelines<'_>, start: &dyn Fn() -> String, see: See<'_>) {
    // Timelines of later kinds are the same in all versions that have them.
    if it.kind.row().since > Layout::V3_6 {
        return;
    }
    let constraint = || format!("{}/{}/{}", start(), it.kind.name(), escaped_key(it.name.as_str()));
    for keys in &mut it.timelines.list {
        let name = keys.row().name;
        let at = || if name.is_empty() { constraint() } else { format!("{}/{name}", constraint()) };
        curves([&*keys], &at, see);
        fields(keys, &at, see);
    }
}

/// The timelines that are parts of others, or the others.
fn with_part<'k, 'a>(list: &'k mut [Keys<'a>], is_part: bool) -> impl Iterator<Item = &'k mut Keys<'a>> {
    list.iter_mut().filter(move |keys| keys.row().is_part == is_part)
}

/// The versions that have a timeline.
fn owners(keys: &Keys<'_>) -> Owners {
    let has = |layout: &Layout| keys.property.code(*layout).is_some();
    let until = Layout::ALL.into_iter().rfind(has).unwrap_or(Layout::NEWEST);
    Owners { until, ..Owners::since(Layout::ALL.into_iter().find(has).unwrap_or(Layout::OLDEST)) }
}

/// Shows the fields of a timeline's keys that only some versions have, fields of early versions first.
fn fields(keys: &mut Keys<'_>, at: &dyn Fn() -> String, see: See<'_>) {
    let row = keys.row();
    let channels = row.channels.iter().flat_map(|channel| channel.old.into_iter().chain([channel.field]));
    let switches = if keys.property == Property::Ik { SWITCHES } else { 0..0 };
    let is_used = |place: usize| channels.clone().chain(switches.clone()).any(|used| used == place);
    let (mut places, mut len) = ([0; MAX_FIELDS], 0);
    for (place, field) in row.form.fields.iter().enumerate() {
        if !(field.since == Layout::OLDEST && field.until == Layout::NEWEST) && is_used(place) {
            places[len] = place;
            len += 1;
        }
    }
    let places = &mut places[..len];
    places.sort_by_key(|place| row.form.fields[*place].since);
    for &place in &*places {
        let Field { since, until, .. } = row.form.fields[place];
        see(Owners { since, until, elsewhere: Elsewhere::Ignored }, at, &mut Column(keys, place));
    }
}

/// Shows the forms of curves that tell versions apart.
fn curves<'k, 'a: 'k>(timelines: impl IntoIterator<Item = &'k Keys<'a>>, at: &dyn Fn() -> String, see: See<'_>) {
    let is_share = |share: f32| (0.0..=1.0).contains(&share);
    let (mut is_short, mut is_list, mut is_long, mut is_wide) = (false, false, false, false);
    let curves = timelines.into_iter().flat_map(|keys| keys.list.iter().map(move |key| (keys, &key.curve)));
    for (keys, curve) in curves {
        match curve {
            Curve::Linear | Curve::Stepped => {}
            Curve::Shares(_) => is_short = true,
            Curve::Four([x1, _, x2, _]) if is_share(*x1) && is_share(*x2) => is_list = true,
            Curve::Four(_) => is_long = true,
            Curve::Eight(_) | Curve::More(_) if curve.handles().len() == 4 * keys.row().curves() => is_wide = true,
            // Of another number of values.
            Curve::Eight(_) | Curve::More(_) => is_long = true,
        }
    }
    see(SHORT_CURVE, at, &mut Form(is_short));
    see(LIST_CURVE, at, &mut Form(is_list));
    see(LONG_CURVE, at, &mut Form(is_long));
    see(WIDE_CURVE, at, &mut Form(is_wide));
}
