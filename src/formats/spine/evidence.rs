//! The versions that have the keys of a skeleton, and the version to which they belong.
//!
//! The stated version of real files can be wrong, for example because someone changed it so that some program would
//! open the file. Keys that only some versions have decide then. If they contradict each other, the stated version
//! counts, and those that it does not have do nothing.

use super::binary::Layout;
use super::build::escaped_key;
use super::schema::{
    Animation, BoneKey, BoneTimelines, Curve, Entries, IkKey, Number, PathKey, Root, SlotTimelines, SpacingMode,
    TransformKey,
};
use super::version::Version;
use crate::diagnostics::Diagnostics;
use crate::error::Place;

/// The versions that have a key, and what the others do with it.
#[derive(Debug, Clone, Copy)]
struct Owners {
    since: Layout,
    until: Layout,
    elsewhere: Elsewhere,
}

/// What the program of a version does with a key that only others have.
#[derive(Debug, Clone, Copy)]
enum Elsewhere {
    /// It does not read it.
    Ignored,
    /// It cannot play the file, so it is read as it was meant. Words for that.
    Fatal(&'static str),
    /// That depends on the numbers.
    Unknown,
}

impl Owners {
    const fn since(since: Layout) -> Self {
        Self { since, until: Layout::V4_2, elsewhere: Elsewhere::Ignored }
    }

    const fn until(until: Layout) -> Self {
        Self { since: Layout::V3_6, until, elsewhere: Elsewhere::Ignored }
    }

    const fn or(self, elsewhere: Elsewhere) -> Self {
        Self { elsewhere, ..self }
    }

    fn has(self, layout: Layout) -> bool {
        (self.since..=self.until).contains(&layout)
    }
}

const SINCE_3_7: Owners = Owners::since(Layout::V3_7);
const SINCE_3_8: Owners = Owners::since(Layout::V3_8);
const SINCE_4_0: Owners = Owners::since(Layout::V4_0);
const SINCE_4_1: Owners = Owners::since(Layout::V4_1);
const SINCE_4_2: Owners = Owners::since(Layout::V4_2);
const UNTIL_3_8: Owners = Owners::until(Layout::V3_8);
const UNTIL_4_0: Owners = Owners::until(Layout::V4_0);
const UNTIL_4_1: Owners = Owners::until(Layout::V4_1);

/// Skins as an object.
const SKIN_OBJECT: Owners = UNTIL_3_8.or(Elsewhere::Fatal("does not open such a file"));
/// Skins as a list.
const SKIN_LIST: Owners = SINCE_3_8.or(Elsewhere::Fatal("expects an object here"));
/// Curves with one number and `c2` to `c4`.
const SHORT_CURVE: Owners = UNTIL_3_8.or(Elsewhere::Fatal("shows nothing of such a character"));
/// Handles in seconds, or of several values.
const LONG_CURVE: Owners = SINCE_4_0.or(Elsewhere::Unknown);
const PROPORTIONAL: Owners = SINCE_4_0.or(Elsewhere::Fatal("does not have this mode"));

impl std::fmt::Display for Owners {
    /// Which versions have it, as words before `have` or `has`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.since, self.until) {
            (Layout::V4_2, _) => f.write_str("version 4.2 has"),
            (since, Layout::V4_2) => write!(f, "versions from {since} on have"),
            (_, until) => {
                let next = Layout::ALL.into_iter().find(|layout| *layout > until).unwrap_or(until);
                write!(f, "versions before {next} have")
            }
        }
    }
}

/// The versions that have all keys of a skeleton.
#[derive(Debug, Default)]
pub struct Evidence {
    /// The newest key, if not all versions have it, and a pointer to it.
    newest: Option<(Owners, String)>,
    /// The oldest key.
    oldest: Option<(Owners, String)>,
}

/// The version by whose rules a file is read.
#[derive(Debug, PartialEq, Eq)]
pub struct Decision {
    pub version: Version,
    /// Why that is not the stated one: a pointer to a key, and words for what is odd about it.
    pub against: Option<(String, String)>,
    /// True if keys contradict each other, see [`ignore_others`].
    pub is_mixed: bool,
}

