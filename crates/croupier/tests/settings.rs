//! Settings: what is read, which source wins, and what a wrong one is answered.

use std::path::Path;

use chips::Chips;
use clap::Parser;
use croupier::settings::{
    Arguments, BUILT_IN, LogFormat, Settings, TABLE_KEYS_HELP, TableSettings,
};
use games::{AnyLimits, RuleSet};
use table::DealtBy;

/// A command line of settings alone.
#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

fn arguments(line: &[&str]) -> Result<Arguments, clap::Error> {
    let line = ["croupier"].iter().chain(line);
    Line::try_parse_from(line).map(|line| line.arguments)
}

/// Loads this text as the settings file, with these flags.
fn load(text: &str, flags: &[&str]) -> Result<Settings, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("croupier.toml");
    std::fs::write(&path, text).unwrap();
    let named = path.to_str().unwrap();
    let flags: Vec<&str> = ["--config", named].into_iter().chain(flags.iter().copied()).collect();
    let given = arguments(&flags).map_err(|error| error.to_string())?;
    Settings::load(&given).map_err(|wrong| wrong.to_string().replace(named, "FILE"))
}

const TABLE: &str = "
[[tables]]
number = 7
name = \"Orchid\"
rules = \"live\"
dealt_by = \"robot\"
bet_s = 20
settle_s = 4
cut_s = 5

