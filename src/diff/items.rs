//! Slots, skins, constraints and events: matched by name, and compared by their facts.

use super::differences::{ItemDifference, Places, has_slots};
use super::matching::{Entry, Matching};
use crate::character::Character;
use crate::model::{ConstraintId, EventId, Model, SkinId, SlotId};
use crate::outline::{Fact, Part, changes};

/// Matches the skins of two models by name.
pub fn skins<'a>(a: &'a Model, b: &'a Model) -> Matching<'a> {
    let names = |model: &'a Model| model.skins().iter().map(|skin| &*skin.name);
    Matching::new(names(a), names(b))
}

/// Matches the constraints of two models by kind and name: different kinds may have the same names.
pub fn constraints<'a>(a: &'a Model, b: &'a Model) -> Matching<'a> {
    let named = |model: &'a Model| model.constraints().iter().map(|it| (it.kind.name(), &*it.name));
    Matching::of_kinds(named(a), named(b))
}

/// Returns the slots that differ. For formats without slots, only the meshes are compared.
pub fn compare_slots(a: &Character, b: &Character) -> Vec<ItemDifference> {
    let (in_a, in_b) = (a.model(), b.model());
    if !has_slots(a) || !has_slots(b) {
        return Vec::new();
    }
    let names = |model| Model::slots(model).iter().map(|slot| &*slot.name);
    differences([a, b], &Matching::new(names(in_a), names(in_b)), |index| Part::Slot(SlotId::new(index)))
}

/// Returns the skins that differ: first those that only one side has.
pub fn compare_skins(a: &Character, b: &Character, skins: &Matching<'_>) -> Vec<ItemDifference> {
    let mut found = differences([a, b], skins, |index| Part::Skin(SkinId::new(index)));
    found.sort_by_key(|skin| !skin.changes.is_empty());
    found
}

/// Returns the constraints that differ.
pub fn compare_constraints(a: &Character, b: &Character) -> Vec<ItemDifference> {
    let matching = constraints(a.model(), b.model());
    differences([a, b], &matching, |index| Part::Constraint(ConstraintId::new(index)))
}

/// Returns the events that differ.
pub fn compare_events(a: &Character, b: &Character) -> Vec<ItemDifference> {
    let names = |character| Character::model(character).events().iter().map(|event| &*event.name);
    differences([a, b], &Matching::new(names(a), names(b)), |index| Part::Event(EventId::new(index)))
}

/// Compares the facts of two characters about the parts at the indices that match.
fn differences(
    [a, b]: [&Character; 2],
    matching: &Matching<'_>,
    part: impl Fn(usize) -> Part,
) -> Vec<ItemDifference> {
    let difference = |entry| {
        let (named, found_in) = matching.named(entry);
        let changes = match entry {
            Entry::A(_) | Entry::B(_) => Vec::new(),
            Entry::Both(in_a, in_b) => {
                let found: [Vec<Fact>; 2] = [part(in_a).facts(a), part(in_b).facts(b)];
                let changes = changes(&found[0], &found[1]);
                if changes.is_empty() {
                    return None;
                }
                changes
            }
        };
        Some(ItemDifference { changes, found_in, named, places: Places::default() })
    };
    matching.entries().filter_map(difference).collect()
}
