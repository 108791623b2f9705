//! The check of a shoe record: everything is computed again from the record alone.

use std::fmt;

use games::Card;
use serde::{Deserialize, Serialize};

use super::commitment::{card_after_cut, commitment_of, copies};
use super::{
    BurnRule, Cut, End, LastHand, MAX_CARDS, MAX_CHAIN_RECORDS, MAX_DECKS, MAX_FINDINGS_OF_A_CODE,
    MAX_ROUNDS, RecordedRound, RoundKind, Seen, ShoeId, ShoeRecord, ShuffleMode, VERSION,
    cut_range, seal_text,
};

/// What is wrong with a record. The text form is stable: `COMMITMENT_MISMATCH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The version is not the one that this program checks.
    Version,
    /// The count of decks is out of bounds.
    Decks,
    /// A list is longer than any true record's.
    TooLong,
    /// The order is not revealed yet: the shoe is in play.
    InPlay,
    /// The order was never revealed because the house lost its file.
    OrderLost,
    /// Order or salt are missing from a finished shoe.
    NotRevealed,
    /// Order or salt are shown while the shoe is in play (OPS-69).
    RevealedEarly,
    /// The order and salt do not give the published hash.
    CommitmentMismatch,
    /// The order has more or fewer cards than the decks.
    OrderLength,
    /// A card is in the order more or less often than in the decks.
    OrderCards,
    /// Cards came out of a shoe that nobody cut.
    CutMissing,
    /// The cut is nearer than one deck to an end (BAC-21).
    CutRange,
    /// A continuous shuffler has no cut, burn, white card or second coup (BAC-28).
    ContinuousForm,
    /// Rounds were dealt before the new shoe's burn (BAC-20).
    BurnMissing,
    /// The burn is not what the rule says (BAC-25).
    BurnCount,
    /// The rule turns the first card, and it was not shown.
    BurnNotShown,
    /// A coup burned another number of cards than the rule says (BAC-26).
    CoupBurn,
    /// A round's number is not greater than the one before.
    RoundOrder,
    /// A demonstration after a round with bets (BAC-27).
    DemoLate,
    /// A round that counted has no card.
    RoundEmpty,
    /// A round that counted has a card that nobody saw.
    CardUnseen,
    /// The card dealt is not the card at that place of the order.
    CardMismatch,
    /// A card came out more often than the decks hold it.
    CardTooOften,
    /// More cards came out than the shoe held.
    ShoeExhausted,
    /// The white card lies outside the shoe, or is missing.
    WhiteCardRange,
    /// The shoe ended for the white card, which had not come.
    WhiteCardNotReached,
    /// The shoe went on after its last hand (BAC-91).
    WhiteCardPassed,
    /// The totals are not the sums of the record.
    TotalsMismatch,
    /// The reason of the end does not fit the shuffle.
    EndReason,
    /// A shoe number that cannot be: they start at 1.
    ShoeNumber,
    /// A later shoe without, or a first shoe with, a commitment before it.
    PreviousForm,
    /// The record is of another table than the one before it.
    ChainTable,
    /// The shoe's number does not follow the one before it.
    ChainShoe,
    /// The commitment named as previous is not that of the shoe before.
    ChainLink,
}

/// Where in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "kebab-case")]
pub enum Place {
    /// A field of the record.
    Field {
        /// Its name.
        name: FieldName,
    },
    /// A round.
    Round {
        /// The round's number.
        round: u64,
    },
    /// A card that was dealt.
    Card {
        /// The round's number.
        round: u64,
        /// The card within the round, from 1.
        card: usize,
        /// The place in the shoe after the cut, from 1, burned cards counted.
        position: usize,
    },
    /// The turned card of the burn.
    BurnShown,
    /// A shoe of a chain.
    Shoe {
        /// The table's number.
        table: u32,
        /// The shoe's number.
        shoe: u32,
    },
}

