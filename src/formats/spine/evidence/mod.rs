//! The versions that have the keys of a skeleton, and the version to which they belong.
//!
//! The stated version of real files can be wrong, for example because someone changed it so that some program would
//! open the file. Keys that only some versions have decide then. If they contradict each other, the stated version
//! counts, and keys that it lacks have no effect.

mod owners;
mod part;
mod visit;

use super::binary::Layout;
use super::schema::json::Root;
use super::version::Version;
use crate::diagnostics::Diagnostics;
use crate::error::Place;

use owners::{Elsewhere, Owners};
use visit::visit;

/// The versions that have all keys of a skeleton.
#[derive(Debug, Default)]
pub struct Evidence {
    /// The newest key, if not all versions have it, and a pointer to it.
    newest: Option<(Owners, String)>,
    /// The oldest key.
    oldest: Option<(Owners, String)>,
    /// The last versions that have keys which occur in later files, too.
    common: Vec<Layout>,
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
            if let Elsewhere::Common = owners.elsewhere {
                if field.is_given() && !found.common.contains(&owners.until) {
                    found.common.push(owners.until);
                }
                return;
            }
            let is_newer = found.newest.as_ref().map_or(Layout::OLDEST, |(newest, _)| newest.since) < owners.since;
            let is_older = found.oldest.as_ref().map_or(Layout::NEWEST, |(oldest, _)| oldest.until) > owners.until;
            if (is_newer || is_older) && field.is_given() {
                let key = || Some((owners, pointer()));
                found.newest = if is_newer { key() } else { found.newest.take() };
                found.oldest = if is_older { key() } else { found.oldest.take() };
            }
        });
        found
    }

    /// Returns the version of a file that states `stated`: the nearest that has all keys.
    pub fn decide(self, stated: Version) -> Decision {
        let Self { newest, oldest, common } = self;
        let since = newest.as_ref().map_or(Layout::OLDEST, |(newest, _)| newest.since);
        let until = oldest.as_ref().map_or(Layout::NEWEST, |(oldest, _)| oldest.until);
        let own = if stated == Version::Unknown { Layout::V3_8 } else { Layout::played(stated) };
        let keep = Decision { version: stated, against: None, is_mixed: false };
        // 4.3 ignores the lists of constraints of earlier versions, and plays the file without them.
        let only_lists = own == Layout::V4_3 && until == Layout::V4_2;
        if since > until || only_lists {
            return Decision { is_mixed: true, ..keep };
        }
        let may_be_old = stated.is_old() || stated == Version::Unknown;
        let common = common.into_iter().filter(|last| may_be_old && (since..=until).contains(last));
        let last = common.min().unwrap_or(until);
        // Programs wrote keys of 3.7 and 3.8 into files that state an earlier version, with forms that only those have.
        let is_usual = stated.is_old() && own > Layout::V2_1 && (Layout::V3_7..Layout::V4_0).contains(&since);
        let (layout, key) = match (newest, oldest) {
            (Some(key), _) if own < since && !is_usual => (since, key),
            (_, Some(key)) if own > until => (last, key),
            _ if stated == Version::Unknown && own > last => {
                return Decision { version: last.version(), ..keep };
            }
            _ => return keep,
        };
        let (owners, pointer) = key;
        let odd = match owners.elsewhere {
            Elsewhere::Ignored => format!("does not read this key: only {owners} it"),
            Elsewhere::Fatal(does) => format!("{does}: only {owners} this form"),
            Elsewhere::Unknown | Elsewhere::Common => format!("reads this differently: only {owners} this form"),
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
            Elsewhere::Unknown | Elsewhere::Common => return,
            Elsewhere::Ignored => {
                field.clear();
                format!("only {owners} this key; Spine {version} does not read it, so it has no effect")
            }
            Elsewhere::Fatal(does) => {
                format!("only {owners} this form; Spine {version} {does}, so it is read as it was meant")
            }
        };
        diagnostics.flaw("other-version", Place::inside(pointer()), message);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::json::{self, pull::Pull};
    use crate::limits::{Budget, Limits};

    fn decide(stated: Version, text: &str) -> (Version, bool) {
        let limits = Limits::default();
        let mut root =
            json::read_with(text.as_bytes(), 0, &Budget::new(&limits), None, Root::pull).expect("a skeleton");
        let Decision { version, against, .. } = Evidence::of(&mut root).decide(stated);
        (version, against.is_some())
    }

    #[test]
    fn keys_decide_against_the_stated_version() {
        let old = r#"{"transform": [{"name": "t", "target": "a", "rotateMix": 0.5}]}"#;
        let new = r#"{"animations": {"a": {"slots": {"s": {"rgba": [{"color": "ffffffff"}]}}}}}"#;
        let newest = r#"{"bones": [{"name": "a", "inherit": "noScale"}]}"#;
        let both = r#"{"animations": {"a": {"slots": {"s": {"rgba": [{}], "color": [{}]}}}}}"#;
        let flips = r#"{"bones": [{"name": "a", "flipX": true}]}"#;
        let additive =
            r#"{"slots": [{"name": "a", "bone": "a", "additive": true}], "animations": {"a": {"ffd": {}}}}"#;
        let skinned = r#"{"skins": {"k": {"s": {"a": {"type": "skinnedmesh"}}}}}"#;
        let weighted = r#"{"skins": {"k": {"s": {"a": {"type": "skinnedmesh"}, "b": {"type": "weightedmesh"}}}}}"#;
        let ffd = r#"{"skins": {"k": {"s": {"a": {"type": "skinnedmesh"}}}},
            "animations": {"a": {"ffd": {"k": {"s": {"a": [{"vertices": [1]}]}}}}}}"#;
        let one_sided = r#"{"bones": [{"name": "a", "inheritScale": false}], "slots": [{"name": "a", "bone": "a", "blend": "screen"}]}"#;
        let modes = r#"{"bones": [{"name": "a", "inheritScale": false, "transform": "noScale"}]}"#;
        let both_names = r#"{"animations": {"a": {
            "ffd": {"k": {"s": {"a": [{"vertices": [1]}]}}}, "deform": {"k": {"s": {"a": [{"vertices": [1]}]}}}}}}"#;
        let lists = r#"{"animations": {"a": {"deform": {"k": {"s": {"a": [{"curve": [0.25, 0, 0.75, 1]}, {"time": 1}]}}}}}}"#;
        for (stated, text, version, is_against) in [
            (Version::Unknown, flips, Version::Two(1), false),
            (Version::Three(3), flips, Version::Two(1), true),
            (Version::Unknown, additive, Version::Two(1), false),
            (Version::Two(1), additive, Version::Two(1), false),
            (Version::Unknown, skinned, Version::Two(1), false),
            (Version::Three(6), skinned, Version::Three(6), false),
            (Version::Unknown, weighted, Version::Three(2), false),
            (Version::Two(1), weighted, Version::Three(1), true),
            (Version::Unknown, ffd, Version::Two(1), false),
            (Version::Three(3), ffd, Version::Two(1), true),
            (Version::Three(1), ffd, Version::Three(1), false),
            (Version::Unknown, one_sided, Version::Three(4), false),
            (Version::Three(8), one_sided, Version::Three(8), false),
            (Version::Three(5), modes, Version::Three(5), false),
            (Version::Three(4), modes, Version::Three(5), true),
            (Version::Unknown, modes, Version::Unknown, false),
            (Version::Three(4), both_names, Version::Three(4), false),
            (Version::Three(2), both_names, Version::Three(2), false),
            (Version::Unknown, lists, Version::Three(7), false),
            (Version::Four(1), lists, Version::Four(0), true),
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
