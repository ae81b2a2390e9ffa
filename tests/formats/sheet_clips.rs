//! Animations of sheets without tags: which frames each has, and the names by which it is found.

use std::fmt::Write as _;

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{ReadOptions, from_bytes};
use pchr::motion::Motion;

/// The name of the animation of all frames, in input without a name.
const TITLE: &str = "sheet";

fn hash(names: &[&str]) -> String {
    let frames = names.iter().map(|name| format!("{name:?}: {{\"frame\": {{\"x\":0,\"y\":0,\"w\":2,\"h\":2}}}}"));
    format!("{{\"frames\": {{{}}}, \"meta\": {{}}}}", frames.collect::<Vec<_>>().join(",\n"))
}

fn array(names: &[&str]) -> String {
    let frame = |name| format!("{{\"filename\": {name:?}, \"frame\": {{\"x\":0,\"y\":0,\"w\":2,\"h\":2}}}}");
    let frames: Vec<String> = names.iter().map(frame).collect();
    format!("{{\"frames\": [{}], \"meta\": {{}}}}", frames.join(",\n"))
}

fn gdx(names: &[&str]) -> String {
    let mut text = "page.png\nsize: 8, 8\nformat: RGBA8888\nfilter: Nearest, Nearest\nrepeat: none\n".to_owned();
    for name in names {
        writeln!(
            text,
            "{name}\n  rotate: false\n  xy: 0, 0\n  size: 2, 2\n  orig: 2, 2\n  offset: 0, 0\n  index: -1"
        )
        .expect("text");
    }
    text
}

fn sparrow(names: &[&str]) -> String {
    let frame = |name: &&str| format!("<SubTexture name=\"{name}\" x=\"0\" y=\"0\" width=\"2\" height=\"2\"/>\n");
    format!(
        "<TextureAtlas imagePath=\"sheet.png\">\n{}</TextureAtlas>",
        names.iter().map(frame).collect::<String>()
    )
}

