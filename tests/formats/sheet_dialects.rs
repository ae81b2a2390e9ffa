//! One set of frames in the dialect of every program: each shows the same pixels, and odd or hostile files do
//! minimal harm.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::common::memory::peak;
use crate::common::ours;
use crate::common::program::{fine, folder, pchr, refused, stderr};
use crate::common::sheet_painter::Painter;
use crate::common::sheet_reference::Reference;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::draw::Filter;
use pchr::formats::image::encode_png;
use pchr::formats::{Folder, Input, ReadOptions, examine, format_name, open};
use pchr::math::color::premultiply;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

/// A frame before packing: its name and number, and its pixels on a canvas.
struct Frame {
    animation: &'static str,
    number: usize,
    canvas: [usize; 2],
    pixels: Vec<[u8; 4]>,
}

impl Frame {
    fn name(&self) -> String {
        format!("{}_{:04}", self.animation, self.number)
    }

    fn at(&self, x: usize, y: usize) -> [u8; 4] {
        self.pixels[y * self.canvas[0] + x]
    }

    /// Left, top, width and height of the opaque part.
    fn area(&self) -> [usize; 4] {
        let [width, height] = self.canvas;
        let is_seen = |x: usize, y: usize| self.at(x, y)[3] > 0;
        let columns: Vec<usize> = (0..width).filter(|&x| (0..height).any(|y| is_seen(x, y))).collect();
        let rows: Vec<usize> = (0..height).filter(|&y| (0..width).any(|x| is_seen(x, y))).collect();
        let (left, top) = (columns[0], rows[0]);
        [left, top, columns[columns.len() - 1] + 1 - left, rows[rows.len() - 1] + 1 - top]
    }
}

/// Our own animations, a few columns narrower so that offsets are odd.
fn frames() -> Vec<Frame> {
    let path = ours("sheets/own/variants/array-frame.json");
    let reference = Reference::load(&path);
    let mut frames = Vec::new();
    for ((_, list, _), animation) in reference.animations.iter().zip(["idle", "run"]) {
        for (number, &index) in list.iter().enumerate() {
            let shown = &reference.frames[index];
            let [width, height] = shown.size.map(|side| side as usize);
            let kept = width - 1 - number % 2;
            let pixels = (0..height).flat_map(|y| (0..kept).map(move |x| shown.pixels[y * width + x])).collect();
            frames.push(Frame { animation, number, canvas: [kept, height], pixels });
        }
    }
    assert_eq!(frames.len(), 14);
    frames
}

/// How a frame is turned on its page.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    None,
    Right,
    Half,
    Left,
}

/// A frame on its page.
struct Packed<'a> {
    frame: &'a Frame,
    page: usize,
    /// Place on the page.
    at: [usize; 2],
    /// Place on the canvas, with the size before turning.
    area: [usize; 4],
    turn: Turn,
}

impl Packed<'_> {
    fn stored(&self) -> [usize; 2] {
        let [.., w, h] = self.area;
        if matches!(self.turn, Turn::None | Turn::Half) { [w, h] } else { [h, w] }
    }

    /// From the centre of the canvas to that of the frame, y up.
    fn offset(&self) -> [f64; 2] {
        let ([left, top, w, h], [width, height]) = (self.area, self.frame.canvas);
        let [left, top, w, h, width, height] = [left, top, w, h, width, height].map(|number| number as f64);
        [left + w / 2.0 - width / 2.0, height / 2.0 - top - h / 2.0]
    }
}

/// A written sheet, and the pictures next to it.
struct Sheet {
    pages: Vec<(String, Vec<u8>, [usize; 2])>,
}

const PAGE: [usize; 2] = [210, 256];

