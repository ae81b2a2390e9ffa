//! Steps that turn the document of one version into that of another.

#![expect(dead_code, reason = "used by the next change")]

mod sequences;
