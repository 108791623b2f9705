//! The proof of a shoe: a true record is proven, every planted lie is named, nonsense is refused.

use std::cell::RefCell;
use std::collections::BTreeMap;

use croupier::proof::{
    BurnRule, Burned, Code, Commitment, Cut, CutBy, End, FieldName, LastHand, MAX_CHAIN_RECORDS,
    MAX_FINDINGS_OF_A_CODE, MAX_RECORD_BYTES, MAX_ROUNDS, NotARecord, Outcome, Place,
    RecordedRound, RoundKind, Salt, Seen, ShoeId, ShoeRecord, ShoeRules, ShuffleMode, ShuffledShoe,
    Totals, cut_range, verify, verify_chain,
};
use croupier::robot::shuffle::{below, pack, shuffled};
use games::Card;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

/// The rules of a table with everything switched on.
const RULES: ShoeRules = ShoeRules {
    decks: 8,
    shuffle: ShuffleMode::Rng,
    white_card_from_back: Some(14),
    last_hand: LastHand::OneMore,
    white_first_is_last: true,
    burn_new_shoe: BurnRule::FirstCardValue,
    burn_court_value: 10,
    burn_includes_first: true,
    burn_per_coup: 1,
};

/// Takes cards from a shoe as a dealer does and writes the record.
struct Dealing {
    shoe: ShuffledShoe,
    record: ShoeRecord,
    position: u16,
}

impl Dealing {
    fn new(rules: ShoeRules, id: ShoeId, previous: Option<Commitment>, cut: u16) -> Dealing {
        // The same shoe each time the test runs; another for another cut.
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&id.shoe.to_le_bytes());
        seed[4..6].copy_from_slice(&cut.to_le_bytes());
        let order = shuffled(pack(rules.decks), &mut ChaCha20Rng::from_seed(seed));
        let (decks, shuffle, salt) = (rules.decks, rules.shuffle, Salt(seed));
        let shoe = ShuffledShoe::new(id, previous, decks, shuffle, order, salt).expect("a shoe");
        let cut_taken = match rules.shuffle {
            ShuffleMode::Rng => cut_range(rules.decks).map(|_| Cut { by: CutBy::Player, at: cut }),
            ShuffleMode::Continuous => None,
        };
        let record = ShoeRecord {
            version: 1,
            table: id.table,
            shoe: id.shoe,
            rules,
            previous,
            commitment: shoe.commitment(),
            order: None,
            salt: None,
            cut: cut_taken,
            burn: None,
            rounds: Vec::new(),
            totals: Totals { burned: 0, dealt: 0, left: u32::from(rules.cards()) },
            end: None,
        };
        Dealing { shoe, record, position: 0 }
    }

    fn next(&mut self) -> Card {
        let cut = self.record.cut.map_or(0, |cut| cut.at);
        let card = self.shoe.card(cut, self.position).expect("a card is left");
        self.position += 1;
        self.record.totals.left -= 1;
        card
    }

    fn burn(&mut self) {
        let first = self.next();
        let count = self.record.rules.burn_count(first);
        let shown = (self.record.rules.burn_new_shoe == BurnRule::FirstCardValue).then_some(first);
        self.position = count;
        self.record.totals.burned += u32::from(count);
        self.record.totals.left = u32::from(self.record.rules.cards() - count);
        self.record.burn = Some(Burned { count, shown });
    }

    fn round(&mut self, kind: RoundKind, cards: usize) {
        let burned = u16::from(self.record.rules.burn_per_coup);
        for _ in 0..burned {
            self.next();
            self.record.totals.burned += 1;
        }
        let mut dealt = Vec::new();
        for _ in 0..cards {
            dealt.push(Seen::Face(self.next()));
            self.record.totals.dealt += 1;
        }
        let round = 1_000 + u64::try_from(self.record.rounds.len()).unwrap();
        self.record.rounds.push(RecordedRound { round, kind, burned, cards: dealt });
    }

    fn reveal(mut self, end: End) -> ShoeRecord {
        self.record.order = Some(self.shoe.order().to_vec());
        self.record.salt = Some(self.shoe.salt());
        self.record.end = Some(end);
        self.record
    }
}

const ID: ShoeId = ShoeId { table: 3, shoe: 17 };

