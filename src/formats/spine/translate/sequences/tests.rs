//! Small documents, and the same characters before and after.

mod compare;

use std::collections::HashSet;

use super::course::Course;
use super::unroll;
use crate::formats::spine::{fixtures, schema};
use crate::motion::spine::{SequenceKey, SequenceMode};
use compare::{read, unrolled};

const MESH: &str = r#""type": "mesh", "uvs": [0, 1, 1, 1, 0, 0], "triangles": [0, 1, 2], "hull": 3,
    "vertices": [0, 0, 10, 0, 0, 10], "width": 7, "color": "ff8000ff""#;

/// A document with these attachments of the slot `hand` in the skin `default`, these more skins, and these timelines.
fn document(attachments: &str, skins: &str, timelines: &str) -> String {
    format!(
        r#"{{"skeleton": {{"spine": "4.1.24"}}, "bones": [{{"name": "root"}}],
        "slots": [{{"name": "hand", "bone": "root", "attachment": "a"}}],
        "skins": [{{"name": "default", "attachments": {{"hand": {{{attachments}}}}}}}{skins}],
        "animations": {{"play": {{{timelines}}}}}}}"#
    )
}

/// The sequence keys of the attachment `a` of the default skin.
fn timeline(keys: &str) -> String {
    format!(r#""attachments": {{"default": {{"hand": {{"a": {{"sequence": [{keys}]}}}}}}}}"#)
}

/// The attachment keys of the slot `hand` in the first animation; `-` stands for no attachment.
fn keys<'r>(root: &'r schema::Root<'_>) -> Vec<(f32, &'r str)> {
    let slots = &root.animations.0[0].1.slots.0;
    let slot = slots.iter().find(|(name, _)| name.as_str() == "hand");
    let keys = slot.map_or(&[][..], |(_, slot)| &slot.steps);
    keys.iter().map(|key| (key.time.0, key.name.as_ref().map_or("-", schema::Text::as_str))).collect()
}

/// The attachments of the slot `hand` in a skin, with their paths.
fn paths<'r>(root: &'r schema::Root<'_>, skin: usize) -> Vec<(&'r str, &'r str)> {
    let attachments = &root.skins.list[skin].attachments.0[0].1;
    let path = |json: &'r schema::Attachment<'_>| json.path.as_ref().map_or("-", schema::Text::as_str);
    attachments.0.iter().map(|(key, json)| (key.as_str(), path(json))).collect()
}

