//! Vector files put through the very engines that the tables use: `croupier check`.
//!
//! The kind of a file is its name. Each line is computed anew from its cards or results and every
//! field is compared; what cannot be read as a line of its kind has failed. Nothing is skipped.

mod baccarat;
mod line;
mod roads;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Value, json};

/// Most bytes of one line.
pub const LINE_BYTES_MAX: u64 = 1 << 20;
/// Most lines of one file.
pub const LINES_MAX: u64 = 1_000_000;
/// Most findings that are told of one line.
pub const LINE_FINDINGS_MAX: usize = 100;
/// Most findings that are told of one file.
pub const FINDINGS_MAX: usize = 1_000;
/// Most letters of a value in the text form of a finding.
pub const VALUE_LETTERS_MAX: usize = 200;

/// The kinds of vector files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Rounds,
    BadRounds,
    Roads,
}

/// The names of the files, by which their kind is known.
const KINDS: [(&str, Kind); 3] = [
    ("baccarat_rounds.jsonl", Kind::Rounds),
    ("baccarat_bad_rounds.jsonl", Kind::BadRounds),
    ("roads.jsonl", Kind::Roads),
];

/// What is wrong with a file, a line or a field. The text form is stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// The file's name is not that of a kind of vectors.
    UnknownKind,
    /// The file cannot be opened or read.
    Unreadable,
    /// The file has no lines.
    EmptyFile,
    /// More lines than [`LINES_MAX`]; the rest is not looked at.
    TooManyLines,
    /// A line without anything on it.
    EmptyLine,
    /// A line longer than [`LINE_BYTES_MAX`].
    LineTooLong,
    /// A line that is not UTF-8.
    NotUtf8,
    /// A line that is no JSON.
    NotJson,
    /// A name used twice in one object.
    DuplicateKey,
    /// A line that is JSON, but no object.
    NotAnObject,
    /// A field that the format defines is missing.
    MissingField,
    /// A field that the format does not define.
    UnknownField,
    /// A value of another type than the format defines.
    WrongType,
    /// A value that is none of those which the format defines.
    UnknownValue,
    /// More results than a road shows.
    TooManyResults,
    /// A result that contradicts itself.
    Contradiction,
    /// Cards that are no complete coup.
    NotACoup,
    /// The engine came to another value.
    Mismatch,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Code::UnknownKind => "unknown_kind",
            Code::Unreadable => "unreadable",
            Code::EmptyFile => "empty_file",
            Code::TooManyLines => "too_many_lines",
            Code::EmptyLine => "empty_line",
            Code::LineTooLong => "line_too_long",
            Code::NotUtf8 => "not_utf8",
            Code::NotJson => "not_json",
            Code::DuplicateKey => "duplicate_key",
            Code::NotAnObject => "not_an_object",
            Code::MissingField => "missing_field",
            Code::UnknownField => "unknown_field",
            Code::WrongType => "wrong_type",
            Code::UnknownValue => "unknown_value",
            Code::TooManyResults => "too_many_results",
            Code::Contradiction => "contradiction",
            Code::NotACoup => "not_a_coup",
            Code::Mismatch => "mismatch",
        })
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The line, from 1; 0 where it is the file itself.
    pub line: u64,
    /// What is wrong.
    pub code: Code,
    /// The path to the field, as `/net/macau/tie`; empty for the whole line.
    pub field: String,
    /// What the line says, or what was expected of it.
    pub expected: Value,
    /// What the engine came to, or what was found.
    pub got: Value,
}

/// What is wrong with one line, before it is known which.
#[derive(Clone, Debug, PartialEq)]
struct Fault {
    code: Code,
    field: String,
    expected: Value,
    got: Value,
}

impl Fault {
    fn new(code: Code, field: impl Into<String>, expected: Value, got: Value) -> Fault {
        Fault { code, field: field.into(), expected, got }
    }
}

/// What came of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The file as it was named.
    pub file: String,
    /// Lines of which every field is as computed.
    pub passed: u64,
    /// Lines with anything wrong, the file itself counted as one.
    pub failed: u64,
    /// What is wrong, in the order of the lines, [`FINDINGS_MAX`] at most.
    pub findings: Vec<Finding>,
    /// How many more findings there were.
    pub left_out: u64,
}

impl Report {
    fn note(&mut self, line: u64, faults: Vec<Fault>) {
        if faults.is_empty() {
            self.passed += 1;
            return;
        }
        self.failed += 1;
        for Fault { code, field, expected, got } in faults {
            if self.findings.len() < FINDINGS_MAX {
                self.findings.push(Finding { line, code, field, expected, got });
            } else {
                self.left_out += 1;
            }
        }
    }
}

