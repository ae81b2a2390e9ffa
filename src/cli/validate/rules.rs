//! What is known about each code.

/// Every code that a finding can have.
pub fn codes() -> impl Iterator<Item = &'static str> {
    CODES.iter().copied()
}

/// What a code means, in a few words.
pub fn title(_code: &str) -> Option<&'static str> {
    None
}

/// What to do about it.
pub fn help(_code: &str) -> Option<&'static str> {
    None
}

const CODES: &[&str] = &[
    "bad-json",
    "bad-magic",
    "bad-parent",
    "bad-png",
    "bad-utf8",
    "bone-out-of-range",
    "empty-image",
    "frame-length",
    "image-format",
    "image-length",
    "image-out-of-range",
    "image-size",
    "index-out-of-range",
    "json-value",
    "missing-image",
    "negative-weight",
    "no-atlas",
    "no-image",
    "no-inverse-bind",
    "not-finite",
    "partial-triangle",
    "reserved-bits",
    "too-many",
    "trailing-bytes",
    "truncated",
    "unknown-key",
    "unknown-version",
    "unnamed-image",
    "zero-fps",
];
