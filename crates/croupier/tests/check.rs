//! `croupier check`: the vectors pass, and nothing that is wrong does.

use std::fs;
use std::path::Path;

use croupier::check::{
    Code, FINDINGS_MAX, LINE_BYTES_MAX, Report, VALUE_LETTERS_MAX, all_passed, check_file, json,
    text,
};
use serde_json::{Value, json as value};

const ROUNDS: (&str, &str) =
    ("baccarat_rounds.jsonl", include_str!("vectors/baccarat_rounds.jsonl"));
const BAD_ROUNDS: (&str, &str) =
    ("baccarat_bad_rounds.jsonl", include_str!("vectors/baccarat_bad_rounds.jsonl"));
const ROADS: (&str, &str) = ("roads.jsonl", include_str!("vectors/roads.jsonl"));

/// Checks a file of this name and content.
fn check(name: &str, content: impl AsRef<[u8]>) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    check_file(&path)
}

fn lines(file: (&str, &str)) -> Vec<Value> {
    file.1.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn line(file: (&str, &str), id: &str) -> Value {
    lines(file).into_iter().find(|line| line["id"] == id).unwrap()
}

/// Checks one line; gives each finding's code and field.
fn faults(file: (&str, &str), line: impl ToString) -> Vec<(Code, String)> {
    let report = check(file.0, line.to_string());
    assert_eq!((report.passed + report.failed, report.left_out), (1, 0));
    assert_eq!(report.failed == 0, report.findings.is_empty());
    assert_eq!(all_passed(std::slice::from_ref(&report)), report.failed == 0);
    report.findings.into_iter().map(|finding| (finding.code, finding.field)).collect()
}

fn with(mut line: Value, path: &str, value: Value) -> Value {
    *line.pointer_mut(path).unwrap() = value;
    line
}

/// Every value that holds no other, by its path.
fn leaves(path: &str, value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, v)| leaves(&format!("{path}/{name}"), v, into));
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(place, v)| leaves(&format!("{path}/{place}"), v, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            into.push(path.to_owned());
        }
    }
}

#[test]
fn every_field_of_every_vector_line_is_as_the_engines_say() {
    for (file, count) in [(ROUNDS, 300), (BAD_ROUNDS, 65), (ROADS, 91)] {
        let report = check(file.0, file.1);
        assert_eq!(
            text(std::slice::from_ref(&report)),
            format!("{count} passed, 0 failed\n"),
            "{}",
            file.0
        );
        assert!(all_passed(&[report]));
    }
}

/// Where the vectors speak of the second convention of dragon tails, they must really do so.
#[test]
fn vectors_reach_both_conventions_in_all_four_roads() {
    for road in ["big", "big_eye", "small", "cockroach"] {
        let kept = |line: &Value| line[road]["cells_keep_row"].is_array();
        assert!(lines(ROADS).iter().any(kept), "{road}");
        assert!(!lines(ROADS).iter().all(kept), "{road}");
    }
    let steps = |line: &Value| line["ask_steps"].as_array().map_or(0, Vec::len);
    assert!(lines(ROADS).iter().map(steps).sum::<usize>() > 3_000);
}

/// Another value of the same type.
fn changed(value: &Value) -> Value {
    match value {
        Value::Null => value!("AS"),
        Value::Bool(flag) => value!(!flag),
        Value::Number(number) => value!(number.as_u64().unwrap() + 1),
        Value::String(text) => value!(format!("{text}0")),
        Value::Array(_) | Value::Object(_) => panic!("no leaf"),
    }
}

