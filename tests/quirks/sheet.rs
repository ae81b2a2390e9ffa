//! Quirks of sprite sheets: JSON, other dialects, packed sheets, and plain images.

use pchr::formats::image::encode_png;
use pchr::formats::sheet::header;
use pchr::formats::{Grid, ReadOptions};

use super::{Fixture, folder};

/// Two adjacent frames of 2 × 2 pixels.
const SHEET: &str = r##"{"frames": [
{"filename": "0", "frame": {"x": 0, "y": 0, "w": 2, "h": 2}, "rotated": false, "trimmed": false, "spriteSourceSize": {"x": 0, "y": 0, "w": 2, "h": 2}, "sourceSize": {"w": 2, "h": 2}, "duration": 100},
{"filename": "1", "frame": {"x": 2, "y": 0, "w": 2, "h": 2}, "rotated": false, "trimmed": false, "spriteSourceSize": {"x": 0, "y": 0, "w": 2, "h": 2}, "sourceSize": {"w": 2, "h": 2}, "duration": 50}
],
"meta": {"app": "aseprite", "version": "1.3", "image": "sheet.png", "format": "RGBA8888", "size": {"w": 4, "h": 2}, "scale": "1",
"frameTags": [{"name": "walk", "from": 0, "to": 1, "direction": "pingpong", "color": "#000000ff"}],
"layers": [{"name": "body", "opacity": 255, "blendMode": "normal"}],
"slices": [{"name": "origin", "keys": [{"frame": 0, "bounds": {"x": 0, "y": 0, "w": 2, "h": 2}, "pivot": {"x": 1, "y": 2}}]}]}}
"##;

/// The same frames as an object, with animations by frame names.
const HASH: &str = r#"{"frames": {
"a.png": {"frame": {"x": 0, "y": 0, "w": 2, "h": 2}, "rotated": true, "pivot": {"x": 0.5, "y": 1}},
"b.png": {"frame": {"x": 2, "y": 0, "w": 1, "h": 2}, "trimmed": true, "spriteSourceSize": {"x": 1, "y": 0, "w": 1, "h": 2}, "sourceSize": {"w": 2, "h": 2}}
},
"animations": {"both": ["a.png", "b.png", "a.png"]},
"meta": {"app": "https://www.codeandweb.com/texturepacker", "image": "sheet.png", "scale": 0.5}}
"#;

/// Frames of two files.
const PAGES: &str = r#"{"frames": [{"filename": "1", "frame": {"x": 2, "y": 0, "w": 2, "h": 2}}],
"meta": {"image": "sheet.png", "related_multi_packs": ["other.json", "input.json"]}}
"#;
const OTHER: &str = r#"{"frames": [{"filename": "0", "frame": {"x": 0, "y": 0, "w": 2, "h": 2}}],
"meta": {"image": "sheet.png", "related_multi_packs": ["input.json"]}}
"#;

/// Returns eight pixels of different colours.
pub fn picture() -> Vec<u8> {
    let pixel = |index: u8| [index * 30, 255 - index * 30, index * 7, if index == 3 { 0 } else { 255 }];
    let pixels: Vec<u8> = (0..8).flat_map(pixel).collect();
    encode_png(4, 2, &pixels).expect("it can be encoded")
}

/// The same frames in other dialects; the second frame is trimmed and, except in Egret, rotated.
const EGRET: &str = r#"{"file": "sheet.png", "frames": {
"a_0": {"x": 0, "y": 0, "w": 2, "h": 2, "offX": 0, "offY": 0, "sourceW": 2, "sourceH": 2},
"a_1": {"x": 2, "y": 0, "w": 1, "h": 2, "offX": 1, "offY": 0, "sourceW": 2, "sourceH": 2}}}
"#;
const STARLING: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<TextureAtlas imagePath="sheet.png" width="4" height="2">
  <!-- Two frames -->
  <SubTexture name="a_0" x="0" y="0" width="2" height="2" pivotX="1" pivotY="2"/>
  <SubTexture name="a_1" x="2" y="0" width="2" height="1" rotated="true" frameX="-1" frameY="0" frameWidth="2" frameHeight="2"/>
