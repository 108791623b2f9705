//! The API on a real house: a real server on a free port with its own data, spoken to in plain
//! HTTP.

use std::path::Path;
use std::time::Duration;

use clap::Parser;
use croupier::desk::{Desk, Password};
use croupier::house::Role;
use croupier::http::{BODY_BYTES_MAX, COOKIE, PROBLEM_JSON};
use croupier::serve::OpenHouse;
use croupier::settings::{Arguments, Settings};
use futures_util::{SinkExt, StreamExt};
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Two tables: one of a robot that deals as fast as it may, one of a person.
const SETTINGS: &str = r#"
listen = "127.0.0.1:0"
play_chips = "10000.00"
guests_per_minute = 5

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

[[tables]]
number = 2
name = "Lisboa"
rules = "no-commission"
options = { shuffle_mode = "hand" }
dealt_by = "dealer"
bet_s = 20
settle_s = 4
cut_s = 15
[tables.limits]
main = { min = "20.00", max = "5000.00" }
tie = { min = "5.00", max = "500.00" }
side = { min = "5.00", max = "500.00" }
step = "5.00"
"#;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

/// A house in a folder of its own.
struct Street {
    folder: TempDir,
    house: OpenHouse,
}

fn settings(folder: &Path) -> Settings {
    let file = folder.join("croupier.toml");
    std::fs::write(&file, SETTINGS).unwrap();
    let data = folder.join("data");
    let line = ["x", "--config", file.to_str().unwrap(), "--data", data.to_str().unwrap()];
    Settings::load(&Line::try_parse_from(line).unwrap().arguments).unwrap()
}

impl Street {
    async fn open() -> Street {
        let folder = tempfile::tempdir().unwrap();
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let house = OpenHouse::open(settings(folder.path()), metrics).await.unwrap();
        Street { folder, house }
    }

    fn desk(&self) -> Desk {
        Desk::open(&self.folder.path().join("data/desk.sqlite")).unwrap()
    }

    async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let address = self.house.address();
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n");
        text += &format!("Connection: close\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("\r\n{body}");
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        Answer::read(&String::from_utf8(answer).unwrap())
    }

    async fn get(&self, path: &str, cookie: &str) -> Answer {
        self.ask("GET", path, &[("Cookie", cookie)], "").await
    }

    async fn post(&self, path: &str, cookie: &str, body: &Value) -> Answer {
        let headers = [("Cookie", cookie), ("Content-Type", "application/json")];
        self.ask("POST", path, &headers, &body.to_string()).await
    }

    async fn guest(&self) -> String {
        self.ask("POST", "/api/guest", &[], "").await.cookie()
    }

    /// Signs a member of staff in who is added while the house is open.
    async fn staff(&self, login: &str, role: Role) -> String {
        let password: Password = "correct horse".parse().unwrap();
        self.desk().add_staff(login, role, &password, table::Timestamp(0)).unwrap();
        let body = json!({ "login": login, "password": "correct horse" });
        self.post("/api/staff/login", "", &body).await.cookie()
    }

