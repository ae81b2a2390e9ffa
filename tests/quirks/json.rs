//! Quirks of the JSON forms and the packed form: a small text, with changes.

use pchr::formats::ReadOptions;

use super::{Fixture, PNG, folder};

/// The tiny character as the description of a v1 file.
const DESCRIPTION: &str = r#"{
  "version": 1,
  "fps": 24,
  "images": [{"name": "atlas", "width": 1, "height": 1, "format": "png", "path": "atlas.png"}],
  "bones": [{"name": "root", "parent": -1}, {"name": "tip", "parent": 0}],
  "meshes": [{
    "name": "flag",
    "image": 0,
    "vertices": [
      {"x": 0, "y": 10, "u": 0, "v": 1, "boneIds": [1, 0, 0, 0], "boneWeights": [1, 0, 0, 0]},
      {"x": 0, "y": 20, "u": 0, "v": 0, "boneIds": [1], "boneWeights": [1]},
      {"x": 10, "y": 20, "u": 1, "v": 0, "boneIds": [1, 0], "boneWeights": [0.75, 0.25]}
    ],
    "indices": [0, 1, 2]
  }],
  "animations": [{
    "name": "bind",
    "loop": false,
    "frames": [[
      {"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": 0},
      {"x": 0, "y": 10, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": 0}
    ]]
  }]
}
"#;

/// The same as Pachario JSON.
const PACHARIO: &str = r#"{
  "version": 1,
  "fps": 24,
  "images": [{"name": "atlas", "path": "atlas.png", "width": 1, "height": 1}],
  "bones": [{"name": "root", "parentIdx": -1}, {"name": "tip", "parentIdx": 0}],
  "meshes": [{
    "name": "flag",
    "imageIdx": 0,
    "vertices": [
      {"x": 0, "y": 10, "u": 0, "v": 1, "bones": [{"idx": 1, "weight": 1}]},
      {"x": 0, "y": 20, "u": 0, "v": 0, "bones": [{"idx": 1, "weight": 1}]},
      {"x": 10, "y": 20, "u": 1, "v": 0, "bones": [{"idx": 1, "weight": 0.75}, {"idx": 0, "weight": 0.25}]}
    ],
    "triangles": [0, 1, 2]
  }],
  "animations": [{
    "name": "bind",
    "loop": false,
    "frames": [[
      {"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": 0},
      {"x": 0, "y": 10, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": 0}
    ]]
  }]
}
"#;

/// A quirk.
pub struct Quirk {
    /// The folder of the fixture.
    name: &'static str,
    form: Form,
    /// Replacements in the text.
    changes: &'static [(&'static str, &'static str)],
    picture: Picture,
    with: fn(&mut ReadOptions),
    /// Changes the whole file.
    last: fn(&mut Vec<u8>),
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Description,
    Pachario,
    Packed,
}

enum Picture {
    There,
    Absent,
    Broken,
}

impl Quirk {
    fn text(&self) -> String {
        let text = if self.form == Form::Description { DESCRIPTION } else { PACHARIO };
        self.changes.iter().fold(text.to_owned(), |text, (from, to)| {
            assert_eq!(text.matches(from).count(), 1, "{}: `{from}` occurs once", self.name);
            text.replace(from, to)
        })
    }

    fn fixture(&self) -> Fixture {
        let picture = match self.picture {
            Picture::There => Some(PNG),
            Picture::Absent => None,
            Picture::Broken => Some(&b"no picture"[..]),
        };
        let mut options = ReadOptions::default();
        (self.with)(&mut options);
        let (form, input) =
            if self.form == Form::Packed { ("pchr-packed", "input.pchr") } else { ("pchr-json", "input.json") };
        let mut files = Vec::new();
        if self.form == Form::Packed {
            files.push((input, crate::common::packed::write(self.text().as_bytes(), picture.unwrap_or_default())));
        } else {
            files.push((input, self.text().into_bytes()));
            files.extend(picture.map(|picture| ("atlas.png", picture.to_vec())));
        }
        (self.last)(&mut files[0].1);
        Fixture { folder: folder(form).join(self.name), input, files, options }
    }
}

/// Returns the fixtures of all quirks.
pub fn fixtures() -> impl Iterator<Item = Fixture> {
    QUIRKS.iter().map(Quirk::fixture)
}

const fn quirk(name: &'static str, form: Form, changes: &'static [(&'static str, &'static str)]) -> Quirk {
    Quirk { name, form, changes, picture: Picture::There, with: |_| (), last: |_| () }
}

