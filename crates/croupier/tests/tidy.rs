//! Tidiness: what the documents promise of the sources, checked by reading both as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Crates that know neither clock nor luck, lowest first.
const DETERMINISTIC: [&str; 5] = ["chips", "games", "odds", "ledger", "table"];
/// Crates whose public types are named by words of the glossary.
const NAMED: [&str; 3] = ["games", "ledger", "table"];
/// Folders that hold what is built, installed or kept, anywhere in the tree.
const NOT_SOURCES: [&str; 5] = ["target", "node_modules", "dist", "data", "test-results"];
/// Columns of a line of Rust.
const COLUMNS_MAX: usize = 100;
/// Lines of a function, from its name to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;

/// One text file of the project.
struct Source {
    /// From the root of the project, with `/`.
    path: String,
    text: String,
}

impl Source {
    fn is(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }

    /// The crate that the file belongs to.
    fn krate(&self) -> &str {
        let inside = self.path.strip_prefix("crates/").unwrap_or_default();
        inside.split_once('/').map_or("", |(krate, _)| krate)
    }

    /// Each line with its number, from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(at, line)| (at + 1, line))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every text file, except what is built, installed, hidden or kept.
fn sources() -> Vec<Source> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with('.') || NOT_SOURCES.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                let path = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                found.push(Source { path, text });
            }
        }
    }
    assert!(found.len() > 100, "only {} files were found", found.len());
    found
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// Fails with every finding on a line of its own.
fn none(what: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{what}:\n  {}", findings.join("\n  "));
}

/// True where a letter, digit or `_` stands.
fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// True if `word` stands in `text` and is no part of a longer word.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_word);
        let after = text[at + word.len()..].chars().next().is_some_and(is_word);
        !before && !after
    })
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The cells of a row of a Markdown table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.strip_prefix('|')?.trim_end().strip_suffix('|')?;
    Some(inside.split('|').map(str::trim).collect())
}

/// The names of the public types in a file.
fn public_types(source: &Source) -> impl Iterator<Item = &str> {
    source.text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("pub ")?;
        let mut words = rest.split(|c| !is_word(c));
        let kind = words.next()?;
        ["struct", "enum", "trait", "type"].contains(&kind).then(|| words.next()).flatten()
    })
}

/// Written like a type: a capital first, no `_`, a small letter somewhere.
fn is_type_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.chars().all(|c| c.is_ascii_alphanumeric())
        && word.chars().any(|c| c.is_ascii_lowercase())
}

#[test]
fn every_type_is_named_by_one_row_of_the_glossary() {
    let sources = sources();
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    let glossary = read("GLOSSARY.md");
    for cells in glossary.lines().filter_map(cells) {
        let names = cells.last().into_iter().flat_map(|cell| quoted(cell));
        names.for_each(|name| *rows.entry(name).or_default() += 1);
    }
    let in_crates = |crates: &[&str]| -> BTreeSet<&str> {
        let named = sources.iter().filter(|s| s.path.contains("/src/"));
        named.filter(|s| crates.contains(&s.krate())).flat_map(public_types).collect()
    };
    let missing = in_crates(&NAMED).into_iter().filter(|name| !rows.contains_key(name));
    let missing: Vec<_> = missing.map(str::to_owned).collect();
    none("public types without a row in GLOSSARY.md", &missing);
    let twice = rows.iter().filter(|(name, count)| is_type_name(name) && **count > 1);
    let twice: Vec<_> = twice.map(|(name, _)| (*name).to_owned()).collect();
    none("types in more than one row of GLOSSARY.md", &twice);
    let all = in_crates(&["chips", "games", "odds", "ledger", "table", "store", "croupier"]);
    let gone = quoted(&glossary).filter(|name| is_type_name(name) && !all.contains(name));
    let gone: Vec<_> = gone.map(str::to_owned).collect();
    none("types of GLOSSARY.md that are no public types any more", &gone);
}

#[test]
fn every_file_says_in_its_first_line_what_it_is() {
    let begins = |source: &Source| match Path::new(&source.path).extension()?.to_str()? {
        "rs" => Some(vec!["//! "]),
        "ts" | "mjs" | "js" => Some(vec!["// ", "/*", "#!"]),
        "css" => Some(vec!["/*"]),
        "svelte" => Some(vec!["<!-- "]),
        "sh" | "py" => Some(vec!["#!", "# ", "\"\"\""]),
        _ => None,
    };
    let headless = sources().into_iter().filter(|source| {
        begins(source).is_some_and(|heads| !heads.iter().any(|h| source.text.starts_with(h)))
    });
    let headless: Vec<_> = headless.map(|source| source.path).collect();
    none("files without a first line that says what they are", &headless);
}