/// The fields that a finding can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum FieldName {
    Version,
    Decks,
    WhiteCardFromBack,
    BurnPerCoup,
    Shoe,
    Previous,
    Commitment,
    Order,
    Salt,
    Cut,
    Burn,
    Rounds,
    TotalsBurned,
    TotalsDealt,
    TotalsLeft,
    End,
    Chain,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Field { name } => f.write_str(&word(name)),
            Place::Round { round } => write!(f, "round {round}"),
            Place::Card { round, card, position } => {
                write!(f, "round {round}, card {card} (position {position} after the cut)")
            }
            Place::BurnShown => f.write_str("the turned card of the burn"),
            Place::Shoe { table, shoe } => {
                write!(f, "{}", ShoeId { table: *table, shoe: *shoe })
            }
        }
    }
}

/// The text form of a plain enum, as serde writes it.
fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(other) => other.to_string(),
        Err(why) => why.to_string(),
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&word(self))
    }
}

/// One thing that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What is wrong.
    pub code: Code,
    /// Where.
    pub place: Place,
    /// What a true record says there.
    pub expected: String,
    /// What this one says.
    pub got: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { code, place, expected, got } = self;
        write!(f, "{code}: {place}: expected {expected}, got {got}")
    }
}

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Everything was computed again and agrees.
    Proven,
    /// The shoe is in play: nothing is wrong, nothing is proven yet.
    InPlay,
    /// The house lost its file: the order cannot be shown; what was dealt is possible.
    Unprovable,
    /// Something is wrong.
    Refuted,
}

/// The result of checking one record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The table's number.
    pub table: u32,
    /// The shoe's number.
    pub shoe: u32,
    /// The judgement; only [`Outcome::Proven`] proves anything.
    pub outcome: Outcome,
    /// What is wrong, in the order of the record; at most
    /// [`MAX_FINDINGS_OF_A_CODE`] of each code.
    pub findings: Vec<Finding>,
    /// How many findings more there are.
    pub more: usize,
    /// How many cards were compared with the order.
    pub cards_compared: usize,
    /// After how many cards the white card came; absent with `continuous`.
    pub white_card_after: Option<usize>,
}

impl Verdict {
    /// True if everything agrees.
    pub fn is_proven(&self) -> bool {
        self.outcome == Outcome::Proven
    }
}

/// The result of checking several shoes in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainVerdict {
    /// Each shoe by itself.
    pub shoes: Vec<Verdict>,
    /// What is wrong between one shoe and the next; at most
    /// [`MAX_FINDINGS_OF_A_CODE`] of each code.
    pub links: Vec<Finding>,
    /// How many findings more there are between shoes.
    pub more: usize,
}

impl ChainVerdict {
    /// True if there is a shoe, each is proven and each follows the one before.
    pub fn is_proven(&self) -> bool {
        !self.shoes.is_empty() && self.links.is_empty() && self.shoes.iter().all(Verdict::is_proven)
    }
}

/// Checks one record by itself.
///
/// It computes the hash again, counts the cards of the order, cuts it, and lays what was burned
/// and dealt beside it, card for card; then the rules of cut, burn and white card, the totals and
/// the form. Any record gets a verdict; none makes it stop.
pub fn verify(record: &ShoeRecord) -> Verdict {
    let mut check = Check { record, findings: Findings::default(), cards_compared: 0 };
    if check.bounds() {
        check.identity();
        check.reveal();
        check.form();
        check.rounds();
        check.cards();
        check.white_card();
        check.totals();
    }
    check.verdict()
}

/// Checks records of one table that follow each other, oldest first, and the links between them.
pub fn verify_chain(records: &[ShoeRecord]) -> ChainVerdict {
    let mut links = Findings::default();
    if records.len() > MAX_CHAIN_RECORDS {
        let most = format!("at most {MAX_CHAIN_RECORDS} shoes");
        links.add(Code::TooLong, field(FieldName::Chain), most, records.len());
        return ChainVerdict { shoes: Vec::new(), links: links.list, more: links.more };
    }
    for pair in records.windows(2) {
        let [before, after] = pair else { continue };
        let place = Place::Shoe { table: after.table, shoe: after.shoe };
        if after.table != before.table {
            links.add(Code::ChainTable, place, before.table, after.table);
        }
        let next = u64::from(before.shoe) + 1;
        if u64::from(after.shoe) != next {
            links.add(Code::ChainShoe, place, next, after.shoe);
        }
        if after.previous != Some(before.commitment) {
            let got = after.previous.map_or("none".to_owned(), |previous| previous.to_string());
            links.add(Code::ChainLink, place, before.commitment, got);
        }
    }
    let shoes = records.iter().map(verify).collect();
    ChainVerdict { shoes, links: links.list, more: links.more }
}

