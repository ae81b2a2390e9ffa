//! Files of the same name in the list and in the titles.

use std::fs;

use crate::app::tests::harness::TestWindow;

#[test]
fn files_of_the_same_name_are_told_apart_by_their_folders() {
    let mut it = TestWindow::open_with([1100.0, 700.0], &["paper-lamp.json"], |options, folder| {
        for version in ["4.0", "4.2"] {
            let inner = folder.join(version).join("export");
            fs::create_dir_all(&inner).unwrap();
            let path = inner.join("paper-knight.pchr");
            fs::copy(folder.join("paper-knight.pchr"), &path).unwrap();
            options.subject.files.push(path);
        }
    });
    let folders = |it: &TestWindow| -> Vec<String> {
        it.state().documents().iter().map(|document| document.folder.clone()).collect()
    };
    assert_eq!(folders(&it), ["", "4.0/export", "4.2/export"]);
    assert!(it.state().title().starts_with("paper-lamp.json – "), "{}", it.state().title());
    it.state_mut().select(2);
    it.harness.run();
    assert!(it.state().title().starts_with("paper-knight.pchr (4.2/export) – "), "{}", it.state().title());
    it.save("same-names");
    it.state_mut().close();
    it.harness.run();
    assert_eq!(folders(&it), ["", ""], "one of them is left");
}
