//! The order of the files, and which of them are shown.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use crate::base::filter::Filter;
use crate::base::texts::texts;

texts! {
    /// What the files are sorted by.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Sort: label {
        /// By folder and name.
        #[default]
        Name => "Name",
        /// The last changed first.
        Changed => "Last changed",
        /// By format, then by name.
        Format => "Format",
        /// Those that cannot be read first, then those with most errors, then those with most warnings.
        Findings => "Findings",
    }
}

impl Sort {
    /// Returns true if all files have to be read to sort them.
    pub fn needs_facts(self) -> bool {
        match self {
            Self::Name | Self::Changed => false,
            Self::Format | Self::Findings => true,
        }
    }
}

/// Returns the indices of the files that match `filter` by name, folder or format, in order.
pub fn listed(entries: &[Entry], filter: &Filter, sort: Sort) -> Vec<usize> {
    let matches = |entry: &Entry| {
        let format = entry.facts.as_ref().map_or("", |facts| &facts.format);
        [&*entry.name, &*entry.folder, format].iter().any(|text| filter.matches(text))
    };
    let mut listed: Vec<usize> = (0..entries.len()).filter(|index| matches(&entries[*index])).collect();
    let facts = |index: usize| entries[index].facts.as_ref();
    match sort {
        // The search sorts by path.
        Sort::Name => {}
        Sort::Changed => listed.sort_by_key(|index| Reverse(entries[*index].modified)),
        Sort::Format => listed.sort_by_key(|index| facts(*index).map_or(("", true), |it| (&*it.format, false))),
        Sort::Findings => listed.sort_by_key(|index| {
            Reverse(facts(*index).map(|it| (it.error.is_some(), it.errors, it.warnings)).unwrap_or_default())
        }),
    }
    listed
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    use super::super::entry::Facts;
    use super::*;

    fn entries() -> Vec<Entry> {
        let entry = |path: &str, format: &str, warnings, error: Option<&str>, age| {
            let facts = Facts { format: format.to_owned(), errors: 0, warnings, error: error.map(str::to_owned) };
            let modified = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(age));
            Entry { facts: Some(facts), modified, ..Entry::new(Path::new(path), Path::new("art")) }
        };
        vec![
            entry("art/a.json", "Spine 4.2", 0, None, 3),
            entry("art/b.pchr", "PCHR", 2, None, 1),
            entry("art/old/c.json", "Spine 3.8", 0, Some("broken"), 2),
        ]
    }

    #[test]
    fn files_are_sorted() {
        let order = |sort| listed(&entries(), &Filter::default(), sort);
        assert_eq!(order(Sort::Name), [0, 1, 2]);
        assert_eq!(order(Sort::Changed), [0, 2, 1]);
        assert_eq!(order(Sort::Format), [1, 2, 0]);
        assert_eq!(order(Sort::Findings), [2, 1, 0]);
    }

    #[test]
    fn files_are_filtered_by_name_folder_and_format() {
        let found = |text: &str| listed(&entries(), &Filter { text: text.to_owned() }, Sort::Name);
        assert_eq!(found("B.P"), [1]);
        assert_eq!(found("old"), [2]);
        assert_eq!(found("spine"), [0, 2]);
        assert!(found("nothing").is_empty());
    }
}
