//! The fields of a spritemap: the sprites of one page.

use std::borrow::Cow;

use crate::formats::json::borrowed::Text;
use crate::formats::json::parser::{Parser, Result};
use crate::formats::json::pull::{Pull, pulled_objects};

#[derive(Debug, Default)]
pub struct Spritemap<'a> {
    pub atlas: Atlas<'a>,
    pub meta: Meta<'a>,
}

#[derive(Debug, Default)]
pub struct Atlas<'a> {
    pub sprites: Vec<Entry<'a>>,
}

#[derive(Debug, Default)]
pub struct Entry<'a> {
    pub sprite: Sprite<'a>,
}

/// A rectangle of the page, in pixels as they are stored.
#[derive(Debug, Clone, Default)]
pub struct Sprite<'a> {
    pub name: Text<'a>,
    pub x: f32,
    pub y: f32,
    pub w: f32,
    pub h: f32,
    /// Stored turned clockwise by a quarter.
    pub rotated: bool,
}

#[derive(Debug, Default)]
pub struct Meta<'a> {
    /// The program that wrote it, and its version.
    pub app: Option<Text<'a>>,
    pub version: Option<Text<'a>>,
    pub image: Option<Text<'a>>,
    /// Pixels of the page per pixel of the stage.
    pub resolution: Text<'a>,
}

pulled_objects! {
    Spritemap<'a>, "a spritemap" { "ATLAS" => atlas, "meta" => meta, }
    Atlas<'a>, "an atlas" { "SPRITES" => sprites, }
    Entry<'a>, "an object" { "SPRITE" => sprite, }
    Sprite<'a>, "a sprite" {
        "name" => name,
        "x" => x by Parser::number,
        "y" => y by Parser::number,
        "w" => w by Parser::number,
        "h" => h by Parser::number,
        "rotated" => rotated,
    }
    Meta<'a>, "an object" {
        "app" => app by text_or_none,
        "version" => version by text_or_none,
        "image" => image,
        "resolution" | "scale" => resolution by loose,
    }
}

/// Text that playback does not need: other values are ignored.
fn text_or_none<'a>(json: &mut Parser<'a>) -> Result<Option<Text<'a>>> {
    if json.peek() == Some(b'"') { Text::pull(json).map(Some) } else { json.ignore().map(|()| None) }
}

/// A text, or a number in its place.
fn loose<'a>(json: &mut Parser<'a>) -> Result<Text<'a>> {
    if json.peek() == Some(b'"') {
        return Text::pull(json);
    }
    json.number().map(|number| Text(Cow::Owned(number.to_string())))
}