/// A shoe dealt to its last hand: demonstrations, a voided round, then until the white card.
fn whole_shoe(seed: u8) -> ShoeRecord {
    let mut choice = ChaCha20Rng::from_seed([seed; 32]);
    let cut = u16::try_from(52 + below(&mut choice, 313)).unwrap();
    let mut dealing = Dealing::new(RULES, ID, Some(Commitment([9; 32])), cut);
    dealing.burn();
    dealing.round(RoundKind::Demo, 5);
    dealing.round(RoundKind::Demo, 4);
    let white = 416 - 14;
    let (mut last_hands, mut count) = (0, 0);
    while last_hands < 2 {
        let comes_first = dealing.position >= white;
        let kind = if count == 3 { RoundKind::Void } else { RoundKind::Played };
        dealing.round(kind, 4 + below(&mut choice, 3));
        count += 1;
        if dealing.position > white {
            last_hands += if comes_first && last_hands == 0 { 2 } else { 1 };
        }
    }
    dealing.reveal(End::WhiteCard)
}

fn codes(record: &ShoeRecord) -> Vec<Code> {
    verify(record).findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn a_true_record_is_proven_and_survives_its_text_form() {
    for seed in 0..20 {
        let record = whole_shoe(seed);
        let verdict = verify(&record);
        assert_eq!(verdict.findings, [], "seed {seed}");
        assert_eq!(verdict.outcome, Outcome::Proven);
        assert_eq!(verdict.white_card_after, Some(402));
        assert!(verdict.cards_compared > 300, "{} cards compared", verdict.cards_compared);
        assert_eq!(ShoeRecord::parse(&record.to_json()), Ok(record));
    }
}

/// What a lie must be named as, and where if it has one place.
type Named = (Code, Option<Place>);

/// The kinds of lies that [`plant`] knows.
const LIES: usize = 23;

/// Changes one thing in a true record; says what the check must name.
fn plant(record: &mut ShoeRecord, lie: usize, choice: &mut ChaCha20Rng) -> Named {
    match lie {
        0..=10 => plant_in_commitment(record, lie, choice),
        11 => plant_card(record, choice),
        _ => plant_in_deal(record, lie, choice),
    }
}

/// A lie about what the commitment binds.
fn plant_in_commitment(record: &mut ShoeRecord, lie: usize, choice: &mut ChaCha20Rng) -> Named {
    let field = |name| Some(Place::Field { name });
    let order = record.order.as_mut().expect("a revealed record");
    let (place, other) = (below(choice, order.len()), below(choice, 51) + 1);
    let byte = below(choice, 32);
    match lie {
        0 | 1 => {
            order[place] = Card::from_index((order[place].index() + other) % 52).unwrap();
            if lie == 1 {
                return (Code::OrderCards, field(FieldName::Order));
            }
        }
        2 => {
            let second = order.iter().position(|card| *card != order[place]).unwrap();
            order.swap(place, second);
        }
        3 => record.salt.as_mut().unwrap().0[byte] ^= 1 << below(choice, 8),
        4 => record.commitment.0[byte] ^= 1 << below(choice, 8),
        5 => record.previous.as_mut().unwrap().0[byte] ^= 1 << below(choice, 8),
        6 => record.table += 1,
        7 => record.shoe += 1,
        8 => record.rules.shuffle = ShuffleMode::Continuous,
        9 => record.rules.decks = 7,
        10 => {
            order.pop();
            return (Code::OrderLength, field(FieldName::Order));
        }
        _ => unreachable!("no such lie"),
    }
    (Code::CommitmentMismatch, field(FieldName::Commitment))
}

/// A lie about cut, burn, rounds, white card or totals.
fn plant_in_deal(record: &mut ShoeRecord, lie: usize, choice: &mut ChaCha20Rng) -> Named {
    let round = below(choice, record.rounds.len());
    let field = |name| Some(Place::Field { name });
    let (cut, burn) = (record.cut.as_mut().unwrap(), record.burn.as_mut().unwrap());
    match lie {
        12 => {
            cut.at = if cut.at == 364 { 363 } else { cut.at + 1 };
            (Code::CardMismatch, None)
        }
        13 => {
            cut.at = [0, 51, 365, 416, u16::MAX][below(choice, 5)];
            (Code::CutRange, field(FieldName::Cut))
        }
        14 => {
            burn.count += 1;
            (Code::BurnCount, field(FieldName::Burn))
        }
        15 => {
            let shown = burn.shown.as_mut().unwrap();
            *shown = Card::from_index((shown.index() + 1 + below(choice, 51)) % 52).unwrap();
            (Code::CardMismatch, Some(Place::BurnShown))
        }
        16 => {
            record.rounds[round].burned ^= 1;
            (Code::CoupBurn, Some(Place::Round { round: record.rounds[round].round }))
        }
        17 => {
            record.rounds[round].cards.pop();
            (Code::TotalsMismatch, field(FieldName::TotalsDealt))
        }
        18 => {
            record.rounds.remove(round);
            (Code::TotalsMismatch, field(FieldName::TotalsLeft))
        }
        19 => {
            let before = round.min(record.rounds.len() - 2);
            record.rounds.swap(before, before + 1);
            (Code::RoundOrder, Some(Place::Round { round: record.rounds[before + 1].round }))
        }
        20 => {
            record.totals.left += 1;
            (Code::TotalsMismatch, field(FieldName::TotalsLeft))
        }
        21 => {
            // Earlier by more than two hands: somebody dealt on after the last hand.
            record.rules.white_card_from_back = Some(34);
            (Code::WhiteCardPassed, None)
        }
        22 => {
            record.rules.white_card_from_back = Some(0);
            (Code::WhiteCardNotReached, field(FieldName::End))
        }
        _ => unreachable!("there are {LIES} lies"),
    }
}

/// Another card at one place of one round.
fn plant_card(record: &mut ShoeRecord, choice: &mut ChaCha20Rng) -> Named {
    let round = below(choice, record.rounds.len());
    let before = &record.rounds[..round];
    let burn = usize::from(record.burn.unwrap().count);
    let out: usize = before.iter().map(|r| r.cards.len() + usize::from(r.burned)).sum();
    let round = &mut record.rounds[round];
    let place = below(choice, round.cards.len());
    let Seen::Face(card) = round.cards[place] else { unreachable!("all cards were seen") };
    let other = Card::from_index((card.index() + 1 + below(choice, 51)) % 52).unwrap();
    round.cards[place] = Seen::Face(other);
    let position = burn + out + usize::from(round.burned) + place + 1;
    let place = Place::Card { round: round.round, card: place + 1, position };
    (Code::CardMismatch, Some(place))
}

#[test]
fn every_planted_lie_is_named() {
    let named = RefCell::new(BTreeMap::<usize, usize>::new());
    let mut runner =
        TestRunner::new(Config { cases: 600, failure_persistence: None, ..Config::default() });
    let lies = (0..LIES, any::<[u8; 32]>(), 0_u8..8);
    let tried = runner.run(&lies, |(lie, choice, shoe)| {
        let mut record = whole_shoe(shoe);
        let (code, place) = plant(&mut record, lie, &mut ChaCha20Rng::from_seed(choice));
        let verdict = verify(&record);
        prop_assert_eq!(verdict.outcome, Outcome::Refuted);
        let wrong_cards = verdict.findings.iter().filter(|f| f.code == Code::CardMismatch).count();
        prop_assert!(wrong_cards <= MAX_FINDINGS_OF_A_CODE);
        let found = verdict.findings.iter().any(|finding| {
            finding.code == code && place.is_none_or(|place| finding.place == place)
        });
        prop_assert!(found, "lie {}: {:?}", lie, verdict.findings);
        *named.borrow_mut().entry(lie).or_default() += usize::from(found);
        Ok(())
    });
    tried.unwrap();
    for lie in 0..LIES {
        let count = named.borrow().get(&lie).copied().unwrap_or(0);
        assert!(count >= 3, "lie {lie} was named {count} times only");
    }
}

/// One altered card is one finding, with its place, what lay there and what is claimed.
#[test]
fn a_wrong_card_is_one_finding_with_its_place() {
    let mut record = whole_shoe(1);
    let mut choice = ChaCha20Rng::from_seed([1; 32]);
    let (code, place) = plant_card(&mut record, &mut choice);
    let verdict = verify(&record);
    assert_eq!(verdict.findings.len(), 1, "{:?}", verdict.findings);
    let finding = &verdict.findings[0];
    assert_eq!((finding.code, Some(finding.place)), (code, place));
    assert!(finding.expected != finding.got && finding.expected.len() == 2, "{finding}");
    let text = finding.to_string();
    assert!(text.starts_with("CARD_MISMATCH: round 10") && text.contains(", card "), "{text}");
}

/// Runs `change` on a true record and looks for the code.
fn check(name: &str, expected: &[Code], change: impl FnOnce(&mut ShoeRecord)) {
    let mut record = whole_shoe(2);
    change(&mut record);
    let codes = codes(&record);
    for code in expected {
        assert!(codes.contains(code), "{name}: {code} is not among {codes:?}");
    }
    assert_eq!(expected.is_empty(), codes.is_empty(), "{name}: {codes:?}");
}

#[test]
fn each_rule_of_the_form_is_checked() {
    check("nothing", &[], |_| {});
    check("version", &[Code::Version], |r| r.version = 2);
    check("no decks", &[Code::Decks], |r| r.rules.decks = 0);
    check("13 decks", &[Code::Decks], |r| r.rules.decks = 13);
    check("shoe 0", &[Code::ShoeNumber], |r| r.shoe = 0);
    check("first after one", &[Code::PreviousForm], |r| r.shoe = 1);
    check("later without", &[Code::PreviousForm], |r| r.previous = None);
    check("no order", &[Code::NotRevealed], |r| r.order = None);
    check("no salt", &[Code::NotRevealed], |r| r.salt = None);
    check("early", &[Code::RevealedEarly], |r| r.end = None);
    check("short", &[Code::OrderLength, Code::OrderCards], |r| {
        r.order.as_mut().unwrap().pop();
    });
    check("no cut", &[Code::CutMissing], |r| r.cut = None);
    check("no burn", &[Code::BurnMissing, Code::TotalsMismatch], |r| r.burn = None);
    check("not turned", &[Code::BurnNotShown], |r| r.burn.as_mut().unwrap().shown = None);
    check("not its end", &[Code::EndReason], |r| r.end = Some(End::CoupOver));
    check("late demo", &[Code::DemoLate], |r| r.rounds[9].kind = RoundKind::Demo);
    check("empty", &[Code::RoundEmpty], |r| r.rounds[9].cards.clear());
    check("face down", &[Code::CardUnseen], |r| r.rounds[9].cards[1] = Seen::Down);
    check("no white card", &[Code::WhiteCardRange], |r| r.rules.white_card_from_back = None);
    check("white card out", &[Code::WhiteCardRange], |r| {
        r.rules.white_card_from_back = Some(416);
    });
    check("too many rounds", &[Code::TooLong], |r| {
        r.rounds = vec![r.rounds[0].clone(); MAX_ROUNDS + 1];
    });
    check("too many cards", &[Code::TooLong], |r| {
        r.rounds[0].cards = vec![Seen::Down; 625];
    });
    check("huge counts", &[Code::ShoeExhausted, Code::BurnCount], |r| {
        r.burn.as_mut().unwrap().count = u16::MAX;
        r.rounds.iter_mut().for_each(|round| round.burned = u16::MAX);
        r.totals = Totals { burned: u32::MAX, dealt: u32::MAX, left: u32::MAX };
    });
    check("one card too often", &[Code::CardTooOften], |r| {
        let card = r.rounds[0].cards[0];
        r.rounds[1..5].iter_mut().flat_map(|round| &mut round.cards).for_each(|c| *c = card);
    });
}

/// A card that nobody saw is no lie in a round that did not count.
#[test]
fn a_voided_round_may_keep_its_cards_down() {
    check("down", &[], |r| r.rounds[5].cards[1] = Seen::Down);
    check("demo down", &[], |r| r.rounds[0].cards[1] = Seen::Down);
    let mut record = whole_shoe(3);
    assert_eq!(record.rounds[5].kind, RoundKind::Void);
    record.rounds[5].cards = vec![Seen::Down; record.rounds[5].cards.len()];
    let text = record.to_json();
    assert!(text.contains("\"?? ?? ?? ??"), "{text}");
    assert_eq!(ShoeRecord::parse(&text), Ok(record));
}

/// BAC-90, BAC-91: when the white card leaves one hand, one more, or none.
#[test]
fn the_last_hand_is_the_last() {
    // Two decks cut at 52: the white card comes after 92 cards.
    let hands = |last_hand, first_is_last, fillers: &[usize], more: usize| {
        let rules = ShoeRules {
            decks: 2,
            white_card_from_back: Some(12),
            last_hand,
            white_first_is_last: first_is_last,
            burn_new_shoe: BurnRule::None,
            burn_per_coup: 0,
            ..RULES
        };
        let mut dealing = Dealing::new(rules, ShoeId { table: 1, shoe: 1 }, None, 52);
        fillers.iter().for_each(|cards| dealing.round(RoundKind::Played, *cards));
        (0..more).for_each(|_| dealing.round(RoundKind::Played, 4));
        codes(&dealing.reveal(End::WhiteCard))
    };
    // After 90 cards it comes within the next hand, after 92 before it, after 88 at its end.
    let (within, before) = (&[60, 30][..], &[60, 32][..]);
    for (last_hand, first_is_last, fillers, most) in [
        (LastHand::Current, false, within, 1),
        (LastHand::Current, true, before, 1),
        (LastHand::OneMore, true, within, 2),
        (LastHand::OneMore, true, before, 1),
        (LastHand::OneMore, false, before, 2),
    ] {
        let named = format!("{last_hand:?}, first is last {first_is_last}, {fillers:?}");
        assert_eq!(hands(last_hand, first_is_last, fillers, most), [], "{named}");
        let late = hands(last_hand, first_is_last, fillers, most + 1);
        assert_eq!(late, [Code::WhiteCardPassed], "{named}");
    }
    assert_eq!(hands(LastHand::Current, false, &[60, 28], 0), [Code::WhiteCardNotReached]);
}

#[test]
fn a_shoe_in_play_and_a_lost_one_prove_nothing() {
    let mut dealing = Dealing::new(RULES, ID, Some(Commitment([9; 32])), 100);
    dealing.burn();
    dealing.round(RoundKind::Played, 5);
    let mut record = dealing.record.clone();
    let verdict = verify(&record);
    assert_eq!(verdict.outcome, Outcome::InPlay, "{:?}", verdict.findings);
    assert!(!verdict.is_proven());
    let text = record.to_json();
    assert!(text.contains("\"order\": null") && text.contains("\"salt\": null"), "{text}");

    record.end = Some(End::FileLost);
    let verdict = verify(&record);
    assert_eq!(verdict.outcome, Outcome::Unprovable, "{:?}", verdict.findings);
    record.totals.dealt += 1;
    assert_eq!(verify(&record).outcome, Outcome::Refuted);
}

/// A table that closes before the cut or the burn has a record too.
#[test]
fn a_shoe_may_end_at_any_step() {
    let fresh = || Dealing::new(RULES, ID, Some(Commitment([9; 32])), 100);
    let mut uncut = fresh();
    uncut.record.cut = None;
    let mut burned = fresh();
    burned.burn();
    for dealing in [uncut, fresh(), burned] {
        assert_eq!(codes(&dealing.reveal(End::TableClosed)), []);
    }
}

/// The four rules of BAC-25, and the turned card counted or not.
#[test]
fn the_burn_follows_its_rule() {
    for (rule, includes, first, count) in [
        (BurnRule::None, true, "9H", 0),
        (BurnRule::Decks, true, "9H", 8),
        (BurnRule::Fixed(3), true, "9H", 3),
        (BurnRule::FirstCardValue, true, "AH", 1),
        (BurnRule::FirstCardValue, true, "9H", 9),
        (BurnRule::FirstCardValue, true, "TH", 10),
        (BurnRule::FirstCardValue, false, "KS", 11),
        (BurnRule::FirstCardValue, false, "AS", 2),
    ] {
        let rules = ShoeRules { burn_new_shoe: rule, burn_includes_first: includes, ..RULES };
        assert_eq!(rules.burn_count(first.parse().unwrap()), count, "{rule} {first}");
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    for text in ["", "fixed", "fixed()", "fixed(03)", "fixed(+3)", "fixed(256)", "Decks", "none "] {
        assert!(text.parse::<BurnRule>().is_err(), "{text}");
    }
}

/// BAC-28: one coup from one shuffle, no cut, no burn, no white card.
#[test]
fn a_coup_of_a_continuous_shuffler_stands_alone() {
    let rules = ShoeRules {
        shuffle: ShuffleMode::Continuous,
        white_card_from_back: None,
        burn_new_shoe: BurnRule::None,
        burn_per_coup: 0,
        ..RULES
    };
    let coup = |shoe, previous| {
        let mut dealing = Dealing::new(rules, ShoeId { table: 4, shoe }, previous, 0);
        dealing.round(RoundKind::Played, 5);
        dealing.reveal(End::CoupOver)
    };
    let mut chain = vec![coup(1, None)];
    for shoe in 2..40 {
        chain.push(coup(shoe, Some(chain[chain.len() - 1].commitment)));
    }
    let verdict = verify_chain(&chain);
    assert!(verdict.is_proven(), "{verdict:?}");
    type Change = fn(&mut ShoeRecord);
    let wrong: [(FieldName, Change); 5] = [
        (FieldName::Cut, |r| r.cut = Some(Cut { by: CutBy::House, at: 52 })),
        (FieldName::Burn, |r| r.burn = Some(Burned { count: 1, shown: None })),
        (FieldName::WhiteCardFromBack, |r| r.rules.white_card_from_back = Some(12)),
        (FieldName::BurnPerCoup, |r| r.rules.burn_per_coup = 1),
        (FieldName::Rounds, |r| r.rounds.push(r.rounds[0].clone())),
    ];
    for (name, change) in wrong {
        let mut record = chain[0].clone();
        change(&mut record);
        let findings = verify(&record).findings;
        let place = Place::Field { name };
        let named = findings.iter().any(|f| f.code == Code::ContinuousForm && f.place == place);
        assert!(named, "{name:?}: {findings:?}");
    }
}

#[test]
fn a_single_deck_is_dealt_uncut() {
    let rules = ShoeRules {
        decks: 1,
        white_card_from_back: Some(12),
        burn_new_shoe: BurnRule::None,
        burn_per_coup: 0,
        ..RULES
    };
    let mut dealing = Dealing::new(rules, ShoeId { table: 4, shoe: 1 }, None, 0);
    dealing.round(RoundKind::Played, 5);
    let mut record = dealing.reveal(End::Pit);
    assert_eq!(codes(&record), []);
    record.cut = Some(Cut { by: CutBy::House, at: 20 });
    assert!(codes(&record).contains(&Code::CutRange));
}

#[test]
fn a_broken_chain_is_named_at_its_link() {
    let mut chain: Vec<ShoeRecord> = Vec::new();
    for shoe in 1..=5 {
        let previous = chain.last().map(|record| record.commitment);
        let mut dealing = Dealing::new(RULES, ShoeId { table: 3, shoe }, previous, 52);
        dealing.burn();
        dealing.round(RoundKind::Played, 6);
        chain.push(dealing.reveal(End::Pit));
    }
    assert!(verify_chain(&chain).is_proven());
    assert!(verify_chain(&chain[2..]).is_proven(), "a chain may be checked from any shoe on");
    assert!(!verify_chain(&[]).is_proven(), "no shoe proves nothing");

    let links = |chain: &[ShoeRecord]| -> Vec<(Code, Place)> {
        verify_chain(chain).links.iter().map(|finding| (finding.code, finding.place)).collect()
    };
    let place = |shoe| Place::Shoe { table: 3, shoe };
    let without = [&chain[..2], &chain[3..]].concat();
    assert_eq!(links(&without), [(Code::ChainShoe, place(4)), (Code::ChainLink, place(4))]);

    // A shoe shuffled again after its commitment: true by itself, but no link of this chain.
    let mut again = chain.clone();
    let mut dealing = Dealing::new(RULES, ShoeId { table: 3, shoe: 3 }, chain[2].previous, 53);
    dealing.burn();
    again[2] = dealing.reveal(End::Pit);
    assert!(verify(&again[2]).is_proven());
    assert_eq!(links(&again), [(Code::ChainLink, place(4))]);

    let mut moved = chain.clone();
    moved[1].table = 4;
    let codes: Vec<Code> = links(&moved).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, [Code::ChainTable, Code::ChainTable]);

    let long = vec![chain[0].clone(); MAX_CHAIN_RECORDS + 1];
    assert_eq!(links(&long), [(Code::TooLong, Place::Field { name: FieldName::Chain })]);
}

#[test]
fn a_text_that_is_no_record_is_refused_with_its_place() {
    let text = whole_shoe(4).to_json();
    let long = format!("{text}{}", " ".repeat(MAX_RECORD_BYTES));
    let first_order = text.find("\"order\": \"").unwrap() + "\"order\": \"".len();
    let mut no_card = text.clone();
    no_card.replace_range(first_order..first_order + 2, "1X");
    let cases = [
        ("", "RECORD_MALFORMED", ""),
        ("{}", "RECORD_MALFORMED", "missing field `version`"),
        ("[1, 2]", "RECORD_MALFORMED", ""),
        (&"[".repeat(100_000), "RECORD_MALFORMED", ""),
        (&text[..text.len() - 2], "RECORD_MALFORMED", ""),
        (&long, "RECORD_TOO_LONG", "262144"),
        (&text.replacen("\"version\": 1", "\"version\": 2", 1), "RECORD_VERSION", "got version 2"),
        (&no_card, "RECORD_MALFORMED", "card 1: `1X` is no card"),
        (&text.replacen("\"table\": 3", "\"table\": -3", 1), "RECORD_MALFORMED", "line 3"),
        (&text.replacen("\"table\"", "\"tables\"", 1), "RECORD_MALFORMED", "unknown field"),
        (&text.replacen("\"rng\"", "\"hand\"", 1), "RECORD_MALFORMED", "unknown variant `hand`"),
        (&text.replacen("\"burned\": 1", "\"burned\": 1.5", 1), "RECORD_MALFORMED", "1.5"),
        (&text.replacen("0909", "0G09", 1), "RECORD_MALFORMED", "hexadecimal"),
        (&text.replacen("white-card", "WHITE", 1), "RECORD_MALFORMED", "WHITE"),
        (
            &text.replacen("\"version\": 1", "\"version\": 1, \"version\": 1", 1),
            "RECORD_MALFORMED",
            "duplicate field",
        ),
    ];
    for (wrong, code, why) in cases {
        let error = ShoeRecord::parse(wrong).expect_err(why);
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(why), "{error} does not say {why}");
        assert!(error.to_string().len() < 400, "{error}");
    }
    let place = ShoeRecord::parse(&no_card).unwrap_err();
    assert!(matches!(place, NotARecord::Malformed { line: 18, .. }), "{place:?}");
}

