//! Names with terminal control sequences or of excessive length: no error and no finding prints them as they are.

use crate::common::v1::File;
use crate::common::v1::write;
use bytes::Bytes;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{BindPose, Input, NO_SIDECARS, ReadOptions, examine, from_input};

use crate::common::{bone, tiny};

/// A window title, colours, clearing the screen, right-to-left text, line breaks and invisible characters.
const OBEYED: &str =
    "\u{1b}]0;gotcha\u{7}\u{1b}[2J\u{9b}31m\u{85}\u{202e}exe\u{2066}\r\n\u{2028}\u{200b}\u{feff}\u{8}";

/// Names of every hostile kind; the last one has 100 kB.
fn names() -> [String; 3] {
    [OBEYED.to_owned(), "\u{7f}".repeat(40), format!("{OBEYED}{}", "long".repeat(25_000))]
}

/// Characters that a terminal or a log would interpret, listed independently of the library.
fn needs_escape(c: char) -> bool {
    let code = u32::from(c);
    let is_control = code < 0x20 || (0x7f..0xa0).contains(&code);
    is_control || matches!(code, 0x200b | 0x200e | 0x200f | 0x61c | 0xfeff | 0x2028..=0x202e | 0x2066..=0x2069)
}

#[track_caller]
fn assert_harmless(text: &str, what: &str) {
    assert!(!text.contains(needs_escape), "{what}: {text:?}");
    assert!(text.len() <= 4000, "{what}: {} bytes", text.len());
}

/// Reads and examines; checks that every text is harmless. Returns the number of texts.
fn texts(bytes: &Bytes, options: &ReadOptions, what: &str) -> usize {
    let input = Input { bytes: bytes.clone(), sidecars: NO_SIDECARS };
    let mut diagnostics = Diagnostics::default();
    let read = from_input(&input, options, &mut diagnostics);
    let mut found: Vec<String> = diagnostics.findings().iter().map(|finding| finding.fault.to_string()).collect();
    found.extend(read.err().map(|error| error.to_string()));
    match examine(&input, options) {
        Ok(examined) => found.extend(examined.findings().iter().map(|finding| finding.fault.to_string())),
        Err(error) => found.push(error.to_string()),
    }
    found.iter().for_each(|text| assert_harmless(text, what));
    found.len()
}

#[test]
fn names_in_pchr_are_harmless_in_texts() {
    let options = ReadOptions::default();
    let mut count = 0;
    for name in names() {
        // At most as long as the format allows.
        let name = name.chars().take(20_000).collect::<String>();
        let named = |change: fn(&mut File, &str)| {
            let mut file = tiny();
            file.bones = vec![bone(&name, -1), bone(&name, 0)];
            file.images[0].name.clone_from(&name);
            file.meshes[0].name.clone_from(&name);
            file.animations.iter_mut().for_each(|animation| animation.name.clone_from(&name));
            change(&mut file, &name);
            Bytes::from(write(&file).expect("it fits"))
        };
        for change in [
            (|_, _| ()) as fn(&mut File, &str),
            |file, _| file.bones[1].parent = 9,
            |file, _| file.images[0].data = vec![0; 3].into(),
            |file, _| file.images[0].format = 0,
            |file, _| file.animations[0].frames = vec![0; 46].into(),
            |file, _| file.meshes[0].image = 8,
        ] {
            count += texts(&named(change), &options, "pchr");
        }
        let mut options = ReadOptions {
            bind_pose: BindPose::Frame { animation: name.clone(), frame: 9 },
            ..ReadOptions::default()
        };
        count += texts(&named(|_, _| ()), &options, "bind pose");
        options.bind_pose = BindPose::Frame { animation: format!("{name}x"), frame: 0 };
        count += texts(&named(|_, _| ()), &options, "bind pose");
    }
    assert!(count > 20, "only {count} texts");
}

#[cfg(feature = "formats-all")]
mod json {
    use super::*;
    use crate::common::conformance;
    use crate::common::zip::{Entry, zip};

    /// The text as a JSON string, unescaped wherever JSON allows that.
    fn quoted(text: &str) -> String {
        serde_json::Value::from(text).to_string()
    }

