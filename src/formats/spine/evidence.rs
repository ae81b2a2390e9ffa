//! The version to which the keys of a skeleton belong.
//!
//! The stated version of real files can be wrong, for example because someone changed it so that some program would
//! open the file. Keys that only some versions have decide then.

use super::schema::{self, Animation, Curve};
use super::version::Version;
use crate::formats::json::text::escaped_key;

/// The keys that only some versions have.
#[derive(Debug, Default)]
pub struct Evidence {
    /// The first minor version 4 that has all keys, and a pointer to the key that needs it.
    newer: Option<(u32, String)>,
    /// A pointer to a key that only versions before 4 have.
    older: Option<String>,
}

/// The version by whose rules a file is read.
#[derive(Debug, PartialEq, Eq)]
pub struct Decision {
    pub version: Version,
    /// The key that decided against the stated version, as a pointer, and words for "these versions have".
    pub against: Option<(String, &'static str)>,
}

impl Evidence {
    /// Finds the keys that only some versions have.
    pub fn of(root: &schema::Root<'_>) -> Self {
        let mut found = Self::default();
        found.skeleton(root);
        for (name, animation) in &root.animations.0 {
            let start = || format!("/animations/{}", escaped_key(name.as_str()));
            found.animation(animation, &start);
        }
        found
    }

    /// Returns the version of a file that states `stated`.
    pub fn decide(self, stated: Version) -> Decision {
        let keep = Decision { version: stated, against: None };
        match (stated, self.newer, self.older) {
            (Version::Unknown, Some((minor, _)), None) => {
                Decision { version: Version::Four(minor), against: None }
            }
            (Version::Three(_), Some((minor, key)), None) => {
                Decision { version: Version::Four(minor), against: Some((key, since(minor))) }
            }
            (Version::Four(own), Some((minor, key)), None) if minor > own => {
                Decision { version: Version::Four(minor), against: Some((key, since(minor))) }
            }
            (Version::Four(_), None, Some(key)) => {
                Decision { version: Version::Three(8), against: Some((key, "versions before 4.0 have")) }
            }
            _ => keep,
        }
    }

    fn since(&mut self, minor: u32, is_given: bool, pointer: impl FnOnce() -> String) {
        if is_given && self.newer.as_ref().is_none_or(|(found, _)| *found < minor) {
            self.newer = Some((minor, pointer()));
        }
    }

    fn before(&mut self, is_given: bool, pointer: impl FnOnce() -> String) {
        if is_given && self.older.is_none() {
            self.older = Some(pointer());
        }
    }

    fn skeleton(&mut self, root: &schema::Root<'_>) {
        self.since(2, !root.physics.is_empty(), || "/physics".to_owned());
        let has_scale = root.skeleton.as_ref().is_some_and(|skeleton| skeleton.reference_scale.is_some());
        self.since(2, has_scale, || "/skeleton/referenceScale".to_owned());
        for (index, bone) in root.bones.iter().enumerate() {
            self.since(2, bone.inherit.is_some(), || format!("/bones/{index}/inherit"));
        }
        for (index, it) in root.transform.iter().enumerate() {
            let at = || format!("/transform/{index}");
            self.before(it.rotate_mix.or(it.translate_mix).or(it.scale_mix).or(it.shear_mix).is_some(), at);
            let is_new = it.mix_rotate.or(it.mix_x).or(it.mix_y).or(it.mix_scale_x).or(it.mix_scale_y);
            self.since(0, is_new.or(it.mix_shear_y).is_some(), at);
        }
        for (index, path) in root.path.iter().enumerate() {
            let at = || format!("/path/{index}");
            self.before(path.rotate_mix.or(path.translate_mix).is_some(), at);
            self.since(0, path.mix_rotate.or(path.mix_x).or(path.mix_y).is_some(), at);
        }
        for (pointer, attachment) in super::build::attachments_of(root).map(|(pointer, _, it)| (pointer, it)) {
            self.since(1, attachment.sequence.is_some(), || format!("{pointer}/sequence"));
            self.since(1, attachment.timelines.is_some(), || format!("{pointer}/timelines"));
        }
    }

