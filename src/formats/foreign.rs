//! Recognition of unsupported files that are often passed instead of a character, for helpful errors.
//!
//! Nothing in this module reads them.

use std::path::Path;

use crate::error::{Error, Place, escaped};

use super::detect::json::{Keys, end_of_string, without_bom};

/// The first line of every Git LFS pointer.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// The remedy for a Git LFS pointer.
pub const LFS_REMEDY: &str = "Git LFS stores the file elsewhere; `git lfs pull` fetches it";

/// The first bytes of DragonBones' binary format.
const DRAGONBONES_MAGIC: &[u8] = b"DBDT";

/// The first bytes of the lines with which Git marks a conflict.
const CONFLICT_MARKERS: [&[u8]; 4] = [b"<<<<<<< ", b"||||||| ", b"=======", b">>>>>>> "];

/// Returns the error for a file whose line at `place` is a conflict marker of Git; `None` for other lines.
pub fn conflict(line: &[u8], place: Place) -> Option<Error> {
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_marker = CONFLICT_MARKERS.iter().any(|marker| line.starts_with(marker));
    let message = "this line is a conflict marker of Git: a merge was not finished; resolve the conflict, or check out one \
        of the two versions";
    is_marker.then(|| Error::malformed("git-conflict", place, message))
}

/// Returns true for the text that Git LFS stores in place of a file.
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(LFS_POINTER)
}

/// Returns an error if `bytes` is the start of a known file of another program.
pub fn recognise(bytes: &[u8]) -> Option<Error> {
    if is_lfs_pointer(bytes) {
        let message = format!("this is a Git LFS pointer, not the file itself: {LFS_REMEDY}");
        return Some(unsupported("git-lfs-pointer", message));
    }
    if let Some(error) = conflict(without_bom(bytes), Place::at("", 0)) {
        return Some(error);
    }
    if without_bom(bytes).trim_ascii_start().starts_with(b"```") {
        let message =
            "this text is inside a Markdown code fence; remove the line with ``` before it, and the one after it";
        return Some(Error::malformed("markdown-fence", Place::at("", 0), message));
    }
    if bytes.starts_with(DRAGONBONES_MAGIC) {
        return Some(dragonbones("binary data", None));
    }
    if let Some((what, version)) = dragonbones_json(bytes) {
        return Some(dragonbones(what, version));
    }
    let sheet = unread_sheet(bytes)?;
    Some(unsupported("unread-dialect", format!("this is {sheet}, which is not supported; {SHEET_REMEDY}")))
}

/// The remedy for a sheet that is not read.
const SHEET_REMEDY: &str = "export the sheet as JSON of TexturePacker or Aseprite";

/// JSON sheets that are not read, by top-level keys that only they have together.
const SHEETS: [([&[u8]; 2], &str); 2] =
    [([b"mc", b"res"], "a movie clip of Egret"), ([b"images", b"frames"], "a sheet of CreateJS")];

/// Returns what a sheet is that is not read, or `None` for other text.
fn unread_sheet(text: &[u8]) -> Option<&'static str> {
    let keys = || Keys::of(without_bom(text)).map(|(key, _)| key);
    let is_character = keys().any(|key| matches!(key, b"bones" | b"meshes" | b"skeleton" | b"armature"));
    let has = |key: &[u8]| keys().any(|found| found == key);
    let row = SHEETS.iter().find(|(all, _)| !is_character && all.iter().all(|key| has(key)));
    let defold = || text.trim_ascii_start().starts_with(b"pages {").then_some(DEFOLD);
    row.map(|(_, what)| *what).or_else(defold)
}

const DEFOLD: &str = "a sheet for Defold (.tpinfo)";

/// Returns an error if the file name identifies a known file of another program, for files with unknown content.
pub fn recognise_name(path: &Path) -> Option<Error> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    if name.ends_with(".spine") {
        let message = "this is a Spine project; open it in the Spine editor and export it as JSON or binary";
        return Some(unsupported("spine-project", message));
    }
    if name.ends_with(".tpinfo") {
        let message = format!("judging by its name this is {DEFOLD}, which is not supported; {SHEET_REMEDY}");
        return Some(unsupported("unread-dialect", message));
    }
    if name.ends_with(".dbproj") {
        return Some(dragonbones("project data", None));
    }
    // Unity uses `.skel.bytes`.
    if name.ends_with(".skel") || name.contains(".skel.") {
        let message = "judging by its name this is a binary Spine skeleton, but it states no version, as those from before \
        Spine 2.1; open the project in Spine and export the skeleton again";
        return Some(unsupported("spine-binary", message));
    }
    None
}