    /// Replaces every string of the text, including keys, by each name in turn.
    fn with_names(text: &str, options: &ReadOptions, what: &str) -> usize {
        let ends: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
        let mut count = 0;
        for pair in ends.chunks_exact(2) {
            for name in names() {
                let named = format!("{}{}{}", &text[..pair[0]], quoted(&name), &text[pair[1] + 1..]);
                let what = format!("{what} with {} as a name", &text[pair[0]..=pair[1]]);
                count += texts(&Bytes::from(named), options, &what);
            }
        }
        count
    }

    #[test]
    fn names_in_descriptions_are_harmless_in_texts() {
        let text = r#"{"version": 1, "fps": 24, "images": [{"name": "i", "width": 1, "height": 1, "format": "png", "path": "i.png"}],
            "bones": [{"name": "b", "parent": -1}, {"name": "c", "parent": 7}],
            "meshes": [{"name": "m", "image": 0, "vertices": [{"x": 0, "y": 0, "u": 0, "v": 0, "boneIds": [9], "boneWeights": [1]}],
            "indices": [0, 0, 1]}], "animations": [{"name": "a", "loop": true, "frames": [[]]}]}"#;
        let count = with_names(text, &ReadOptions::default(), "description");
        assert!(count > 100, "only {count} texts");
        let text = text.replace(r#""parent""#, r#""parentIdx""#).replace(r#""image""#, r#""imageIdx""#);
        let count = with_names(&text, &ReadOptions::default(), "Pachario");
        assert!(count > 100, "only {count} texts");
    }

