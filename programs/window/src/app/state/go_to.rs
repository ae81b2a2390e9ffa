//! Goes to a difference between the compared characters: selects the item, and shows the animation and frame.

use std::sync::Arc;

use super::State;
use crate::base::memo::Shared;
use crate::compare::changed_keys;
use crate::compare::changes::Changes;
use crate::compare::findings::Pair;
use crate::files::document::Document;
use crate::scene::names;
use crate::scene::selection::Selected;
use pchr::diff::{At, FoundIn, Kind, Line, Named, Part, find_mesh};
use pchr::model::{AttachmentId, Model};

impl State {
    /// Looks for differences while their list is open, even if the panels are hidden. Call it once per frame.
    pub fn follow_findings(&mut self) {
        if !self.compare.findings.is_shown {
            return self.compare.findings.forget();
        }
        if let Some(changes) = self.reviewed() {
            return self.compare.findings.adopt(&changes.answer);
        }
        let second = self.compare.second_index(&self.files).and_then(|index| self.files.documents.get(index));
        let both = self.files.documents.get(self.files.current).zip(second).map(|(first, second)| [first, second]);
        let characters = both.map(|both| both.map(|document| Some(&document.loaded()?.character)));
        let (Some(both), Some([Some(first), Some(second)])) = (both, characters) else {
            return self.compare.findings.forget();
        };
        let path = |document: &Document| document.path().to_string_lossy().replace('\\', "/");
        let pair = Pair {
            characters: [first, second].map(Shared::of),
            files: both.map(path),
            limits: self.files.read.limits.clone(),
        };
        self.compare.findings.follow(pair, self.files.loading.waker.as_ref());
    }

    /// Returns what the last save has changed while that is compared.
    fn reviewed(&self) -> Option<Arc<Changes>> {
        let path = self.current()?.path();
        self.compare.review.changes(path).filter(|_| self.compare.is_review()).cloned()
    }

    /// Selects what line `index` of the differences is about, and goes to the animation and frame that it names.
    pub fn go_to_finding(&mut self, index: usize) {
        let Some(Ok(lines)) = self.compare.findings.answer() else { return };
        let Some(line) = lines.get(index).cloned() else { return };
        self.compare.findings.chosen = Some(index);
        let is_review = self.compare.is_review();
        if is_review && line.found_in == FoundIn::A {
            return self.notify(format!("“{}” was removed", line.name));
        }
        if !is_review && line.found_in == FoundIn::B {
            let name = self.compare.second_file(&self.files).map(|document| document.name()).unwrap_or_default();
            return self.notify(format!("Only {name} has “{}”; swap the files to select it", line.name));
        }
        let Some(pairs) = self.compare.counterparts(&self.files) else { return };
        let model = pairs.first;
        let selected = selected(model, pairs.second, &line);
        let animation = line.item.as_ref().and_then(|named| changed_keys::animation_of(model, named));
        let skin = line.at.as_ref().and_then(|at| find(names::skins(model), at.skin.as_ref()?));
        if let (Kind::Animation | Kind::Pose, Some(animation)) = (line.kind, animation) {
            self.show_frame(animation, line.at.map(|at| at.frame));
        }
        if let Some(skin) = skin.filter(|skin| !self.playback.animator.skins().contains(skin)) {
            self.set_skins(vec![skin]);
        }
        if selected.is_some() {
            self.parts.selected = selected;
        }
    }
}

fn selected(model: &Model, other: &Model, line: &Line) -> Option<Selected> {
    let mesh = |named: &Named| find_mesh(model, other, named).and_then(|mesh| attachment(model, mesh));
    let bone = |named: &Named| find(names::bones(model), named).map(Selected::Bone);
    match &line.at {
        Some(At { part: Part::Bone(named), .. }) => return bone(named),
        Some(At { part: Part::Mesh(named), .. }) => return mesh(named),
        None => {}
    }
    let named = line.item.as_ref()?;
    match line.kind {
        Kind::Bone => bone(named),
        Kind::Slot => find(names::slots(model), named).map(Selected::Slot),
        Kind::Skin => find(names::skins(model), named).map(Selected::Skin),
        Kind::Mesh => mesh(named),
        Kind::Constraint => find(names::constraints(model), named).map(Selected::Constraint),
        Kind::Event => find(names::events(model), named).map(Selected::Event),
        Kind::Image => {
            let page = find(model.pages().iter().map(|page| &*page.name).zip(0..), named)?;
            let shows = |id: &AttachmentId| {
                let mesh = model.attachment(*id).mesh();
                mesh.and_then(|mesh| mesh.page).is_some_and(|shown| shown.index() == page)
            };
            model.attachment_ids().find(shows).and_then(|id| attachment(model, id))
        }
        Kind::Animation | Kind::Pose | Kind::Key => None,
    }
}

/// Returns the selection of an attachment, in the first slot that can show it.
pub fn attachment(model: &Model, id: AttachmentId) -> Option<Selected> {
    let id = model.authored_attachment(id);
    let entries = model.skins().iter().flat_map(|skin| &skin.entries);
    let in_skin = entries.into_iter().find(|entry| entry.attachment == id).map(|entry| entry.slot);
    let slot = in_skin.or_else(|| model.slot_ids().find(|&slot| model.slot(slot).attachment == Some(id)))?;
    Some(Selected::Attachment(slot, id))
}

/// Returns the item that `named` means.
fn find<'a, T>(items: impl Iterator<Item = (&'a str, T)>, named: &Named) -> Option<T> {
    let mut same = items.filter(|(name, _)| *name == named.name);
    same.nth(named.occurrence as usize).map(|(_, item)| item)
}
