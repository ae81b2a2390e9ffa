//! Errors and warnings on stderr: of each code the first few, and how many there are of the others.

use std::path::{Component, Path, PathBuf};

use super::failure::{error, note, warn};
use super::stdio::{json_name, portable};
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::error::{Fault, Place};

/// How many warnings of one code are printed.
const FIRST: usize = 3;
/// Most notes about choices that are printed.
const MAX_CHOICES: usize = 100;

/// The option of commands that print warnings.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct WarningArgs {
    /// Print all warnings, not only the first three of each code
    #[arg(short, long)]
    pub verbose: bool,
}

/// Prints the errors in a file that is read all the same to stderr, and unless `quiet` also the warnings, and the
/// choices made for what it does not specify.
pub fn print_findings(diagnostics: &Diagnostics, file: &Path, args: WarningArgs, quiet: bool) {
    print_errors(diagnostics, file, args, quiet);
    if quiet {
        return;
    }
    for choice in diagnostics.choices().take(MAX_CHOICES) {
        note(&format!("{}{}", choice.place, choice.message));
    }
    print_all(diagnostics, Severity::Warning, file, args);
}

/// Prints the errors in a file that is read all the same, and unless `quiet` that something is left out.
pub fn print_errors(diagnostics: &Diagnostics, file: &Path, args: WarningArgs, quiet: bool) {
    print_all(diagnostics, Severity::Error, file, args);
    let file = json_name(file);
    match diagnostics.errors() {
        _ if quiet => {}
        0 => {}
        1 => note(&format!("{file}: the part of the animation with this error is left out")),
        count => note(&format!("{file}: the parts of animations with these {count} errors are left out")),
    }
}

/// Names the files that the findings about `file` are about, as everything that is printed names them. `sources` are the
/// files that were read.
pub fn name_files(diagnostics: &mut Diagnostics, file: &Path, sources: &[PathBuf]) {
    diagnostics.places_mut().for_each(|place| name_file(place, file, sources));
}

fn name_file(place: &mut Place, file: &Path, sources: &[PathBuf]) {
    let Some(other) = place.file.replace(json_name(file)) else { return };
    // Readers name a page as its atlas does, whose folder may be another one.
    let read = sources.iter().filter(|source| source.ends_with(&other)).cloned();
    // A name that leads out of a folder may be an entry's: nothing outside is looked at.
    let is_inside = Path::new(&other).components().all(|part| matches!(part, Component::Normal(_)));
    let folders = sources.iter().filter(|_| is_inside).filter_map(|source| source.parent());
    let beside = folders.map(|folder| folder.join(&other));
    match read.chain(beside).find(|path| path.exists()) {
        Some(path) => place.file = Some(portable(&path)),
        // It is in the file.
        None if place.path.is_empty() => place.path = other,
        None => place.path = format!("{other}: {}", place.path),
    }
}

fn print_all(diagnostics: &Diagnostics, severity: Severity, file: &Path, args: WarningArgs) {
    let found: Vec<Fault> = diagnostics.with_severity(severity).cloned().collect();
    let counts = diagnostics.counts().filter(|(counted, ..)| *counted == severity);
    let counts: Vec<_> = counts.map(|(_, code, count)| (code, count)).collect();
    let print_one = if severity == Severity::Error { error } else { warn };
    print_by_code(&found, print_one, &counts, Some(&json_name(file)), args);
}

/// Prints the first warnings of each code, or all, and how many were not printed. `counts` contains the total of each
/// code.
pub fn warn_by_code(warnings: &[Fault], counts: &[(&'static str, usize)], file: Option<&str>, args: WarningArgs) {
    print_by_code(warnings, warn, counts, file, args);
}

fn print_by_code(
    warnings: &[Fault],
    print_one: fn(&Fault),
    counts: &[(&'static str, usize)],
    file: Option<&str>,
    args: WarningArgs,
) {
    let mut codes: Vec<&'static str> = Vec::new();
    for Fault { code, .. } in warnings {
        if !codes.contains(code) {
            codes.push(code);
        }
    }
    let print = |code: &'static str| {
        let total = counts.iter().find(|(counted, _)| *counted == code).map_or(0, |(_, count)| *count);
        // A line for the only one left out would not be shorter.
        let most = if args.verbose || total == FIRST + 1 { usize::MAX } else { FIRST };
        let printed = warnings.iter().filter(|warning| warning.code == code).take(most).map(print_one).count();
        (code, total.saturating_sub(printed))
    };
    let more: Vec<_> = codes.into_iter().map(print).filter(|(_, left)| *left > 0).collect();
    if !more.is_empty() {
        let file = file.map_or(String::new(), |file| format!("{file}: "));
        // Of very many warnings, not all are kept.
        let help = if args.verbose { "" } else { "; --verbose lists them" };
        note(&format!("{file}{}{help}", not_listed(more)));
    }
}

/// `not listed: 3 × clip-dropped, 5 × tint-dropped`
pub fn not_listed<'a>(counts: impl IntoIterator<Item = (&'a str, usize)>) -> String {
    let counts: Vec<String> = counts.into_iter().map(|(code, count)| format!("{count} × {code}")).collect();
    format!("not listed: {}", counts.join(", "))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_named_by_where_they_were_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["art/hero.json", "art/near.atlas", "pages/hero.atlas", "pages/hero.png", "other.png"] {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), "").unwrap();
        }
        let (hero, atlas) = (path("art/hero.json"), path("pages/hero.atlas"));
        let read = |names: &[&str]| names.iter().map(|name| path(name)).collect::<Vec<_>>();
        let all = read(&["art/near.atlas", "art/hero.png", "pages/hero.png", "pages/hero.atlas", "art/hero.json"]);
        // Without the files that were read, only the given atlas is known.
        let given = read(&["pages/hero.atlas", "art/hero.json"]);
        for sources in [all, given] {
            let named = |other: Option<&str>, inside: &str| {
                let place = other.map_or_else(Place::default, Place::file);
                let mut diagnostics = Diagnostics::default();
                diagnostics.warn("odd", Place { path: inside.to_owned(), ..place }, "odd");
                name_files(&mut diagnostics, &hero, &sources);
                diagnostics.warnings().map(Fault::to_string).collect::<String>()
            };
            let expected = |name: &str, inside: &str| format!("{}: {inside}odd", portable(&path(name)));
            assert_eq!(named(None, "/bones"), expected("art/hero.json", "/bones: "));
            assert_eq!(named(Some("near.atlas"), "line 1"), expected("art/near.atlas", "line 1: "));
            assert_eq!(named(Some(&portable(&atlas)), ""), expected("pages/hero.atlas", ""));
            assert_eq!(
                named(Some("hero.png"), ""),
                expected("pages/hero.png", ""),
                "a page of an atlas elsewhere"
            );
            assert_eq!(named(Some("LIBRARY/arm.json"), ""), expected("art/hero.json", "LIBRARY/arm.json: "));
            for outside in [portable(&path("other.png")), "../other.png".to_owned()] {
                let inside = format!("{outside}: ");
                assert_eq!(named(Some(&outside), ""), expected("art/hero.json", &inside), "not looked at");
            }
            assert_eq!(
                named(Some("LIBRARY/arm.json"), "/a/b"),
                expected("art/hero.json", "LIBRARY/arm.json: /a/b: "),
                "an entry of an archive"
            );
        }
    }
}