impl Evidence {
    /// Finds the keys that only some versions have.
    pub fn of(root: &mut Root<'_>) -> Self {
        let mut found = Self::default();
        visit(root, &mut |owners, pointer, field| {
            let is_newer = found.newest.as_ref().map_or(Layout::V3_6, |(newest, _)| newest.since) < owners.since;
            let is_older = found.oldest.as_ref().map_or(Layout::V4_2, |(oldest, _)| oldest.until) > owners.until;
            if (is_newer || is_older) && field.is_given() {
                let found = if is_newer { &mut found.newest } else { &mut found.oldest };
                *found = Some((owners, pointer()));
            }
        });
        found
    }

    /// Returns the version of a file that states `stated`: the nearest that has all keys.
    pub fn decide(self, stated: Version) -> Decision {
        let Self { newest, oldest } = self;
        let since = newest.as_ref().map_or(Layout::V3_6, |(newest, _)| newest.since);
        let until = oldest.as_ref().map_or(Layout::V4_2, |(oldest, _)| oldest.until);
        let own = if stated == Version::Unknown { Layout::V3_8 } else { Layout::played(stated) };
        let keep = Decision { version: stated, against: None, is_mixed: false };
        if since > until {
            return Decision { is_mixed: stated != Version::Unknown, ..keep };
        }
        // Programs wrote keys of 3.7 and 3.8 into files that state an earlier version, with forms that only those have.
        let (layout, key) = match (newest, oldest) {
            (Some(key), _) if own < since && !(stated.is_old() && since < Layout::V4_0) => (since, key),
            (_, Some(key)) if own > until => (until, key),
            _ => return keep,
        };
        let (owners, pointer) = key;
        let odd = match owners.elsewhere {
            Elsewhere::Ignored => format!("does not read this key: only {owners} it"),
            Elsewhere::Fatal(does) => format!("{does}: only {owners} this form"),
            Elsewhere::Unknown => format!("reads this otherwise: only {owners} this form"),
        };
        let against = (stated != Version::Unknown).then_some((pointer, odd));
        Decision { version: layout.version(), against, is_mixed: false }
    }
}

/// Removes what `version` does not read, and reports it.
pub fn ignore_others(root: &mut Root<'_>, version: Version, diagnostics: &mut Diagnostics) {
    let layout = Layout::played(version);
    visit(root, &mut |owners, pointer, field| {
        if owners.has(layout) || !field.is_given() {
            return;
        }
        let message = match owners.elsewhere {
            Elsewhere::Unknown => return,
            Elsewhere::Ignored => {
                field.clear();
                format!("only {owners} this key; Spine {version} does not read it, so it has no effect")
            }
            Elsewhere::Fatal(does) => {
                format!("only {owners} this form; Spine {version} {does}, so it is read as it was meant")
            }
        };
        diagnostics.flaw("other-version", Place { path: pointer(), ..Place::default() }, message);
    });
}

/// A part of a document that may be missing.
trait Part {
    fn is_given(&mut self) -> bool;
    fn clear(&mut self);
}

impl<T> Part for Option<T> {
    fn is_given(&mut self) -> bool {
        self.is_some()
    }

    fn clear(&mut self) {
        *self = None;
    }
}

impl<T> Part for Vec<T> {
    fn is_given(&mut self) -> bool {
        !self.is_empty()
    }

    fn clear(&mut self) {
        self.clear();
    }
}

impl<T> Part for Entries<'_, T> {
    fn is_given(&mut self) -> bool {
        !self.0.is_empty()
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

impl Part for bool {
    fn is_given(&mut self) -> bool {
        *self
    }

    fn clear(&mut self) {
        *self = false;
    }
}

impl Part for Number {
    fn is_given(&mut self) -> bool {
        self.0 != 0.0
    }

    fn clear(&mut self) {
        self.0 = 0.0;
    }
}

/// A field of all keys of a timeline.
struct Field<'k, K, P>(&'k mut [K], fn(&mut K) -> &mut P);

impl<K, P: Part> Part for Field<'_, K, P> {
    fn is_given(&mut self) -> bool {
        self.0.iter_mut().any(|key| (self.1)(key).is_given())
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(|key| (self.1)(key).clear());
    }
}

/// A form that a part has, which cannot be removed.
struct Form(bool);