const fn description(name: &'static str, changes: &'static [(&'static str, &'static str)]) -> Quirk {
    quirk(name, Form::Description, changes)
}

const fn pachario(name: &'static str, changes: &'static [(&'static str, &'static str)]) -> Quirk {
    quirk(name, Form::Pachario, changes)
}

const fn packed(name: &'static str, changes: &'static [(&'static str, &'static str)]) -> Quirk {
    quirk(name, Form::Packed, changes)
}

const FIVE: (&str, &str) = (
    r#""bones": [{"idx": 1, "weight": 0.75}, {"idx": 0, "weight": 0.25}]"#,
    r#""bones": [{"idx": 1, "weight": 0.2}, {"idx": 0, "weight": 0.2}, {"idx": 1, "weight": 0.2}, {"idx": 0, "weight": 0.2}, {"idx": 1, "weight": 0.2}]"#,
);

const FIVE_TOO_HEAVY: (&str, &str) = (
    r#""bones": [{"idx": 1, "weight": 0.75}, {"idx": 0, "weight": 0.25}]"#,
    r#""bones": [{"idx": 1, "weight": 0.5}, {"idx": 0, "weight": 0.5}, {"idx": 1, "weight": 0.5}, {"idx": 0, "weight": 0.5}, {"idx": 1, "weight": 0.5}]"#,
);

const FIVE_OUT_OF_RANGE: (&str, &str) = (
    r#""bones": [{"idx": 1, "weight": 0.75}, {"idx": 0, "weight": 0.25}]"#,
    r#""bones": [{"idx": 1, "weight": 0.2}, {"idx": 0, "weight": 0.2}, {"idx": 1, "weight": 0.2}, {"idx": 0, "weight": 0.2}, {"idx": 57, "weight": 0.2}]"#,
);

/// A second mesh.
const WITHOUT_IMAGE: (&str, &str) = (
    r#""triangles": [0, 1, 2]
  }]"#,
    r#""triangles": [0, 1, 2]
  }, {
    "name": "pole",
    "imageIdx": -1,
    "vertices": [
      {"x": 30, "y": 0, "u": 0, "v": 1, "bones": [{"idx": 1, "weight": 1}]},
      {"x": 30, "y": 9, "u": 0, "v": 0, "bones": [{"idx": 1, "weight": 1}]},
      {"x": 40, "y": 9, "u": 1, "v": 0, "bones": [{"idx": 1, "weight": 1}]}
    ],
    "triangles": [0, 1, 2]
  }]"#,
);

/// A file without images, to be packed with one.
const NO_IMAGES: &[u8] =
    br#"{"version": 1, "fps": 24, "images": [], "bones": [], "meshes": [], "animations": []}"#;

