//! Damages JSON text structurally: replaces values by ones that break readers, drops, renames and duplicates keys,
//! and lengthens lists. Everything else is preserved, so that the damage reaches deep code.
//!
//! Input: any bytes. Invalid JSON is followed as far as possible.

use std::ops::Range;

use super::random::Random;

/// A value, or a key with its value, as byte ranges of the text.
struct Item {
    key: Option<Range<usize>>,
    value: Range<usize>,
}

impl Item {
    /// Returns the range of key and value.
    fn whole(&self) -> Range<usize> {
        self.key.as_ref().map_or(self.value.start, |key| key.start)..self.value.end
    }
}

/// The vocabulary of a format.
pub struct Words {
    /// Values specific to the format.
    values: &'static [&'static str],
    keys: &'static [&'static str],
}

/// Vocabulary of the JSON forms of PCHR.
pub const PCHR: Words = Words { values: &VALUES, keys: &WORDS };

/// Vocabulary of Spine.
pub const SPINE: Words = Words { values: &SPINE_VALUES, keys: &SPINE_WORDS };

/// Vocabulary of SkelForm.
pub const SKELFORM: Words = Words { values: &SKELFORM_VALUES, keys: &SKELFORM_WORDS };

/// Vocabulary of Adobe Animate.
pub const ANIMATE: Words = Words { values: &ANIMATE_VALUES, keys: &ANIMATE_WORDS };

/// Vocabulary of the results of `pchr test`.
pub const RESULTS: Words = Words { values: &RESULTS_VALUES, keys: &RESULTS_WORDS };

/// Vocabulary of messages to `pchr mcp`.
pub const MCP: Words = Words { values: &MCP_VALUES, keys: &MCP_WORDS };

const MCP_VALUES: [&str; 24] = [
    "0",
    "-1",
    "1e400",
    "18446744073709551616",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"-\"",
    "\".\"",
    "\"..\"",
    "\"../private/secret.json\"",
    "\"/etc/passwd\"",
    "\"*.pchr\"",
    "\"knight.pchr\"",
    "\"paper-lamp.json\"",
    "\"a/b/c.pchr\"",
    "\"--help\"",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "\"all\"",
    "\"9999x1\"",
    "\"notifications/cancelled\"",
];

const MCP_WORDS: [&str; 20] = [
    "jsonrpc",
    "id",
    "method",
    "params",
    "name",
    "arguments",
    "path",
    "atlas",
    "output",
    "force",
    "requestId",
    "_meta",
    "animations",
    "skins",
    "size",
    "grid",
    "to",
    "fps",
    "only",
    "cursor",
];

/// Values that readers do not expect or handle wrongly.
const VALUES: [&str; 48] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "4",
    "0.5",
    "255",
    "256",
    "32767",
    "32768",
    "-32768",
    "-32769",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775808",
    "18446744073709551616",
    "-9223372036854775809",
    "1e-46",
    "1e-400",
    "1.17549435e-38",
    "1e20",
    "-1e38",
    "3.4028235e38",
    "-3.4028235e38",
    "3.4028236e38",
    "1e39",
    "1e309",
    "1e99999999999",
    "0.1000000000000000055511151231257827021181583404541015625",
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "NaN",
    "-",
    "\"\"",
    "\"bind\"",
    "\"atlas.png\"",
    "\"../atlas.png\"",
    "\"rgba8888\"",
    "\"\\ud834\\udd1e\\u0000\"",
    "\"\\ud800\"",
    "{\"idx\": 1, \"weight\": 0.25}",
];

/// Keys of both PCHR forms.
const WORDS: [&str; 36] = [
    "version",
    "fps",
    "flags",
    "images",
    "bones",
    "meshes",
    "animations",
    "name",
    "width",
    "height",
    "format",
    "path",
    "parent",
    "parentIdx",
    "image",
    "imageIdx",
    "vertices",
    "indices",
    "triangles",
    "x",
    "y",
    "u",
    "v",
    "boneIds",
    "boneWeights",
    "idx",
    "weight",
    "loop",
    "frames",
    "rotation",
    "scaleX",
    "scaleY",
    "visible",
    "zOrder",
    "",
    "~1/",
];

