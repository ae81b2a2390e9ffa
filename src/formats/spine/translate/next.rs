//! 4.2 ↔ 4.3. Sliders, and constraints that only 4.3 has, have been baked.

use std::collections::{BTreeSet, HashMap};

use super::{links, orders};
use crate::error::{Place, Result};
use crate::formats::Loss;
use crate::formats::spine::binary::Layout;
use crate::formats::spine::schema::{
    AttachmentType, DrawOrderFolder, DrawOrderKey, DrawOrderOffset, Ik, Number, Physics, Root, ScaleYMode, Text,
    attachments,
};
use crate::limits::Budget;

/// 4.2 → 4.3: every transform constraint states which property drives which.
pub fn to_4_3(root: &mut Root<'_>) {
    links::link(root);
    orders::number(root);
}

/// 4.3 → 4.2.
pub fn to_4_2(root: &mut Root<'_>, losses: &mut Vec<Loss>, budget: &mut Budget<'_>) -> Result<()> {
    links::unlink(root);
    for ik in root.all_mut::<Ik<'_>>() {
        ik.scale_y = ScaleYMode::of_uniform(ik.scale_y == ScaleYMode::Uniform);
    }
    root.all_mut::<Physics<'_>>().for_each(|it| it.scale_y = ScaleYMode::None);
    orders::remove_newer_kinds(root, Layout::V4_2);
    unlink_slots(root);
    let (mut dropped, mut convex) = (0, 0);
    for attachment in attachments(root) {
        if attachment.inverse {
            // Its deformations stay valid.
            attachment.kind = AttachmentType::BoundingBox;
            attachment.end = None;
            dropped += 1;
        } else if attachment.convex {
            convex += 1;
        }
        (attachment.inverse, attachment.convex) = (false, false);
    }
    if dropped > 0 {
        let message = format!(
            "{dropped} inverse clip masks become bounding boxes, so that nothing is clipped: they came with 4.3"
        );
        losses.push(Loss::new("clip-dropped", "", message));
    }
    if convex > 0 {
        let message = format!(
            "{convex} clip masks clip with their polygon; in 4.3 they clip with its convex hull, which differs where the \
             polygon is not convex"
        );
        losses.push(Loss::new("clip-changed", "", message));
    }
    let is_marked = root.bones.iter().any(|bone| bone.icon_size.is_some() || bone.icon_rotation.is_some());
    let is_colored = root.animations.0.iter().any(|(_, animation)| animation.color.is_some());
    if is_marked || is_colored {
        let message =
            "sizes of icons and colours of animations in the editor are not written, since they came with 4.3";
        losses.push(Loss::new("editor-dropped", "", message.to_owned()));
    }
    root.bones.iter_mut().for_each(|bone| (bone.icon_size, bone.icon_rotation) = (None, None));
    let slots: Vec<Text<'_>> = root.slots.iter().map(|slot| slot.name.clone()).collect();
    for (name, animation) in &mut root.animations.0 {
        animation.color = None;
        let folders = std::mem::take(&mut animation.folders);
        if !folders.is_empty() {
            let place = || Place::inside(format!("animations/{name}/drawOrderFolder"));
            animation.draw_order = whole_orders(&slots, &animation.draw_order, &folders, budget, place)?;
        }
    }
    Ok(())
}

/// Replaces meshes that are linked to one of another slot by copies of it.
fn unlink_slots(root: &mut Root<'_>) {
    let skins = root.skins.list.clone();
    for attachment in attachments(root).filter(|it| it.slot.is_some()) {
        let slot = attachment.slot.take();
        let skin = attachment.skin.take();
        let skin = skin.as_ref().map_or("default", Text::as_str);
        let slots = skins.iter().rev().filter(|it| it.name.as_str() == skin).flat_map(|it| &it.attachments.0);
        let mut meshes = slots.filter(|(name, _)| Some(name) == slot.as_ref()).flat_map(|(_, slot)| &slot.0);
        let parent = attachment.parent.take();
        let Some((_, mesh)) = meshes.find(|(name, _)| Some(name) == parent.as_ref()) else { continue };
        attachment.kind = AttachmentType::Mesh;
        attachment.timelines = None;
        attachment.uvs.clone_from(&mesh.uvs);
        attachment.triangles.clone_from(&mesh.triangles);
        attachment.vertices.clone_from(&mesh.vertices);
        attachment.edges.clone_from(&mesh.edges);
        attachment.hull = mesh.hull;
    }
}

