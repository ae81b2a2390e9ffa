//! How the version of a file is found, and what older files play.

use super::{cues, folder, pose_at, read, with};
use crate::common::random::Random;
use pchr::diagnostics::Finding;
use pchr::motion::{Cue, Direction, Layer, Mix, Position, evaluate};
use pchr::pose::Pose;

#[test]
fn older_forms_give_the_same_poses() {
    let json = std::fs::read_to_string(folder().join("fuzz-03/fuzz-03.json")).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let skins = value["skins"].as_array().unwrap().clone();
    value["skins"] = skins
        .iter()
        .map(|skin| (skin["name"].as_str().unwrap().to_owned(), skin["attachments"].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    value["skeleton"]["spine"] = "3.7.94".into();
    let mut curves = 0;
    older_curves(&mut value["animations"], &mut curves);
    assert!(curves > 10, "only {curves} curves");
    let older = read(&value.to_string()).unwrap().0;
    // Also with skins in alphabetical order.
    let newer = read(&serde_json::from_str::<serde_json::Value>(&json).unwrap().to_string()).unwrap().0;
    let mut poses = [Pose::default(), Pose::default()];
    for cue in cues(&newer, &mut Random(5), 20) {
        evaluate(&older, &cue, &mut poses[0]);
        evaluate(&newer, &cue, &mut poses[1]);
        assert!(poses[0] == poses[1], "{cue:?}");
    }
}

/// Returns the codes and paths of the findings for a skeleton that states `version`, or of its error.
fn findings_of(version: Option<&str>, parts: &str) -> String {
    let version = version.map_or(String::new(), |version| format!(r#""spine":"{version}""#));
    let json = with(parts).replace(r#""spine":"3.8.99""#, &version);
    match read(&json) {
        Ok((_, diagnostics)) => {
            // Without skins, the slot's attachment is unknown; ignore that finding.
            let of_slot = |found: &&Finding| found.fault.code == "unknown-attachment";
            let findings = diagnostics.findings().iter().filter(|found| !of_slot(found)).map(|found| {
                let severity = format!("{:?}", found.severity).to_lowercase();
                format!("{severity} {} {}", found.fault.code, found.fault.place.path)
            });
            findings.collect::<Vec<_>>().join(", ")
        }
        Err(error) => format!("{} at {}", error.code(), error.place().expect("a place").path),
    }
}

#[test]
fn unreleased_versions_are_read_by_their_contents() {
    let of_three =
        r#","animations":{"walk":{"bones":{"arm":{"rotate":[{"angle":3,"curve":[0.2,2,0.8,-1]},{"time":9}]}}}}"#;
    let odd = "note odd-version /skeleton/spine";
    for (version, expected) in [
        (Some("3.8.99"), ""),
        (Some("3.8"), ""),
        (Some("3.7.94"), ""),
        (Some("3.6.39-beta"), ""),
        (Some("3.8-from-4.0.64"), odd),
        (Some("Dev"), odd),
        (Some("0.0.00"), odd),
        (Some(""), odd),
        (Some("3.5.51"), ""),
        (Some("3.3.07"), odd),
        (Some("3.0.10"), odd),
        (None, "note no-version /skeleton/spine"),
        (Some("2.1.27"), ""),
        (Some("1.9.18"), "spine-version at /skeleton/spine"),
        (Some("3.9.00"), "spine-version at /skeleton/spine"),
        (Some("4.2.22"), "warning version-mismatch /animations/walk/bones/arm/rotate"),
        (Some("4.4.01"), "spine-version at /skeleton/spine"),
    ] {
        assert_eq!(findings_of(version, of_three), expected, "{version:?}");
    }
}

#[test]
fn keys_decide_the_version() {
    let arm = |keys: &str| format!(r#","animations":{{"walk":{{"bones":{{"arm":{keys}}}}}}}"#);
    for (parts, path) in [
        (arm(r#"{"rotate":[{"value":3}]}"#), "/animations/walk/bones/arm/rotate"),
        (arm(r#"{"translatex":[{"value":3}]}"#), "/animations/walk/bones/arm/translatex"),
        (arm(r#"{"rotate":[{"curve":[0.5,0,1.5,10]},{"time":2}]}"#), "/animations/walk/bones/arm/rotate"),
        (arm(r#"{"scale":[{"curve":[0.1,1,0.2,1,0.1,1,0.2,1]},{"time":2}]}"#), "/animations/walk/bones/arm/scale"),
        (r#","transform":[{"name":"t","bones":["arm"],"target":"root","mixX":0.5}]"#.into(), "/transform/0/mixX"),
        (
            r#","skins":[{"name":"default","attachments":{"s":{"a":{"type":"point","timelines":true}}}}]"#.into(),
            "/skins/0/attachments/s/a/timelines",
        ),
        (r#","physics":[{"name":"p","bone":"arm"}]"#.into(), "/physics"),
        (
            r#","animations":{"walk":{"slots":{"s":{"rgba":[{"color":"ffffffff"}]}}}}"#.into(),
            "/animations/walk/slots/s/rgba",
        ),
    ] {
        assert_eq!(findings_of(None, &parts), "note no-version /skeleton/spine", "{parts}");
        assert_eq!(findings_of(Some("Dev"), &parts), "note odd-version /skeleton/spine", "{parts}");
        assert_eq!(findings_of(Some("3.8.99"), &parts), format!("warning version-mismatch {path}"), "{parts}");
        assert_eq!(findings_of(Some("4.2.43"), &parts), "", "{parts}");
    }
    let flips = arm(r#"{"flipX":[{"x":true}]}"#);
    for (version, found) in [
        (None, "note no-version /skeleton/spine"),
        (Some("Dev"), "note odd-version /skeleton/spine"),
        (Some("3.8.99"), "warning version-mismatch /animations/walk/bones/arm/flipX"),
    ] {
        assert_eq!(findings_of(version, &flips), found);
    }
    let list = r#","constraints":[]"#;
    let found =
        [None, Some("Dev"), Some("3.8.99"), Some("4.2.43"), Some("4.3.05")].map(|it| findings_of(it, list));
    assert_eq!(found, ["note no-version /skeleton/spine", "note odd-version /skeleton/spine", "", "", ""]);
    // Unknown keys are warnings, but for one that other programs write.
    for version in [Some("3.8.99"), Some("4.2.43")] {
        let json =
            with("").replace(r#""spine":"3.8.99""#, &format!(r#""spine":"{}","name":"hero""#, version.unwrap()));
        let (_, diagnostics) = read(&json).expect("it is valid");
        assert!(diagnostics.findings().iter().all(|found| found.fault.code != "unknown-key"));
    }
    // Empty names stand for no attachment.
    let keys = r#","animations":{"walk":{"slots":{"s":{"attachment":[{"name":""},{"time":1,"name":"none"}]}}}}"#;
    let (_, diagnostics) = read(&with(keys)).expect("it is valid");
    let unknown = diagnostics.findings().iter().filter(|found| found.fault.code == "unknown-attachment");
    let places: Vec<&str> = unknown.map(|found| &*found.fault.place.path).collect();
    assert!(places.ends_with(&["/animations/walk/slots/s/attachment/1/name"]) && places.len() <= 2, "{places:?}");
    assert!(findings_of(None, r#","extra":1"#).starts_with("warning unknown-key /extra"));
}

/// What a draw order on a track does before its first key is a rule of each version before 4.0.
#[test]
fn a_draw_order_that_has_not_begun_is_one_of_its_version() {
    let order = |time: f32| format!(r#""drawOrder":[{{"time":{time},"offsets":[{{"slot":"s","offset":1}}]}}]"#);
    let parts = format!(r#","animations":{{"base":{{{}}},"late":{{{}}}}}"#, order(0.0), order(1.0));
    let slots = r#""slots":[{"name":"s","bone":"arm"},{"name":"t","bone":"arm"}]"#;
    let json = with(&parts).replace(r#""slots":[{"name":"s","bone":"arm","attachment":"a"}]"#, slots);
    for (version, stays_in, stays_out) in
        [("3.6.53", true, true), ("3.7.94", false, false), ("3.8.99", false, true), ("4.2.43", false, true)]
    {
        let (character, _) = read(&json.replace("3.8.99", version)).expect("it is valid");
        let find = |name: &str| character.model().find_animation(name).expect("an animation");
        for (direction, stays) in [(Direction::In, stays_in), (Direction::Out, stays_out)] {
            let layer = Layer {
                hold: true,
                mix: Mix::First,
                direction,
                ..Layer::new(find("late"), Position::Seconds(0.0))
            };
            let cue = Cue { animation: Some(find("base")), layers: vec![layer], ..Cue::default() };
            let mut pose = Pose::default();
            evaluate(&character, &cue, &mut pose);
            let is_reversed = pose.draw_order[0].index() == 1;
            assert_eq!(is_reversed, stays, "{version} {direction:?}");
        }
    }
}

/// The x axis of the bone `arm` at `seconds`.
fn arm_at(json: &str, seconds: f64) -> [f32; 2] {
    let (character, _) = read(json).expect("it is valid");
    let animation = character.model().animation_ids().next();
    let cue = Cue { animation, position: Position::Seconds(seconds), ..Cue::default() };
    let mut pose = Pose::default();
    evaluate(&character, &cue, &mut pose);
    pose.world_from_bone[1].matrix2.x_axis.into()
}

#[test]
fn keys_of_other_versions_do_nothing() {
    let of = |version: &str, parts: &str| with(parts).replace("3.8.99", version);
    let arm =
        |keys: &str, more: &str| format!(r#","animations":{{"walk":{{"bones":{{"arm":{{{keys}}}}}{more}}}}}"#);
    // With one key of its own, a file is of the version that it states.
    let [own_4, own_3] = [
        r#","slots":{"s":{"rgba":[{"color":"ffffffff"}]}}"#,
        r#","slots":{"s":{"color":[{"color":"ffffffff"}]}}"#,
    ];
    let rest = [1.0, 0.0];
    let turned = arm_at(&of("3.8.99", &arm(r#""rotate":[{"angle":30}]"#, "")), 0.0);
    assert!((turned[1] - 0.5).abs() < 1e-5, "{turned:?}");
    for (version, keys, own, expected) in [
        ("4.2.43", r#""rotate":[{"angle":30}]"#, "", turned),
        ("4.2.43", r#""rotate":[{"angle":30}]"#, own_4, rest),
        ("4.2.43", r#""rotate":[{"angle":60,"value":30}]"#, own_4, turned),
        ("3.8.99", r#""rotate":[{"value":30}]"#, "", turned),
        ("3.8.99", r#""rotate":[{"value":30}]"#, own_3, rest),
        ("3.8.99", r#""rotate":[{"angle":30}],"scalex":[{"value":2}]"#, own_3, turned),
    ] {
        assert_eq!(arm_at(&of(version, &arm(keys, own)), 0.0), expected, "{version} {keys} {own}");
    }
    // A curve of 3.8 would make the character disappear in 4.2. It is played as it was meant, for all values alike.
    let curve = r#""curve":0.25,"c3":0.75"#;
    let scaled = |value: &str, curve: &str| {
        format!(
            r#""rotate":[{{"{value}":0,{curve}}},{{"time":2,"{value}":30}}],"scale":[{{"x":1,{curve}}},{{"time":2,"x":3}}]"#
        )
    };
    let meant = of("4.2.43", &arm(&scaled("value", curve), own_4));
    let older = of("3.8.99", &arm(&scaled("angle", curve), own_3));
    for seconds in [0.0, 0.3, 1.0, 1.7, 2.0] {
        let [found, expected] = [&meant, &older].map(|json| arm_at(json, seconds));
        assert!(
            (0..2).all(|axis| (found[axis] - expected[axis]).abs() < 1e-5),
            "{seconds}: {found:?} {expected:?}"
        );
    }
    assert_eq!(
        findings_of(Some("4.2.43"), &arm(&scaled("value", curve), own_4)).matches("other-version").count(),
        2
    );
    // Skins as an object would be refused.
    let skins = r#","skins":{"default":{"s":{"a":{"type":"point"}}}}"#;
    assert_eq!(findings_of(Some("4.2.43"), &(arm("", own_4) + skins)), "warning other-version /skins");
    let (character, _) = read(&of("4.2.43", &(arm("", own_4) + skins))).expect("it is valid");
    assert_eq!(character.model().attachments().len(), 1);
}

/// Curves of 4.0, with handles for each value in seconds and units, are played as they were meant in a file whose other
/// keys are of 3.8.
#[test]
fn handles_of_several_values_are_played_in_older_files() {
    let scale =
        r#""scale":[{"curve":[0.5,1,1.5,3,0.2,1,1.9,1.5]},{"time":2,"x":3,"y":2,"curve":"stepped"},{"time":3}]"#;
    let of = |version: &str, color: &str| {
        let color = format!(r#""slots":{{"s":{{"{color}":[{{"color":"ffffffff"}}]}}}}"#);
        let json = with(&format!(r#","animations":{{"walk":{{"bones":{{"arm":{{{scale}}}}},{color}}}}}"#));
        read(&json.replace("3.8.99", version)).expect("it is valid")
    };
    let ((older, found), (newer, _)) = (of("3.8.99", "color"), of("4.2.43", "rgba"));
    let odd = found.findings().iter().find(|found| found.fault.code == "other-version").expect("a finding");
    assert_eq!(odd.fault.place.path, "/animations/walk/bones/arm/scale");
    for seconds in [0.0, 0.3, 1.0, 1.7, 2.0, 2.5, 3.0] {
        let [played, meant] = [&older, &newer].map(|character| {
            pose_at(character, "walk", Position::Seconds(seconds), true).world_from_bone[1].matrix2
        });
        assert!(played.abs_diff_eq(meant, 1e-4), "{seconds}: {played:?} {meant:?}");
    }
}

#[test]
fn files_before_3_6_have_their_own_keys() {
    for (parts, path) in [
        (r#","animations":{"walk":{"bones":{"arm":{"flipX":[{"x":true}]}}}}"#, "/animations/walk/bones/arm/flipX"),
        (r#","animations":{"walk":{"bones":{"arm":{"flipY":[{"y":true}]}}}}"#, "/animations/walk/bones/arm/flipY"),
    ] {
        assert_eq!(findings_of(Some("3.4.02"), parts), format!("warning version-mismatch {path}"));
        assert_eq!(findings_of(Some("2.1.27"), parts), "");
    }
    // Keys of other programs are ignored.
    for (parts, path) in
        [(r#","skinsName":["a"]"#, "/skinsName"), (r#","events":{"a":{"glow":2}}"#, "/events/a/glow")]
    {
        assert_eq!(findings_of(Some("3.4.02"), parts), format!("note foreign-key {path}"));
    }
    let inherits = |switches: &str| {
        let json = with("").replace(r#""3.8.99""#, r#""3.4.02""#);
        read(&json.replace(r#""name":"arm","#, &format!(r#""name":"arm",{switches},"#)))
    };
    for (switches, mode) in [
        (r#""inheritScale":false"#, "only translation and rotation"),
        (r#""inheritRotation":false"#, "only translation and scale"),
        (r#""inheritRotation":false,"inheritScale":true"#, "only translation and scale"),
        (r#""inheritRotation":false,"inheritScale":false"#, "only translation"),
        (r#""inheritRotation":true,"inheritScale":true"#, "everything"),
    ] {
        let (character, _) = inherits(switches).unwrap_or_else(|error| panic!("{error}: {switches}"));
        let arm = character.model().skeleton().find("arm").expect("a bone");
        assert_eq!(pchr::motion::inheritance(&character, arm), Some(mode), "{switches}");
    }
}

#[test]
fn older_names_are_synonyms() {
    let mesh =
        r#""uvs":[0,0,1,0,1,1],"triangles":[0,1,2],"vertices":[1,0,0,0,1, 2,0,5,0,0.5,1,5,0,0.5, 1,1,9,9,1]"#;
    let newer = with(&format!(
        r#","transform":[{{"name":"t","bones":["arm"],"target":"root","x":3,"rotateMix":0.5}}],"skins":{{"default":{{"s":{{
            "a":{{"type":"mesh",{mesh}}},"b":{{"type":"linkedmesh","parent":"a","deform":false}}}}}}}},"animations":{{"walk":{{
            "deform":{{"default":{{"s":{{"a":[{{"vertices":[1,2,3]}},{{"time":1}}]}}}}}}}}}}"#
    ))
    .replace(r#""name":"arm","#, r#""name":"arm","transform":"onlyTranslation","#);
    let older = newer
        .replace("3.8.99", "3.2.01")
        .replace(r#""type":"mesh""#, r#""type":"weightedmesh""#)
        .replace(r#""type":"linkedmesh""#, r#""type":"weightedlinkedmesh""#)
        .replace(r#""deform":false"#, r#""ffd":false"#)
        .replace(r#""deform":{"#, r#""ffd":{"#)
        .replace(r#""bones":["arm"]"#, r#""bone":"arm""#)
        .replace(r#""transform":"onlyTranslation""#, r#""inheritRotation":false,"inheritScale":false"#);
    let oldest = older.replace("weightedmesh", "skinnedmesh").replace(r#""spine":"3.2.01""#, "");
    for (older, version) in [(&older, "3.6.53"), (&oldest, "3.6.53")] {
        let newer = read(&newer.replace("3.8.99", version)).expect("it is valid").0;
        let older = read(older).unwrap_or_else(|error| panic!("{error}: {older}")).0;
        assert_eq!(older.model().attachments().len(), 2);
        let mut poses = [Pose::default(), Pose::default()];
        for cue in cues(&newer, &mut Random(5), 20) {
            evaluate(&older, &cue, &mut poses[0]);
            evaluate(&newer, &cue, &mut poses[1]);
            assert!(poses[0] == poses[1], "{cue:?}");
        }
    }
    // In later versions these names have no meaning.
    let found = findings_of(Some("3.8.99"), r#","animations":{"walk":{"ffd":{}}}"#);
    assert_eq!(found, "note foreign-key /animations/walk/ffd");
    let keys = r#","animations":{"walk":{"ffd":{"default":{}}}}"#;
    assert_eq!(findings_of(Some("3.8.99"), keys), "warning version-mismatch /animations/walk/ffd");
}

/// Stores the four numbers of curves separately, as up to 3.7.
fn older_curves(value: &mut serde_json::Value, count: &mut usize) {
    match value {
        serde_json::Value::Object(object) => {
            if object.get("curve").is_some_and(serde_json::Value::is_number) {
                let mut or = |key, default: f64| object.remove(key).unwrap_or(default.into());
                let (c2, c3, c4) = (or("c2", 0.0), or("c3", 1.0), or("c4", 1.0));
                object["curve"] = serde_json::Value::from(vec![object["curve"].clone(), c2, c3, c4]);
                *count += 1;
            }
            object.values_mut().for_each(|value| older_curves(value, count));
        }
        serde_json::Value::Array(list) => list.iter_mut().for_each(|value| older_curves(value, count)),
        _ => {}
    }
}
