//! Detection of sprite sheets.

use super::atlas::{Resemblance, resembles_atlas};
use super::json::{Keys, is_json, without_bom};
use super::xml;
use crate::formats::image::PNG_SIGNATURE;
use crate::formats::{HEAD, POSSIBLE};

/// The first four bytes of a `.sprsh`.
pub const PACKED_MAGIC: [u8; 4] = *b"SPSH";
/// The first bytes of a binary property list.
pub const BPLIST_MAGIC: [u8; 8] = *b"bplist00";
/// The root element of Starling XML.
const STARLING_ROOT: &[u8] = b"TextureAtlas";
/// The root element of a property list.
const PLIST_ROOT: &[u8] = b"plist";
/// The root element of a character of Codename Engine.
const CHARACTER_ROOT: &[u8] = b"character";

/// A kind of sprite sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Json,
    Egret,
    Godot,
    Starling,
    Plist,
    BinaryPlist,
    Atlas,
    Packed,
    Png,
    Unity,
    SpriteFrames,
    Character(Engine),
}

/// An engine whose characters list animations of sheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Psych,
    VSlice,
    Codename,
}

impl Engine {
    /// Returns the place in a file that names its sheet.
    #[cfg(feature = "sheet")]
    pub fn image_key(self) -> &'static str {
        match self {
            Self::Psych => "/image",
            Self::VSlice => "/assetPath",
            Self::Codename => "sprite",
        }
    }

    /// Returns the engine of a JSON file whose first animation is a character's.
    pub fn of_json(text: &[u8]) -> Option<Self> {
        let text = without_bom(text);
        let (mut engine, mut animations) = (None, None);
        for (key, at) in Keys::of(text) {
            match (key, text.get(at)) {
                (b"image", Some(b'"')) => engine = Some((Self::Psych, b"anim".as_slice())),
                (b"assetPath", Some(b'"')) => engine = Some((Self::VSlice, b"prefix".as_slice())),
                (b"animations", Some(b'[')) => animations = Some(at + 1),
                (b"bones" | b"meshes" | b"skeleton" | b"slots" | b"skins" | b"armature", _) => return None,
                _ => {}
            }
        }
        let ((engine, key), at) = (engine?, animations?);
        Keys::of(&text[at..]).any(|(found, _)| found == key).then_some(engine)
    }
}

impl Kind {
    /// Detects the kind and its score from the first bytes of a file or from all of it. Returns `None` if it is not a
    /// sheet.
    fn detect(bytes: &[u8]) -> Option<(Self, u8)> {
        let begins_as = |magic: &[u8]| !bytes.is_empty() && bytes.iter().zip(magic).all(|(a, b)| a == b);
        let is_head = bytes.len() as u64 <= HEAD;
        let head = &bytes[..bytes.len().min(HEAD as usize)];
        // Pixi's `animations` look like the ones of characters; no other format has `frames` at the top level.
        let with_frames = |kind| match has_frames(bytes) {
            true => Some((kind, 70)),
            false => is_head.then_some((kind, POSSIBLE)),
        };
        if begins_as(&PACKED_MAGIC) {
            Some((Self::Packed, 90))
        } else if begins_as(&PNG_SIGNATURE) {
            Some((Self::Png, 90))
        } else if begins_as(&BPLIST_MAGIC) {
            with_frames(Self::BinaryPlist)
        } else if is_json(bytes) {
            let sheet = resembles_sheet(bytes).then(|| Self::of_json(bytes));
            sheet.or_else(|| Engine::of_json(bytes).map(Self::Character)).map(|kind| (kind, 70))
        } else {
            match xml::root_name(bytes) {
                xml::Root::Named(name) if name == STARLING_ROOT => Some((Self::Starling, 70)),
                xml::Root::Named(name) if name == PLIST_ROOT => with_frames(Self::Plist),
                xml::Root::Named(name) if name == CHARACTER_ROOT => match has(bytes, b"<anim") {
                    true => Some((Self::Character(Engine::Codename), 70)),
                    false => is_head.then_some((Self::Character(Engine::Codename), POSSIBLE)),
                },
                xml::Root::Named(_) => None,
                xml::Root::NotYet => Some((Self::Starling, POSSIBLE)),
                xml::Root::None
                    if has(head, b"# Sprite sheet data for Unity") || bytes.starts_with(b":format=40") =>
                {
                    Some((Self::Unity, 70))
                }
                xml::Root::None if bytes.starts_with(b"[gd_resource") && has(head, b"\"SpriteFrames\"") => {
                    Some((Self::SpriteFrames, 70))
                }
                xml::Root::None => match resembles_atlas(head) {
                    Resemblance::Sure => Some((Self::Atlas, 40)),
                    Resemblance::Possible => Some((Self::Atlas, POSSIBLE)),
                    Resemblance::None => None,
                },
            }
        }
    }

