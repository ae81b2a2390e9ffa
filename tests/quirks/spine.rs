//! Small Spine skeletons, one for each error and finding of the reader.

use pchr::formats::ReadOptions;
use pchr::formats::image::encode_png;

use super::{Fixture, folder};

/// A skeleton without findings.
pub const SKELETON: &str = r#"{
  "skeleton": {"hash": "quirk", "spine": "3.8.99", "images": "./images/"},
  "bones": [
    {"name": "root"},
    {"name": "arm", "parent": "root", "length": 10},
    {"name": "hand", "parent": "arm", "length": 5, "x": 10},
    {"name": "goal", "parent": "root", "x": 12, "y": 4}
  ],
  "slots": [
    {"name": "body", "bone": "root", "attachment": "body"},
    {"name": "cut", "bone": "root", "attachment": "cut"},
    {"name": "arm", "bone": "arm", "attachment": "arm", "color": "ff8000ff", "dark": "102030"},
    {"name": "way", "bone": "root", "attachment": "way"}
  ],
  "ik": [{"name": "reach", "bones": ["arm", "hand"], "target": "goal"}],
  "transform": [{"name": "copy", "order": 2, "bones": ["hand"], "target": "goal", "rotateMix": 0.5}],
  "path": [{"name": "follow", "order": 1, "bones": ["goal"], "target": "way", "position": 0.5}],
  "skins": [
    {"name": "default", "attachments": {
      "body": {"body": {"width": 8, "height": 8}},
      "cut": {"cut": {"type": "clipping", "end": "arm", "vertexCount": 3, "vertices": [-9, -9, 9, -9, 0, 9]}},
      "arm": {
        "arm": {
          "type": "mesh", "uvs": [0, 1, 1, 1, 0.5, 0], "triangles": [0, 1, 2], "hull": 3,
          "vertices": [1, 1, 0, 0, 1, 1, 2, 5, 0, 1, 2, 1, 5, 2, 0.5, 2, -5, 2, 0.5]
        },
        "sleeve": {"type": "linkedmesh", "parent": "arm"}
      },
      "way": {"way": {"type": "path", "vertexCount": 6, "lengths": [15, 30], "vertices": [0, 0, 0, 0, 5, 0, 10, 0, 15, 0, 15, 0]}}
    }},
    {"name": "glove", "attachments": {"arm": {"glove": {"path": "arm", "width": 2, "height": 2}}}, "bones": ["hand"], "ik": ["reach"]}
  ],
  "events": {"step": {"int": 1}},
  "animations": {
    "wave": {
      "slots": {"arm": {
        "attachment": [{"name": "sleeve"}, {"time": 1, "name": null}],
        "color": [{"color": "ffffffff"}, {"time": 1, "color": "ffffff80"}]
      }},
      "bones": {"arm": {"rotate": [{}, {"time": 0.5, "angle": 30, "curve": 0.25, "c3": 0.75}, {"time": 1}]}},
      "ik": {"reach": [{"mix": 0.5}]},
      "transform": {"copy": [{"rotateMix": 0.25}]},
      "path": {"follow": {"position": [{"position": 0.5}, {"time": 1, "position": 1}]}},
      "deform": {"default": {"arm": {"arm": [{"vertices": [1, 0]}, {"time": 1}]}}},
      "drawOrder": [{"time": 0.5, "offsets": [{"slot": "body", "offset": 2}]}],
      "events": [{"time": 0.5, "name": "step"}]
    }
  }
}
"#;

/// Its atlas.
pub const ATLAS: &str =
    "page.png\nsize: 4, 4\nbody\nbounds: 0, 0, 4, 4\narm\nbounds: 1, 1, 2, 2\nsleeve\nbounds: 2, 2, 2, 2\n";

macro_rules! rest_of_2_1 {
    () => {
        r#""bones": [
            {"name": "root", "flipX": true},
            {"name": "arm", "parent": "root", "length": 10},
            {"name": "goal", "parent": "root", "x": 12, "y": 4}
          ],
          "slots": [{"name": "arm", "bone": "arm", "attachment": "arm", "additive": true}],
          "ik": [{"name": "reach", "bones": ["arm"], "target": "goal", "bendPositive": 0}],
          "skins": {"default": {"arm": {
            "arm": {
              "type": "skinnedmesh", "uvs": [0, 1, 1, 1, 0.5, 0], "triangles": [0, 1, 2], "hull": 3,
              "vertices": [1, 1, 0, 0, 1, 1, 1, 5, 0, 1, 2, 1, 5, 2, 0.5, 0, -5, 2, 0.5]
            },
            "sleeve": {"type": "mesh", "uvs": [0, 0, 1, 0, 0, 1], "triangles": [0, 1, 2], "vertices": [0, 0, 4, 0, 0, 4], "hull": 3}
          }}},
          "animations": {"wave": {
            "bones": {"arm": {"flipY": [{"time": 0, "y": true}, {"time": 0.5, "y": 0}]}},
            "ik": {"reach": [{"time": 0, "bendPositive": 1}]},
            "ffd": {"default": {"arm": {"arm": [{"time": 0, "vertices": [1, 0]}]}}},
            "draworder": [{"time": 0.5}]
          }}
        }"#
    };
}

