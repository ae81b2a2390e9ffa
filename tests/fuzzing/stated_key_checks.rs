//! Lists the keys of any file.

use bytes::Bytes;
use pchr::diagnostics::Diagnostics;
use pchr::formats::stated_keys;
use pchr::limits::Limits;

use super::opened::{input, within};

/// Asserts that each key of a file that can be listed is JSON with a place and a time, and that two lists are equal.
pub fn list_keys(bytes: &Bytes, limits: &Limits) {
    let Ok(keys) = stated_keys(&input(bytes), &within(limits), &mut Diagnostics::default()) else { return };
    let list = || {
        let mut all = Vec::new();
        let listed = keys.for_each(|key| {
            let json = serde_json::to_string(key).expect("JSON");
            serde_json::from_str::<serde_json::Value>(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
            assert!(key.pointer.is_some() != key.frame.is_some(), "{key:?}");
            assert!(key.seconds.is_none_or(f64::is_finite), "{key:?}");
            all.push(json);
            if all.len() < 1000 { Ok(()) } else { Err(()) }
        });
        (listed, all)
    };
    assert_eq!(list(), list());
}