/// The comparison is no rubber stamp: each single value that is changed is told at its place.
#[test]
fn a_changed_value_anywhere_is_told_at_its_place() {
    let samples = [
        (ROUNDS, "r001"),
        (ROUNDS, "r003"),
        (ROUNDS, "r120"),
        (ROUNDS, "r300"),
        (BAD_ROUNDS, "bad08"),
        (BAD_ROUNDS, "bad31"),
        (BAD_ROUNDS, "bad57"),
        (ROADS, "seq-65"),
        (ROADS, "seq-80"),
    ];
    let mut tried = 0;
    for (file, id) in samples {
        let line = line(file, id);
        let (mut all, mut tampered) = (Vec::new(), String::new());
        leaves("", &line, &mut all);
        let free = ["/id", "/why", "/kind", "/cards", "/rounds"];
        all.retain(|leaf| !free.iter().any(|name| leaf.starts_with(name)));
        for leaf in &all {
            let wrong = changed(line.pointer(leaf).unwrap());
            tampered += &format!("{}\n", with(line.clone(), leaf, wrong));
        }
        let report = check(file.0, tampered);
        assert_eq!((report.passed, report.failed), (0, all.len() as u64), "{id}");
        for (number, leaf) in (1..).zip(&all).take(FINDINGS_MAX) {
            let finding = &report.findings[number - 1];
            assert_eq!((finding.line, &finding.field), (number as u64, leaf), "{id}");
        }
        tried += all.len();
    }
    assert!(tried > 700, "{tried}");
}

/// Whatever byte of a line is changed, the line fails; but for texts that are free, and the results
/// of a road, which may change into others of the same road.
#[test]
fn a_changed_byte_anywhere_fails_the_line() {
    for (file, place) in
        [(ROUNDS, 0), (ROUNDS, 200), (BAD_ROUNDS, 7), (BAD_ROUNDS, 58), (ROADS, 68)]
    {
        let line = file.1.lines().nth(place).unwrap();
        let parsed: Value = serde_json::from_str(line).unwrap();
        let mut free = Vec::new();
        for name in ["id", "why", "kind"] {
            if let Some(text) = parsed[name].as_str() {
                let at = line.find(&format!("\"{name}\":\"{text}\"")).unwrap() + name.len() + 4;
                free.extend(at..at + text.len());
            }
        }
        if let Some(results) = line.find("\"rounds\"") {
            free.extend(results..results + line[results..].find("]]").unwrap());
        }
        let (mut content, mut count) = (Vec::new(), 0);
        for at in (0..line.len()).filter(|at| !free.contains(at)) {
            for byte in *b"0X\" \xff" {
                let mut bytes = line.as_bytes().to_vec();
                if std::mem::replace(&mut bytes[at], byte) != byte {
                    content.extend(bytes);
                    content.push(b'\n');
                    count += 1;
                }
            }
        }
        let report = check(file.0, content);
        assert_eq!((report.passed, report.failed), (0, count), "{} {place}", file.0);
        assert!(count > 300, "{count}");
    }
}

#[test]
fn a_missing_field_anywhere_fails_the_line() {
    for (file, id) in [(ROUNDS, "r001"), (BAD_ROUNDS, "bad08"), (ROADS, "seq-49")] {
        let line = line(file, id);
        for name in line.as_object().unwrap().keys() {
            let mut less = line.clone();
            less.as_object_mut().unwrap().remove(name);
            let expected = (Code::MissingField, format!("/{name}"));
            assert_eq!(faults(file, less), [expected], "{id} {name}");
        }
    }
    let nets = [("", "net"), ("/net", "macau"), ("/net/live", "tie"), ("/net/extra", "egalite_9")];
    for (path, name) in nets {
        let mut less = line(ROUNDS, "r001");
        less.pointer_mut(path).unwrap().as_object_mut().unwrap().remove(name);
        let expected = (Code::MissingField, format!("{path}/{name}"));
        assert_eq!(faults(ROUNDS, less), [expected]);
    }
}

#[test]
fn an_unknown_field_anywhere_fails_the_line() {
    let places = [
        (ROUNDS, "r001", ""),
        (ROUNDS, "r001", "/net"),
        (ROUNDS, "r001", "/net/macau"),
        (BAD_ROUNDS, "bad08", ""),
        (BAD_ROUNDS, "bad08", "/error"),
        (ROADS, "seq-49", ""),
        (ROADS, "seq-49", "/big/cells/3"),
        (ROADS, "seq-49", "/ask/B"),
    ];
    for (file, id, path) in places {
        let mut more = line(file, id);
        more.pointer_mut(path).unwrap()["paris"] = value!({});
        let expected = (Code::UnknownField, format!("{path}/paris"));
        assert_eq!(faults(file, more), [expected], "{id} {path}");
    }
}