fn unsupported(code: &'static str, message: impl Into<String>) -> Error {
    Error::unsupported(code, Place::default(), message)
}

fn dragonbones(what: &str, version: Option<&str>) -> Error {
    let version = version.map_or(String::new(), |version| format!(" {}", escaped(version)));
    let message = format!(
        "this is DragonBones{version} {what}, which is not supported; the DragonBones tools can convert its JSON to \
        Spine JSON: `db2 -t spine`"
    );
    unsupported("dragonbones", message)
}

/// Returns the kind and version of DragonBones JSON, or `None` for other text.
fn dragonbones_json(text: &[u8]) -> Option<(&'static str, Option<&str>)> {
    let text = without_bom(text);
    let (mut has_armature, mut has_rate, mut version) = (false, false, None);
    let (mut has_picture, mut has_textures) = (false, false);
    for (key, value_at) in Keys::of(text) {
        let is_list = text.get(value_at) == Some(&b'[');
        match key {
            b"armature" if is_list => has_armature = true,
            b"SubTexture" if is_list => has_textures = true,
            b"imagePath" => has_picture = true,
            b"frameRate" | b"compatibleVersion" => has_rate = true,
            b"version" => {
                let end = end_of_string(text, value_at);
                version = end.and_then(|end| std::str::from_utf8(&text[value_at + 1..end - 1]).ok());
            }
            // Every supported format has one of these at the top level.
            b"bones" | b"frames" | b"images" | b"meshes" | b"skeleton" | b"textures" => return None,
            _ => {}
        }
    }
    match (has_armature && (has_rate || version.is_some()), has_textures && has_picture) {
        (true, _) => Some(("JSON", version)),
        (false, true) => Some(("texture atlas JSON", None)),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_of(bytes: &[u8]) -> Option<&'static str> {
        recognise(bytes).map(|error| error.code())
    }

    #[test]
    fn other_programs_are_recognised_by_content() {
        assert_eq!(
            code_of(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
            Some("git-lfs-pointer")
        );
        assert_eq!(code_of(b"<<<<<<< HEAD\n{\n=======\n"), Some("git-conflict"));
        assert_eq!(code_of(b"<<<<<<<\n"), None);
        assert_eq!(code_of(b"\n```json\n{}\n```\n"), Some("markdown-fence"));
        assert_eq!(code_of(b"DBDT\0\x01\0\0"), Some("dragonbones"));
        let json = r#"{"frameRate":24,"name":"Dragon","version":"5.5","compatibleVersion":"5.5","armature":[{}]}"#;
        let error = recognise(json.as_bytes()).unwrap().to_string();
        assert!(error.contains("DragonBones 5.5 JSON") && error.contains("db2 -t spine"), "{error}");
        let atlas = br#"{"width":64,"SubTexture":[],"name":"Dragon","imagePath":"Dragon_tex.png"}"#;
        assert_eq!(code_of(atlas), Some("dragonbones"));
        for sheet in
            [r#"{"mc": {}, "res": {}}"#, r#"{"images": ["a.png"], "frames": []}"#, "pages {\n  name: \"a.png\""]
        {
            assert_eq!(code_of(sheet.as_bytes()), Some("unread-dialect"), "{sheet}");
        }
        for other in [
            r#"{"SubTexture": []}"#,
            r#"{"armature": [], "bones": [], "version": "1"}"#,
            r#"{"armature": {}, "frameRate": 24}"#,
            r#"{"armature": []}"#,
            r#"{"images": [], "frames": [], "meshes": []}"#,
            r#"{"version": "5.5", "frameRate": 24, "note": {"armature": []}}"#,
            "{",
            "",
        ] {
            assert_eq!(code_of(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn files_with_unknown_content_are_recognised_by_name() {
        let code = |name: &str| recognise_name(Path::new(name)).map(|error| error.code());
        assert_eq!(code("a/Hero.SPINE"), Some("spine-project"));
        assert_eq!(code("hero.skel"), Some("spine-binary"));
        let old = recognise_name(Path::new("hero.skel")).map(|error| error.to_string());
        assert!(old.is_some_and(|message| message.contains("before Spine 2.1")));
        assert_eq!(code("hero.skel.bytes"), Some("spine-binary"));
        assert_eq!(code("hero.dbproj"), Some("dragonbones"));
        assert_eq!(code("hero.tpinfo"), Some("unread-dialect"));
        assert_eq!(code("hero.pchr"), None);
        assert_eq!(code("spine"), None);
    }
}
