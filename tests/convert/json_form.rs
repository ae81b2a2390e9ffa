//! Spine JSON that is written has the form of the editor's exports: keys for which Spine's description states no default
//! are written whatever their value, and keys are in the order of the editor.

use std::fmt;
use std::fs;

use bytes::Bytes;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::json;

use crate::common::{conformance_files, say};
use crate::rewrite_spine::{convert, main_file, own_target, sources};
use pchr::formats::table;

/// The keys of each object, in the order of all official exports of 3.6 to 4.2. `!` marks those without a default.
///
/// An asterisk stands for any name, `#` for any index; attachments have their type. Keys that no export has are missing.
const OBJECTS: &[(&str, &str)] = &[
    ("", "skeleton bones slots ik transform path skins events animations"),
    ("/skeleton", "hash spine! x! y! width! height! images audio"),
    ("/bones/#", "name! parent length rotation x y scaleX scaleY transform skin color icon"),
    ("/bones/#", "scaleX shearX color"),
    ("/slots/#", "name! bone! color dark attachment blend"),
    ("/ik/#", "name! order bones! target! mix stretch"),
    ("/ik/#", "target bendPositive stretch"),
    (
        "/transform/#",
        "name! order skin bones! target! rotation x y scaleX scaleY shearY rotateMix translateMix scaleMix shearMix",
    ),
    ("/transform/#", "shearY mixRotate mixX mixScaleX mixShearY"),
    ("/path/#", "name! order bones! target! spacingMode rotateMode spacing rotateMix translateMix"),
    ("/physics/#", "name! order bone! x y rotate shearX limit inertia strength damping mass windGlobal"),
    ("/skins/#", "name! bones transform attachments!"),
    ("/skins/#/attachments/*/*: region", "name path x y scaleX scaleY rotation width! height!"),
    ("/skins/#/attachments/*/*: region", "color x"),
    ("/skins/#/attachments/*/*: mesh", "name type! path color uvs! triangles! vertices! hull! edges width height"),
    ("/skins/#/attachments/*/*: linkedmesh", "name type! skin parent! width height"),
    ("/skins/#/attachments/*/*: boundingbox", "type! vertexCount! vertices!"),
    ("/skins/#/attachments/*/*: path", "type! closed lengths! vertexCount! vertices! color"),
    ("/skins/#/attachments/*/*: clipping", "type! end vertexCount! vertices! color"),
    ("/skins/#/attachments/*/*: point", "type!"),
    ("/skins/#/attachments/*/*/sequence", "count!"),
    ("/animations/*", "slots bones ik path deform drawOrder events"),
    ("/animations/*", "bones transform attachments drawOrder"),
    ("/animations/*", "slots physics"),
    ("/animations/*/bones/*", "rotate translate scale shear"),
    ("/animations/*/bones/*/*/#", "time angle curve c2 c3 c4"),
    ("/animations/*/bones/*/*/#", "time value curve"),
    ("/animations/*/bones/*/*/#", "time x y curve c2 c3 c4"),
    ("/animations/*/bones/*/inherit/#", "inherit!"),
    ("/animations/*/slots/*", "color attachment"),
    ("/animations/*/slots/*", "twoColor attachment"),
    ("/animations/*/slots/*", "rgba attachment"),
    ("/animations/*/slots/*/attachment/#", "time name!"),
    ("/animations/*/slots/*/color/#", "time color! curve c2 c3 c4"),
    ("/animations/*/slots/*/twoColor/#", "time light! dark! curve"),
    ("/animations/*/slots/*/rgba/#", "time color! curve"),
    ("/animations/*/slots/*/rgb/#", "color!"),
    ("/animations/*/slots/*/rgba2/#", "light! dark!"),
    ("/animations/*/slots/*/rgb2/#", "light! dark!"),
    ("/animations/*/ik/*/#", "time mix bendPositive curve"),
    ("/animations/*/ik/*/#", "time softness bendPositive"),
    ("/animations/*/transform/*/#", "rotateMix translateMix scaleMix shearMix curve"),
    ("/animations/*/transform/*/#", "time mixX mixScaleX mixShearY curve"),
    ("/animations/*/transform/*/#", "mixRotate mixX"),
    ("/animations/*/path/*/mix/#", "rotateMix translateMix"),
    ("/animations/*/path/*/position/#", "time position curve c2 c3 c4"),
    ("/animations/*/physics/*/wind/#", "time value curve"),
    ("/animations/*/deform/*/*/*/#", "time offset vertices curve c2 c3 c4"),
    ("/animations/*/attachments/*/*/*/deform/#", "time offset vertices curve"),
    ("/animations/*/drawOrder/#", "time offsets"),
    ("/animations/*/drawOrder/#/offsets/#", "slot! offset!"),
    ("/animations/*/events/#", "time name! int"),
];

