//! The papers: few colours, each with lighter and darker variants.

pub const CRIMSON: u32 = 0xC8433F;
pub const CRIMSON_LIGHT: u32 = 0xDE6350;
pub const CRIMSON_DARK: u32 = 0x9C2F37;
pub const CRIMSON_DEEP: u32 = 0x7A2531;
pub const TEAL: u32 = 0x2F7480;
pub const TEAL_LIGHT: u32 = 0x44929A;
pub const TEAL_DARK: u32 = 0x235763;
pub const GOLD: u32 = 0xE8B34B;
pub const GOLD_DARK: u32 = 0xC68A34;
pub const CREAM: u32 = 0xF4E8CF;
pub const CREAM_DARK: u32 = 0xDCC9A6;
pub const STEEL_LIGHT: u32 = 0xDCE4E6;
pub const STEEL: u32 = 0xBBC8CE;
pub const STEEL_DARK: u32 = 0x8C9DA8;
pub const MAIL: u32 = 0x66788A;
pub const MAIL_DARK: u32 = 0x4E5F71;
pub const LEATHER: u32 = 0x8A5638;
pub const LEATHER_DARK: u32 = 0x663D2B;
pub const LEATHER_LIGHT: u32 = 0xA9714A;
pub const SKIN: u32 = 0xF3C9A2;
pub const SKIN_DARK: u32 = 0xD99F79;
pub const BLUSH: u32 = 0xEC9C82;
pub const INK: u32 = 0x2B2A38;
pub const WHITE: u32 = 0xFFFCF4;
