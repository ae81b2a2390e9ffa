//! Animations that replace each other on tracks: what each value is mixed from, and which values keep their strength while
//! others fade.
//!
//! Input: the layers with [`Mix::Fade`]. On each track they form a chain, the oldest first; all but the last fade out,
//! each replaced by the next. What is decided here changes only when an animation begins or ends, so it is kept.

use super::classes::{Chains, Class, Entry, Hold, Run};
use super::rules::AddedBelow;
use super::values::Changed;
use super::{Rules, Spine};
use crate::model::AnimationId;
use crate::motion::{Holder, Layer, Mix};

/// A layer that is being replaced.
pub(super) struct Replaced {
    /// How far, 0 to 1.
    pub share: f64,
    /// Its strength at the beginning.
    full: f64,
    /// The strength of its held values.
    held: f64,
    /// What it is mixed with.
    pub base: Mix,
}

impl Replaced {
    /// Returns how the layer at `at` is being replaced; `None` if it is the current one of its track.
    pub fn of(layers: &[Layer], at: usize, rules: &Rules) -> Option<Self> {
        let (layer, by) = (&layers[at], &layers[newer(layers, at)?]);
        let share = by.fade.finite_share();
        let begun = if rules.continues_fades { layer.fade.finite_share() } else { by.fade.cap };
        let full = layer.finite_alpha() * begun;
        let weight = by.finite_alpha();
        let is_bent = rules.fades_straight && weight != 1.0 && share != 0.0 && weight * share < 1.0;
        let held = if is_bent { full * (1.0 - share) / (1.0 - weight * share) } else { full };
        let base = match base(layers, at) {
            Mix::First if by.fade.takes_time => Mix::First,
            Mix::First => Mix::Setup,
            base @ (Mix::Setup | Mix::Replace | Mix::Add | Mix::Fade) => match by.fade.takes_time {
                true if layer.fade.is_additive => Mix::Add,
                true => Mix::Replace,
                false if rules.resets_cut_tracks => Mix::Setup,
                false => base,
            },
        };
        Some(Self { share, full, held, base })
    }

    /// Returns the strength of a timeline.
    pub fn strength(&self, hold: Hold, layers: &[Layer]) -> f64 {
        match hold {
            Hold::No => self.full * (1.0 - self.share),
            Hold::Full => self.held,
            Hold::Until(at) => self.held * (1.0 - layers[at as usize].fade.finite_share()),
        }
    }

    /// Returns true if the fade by which a timeline loses its strength is over.
    pub fn has_faded(&self, hold: Hold, layers: &[Layer]) -> bool {
        match hold {
            Hold::No => self.share == 1.0,
            Hold::Full => false,
            Hold::Until(at) => layers[at as usize].fade.finite_share() == 1.0,
        }
    }
}

/// Returns what the current layer of the track of the layer at `at` is mixed with.
pub(super) fn base(layers: &[Layer], at: usize) -> Mix {
    let track = layers[at].track;
    let current = layers[at..].iter().take_while(|layer| layer.is_on(track)).last();
    match track {
        0 => Mix::First,
        _ if current.is_some_and(|current| current.fade.is_additive) => Mix::Add,
        _ => Mix::Replace,
    }
}

/// Returns the index of the layer that replaces the one at `at`.
fn newer(layers: &[Layer], at: usize) -> Option<usize> {
    layers.get(at + 1).filter(|newer| newer.is_on(layers[at].track)).map(|_| at + 1)
}

/// Returns true if the layer at `at` replaces an earlier one.
pub(super) fn has_older(layers: &[Layer], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|older| layers[older].is_on(layers[at].track))
}

impl Chains {
    /// Decides about `layers`, unless that has been done already.
    pub fn decide(&mut self, spine: &Spine, layers: &[Layer]) {
        if self.motion == spine.id && self.entries.iter().copied().eq(layers.iter().map(Entry::of)) {
            return;
        }
        self.motion = spine.id;
        self.entries.clear();
        self.entries.extend(layers.iter().map(Entry::of));
        self.firsts.clear();
        self.runs.clear();
        self.seen.clear();
        self.every.clear();
        self.starts_from_rest = false;
        let adds = layers.iter().any(|layer| layer.fade.is_additive);
        for at in 0..layers.len() {
            self.firsts.push(self.runs.len() as u32);
            if layers[at].mix == Mix::Fade {
                self.decide_one(spine, layers, at, adds);
            }
        }
    }

