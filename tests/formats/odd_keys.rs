//! Keys that `validate` notes because nobody can have meant them.

use std::fs;
use std::path::{Path, PathBuf};

use pchr::formats::{Folder, Input, NO_SIDECARS};
use pchr::validate::{Checked, Options, check, check_file};
use serde_json::{Map, Value, json};

use crate::common::random::Random;
use crate::common::{conformance_files, root, say};

const CODES: [&str; 3] = ["outlying-key", "scale-through-zero", "single-frame-part"];

/// The codes and places of the notes about keys.
fn notes(checked: &Checked) -> Vec<(&'static str, &str)> {
    let notes = checked.findings.iter().filter(|finding| CODES.contains(&finding.code));
    notes.map(|finding| (finding.code, finding.inside())).collect()
}

fn of_timelines(bones: &Value, slots: &Value) -> Checked {
    let file = json!({"skeleton": {"spine": "4.2.00"}, "bones": [{"name": "root"}], "slots": [{"name": "a", "bone": "root"}],
        "skins": [{"name": "default", "attachments": {"a": {"a": {"type": "point"}}}}],
        "animations": {"go": {"bones": {"root": bones}, "slots": {"a": slots}}}});
    check(&Input { bytes: file.to_string().into(), sidecars: NO_SIDECARS }, &Options::default())
        .expect("it is read")
}

#[test]
fn each_kind_is_noted_with_its_place() {
    for (bones, slots, expected) in [
        (
            json!({"translate": [{}, {"time": 1, "y": 1000}, {"time": 2}]}),
            json!({}),
            Some((CODES[0], "bones/root/translate/1/y")),
        ),
        // As far as other keys are apart.
        (json!({"translate": [{}, {"time": 1, "y": 1000}, {"time": 2, "y": 400}, {"time": 3}]}), json!({}), None),
        (json!({"translate": [{}, {"time": 1, "y": 50}, {"time": 2}]}), json!({}), None),
        (
            json!({"rotate": [{"value": -720}, {"time": 1, "value": 10}]}),
            json!({}),
            Some((CODES[0], "bones/root/rotate/0/value")),
        ),
        (
            json!({"scale": [{}, {"time": 1, "x": -0.9}, {"time": 2}]}),
            json!({}),
            Some((CODES[1], "bones/root/scale/1/x")),
        ),
        (
            json!({"scale": [{"curve": "stepped"}, {"time": 1, "x": -0.9, "curve": "stepped"}, {"time": 2}]}),
            json!({}),
            None,
        ),
        (json!({"scale": [{}, {"time": 1, "x": -0.9}, {"time": 2, "x": -0.9}]}), json!({}), None),
        (
            json!({}),
            json!({"attachment": [{}, {"time": 1, "name": "a"}, {"time": 1.03}]}),
            Some((CODES[2], "slots/a/attachment/1/name")),
        ),
        (json!({}), json!({"attachment": [{}, {"time": 1, "name": "a"}, {"time": 1.5}]}), None),
        (
            json!({}),
            json!({"alpha": [{"value": 0, "curve": "stepped"}, {"time": 1, "value": 1}, {"time": 1.03, "value": 0}]}),
            Some((CODES[2], "slots/a/alpha/1/value")),
        ),
        (json!({}), json!({"alpha": [{"value": 0}, {"time": 1, "value": 1}, {"time": 1.03, "value": 0}]}), None),
        (
            json!({}),
            json!({"rgba": [{"color": "ffffffff"}, {"time": 0.03, "color": "ffffff00"}]}),
            Some((CODES[2], "slots/a/rgba/0/color")),
        ),
    ] {
        let checked = of_timelines(&bones, &slots);
        let expected = expected.map(|(code, path)| (code, format!("/animations/go/{path}")));
        let found: Vec<_> = notes(&checked).into_iter().map(|(code, path)| (code, path.to_owned())).collect();
        assert_eq!(found, Vec::from_iter(expected), "{bones} {slots}: {:?}", checked.findings);
    }
    let checked = of_timelines(&json!({"translate": [{}, {"time": 1, "y": 1000}, {"time": 2}]}), &json!({}));
    let message =
        checked.findings.iter().find(|finding| finding.code == CODES[0]).map(|finding| &*finding.message);
    let expected = "translate of bone `root` in `go` at 1 s is 1000.00, but from 0.00 to 0.00 in the keys beside it and in the rest pose";
    assert_eq!(message, Some(expected));
}

/// A character of which keys are changed.
struct Original {
    path: PathBuf,
    file: Value,
}

impl Original {
    /// The names of the parts of a kind in all animations, with those of their animations.
    fn parts(&self, kind: &str) -> Vec<(String, String)> {
        let all = self.file["animations"].as_object().into_iter().flatten();
        let parts = all.filter_map(|(name, animation)| Some((name, animation[kind].as_object()?)));
        parts.flat_map(|(name, parts)| parts.keys().map(|part| (name.clone(), part.clone()))).collect()
    }

    fn check(&self, file: &Value) -> Checked {
        let input = Input { bytes: file.to_string().into(), sidecars: &Folder::of(&self.path) };
        check(&input, &Options::default()).expect("it is read")
    }
}

fn one<'a, T>(random: &mut Random, all: &'a [T]) -> Option<&'a T> {
    (!all.is_empty()).then(|| &all[random.below(all.len())])
}

