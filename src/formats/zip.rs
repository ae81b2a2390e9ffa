//! ZIP archives of files, as browsers and mail programs pass folders on. An `.skf` is such an archive, so the same code
//! reads both.

use ::bytes::Bytes;

use super::skelform::archive::{Entry, archive};
use super::skelform::container::Container;
use crate::error::Result;
use crate::limits::{Budget, Limits};

/// The folder in which macOS keeps metadata, in files with the extensions of the originals.
const RESOURCES: &str = "__MACOSX/";

/// Unpacks an archive: the path of each file, with `/`, and its contents, in the order of the directory.
///
/// # Errors
///
/// Fails if the archive is damaged or encrypted, if a path leads out of it, if two files have the same path or share
/// bytes, or if all files together exceed `limits`.
pub fn unpack(bytes: &Bytes, limits: &Limits) -> Result<Vec<(String, Bytes)>> {
    let mut budget = Budget::new(limits);
    let container = Container::open(bytes, &mut budget)?;
    let mut files = Vec::new();
    for name in container.names().into_iter().filter(|name| !name.starts_with(RESOURCES)) {
        // Listed, so it is there.
        let Some(content) = container.load(name, &mut budget)? else { continue };
        files.push((name.replace('\\', "/"), content));
    }
    Ok(files)
}

/// Packs files, given by path and contents, into an archive. JSON is compressed, and equal files give equal bytes.
///
/// # Errors
///
/// Fails if there are more than 65,535 files or 4 GiB.
pub fn pack(files: &[(String, Bytes)]) -> Result<Vec<u8>> {
    let entries: Result<Vec<Entry<'_>>> = files.iter().map(|(name, bytes)| Entry::whole(name, bytes)).collect();
    archive(&entries?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(files: &[(&str, &str)]) -> Bytes {
        let files: Vec<_> = files
            .iter()
            .map(|(name, text)| (str::to_owned(name), Bytes::copy_from_slice(text.as_bytes())))
            .collect();
        pack(&files).unwrap().into()
    }

    #[test]
    fn files_come_back_in_order_and_without_those_of_macos() {
        let archive =
            packed(&[("b/hero.json", "{}"), ("__MACOSX/b/._hero.json", "x"), ("a\\hero.png", "png"), ("e", "")]);
        let files = unpack(&archive, &Limits::default()).unwrap();
        let named: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        assert_eq!(named, [("b/hero.json", &b"{}"[..]), ("a/hero.png", b"png"), ("e", b"")]);
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        for name in ["../x", "a/../../x", "/etc/x", "\\x", "C:/x", "a\\..\\x"] {
            let error = unpack(&packed(&[("fine.json", "{}"), (name, "")]), &Limits::default()).unwrap_err();
            assert_eq!(error.code(), "entry-leads-out", "{name}");
        }
    }

    #[test]
    fn all_files_share_the_limits() {
        let text = " ".repeat(1 << 16);
        let files: Vec<String> = (0..8).map(|index| format!("{index}.json")).collect();
        let files: Vec<_> = files.iter().map(|name| (name.as_str(), text.as_str())).collect();
        let within = |memory_bytes| unpack(&packed(&files), &Limits { memory_bytes, ..Limits::default() });
        assert_eq!(within(1 << 20).unwrap().len(), 8);
        assert_eq!(within(1 << 18).unwrap_err().code(), "limit-exceeded");
    }
}