/// Any byte of a record replaced by any other: refused or judged, never a stop.
#[test]
fn no_text_stops_the_check() {
    let text = whole_shoe(5).to_json();
    let (mut refused, mut judged) = (0, 0);
    let mut choice = ChaCha20Rng::from_seed([6; 32]);
    let letters: Vec<u8> = shuffled((32..127).collect(), &mut choice);
    for _ in 0..2_000 {
        let mut bytes = text.clone().into_bytes();
        // Half of the letters stay of their kind, so that some texts can still be read.
        let place = below(&mut choice, bytes.len());
        bytes[place] = match (bytes[place], below(&mut choice, 2)) {
            (b'0'..=b'9', 0) => b"0123456789"[below(&mut choice, 10)],
            (b'A' | b'C' | b'D' | b'H' | b'S', 0) => b"ACDHS"[below(&mut choice, 5)],
            _ => letters[below(&mut choice, letters.len())],
        };
        let wrong = String::from_utf8(bytes).expect("ASCII stays ASCII");
        match ShoeRecord::parse(&wrong) {
            Ok(record) => {
                assert!(verify(&record).findings.len() <= 20 * MAX_FINDINGS_OF_A_CODE);
                judged += 1;
            }
            Err(error) => {
                assert!(error.code().starts_with("RECORD_"));
                refused += 1;
            }
        }
    }
    assert!(refused > 200 && judged > 50, "{refused} refused, {judged} judged");
}

/// The worked example of docs/fairness.md is what this program computes.
#[test]
fn the_worked_example_for_players_is_true() {
    let page = include_str!("../../../docs/fairness.md");
    let block = |form: &str| {
        let start = page.split_once(&format!("```{form}\n")).expect("the page has the block").1;
        start.split_once("```").expect("the block ends").0
    };
    let text = block("text");
    let record = ShoeRecord::parse(block("json")).expect("the record on the page can be read");
    let shoe = ShuffledShoe::from_text(text).expect("the text on the page is canonical");
    assert_eq!(shoe.commitment(), record.commitment);
    assert_eq!(shoe.id(), record.id());
    assert_eq!(record.order.as_deref(), Some(shoe.order()));
    assert!(page.contains(&format!("SHA-256 of it is `{}`", record.commitment)));
    let verdict = verify(&record);
    assert!(verdict.is_proven(), "{:?}", verdict.findings);
    let shown = format!("{} cards compared, white card after", verdict.cards_compared);
    assert!(page.contains(&shown), "the page says another count than {shown}");
    for code in ["COMMITMENT_MISMATCH", "CARD_MISMATCH", "ORDER_CARDS", "ORDER_LOST"] {
        assert!(page.contains(code), "{code} is not explained");
    }
}
