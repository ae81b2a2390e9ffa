//! A small game with a Spine character: a hero of paper walks, jumps, aims, changes weapons, is hit, and falls.
//!
//!     cargo run --release --example game -- [--frames N] [-o OUT.png]
//!
//! A and D or the arrow keys walk, Space jumps, the left mouse button strikes, the right one is held to aim at the
//! pointer, E changes the weapon, T throws a stone at the hero, R starts again, Esc quits; `--frames N` quits after N
//! frames.
//!
//! With `-o`, no window is opened: OUT shows the scripted game after N frames, by default 110. The picture in
//! docs/library.md was made by `cargo run --release --example game -- -o docs/game.png`.
//!
//! `play` is the game itself: what a frame does to its characters. `window.rs` draws it with wgpu.

mod play;
mod window;

use std::path::{Path, PathBuf};

use pchr::formats::image::encode_png;
use play::{Game, Painter, scripted, view};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn main() -> Result<()> {
    let (mut frames, mut out) = (None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} takes a value"));
        match argument.as_str() {
            "--frames" => frames = Some(value()?.parse()?),
            "-o" => out = Some(PathBuf::from(value()?)),
            _ => {
                return Err(format!("unknown argument `{argument}`\nusage: game [--frames N] [-o OUT.png]").into());
            }
        }
    }
    let game = Game::new(Path::new(ROOT))?;
    match out {
        Some(out) => write(game, frames.unwrap_or(110), &out),
        None => window::open(game, frames),
    }
}

/// Writes a picture of the scripted game.
fn write(mut game: Game, frames: u32, out: &Path) -> Result<()> {
    for frame in 0..frames {
        game.update(&scripted(frame), 1.0 / 60.0)?;
    }
    let mut picture = Painter::new(&game).paint(&mut game, &view(960, 540))?;
    picture.unpremultiply();
    std::fs::write(out, encode_png(picture.width(), picture.height(), picture.pixels())?)?;
    Ok(())
}
