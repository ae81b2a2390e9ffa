//! Constraints that are applied as in the version of the file.

use super::{read, with};
use pchr::Character;
use pchr::math::{Vec2, vec2};
use pchr::motion::{Cue, Layer, Mix, Position, evaluate};
use pchr::pose::Pose;

/// In 3.6, the beginning of a curve is taken a ten-thousandth after it.
#[test]
fn a_path_begins_as_in_its_version() {
    let path =
        r#"{"type":"path","vertexCount":6,"lengths":[100,200],"vertices":[-50,0,0,0,50,0,100,0,150,0,200,0]}"#;
    let parts = format!(
        r#","path":[{{"name":"p","bones":["arm"],"target":"s"}}],"skins":{{"default":{{"s":{{"a":{path}}}}}}}"#
    );
    let json = with(&parts).replace(r#""name":"s","bone":"arm""#, r#""name":"s","bone":"root""#);
    for (version, is_late) in
        [("3.4.02", true), ("3.6.53", true), ("3.7.94", false), ("3.8.99", false), ("Dev", false)]
    {
        let (character, _) = read(&json.replace("3.8.99", version)).expect("it is valid");
        let mut pose = Pose::default();
        evaluate(&character, &Cue::default(), &mut pose);
        let x = pose.world_from_bone[1].translation.x;
        assert!(if is_late { (0.001..0.1).contains(&x) } else { x == 0.0 }, "{version}: {x}");
    }
}

/// The x and y axes of a bone in the setup pose.
fn axes(json: &str, bone: usize) -> [Vec2; 2] {
    let (character, _) = read(json).expect("it is valid");
    let mut pose = Pose::default();
    evaluate(&character, &Cue::default(), &mut pose);
    let matrix = pose.world_from_bone[bone].matrix2;
    [matrix.x_axis, matrix.y_axis]
}

/// Scale that is added takes the sign of the key before 4.0.
#[test]
fn added_scale_has_the_sign_of_its_version() {
    let (old, new) = (r#""scale":[{"x":-1.5}]"#, r#""scalex":[{"value":-1.5}]"#);
    for (version, keys, expected) in [("3.8.99", old, -1.25), ("4.0.64", new, -0.25), ("4.2.43", new, -0.25)] {
        let json = with(&format!(r#","animations":{{"walk":{{"bones":{{"arm":{{{keys}}}}}}}}}"#));
        let (character, _) = read(&json.replace("3.8.99", version)).expect("it is valid");
        let animation = character.model().animation_ids().next().expect("an animation");
        let layer = Layer { alpha: 0.5, mix: Mix::Add, ..Layer::new(animation, Position::Seconds(0.0)) };
        let mut pose = Pose::default();
        evaluate(&character, &Cue { layers: vec![layer], ..Cue::default() }, &mut pose);
        assert_eq!(pose.world_from_bone[1].matrix2.x_axis.x, expected, "{version}");
    }
}

/// Two bones that reach for their target are only stretched along it before 4.0.
#[test]
fn two_bones_stretch_as_in_their_version() {
    let json = r#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"},
        {"name":"upper","parent":"root","length":100},{"name":"lower","parent":"upper","x":100,"length":100},
        {"name":"target","parent":"root","x":400}],
        "ik":[{"name":"reach","bones":["upper","lower"],"target":"target","stretch":true,"uniform":true}]}"#;
    for (version, height) in [("3.8.99", 1.0), ("Dev", 1.0), ("4.0.64", 2.0), ("4.1.24", 2.0), ("4.2.43", 2.0)] {
        let [x, y] = axes(&json.replace("3.8.99", version), 1).map(Vec2::length);
        assert!((x - 2.0).abs() < 1e-3 && (y - height).abs() < 1e-3, "{version}: {x} {y}");
    }
}

/// In 4.0, transform constraints do not scale y alone.
#[test]
fn scale_of_one_axis_is_copied_as_in_its_version() {
    let json = r#"{"skeleton":{"spine":"4.0.64"},"bones":[{"name":"root"},{"name":"arm","parent":"root"},
        {"name":"target","parent":"root","scaleX":3,"scaleY":3}],
        "transform":[{"name":"copy","bones":["arm"],"target":"target","mixScaleX":0,"mixScaleY":1}]}"#;
    for (version, height) in [("4.0.64", 1.0), ("4.1.24", 3.0), ("4.2.43", 3.0)] {
        let [x, y] = axes(&json.replace("4.0.64", version), 1).map(Vec2::length);
        assert!((x - 1.0).abs() < 1e-5 && (y - height).abs() < 1e-5, "{version}: {x} {y}");
    }
}

/// Since 4.2, transform constraints between local poses do not take the short way to a shear.
#[test]
fn local_shears_are_copied_as_in_their_version() {
    let json = r#"{"skeleton":{"spine":"4.1.24"},"bones":[{"name":"root"},{"name":"arm","parent":"root","shearY":-100},
        {"name":"target","parent":"root","shearY":100}],
        "transform":[{"name":"copy","bones":["arm"],"target":"target","local":true,"mixRotate":0,"mixX":0,"mixScaleX":0,
        "mixShearY":0.5}]}"#;
    for (version, up) in [("4.1.24", -1.0), ("4.2.43", 1.0)] {
        let [_, y] = axes(&json.replace("4.1.24", version), 1);
        assert!((y.y - up).abs() < 1e-5, "{version}: {y}");
    }
}