fn read(text: &str, asked: &[String]) -> Character {
    let options = ReadOptions::default().playing(asked);
    let read = from_bytes(text.to_owned(), &options, &mut Diagnostics::default());
    read.unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the names of the frames of an animation, one after the other.
fn frames(character: &Character, name: &str) -> Option<String> {
    let id = character.model().find_animation(name)?;
    let Motion::Flipbook(book) = character.motion() else { panic!("a sheet") };
    let strip = book.strip(id.index()).expect("frames");
    let picture = |step: u32| character.model().attachment(book.pictures()[strip.entry(step.into())]).name();
    Some((0..strip.count()).map(picture).collect::<Vec<_>>().join("|"))
}

/// Returns the animations with their frames; not that of all frames, if they are listed in their order.
fn listed(character: &Character, all: &str) -> Vec<String> {
    let animations = character.model().animations().iter().map(|animation| &animation.name);
    let line = |name: &String| format!("{name}={}", frames(character, name).expect("it is listed"));
    let lines = animations.map(line);
    lines.filter(|line| *line != format!("{TITLE}={all}")).collect()
}

/// Frames, the animations that a sheet of any program has besides that of all, and those of a Sparrow sheet if they differ.
type Sheet<'a> = (&'a [&'a str], &'a [&'a str], Option<&'a [&'a str]>);

const SHEETS: &[Sheet<'_>] = &[
    (&["walk/0001.png", "walk/0002.png"], &[], None),
    (&["walk1", "walk2", "idle1", "idle2"], &["walk=walk1|walk2", "idle=idle1|idle2"], None),
    (&["a_9", "a_10", "b-08", "b-9"], &["a=a_9|a_10", "b=b-08|b-9"], None),
    (
        &["Pico shoot 10000", "Pico shoot 10001", "Pico shoot 20000", "Pico idle0000"],
        &[
            "Pico shoot 1=Pico shoot 10000|Pico shoot 10001",
            "Pico shoot 2=Pico shoot 20000",
            "Pico idle=Pico idle0000",
        ],
        None,
    ),
    (&["f_9998", "f_9999", "f_10000", "f_10001"], &[], Some(&["f=f_9998|f_9999", "f_1=f_10000|f_10001"])),
    (&["a_00001", "a_00003", "b_00002", "b_00001"], &["a=a_00001|a_00003", "b=b_00001|b_00002"], None),
    (&["run0", "run1", "run5", "run5", "jump"], &["run=run0|run1|run5|run5"], None),
    (&["01_walk", "02_walk", "1 idle", "2 idle"], &["walk=01_walk|02_walk", "idle=1 idle|2 idle"], None),
    (&["1up", "2up", "3d-view"], &[], None),
    (
        &["x/run/1.png", "x/run/2.png", "x/1.png", "x/2.png"],
        &["x/run=x/run/1.png|x/run/2.png", "x=x/1.png|x/2.png"],
        None,
    ),
    (&["x\\run\\1", "x\\run\\2", "box"], &["x\\run=x\\run\\1|x\\run\\2"], None),
    (&["idle", "jump", "run"], &[], None),
    (
        &["a1.png", "a2.PNG", "a3", "b1.aseprite", "b2.webp"],
        &["a=a1.png|a2.PNG|a3", "b=b1.aseprite|b2.webp"],
        None,
    ),
    (
        &["hero.walk1", "hero.walk2", "hero.run1", "hero.run2"],
        &["hero.walk=hero.walk1|hero.walk2", "hero.run=hero.run1|hero.run2"],
        None,
    ),
    (&["walk_1", "box"], &[], None),
    (&["1.png", "10.png", "2.png"], &["sheet=1.png|2.png|10.png"], None),
    (&["0010", "0001", "0002"], &["sheet=0001|0002|0010"], None),
    (&["Walk1", "Walk2", "walk1", "walk2"], &["Walk=Walk1|Walk2", "walk=walk1|walk2"], None),
    (&["走る 1", "走る 2", "立つ 1", "立つ 2"], &["走る=走る 1|走る 2", "立つ=立つ 1|立つ 2"], None),
    (&["a (1)", "a (2)", "b c 1", "b c 2"], &["a=a (1)|a (2)", "b c=b c 1|b c 2"], None),
];

#[test]
fn sheets_have_the_animations_that_their_frames_suggest() {
    for (names, expected, of_sparrow) in SHEETS {
        let all = names.join("|");
        for (dialect, text) in [("hash", hash(names)), ("array", array(names)), ("libGDX", gdx(names))] {
            if dialect != "hash" || names.iter().filter(|name| **name == "run5").count() < 2 {
                assert_eq!(listed(&read(&text, &[]), &all), *expected, "{dialect}");
            }
        }
        assert_eq!(listed(&read(&sparrow(names), &[]), &all), of_sparrow.unwrap_or(expected), "Sparrow");
    }
}

#[test]
fn an_animation_is_found_by_its_name_its_prefix_and_its_stem() {
    let names = ["hero/walk/0001.png", "hero/walk/0002.png"];
    for others in [&[][..], &["box.png"]] {
        let names = [&names[..], others].concat();
        for text in [hash(&names), array(&names), gdx(&names)] {
            let character = read(&text, &[]);
            for name in ["hero/walk", "hero/walk/", "walk"] {
                let found = frames(&character, name);
                assert_eq!(found.as_deref(), Some("hero/walk/0001.png|hero/walk/0002.png"), "{name}");
            }
        }
    }
}

#[test]
fn a_frame_is_found_by_its_name() {
    let names = ["walk/0001.png", "walk/0002.png", "walk/0003.png", "jump 4", "idle", "x/fall_7.png"];
    let text = hash(&names);
    for (asked, expected) in [
        ("walk/0003.png", Some("walk/0003.png")),
        ("walk/0003", Some("walk/0003.png")),
        ("idle", Some("idle")),
        ("jump", Some("jump 4")),
        ("jump 4", Some("jump 4")),
        ("fall", Some("x/fall_7.png")),
        ("x/fall", Some("x/fall_7.png")),
        ("walk", Some("walk/0001.png|walk/0002.png|walk/0003.png")),
        ("walk/4", None),
        ("", None),
    ] {
        let character = read(&text, &[asked.to_owned()]);
        assert_eq!(frames(&character, asked).as_deref(), expected, "{asked}");
        assert!(asked.is_empty() || frames(&read(&text, &[]), asked).is_none_or(|found| found.contains('|')));
    }
    let tagged =
        text.replace("\"meta\": {}", "\"meta\": {\"frameTags\": [{\"name\": \"a\", \"from\": 1, \"to\": 2}]}");
    let character = read(&tagged, &["idle".to_owned()]);
    assert_eq!(frames(&character, "idle").as_deref(), Some("idle"));
    assert_eq!(frames(&character, "a").as_deref(), Some("walk/0002.png|walk/0003.png"));
}

#[test]
fn sheets_of_adobe_animate_in_json_have_its_numbers_and_its_rate() {
    let names = ["a 12340000", "a 12340001"];
    let text = array(&names).replace("\"meta\": {}", "\"meta\": {\"app\": \"Adobe Animate\"}");
    let character = read(&text, &[]);
    assert_eq!(frames(&character, "a 1234").as_deref(), Some("a 12340000|a 12340001"));
    assert_eq!(character.model().animations()[0].fps(), 24.0);
}
