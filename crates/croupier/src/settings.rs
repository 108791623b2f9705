//! The settings of the house: by flag, by environment, by file, in that order of strength.
//!
//! Everything is read and checked before anything is opened. What is wrong is told with where it
//! stands, its key and what was expected.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use chips::Chips;
use games::baccarat::{Bet, Limits, Range};
use games::{AnyLimits, RULES_BYTES_MAX, RuleSet};
use ledger::TableId;
use serde::Deserialize;
use table::DealtBy;
use toml::Spanned;
use tracing_subscriber::EnvFilter;

use crate::presets;
use crate::robot::sealed::{KEY_FILE, SEALED_DIRECTORY};

/// The file that is read where no other is named, if it is there.
pub const SETTINGS_FILE: &str = "croupier.toml";
/// The settings without any file: the tables of the file at the root of the repository.
pub const BUILT_IN: &str = include_str!("../../../croupier.toml");
/// Bytes of the longest settings file that is read.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Most tables of one house.
pub const TABLES_MAX: usize = 500;
/// Most origins that may be allowed.
pub const ORIGINS_MAX: usize = 100;
/// The longest pause between two cards of the robot, in milliseconds.
pub const PACE_MS_MAX: u32 = 10_000;

/// What stands below the options in `croupier serve --help`: the keys that only a file can hold.
pub const TABLE_KEYS_HELP: &str = "\
Tables are set in the file, one [[tables]] each:
  number             its number, from 1
  name               the name on its sign, 1 to 40 letters
  rules              a preset (macau, macau-sjm, live, no-commission, chemin, ez, extra) or a file
  options            a table of single options that replace those of the rule file
  dealt_by           robot or dealer
  practice           true for a practice table, which may have shorter times
  bet_s              seconds to bet, 5 to 120; 1 to 120 at a practice table
  settle_s           seconds for which a result stays, 3 to 120; 1 to 120 at a practice table
  cut_s              seconds in which a seated player may cut the shoe, 1 to 120
  demo_coups         demonstration coups that the robot deals of a new shoe
  pit_boss_required  true where a dealer may open the table only with a pit boss present
  ask_road           true where players may ask the road
  idle_pause         true where the robot waits while nobody is at the table
  pace_ms            milliseconds between two cards of the robot, 0 to 10000
  [tables.limits]    amounts are texts such as \"20.00\"
    main, tie, side  { min, max } of Banker and Player, of Tie, of every other bet
    own              { min, max } of single bets by their names
    zone_max         most that all players together may have on one zone
    diff_limit       most by which Banker and Player may differ
    step             every stake is a multiple of this

A flag goes before the environment, the environment before the file. Without any file the house
opens five tables of play chips.";

