//! Writes one set of frames as each program does.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::ours;
use crate::common::sheet_reference::Reference;
use pchr::formats::image::encode_png;

/// A frame before packing: its name and number, and its pixels on a canvas.
pub struct Frame {
    pub animation: &'static str,
    pub number: usize,
    pub canvas: [usize; 2],
    pub pixels: Vec<[u8; 4]>,
}

impl Frame {
    pub fn name(&self) -> String {
        format!("{}_{:04}", self.animation, self.number)
    }

    pub fn at(&self, x: usize, y: usize) -> [u8; 4] {
        self.pixels[y * self.canvas[0] + x]
    }

    /// Left, top, width and height of the opaque part.
    pub fn area(&self) -> [usize; 4] {
        let [width, height] = self.canvas;
        let is_seen = |x: usize, y: usize| self.at(x, y)[3] > 0;
        let columns: Vec<usize> = (0..width).filter(|&x| (0..height).any(|y| is_seen(x, y))).collect();
        let rows: Vec<usize> = (0..height).filter(|&y| (0..width).any(|x| is_seen(x, y))).collect();
        let (left, top) = (columns[0], rows[0]);
        [left, top, columns[columns.len() - 1] + 1 - left, rows[rows.len() - 1] + 1 - top]
    }
}

/// Our own animations, a few columns narrower so that offsets are odd.
pub fn frames() -> Vec<Frame> {
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
pub enum Turn {
    None,
    Right,
    Half,
    Left,
}

/// A frame on its page.
pub struct Packed<'a> {
    pub frame: &'a Frame,
    pub page: usize,
    /// Place on the page.
    pub at: [usize; 2],
    /// Place on the canvas, with the size before turning.
    pub area: [usize; 4],
    pub turn: Turn,
}

impl Packed<'_> {
    fn stored(&self) -> [usize; 2] {
        let [.., w, h] = self.area;
        if matches!(self.turn, Turn::None | Turn::Half) { [w, h] } else { [h, w] }
    }

    /// From the centre of the canvas to that of the frame, y up.
    pub fn offset(&self) -> [f64; 2] {
        let ([left, top, w, h], [width, height]) = (self.area, self.frame.canvas);
        let [left, top, w, h, width, height] = [left, top, w, h, width, height].map(|number| number as f64);
        [left + w / 2.0 - width / 2.0, height / 2.0 - top - h / 2.0]
    }
}

/// A written sheet, and the pictures next to it.
pub struct Sheet {
    pub pages: Vec<(String, Vec<u8>, [usize; 2])>,
}

pub const PAGE: [usize; 2] = [210, 256];

/// Packs frames on pages, turned by cycling through `turns`.
pub fn pack<'a>(frames: &'a [Frame], turns: &[Turn], pages: usize) -> (Vec<Packed<'a>>, Sheet) {
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

pub fn json_frame(packed: &Packed<'_>) -> String {
    let ([x, y], [left, top, w, h], [width, height]) = (packed.at, packed.area, packed.frame.canvas);
    format!(
        r#""frame": {{"x": {x}, "y": {y}, "w": {w}, "h": {h}}}, "rotated": {}, "trimmed": true, "spriteSourceSize": {{"x": {left}, "y": {top}, "w": {w}, "h": {h}}}, "sourceSize": {{"w": {width}, "h": {height}}}"#,
        packed.turn == Turn::Right
    )
}

pub fn json_list(list: &[Packed<'_>]) -> String {
    let frames: Vec<String> = list
        .iter()
        .map(|entry| format!("{{\"filename\": \"{}.png\", {}}}", entry.frame.name(), json_frame(entry)))
        .collect();
    format!("{{\"frames\": [{}], \"meta\": {{\"image\": \"art.png\"}}}}", frames.join(",\n"))
}

pub fn json_hash(list: &[Packed<'_>]) -> String {
    let frames: Vec<String> =
        list.iter().map(|entry| format!("\"{}\": {{{}}}", entry.frame.name(), json_frame(entry))).collect();
    format!("{{\"frames\": {{{}}}, \"meta\": {{\"image\": \"art.png\"}}}}", frames.join(",\n"))
}

pub fn egret(list: &[Packed<'_>]) -> String {
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

pub fn starling(list: &[Packed<'_>]) -> String {
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

/// TexturePacker's generic XML.
pub fn generic(list: &[Packed<'_>]) -> String {
    let sprite = |entry: &Packed<'_>| {
        let ([x, y], [left, top, ..], [width, height]) = (entry.at, entry.area, entry.frame.canvas);
        let ([w, h], name) = (entry.stored(), entry.frame.name());
        let turned = if entry.turn == Turn::Right { " r=\"y\"" } else { "" };
        format!(
            "<sprite n=\"{name}.png\" x=\"{x}\" y=\"{y}\" w=\"{w}\" h=\"{h}\" oX=\"{left}\" oY=\"{top}\" oW=\"{width}\" \
             oH=\"{height}\"{turned}/>\n"
        )
    };
    let sprites: String = list.iter().map(sprite).collect();
    format!("<?xml version=\"1.0\"?>\n<TextureAtlas imagePath=\"art.png\">\n{sprites}</TextureAtlas>\n")
}

/// TexturePacker for Godot.
pub fn godot(list: &[Packed<'_>]) -> String {
    let sprite = |entry: &Packed<'_>| {
        let ([x, y], [left, top, w, h], [width, height]) = (entry.at, entry.area, entry.frame.canvas);
        format!(
            r#"{{"filename":"{}.png","region":{{"x":{x},"y":{y},"w":{w},"h":{h}}},"margin":{{"x":{left},"y":{top},"w":{},"h":{}}}}}"#,
            entry.frame.name(),
            width - w,
            height - h
        )
    };
    let sprites: Vec<String> = list.iter().map(sprite).collect();
    format!(
        r#"{{"textures":[{{"image":"art.png","sprites":[{}]}}],"meta":{{"app":"texturepacker"}}}}"#,
        sprites.join(",")
    )
}

/// TexturePacker for UIKit.
pub fn uikit(list: &[Packed<'_>]) -> Plist {
    let number = |(key, value): (&str, usize)| (key.to_owned(), Plist::Number(value as f64));
    let frame = |entry: &Packed<'_>| {
        let ([x, y], [left, top, w, h], [width, height]) = (entry.at, entry.area, entry.frame.canvas);
        let fields =
            [("x", x), ("y", y), ("w", w), ("h", h), ("oX", left), ("oY", top), ("oW", width), ("oH", height)];
        (entry.frame.name(), Plist::Dict(fields.map(number).into()))
    };
    Plist::Dict(vec![("frames".to_owned(), Plist::Dict(list.iter().map(frame).collect()))])
}

/// A property list.
pub enum Plist {
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

pub fn plist(list: &[Packed<'_>], format: u8) -> Plist {
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

pub fn atlas(list: &[Packed<'_>], sheet: &Sheet, is_old: bool) -> String {
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
pub fn dialects(frames: &[Frame], place: &Path) -> Vec<(PathBuf, &'static str)> {
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
    write("generic", "art.xml", generic(&turned).into(), &rotated, "sprite sheet (Starling XML)");
    write("godot", "art.tpsheet", godot(&upright).into(), &flat, "sprite sheet (Godot .tpsheet)");
    write("uikit", "art.plist", uikit(&upright).document().into(), &flat, cocos);
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