/// Packs frames on pages, turned by cycling through `turns`.
fn pack<'a>(frames: &'a [Frame], turns: &[Turn], pages: usize) -> (Vec<Packed<'a>>, Sheet) {
    let mut pixels = vec![vec![[0u8; 4]; PAGE[0] * PAGE[1]]; pages];
    let mut places = vec![[1usize, 1, 0]; pages];
    let mut packed = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let (page, turn) = (index % pages, turns[index % turns.len()]);
        let mut entry = Packed { frame, page, at: [0, 0], area: frame.area(), turn };
        let [width, height] = entry.stored();
        let [x, y, row] = &mut places[page];
        if *x + width > PAGE[0] {
            (*x, *y, *row) = (1, *y + *row + 1, 0);
        }
        entry.at = [*x, *y];
        (*x, *row) = (*x + width + 1, (*row).max(height));
        let [left, top, w, h] = entry.area;
        for (c, r) in (0..h).flat_map(|r| (0..w).map(move |c| (c, r))) {
            let [dx, dy] = match turn {
                Turn::None => [c, r],
                Turn::Right => [h - 1 - r, c],
                Turn::Half => [w - 1 - c, h - 1 - r],
                Turn::Left => [r, w - 1 - c],
            };
            pixels[page][(entry.at[1] + dy) * PAGE[0] + entry.at[0] + dx] = frame.at(left + c, top + r);
        }
        packed.push(entry);
    }
    let name = |page: usize| if pages == 1 { "art.png".to_owned() } else { format!("art{page}.png") };
    let page = |(page, pixels): (usize, Vec<[u8; 4]>)| {
        let png = encode_png(PAGE[0] as u32, PAGE[1] as u32, pixels.as_flattened()).expect("memory");
        (name(page), png, PAGE)
    };
    (packed, Sheet { pages: pixels.into_iter().enumerate().map(page).collect() })
}

fn json_frame(packed: &Packed<'_>) -> String {
    let ([x, y], [left, top, w, h], [width, height]) = (packed.at, packed.area, packed.frame.canvas);
    format!(
        r#""frame": {{"x": {x}, "y": {y}, "w": {w}, "h": {h}}}, "rotated": {}, "trimmed": true, "spriteSourceSize": {{"x": {left}, "y": {top}, "w": {w}, "h": {h}}}, "sourceSize": {{"w": {width}, "h": {height}}}"#,
        packed.turn == Turn::Right
    )
}

fn json_list(list: &[Packed<'_>]) -> String {
    let frames: Vec<String> = list
        .iter()
        .map(|entry| format!("{{\"filename\": \"{}.png\", {}}}", entry.frame.name(), json_frame(entry)))
        .collect();
    format!("{{\"frames\": [{}], \"meta\": {{\"image\": \"art.png\"}}}}", frames.join(",\n"))
}

fn json_hash(list: &[Packed<'_>]) -> String {
    let frames: Vec<String> =
        list.iter().map(|entry| format!("\"{}\": {{{}}}", entry.frame.name(), json_frame(entry))).collect();
    format!("{{\"frames\": {{{}}}, \"meta\": {{\"image\": \"art.png\"}}}}", frames.join(",\n"))
}

fn egret(list: &[Packed<'_>]) -> String {
    let frame = |entry: &Packed<'_>| {
        let ([x, y], [left, top, w, h], [width, height]) = (entry.at, entry.area, entry.frame.canvas);
        format!(
            r#""{}":{{"x":{x},"y":{y},"w":{w},"h":{h},"offX":{left},"offY":{top},"sourceW":{width},"sourceH":{height}}}"#,
            entry.frame.name()
        )
    };
    let frames: Vec<String> = list.iter().map(frame).collect();
    format!("{{\"file\":\"art.png\",\"frames\":{{{}}}}}", frames.join(","))
}

fn starling(list: &[Packed<'_>]) -> String {
    let mut text =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TextureAtlas imagePath=\"art.png\">\n");
    for entry in list {
        let ([x, y], [left, top, ..], [width, height]) = (entry.at, entry.area, entry.frame.canvas);
        let [w, h] = entry.stored();
        let rotated = if entry.turn == Turn::Right { " rotated=\"true\"" } else { "" };
        let name = entry.frame.name();
        let _ = writeln!(
            text,
            "  <SubTexture name=\"{name}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" frameX=\"-{left}\" \
             frameY=\"-{top}\" frameWidth=\"{width}\" frameHeight=\"{height}\"{rotated}/>"
        );
    }
    text + "</TextureAtlas>\n"
}

/// A property list.
enum Plist {
    Dict(Vec<(String, Plist)>),
    Text(String),
    Number(f64),
    Bool(bool),
}

impl Plist {
    fn xml(&self) -> String {
        match self {
            Self::Dict(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| format!("<key>{key}</key>\n{}", value.xml()));
                format!("<dict>\n{}</dict>\n", pairs.collect::<String>())
            }
            Self::Text(text) => format!("<string>{text}</string>\n"),
            Self::Number(number) => format!("<real>{number}</real>\n"),
            Self::Bool(value) => format!("<{value}/>\n"),
        }
    }

    fn document(&self) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
             \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n{}</plist>\n",
            self.xml()
        )
    }

    /// Adds the object and its children; strings are shared, as in Apple's writer.
    fn add(&self, objects: &mut Vec<Vec<u8>>, strings: &mut BTreeMap<String, u16>) -> u16 {
        let text = |text: &str, objects: &mut Vec<Vec<u8>>, strings: &mut BTreeMap<String, u16>| {
            *strings.entry(text.to_owned()).or_insert_with(|| {
                objects.push([&[0x5f, 0x10, text.len() as u8], text.as_bytes()].concat());
                objects.len() as u16 - 1
            })
        };
        match self {
            Self::Text(content) => return text(content, objects, strings),
            Self::Number(number) => objects.push([&[0x23][..], &number.to_be_bytes()].concat()),
            Self::Bool(value) => objects.push(vec![if *value { 9 } else { 8 }]),
            Self::Dict(pairs) => {
                let index = objects.len();
                objects.push(Vec::new());
                let keys: Vec<u16> = pairs.iter().map(|(key, _)| text(key, objects, strings)).collect();
                let values: Vec<u16> = pairs.iter().map(|(_, value)| value.add(objects, strings)).collect();
                let mut bytes = vec![0xdf, 0x11];
                bytes.extend((pairs.len() as u16).to_be_bytes());
                keys.iter().chain(&values).for_each(|object| bytes.extend(object.to_be_bytes()));
                objects[index] = bytes;
                return index as u16;
            }
        }
        objects.len() as u16 - 1
    }

    fn binary(&self) -> Vec<u8> {
        let mut objects = Vec::new();
        self.add(&mut objects, &mut BTreeMap::new());
        let (mut bytes, mut offsets) = (b"bplist00".to_vec(), Vec::new());
        for object in &objects {
            offsets.extend((bytes.len() as u32).to_be_bytes());
            bytes.extend(object);
        }
        let table = bytes.len() as u64;
        bytes.extend(offsets);
        bytes.extend([0, 0, 0, 0, 0, 0, 4, 2]);
        [objects.len() as u64, 0, table].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        bytes
    }
}

