//! The shipped rule sets: they parse, say every option, and differ where the spec says so.

use games::baccarat::{Bet, Rules, TiePolicy};
use games::{RuleSet, RulesFailure};

fn preset(name: &str) -> RuleSet {
    let path = format!("{}/../../rules/baccarat/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    RuleSet::parse(&text).unwrap_or_else(|why| panic!("{name}: {why}"))
}

const PRESETS: [&str; 7] = ["macau", "macau-sjm", "live", "no-commission", "chemin", "ez", "extra"];

#[test]
fn every_preset_survives_its_canonical_text() {
    for name in PRESETS {
        let rules = preset(name);
        assert_eq!(rules.name(), name);
        assert_eq!(RuleSet::parse(&rules.canonical()).unwrap(), rules);
    }
}

/// BAC-2.
#[test]
fn macau_sjm_differs_by_its_tie_policy_alone() {
    let (macau, sjm) = (preset("macau"), preset("macau-sjm"));
    let as_macau =
        Rules { name: "macau".into(), tie_policy: TiePolicy::Free, ..Rules::clone(sjm.baccarat()) };
    assert_eq!(&as_macau, &**macau.baccarat());
}

/// BAC-70: the steps at which nothing is ever rounded.
#[test]
fn steps_of_exact_payment() {
    let step = |name: &str, bet: Bet| preset(name).baccarat().exact_step(bet).minor();
    assert_eq!(step("macau", Bet::Banker), 20);
    assert_eq!(step("no-commission", Bet::Banker), 2);
    assert_eq!(step("no-commission", Bet::Tie), 10);
    assert_eq!(step("no-commission", Bet::PlayerPair), 10);
    for bet in [Bet::Player, Bet::LuckySix, Bet::BankerDragon] {
        assert_eq!(step("no-commission", bet), 1);
    }
    assert_eq!(step("macau", Bet::Tie), 1);
    assert_eq!(step("macau", Bet::BankerPair), 1);
}

/// BAC-9 and unknown keys: each wrong file is refused with the option's name.
#[test]
fn wrong_rule_sets_are_refused() {
    let path = format!("{}/../../rules/baccarat/macau.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let cases = [
        ("decks = 8", "decks = 5", "decks"),
        ("decks = 8", "decks = 13", "decks"),
        ("decks = 8\ndecks_min = 6", "decks = 1\ndecks_min = 1", "a deck on either side"),
        ("shuffle_mode = \"rng\"", "shuffle_mode = \"continuous\"", "holding"),
        ("white_card_from_back = 12", "white_card_from_back = 11", "white_card_from_back"),
        ("burn_per_coup = 0", "burn_per_coup = 1", "white_card_from_back"),
        ("burn_per_coup = 0", "burn_per_coup = 4", "burn_per_coup"),
        ("demo_coups_max = 3", "demo_coups_max = 4", "demo_coups_max"),
        ("burn_new_shoe = \"decks\"", "burn_new_shoe = { fixed = 9 }", "burn_new_shoe"),
        ("commission_pct = 5", "commission_pct = 6", "commission_pct"),
        ("seats = 7", "seats = 99", "seats"),
        ("squeeze_s = 20", "squeeze_s = 0", "squeeze_s"),
        ("tie = \"8 to 1\"", "tie = \"8\"", "no payout"),
        ("tie = \"8 to 1\"", "tie = 8", "expected a string"),
        ("seats = 7", "seats = 7\nfree_beer = true", "free_beer"),
        ("game = \"baccarat\"", "game = \"faro\"", "faro"),
        ("standing_allowed = true", "", "standing_allowed"),
    ];
    for (old, new, named) in cases {
        assert!(text.contains(old), "{old}");
        let why = RuleSet::parse(&text.replacen(old, new, 1)).unwrap_err().to_string();
        assert!(why.contains(named), "{new}: {why}");
    }
    assert_eq!(RuleSet::parse(&"#".repeat(70_000)), Err(RulesFailure::TooLarge));
}

#[test]
fn a_table_may_replace_options_but_not_invent_them() {
    let path = format!("{}/../../rules/baccarat/macau.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let with = |options: &str| RuleSet::parse_with(&text, &toml::from_str(options).unwrap());
    let rules = with("decks = 6\npays = { tie = \"9 for 1\" }").unwrap();
    assert_eq!(rules.baccarat().decks, 6);
    assert_eq!(rules.baccarat().pays.tie.to_string(), "8 to 1");
    assert!(with("decks = 4").is_err());
    assert!(with("dekcs = 6").is_err());
    assert!(with("pays = { lucky_seven = \"7 to 1\" }").is_err());
}
