//! Folders, files and escaping. The page itself is tested in a browser.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::*;
use crate::golden::record::{FrameRecord, Verdict};
use crate::shared::failure::Failure;
use crate::shared::json_error::JsonError;

/// Names that end a script element, a string or a line, or change the direction of text.
const HOSTILE: &str = "</script><!--<script>\"'\\&amp;\u{2028}\u{2029}\u{202e}\u{0}";

fn frame(index: usize, name: &str) -> FrameRecord {
    FrameRecord {
        animation: Some(name.to_owned()),
        character: name.to_owned(),
        diff: None,
        difference: None,
        frame: 0,
        index,
        message: Some(name.to_owned()),
        name: None,
        now: None,
        reference: name.to_owned(),
        reference_size: None,
        seconds: None,
        size: [1, 1],
        verdict: Verdict::Different,
    }
}

fn run(frames: usize, name: &str) -> Comparison {
    let frames = (0..frames).map(|index| frame(index, name)).collect();
    Comparison { frames, ..Comparison::default() }.counted()
}

/// Three pictures that are not decoded by anything here.
fn pictures(content: &str) -> FramePictures {
    let bytes = |kind: &str| Some(format!("{content} {kind}").into_bytes());
    FramePictures { reference: bytes("r"), now: bytes("n"), difference: None }
}

/// Writes a report of as many frames as there are contents.
fn report(folder: &Path, overwrite: bool, max_embedded: usize, contents: &[&str]) -> Result<()> {
    let writer = ReportWriter::create(folder, overwrite, max_embedded)?;
    for (index, content) in contents.iter().enumerate() {
        writer.add(index, pictures(content))?;
    }
    writer.finish(&run(contents.len(), "walk"), "a title")
}

fn page_in(folder: &Path) -> String {
    fs::read_to_string(folder.join("index.html")).unwrap()
}

/// All files below a folder, sorted.
fn files_in(folder: &Path) -> Vec<String> {
    let mut found: Vec<String> = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(|entry| entry.unwrap())
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| entry.path().strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/"))
        .collect();
    found.sort();
    found
}

/// The content of the data element `id`.
fn data<'a>(page: &'a str, id: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("id=\"data-{id}\">")).unwrap();
    rest.split_once("</script>").unwrap().0
}

#[test]
fn names_cannot_leave_their_strings() {
    let place = tempfile::tempdir().unwrap();
    let mut comparison = run(2, HOSTILE);
    let (character, message) = (HOSTILE.to_owned(), HOSTILE.to_owned());
    let failure = JsonError::new(&Failure::Bug);
    comparison.failures.push(JsonError { character: Some(character), index: Some(2), message, ..failure });
    let writer = ReportWriter::create(&place.path().join("out"), false, MAX_EMBEDDED).unwrap();
    writer.finish(&comparison, HOSTILE).unwrap();
    let page = page_in(&place.path().join("out"));
    for id in ["title", "comparison"] {
        let data = data(&page, id);
        let is_plain = |c: char| matches!(c, ' '..='~') && !"<>&".contains(c);
        assert!(data.chars().all(is_plain), "{data:?}");
    }
    assert_eq!(serde_json::from_str::<Comparison>(data(&page, "comparison")).unwrap(), comparison);
    assert_eq!(serde_json::from_str::<String>(data(&page, "title")).unwrap(), HOSTILE);
    // Those of the template and no others.
    assert_eq!(page.matches("<script").count(), 4);
    assert_eq!(page.matches("</script").count(), 4);
    let results = fs::read_to_string(place.path().join("out/results.json")).unwrap();
    assert_eq!(serde_json::from_str::<Comparison>(&results).unwrap(), comparison);
}

#[test]
fn the_policy_names_the_hashes_of_style_and_script() {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.replace("\r\n", "\n")));
    assert_eq!(hash(page::STYLE), page::STYLE_HASH, "update STYLE_HASH in page.rs");
    assert_eq!(hash(page::SCRIPT), page::SCRIPT_HASH, "update SCRIPT_HASH in page.rs");
    // The parser must see exactly the hashed text.
    let place = tempfile::tempdir().unwrap();
    report(place.path(), false, 1000, &["a"]).unwrap();
    let page = page_in(place.path());
    assert!(page.contains(&format!("<style>{}</style>", page::STYLE)));
    assert!(page.contains(&format!("<script>{}</script>", page::SCRIPT)));
    assert!(!page::SCRIPT.contains("</") && !page::SCRIPT.contains("<!--"));
    assert!(
        !["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch("]
            .iter()
            .any(|name| page::SCRIPT.contains(name))
    );
    assert!(!page.contains("{{") && !page.contains("http:") && !page.contains("https:"));
}