fn plist(list: &[Packed<'_>], format: u8) -> Plist {
    let text = |key: &str, text: String| (key.to_owned(), Plist::Text(text));
    let number = |key: &str, number: f64| (key.to_owned(), Plist::Number(number));
    let frame = |entry: &Packed<'_>| {
        let ([x, y], [left, top, w, h], [width, height]) = (entry.at, entry.area, entry.frame.canvas);
        let ([dx, dy], is_turned) = (entry.offset(), Plist::Bool(entry.turn == Turn::Right));
        let fields = match format {
            0 => vec![
                number("x", x as f64),
                number("y", y as f64),
                number("width", w as f64),
                number("height", h as f64),
                number("offsetX", dx),
                number("offsetY", dy),
                number("originalWidth", width as f64),
                number("originalHeight", height as f64),
            ],
            1 | 2 => {
                let mut fields = vec![
                    text("frame", format!("{{{{{x},{y}}},{{{w},{h}}}}}")),
                    text("offset", format!("{{{dx},{dy}}}")),
                    text("sourceColorRect", format!("{{{{{left},{top}}},{{{w},{h}}}}}")),
                    text("sourceSize", format!("{{{width},{height}}}")),
                ];
                if format == 2 {
                    // Rounded, as some programs do; the rectangle is exact.
                    fields[1] = text("offset", format!("{{{},{}}}", dx.trunc(), dy.trunc()));
                    fields.push(("rotated".to_owned(), is_turned));
                }
                fields
            }
            _ => vec![
                text("spriteOffset", format!("{{{dx},{dy}}}")),
                text("spriteSize", format!("{{{w},{h}}}")),
                text("spriteSourceSize", format!("{{{width},{height}}}")),
                text("textureRect", format!("{{{{{x},{y}}},{{{w},{h}}}}}")),
                ("textureRotated".to_owned(), is_turned),
            ],
        };
        (format!("{}.png", entry.frame.name()), Plist::Dict(fields))
    };
    let metadata = vec![
        number("format", format.into()),
        text("realTextureFileName", "art.png".to_owned()),
        text("size", format!("{{{},{}}}", PAGE[0], PAGE[1])),
        text("textureFileName", "art.png".to_owned()),
    ];
    let frames = list.iter().map(frame).collect();
    let mut root = vec![("frames".to_owned(), Plist::Dict(frames))];
    if format > 0 {
        root.push(("metadata".to_owned(), Plist::Dict(metadata)));
    }
    Plist::Dict(root)
}