#[test]
fn pictures_become_attachments_and_keys() {
    let text = document(
        r#""a": {"name": "b", "width": 9, "height": 9, "sequence": {"count": 4, "start": 8, "digits": 2, "setup": 1}}"#,
        "",
        &timeline(r#"{"time": 0.5, "mode": "loop", "index": 1, "delay": 0.25}, {"time": 1.625, "mode": "hold"}"#),
    );
    let root = unrolled(&text);
    // A picture appears a hundred-thousandth of the delay early.
    let rounded: Vec<_> =
        keys(&root).iter().map(|&(time, name)| ((time * 1000.0).round() / 1000.0, name)).collect();
    assert_eq!(rounded, [(0.5, "a"), (0.75, "a10"), (1.0, "a11"), (1.25, "a08"), (1.5, "a"), (1.625, "a08")]);
    assert_eq!(paths(&root, 0), [("a", "b09"), ("a10", "b10"), ("a11", "b11"), ("a08", "b08")]);
    let (_, json) = &root.skins.list[0].attachments.0[0].1.0[1];
    assert_eq!((json.width, json.height), (Some(schema::Number(9.0)), Some(schema::Number(9.0))));
    assert!(root.animations.0[0].1.attachments.0.is_empty());
}

#[test]
fn all_modes() {
    for (mode, shown) in [
        ("hold", "1"),
        ("once", "1234"),
        ("loop", "1234012"),
        ("pingpong", "1234321"),
        ("onceReverse", "3210"),
        ("loopReverse", "3210432"),
        ("pingpongReverse", "3210123"),
    ] {
        let start = format!(r#"{{"time": 0.25, "mode": "{mode}", "index": 1, "delay": 0.125}}"#);
        let text = |more: &str| {
            document(
                r#""a": {"width": 9, "height": 9, "sequence": {"count": 5, "start": 0, "setup": 2}}"#,
                "",
                &timeline(&format!("{start}{more}")),
            )
        };
        // Up to a moment before the eighth picture; the last key keeps the duration.
        let document = text(r#", {"time": 1.12, "index": -1}"#);
        let root = unrolled(&document);
        let pictures: String = keys(&root).iter().map(|key| key.1.strip_prefix('a').unwrap_or("-")).collect();
        // Picture 2 is the one at rest, without a number.
        assert_eq!(pictures, shown.replace('2', ""), "{mode}");
        // A key without a delay has the delay of the previous key.
        unrolled(&text(&format!(r#", {{"time": 0.9, "mode": "{mode}"}}, {{"time": 2.1, "delay": 0}}"#)));
        unrolled(&text(&format!(
            r#", {{"time": 0.8, "mode": "{mode}", "index": 9, "delay": 0.0333}}, {{"time": 3}}"#
        )));
    }
}

#[test]
fn keys_of_the_file_stay() {
    let text = document(
        r#""a": {"width": 9, "height": 9, "sequence": {"count": 3}}, "b": {"width": 5, "height": 5}"#,
        "",
        &format!(
            r#""slots": {{"hand": {{"alpha": [{{"time": 3, "value": 0.5}}], "attachment": [{{"time": 0.25, "name": "b"}},
            {{"time": 0.5, "name": "a"}}, {{"time": 0.75, "name": null}}, {{"time": 1, "name": "a2"}},
            {{"time": 1.5, "name": "a"}}, {{"time": 1.5625, "name": "a"}}]}}}}, {}"#,
            timeline(r#"{"mode": "loop", "delay": 0.13}, {"time": 1.7, "mode": "hold"}"#)
        ),
    );
    let root = unrolled(&text);
    let names: Vec<_> = keys(&root).iter().map(|key| key.1).collect();
    // `a2` is a name that the file uses for something else.
    assert_eq!(names, ["a", "a2-2", "b", "a", "a2-2", "a3", "-", "a2", "a3", "a", "a", "a2-2", "a"]);
    assert_eq!(paths(&root, 0)[2..], [("a2-2", "a2"), ("a3", "a3")]);
    assert_eq!([8, 10].map(|at: usize| keys(&root)[at].0), [1.5, 1.5625]);
}

#[test]
fn meshes_link_to_the_one_at_rest_and_linked_meshes_to_their_parent() {
    let timelines = r#""attachments": {"default": {"hand": {
        "m": {"sequence": [{"mode": "loop", "delay": 0.1}], "deform": [{}, {"time": 1, "vertices": [4, 6]}]},
        "own": {"sequence": [{"mode": "once", "delay": 0.3}], "deform": [{}, {"time": 1, "offset": 2, "vertices": [3]}]}}}},
        "slots": {"hand": {"attachment": [{"name": "m"}, {"time": 0.3, "name": "a"}, {"time": 0.6, "name": "own"}]}}"#;
    let text = document(
        &format!(
            r#""m": {{{MESH}, "sequence": {{"count": 3}}}},
            "a": {{"type": "linkedmesh", "parent": "m", "path": "x/", "sequence": {{"count": 4, "start": 0}}}},
            "own": {{"type": "linkedmesh", "parent": "m", "timelines": false, "sequence": {{"count": 3}}}}"#
        ),
        "",
        timelines,
    );
    let root = unrolled(&text);
    let attachments = &root.skins.list[0].attachments.0[0].1.0;
    let find = |key: &str| &attachments.iter().find(|(name, _)| name.as_str() == key).unwrap().1;
    let new = find("m2");
    assert_eq!(new.kind, schema::AttachmentType::LinkedMesh);
    assert_eq!(new.parent.as_ref().unwrap().as_str(), "m");
    assert_eq!((new.timelines, new.width, &new.color), (Some(true), find("m").width, &find("m").color));
    assert_eq!(find("a1").parent.as_ref().unwrap().as_str(), "m");
    assert_eq!(find("a1").path.as_ref().unwrap().as_str(), "x/1");
    let timelines = &root.animations.0[0].1.attachments.0[0].1.0[0].1.0;
    let names: Vec<_> = timelines.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["m", "own", "own3"]);
    assert_eq!(timelines[2].1.list[0].deform(1).0, 2);
}