/// A name that stands twice: the second could hide the first.
#[test]
fn a_field_given_twice_fails_the_line() {
    for file in [ROUNDS, BAD_ROUNDS, ROADS] {
        let line = file.1.lines().next().unwrap();
        let twice = format!("{},\"id\":\"again\"}}", line.strip_suffix('}').unwrap());
        assert_eq!(faults(file, twice), [(Code::DuplicateKey, String::new())]);
    }
    let line = ROUNDS.1.lines().next().unwrap();
    let twice = line.replacen("\"tie\":\"-100\"", "\"tie\":\"800\",\"tie\":\"-100\"", 1);
    assert_eq!(faults(ROUNDS, &twice), [(Code::DuplicateKey, String::new())]);
    let told = text(&[check(ROUNDS.0, twice)]);
    assert!(told.contains("duplicate_key: expected \"every name once\", got \"tie\""), "{told}");
}

#[test]
fn values_of_wrong_type_and_unknown_values_are_told_apart() {
    let (round, bad, road) =
        (line(ROUNDS, "r001"), line(BAD_ROUNDS, "bad08"), line(ROADS, "seq-49"));
    let cases = [
        (ROUNDS, &round, "/id", value!(1), Code::WrongType),
        (ROUNDS, &round, "/why", value!(null), Code::WrongType),
        (ROUNDS, &round, "/cards", value!("3C"), Code::WrongType),
        (ROUNDS, &round, "/cards/0", value!(3), Code::WrongType),
        (ROUNDS, &round, "/cards/0", value!("1C"), Code::UnknownValue),
        (ROUNDS, &round, "/p2", value!("1"), Code::WrongType),
        (ROUNDS, &round, "/p2", value!(1.0), Code::WrongType),
        (ROUNDS, &round, "/pp", value!(0), Code::WrongType),
        (ROUNDS, &round, "/net", value!([]), Code::WrongType),
        (ROUNDS, &round, "/net/macau", value!("95"), Code::WrongType),
        (ROUNDS, &round, "/net/macau/banker", value!(95), Code::WrongType),
        (ROUNDS, &round, "/net/macau/banker", value!("95.0"), Code::Mismatch),
        (ROUNDS, &round, "/outcome", value!("X"), Code::Mismatch),
        (BAD_ROUNDS, &bad, "/cards/1", value!(null), Code::WrongType),
        (BAD_ROUNDS, &bad, "/error/code", value!("no_cards"), Code::UnknownValue),
        (BAD_ROUNDS, &bad, "/error/code", value!(7), Code::WrongType),
        (BAD_ROUNDS, &bad, "/error/have", value!("4"), Code::WrongType),
        (BAD_ROUNDS, &bad, "/error/needed_for", value!("banker_3"), Code::Mismatch),
        (ROADS, &road, "/kind", value!({}), Code::WrongType),
        (ROADS, &road, "/rounds", value!({}), Code::WrongType),
        (ROADS, &road, "/rounds/2", value!("B"), Code::WrongType),
        (ROADS, &road, "/rounds/2", value!(["B", 0, 7, 0, 0, 0]), Code::WrongType),
        (ROADS, &road, "/rounds/2", value!(["B", 0, 7, 0, 0, 0, 0, 0]), Code::WrongType),
        (ROADS, &road, "/rounds/2/0", value!(1), Code::WrongType),
        (ROADS, &road, "/rounds/2/0", value!("b"), Code::UnknownValue),
        (ROADS, &road, "/rounds/2/1", value!(10), Code::UnknownValue),
        (ROADS, &road, "/rounds/2/1", value!(-1), Code::WrongType),
        (ROADS, &road, "/rounds/2/6", value!(2), Code::UnknownValue),
        (ROADS, &road, "/rounds/2/6", value!(true), Code::WrongType),
        (ROADS, &road, "/rounds/2", value!(["B", 7, 0, 0, 0, 0, 0]), Code::Contradiction),
        (ROADS, &road, "/rounds/2", value!(["B", 0, 7, 0, 1, 0, 0]), Code::Contradiction),
        (ROADS, &road, "/ask_steps", value!({}), Code::WrongType),
        (ROADS, &road, "/outcomes", value!("BPT"), Code::Mismatch),
    ];
    for (file, line, path, wrong, code) in cases {
        let told = faults(file, with(line.clone(), path, wrong.clone()));
        assert_eq!(told, [(code, path.to_owned())], "{} {path} {wrong}", file.0);
    }
}

