//! A crowd that poses itself on the GPU: 10,000 knights marching in a window, or a picture of some of them.
//!
//!     cargo run --release --example crowd -- [FILE] [--count N] [--frames N] [-o OUT.png]
//!
//! Without FILE, our own knight marches. Spine and SkelForm characters are baked first. The crowd itself is in
//! `scene.rs`; everything else is around it.
//!
//! In the window, 1 to 6 show 1 to 100,000 members, Up and Down twice or half as many. Space pauses, the wheel zooms,
//! dragging moves the camera, and Esc quits; `--frames N` quits after N frames.
//!
//! With `-o`, no window is opened: N frames, by default 12, are written to OUT, a PNG that repeats without a seam. The
//! picture in the README was made by `cargo run --release --example crowd -- -o docs/crowd.png`.

mod actors;
mod arguments;
mod camera;
mod figure;
mod formation;
mod ground;
mod recording;
mod report;
mod scene;
mod window;

use std::process::ExitCode;

use arguments::Arguments;
use figure::Figure;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments = Arguments::parse(std::env::args_os().skip(1))?;
    let figure = Figure::open(&arguments.file)?;
    match &arguments.out {
        Some(out) => recording::record(figure, &arguments, out),
        None => window::open(figure, &arguments),
    }
}