impl Part for Form {
    fn is_given(&mut self) -> bool {
        self.0
    }

    fn clear(&mut self) {}
}

/// Called with the owners of each part of a document that only some versions have, a pointer to it, and the part.
type See<'s> = &'s mut dyn FnMut(Owners, &dyn Fn() -> String, &mut dyn Part);

fn visit(root: &mut Root<'_>, see: See<'_>) {
    see(SINCE_4_2, &|| "/physics".to_owned(), &mut root.physics);
    if let Some(skeleton) = &mut root.skeleton {
        see(SINCE_4_2, &|| "/skeleton/referenceScale".to_owned(), &mut skeleton.reference_scale);
    }
    for (index, bone) in root.bones.iter_mut().enumerate() {
        let at = |key: &str| format!("/bones/{index}/{key}");
        see(SINCE_4_2, &|| at("inherit"), &mut bone.inherit);
        see(UNTIL_4_1, &|| at("transform"), &mut bone.transform);
        see(SINCE_3_8, &|| at("skin"), &mut bone.skin);
    }
    for (index, ik) in root.ik.iter_mut().enumerate() {
        let at = |key: &str| format!("/ik/{index}/{key}");
        see(SINCE_3_7, &|| at("compress"), &mut ik.compress);
        see(SINCE_3_7, &|| at("stretch"), &mut ik.stretch);
        see(SINCE_3_7, &|| at("uniform"), &mut ik.uniform);
        see(SINCE_3_8, &|| at("softness"), &mut ik.softness);
        see(SINCE_3_8, &|| at("skin"), &mut ik.skin);
    }
    for (index, it) in root.transform.iter_mut().enumerate() {
        let at = |key: &str| format!("/transform/{index}/{key}");
        see(SINCE_3_8, &|| at("skin"), &mut it.skin);
        for (key, mix) in [
            ("rotateMix", &mut it.rotate_mix),
            ("translateMix", &mut it.translate_mix),
            ("scaleMix", &mut it.scale_mix),
            ("shearMix", &mut it.shear_mix),
        ] {
            see(UNTIL_3_8, &|| at(key), mix);
        }
        for (key, mix) in [
            ("mixRotate", &mut it.mix_rotate),
            ("mixX", &mut it.mix_x),
            ("mixY", &mut it.mix_y),
            ("mixScaleX", &mut it.mix_scale_x),
            ("mixScaleY", &mut it.mix_scale_y),
            ("mixShearY", &mut it.mix_shear_y),
        ] {
            see(SINCE_4_0, &|| at(key), mix);
        }
    }
    for (index, path) in root.path.iter_mut().enumerate() {
        let at = |key: &str| format!("/path/{index}/{key}");
        see(SINCE_3_8, &|| at("skin"), &mut path.skin);
        see(UNTIL_3_8, &|| at("rotateMix"), &mut path.rotate_mix);
        see(UNTIL_3_8, &|| at("translateMix"), &mut path.translate_mix);
        for (key, mix) in
            [("mixRotate", &mut path.mix_rotate), ("mixX", &mut path.mix_x), ("mixY", &mut path.mix_y)]
        {
            see(SINCE_4_0, &|| at(key), mix);
        }
        let is_proportional = path.spacing_mode == SpacingMode::Proportional;
        see(PROPORTIONAL, &|| at("spacingMode"), &mut Form(is_proportional));
    }
    skins(root, see);
    for (name, animation) in &mut root.animations.0 {
        visit_animation(animation, &|| format!("/animations/{}", escaped_key(name.as_str())), see);
    }
}

fn skins(root: &mut Root<'_>, see: See<'_>) {
    let is_object = root.skins.is_object;
    let is_list = !is_object && !root.skins.list.is_empty();
    see(SKIN_OBJECT, &|| "/skins".to_owned(), &mut Form(is_object));
    see(SKIN_LIST, &|| "/skins".to_owned(), &mut Form(is_list));
    for (index, skin) in root.skins.list.iter_mut().enumerate() {
        let attachments = match is_object {
            true => format!("/skins/{}", escaped_key(skin.name.as_str())),
            false => format!("/skins/{index}/attachments"),
        };
        see(SINCE_4_2, &|| format!("/skins/{index}/physics"), &mut skin.physics);
        for (slot, list) in &mut skin.attachments.0 {
            for (name, attachment) in &mut list.0 {
                let at = |key: &str| {
                    let [slot, name] = [slot.as_str(), name.as_str()].map(escaped_key);
                    format!("{attachments}/{slot}/{name}/{key}")
                };
                see(SINCE_4_1, &|| at("sequence"), &mut attachment.sequence);
                see(SINCE_4_1, &|| at("timelines"), &mut attachment.timelines);
                see(UNTIL_4_0, &|| at("deform"), &mut attachment.deform);
            }
        }
    }
}

