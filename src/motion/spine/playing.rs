//! Applies an animation on a track: each timeline with the strength and from the values that its class says.

use std::slice;

use super::chain::{Replaced, base, has_older};
use super::classes::{Chains, Class, Hold, Run};
use super::{Blend, Moment, Posing, Rules, Spine, Timeline, Turns, timeline};
use crate::motion::{Direction, Layer, Mix};

/// How a layer is applied.
struct Play<'a> {
    layers: &'a [Layer],
    layer: &'a Layer,
    rules: Rules,
    replaced: Option<Replaced>,
    base: Mix,
    /// The strength of the current animation of a track.
    alpha: f64,
    /// Its timelines start from what is there, even where nothing is below, and rotations take the shortest way.
    is_plain: bool,
}

impl Spine {
    /// Applies the layer at `at` with [`Mix::Fade`].
    pub(super) fn play(
        &self,
        layers: &[Layer],
        at: usize,
        id: Option<u64>,
        chains: &Chains,
        posing: &mut Posing<'_>,
    ) {
        let layer = &layers[at];
        let Some(animation) = layer.animation.filter(|_| !layer.fade.is_waiting) else { return };
        let play = Play::of(layers, at, self.rig.rules);
        let direction = if play.replaced.is_some() { Direction::Out } else { Direction::In };
        let blend = Blend { alpha: 0.0, mix: Mix::Setup, direction, is_added: false };
        let Some(played) = layer.played() else { return };
        let mut moment = self.moment(played, blend, posing.model);
        let turns = id.and_then(|id| posing.scratch.turning.find(id)).filter(|_| !play.is_plain);
        let turns = turns.map(|playback| match layer.fade.turns_short_way {
            true => Turns::Shortest,
            false => Turns::Kept(playback),
        });
        let timelines = &self.animations[animation.index()].timelines;
        let mut first = 0;
        for Run { end, class } in chains.of(at) {
            let run = timelines.get(first..timelines.len().min(*end as usize)).unwrap_or_default();
            let adds = play.adds(class);
            moment.turns = turns.filter(|_| !adds);
            // One blend holds for the whole run, except for these timelines.
            let is_each = class.is_exchanged || adds && self.rig.rules.adds_by_value;
            for part in run.chunks(if is_each { 1 } else { run.len().max(1) }) {
                let [timeline, ..] = part else { continue };
                moment.blend = play.blend(timeline, class, &moment);
                match timeline {
                    Timeline::Attachment(slot, keys) => {
                        posing.show_key(*slot, keys.at(moment.time), &play, class, &moment)
                    }
                    Timeline::DrawOrder(_) | Timeline::Folder(..) if !play.orders(class, &mut moment.blend) => {}
                    _ if play.has_faded(class, moment.blend) => {
                        for (index, timeline) in (first..).zip(part) {
                            if timeline.acts_without_strength(posing.scratch) {
                                timeline::apply(index, slice::from_ref(timeline), &moment, posing);
                            }
                        }
                    }
                    _ => timeline::apply(first, part, &moment, posing),
                }
                first += part.len();
            }
        }
    }
}

impl<'a> Play<'a> {
    fn of(layers: &'a [Layer], at: usize, rules: Rules) -> Self {
        let layer = &layers[at];
        let replaced = Replaced::of(layers, at, &rules);
        let mix = if has_older(layers, at) { layer.fade.finite_share() } else { 1.0 };
        let alpha = layer.finite_alpha() * mix;
        let (is_current, is_whole) = (replaced.is_none(), alpha == 1.0);
        let mut base = replaced.as_ref().map_or_else(|| base(layers, at), |replaced| replaced.base);
        let starts_over = rules.starts_over_when_whole && is_whole && is_current;
        let is_plain = match base {
            Mix::Add => !rules.adds_by_value,
            _ => is_current && is_whole && (layer.track == 0 || starts_over),
        };
        if starts_over {
            base = Mix::Setup;
        }
        Self { layers, layer, rules, replaced, base, alpha, is_plain }
    }

    /// Returns true if the values are added.
    fn adds(&self, class: &Class) -> bool {
        match self.rules.adds_by_value {
            true => self.layer.fade.is_additive && class.can_add,
            false => self.base == Mix::Add,
        }
    }

    /// Returns true if what is mixed like this will never have any strength again.
    fn has_faded(&self, class: &Class, blend: Blend) -> bool {
        let has_faded =
            |it: &Replaced| it.has_faded(if blend.is_added { Hold::No } else { class.hold }, self.layers);
        blend.alpha == 0.0 && blend.mix != Mix::Setup && self.replaced.as_ref().is_some_and(has_faded)
    }

