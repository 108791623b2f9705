//! The desk: staff accounts, sessions, chat, and what is kept of them on the disk.

use croupier::desk::{
    CHAT_AGE_MS, Desk, DeskFailure, FAILURES_MAX, FAILURES_WITHIN_MS, Password, SignIn, Token, Who,
};
use croupier::house::Role;
use ledger::{PlayerId, TableId};
use table::{StaffId, Timestamp};

const NOW: Timestamp = Timestamp(1_767_225_600_000);

fn later(ms: i64) -> Timestamp {
    Timestamp(NOW.0 + ms)
}

fn password(text: &str) -> Password {
    text.parse().unwrap()
}

fn player(number: u64) -> Who {
    Who::Player(PlayerId::new(number).unwrap())
}

fn table() -> TableId {
    TableId::new(1).unwrap()
}

#[test]
fn a_password_has_at_least_eight_letters() {
    for (text, right) in [
        ("", false),
        ("1234567", false),
        ("12345678", true),
        ("四五六七八九十一", true),
        ("四五六七八九十", false),
    ] {
        assert_eq!(text.parse::<Password>().is_ok(), right, "{text}");
    }
    assert!("x".repeat(1_025).parse::<Password>().is_err());
    assert_eq!(format!("{:?}", password("12345678")), "Password(…)");
}

#[test]
fn staff_sign_in_with_their_own_password_alone() {
    let desk = Desk::in_memory().unwrap();
    desk.add_staff("Ana", Role::Dealer, &password("correct horse"), NOW).unwrap();
    let welcome = SignIn::Welcome { staff: StaffId(1), login: "ana".into(), role: Role::Dealer };
    assert_eq!(desk.sign_in("ANA", "correct horse", NOW).unwrap(), welcome);
    for (login, given) in
        [("ana", "correct hors"), ("bob", "correct horse"), ("", ""), ("a b", "x")]
    {
        assert_eq!(desk.sign_in(login, given, NOW).unwrap(), SignIn::WrongCredentials, "{login}");
    }
    let twice = desk.add_staff("ana", Role::PitBoss, &password("another one"), NOW);
    assert!(matches!(twice, Err(DeskFailure::LoginTaken(login)) if login == "ana"));
    let odd = desk.add_staff("a b", Role::PitBoss, &password("another one"), NOW);
    assert!(matches!(odd, Err(DeskFailure::NotALogin(_))));
}

#[test]
fn too_many_wrong_passwords_close_a_login_for_a_while() {
    let desk = Desk::in_memory().unwrap();
    desk.add_staff("ana", Role::Dealer, &password("correct horse"), NOW).unwrap();
    for _ in 0..FAILURES_MAX {
        assert_eq!(desk.sign_in("ana", "wrong", NOW).unwrap(), SignIn::WrongCredentials);
    }
    let right = |at| desk.sign_in("ana", "correct horse", at).unwrap();
    assert_eq!(right(NOW), SignIn::TooManyFailures);
    assert!(matches!(right(later(FAILURES_WITHIN_MS + 1)), SignIn::Welcome { .. }));
}

#[test]
fn a_session_ends_in_time_and_with_its_owner() {
    let desk = Desk::in_memory().unwrap();
    let token = desk.begin_session(&player(7), NOW, later(1_000)).unwrap();
    let read = Token::read(&token.reveal()).unwrap();
    assert_eq!(desk.session(&read, later(999)).unwrap(), Some(player(7)));
    assert_eq!(desk.session(&read, later(1_000)).unwrap(), None);
    desk.end_session(&read).unwrap();
    assert_eq!(desk.session(&read, NOW).unwrap(), None);
    assert_eq!(format!("{token:?}"), "Token(…)");
    for text in ["", "00", "zz", &"0".repeat(65)] {
        assert!(Token::read(text).is_none(), "{text}");
    }

    let ana = desk.add_staff("ana", Role::PitBoss, &password("correct horse"), NOW).unwrap();
    let who = Who::Staff { staff: StaffId(ana.staff), login: "ana".into(), role: Role::PitBoss };
    let first = desk.begin_session(&who, NOW, later(1_000)).unwrap();
    assert_eq!(desk.session(&first, NOW).unwrap(), Some(who.clone()));
    desk.set_password("ana", &password("another horse"), NOW).unwrap();
    assert_eq!(desk.session(&first, NOW).unwrap(), None, "a new password ends sessions");
    let second = desk.begin_session(&who, NOW, later(1_000)).unwrap();
    desk.remove_staff("ana", NOW).unwrap();
    assert_eq!(desk.session(&second, NOW).unwrap(), None, "who is off the list is out");
    assert_eq!(desk.sign_in("ana", "another horse", NOW).unwrap(), SignIn::WrongCredentials);
    assert!(!desk.staff().unwrap()[0].active);
}

