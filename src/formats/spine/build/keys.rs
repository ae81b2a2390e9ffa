//! Traits and helpers shared by keys of all kinds: their order, their pointers, and all lists of them.

use super::escaped_key;
use crate::formats::spine::schema::{self, Number};

/// A path inside an animation, one name per level; only formatted when an error needs it.
#[derive(Clone, Copy)]
pub struct Way<'w>(pub &'w [&'w str]);

impl Way<'_> {
    /// The JSON pointer to this path in `animation`.
    pub fn at(self, animation: &str) -> String {
        let start = format!("/animations/{}", escaped_key(animation));
        self.0.iter().fold(start, |pointer, name| pointer + "/" + &escaped_key(name))
    }
}

/// The order in which keys are read.
pub struct Sorted {
    pub len: usize,
    /// `None` if it is that of the file.
    pub order: Option<Vec<usize>>,
}

impl Sorted {
    /// The order of keys by time. Keys of one time stay in the order of the file.
    pub fn by_time<K: Key>(keys: &[K]) -> Self {
        let mut sorted = Self { len: keys.len(), order: None };
        if !keys.is_sorted_by(|a, b| a.time() <= b.time()) {
            let mut order: Vec<usize> = (0..keys.len()).collect();
            order.sort_by(|&a, &b| keys[a].time().total_cmp(&keys[b].time()));
            sorted.order = Some(order);
        }
        sorted
    }

    pub fn places(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.len).map(|index| self.order.as_ref().map_or(index, |order| order[index]))
    }
}

/// The fields that every key has.
pub trait Key {
    fn time(&self) -> f32;

    /// The curve to the next key.
    fn curve(&self) -> Option<&schema::Curve> {
        None
    }

    /// The numbers `c2` to `c4`, which only files before 4.0 have.
    fn more(&self) -> [Option<Number>; 3] {
        [None; 3]
    }
}

/// The keys of a timeline, whatever their kind.
pub trait Keys {
    fn len(&self) -> usize;
    fn key(&self, index: usize) -> &dyn Key;
}

impl<K: Key> Keys for Vec<K> {
    fn len(&self) -> usize {
        self.len()
    }

    fn key(&self, index: usize) -> &dyn Key {
        &self[index]
    }
}

/// Calls `see` with every timeline of `animation` that has keys, and its path inside the animation.
pub fn for_each_timeline(animation: &schema::Animation<'_>, mut see: impl FnMut(Way<'_>, &dyn Keys)) {
    let mut list = |way: &[&str], keys: &dyn Keys| {
        if keys.len() > 0 {
            see(Way(way), keys);
        }
    };
    macro_rules! fields {
        ($it:expr, $way:expr; $($name:literal: $field:ident),* $(,)?) => {
            {$(
                list(&[&$way[..], &[$name]].concat(), &$it.$field);
            )*}
        };
    }
    for (name, it) in &animation.slots.0 {
        fields!(it, ["slots", name.as_str()]; "attachment": attachment, "color": color, "twoColor": two_color,
            "rgba": rgba, "rgb": rgb, "alpha": alpha, "rgba2": rgba2, "rgb2": rgb2);
    }
    for (name, it) in &animation.bones.0 {
        fields!(it, ["bones", name.as_str()]; "rotate": rotate, "translate": translate, "translatex": translatex,
            "translatey": translatey, "scale": scale, "scalex": scalex, "scaley": scaley, "shear": shear,
            "shearx": shearx, "sheary": sheary, "inherit": inherit);
    }
    for (name, keys) in &animation.ik.0 {
        list(&["ik", name.as_str()], keys);
    }
    for (name, keys) in &animation.transform.0 {
        list(&["transform", name.as_str()], keys);
    }
    for (name, it) in &animation.path.0 {
        fields!(it, ["path", name.as_str()]; "position": position, "spacing": spacing, "mix": mix);
    }
    for (name, it) in &animation.physics.0 {
        fields!(it, ["physics", name.as_str()]; "inertia": inertia, "strength": strength, "damping": damping,
            "mass": mass, "wind": wind, "gravity": gravity, "mix": mix, "reset": reset);
    }
    let ffd = animation.ffd.iter().map(|skins| ("ffd", skins));
    for (group, skins) in [("deform", &animation.deform)].into_iter().chain(ffd) {
        for (skin, slots) in &skins.0 {
            for (slot, attachments) in &slots.0 {
                for (name, keys) in &attachments.0 {
                    list(&[group, skin.as_str(), slot.as_str(), name.as_str()], keys);
                }
            }
        }
    }
    for (skin, slots) in &animation.attachments.0 {
        for (slot, attachments) in &slots.0 {
            for (name, it) in &attachments.0 {
                let way = ["attachments", skin.as_str(), slot.as_str(), name.as_str()];
                fields!(it, way; "deform": deform, "sequence": sequence);
            }
        }
    }
    fields!(animation, [""; 0]; "drawOrder": draw_order, "events": events);
}

/// The curve of a key that states its numbers one by one, as in 3.8.
pub fn short_curve(c1: f32, more: [Option<Number>; 3]) -> [f32; 4] {
    let [c2, c3, c4] = more;
    let or = |number: Option<Number>, default| number.map_or(default, |number: Number| number.0);
    [c1, or(c2, 0.0), or(c3, 1.0), or(c4, 1.0)]
}

macro_rules! old_keys {
    ($($name:ty),*) => {$(
        impl Key for $name {
            fn time(&self) -> f32 {
                self.time.0
            }

            fn curve(&self) -> Option<&schema::Curve> {
                self.curve.as_ref()
            }

            fn more(&self) -> [Option<Number>; 3] {
                [self.c2, self.c3, self.c4]
            }
        }
    )*};
}

macro_rules! step_keys {
    ($($name:ty),*) => {$(
        impl Key for $name {
            fn time(&self) -> f32 {
                self.time.0
            }
        }
    )*};
}

old_keys!(
    schema::BoneKey,
    schema::ColorKey<'_>,
    schema::IkKey,
    schema::TransformKey,
    schema::PathKey,
    schema::DeformKey
);
step_keys!(
    schema::AttachmentKey<'_>,
    schema::DrawOrderKey<'_>,
    schema::EventKey<'_>,
    schema::InheritKey,
    schema::ResetKey,
    schema::SequenceKey
);

impl Key for schema::ValueKey {
    fn time(&self) -> f32 {
        self.time.0
    }

    fn curve(&self) -> Option<&schema::Curve> {
        self.curve.as_ref()
    }
}