/// Values with a meaning in Adobe Animate.
const ANIMATE_VALUES: [&str; 24] = [
    "0",
    "1",
    "-1",
    "0.5",
    "16777215",
    "4294967296",
    "-107374182.4",
    "1e38",
    "1e400",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"main\"",
    "\"arm\"",
    "\"0000\"",
    "\"MC\"",
    "\"PO\"",
    "\"SF\"",
    "\"Clp\"",
    "\"hole\"",
    "[1e6, 0, 0, 1e6, 0, 0]",
    "[0, 0, 0, 0, 0, 0]",
];

/// Keys of Adobe Animate.
const ANIMATE_WORDS: [&str; 24] = [
    "AN",
    "ANIMATION",
    "SD",
    "S",
    "TL",
    "L",
    "LT",
    "Clpb",
    "FR",
    "I",
    "DU",
    "E",
    "SI",
    "ASI",
    "SN",
    "ST",
    "FF",
    "LP",
    "MX",
    "M3D",
    "C",
    "B",
    "F",
    "bitmap",
];

/// Values with a meaning in SkelForm.
const SKELFORM_VALUES: [&str; 28] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "65535",
    "65536",
    "4294967296",
    "1e38",
    "1e400",
    "null",
    "true",
    "[]",
    "{}",
    "\"PositionX\"",
    "\"Rotation\"",
    "\"ScaleY\"",
    "\"Texture\"",
    "\"Hidden\"",
    "\"Zindex\"",
    "\"IkConstraint\"",
    "\"CounterClockwise\"",
    "\"FABRIK\"",
    "\"Arc\"",
    "\"JPG\"",
    "\"atlas0.png\"",
    "{\"x\":999,\"y\":999}",
    "{\"x\":0,\"y\":-1}",
];

/// Keys of SkelForm.
const SKELFORM_WORDS: [&str; 16] = [
    "armature",
    "bones",
    "visuals",
    "visuals_id",
    "parent_id",
    "ik_family_id",
    "ik_root_ids",
    "bone_ids",
    "target_id",
    "binds",
    "is_path",
    "keyframes",
    "frame",
    "element_str",
    "physics_id",
    "atlases",
];

/// Like [`VALUES`], for Spine.
const SPINE_VALUES: [&str; 66] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "0.5",
    "3",
    "64",
    "180",
    "-179.99",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "1e-46",
    "1e20",
    "-1e38",
    "3.4028235e38",
    "1e39",
    "1e309",
    "16777217",
    "0.1000000000000000055511151231257827021181583404541015625",
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "[{}]",
    "{\"\":{}}",
    "[0,0,1,1]",
    "[0.25,0,0.75,1]",
    "\"\"",
    "\"stepped\"",
    "\"linear\"",
    "\"default\"",
    "\"root\"",
    "\"mesh\"",
    "\"linkedmesh\"",
    "\"path\"",
    "\"clipping\"",
    "\"point\"",
    "\"noScale\"",
    "\"chainScale\"",
    "\"percent\"",
    "\"ff00ff80\"",
    "\"\\ud834\\udd1e\\u0000\"",
    "\"../page.png\"",
    "\"4.2.43\"",
    "\"4.0\"",
    "\"pingpongReverse\"",
    "\"once\"",
    "\"proportional\"",
    "[0,0,1,1,0.5,2,1,-1]",
    "1e9",
    "2147483647",
    "-2147483648",
    "{\"count\":3,\"setup\":9}",
    "\"4.3.05\"",
    "\"3.4.02\"",
    "\"2.1.27\"",
    "\"skinnedmesh\"",
    "\"fff\"",
    "\"slider\"",
    "\"transform\"",
    "\"volume\"",
    "\"scaleX\"",
    "{\"rotate\":{\"to\":{\"x\":{}}}}",
];