/// All quirks.
const QUIRKS: &[Quirk] = &[
    description("description", &[]),
    Quirk {
        last: |bytes| drop(bytes.splice(..0, *b"\xef\xbb\xbf \n")),
        ..description("description-with-bom", &[])
    },
    description("description-rgba8888", &[(r#""png""#, r#""rgba8888""#)]),
    // The text.
    Quirk { last: |bytes| bytes.truncate(150), ..description("text-cut", &[]) },
    description("text-with-a-word", &[(r#""loop": false"#, r#""loop": no"#)]),
    Quirk { last: |bytes| bytes.extend(b"]"), ..description("text-goes-on", &[]) },
    Quirk { last: |bytes| bytes[130] = 0xff, ..description("text-not-utf8", &[]) },
    Quirk { with: |options| options.limits.json_depth = 4, ..description("text-too-deep", &[]) },
    Quirk {
        last: |bytes| *bytes = br#"{"nodes": {}, "meta": {"app": "x"}}"#.to_vec(),
        ..description("of-another-kind", &[])
    },
    Quirk { last: |bytes| *bytes = b"{}".to_vec(), ..description("empty-object", &[]) },
    description("version-2", &[(r#""version": 1"#, r#""version": 2"#)]),
    // Values.
    description("value-missing", &[(r#""fps": 24,"#, "")]),
    description("value-of-another-kind", &[(r#""x": 10"#, r#""x": "10""#)]),
    description("value-too-large", &[(r#""fps": 24"#, r#""fps": 65536"#)]),
    description("value-twice", &[(r#""fps": 24,"#, r#""fps": 24, "fps": 25,"#)]),
    description("value-too-large-for-a-float", &[(r#""x": 10"#, r#""x": 1e39"#)]),
    description("weights-fewer-than-bones", &[(r#"[0.75, 0.25]"#, r#"[0.75]"#)]),
    description("weights-missing", &[(r#", "boneWeights": [0.75, 0.25]"#, "")]),
    description(
        "weights-in-both-forms",
        &[(r#""boneWeights": [0.75, 0.25]"#, r#""boneWeights": [0.75, 0.25], "bones": []"#)],
    ),
    description("flags-of-an-animation-contradict", &[(r#""loop": false"#, r#""loop": false, "flags": 3"#)]),
    description(
        "flags-of-a-transform-contradict",
        &[(
            r#""y": 10, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true"#,
            r#""y": 10, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "flags": 2"#,
        )],
    ),
    description("flags-reserved", &[(r#""fps": 24"#, r#""fps": 24, "flags": 8"#)]),
    description("key-unknown", &[(r#""loop": false"#, r#""loop": false, "frame/rate": 12"#)]),
    // References.
    description("bone-parent-later", &[(r#""parent": -1"#, r#""parent": 1"#)]),
    description("bone-out-of-range", &[(r#""boneIds": [1],"#, r#""boneIds": [2],"#)]),
    description("index-out-of-range", &[("[0, 1, 2]", "[0, 1, 3]")]),
    description("partial-triangle", &[("[0, 1, 2]", "[0, 1, 2, 0]")]),
    description(
        "frame-with-one-bone-too-few",
        &[(
            "zOrder\": 0},\n      {\"x\": 0, \"y\": 10, \"rotation\": 0, \"scaleX\": 1, \"scaleY\": 1, \"visible\": true, \"zOrder\": 0}",
            "zOrder\": 0}",
        )],
    ),
    description("second-frame-empty", &[("    ]]\n", "    ], []]\n")]),
    // Images.
    Quirk { picture: Picture::Absent, ..description("picture-not-there", &[]) },
    description(
        "picture-above-the-folder",
        &[(r#""path": "atlas.png""#, r#""path": "../description/atlas.png""#)],
    ),
    description("picture-anywhere", &[(r#""path": "atlas.png""#, r#""path": "/atlas.png""#)]),
    description("picture-is-the-folder", &[(r#""path": "atlas.png""#, r#""path": ".""#)]),
    Quirk { picture: Picture::Broken, ..description("picture-is-no-png", &[]) },
    description("picture-of-another-size", &[(r#""width": 1"#, r#""width": 2"#)]),
    description(
        "no-picture-at-all",
        &[(r#"{"name": "atlas", "width": 1, "height": 1, "format": "png", "path": "atlas.png"}"#, "")],
    ),
    description("image-out-of-range", &[(r#""image": 0"#, r#""image": 1"#)]),
    description("image-below-zero", &[(r#""image": 0"#, r#""image": -1"#)]),
    // Pachario.
    pachario("pachario", &[]),
    pachario("pachario-image-out-of-range", &[WITHOUT_IMAGE]),
    pachario("pachario-five-influences", &[FIVE]),
    pachario("pachario-five-influences-too-heavy", &[FIVE_TOO_HEAVY]),
    pachario("pachario-five-influences-out-of-range", &[FIVE_OUT_OF_RANGE]),
    pachario("pachario-partial-triangle", &[("[0, 1, 2]", "[0, 1, 2, 0]")]),
    pachario("pachario-uv-outside", &[(r#""u": 1, "v": 0"#, r#""u": 1.5, "v": 0"#)]),
    // Packed.
    packed("plain", &[]),
    Quirk { picture: Picture::Absent, ..packed("without-picture", &[]) },
    Quirk { picture: Picture::Broken, ..packed("picture-is-no-png", &[]) },
    packed(
        "second-image",
        &[(r#""height": 1}"#, r#""height": 1}, {"name": "second", "path": "second", "width": 1, "height": 1}"#)],
    ),
    Quirk {
        last: |bytes| *bytes = crate::common::packed::write(NO_IMAGES, PNG),
        ..packed("picture-without-image", &[])
    },
    Quirk { last: |bytes| bytes[4] = 2, ..packed("version-2", &[]) },
    packed("text-with-a-word", &[(r#""loop": false"#, r#""loop": no"#)]),
    packed("bone-out-of-range", &[(r#""idx": 0"#, r#""idx": 9"#)]),
    Quirk { last: |bytes| bytes.truncate(bytes.len() - 1), ..packed("cut-before-last-byte", &[]) },
    Quirk { last: |bytes| bytes[4] = 2, ..packed("version-2", &[]) },
];
