//! Steps that turn the document of one version into that of another.

#![cfg_attr(not(test), expect(dead_code, reason = "used by the next change"))]

mod sequences;
