//! Damages to the text of the JSON forms.

use serde_json::{Value, json};

use super::{Damage, Form, How, Subject, TEXTS, layout::pointer};

const fn damage(
    code: &'static str,
    name: &'static str,
    forms: &'static [Form],
    change: fn(&mut Subject, &mut Vec<u8>),
) -> Damage {
    Damage { code, name, forms, how: How::Text(change) }
}

pub const DAMAGES: &[Damage] = &[
    damage("bad-json", "a missing value", TEXTS, |s, text| {
        let path = number(s).0;
        let at = replace(text, &path, "?");
        s.expect_at(path, Some(s.form.text_at() + at), format!("expected value ({})", position(text, at)));
    }),
    damage("bad-json", "cut anywhere", &[Form::Description, Form::Pachario], |s, text| {
        // The last byte is a newline.
        text.truncate(1 + s.below(text.len() - 2));
        let (path, at) = (end_of(text), text.len());
        s.expect_at(path, Some(at - 1), "the file ends");
    }),
    damage("bad-json", "text after the end", TEXTS, |s, text| {
        let at = text.len();
        text.push(s.one_of(b"]}?1\"x"));
        s.expect_at("", Some(s.form.text_at() + at), format!("trailing characters ({})", position(text, at)));
    }),
    damage("frame-length", "one bone too many or too few in a frame", TEXTS, |s, text| {
        let animation = s.below(5);
        let (frame, more) = (s.frame(animation), s.below(2) == 0);
        let path = format!("/animations/{animation}/frames/{frame}");
        change(text, |root| {
            let list = root.pointer_mut(&path).and_then(Value::as_array_mut).expect("a frame");
            let last = list.pop().expect("bones");
            if more {
                list.extend([last.clone(), last]);
            }
        });
        let found = if more { 38 } else { 36 };
        s.expect_at(path, None, format!("this frame has {found} transforms, but the skeleton has 37 bones"));
    }),
    damage("image-out-of-range", "an image below 0", &[Form::Description], |s, text| {
        let (mesh, image) = (s.mesh(), -1 - s.below(1000) as i64);
        replace(text, &format!("/meshes/{mesh}/image"), &image.to_string());
        let says = format!("image {image} does not exist, the file has 1");
        s.expect(format!("meshes[{mesh}].image"), says);
    }),
    damage("no-image", "an image beyond the last", &[Form::Pachario, Form::Packed], |s, text| {
        let (mesh, image) = (s.mesh(), 1 + s.below(65_000));
        replace(text, &format!("/meshes/{mesh}/imageIdx"), &image.to_string());
        s.expect(format!("meshes[{mesh}].image"), format!("image {image} does not exist, the file has 1"));
    }),
    damage("json-value", "a string instead of a number", TEXTS, |s, text| {
        let path = number(s).0;
        let at = replace(text, &path, "\"2\"");
        wrong_value(s, text, path, at, "invalid type: string \"2\", expected");
    }),
    damage("json-value", "a number that is too large", TEXTS, |s, text| {
        let (path, is_float) = number(s);
        let at = replace(text, &path, if is_float { "1e400" } else { "65536" });
        let says = if is_float {
            "the number does not fit in 32 bits"
        } else {
            "invalid value: integer `65536`, expected"
        };
        wrong_value(s, text, path, at, says);
    }),
    damage("json-value", "a missing key", TEXTS, |s, text| {
        let (path, _) = number_of_object(s);
        let (object, key) = path.rsplit_once('/').expect("a key");
        let at = without(text, object, key);
        wrong_value(s, text, object.to_owned(), at, &format!("missing field `{key}`"));
    }),
    damage("json-value", "contradictory flags", TEXTS, |s, text| {
        let animation = s.below(5);
        let (frame, bone) = (s.frame(animation), s.bone());
        let object = format!("/animations/{animation}/frames/{frame}/{bone}");
        change(text, |root| {
            let transform = root.pointer_mut(&object).expect("a transform");
            transform["flags"] = json!(if transform["visible"] == true { 2 } else { 3 });
        });
        let at = find(text, &object);
        wrong_value(s, text, object, at, "flags");
    }),
    damage("json-value", "fewer weights than bones", &[Form::Description], |s, text| {
        let (mesh, vertex) = s.vertex();
        let object = format!("/meshes/{mesh}/vertices/{vertex}");
        change(text, |root| {
            let weights = root.pointer_mut(&format!("{object}/boneWeights")).and_then(Value::as_array_mut);
            weights.expect("weights").pop();
        });
        let at = find(text, &object);
        wrong_value(s, text, object, at, "4 `boneIds` but 3 `boneWeights`");
    }),
    damage("too-many", "counts beyond 16 bits", TEXTS, |s, text| {
        let (mesh, animation) = (s.mesh(), s.below(5));
        let (path, item) = match s.below(4) {
            0 => ("/bones".to_owned(), bone(s.form)),
            1 => ("/animations".to_owned(), r#"{"name": "", "loop": true, "frames": []}"#),
            2 => (format!("/animations/{animation}/frames"), "[]"),
            _ => (format!("/meshes/{mesh}/vertices"), vertex(s.form)),
        };
        replace(text, &path, &format!("[{}]", vec![item; 65_536].join(",")));
        s.expect_at(path, None, "65536 entries; at most 65535 are supported");
    }),
    damage("unknown-format", "the whole text nested one level deeper", TEXTS, |s, text| {
        change(text, |root| *root = json!({ "knight": root.take() }));
        s.expect_at("", None, "it has `knight`");
    }),
    damage("unknown-version", "another version in the text", TEXTS, |s, text| {
        let version = s.one_of(&[0, 2, 3, 77, u32::MAX]);
        replace(text, "/version", &version.to_string());
        s.expect_at("/version", None, format!("version {version}; only version 1 is supported"));
    }),
    damage("unknown-key", "an additional key", TEXTS, |s, text| {
        let object = match s.below(8) {
            0 => String::new(),
            1 => "/images/0".to_owned(),
            2 => format!("/bones/{}", s.bone()),
            3 => format!("/meshes/{}", s.mesh()),
            4 => format!("/animations/{}", s.below(5)),
            5 => {
                let (mesh, vertex) = s.vertex();
                format!("/meshes/{mesh}/vertices/{vertex}")
            }
            _ => {
                let animation = s.below(5);
                format!("/animations/{animation}/frames/{}/{}", s.frame(animation), s.bone())
            }
        };
        let (key, escaped) = s.one_of(&[("depth", "depth"), ("a/b", "a~1b"), ("~", "~0"), ("größe", "größe")]);
        let value = s.one_of(&["1", "null", "[1, {\"a\": 2}]", "\"x\""]);
        change(text, |root| {
            let object = root.pointer_mut(&object).and_then(Value::as_object_mut).expect("an object");
            object.insert(key.to_owned(), serde_json::from_str(value).expect("JSON"));
        });
        s.expect_at(format!("{object}/{escaped}"), None, "unknown key");
    }),
    damage("unnamed-image", "a picture without an image", &[Form::Packed], |s, text| {
        change(text, |root| {
            root["images"] = json!([]);
            let meshes = root["meshes"].as_array_mut().expect("meshes");
            meshes.iter_mut().for_each(|mesh| mesh["imageIdx"] = json!(-1));
        });
        s.expect_at("", Some(16 + text.len()), "the file contains a picture");
        s.also("no-atlas", "imageCount", "the meshes have no image");
    }),
];

/// A pointer to a random number, and whether it may have a fraction.
fn number(s: &mut Subject) -> (String, bool) {
    if s.below(3) > 0 {
        return number_of_object(s);
    }
    let (mesh, vertex) = s.vertex();
    let (path, is_float) = match s.below(3) {
        0 => (format!("meshes[{mesh}].indices[{}]", s.below(s.file.meshes[mesh].index_count())), false),
        1 => (format!("meshes[{mesh}].vertices[{vertex}].boneIds[0]"), false),
        _ => (format!("meshes[{mesh}].vertices[{vertex}].boneWeights[0]"), true),
    };
    (pointer(&path, s.form.is_pachario()), is_float)
}

/// Like [`number`], but the number has a key that every object of its kind contains.
fn number_of_object(s: &mut Subject) -> (String, bool) {
    let (bone, animation) = (s.bone(), s.below(5));
    let (mesh, vertex) = s.vertex();
    let frame = s.frame(animation);
    let (path, is_float) = match s.below(7) {
        0 => ("fps".to_owned(), false),
        1 => (format!("images[0].{}", s.one_of(&["width", "height"])), false),
        2 => (format!("bones[{bone}].parent"), false),
        3 => (format!("animations[{animation}].frames[{frame}][{bone}].zOrder"), false),
        4 | 5 => (format!("meshes[{mesh}].vertices[{vertex}].{}", s.one_of(&["x", "y", "u", "v"])), true),
        _ => {
            let field = s.one_of(&["x", "y", "rotation", "scaleX", "scaleY"]);
            (format!("animations[{animation}].frames[{frame}][{bone}].{field}"), true)
        }
    };
    (pointer(&path, s.form.is_pachario()), is_float)
}

fn bone(form: Form) -> &'static str {
    if form.is_pachario() { r#"{"name": "b", "parentIdx": -1}"# } else { r#"{"name": "b", "parent": -1}"# }
}

fn vertex(form: Form) -> &'static str {
    if form.is_pachario() {
        r#"{"x": 0, "y": 0, "u": 0, "v": 0, "bones": []}"#
    } else {
        r#"{"x": 0, "y": 0, "u": 0, "v": 0, "boneIds": [], "boneWeights": []}"#
    }
}