/// Objects whose keys are names.
const NAMED: &[&str] = &[
    "/events",
    "/animations",
    "/skins/#/attachments",
    "/skins/#/attachments/*",
    "/animations/*/bones",
    "/animations/*/slots",
    "/animations/*/ik",
    "/animations/*/transform",
    "/animations/*/path",
    "/animations/*/physics",
    "/animations/*/deform",
    "/animations/*/deform/*",
    "/animations/*/deform/*/*",
    "/animations/*/attachments",
    "/animations/*/attachments/*",
    "/animations/*/attachments/*/*",
];

/// JSON, with the keys of its objects in their order.
enum Json {
    Object(Vec<(String, Json)>),
    List(Vec<Json>),
    Text(String),
    Other,
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Json::Object(entries))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Json::List(items))
            }

            fn visit_str<E>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Text(text.to_owned()))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
                Ok(Json::Other)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
                Ok(Json::Other)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
                Ok(Json::Other)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
                Ok(Json::Other)
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Other)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// Calls `see` with every object: how [`OBJECTS`] calls it, a pointer to it, and its keys.
fn objects(json: &Json, kind: &str, pointer: &str, see: &mut dyn FnMut(&str, &str, &[&str])) {
    match json {
        Json::Object(entries) => {
            let keys: Vec<&str> = entries.iter().map(|(key, _)| &**key).collect();
            let attachment = entries.iter().find_map(|(key, value)| match (&**key, value) {
                ("type", Json::Text(text)) => Some(&**text),
                _ => None,
            });
            match kind {
                "/skins/#/attachments/*/*" => {
                    see(&format!("{kind}: {}", attachment.unwrap_or("region")), pointer, &keys);
                }
                kind => see(kind, pointer, &keys),
            }
            let is_named = NAMED.contains(&kind);
            for (key, value) in entries {
                let kind = format!("{kind}/{}", if is_named { "*" } else { key });
                objects(value, &kind, &format!("{pointer}/{key}"), see);
            }
        }
        Json::List(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{kind}/#"), &format!("{pointer}/{index}"), see);
            }
        }
        Json::Text(_) | Json::Other => {}
    }
}

/// The keys of an object that are missing or not in the order of the editor.
fn faults(bytes: &[u8], name: &str, has_sizes: bool, faults: &mut Vec<String>) -> usize {
    let json: Json = serde_json::from_slice(bytes).expect("JSON");
    let mut count = 0;
    objects(&json, "", "", &mut |kind, pointer, keys| {
        let is_of = |pattern: &str| {
            let (pattern, kind) = (pattern.split('/'), kind.split('/'));
            pattern.clone().count() == kind.clone().count()
                && pattern.zip(kind).all(|(pattern, part)| pattern == part || pattern == "*" && part != "#")
        };
        for (_, form) in OBJECTS.iter().filter(|(pattern, _)| is_of(pattern)) {
            count += 1;
            let place = |key: &str| keys.iter().position(|other| *other == key);
            let mut before = None;
            for key in form.split(' ') {
                let (key, is_required) = key.strip_suffix('!').map_or((key, false), |key| (key, true));
                let is_required = is_required && (has_sizes || !matches!(key, "width" | "height"));
                match (place(key), before) {
                    (None, _) if is_required => faults.push(format!("{name}: {pointer}: no `{key}`")),
                    (None, _) => {}
                    (Some(place), Some((other, earlier))) if place < earlier => {
                        faults.push(format!("{name}: {pointer}: `{key}` is before `{other}`"));
                    }
                    (Some(place), _) => before = Some((key, place)),
                }
            }
        }
    });
    count
}

