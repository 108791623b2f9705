//! Rounds of baccarat: the cards of a line dealt one by one to the coup of every rule set.

use std::sync::{Arc, LazyLock};

use chips::Chips;
use games::baccarat::{Bet, Coup, Hand, Outcome, Rules, Side, Winner};
use games::{BetId, Card, Draw, Due, Ending, Expects, Owner, Payout, Round, RuleSet};
use games::{Seating, Wager};
use serde_json::{Map, Value, json};

use super::line::{differences, field, list, text, wrong_type};
use super::{Code, Fault};

/// The stake of every net amount: 100 chips.
const STAKE: Chips = Chips::new(100 * MINOR).expect("a hundred chips are an amount");
/// Smallest units in one chip.
const MINOR: u64 = 10u64.pow(chips::DECIMALS);
/// Most steps of a coup: six cards, their opening, insurance and burned cards.
const STEPS_MAX: usize = 64;

/// A rule set and the names that the vectors give to the bets whose net they know.
struct Preset {
    name: &'static str,
    rules: Arc<Rules>,
    bets: &'static [(&'static str, Bet)],
}

const MACAU: [(&str, Bet); 5] = [
    ("banker", Bet::Banker),
    ("player", Bet::Player),
    ("tie", Bet::Tie),
    ("player_pair", Bet::PlayerPair),
    ("banker_pair", Bet::BankerPair),
];
const LIVE: [(&str, Bet); 3] =
    [("banker", Bet::Banker), ("player", Bet::Player), ("tie", Bet::Tie)];
const NO_COMMISSION: [(&str, Bet); 8] = [
    ("banker", Bet::Banker),
    ("player", Bet::Player),
    ("tie", Bet::Tie),
    ("lucky_six", Bet::LuckySix),
    ("player_pair", Bet::PlayerPair),
    ("banker_pair", Bet::BankerPair),
    ("player_dragon", Bet::PlayerDragon),
    ("banker_dragon", Bet::BankerDragon),
];
const EZ: [(&str, Bet); 5] = [
    ("banker", Bet::Banker),
    ("player", Bet::Player),
    ("tie", Bet::Tie),
    ("dragon_7", Bet::DragonSeven),
    ("panda_8", Bet::PandaEight),
];
const EXTRA: [(&str, Bet); 20] = [
    ("either_pair", Bet::EitherPair),
    ("perfect_pair", Bet::PerfectPair),
    ("perfect_pair_flat", Bet::PerfectPairFlat),
    ("big", Bet::Big),
    ("small", Bet::Small),
    ("super_six", Bet::SuperSix),
    ("lucky_six_12_20", Bet::LuckySix),
    ("tie_9", Bet::Tie),
    ("player_dragon_std", Bet::PlayerDragon),
    ("banker_dragon_std", Bet::BankerDragon),
    ("egalite_0", Bet::Egalite(0)),
    ("egalite_1", Bet::Egalite(1)),
    ("egalite_2", Bet::Egalite(2)),
    ("egalite_3", Bet::Egalite(3)),
    ("egalite_4", Bet::Egalite(4)),
    ("egalite_5", Bet::Egalite(5)),
    ("egalite_6", Bet::Egalite(6)),
    ("egalite_7", Bet::Egalite(7)),
    ("egalite_8", Bet::Egalite(8)),
    ("egalite_9", Bet::Egalite(9)),
];

static PRESETS: LazyLock<[Preset; 5]> = LazyLock::new(|| {
    let preset = |name, text, bets| {
        let rules = RuleSet::parse(text).expect("a shipped rule set is valid");
        Preset { name, rules: Arc::clone(rules.baccarat()), bets }
    };
    [
        preset("macau", include_str!("../../../../rules/baccarat/macau.toml"), &MACAU),
        preset("live", include_str!("../../../../rules/baccarat/live.toml"), &LIVE),
        preset(
            "no-commission",
            include_str!("../../../../rules/baccarat/no-commission.toml"),
            &NO_COMMISSION,
        ),
        preset("ez", include_str!("../../../../rules/baccarat/ez.toml"), &EZ),
        preset("extra", include_str!("../../../../rules/baccarat/extra.toml"), &EXTRA),
    ]
});

/// Why cards are no coup. The JSON form is that of `baccarat_bad_rounds.jsonl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// A card is due, and none is left.
    NotEnough { have: usize, side: Side, nth: u8 },
    /// The coup is over, and cards are left.
    Extra { have: usize, used: usize },
}