/// Expects a wrong value, reported at its offset and with line and column in the message.
fn wrong_value(s: &mut Subject, text: &[u8], path: String, at: usize, says: &str) {
    s.expect_at(path, Some(s.form.text_at() + at), says);
    let expected = s.expected.last_mut().expect("it is expected");
    expected.says_too = format!("({})", position(text, at));
}

fn position(text: &[u8], at: usize) -> String {
    let before = std::str::from_utf8(&text[..at]).expect("UTF-8 so far");
    let line = before.rsplit('\n').next().expect("a line");
    format!("line {}, column {}", before.matches('\n').count() + 1, line.chars().count() + 1)
}

// ---- Editing the text through its value.

/// Placeholder for a value until its text is inserted.
const MARK: &str = "placeholder";

/// Edits the text through its value, and writes one line per object.
fn change(text: &mut Vec<u8>, change: impl FnOnce(&mut Value)) {
    let mut root: Value = serde_json::from_slice(text).expect("JSON");
    change(&mut root);
    // No text in the knight contains brackets.
    *text = root.to_string().replace("},{", "},\n{").into_bytes();
}

/// Replaces the value at `pointer` with the text `by`, and returns its offset.
fn replace(text: &mut Vec<u8>, pointer: &str, by: &str) -> usize {
    change(text, |root| *root.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = json!(MARK));
    let mark = json!(MARK).to_string();
    let at = text.windows(mark.len()).position(|window| window == mark.as_bytes()).expect("the mark");
    text.splice(at..at + mark.len(), by.bytes());
    at
}