</TextureAtlas>
"#;
const PLIST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>frames</key><dict>
    <key>a_0.png</key><dict>
      <key>frame</key><string>{{0,0},{2,2}}</string><key>offset</key><string>{0,0}</string><key>rotated</key><false/>
      <key>sourceColorRect</key><string>{{0,0},{2,2}}</string><key>sourceSize</key><string>{2,2}</string></dict>
    <key>a_1.png</key><dict>
      <key>frame</key><string>{{2,0},{1,2}}</string><key>offset</key><string>{0.5,0}</string><key>rotated</key><true/>
      <key>sourceColorRect</key><string>{{1,0},{1,2}}</string><key>sourceSize</key><string>{2,2}</string></dict></dict>
  <key>metadata</key><dict><key>format</key><integer>2</integer><key>size</key><string>{4,2}</string>
    <key>textureFileName</key><string>sheet.png</string></dict></dict></plist>
"#;
const ATLAS: &str = "\nsheet.png\nsize: 4,2\nformat: RGBA8888\nfilter: Nearest,Nearest\nrepeat: none\na\n  rotate: false\n  \
    xy: 0, 0\n  size: 2, 2\n  orig: 2, 2\n  offset: 0, 0\n  index: 0\na\n  rotate: true\n  xy: 2, 0\n  size: 1, 2\n  orig: 2, 2\n  \
    offset: 1, 0\n  index: 1\n";

