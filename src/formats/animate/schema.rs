//! The fields of `Animation.json` in both spellings, short and long. Unknown keys are ignored.

use crate::formats::json::borrowed::Text;
use crate::formats::json::parser::{Parser, Result};
use crate::formats::json::pull::{Pull, numbers, pull_object, pulled_objects};
use crate::motion::animate::{Effect, Play};

/// Larger numbers of frames are reduced to this.
pub const MAX_FRAMES: u32 = 1 << 24;

/// `Animation.json`, or a file of `LIBRARY` in its `timeline`.
#[derive(Debug, Default)]
pub struct Root<'a> {
    pub animation: Option<Symbol<'a>>,
    pub dictionary: Option<Dictionary<'a>>,
    pub metadata: Option<Metadata>,
    /// Only in files of `LIBRARY`.
    pub layers: Vec<Layer<'a>>,
}

#[derive(Debug, Default)]
pub struct Dictionary<'a> {
    pub symbols: Vec<Symbol<'a>>,
}

/// `MD`, or `metadata.json`.
#[derive(Debug, Default)]
pub struct Metadata {
    pub rate: Option<f32>,
}

#[derive(Debug, Default)]
pub struct Symbol<'a> {
    pub name: Text<'a>,
    pub timeline: Timeline<'a>,
}

#[derive(Debug, Default)]
pub struct Timeline<'a> {
    pub layers: Vec<Layer<'a>>,
}

#[derive(Debug, Default)]
pub struct Layer<'a> {
    pub name: Text<'a>,
    pub kind: LayerKind,
    pub clipped_by: Option<Text<'a>>,
    pub keys: Vec<Key<'a>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LayerKind {
    #[default]
    Plain,
    Mask,
    /// Without content.
    Folder,
}

/// A keyframe.
#[derive(Debug, Default)]
pub struct Key<'a> {
    pub first: u32,
    pub count: u32,
    pub label: Option<Text<'a>>,
    pub elements: Vec<Element<'a>>,
    /// The first property of the keyframe that is ignored.
    pub ignored: Option<&'static str>,
}

/// An instance of a symbol, or a sprite.
#[derive(Debug)]
pub enum Element<'a> {
    Symbol(Instance<'a>),
    Sprite(Instance<'a>),
    /// Anything else, such as a text field.
    Other,
}

#[derive(Debug, Default)]
pub struct Instance<'a> {
    pub name: Text<'a>,
    pub instance_name: Option<Text<'a>>,
    pub kind: InstanceKind,
    pub first: u32,
    pub play: Option<Play>,
    /// The mode is unknown.
    pub plays_otherwise: bool,
    pub matrix: Option<Matrix>,
    pub matrix_3d: Option<Matrix>,
    pub position: Option<Position>,
    /// Animate 2018: the sprite that the symbol consists of.
    pub bitmap: Option<Box<Bitmap<'a>>>,
    pub effect: Option<Box<Effect>>,
    pub blend: Option<u32>,
    /// The first one.
    pub filter: Option<Box<Text<'a>>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InstanceKind {
    #[default]
    Graphic,
    MovieClip,
    Button,
}

/// `a b c d tx ty`, y down.
#[derive(Debug, Clone, Copy)]
pub struct Matrix {
    pub values: [f32; 6],
    /// It moves or turns in depth.
    pub is_3d: bool,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Position {
    pub x: f32,
    pub y: f32,
}

#[derive(Debug, Default)]
pub struct Bitmap<'a> {
    pub name: Text<'a>,
    pub position: Position,
}

impl Instance<'_> {
    /// Returns the matrix: of several forms, the first one counts.
    pub fn matrix(&self) -> Matrix {
        let Position { x, y } = self.position.unwrap_or_default();
        let moved = Matrix { values: [1.0, 0.0, 0.0, 1.0, x, y], is_3d: false };
        self.matrix.or(self.matrix_3d).unwrap_or(moved)
    }
}

pulled_objects! {
    Root<'a>, "an object" {
        "AN" | "ANIMATION" => animation,
        "SD" | "SYMBOL_DICTIONARY" => dictionary,
        "MD" | "metadata" => metadata,
        "L" | "LAYERS" => layers,
    }
    Dictionary<'a>, "an object" { "S" | "Symbols" => symbols, }
    Metadata, "an object" { "FRT" | "framerate" => rate by rate, }
    Symbol<'a>, "an object" {
        "SN" | "SYMBOL_name" => name,
        "TL" | "TIMELINE" => timeline,
    }
    Timeline<'a>, "an object" { "L" | "LAYERS" => layers, }
    Layer<'a>, "an object" {
        "LN" | "Layer_name" => name,
        "LT" | "Layer_type" => kind by layer_kind,
        "Clpb" | "Clipped_by" => clipped_by,
        "FR" | "Frames" => keys,
    }
    Bitmap<'a>, "an object" { "name" | "N" => name, "Position" => position, }
}