impl Refusal {
    fn json(self) -> Value {
        match self {
            Refusal::NotEnough { have, side, nth } => {
                let needed_for = format!("{}_{nth}", side_name(side));
                json!({ "code": "not_enough_cards", "have": have, "needed_for": needed_for })
            }
            Refusal::Extra { have, used } => {
                json!({ "code": "extra_cards", "have": have, "used": used })
            }
        }
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Player => "player",
        Side::Banker => "banker",
    }
}

/// Deals `cards` to a coup. The coup says for whom each card is, and when it is over.
fn deal(mut coup: Coup, cards: &[Card]) -> Result<Coup, Refusal> {
    let have = cards.len();
    let mut left = cards.iter().copied();
    for _ in 0..STEPS_MAX {
        match coup.expects() {
            Expects::Bets => coup.close(&Seating::default()),
            Expects::Open { .. } | Expects::Insurance => coup.timeout(),
            Expects::Draw { due: Due::Burn { .. }, .. } => coup.draw(Draw::Unseen),
            Expects::Draw { due: Due::Card { side, nth, face_down }, .. } => {
                let card = left.next().ok_or(Refusal::NotEnough { have, side, nth })?;
                coup.draw(if face_down { Draw::FaceDown(card) } else { Draw::Card(card) });
            }
            Expects::Declaration if left.len() > 0 => {
                return Err(Refusal::Extra { have, used: have - left.len() });
            }
            Expects::Declaration => return Ok(coup),
            Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::ShoeChange
            | Expects::Draw { due: Due::Turned | Due::WhiteCard, .. } => break,
        }
    }
    unreachable!("a coup asks for cards and their opening, and ends")
}

/// Checks a line of `baccarat_rounds.jsonl`.
pub(super) fn check_round(line: &Value) -> Result<Vec<Fault>, Fault> {
    let texts = texts_of(line)?;
    let cards = match parse_cards(&texts) {
        Ok(cards) => cards,
        Err((place, text)) => {
            let path = format!("/cards/{place}");
            return Err(Fault::new(Code::UnknownValue, path, json!("a card"), json!(text)));
        }
    };
    let mut said = line.clone();
    let said_nets = said.as_object_mut().and_then(|fields| fields.remove("net"));
    let mut nets = Map::new();
    let mut found = Vec::new();
    for preset in PRESETS.iter() {
        let coup = deal(Coup::new(Arc::clone(&preset.rules)), &cards).map_err(|refusal| {
            Fault::new(Code::NotACoup, "/cards", json!("a complete coup"), refusal.json())
        })?;
        let computed = whole_line(line, &texts, facts(&coup))?;
        add(&mut found, differences("", &said, &computed));
        nets.insert(preset.name.to_owned(), preset.nets(&cards));
    }
    let nets = Value::Object(nets);
    match said_nets {
        Some(said) => add(&mut found, differences("/net", &said, &nets)),
        None => found.push(Fault::new(Code::MissingField, "/net", Value::Null, nets)),
    }
    Ok(found)
}

/// Checks a line of `baccarat_bad_rounds.jsonl`.
pub(super) fn check_bad_round(line: &Value) -> Result<Vec<Fault>, Fault> {
    const CODES: [&str; 3] = ["invalid_card", "not_enough_cards", "extra_cards"];
    let texts = texts_of(line)?;
    let code = text(field(line, "", "error")?, "/error", "code")?;
    if !CODES.contains(&code) {
        return Err(Fault::new(Code::UnknownValue, "/error/code", json!(CODES), json!(code)));
    }
    let mut found = Vec::new();
    for preset in PRESETS.iter() {
        let error = match parse_cards(&texts) {
            Err((index, card)) => json!({ "code": CODES[0], "index": index, "card": card }),
            Ok(cards) => match deal(Coup::new(Arc::clone(&preset.rules)), &cards) {
                Err(refusal) => refusal.json(),
                Ok(_) => Value::Null,
            },
        };
        let computed = whole_line(line, &texts, json!({ "error": error }))?;
        add(&mut found, differences("", line, &computed));
    }
    Ok(found)
}

/// Adds what was not found yet: rule sets that agree tell everything once.
fn add(found: &mut Vec<Fault>, more: Vec<Fault>) {
    for fault in more {
        if !found.contains(&fault) {
            found.push(fault);
        }
    }
}