    #[test]
    fn names_in_spine_are_harmless_in_texts() {
        let text = r##"{"skeleton": {"spine": "3.8.99", "images": "./i/", "audio": "s"},
            "bones": [{"name": "root", "transform": "normal"}, {"name": "arm", "parent": "root", "color": "ff"}],
            "slots": [{"name": "slot", "bone": "arm", "attachment": "sword", "color": "ffffffff", "blend": "glow"}],
            "ik": [{"name": "reach", "bones": ["arm"], "target": "root"}],
            "transform": [{"name": "copy", "bones": ["arm"], "target": "root"}],
            "path": [{"name": "way", "bones": ["arm"], "target": "slot", "positionMode": "percent"}],
            "skins": [{"name": "default", "attachments": {"slot": {"sword": {"type": "region", "path": "p", "width": 1, "height": 1},
            "cut": {"type": "clipping", "end": "slot", "vertexCount": 3, "vertices": [0, 0, 1, 0, 1, 1]},
            "link": {"type": "linkedmesh", "parent": "sword", "skin": "default", "width": 1, "height": 1}}}}],
            "events": {"beep": {"string": "x", "audio": "b.wav"}},
            "animations": {"wave": {"slots": {"slot": {"attachment": [{"time": 0, "name": "sword"}], "color": [{"color": "zz"}]}},
            "bones": {"arm": {"rotate": [{"time": 0, "curve": "stepped"}]}}, "events": [{"name": "beep"}],
            "deform": {"default": {"slot": {"sword": [{"time": 0}]}}}, "draworder": [{"offsets": [{"slot": "slot", "offset": 0}]}]}}}"##;
        let count = with_names(text, &ReadOptions::default(), "Spine");
        assert!(count > 300, "only {count} texts");
    }

    #[test]
    fn names_in_sheets_are_harmless_in_texts() {
        let text = r#"{"frames": {"a 0": {"frame": {"x": 0, "y": 0, "w": 1, "h": 1}, "rotated": "no", "duration": "fast"},
            "a 1": {"frame": {"x": "9", "y": 0, "w": 1, "h": 1}}}, "animations": {"run": ["a 0", "a 9"]},
            "meta": {"app": "http://www.aseprite.org/", "image": "i/sheet.png", "format": "RGBA8888", "size": {"w": 1, "h": 1}, "scale": "1",
            "related_multi_packs": ["other.json"],
            "frameTags": [{"name": "t", "from": 0, "to": 9, "direction": "sideways", "repeat": "often"}],
            "slices": [{"name": "origin", "keys": []}]}}"#;
        let count = with_names(text, &ReadOptions::default(), "sheet");
        assert!(count > 100, "only {count} texts");
        let egret = r#"{"file": "sheet.png", "frames": {"a": {"x": 0, "y": 0, "w": "wide", "h": 1}}}"#;
        with_names(egret, &ReadOptions::default(), "Egret");
        let multi = r#"{"textures": [{"image": "a.png", "frames": [{"filename": "f", "frame": {"x": 0, "y": 0, "w": 1, "h": 1}}]}], "meta": {"app": "x"}}"#;
        with_names(multi, &ReadOptions::default(), "multi-atlas");
    }

    #[test]
    fn names_in_other_sheets_are_harmless_in_texts() {
        let options = ReadOptions::default();
        let mut count = 0;
        for name in names() {
            let escaped = name.replace(['\u{1b}', '\u{7}', '\u{8}'], "");
            for text in [
                format!(
                    "<TextureAtlas imagePath=\"{escaped}\"><SubTexture name=\"{escaped}\" x=\"{escaped}\" y=\"0\" width=\"1\" height=\"1\"/></TextureAtlas>"
                ),
                format!("<TextureAtlas><{escaped}/></TextureAtlas>"),
                format!(
                    "<plist><dict><key>frames</key><dict><key>{escaped}</key><dict><key>frame</key><string>{escaped}</string></dict></dict></dict></plist>"
                ),
                format!("<plist><dict><key>frames</key><{escaped}></dict></plist>"),
                format!(
                    "{name}.png\nsize: 4, 4\nformat: {name}\nfilter: {name},{name}\nrepeat: none\n{name}\n  rotate: {name}\n  xy: {name}, 0\n  size: 2, 2\n  {name}: {name}\n"
                ),
                format!(
                    "a.png\nsize: 4, 4\nformat: RGBA8888\nfilter: Linear,Linear\nrepeat: none\n{name}\n  rotate: {name}\n  xy: 0, 0\n  size: 9, 9\n"
                ),
                name.to_string(),
                format!("{{{name}"),
                format!("PK\u{3}\u{4}{name}"),
            ] {
                count += texts(&Bytes::from(text), &options, "text");
            }
        }
        assert!(count > 20, "only {count} texts");
    }

    #[test]
    fn names_in_skelform_are_harmless_in_texts() {
        let text = r#"{"version": "0.4.0", "img_format": "PNG", "bones": [{"id": 0, "name": "b", "parent_id": -1, "tex": "t"},
            {"id": 1, "name": "c", "parent_id": 9}], "animations": [{"name": "a", "id": 0, "fps": 24,
            "keyframes": [{"frame": 0, "bone_id": 0, "element": "Glow", "value": 1, "value_str": "x"}]}],
            "atlases": [{"filename": "atlas0.png", "size": {"x": 1, "y": 1}}],
            "styles": [{"id": 0, "name": "s", "textures": [{"name": "t", "offset": {"x": 0, "y": 0}, "size": {"x": 9, "y": 9}, "atlas_idx": 0}]}]}"#;
        let ends: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
        let mut count = 0;
        for pair in ends.chunks_exact(2) {
            for name in names() {
                let named = format!("{}{}{}", &text[..pair[0]], quoted(&name), &text[pair[1] + 1..]);
                let archive = zip(&[Entry::stored("armature.json", named.as_bytes())]);
                count += texts(&archive.into(), &ReadOptions::default(), &text[pair[0]..=pair[1]]);
            }
        }
        for name in names() {
            let name: String = name.chars().take(20_000).collect();
            let archive = zip(&[Entry::stored(&name, b"x"), Entry::stored("../a", b"y")]);
            count += texts(&archive.into(), &ReadOptions::default(), "an entry");
        }
        assert!(count > 100, "only {count} texts");
    }

    #[test]
    fn conformance_error_text_is_short_and_harmless() {
        let Some(folder) = conformance("hostile/error-text") else { return };
        let bytes = Bytes::from(std::fs::read(folder.join("f.json")).expect("the file"));
        assert!(texts(&bytes, &ReadOptions::default(), "f.json") > 0);
        let error = pchr::Character::from_bytes(bytes).expect_err("it is refused");
        assert_harmless(&error.to_string(), "f.json");
    }
}

#[cfg(feature = "export")]
#[test]
fn names_of_outputs_are_harmless_in_texts() {
    use pchr::export::{Format, FrameSpec, Template};
    for name in names() {
        let texts = [
            Format::of_path(&name, None).expect_err("no format").to_string(),
            Format::of_path(&format!("{name}.png"), Some(Format::Gif)).expect_err("another").to_string(),
            name.parse::<FrameSpec>().expect_err("no frames").to_string(),
            format!("{{{name}").parse::<Template>().expect_err("a brace").to_string(),
            format!("{{{name}}}").parse::<Template>().expect_err("unknown").to_string(),
        ];
        texts.iter().for_each(|text| assert_harmless(text, "an output"));
    }
}