/// The settings that may be given as flags or in the environment.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Arguments {
    /// The settings file [default: croupier.toml, if there is one]
    #[arg(long, env = "CROUPIER_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, env = "CROUPIER_LISTEN", value_name = "ADDRESS", value_parser = address)]
    pub listen: Option<SocketAddr>,
    /// The folder of log, books, desk and sealed shoes [default: data]
    #[arg(long, env = "CROUPIER_DATA", value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// The key to the robot's sealed shoes [default: robot.key in the data folder]
    #[arg(long, env = "CROUPIER_ROBOT_KEY", value_name = "FILE")]
    pub robot_key: Option<PathBuf>,
    /// A folder whose rule files go before those built in
    #[arg(long, env = "CROUPIER_RULES", value_name = "FOLDER")]
    pub rules: Option<PathBuf>,
    /// Pages of other hosts that may sign in and bet, such as https://tables.example
    #[arg(
        long,
        env = "CROUPIER_ALLOWED_ORIGINS",
        value_name = "ORIGIN,…",
        value_delimiter = ',',
        value_parser = origin
    )]
    pub allowed_origins: Option<Vec<String>>,
    /// What a guest is given [default: 10000.00]
    #[arg(long, env = "CROUPIER_PLAY_CHIPS", value_name = "AMOUNT", value_parser = amount)]
    pub play_chips: Option<Chips>,
    /// What he is given again once he cannot bet any more [default: as play_chips]
    #[arg(long, env = "CROUPIER_REFILL", value_name = "AMOUNT", value_parser = amount)]
    pub refill: Option<Chips>,
    /// What is logged, such as info or info,croupier::pit=debug [default: info]
    #[arg(long, env = "CROUPIER_LOG", value_name = "FILTER", value_parser = filter)]
    pub log: Option<String>,
    /// How it is logged: text or json [default: text]
    #[arg(long, env = "CROUPIER_LOG_FORMAT", value_name = "FORMAT", value_parser = log_format)]
    pub log_format: Option<LogFormat>,
    /// Connections at a time, 1 to 100000; who comes later waits [default: 10000]
    #[arg(long, env = "CROUPIER_CONNECTIONS_MAX", value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(CONNECTIONS))]
    pub connections_max: Option<u32>,
    /// New guests from one address in a minute, 1 to 1000000 [default: 300]
    #[arg(long, env = "CROUPIER_GUESTS_PER_MINUTE", value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(RATE))]
    pub guests_per_minute: Option<u32>,
    /// Commands of one session in a second, on average, 1 to 1000000 [default: 10]
    #[arg(long, env = "CROUPIER_COMMANDS_PER_SECOND", value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(RATE))]
    pub commands_per_second: Option<u32>,
    /// Commands of one session at once, 1 to 1000000 [default: 40]
    #[arg(long, env = "CROUPIER_COMMANDS_BURST", value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(RATE))]
    pub commands_burst: Option<u32>,
    /// Days for which a session lasts, 1 to 365 [default: 30]
    #[arg(long, env = "CROUPIER_SESSION_DAYS", value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(DAYS))]
    pub session_days: Option<u32>,
}

/// The range of `connections_max`.
const CONNECTIONS: std::ops::RangeInclusive<i64> = 1..=100_000;
/// The range of rates.
const RATE: std::ops::RangeInclusive<i64> = 1..=1_000_000;
/// The range of `session_days`.
const DAYS: std::ops::RangeInclusive<i64> = 1..=365;

/// How logs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LogFormat {
    Text,
    Json,
}

/// The bounds of what the house takes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Connections at a time.
    pub connections_max: u32,
    /// New guests from one address in a minute.
    pub guests_per_minute: u32,
    /// Commands of one session in a second, on average.
    pub commands_per_second: u32,
    /// Commands of one session at once.
    pub commands_burst: u32,
    /// Days for which a session lasts.
    pub session_days: u32,
}

/// One table as it is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSettings {
    /// Its number.
    pub id: TableId,
    /// What the table itself is told.
    pub table: table::Settings,
    /// The canonical text of its rule set.
    pub rules: String,
    /// The robot opens no round while nobody is at the table.
    pub idle_pause: bool,
    /// Milliseconds between two cards of the robot.
    pub pace_ms: u32,
}

/// All settings of the house, read and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The folder of everything that is kept.
    pub data: PathBuf,
    /// The key to the robot's sealed shoes.
    pub robot_key: PathBuf,
    /// Origins that may sign in and bet beside the house's own pages, in lower case.
    pub allowed_origins: Vec<String>,
    /// What a guest is given.
    pub play_chips: Chips,
    /// What he is given again.
    pub refill: Chips,
    /// What is logged.
    pub log: String,
    /// How it is logged.
    pub log_format: LogFormat,
    /// Bounds.
    pub bounds: Bounds,
    /// The tables, by number.
    pub tables: Vec<TableSettings>,
}

/// A setting that is wrong, and where.
#[derive(Debug, thiserror::Error)]
pub enum WrongSetting {
    /// The file cannot be read.
    #[error("{}: cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is far too long for settings.
    #[error("{}: longer than {FILE_BYTES_MAX} bytes", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// No TOML, an unknown key, or a value of another kind: the text tells line and key.
    #[error("{}: {}", path.display(), why.trim_end())]
    Form {
        /// The file.
        path: PathBuf,
        /// What, with line and column.
        why: String,
    },
    /// A value that cannot be.
    #[error("{place}: {key}: {why}")]
    Value {
        /// Where it stands.
        place: Place,
        /// The key.
        key: String,
        /// What is wrong with it, and what was expected.
        why: String,
    },
}