fn atlas(list: &[Packed<'_>], sheet: &Sheet, is_old: bool) -> String {
    let mut text = String::new();
    for (page, (name, _, [width, height])) in sheet.pages.iter().enumerate() {
        let _ = write!(text, "\n{name}\nsize: {width}, {height}\nfilter: Nearest, Nearest\n");
        for entry in list.iter().filter(|entry| entry.page == page) {
            let ([x, y], [left, top, w, h], [width, height]) = (entry.at, entry.area, entry.frame.canvas);
            let below = height - top - h;
            let degrees = match entry.turn {
                Turn::None => "false",
                Turn::Left => "90",
                Turn::Half => "180",
                Turn::Right => "270",
            };
            let Frame { animation, number, .. } = entry.frame;
            let _ = match is_old {
                true => write!(
                    text,
                    "{animation}\n  rotate: {}\n  xy: {x}, {y}\n  size: {w}, {h}\n  orig: {width}, {height}\n  offset: \
                     {left}, {below}\n  index: {number}\n",
                    if degrees == "90" { "true" } else { degrees }
                ),
                false => write!(
                    text,
                    "{animation}\nindex:{number}\nbounds:{x},{y},{w},{h}\noffsets:{left},{below},{width},{height}\nrotate:{degrees}\n"
                ),
            };
        }
    }
    text
}

/// Writes a file of each dialect into its own folder; returns them with their names in `inspect`.
fn dialects(frames: &[Frame], place: &Path) -> Vec<(PathBuf, &'static str)> {
    let mut files = Vec::new();
    let mut write = |folder: &str, file: &str, bytes: Vec<u8>, sheet: &Sheet, kind| {
        let folder = place.join(folder);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(file), bytes).expect("space");
        for (name, png, _) in &sheet.pages {
            fs::write(folder.join(name), png).expect("space");
        }
        files.push((folder.join(file), kind));
    };
    let (upright, flat) = pack(frames, &[Turn::None], 1);
    let (turned, rotated) = pack(frames, &[Turn::None, Turn::Right, Turn::Right], 1);
    let (any, pages) = pack(frames, &[Turn::None, Turn::Left, Turn::Half, Turn::Right, Turn::Left], 2);
    let (left, one) = pack(frames, &[Turn::Left, Turn::None], 1);
    let (json, cocos) = ("sprite sheet (JSON)", "sprite sheet (cocos2d plist)");
    write("list", "art.json", json_list(&turned).into(), &rotated, json);
    write("hash", "art.json", json_hash(&turned).into(), &rotated, json);
    write("egret", "art.json", egret(&upright).into(), &flat, "sprite sheet (Egret JSON)");
    write("starling", "art.xml", starling(&turned).into(), &rotated, "sprite sheet (Starling XML)");
    for format in 0..4 {
        let (list, sheet) = if format < 2 { (&upright, &flat) } else { (&turned, &rotated) };
        write(&format!("plist{format}"), "art.plist", plist(list, format).document().into(), sheet, cocos);
    }
    let binary = plist(&turned, 3).binary();
    write("binary", "art.plist", binary, &rotated, "sprite sheet (binary cocos2d plist)");
    let gdx = "sprite sheet (libGDX atlas)";
    write("old-atlas", "art.atlas", atlas(&left, &one, true).into(), &one, gdx);
    write("new-atlas", "art.atlas", atlas(&any, &pages, false).into(), &pages, gdx);
    files
}

/// The frame that a step shows.
fn shown(character: &Character, animation: &str, step: u32) -> String {
    let model = character.model();
    let mut pose = Pose::default();
    let cue =
        Cue { animation: model.find_animation(animation), position: Position::frame(step), ..Cue::default() };
    evaluate(character, &cue, &mut pose);
    let mut names = pose.visible_attachments(model).map(|id| model.attachment(id).name().trim_end_matches(".png"));
    names.next().unwrap_or_default().to_owned()
}

