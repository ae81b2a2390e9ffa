//! Odd and hostile documents.

use super::*;

/// Rewrites a document, to `target`.
fn rewritten(document: &str, target: &str) -> Result<Rewritten> {
    let limits = Limits::default();
    let form = Form::of_target(target).unwrap();
    let options = RewriteOptions {
        form,
        animations: None,
        skins: &[],
        fps: 30.0,
        bakes: true,
        keep_going: false,
        limits: &limits,
    };
    rewrite(document.as_bytes(), &options)
}

/// The written JSON, and the codes of its losses.
fn json(document: &str, target: &str) -> (serde_json::Value, Vec<&'static str>) {
    let rewritten = rewritten(document, target).unwrap();
    let codes = rewritten.losses.iter().map(|lost| lost.code).collect();
    (serde_json::from_slice(&rewritten.bytes).unwrap(), codes)
}

/// A document with two bones.
fn document(version: &str, members: &str) -> String {
    format!(
        r#"{{"skeleton": {{"spine": "{version}"}},
        "bones": [{{"name": "root"}}, {{"name": "a", "parent": "root", "x": 5}}, {{"name": "b", "parent": "root"}}],
        {members}}}"#
    )
}

#[test]
fn constraints_that_share_their_name_with_one_that_is_left_out_stay() {
    let text = document(
        "4.1.24",
        r#""transform": [
            {"name": "t", "order": 0, "bones": ["a"], "target": "b", "x": 3},
            {"name": "t", "order": 0, "bones": ["b"], "target": "a"}],
        "animations": {"k": {"transform": {"t": [{"mixX": 0.5}, {"time": 1}]}}}"#,
    );
    let (written, losses) = json(&text, "spine42");
    assert_eq!(losses, ["constraint-dropped"]);
    assert_eq!(written["transform"].as_array().unwrap().len(), 1);
    assert_eq!(written["transform"][0]["bones"][0], "a");
    // The keys belong to the last constraint of that name.
    assert_eq!(written["animations"]["k"]["transform"], serde_json::Value::Null);
    // Another key keeps the duration.
    assert_eq!(written["animations"]["k"]["bones"]["root"]["rotate"][0]["time"], 1.0);
}

#[test]
fn keys_for_all_physics_are_removed_without_any_physics() {
    let text =
        document("4.2.43", r#""animations": {"k": {"physics": {"": {"wind": [{"value": 3}, {"time": 2}]}}}}"#);
    for target in ["spine38", "spine41"] {
        let (written, losses) = json(&text, target);
        let animation = &written["animations"]["k"];
        assert!(losses.is_empty() && animation["physics"].is_null(), "{target}: {written}");
        // A key keeps the duration.
        assert_eq!(animation["bones"]["root"]["rotate"][0]["time"], 2.0, "{target}");
    }
}

#[test]
fn events_are_compared_with_the_last_of_their_name() {
    let text = document(
        "4.2.43",
        r#""events": {"e": {"int": 3}, "e": {"int": 4}},
        "animations": {"k": {"events": [{"name": "e", "int": 3}, {"name": "e", "int": 4}]}}"#,
    );
    let keys = json(&text, "spine42").0["animations"]["k"]["events"].clone();
    assert_eq!(keys[0]["int"], 3, "it differs from the last event");
    assert!(keys[1]["int"].is_null(), "it is that of the last event");
}

#[test]
fn infinite_numbers_are_refused() {
    let text = document(
        "3.8.99",
        r#""animations": {"k": {"bones": {"a": {"translate":
            [{"x": -3e38, "curve": 0.25, "c2": 1e30, "c3": 0.5, "c4": -1e30}, {"time": 1, "x": 3e38}]}}}}"#,
    );
    for target in ["spine42", "skel40", "skel41", "skel42", "skel43"] {
        let error = rewritten(&text, target).unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)) && error.code() == "not-finite", "{target}: {error}");
    }
}

