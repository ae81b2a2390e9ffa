//! What keys of all timelines have in common: a time, and the curve to the next key.

use crate::formats::spine::schema::{
    AttachmentKey, BoneKey, ColorKey, Curve, DeformKey, IkKey, Number, PathKey, SequenceKey, TransformKey,
    ValueKey,
};

/// A key at a time.
pub trait Timed {
    fn time(&self) -> f32;
    fn set_time(&mut self, time: f32);
}

/// A key with a curve to the next one.
pub trait Curved: Timed + Clone {
    fn curve(&self) -> Option<&Curve>;
    /// Removes the curve. That of a file before 4.0 has four handles, however they were stated.
    fn take_curve(&mut self) -> Option<Curve>;
    fn set_curve(&mut self, curve: Option<Curve>);
    /// States the four handles of 3.8 one by one, without defaults.
    fn set_shares(&mut self, handles: [f32; 4]);
}

macro_rules! timed {
    ($($name:ty),*) => {$(
        impl Timed for $name {
            fn time(&self) -> f32 {
                self.time.0
            }

            fn set_time(&mut self, time: f32) {
                self.time = Number(time);
            }
        }
    )*};
}

macro_rules! curved {
    ($($name:ty),*) => {$(
        impl Curved for $name {
            fn take_curve(&mut self) -> Option<Curve> {
                let more = [self.c2.take(), self.c3.take(), self.c4.take()];
                self.curve.take().and_then(|curve| whole(curve, more))
            }

            fn curve(&self) -> Option<&Curve> {
                self.curve.as_ref()
            }

            fn set_curve(&mut self, curve: Option<Curve>) {
                self.curve = curve;
            }

            fn set_shares(&mut self, [c1, c2, c3, c4]: [f32; 4]) {
                let unless = |number: f32, default: f32| (number != default).then_some(Number(number));
                self.curve = Some(Curve::First(c1));
                (self.c2, self.c3, self.c4) = (unless(c2, 0.0), unless(c3, 1.0), unless(c4, 1.0));
            }
        }
    )*};
}

timed!(AttachmentKey<'_>, BoneKey, ColorKey<'_>, DeformKey, IkKey, PathKey, SequenceKey, TransformKey, ValueKey);
curved!(BoneKey, ColorKey<'_>, DeformKey, IkKey, PathKey, TransformKey);

impl Curved for ValueKey {
    fn take_curve(&mut self) -> Option<Curve> {
        self.curve.take().and_then(|curve| whole(curve, [None; 3]))
    }

    fn curve(&self) -> Option<&Curve> {
        self.curve.as_ref()
    }

    fn set_curve(&mut self, curve: Option<Curve>) {
        self.curve = curve;
    }

    fn set_shares(&mut self, handles: [f32; 4]) {
        self.curve = Some(Curve::Four(handles));
    }
}

/// The curve with all of its numbers; `None` if it is linear.
fn whole(curve: Curve, [c2, c3, c4]: [Option<Number>; 3]) -> Option<Curve> {
    let or = |number: Option<Number>, default| number.map_or(default, |number: Number| number.0);
    match curve {
        Curve::Linear => None,
        Curve::First(c1) => Some(Curve::Four([c1, or(c2, 0.0), or(c3, 1.0), or(c4, 1.0)])),
        curve => Some(curve),
    }
}

/// Sorts keys by time, as readers do, and removes the curve of the last one, which has no effect.
pub fn sort<K: Curved>(keys: &mut [K]) {
    sort_by_time(keys);
    if let Some(last) = keys.last_mut() {
        last.take_curve();
    }
}

/// Sorts keys by time; keys of the same time keep their order.
pub fn sort_by_time<K: Timed>(keys: &mut [K]) {
    keys.sort_by(|a, b| a.time().total_cmp(&b.time()));
}