/// A quirk.
struct Quirk {
    name: &'static str,
    /// Replacements in the skeleton.
    skeleton: &'static [(&'static str, &'static str)],
    /// Replacements in the atlas.
    atlas: &'static [(&'static str, &'static str)],
    /// The files beside it.
    beside: Beside,
}

#[derive(Clone, Copy, PartialEq)]
enum Beside {
    Everything,
    Nothing,
    AtlasAlone,
    AtlasAsText,
    BrokenPage,
    LargePage,
    PremultipliedPage,
    /// The page has this content.
    Page(&'static [u8]),
    /// A different file: name and content.
    Other(&'static str, &'static [u8]),
}

/// The pointer that Git LFS stores in place of a file.
pub const LFS_POINTER: &[u8] =
    b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

const fn skeleton(name: &'static str, skeleton: &'static [(&'static str, &'static str)]) -> Quirk {
    Quirk { name, skeleton, atlas: &[], beside: Beside::Everything }
}

const fn atlas(name: &'static str, atlas: &'static [(&'static str, &'static str)]) -> Quirk {
    Quirk { name, skeleton: &[], atlas, beside: Beside::Everything }
}

const fn beside(name: &'static str, beside: Beside) -> Quirk {
    Quirk { name, skeleton: &[], atlas: &[], beside }
}

/// A skeleton of 2.1.
const OF_2_1: &str = concat!(r#"{"skeleton": {"images": "./images/", "spine": "2.1.27"}, "#, rest_of_2_1!());

/// The same, as converters write it.
const WITHOUT_HEAD: &str = concat!("{", rest_of_2_1!());

/// A binary skeleton of 3.0: a bone alone.
const OF_3_0: &[u8] = b"\0\x073.0.10\0\0\0\0\0\0\0\0\0\x01\x05root\
    \0\0\0\0\0\0\0\0\x3f\x80\0\0\x3f\x80\0\0\0\0\0\0\0\0\0\0\x01\x01\0\0\0\0\0\0\0";
const MORE_THAN_3_0: &[u8] = b"\0\x073.0.10\0\0\0\0\0\0\0\0\0\x01\x05root\
    \0\0\0\0\0\0\0\0\x3f\x80\0\0\x3f\x80\0\0\0\0\0\0\0\0\0\0\x01\x01\0\0\0\0\0\0\0more";

/// The skeleton as one of Spine 4.1 or 4.2, with more replacements.
macro_rules! of_4 {
    ($version:literal $(, $replacement:expr)*) => {
        &[
            ("\"3.8.99\"", concat!("\"", $version, "\"")),
            ("\"rotateMix\": 0.5", "\"mixRotate\": 0.5"),
            ("\"rotateMix\": 0.25", "\"mixRotate\": 0.25"),
            ("\"color\": [", "\"rgba\": ["),
            ("\"angle\": 30, \"curve\": 0.25, \"c3\": 0.75", "\"value\": 30"),
            ("[{\"position\": 0.5}, {\"time\": 1, \"position\": 1}]", "[{\"value\": 0.5}, {\"time\": 1, \"value\": 1}]"),
            (
                "\"deform\": {\"default\": {\"arm\": {\"arm\": [{\"vertices\": [1, 0]}, {\"time\": 1}]}}}",
                "\"attachments\": {\"default\": {\"arm\": {\"arm\": {\"deform\": [{\"vertices\": [1, 0]}, {\"time\": 1}]}}, \
                 \"body\": {\"body\": {\"sequence\": [{\"mode\": \"loop\", \"delay\": 0.25}]}}}}",
            ),
            $($replacement),*
        ]
    };
}

/// The skeleton as one of Spine 4.1, whose attachment `body` has this sequence.
macro_rules! with_sequence {
    ($sequence:literal) => {
        of_4!(
            "4.1.24",
            ("\"width\": 8, \"height\": 8", concat!("\"width\": 8, \"height\": 8, \"sequence\": ", $sequence),)
        )
    };
}

/// The skeleton as one of Spine 4.2, whose hand swings. The physics constraint has these fields.
macro_rules! with_physics {
    ($fields:literal) => {
        of_4!(
            "4.2.40",
            (
                "\"path\": [{",
                concat!("\"physics\": [{\"name\": \"swing\", \"order\": 3, ", $fields, "}],\n  \"path\": [{")
            )
        )
    };
}

/// The skeleton as one of Spine 4.3, with these properties of its transform constraint and these other constraints.
macro_rules! with_constraints {
    ($properties:literal, $others:literal $(, $replacement:expr)*) => {
        of_4!(
            "4.3.05",
            (
                "\"ik\": [{\"name\": \"reach\", \"bones\": [\"arm\", \"hand\"], \"target\": \"goal\"}],\n  \
                 \"transform\": [{\"name\": \"copy\", \"order\": 2, \"bones\": [\"hand\"], \"target\": \"goal\", \"mixRotate\": 0.5}],\n  \
                 \"path\": [{\"name\": \"follow\", \"order\": 1, \"bones\": [\"goal\"], \"target\": \"way\", \"position\": 0.5}],",
                concat!(
                    "\"constraints\": [\n    {\"type\": \"ik\", \"name\": \"reach\", \"bones\": [\"arm\", \"hand\"], \"target\": \"goal\"},\n    \
                     {\"type\": \"path\", \"name\": \"follow\", \"bones\": [\"goal\"], \"slot\": \"way\", \"position\": 0.5},\n    \
                     {\"type\": \"transform\", \"name\": \"copy\", \"bones\": [\"hand\"], \"source\": \"goal\", \"properties\": ",
                    $properties,
                    "}",
                    $others,
                    "\n  ],"
                )
            ),
            ("\"linkedmesh\", \"parent\": \"arm\"", "\"linkedmesh\", \"source\": \"arm\"")
            $(, $replacement)*
        )
    };
}

/// Three pictures of `body`, and a part of one.
const BODIES: (&str, &str) = (
    "body\n",
    "body07\nbounds: 0, 0, 2, 2\noffsets: 1, 0, 4, 4\nbody08\nbounds: 0, 2, 2, 2\nrotate: 90\nbody09\n",
);

const QUIRKS: &[Quirk] = &[
    skeleton("plain", &[]),
    // The file as a whole.
    skeleton("version-4", &[("\"3.8.99\"", "\"4.1.17\"")]),
    skeleton(
        "version-4-with-keys-of-3-8",
        of_4!("4.2.40", ("{\"arm\": {\"rotate\": [{},", "{\"arm\": {\"rotate\": [{\"angle\": 10},")),
    ),
    skeleton(
        "version-4-with-curves-of-3-8",
        of_4!("4.2.40", ("{\"reach\": [{\"mix\": 0.5}]}", "{\"reach\": [{\"mix\": 0.5, \"curve\": 0.25}, {\"time\": 1}]}")),
    ),
    skeleton("version-3-8-with-keys-of-4", &[("\"color\": [", "\"rgba\": [")]),
    skeleton("version-of-3-5", &[("\"3.8.99\"", "\"3.5.51\"")]),
    skeleton("version-of-3-6", &[("\"3.8.99\"", "\"3.6.53\"")]),
    skeleton(
        "version-of-3-5-with-flip",
        &[("\"3.8.99\"", "\"3.5.51\""), ("{\"arm\": {\"rotate\"", "{\"arm\": {\"flipX\": [{\"x\": true}], \"rotate\"")],
    ),
    skeleton(
        "version-of-3-5-with-foreign-key",
        &[("\"3.8.99\"", "\"3.5.51\""), ("\"skins\": [", "\"skinsName\": \"red\", \"skins\": [")],
    ),
    skeleton(
        "version-of-3-4-inherits-scale-alone",
        &[
            ("\"3.8.99\"", "\"3.4.02\""),
            ("\"parent\": \"arm\", ", "\"parent\": \"arm\", \"inheritRotation\": false, "),
        ],
    ),
    skeleton(
        "version-of-3-4-inherits-rotation-alone",
        &[
            ("\"3.8.99\"", "\"3.4.02\""),
            ("\"parent\": \"arm\", ", "\"parent\": \"arm\", \"inheritScale\": false, "),
        ],
    ),
    skeleton("version-4-4", of_4!("4.4.05")),
    skeleton("constraint-lists-in-4-3", of_4!("4.3.05")),
    skeleton("number-as-boolean", &[("\"target\": \"goal\"}],", "\"target\": \"goal\", \"bendPositive\": 1}],")]),
    skeleton("version-2", &[("\"3.8.99\"", "\"2.1.27\"")]),
    skeleton("version-2-1", &[(SKELETON, OF_2_1)]),
    skeleton("version-missing-of-2-1", &[(SKELETON, WITHOUT_HEAD)]),
    skeleton("version-3-3", &[("\"3.8.99\"", "\"3.3.07\"")]),
    skeleton(
        "colors-too-short",
        &[
            ("\"3.8.99\"", "\"3.4.02\""),
            ("\"ff8000ff\"", "\"F80\""),
            ("\"ffffff80\"", "\"FFFFFF8\""),
            ("\"path\": \"arm\", \"width\": 2", "\"path\": \"arm\", \"color\": \"F0F\", \"width\": 2"),
        ],
    ),
    skeleton("version-from-4", &[("\"3.8.99\"", "\"3.8-from-4.0.64\"")]),
    skeleton("version-dev", &[("\"3.8.99\"", "\"Dev\"")]),
    skeleton("version-missing", &[("\"spine\": \"3.8.99\", ", "")]),
    skeleton(
        "version-missing-of-4",
        &[("\"spine\": \"3.8.99\", ", ""), ("\"angle\": 30, \"curve\": 0.25, \"c3\": 0.75", "\"value\": 30")],
    ),
    skeleton(
        "version-missing-with-curve-of-4",
        &[
            ("\"spine\": \"3.8.99\", ", ""),
            ("\"angle\": 30, \"curve\": 0.25, \"c3\": 0.75", "\"angle\": 30, \"curve\": [0.6, 30, 1.5, 0]"),
        ],
    ),
    beside("binary", Beside::Other("input.skel", b"\x0aqQuirkHsh\x073.8.75\0\0\0\0")),
    beside("binary-of-3-0", Beside::Other("input.skel", OF_3_0)),
    beside("binary-of-3-0-with-more", Beside::Other("input.skel", MORE_THAN_3_0)),
    beside("binary-of-2", Beside::Other("input.skel", b"\0\x072.1.27\0\0\0\0")),
    // Files that are not skeletons.
    beside("git-lfs-pointer", Beside::Other("input.pchr", LFS_POINTER)),
    beside("git-conflict", Beside::Other("input.json", b"<<<<<<< HEAD\n{\"skeleton\": {}}\n=======\n{}\n>>>>>>> other\n")),
    beside("markdown-fence", Beside::Other("input.json", b"```json\n{\"skeleton\": {\"spine\": \"4.2.40\"}}\n```\n")),
    skeleton("git-conflict-inside", &[("\"skins\": [", "\n<<<<<<< HEAD\n\"skins\": [")]),
    beside(
        "dragonbones",
        Beside::Other(
            "input_ske.json",
            br#"{"frameRate":24,"name":"Dragon","version":"5.5","compatibleVersion":"5.5","armature":[{"type":"Armature"}]}"#,
        ),
    ),
    skeleton("key-unknown", &[("\"length\": 5", "\"lenght\": 5")]),
    skeleton(
        "keys-without-content",
        &[
            ("\"spine\": \"3.8.99\"", "\"spine\": \"3.8.99\", \"author\": \"somebody\""),
            ("\"events\": {\"step\"", "\"eventsName\": [], \"events\": {\"step\""),
            ("\"drawOrder\": [", "\"ffd\": {}, \"drawOrder\": ["),
        ],
    ),
    skeleton(
        "empty-lists-for-objects",
        &[
            ("\"attachments\": {\"arm\": {\"glove\": {\"path\": \"arm\", \"width\": 2, \"height\": 2}}}", "\"attachments\": []"),
            ("\"events\": {\"step\": {\"int\": 1}}", "\"events\": []"),
            (",\n      \"events\": [{\"time\": 0.5, \"name\": \"step\"}]", ""),
            ("\"ik\": {\"reach\": [{\"mix\": 0.5}]}", "\"ik\": []"),
        ],
    ),
    skeleton(
        "slot-twice-in-a-skin",
        &[("\"body\": {\"body\": {", "\"body\": {},\n      \"body\": {\"body\": {")],
    ),
    skeleton("number-is-text", &[("\"length\": 5", "\"length\": \"5\"")]),
    skeleton("cut", &[("  \"events\": {\"step\": {\"int\": 1}},\n", "  \"events\": {\"step\": {\"int\": 1}")]),
    skeleton(
        "several-errors",
        &[
            ("\"hand\", \"parent\": \"arm\"", "\"hand\", \"parent\": \"leg\""),
            ("\"bone\": \"arm\"", "\"bone\": \"leg\""),
            ("\"ff8000ff\"", "\"orange\""),
            ("\"target\": \"goal\"}],\n  \"transform\"", "\"target\": \"gaol\"}],\n  \"transform\""),
            ("\"triangles\": [0, 1, 2]", "\"triangles\": [0, 1, 3]"),
            ("\"color\": \"ffffff80\"", "\"color\": \"ffffff8\""),
            ("\"copy\": [{\"rotateMix\": 0.25}]", "\"cope\": [{\"rotateMix\": 0.25}]"),
            ("\"offset\": 2", "\"offset\": 4"),
            ("\"name\": \"step\"", "\"name\": \"stop\""),
        ],
    ),
    // Bones, slots and constraints.
    skeleton(
        "bone-parent-later",
        &[("\"name\": \"arm\", \"parent\": \"root\"", "\"name\": \"arm\", \"parent\": \"hand\"")],
    ),
    skeleton(
        "bone-name-twice",
        &[
            ("{\"name\": \"goal\",", "{\"name\": \"spare\", \"parent\": \"goal\"},\n    {\"name\": \"goal\","),
            ("{\"name\": \"spare\", \"parent\": \"goal\"}", "{\"name\": \"goal\", \"parent\": \"root\"}"),
        ],
    ),
    skeleton(
        "bone-unused",
        &[("{\"name\": \"goal\",", "{\"name\": \"spare\", \"parent\": \"root\"},\n    {\"name\": \"goal\",")],
    ),
    skeleton("slot-without-bone", &[("\"bone\": \"arm\"", "\"bone\": \"leg\"")]),
    skeleton("slot-color", &[("\"ff8000ff\"", "\"orange\"")]),
    skeleton("slot-color-without-alpha", of_4!("4.2.40", ("\"ff8000ff\"", "\"ff8000\""))),
    skeleton("slot-attachment-unknown", &[("\"attachment\": \"body\"", "\"attachment\": \"torso\"")]),
    skeleton(
        "slot-unused",
        &[("{\"name\": \"way\",", "{\"name\": \"hat\", \"bone\": \"arm\"},\n    {\"name\": \"way\",")],
    ),
    skeleton("ik-of-strangers", &[("[\"arm\", \"hand\"], \"target\"", "[\"arm\", \"goal\"], \"target\"")]),
    skeleton("ik-of-three", &[("[\"arm\", \"hand\"], \"target\"", "[\"root\", \"arm\", \"hand\"], \"target\"")]),
    skeleton("transform-of-nothing", &[("\"order\": 2, \"bones\": [\"hand\"]", "\"order\": 2, \"bones\": []")]),
    skeleton(
        "constraints-of-4-3",
        with_constraints!(
            "{\"rotate\": {\"to\": {\"rotate\": {}, \"x\": {\"max\": 5, \"scale\": 0.1}}}}, \"clamp\": true",
            ",\n    {\"type\": \"slider\", \"name\": \"slide\", \"animation\": \"wave\", \"bone\": \"goal\", \"property\": \"x\", \"max\": 1}"
        ),
    ),
    skeleton("properties-none", with_constraints!("{}", "")),
    skeleton(
        "property-unknown",
        with_constraints!("{\"rotate\": {\"to\": {\"rotate\": {}, \"alpha\": {}}}, \"z\": {\"to\": {\"x\": {}}}}", ""),
    ),
    skeleton(
        "property-range-empty",
        with_constraints!("{\"x\": {\"to\": {\"y\": {}, \"scaleY\": {\"offset\": 1}}}}, \"clamp\": true", ""),
    ),
    skeleton(
        "slider-scale-0",
        with_constraints!(
            "{\"x\": {\"to\": {\"x\": {}}}}",
            ",\n    {\"type\": \"slider\", \"name\": \"slide\", \"animation\": \"wave\", \"bone\": \"goal\", \"property\": \"x\", \"scale\": 0}"
        ),
    ),
    skeleton(
        "slider-without-animation",
        with_constraints!(
            "{\"x\": {\"to\": {\"x\": {}}}}",
            ",\n    {\"type\": \"slider\", \"name\": \"slide\"}, {\"type\": \"slider\", \"name\": \"glide\", \"animation\": \"fly\"}"
        ),
    ),
    skeleton(
        "slider-keys-itself",
        with_constraints!(
            "{\"x\": {\"to\": {\"x\": {}}}}",
            ",\n    {\"type\": \"slider\", \"name\": \"slide\", \"animation\": \"wave\"}",
            ("\"ik\": {\"reach\"", "\"slider\": {\"slide\": {\"mix\": [{\"value\": 0.5}]}},\n      \"ik\": {\"reach\"")
        ),
    ),
    skeleton(
        "constraint-name-twice-in-4-3",
        with_constraints!(
            "{\"x\": {\"to\": {\"x\": {}}}}",
            ",\n    {\"type\": \"ik\", \"name\": \"reach\", \"bones\": [\"root\"], \"target\": \"goal\", \"mix\": 0}"
        ),
    ),
    skeleton("constraint-order-gap", of_4!("4.1.24", ("\"order\": 2,", "\"order\": 3,"))),
    skeleton("constraint-order-twice", of_4!("4.2.40", ("\"order\": 1,", "\"order\": 2,"))),
    skeleton("physics", with_physics!("\"bone\": \"hand\", \"rotate\": 1, \"damping\": 0.85")),
    skeleton("physics-without-bone", with_physics!("\"bone\": \"tail\", \"rotate\": 1")),
    skeleton(
        "physics-impossible",
        with_physics!("\"bone\": \"hand\", \"x\": 1, \"fps\": 0, \"limit\": -1, \"mass\": 0, \"damping\": -0.5"),
    ),
    skeleton("physics-too-often", with_physics!("\"bone\": \"hand\", \"rotate\": 1, \"fps\": 1e9")),
    // Attachments.
    skeleton("mesh-hull-of-4-2", of_4!("4.2.40", ("\"hull\": 3", "\"hull\": 2"))),
    skeleton("bone-scaled-in-percent", &[("\"length\": 5", "\"length\": 5, \"scaleX\": 100, \"scaleY\": 100")]),
    skeleton("region-size", &[("\"width\": 8, \"height\": 8", "\"width\": 800, \"height\": 800")]),
    skeleton("mesh-edges", &[("\"hull\": 3", "\"hull\": 3, \"edges\": [0, 1, 1, 2, 2, 0]")]),
    skeleton("mesh-hull-of-4-1", of_4!("4.1.24", ("\"hull\": 3", "\"hull\": 2"))),
    skeleton("linked-mesh-to-itself", &[("\"parent\": \"arm\"}", "\"parent\": \"sleeve\"}")]),
    skeleton("path-without-lengths", &[("\"lengths\": [15, 30]", "\"lengths\": []")]),
    skeleton("path-of-five", &[("\"vertexCount\": 6", "\"vertexCount\": 5"), ("[0, 0, 0, 0, 5,", "[0, 0, 5,")]),
    skeleton(
        "clip-of-two",
        &[(
            "\"vertexCount\": 3, \"vertices\": [-9, -9, 9, -9, 0, 9]",
            "\"vertexCount\": 2, \"vertices\": [-9, -9, 9, -9]",
        )],
    ),
    skeleton("clip-without-end", &[("\"end\": \"arm\"", "\"end\": \"body\"")]),
    skeleton("mesh-weights-cut", &[("-5, 2, 0.5]", "-5, 2]")]),
    skeleton("mesh-weights-sum", &[("-5, 2, 0.5]", "-5, 2, 0.25]")]),
    skeleton("mesh-weight-negative", &[("5, 2, 0.5, 2, -5, 2, 0.5]", "5, 2, 1, 2, -5, 2, -0.5]")]),
    skeleton("mesh-uvs-odd", &[("[0, 1, 1, 1, 0.5, 0]", "[0, 1, 1, 1, 0.5]")]),
    skeleton("mesh-uv-outside", &[("[0, 1, 1, 1, 0.5, 0]", "[0, 1, 1, 1.5, 0.5, 0]")]),
    skeleton("mesh-index-out-of-range", &[("\"triangles\": [0, 1, 2]", "\"triangles\": [0, 1, 3]")]),
    skeleton("mesh-partial-triangle", &[("\"triangles\": [0, 1, 2]", "\"triangles\": [0, 1]")]),
    Quirk {
        atlas: &[BODIES],
        ..skeleton("sequence", with_sequence!("{\"count\": 3, \"start\": 7, \"digits\": 2, \"setup\": 1}"))
    },
    Quirk {
        atlas: &[BODIES],
        ..skeleton("sequence-setup-beyond", with_sequence!("{\"count\": 3, \"start\": 7, \"digits\": 2, \"setup\": 3}"))
    },
    skeleton("sequence-of-none", with_sequence!("{\"count\": 0}")),
    Quirk {
        atlas: &[BODIES],
        ..skeleton("sequence-region-missing", with_sequence!("{\"count\": 5, \"start\": 6, \"digits\": 2}"))
    },
    // Animations.
    skeleton(
        "curve-too-long",
        of_4!("4.2.40", ("\"value\": 30", "\"value\": 30, \"curve\": [0.6, 30, 0.8, 0, 0.6, 30, 0.8, 0]")),
    ),
    skeleton(
        "curve-of-css",
        of_4!(
            "4.2.40",
            ("\"value\": 30}, {\"time\": 1}]", "\"value\": 30}, {\"time\": 1, \"curve\": [0.25, 0.1, 0.25, 1]}, {\"time\": 9}]")
        ),
    ),
    skeleton(
        "curve-of-css-in-a-long-key",
        of_4!(
            "4.2.40",
            (
                "[{}, {\"time\": 0.5, \"value\": 30}",
                "[{\"curve\": [0.25, 0.1, 0.25, 1]}, {\"time\": 4, \"value\": 30}"
            ),
            ("{\"time\": 1}]}},\n      \"ik\"", "{\"time\": 5}]}},\n      \"ik\"")
        ),
    ),
    skeleton("curve-before-its-key", &[("\"curve\": 0.25, \"c3\": 0.75", "\"curve\": -0.5, \"c3\": -0.25")]),
    skeleton("curve-begins-before-its-key", &[("\"curve\": 0.25, \"c3\": 0.75", "\"curve\": -0.1, \"c3\": 0.75")]),
    skeleton(
        "animation-begins-late",
        &[
            (
                "\"animations\": {",
                "\"animations\": {\"late\": {\"bones\": {\"arm\": {\"rotate\": [{\"time\": 0.25, \"angle\": 10}, {\"time\": 1}]}}},",
            ),
            ("{\"time\": 1}]}},\n      \"ik\"", "{\"time\": 1, \"angle\": 20}]}},\n      \"ik\""),
        ],
    ),
    skeleton("key-before-the-start", &[("{\"rotate\": [{}", "{\"rotate\": [{\"time\": -0.5}")]),
    skeleton("key-in-milliseconds", &[("\"events\": [{\"time\": 0.5", "\"events\": [{\"time\": 1500")]),
    skeleton("rate-impossible", &[("\"images\": ", "\"fps\": -5, \"images\": ")]),
    skeleton("animation-empty", &[("\"animations\": {", "\"animations\": {\"still\": {},")]),
    skeleton(
        "keys-out-of-order",
        &[(
            "{\"time\": 0.5, \"angle\": 30, \"curve\": 0.25, \"c3\": 0.75}, {\"time\": 1}",
            "{\"time\": 1}, {\"time\": 0.5, \"angle\": 30}",
        )],
    ),
    skeleton(
        "key-of-no-attachment",
        &[("\"attachment\": [{\"name\": \"sleeve\"}", "\"attachment\": [{\"name\": \"glov\"}")],
    ),
    skeleton("deform-too-long", &[("{\"vertices\": [1, 0]}", "{\"offset\": 7, \"vertices\": [1, 0]}")]),
    skeleton("draw-order-too-far", &[("\"offset\": 2", "\"offset\": 4")]),
    skeleton(
        "event-unused",
        &[("\"events\": {\"step\": {\"int\": 1}}", "\"events\": {\"step\": {\"int\": 1}, \"stop\": {}}")],
    ),
    // The atlas and its pages.
    beside("atlas-missing", Beside::Nothing),
    atlas("atlas-value", &[("bounds: 1, 1, 2, 2", "bounds: 1, 1, two, 2")]),
    atlas("atlas-rotation-of-45", &[("bounds: 1, 1, 2, 2", "bounds: 1, 1, 2, 2\nrotate: 45")]),
    // The region of a mesh, which is turned, and that of a region attachment, which is not.
    atlas(
        "atlas-rotation-of-180",
        &[
            ("bounds: 0, 0, 4, 4", "bounds: 0, 0, 4, 4\nrotate: 180"),
            ("bounds: 2, 2, 2, 2", "bounds: 2, 2, 2, 2\nrotate: 180"),
        ],
    ),
    atlas("atlas-key-unknown", &[("size: 4, 4", "size: 4, 4\n tint: red")]),
    skeleton("atlas-region-missing", &[("\"path\": \"arm\"", "\"path\": \"glove\"")]),
    atlas("atlas-region-unused", &[("sleeve\n", "hat\nbounds: 0, 0, 1, 1\nsleeve\n")]),
    beside("page-missing", Beside::AtlasAlone),
    beside("atlas-as-text", Beside::AtlasAsText),
    beside("page-broken", Beside::BrokenPage),
    beside("page-lfs-pointer", Beside::Page(LFS_POINTER)),
    atlas("atlas-lfs-pointer", &[("page.png\n", "version https://git-lfs.github.com/spec/v1\n")]),
    atlas("atlas-git-conflict", &[("size: 4, 4", "<<<<<<< HEAD\nsize: 4, 4\n=======\nsize: 4, 5\n>>>>>>> other")]),
    atlas("region-outside", &[("bounds: 1, 1, 2, 2", "bounds: 3, 1, 2, 2")]),
    beside("page-larger", Beside::LargePage),
    Quirk { atlas: &[("size: 4, 4", "size: 32, 32")], ..beside("page-premultiplied", Beside::PremultipliedPage) },
    Quirk {
        name: "page-stated-straight",
        skeleton: &[],
        atlas: &[("size: 4, 4", "size: 32, 32\npma: false")],
        beside: Beside::PremultipliedPage,
    },
];

fn changed(name: &str, text: &str, changes: &[(&str, &str)]) -> Vec<u8> {
    let change = |text: String, (from, to): &(&str, &str)| {
        assert_eq!(text.matches(from).count(), 1, "{name}: `{from}` occurs once");
        text.replace(from, to)
    };
    changes.iter().fold(text.to_owned(), change).into_bytes()
}

/// Returns a page of 4 × 4 pixels of one colour.
pub fn page() -> Vec<u8> {
    encode_png(4, 4, &[255, 128, 64, 255].repeat(16)).expect("pixels")
}

/// Returns the same page with four more rows.
fn large() -> Vec<u8> {
    encode_png(4, 8, &[255, 128, 64, 255].repeat(32)).expect("pixels")
}

/// Returns a premultiplied page: white with a soft edge.
pub fn premultiplied() -> Vec<u8> {
    // Opaque in the upper half, then fading to transparent.
    let alpha = |pixel: u32| 255_u8.saturating_sub((16 * (pixel / 32)).saturating_sub(240) as u8);
    let pixels: Vec<u8> = (0..32 * 32).flat_map(|pixel| [alpha(pixel); 4]).collect();
    encode_png(32, 32, &pixels).expect("pixels")
}

impl Quirk {
    fn fixture(&self) -> Fixture {
        let folder = folder("spine-quirks").join(self.name);
        let options = ReadOptions::default();
        if let Beside::Other(input, bytes) = self.beside {
            return Fixture { folder, input, files: vec![(input, bytes.to_vec())], options };
        }
        // The sibling folders of other quirks contain atlases of that name.
        let input = if self.beside == Beside::Nothing { "alone.json" } else { "input.json" };
        let mut files = vec![(input, changed(self.name, SKELETON, self.skeleton))];
        match self.beside {
            Beside::Nothing => {}
            Beside::AtlasAsText => files.push(("input.atlas.txt", changed(self.name, ATLAS, self.atlas))),
            Beside::Everything
            | Beside::AtlasAlone
            | Beside::BrokenPage
            | Beside::LargePage
            | Beside::PremultipliedPage
            | Beside::Page(_)
            | Beside::Other(..) => files.push(("input.atlas", changed(self.name, ATLAS, self.atlas))),
        }
        match self.beside {
            Beside::Everything | Beside::AtlasAsText => files.push(("page.png", page())),
            Beside::LargePage => files.push(("page.png", large())),
            Beside::BrokenPage => files.push(("page.png", page()[..40].to_vec())),
            Beside::PremultipliedPage => files.push(("page.png", premultiplied())),
            Beside::Page(bytes) => files.push(("page.png", bytes.to_vec())),
            Beside::Nothing | Beside::AtlasAlone | Beside::Other(..) => {}
        }
        Fixture { folder, input, files, options }
    }
}

/// Returns the fixtures of all quirks.
pub fn fixtures() -> impl Iterator<Item = Fixture> {
    QUIRKS.iter().map(Quirk::fixture)
}