/// A bone that inverse kinematics compresses gets wider, by 1 / scale, and below 0.7 less than that: 4 without a length.
#[test]
fn compressed_bones_keep_their_area() {
    let json = r#"{"skeleton":{"spine":"4.3.00"},"bones":[{"name":"root"},{"name":"arm","parent":"root","length":100},
        {"name":"target","parent":"root","x":80}],
        "constraints":[{"type":"ik","name":"reach","bones":["arm"],"target":"target","compress":true,
        "scaleY":"volume"}]}"#;
    for (length, height) in [("80", 1.25), ("70", 1.0 / 0.7), ("52.042493", 1.710_691), ("0.001", 4.0)] {
        let [_, y] = axes(&json.replace("80", length), 1);
        assert!((y.length() - height).abs() < 2e-4, "{length}: {y}");
    }
}

/// A bone without a length takes the spacing as its share of a path, and does not count for the other shares.
#[test]
fn shares_of_a_path_depend_on_the_lengths_of_bones() {
    let json = r#"{"skeleton":{"spine":"4.2.43"},"bones":[{"name":"root"},{"name":"a","parent":"root","length":10},
        {"name":"b","parent":"root","length":0},{"name":"c","parent":"root","length":30},
        {"name":"d","parent":"root","length":40}],"slots":[{"name":"s","bone":"root","attachment":"p"}],
        "skins":[{"name":"default","attachments":{"s":{"p":{"type":"path","vertexCount":6,"lengths":[1000,1000],
        "vertices":[-9,0,0,0,300,0,700,0,1000,0,1009,0]}}}}],
        "path":[{"name":"k","bones":["a","b","c","d"],"target":"s","positionMode":"fixed","spacingMode":"proportional",
        "spacing":5}]}"#;
    let flat = ["10", "30", "40"]
        .iter()
        .fold(json.to_owned(), |json, length| json.replace(&format!(r#""length":{length}"#), r#""length":0"#));
    for (json, expected) in [(json, [0.0, 1250.0, 1875.0, 5625.0]), (&flat, [0.0, 1250.0, 2500.0, 3750.0])] {
        let (character, _) = read(json).expect("it is valid");
        let mut pose = Pose::default();
        evaluate(&character, &Cue::default(), &mut pose);
        let found = pose.world_from_bone[1..].iter().map(|bone| bone.translation.x);
        assert!(found.clone().zip(expected).all(|(x, expected)| (x - expected).abs() < 1e-2), "{found:?}");
    }
}

/// A bone whose parent the same local constraint changes later stays before 4.3, and then follows it.
#[test]
fn locally_constrained_bones_follow_as_in_their_version() {
    let bones = r#""bones":[{"name":"root"},{"name":"mid","parent":"root"},{"name":"arm","parent":"mid","x":10},
        {"name":"target","parent":"root","x":5}]"#;
    let before = format!(
        r#"{{"skeleton":{{"spine":"4.1.24"}},{bones},"transform":[{{"name":"k","bones":["arm","mid"],"target":"target",
        "local":true,"relative":true,"mixRotate":0,"mixX":1,"mixScaleX":0,"mixShearY":0}}]}}"#
    );
    let since = format!(
        r#"{{"skeleton":{{"spine":"4.3.00"}},{bones},"constraints":[{{"type":"transform","name":"k",
        "bones":["arm","mid"],"source":"target","localSource":true,"localTarget":true,"additive":true,"mixX":1,
        "properties":{{"x":{{"to":{{"x":{{}}}}}}}}}}]}}"#
    );
    for (json, expected) in [(before, 15.0), (since, 20.0)] {
        let (character, _) = read(&json).expect("it is valid");
        let mut pose = Pose::default();
        evaluate(&character, &Cue::default(), &mut pose);
        assert_eq!(pose.world_from_bone[2].translation.x, expected, "{json}");
    }
}

/// Two bones, each of which points at a target, the second one's constraint first.
fn reaching(version: &str, mix: &str) -> Character {
    let text = format!(
        r#"{{"skeleton":{{"spine":"{version}"}},"bones":[{{"name":"root"}},{{"name":"upper","parent":"root","length":10}},
        {{"name":"lower","parent":"upper","x":10,"length":10}},{{"name":"goal","parent":"root","x":-100}}],
        "ik":[{{"name":"second","bones":["lower"],"target":"goal","mix":{mix}}},
        {{"name":"first","bones":["upper"],"target":"goal","mix":{mix}}}]}}"#
    );
    read(&text).expect("it is valid").0
}

#[test]
fn constraints_of_early_versions_are_applied_from_the_root_on_and_of_2_1_as_listed() {
    for (version, expected) in [("2.1.27", ["second", "first"]), ("3.1.07", ["first", "second"])] {
        let character = reaching(version, "1");
        let names = character.model().constraints().iter().map(|it| &*it.name);
        assert_eq!(names.collect::<Vec<_>>(), expected, "{version}");
    }
}

#[test]
fn inverse_kinematics_of_3_1_turns_counter_clockwise_to_what_is_exactly_behind() {
    let upper = |version: &str| {
        let character = reaching(version, "0.5");
        let mut pose = Pose::default();
        evaluate(&character, &Cue::default(), &mut pose);
        pose.world_from_bone[1].matrix2.x_axis
    };
    assert!(upper("3.1.07").abs_diff_eq(vec2(0.0, 1.0), 1e-6), "{}", upper("3.1.07"));
}