[tables.limits]
main = { min = \"20.00\", max = \"5000.00\" }
tie = { min = \"5.00\", max = \"500.00\" }
side = { min = \"5.00\", max = \"500.00\" }
step = \"5.00\"
";

fn amount(text: &str) -> Chips {
    text.parse().unwrap()
}

#[test]
fn the_built_in_file_opens_the_five_tables_of_the_start_page() {
    let settings = load(BUILT_IN, &[]).unwrap();
    let told = |t: &TableSettings| {
        let rules = RuleSet::parse(&t.rules).unwrap();
        (t.id.number(), rules.name().to_owned(), t.table.dealt_by, t.table.practice)
    };
    let robot = |number, name: &str| (number, name.to_owned(), DealtBy::Robot, true);
    let tables: Vec<_> = settings.tables.iter().map(told).collect();
    assert_eq!(
        tables,
        [
            robot(1, "macau"),
            robot(2, "live"),
            robot(3, "no-commission"),
            robot(4, "chemin"),
            (5, "macau".to_owned(), DealtBy::Dealer, false),
        ]
    );
    for table in &settings.tables {
        assert!(table.table.check(&table.rules).is_ok(), "{}", table.id);
        let AnyLimits::Baccarat(limits) = &table.table.limits;
        assert!(limits.main.min <= settings.play_chips);
        // A lone guest may stake the maximum on one side (BAC-41).
        assert!(limits.diff.is_none_or(|diff| diff >= limits.main.max), "{}", table.id);
    }
    assert!(RuleSet::parse(&settings.tables[2].rules).unwrap().baccarat().insurance);
    assert_eq!(settings.play_chips, amount("10000.00"));
    assert_eq!(settings.smallest_min(), amount("25.00"));
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.data, Path::new("data"));
}

#[test]
fn a_file_without_tables_opens_those_built_in() {
    let settings = load("log_format = \"json\"\n", &[]).unwrap();
    assert_eq!(settings.tables.len(), 5);
    assert_eq!(settings.log_format, LogFormat::Json);
}

#[test]
fn a_flag_goes_before_the_file() {
    let text = format!("listen = \"127.0.0.1:1\"\nplay_chips = \"5.00\"\n{TABLE}");
    let settings = load(&text, &["--listen", "127.0.0.1:2", "--data", "/tmp/else"]).unwrap();
    assert_eq!(settings.listen.port(), 2);
    assert_eq!(settings.play_chips, amount("5"));
    assert_eq!(settings.refill, amount("5"), "as play_chips");
    assert_eq!(settings.robot_key, Path::new("/tmp/else/robot.key"));
    assert_eq!(settings.tables.len(), 1);
    assert_eq!(settings.tables[0].pace_ms, 700);
}

#[test]
fn options_replace_those_of_the_rule_file() {
    let text =
        TABLE.replace("rules = \"live\"", "rules = \"live\"\noptions = { insurance = true }");
    let settings = load(&text, &[]).unwrap();
    assert!(RuleSet::parse(&settings.tables[0].rules).unwrap().baccarat().insurance);
}

#[test]
fn a_folder_of_rules_goes_before_the_presets() {
    let folder = tempfile::tempdir().unwrap();
    let own = croupier::presets::preset("live").unwrap().text;
    let own = own.replace("commission_pct = 5", "commission_pct = 4");
    std::fs::write(folder.path().join("live.toml"), own).unwrap();
    let named = folder.path().to_str().unwrap();
    let settings = load(TABLE, &["--rules", named]).unwrap();
    let rules = RuleSet::parse(&settings.tables[0].rules).unwrap();
    assert_eq!(rules.baccarat().commission_pct, 4);
}

/// Each wrong file is answered with file, line, key and what was expected; nothing panics.
#[test]
fn a_wrong_file_is_told_with_line_and_key() {
    let second = format!("{TABLE}{TABLE}");
    let wrong: &[(&str, String, &[&str])] = &[
        ("no TOML", "listen 8080".into(), &["FILE: ", "line 1"]),
        ("unknown key", "listn = \"x\"".into(), &["FILE: ", "line 1", "listn", "`listen`"]),
        ("address", "\nlisten = \"8080\"".into(), &["FILE, line 2: listen", "127.0.0.1:8080"]),
        ("kind", "connections_max = \"many\"".into(), &["line 1", "connections_max", "u32"]),
        ("range", "connections_max = 0".into(), &["line 1: connections_max", "1 to 100000"]),
        ("amount", "play_chips = \"-1\"".into(), &["line 1: play_chips", "20.00"]),
        ("float amount", "play_chips = 10.5".into(), &["line 1", "play_chips"]),
        ("nothing", "refill = \"0\"".into(), &["line 1: refill", "above 0.00"]),
        ("origin", "allowed_origins = [\"ftp://x\"]".into(), &["allowed_origins", "https://"]),
        ("filter", "log = \"=\\u0000=\"".into(), &["line 1: log"]),
        ("format", "log_format = \"xml\"".into(), &["line 1: log_format", "text or json"]),
        ("no table", "tables = []".into(), &["tables: expected 1 to 500 tables"]),
        ("twice", second, &["line 18: table 7: number", "another table"]),
        ("number", TABLE.replace("number = 7", "number = 0"), &["line 3: table 0: number"]),
        ("preset", TABLE.replace("\"live\"", "\"livid\""), &["line 5: table 7: rules", "macau"]),
        ("file", TABLE.replace("\"live\"", "\"no/such.toml\""), &["line 5", "no/such.toml"]),
        (
            "bet_s",
            TABLE.replace("bet_s = 20", "bet_s = 2"),
            &["line 7: table 7: bet_s", "5 to 120"],
        ),
        ("missing", TABLE.replace("cut_s = 5", ""), &["missing field `cut_s`"]),
        ("robot", TABLE.replace("\"robot\"", "\"magic\""), &["line 6", "dealt_by", "`dealer`"]),
        ("person", TABLE.replace("\"robot\"", "\"dealer\""), &["table 7", "shuffle_mode"]),
        (
            "option",
            TABLE.replace("cut_s = 5", "cut_s = 5\noptions = { luck = true }"),
            &["line 10: table 7: options", "luck"],
        ),
        (
            "limits",
            TABLE.replace("max = \"5000.00\"", "max = \"1.00\""),
            &["table 7: limits", "player", "minimum"],
        ),
        (
            // BAC-36: at 5 % commission only multiples of 0.20 are paid exactly.
            "banker multiple",
            TABLE
                .replace("\"live\"", "\"macau\"")
                .replace("\"20.00\"", "\"20.10\"")
                .replace("step = \"5.00\"", "step = \"0.10\"\ndiff_limit = \"9000\""),
            &["table 7: limits", "banker", "0.20", "BAC-36"],
        ),
        ("diff", TABLE.replace("\"live\"", "\"macau\""), &["diff_limit", "macau", "needs one"]),
        ("pace", TABLE.replace("cut_s = 5", "cut_s = 5\npace_ms = 10001"), &["line 10", "pace_ms"]),
    ];
    for (name, text, parts) in wrong {
        let answer = load(text, &[]).expect_err(name);
        for part in *parts {
            assert!(answer.contains(part), "{name}: `{part}` is not in:\n{answer}");
        }
    }
}

#[test]
fn a_named_file_that_is_not_there_is_an_error() {
    let given = arguments(&["--config", "/no/such/file.toml"]).unwrap();
    let wrong = Settings::load(&given).unwrap_err().to_string();
    assert_eq!(wrong, "/no/such/file.toml: cannot be read");
}

#[test]
fn a_wrong_flag_names_itself_and_what_was_expected() {
    for (flag, value, expected) in [
        ("--listen", "8080", "127.0.0.1:8080"),
        ("--play-chips", "much", "20.00"),
        ("--connections-max", "0", "1..=100000"),
        ("--log-format", "xml", "text or json"),
        ("--allowed-origins", "example.com", "https://tables.example"),
    ] {
        let answer = arguments(&[flag, value]).unwrap_err().to_string();
        assert!(answer.contains(flag) && answer.contains(expected), "{answer}");
    }
}

/// The names in serde's own answer to an unknown key are all keys there are.
fn keys(answer: &str) -> Vec<String> {
    let (_, list) = answer.split_once("expected").expect("an unknown key is told what is known");
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_help_lists_every_setting() {
    use clap::CommandFactory;
    let help = Line::command().render_long_help().to_string();
    let top = keys(&load("x = 1", &[]).unwrap_err());
    assert!(top.len() >= 15, "{top:?}");
    for key in top.iter().filter(|key| *key != "tables") {
        let flag = format!("--{}", key.replace('_', "-"));
        assert!(help.contains(&flag), "{flag} is not in the help");
        let variable = format!("CROUPIER_{}", key.to_uppercase());
        assert!(help.contains(&variable), "{variable} is not in the help");
    }
    let table = keys(&load(&TABLE.replace("number = 7", "x = 1"), &[]).unwrap_err());
    let limits = keys(&load(&TABLE.replace("step = ", "x = "), &[]).unwrap_err());
    assert!(table.len() >= 15 && limits.len() >= 7, "{table:?} {limits:?}");
    for key in table.iter().chain(&limits) {
        assert!(TABLE_KEYS_HELP.contains(key), "{key} is not in the help");
    }
}
