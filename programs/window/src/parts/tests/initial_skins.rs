//! The skins in which a character is opened.

use std::fs;

use crate::app::tests::harness::TestWindow;
use crate::app::tests::rigs::{crowded, wardrobe, wardrobe_of_many};

#[test]
fn a_character_with_an_empty_default_skin_is_opened_in_its_fullest_skin() {
    let mut it = crowded([1180.0, 780.0]);
    assert_eq!(it.worn(), ["full-skins/girl"]);
    assert!(it.says("The default skin leaves most slots empty, so skin “full-skins/girl” was put on."));
    let notice = it.app().state.notice.clone();
    assert_eq!(notice, None, "it is not an error");
    assert_eq!(it.visible(&["full-skins/girl".to_owned()]), 1, "the worn skin is visible in the list");
    // One click restores the default skin, and it stays after a reload.
    it.click("Default skin");
    assert!(it.worn().is_empty() && !it.says("The default skin leaves most slots empty"));
    assert!(it.says("Nothing is visible without a skin"));
    it.app().state.reload();
    it.harness.run();
    assert!(it.worn().is_empty(), "the user has chosen");
}

#[test]
fn the_notice_is_closed_by_its_button_and_by_another_skin() {
    let skins = [("hat", 2), ("shop/keeper", 6), ("guard", 6), ("shoes", 1)];
    let mut it = TestWindow::of([1180.0, 780.0], &[("crowd.json", wardrobe(&skins).as_bytes())], |_| {});
    assert_eq!(it.worn(), ["shop/keeper"]);
    // The notice can be closed; selecting another skin closes it as well.
    it.click("Close this notice");
    assert_eq!(it.worn(), ["shop/keeper"]);
    assert!(!it.says("The default skin leaves most slots empty"));
    it.app().state.reload();
    it.harness.run();
    assert_eq!(it.worn(), ["shop/keeper"]);
    let mut it = TestWindow::of([1180.0, 780.0], &[("crowd.json", wardrobe(&skins).as_bytes())], |_| {});
    it.click("hat");
    assert!(!it.says("The default skin leaves most slots empty"));
    // Names do not matter.
    let skins = [("full", 0), ("hat", 1), ("cape", 2)];
    let it = TestWindow::of([1180.0, 780.0], &[("crowd.json", wardrobe(&skins).as_bytes())], |_| {});
    assert_eq!(it.worn(), ["cape"]);
}

#[test]
fn skins_of_the_command_line_win() {
    for (asked, worn) in
        [("parts/part03", vec!["parts/part03"]), ("none", vec![]), ("#21", vec!["full-skins/girl"])]
    {
        let it = TestWindow::of([1180.0, 780.0], &[("girl.json", wardrobe_of_many().as_bytes())], |options| {
            options.subject.skins = vec![asked.to_owned()];
        });
        assert_eq!(it.worn(), worn, "{asked}");
        assert!(!it.says("The default skin leaves most slots empty"), "{asked}");
    }
}

#[test]
fn a_character_that_is_mostly_dressed_keeps_its_default_skin() {
    let shown = wardrobe(&[("full", 3), ("hat", 1)]).replace(
        r#"{"name": "default"}"#,
        r#"{"name": "default", "attachments": {"slot37": {"part": {"width": 9, "height": 9}},
            "slot38": {"part": {"width": 9, "height": 9}}, "slot39": {"part": {"width": 9, "height": 9}}}}"#,
    );
    let it = TestWindow::of([1180.0, 780.0], &[("shown.json", shown.as_bytes())], |_| {});
    assert!(it.worn().is_empty() && !it.says("The default skin leaves most slots empty"));
}

#[test]
fn the_only_skin_is_worn_without_a_notice() {
    let skins = wardrobe(&[("only", 3)]);
    let it = TestWindow::of([1180.0, 780.0], &[("only.json", skins.as_bytes())], |_| {});
    assert_eq!(it.worn(), ["only"]);
    assert!(!it.says("The default skin leaves most slots empty"));
}

#[test]
fn a_file_that_loses_its_skins_gets_another_one() {
    let mut it = crowded([1180.0, 780.0]);
    let path = it.folder.path().join("girl.json");
    fs::write(&path, wardrobe(&[("whole", 5), ("hat", 1)])).unwrap();
    it.app().state.reload();
    it.harness.run();
    assert_eq!(it.worn(), ["whole"]);
}

#[test]
fn an_empty_character_says_why() {
    let boxes = r#"{"skeleton": {"spine": "4.2.40"}, "bones": [{"name": "root"}],
        "slots": [{"name": "s", "bone": "root", "attachment": "b"}], "skins": [{"name": "default", "attachments":
        {"s": {"b": {"type": "boundingbox", "vertexCount": 3, "vertices": [0, 0, 9, 0, 0, 9]}}}}]}"#;
    let it = TestWindow::of([1180.0, 780.0], &[("boxes.json", boxes.as_bytes())], |_| {});
    assert!(it.says("Nothing is visible: all attachments that are shown are of kinds that are not drawn, such as bounding boxes."));
}
