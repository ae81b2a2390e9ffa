//! Embeds the player for web pages, if `scripts/build-web` has built it for this version.

use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_player)");
    // A published package has no such folder.
    if fs::exists("player").unwrap_or_default() {
        println!("cargo::rerun-if-changed=player");
    }
    let signature = format!("// pchr-web {}:", env::var("CARGO_PKG_VERSION").unwrap_or_default());
    let is_made = |name| fs::read_to_string(name).is_ok_and(|text| text.starts_with(&signature));
    if ["player/pchr-player.inline.js", "player/pchr-spine.inline.js"].into_iter().all(is_made) {
        println!("cargo::rustc-cfg=has_player");
    }
}