/// Returns a binary property list with one frame.
fn binary_plist() -> Vec<u8> {
    let text = |text: &str| match text.len() {
        len @ 0..15 => [&[0x50 + len as u8], text.as_bytes()].concat(),
        len => [&[0x5f, 0x10, len as u8], text.as_bytes()].concat(),
    };
    let objects = [
        vec![0xd2, 1, 2, 3, 4],
        text("frames"),
        text("metadata"),
        vec![0xd1, 5, 6],
        vec![0xd1, 7, 8],
        text("a.png"),
        vec![0xd3, 9, 10, 11, 12, 13, 14],
        text("textureFileName"),
        text("sheet.png"),
        text("textureRect"),
        text("spriteOffset"),
        text("textureRotated"),
        text("{{1,0},{2,2}}"),
        text("{0,0}"),
        vec![0x08],
    ];
    let mut bytes = b"bplist00".to_vec();
    let mut offsets = Vec::new();
    for object in objects {
        offsets.push(bytes.len() as u8);
        bytes.extend(object);
    }
    let table = bytes.len() as u64;
    bytes.extend(&offsets);
    bytes.extend([0, 0, 0, 0, 0, 0, 1, 1]);
    [offsets.len() as u64, 0, table].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    bytes
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Json,
    Packed,
    Png,
    /// The text in a file of this name.
    As(&'static str),
}

/// A quirk.
struct Quirk {
    /// The folder of the fixture.
    name: &'static str,
    form: Form,
    text: &'static str,
    /// Replacements in the text.
    changes: &'static [(&'static str, &'static str)],
    /// The files beside it; `None` is the image.
    beside: &'static [(&'static str, Option<&'static str>)],
    with: fn(&mut ReadOptions),
    /// Changes the whole file.
    last: fn(&mut Vec<u8>),
}

const fn json(name: &'static str, changes: &'static [(&'static str, &'static str)]) -> Quirk {
    let beside: &[(&str, Option<&str>)] = &[("sheet.png", None)];
    Quirk { name, form: Form::Json, text: SHEET, changes, beside, with: |_| (), last: |_| () }
}

const fn packed(name: &'static str, last: fn(&mut Vec<u8>)) -> Quirk {
    Quirk { form: Form::Packed, beside: &[], last, ..json(name, &[]) }
}

const fn png(name: &'static str, with: fn(&mut ReadOptions)) -> Quirk {
    Quirk { form: Form::Png, beside: &[], with, ..json(name, &[]) }
}

const fn dialect(
    name: &'static str,
    file: &'static str,
    text: &'static str,
    changes: &'static [(&'static str, &'static str)],
) -> Quirk {
    Quirk { form: Form::As(file), text, ..json(name, changes) }
}

impl Quirk {
    fn fixture(&self) -> Fixture {
        let text = self.changes.iter().fold(self.text.to_owned(), |text, (from, to)| {
            assert_eq!(text.matches(from).count(), 1, "{}: `{from}` occurs once", self.name);
            text.replace(from, to)
        });
        let (input, mut bytes) = match self.form {
            Form::Json => ("input.json", text.into_bytes()),
            Form::Packed => {
                let head = header(text.as_bytes(), picture().len() as u64).expect("it fits");
                ("input.sprsh", [head, picture()].concat())
            }
            Form::Png => ("input.png", picture()),
            Form::As(name) => (name, text.into_bytes()),
        };
        (self.last)(&mut bytes);
        let mut files = vec![(input, bytes)];
        for (name, text) in self.beside {
            files.push((name, text.map_or_else(picture, |text| text.as_bytes().to_vec())));
        }
        let mut options = ReadOptions::default();
        // No quirk is larger.
        options.limits.pixels = 1 << 16;
        (self.with)(&mut options);
        Fixture { folder: folder("sheet").join(self.name), input, files, options }
    }
}

/// Returns the fixtures of all quirks.
pub fn fixtures() -> impl Iterator<Item = Fixture> {
    QUIRKS.iter().map(Quirk::fixture)
}

fn grid(options: &mut ReadOptions, width: u32, height: u32, count: Option<u32>) {
    options.grid = Some(Grid { width, height, count, ..Grid::default() });
    options.fps = Some(12.0);
}

/// An image of 8 × 4 pixels.
const WEBP: &[u8] = include_bytes!("../fixtures/pictures/red-blue.webp");

/// Returns a packed sheet with another image of 8 × 4 pixels.
fn with_picture(picture: &[u8]) -> Vec<u8> {
    let text = SHEET.replace(r#""size": {"w": 4, "h": 2}"#, r#""size": {"w": 8, "h": 4}"#);
    [&header(text.as_bytes(), picture.len() as u64).expect("it fits"), picture].concat()
}

/// Embeds the JSON in a PNG, as the exporter does.
fn embed(bytes: &mut Vec<u8>) {
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, 4, 2);
    encoder.set_color(::png::ColorType::Rgba);
    encoder.add_itxt_chunk(pchr::formats::sheet::KEYWORD.to_owned(), SHEET.to_owned()).expect("a short text");
    let mut writer = encoder.write_header().expect("memory");
    writer.write_image_data(&[90; 4 * 2 * 4]).expect("memory");
    writer.finish().expect("memory");
    *bytes = out;
}

/// A character of Psych Engine with the sheet [`STARLING`].
const PSYCH: &str = r#"{"animations": [
{"anim": "idle", "name": "a_", "fps": 24, "loop": false, "indices": [], "offsets": [0, 0]},
{"anim": "sing", "name": "a_", "fps": 12, "loop": true, "indices": [1, 0, 0], "offsets": [5, -6]}
],
"no_antialiasing": true, "image": "characters/hero", "position": [0, 350], "flip_x": true, "scale": 2}
"#;
const VSLICE: &str = r#"{"version": "1.0.0", "renderType": "sparrow", "assetPath": "shared:characters/hero", "startingAnimation": "b",
"animations": [{"name": "a", "prefix": "a_", "looped": true, "flipX": true}, {"name": "b", "prefix": "a_", "frameIndices": [1]}]}
"#;
const CODENAME: &str = r#"<!DOCTYPE codename-engine-character>
<character sprite="hero" flipX="false" isPlayer="null" scale="1" antialiasing="false">
  <anim name="a" anim="a_" x="0" y="0.5" fps="24" loop="true" indices="0..1"/>
  <anim name="b" anim="a_" indices="1,0"/>
