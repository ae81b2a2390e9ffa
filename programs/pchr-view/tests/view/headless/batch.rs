//! Several files in one run: names, failures and exit codes.

use std::fs;

use crate::common;
use serde_json::Value;

use super::Bench;

#[test]
fn many_jobs_and_one_job_write_the_same_bytes() {
    let bench = Bench::new();
    bench.run("knight.pchr -a jump -f 0..6 -s 128 -o one/{frame}.png --jobs 1").code(0);
    bench.run("knight.pchr -a jump -f 0..6 -s 128 -o many/{frame}.png --jobs 4").code(0);
    for frame in 0..6 {
        let read = |folder: &str| fs::read(bench.path().join(format!("{folder}/{frame}.png"))).expect("written");
        assert_eq!(read("one"), read("many"), "frame {frame}");
    }
}

#[test]
fn the_index_counts_the_pictures_of_all_files() {
    let bench = Bench::new();
    let json = bench.run("tiny.pchr knight.pchr -s 32 -o {index}.png --json").code(0).json();
    assert_eq!(bench.written(), ["0.png", "1.png"]);
    let frame = &json["renders"][1]["frames"][0];
    assert_eq!((&frame["index"], &frame["file"]), (&Value::from(1), &Value::from("1.png")));
}

#[cfg(unix)]
#[test]
fn a_link_between_the_outputs_of_a_run_is_not_followed() {
    for name in ["x.png", "x.gif", "x.json"] {
        let bench = Bench::new();
        fs::create_dir(bench.path().join("tiny")).expect("a folder");
        std::os::unix::fs::symlink("tiny", bench.path().join("knight")).expect("a link");
        let run = bench.run(&format!("tiny.pchr knight.pchr -o {{name}}/{name} -s 20 -q"));
        run.code(5).says("knight").says("symbolic link");
        assert!(!bench.path().join("tiny").join(name).exists());
    }
}

/// Creates two valid files and a broken one; other tests add a missing one.
fn bench_with_bad_files() -> Bench {
    let bench = Bench::new();
    fs::write(bench.path().join("broken.pchr"), b"PCHR\x01\0\0\0").expect("can be written");
    bench
}

#[test]
fn without_keep_going_a_bad_file_prevents_rendering() {
    let bench = bench_with_bad_files();
    let ran = bench.run("tiny.pchr broken.pchr knight.pchr -s 32 -o {name}.png --json").code(3);
    assert_eq!((&ran.json()["schema"], &ran.json()["path"]), (&"pchr.error/1".into(), &"broken.pchr".into()));
    assert_eq!(bench.written(), ["broken.pchr"]);
    bench.run("tiny.pchr --keep-going").code(2).says("--keep-going has no effect without -o");
}

/// Adds the lamp, and a copy with an error in a timeline.
fn bench_with_a_torn_lamp() -> Bench {
    let bench = Bench::new();
    let assets = common::root().join("assets");
    for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
        fs::copy(assets.join(name), bench.path().join(name)).expect("a copy");
    }
    fs::write(bench.path().join("torn.json"), common::torn_lamp()).expect("can be written");
    bench
}

#[test]
fn a_timeline_with_an_error_is_left_out_with_keep_going() {
    let bench = bench_with_a_torn_lamp();
    let line = "torn.json -s 64 -o torn.png --atlas paper-lamp.atlas";
    let ran = bench.run(line).code(3).says("error[missing-name]: torn.json: /animations/");
    ran.says("did you mean").says("--keep-going leaves this part of the animation out");
    assert!(!bench.written().contains(&"torn.png".to_owned()));
    let error = bench.run(&format!("{line} --json")).code(3).json();
    assert_eq!((&error["code"], &error["path"]), (&"missing-name".into(), &"torn.json".into()));
    let json = bench.run(&format!("{line} --keep-going --json")).code(0).json();
    assert_eq!(json["renders"][0]["errors"][0]["code"], "missing-name");
    assert!(json.get("failures").is_none() && bench.written().contains(&"torn.png".to_owned()));
    let quiet = bench.run(&format!("{line} --keep-going --force -q")).code(0).says("error[missing-name]");
    assert!(!quiet.stderr().contains("left out"), "{}", quiet.stderr());
    // Files that fail are skipped, and the exit code tells it.
    bench.run("torn.json missing.pchr -s 16 -o {name}-2.png --atlas paper-lamp.atlas --keep-going").code(3);
    assert!(bench.written().contains(&"torn-2.png".to_owned()));
    bench.run("torn.json --reference torn.png -s 64 --atlas paper-lamp.atlas").code(3).says("--keep-going");
    bench.run("torn.json --reference torn.png -s 64 --atlas paper-lamp.atlas --keep-going").code(0);
    let whole = bench.run("paper-lamp.json -s 64 -o lamp.png --json").code(0).json();
    assert!(whole["renders"][0].get("errors").is_none());
}