/// Properties of keyframes that are not played, in both spellings. Better Texture Atlas writes them.
const IGNORED: [(&str, &str, &str); 5] = [
    ("C", "color", "colour effect"),
    ("B", "blend", "blend mode"),
    ("F", "filters", "filter"),
    ("SND", "sound", "sound"),
    ("AS", "actionScript", "script"),
];

impl<'a> Pull<'a> for Key<'a> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        let (mut it, mut ignored) = (Self::default(), None);
        {
            let it = &mut it;
            pull_object!(json, key, "an object", it {
                "I" | "index" => first by frame,
                "DU" | "duration" => count by frame,
                "N" | "name" => label,
                "E" | "elements" => elements,
            } else {
                let known = IGNORED.iter().find(|(short, long, _)| [*short, *long].contains(&&*key));
                let what = known.map(|(.., what)| *what);
                let is_stated = if what == Some("filter") {
                    filter(json)?.is_some()
                } else {
                    let is_stated = json.peek() != Some(b'n');
                    json.ignore()?;
                    is_stated
                };
                ignored = ignored.or(what.filter(|_| is_stated));
                Ok(())
            });
        }
        it.ignored = ignored;
        Ok(it)
    }
}

impl<'a> Pull<'a> for Instance<'a> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        let mut it = Self::default();
        let mut play = None;
        {
            let it = &mut it;
            pull_object!(json, key, "an object", it {
                "SN" | "SYMBOL_name" | "N" | "name" => name,
                "IN" | "Instance_Name" => instance_name,
                "ST" | "symbolType" => kind by instance_kind,
                "FF" | "firstFrame" => first by frame,
                "MX" | "Matrix" => matrix,
                "M3D" | "Matrix3D" => matrix_3d,
                "Position" => position,
                "bitmap" => bitmap by boxed,
                "C" | "color" => effect by effect,
                "B" | "blend" => blend,
                "F" | "filters" => filter by filter,
            } else match &*key {
                "LP" | "loop" => Option::<Text<'_>>::pull(json).map(|mode| play = mode),
                _ => json.ignore(),
            });
        }
        it.play = match play.as_ref().map(Text::as_str) {
            Some("LP" | "loop") => Some(Play::Loop),
            Some("PO" | "playonce") => Some(Play::Once),
            Some("SF" | "singleframe") => Some(Play::Still),
            other => {
                it.plays_otherwise = other.is_some();
                None
            }
        };
        Ok(it)
    }
}

impl<'a> Pull<'a> for Element<'a> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        let mut it = Self::Other;
        json.object("an element", |json, key| {
            match &*key {
                "SI" | "SYMBOL_Instance" => it = Self::Symbol(Pull::pull(json)?),
                "ASI" | "ATLAS_SPRITE_instance" => it = Self::Sprite(Pull::pull(json)?),
                _ => json.ignore()?,
            }
            Ok(())
        })?;
        Ok(it)
    }
}

impl Pull<'_> for Position {
    fn pull(json: &mut Parser<'_>) -> Result<Self> {
        let mut it = Self::default();
        json.object("a position", |json, key| {
            match &*key {
                "x" => it.x = json.number()?,
                "y" => it.y = json.number()?,
                _ => json.ignore()?,
            }
            Ok(())
        })?;
        Ok(it)
    }
}

/// The places of a b c d tx ty among the 16 numbers of a matrix.
const PLANE: [usize; 6] = [0, 1, 4, 5, 12, 13];

impl Pull<'_> for Matrix {
    fn pull(json: &mut Parser<'_>) -> Result<Self> {
        let start = json.start();
        let mut all = [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| f32::from(row == column))).concat();
        if json.peek() == Some(b'[') {
            let list: Vec<f32> = numbers(json)?;
            if let Ok(values) = <[f32; 6]>::try_from(&*list) {
                return Ok(Self { values, is_3d: false });
            }
            if list.len() != all.len() {
                let message = format!("a matrix has 6 or 16 numbers, this one has {}", list.len());
                return Err(json.refused(start, message));
            }
            all = list;
        } else {
            json.object("a matrix", |json, key| {
                let place = match key.as_bytes() {
                    [b'm', row @ b'0'..=b'3', column @ b'0'..=b'3'] => Some((row - b'0') * 4 + column - b'0'),
                    _ => None,
                };
                match place.and_then(|place| all.get_mut(usize::from(place))) {
                    Some(value) => *value = json.number()?,
                    None => json.ignore()?,
                }
                Ok(())
            })?;
        }
        let is_3d = all.iter().enumerate().any(|(place, value)| {
            let usual = f32::from(place % 5 == 0);
            !PLANE.contains(&place) && (value - usual).abs() > 1e-3
        });
        Ok(Self { values: PLANE.map(|place| all.get(place).copied().unwrap_or_default()), is_3d })
    }
}