fn visit_animation(animation: &mut Animation<'_>, start: &dyn Fn() -> String, see: See<'_>) {
    see(SINCE_4_2, &|| start() + "/physics", &mut animation.physics);
    see(SINCE_4_1, &|| start() + "/attachments", &mut animation.attachments);
    see(UNTIL_4_0, &|| start() + "/deform", &mut animation.deform);
    let slots = animation.deform.0.iter().flat_map(|(_, slots)| &slots.0);
    let deforms = slots.flat_map(|(_, attachments)| &attachments.0).flat_map(|(_, keys)| keys);
    curves(deforms.map(|key| key.curve.as_ref()), &|| start() + "/deform", see);
    let slots = animation.attachments.0.iter().flat_map(|(_, slots)| &slots.0);
    let deforms = slots.flat_map(|(_, attachments)| &attachments.0).flat_map(|(_, it)| &it.deform);
    curves(deforms.map(|key| key.curve.as_ref()), &|| start() + "/attachments", see);
    for (name, timelines) in &mut animation.bones.0 {
        let at = |kind: &str| format!("{}/bones/{}/{kind}", start(), escaped_key(name.as_str()));
        bone_timelines(timelines, &at, see);
    }
    for (name, timelines) in &mut animation.slots.0 {
        let at = |kind: &str| format!("{}/slots/{}/{kind}", start(), escaped_key(name.as_str()));
        slot_timelines(timelines, &at, see);
    }
    for (name, keys) in &mut animation.ik.0 {
        let at = || format!("{}/ik/{}", start(), escaped_key(name.as_str()));
        curves(keys.iter().map(|key| key.curve.as_ref()), &at, see);
        see(SINCE_3_7, &at, &mut Field(keys, |key: &mut IkKey| &mut key.compress));
        see(SINCE_3_7, &at, &mut Field(keys, |key: &mut IkKey| &mut key.stretch));
        see(SINCE_3_8, &at, &mut Field(keys, |key: &mut IkKey| &mut key.softness));
    }
    for (name, keys) in &mut animation.transform.0 {
        let at = || format!("{}/transform/{}", start(), escaped_key(name.as_str()));
        curves(keys.iter().map(|key| key.curve.as_ref()), &at, see);
        let old: [fn(&mut TransformKey) -> &mut Option<Number>; 4] = [
            |key| &mut key.rotate_mix,
            |key| &mut key.translate_mix,
            |key| &mut key.scale_mix,
            |key| &mut key.shear_mix,
        ];
        let new: [fn(&mut TransformKey) -> &mut Option<Number>; 6] = [
            |key| &mut key.mix_rotate,
            |key| &mut key.mix_x,
            |key| &mut key.mix_y,
            |key| &mut key.mix_scale_x,
            |key| &mut key.mix_scale_y,
            |key| &mut key.mix_shear_y,
        ];
        old.into_iter().for_each(|field| see(UNTIL_3_8, &at, &mut Field(keys, field)));
        new.into_iter().for_each(|field| see(SINCE_4_0, &at, &mut Field(keys, field)));
    }
    for (name, timelines) in &mut animation.path.0 {
        let at = |kind: &str| format!("{}/path/{}/{kind}", start(), escaped_key(name.as_str()));
        for (kind, keys) in [("position", &mut timelines.position), ("spacing", &mut timelines.spacing)] {
            let at = || at(kind);
            curves(keys.iter().map(|key| key.curve.as_ref()), &at, see);
            see(UNTIL_3_8, &at, &mut Field(keys, |key: &mut PathKey| &mut key.position));
            see(UNTIL_3_8, &at, &mut Field(keys, |key: &mut PathKey| &mut key.spacing));
            see(SINCE_4_0, &at, &mut Field(keys, |key: &mut PathKey| &mut key.value));
        }
        let (keys, at) = (&mut timelines.mix, || at("mix"));
        curves(keys.iter().map(|key| key.curve.as_ref()), &at, see);
        let old: [fn(&mut PathKey) -> &mut Option<Number>; 2] =
            [|key| &mut key.rotate_mix, |key| &mut key.translate_mix];
        let new: [fn(&mut PathKey) -> &mut Option<Number>; 3] =
            [|key| &mut key.mix_rotate, |key| &mut key.mix_x, |key| &mut key.mix_y];
        old.into_iter().for_each(|field| see(UNTIL_3_8, &at, &mut Field(keys, field)));
        new.into_iter().for_each(|field| see(SINCE_4_0, &at, &mut Field(keys, field)));
    }
}

