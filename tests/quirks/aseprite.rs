//! Quirks of Aseprite files, one for each finding.

use pchr::formats::ReadOptions;

use super::{Fixture, folder};
use crate::common::aseprite::{Cel, Chunk, LAYER, Layer, Sprite, Tag, on, plain};

const RED: [u8; 4] = [255, 0, 0, 255];

/// Returns two frames with a tag, and additional chunks in the first.
fn with(chunks: impl IntoIterator<Item = Chunk>) -> Sprite {
    let tag = Tag { name: "walk", from: 0, to: 1, direction: 2, repeat: 0 };
    let first = [
        Chunk::layer("body", LAYER),
        Chunk::layer("arm", LAYER),
        Chunk::tags(&[tag]),
        Chunk::cel(on(0), [2, 2], &plain(RED, 4)),
    ];
    Sprite::new(4, 4)
        .frame(100, first.into_iter().chain(chunks))
        .frame(50, [Chunk::link(Cel { at: [2, 2], ..on(0) }, 0)])
}

fn changed(change: impl FnOnce(&mut Sprite)) -> Vec<u8> {
    let mut sprite = with([]);
    change(&mut sprite);
    sprite.bytes()
}

/// Returns all fixtures.
pub fn fixtures() -> Vec<Fixture> {
    let plain = || with([]).bytes();
    let at = |at: usize, value: u8| {
        let mut bytes = plain();
        bytes[at] = value;
        bytes
    };
    let tag = |from, to, direction| {
        let tag = Tag { name: "more", from, to, direction, repeat: 0 };
        with([Chunk::tags(&[tag])]).bytes()
    };
    let all: Vec<(&str, Vec<u8>)> = vec![
        ("plain", plain()),
        ("cut", plain()[..300].to_vec()),
        ("goes-on", [&plain()[..], b"more"].concat()),
        ("frames-none", at(6, 0)),
        ("canvas-empty", at(8, 0)),
        ("depth-of-24-bits", at(12, 24)),
        ("frame-magic-wrong", at(132, 0)),
        ("chunk-too-short", at(144, 5)),
        ("pixels-cut", with([Chunk::broken_cel(on(1), [1, 1], &[0x78, 0xda])]).bytes()),
        ("pixels-beyond-any-stream", with([Chunk::broken_cel(on(1), [9000, 9000], &[0x78])]).bytes()),
        ("cel-on-no-layer", with([Chunk::cel(on(2), [1, 1], &RED)]).bytes()),
        ("cel-linked-to-nothing", with([Chunk::link(on(1), 1)]).bytes()),
        ("layer-of-unknown-type", with([Chunk::layer("new", Layer { kind: 3, ..LAYER })]).bytes()),
        ("layer-of-unknown-mode", with([Chunk::layer("new", Layer { blend: 19, ..LAYER })]).bytes()),
        ("tileset-elsewhere", {
            let chunks = [Chunk::tileset(0, 1, [2, 2], 2, &[]), Chunk::layer("map", Layer { kind: 2, ..LAYER })];
            with(chunks).bytes()
        }),
        ("palette-missing", {
            let frame = [Chunk::layer("body", LAYER), Chunk::cel(on(0), [2, 2], &[1, 2, 3, 4])];
            let mut sprite = Sprite::new(4, 4).frame(100, frame);
            sprite.depth = 8;
            sprite.bytes()
        }),
        ("pixels-not-square", changed(|sprite| sprite.pixel = [2, 1])),
        ("chunks-unknown", with([Chunk::other(0x2024, b"new"), Chunk::other(0x2025, b"")]).bytes()),
        ("tag-beyond-end", tag(1, 2, 0)),
        ("tag-direction-unknown", tag(0, 1, 4)),
    ];
    let fixture = |(name, bytes)| Fixture {
        folder: folder("aseprite").join(name),
        input: "input.aseprite",
        files: vec![("input.aseprite", bytes)],
        options: ReadOptions::default(),
    };
    all.into_iter().map(fixture).collect()
}