/// Keys of Spine.
const SPINE_WORDS: [&str; 122] = [
    "flipX",
    "flipY",
    "ffd",
    "inheritRotation",
    "inheritScale",
    "skeleton",
    "spine",
    "fps",
    "images",
    "bones",
    "slots",
    "ik",
    "transform",
    "path",
    "skins",
    "events",
    "animations",
    "name",
    "parent",
    "length",
    "rotation",
    "x",
    "y",
    "scaleX",
    "scaleY",
    "shearX",
    "shearY",
    "skin",
    "bone",
    "attachment",
    "attachments",
    "color",
    "dark",
    "light",
    "twoColor",
    "blend",
    "order",
    "target",
    "mix",
    "softness",
    "bendPositive",
    "stretch",
    "uniform",
    "local",
    "relative",
    "spacing",
    "position",
    "rotateMix",
    "type",
    "vertices",
    "vertexCount",
    "uvs",
    "triangles",
    "hull",
    "deform",
    "closed",
    "constantSpeed",
    "lengths",
    "end",
    "time",
    "angle",
    "curve",
    "offset",
    "offsets",
    "drawOrder",
    "physics",
    "rgba",
    "rgb",
    "rgba2",
    "rgb2",
    "alpha",
    "translatex",
    "scaley",
    "shearx",
    "value",
    "inherit",
    "sequence",
    "count",
    "digits",
    "setup",
    "start",
    "delay",
    "mode",
    "index",
    "timelines",
    "referenceScale",
    "inertia",
    "strength",
    "damping",
    "mass",
    "wind",
    "gravity",
    "limit",
    "rotate",
    "reset",
    "mixRotate",
    "mixX",
    "mixScaleY",
    "mixShearY",
    "inertiaGlobal",
    "massGlobal",
    "visible",
    "icon",
    "constraints",
    "slider",
    "source",
    "slot",
    "properties",
    "from",
    "to",
    "max",
    "scale",
    "loop",
    "additive",
    "clamp",
    "localSource",
    "localTarget",
    "property",
    "animation",
    "drawOrderFolder",
    "inverse",
    "convex",
];

/// Values with a meaning in results.
const RESULTS_VALUES: [&str; 32] = [
    "0",
    "1",
    "-1",
    "2",
    "70",
    "255",
    "256",
    "100001",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "-0.0",
    "0.5",
    "1e308",
    "1e309",
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "[4294967295,4294967295]",
    "[0,0,4294967295,4294967295]",
    "{\"pixels\":18446744073709551615,\"worst\":255}",
    "{\"count\":1,\"pictures\":1,\"shard\":1}",
    "\"same\"",
    "\"different\"",
    "\"missing\"",
    "\"resized\"",
    "\"unreadable\"",
    "\"updated\"",
    "\"picture.png\"",
];

/// Keys of results.
const RESULTS_WORDS: [&str; 22] = [
    "failures",
    "frames",
    "schema",
    "shard",
    "summary",
    "character",
    "code",
    "exit_code",
    "index",
    "message",
    "animation",
    "diff",
    "difference",
    "frame",
    "name",
    "now",
    "reference",
    "reference_size",
    "seconds",
    "size",
    "verdict",
    "rect",
];

/// Maximum length of the text.
const MOST: usize = 1 << 16;