</character>
"#;
/// TexturePacker for Godot.
const TPSHEET: &str = r#"{"textures": [{"image": "sheet.png", "size": {"w": 4, "h": 2}, "sprites": [
{"filename": "run/1.png", "region": {"x": 0, "y": 0, "w": 2, "h": 2}, "margin": {"x": 0, "y": 0, "w": 0, "h": 0}},
{"filename": "run/2.png", "region": {"x": 2, "y": 0, "w": 1, "h": 2}, "margin": {"x": 1, "y": 0, "w": 1, "h": 0}}]}],
"meta": {"app": "https://www.codeandweb.com/texturepacker", "version": "1.0.5"}}
"#;
const SPRITE_FRAMES: &str = r#"[gd_resource type="SpriteFrames" load_steps=4 format=3 uid="uid://c"]

[ext_resource type="Texture2D" uid="uid://d" path="res://sheet.png" id="1_a"]

[sub_resource type="AtlasTexture" id="AtlasTexture_1"]
atlas = ExtResource("1_a")
region = Rect2(0, 0, 2, 2)

[sub_resource type="AtlasTexture" id="AtlasTexture_2"]
atlas = ExtResource("1_a")
region = Rect2(2, 0, 1, 2)
margin = Rect2(1, 0, 1, 0)

[resource]
animations = [{
"frames": [{
"duration": 1.0,
"texture": SubResource("AtlasTexture_1")
}, {
"duration": 2.0,
"texture": SubResource("AtlasTexture_2")
}],
"loop": false,
"name": &"idle",
"speed": 5.0
}, {
"frames": [{
"duration": 1.0,
"texture": SubResource("AtlasTexture_2")
}],
"loop": true,
"name": &"one",
"speed": 8.0
}]
"#;
const UNITY: &str = "#\n# Sprite sheet data for Unity.\n#\n:format=40300\n:texture=sheet.png\n:size=4x2\n\
    :pivotpoints=enabled\n:borders=disabled\n\na_0;0;0;2;2; 0.5;0; 0;0;0;0\na_1;2;1;2;1; 0;1; 0;0;0;0; 4;2;0;0;0\n";
const GENERIC: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<TextureAtlas imagePath="sheet.png" width="4" height="2">
  <sprite n="a_0" x="0" y="0" w="2" h="2" pX="0.5" pY="1"/>
  <sprite n="a_1" x="2" y="0" w="2" h="1" oX="1" oY="0" oW="2" oH="2" r="y"/>
</TextureAtlas>
"#;
const UIKIT: &str = r#"<plist version="1.0"><dict>
  <key>frames</key><dict>
    <key>a_0</key><dict><key>x</key><integer>0</integer><key>y</key><integer>0</integer><key>w</key><integer>2</integer>
      <key>h</key><integer>2</integer><key>aliases</key><array><string>b_0</string><string>b_1</string></array></dict>
    <key>a_1</key><dict><key>x</key><integer>2</integer><key>y</key><integer>0</integer><key>w</key><integer>1</integer>
      <key>h</key><integer>2</integer><key>oX</key><integer>1</integer><key>oY</key><integer>0</integer>
      <key>oW</key><integer>2</integer><key>oH</key><integer>2</integer></dict></dict>
  <key>metadata</key><dict><key>textureFileName</key><string>sheet.png</string></dict></dict></plist>
"#;
const HERO: &[(&str, Option<&str>)] = &[("hero.xml", Some(STARLING)), ("hero.png", None)];

