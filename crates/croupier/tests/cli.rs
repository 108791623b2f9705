//! The commands of the real binary, beside a house that is open and on files that are wrong.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const SETTINGS: &str = r#"
listen = "127.0.0.1:0"

[[tables]]
number = 1
name = "Lotus"
rules = "live"
dealt_by = "robot"
practice = true
bet_s = 1
settle_s = 1
cut_s = 1
idle_pause = false
pace_ms = 0
[tables.limits]
main = { min = "20.00", max = "5000.00" }
tie = { min = "5.00", max = "500.00" }
side = { min = "5.00", max = "500.00" }
step = "5.00"
"#;

fn croupier(folder: &Path, line: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CROUPIER_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).args(line).stdin(Stdio::null());
    command
}

fn run(folder: &Path, line: &[&str]) -> Output {
    croupier(folder, line).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command whose exit code is known; gives what it says to the outputs.
#[track_caller]
fn told(folder: &Path, line: &[&str], code: i32) -> (String, String) {
    let output = run(folder, line);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{line:?}\n{out}\n{err}");
    assert!(!err.contains("panicked"), "{err}");
    (out, err)
}

/// A house that is open, served by the real binary.
struct Open {
    folder: TempDir,
    child: Child,
    address: String,
}

impl Open {
    fn house() -> Open {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("croupier.toml"), SETTINGS).unwrap();
        let mut serve = croupier(folder.path(), &["serve", "--log-format", "json"]);
        let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("croupier is open: http://").unwrap().to_owned();
        Open { folder, child, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Waits until the robot has dealt a round to its end.
    fn deal_a_round(&self) {
        let begun = Instant::now();
        while !self.get("/api/rounds/1-1").contains("\"is_open\":false") {
            assert!(begun.elapsed() < Duration::from_secs(30), "no round was dealt");
            std::thread::yield_now();
        }
    }

    /// Tells the process to stop, as systemd and Docker do; gives its log.
    fn close(mut self) -> (TempDir, String) {
        let stopped = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(stopped.success());
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{log}");
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        (folder, log)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn every_command_works_beside_an_open_house() {
    let open = Open::house();
    let folder = open.folder.path().to_owned();
    open.deal_a_round();
    let (out, _) = told(&folder, &["audit", "data"], 0);
    assert!(out.contains("clean"), "{out}");
    let (out, _) = told(&folder, &["audit", "data/house.sqlite", "--json"], 0);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["findings"], serde_json::json!([]));
    assert!(report["rounds_settled"].as_u64().unwrap() >= 1, "{report}");
    let (out, _) = told(&folder, &["replay", "data", "--round", "1-1"], 0);
    assert!(out.contains("round 1-1") && out.contains("end of the round"), "{out}");
    told(&folder, &["replay", "data", "--round", "1-1", "--json"], 0);

    let (record, _) = told(&folder, &["proof", "data", "--shoe", "1-1"], 0);
    std::fs::write(folder.join("shoe.json"), &record).unwrap();
    let (out, _) = told(&folder, &["verify", "shoe.json"], 1);
    assert!(out.contains("shoe 1-1: in play"), "{out}");

    std::fs::write(folder.join("password"), "correct horse\n").unwrap();
    let add = ["staff", "add", "ana", "--role", "pit_boss", "--password-file", "password"];
    let (out, _) = told(&folder, &add, 0);
    assert!(out.contains("ana") && out.contains("pit_boss"), "{out}");
    let (_, err) = told(&folder, &add, 2);
    assert!(err.contains("DESK_LOGIN_TAKEN"), "{err}");
    let (out, _) = told(&folder, &["staff", "list", "--json"], 0);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap()[0]["login"], "ana");
    told(&folder, &["staff", "remove", "ana"], 0);
    told(&folder, &["staff", "remove", "bob"], 2);

    let second = run(&folder, &["serve"]);
    assert_eq!(second.status.code(), Some(2));
    assert!(text(&second.stderr).contains("open already"), "{second:?}");

    let (folder, log) = open.close();
    for line in log.lines().filter(|line| line.starts_with('{')) {
        serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|_| panic!("{line}"));
    }
    assert!(log.contains("the house is open") && log.contains("the house closes"), "{log}");
    told(folder.path(), &["audit", "data"], 0);
}

#[test]
fn a_file_that_is_no_house_is_told_with_a_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("text"), "x".repeat(5_000)).unwrap();
    drop(store::Sqlite::open(&path.join("good")).unwrap());
    let mut bytes = std::fs::read(path.join("good")).unwrap();
    bytes.truncate(bytes.len() / 2);
    std::fs::write(path.join("short"), bytes).unwrap();
    let newer = rusqlite::Connection::open(path.join("newer")).unwrap();
    drop(store::Sqlite::open(&path.join("newer")).unwrap());
    newer.pragma_update(None, "user_version", 1_000).unwrap();
    drop(newer);
    rusqlite::Connection::open(path.join("foreign"))
        .unwrap()
        .execute("CREATE TABLE x (y)", [])
        .unwrap();
    for (file, code) in [
        ("nothing", "STORE_MISSING"),
        ("text", "STORE_NOT_A_DATABASE"),
        ("short", "STORE_DAMAGED"),
        ("newer", "STORE_OTHER_VERSION"),
        ("foreign", "STORE_OTHER_APPLICATION"),
    ] {
        for line in [
            vec!["audit", file],
            vec!["replay", file, "--round", "1-1"],
            vec!["proof", file, "--shoe", "1-1"],
        ] {
            let (out, err) = told(path, &line, 2);
            assert!(out.is_empty() && err.contains(code), "{line:?}: {err}");
        }
    }
    told(path, &["audit", "good"], 0);
    for (line, part) in [
        (["replay", "good", "--round", "x"], "such as 3-17"),
        (["replay", "good", "--round", "1-1"], "NO_SUCH_ROUND"),
        (["proof", "good", "--shoe", "1-1"], "NO_SUCH_SHOE"),
        (["verify", "text", "good", "--json"], "RECORD_MALFORMED"),
    ] {
        let (_, err) = told(path, &line, 2);
        assert!(err.contains(part), "{err}");
    }
}