#[test]
fn with_keep_going_only_bad_files_are_skipped() {
    let bench = bench_with_bad_files();
    let files = "tiny.pchr broken.pchr missing.pchr knight.pchr --keep-going -s 32 --json";
    for output in ["{name}.png", "{name}.gif", "{name}.json", "{name}-{index}.apng"] {
        let ran = bench.run(&format!("{files} -o {output}")).code(3).says("broken.pchr").says("missing.pchr");
        let json = ran.json();
        let of = |list: &str, field: &str| -> Vec<Value> {
            json[list].as_array().expect("a list").iter().map(|entry| entry[field].clone()).collect()
        };
        assert_eq!(of("renders", "file"), ["tiny.pchr", "knight.pchr"]);
        assert_eq!(of("failures", "file"), ["broken.pchr", "missing.pchr"]);
        assert_eq!(
            (of("failures", "exit_code"), of("failures", "code")[1].as_str()),
            (vec![3.into(), 3.into()], Some("io"))
        );
        let written = json["renders"].as_array().expect("a list").iter();
        for file in written.map(|render| render["frames"][0]["file"].as_str().expect("a name").to_owned()) {
            fs::remove_file(bench.path().join(&file)).expect("the written file");
            let _ = fs::remove_file(bench.path().join(file).with_extension("png"));
        }
        assert_eq!(bench.written(), ["broken.pchr"]);
    }
    // Without failures the field is absent.
    let json = bench.run("tiny.pchr knight.pchr --keep-going -s 32 --json").code(0).json();
    assert_eq!(json.get("failures"), None);
    let json = bench.run("missing.pchr broken.pchr --keep-going --json -o {name}.png").code(3).json();
    assert_eq!(
        (json["renders"].as_array().map(Vec::len), json["failures"].as_array().map(Vec::len)),
        (Some(0), Some(2))
    );
}

#[test]
fn the_highest_exit_code_wins() {
    let bench = bench_with_bad_files();
    // Only the knight has a walk animation.
    bench.run("knight.pchr tiny.pchr --keep-going -a walk -s 32 -o {name}.gif").code(2).says("tiny.pchr");
    bench.run("tiny.pchr missing.pchr knight.pchr --keep-going -a walk -s 32 -o {name}.apng").code(3);
    // An output that cannot be written is skipped too.
    fs::create_dir(bench.path().join("knight.png")).expect("a folder");
    let ran =
        bench.run("knight.pchr missing.pchr tiny.pchr --keep-going -s 32 -o {name}.png --force --json").code(5);
    let json = ran.says("knight.png").json();
    assert_eq!(json["renders"][0]["frames"][0]["file"], "tiny.png");
    assert_eq!(
        (json["failures"].as_array().map(Vec::len), &json["failures"][1]["exit_code"]),
        (Some(2), &5.into())
    );
    assert_eq!(bench.written(), ["broken.pchr", "knight.apng", "knight.gif", "tiny.png"]);
}

/// Two white triangles; in `blink` the first frame is empty, in `gone` both are.
fn write_blinking(bench: &Bench) {
    use crate::common::v1::{Animation, BoneTransform};
    let mut file = common::tiny();
    let frame = |flags| vec![BoneTransform { y: 10.0, flags, ..BoneTransform::default() }; 2];
    file.animations.push(Animation::new("blink", true, &[frame(0), frame(1)]));
    file.animations.push(Animation::new("gone", true, &[frame(0), frame(0)]));
    let bytes = crate::common::v1::write(&file).expect("a valid file");
    fs::write(bench.path().join("blink.pchr"), bytes).expect("can be written");
}

