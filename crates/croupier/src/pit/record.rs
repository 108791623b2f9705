//! The record of a shoe, read off a table's log: what the proof of fairness is checked against.

use games::baccarat::{Burn, LastHand, ShoeEnd, ShuffleMode};
use games::{Draw, RuleSet, Step};
use ledger::TableId;
use table::{Actor, Event};

use crate::proof::{
    self, BurnRule, Burned, Commitment, Cut, CutBy, End, RecordedRound, RoundKind, Seen,
    ShoeRecord, ShoeRules, ShuffledShoe, Totals,
};

/// What the log tells of one shoe, as far as everybody may know it: a card that was not opened
/// stays down.
///
/// `None` if the log never committed to such a shoe.
pub fn shoe_record<'a>(
    table: TableId,
    shoe: u32,
    events: impl IntoIterator<Item = &'a Event>,
) -> Option<ShoeRecord> {
    let mut reading = Reading::new();
    for event in events {
        reading.read(shoe, event);
    }
    reading.finish(table, shoe)
}

/// Puts the robot's order and salt into the record of a finished shoe.
pub fn reveal(mut record: ShoeRecord, order: &ShuffledShoe) -> ShoeRecord {
    record.order = Some(order.order().to_vec());
    record.salt = Some(order.salt());
    record
}

/// What was read so far.
struct Reading {
    rules: Option<RuleSet>,
    waiting: Option<RuleSet>,
    /// Inside the shoe that is asked for.
    inside: bool,
    over: bool,
    continuous: bool,
    facts: Option<ShoeRules>,
    commitment: Option<Commitment>,
    previous: Option<Commitment>,
    cut: Option<Cut>,
    burn: Burned,
    rounds: Vec<RecordedRound>,
    /// How many of the last round's cards lie open.
    opened: Vec<bool>,
    open: bool,
    end: Option<End>,
    burned: u32,
    dealt: u32,
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a record reads a few kinds of event")]
impl Reading {
    fn new() -> Reading {
        Reading {
            rules: None,
            waiting: None,
            inside: false,
            over: false,
            continuous: false,
            facts: None,
            commitment: None,
            previous: None,
            cut: None,
            burn: Burned { count: 0, shown: None },
            rounds: Vec::new(),
            opened: Vec::new(),
            open: false,
            end: None,
            burned: 0,
            dealt: 0,
        }
    }

    fn read(&mut self, shoe: u32, event: &Event) {
        match event {
            Event::Configured { text, .. } => {
                let rules = RuleSet::parse(text).ok();
                if self.rules.is_none() { self.rules = rules } else { self.waiting = rules }
            }
            Event::ShoeBegun { shoe: number, .. } => {
                self.rules = self.waiting.take().or(self.rules.take());
                self.continuous = self
                    .rules
                    .as_ref()
                    .is_some_and(|r| r.baccarat().shuffle_mode == ShuffleMode::Continuous);
                self.inside = !self.continuous && *number == shoe && !self.over;
            }
            Event::Committed { shoe: number, commitment, previous } if *number == shoe => {
                self.inside = true;
                self.facts = self.rules.as_ref().and_then(facts);
                self.commitment = commitment.parse().ok();
                self.previous = previous.as_ref().and_then(|p| p.parse().ok());
            }
            Event::ShoeEnded { shoe: number, reason } if *number == shoe && self.inside => {
                self.end = Some(end(*reason));
                (self.inside, self.over) = (false, true);
            }
            _ if self.inside => self.read_inside(event),
            _ => (),
        }
    }

    fn read_inside(&mut self, event: &Event) {
        match event {
            Event::StepTaken { step: Step::Cut, at: Some(at), by } => {
                let by = match by {
                    Actor::Player(_) => CutBy::Player,
                    Actor::Dealer(_) | Actor::Robot | Actor::Pit(_) => CutBy::Dealer,
                    Actor::House => CutBy::House,
                };
                self.cut = Some(Cut { by, at: *at });
            }
            Event::RoundOpened { round, demonstration, .. } => {
                let kind = if *demonstration { RoundKind::Demo } else { RoundKind::Played };
                let cards = Vec::new();
                self.rounds.push(RecordedRound { round: *round, kind, burned: 0, cards });
                self.opened.clear();
                self.open = true;
            }
            Event::Drawn { draw, .. } => self.drawn(*draw),
            Event::CardsOpened { sides, .. } => self.cards_opened(sides),
            Event::Settled { .. } => self.round_over(),
            Event::Voided { .. } => {
                if let Some(round) = self.rounds.last_mut() {
                    round.kind = RoundKind::Void;
                }
                self.round_over();
            }
            _ => (),
        }
    }