    /// Bets at table 1 over a socket, in whichever round takes the bet; tells which.
    async fn bet(&self, cookie: &str, on: &str, stake: u64) -> u64 {
        let address = self.house.address();
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        request.headers_mut().insert("Cookie", cookie.parse().unwrap());
        let stream = TcpStream::connect(address).await.unwrap();
        let (mut line, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
        for attempt in 0..50 {
            let felt = self.until("/api/tables/1", "", betting).await.json();
            let round = felt["felt"]["round"].as_u64().unwrap();
            let id = format!("bet-{attempt}");
            let command = json!({ "do": "bet", "on": on, "stake": stake });
            let say = json!({
                "type": "command", "id": id, "table": 1, "round": round, "command": command
            });
            line.send(Message::text(say.to_string())).await.unwrap();
            while let Some(Ok(message)) = line.next().await {
                let told: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
                if told["type"] == "answer" && told["id"] == json!(id) {
                    if told["ok"] == json!(true) {
                        return round;
                    }
                    break;
                }
            }
        }
        panic!("no round took the bet");
    }

    /// Asks again until the answer is as it should be; the house deals in the meantime.
    async fn until(&self, path: &str, cookie: &str, right: impl Fn(&Answer) -> bool) -> Answer {
        let mut look = tokio::time::interval(Duration::from_millis(50));
        let mut last = self.get(path, cookie).await;
        for _ in 0..400 {
            if right(&last) {
                return last;
            }
            look.tick().await;
            last = self.get(path, cookie).await;
        }
        panic!("{path} stays {last:?}");
    }
}

fn betting(answer: &Answer) -> bool {
    let phase = &answer.json()["felt"]["phase"];
    *phase == json!("betting") || *phase == json!("last-call")
}

#[derive(Debug)]
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn read(text: &str) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let split = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_owned(), value.to_owned())
        };
        Answer { status, headers: lines.map(split).collect(), body: body.to_owned() }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    fn cookie(&self) -> String {
        let line = self.header("set-cookie").unwrap_or_else(|| panic!("no cookie: {self:?}"));
        line.split(';').next().unwrap().to_owned()
    }

    /// A refusal in its one form.
    #[track_caller]
    fn is_problem(&self, status: u16, code: &str) -> &Answer {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), Some(PROBLEM_JSON), "{self:?}");
        let told = self.json();
        assert_eq!(
            (told["code"].as_str(), told["status"].as_u64()),
            (Some(code), Some(status.into()))
        );
        self
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_joins_once_and_is_known_by_his_cookie() {
    let street = Street::open().await;
    assert_eq!(street.get("/api/me", "").await.json(), json!({ "role": "spectator" }));
    let joined = street.ask("POST", "/api/guest", &[], "").await;
    assert_eq!(joined.status, 200);
    let line = joined.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(line.contains(part), "{line}");
    }
    let me = json!({
        "role": "player", "player": 1, "name": "Guest 1", "balance": 1_000_000, "at_stake": 0
    });
    assert_eq!(joined.json(), me);
    let cookie = joined.cookie();
    assert_eq!(street.get("/api/me", &cookie).await.json(), me);
    let again = street.post("/api/guest", &cookie, &json!({})).await;
    assert_eq!(again.json(), me, "who has a session keeps it");
    assert_eq!(street.get("/api/me/rounds", &cookie).await.json(), json!({ "rounds": [] }));

    let gone = street.post("/api/logout", &cookie, &json!({})).await;
    assert_eq!(gone.status, 204);
    assert!(gone.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(street.get("/api/me", &cookie).await.json(), json!({ "role": "spectator" }));
    street.get("/api/me/rounds", &cookie).await.is_problem(401, "NOT_SIGNED_IN");
    let forged = format!("{COOKIE}={}", "0".repeat(64));
    street.get("/api/me/rounds", &forged).await.is_problem(401, "NOT_SIGNED_IN");
    street.house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn new_guests_of_one_address_are_counted() {
    let street = Street::open().await;
    for _ in 0..5 {
        street.guest().await;
    }
    street.ask("POST", "/api/guest", &[], "").await.is_problem(429, "RATE_LIMITED");
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_sign_in_and_do_not_play() {
    let street = Street::open().await;
    let unknown = json!({ "login": "ana", "password": "correct horse" });
    let first = street.post("/api/staff/login", "", &unknown).await;
    let boss = street.staff("ana", Role::PitBoss).await;
    let wrong = json!({ "login": "ana", "password": "wrong horse" });
    let second = street.post("/api/staff/login", "", &wrong).await;
    first.is_problem(401, "WRONG_CREDENTIALS");
    second.is_problem(401, "WRONG_CREDENTIALS");
    assert_eq!(first.body, second.body, "nothing tells whether a login exists");
    let me = json!({ "role": "pit-boss", "staff": 1, "name": "ana" });
    assert_eq!(street.get("/api/me", &boss).await.json(), me);
    for path in ["/api/guest", "/api/refill"] {
        let asked = street.post(path, &boss, &json!({ "id": "a" })).await;
        asked.is_problem(403, "RESTRICTED_PLAYER");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sites_pages_change_nothing() {
    let street = Street::open().await;
    let own = format!("http://{}", street.house.address());
    for (origin, right) in [(own.as_str(), true), ("http://evil.example", false), ("null", false)] {
        let asked = street.ask("POST", "/api/guest", &[("Origin", origin)], "").await;
        if right {
            assert_eq!(asked.status, 200)
        } else {
            asked.is_problem(403, "ORIGIN_REFUSED");
        }
        let upgrade = [
            ("Origin", origin),
            ("Connection", "Upgrade"),
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        if !right {
            street.ask("GET", "/ws", &upgrade, "").await.is_problem(403, "ORIGIN_REFUSED");
        }
    }
    assert_eq!(
        street.ask("GET", "/api/me", &[("Origin", "http://evil.example")], "").await.status,
        200
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_told_and_bounded() {
    let street = Street::open().await;
    let cookie = street.guest().await;
    let kind = ("Content-Type", "application/json");
    let session = ("Cookie", cookie.as_str());
    let long = "x".repeat(BODY_BYTES_MAX + 1);
    type Headers<'a> = &'a [(&'a str, &'a str)];
    let cases: [(Headers<'_>, &str, u16, &str); 7] = [
        (&[session], "{}", 415, "NOT_JSON"),
        (&[session, ("Content-Type", "text/plain")], "{}", 415, "NOT_JSON"),
        (&[session, kind], "", 400, "MALFORMED"),
        (&[session, kind], "{\"id\":\"\"}", 400, "MALFORMED"),
        (&[session, kind], "{\"id\":\"a\",\"more\":1}", 400, "MALFORMED"),
        (&[session, kind], &long, 413, "TOO_LARGE"),
        (&[session, kind], "{\"id\":\"a\"}", 409, "ENOUGH_CHIPS"),
    ];
    for (headers, body, status, code) in cases {
        street.ask("POST", "/api/refill", headers, body).await.is_problem(status, code);
    }
    for path in [
        "/api/nothing",
        "/api/tables/9",
        "/api/tables/x",
        "/api/tables/0/rules",
        "/api/rounds/9-1",
        "/api/rounds/1-999999",
        "/api/rounds/x",
        "/api/shoes/2-1",
        "/no.js",
    ] {
        street.get(path, "").await.is_problem(404, "NOT_FOUND");
    }
    for path in ["/api/me/rounds?limit=0", "/api/me/rounds?limit=x", "/api/me/rounds?more=1"] {
        street.get(path, &cookie).await.is_problem(400, "MALFORMED");
    }
    street.ask("DELETE", "/api/me", &[], "").await.is_problem(405, "METHOD_NOT_ALLOWED");
    street.get("/ws", "").await.is_problem(400, "MALFORMED");
    street.get("/ws/dealer", "").await.is_problem(401, "NOT_SIGNED_IN");
    street.get("/ws/dealer", &cookie).await.is_problem(403, "ROLE_REQUIRED");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_the_security_headers() {
    let street = Street::open().await;
    for path in ["/", "/api/me", "/api/nothing", "/healthz", "/tables/1"] {
        let answer = street.get(path, "").await;
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("script-src") && !policy.contains("unsafe-eval"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
    }
    assert_eq!(street.get("/healthz", "").await.body, "alive\n");
    assert_eq!(street.get("/readyz", "").await.json(), json!({ "ready": true }));
    assert_eq!(street.get("/metrics", "").await.status, 200);
}

/// cases.md 9: pays, limits and edges come from the one record that settles the bets.
#[tokio::test(flavor = "multi_thread")]
async fn the_rules_of_a_table_are_told_with_pays_limits_and_edges() {
    let street = Street::open().await;
    let told = street.get("/api/tables/2/rules", "").await.json();
    assert_eq!((&told["preset"], &told["game"]), (&json!("no-commission"), &json!("baccarat")));
    assert_eq!(told["options"]["shuffle_mode"], json!("hand"));
    let text = told["text"].as_str().unwrap();
    assert_eq!(told["hash"], json!(table::rules_hash(text)));
    assert_eq!(games::RuleSet::parse(text).unwrap().canonical(), text);
    let of = |list: &str, bet: &str| {
        let list = told[list].as_array().unwrap();
        list.iter().find(|zone| zone["on"] == bet).cloned().unwrap()
    };
    let banker = of("layout", "banker");
    assert_eq!((&banker["min"], &banker["max"]), (&json!(2_000), &json!(500_000)));
    assert!(banker["pays"].to_string().contains("1 to 2"), "{banker}");
    assert_eq!(of("edges", "banker")["percent"], json!("1.4581"));
    let tables = street.get("/api/tables", "").await.json();
    assert_eq!(tables["tables"].as_array().unwrap().len(), 2);
    let table = street.get("/api/tables/2", "").await.json();
    assert_eq!(table["felt"]["rules"], told["hash"]);
    assert_eq!(table["layout"], told["layout"]);
}

/// OPS-71: of an open round nobody is told a card that does not lie open.
#[tokio::test(flavor = "multi_thread")]
async fn rounds_and_shoes_are_read_back_while_the_robot_deals() {
    let street = Street::open().await;
    let over = |answer: &Answer| answer.status == 200 && answer.json()["is_open"] == json!(false);
    let round = street.until("/api/rounds/1-1", "", over).await.json();
    assert_eq!((&round["id"], &round["shoe"]), (&json!("1-1"), &json!(1)));
    for side in ["player", "banker"] {
        assert!((2..=3).contains(&round[side].as_array().unwrap().len()), "{round}");
    }
    assert!(round["outcome"].is_object() && round["mine"].is_null(), "{round}");
    let shoe = street.get("/api/shoes/1-1", "").await.json();
    assert_eq!(shoe["order"], Value::Null, "the shoe is in play");
    assert_eq!(shoe["salt"], Value::Null);
    let record = croupier::proof::ShoeRecord::parse(&shoe.to_string()).unwrap();
    let verdict = croupier::proof::verify(&record);
    assert_eq!(verdict.outcome, croupier::proof::Outcome::InPlay, "{verdict:?}");
    let felt = street.get("/api/tables/1", "").await.json();
    assert_eq!(shoe["commitment"], felt["felt"]["shoe"]["commitment"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pit_boss_voids_the_open_round_and_no_other() {
    let street = Street::open().await;
    let reason = json!({ "reason": "a card fell" });
    let dealer = street.staff("bob", Role::Dealer).await;
    let boss = street.staff("ana", Role::PitBoss).await;
    street.post("/api/pit/rounds/1-1/void", "", &reason).await.is_problem(401, "NOT_SIGNED_IN");
    let refused = street.post("/api/pit/rounds/1-1/void", &dealer, &reason).await;
    refused.is_problem(403, "ROLE_REQUIRED");
    street.post("/api/pit/rounds/9-1/void", &boss, &reason).await.is_problem(404, "NOT_FOUND");
    let stale = street.post("/api/pit/rounds/1-999999/void", &boss, &reason).await;
    stale.is_problem(409, "STALE_ROUND");

    let void = |answer: &Answer| answer.json()["void"] == json!({ "pit": "a card fell" });
    let mut voided = None;
    for _ in 0..20 {
        let felt = street.until("/api/tables/1", "", betting).await.json();
        let id = format!("1-{}", felt["felt"]["round"]);
        let asked = street.post(&format!("/api/pit/rounds/{id}/void"), &boss, &reason).await;
        if asked.status == 204 {
            voided = Some(id);
            break;
        }
        asked.is_problem(409, "STALE_ROUND");
    }
    let id = voided.expect("a round can be voided while it is open");
    street.until(&format!("/api/rounds/{id}"), "", void).await;

    let paused = street.post("/api/pit/tables/1", &boss, &json!({ "do": "pause" })).await;
    assert_eq!(paused.status, 204, "{paused:?}");
    let is_paused = |answer: &Answer| answer.json()["felt"]["paused"] == json!(true);
    street.until("/api/tables/1", "", is_paused).await;
    let other = json!({ "do": "void", "reason": "x" });
    street.post("/api/pit/tables/1", &boss, &other).await.is_problem(400, "MALFORMED");
}

/// OPS-81: cards, bets, payouts, balance before and after; nobody else's.
#[tokio::test(flavor = "multi_thread")]
async fn a_player_reads_his_own_rounds_back() {
    let street = Street::open().await;
    let (mine, other) = (street.guest().await, street.guest().await);
    let round = street.bet(&mine, "tie", 2_000).await;
    let one = |answer: &Answer| answer.json()["rounds"].as_array().is_some_and(|r| r.len() == 1);
    let history = street.until("/api/me/rounds", &mine, one).await.json();
    let told = &history["rounds"][0];
    assert_eq!((&told["table"], &told["round"]), (&json!(1), &json!(round)));
    assert_eq!((&told["staked"], &told["balance_before"]), (&json!(2_000), &json!(1_000_000)));
    let returned = told["returned"].as_u64().unwrap();
    assert!(returned == 0 || returned == 18_000, "{told}");
    assert_eq!(told["balance_after"], json!(998_000 + returned));
    assert_eq!(told["payouts"][0]["on"], json!("tie"));
    let path = format!("/api/rounds/1-{round}");
    assert_eq!(street.get(&path, &mine).await.json()["mine"]["staked"], json!(2_000));
    for cookie in [other.as_str(), ""] {
        let seen = street.get(&path, cookie).await;
        assert_eq!(seen.json()["mine"], Value::Null);
        assert!(!seen.body.contains("2000"), "{seen:?}");
    }
    assert_eq!(street.get("/api/me/rounds", &other).await.json(), json!({ "rounds": [] }));
    let none = street.get("/api/me/rounds?limit=200", &mine).await;
    assert_eq!(none.json(), history);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_data_folder_has_one_open_house() {
    let street = Street::open().await;
    let metrics = PrometheusBuilder::new().build_recorder().handle();
    let second = OpenHouse::open(settings(street.folder.path()), metrics).await;
    let why = format!("{:#}", second.err().unwrap());
    assert!(why.contains("open already"), "{why}");
    assert_eq!(street.get("/readyz", "").await.status, 200, "the first goes on");
}

#[test]
fn the_committed_document_is_the_one_of_this_build() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == croupier::http::api::text(), "stale: run `make types`");
    let document: Value = serde_json::from_str(&committed).unwrap();
    let paths = document["paths"].as_object().unwrap();
    for path in ["/api/guest", "/api/rounds/{round}", "/api/pit/rounds/{round}/void", "/metrics"] {
        assert!(paths.contains_key(path), "{path}");
    }
}