fn boxed<'a>(json: &mut Parser<'a>) -> Result<Option<Box<Bitmap<'a>>>> {
    Option::<Bitmap<'a>>::pull(json).map(|bitmap| bitmap.map(Box::new))
}

fn rate(json: &mut Parser<'_>) -> Result<Option<f32>> {
    if json.null()? { Ok(None) } else { json.number().map(Some) }
}

/// A number of frames; some programs write fractions.
fn frame(json: &mut Parser<'_>) -> Result<u32> {
    json.number().map(|number| (number as u32).min(MAX_FRAMES))
}

fn layer_kind(json: &mut Parser<'_>) -> Result<LayerKind> {
    Ok(match json.text()?.as_ref() {
        "Clp" | "Clipper" => LayerKind::Mask,
        "Fld" | "Folder" => LayerKind::Folder,
        _ => LayerKind::Plain,
    })
}

fn instance_kind(json: &mut Parser<'_>) -> Result<InstanceKind> {
    Ok(match json.text()?.as_ref() {
        "MC" | "movieclip" => InstanceKind::MovieClip,
        "B" | "button" => InstanceKind::Button,
        _ => InstanceKind::Graphic,
    })
}

/// An object by kind, or a list whose entries name their kinds.
fn filter<'a>(json: &mut Parser<'a>) -> Result<Option<Box<Text<'a>>>> {
    let mut first = None;
    if json.peek() == Some(b'[') {
        json.list(|json| {
            json.object("a filter", |json, key| match &*key {
                "N" | "name" => Text::pull(json).map(|name| _ = first.get_or_insert(Box::new(name))),
                _ => json.ignore(),
            })
        })?;
    } else if !json.null()? {
        json.object("the filters", |json, key| {
            first.get_or_insert(Box::new(Text(key)));
            json.ignore()
        })?;
    }
    Ok(first)
}

/// Keys are matched in any case, since Animate mixes it.
fn effect(json: &mut Parser<'_>) -> Result<Option<Box<Effect>>> {
    let (mut mode, mut whole) = (None, Effect::NONE);
    let (mut tint, mut amount, mut brightness) = ([0.0; 3], 0.0, 0.0);
    json.object("a colour effect", |json, key| {
        match &*key.to_ascii_lowercase() {
            "m" | "mode" => mode = Some(json.text()?),
            "rm" | "redmultiplier" => whole.multiplier[0] = json.number()?,
            "gm" | "greenmultiplier" => whole.multiplier[1] = json.number()?,
            "bm" | "bluemultiplier" => whole.multiplier[2] = json.number()?,
            "am" | "alphamultiplier" => whole.multiplier[3] = json.number()?,
            "ro" | "redoffset" => whole.offset[0] = json.number()? / 255.0,
            "go" | "greenoffset" => whole.offset[1] = json.number()? / 255.0,
            "bo" | "blueoffset" => whole.offset[2] = json.number()? / 255.0,
            "ao" | "alphaoffset" => whole.offset[3] = json.number()? / 255.0,
            "tc" | "tintcolor" => tint = color(json)?,
            "tm" | "tintmultiplier" => amount = json.number()?,
            "brt" | "brightness" => brightness = json.number()?,
            _ => json.ignore()?,
        }
        Ok(())
    })?;
    let mixed = |amount: f32, with: [f32; 3]| {
        let [r, g, b] = with.map(|channel| channel * amount);
        let rest = 1.0 - amount;
        Effect { multiplier: [rest, rest, rest, 1.0], offset: [r, g, b, 0.0] }
    };
    let effect = match mode.as_deref() {
        Some("CA" | "Alpha") => Effect { multiplier: [1.0, 1.0, 1.0, whole.multiplier[3]], ..Effect::NONE },
        Some("T" | "Tint") => mixed(amount, tint),
        Some("CBRT" | "Brightness") if brightness < 0.0 => mixed(-brightness, [0.0; 3]),
        Some("CBRT" | "Brightness") => mixed(brightness, [1.0; 3]),
        Some("AD" | "Advanced") => whole,
        _ => Effect::NONE,
    };
    Ok((effect != Effect::NONE).then(|| Box::new(effect)))
}

/// `#RRGGBB`.
fn color(json: &mut Parser<'_>) -> Result<[f32; 3]> {
    let start = json.start();
    let text = json.text()?;
    let digits = text.strip_prefix('#').unwrap_or(&text);
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6);
    let value = value.ok_or_else(|| json.refused(start, format!("`{text}` is not a colour like `#ff8000`")))?;
    Ok([16, 8, 0].map(|shift| (value >> shift & 0xff) as f32 / 255.0))
}
