//! The header is what cbindgen makes of the sources.

use std::path::Path;

#[test]
fn the_header_matches_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("a configuration");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for name in ["border", "animator", "change", "event", "draw"] {
        builder = builder.with_src(root.join(format!("src/{name}.rs")));
    }
    let mut made = Vec::new();
    builder.generate().expect("a header").write(&mut made);
    let made = String::from_utf8(made).expect("text");
    let path = root.join("include/pchr.h");
    if std::env::var_os("PCHR_UPDATE").is_some() {
        std::fs::write(&path, &made).expect("a writable header");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(stored == made, "include/pchr.h differs from the sources: run this test with PCHR_UPDATE=1");
    // Every function of the sources is in it.
    let lib = std::fs::read_to_string(root.join("src/lib.rs")).expect("the list");
    let words = lib.split(|c: char| !c.is_alphanumeric() && c != '_');
    let exported: Vec<&str> = words.filter(|word| word.to_lowercase().starts_with("pchr_")).collect();
    assert!(exported.len() > 25, "{exported:?}");
    exported.iter().for_each(|name| assert!(made.contains(name), "{name} is not in the header"));
}
