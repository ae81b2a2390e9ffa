//! Names that are empty, duplicated, or invalid as file names.

use super::{Report, Subject};
use crate::formats::pchr::document::At;
use crate::formats::repeated::repeated;
use crate::names::safe_name;

/// Checks all names.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    let file = subject.file;
    let images = || file.images.iter().enumerate().map(|(i, image)| (At::Image(i, "name"), image.name.as_str()));
    let bones = || file.bones.iter().enumerate().map(|(i, bone)| (At::Bone(i, "name"), bone.name.as_str()));
    let meshes = || file.meshes.iter().enumerate().map(|(i, mesh)| (At::Mesh(i, "name"), mesh.name.as_str()));
    let animations = || {
        let names = file.animations.iter().map(|animation| animation.name.as_str()).enumerate();
        names.map(|(i, name)| (At::Animation(i, "name"), name))
    };

    let empty = images().chain(bones()).chain(meshes()).chain(animations()).filter(|(_, name)| name.is_empty());
    report.warn_all(
        "empty-name",
        empty.map(|(at, _)| (at, "this has no name, so it cannot be referenced by name".to_owned())),
    );

    let mut twice = duplicates("images", images());
    twice.extend(duplicates("bones", bones()));
    twice.extend(duplicates("meshes", meshes()));
    twice.extend(duplicates("animations", animations()));
    report.warn_all("duplicate-name", twice);

    // Empty names have been reported already.
    let no_file_names =
        images().chain(animations()).filter(|(_, name)| !name.is_empty()).filter_map(|(at, name)| {
            let safe = safe_name(name);
            let message =
                || format!("`{name}` is not a valid file name on every platform; `{safe}` is used instead");
            (safe != name).then(|| (at, message()))
        });
    report.warn_all("bad-file-name", no_file_names);
}

/// Reports each duplicate name once, at its second occurrence.
fn duplicates<'a>(list: &str, names: impl Iterator<Item = (At, &'a str)>) -> Vec<(At, String)> {
    let found = repeated(names.filter(|(_, name)| !name.is_empty())).into_iter();
    let remark = |(second, name, count)| {
        (second, format!("{count} {list} are called `{name}`; a lookup by name finds the first"))
    };
    found.map(remark).collect()
}
