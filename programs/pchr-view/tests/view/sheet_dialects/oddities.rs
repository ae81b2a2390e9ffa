//! Odd and hostile sheets.

use std::fs;
use std::time::Instant;

use crate::common::memory::peak;
use crate::common::program::folder;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::image::encode_png;
use pchr::formats::{Folder, Input, ReadOptions, examine, open};
use pchr::motion::{Cue, evaluate};
use pchr::pose::{Pose, bounds, palette};

/// The code of the error of the reader, or the codes of all findings.
fn codes(name: &str, bytes: &[u8]) -> Result<Vec<&'static str>, &'static str> {
    let place = folder();
    let path = place.path().join(name);
    fs::write(&path, bytes).expect("space");
    fs::write(place.path().join("art.png"), encode_png(16, 16, &[255; 16 * 16 * 4]).expect("memory"))
        .expect("space");
    let input = Input { bytes: bytes.to_vec().into(), sidecars: &Folder::of(&path) };
    let found = examine(&input, &ReadOptions::default()).map_err(|error| error.code())?;
    match open(&path, &ReadOptions::default(), &mut Diagnostics::default()) {
        Ok(_) => Ok(found.findings().iter().map(|finding| finding.fault.code).collect()),
        Err(error) => Err(error.code()),
    }
}

