//! Spine attachments with several pictures: their ids, timelines and deformations, and counts that are too large.

use crate::common::memory::peak;
use pchr::Result;
use pchr::diagnostics::Diagnostics;
use pchr::formats::image::encode_png;
use pchr::formats::{Folder, Input, ReadOptions};
use pchr::math::vec2;
use pchr::model::{AttachmentId, Model};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, for_each_deformed_vertex, palette};
use pchr::{Animator, Character};
use tempfile::TempDir;

const ATLAS: &str = "page.png\nsize: 4, 4\na0\nbounds: 0, 0, 2, 2\na1\nbounds: 2, 0, 1, 2\noffsets: 1, 0, 2, 2\na2\n\
                     bounds: 2, 2, 2, 2\nb3\nbounds: 0, 2, 2, 2\nlast\nbounds: 0, 0, 1, 1\n";

/// Reads a skeleton with two slots and these attachments of the slot `hand` and keys of animation `play`.
fn read(attachments: &str, animation: &str, diagnostics: &mut Diagnostics) -> Result<Character> {
    let folder = TempDir::new().expect("a temporary folder");
    let json = format!(
        r#"{{"skeleton": {{"spine": "4.2.40"}}, "bones": [{{"name": "root"}}],
        "slots": [{{"name": "hand", "bone": "root", "attachment": "a"}}, {{"name": "end", "bone": "root", "attachment": "last"}}],
        "skins": [{{"name": "default", "attachments": {{"hand": {{{attachments}}}, "end": {{"last": {{"width": 1, "height": 1}}}}}}}}],
        "animations": {{"play": {{{animation}}}}}}}"#
    );
    std::fs::write(folder.path().join("a.atlas"), ATLAS).expect("can be written");
    std::fs::write(folder.path().join("page.png"), encode_png(4, 4, &[255; 64]).expect("pixels"))
        .expect("written");
    let input = Input { bytes: json.into(), sidecars: &Folder::of(&folder.path().join("a.json")) };
    let options = ReadOptions { atlases: vec![folder.path().join("a.atlas")], ..ReadOptions::default() };
    pchr::formats::from_input(&input, &options, diagnostics)
}

fn read_clean(attachments: &str, animation: &str) -> Character {
    let mut diagnostics = Diagnostics::default();
    let character = read(attachments, animation, &mut diagnostics).expect("a skeleton");
    assert!(diagnostics.is_empty(), "{:?}", diagnostics.findings());
    character
}

/// The attachment of a slot at a time of the animation, and its vertices in the world.
fn shown(character: &Character, time: f64) -> (AttachmentId, Vec<[f32; 2]>) {
    let model = character.model();
    let cue = Cue { animation: model.find_animation("play"), position: Position::Seconds(time), ..Cue::default() };
    let (mut pose, mut matrices, mut vertices) = (Pose::default(), Vec::new(), Vec::new());
    evaluate(character, &cue, &mut pose);
    palette(model, &pose, &mut matrices);
    let state = &pose.slots[0];
    let id = state.attachment.expect("something is shown");
    let mesh = model.attachment(id).mesh().expect("a mesh");
    for_each_deformed_vertex(&mesh.vertices, pose.deform_of(state), &matrices, |point, _| {
        vertices.push(point.to_array());
    });
    (id, vertices)
}

fn names(model: &Model) -> Vec<&str> {
    model.attachments().iter().map(|attachment| attachment.name()).collect()
}

const MESH: &str = r#""type": "mesh", "uvs": [0, 1, 1, 1, 0, 0], "triangles": [0, 1, 2], "hull": 3,
    "vertices": [0, 0, 10, 0, 0, 10]"#;

#[test]
fn pictures_follow_the_attachments_of_the_file() {
    let attachments = r#""a": {"width": 8, "height": 8, "sequence": {"count": 3, "start": 0, "setup": 1}}"#;
    let keys = r#""attachments": {"default": {"hand": {"a": {"sequence": [{"mode": "loop", "delay": 0.5}, {"time": 9}]}}}}"#;
    let character = read_clean(attachments, keys);
    let model = character.model();
    assert_eq!(names(model), ["a", "last", "a0", "a2"]);
    assert_eq!(model.authored_attachments().len(), 2);
    let authored: Vec<usize> = model.attachment_ids().map(|id| model.authored_attachment(id).index()).collect();
    assert_eq!(authored, [0, 1, 0, 0]);
    let skin: Vec<usize> = model.skins()[0].entries.iter().map(|entry| entry.attachment.index()).collect();
    assert_eq!(skin, [0, 1]);
    // Each picture covers its own part of the untrimmed image: the one at rest only the right half.
    let [left, right] = [0.1, 0.6].map(|time| shown(&character, time));
    assert_eq!((left.0.index(), left.1[0]), (2, [-4.0, -4.0]));
    assert_eq!((right.0.index(), right.1[0]), (0, [0.0, -4.0]));
    assert_eq!(shown(&character, 1.1).0.index(), 3);
}