fn bone_timelines(timelines: &mut BoneTimelines, at: &dyn Fn(&str) -> String, see: See<'_>) {
    see(SINCE_4_2, &|| at("inherit"), &mut timelines.inherit);
    for (kind, keys) in [
        ("translatex", &mut timelines.translatex),
        ("translatey", &mut timelines.translatey),
        ("scalex", &mut timelines.scalex),
        ("scaley", &mut timelines.scaley),
        ("shearx", &mut timelines.shearx),
        ("sheary", &mut timelines.sheary),
    ] {
        curves(keys.iter().map(|key| key.curve.as_ref()), &|| at(kind), see);
        see(SINCE_4_0, &|| at(kind), keys);
    }
    let rotate = || at("rotate");
    see(UNTIL_3_8, &rotate, &mut Field(&mut timelines.rotate, |key: &mut BoneKey| &mut key.angle));
    see(SINCE_4_0, &rotate, &mut Field(&mut timelines.rotate, |key: &mut BoneKey| &mut key.value));
    for (kind, keys) in [
        ("rotate", &timelines.rotate),
        ("translate", &timelines.translate),
        ("scale", &timelines.scale),
        ("shear", &timelines.shear),
    ] {
        curves(keys.iter().map(|key| key.curve.as_ref()), &|| at(kind), see);
    }
}

fn slot_timelines(timelines: &mut SlotTimelines<'_>, at: &dyn Fn(&str) -> String, see: See<'_>) {
    for (owners, kind, keys) in [
        (UNTIL_3_8, "color", &mut timelines.color),
        (UNTIL_3_8, "twoColor", &mut timelines.two_color),
        (SINCE_4_0, "rgba", &mut timelines.rgba),
        (SINCE_4_0, "rgb", &mut timelines.rgb),
        (SINCE_4_0, "rgba2", &mut timelines.rgba2),
        (SINCE_4_0, "rgb2", &mut timelines.rgb2),
    ] {
        see(owners, &|| at(kind), keys);
        curves(keys.iter().map(|key| key.curve.as_ref()), &|| at(kind), see);
    }
    see(SINCE_4_0, &|| at("alpha"), &mut timelines.alpha);
    curves(timelines.alpha.iter().map(|key| key.curve.as_ref()), &|| at("alpha"), see);
}

/// Shows the forms of curves that tell versions apart.
fn curves<'a>(curves: impl Iterator<Item = Option<&'a Curve>> + Clone, at: &dyn Fn() -> String, see: See<'_>) {
    let is_share = |share: f32| (0.0..=1.0).contains(&share);
    let is_long = |curve: Option<&Curve>| match curve {
        None | Some(Curve::Linear | Curve::Stepped | Curve::First(_)) => false,
        Some(Curve::Four([x1, _, x2, _])) => !is_share(*x1) || !is_share(*x2),
        Some(Curve::Eight(_) | Curve::More(_)) => true,
    };
    let is_short = curves.clone().any(|curve| matches!(curve, Some(Curve::First(_))));
    see(SHORT_CURVE, at, &mut Form(is_short));
    see(LONG_CURVE, at, &mut Form(curves.into_iter().any(is_long)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(stated: Version, text: &str) -> (Version, bool) {
        let mut root: Root<'_> = serde_json::from_str(text).expect("a skeleton");
        let Decision { version, against, .. } = Evidence::of(&mut root).decide(stated);
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
