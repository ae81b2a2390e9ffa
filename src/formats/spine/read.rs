//! JSON text → [`schema::Root`], and which version it is.

use serde::Deserialize;

use super::schema;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, shown};
use crate::formats::{json_text, quick_json};
use crate::limits::Budget;

/// What is read, for messages.
const READ: &str = "JSON of Spine 3.6, 3.7 and 3.8 is read";

/// Finds every field of a file. What they mean is for [`build`](super::build).
pub fn read<'a>(bytes: &'a [u8], budget: &Budget<'_>, diagnostics: &mut Diagnostics) -> Result<schema::Root<'a>> {
    budget.check_file(bytes.len() as u64)?;
    if let Some(version) = binary_version(bytes) {
        let message = format!("this is a binary skeleton of Spine {version}; {READ}, export it as JSON");
        return Err(Error::unsupported("spine-binary", Place::default(), message));
    }
    let text = json_text::without_bom(bytes);
    let offset = (bytes.len() - text.len()) as u64;
    if let Ok(root) = quick_json::read::<schema::Root<'_>>(text, budget.limits().json_depth) {
        let version = root.skeleton.as_ref().and_then(|skeleton| skeleton.spine.as_ref());
        check_version(version, diagnostics)?;
        return Ok(root);
    }
    // Again with more care: something is wrong, or means nothing, and that is to be told.
    json_text::check_depth(text, offset, budget)?;
    let mut unknown = |path: serde_ignored::Path<'_>| {
        let place = Place { path: json_text::ignored_pointer(&path), ..Place::default() };
        diagnostics.warn("unknown-key", place, "this key means nothing here and is ignored");
    };
    let mut parser = serde_json::Deserializer::from_slice(text);
    let root: serde_json::Result<schema::Root<'_>> =
        serde_ignored::deserialize(&mut parser, &mut unknown).and_then(|root| parser.end().map(|()| root));
    match root {
        Ok(root) => {
            let version = root.skeleton.as_ref().and_then(|skeleton| skeleton.spine.as_ref());
            check_version(version, diagnostics)?;
            Ok(root)
        }
        Err(error) => Err(find_fault(text, offset, error, diagnostics)),
    }
}

/// Another version may have other fields: that is told first.
fn find_fault(text: &[u8], offset: u64, error: serde_json::Error, diagnostics: &mut Diagnostics) -> Error {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow)]
        skeleton: Version<'a>,
    }
    #[derive(Deserialize)]
    struct Version<'a> {
        #[serde(borrow)]
        spine: schema::Text<'a>,
    }
    if let Ok(head) = serde_json::from_slice::<Head<'_>>(text)
        && let Err(error) = check_version(Some(&head.skeleton.spine), diagnostics)
    {
        return error;
    }
    // Again, slower, to tell where the mistake is.
    let mut parser = serde_json::Deserializer::from_slice(text);
    match serde_path_to_error::deserialize::<_, schema::Root<'_>>(&mut parser) {
        Err(fault) => {
            let pointer = json_text::pointer(fault.path());
            json_text::explain(&fault.into_inner(), pointer, text, offset)
        }
        // The object is fine, so what is wrong comes after it.
        Ok(_) => json_text::explain(&error, String::new(), text, offset),
    }
}

fn check_version(version: Option<&schema::Text<'_>>, diagnostics: &mut Diagnostics) -> Result<()> {
    let place = || Place { path: "/skeleton/spine".to_owned(), ..Place::default() };
    let Some(version) = version else {
        diagnostics.warn("no-version", place(), "the file does not say its version; it is read as 3.8");
        return Ok(());
    };
    let mut numbers = version.as_str().split('.').map(|number| number.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(3), Some(6..=8)) => Ok(()),
        _ => {
            let version = shown(version.as_str());
            Err(Error::unsupported("spine-version", place(), format!("this is Spine {version}; {READ}")))
        }
    }
}

/// The version that a binary skeleton says: after a hash, which is text in 3.8 and eight bytes in 4.
fn binary_version(bytes: &[u8]) -> Option<&str> {
    let text_at = |at: usize| {
        let len = usize::from(*bytes.get(at)?);
        let text = bytes.get(at + 1..at + len.max(1))?;
        Some((std::str::from_utf8(text).ok()?, at + len.max(1)))
    };
    let is_version = |text: &str| {
        let mut parts = text.split('.');
        let mut is_number = || parts.next().is_some_and(|part| part.parse::<u16>().is_ok());
        text.len() <= 20 && is_number() && is_number()
    };
    if json_text::without_bom(bytes).trim_ascii_start().first() == Some(&b'{') {
        return None;
    }
    let after_hash = text_at(0).and_then(|(_, end)| text_at(end));
    let found = [after_hash, text_at(8)].into_iter().flatten().map(|(text, _)| text);
    found.into_iter().find(|text| is_version(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read quickly is what `serde_json` reads.
    #[test]
    fn quick_and_careful_are_the_same() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/spine");
        let (mut whole, mut odd) = (0, 0);
        for entry in std::fs::read_dir(root).unwrap() {
            let folder = entry.unwrap().path();
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read(folder.join(name + ".json")).unwrap();
            let step = text.len() / 40 + 1;
            for at in (0..text.len()).step_by(step) {
                let mut text = text.clone();
                text[at] = b"1 e,-.\"\\t{"[at % 11];
                let Ok(quick) = quick_json::read::<schema::Root<'_>>(&text, 64) else {
                    odd += 1;
                    continue;
                };
                let careful: schema::Root<'_> = serde_json::from_slice(&text).unwrap();
                assert_eq!(format!("{quick:?}"), format!("{careful:?}"));
                whole += 1;
            }
        }
        assert!(whole > 200 && odd > 200, "{whole} whole, {odd} odd");
    }

    #[test]
    fn binary_skeletons_tell_their_version() {
        let mut old = vec![28];
        old.extend(b"abcdefghijklmnopqrstuvwxyz!");
        old.extend(b"\x073.8.75");
        assert_eq!(binary_version(&old), Some("3.8.75"));
        assert_eq!(binary_version(b"\x01\x02\x03\x04\x05\x06\x07\x08\x074.1.17rest"), Some("4.1.17"));
        assert_eq!(binary_version(b"{ \"skeleton\": { \"spine\": \"3.8.75\" } }"), None);
        assert_eq!(binary_version(b""), None);
    }
}