/// Checks that every frame exists once, at its place, and again in its animation.
#[track_caller]
fn assert_shows(path: &Path, frames: &[Frame], title: &str) {
    let what = path.display();
    let mut diagnostics = Diagnostics::default();
    let character =
        open(path, &ReadOptions::default(), &mut diagnostics).unwrap_or_else(|error| panic!("{error}"));
    assert!(diagnostics.is_empty(), "{what}: {:?}", diagnostics.findings());
    let model = character.model();
    let names: Vec<(&str, u32)> =
        model.animations().iter().map(|animation| (animation.name.as_str(), animation.frame_count())).collect();
    let count = |name| frames.iter().filter(|frame| frame.animation == name).count() as u32;
    let expected = [(title, frames.len() as u32), ("idle", count("idle")), ("run", count("run"))];
    assert_eq!(names, expected, "{what}");
    let number = |name: &str| -> (String, usize) {
        let (animation, number) = name.rsplit_once('_').unwrap_or_else(|| panic!("{what}: `{name}`"));
        (animation.to_owned(), number.parse().expect("a number"))
    };
    for name in ["idle", "run"] {
        let order: Vec<(String, usize)> =
            (0..count(name)).map(|step| number(&shown(&character, name, step))).collect();
        let expected: Vec<(String, usize)> =
            (0..count(name) as usize).map(|step| (name.to_owned(), step)).collect();
        assert_eq!(order, expected, "{what}");
    }
    let mut painter = Painter::new(&character);
    let mut seen = Vec::new();
    for step in 0..frames.len() as u32 {
        let (animation, number) = number(&shown(&character, title, step));
        let frame =
            frames.iter().find(|frame| frame.animation == animation && frame.number == number).expect("one");
        // With a border, to detect pixels drawn outside.
        let border = 3i64;
        let [width, height] = frame.canvas.map(|side| side as i64 + 2 * border);
        for filter in [Filter::Nearest, Filter::Linear] {
            let id = model.animation_ids().next().expect("one");
            let found = painter.paint(id, Position::frame(step), [width, height], [border, border], filter);
            let is_right = |(index, found): (usize, &[u8; 4])| {
                let (x, y) = (index as i64 % width - border, index as i64 / width - border);
                let is_inside =
                    (0..frame.canvas[0] as i64).contains(&x) && (0..frame.canvas[1] as i64).contains(&y);
                let expected = if is_inside { frame.at(x as usize, y as usize) } else { [0; 4] };
                *found == premultiply(expected)
            };
            let wrong = found.iter().enumerate().filter(|pixel| !is_right((pixel.0, pixel.1))).count();
            assert!(wrong == 0, "{what}: frame {animation} {number}, {filter:?}: {wrong} pixels differ");
        }
        seen.push((animation, number));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), frames.len(), "{what}");
}

#[test]
fn every_dialect_shows_the_same_pixels() {
    let (frames, place) = (frames(), folder());
    // The art covers the tested cases: odd offsets, and frames that are not square.
    let (packed, _) = pack(&frames, &[Turn::None], 1);
    assert!(packed.iter().any(|entry| entry.offset().iter().any(|offset| offset.fract() != 0.0)));
    assert!(packed.iter().filter(|entry| entry.area[2] != entry.area[3]).count() > 8);
    for (path, kind) in dialects(&frames, place.path()) {
        assert_eq!(format_name(&fs::read(&path).expect("a file")), Some(kind), "{}", path.display());
        assert_shows(&path, &frames, "art");
    }
}

#[test]
fn every_dialect_becomes_json_that_shows_the_same() {
    let (frames, place) = (frames(), folder());
    for (path, _) in dialects(&frames, place.path()) {
        let input = path.to_string_lossy();
        for to in ["sheet", "sheet-hash", "sheet-multiatlas"] {
            let output = path.with_file_name(format!("{to}/art.json"));
            fine(place.path(), &["convert", &input, "-o", &output.to_string_lossy(), "--to", to, "-q"]);
            assert_shows(&output, &frames, "art");
        }
        let packed = path.with_file_name("packed.sprsh");
        let output = pchr(place.path(), &["convert", &input, "-o", &packed.to_string_lossy(), "-q"]);
        match path.parent().is_some_and(|folder| folder.ends_with("new-atlas")) {
            true => assert!(stderr(&output).contains("a .sprsh can contain only one"), "{}", stderr(&output)),
            false => assert_shows(&packed, &frames, "packed"),
        }
    }
}

