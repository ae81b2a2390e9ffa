//! How keyed values are mixed into the pose.

use std::ops::{Add, Mul, Sub};

use super::rules::Rules;
use crate::motion::{Direction, Mix};

/// How an animation is applied.
#[derive(Debug, Clone, Copy)]
pub struct Blend {
    pub alpha: f64,
    pub mix: Mix,
    pub direction: Direction,
    /// It is of an additive animation that adds such values.
    pub is_added: bool,
}

impl Blend {
    /// Returns true if the current value is replaced completely.
    pub fn is_whole(self) -> bool {
        self.alpha == 1.0
    }

    /// Replaces values instead of adding to them.
    pub fn not_adding(mut self) -> Self {
        if self.mix == Mix::Add {
            self.mix = Mix::Replace;
        }
        self.is_added = false;
        self
    }
}

/// Mixes a number or a vector. `value` is the keyed value, `None` before the first key.
#[inline]
pub fn mixed<T>(now: T, setup: T, value: Option<T>, blend: Blend) -> T
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>,
{
    match (value, blend.mix) {
        // The value is relative to the rest pose.
        (Some(value), Mix::Add) => now + (value - setup) * blend.alpha,
        _ => mixed_towards(value, setup, blend).map_or(now, |(from_rest, to)| {
            let from = if from_rest { setup } else { now };
            from + (to - from) * blend.alpha
        }),
    }
}

/// Returns the target of a value that is mixed rather than added, and whether mixing starts from the rest pose instead of
/// the current value; `None` if the value stays as it is.
#[inline]
pub fn mixed_towards<T>(value: Option<T>, setup: T, blend: Blend) -> Option<(bool, T)> {
    match (value, blend.mix) {
        (Some(value), Mix::Setup) => Some((true, value)),
        // With the whole weight, they start from the rest pose, so that all round alike.
        (Some(value), Mix::First | Mix::Replace | Mix::Add | Mix::Fade) => Some((blend.is_whole(), value)),
        (None, Mix::Setup) => Some((true, setup)),
        (None, Mix::First) => Some((blend.is_whole(), setup)),
        (None, Mix::Replace | Mix::Add | Mix::Fade) => None,
    }
}

/// Like [`mixed`] for values that are added as they are, although they are not relative to the rest pose.
#[inline]
pub fn added(now: f64, setup: f64, value: Option<f64>, blend: Blend) -> f64 {
    match (value, blend.mix) {
        (Some(value), Mix::Add) => now + value * blend.alpha,
        (Some(value), Mix::Setup) if blend.is_added => setup + value * blend.alpha,
        _ => mixed(now, setup, value, blend),
    }
}

/// Mixes a scale factor: on the way out it keeps its current sign, on the way in it gets the sign of the key.
pub fn mixed_scale(now: f64, setup: f64, value: Option<f64>, blend: Blend, rules: &Rules) -> f64 {
    let Some(value) = value.filter(|_| !blend.is_whole()) else { return mixed(now, setup, value, blend) };
    let from = if blend.mix == Mix::Setup { setup } else { now };
    match (blend.mix, blend.direction) {
        (Mix::Add, _) if !rules.adds_signed_scale => now + (value - setup) * blend.alpha,
        (Mix::Add, Direction::In) => {
            let sign = signum(value);
            now.abs() * sign + (value - setup.abs() * sign) * blend.alpha
        }
        (Mix::Add, Direction::Out) => now + (value.abs() * signum(now) - setup) * blend.alpha,
        (Mix::Setup | Mix::First | Mix::Replace | Mix::Fade, direction) => {
            let (from, to) = match direction {
                Direction::In => (from.abs() * signum(value), value),
                Direction::Out => (from, value.abs() * signum(from)),
            };
            from + (to - from) * blend.alpha
        }
    }
}

/// Returns -1, 0 or 1.
fn signum(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

/// Returns the new state of a switch, which is `rest` in the rest pose; `None` if it stays as it is. Switches change at
/// their keys, but not on the way out.
pub fn switched<T>(value: Option<T>, rest: T, blend: Blend) -> Option<T> {
    match (value, blend.mix, blend.direction) {
        (_, Mix::Setup, Direction::Out) => Some(rest),
        (_, Mix::First | Mix::Replace | Mix::Add | Mix::Fade, Direction::Out) => None,
        (Some(value), _, Direction::In) => Some(value),
        (None, Mix::Setup | Mix::First, Direction::In) => Some(rest),
        (None, Mix::Replace | Mix::Add | Mix::Fade, Direction::In) => None,
    }
}

/// Like [`switched`], for attachments and draw orders.
pub fn exchanged<T>(value: Option<T>, rest: T, mut blend: Blend, rules: &Rules) -> Option<T> {
    if rules.keys_on_way_out && blend.mix != Mix::Setup {
        blend.direction = Direction::In;
    }
    switched(value, rest, blend)
}