/// Rounds that the engine refuses, and refusals of rounds that it would deal.
#[test]
fn rounds_that_are_no_coup_and_errors_that_are_none_fail() {
    let bad = |id: &str| line(BAD_ROUNDS, id)["cards"].clone();
    for id in ["bad08", "bad31", "bad01"] {
        let told = faults(ROUNDS, with(line(ROUNDS, "r001"), "/cards", bad(id)));
        assert_eq!(told, [(Code::NotACoup, "/cards".to_owned())], "{id}");
    }
    let whole = with(line(BAD_ROUNDS, "bad08"), "/cards", line(ROUNDS, "r001")["cards"].clone());
    assert_eq!(faults(BAD_ROUNDS, whole), [(Code::Mismatch, "/error".to_owned())]);
    // A bad card is told before a missing one.
    let both = with(line(BAD_ROUNDS, "bad04"), "/cards", value!(["4D", "ZZ"]));
    let told = faults(BAD_ROUNDS, both);
    assert!(told.contains(&(Code::Mismatch, "/error/code".to_owned())), "{told:?}");
    assert!(told.contains(&(Code::MissingField, "/error/index".to_owned())), "{told:?}");
}

/// Third cards that the tableau does not know (cases 3, 4 and 12).
#[test]
fn records_of_other_tableaus_are_refused() {
    let round = |cards: [&str; 5]| with(line(ROUNDS, "r001"), "/cards", value!(cards));
    // The Player's natural ends the coup: no third card.
    let told = faults(ROUNDS, round(["2C", "TD", "7H", "7S", "8D"]));
    assert_eq!(told, [(Code::NotACoup, "/cards".to_owned())]);
    let told = faults(ROUNDS, round(["8C", "2D", "KH", "3S", "4D"]));
    assert_eq!(told, [(Code::NotACoup, "/cards".to_owned())]);
    // The Banker's five draws against a standing seven.
    let stood = with(line(ROUNDS, "r001"), "/cards", value!(["9C", "5D", "8H", "KS"]));
    let report = check(ROUNDS.0, stood.to_string());
    let needed = value!({ "code": "not_enough_cards", "have": 4, "needed_for": "banker_3" });
    assert_eq!(report.findings[0].got, needed);
}

#[test]
fn files_that_are_none_are_told_and_fail() {
    let cases: [(&str, &[u8], u64, Code); 13] = [
        ("baccarat_rounds.json", b"{}", 0, Code::UnknownKind),
        ("roulette_tickets.jsonl", b"{}", 0, Code::UnknownKind),
        ("Roads.jsonl", b"{}", 0, Code::UnknownKind),
        ("roads.jsonl", b"", 0, Code::EmptyFile),
        ("roads.jsonl", b"\n", 1, Code::EmptyLine),
        ("roads.jsonl", b" \t\r\n", 1, Code::EmptyLine),
        ("roads.jsonl", b"{\"id\":\"\xff\"}", 1, Code::NotUtf8),
        ("roads.jsonl", b"\xef\xbb\xbf{}", 1, Code::NotJson),
        ("roads.jsonl", b"{", 1, Code::NotJson),
        ("roads.jsonl", b"{} {}", 1, Code::NotJson),
        ("roads.jsonl", b"[]", 1, Code::NotAnObject),
        ("roads.jsonl", b"null", 1, Code::NotAnObject),
        ("roads.jsonl", b"\"a text\"\n", 1, Code::NotAnObject),
    ];
    for (name, content, line, code) in cases {
        let report = check(name, content);
        let told: Vec<(u64, Code)> = report.findings.iter().map(|f| (f.line, f.code)).collect();
        assert_eq!((report.passed, report.failed), (0, 1), "{name}");
        assert_eq!(told, [(line, code)], "{name} {}", String::from_utf8_lossy(content));
        assert!(!all_passed(&[report]));
    }
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("roads.jsonl")).unwrap();
    for path in [folder.path().join("roads.jsonl"), folder.path().join("none/roads.jsonl")] {
        let report = check_file(&path);
        assert_eq!((report.passed, report.failed), (0, 1));
        assert_eq!(report.findings[0].code, Code::Unreadable);
    }
    assert_eq!(check_file(Path::new("..")).findings[0].code, Code::UnknownKind);
    assert!(!all_passed(&[]));
}