/// Where a setting stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file, at a line.
    Line(PathBuf, usize),
    /// Among the flags or in the environment.
    Argument,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(path, line) => write!(f, "{}, line {line}", path.display()),
            Place::Argument => f.write_str("flag or environment"),
        }
    }
}

/// A settings file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    listen: Option<Spanned<String>>,
    data: Option<PathBuf>,
    robot_key: Option<PathBuf>,
    rules: Option<PathBuf>,
    allowed_origins: Option<Spanned<Vec<String>>>,
    play_chips: Option<Spanned<String>>,
    refill: Option<Spanned<String>>,
    log: Option<Spanned<String>>,
    log_format: Option<Spanned<String>>,
    connections_max: Option<Spanned<u32>>,
    guests_per_minute: Option<Spanned<u32>>,
    commands_per_second: Option<Spanned<u32>>,
    commands_burst: Option<Spanned<u32>>,
    session_days: Option<Spanned<u32>>,
    tables: Option<Vec<Spanned<WrittenTable>>>,
}

/// A table as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTable {
    number: u32,
    name: String,
    rules: String,
    #[serde(default)]
    options: toml::Table,
    dealt_by: DealtBy,
    #[serde(default)]
    practice: bool,
    bet_s: u16,
    settle_s: u16,
    cut_s: u16,
    #[serde(default)]
    demo_coups: u8,
    #[serde(default)]
    pit_boss_required: bool,
    #[serde(default = "yes")]
    ask_road: bool,
    #[serde(default)]
    idle_pause: bool,
    #[serde(default = "usual_pace")]
    pace_ms: u32,
    limits: WrittenLimits,
}

fn yes() -> bool {
    true
}

fn usual_pace() -> u32 {
    700
}

/// A range as it is written.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRange {
    #[serde(with = "chips::text")]
    min: Chips,
    #[serde(with = "chips::text")]
    max: Chips,
}

/// An amount as it is written.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Amount(#[serde(with = "chips::text")] Chips);

/// The limits of a table as they are written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLimits {
    main: WrittenRange,
    tie: WrittenRange,
    side: WrittenRange,
    #[serde(default)]
    own: BTreeMap<Bet, WrittenRange>,
    zone_max: Option<Amount>,
    diff_limit: Option<Amount>,
    step: Amount,
}

impl From<WrittenRange> for Range {
    fn from(WrittenRange { min, max }: WrittenRange) -> Range {
        Range { min, max }
    }
}

impl From<WrittenLimits> for Limits {
    fn from(written: WrittenLimits) -> Limits {
        Limits {
            main: written.main.into(),
            tie: written.tie.into(),
            side: written.side.into(),
            own: written.own.into_iter().map(|(bet, range)| (bet, range.into())).collect(),
            zone_max: written.zone_max.map(|Amount(chips)| chips),
            diff: written.diff_limit.map(|Amount(chips)| chips),
            step: written.step.0,
        }
    }
}

/// Reads an address with its port.
fn address(text: &str) -> Result<SocketAddr, String> {
    let no = |_| format!("expected an address and port such as 127.0.0.1:8080, got `{text}`");
    text.parse().map_err(no)
}

/// Reads an amount above nothing.
fn amount(text: &str) -> Result<Chips, String> {
    let chips: Chips = text.parse().map_err(|no: chips::NotChips| no.to_string())?;
    if chips.is_zero() { Err("expected an amount above 0.00".into()) } else { Ok(chips) }
}

/// Reads an origin: scheme and host, and a port where it is not the usual one.
fn origin(text: &str) -> Result<String, String> {
    let plain = text.to_ascii_lowercase();
    let rest = plain.strip_prefix("https://").or_else(|| plain.strip_prefix("http://"));
    let host = |c: char| c.is_ascii_alphanumeric() || ".-:[]_".contains(c);
    match rest {
        Some(rest) if !rest.is_empty() && rest.chars().all(host) => Ok(plain),
        _ => Err(format!("expected an origin such as https://tables.example, got `{text}`")),
    }
}

