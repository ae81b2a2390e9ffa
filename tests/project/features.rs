//! The tables of features in docs/features.md and src/lib.rs, generated from the manifests.
//!
//! A comment with `##` above a feature is its description. Features without one are internal: their dependencies are
//! listed in the rows of the features that enable them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

type Features = BTreeMap<String, Vec<String>>;

/// The features of a manifest, with the descriptions of those that are not internal.
struct Manifest<'t> {
    features: Features,
    /// In the order of the manifest.
    descriptions: Vec<(&'t str, &'t str)>,
}

impl<'t> Manifest<'t> {
    fn read(text: &'t str) -> Self {
        let table: toml::Table = text.parse().expect("a manifest");
        let (_, section) = text.split_once("\n[features]\n").expect("features");
        let lines: Vec<&str> = section.lines().take_while(|line| !line.starts_with('[')).collect();
        let described = lines.windows(2).filter_map(|pair| {
            let text = pair[0].strip_prefix("## ")?;
            let (name, _) = pair[1].split_once(" = [").unwrap_or_else(|| panic!("no feature follows `{text}`"));
            Some((name, text.strip_suffix('.').unwrap_or_else(|| panic!("`{text}` has no full stop"))))
        });
        Self {
            features: table["features"].clone().try_into().expect("lists of features"),
            descriptions: described.collect(),
        }
    }

    fn is_described(&self, name: &str) -> bool {
        self.descriptions.iter().any(|(described, _)| *described == name)
    }

    /// Returns the optional dependencies of a feature and of the internal features that it enables.
    fn dependencies(&self, feature: &str) -> BTreeSet<&str> {
        let parts = self.features[feature].iter().map(String::as_str);
        parts
            .flat_map(|part| match part.strip_prefix("dep:") {
                Some(name) => BTreeSet::from([name]),
                None if self.features.contains_key(part) && !self.is_described(part) => self.dependencies(part),
                None => BTreeSet::new(),
            })
            .collect()
    }

    /// Returns every feature that is enabled by default.
    fn default(&self) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open = vec!["default"];
        while let Some(feature) = open.pop() {
            if self.features.contains_key(feature) && found.insert(feature) {
                open.extend(self.features[feature].iter().map(String::as_str));
            }
        }
        found
    }

    fn table(&self) -> String {
        let code = |names: Vec<&str>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let mut table = "| feature | what it adds | enables | dependencies |\n|---|---|---|---|\n".to_owned();
        for (name, description) in &self.descriptions {
            let enabled = self.features[*name].iter().map(String::as_str).filter(|part| self.is_described(part));
            let enabled = code(enabled.collect());
            let dependencies = code(self.dependencies(name).into_iter().collect());
            writeln!(table, "| `{name}` | {description} | {enabled} | {dependencies} |").expect("a string");
        }
        let default = self.default();
        let names = self.descriptions.iter().map(|(name, _)| *name);
        let others: Vec<&str> = names.filter(|name| !default.contains(name)).collect();
        table += &match others[..] {
            [] => "\nAll are enabled by default.\n".to_owned(),
            _ => format!("\nAll are enabled by default except {}.\n", code(others)),
        };
        table
    }
}

/// Compares the part of a file between the marks `name`, whose lines begin with `prefix`, or updates it.
pub fn check(file: &str, name: &str, prefix: &str, table: &str) {
    let lines = table.lines().map(|line| format!("{prefix}{line}").trim_end().to_owned() + "\n");
    let expected: String = lines.collect();
    let marks = ["", "/"].map(|end| format!("{prefix}<!-- {end}{name} -->\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).expect("a readable file");
    let (before, rest) = text.split_once(&marks[0]).expect("the first mark");
    let (found, after) = rest.split_once(&marks[1]).expect("the second mark");
    if std::env::var_os("PCHR_UPDATE").is_some() {
        let updated = format!("{before}{}{expected}{}{after}", marks[0], marks[1]);
        fs::write(&path, updated).expect("a writable file");
    } else {
        assert_eq!(
            found, expected,
            "{file}: update the table of {name} with PCHR_UPDATE=1 scripts/test project::features"
        );
    }
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a manifest")
}

#[test]
fn the_tables_are_those_of_the_manifest() {
    let manifest = read("Cargo.toml");
    let table = Manifest::read(&manifest).table();
    check("docs/features.md", "features", "", &table);
    check("src/lib.rs", "features", "//! ", &table);
}

#[test]
fn the_features_of_the_programs_are_those_of_their_manifests() {
    let mut table = "| package | feature | what it adds | default |\n|---|---|---|---|\n".to_owned();
    for package in ["cli", "pchr-view"] {
        let text = read(format!("programs/{package}/Cargo.toml"));
        let manifest = Manifest::read(&text);
        let (_, name) = text.split_once("name = \"").expect("a name");
        let (name, _) = name.split_once('"').expect("a name");
        for (feature, description) in &manifest.descriptions {
            let default = if manifest.default().contains(feature) { "on" } else { "off" };
            writeln!(table, "| `{name}` | `{feature}` | {description} | {default} |").expect("a string");
        }
    }
    check("docs/features.md", "programs", "", &table);
}

#[test]
fn features_without_description_are_internal() {
    let manifest = Manifest::read(
        "\n[features]\ndefault = [\"a\"]\n## Adds A.\na = [\"inner\", \"dep:x\"]\n# Internal.\ninner = [\"dep:y\"]\n\
         ## Adds B.\nb = [\"a\", \"x/more\"]\n[dependencies]\n",
    );
    let expected = "| feature | what it adds | enables | dependencies |\n|---|---|---|---|\n\
                    | `a` | Adds A |  | `x`, `y` |\n| `b` | Adds B | `a` |  |\n\nAll are enabled by default except `b`.\n";
    assert_eq!(manifest.table(), expected);
}