#[test]
fn every_skin_shows_its_own_picture() {
    // More pictures, fewer, none, no timeline, a mesh, something without a picture.
    let skins = format!(
        r#", {{"name": "more", "attachments": {{"hand": {{"a": {{"path": "more", "sequence": {{"count": 5}}}}}}}}}},
        {{"name": "fewer", "attachments": {{"hand": {{"a": {{"path": "fewer", "sequence": {{"count": 2, "setup": 1}}}}}}}}}},
        {{"name": "one", "attachments": {{"hand": {{"a": {{"name": "one"}}}}}}}},
        {{"name": "still", "attachments": {{"hand": {{"a": {{"path": "still", "sequence": {{"count": 3, "setup": 2}}}}}}}}}},
        {{"name": "mesh", "attachments": {{"hand": {{"a": {{{MESH}}}}}}}}},
        {{"name": "box", "attachments": {{"hand": {{"a": {{"type": "boundingbox", "vertexCount": 3, "vertices": [0, 0, 9, 0, 0, 9]}}}}}}}}"#
    );
    let loops = r#"{"hand": {"a": {"sequence": [{"mode": "loop", "delay": 0.1}]}}}"#;
    let other = r#"{"hand": {"a": {"sequence": [{"time": 0.05, "mode": "pingpong", "delay": 0.07}]}}}"#;
    let deform = r#"{"hand": {"a": {"deform": [{}, {"time": 2, "vertices": [5, 5]}]}}}"#;
    let timelines = format!(
        r#""attachments": {{"default": {loops}, "more": {loops}, "fewer": {other}, "mesh": {deform}, "box": {deform}}},
        "drawOrder": [{{"time": 2}}]"#
    );
    let text = document(r#""a": {"sequence": {"count": 3}}"#, &skins, &timelines);
    let root = unrolled(&text);
    let shown: HashSet<_> = keys(&root).iter().map(|key| key.1.to_owned()).collect();
    for skin in 0..root.skins.list.len() {
        let names: HashSet<_> = paths(&root, skin).iter().map(|path| path.0.to_owned()).collect();
        assert!(shown.is_subset(&names));
    }
    assert_eq!(shown.len(), 15 * 2);
}

#[test]
fn the_duration_stays() {
    for keys in [r#"{"mode": "hold"}, {"time": 9}"#, r#"{"mode": "once", "index": 1}, {"time": 9}"#] {
        let text = document(r#""a": {"sequence": {"count": 3}}"#, "", &timeline(keys));
        let root = unrolled(&text);
        assert_eq!(super::duration(&root.animations.0[0].1), 9.0);
    }
    // An attachment without a sequence ignores its keys, apart from their times.
    let text = document(r#""a": {}"#, "", &timeline(r#"{"mode": "loop", "delay": 1}, {"time": 4}"#));
    let root = unrolled(&text);
    assert_eq!(keys(&root), [(4.0, "a")]);
    let text = document(r#""a": {"sequence": {"count": 0}}"#, "", &timeline("{}"));
    let root = unrolled(&text);
    assert_eq!((keys(&root), root.skins.list[0].attachments.0[0].1.0.len()), (vec![], 1));
}

#[test]
fn too_many_changes_are_cut() {
    for (delay, end) in [("1e-7", "10"), ("1e-30", "1000000"), ("0.001", "3e38")] {
        let keys = format!(r#"{{"mode": "loop", "delay": {delay}}}, {{"time": {end}}}"#);
        let text = document(r#""a": {"sequence": {"count": 3}}"#, "", &timeline(&keys));
        let mut root = read(&text);
        let mut losses = Vec::new();
        unroll(&mut root, &mut losses);
        assert_eq!(losses.len(), 1, "{delay}: {losses:?}");
        assert_eq!((losses[0].code, losses[0].animation.as_deref()), ("sequence-cut", Some("play")));
        assert_eq!(root.animations.0[0].1.slots.0[0].1.steps.len(), 100_001);
        assert_eq!(root.skins.list[0].attachments.0[0].1.0.len(), 3);
    }
}

#[test]
fn too_many_combinations_follow_one_skin() {
    // Each combination needs a copy of two deformations of a megabyte.
    let linked = |path: &str, count: u32| {
        format!(
            r#""a": {{"type": "linkedmesh", "parent": "m", "skin": "default", "path": "{path}", "timelines": false, "sequence": {{"count": {count}}}}}"#
        )
    };
    let skins = format!(r#", {{"name": "b", "attachments": {{"hand": {{{}}}}}}}"#, linked("b", 101));
    let deform = format!(r#""deform": [{{"vertices": [{}0]}}]"#, "0,".repeat(400_000));
    let keys = format!(
        r#"{{"hand": {{"a": {{{deform}, "sequence": [{{"mode": "loop", "delay": 0.01}}, {{"time": 3}}]}}}}}}"#
    );
    let text = document(
        &format!(r#""m": {{{MESH}}}, {}"#, linked("a", 50)),
        &skins,
        &format!(r#""attachments": {{"default": {keys}, "b": {keys}}}"#),
    );
    let mut root = read(&text);
    let mut losses = Vec::new();
    unroll(&mut root, &mut losses);
    let codes: Vec<_> = losses.iter().map(|lost| lost.code).collect();
    assert_eq!(codes, ["sequence-merged"], "{losses:?}");
    assert!(root.skins.list[0].attachments.0[0].1.0.len() < 100);
}

#[test]
fn changes_come_at_the_first_moment() {
    for step in 1..400u16 {
        let delay = f32::from(step) * 0.00137;
        let start = f32::from(step % 7) * 0.31;
        for mode in [SequenceMode::Loop, SequenceMode::PingPongReverse, SequenceMode::Once] {
            let key = SequenceKey { mode, index: 0, delay };
            let course = Course { keys: &[(start, key)], count: 6, rest: 0 };
            let (mut time, mut changes) = (0.0, 0);
            while let Some(next) = course.next_change(time, start + 20.5 * delay) {
                if next > start {
                    assert_ne!(
                        course.picture(next),
                        course.picture(next.next_down()),
                        "{mode:?} {delay} at {next}"
                    );
                    assert!(!course.is_late(next) || delay < 0.1);
                    assert_eq!(course.picture(next.next_down()), course.picture(time));
                    changes += 1;
                }
                time = next;
            }
            assert_eq!(changes, if mode == SequenceMode::Once { 5 } else { 20 }, "{mode:?} {delay}");
        }
    }
}

#[test]
fn odd_times_and_numbers() {
    for (sequence, keys) in [
        (
            r#"{"count": 3, "setup": 9, "digits": 40}"#,
            r#"{"time": -1e30, "mode": "loop", "delay": 1}, {"time": 2}"#,
        ),
        (
            r#"{"count": 3}"#,
            r#"{"time": -1, "mode": "loop", "delay": 0.3}, {"time": -0.0, "mode": "once", "delay": -1}, {"time": 2}"#,
        ),
        (
            r#"{"count": 1}"#,
            r#"{"mode": "pingpong", "index": 5, "delay": 0.1}, {"time": 2, "mode": "loopReverse"}"#,
        ),
        (
            r#"{"count": 3}"#,
            r#"{"time": 1, "mode": "loop", "index": 2147483647, "delay": 0.1}, {"time": 0.5, "index": 1}, {"time": 2}"#,
        ),
        (r#"{"count": 3}"#, r#"{"time": 1, "index": 1}, {"time": 1, "index": 2}"#),
    ] {
        unrolled(&document(&format!(r#""a": {{"sequence": {sequence}}}"#), "", &timeline(keys)));
    }
}

#[test]
fn fixtures_look_the_same() {
    let Some(fixtures) = fixtures::folder() else { return };
    let mut count = 0;
    for file in [
        "conformance/spine4/4.1/sequences/sequences.json",
        "conformance/spine4/4.2/sequences/sequences.json",
        "../../assets/paper-lamp-4.2.json",
    ] {
        let path = fixtures.join(file);
        let text = std::fs::read_to_string(path).expect("a readable file");
        let root = unrolled(&text);
        count += root.animations.0.len();
    }
    assert_eq!(count, 8);
}

#[test]
fn frames_of_long_animations_are_not_missed() {
    for delay in ["0.05", "0.1", "0.15", "0.25", "0.2"] {
        for start in ["0", "0.7", "5.1"] {
            let keys = format!(r#"{{"time": {start}, "mode": "loop", "delay": {delay}}}, {{"time": 20}}"#);
            unrolled(&document(r#""a": {"sequence": {"count": 7}}"#, "", &timeline(&keys)));
        }
    }
}

/// A small generator of numbers below a limit, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn of<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len() as u64) as usize]
    }

    fn list(&mut self, most: u64, mut item: impl FnMut(&mut Self) -> String) -> String {
        let count = self.below(most) + 1;
        (0..count).map(|_| item(self)).collect::<Vec<_>>().join(", ")
    }

    fn time(&mut self) -> f64 {
        self.below(1500) as f64 / 1000.0
    }

    fn attachment(&mut self, key: &str) -> String {
        let count = self.below(6);
        let rest = self.below(4);
        let sequence = format!(
            r#""path": "{key}{}", "sequence": {{"count": {count}, "start": 0, "setup": {rest}}}"#,
            self.below(2)
        );
        let sequence = self.of(&[&sequence, r#""path": "p""#]).to_owned();
        match (key, self.below(3)) {
            ("m", _) | (_, 0) => format!(r#""{key}": {{{MESH}, {sequence}}}"#),
            ("a", 1) => format!(r#""{key}": {{"width": 20, "height": 8, {sequence}}}"#),
            _ => {
                let timelines = self.of(&["true", "false"]);
                let skin = self.of(&[r#""skin": "s0", "#, ""]);
                format!(
                    r#""{key}": {{"type": "linkedmesh", "parent": "m", {skin}"timelines": {timelines}, {sequence}}}"#
                )
            }
        }
    }

    fn timelines(&mut self, key: &str) -> String {
        let modes = ["hold", "once", "loop", "pingpong", "onceReverse", "loopReverse", "pingpongReverse"];
        let sequence = self.list(4, |random| {
            let (time, mode, index) = (random.time(), random.of(&modes), random.below(7) as i64 - 1);
            let delay = random.of(&[r#", "delay": 0.05"#, r#", "delay": 0.0333"#, r#", "delay": 0.21"#, "", ""]);
            format!(r#"{{"time": {time}, "mode": "{mode}", "index": {index}{delay}}}"#)
        });
        // `a` may be a region, which has no vertices to move.
        let deform = self.list(2, |random| {
            let vertices = if key == "a" { String::new() } else { random.below(9).to_string() };
            format!(r#"{{"time": {}, "vertices": [{vertices}]}}"#, random.time())
        });
        format!(r#""{key}": {{"sequence": [{sequence}], "deform": [{deform}]}}"#)
    }

    fn document(&mut self) -> String {
        let keys = ["a", "m", "b"];
        let skin = |random: &mut Self, name: &str| {
            let all: Vec<_> = keys.iter().map(|key| random.attachment(key)).collect();
            format!(r#"{{"name": "{name}", "attachments": {{"hand": {{{}}}}}}}"#, all.join(", "))
        };
        let skins = format!("{}, {}, {}", skin(self, "default"), skin(self, "s0"), skin(self, "s1"));
        let timed = ["default", "s0", "s1"].map(|skin| {
            let all: Vec<_> = keys.iter().filter(|_| self.below(3) > 0).copied().collect();
            let all: Vec<_> = all.iter().map(|key| self.timelines(key)).collect();
            format!(r#""{skin}": {{"hand": {{{}}}}}"#, all.join(", "))
        });
        let shown = self.list(5, |random| {
            format!(
                r#"{{"time": {}, "name": {}}}"#,
                random.time(),
                random.of(&[r#""a""#, r#""m""#, r#""b""#, "null", r#""a1""#])
            )
        });
        let shown = if self.below(3) > 0 { shown } else { String::new() };
        format!(
            r#"{{"skeleton": {{"spine": "4.2.10"}}, "bones": [{{"name": "root"}}],
            "slots": [{{"name": "hand", "bone": "root", "attachment": "{}"}}], "skins": [{skins}],
            "animations": {{"play": {{"slots": {{"hand": {{"attachment": [{shown}]}}}}, "attachments": {{{}}}}}}}}}"#,
            self.of(&keys),
            timed.join(", ")
        )
    }
}

#[test]
fn random_documents_look_the_same() {
    let mut random = Random(16);
    let mut keys = 0;
    for _ in 0..300 {
        let text = random.document();
        let root = unrolled(&text);
        keys += root.animations.0[0].1.slots.0.iter().map(|(_, slot)| slot.steps.len()).sum::<usize>();
    }
    assert!(keys > 1500, "{keys}");
}