#[test]
fn an_animation_in_which_nothing_is_visible_can_fail() {
    let bench = Bench::new();
    write_blinking(&bench);
    for (output, more) in [
        ("out/a.png", "-f 0"),
        ("out/{frame}.png", "-f all -b white"),
        ("out/a.gif", ""),
        ("out/a.webp", "-b #102030"),
        ("out/a.y4m", ""),
        ("out/a.json", "--sheet-trim frame"),
        ("out/a.json", ""),
        ("out/a.png", "--format sheet --show bones"),
    ] {
        let run = |animation: &str| {
            let line = format!("blink.pchr --fit 0,0,40,40 {animation} -o {output} {more} --force");
            (bench.run(&line), bench.run(&format!("{line} --fail-on-empty")))
        };
        let (warned, failed) = run("-a gone");
        let warned = warned.code(0).says("warning[nothing-visible]: blink.pchr: nothing is visible");
        assert!(!warned.stderr().contains("error"), "{}", warned.stderr());
        let failed = failed.code(1).says("error[nothing-visible]: blink.pchr: nothing is visible");
        let failed = failed.says("of `gone`").says("the output was written anyway");
        assert!(!failed.stderr().contains("warning"), "{}", failed.stderr());
        assert!(bench.written().iter().any(|name| name.starts_with("out/")), "{output}");
        fs::remove_dir_all(bench.path().join("out")).expect("ours");
        // An effect that appears is not empty, unless only its first frame is chosen.
        run("-a blink").1.code(if more == "-f 0" { 1 } else { 0 });
        run("-a wave").1.code(0);
    }
    // Each animation is judged separately.
    let line = "blink.pchr -a all -f all --fit 0,0,40,40 --fail-on-empty --force --json";
    for output in ["out/{animation}-{frame}.png", "out/{animation}.gif", "out/a.json"] {
        let json = bench.run(&format!("{line} -o {output}")).code(1).says("of `gone`").json();
        let failures = json["failures"].as_array().expect("a list");
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert_eq!((&failures[0]["code"], &failures[0]["exit_code"]), (&"nothing-visible".into(), &1.into()));
        assert_eq!(json["renders"].as_array().map(Vec::len), Some(1));
    }
    // A character outside of the picture is not visible; the highest exit code is returned.
    bench
        .run("knight.pchr --fit 9000,9000,20,20 -o b.png --fail-on-empty")
        .code(1)
        .says("the chosen frame of `idle`");
    bench.run("knight.pchr nothing.pchr --fit 9000,9000,20,20 -o {name}.png --fail-on-empty --keep-going").code(3);
    // Without output, the poses are checked.
    let posed = bench.run("blink.pchr -a gone --fit 0,0,9,9 --json --fail-on-empty").code(1);
    assert!(!posed.stderr().contains("written"), "{}", posed.stderr());
    bench.run("blink.pchr -a gone --fit 0,0,9,9 -o - --fail-on-empty").code(1);
    assert_eq!(
        bench.run("blink.pchr -a gone --fit 0,0,9,9 --json").json()["renders"][0]["warnings"][0]["code"],
        "nothing-visible"
    );
    bench.run("knight.pchr --fail-on-empty").code(2).says("--fail-on-empty has no effect without -o");
}

#[test]
fn a_still_shows_the_first_frame_in_which_something_is_visible() {
    let bench = Bench::new();
    write_blinking(&bench);
    let line = "blink.pchr --fit 0,0,40,40 --json --force";
    let chosen = |more: &str| {
        let ran = bench.run(&format!("{line} {more}")).code(0);
        (ran.json()["renders"][0]["frames"][0]["frame"].as_u64(), ran.stderr())
    };
    let (frame, said) = chosen("-a blink -o still.png");
    assert_eq!(frame, Some(1));
    assert!(
        said.contains(
            "note: blink.pchr: little or nothing is visible in frame 0 of `blink`, so frame 1 is rendered"
        ),
        "{said}"
    );
    // Not if frames are chosen, nor if the first one is visible, nor in references and animated pictures.
    for more in ["still.png -a blink -f 0", "still.png -a wave", "clip.gif -a blink", "still.png -a blink -t 0"] {
        let (frame, said) = chosen(&format!("-o {more}"));
        assert_eq!((frame, said.contains("frame 0 of")), (Some(0), false), "{more}: {said}");
    }
    fs::write(bench.path().join("reference.png"), b"").expect("can be written");
    let compared = bench.run("blink.pchr -a blink --fit 0,0,40,40 --reference reference.png --update --force");
    compared.code(0);
    bench.run("blink.pchr -a blink --fit 0,0,40,40 -f 0 --reference reference.png").code(0);
}