    fn drawn(&mut self, draw: Draw) {
        match (draw, self.open) {
            (Draw::WhiteCard, _) => (),
            (Draw::Unseen, false) => {
                self.burn.count += 1;
                self.burned += 1;
            }
            (Draw::Card(card) | Draw::FaceDown(card), false) => {
                self.burn.count += 1;
                self.burn.shown = Some(card);
                self.burned += 1;
            }
            (Draw::Unseen, true) => {
                self.burned += 1;
                if let Some(round) = self.rounds.last_mut() {
                    round.burned += 1;
                }
            }
            (Draw::Card(card) | Draw::FaceDown(card), true) => {
                self.dealt += 1;
                self.opened.push(matches!(draw, Draw::Card(_)));
                if let Some(round) = self.rounds.last_mut() {
                    round.cards.push(Seen::Face(card));
                }
            }
        }
    }

    /// Opens what lies face down in these hands: the first four cards alternate, a fifth or sixth
    /// is the only one that can be down then.
    fn cards_opened(&mut self, sides: &[games::baccarat::Side]) {
        use games::baccarat::Side;
        for (place, opened) in self.opened.iter_mut().enumerate() {
            let side = if place % 2 == 0 { Side::Player } else { Side::Banker };
            *opened |= place >= 4 || sides.contains(&side);
        }
    }

    fn round_over(&mut self) {
        self.open = false;
        self.hide_unopened();
        if self.continuous {
            self.end = Some(End::CoupOver);
            (self.inside, self.over) = (false, true);
        }
    }

    fn hide_unopened(&mut self) {
        let Some(round) = self.rounds.last_mut() else { return };
        for (seen, opened) in round.cards.iter_mut().zip(&self.opened) {
            if !opened {
                *seen = Seen::Down;
            }
        }
    }

    /// A round that is still dealt belongs to no record yet.
    fn leave_open_round_out(&mut self) {
        let Some(round) = self.rounds.pop() else { return };
        self.burned -= u32::from(round.burned);
        self.dealt -= u32::try_from(round.cards.len()).unwrap_or(0);
    }

    fn finish(mut self, table: TableId, shoe: u32) -> Option<ShoeRecord> {
        if self.open {
            self.leave_open_round_out();
        }
        let rules = self.facts?;
        let left = u32::from(rules.cards()).saturating_sub(self.burned + self.dealt);
        let burned_any = self.burn.count > 0 || self.burn.shown.is_some();
        Some(ShoeRecord {
            version: proof::VERSION,
            table: table.number(),
            shoe,
            rules,
            previous: self.previous,
            commitment: self.commitment?,
            order: None,
            salt: None,
            cut: self.cut,
            burn: burned_any.then_some(self.burn),
            rounds: self.rounds,
            totals: Totals { burned: self.burned, dealt: self.dealt, left },
            end: self.end,
        })
    }
}

/// The rules that decide which card comes when.
fn facts(rules: &RuleSet) -> Option<ShoeRules> {
    let rules = rules.baccarat();
    let continuous = match rules.shuffle_mode {
        ShuffleMode::Rng => false,
        ShuffleMode::Continuous => true,
        ShuffleMode::Hand | ShuffleMode::BatchShuffler => return None,
    };
    Some(ShoeRules {
        decks: rules.decks,
        shuffle: if continuous { proof::ShuffleMode::Continuous } else { proof::ShuffleMode::Rng },
        white_card_from_back: (!continuous).then_some(rules.white_card_from_back),
        last_hand: match rules.last_hand {
            LastHand::Current => proof::LastHand::Current,
            LastHand::OneMore => proof::LastHand::OneMore,
        },
        white_first_is_last: rules.white_first_is_last,
        burn_new_shoe: match rules.burn_new_shoe {
            _ if continuous => BurnRule::None,
            Burn::None => BurnRule::None,
            Burn::Decks => BurnRule::Decks,
            Burn::FirstCardValue => BurnRule::FirstCardValue,
            Burn::Fixed(count) => BurnRule::Fixed(count),
        },
        burn_court_value: rules.burn_court_value,
        burn_includes_first: rules.burn_includes_first,
        burn_per_coup: rules.burn_per_coup,
    })
}

fn end(reason: ShoeEnd) -> End {
    match reason {
        ShoeEnd::WhiteCard => End::WhiteCard,
        ShoeEnd::HouseChange => End::Pit,
        ShoeEnd::SealedOrderLost => End::FileLost,
        ShoeEnd::TableClosed => End::TableClosed,
        ShoeEnd::OutOfCards => End::Exhausted,
    }
}