/// Checks a log filter.
fn filter(text: &str) -> Result<String, String> {
    let no = |why| format!("expected a filter such as info or info,croupier=debug: {why}");
    EnvFilter::try_new(text).map(|_| text.to_owned()).map_err(no)
}

/// Reads a log format.
fn log_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err(format!("expected text or json, got `{text}`")),
    }
}

/// A settings file in hand: its path and its text.
struct File {
    path: PathBuf,
    text: String,
}

impl File {
    /// The file that is named, or the usual one, or none.
    fn find(named: Option<&Path>) -> Result<Option<File>, WrongSetting> {
        let usual = Path::new(SETTINGS_FILE);
        let path = match named {
            Some(path) => path,
            None if usual.exists() => usual,
            None => return Ok(None),
        };
        read_text(path, FILE_BYTES_MAX).map(|text| Some(File { path: path.to_owned(), text }))
    }

    fn written(&self) -> Result<Written, WrongSetting> {
        let form =
            |e: toml::de::Error| WrongSetting::Form { path: self.path.clone(), why: e.to_string() };
        toml::from_str(&self.text).map_err(form)
    }

    /// The line of a byte, from 1.
    fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|b| *b == b'\n').count()
    }

    fn wrong(&self, at: usize, key: &str, why: String) -> WrongSetting {
        let place = Place::Line(self.path.clone(), self.line(at));
        WrongSetting::Value { place, key: key.to_owned(), why }
    }

    /// Where in a table's part of the file, which begins at `start`, this key stands; else its
    /// first line.
    fn key_within(&self, start: usize, key: &str) -> usize {
        let mut at = start;
        let rest = self.text.get(start..).unwrap_or_default();
        for (nth, line) in rest.split_inclusive('\n').enumerate() {
            let bare = line.trim_start();
            if nth > 0 && bare.starts_with("[[") {
                break;
            }
            let named = bare.strip_prefix(key).is_some_and(|r| r.trim_start().starts_with('='));
            if named {
                return at;
            }
            at += line.len();
        }
        start
    }

    /// A value of the file, read by the same function as the flag of that name.
    fn read<T, R>(
        &self,
        key: &str,
        value: Option<Spanned<T>>,
        read: impl FnOnce(T) -> Result<R, String>,
    ) -> Result<Option<R>, WrongSetting> {
        let Some(value) = value else { return Ok(None) };
        let at = value.span().start;
        read(value.into_inner()).map(Some).map_err(|why| self.wrong(at, key, why))
    }

    /// A number of the file within its range.
    fn number(
        &self,
        key: &str,
        value: Option<Spanned<u32>>,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<Option<u32>, WrongSetting> {
        self.read(key, value, |number| {
            let (first, last) = (range.start(), range.end());
            let fits = range.contains(&i64::from(number));
            let no = || format!("expected {first} to {last}, got {number}");
            fits.then_some(number).ok_or_else(no)
        })
    }
}