const fn character(
    name: &'static str,
    file: &'static str,
    text: &'static str,
    changes: &'static [(&'static str, &'static str)],
) -> Quirk {
    Quirk { beside: HERO, ..dialect(name, file, text, changes) }
}

const QUIRKS: &[Quirk] = &[
    // More dialects.
    dialect("tpsheet-godot", "input.tpsheet", TPSHEET, &[]),
    dialect(
        "tpsheet-godot-odd",
        "input.tpsheet",
        TPSHEET,
        &[(r#""region": {"x": 0, "#, r#""region": {"#), (r#""margin": {"x": 1,"#, r#""margin": {"x": null,"#)],
    ),
    dialect("tpsheet-unity", "input.tpsheet", UNITY, &[]),
    dialect("tpsheet-unity-odd", "input.tpsheet", UNITY, &[("a_0;0;", "a_0;x;"), ("0;1; 0", "nan;1; 0")]),
    dialect("tpsheet-unity-without-size", "input.tpsheet", UNITY, &[(":size=4x2\n", "")]),
    dialect("sprite-frames", "input.tres", SPRITE_FRAMES, &[]),
    dialect(
        "sprite-frames-of-godot-3",
        "input.tres",
        r#"[gd_resource type="SpriteFrames" load_steps=3 format=2]
[ext_resource path="res://art/sheet.png" type="Texture" id=1]
[sub_resource type="AtlasTexture" id=2]
atlas = ExtResource( 1 )
region = Rect2( 0, 0, 2, 2 )
[resource]
animations = [ { "frames": [ SubResource( 2 ), SubResource( 3 ) ], "loop": true, "name": "a", "speed": 10.0 } ]
"#,
        &[],
    ),
    dialect(
        "sprite-frames-odd",
        "input.tres",
        SPRITE_FRAMES,
        &[
            ("Rect2(2, 0, 1, 2)", "Rect2(2, x, 1)"),
            ("\"speed\": 5.0", "\"speed\": 0"),
            ("Rect2(1, 0, 1, 0)", "Rect2(1"),
        ],
    ),
    dialect(
        "sprite-frames-of-two-images",
        "input.tres",
        SPRITE_FRAMES,
        &[
            ("id=\"1_a\"]\n", "id=\"1_a\"]\n[ext_resource type=\"Texture2D\" path=\"res://b.png\" id=\"1_b\"]\n"),
            ("ExtResource(\"1_a\")\nregion = Rect2(2", "ExtResource(\"1_b\")\nregion = Rect2(2"),
        ],
    ),
    Quirk { last: |bytes| bytes.truncate(500), ..dialect("sprite-frames-cut", "input.tres", SPRITE_FRAMES, &[]) },
    dialect("generic-xml", "input.xml", GENERIC, &[]),
    dialect("generic-xml-odd", "input.xml", GENERIC, &[("r=\"y\"", "r=\"maybe\""), ("pX=\"0.5\"", "pX=\"x\"")]),
    dialect("plist-uikit", "input.plist", UIKIT, &[]),
    dialect(
        "plist-uikit-odd",
        "input.plist",
        UIKIT,
        &[
            ("<key>w</key><integer>2</integer>", "<key>w</key><string/>"),
            ("<key>oH</key><integer>2</integer>", ""),
        ],
    ),
    dialect("of-createjs", "input.json", r#"{"images": ["sheet.png"], "frames": [[0, 0, 2, 2]]}"#, &[]),
    dialect("of-egret-movie-clip", "input.json", r#"{"file": "sheet.png", "mc": {}, "res": {}}"#, &[]),
    dialect("of-defold", "input.tpinfo", "pages {\n  name: \"sheet.png\"\n}\n", &[]),
    // Characters that name sheets.
    character("character-psych", "input.json", PSYCH, &[]),
    character(
        "character-psych-odd",
        "input.json",
        PSYCH,
        &[
            ("[1, 0, 0]", r#"[1, -1, "a", 7, null]"#),
            ("\"fps\": 24", "\"fps\": -24"),
            ("[5, -6]", r#"["x", 1e30]"#),
            ("\"scale\": 2", "\"scale\": 0"),
            ("\"loop\": true", "\"loop\": \"null\""),
        ],
    ),
    character(
        "character-psych-without-frames",
        "input.json",
        PSYCH,
        &[(r#""idle", "name": "a_""#, r#""idle", "name": "b""#)],
    ),
    character("character-psych-cut", "input.json", PSYCH, &[("\"scale\": 2}\n", "\"scale\": ")]),
    character("character-psych-outside", "input.json", PSYCH, &[("characters/hero", "../../../../hero")]),
    Quirk { beside: &[], ..character("character-psych-without-sheet", "input.json", PSYCH, &[]) },
    Quirk {
        beside: &[("hero.xml", Some("<TextureAtlas>"))],
        ..character("character-psych-sheet-open", "input.json", PSYCH, &[])
    },
    Quirk {
        beside: &[("hero.txt", Some("a_0 = 0 0 2 2\na_1 = 2 0 2 2\n")), ("hero.png", None)],
        ..character("character-psych-packer", "input.json", PSYCH, &[])
    },
    Quirk {
        beside: &[("hero.txt", Some("a_0 = 0 0 2 2\na_1 = 2 0 2\n")), ("hero.png", None)],
        ..character("character-psych-packer-odd", "input.json", PSYCH, &[])
    },
    character("character-vslice", "input.json", VSLICE, &[]),
    character("character-vslice-atlas", "input.json", VSLICE, &[("\"sparrow\"", "\"animateatlas\"")]),
    character(
        "character-vslice-sheet-missing",
        "input.json",
        VSLICE,
        &[("\"looped\": true", "\"looped\": true, \"assetPath\": \"other\"")],
    ),
    character("character-codename", "input.xml", CODENAME, &[]),
    character(
        "character-codename-odd",
        "input.xml",
        CODENAME,
        &[("0..1", "0..x,1..0,3..18446744073709551615"), ("fps=\"24\"", "fps=\"nan\""), ("0.5", "x")],
    ),
    character("character-codename-open", "input.xml", CODENAME, &[("</character>", "")]),
    json("plain", &[]),
    Quirk { text: HASH, ..json("hash", &[]) },
    Quirk { text: PAGES, beside: &[("sheet.png", None), ("other.json", Some(OTHER))], ..json("pages", &[]) },
    Quirk { text: PAGES, ..json("page-missing", &[]) },
    Quirk {
        text: PAGES,
        beside: &[("sheet.png", None), ("other.json", Some("{\"frames\": 3}"))],
        ..json("page-broken", &[])
    },
    Quirk {
        text: r#"{"textures": [{"image": "sheet.png", "frames": [{"filename": "a", "frame": {"x": 0, "y": 0, "w": 4, "h": 2}}]}], "meta": {}}"#,
        ..json("textures", &[])
    },
    // Other dialects.
    dialect("egret", "input.json", EGRET, &[]),
    dialect("egret-odd", "input.json", EGRET, &[(r#""w": 1, "#, r#""w": null, "#)]),
    dialect("starling", "input.xml", STARLING, &[]),
    dialect(
        "starling-odd",
        "input.xml",
        STARLING,
        &[(r#"width="2" height="1" rot"#, r#"width="NaN" height="1" rot"#)],
    ),
    dialect(
        "starling-of-animate",
        "input.xml",
        STARLING,
        &[
            ("Two frames", "Created with Adobe Animate version 24.0.0.305"),
            ("a_0", "a 10001"),
            ("a_1", "a 10000"),
            (r#"rotated="true""#, r#"rotated="true" flipX="true""#),
        ],
    ),
    dialect("starling-of-nothing", "input.xml", "<TextureAtlas imagePath='sheet.png'></TextureAtlas>", &[]),
    dialect("starling-open", "input.xml", STARLING, &[("</TextureAtlas>", "")]),
    dialect(
        "starling-with-entities",
        "input.xml",
        STARLING,
        &[("\n<TextureAtlas", "\n<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;&b;&b;\">]>\n<TextureAtlas")],
    ),
    Quirk {
        last: |bytes| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            *bytes = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        },
        ..dialect("starling-in-utf-16", "input.xml", STARLING, &[])
    },
    dialect("plist", "input.plist", PLIST, &[]),
    dialect("plist-odd", "input.plist", PLIST, &[("{{2,0},{1,2}}", "{{2,0},1}")]),
    dialect("plist-of-nothing", "input.plist", "<plist><dict><key>frames</key><dict/></dict></plist>", &[]),
    dialect("plist-of-a-list", "input.plist", "<plist><array><string>frames</string></array></plist>", &[]),
    Quirk { last: |bytes| *bytes = binary_plist(), ..dialect("plist-binary", "input.plist", PLIST, &[]) },
    Quirk {
        // A dictionary that contains itself.
        last: |bytes| {
            *bytes = binary_plist();
            bytes[12] = 0;
        },
        ..dialect("plist-binary-in-itself", "input.plist", PLIST, &[])
    },
    dialect("atlas", "input.atlas", ATLAS, &[]),
    dialect("atlas-odd", "input.atlas", ATLAS, &[("xy: 2, 0", "xy: 2, -"), ("offset: 1, 0", "offset: 1, nan")]),
    dialect("atlas-of-nothing", "input.atlas", "sheet.png\nsize: 4,2\n", &[]),
    // The text.
    Quirk { last: |bytes| drop(bytes.splice(..0, *b"\xef\xbb\xbf \n")), ..json("text-with-bom", &[]) },
    Quirk { last: |bytes| bytes.truncate(300), ..json("text-cut", &[]) },
    json("text-with-control-characters", &[(r#""name": "walk""#, "\"name\": \"walk\", \"data\": \"one\n\ttwo\"")]),
    json("text-with-a-word", &[(r#""duration": 50"#, r#""duration": no"#)]),
    Quirk { with: |options| options.limits.json_depth = 4, ..json("text-too-deep", &[]) },
    // Values.
    json(
        "frame-turned-by-a-word",
        &[(
            r#""h": 2}, "rotated": false, "trimmed": false, "spriteSourceSize": {"x": 0, "y": 0, "w": 2, "h": 2}, "sourceSize": {"w": 2, "h": 2}, "duration": 50"#,
            r#""h": 2}, "rotated": "true", "trimmed": false, "sourceSize": {}"#,
        )],
    ),
    json("value-missing", &[(r#""x": 2, "y": 0, "w": 2, "h": 2}, "rot"#, r#""x": 2, "y": 0, "w": 2}, "rot"#)]),
    json("value-of-another-kind", &[(r#""from": 0"#, r#""from": "0""#)]),
    json(
        "value-too-large",
        &[(r#""x": 2, "y": 0, "w": 2, "h": 2}, "rot"#, r#""x": 1e9, "y": 0, "w": 2, "h": 2}, "rot"#)],
    ),
    Quirk { text: r#"{"frames": [], "meta": {"image": "sheet.png"}}"#, ..json("no-frames", &[]) },
    Quirk { text: r#"{"frames": {}}"#, ..json("no-frames-in-an-object", &[]) },
    // Frames.
    json(
        "frame-partly-outside",
        &[(r#""x": 2, "y": 0, "w": 2, "h": 2}, "rot"#, r#""x": 3, "y": -1, "w": 2, "h": 2}, "rot"#)],
    ),
    json(
        "frame-outside",
        &[(r#""x": 2, "y": 0, "w": 2, "h": 2}, "rot"#, r#""x": 200, "y": 0, "w": 2, "h": 2}, "rot"#)],
    ),
    json(
        "frame-empty",
        &[(r#""x": 2, "y": 0, "w": 2, "h": 2}, "rot"#, r#""x": 2, "y": 0, "w": 0, "h": -1}, "rot"#)],
    ),
    json("duration-zero", &[(r#""duration": 50"#, r#""duration": 0"#)]),
    json("duration-below-one", &[(r#""duration": 50"#, r#""duration": 0.25"#)]),
    json("size-of-another-picture", &[(r#""size": {"w": 4"#, r#""size": {"w": 8"#)]),
    // Tags.
    json("tag-beyond-end", &[(r#""to": 1"#, r#""to": 2"#)]),
    json("tag-backwards", &[(r#""from": 0, "to": 1"#, r#""from": 1, "to": 0"#)]),
    json("tag-of-nothing", &[(r#""from": 0, "to": 1"#, r#""from": 2, "to": 2"#)]),
    json("tag-direction-unknown", &[("pingpong", "sideways")]),
    json("tag-repeat-is-no-number", &[(r##""color": "#000000ff""##, r#""repeat": "often""#)]),
    json("tag-repeats-for-very-long", &[(r##""color": "#000000ff""##, r#""repeat": "4000000000""#)]),
    json("tag-repeats", &[(r##""color": "#000000ff""##, r#""repeat": 3"#)]),
    json(
        "tag-of-another-sprite",
        &[
            (r#""filename": "0""#, r#""filename": "hero_stand:0""#),
            (r#""filename": "1""#, r#""filename": "hero_walk:0""#),
            (r#""to": 1"#, r#""to": 0"#),
        ],
    ),
    json(
        "name-twice",
        &[(r##""color": "#000000ff"}]"##, r##""color": "#000000ff"}, {"name": "walk", "from": 1, "to": 1}]"##)],
    ),
    json("name-empty", &[(r#""name": "walk""#, r#""name": """#)]),
    Quirk { text: HASH, ..json("animation-of-nothing", &[(r#""b.png", "a.png"]"#, r#""c.png", "a.png"]"#)]) },
    // Images.
    Quirk { beside: &[], ..json("picture-not-there", &[]) },
    Quirk { beside: &[("input.png", None)], ..json("picture-called-as-the-file", &[]) },
    json("picture-anywhere", &[("sheet.png", "C:\\\\art\\\\sheet.png")]),
    Quirk { beside: &[("sheet.png", Some("no picture"))], ..json("picture-is-no-png", &[]) },
    // Packed.
    packed("packed", |_| ()),
    packed("packed-version-2", |bytes| bytes[4] = 2),
    packed("packed-cut", |bytes| bytes.truncate(bytes.len() - 1)),
    packed("packed-cut-in-magic", |bytes| bytes.truncate(3)),
    packed("packed-picture-is-webp", |bytes| *bytes = with_picture(WEBP)),
    packed("packed-picture-is-webp-cut", |bytes| *bytes = with_picture(&WEBP[..30])),
    packed("packed-text-beyond-end", |bytes| bytes[8..12].fill(0xff)),
    packed("packed-goes-on", |bytes| bytes.extend(b"more")),
    packed("packed-without-picture", |bytes| {
        let text = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize;
        bytes[12..16].fill(0);
        bytes.truncate(16 + text);
    }),
    packed("packed-picture-is-no-png", |bytes| {
        let text = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize;
        bytes[16 + text] = 0;
    }),
    // Plain images.
    png("png", |_| ()),
    png("png-with-grid", |options| grid(options, 2, 2, None)),
    png("png-with-grid-and-count", |options| grid(options, 2, 1, Some(3))),
    png("png-with-grid-too-large", |options| grid(options, 2, 2, Some(3))),
    Quirk {
        last: |bytes| bytes[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]),
        ..png("png-with-grid-bomb", |options| grid(options, 1, 1, None))
    },
    Quirk { last: embed, ..png("png-with-text", |_| ()) },
];
