//! What is hidden by patterns, and how it stays hidden when the file is read again.

use crate::scene::id_map::IdMap;
use pchr::draw::{Hidden, Hideable};
use pchr::export::NamePattern;
use pchr::model::Model;
use pchr::motion::Actor;

/// The patterns of `--mesh` and `--hide-mesh`. They also apply to what is added to the file later.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshPatterns {
    /// Unless empty, all regions and meshes are hidden that match none of these.
    pub solo: Vec<NamePattern>,
    /// Regions and meshes that match one of these are hidden.
    pub hidden: Vec<NamePattern>,
    /// The name of the character on the stage; the patterns then name parts of all its characters.
    pub on_stage: Option<String>,
}

impl MeshPatterns {
    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.solo.is_empty() && self.hidden.is_empty()
    }

    /// Returns what the patterns hide in `model`. Patterns that match nothing are ignored.
    pub fn find(&self, model: &Model) -> Hidden {
        let is_in = |patterns: &[NamePattern], name: &str| patterns.iter().any(|pattern| pattern.matches(name));
        if let Some(actor) = &self.on_stage {
            let mut found = Hidden::default();
            let mut has_solo = self.solo.is_empty();
            for item in items(model) {
                let name = name_on_stage(actor, model, item);
                if is_in(&self.hidden, &name) {
                    found.set_hidden(item, true);
                }
                if is_in(&self.solo, &name) {
                    found.set_solo(item, true);
                    has_solo = true;
                }
            }
            if !has_solo {
                // Only parts of other characters are shown.
                model.slot_ids().for_each(|slot| found.set_hidden(slot, true));
            }
            return found;
        }
        Hidden::by_name(model, |name| is_in(&self.hidden, name), Some(&|name| is_in(&self.solo, name)))
    }

    /// Returns what is hidden in another version of a character, or in another character, if `hidden` is hidden in `old`:
    /// what the patterns match there, except for what the user has changed.
    pub fn carry(&self, hidden: &Hidden, old: &Model, new: &Model) -> Hidden {
        let (before, mut found) = (self.find(old), self.find(new));
        if *hidden == before {
            return found;
        }
        let map = IdMap::between(old, new);
        for item in items(old) {
            let Some(other) = map.hideable(item) else { continue };
            if hidden.is_hidden(item) != before.is_hidden(item) {
                found.set_hidden(other, !found.is_hidden(other));
            }
            if hidden.is_solo(item) != before.is_solo(item) {
                found.set_solo(other, !found.is_solo(other));
            }
        }
        found
    }
}

/// Returns everything in `model` that can be hidden.
fn items(model: &Model) -> impl Iterator<Item = Hideable> {
    let attachments = model.attachment_ids().take(model.authored_attachments().len());
    model.slot_ids().map(Hideable::from).chain(attachments.map(Hideable::from))
}

/// Returns the patterns of `--mesh` and of `--hide-mesh` that stand for `hidden`.
pub fn patterns(hidden: &Hidden, model: &Model) -> [Vec<NamePattern>; 2] {
    let exact = |item: Hideable| match item {
        Hideable::Slot(id) => NamePattern::exact(&model.slot(id).name),
        Hideable::Attachment(id) => NamePattern::exact(model.attachment(id).name()),
    };
    [hidden.solo().map(exact).collect(), hidden.hidden().map(exact).collect()]
}

/// Returns the patterns that hide the same parts of a character on a stage.
pub fn patterns_on_stage(hidden: &Hidden, actor: &Actor) -> Vec<NamePattern> {
    let model = actor.character.model();
    let entries = || model.skins().iter().flat_map(|skin| &skin.entries);
    let is_solo = |slot| {
        let is_in = |id| entries().any(|entry| entry.slot == slot && entry.attachment == id);
        hidden.solo().any(|part| match part {
            Hideable::Slot(id) => id == slot,
            Hideable::Attachment(id) => model.slot(slot).attachment == Some(id) || is_in(id),
        })
    };
    let has_solo = hidden.solo().next().is_some();
    let others = model.slot_ids().filter(|slot| has_solo && !is_solo(*slot)).map(Hideable::Slot);
    let exact = |part| NamePattern::exact(&name_on_stage(&actor.name, model, part));
    hidden.hidden().chain(others).map(exact).collect()
}

/// Returns the name by which a pattern finds a part of the character called `actor` on a stage.
fn name_on_stage(actor: &str, model: &Model, part: Hideable) -> String {
    match part {
        Hideable::Slot(id) => format!("{actor}/{}", model.slot(id).name),
        Hideable::Attachment(id) => model.attachment(id).name().to_owned(),
    }
}