    /// Decides about one layer. `adds`: any layer is additive.
    fn decide_one(&mut self, spine: &Spine, layers: &[Layer], at: usize, adds: bool) {
        let (rules, layer) = (&spine.rig.rules, &layers[at]);
        let asks_for_lower = rules.waits_for_lower_tracks;
        if asks_for_lower && !has_older(layers, at) {
            self.lower.set(&self.seen);
        }
        let Some(animation) = layer.animation else { return };
        let is_added = layer.fade.is_additive;
        let is_unseen = is_added
            && match rules.added_below {
                AddedBelow::All => false,
                AddedBelow::Alone => has_older(layers, at),
                AddedBelow::Current => newer(layers, at).is_some(),
            };
        let first = self.runs.len();
        for (end, value) in (1..).zip(&spine.changes[animation.index()].timelines) {
            let numbers = || value.numbers.clone();
            let is_first = match rules.keeps_parts {
                true => !self.seen.contains_any(numbers()),
                false => !self.seen.contains_all(numbers()),
            };
            // Only what is added depends on these.
            let is_alone = adds && !self.every.contains_any(numbers());
            let is_partly = adds && !is_alone && !self.every.contains_all(numbers());
            self.starts_from_rest |= is_partly && is_added && !rules.adds_by_value;
            if !is_unseen {
                self.seen.insert_all(numbers());
            }
            if adds {
                self.every.insert_all(numbers());
            }
            let class = Class {
                is_first,
                is_alone,
                is_above: asks_for_lower && self.lower.contains_any(numbers()),
                hold: spine.hold(layers, at, value, is_first),
                can_add: value.can_add,
                is_exchanged: value.is_exchanged,
            };
            match self.runs[first..].last_mut() {
                Some(run) if run.class == class => run.end = end,
                Some(_) | None => self.runs.push(Run { end, class }),
            }
        }
    }

    /// Returns the decisions about the timelines of the layer at `at`.
    pub(super) fn of(&self, at: usize) -> &[Run] {
        let [first, end] = [at, at + 1].map(|at| self.firsts.get(at).map(|first| *first as usize));
        &self.runs[first.unwrap_or_default()..end.unwrap_or(self.runs.len())]
    }

    /// Returns true if the layer at `at` has no effect any more.
    pub fn is_spent(&self, rules: &Rules, layers: &[Layer], at: usize) -> bool {
        let Some(replaced) = Replaced::of(layers, at, rules) else { return false };
        if replaced.base == Mix::Add && !rules.adds_by_value {
            return !rules.keeps_added;
        }
        self.of(at).iter().all(|run| replaced.strength(run.class.hold, layers) == 0.0)
    }
}

impl Spine {
    /// Decides whether a timeline of the layer at `at` keeps its strength: it does if the next layer changes its values, too.
    /// Otherwise, the rest pose would show through while both fade.
    fn hold(&self, layers: &[Layer], at: usize, value: &Changed, is_first: bool) -> Hold {
        let (rules, fade) = (&self.rig.rules, &layers[at].fade);
        let Some(newer) = newer(layers, at) else { return Hold::No };
        if rules.holds_previous && layers[newer].fade.holds_previous {
            return Hold::Full;
        }
        let replaces = |by: &Layer| self.replaces(Holder::of(by), value);
        let is_replaced = fade.held_by.map_or_else(|| replaces(&layers[newer]), |by| self.replaces(by, value));
        let is_added = rules.adds_by_value && fade.is_additive && value.can_add;
        if !is_replaced || !value.can_hold || is_added || !(is_first || rules.holds_above) {
            return Hold::No;
        }
        let is_released = fade.takes_time || rules.always_releases;
        if !is_released || fade.held_by.is_some() && !replaces(&layers[newer]) {
            return Hold::Full;
        }
        let later = layers.iter().enumerate().skip(newer + 1);
        let mut later = later.take_while(|(_, later)| later.is_on(layers[at].track));
        match later.find(|(_, later)| !replaces(later)) {
            Some((at, later)) if later.fade.takes_time || !rules.releases_by_fades => Hold::Until(at as u32),
            Some(_) | None => Hold::Full,
        }
    }

    fn replaces(&self, by: Holder, value: &Changed) -> bool {
        let is_added = self.rig.rules.adds_by_value && by.is_additive && value.can_add;
        let changes = |id: AnimationId| self.changes[id.index()].contain(value.numbers.clone());
        !is_added && by.animation.is_some_and(changes)
    }
}
