//! The header has everything that the library exports. `pchr-c-header` tests the rest.

#[test]
fn the_header_has_every_name() {
    let [header, exported] = [include_str!("../include/pchr.h"), include_str!("../src/lib.rs")];
    let words = |text: &'static str| text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_ours = |word: &&str| ["pchr_", "PCHR_", "Pchr"].iter().any(|start| word.starts_with(start));
    let exported: Vec<&str> = words(exported).filter(is_ours).collect();
    assert!(exported.len() > 40, "{exported:?}");
    for name in exported {
        assert!(words(header).any(|word| word == name), "the header has no {name}");
    }
}