#[test]
fn only_the_last_default_skin_is_written_to_binary_skeletons() {
    let skin = |x: u32| format!(r#"{{"name": "default", "attachments": {{"s": {{"p": {{"x": {x}}}}}}}}}"#);
    let skins = format!(r#""slots": [{{"name": "s", "bone": "a"}}], "skins": [{}, {}]"#, skin(1), skin(2));
    let limits = Limits::default();
    let first = rewritten(&document("4.2.43", &skins), "skel42").unwrap().bytes;
    let root = read::read(&first, &mut Budget::new(&limits), &mut Diagnostics::default()).unwrap();
    assert_eq!(root.skins.list.len(), 1);
    assert_eq!(root.skins.list[0].attachments.0[0].1.0[0].1.x.0, 2.0);
}

#[test]
fn turns_add_a_limited_number_of_keys() {
    let keys: Vec<String> =
        (0..2000).map(|at| format!(r#"{{"time": {at}, "value": {}}}"#, at % 2 * 160_000)).collect();
    let text = document(
        "4.2.43",
        &format!(r#""animations": {{"k": {{"bones": {{"a": {{"rotate": [{}]}}}}}}}}"#, keys.join(",")),
    );
    let (written, losses) = json(&text, "spine38");
    assert!(losses.contains(&"bone-baked"), "{losses:?}");
    let count = written["animations"]["k"]["bones"]["a"]["rotate"].as_array().unwrap().len();
    assert!(count <= 30 * 2000, "{count} keys");
}

#[test]
fn bones_that_stay_off_are_reported() {
    // Each round of baking mends one more bone of a chain, and there are fewer rounds than bones.
    let bones: Vec<String> = (1..=MAX_ROUNDS + 2)
        .map(|at| format!(r#"{{"name": "b{at}", "parent": "b{}", "x": 9}}"#, at - 1))
        .collect();
    let keys: Vec<String> = (1..=MAX_ROUNDS + 2)
        .map(|at| format!(r#""b{at}": {{"rotate": [{{}}, {{"time": 1, "value": 200000}}]}}"#))
        .collect();
    let text = format!(
        r#"{{"skeleton": {{"spine": "4.2.43"}}, "bones": [{{"name": "b0"}}, {}],
        "animations": {{"k": {{"bones": {{{}}}}}}}}}"#,
        bones.join(","),
        keys.join(",")
    );
    let losses = rewritten(&text, "spine38").unwrap().losses;
    let moved: Vec<&Loss> = losses.iter().filter(|lost| lost.code == "bone-moved").collect();
    assert!(moved.len() == 1 && moved[0].message.contains(" units, most of all `b"), "{losses:?}");
}

#[test]
fn long_animations_are_rewritten_in_bounded_time() {
    for secs in ["1e6", "1e30", "3e38"] {
        let text = document(
            "4.0.64",
            &format!(
                r#""animations": {{"k": {{"bones": {{"a": {{"shear": [{{}}, {{"time": {secs}, "x": 9}}]}}}}}}}}"#
            ),
        );
        let (_, losses) = json(&text, "spine42");
        assert!(losses.is_empty(), "{secs}: {losses:?}");
    }
}

#[test]
fn what_sliders_do_to_slots_is_reported() {
    let text = |timelines: &str| {
        document(
            "4.3.01",
            &format!(
                r#""slots": [{{"name": "s", "bone": "a"}}],
                "constraints": [{{"type": "slider", "name": "c", "animation": "p", "time": 1}}],
                "animations": {{"p": {{"bones": {{"a": {{"translate": [{{"x": 3}}]}}}} {timelines}}}}}"#
            ),
        )
    };
    let slots = r#", "slots": {"s": {"rgba": [{"color": "ff0000ff"}]}}"#;
    let (of_bones, of_slots) = (json(&text(""), "spine42").1, json(&text(slots), "spine42").1);
    assert!(of_bones.contains(&"constraint-baked") && !of_bones.contains(&"slider-dropped"), "{of_bones:?}");
    assert!(of_slots.contains(&"slider-dropped"), "{of_slots:?}");
    assert!(!json(&text(slots), "spine43").1.contains(&"slider-dropped"));
}

/// A document of 4.2 with bones `a` and `b` below the root, and a transform constraint that moves `a` by `b`.
fn following(a: &str, b: &str, constraint: &str, animation: &str) -> String {
    format!(
        r#"{{"skeleton": {{"spine": "4.2.43"}},
        "bones": [{{"name": "root"}}, {{"name": "a", "parent": "root", {a}}}, {{"name": "b", "parent": "root", {b}}}],
        "transform": [{{"name": "t", "bones": ["a"], "target": "b", {constraint}}}],
        "animations": {{"k": {{"bones": {{{animation}}}}}}}}}"#
    )
}

#[test]
fn mirrored_shears_and_local_scales_are_kept_in_4_3() {
    let turning =
        r#""b": {"rotate": [{}, {"time": 1, "value": 90}], "scale": [{}, {"time": 1, "x": 2, "y": 0.5}]}"#;
    let cases = [
        (r#""x": 5"#, r#""scaleX": -1"#, r#""shearY": 20, "mixShearY": 0.7"#),
        (r#""x": 5"#, r#""scaleX": -1"#, r#""shearY": 20, "relative": true"#),
        (
            r#""scaleX": 0.8, "scaleY": 3"#,
            r#""x": 9"#,
            r#""local": true, "scaleX": 0.25, "mixScaleX": 0.3, "mixScaleY": 1"#,
        ),
    ];
    for (a, b, constraint) in cases {
        let text = following(a, b, constraint, turning);
        let there = rewritten(&text, "spine43").unwrap();
        assert!(there.losses.is_empty(), "{constraint}: {:?}", there.losses);
        let (back, losses) = json(std::str::from_utf8(&there.bytes).unwrap(), "spine42");
        assert!(losses.is_empty(), "{constraint}: {losses:?}");
        assert_eq!(back["transform"], json(&text, "spine42").0["transform"]);
    }
}

#[test]
fn jumps_between_keys_get_more_keys() {
    // At half a turn, the bone jumps by half a turn; 4.3 plays shears with a part of the weight differently.
    let text = following(
        r#""length": 100"#,
        r#""x": 9"#,
        r#""relative": true, "mixRotate": 0.5, "mixShearY": 0.5"#,
        r#""b": {"rotate": [{}, {"time": 1, "value": 340}]}"#,
    );
    let (written, losses) = (json(&text, "spine43").0, rewritten(&text, "spine43").unwrap().losses);
    let message = &losses.iter().find(|loss| loss.code == "constraint-baked").expect("a loss").message;
    let off: f32 = message.split(' ').rev().nth(1).unwrap().parse().unwrap();
    assert!(message.contains("30 keys per second or more") && off < 0.1, "{message}");
    let keys = written["animations"]["k"]["bones"]["a"]["rotate"].as_array().unwrap();
    let times: Vec<f64> = keys.iter().map(|key| key["time"].as_f64().unwrap_or_default()).collect();
    let nearest = times.windows(2).map(|ends| ends[1] - ends[0]).fold(1.0, f64::min);
    assert!(nearest < 2e-4 && times.len() < 40, "{times:?}");
}

#[test]
fn masks_that_only_4_3_has_are_reported() {
    let mask =
        |extra: &str| format!(r#"{{"type": "clipping", "vertexCount": 3, "vertices": [0,0,1,0,0,1]{extra}}}"#);
    let text = document(
        "4.3.00",
        &format!(
            r#""slots": [{{"name": "s", "bone": "a"}}],
            "skins": [{{"name": "default", "attachments": {{"s": {{"plain": {}, "hull": {}, "hole": {}}}}}}}]"#,
            mask(""),
            mask(r#", "convex": true"#),
            mask(r#", "inverse": true, "convex": true"#)
        ),
    );
    for target in ["spine42", "spine38"] {
        let (written, losses) = json(&text, target);
        assert_eq!(losses, ["clip-dropped", "clip-changed"], "{target}");
        let masks = &written["skins"][0]["attachments"]["s"];
        let kinds = ["plain", "hull", "hole"].map(|name| masks[name]["type"].as_str().unwrap());
        assert_eq!(kinds, ["clipping", "clipping", "boundingbox"], "{target}");
        assert_eq!(masks["hull"]["convex"], serde_json::Value::Null, "{target}");
    }
    let (written, losses) = json(&text, "spine43");
    assert!(losses.is_empty() && written["skins"][0]["attachments"]["s"]["hull"]["convex"] == true);
}