#[test]
fn few_pictures_are_embedded_and_many_are_files() {
    let place = tempfile::tempdir().unwrap();
    let (few, many) = (place.path().join("few"), place.path().join("many"));
    // Each picture has three bytes.
    report(&few, false, 18, &["a", "b", "a"]).unwrap();
    assert_eq!(files_in(&few), ["index.html", "results.json"]);
    let urls: Vec<[Option<String>; 3]> = serde_json::from_str(data(&page_in(&few), "pictures")).unwrap();
    assert_eq!(urls[1][0].as_deref(), Some(&*format!("data:image/png;base64,{}", STANDARD.encode("b r"))));
    assert_eq!(urls[1][2], None);

    report(&many, false, 17, &["a", "b", "a"]).unwrap();
    let urls: Vec<[Option<String>; 3]> = serde_json::from_str(data(&page_in(&many), "pictures")).unwrap();
    let found = files_in(&many);
    assert_eq!(found.len(), 8, "{found:?}");
    for (url, content) in [(&urls[0][0], "a r"), (&urls[1][1], "b n"), (&urls[2][1], "a n")] {
        assert_eq!(fs::read_to_string(many.join(url.as_ref().unwrap())).unwrap(), content);
    }
    // Only pages with files may load them.
    assert!(page_in(&few).contains("img-src data:;") && page_in(&many).contains("img-src data: 'self' file:;"));
}

#[test]
fn a_report_replaces_an_earlier_one_and_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("report");
    report(&folder, false, 0, &["a", "b"]).unwrap();
    let first = files_in(&folder);
    assert_eq!(first.len(), 6);
    let kept = ["notes.txt", "pictures/notes.png", "pictures/1-now-0000000g.png", "pictures/-now-00000000.png"];
    kept.iter().for_each(|name| fs::write(folder.join(name), "theirs").unwrap());
    // One frame stays, the other is gone.
    report(&folder, false, 0, &["a"]).unwrap();
    let second = files_in(&folder);
    assert_eq!(second.len(), 4 + kept.len(), "{second:?}");
    assert!(kept.iter().all(|name| second.iter().any(|found| found == name)), "{second:?}");
    // Nothing is a file any more.
    kept.iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
    report(&folder, false, 1000, &["a"]).unwrap();
    assert_eq!(files_in(&folder), ["index.html", "results.json"]);
    assert!(!folder.join("pictures").exists());
}

#[test]
fn an_earlier_report_stays_until_the_new_one_is_complete() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("report");
    report(&folder, false, 0, &["a"]).unwrap();
    let state = || files_in(&folder).iter().map(|name| fs::read(folder.join(name)).unwrap()).collect::<Vec<_>>();
    let before = state();
    let writer = ReportWriter::create(&folder, false, 0).unwrap();
    writer.add(0, pictures("changed")).unwrap();
    drop(writer);
    assert_eq!(state(), before);

    let new = place.path().join("new/report");
    let writer = ReportWriter::create(&new, false, 0).unwrap();
    writer.add(0, pictures("a")).unwrap();
    drop(writer);
    assert!(!place.path().join("new").exists());
}

#[test]
fn a_folder_of_something_else_needs_force() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("site");
    fs::create_dir(&folder).unwrap();
    report(&folder, false, 0, &[]).unwrap();
    fs::write(folder.join("index.html"), "<!doctype html>\n<title>Somebody's page</title>").unwrap();
    let error = report(&folder, false, 0, &["a"]).unwrap_err();
    assert_eq!(error.code(), "io");
    assert!(matches!(&error, Error::Io { source, .. } if source.kind() == io::ErrorKind::AlreadyExists));
    let text = error.to_string();
    assert!(text.contains("site") && text.contains("--force"), "{text}");

    fs::create_dir(folder.join("pictures")).unwrap();
    fs::write(folder.join("pictures/7-now-00000000.png"), "theirs").unwrap();
    report(&folder, true, 0, &["a"]).unwrap();
    assert!(page_in(&folder).starts_with(page::SIGNATURE));
    // It did not belong to a report.
    assert_eq!(fs::read(folder.join("pictures/7-now-00000000.png")).unwrap(), b"theirs");

    fs::write(place.path().join("file"), "theirs").unwrap();
    report(&place.path().join("file"), true, 0, &["a"]).unwrap_err();
}

#[test]
#[cfg(unix)]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = tempfile::tempdir().unwrap();
    let (folder, elsewhere) = (place.path().join("report"), place.path().join("elsewhere"));
    report(&folder, false, 0, &["a"]).unwrap();
    fs::rename(folder.join("pictures"), &elsewhere).unwrap();
    symlink(&elsewhere, folder.join("pictures")).unwrap();
    let before = files_in(&elsewhere);
    assert_eq!(before.len(), 2);
    report(&folder, true, 0, &["b"]).unwrap_err();
    report(&folder, true, 1000, &["b"]).unwrap();
    assert_eq!(files_in(&elsewhere), before);

    fs::rename(folder.join("index.html"), place.path().join("page")).unwrap();
    symlink(place.path().join("page"), folder.join("index.html")).unwrap();
    report(&folder, true, 1000, &["c"]).unwrap_err();
}

#[test]
fn the_result_does_not_depend_on_the_order_of_frames() {
    let place = tempfile::tempdir().unwrap();
    for max_embedded in [0, 13, 1000] {
        let pages = [[0, 1, 2], [2, 0, 1]].map(|order| {
            let folder = place.path().join(format!("{max_embedded}-{}", order[0]));
            let writer = ReportWriter::create(&folder, false, max_embedded).unwrap();
            order.iter().for_each(|index| writer.add(*index, pictures(&index.to_string())).unwrap());
            writer.finish(&run(3, "walk"), "a title").unwrap();
            (page_in(&folder), files_in(&folder))
        });
        assert_eq!(pages[0], pages[1]);
    }
}