/// Changes a key of a bone so that it cannot be meant. Returns the code and the place of the note.
fn plant_in_bone(random: &mut Random, original: &Original, file: &mut Value) -> Option<(&'static str, String)> {
    let (animation, bone) = one(random, &original.parts("bones"))?.clone();
    let property = ["translate", "rotate", "scale", "scale"][random.below(4)];
    let keys =
        file["animations"][&animation]["bones"][&bone][property].as_array_mut().filter(|keys| keys.len() > 1)?;
    let stated = |key: &Value, field: &str, rest: f64| key[field].as_f64().unwrap_or(rest);
    let index = random.below(keys.len());
    let is_smooth = keys.iter().all(|key| key["curve"] != json!("stepped"));
    let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
    let largest =
        keys.iter().map(|key| stated(key, "x", 0.0).abs().max(stated(key, "y", 0.0).abs())).fold(0.0, f64::max);
    let (code, field, value) = match property {
        "translate" => (CODES[0], "y", stated(&keys[index], "y", 0.0) + sign * (1000.0 + 5.0 * largest)),
        "rotate" => {
            let field = if keys.iter().any(|key| key["angle"].is_number()) { "angle" } else { "value" };
            (CODES[0], field, stated(&keys[index], field, 0.0) + sign * 1000.0)
        }
        _ if is_smooth && random.below(2) == 0 && keys.iter().all(|key| stated(key, "x", 1.0) > 0.0) => {
            (CODES[1], "x", -stated(&keys[index], "x", 1.0))
        }
        _ => (CODES[0], "y", stated(&keys[index], "y", 1.0) * 20.0),
    };
    if value == 0.0 {
        return None;
    }
    keys[index][field] = json!(value);
    let escaped = [&animation, &bone].map(|name| name.replace('~', "~0").replace('/', "~1"));
    Some((code, format!("/animations/{}/bones/{}/{property}/{index}/{field}", escaped[0], escaped[1])))
}

/// Shows the part of a slot that no animation shows or hides for one frame.
fn plant_in_slot(random: &mut Random, original: &Original, file: &mut Value) -> Option<(&'static str, String)> {
    let names: Vec<&String> = file["animations"].as_object()?.keys().collect();
    let animation = (*one(random, &names)?).clone();
    let slots = original.file["slots"].as_array()?;
    let slot = one(random, slots).filter(|slot| slot["attachment"].is_string())?;
    let (name, shown) = (slot["name"].as_str()?, &slot["attachment"]);
    let slots = file["animations"][&animation].as_object_mut()?.entry("slots").or_insert(json!({}));
    let timelines: &mut Map<_, _> = slots
        .as_object_mut()?
        .entry(name)
        .or_insert(json!({}))
        .as_object_mut()
        .filter(|it| it.get("attachment").is_none())?;
    let keys = json!([{"time": 0, "name": null}, {"time": 0.2, "name": shown}, {"time": 0.2333, "name": null}]);
    timelines.insert("attachment".to_owned(), keys);
    let escaped = [&animation, name].map(|name| name.replace('~', "~0").replace('/', "~1"));
    Some((CODES[2], format!("/animations/{}/slots/{}/attachment/1/name", escaped[0], escaped[1])))
}

#[test]
fn conformance_planted_keys_are_noted() {
    let own = ["", "-4.2", "-4.3"].map(|version| root().join(format!("assets/paper-lamp{version}.json")));
    let examples = conformance_files("", ".json")
        .into_iter()
        .filter(|path| path.components().any(|it| it.as_os_str() == "examples"));
    let read = |path: PathBuf| {
        let file = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        Some(Original { path, file })
    };
    let originals: Vec<Original> = own.into_iter().chain(examples).filter_map(read).collect();
    let mut random = Random(20_260);
    let (mut planted, mut found, mut missed) = (0, 0, String::new());
    while planted < 60 {
        let Some(original) = one(&mut random, &originals) else { break };
        let mut file = original.file.clone();
        let place = match planted % 3 {
            0 => plant_in_slot(&mut random, original, &mut file),
            _ => plant_in_bone(&mut random, original, &mut file),
        };
        let Some((code, pointer)) = place else { continue };
        planted += 1;
        let checked = original.check(&file);
        match notes(&checked).contains(&(code, &*pointer)) {
            true => found += 1,
            false => missed += &format!("{}: {code} {pointer}\n", original.path.display()),
        }
    }
    say(&format!("planted keys: {found} of {planted} are noted"));
    assert!(found * 10 >= planted * 9, "{missed}");
}

/// At most one for three files.
#[test]
fn conformance_files_have_few_notes_about_keys() {
    let of_kind = |suffix: &str| conformance_files("", suffix);
    let is_hostile = |path: &Path| path.components().any(|part| part.as_os_str() == "hostile");
    let paths =
        [".json", ".skel", ".skf", ".pchr", ".zip"].into_iter().flat_map(of_kind).filter(|path| !is_hostile(path));
    let (mut files, mut by_code) = (0, [0; 3]);
    for path in paths {
        let Ok(checked) = check_file(&path, &Options::default()) else { continue };
        files += 1;
        for (count, code) in by_code.iter_mut().zip(CODES) {
            let kept = checked.findings.iter().filter(|finding| finding.code == code).count();
            *count += kept + checked.omitted.get(code).copied().unwrap_or_default();
        }
    }
    say(&format!("notes about keys in {files} files: {by_code:?}"));
    assert!(by_code.iter().sum::<usize>() * 3 <= files, "{by_code:?} in {files} files");
}