#[track_caller]
fn assert_none(faults: &[String]) {
    let listed = &faults[..faults.len().min(60)];
    assert!(faults.is_empty(), "{} keys:\n{}", faults.len(), listed.join("\n"));
}

/// A skeleton of 3.8 or 4.2 that states as little as possible, with every attachment and timeline.
fn bare(version: &str) -> Bytes {
    let is_four = version.starts_with('4');
    let slots = ["region", "mesh", "linked", "box", "path", "clip", "point"];
    let slots_of: Vec<_> = slots.iter().map(|name| json!({"name": name, "bone": "root"})).collect();
    let mesh = json!({"type": "mesh", "uvs": [0, 0, 1, 0, 1, 1], "vertices": [0, 0, 9, 0, 9, 9]});
    let triangle = json!({"type": "clipping", "vertexCount": 3, "vertices": [0, 0, 9, 0, 9, 9]});
    let lengths = json!({"type": "path", "lengths": [10, 20], "vertexCount": 6, "vertices": vec![0; 12]});
    let attachments = json!({
        "region": {"region": {"width": 0, "height": 0}},
        "mesh": {"mesh": mesh, "empty": {"type": "mesh"}},
        "linked": {"mesh": mesh, "linked": {"type": "linkedmesh", "parent": "mesh"}},
        "box": {"box": {"type": "boundingbox"}},
        "path": {"path": lengths},
        "clip": {"clip": triangle},
        "point": {"point": {"type": "point"}},
    });
    let [color, two_colors] = if is_four { ["rgba", "rgba2"] } else { ["color", "twoColor"] };
    let mut skeleton = json!({
        "skeleton": {"spine": version},
        "bones": [{"name": "root"}, {"name": "a", "parent": "root"}, {"name": "b", "parent": "root"}],
        "slots": slots_of,
        "ik": [{"name": "ik", "bones": ["a"], "target": "b"}],
        "transform": [{"name": "transform", "bones": ["a"], "target": "b", "order": 1}],
        "path": [{"name": "path", "bones": ["a"], "target": "path", "order": 2}],
        "skins": [{"name": "default", "attachments": attachments}, {"name": "empty"}],
        "events": {"event": {}},
        "animations": {
            "keys": {
                "slots": {
                    "region": {"attachment": [{"name": null}, {"time": 1}], color: [{"color": "00000000"}]},
                    "mesh": {two_colors: [{"light": "00000000", "dark": "000000"}]},
                },
                "bones": {"a": {"rotate": [{}], "translate": [{}], "scale": [{}], "shear": [{}]}},
                "ik": {"ik": [{}]},
                "transform": {"transform": [{}]},
                "path": {"path": {"position": [{}], "spacing": [{}], "mix": [{}]}},
                "drawOrder": [{}, {"time": 1, "offsets": [{"slot": "mesh", "offset": 0}]}],
                "events": [{"name": "event"}],
            },
            "nothing": {},
        },
    });
    if is_four {
        let fields = skeleton.as_object_mut().expect("an object");
        fields.insert("physics".to_owned(), json!([{"name": "physics", "bone": "b", "order": 3}]));
        let keys = fields["animations"]["keys"].as_object_mut().expect("an object");
        keys.insert("physics".to_owned(), json!({"physics": {"wind": [{}], "reset": [{}]}}));
        let deform = json!({"default": {"mesh": {"mesh": {"deform": [{}]}}}});
        keys.insert("attachments".to_owned(), deform);
        keys["slots"]["box"] = json!({"rgb": [{"color": "000000"}], "alpha": [{}]});
        keys["slots"]["path"] = json!({"rgb2": [{"light": "000000", "dark": "000000"}]});
        keys["bones"]["b"] = json!({"inherit": [{}], "translatex": [{}], "scaley": [{}]});
        let region = &mut fields["skins"][0]["attachments"]["region"]["region"];
        region["sequence"] = json!({"count": 0});
        region["sequence"]["count"] = json!(1);
    } else {
        skeleton["animations"]["keys"]["deform"] = json!({"default": {"mesh": {"mesh": [{}]}}});
    }
    serde_json::to_vec(&skeleton).expect("JSON").into()
}

