//! The keys of the shown animation, as rows with names.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::answer::Deferred;
use crate::base::filter::Filter;
use crate::base::memo::Shared;
use crate::base::name::{short, short_or_unnamed};
use crate::base::waker::Waker;
use crate::scene::selection::Selected;
use pchr::model::{AnimationId, Model};
use pchr::motion::{KeyChannel, KeyTarget, KeyTimes, Motion, keys, layer_of};
use pchr::{Animator, Character};

/// More values than this are compared on another thread.
const MANY_VALUES: u64 = 1 << 20;
/// Longer names are cut.
const MAX_NAME: usize = 120;

/// The keys of one animation.
#[derive(Debug)]
pub struct Keyed {
    /// The instants of all keys.
    pub all: KeyTimes,
    /// One row per target.
    pub targets: Vec<TargetKeys>,
}

/// The keys of one target.
#[derive(Debug)]
pub struct TargetKeys {
    /// The target.
    pub target: KeyTarget,
    /// Its name.
    pub name: String,
    /// The keys of all of its channels.
    pub times: KeyTimes,
    /// The channels with their names.
    pub channels: Vec<(KeyChannel, String, KeyTimes)>,
}

/// A row of the dopesheet: a target, or one of its channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Index of the target.
    pub target: usize,
    /// Index of its channel.
    pub channel: Option<usize>,
}

/// The keys of the shown animation, once they are listed.
#[derive(Debug, Default)]
pub struct KeysCache {
    keyed: Deferred<Asked, Arc<Keyed>>,
}

/// An animation.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    character: Shared<Character>,
    animation: AnimationId,
}

impl KeysCache {
    /// Returns the keys of the animation that was shown at the last refresh.
    pub fn shown(&self) -> Option<&Arc<Keyed>> {
        self.keyed.answer()
    }

    /// Lists the keys of the shown animation unless they are known. If there are many, another thread does it, which
    /// calls `waker`; without one, they are listed at once.
    pub fn refresh(&mut self, animator: &Animator, waker: Option<&Waker>) {
        let Some(animation) = animator.playback(0).animation() else {
            self.keyed = Deferred::default();
            return;
        };
        let asked = Asked { character: Shared::of(animator.character()), animation };
        let waker = waker.filter(|_| stored_values(&asked.character, animation) > MANY_VALUES);
        self.keyed.follow(asked, waker, |asked| Keyed::of(asked).into());
    }
}

/// Returns how many values of stored frames have to be compared, at most.
fn stored_values(character: &Character, animation: AnimationId) -> u64 {
    let model = character.model();
    let is_sampled = matches!(character.motion(), Motion::Sampled(_) | Motion::Animate(_));
    let values = u64::from(model.animation(animation).frame_count()) * model.skeleton().bones().len() as u64;
    if is_sampled { values } else { 0 }
}

impl Keyed {
    fn of(Asked { character, animation }: &Asked) -> Self {
        let model = character.model();
        let mut targets: Vec<TargetKeys> = Vec::new();
        for row in keys(character, *animation) {
            if targets.last().is_none_or(|last| last.target != row.target) {
                targets.push(TargetKeys {
                    target: row.target,
                    name: name(character, row.target),
                    times: KeyTimes::default(),
                    channels: Vec::new(),
                });
            }
            if let Some(last) = targets.last_mut() {
                last.channels.push((row.channel, channel_name(model, row.channel), row.times));
            }
        }
        for target in &mut targets {
            target.times = KeyTimes::union(target.channels.iter().map(|(_, _, times)| times));
        }
        let all = KeyTimes::union(targets.iter().map(|target| &target.times));
        Self { all, targets }
    }

    /// Returns the keys of a target.
    pub fn target(&self, target: KeyTarget) -> Option<&TargetKeys> {
        let at = self.targets.binary_search_by_key(&target, |row| row.target).ok()?;
        self.targets.get(at)
    }

    /// Returns the keys of a line.
    pub fn times(&self, line: Line) -> Option<&KeyTimes> {
        let target = self.targets.get(line.target)?;
        match line.channel {
            Some(channel) => target.channels.get(channel).map(|(_, _, times)| times),
            None => Some(&target.times),
        }
    }

    /// Returns the rows that match `filter`, with the channels of those that are expanded.
    pub fn lines(&self, filter: &Filter, expanded: &BTreeSet<KeyTarget>) -> Arc<[Line]> {
        let mut lines = Vec::new();
        for (index, target) in self.targets.iter().enumerate() {
            if !filter.matches(&target.name) {
                continue;
            }
            lines.push(Line { target: index, channel: None });
            if expanded.contains(&target.target) {
                let channels = 0..target.channels.len();
                lines.extend(channels.map(|channel| Line { target: index, channel: Some(channel) }));
            }
        }
        lines.into()
    }

    /// Returns the place in `lines` of the row of a target.
    pub fn place(&self, lines: &[Line], target: KeyTarget) -> Option<usize> {
        let index = self.targets.binary_search_by_key(&target, |row| row.target).ok()?;
        let place = lines.partition_point(|line| line.target < index);
        lines.get(place).filter(|line| line.target == index).map(|_| place)
    }
}

fn name(character: &Character, target: KeyTarget) -> String {
    let model = character.model();
    let named = |part: Selected| short_or_unnamed(part.name(model), MAX_NAME);
    // Each instance of a symbol has parts of the same names.
    let bone =
        selected_of(target).and_then(|part| part.bone(model)).filter(|bone| layer_of(character, *bone).is_some());
    let parent = bone.and_then(|bone| model.skeleton().bones().get(bone.index())?.parent);
    let above = match parent.filter(|parent| layer_of(character, *parent).is_some()) {
        Some(parent) => format!("{} › ", named(Selected::Bone(parent))),
        None => String::new(),
    };
    let own = match target {
        KeyTarget::Bone(id) => named(Selected::Bone(id)),
        KeyTarget::Slot(id) => named(Selected::Slot(id)),
        KeyTarget::Constraint(id) => named(Selected::Constraint(id)),
        KeyTarget::AllPhysics => "All physics".to_owned(),
        KeyTarget::DrawOrder => "Draw order".to_owned(),
        KeyTarget::Events => "Events".to_owned(),
    };
    above + &own
}

fn channel_name(model: &Model, channel: KeyChannel) -> String {
    if let KeyChannel::Deform(id) | KeyChannel::Sequence(id) = channel {
        format!("{} of {}", channel.name(), short(model.attachment(id).name(), MAX_NAME))
    } else {
        channel.name().to_owned()
    }
}

/// Returns what a click on a row selects.
pub fn selected_of(target: KeyTarget) -> Option<Selected> {
    match target {
        KeyTarget::Bone(id) => Some(Selected::Bone(id)),
        KeyTarget::Slot(id) => Some(Selected::Slot(id)),
        KeyTarget::Constraint(at) => Some(Selected::Constraint(at)),
        KeyTarget::AllPhysics | KeyTarget::DrawOrder | KeyTarget::Events => None,
    }
}

/// Returns the row of what is selected.
pub fn target_of(selected: Selected) -> Option<KeyTarget> {
    match selected {
        Selected::Bone(id) => Some(KeyTarget::Bone(id)),
        Selected::Slot(id) | Selected::Attachment(id, _) => Some(KeyTarget::Slot(id)),
        Selected::Constraint(at) => Some(KeyTarget::Constraint(at)),
        Selected::Event(_) => Some(KeyTarget::Events),
        Selected::Skin(_) => None,
    }
}