    pub fn of(bytes: &[u8]) -> Option<Self> {
        Self::detect(bytes).map(|(kind, _)| kind)
    }

    /// Returns the kind of a sheet that is JSON.
    fn of_json(text: &[u8]) -> Self {
        if resembles_egret(text) {
            Self::Egret
        } else if has_sprites(text) {
            Self::Godot
        } else {
            Self::Json
        }
    }

    /// Returns true for texts whose frames other programs than their own do not know.
    #[cfg(feature = "convert")]
    pub fn is_dialect(self) -> bool {
        match self {
            Self::Json | Self::Packed | Self::Png => false,
            Self::Egret
            | Self::Godot
            | Self::Starling
            | Self::Plist
            | Self::BinaryPlist
            | Self::Atlas
            | Self::Unity
            | Self::SpriteFrames
            | Self::Character(_) => true,
        }
    }
}

/// Returns the score of a file.
pub fn score(bytes: &[u8]) -> u8 {
    Kind::detect(bytes).map_or(0, |(_, score)| score)
}

/// Returns the human-readable name of the kind.
pub fn kind(bytes: &[u8]) -> &'static str {
    match Kind::of(bytes) {
        Some(Kind::Packed) => "packed sprite sheet",
        Some(Kind::Png) => "sprite sheet (PNG)",
        Some(Kind::Egret) => "sprite sheet (Egret JSON)",
        Some(Kind::Godot) => "sprite sheet (Godot .tpsheet)",
        Some(Kind::Starling) => "sprite sheet (Starling XML)",
        Some(Kind::Plist) => "sprite sheet (cocos2d plist)",
        Some(Kind::BinaryPlist) => "sprite sheet (binary cocos2d plist)",
        Some(Kind::Atlas) => "sprite sheet (libGDX atlas)",
        Some(Kind::Unity) => "sprite sheet (Unity .tpsheet)",
        Some(Kind::SpriteFrames) => "sprite sheet (Godot SpriteFrames)",
        Some(Kind::Character(Engine::Psych)) => "character of Psych Engine (JSON)",
        Some(Kind::Character(Engine::VSlice)) => "character of V-Slice (JSON)",
        Some(Kind::Character(Engine::Codename)) => "character of Codename Engine (XML)",
        Some(Kind::Json) | None => "sprite sheet (JSON)",
    }
}

/// Returns true if a property list, possibly truncated, can be a sheet because it contains `frames`.
pub fn has_frames(bytes: &[u8]) -> bool {
    has(bytes, b"frames")
}

/// Returns true if the text of `bytes` may contain a word.
fn has(bytes: &[u8], word: &[u8]) -> bool {
    // UTF-16 is only decoded by the reader.
    let is_wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    is_wide || bytes.windows(word.len()).any(|found| found == word)
}

/// Returns true if text, possibly invalid, is a sheet: `frames` or `textures` is the first top-level key that is
/// characteristic of any format.
pub fn resembles_sheet(text: &[u8]) -> bool {
    for (key, _) in Keys::of(without_bom(text)) {
        match key {
            b"frames" | b"textures" => return true,
            b"bones" | b"meshes" | b"images" | b"skeleton" | b"slots" | b"skins" | b"armature" => return false,
            _ => {}
        }
    }
    false
}

/// Returns true if the text has an image name before its frames, as in Egret sheets.
pub fn resembles_egret(text: &[u8]) -> bool {
    let mut keys = Keys::of(without_bom(text)).map(|(key, _)| key);
    keys.find(|key| matches!(*key, b"file" | b"frames" | b"meta")) == Some(b"file")
}

/// Returns true if the frames of the first texture are called `sprites`, as in Godot's sheets.
fn has_sprites(text: &[u8]) -> bool {
    let text = without_bom(text);
    let textures = Keys::of(text).find(|(key, at)| *key == b"textures" && text.get(*at) == Some(&b'['));
    textures.is_some_and(|(_, at)| Keys::of(&text[at + 1..]).any(|(key, _)| key == b"sprites"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_detected_by_their_top_level_keys() {
        for text in [
            &br#"{"frames": []}"#[..],
            b"\xef\xbb\xbf {\"meta\": {\"a\": \"}\"}, \"frames\": {",
            br#"{ "meta": {"frames": 1}, "textures": [] }"#,
        ] {
            assert!(resembles_sheet(text), "{}", text.escape_ascii());
        }
        for text in [
            &br#"{"version": 1, "bones": [], "frames": []}"#[..],
            br#"{"animations": [{"frames": []}], "meshes": []}"#,
            br#"{"name": "frames"}"#,
            br#"{"skeleton": {}, "frames": []}"#,
            b"{\"fram",
            b"",
            b"{\"\\",
        ] {
            assert!(!resembles_sheet(text), "{}", text.escape_ascii());
        }
    }
}