    fn animation(&mut self, animation: &Animation<'_>, start: &impl Fn() -> String) {
        self.since(2, !animation.physics.0.is_empty(), || start() + "/physics");
        self.since(1, !animation.attachments.0.is_empty(), || start() + "/attachments");
        for (name, timelines) in &animation.bones.0 {
            let at = |kind: &str| format!("{}/bones/{}/{kind}", start(), escaped_key(name.as_str()));
            let schema::BoneTimelines { rotate, translate, scale, shear, inherit, .. } = timelines;
            self.since(2, !inherit.is_empty(), || at("inherit"));
            for (kind, keys) in [
                ("translatex", &timelines.translatex),
                ("translatey", &timelines.translatey),
                ("scalex", &timelines.scalex),
                ("scaley", &timelines.scaley),
                ("shearx", &timelines.shearx),
                ("sheary", &timelines.sheary),
            ] {
                self.since(0, !keys.is_empty(), || at(kind));
            }
            self.before(rotate.iter().any(|key| key.angle.is_some()), || at("rotate"));
            self.since(0, rotate.iter().any(|key| key.value.is_some()), || at("rotate"));
            for (kind, keys) in [("rotate", rotate), ("translate", translate), ("scale", scale), ("shear", shear)]
            {
                self.curves(keys.iter().map(|key| key.curve.as_ref()), || at(kind));
            }
        }
        for (name, timelines) in &animation.slots.0 {
            let at = |kind: &str| format!("{}/slots/{}/{kind}", start(), escaped_key(name.as_str()));
            self.before(!timelines.color.is_empty(), || at("color"));
            self.before(!timelines.two_color.is_empty(), || at("twoColor"));
            self.since(0, !timelines.rgba.is_empty(), || at("rgba"));
            self.since(0, !timelines.rgb.is_empty(), || at("rgb"));
            self.since(0, !timelines.alpha.is_empty(), || at("alpha"));
            self.since(0, !timelines.rgba2.is_empty(), || at("rgba2"));
            self.since(0, !timelines.rgb2.is_empty(), || at("rgb2"));
        }
        for (name, keys) in &animation.ik.0 {
            let at = || format!("{}/ik/{}", start(), escaped_key(name.as_str()));
            self.curves(keys.iter().map(|key| key.curve.as_ref()), at);
        }
        for (name, keys) in &animation.transform.0 {
            let at = || format!("{}/transform/{}", start(), escaped_key(name.as_str()));
            self.before(keys.iter().any(|key| key.rotate_mix.or(key.translate_mix).is_some()), at);
            self.since(0, keys.iter().any(|key| key.mix_rotate.or(key.mix_x).is_some()), at);
        }
        for (name, timelines) in &animation.path.0 {
            let at = |kind: &str| format!("{}/path/{}/{kind}", start(), escaped_key(name.as_str()));
            for (kind, keys) in [("position", &timelines.position), ("spacing", &timelines.spacing)] {
                self.since(0, keys.iter().any(|key| key.value.is_some()), || at(kind));
            }
            self.before(timelines.mix.iter().any(|key| key.rotate_mix.or(key.translate_mix).is_some()), || {
                at("mix")
            });
            self.since(0, timelines.mix.iter().any(|key| key.mix_rotate.or(key.mix_x).is_some()), || at("mix"));
        }
    }

    /// Curves with one number and `c2` to `c4` are older, those of more than one value or with handles in seconds newer.
    fn curves<'a>(&mut self, curves: impl Iterator<Item = Option<&'a Curve>> + Clone, at: impl Fn() -> String) {
        self.before(curves.clone().any(|curve| matches!(curve, Some(Curve::First(_)))), &at);
        let is_share = |share: f32| (0.0..=1.0).contains(&share);
        let is_new = |curve: Option<&Curve>| match curve {
            None | Some(Curve::Linear | Curve::Stepped | Curve::First(_)) => false,
            Some(Curve::Four([x1, _, x2, _])) => !is_share(*x1) || !is_share(*x2),
            Some(Curve::Eight(_) | Curve::More(_)) => true,
        };
        self.since(0, curves.into_iter().any(is_new), &at);
    }
}

/// Words for "the versions since this one have".
fn since(minor: u32) -> &'static str {
    match minor {
        0 => "versions from 4.0 on have",
        1 => "versions from 4.1 on have",
        _ => "version 4.2 has",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(stated: Version, text: &str) -> (Version, bool) {
        let root: schema::Root<'_> = serde_json::from_str(text).expect("a skeleton");
        let Decision { version, against } = Evidence::of(&root).decide(stated);
        (version, against.is_some())
    }

    #[test]
    fn keys_decide_against_the_stated_version() {
        let old = r#"{"transform": [{"name": "t", "target": "a", "rotateMix": 0.5}]}"#;
        let new = r#"{"animations": {"a": {"slots": {"s": {"rgba": [{"color": "ffffffff"}]}}}}}"#;
        let newest = r#"{"bones": [{"name": "a", "inherit": "noScale"}]}"#;
        let both = r#"{"animations": {"a": {"slots": {"s": {"rgba": [{}], "color": [{}]}}}}}"#;
        for (stated, text, version, is_against) in [
            (Version::Unknown, old, Version::Unknown, false),
            (Version::Unknown, new, Version::Four(0), false),
            (Version::Unknown, newest, Version::Four(2), false),
            (Version::Three(8), old, Version::Three(8), false),
            (Version::Three(8), new, Version::Four(0), true),
            (Version::Four(1), new, Version::Four(1), false),
            (Version::Four(1), newest, Version::Four(2), true),
            (Version::Four(2), old, Version::Three(8), true),
            (Version::Four(2), "{}", Version::Four(2), false),
            (Version::Three(8), both, Version::Three(8), false),
        ] {
            assert_eq!(decide(stated, text), (version, is_against), "{stated:?} {text}");
        }
    }
}