fn field(name: FieldName) -> Place {
    Place::Field { name }
}

/// Findings up to their bound.
#[derive(Default)]
struct Findings {
    list: Vec<Finding>,
    more: usize,
}

impl Findings {
    fn add(
        &mut self,
        code: Code,
        place: Place,
        expected: impl fmt::Display,
        got: impl fmt::Display,
    ) {
        let listed = self.list.iter().filter(|finding| finding.code == code).count();
        if listed == MAX_FINDINGS_OF_A_CODE {
            self.more += 1;
            return;
        }
        let (expected, got) = (expected.to_string(), got.to_string());
        self.list.push(Finding { code, place, expected, got });
    }
}

/// One record under the lamp.
struct Check<'a> {
    record: &'a ShoeRecord,
    findings: Findings,
    cards_compared: usize,
}

impl Check<'_> {
    /// True if the record is small enough and of a kind that the other checks can read.
    fn bounds(&mut self) -> bool {
        let record = self.record;
        if record.version != VERSION {
            self.findings.add(Code::Version, field(FieldName::Version), VERSION, record.version);
        }
        let decks = record.rules.decks;
        if decks == 0 || decks > MAX_DECKS {
            let expected = format!("1 to {MAX_DECKS}");
            self.findings.add(Code::Decks, field(FieldName::Decks), expected, decks);
        }
        let dealt: usize = record.rounds.iter().map(|round| round.cards.len()).sum();
        for (name, most, got) in [
            (FieldName::Order, MAX_CARDS, record.order.as_ref().map_or(0, Vec::len)),
            (FieldName::Rounds, MAX_ROUNDS, record.rounds.len()),
            (FieldName::TotalsDealt, MAX_CARDS, dealt),
        ] {
            if got > most {
                self.findings.add(Code::TooLong, field(name), format!("at most {most}"), got);
            }
        }
        self.findings.list.is_empty()
    }

    /// The shoe's number and its place in the chain.
    fn identity(&mut self) {
        let record = self.record;
        let place = field(FieldName::Previous);
        match (record.shoe, &record.previous) {
            (0, _) => {
                self.findings.add(Code::ShoeNumber, field(FieldName::Shoe), "1 or more", 0);
            }
            (1, Some(previous)) => self.findings.add(Code::PreviousForm, place, "none", previous),
            (2.., None) => self.findings.add(Code::PreviousForm, place, "a commitment", "none"),
            (1, None) | (2.., Some(_)) => {}
        }
    }

    /// Order and salt: shown when they must be, whole, and true to the commitment.
    fn reveal(&mut self) {
        let record = self.record;
        if record.end.is_none() {
            for (name, shown) in [
                (FieldName::Order, record.order.is_some()),
                (FieldName::Salt, record.salt.is_some()),
            ] {
                if shown {
                    self.findings.add(Code::RevealedEarly, field(name), "nothing yet", "shown");
                }
            }
        }
        let (Some(order), Some(salt)) = (&record.order, &record.salt) else {
            let code = match record.end {
                None => Code::InPlay,
                Some(End::FileLost) => Code::OrderLost,
                Some(
                    End::WhiteCard | End::CoupOver | End::Pit | End::TableClosed | End::Exhausted,
                ) => Code::NotRevealed,
            };
            let name = if record.order.is_none() { FieldName::Order } else { FieldName::Salt };
            self.findings.add(code, field(name), "the order and its salt", "nothing");
            return self.order_cards();
        };
        let rules = &record.rules;
        let text = seal_text(record.id(), record.previous, rules.decks, rules.shuffle, order, salt);
        let hash = commitment_of(&text);
        if hash != record.commitment {
            let place = field(FieldName::Commitment);
            self.findings.add(Code::CommitmentMismatch, place, hash, record.commitment);
        }
        self.order_cards();
    }

    /// The order holds exactly the cards of the decks.
    fn order_cards(&mut self) {
        let Some(order) = &self.record.order else { return };
        let place = field(FieldName::Order);
        let cards = self.record.rules.cards();
        if order.len() != usize::from(cards) {
            let (expected, got) = (format!("{cards} cards"), order.len());
            self.findings.add(Code::OrderLength, place, expected, got);
        }
        let decks = self.record.rules.decks;
        for (card, got) in Card::deck().zip(copies(order.iter().copied())) {
            if got != usize::from(decks) {
                let expected = format!("{card} {decks} times");
                self.findings.add(Code::OrderCards, place, expected, format!("{got} times"));
            }
        }
    }

    /// Cut, burn and end have the form that the shuffle demands.
    fn form(&mut self) {
        match self.record.rules.shuffle {
            ShuffleMode::Rng => {
                self.cut();
                self.burn();
            }
            ShuffleMode::Continuous => self.continuous(),
        }
        let fits = match (self.record.end, self.record.rules.shuffle) {
            (Some(End::WhiteCard), ShuffleMode::Continuous)
            | (Some(End::CoupOver), ShuffleMode::Rng) => false,
            (
                None
                | Some(
                    End::WhiteCard
                    | End::CoupOver
                    | End::Pit
                    | End::TableClosed
                    | End::Exhausted
                    | End::FileLost,
                ),
                ShuffleMode::Rng | ShuffleMode::Continuous,
            ) => true,
        };
        if let (Some(end), false) = (self.record.end, fits) {
            let expected = format!("an end that fits {}", self.record.rules.shuffle.word());
            self.findings.add(Code::EndReason, field(FieldName::End), expected, end.word());
        }
    }

    /// The cut lies where the rule allows one (BAC-21).
    fn cut(&mut self) {
        let record = self.record;
        let place = field(FieldName::Cut);
        let some_came = record.burn.is_some() || !record.rounds.is_empty();
        match (cut_range(record.rules.decks), record.cut) {
            (Some(range), Some(Cut { at, .. })) if !range.contains(&at) => {
                let expected = format!("{} to {}", range.start(), range.end());
                self.findings.add(Code::CutRange, place, expected, at);
            }
            (Some(_), None) if some_came => {
                self.findings.add(Code::CutMissing, place, "a cut", "none");
            }
            (None, Some(Cut { at, .. })) => {
                self.findings.add(Code::CutRange, place, "no cut of a single deck", at);
            }
            (Some(_), Some(_) | None) | (None, None) => {}
        }
    }

    /// The burn of the new shoe is the rule's (BAC-25).
    fn burn(&mut self) {
        let (record, rules) = (self.record, &self.record.rules);
        let place = field(FieldName::Burn);
        let Some(burn) = record.burn else {
            if rules.burn_new_shoe != BurnRule::None && !record.rounds.is_empty() {
                self.findings.add(Code::BurnMissing, place, rules.burn_new_shoe, "no burn");
            }
            return;
        };
        let first = burn.shown.or_else(|| self.card_at(0));
        if let Some(expected) = first.map(|first| rules.burn_count(first))
            && expected != burn.count
        {
            self.findings.add(Code::BurnCount, place, expected, burn.count);
        }
        if rules.burn_new_shoe == BurnRule::FirstCardValue && burn.shown.is_none() {
            self.findings.add(Code::BurnNotShown, Place::BurnShown, "its face", "nothing");
        }
    }

    /// A coup of a continuous shuffler stands alone (BAC-28).
    fn continuous(&mut self) {
        let record = self.record;
        let rounds = record.rounds.len();
        for (name, wrong, expected) in [
            (FieldName::Cut, record.cut.is_some(), "no cut"),
            (FieldName::Burn, record.burn.is_some_and(|burn| burn.count > 0), "no burn"),
            (FieldName::WhiteCardFromBack, record.rules.white_card_from_back.is_some(), "none"),
            (FieldName::BurnPerCoup, record.rules.burn_per_coup > 0, "0"),
            (FieldName::Rounds, rounds > 1, "one coup"),
        ] {
            if wrong {
                self.findings.add(Code::ContinuousForm, field(name), expected, "it");
            }
        }
    }

    /// Numbers, kinds and burns of the rounds.
    fn rounds(&mut self) {
        let mut before: Option<&RecordedRound> = None;
        let mut bets_seen = false;
        for round in &self.record.rounds {
            let place = Place::Round { round: round.round };
            if let Some(before) = before.filter(|before| before.round >= round.round) {
                let expected = format!("more than {}", before.round);
                self.findings.add(Code::RoundOrder, place, expected, round.round);
            }
            before = Some(round);
            match round.kind {
                RoundKind::Played => bets_seen = true,
                RoundKind::Void => {}
                RoundKind::Demo if bets_seen => {
                    let expected = "demonstrations before the first round with bets";
                    self.findings.add(Code::DemoLate, place, expected, "one after it");
                }
                RoundKind::Demo => {}
            }
            self.round_cards(round, place);
        }
    }

    /// What one round burned, and that it showed its cards.
    fn round_cards(&mut self, round: &RecordedRound, place: Place) {
        let rule = u16::from(self.record.rules.burn_per_coup);
        let counted = match round.kind {
            RoundKind::Played => true,
            RoundKind::Void | RoundKind::Demo => false,
        };
        // A round that was broken off may have stopped before its burn; one with cards has not.
        let burn_is_right = if counted || !round.cards.is_empty() {
            round.burned == rule
        } else {
            round.burned <= rule
        };
        if !burn_is_right {
            self.findings.add(Code::CoupBurn, place, rule, round.burned);
        }
        if counted && round.cards.is_empty() {
            self.findings.add(Code::RoundEmpty, place, "cards", "none");
        }
        if counted && let Some(down) = round.cards.iter().position(|card| *card == Seen::Down) {
            let got = format!("card {} face down", down + 1);
            self.findings.add(Code::CardUnseen, place, "every card open", got);
        }
    }

    /// Lays every card that was seen beside the order, in the order in which they came.
    fn cards(&mut self) {
        let (record, size) = (self.record, usize::from(self.record.rules.cards()));
        let mut seen = [0_usize; 52];
        let mut position = 0_usize;
        if let Some(burn) = record.burn {
            if let Some(shown) = burn.shown {
                self.compare(shown, position, Place::BurnShown, &mut seen);
            }
            position += usize::from(burn.count);
        }
        for round in &record.rounds {
            position += usize::from(round.burned);
            for (index, card) in round.cards.iter().enumerate() {
                let (card_number, number) = (index + 1, position + 1);
                let place = Place::Card { round: round.round, card: card_number, position: number };
                match card {
                    Seen::Face(card) => self.compare(*card, position, place, &mut seen),
                    Seen::Down => {}
                }
                position += 1;
            }
        }
        if position > size {
            let expected = format!("at most {size} cards");
            self.findings.add(Code::ShoeExhausted, field(FieldName::Rounds), expected, position);
        }
        let decks = usize::from(record.rules.decks);
        for (card, got) in Card::deck().zip(seen) {
            if got > decks {
                let expected = format!("{card} at most {decks} times");
                let got = format!("{got} times");
                self.findings.add(Code::CardTooOften, field(FieldName::Rounds), expected, got);
            }
        }
    }

    fn compare(&mut self, card: Card, position: usize, place: Place, seen: &mut [usize; 52]) {
        seen[card.index()] += 1;
        let Some(expected) = self.card_at(position) else { return };
        self.cards_compared += 1;
        if expected != card {
            self.findings.add(Code::CardMismatch, place, expected, card);
        }
    }

    /// The card at a position after the cut, if order and cut are known.
    fn card_at(&self, position: usize) -> Option<Card> {
        let order = self.record.order.as_deref()?;
        let cut = match (self.record.cut, self.record.rules.shuffle) {
            (Some(cut), ShuffleMode::Rng | ShuffleMode::Continuous) => cut.at,
            (None, ShuffleMode::Continuous) => 0,
            (None, ShuffleMode::Rng) if cut_range(self.record.rules.decks).is_none() => 0,
            (None, ShuffleMode::Rng) => return None,
        };
        card_after_cut(order, usize::from(cut), position)
    }

    /// How many cards come before the white card (BAC-23).
    fn white_card_after(&self) -> Option<usize> {
        let behind = self.record.rules.white_card_from_back?;
        self.record.rules.cards().checked_sub(behind).map(usize::from)
    }

    /// The shoe ended neither before the white card, if that is the reason, nor late after it.
    fn white_card(&mut self) {
        let (record, rules) = (self.record, &self.record.rules);
        match rules.shuffle {
            ShuffleMode::Continuous => return,
            ShuffleMode::Rng => {}
        }
        let place = field(FieldName::WhiteCardFromBack);
        let Some(white) = self.white_card_after().filter(|white| *white > 0) else {
            let expected = format!("fewer than {} cards behind it", rules.cards());
            let got = rules.white_card_from_back.map_or("none".to_owned(), |w| w.to_string());
            return self.findings.add(Code::WhiteCardRange, place, expected, got);
        };
        let mut out = record.burn.map_or(0, |burn| usize::from(burn.count));
        let mut allowed: Option<usize> = None;
        for round in &record.rounds {
            let start = out;
            out += usize::from(round.burned) + round.cards.len();
            // The white card has come before this round, or comes within it (BAC-90).
            if allowed.is_none() && out > white {
                let comes_first = start >= white;
                allowed = Some(match rules.last_hand {
                    LastHand::Current => 1,
                    LastHand::OneMore if comes_first && rules.white_first_is_last => 1,
                    LastHand::OneMore => 2,
                });
            }
            let (Some(left), RoundKind::Played) = (allowed, round.kind) else { continue };
            match left.checked_sub(1) {
                Some(left) => allowed = Some(left),
                None => {
                    let place = Place::Round { round: round.round };
                    let expected =
                        format!("no hand after the last, white card after {white} cards");
                    return self.findings.add(Code::WhiteCardPassed, place, expected, "one more");
                }
            }
        }
        if record.end == Some(End::WhiteCard) && out < white {
            let expected = format!("the white card after {white} cards");
            self.findings.add(Code::WhiteCardNotReached, field(FieldName::End), expected, out);
        }
    }

    /// The totals are the sums of the record.
    fn totals(&mut self) {
        let record = self.record;
        let coups: u32 = record.rounds.iter().map(|round| u32::from(round.burned)).sum();
        let burned = coups + record.burn.map_or(0, |burn| u32::from(burn.count));
        let mut dealt = 0_u32;
        for _ in record.rounds.iter().flat_map(|round| &round.cards) {
            dealt += 1;
        }
        let left = u32::from(record.rules.cards()).saturating_sub(burned.saturating_add(dealt));
        for (name, expected, got) in [
            (FieldName::TotalsBurned, burned, record.totals.burned),
            (FieldName::TotalsDealt, dealt, record.totals.dealt),
            (FieldName::TotalsLeft, left, record.totals.left),
        ] {
            if expected != got {
                self.findings.add(Code::TotalsMismatch, field(name), expected, got);
            }
        }
    }

    fn verdict(self) -> Verdict {
        let only = |code| self.findings.list.iter().all(|finding| finding.code == code);
        let outcome = if self.findings.list.is_empty() {
            Outcome::Proven
        } else if only(Code::InPlay) {
            Outcome::InPlay
        } else if only(Code::OrderLost) {
            Outcome::Unprovable
        } else {
            Outcome::Refuted
        };
        Verdict {
            table: self.record.table,
            shoe: self.record.shoe,
            outcome,
            white_card_after: self.white_card_after(),
            cards_compared: self.cards_compared,
            more: self.findings.more,
            findings: self.findings.list,
        }
    }
}
