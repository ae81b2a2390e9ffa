//! The check of JSON text for its nesting depth, without parsing it: for callers that use another parser.

use crate::error::{Place, Result};
use crate::limits::{Budget, Limits};

/// The bytes that open, close or escape.
const IS_SPECIAL: [bool; 256] = {
    let mut is_special = [false; 256];
    let mut at = 0;
    while at < 6 {
        is_special[b"\"\\{}[]"[at] as usize] = true;
        at += 1;
    }
    is_special
};

/// Fails if arrays and objects in JSON text are nested more deeply than the `limits` allow.
pub fn check_json_depth(text: &[u8], limits: &Limits) -> Result<()> {
    let budget = Budget::new(limits);
    let (mut depth, mut in_string, mut is_escaped) = (0u64, false, false);
    for (at, byte) in text.iter().enumerate() {
        // Most bytes are not special.
        if !IS_SPECIAL[usize::from(*byte)] && !is_escaped {
            continue;
        }
        if in_string {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                budget.check_json_depth(depth, || Place::at("", at as u64))?;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_ignores_strings() {
        let deep = br#"{"a": ["[[[[\"[[", [1, {"b": []}]]}"#;
        let check = |json_depth| {
            let limits = Limits { json_depth, ..Limits::default() };
            check_json_depth(deep, &limits)
        };
        assert!(check(5).is_ok());
        let error = check(4).unwrap_err();
        assert_eq!(error.to_string(), "byte 29: limit `json-depth` exceeded: at least 5 needed, 4 allowed");
    }
}