/// Offset of an object in a text written by [`change`].
fn find(text: &[u8], pointer: &str) -> usize {
    let mut marked = text.to_vec();
    change(&mut marked, |root| *root.pointer_mut(pointer).expect("an object") = json!({ MARK: 0 }));
    let mark = json!({ MARK: 0 }).to_string();
    marked.windows(mark.len()).position(|window| window == mark.as_bytes()).expect("the mark")
}

/// Removes a key, and returns the offset of its object.
fn without(text: &mut Vec<u8>, object: &str, key: &str) -> usize {
    change(text, |root| {
        let object = root.pointer_mut(object).and_then(Value::as_object_mut).expect("an object");
        object.remove(key).expect("the key");
    });
    find(text, object)
}

/// The containers that a reader was in when the text ended.
enum Inside {
    /// A list, with its number of complete items.
    List(usize),
    /// An object, with the key whose value is incomplete.
    Object(Option<String>),
}

/// The pointer that a reader reports at the end of a truncated text: the next item of a list, the value of a key,
/// or an object that lacks the next key.
fn end_of(text: &[u8]) -> String {
    let text = std::str::from_utf8(text).expect("the knight's names are ASCII");
    let mut inside: Vec<Inside> = Vec::new();
    let mut rest = text;
    // After a complete value, a list has another item and an object waits for its next key.
    let is_whole = |inside: &mut Vec<Inside>| match inside.last_mut() {
        Some(Inside::List(count)) => *count += 1,
        Some(Inside::Object(key)) => *key = None,
        None => {}
    };
    while let Some(first) = rest.chars().next() {
        let mut len = 1;
        match first {
            '[' => inside.push(Inside::List(0)),
            '{' => inside.push(Inside::Object(None)),
            ']' | '}' => {
                inside.pop();
                is_whole(&mut inside);
            }
            '"' => {
                // No name in the knight contains escapes.
                let Some(end) = rest[1..].find('"') else { break };
                len = end + 2;
                let is_key = rest[len..].trim_start().starts_with(':');
                match inside.last_mut() {
                    // Without the colon, the object still waits for a key.
                    Some(Inside::Object(key @ None)) if is_key => *key = Some(rest[1..=end].to_owned()),
                    Some(Inside::Object(None)) => {}
                    _ => is_whole(&mut inside),
                }
            }
            '-' | '0'..='9' | 'a'..='z' => {
                len = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).unwrap_or(rest.len());
                if serde_json::from_str::<Value>(&rest[..len]).is_ok() {
                    is_whole(&mut inside);
                }
            }
            _ => {}
        }
        rest = &rest[len..];
    }
    let word = |inside: &Inside| match inside {
        Inside::List(count) => format!("/{count}"),
        Inside::Object(Some(key)) => format!("/{key}"),
        Inside::Object(None) => String::new(),
    };
    // Weights are read as a whole.
    let weights = inside.iter().position(|it| matches!(it, Inside::Object(Some(key)) if key == "boneWeights"));
    inside.truncate(weights.map_or(inside.len(), |at| at + 1));
    inside.iter().map(word).collect()
}