/// Writes `grow.json`: a square whose first animation hides it, whose second one lets it grow, and that also walks.
fn write_growing(bench: &Bench) {
    let json = r#"{"skeleton": {"spine": "4.2.40", "fps": 10}, "bones": [{"name": "root"}],
        "slots": [{"name": "body", "bone": "root", "attachment": "body"}],
        "skins": [{"name": "default", "attachments": {"body": {"body": {"width": 80, "height": 60}}}}],
        "animations": {"hide": {"slots": {"body": {"attachment": [{"name": null}]}}},
        "grow": {"bones": {"root": {"scale": [{"x": 0.01, "y": 0.01}, {"time": 1}]}}},
        "walk": {"bones": {"root": {"translate": [{}, {"time": 1, "x": 9}]}}}}}"#;
    fs::write(bench.path().join("grow.json"), json).expect("can be written");
}

#[test]
fn the_first_picture_shows_the_character() {
    let bench = Bench::new();
    write_growing(&bench);
    let taken = |more: &str| {
        let ran = bench.run(&format!("grow.json --json --force {more}")).code(0);
        let frame = ran.json()["renders"][0]["frames"][0].take();
        let notes = [
            "animation `grow` is rendered; -a NAME selects another",
            "little or nothing is visible in frame 0 of `grow`, so frame 3",
        ];
        let said = notes.map(|note| ran.stderr().contains(&format!("note: grow.json: {note}")));
        (frame["animation"].as_str().unwrap_or("").to_owned(), frame["frame"].as_u64(), said)
    };
    let grow = |frame, said| ("grow".to_owned(), Some(frame), said);
    for fit in ["animation", "all", "frame", "-40,-30,80,60"] {
        assert_eq!(taken(&format!("-o a.png --fit {fit}")), grow(3, [true, true]), "{fit}");
        assert_eq!(taken(&format!("-o a.png --fit {fit} -a grow")), grow(3, [false, true]), "{fit}");
    }
    // The frame is the one that was asked for.
    for asked in ["-f 0", "-t 0"] {
        assert_eq!(taken(&format!("-o a.png {asked}")), grow(0, [true, false]), "{asked}");
    }
    for animated in ["a.gif", "a.json"] {
        assert_eq!(taken(&format!("-o {animated}")), grow(0, [true, false]), "{animated}");
    }
    assert_eq!(taken("-o a.png -a walk"), ("walk".to_owned(), Some(0), [false, false]));
    // Other frames do not change what a reference shows.
    bench.run("grow.json --reference r.png --update").code(0);
    bench.run("grow.json --reference r.png -a grow -f 0").code(0);
    bench.run("grow.json --reference r.png -a grow -f 3").code(1);
}

#[test]
fn hidden_meshes_do_not_choose_the_frame() {
    let bench = Bench::new();
    let json = r#"{"skeleton": {"spine": "4.2.40", "fps": 10}, "bones": [{"name": "root"}],
        "slots": [{"name": "body", "bone": "root", "attachment": "body"}, {"name": "spark", "bone": "root"}],
        "skins": [{"name": "default", "attachments": {"body": {"body": {"width": 80, "height": 60}},
        "spark": {"spark": {"width": 8, "height": 6}}}}],
        "animations": {"a": {"slots": {"spark": {"attachment": [{"time": 0.5, "name": "spark"}, {"time": 1}]}}}}}"#;
    fs::write(bench.path().join("spark.json"), json).expect("can be written");
    let frame = |more: &str| {
        bench.run(&format!("spark.json --json {more}")).code(0).json()["renders"][0]["frames"][0]["frame"].as_u64()
    };
    for fit in ["animation", "frame"] {
        assert_eq!(frame(&format!("--fit {fit}")), Some(0));
        assert_eq!(frame(&format!("--fit {fit} --mesh spark")), Some(5));
    }
}

#[test]
fn small_parts_far_away_are_left_out_of_the_area() {
    let bench = Bench::new();
    let json = r#"{"skeleton": {"spine": "4.2.40"}, "bones": [{"name": "root"}, {"name": "drop", "parent": "root", "y": -900}],
        "slots": [{"name": "body", "bone": "root", "attachment": "body"}, {"name": "drop", "bone": "drop", "attachment": "drop"}],
        "skins": [{"name": "default", "attachments": {"body": {"body": {"width": 80, "height": 60}},
        "drop": {"drop": {"width": 4, "height": 4}}}}]}"#;
    fs::write(bench.path().join("rain.json"), json).expect("can be written");
    let view = |more: &str| {
        let ran = bench.run(&format!("rain.json --json {more}")).code(0);
        let said =
            ran.stderr().contains("note: rain.json: small parts that are far away are outside of the picture");
        let render = ran.json()["renders"][0].take();
        assert_eq!(render["warnings"].to_string().contains("parts-left-out"), said, "{render}");
        (render["view"].clone(), said)
    };
    for fit in ["animation", "frame", "all"] {
        assert_eq!(view(&format!("--fit {fit}")), (serde_json::json!([-40.0, -30.0, 80.0, 60.0]), true));
        let whole = serde_json::json!([-40.0, -902.0, 80.0, 932.0]);
        assert_eq!(view(&format!("--fit {fit} --fit-whole")), (whole, false));
    }
    assert!(!view("--fit -40,-30,80,60").1, "it was chosen");
}

