//! Bones that move nothing, slots that show nothing, and events that are never fired.

use std::collections::HashSet;

use super::Subject;
use crate::diagnostics::Diagnostics;
use crate::error::escaped;
use crate::formats::spine::build::{at, escaped_key};
use crate::formats::spine::schema::{Constraint, Path, Text};
use crate::model::{Attachment, BoneId, Influence, Model, SkinNVertices, SlotId};

/// Checks everything that could be removed.
pub fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let has_attachment: HashSet<usize> = subject.items().map(|item| item.slot.index()).collect();
    bones(subject, diagnostics);
    let ends = ends(subject);
    let slots = subject.root.slots.iter().enumerate();
    let empty = slots.filter(|(index, _)| !has_attachment.contains(index) && !ends.contains(index));
    diagnostics.note_all(
        "unused-slot",
        empty.map(|(index, slot)| {
            let message = format!(
                "no skin has an attachment for slot `{}`: it never shows anything",
                escaped(slot.name.as_str())
            );
            (at(format!("/slots/{index}")), message)
        }),
    );
    let keys = subject.root.animations.0.iter().flat_map(|(_, animation)| &animation.events);
    let fired: HashSet<&str> = keys.map(|key| key.name.as_str()).collect();
    let never = subject.root.events.0.iter().filter(|(name, _)| !fired.contains(name.as_str()));
    diagnostics.note_all(
        "unused-event",
        never.map(|(name, _)| {
            let message = format!("no animation fires event `{}`", escaped(name.as_str()));
            (at(format!("/events/{}", escaped_key(name.as_str()))), message)
        }),
    );
}

/// Slots that may be empty: end slots of clips, and targets of path constraints, which a program may fill.
fn ends(subject: &Subject<'_>) -> HashSet<usize> {
    let end = |attachment: &Attachment| attachment.clip_mask()?.end.map(SlotId::index);
    let paths = subject.root.all::<Path<'_>>().filter_map(|path| subject.slots.get(path.target.as_str()).copied());
    subject.model.attachments().iter().filter_map(end).chain(paths).collect()
}

/// For each bone, whether it moves an attachment: it has a slot with one, influences one, or has such a child.
pub fn moves_attachment(subject: &Subject<'_>) -> Vec<bool> {
    let model = subject.model;
    let mut moves = vec![false; model.skeleton().bones().len()];
    let mut take = |bone: usize| {
        if let Some(moves) = moves.get_mut(bone) {
            *moves = true;
        }
    };
    for item in subject.items() {
        model.slot(item.slot).bone.map(BoneId::index).into_iter().for_each(&mut take);
    }
    for attachment in model.attachments() {
        match attachment {
            Attachment::Point(point) => take(point.bone.index()),
            shape => shape.listed_vertices().into_iter().flat_map(influencing).for_each(&mut take),
        }
    }
    with_parents(model, moves)
}

/// Adds the parents of marked bones.
fn with_parents(model: &Model, mut marked: Vec<bool>) -> Vec<bool> {
    // Children come after their parents.
    for (index, bone) in model.skeleton().bones().iter().enumerate().rev() {
        if let (true, Some(parent)) = (marked[index], bone.parent) {
            marked[parent.index()] = true;
        }
    }
    marked
}

fn bones(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    let model = subject.model;
    let bones = model.skeleton().bones();
    let constrained: HashSet<&str> =
        subject.root.constraints.iter().flat_map(Constraint::bones).map(Text::as_str).collect();
    let moves = moves_attachment(subject).into_iter().zip(bones);
    let is_used = moves.map(|(moves, bone)| moves || constrained.contains(&*bone.name)).collect();
    let is_used = with_parents(model, is_used);
    let unused = bones.iter().enumerate().filter(|(index, _)| !is_used[*index]);
    diagnostics.note_all(
        "unused-bone",
        unused.map(|(index, bone)| {
            let name = escaped(&bone.name);
            let message =
                format!("bone `{name}` moves nothing: no attachment, constraint or used child depends on it");
            (at(format!("/bones/{index}")), message)
        }),
    );
}

fn influencing(vertices: &SkinNVertices) -> impl Iterator<Item = usize> {
    let moves = |influence: &&Influence| influence.weight != 0.0 && influence.bone != Influence::NO_BONE;
    vertices.influences().iter().filter(moves).map(|influence| influence.bone as usize)
}