/// Draw orders of all slots that show what the keys of `orders` and of folders show together.
fn whole_orders<'a>(
    slots: &[Text<'a>],
    orders: &[DrawOrderKey<'a>],
    folders: &[DrawOrderFolder<'a>],
    budget: &mut Budget<'_>,
    place: impl Fn() -> Place,
) -> Result<Vec<DrawOrderKey<'a>>> {
    // Times are not negative, so their bits are in their order.
    let keys = orders.iter().chain(folders.iter().flat_map(|folder| &folder.keys));
    let times: BTreeSet<u32> = keys.map(|key| key.time.0.max(0.0).to_bits()).collect();
    // Each time may move every slot, and looks at every slot and key of each folder.
    let looked_at =
        orders.len() + folders.iter().map(|it| slots.len() + it.slots.len() + it.keys.len()).sum::<usize>();
    budget.charge_work(times.len() as u64, (slots.len() + looked_at) as u64, &place)?;
    budget.charge_memory(times.len() as u64 * slots.len() as u64, size_of::<DrawOrderOffset<'_>>(), &place)?;
    // Of several slots with one name, the last one.
    let places: HashMap<&str, usize> = slots.iter().map(Text::as_str).zip(0..).collect();
    let index = |name: &Text<'_>| places.get(name.as_str()).copied();
    let all: Vec<usize> = (0..slots.len()).collect();
    let members: Vec<Vec<usize>> =
        folders.iter().map(|folder| folder.slots.iter().filter_map(index).collect()).collect();
    // By slot: the last folder that was looked at, of those that it is in, and the place in its list.
    let mut place_in = vec![(usize::MAX, 0); slots.len()];
    let mut key_at = |time: f32| {
        let mut shown = last(orders, time).map_or_else(|| all.clone(), |key| ordered(&all, key, index));
        for (number, (folder, members)) in folders.iter().zip(&members).enumerate() {
            let Some(key) = last(&folder.keys, time) else { continue };
            members.iter().enumerate().rev().for_each(|(at, &slot)| place_in[slot] = (number, at));
            let at = |name: &Text<'_>| {
                index(name).map(|slot| place_in[slot]).filter(|(of, _)| *of == number).map(|(_, at)| at)
            };
            let mut next = ordered(members, key, at).into_iter();
            for place in shown.iter_mut().filter(|slot| place_in[**slot].0 == number) {
                *place = next.next().unwrap_or(*place);
            }
        }
        place_in.fill((usize::MAX, 0));
        let mut offsets: Vec<(usize, i64)> =
            shown.iter().enumerate().map(|(place, &slot)| (slot, place as i64 - slot as i64)).collect();
        offsets.sort_unstable();
        // Slots that keep their order fill the free places.
        let moved = offsets.into_iter().filter(|(_, offset)| *offset != 0);
        let offsets = moved.map(|(slot, offset)| DrawOrderOffset { slot: slots[slot].clone(), offset });
        DrawOrderKey { time: Number(time), offsets: offsets.collect() }
    };
    Ok(times.into_iter().map(|bits| key_at(f32::from_bits(bits))).collect())
}

/// The last key at or before a time; of several at one time, the last one.
fn last<'k, 'a>(keys: &'k [DrawOrderKey<'a>], time: f32) -> Option<&'k DrawOrderKey<'a>> {
    let before = keys.iter().filter(|key| key.time.0 <= time);
    before.fold(None, |best: Option<&DrawOrderKey<'_>>, key| match best {
        Some(best) if best.time.0 > key.time.0 => Some(best),
        _ => Some(key),
    })
}

/// The slots in the order of a key: those that it names move by their offset, the others fill the free places. `find`
/// returns the place of a slot.
fn ordered(slots: &[usize], key: &DrawOrderKey<'_>, find: impl Fn(&Text<'_>) -> Option<usize>) -> Vec<usize> {
    let mut places = vec![None; slots.len()];
    let mut is_placed = vec![false; slots.len()];
    for it in &key.offsets {
        let Some(at) = find(&it.slot) else { continue };
        let to = it.offset.checked_add(at as i64).and_then(|to| usize::try_from(to).ok());
        if let Some(place) = to.and_then(|to| places.get_mut(to)) {
            *place = Some(slots[at]);
            is_placed[at] = true;
        }
    }
    let mut left = slots.iter().zip(is_placed).filter(|(_, is_placed)| !is_placed).map(|(slot, _)| *slot);
    places.into_iter().filter_map(|place| place.or_else(|| left.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn folders_become_orders_of_all_slots() {
        let slots = ["a", "b", "c", "d"].map(|name| Text(name.into()));
        let offset = |slot: usize, offset| DrawOrderOffset { slot: slots[slot].clone(), offset };
        let key = |time, offsets| DrawOrderKey { time: Number(time), offsets };
        let orders = [key(0.5, vec![offset(0, 3)])];
        let folder = DrawOrderFolder {
            slots: vec![slots[0].clone(), slots[2].clone()],
            keys: vec![key(0.25, vec![offset(0, 1)]), key(1.0, vec![])],
        };
        let limits = Limits::default();
        let found = whole_orders(&slots, &orders, &[folder], &mut Budget::new(&limits), Place::default).unwrap();
        let shown = |key: &DrawOrderKey<'_>| {
            let offsets = key.offsets.iter().map(|it| format!("{}{:+}", it.slot, it.offset));
            (key.time.0, offsets.collect::<Vec<_>>().join(" "))
        };
        // c b a d, then b c d a, then b a d c.
        let expected = [(0.25, "a+2 c-2"), (0.5, "a+3 b-1 c-1 d-1"), (1.0, "a+1 b-1 c+1 d-1")];
        assert_eq!(
            found.iter().map(shown).collect::<Vec<_>>(),
            expected.map(|(time, text)| (time, text.to_owned()))
        );
    }

    #[test]
    fn many_orders_of_many_slots_are_refused_before_they_are_made() {
        let slots: Vec<Text<'_>> = (0..3000).map(|slot| Text(format!("s{slot}").into())).collect();
        let key = |at: usize| DrawOrderKey { time: Number(at as f32), offsets: Vec::new() };
        let folder = |at: usize| DrawOrderFolder { slots: vec![slots[at].clone()], keys: vec![key(at)] };
        let limits = Limits::default();
        let refused = |folders: &[DrawOrderFolder<'_>], limits: &Limits| {
            let place = || Place::inside("animations/walk/drawOrderFolder");
            let orders = whole_orders(&slots, &[], folders, &mut Budget::new(limits), place);
            orders.expect_err("it is too much").to_string()
        };
        let folders: Vec<_> = (0..3000).map(folder).collect();
        let found = refused(&folders, &limits);
        assert!(found.starts_with("animations/walk/drawOrderFolder: limit `work` exceeded"), "{found}");
        let found = refused(&folders[..10], &Limits { memory_bytes: 100_000, ..limits });
        assert!(found.starts_with("animations/walk/drawOrderFolder: limit `memory-bytes` exceeded"), "{found}");
    }
}
