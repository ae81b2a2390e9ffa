//! The attachments of a file: their pointers, and the names of their pictures.

use std::collections::HashSet;

use crate::formats::spine::build::escaped_key;
use crate::formats::spine::build::sequences::Numbered;
use crate::formats::spine::schema;

/// Maximum number of pictures of a sequence that decide which atlas matches.
pub const MAX_SEARCHED: usize = 1000;

pub fn skin_pointer(root: &schema::Root<'_>, skin: u32) -> String {
    if root.skins.is_object {
        format!("/skins/{}", escaped_key(root.skins.list[skin as usize].name.as_str()))
    } else {
        format!("/skins/{skin}/attachments")
    }
}

/// Pointer and slot name of every attachment, in file order.
pub fn attachments_of<'a>(
    root: &'a schema::Root<'a>,
) -> impl Iterator<Item = (String, &'a str, &'a schema::Attachment<'a>)> {
    let slots = (0..)
        .zip(&root.skins.list)
        .flat_map(|(skin, json)| json.attachments.0.iter().map(move |slot| (skin, slot)));
    slots.flat_map(move |(skin, (slot, attachments))| {
        let folder = format!("{}/{}", skin_pointer(root, skin), escaped_key(slot.as_str()));
        attachments
            .0
            .iter()
            .map(move |(key, json)| (format!("{folder}/{}", escaped_key(key.as_str())), slot.as_str(), json))
    })
}

/// The drawable attachments and their keys.
fn drawable<'a>(
    root: &'a schema::Root<'a>,
) -> impl Iterator<Item = (&'a schema::Text<'a>, &'a schema::Attachment<'a>)> {
    let drawn = root.skins.attachments().filter(|(.., json)| json.kind.is_drawn());
    drawn.map(|(_, key, json)| (key, json))
}

/// The folder of loose pictures that the file states.
pub fn images_of<'a>(root: &'a schema::Root<'_>) -> &'a str {
    let images = root.skeleton.as_ref().and_then(|skeleton| skeleton.images.as_ref());
    images.map_or("", schema::Text::as_str)
}

/// The picture names of all sequences, at most `most` of each; for finding the atlas, [`MAX_SEARCHED`] are enough.
pub fn numbered_pictures_of(root: &schema::Root<'_>, most: usize) -> Vec<String> {
    let sequences = drawable(root).filter_map(|(key, json)| Some((key, json, Numbered::of(json)?)));
    sequences
        .flat_map(|(key, json, numbered)| numbered.names(picture_name(key.as_str(), json)).take(most))
        .collect()
}

/// The picture names of all drawable attachments; `numbered` contains the names in sequences.
pub fn pictures_of<'a>(root: &'a schema::Root<'a>, numbered: &'a [String]) -> HashSet<&'a str> {
    let single = drawable(root).filter(|(_, json)| Numbered::of(json).is_none());
    let single = single.map(|(key, json)| picture_name(key.as_str(), json));
    single.chain(numbered.iter().map(String::as_str)).collect()
}

/// The picture name of an attachment, or the start of the names of its sequence: its path, or its name, or its key.
pub fn picture_name<'a>(key: &'a str, json: &'a schema::Attachment<'a>) -> &'a str {
    json.path.as_ref().or(json.name.as_ref()).map_or(key, schema::Text::as_str)
}