/// Makes one change to `text`, if possible, with the `words` of its format.
pub fn damage_json(text: &mut Vec<u8>, words: &Words, random: &mut Random) {
    let items = items(text);
    if items.is_empty() {
        return;
    }
    // Most items are numbers: half of the time another kind is chosen.
    let mut chosen = &items[random.below(items.len())];
    for _ in 0..random.below(2) * 16 {
        if chosen.key.is_none() && !matches!(text[chosen.value.start], b'[' | b'{') {
            chosen = &items[random.below(items.len())];
        }
    }
    let whole = chosen.whole();
    let word = |random: &mut Random| format!("\"{}\"", words.keys[random.below(words.keys.len())]);
    let value = |random: &mut Random| words.values[random.below(words.values.len())].to_owned();
    match random.below(14) {
        0 | 1 => replace(text, chosen.value.clone(), value(random).as_bytes()),
        // Copy a value from another place.
        2 => {
            let other = text[items[random.below(items.len())].value.clone()].to_vec();
            replace(text, chosen.value.clone(), &other);
        }
        // Remove the item and its comma.
        3 => {
            let comma = text[whole.end..].iter().position(|byte| !byte.is_ascii_whitespace());
            let end = comma.map(|at| whole.end + at).filter(|&at| text[at] == b',').map_or(whole.end, |at| at + 1);
            drop(text.drain(whole.start..end));
        }
        // Repeat the item once or many times.
        4 => {
            let once = [b",", &text[whole.clone()]].concat();
            let times = [1, 1, 2, 5, 300][random.below(5)];
            replace(text, whole.end..whole.end, &once.repeat(times.min(MOST / once.len())));
        }
        5 => {
            if let Some(key) = chosen.key.clone() {
                replace(text, key, word(random).as_bytes());
            }
        }
        // Insert a new key or value.
        6 => {
            let mut new = if chosen.key.is_some() { word(random) + ":" } else { String::new() };
            new += &(value(random) + ",");
            replace(text, whole.start..whole.start, new.as_bytes());
        }
        7 => {
            let inner = &text[chosen.value.clone()];
            let outer = if random.below(2) == 0 { [b"[", inner, b"]"] } else { [b"{\"x\":", inner, b"}"] };
            let outer = outer.concat();
            replace(text, chosen.value.clone(), &outer);
        }
        8 => {
            let at = chosen.value.start + random.below(chosen.value.len());
            text[at] = b"-.e,:\"\\ {}[]"[random.below(12)];
        }
        // Change a digit: numbers remain plausible numbers.
        _ => {
            let place = (0..16).map(|_| random.below(text.len())).find(|&at| text[at].is_ascii_digit());
            if let Some(at) = place {
                text[at] = b"001123456789"[random.below(12)];
            }
        }
    }
}

/// Replaces `range` by `new`, unless the text would become too long.
fn replace(text: &mut Vec<u8>, range: Range<usize>, new: &[u8]) {
    if text.len() - range.len() + new.len() <= MOST.max(text.len()) {
        text.splice(range, new.iter().copied());
    }
}

/// Returns every value of `text`, inner ones before outer ones.
fn items(text: &[u8]) -> Vec<Item> {
    let (mut items, mut open, mut key, mut at) = (Vec::new(), Vec::new(), None, 0);
    while let Some(&byte) = text.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' | b'[' => open.push((start, key.take())),
            b'}' | b']' => {
                if let Some((start, key)) = open.pop() {
                    items.push(Item { key, value: start..at });
                }
            }
            b'"' => {
                at = end_of_string(text, at);
                let next = text[at..].iter().position(|byte| !byte.is_ascii_whitespace()).map(|next| at + next);
                match next.filter(|&next| text[next] == b':') {
                    Some(colon) => {
                        key = Some(start..at);
                        at = colon + 1;
                    }
                    None => items.push(Item { key: key.take(), value: start..at }),
                }
            }
            b',' | b':' => {}
            _ if byte.is_ascii_whitespace() => {}
            _ => {
                let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",:]}[{\"".contains(byte);
                at += text[at..].iter().position(is_end).unwrap_or(text.len() - at);
                items.push(Item { key: key.take(), value: start..at });
            }
        }
    }
    items
}

/// Returns the offset after the quote that ends the string around `at`.
fn end_of_string(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        at += if byte == b'\\' { 2 } else { 1 };
        if byte == b'"' {
            break;
        }
    }
    at.min(text.len())
}