/// Who reads the file can neither sign in nor take a session over.
#[test]
fn no_secret_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.sqlite");
    let desk = Desk::open(&path).unwrap();
    desk.add_staff("ana", Role::Dealer, &password("correct horse"), NOW).unwrap();
    let token = desk.begin_session(&player(1), NOW, later(1_000)).unwrap().reveal();
    let raw = hex::decode(&token).unwrap();
    drop(desk);
    let bytes = std::fs::read(&path).unwrap();
    for secret in [token.as_bytes(), &raw, b"correct horse".as_slice()] {
        let found = bytes.windows(secret.len()).any(|window| window == secret);
        assert!(!found, "{} is in the file", String::from_utf8_lossy(secret));
    }
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn another_file_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text");
    std::fs::write(&text, "x".repeat(5_000)).unwrap();
    assert!(matches!(Desk::open(&text), Err(DeskFailure::NotADesk(_))));
    assert_eq!(std::fs::read_to_string(&text).unwrap(), "x".repeat(5_000));

    let foreign = folder.path().join("foreign.sqlite");
    let other = rusqlite::Connection::open(&foreign).unwrap();
    other.execute_batch("CREATE TABLE x (y)").unwrap();
    assert!(matches!(Desk::open(&foreign), Err(DeskFailure::NotADesk(_))));
    drop(store::Sqlite::open(&folder.path().join("house.sqlite")).unwrap());
    let house = Desk::open(&folder.path().join("house.sqlite"));
    assert!(matches!(house, Err(DeskFailure::NotADesk(_))), "{house:?}");

    let newer = folder.path().join("newer.sqlite");
    drop(Desk::open(&newer).unwrap());
    rusqlite::Connection::open(&newer).unwrap().pragma_update(None, "user_version", 2).unwrap();
    assert!(matches!(Desk::open(&newer), Err(DeskFailure::OtherVersion { found: 2, .. })));
}

/// Staff are added while the house is open (docs/decisions/0004).
#[test]
fn an_account_that_another_process_adds_is_found_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.sqlite");
    let house = Desk::open(&path).unwrap();
    assert_eq!(house.sign_in("ana", "correct horse", NOW).unwrap(), SignIn::WrongCredentials);
    let command = Desk::open(&path).unwrap();
    command.add_staff("ana", Role::Dealer, &password("correct horse"), NOW).unwrap();
    let signed_in = house.sign_in("ana", "correct horse", NOW).unwrap();
    assert!(matches!(signed_in, SignIn::Welcome { .. }));
}

#[test]
fn chat_is_one_plain_line_and_gets_old() {
    let desk = Desk::in_memory().unwrap();
    let keep = |text: &str, at| desk.keep_line(table(), &player(1), "Guest 1", text, at).unwrap();
    assert_eq!(keep(" \n\t ", NOW), None);
    assert_eq!(keep("\u{0}\u{7f}", NOW), None);
    let line = keep("good\nluck\u{1b}", NOW).unwrap();
    assert_eq!((line.text.as_str(), line.name.as_str(), line.at), ("good luck", "Guest 1", NOW));
    let long = keep(&"x".repeat(1_000), NOW).unwrap();
    assert_eq!(long.text.len(), croupier::wire::CHAT_LETTERS_MAX);
    let lines = desk.last_lines(table(), 10).unwrap();
    assert_eq!(lines, [line, long]);
    assert_eq!(desk.last_lines(table(), 1).unwrap().len(), 1);
    assert!(desk.last_lines(TableId::new(2).unwrap(), 10).unwrap().is_empty());
    keep("new", later(CHAT_AGE_MS)).unwrap();
    assert_eq!(desk.last_lines(table(), 10).unwrap().len(), 1);
}