/// Reads a text file that may have at most so many bytes.
fn read_text(path: &Path, bytes_max: u64) -> Result<String, WrongSetting> {
    use std::io::Read;
    let unreadable = |source| WrongSetting::Unreadable { path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut text = String::new();
    file.take(bytes_max + 1).read_to_string(&mut text).map_err(unreadable)?;
    let long = u64::try_from(text.len()).is_ok_and(|bytes| bytes > bytes_max);
    if long { Err(WrongSetting::TooLong { path: path.to_owned() }) } else { Ok(text) }
}

impl Settings {
    /// Reads the file and puts flags and environment, which `arguments` holds, over it.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn load(arguments: &Arguments) -> Result<Settings, WrongSetting> {
        let built_in = || File { path: "(built in)".into(), text: BUILT_IN.to_owned() };
        let file = File::find(arguments.config.as_deref())?.unwrap_or_else(built_in);
        let mut written = file.written()?;
        let given = arguments.clone();
        let data = given.data.or(written.data.take()).unwrap_or_else(|| "data".into());
        let key = given.robot_key.or(written.robot_key.take());
        let rules = given.rules.or(written.rules.take());
        let tables = read_tables(&file, written.tables.take(), rules.as_deref())?;
        let bounds = read_bounds(&file, &mut written, arguments)?;
        let listen = file.read("listen", written.listen, |text| address(&text))?;
        let origins = file.read("allowed_origins", written.allowed_origins, |list| {
            list.iter().map(|text| origin(text)).collect::<Result<Vec<String>, String>>()
        })?;
        let play_chips = file.read("play_chips", written.play_chips, |text| amount(&text))?;
        let play_chips = given.play_chips.or(play_chips).unwrap_or(PLAY_CHIPS);
        let refill = file.read("refill", written.refill, |text| amount(&text))?;
        let log = file.read("log", written.log, |text| filter(&text))?;
        let format = file.read("log_format", written.log_format, |text| log_format(&text))?;
        let settings = Settings {
            listen: given.listen.or(listen).unwrap_or(([127, 0, 0, 1], 8080).into()),
            robot_key: key.unwrap_or_else(|| data.join(KEY_FILE)),
            data,
            allowed_origins: given.allowed_origins.or(origins).unwrap_or_default(),
            play_chips,
            refill: given.refill.or(refill).unwrap_or(play_chips),
            log: given.log.or(log).unwrap_or_else(|| "info".into()),
            log_format: given.log_format.or(format).unwrap_or(LogFormat::Text),
            bounds,
            tables,
        };
        if settings.allowed_origins.len() > ORIGINS_MAX {
            let why = format!("at most {ORIGINS_MAX}");
            let (place, key) = (Place::Argument, "allowed_origins".into());
            return Err(WrongSetting::Value { place, key, why });
        }
        Ok(settings)
    }

    /// The file of log and books.
    pub fn house_file(&self) -> PathBuf {
        self.data.join("house.sqlite")
    }

    /// The file of the desk: passwords, sessions, chat.
    pub fn desk_file(&self) -> PathBuf {
        self.data.join("desk.sqlite")
    }

    /// The folder of the robot's sealed shoes.
    pub fn sealed_folder(&self) -> PathBuf {
        self.data.join(SEALED_DIRECTORY)
    }

    /// The smallest stake that some table takes: who has less cannot bet any more.
    pub fn smallest_min(&self) -> Chips {
        let least = |t: &TableSettings| {
            let AnyLimits::Baccarat(limits) = &t.table.limits;
            limits.main.min
        };
        self.tables.iter().map(least).min().unwrap_or(Chips::ZERO)
    }
}

/// What a guest is given where nothing else is set: 10,000.00.
const PLAY_CHIPS: Chips = Chips::new(1_000_000).expect("ten thousand is an amount");

fn read_bounds(
    file: &File,
    written: &mut Written,
    given: &Arguments,
) -> Result<Bounds, WrongSetting> {
    let connections =
        file.number("connections_max", written.connections_max.take(), CONNECTIONS)?;
    let guests = file.number("guests_per_minute", written.guests_per_minute.take(), RATE)?;
    let commands = file.number("commands_per_second", written.commands_per_second.take(), RATE)?;
    let burst = file.number("commands_burst", written.commands_burst.take(), RATE)?;
    let days = file.number("session_days", written.session_days.take(), DAYS)?;
    Ok(Bounds {
        connections_max: given.connections_max.or(connections).unwrap_or(10_000),
        guests_per_minute: given.guests_per_minute.or(guests).unwrap_or(300),
        commands_per_second: given.commands_per_second.or(commands).unwrap_or(10),
        commands_burst: given.commands_burst.or(burst).unwrap_or(40),
        session_days: given.session_days.or(days).unwrap_or(30),
    })
}

