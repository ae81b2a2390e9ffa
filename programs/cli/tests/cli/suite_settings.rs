//! `pchr-test.toml`: what is rendered, and mistakes in it.

use crate::common::suite_folder::Suite;

/// Writes references and returns their names.
#[track_caller]
fn references(suite: &Suite, toml: &str) -> Vec<String> {
    let _ = std::fs::remove_dir_all(suite.path("art/references"));
    suite.settings(toml);
    suite.stdout(0, "art --update -q");
    suite.pictures()
}

/// Returns the size of a reference.
fn size(suite: &Suite, name: &str) -> (u32, u32) {
    let png = suite.read(&format!("art/references/{name}"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn settings_select_animations_frames_and_sizes() {
    let suite = Suite::tiny();
    std::fs::remove_dir_all(suite.path("art/sub")).expect("can be removed");
    assert_eq!(references(&suite, ""), ["one/wave-0000.png", "one/wave-0001.png"]);
    assert_eq!(size(&suite, "one/wave-0000.png"), (256, 256));
    assert_eq!(
        references(&suite, "animation = ['bind', 'wave', '#0']\nframes = '0'\nsize = '32x16'"),
        ["one/bind-0000.png", "one/wave-0000.png"]
    );
    assert_eq!(size(&suite, "one/bind-0000.png"), (32, 16));
    assert_eq!(references(&suite, "frames = '-1,1,0'"), ["one/wave-0000.png", "one/wave-0001.png"]);
    assert_eq!(references(&suite, "samples = 1\nscale = 2"), ["one/wave-0000.png"]);
    assert_ne!(size(&suite, "one/wave-0000.png"), (256, 256), "a scale replaces the default size");
    assert_eq!(references(&suite, "time = 0.03"), ["one/wave-0000.png"]);
}

#[test]
fn tables_override_the_top_level() {
    let suite = Suite::tiny();
    let toml = "size = 8\nanimation = ['bind']\n[[render]]\nfiles = ['*.pchr']\n\
                [[render]]\nfiles = '**/two.*'\nanimation = 'wave'\nsamples = 2\nsize = 24\n\
                [[render]]\nname = 'plain'\nanimation = []\nframes = 'all'\n";
    assert_eq!(
        references(&suite, toml),
        [
            "one/bind-0000.png",
            "one@plain/wave-0000.png",
            "one@plain/wave-0001.png",
            "sub/two/wave-0000.png",
            "sub/two/wave-0001.png",
            "sub/two@plain/wave-0000.png",
            "sub/two@plain/wave-0001.png",
        ]
    );
    assert_eq!(size(&suite, "one/bind-0000.png"), (8, 8));
    assert_eq!(size(&suite, "sub/two/wave-0001.png"), (24, 24));
}

/// A character that no table suits is not left out in silence.
#[test]
fn characters_that_no_table_suits_are_rendered_by_default() {
    let suite = Suite::tiny();
    suite.write("art/lamp.json", include_bytes!("../../../../assets/paper-lamp.json"));
    let lamp = ["lamp/hop-0000.png", "lamp/hop-0011.png", "lamp/hop-0021.png"];
    for toml in [
        "size = 8\n[[render]]\nanimation = 'wave'",
        "size = 8\nanimation = 'wave'",
        "size = 8\nanimation = 'wave'\nskin = 'red'\n[[render]]\nfiles = '**/*.pchr'\nskin = []",
        "size = 8\nfiles = '**/*.pchr'",
    ] {
        let names = references(&suite, toml);
        let of_lamp: Vec<&String> = names.iter().filter(|name| name.starts_with("lamp/")).collect();
        assert_eq!(of_lamp.len(), 6, "{toml}: {names:?}");
        assert!(lamp.iter().all(|name| names.iter().any(|known| known == name)), "{toml}: {names:?}");
        assert_eq!(names.len(), 10, "{toml}: {names:?}");
        assert_eq!(size(&suite, lamp[0]), (8, 8));
        assert_eq!(suite.json(0, "art")["summary"]["characters"], 3, "{toml}");
    }
    // An emptied file is no longer a character.
    suite.write("art/lamp.json", b"");
    assert_eq!(suite.json(3, "art")["failures"][0]["character"], "art/lamp.json");
}

#[test]
fn excluded_characters_are_named() {
    let suite = Suite::tiny();
    suite.write("art/drafts/three.pchr", &suite.read("art/one.pchr"));
    assert_eq!(references(&suite, "exclude = 'drafts'").len(), 4);
    let document = suite.json(0, "art");
    assert_eq!(document["skipped"], serde_json::json!(["art/drafts/three.pchr"]));
    assert_eq!((&document["summary"]["characters"], &document["summary"]["skipped"]), (&2.into(), &1.into()));
    let summary = "4 frames of 2 characters compared: 4 same; 1 character excluded: `art/drafts/three.pchr`\n";
    assert_eq!(suite.stdout(0, "art"), summary);
    suite.settings("exclude = ['drafts/*.pchr', 'sub/**']\n[[render]]\nfiles = 'one.pchr'");
    assert_eq!(suite.json(0, "art")["skipped"], serde_json::json!(["art/drafts/three.pchr", "art/sub/two.pchr"]));
    // References of excluded characters stay.
    suite.stdout(0, "art --update");
    assert_eq!(suite.pictures().len(), 4);
    suite.settings("");
    assert_eq!(suite.json(0, "art --exclude drafts")["skipped"], serde_json::json!(["art/drafts/three.pchr"]));
}

#[test]
fn the_settings_of_the_documentation_are_valid() {
    let page = include_str!("../../../../docs/ci.md");
    let toml = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    let suite = Suite::tiny();
    suite.write("art/heroes/x.json", include_bytes!("../../../../assets/paper-lamp.json"));
    suite.settings(toml);
    // Our characters have other animations and skins.
    let text = suite.stdout(3, "art");
    assert!(!text.contains("no animation"), "a table without files applies where it can: {text}");
    assert_eq!(text.lines().filter(|line| line.contains("no skin named `red`")).count(), 1, "{text}");
}

#[test]
fn names_of_bones_can_be_shown() {
    let suite = Suite::tiny();
    references(&suite, "show = ['bones']");
    suite.settings("show = ['bones', 'names']");
    suite.stdout(1, "art");
}

#[test]
fn tolerances_are_applied() {
    let suite = Suite::tiny();
    references(&suite, "background = '#101010'");
    suite.settings("background = '#131010'");
    suite.stdout(1, "art");
    suite.settings("background = '#131010'\ntolerance = 3");
    suite.stdout(0, "art");
    suite.settings("background = '#131010'\ntolerance = 2\nmax-diff-pixels = '100%'");
    suite.stdout(0, "art");
    suite.settings("background = '#131010'\ntolerance = 2\nmax-diff-pixels = 100");
    suite.stdout(1, "art");
}

/// The settings come with the characters, perhaps from somebody else; the command line does not.
#[test]
fn only_the_command_line_raises_limits_and_leads_outside() {
    let suite = Suite::tiny();
    suite.stdout(0, "art --update");
    suite.settings("limit = 'records=1'");
    assert!(suite.stdout(3, "art").contains("limit `records` exceeded"));
    suite.settings("limit = 'work=1G'");
    suite.stdout(0, "art");
    suite.settings("limit = 'work=2G'");
    suite.stdout(0, "art --limit work=3G");
    suite.settings("");
    assert!(suite.stdout(3, "art --limit records=1").contains("limit `records` exceeded"));
    assert!(suite.stderr(2, "art --limit none=1").contains("none=1"));
    // The lamp's atlas is elsewhere; settings cannot name it, not even by a link.
    let lamp = |name: &str| {
        std::fs::read(format!("{}/../../assets/{name}", env!("CARGO_MANIFEST_DIR"))).expect("the lamp")
    };
    suite.write("lamps/lamp.json", &lamp("paper-lamp.json"));
    suite.write("elsewhere/other.atlas", &lamp("paper-lamp.atlas"));
    suite.write("elsewhere/paper-lamp.png", &lamp("paper-lamp.png"));
    assert!(suite.stdout(0, "lamps --update --atlas elsewhere/other.atlas").contains("6 updated"));
    suite.stdout(0, "lamps --atlas elsewhere/other.atlas");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../elsewhere/other.atlas", suite.path("lamps/link.atlas")).expect("a link");
        suite.write("lamps/pchr-test.toml", b"atlas = 'link.atlas'");
        assert!(suite.stderr(3, "lamps").contains("atlases are in the folder of this file"));
    }
}

#[test]
fn mistakes_name_file_line_column_and_key() {
    let suite = Suite::tiny();
    for (toml, parts) in [
        ("sise = 3", "line 1, column 1: unknown key `sise`; did you mean `size`"),
        (
            "[[render]]\nfiles = 'one.pchr'\nsamples = 0",
            "line 3, column 11: `samples`: invalid value `0`: expected a number",
        ),
        ("frames = '0'\nsamples = 2", "line 2, column 1: `samples` cannot be combined with `frames`"),
        ("size = 2\nscale = 2", "line 2, column 1: `scale` cannot be combined with `size`"),
        ("backend = 'vulkan'", "line 1, column 1: `backend` cannot be set in this file"),
        ("loops = 1", "line 1, column 1: `loops` cannot be set in this file"),
        ("output = 'x.png'", "line 1, column 1: unknown key `output`"),
        ("jobs = 2", "line 1, column 1: unknown key `jobs`"),
        ("render = 1", "line 1, column 10: `render`: expected tables"),
        ("render = []", "line 1, column 10: `render`: expected tables"),
        ("render = [1]", "line 1, column 11: `render`: expected tables"),
        ("[render]\nsize = 1", "line 1, column 1: `render`: expected tables"),
        ("[[render]]\n[[render.render]]\n", "line 2, column 10: unknown key `render`"),
        ("name = '../x'", "line 1, column 8: `name`: invalid value `../x`: expected up to 100 characters"),
        ("name = 'a@b'", "line 1, column 8: `name`: invalid value `a@b`"),
        ("files = '***'", "line 1, column 9: `files`: `***` is not a pattern"),
        ("files = 'none/*.json'", "pchr-test.toml: no character matches `none/*.json`"),
        ("exclude = 'none'", "pchr-test.toml: no character matches `none`"),
        ("exclude = '*'", "pchr-test.toml: `exclude` leaves no character to test"),
        ("exclude = ['***']", "line 1, column 12: `exclude`: `***` is not a pattern"),
        ("exclude = 1", "line 1, column 11: `exclude`: expected a path or pattern, or a list of them"),
        ("[[render]]\nexclude = 'one.pchr'", "line 2, column 1: unknown key `exclude`"),
        ("tolerance = 256", "line 1, column 13: `tolerance`: invalid value `256`: 256 is not in 0..=255"),
        ("max-diff-pixels = '101%'", "`max-diff-pixels`: invalid value `101%`: expected a number of pixels"),
        ("size = ", "line 1, column 8: invalid TOML: "),
        ("limit = 'work=99999G'", "line 1, column 9: `limit`: work=107373108658176 is more than"),
        (
            "[[render]]\nlimit = ['records=5', 'pixels=9G']",
            "line 2, column 9: `limit`: pixels=9663676416 is more than",
        ),
        (
            "atlas = '/etc/passwd'",
            "line 1, column 9: `atlas`: `/etc/passwd`: atlases are in the folder of this file",
        ),
        ("atlas = '../other.atlas'", "other.atlas`: atlases are in the folder of this file"),
    ] {
        suite.settings(toml);
        let message = suite.stderr(3, "art");
        assert!(message.contains("art/pchr-test.toml: ") && message.contains(parts), "{toml}\n{message}");
    }
    std::fs::remove_file(suite.path("art/pchr-test.toml")).expect("can be removed");
    std::fs::create_dir(suite.path("art/pchr-test.toml")).expect("can be created");
    assert!(suite.stderr(3, "art").contains("this is a folder, not a file"));
}

/// A table that does not name its characters is for those that have what it shows.
#[test]
fn tables_without_files_apply_where_they_can() {
    let suite = Suite::tiny();
    let mut file = crate::common::tiny();
    file.animations[1].name = "jump".to_owned();
    suite.write("art/three.pchr", &crate::common::v1::write(&file).expect("a valid file"));
    suite.settings("[[render]]\nanimation = ['wave', 'run']\n[[render]]\nname = 'jump'\nanimation = 'jump'\n");
    assert!(suite.stdout(0, "art --update").contains("6 updated"));
    let names = suite.files("art/references");
    assert!(
        names.contains(&"one/wave-0000.png".to_owned()) && names.contains(&"three@jump/jump-0001.png".to_owned())
    );
    suite.settings("[[render]]\nanimation = 'wave'\n[[render]]\nname = 'x'\nanimation = ['run', 'walk']\n");
    let message = suite.stderr(3, "art");
    assert!(
        message.contains("line 3, column 1: no character has any of the animations `run`, `walk`"),
        "{message}"
    );
    suite.settings("animation = 'wave'\nskin = 'red'");
    assert!(suite.stderr(3, "art").contains("no character has the skins `red` and any of the animations `wave`"));
}

#[test]
fn mistakes_about_one_character_fail_that_character() {
    let suite = Suite::tiny();
    suite.settings(
        "[[render]]\nfiles = 'one.pchr'\nanimation = 'jump'\n[[render]]\nfiles = 'sub/*'\nframes = '0,7'\n",
    );
    // The settings are an input, unlike the command line.
    let text = suite.stdout(3, "art");
    assert!(text.contains("failed     art/one.pchr: no animation named `jump`"), "{text}");
    assert!(text.contains("failed     art/sub/two.pchr: frame 7 does not exist"), "{text}");
    assert!(text.contains("0 frames of 2 characters compared; 2 characters failed"), "{text}");
}