#[test]
fn json_has_every_key_without_a_default_in_the_order_of_the_editor() {
    let (mut count, mut found) = (0, Vec::new());
    for version in ["3.8.99", "4.2.43"] {
        for to in ["spine38", "spine40", "spine41", "spine42"] {
            let target = table::target(to).expect("a target");
            let written = convert(&bare(version), target).expect("a writer").expect("can be converted");
            count += faults(&main_file(&written), &format!("{version} to {to}"), true, &mut found);
        }
    }
    assert!(count > 500, "only {count}");
    for file in sources() {
        let bytes = Bytes::from(fs::read(&file).expect("a file"));
        let to = own_target(&bytes);
        let json = table::target(&to.name.replace("skel", "spine")).expect("a target");
        let written = convert(&bytes, json).expect("a writer").expect("can be converted");
        // Some of our own rigs state no size.
        count += faults(&main_file(&written), &file.display().to_string(), false, &mut found);
    }
    say(&format!("{count} objects of written JSON have the form of the editor"));
    assert_none(&found);
}

/// Spine's description and its players have different defaults for them.
#[test]
fn keys_of_events_state_their_volume_if_the_event_has_another() {
    let keys = |events: &str, keys: &str| {
        let json = format!(
            r#"{{"skeleton":{{"spine":"3.8.99"}},"bones":[{{"name":"root"}}],"events":{events},"animations":{{"a":{{"events":{keys}}}}}}}"#
        );
        let target = table::target("spine38").expect("a target");
        let written = convert(&json.into(), target).expect("a writer").expect("can be converted");
        let written: serde_json::Value = serde_json::from_slice(&main_file(&written)).expect("JSON");
        written["animations"]["a"]["events"].clone()
    };
    let bare = r#"[{"name":"e"}]"#;
    let audible = r#"{"e":{"audio":"a.ogg","volume":0.5,"balance":-1}}"#;
    assert_eq!(keys(audible, bare), json!([{"name": "e", "volume": 1, "balance": 0}]));
    assert_eq!(
        keys(r#"{"e":{"audio":"a.ogg"}}"#, r#"[{"name":"e","volume":1,"balance":0}]"#),
        json!([{"name": "e"}])
    );
    assert_eq!(keys(r#"{"e":{"volume":0.5}}"#, bare), json!([{"name": "e"}]));
}

/// The table says what official exports have.
#[test]
fn conformance_exports_have_the_order_of_the_editor() {
    let mut found = Vec::new();
    let parts = ["spine/examples", "spine4/examples", "spine-next/3.6-examples", "spine-next/3.7-examples"];
    for file in parts.iter().flat_map(|part| conformance_files(part, ".json")) {
        let is_golden = file.to_string_lossy().ends_with(".golden.json");
        if !is_golden {
            faults(&fs::read(&file).expect("a file"), &file.display().to_string(), true, &mut found);
        }
    }
    // Exports leave out the name of a key that hides since 4.1, and skins of 3.6 and 3.7 are objects.
    found.retain(|fault| !fault.ends_with(": no `name`") && !fault.contains("-examples"));
    assert_none(&found);
}