/// The texts of a line's cards, whatever they say.
fn texts_of(line: &Value) -> Result<Vec<&str>, Fault> {
    let mut texts = Vec::new();
    for (place, card) in list(line, "", "cards")?.iter().enumerate() {
        let text = card.as_str();
        texts.push(text.ok_or_else(|| wrong_type(format!("/cards/{place}"), "a text", card))?);
    }
    Ok(texts)
}

/// The cards, or the place and text of the first that is none.
fn parse_cards<'a>(texts: &[&'a str]) -> Result<Vec<Card>, (usize, &'a str)> {
    let card = |(place, text): (usize, &&'a str)| text.parse().map_err(|_| (place, *text));
    texts.iter().enumerate().map(card).collect()
}

/// What was computed, with the fields that are taken over as they are.
fn whole_line(line: &Value, texts: &[&str], mut computed: Value) -> Result<Value, Fault> {
    computed["id"] = json!(text(line, "", "id")?);
    computed["why"] = json!(text(line, "", "why")?);
    computed["cards"] = json!(texts);
    Ok(computed)
}

/// Every field of a finished coup but the money.
fn facts(coup: &Coup) -> Value {
    let [player, banker] = Side::BOTH.map(|side| coup.hand(side));
    let outcome = Outcome::of(player, banker);
    let cards = |hand: &Hand| hand.cards().collect::<Vec<Card>>();
    json!({
        "player": cards(player),
        "banker": cards(banker),
        "p2": player.two_card_total(),
        "b2": banker.two_card_total(),
        "p3": player.third(),
        "b3": banker.third(),
        "pt": outcome.player_total,
        "bt": outcome.banker_total,
        "outcome": winner_letter(outcome.winner).to_string(),
        "pn": outcome.player_natural,
        "bn": outcome.banker_natural,
        "pp": outcome.player_pair,
        "bp": outcome.banker_pair,
        "ppp": player.is_perfect_pair(),
        "bpp": banker.is_perfect_pair(),
    })
}

/// The letter of a winner in the vectors.
pub(super) fn winner_letter(winner: Winner) -> char {
    match winner {
        Winner::Banker => 'B',
        Winner::Player => 'P',
        Winner::Tie => 'T',
    }
}

impl Preset {
    /// What each bet wins at [`STAKE`], each settled by itself.
    fn nets(&self, cards: &[Card]) -> Value {
        let net = |(name, bet): &(&str, Bet)| ((*name).to_owned(), json!(self.net(*bet, cards)));
        self.bets.iter().map(net).collect::<Map<_, _>>().into()
    }

    fn net(&self, on: Bet, cards: &[Card]) -> String {
        let mut coup = Coup::new(Arc::clone(&self.rules));
        let (id, owner) = (BetId(1), Owner(1));
        coup.place(Wager { id, owner, on, stake: STAKE, carried_from: None });
        let coup = deal(coup, cards).expect("the same cards were a coup before");
        let settlement = coup.settlement().expect("the coup is over");
        net_of(settlement.payouts.first().expect("one payout for one bet"))
    }
}

/// The result without the stake as an exact decimal. A stake that is carried is neither won nor
/// lost.
fn net_of(payout: &Payout<Bet>) -> String {
    let kept = payout.winnings.saturating_sub(payout.commission);
    match payout.ending {
        Ending::Won => decimal(kept),
        Ending::Pushed | Ending::Carried => decimal(Chips::ZERO),
        Ending::Lost => format!("-{}", decimal(payout.wager.stake)),
    }
}

fn decimal(chips: Chips) -> String {
    let text = chips.to_string();
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BAC-70: no net of the vectors is rounded.
    #[test]
    fn the_stake_is_paid_exactly_at_every_rule_set() {
        for preset in PRESETS.iter() {
            for (name, bet) in preset.bets {
                assert!(preset.rules.offers(*bet), "{} {name}", preset.name);
                let step = preset.rules.exact_step(*bet);
                assert!(STAKE.is_multiple_of(step), "{} {name}", preset.name);
            }
        }
    }

    #[test]
    fn amounts_are_written_as_short_decimals() {
        for (minor, text) in [(0, "0"), (9_500, "95"), (5_050, "50.5"), (1, "0.01"), (100, "1")] {
            assert_eq!(decimal(Chips::new(minor).unwrap()), text);
        }
    }
}
