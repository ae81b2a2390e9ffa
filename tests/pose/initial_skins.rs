//! The skins in which Spine characters are opened.

use std::fmt::Write as _;

use crate::common::conformance;
use pchr::model::{Model, SkinId};
use pchr::motion::{Cue, evaluate, initial_skins};
use pchr::pose::Pose;
use pchr::{Animator, Character};

/// Returns a skeleton with these slots, which show attachments of their own name, unless it begins with `-`, and these
/// skins, each with the slots for which it has an attachment.
fn character(slots: &str, skins: &[(&str, &str)]) -> Character {
    let (mut list, mut dressed) = (Vec::new(), Vec::new());
    for slot in slots.split_whitespace() {
        let name = slot.trim_start_matches('-');
        let shown = if name == slot { format!(r#", "attachment": "{name}""#) } else { String::new() };
        list.push(format!(r#"{{"name": "{name}", "bone": "root"{shown}}}"#));
    }
    for (name, filled) in skins {
        let mut attachments = String::new();
        for slot in filled.split_whitespace() {
            let comma = if attachments.is_empty() { "" } else { "," };
            write!(attachments, r#"{comma}"{slot}": {{"{slot}": {{"path": "{name}", "width": 4, "height": 4}}}}"#)
                .unwrap();
        }
        dressed.push(format!(r#"{{"name": "{name}", "attachments": {{{attachments}}}}}"#));
    }
    let json = format!(
        r#"{{"skeleton": {{"spine": "4.2.40"}}, "bones": [{{"name": "root"}}], "slots": [{}], "skins": [{}]}}"#,
        list.join(","),
        dressed.join(",")
    );
    Character::from_bytes(json.into_bytes()).expect("a skeleton")
}

fn names<'a>(model: &'a Model, skins: &[SkinId]) -> Vec<&'a str> {
    skins.iter().map(|skin| &*model.skin(*skin).name).collect()
}

#[track_caller]
fn expect(slots: &str, skins: &[(&str, &str)], expected: &[&str]) {
    let character = character(slots, skins);
    assert_eq!(names(character.model(), &initial_skins(&character)), expected, "{skins:?}");
}

#[test]
fn a_character_is_dressed_in_the_skin_that_fills_most_slots() {
    expect("a b c", &[("default", ""), ("hat", "a"), ("first", "a b"), ("second", "b c")], &["first"]);
    expect("a b c", &[("default", ""), ("full", "a"), ("whole", "a b c")], &["whole"]);
    // The default skin can be absent, and at the end.
    expect("a b", &[("one", "a b"), ("other", "a b")], &["one"]);
    expect("a b", &[("one", "a"), ("other", "a b"), ("default", "")], &["other"]);
}

#[test]
fn a_character_that_the_default_skin_fills_by_half_is_not_dressed() {
    expect("a b c d", &[("default", "a b"), ("accessories", "c d")], &[]);
    expect("a b c d", &[("default", "a"), ("body", "b c d")], &["body"]);
    // Attachments that no skin has do not count, and neither do slots that are empty at rest.
    expect("a b c d e", &[("default", "a"), ("body", "b c")], &["body"]);
    expect("a -b -c -d", &[("default", "a"), ("props", "b c d")], &[]);
    expect("a b", &[("default", "a b"), ("other", "a b")], &[]);
    expect("a b", &[("default", "")], &[]);
    expect("", &[], &[]);
}

#[test]
fn a_character_without_attachments_at_rest_is_dressed_if_its_default_skin_is_empty() {
    expect("-a -b", &[("default", ""), ("hat", "a"), ("only", "a b")], &["only"]);
    expect("-a -b", &[("default", "a"), ("only", "a b")], &[]);
}

#[test]
fn parts_are_put_together_one_of_each_folder() {
    let parts = [
        ("default", ""),
        ("hats/red", "hat"),
        ("hats/blue", "hat pin"),
        ("legs/jeans", "left right"),
        ("eyes/green", "eyes"),
        ("eyes/brown", "eyes brow"),
        ("skin/pale", "left right eyes"),
        ("nose", "nose"),
        ("ears", "ears"),
    ];
    // No skin fills half of eight slots. The pale skin fills most; the jeans fill nothing that it leaves empty.
    let slots = "hat pin left right eyes brow nose ears";
    let worn = ["ears", "nose", "eyes/brown", "hats/red", "skin/pale"];
    expect(slots, &parts, &worn);
    // What is put on first is not covered.
    let dressed = character(slots, &parts);
    let mut pose = Pose::default();
    evaluate(&dressed, &Cue { skins: initial_skins(&dressed), ..Cue::default() }, &mut pose);
    let shown = |slot: &str| {
        let at = dressed.model().slots().iter().position(|found| &*found.name == slot).expect("a slot");
        let shown = pose.slots[at].attachment;
        let holds = |skin: &&pchr::model::Skin| skin.entries.iter().any(|entry| Some(entry.attachment) == shown);
        dressed.model().skins().iter().find(holds).map(|skin| &*skin.name)
    };
    assert_eq!(shown("eyes"), Some("skin/pale"));
    assert_eq!((shown("brow"), shown("pin")), (Some("eyes/brown"), None));
}

#[test]
fn an_animator_is_dressed() {
    let animator = Animator::new(character("a b", &[("default", ""), ("one", "a b"), ("other", "a b")]));
    assert_eq!(names(animator.character().model(), animator.skins()), ["one"]);
}

#[test]
fn conformance_characters_are_dressed() {
    for (file, expected) in
        [("goblins/goblins-pro", "goblin"), ("mix-and-match/mix-and-match-pro", "full-skins/girl")]
    {
        let Some(path) = conformance(&format!("spine/examples/{file}.json")) else { continue };
        let character = Character::open(&path).expect("an official example");
        assert_eq!(names(character.model(), &initial_skins(&character)), [expected], "{file}");
    }
}
