//! `pchr.validate/1`. Keys are sorted, and the output is the same in every run and on every machine.

use schemars::JsonSchema;
use serde::Serialize;

use super::judge::{Judged, Outcome};
use super::stream::List;
use super::{Style, Summary};
use crate::shared::json_error::JsonError;
use crate::shared::json_output::JsonOutput;
use crate::shared::stdio::json_name;
use pchr::validate::Finding;

/// Findings about characters.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report {
    /// All files that were given or found, sorted by name.
    pub files: Vec<File>,
    /// Name and version of this schema.
    #[schemars(extend("const" = Report::SCHEMA))]
    pub schema: &'static str,
    /// Totals over all files.
    pub summary: Summary,
}

impl JsonOutput for Report {
    const SCHEMA: &'static str = "pchr.validate/1";
}

/// The result for one file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct File {
    /// Number of errors, including those not listed in `findings`.
    pub errors: usize,
    /// Path as given, with `/`; `-` is standard input.
    pub file: String,
    /// Findings in the order in which they were found.
    pub findings: Vec<Finding>,
    /// Name of the format; absent if the file was not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// Number of findings not listed in `findings`, because of `--max-issues` or because there are too many.
    pub hidden: usize,
    /// Number of notes.
    pub notes: usize,
    /// Why the file was not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<JsonError>,
    /// The verdict.
    pub verdict: Verdict,
    /// Number of warnings.
    pub warnings: usize,
}

/// The verdict on a file.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It has errors, or warnings with `--deny warnings`.
    Invalid,
    /// It is missing, unreadable, of unknown format or over a limit, or triggers a bug in the program.
    Unjudged,
    /// It has no errors.
    Valid,
}

impl File {
    /// Returns `None` for a skipped file.
    fn new(judged: &Judged<'_>, printed: usize) -> Option<Self> {
        let empty = Self {
            errors: 0,
            file: judged.target.name.clone(),
            findings: Vec::new(),
            format: None,
            hidden: 0,
            notes: 0,
            problem: None,
            verdict: Verdict::Unjudged,
            warnings: 0,
        };
        match &judged.outcome {
            Outcome::Checked(checked) => Some(Self {
                errors: checked.counts.errors,
                findings: checked.findings[..printed].to_vec(),
                format: Some(checked.format),
                hidden: checked.counts.all() - printed,
                notes: checked.counts.notes,
                verdict: if checked.is_valid { Verdict::Valid } else { Verdict::Invalid },
                warnings: checked.counts.warnings,
                ..empty
            }),
            Outcome::Failed(failure) => {
                // `file` is already in the document; the message does not repeat it.
                let problem = judged.problem().map(|(_, message)| {
                    let error = JsonError::new(failure);
                    JsonError {
                        path: error.path.or_else(|| Some(json_name(&judged.target.path))),
                        message,
                        ..error
                    }
                });
                Some(Self { problem, ..empty })
            }
            Outcome::Skipped(_) => None,
        }
    }
}

/// Streams a [`Report`] file by file.
#[derive(Debug, Default)]
pub struct Json {
    files: List,
}

impl Style for Json {
    fn begin(&mut self, out: &mut String) -> serde_json::Result<()> {
        out.push_str("{\n  \"files\": [");
        Ok(())
    }

    fn file(&mut self, judged: &Judged<'_>, printed: usize, out: &mut String) -> serde_json::Result<()> {
        File::new(judged, printed).map_or(Ok(()), |file| self.files.push(&file, 4, out))
    }

    fn end(&mut self, totals: &Summary, out: &mut String) -> serde_json::Result<()> {
        self.files.end(2, out);
        let schema = serde_json::to_string(Report::SCHEMA)?;
        out.push_str(&format!(",\n  \"schema\": {schema},\n  \"summary\": "));
        super::stream::push(totals, 2, out)?;
        out.push_str("\n}\n");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::failure::Failure;
    use crate::shared::files::Target;
    use pchr::Error;
    use pchr::diagnostics::Severity;
    use pchr::validate::{Checked, Counts, Position};

    #[test]
    fn the_streamed_text_is_a_report() {
        let position = Some(Position { line: 1, column: 4 });
        let finding = Finding {
            code: "odd",
            position,
            message: "so\n".to_owned(),
            offset: Some(3),
            other_file: None,
            path: None,
            pointer: Some("/a".to_owned()),
            severity: Severity::Note,
            excerpt: None,
        };
        let checked = Checked {
            format: "PCHR v1",
            findings: vec![finding],
            counts: Counts { notes: 1, ..Counts::default() },
            omitted: Default::default(),
            is_valid: true,
        };
        let target = Target::given("a".as_ref());
        let judged = |outcome| Judged { target: &target, outcome };
        let missing = Error::io("a", std::io::Error::other("gone"));
        let all = [
            judged(Outcome::Checked(checked)),
            judged(Outcome::Failed(Failure::Input(missing))),
            judged(Outcome::Skipped("")),
        ];
        for files in [&all[..0], &all[..1], &all[..]] {
            let (mut style, mut totals, mut out) = (Json::default(), Summary::default(), String::new());
            style.begin(&mut out).unwrap();
            for judged in files {
                let printed = usize::from(matches!(judged.outcome, Outcome::Checked(_)));
                totals.add(judged, printed);
                style.file(judged, printed, &mut out).unwrap();
            }
            style.end(&totals, &mut out).unwrap();
            let files = files.iter().filter_map(|judged| {
                File::new(judged, usize::from(matches!(judged.outcome, Outcome::Checked(_))))
            });
            let report = Report { files: files.collect(), schema: Report::SCHEMA, summary: totals };
            assert_eq!(out, serde_json::to_string_pretty(&report).unwrap() + "\n");
        }
    }
}