#[test]
fn an_odd_frame_keeps_its_place() {
    let json = |odd: &str| {
        let frame = r#"{"frame": {"x": 0, "y": 0, "w": 4, "h": 4}}"#;
        let text = format!(
            r#"{{"frames": [{frame}, {odd}, {frame}], "meta": {{"image": "art.png", "frameTags": [
                {{"name": "one", "from": 2, "to": 2}}, {{"name": "all", "from": 0, "to": 2}}]}}}}"#
        );
        let character = Character::from_bytes(text.clone()).unwrap_or_else(|error| panic!("{odd}: {error}"));
        let counts: Vec<u32> =
            character.model().animations().iter().map(|animation| animation.frame_count()).collect();
        assert_eq!(counts, [1, 3], "{odd}");
        codes("art.json", text.as_bytes()).expect("it opens")
    };
    let rect = r#""frame": {"x": 4, "y": 0, "w": 4, "h": 4}"#;
    for odd in [
        format!(r#"{{{rect}, "rotated": "true"}}"#),
        format!(r#"{{{rect}, "sourceSize": {{}}}}"#),
        format!(r#"{{{rect}, "spriteSourceSize": {{"x": null}}}}"#),
        format!(r#"{{{rect}, "rotated": -90}}"#),
        r#"{"frame": {}}"#.to_owned(),
        r#"{"frame": {"x": 1e12, "y": 0, "w": 4, "h": 4}}"#.to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
    ] {
        assert_eq!(json(&odd), ["bad-frame"], "{odd}");
    }
    assert_eq!(json(r#"{"frame": {"x": 400, "y": 0, "w": 4, "h": 4}}"#), ["frame-outside"]);
    assert_eq!(json(r#"{"frame": {"x": 0, "y": 0, "w": -4, "h": 4}}"#), ["frame-outside"]);
}

/// Left, top, right and bottom of the only frame of a sheet as drawn, y down.
fn drawn(app: &str, inner: [i32; 4], source: [i32; 2]) -> [i32; 4] {
    let [x, y, w, h] = inner;
    let text = format!(
        r#"{{"frames": [{{"frame": {{"x": 0, "y": 0, "w": 12, "h": 12}}, "spriteSourceSize":
            {{"x": {x}, "y": {y}, "w": {w}, "h": {h}}}, "sourceSize": {{"w": {}, "h": {}}}}}],
            "meta": {{{app} "image": "none.png"}}}}"#,
        source[0], source[1]
    );
    let character = Character::from_bytes(text).expect("it opens");
    let model = character.model();
    let mut pose = Pose::default();
    evaluate(&character, &Cue { animation: model.animation_ids().next(), ..Cue::default() }, &mut pose);
    let mut matrices = Vec::new();
    palette(model, &pose, &mut matrices);
    let bounds = bounds(model, &pose, &matrices);
    [bounds.min.x, -bounds.max.y, bounds.max.x, -bounds.min.y].map(|number| number as i32)
}

#[test]
fn frames_larger_than_their_canvas_are_drawn_as_engines_do() {
    let pixi = r#""app": "https://www.codeandweb.com/texturepacker","#;
    let aseprite = r#""app": "http://www.aseprite.org/","#;
    assert_eq!(drawn(pixi, [0, 0, 12, 12], [8, 8]), [0, 0, 12, 12]);
    assert_eq!(drawn(pixi, [2, 3, 8, 8], [8, 8]), [2, 3, 14, 15]);
    assert_eq!(drawn(pixi, [-3, 0, 12, 12], [8, 8]), [-3, 0, 9, 12]);
    // Aseprite's padding is equal on all sides.
    for app in [aseprite, ""] {
        assert_eq!(drawn(app, [2, 3, 10, 10], [16, 16]), [1, 2, 13, 14]);
        assert_eq!(drawn(app, [2, 3, 10, 8], [16, 16]), [2, 3, 14, 15]);
    }
}

#[test]
fn bombs_are_refused_quickly() {
    let start = Instant::now();
    let nested = |open: &str, close: &str| (open.repeat(300_000) + &close.repeat(300_000)).into_bytes();
    let wrap = |text: Vec<u8>| [b"<TextureAtlas>", &text[..], b"</TextureAtlas>"].concat();
    let laughs: String = (1..10).fold("<!ENTITY a0 \"haha\">".to_owned(), |text, level| {
        let before = format!("&a{};", level - 1).repeat(10);
        format!("{text}<!ENTITY a{level} \"{before}\">")
    });
    let laughs =
        |root: &str, inside: &str| format!("<!DOCTYPE {root} [{laughs}]><{root}>{inside}</{root}>").into_bytes();
    let frame = "<SubTexture name='&a9;' x='0' y='0' width='4' height='4'/>";
    for (name, bytes, code) in [
        ("deep.xml", wrap(nested("<a>", "</a>")), "limit-exceeded"),
        ("deep.plist", nested("<plist><dict><key>frames</key><array>", ""), "limit-exceeded"),
        ("laughs.xml", laughs("TextureAtlas", frame), "xml-dtd"),
        ("laughs.plist", laughs("plist", "<dict><key>frames</key><string>&a9;</string></dict>"), "xml-dtd"),
        ("remote.xml", b"<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a/>".to_vec(), "unknown-format"),
        ("nothing.xml", b"<TextureAtlas/>".to_vec(), "no-frames"),
        ("many.xml", wrap("<SubTexture/>".repeat(300_000).into_bytes()), "no-frames"),
        ("many.json", format!("{{\"frames\": [{}1]}}", "1,".repeat(300_000)).into_bytes(), "json-value"),
        ("many.atlas", format!("a.png\nsize: 1,1\n{}", "x\nxy: 1\n".repeat(300_000)).into_bytes(), "no-frames"),
        ("many.tpsheet", [b":format=40300\n:size=4x4\n", &b"a;x\n".repeat(300_000)[..]].concat(), "no-frames"),
        ("deep.tres", [b"[gd_resource type=\"SpriteFrames\"]", &nested("[{", "")[..]].concat(), "no-frames"),
        (
            "many.tres",
            [
                b"[gd_resource type=\"SpriteFrames\"]\n[resource]\n",
                &b"a=[{\"frames\":(1(1)}]\n".repeat(50_000)[..],
            ]
            .concat(),
            "no-frames",
        ),
        ("huge.plist", b"bplist00\xdf\x13\xff\xff\xff\xff\xff\xff\xff\xffframes".repeat(4), "bad-plist"),
    ] {
        let (found, bytes_held) = peak(|| codes(name, &bytes));
        assert_eq!(found, Err(code), "{name}");
        // The test reads the file three times.
        let allowed = 40 * bytes.len() + (16 << 20);
        assert!(bytes_held < allowed, "{name}: {bytes_held} bytes for {}", bytes.len());
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn a_billion_references_are_not_expanded() {
    // Nine dictionaries, each of which contains the next a thousand times.
    let mut objects: Vec<Vec<u8>> = Vec::new();
    for level in 0..9u16 {
        let mut bytes = vec![0xdf, 0x11, 3, 0xe8];
        bytes.extend(9u16.to_be_bytes().repeat(1000));
        bytes.extend((level + 1).to_be_bytes().repeat(1000));
        objects.push(bytes);
    }
    objects.push(b"\x56frames".to_vec());
    let (mut bytes, mut offsets) = (b"bplist00".to_vec(), Vec::new());
    for object in &objects {
        offsets.extend((bytes.len() as u32).to_be_bytes());
        bytes.extend(object);
    }
    let table = bytes.len() as u64;
    bytes.extend(offsets);
    bytes.extend([0, 0, 0, 0, 0, 0, 4, 2]);
    [objects.len() as u64, 0, table].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    let (found, held) = peak(|| codes("bomb.plist", &bytes));
    assert_eq!(found, Err("bad-plist"));
    assert!(held < 40 * bytes.len() + (16 << 20), "{held}");
}

#[test]
fn pictures_are_found_under_the_names_that_programs_write() {
    let starling = |image: &str| {
        format!(
            "<TextureAtlas imagePath='{image}'><SubTexture name='a' x='0' y='0' width='4' height='4'/></TextureAtlas>"
        )
    };
    for image in ["art.png", "art", "art.pvr.ccz", "art.atf", "nowhere.png"] {
        assert_eq!(codes("art.xml", starling(image).as_bytes()), Ok(vec![]), "{image}");
    }
    for image in ["C:\\art\\art.png", "../art.png", "/somewhere/art.png"] {
        assert_eq!(codes("art.xml", starling(image).as_bytes()), Ok(vec!["image-path"]), "{image}");
    }
    assert_eq!(codes("other.xml", starling("nowhere.png").as_bytes()), Ok(vec!["missing-image"]));
    let atlas = |page: &str| format!("{page}\nsize: 16,16\na\n  xy: 0, 0\n  size: 4, 4\n");
    for page in ["art.png", "art", "../art.png", "nowhere.png"] {
        assert_eq!(codes("art.atlas", atlas(page).as_bytes()), Ok(vec![]), "{page}");
    }
    assert_eq!(
        codes("art.atlas", (atlas("one.png") + "\n" + &atlas("two.png")).as_bytes()).map(|codes| codes.len()),
        Ok(2)
    );
}