    fn blend(&self, timeline: &Timeline, class: &Class, moment: &Moment<'_>) -> Blend {
        let direction = moment.blend.direction;
        let is_added = self.adds(class);
        let hold = if is_added { Hold::No } else { class.hold };
        let alpha = self.replaced.as_ref().map_or(self.alpha, |it| it.strength(hold, self.layers));
        let over = match self.rules.waits_for_lower_tracks {
            true if class.is_above => Mix::Replace,
            true => Mix::First,
            false => self.base,
        };
        let mix = match self.rules.adds_by_value {
            // Nothing below: the values of the previous frame would add up.
            false if is_added && class.is_alone => Mix::Setup,
            false if is_added => Mix::Add,
            true if is_added && class.is_first => Mix::Setup,
            true if is_added && timeline.starts_after(moment.stored, moment.time) => over,
            true if is_added => Mix::Add,
            _ if self.replaced.is_none() && self.continues(timeline) => over,
            _ if class.is_first || class.hold != Hold::No && self.rules.resets_held => Mix::Setup,
            _ => over,
        };
        Blend { alpha, mix, direction, is_added }
    }

    /// Returns true if a timeline of the current animation starts from what is there even if nothing is below.
    fn continues(&self, timeline: &Timeline) -> bool {
        let keeps_attachments = !self.rules.keys_on_way_out && !self.rules.hides_replaced;
        self.is_plain || keeps_attachments && matches!(timeline, Timeline::Attachment(..))
    }

    /// Returns false if a draw order has no effect. Otherwise `blend` is how it has one.
    fn orders(&self, class: &Class, blend: &mut Blend) -> bool {
        if let Some(replaced) = &self.replaced {
            let acts = replaced.share < self.layer.fade.draw_order_until;
            if blend.mix == Mix::Add || !acts && !class.is_first && class.hold == Hold::No {
                return false;
            }
            let keys = match (self.rules.keys_on_way_out, blend.mix) {
                (true, mix) => mix != Mix::Setup,
                (false, Mix::Setup) => true,
                (false, mix) => self.rules.waits_for_lower_tracks && mix == Mix::First,
            };
            if !(acts && keys) {
                return blend.mix == Mix::Setup;
            }
        }
        blend.direction = Direction::In;
        if blend.mix == Mix::First {
            // Before the first key they differ for numbers only.
            blend.mix = Mix::Setup;
        }
        true
    }
}

impl Posing<'_> {
    /// Shows the keyed attachment in a slot. An animation that is being replaced shows it until all have been applied;
    /// then the slot returns to rest, unless something else acts on it.
    fn show_key(
        &mut self,
        slot: u32,
        key: Option<Option<u32>>,
        play: &Play<'_>,
        class: &Class,
        moment: &Moment<'_>,
    ) {
        let at = slot as usize;
        if !self.scratch.is_active[self.rig.slots[at].bone] {
            return;
        }
        let (rules, mix) = (&play.rules, moment.blend.mix);
        let acts = play.replaced.as_ref().is_none_or(|it| it.share < play.layer.fade.attachments_until);
        let is_out = play.replaced.is_some();
        let rest = self.scratch.rest_attachments[at];
        let resets = matches!(mix, Mix::Setup | Mix::First);
        let keyed = key.map(|key| key.and_then(|key| self.scratch.attachments[key as usize]));
        let shown = keyed.or(resets.then_some(rest));
        if rules.keys_on_way_out {
            let is_faded = class.hold == Hold::No && !class.is_first;
            let is_added = moment.blend.is_added;
            let is_idle = is_out && !acts && is_faded && !is_added;
            let shown = if is_out && mix == Mix::Setup && !is_added { Some(rest) } else { shown };
            if let Some(shown) = shown.filter(|_| !is_idle) {
                self.show(at, shown);
            }
            return;
        }
        if is_out && mix == Mix::Add {
            return;
        }
        // In passing it is shown if nothing else is: what it hides is not deformed.
        let passes = keyed.flatten().is_some() && !self.scratch.shown.kept.contains(slot);
        let is_hidden = rules.hides_replaced && is_out && !acts && !passes;
        if let Some(shown) = shown.filter(|_| !is_hidden) {
            self.show(at, shown);
        }
        if shown.is_some() && (acts || !is_out) {
            self.scratch.shown.kept.insert(slot);
        } else if shown.is_some() || is_hidden || !rules.hides_replaced {
            self.scratch.shown.loose.push(slot);
        }
    }

    /// Returns slots to rest that only replaced animations have set.
    pub(super) fn reset_loose_slots(&mut self) {
        for at in 0..self.scratch.shown.loose.len() {
            let slot = self.scratch.shown.loose[at];
            if !self.scratch.shown.kept.contains(slot) {
                self.show(slot as usize, self.scratch.rest_attachments[slot as usize]);
            }
        }
    }
}
