//! The differences between the characters of two folders: `pchr.diff-folders/1`, and as text.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::{DiffArgs, compare, read};
use crate::shared::counted::{counted, listed};
use crate::shared::failure::Failure;
use crate::shared::files::Target;
use crate::shared::json_error::JsonError;
use crate::shared::json_output::{self, JsonOutput};
use crate::shared::keep_going::Failures;
use crate::shared::progress;
use crate::shared::stdio::{json_name, portable, print_stdout};
use pchr::diff::Diff;
use pchr::error::escaped;
use pchr::formats::ReadOptions;

/// All differences between the characters of two folders.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FolderDiff {
    /// The first folder or pattern as given, with `/`.
    pub a: String,
    /// The second folder or pattern as given, with `/`.
    pub b: String,
    /// Characters that both have, by relative path.
    pub compared: Vec<Diff>,
    /// Files that could not be read, with `--keep-going`; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<JsonError>,
    /// Characters that only the first has.
    pub only_in_a: Vec<String>,
    /// Characters that only the second has.
    pub only_in_b: Vec<String>,
    /// True if nothing differs and nothing failed.
    pub same: bool,
    /// Name and version of this schema.
    #[schemars(extend("const" = FolderDiff::SCHEMA))]
    pub schema: &'static str,
}

impl JsonOutput for FolderDiff {
    const SCHEMA: &'static str = "pchr.diff-folders/1";
}

/// Number of characters with each result.
#[derive(Default)]
struct Counts {
    same: usize,
    different: usize,
    failed: usize,
    only: [usize; 2],
}

/// Compares the characters of two folders one by one, and prints what differs.
pub fn run(args: &DiffArgs, pairs: &[[Option<Target>; 2]], quiet: bool) -> Result<(), Failure> {
    let options = args.read.options();
    let mut failures = Failures::new(args.errors.keep_going);
    let (mut counts, mut compared, mut only) = (Counts::default(), Vec::new(), [Vec::new(), Vec::new()]);
    let says = !args.json && !quiet;
    let bar = progress::bar(!quiet, pairs.len(), "characters");
    for pair in pairs {
        let result = match pair {
            [Some(a), Some(b)] => compare_pair(args, [a, b], &options, &mut failures, quiet),
            [a, b] => {
                let sides = [(0, a, &args.a), (1, b, &args.b)];
                for (side, target, folder) in sides {
                    let Some(target) = target else { continue };
                    counts.only[side] += 1;
                    if says {
                        let line = format!("only in {}: {}\n", shown(folder), escaped(&portable(&target.below)));
                        progress::above(|| print_stdout(&line))?;
                    }
                    only[side].push(json_name(&target.path));
                }
                Ok(None)
            }
        };
        bar.inc(1);
        if result.is_err() {
            bar.finish_and_clear();
        }
        let is_pair = pair.iter().all(Option::is_some);
        let Some(diff) = result? else {
            counts.failed += usize::from(is_pair);
            continue;
        };
        *if diff.is_empty() { &mut counts.same } else { &mut counts.different } += 1;
        if says && !diff.is_empty() {
            progress::above(|| print_stdout(&format!("{diff}\n")))?;
        }
        if args.json {
            compared.push(diff);
        }
    }
    bar.finish_and_clear();
    let (failures, result) = failures.into_parts();
    let same = counts.different == 0 && counts.only == [0, 0];
    if says {
        print_stdout(&counts.summary(args))?;
    }
    if args.json {
        let [only_in_a, only_in_b] = only;
        let (same, schema) = (same && failures.is_empty(), FolderDiff::SCHEMA);
        let (a, b) = (portable(&args.a), portable(&args.b));
        json_output::print(&FolderDiff { a, b, compared, failures, only_in_a, only_in_b, same, schema })?;
    }
    result?;
    if same { Ok(()) } else { Err(Failure::Reported(1)) }
}

/// Reads and compares two files. A failure names the file that it occurred in.
fn compare_pair(
    args: &DiffArgs,
    [a, b]: [&Target; 2],
    options: &ReadOptions,
    failures: &mut Failures,
    quiet: bool,
) -> Result<Option<Diff>, Failure> {
    let mut open = |target: &Target| {
        failures.attempt(&target.path, || {
            target.check().map_err(Failure::Input)?;
            read(args, &target.path, options, quiet)
        })
    };
    let (one, two) = (open(a)?, open(b)?);
    let (Some(one), Some(two)) = (one, two) else { return Ok(None) };
    failures.attempt(&a.path, || compare(args, [&a.path, &b.path], &[one, two], options))
}

fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

impl Counts {
    fn summary(&self, args: &DiffArgs) -> String {
        let Self { same, different, failed, only: [only_a, only_b] } = self;
        let [in_a, in_b] = [&args.a, &args.b].map(|side| format!("only in {}", shown(side)));
        let list = listed(&[
            (*same, "same"),
            (*different, "different"),
            (*failed, "failed"),
            (*only_a, &in_a),
            (*only_b, &in_b),
        ]);
        let count = counted(same + different + failed + only_a + only_b, "character");
        format!("{count}{list}\n")
    }
}