#[test]
fn the_reason_why_nothing_is_visible_is_given() {
    let bench = Bench::new();
    write_blinking(&bench);
    let spine = |name: &str, slot: &str, attachments: &str| {
        let text = format!(
            r#"{{"skeleton": {{"spine": "4.2.40"}}, "bones": [{{"name": "root"}}],
            "slots": [{{"name": "s", "bone": "root"{slot}}}], "skins": [{{"name": "default", "attachments": {{"s": {{{attachments}}}}}}},
            {{"name": "hats/red", "attachments": {{"s": {{"red": {{"width": 9, "height": 9}}}}}}}}]}}"#
        );
        fs::write(bench.path().join(name), text).expect("can be written");
    };
    let part = r#""a": {"width": 9, "height": 9}"#;
    spine("bare.json", "", part);
    spine(
        "boxed.json",
        r#", "attachment": "b""#,
        r#""b": {"type": "boundingbox", "vertexCount": 3, "vertices": [0, 0, 9, 0, 0, 9]}"#,
    );
    spine("faint.json", r#", "attachment": "a", "color": "ffffff00""#, part);
    spine("flat.json", r#", "attachment": "a""#, r#""a": {"scaleX": 0, "width": 9, "height": 9}"#);
    spine("lost.json", r#", "attachment": "a""#, part);
    let clear = pchr::formats::image::encode_png(4, 4, &[0; 64]).expect("pixels");
    fs::write(bench.path().join("clear.png"), clear).expect("can be written");
    for (line, reason) in [
        ("bare.json", "no slot shows an attachment; --skin NAME applies one of its 2 skins, such as `hats/red`"),
        ("boxed.json", "all attachments that are shown are of kinds that are not drawn, such as bounding boxes"),
        ("faint.json", "everything has alpha 0"),
        ("flat.json", "everything is scaled to nothing"),
        ("lost.json --missing hide", "the images are missing (see --missing)"),
        ("knight.pchr --hide-mesh *", "--mesh or --hide-mesh hides everything"),
        ("knight.pchr --fit 9000,0,9,9", "everything is outside of the picture (see --fit)"),
        ("clear.png --grid 2x2", "the images are transparent there"),
        ("blink.pchr -a gone --fit 0,0,9,9", "no slot shows an attachment"),
    ] {
        let expected = format!("nothing is visible in the chosen frame: {reason}");
        let said = bench.run(&format!("{line} -o out.png --force")).code(0).stderr();
        assert_eq!(said.matches(&expected).count(), 1, "{line}: {said}");
        let said = bench.run(&format!("{line} -o out.png --force --fail-on-empty")).code(1).stderr();
        assert!(said.contains(reason) && !said.contains("warning[nothing"), "{line}: {said}");
    }
}

#[test]
fn missing_images_can_be_failures() {
    let bench = Bench::new();
    let lamp = crate::common::root().join("assets/paper-lamp-4.2.skel");
    fs::copy(lamp, bench.path().join("lamp.skel")).expect("the lamp can be copied");
    bench
        .run("lamp.skel -o lamp.png -s 32")
        .code(0)
        .says("warning[missing-atlas]")
        .says("drawn in a neutral colour");
    fs::remove_file(bench.path().join("lamp.png")).expect("ours");
    let failed = bench.run("lamp.skel -o lamp.png -s 32 --fail-on-missing --quiet").code(3);
    let failed = failed.says("error[missing-atlas]: lamp.skel: an image or the atlas is missing");
    // `--no-image` is an option of `pchr` only.
    for other in ["warning", "--no-image"] {
        assert!(!failed.stderr().contains(other), "{}", failed.stderr());
    }
    bench.run("lamp.skel knight.pchr -o {name}.png -s 32 --fail-on-missing --keep-going").code(3);
    assert_eq!(bench.written(), ["knight.png", "lamp.skel"]);
    bench.run("knight.pchr -o knight.png -s 32 --fail-on-missing --force").code(0);
}