/// Lines of Rust that hold one of these words, in the files that `among` picks.
fn using(words: &[&str], among: impl Fn(&Source) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources().iter().filter(|s| s.is("rs") && among(s)) {
        for (number, line) in source.lines() {
            let code = line.trim_start();
            if !code.starts_with("//") && words.iter().any(|word| has_word(code, word)) {
                found.push(format!("{}:{number}: {code}", source.path));
            }
        }
    }
    found
}

fn is_deterministic(source: &Source) -> bool {
    DETERMINISTIC.contains(&source.krate())
}

#[test]
fn there_is_one_clock() {
    let clocks = [concat!("SystemTime", "::now"), concat!("Instant", "::now")];
    none("clocks below the server", &using(&clocks, is_deterministic));
    let elsewhere = |s: &Source| s.path != "crates/croupier/src/clock.rs";
    none("another wall clock than clock.rs", &using(&clocks[..1], elsewhere));
}

#[test]
fn nothing_below_the_server_can_be_non_deterministic() {
    let unordered = [concat!("Hash", "Map"), concat!("Hash", "Set")];
    none("collections without an order", &using(&unordered, is_deterministic));
    none("floats near money and chance", &using(&["f32", "f64"], is_deterministic));
    let below = |s: &Source| is_deterministic(s) || s.krate() == "store";
    none("asynchronous code below the server", &using(&["async", "await"], below));
    none("luck below the server", &using(&["rand", "getrandom"], is_deterministic));
}

/// The names under a heading of a manifest.
fn dependencies(manifest: &str, heading: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.trim() == heading;
            let own = line.strip_prefix(heading.trim_end_matches(']'));
            let own = own.and_then(|rest| rest.strip_prefix('.')?.strip_suffix(']'));
            names.extend(own.map(str::to_owned));
        } else if inside && !line.starts_with('#') {
            let name: String = line.chars().take_while(|c| is_word(*c) || *c == '-').collect();
            names.extend((!name.is_empty()).then_some(name));
        }
    }
    names
}

/// The crates of the house: the folders under `crates/`.
fn crates() -> BTreeSet<String> {
    let folders = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap());
    folders.map(|folder| folder.file_name().to_string_lossy().into_owned()).collect()
}