#[test]
fn frames_that_share_pixels_are_not_turned_in_place() {
    let place = folder();
    let (_, sheet) = pack(&frames(), &[Turn::None], 1);
    fs::write(place.path().join("art.png"), &sheet.pages[0].1).expect("space");
    let text = "art.png\nsize: 210,256\na\nbounds: 2, 2, 8, 8\nrotate: 90\nb\nbounds: 5, 5, 20, 20\n";
    fs::write(place.path().join("art.atlas"), text).expect("space");
    let message = refused(place.path(), 3, &["convert", "art.atlas", "-o", "out/art.json", "--to", "sheet"]);
    assert!(message.contains("overlaps") && message.contains("line 6"), "{message}");
}

#[test]
fn both_programs_open_every_dialect() {
    let (frames, place) = (frames(), folder());
    let mut pictures = Vec::new();
    for (index, (path, kind)) in dialects(&frames, place.path()).into_iter().enumerate() {
        let input = path.to_string_lossy();
        let message = String::from_utf8(fine(place.path(), &["inspect", &input]).stdout).expect("UTF-8");
        assert!(message.contains(kind) && message.contains("idle") && message.contains("run"), "{message}");
        fine(place.path(), &["validate", &input, "--deny", "warnings"]);
        let output = format!("{index}.png");
        let mut command = Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        let args = ["-a", "run", "-f", "3", "--backend", "cpu", "--fit", "0,0,64,48", "-o", &output, "-q"];
        let done = command.current_dir(place.path()).arg(&*input).args(args).output().expect("it runs");
        assert!(done.status.success(), "{}", stderr(&done));
        pictures.push(fs::read(place.path().join(output)).expect("a picture"));
    }
    assert!(pictures.len() > 8 && pictures.iter().all(|picture| *picture == pictures[0]));
}

#[test]
fn validate_finds_sheets_in_folders_and_ignores_other_files() {
    let (frames, place) = (frames(), folder());
    let count = dialects(&frames, place.path()).len();
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("space");
    };
    write(
        "others/Info.plist",
        "<?xml version='1.0'?><plist><dict><key>CFBundle</key><string>a</string></dict></plist>",
    );
    let long = format!(
        "<?xml version='1.0'?><plist><dict><key>Note</key><string>{}</string></dict></plist>",
        "a".repeat(300)
    );
    write("others/Long.plist", &long);
    write("others/page.xml", "<html><body/></html>");
    write("others/notes.atlas", "all of these\nare words\n");
    write("others/package.json", r#"{"file": "a", "frames": {"a": 1}}"#);
    // Atlases of skeletons: in their folder, below it, and in a sibling folder.
    let skeleton =
        r#"{"skeleton": {"spine": "3.8.75"}, "bones": [{"name": "root"}], "slots": [], "animations": {}}"#;
    let atlas = "none.png\nsize: 1,1\na\n  xy: 0, 0\n  size: 1, 1\n";
    for name in ["hero/hero.json", "below/hero-pro.json", "beside/data/hero.json"] {
        write(name, skeleton);
    }
    for name in ["hero/any.atlas", "below/images/hero.atlas", "beside/atlases/hero-pma.atlas"] {
        write(name, atlas);
    }
    write("beside/atlases/villain.atlas", atlas);
    let output = pchr(place.path(), &["validate", ".", "--style", "json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let files = found["files"].as_array().expect("a list");
    let names: Vec<&str> = files.iter().map(|file| file["file"].as_str().unwrap_or_default()).collect();
    let is_listed = |name: &str| names.iter().any(|found| found.ends_with(name));
    assert!(is_listed("beside/atlases/villain.atlas"), "{names:?}");
    for name in [
        "any.atlas",
        "hero.atlas",
        "hero-pma.atlas",
        "Info.plist",
        "Long.plist",
        "page.xml",
        "notes.atlas",
        "package.json",
    ] {
        assert!(!is_listed(name), "{name}: {names:?}");
    }
    assert_eq!(names.len(), count + 4, "{names:?}");
    // A file given by name is always validated.
    fine(place.path(), &["validate", "new-atlas/art.atlas"]);
    refused(place.path(), 3, &["validate", "others/Long.plist"]);
    let output = pchr(place.path(), &["validate", "others/Info.plist"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("no dictionary `frames`"), "{}", stderr(&output));
}

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