#[test]
fn pictures_use_the_timelines_of_their_attachment_and_of_its_parent() {
    let attachments = format!(
        r#""a": {{"type": "linkedmesh", "parent": "m", "sequence": {{"count": 3, "start": 0}}}},
           "m": {{{MESH}, "path": "b", "sequence": {{"count": 1, "start": 3}}}}"#
    );
    let keys = r#""attachments": {"default": {"hand": {"m": {
        "sequence": [{"mode": "once", "delay": 0.25}, {"time": 2}],
        "deform": [{}, {"time": 1, "vertices": [4, 6]}]}}}}"#;
    let character = read_clean(&attachments, keys);
    assert_eq!(names(character.model()), ["a", "m", "last", "a1", "a2"]);
    let (id, vertices) = shown(&character, 0.5);
    assert_eq!(
        (character.model().attachment(id).name(), vertices[0], vertices[1]),
        ("a2", [2.0, 3.0], [10.0, 0.0])
    );
    let (id, vertices) = shown(&character, 0.25);
    assert!(vec2(vertices[0][0], vertices[0][1]).abs_diff_eq(vec2(1.0, 1.5), 1e-5), "{vertices:?}");
    assert_eq!(id.index(), 3);
}

#[test]
fn an_attachment_that_a_game_shows_follows_its_sequence() {
    let attachments = r#""a": {"width": 8, "height": 8},
        "s": {"width": 8, "height": 8, "path": "a", "sequence": {"count": 3, "start": 0}}"#;
    let keys = r#""attachments": {"default": {"hand": {"s": {"sequence": [{"mode": "loop", "delay": 0.5}, {"time": 9}]}}}}"#;
    let mut animator = Animator::new(read(attachments, keys, &mut Diagnostics::default()).expect("a skeleton"));
    animator.set_attachment("hand", Some("s")).expect("an attachment");
    animator.play("play").expect("an animation");
    let mut shown = |secs: f64| {
        animator.update(secs);
        let id = animator.pose().slots[0].attachment.expect("a picture");
        animator.model().attachment(id).name().to_owned()
    };
    assert_eq!([0.0, 0.25, 0.5, 0.5, 0.5].map(&mut shown), ["s", "s", "a1", "a2", "s"]);
}

#[test]
fn missing_pictures_are_one_finding_and_share_an_attachment() {
    let attachments = r#""a": {"width": 8, "height": 8, "sequence": {"count": 5000, "start": 0}}"#;
    let keys = r#""attachments": {"default": {"hand": {"a": {"sequence": [{"index": 4999}]}}}}"#;
    let mut diagnostics = Diagnostics::default();
    let character = read(attachments, keys, &mut diagnostics).unwrap();
    let [finding] = diagnostics.findings() else { panic!("{:?}", diagnostics.findings()) };
    let listed: Vec<String> = (3..103).map(|number| format!("`a{number}`")).collect();
    let message = format!("the atlas lacks 4997 regions, which are hidden: {} and others", listed.join(", "));
    assert_eq!(finding.fault.message, message);
    assert_eq!(character.model().attachments().len(), 5);
    assert_eq!(names(character.model()), ["a", "last", "a1", "a2", "a3"]);
    let (id, _) = shown(&character, 0.0);
    assert_eq!((id.index(), character.model().attachment(id).mesh().unwrap().page), (4, None));
}

#[test]
fn a_count_that_is_too_large_allocates_nothing() {
    for sequence in [r#"{"count": 10001}"#, r#"{"count": 4294967295, "start": 4294967295, "digits": 4294967295}"#]
    {
        for attachment in [r#""width": 8, "height": 8"#, MESH, r#""type": "linkedmesh", "parent": "a""#] {
            let attachments = format!(r#""a": {{{attachment}, "sequence": {sequence}}}"#);
            let (read, bytes) = peak(|| read(&attachments, "", &mut Diagnostics::default()));
            let error = read.unwrap_err();
            assert_eq!(error.code(), "too-many", "{error}");
            assert_eq!(error.place().unwrap().path, "/skins/0/attachments/hand/a/sequence/count");
            assert!(bytes < 1 << 20, "{bytes}");
        }
    }
    // Many sequences reach the limit on records.
    let attachments: Vec<String> = (0..105)
        .map(|at| format!(r#""a{at}": {{"width": 8, "height": 8, "sequence": {{"count": 10000}}}}"#))
        .collect();
    let error = read(&attachments.join(","), "", &mut Diagnostics::default()).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded", "{error}");
}

#[test]
fn other_types_have_no_sequence() {
    let attachments = r#""a": {"sequence": {"count": 2, "start": 0}, "width": 2, "height": 2},
        "p": {"type": "point", "sequence": {"count": 99999}}"#;
    let character = read_clean(attachments, "");
    assert_eq!(names(character.model()), ["a", "p", "last", "a1"]);
}