/// ARCHITECTURE.md, "Who may know whom": a row for each crate, with those that it may use.
#[test]
fn the_crates_know_whom_the_architecture_allows() {
    let (text, crates) = (read("ARCHITECTURE.md"), crates());
    let mut allowed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for cells in text.lines().filter_map(cells) {
        let Some(name) = quoted(cells[0]).next().filter(|name| crates.contains(*name)) else {
            continue;
        };
        let knows = quoted(cells[1]).filter(|name| crates.contains(*name));
        let twin = allowed.insert(name.to_owned(), knows.map(str::to_owned).collect());
        assert!(twin.is_none(), "{name} has two rows in ARCHITECTURE.md");
    }
    assert_eq!(allowed.keys().cloned().collect::<BTreeSet<_>>(), crates, "a row for each crate");
    for (name, knows) in &allowed {
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        let used: BTreeSet<String> =
            dependencies(&manifest, "[dependencies]").intersection(&crates).cloned().collect();
        assert_eq!(&used, knows, "{name}: what the manifest uses, and what ARCHITECTURE.md says");
        let tests = dependencies(&manifest, "[dev-dependencies]");
        let upwards = tests.intersection(&crates).filter(|d| allowed[*d].contains(name));
        assert_eq!(upwards.count(), 0, "{name}: its tests use a crate above it");
        if name != "croupier" {
            let all = dependencies(&manifest, "[dependencies]");
            for banned in ["rand", "tokio", "axum", "async-trait", "futures-util", "sqlx"] {
                assert!(!all.contains(banned) && !tests.contains(banned), "{name} uses {banned}");
            }
        }
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = read("Cargo.toml");
    let (_, rest) = manifest.split_once("[workspace.dependencies]").unwrap();
    let (list, _) = rest.split_once("\n[").unwrap();
    let bare = list.lines().filter(|line| {
        let own = line.contains("path = \"crates/");
        line.contains('=') && !line.starts_with('#') && !own && !line.contains(" # ")
    });
    let bare: Vec<_> = bare.map(str::to_owned).collect();
    none("dependencies without a reason beside them in Cargo.toml", &bare);
}

#[test]
fn nothing_is_left_undone_or_skipped() {
    let undone = [
        concat!("to", "do!"),
        concat!("unimpl", "emented!"),
        concat!("db", "g!"),
        concat!("#[ig", "nore"),
    ];
    let skipped = [concat!(".sk", "ip("), concat!(".on", "ly("), concat!("test.to", "do")];
    let mut found = Vec::new();
    for source in sources() {
        let web_test = source.path.starts_with("web/") && source.path.contains("test")
            || source.path.starts_with("web/e2e/");
        let signs: &[&str] = match &source {
            source if source.is("rs") => &undone,
            _ if web_test => &skipped,
            _ => &[],
        };
        let lines = source.lines().filter(|(_, line)| signs.iter().any(|sign| line.contains(sign)));
        found.extend(lines.map(|(number, line)| format!("{}:{number}: {line}", source.path)));
    }
    none("left undone, or a test that does not run", &found);
}

/// A line that holds one text and nothing else cannot be broken.
fn is_one_text(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('"') || line.starts_with("r\"") || line.starts_with("r#\"")
}

#[test]
fn lines_fit_on_a_screen() {
    let mut found = Vec::new();
    for source in sources().iter().filter(|s| s.is("rs")) {
        let long = source.lines().filter(|(_, line)| line.chars().count() > COLUMNS_MAX);
        let long = long.filter(|(_, line)| !is_one_text(line));
        found.extend(long.map(|(number, _)| format!("{}:{number}", source.path)));
    }
    none(&format!("lines of more than {COLUMNS_MAX} columns"), &found);
}

/// The lines of the function whose head stands at `start`, by its indentation.
fn function_lines(lines: &[&str], start: usize) -> Option<usize> {
    let head = lines[start];
    let rest = head.trim_start();
    let modifiers = ["pub ", "pub(crate) ", "pub(super) ", "const ", "async ", "unsafe "];
    let rest = modifiers.iter().fold(rest, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
    if !rest.starts_with("fn ") {
        return None;
    }
    let body = lines[start..].iter().position(|l| l.ends_with('{') || l.ends_with(['}', ';']))?;
    if !lines[start + body].ends_with('{') {
        return Some(body + 1);
    }
    let end = format!("{}}}", &head[..head.len() - head.trim_start().len()]);
    lines[start..].iter().position(|line| *line == end).map(|last| last + 1)
}

/// A test may be longer by its list of cases.
#[test]
fn functions_fit_on_a_screen() {
    let mut found = Vec::new();
    for source in sources().iter().filter(|s| s.is("rs")) {
        let lines: Vec<&str> = source.text.lines().collect();
        for start in 0..lines.len() {
            let is_test = start > 0 && lines[start - 1].trim_start().starts_with("#[test]");
            let length = function_lines(&lines, start).filter(|_| !is_test);
            if let Some(length) = length.filter(|length| *length > FUNCTION_LINES_MAX) {
                found.push(format!("{}:{}: {length} lines", source.path, start + 1));
            }
        }
    }
    none(&format!("functions of more than {FUNCTION_LINES_MAX} lines"), &found);
}

#[test]
fn nothing_points_at_one_machine() {
    let folders = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];
    let hosts = [concat!("npm", "js.org"), concat!("py", "pi.org"), concat!("crates", ".io/api")];
    let starts = |line: &str, folder: &str| {
        let inside = |c: char| is_word(c) || ".-/)}]*".contains(c);
        line.match_indices(folder).any(|(at, _)| !line[..at].ends_with(inside))
    };
    let mut found = Vec::new();
    for source in sources() {
        for (number, line) in source.lines() {
            let path = folders.iter().any(|folder| starts(line, folder));
            if path || hosts.iter().any(|host| line.contains(host)) {
                found.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    none("paths of one machine, or the name of a registry's host", &found);
    let index = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let lock = read("Cargo.lock");
    let other = lock.lines().filter(|line| line.starts_with("source") && *line != index);
    none("crates from elsewhere", &other.map(str::to_owned).collect::<Vec<_>>());
    assert!(!read("web/package-lock.json").contains("\"resolved\""), "packages from one host");
}

/// The keys of a settings struct, in the text of `settings.rs`.
fn fields<'a>(source: &'a str, name: &str) -> BTreeSet<&'a str> {
    let (_, rest) = source.split_once(&format!("struct {name} {{\n")).unwrap();
    let (body, _) = rest.split_once("\n}").unwrap();
    let keys = body.lines().filter_map(|line| line.trim().split_once(':'));
    keys.map(|(key, _)| key).filter(|key| key.chars().all(is_word)).collect()
}

/// The keys of a part of a settings file, those that are commented out as well.
fn keys(text: &str) -> BTreeSet<&str> {
    let keys = text.lines().filter_map(|line| line.trim_start_matches("# ").split_once(" = "));
    keys.map(|(key, _)| key).filter(|key| key.chars().all(is_word)).collect()
}

#[test]
fn the_settings_file_lists_every_setting_and_no_other() {
    let (file, source) = (read("croupier.toml"), read("crates/croupier/src/settings.rs"));
    let mut parts = file.split("\n[[tables]]\n");
    let house = parts.next().unwrap();
    let table = parts.next().expect("a table");
    let (table, limits) = table.split_once("\n[tables.limits]\n").unwrap();
    let mut written = fields(&source, "Written");
    assert!(written.remove("tables"));
    assert_eq!(keys(house), written, "the house's settings");
    let mut written = fields(&source, "WrittenTable");
    assert!(written.remove("limits"));
    assert_eq!(keys(table), written, "the settings of the first table, which shows them all");
    assert_eq!(keys(limits), fields(&source, "WrittenLimits"), "the limits of the first table");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut found = Vec::new();
    for source in sources().iter().filter(|s| s.is("md")) {
        let folder = root().join(&source.path).parent().unwrap().to_owned();
        for (number, line) in source.lines() {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            for (target, _) in targets {
                let file = target.split('#').next().unwrap_or_default();
                if !target.contains("://") && !file.is_empty() && !folder.join(file).exists() {
                    found.push(format!("{}:{number}: {target}", source.path));
                }
            }
        }
    }
    none("links that lead nowhere", &found);
}

/// What a document tells to type, with its line: shell blocks, lines after `$`, and backticks.
fn typed(source: &Source) -> Vec<(usize, &str)> {
    let (mut block, mut found) = (None, Vec::new());
    for (number, line) in source.lines() {
        match (line.strip_prefix("```"), block) {
            (Some(language), None) => block = Some(language),
            (Some(_), Some(_)) => block = None,
            (None, Some("sh")) => found.push((number, line)),
            (None, Some(_)) => found.extend(line.strip_prefix("$ ").map(|said| (number, said))),
            (None, None) => found.extend(quoted(line).map(|said| (number, said))),
        }
    }
    found
}

/// The subcommands of the binary.
fn subcommands() -> Vec<String> {
    let cli = read("crates/croupier/src/cli/mod.rs");
    let (_, rest) = cli.split_once("enum Command {").unwrap();
    let (list, _) = rest.split_once("\n}").unwrap();
    let is_name = |line: &&str| line.starts_with("    ") && line.as_bytes()[4].is_ascii_uppercase();
    let names = list.lines().filter(is_name).map(|line| line.trim().split(|c| !is_word(c)));
    names.filter_map(|mut name| name.next()).map(str::to_lowercase).collect()
}

#[test]
fn commands_in_the_documents_exist() {
    let (commands, makefile) = (subcommands(), read("Makefile"));
    let (mut found, mut count) = (Vec::new(), 0);
    for source in sources().iter().filter(|s| s.is("md")) {
        for (number, said) in typed(source) {
            let mut words = said.split_whitespace();
            let exists = match (words.next(), words.next()) {
                (Some("croupier"), Some(word)) => commands.iter().any(|name| name == word),
                (Some("make"), Some(word)) => makefile.contains(&format!("\n{word}:")),
                (_, _) => continue,
            };
            count += 1;
            found.extend((!exists).then(|| format!("{}:{number}: {said}", source.path)));
        }
    }
    assert!(count > 10, "only {count} commands were read");
    none("commands that do not exist", &found);
}

#[test]
fn decisions_are_numbered_once_and_in_full() {
    let mut numbers = BTreeSet::new();
    for entry in fs::read_dir(root().join("docs/decisions")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let text = read(&format!("docs/decisions/{name}"));
        let number = name.get(..4).filter(|n| n.bytes().all(|b| b.is_ascii_digit()));
        let number = number.unwrap_or_else(|| panic!("{name} has no number"));
        assert!(numbers.insert(number.to_owned()), "{number} is used twice");
        assert!(text.starts_with(&format!("# {number} ")), "{name}: the title has its number");
        for part in ["## Context", "## Decision", "## Consequences"] {
            assert!(text.contains(part), "{name} has no `{part}`");
        }
    }
}

/// docs/cases.md: the last cell of a row names the tests that guard the case.
#[test]
fn every_case_is_guarded_by_a_test_that_exists() {
    let sources = sources();
    let exists = |name: &str| {
        let function = format!("fn {name}(");
        sources.iter().any(|s| s.is("rs") && s.text.contains(&function))
    };
    let text = read("docs/cases.md");
    let rows: Vec<Vec<&str>> = text.lines().filter_map(cells).collect();
    let numbered = |cell: &str| cell.split(", ").all(|number| number.parse::<u32>().is_ok());
    let rows = rows.iter().filter(|cells| numbered(cells[0]));
    let (mut found, mut count) = (Vec::new(), 0);
    for cells in rows {
        let tests: Vec<&str> = cells.last().into_iter().flat_map(|cell| quoted(cell)).collect();
        let gone = tests.iter().filter(|name| !exists(name));
        found.extend(gone.map(|name| format!("case {}: {name}", cells[0])));
        found.extend(tests.is_empty().then(|| format!("case {}: no test", cells[0])));
        count += 1;
    }
    assert!(count > 10, "only {count} cases were read");
    none("cases of docs/cases.md without their test", &found);
}