#[test]
fn wrong_settings_stop_the_start_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("croupier.toml"), "listen = \"here\"\n").unwrap();
    let (_, err) = told(path, &["serve"], 2);
    assert!(err.contains("croupier.toml, line 1: listen: expected an address"), "{err}");
    let (_, err) = told(path, &["serve", "--play-chips", "much"], 2);
    assert!(err.contains("--play-chips") && !err.contains("environment"), "{err}");
    let output = croupier(path, &["serve"]).env("CROUPIER_PLAY_CHIPS", "much").output().unwrap();
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(err.contains("environment variable CROUPIER_PLAY_CHIPS"), "{err}");
    assert!(!path.join("data").exists(), "nothing is made before all settings are right");
    let (out, _) = told(path, &["serve", "--help"], 0);
    assert!(
        out.contains("--listen") && out.contains("CROUPIER_LISTEN") && out.contains("idle_pause")
    );
}

#[test]
fn a_password_that_is_too_short_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("password"), "1234567\n").unwrap();
    let add = ["staff", "add", "ana", "--role", "dealer", "--password-file", "password"];
    let (_, err) = told(folder.path(), &add, 2);
    assert!(err.contains("at least 8 letters"), "{err}");
    let mut asked = croupier(folder.path(), &["staff", "add", "bob", "--role", "dealer"]);
    let mut child =
        asked.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"correct horse\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!text(&output.stdout).contains("correct"));
}

#[test]
fn the_document_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = told(folder.path(), &["openapi"], 0);
    assert_eq!(out, croupier::http::api::text());
}
