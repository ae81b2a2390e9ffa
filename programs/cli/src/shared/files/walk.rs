//! Adds the characters in a folder to the targets.

use std::path::Path;

use super::{Target, Targets, annotated, below, name, plain};
use crate::shared::stdio::portable;
use crate::shared::{call, interrupt};
use pchr::find::{Found, Search};

impl Targets {
    /// `root` is the folder that they were found by. Ends early on request.
    pub(super) fn walk(&mut self, folder: &Path, root: &Path) {
        let names = [name(folder), annotated(folder)];
        let named = |path: &Path| {
            let below = path.strip_prefix(folder).unwrap_or(path);
            names.each_ref().map(|folder| plain(&portable(&Path::new(folder).join(below))))
        };
        for found in Search::of(folder) {
            let (path, unreadable) = match found {
                Found::File(path) => (path, None),
                Found::Unreadable(path, source) => (path, Some((source.kind(), source.to_string()))),
                Found::Part(path) => {
                    self.parts.push(path);
                    continue;
                }
                Found::Loop(link) => {
                    self.loops.push(link);
                    continue;
                }
                Found::Outside(link) => {
                    let why = "not following this link, because it leads outside of the folders that may be read";
                    call::note(format!("{}: {why}", link.display()));
                    continue;
                }
            };
            if interrupt::is_requested() {
                return;
            }
            let ([name, annotated], below) = (named(&path), below(&path, root));
            self.files.push(Target { name, annotated, path, below, is_found: true, unreadable });
        }
    }
}