#[test]
fn one_wrong_line_does_not_hide_the_others() {
    let mut all: Vec<&str> = BAD_ROUNDS.1.lines().collect();
    all.insert(3, "");
    all.insert(5, "{");
    let report = check(BAD_ROUNDS.0, all.join("\r\n"));
    assert_eq!((report.passed, report.failed), (65, 2));
    let told: Vec<(u64, Code)> = report.findings.iter().map(|f| (f.line, f.code)).collect();
    assert_eq!(told, [(4, Code::EmptyLine), (6, Code::NotJson)]);
}

#[test]
fn long_lines_deep_lines_and_many_findings_are_bounded() {
    let limit = usize::try_from(LINE_BYTES_MAX).unwrap();
    let line = BAD_ROUNDS.1.lines().next().unwrap();
    let padded = |length: usize| format!("{line}{}", " ".repeat(length - line.len()));
    let content = [padded(limit), padded(limit + 1), padded(3 * limit), line.into()].join("\n");
    let report = check(BAD_ROUNDS.0, content);
    assert_eq!((report.passed, report.failed), (2, 2));
    assert!(report.findings.iter().all(|finding| finding.code == Code::LineTooLong));

    let deep = format!("{{\"rounds\":{}", "[".repeat(limit / 2));
    assert_eq!(faults(ROADS, deep), [(Code::NotJson, String::new())]);

    let results = vec![value!(["B", 0, 7, 0, 0, 0, 0]); 1_001];
    let long = with(self::line(ROADS, "seq-49"), "/rounds", value!(results));
    assert_eq!(faults(ROADS, long), [(Code::TooManyResults, "/rounds".to_owned())]);

    let report = check(ROADS.0, "{}\n".repeat(FINDINGS_MAX + 7));
    let failed = FINDINGS_MAX as u64 + 7;
    assert_eq!((report.failed, report.findings.len(), report.left_out), (failed, FINDINGS_MAX, 7));
    let told = text(&[report]);
    assert!(told.ends_with(&format!("roads.jsonl: 7 more findings\n0 passed, {failed} failed\n")));

    let long = with(self::line(ROUNDS, "r001"), "/outcome", value!("B".repeat(100_000)));
    let told = text(&[check(ROUNDS.0, long.to_string())]);
    assert!(told.chars().count() < 2 * VALUE_LETTERS_MAX + 200, "{}", told.len());
}

#[test]
fn findings_name_file_line_field_expected_and_got() {
    let wrong = with(line(ROUNDS, "r003"), "/net/macau/tie", value!("900"));
    let content = format!("{}{wrong}\n", ROUNDS.1);
    let report = check(ROUNDS.0, content);
    let reports = [report, check("faro.jsonl", "")];
    let file = &reports[0].file;
    let other = &reports[1].file;
    let known = "[\"baccarat_rounds.jsonl\",\"baccarat_bad_rounds.jsonl\",\"roads.jsonl\"]";
    assert_eq!(
        text(&reports),
        format!(
            "{file}:301: mismatch /net/macau/tie: expected \"900\", got \"800\"\n\
             {other}: unknown_kind: expected {known}, got \"faro.jsonl\"\n\
             300 passed, 2 failed\n"
        )
    );
    let told = json(&reports);
    assert_eq!((&told["passed"], &told["failed"]), (&value!(300), &value!(2)));
    assert_eq!(told["files"][0]["file"], value!(file));
    let finding = value!({
        "line": 301,
        "code": "mismatch",
        "field": "/net/macau/tie",
        "expected": "900",
        "got": "800",
    });
    assert_eq!(told["files"][0]["findings"], value!([finding]));
    assert_eq!(told["files"][1]["passed"], 0);
    assert!(!all_passed(&reports));
}

/// A name made to look like another line of the report stays on its own.
#[test]
fn what_a_file_says_cannot_break_the_report() {
    let mut more = line(BAD_ROUNDS, "bad08");
    more["x\n65 passed, 0 failed\u{1b}[2J"] = value!("\n");
    let told = text(&[check(BAD_ROUNDS.0, more.to_string())]);
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(told.ends_with("\n0 passed, 1 failed\n") && !told.contains('\u{1b}'), "{told}");
}
