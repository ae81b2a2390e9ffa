//! Makes `include/pchr.h` from the sources of the C interface: `cargo run -p pchr-c-header`.

use std::error::Error;
use std::path::{Path, PathBuf};

/// Returns the path of the header and its text.
fn header() -> Result<(PathBuf, String), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut builder =
        cbindgen::Builder::new().with_config(cbindgen::Config::from_file(root.join("cbindgen.toml"))?);
    for name in ["border", "animator", "change", "event", "draw"] {
        builder = builder.with_src(root.join(format!("src/{name}.rs")));
    }
    let mut text = Vec::new();
    builder.generate()?.write(&mut text);
    Ok((root.join("include/pchr.h"), String::from_utf8(text)?))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (path, text) = header()?;
    Ok(std::fs::write(path, text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_matches_the_sources() {
        let (path, text) = header().unwrap();
        let stored = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
        assert!(stored == text, "include/pchr.h is outdated: run `cargo run -p pchr-c-header`");
    }
}
