//! The CPU renderer's golden scenes as a WebAssembly module without imports, for `scripts/wasm-scenes`.
//!
//! `render(i)` draws scene `i` and returns the number of bytes at `pixels()`, 0 when there is no such scene;
//! the scene's name is `name_len()` bytes at `name()`.

#[path = "../scenes/mod.rs"]
mod scenes;

use std::cell::RefCell;

thread_local! {
    static DRAWN: RefCell<(&'static str, Vec<u8>)> = const { RefCell::new(("", Vec::new())) };
}

/// Draws scene `index`.
#[unsafe(no_mangle)]
pub extern "C" fn render(index: usize) -> usize {
    let scenes = scenes::scenes();
    let Some(scene) = scenes.get(index) else { return 0 };
    let pixels = scene.render(|renderer| renderer).pixels().to_vec();
    let len = pixels.len();
    DRAWN.set((scene.name, pixels));
    len
}

/// Where the drawn pixels are.
#[unsafe(no_mangle)]
pub extern "C" fn pixels() -> *const u8 {
    DRAWN.with_borrow(|drawn| drawn.1.as_ptr())
}

/// Where the drawn scene's name is.
#[unsafe(no_mangle)]
pub extern "C" fn name() -> *const u8 {
    DRAWN.with_borrow(|drawn| drawn.0.as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn name_len() -> usize {
    DRAWN.with_borrow(|drawn| drawn.0.len())
}