/// Checks one file. Whatever is wrong with it is in the report; nothing panics.
pub fn check_file(path: &Path) -> Report {
    let file = path.display().to_string();
    let mut report = Report { file, passed: 0, failed: 0, findings: Vec::new(), left_out: 0 };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let kind = KINDS.into_iter().find(|(known, _)| name.as_deref() == Some(*known));
    let Some((_, kind)) = kind else {
        let known = KINDS.map(|(known, _)| known);
        report.note(0, vec![Fault::new(Code::UnknownKind, "", json!(known), json!(name))]);
        return report;
    };
    let read = File::open(path).and_then(|file| check_lines(kind, file, &mut report));
    if let Err(why) = read {
        let why = json!(why.to_string());
        report.note(0, vec![Fault::new(Code::Unreadable, "", json!("a readable file"), why)]);
    } else if report.passed + report.failed == 0 {
        let nothing = Fault::new(Code::EmptyFile, "", json!("one line or more"), Value::Null);
        report.note(0, vec![nothing]);
    }
    report
}

fn check_lines(kind: Kind, file: impl Read, report: &mut Report) -> io::Result<()> {
    let mut lines = BufReader::new(file);
    for line in 1.. {
        let Some(bytes) = next_line(&mut lines)? else { return Ok(()) };
        if line > LINES_MAX {
            let fault = Fault::new(Code::TooManyLines, "", json!(LINES_MAX), json!("more"));
            report.note(line, vec![fault]);
            return Ok(());
        }
        report.note(line, check_line(kind, &bytes));
    }
    Ok(())
}

/// The next line without its end, longer ones cut off just beyond [`LINE_BYTES_MAX`].
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = lines.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if is_too_long(&bytes) {
        lines.skip_until(b'\n')?;
    }
    Ok(Some(bytes))
}

fn is_too_long(bytes: &[u8]) -> bool {
    u64::try_from(bytes.len()).is_ok_and(|length| length > LINE_BYTES_MAX)
}

fn check_line(kind: Kind, bytes: &[u8]) -> Vec<Fault> {
    let fault = |code, expected: Value, got: Value| vec![Fault::new(code, "", expected, got)];
    if is_too_long(bytes) {
        return fault(Code::LineTooLong, json!(LINE_BYTES_MAX), json!("more"));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(why) => return fault(Code::NotUtf8, json!("UTF-8"), json!(why.to_string())),
    };
    if text.trim().is_empty() {
        return fault(Code::EmptyLine, json!("an object"), Value::Null);
    }
    let line = match line::parse(text) {
        Ok(line) => line,
        Err(fault) => return vec![fault],
    };
    let faults = match kind {
        Kind::Rounds => baccarat::check_round(&line),
        Kind::BadRounds => baccarat::check_bad_round(&line),
        Kind::Roads => roads::check(&line),
    };
    faults.unwrap_or_else(|fault| vec![fault])
}

/// True if everything that was looked at has passed, and something was.
pub fn all_passed(reports: &[Report]) -> bool {
    !reports.is_empty() && reports.iter().all(|report| report.failed == 0 && report.passed > 0)
}

/// The reports as text: a line for each finding, `N passed, M failed` at the end.
pub fn text(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        for finding in &report.findings {
            let Finding { line, code, field, expected, got } = finding;
            let at = if *line > 0 { format!(":{line}") } else { String::new() };
            let field = if field.is_empty() { String::new() } else { format!(" {field}") };
            let (expected, got) = (shortened(expected), shortened(got));
            let told =
                format!("{}{at}: {code}{field}: expected {expected}, got {got}", report.file);
            text.extend(told.chars().filter(|letter| !letter.is_control()));
            text.push('\n');
        }
        if report.left_out > 0 {
            text.push_str(&format!("{}: {} more findings\n", report.file, report.left_out));
        }
    }
    let (passed, failed) = sums(reports);
    text + &format!("{passed} passed, {failed} failed\n")
}

fn sums(reports: &[Report]) -> (u64, u64) {
    let passed = reports.iter().map(|report| report.passed).sum();
    (passed, reports.iter().map(|report| report.failed).sum())
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    let mut letters = text.chars();
    let short: String = letters.by_ref().take(VALUE_LETTERS_MAX).collect();
    if letters.next().is_some() { format!("{short}…") } else { short }
}

/// The reports as one JSON object for programs.
pub fn json(reports: &[Report]) -> Value {
    let finding = |finding: &Finding| {
        json!({
            "line": finding.line,
            "code": finding.code.to_string(),
            "field": finding.field,
            "expected": finding.expected,
            "got": finding.got,
        })
    };
    let file = |report: &Report| {
        json!({
            "file": report.file,
            "passed": report.passed,
            "failed": report.failed,
            "findings": report.findings.iter().map(finding).collect::<Vec<Value>>(),
            "left_out": report.left_out,
        })
    };
    let (passed, failed) = sums(reports);
    json!({
        "passed": passed,
        "failed": failed,
        "files": reports.iter().map(file).collect::<Vec<Value>>(),
    })
}