/// The tables of the file, or those built in where it names none.
fn read_tables(
    file: &File,
    written: Option<Vec<Spanned<WrittenTable>>>,
    folder: Option<&Path>,
) -> Result<Vec<TableSettings>, WrongSetting> {
    let Some(written) = written else {
        let built_in = File { path: "(built in)".into(), text: BUILT_IN.to_owned() };
        let tables = built_in.written()?.tables.unwrap_or_default();
        return read_tables(&built_in, Some(tables), folder);
    };
    if written.is_empty() || written.len() > TABLES_MAX {
        return Err(file.wrong(0, "tables", format!("expected 1 to {TABLES_MAX} tables")));
    }
    let mut tables = BTreeMap::new();
    for one in written {
        let start = one.span().start;
        let one = one.into_inner();
        let number = one.number;
        let wrong = |(key, why): (String, String)| {
            file.wrong(file.key_within(start, &key), &format!("table {number}: {key}"), why)
        };
        let table = read_table(one, folder).map_err(wrong)?;
        if tables.insert(table.id, table).is_some() {
            return Err(wrong(("number".into(), "another table has this number".into())));
        }
    }
    Ok(tables.into_values().collect())
}

/// One table; else the key that is wrong, and why.
fn read_table(
    written: WrittenTable,
    folder: Option<&Path>,
) -> Result<TableSettings, (String, String)> {
    let wrong = |key: &str, why: String| (key.to_owned(), why);
    let number = || wrong("number", "expected a number from 1".into());
    let id = TableId::new(written.number).ok_or_else(number)?;
    if written.pace_ms > PACE_MS_MAX {
        return Err(wrong("pace_ms", format!("expected 0 to {PACE_MS_MAX} milliseconds")));
    }
    let text = rule_text(&written.rules, folder).map_err(|why| wrong("rules", why))?;
    RuleSet::parse(&text).map_err(|why| wrong("rules", format!("`{}`: {why}", written.rules)))?;
    let rules = RuleSet::parse_with(&text, &written.options);
    let rules = rules.map_err(|why| wrong("options", why.to_string()))?.canonical();
    let table = table::Settings {
        name: written.name,
        dealt_by: written.dealt_by,
        practice: written.practice,
        bet_s: written.bet_s,
        settle_s: written.settle_s,
        cut_s: written.cut_s,
        demo_coups: written.demo_coups,
        pit_boss_required: written.pit_boss_required,
        ask_road: written.ask_road,
        limits: AnyLimits::Baccarat(written.limits.into()),
    };
    table.check(&rules).map_err(|why| named(&why))?;
    Ok(TableSettings { id, table, rules, idle_pause: written.idle_pause, pace_ms: written.pace_ms })
}

/// Splits the reason of a refusal into the key it begins with and the rest. A refusal of a rule
/// option stands at `options`, one of a bet's limits at `limits`.
fn named(why: &table::WrongSettings) -> (String, String) {
    let text = why.to_string();
    let (word, rest) = text.split_once(": ").unwrap_or(("", &text));
    let own = ["name", "bet_s", "settle_s", "cut_s", "demo_coups", "diff_limit", "step"];
    if own.contains(&word) {
        (word.to_owned(), rest.to_owned())
    } else if word == "shuffle_mode" {
        ("options".to_owned(), text)
    } else {
        ("limits".to_owned(), text)
    }
}

/// The text of a rule set: of the folder where there is one, of the presets, or of a file.
fn rule_text(name: &str, folder: Option<&Path>) -> Result<String, String> {
    let bytes_max = u64::try_from(RULES_BYTES_MAX).unwrap_or(u64::MAX);
    let read = |path: &Path| {
        read_text(path, bytes_max).map_err(|wrong| match wrong {
            WrongSetting::Unreadable { path, source } => {
                format!("{} cannot be read: {source}", path.display())
            }
            other @ (WrongSetting::TooLong { .. }
            | WrongSetting::Form { .. }
            | WrongSetting::Value { .. }) => other.to_string(),
        })
    };
    if name.contains(['/', '\\']) || name.ends_with(".toml") {
        return read(Path::new(name));
    }
    let in_folder = folder.map(|folder| folder.join(format!("{name}.toml")));
    if let Some(path) = in_folder.filter(|path| path.exists()) {
        return read(&path);
    }
    let unknown = || {
        let presets = presets::names();
        format!("expected a preset ({presets}) or a file such as rules/own.toml, got `{name}`")
    };
    presets::preset(name).map(|preset| preset.text.to_owned()).ok_or_else(unknown)
}
