//! The machine: where a table stands, as a fold over its events.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::{self, Write};

use chips::Chips;
use games::baccarat::{ShoeEnd, ShuffleMode, Side};
use games::{
    AnyBet, AnyOutcome, BetId, Card, Draw, Ending, Expects, Game, Owner, RuleSet, Seat, Seating,
    Step, Wager,
};
use ledger::{PlayerId, TableId};

use crate::command::{Actor, Timestamp};
use crate::digest::rules_hash;
use crate::event::{Event, PaidOut, RoundId};
use crate::limits::{EVENTS_PER_DIGEST, PAYOUTS_KEPT, ROUNDS_KEPT, SHOE_HOLDER_S};
use crate::settings::{DealtBy, Settings};

/// Where a table stands (OPS-10, OPS-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// No play.
    Closed,
    /// The shoe is being made ready.
    Prepare,
    /// A round may be opened.
    Ready,
    /// Bets are taken.
    Betting,
    /// The last seconds of the window.
    LastCall,
    /// The window is closed, nothing was dealt yet.
    NoMoreBets,
    /// The first cards come.
    Dealing,
    /// Players decide: cards to be turned, insurance.
    Decision,
    /// Third cards come.
    Drawing,
    /// The result is there and waits for the dealer.
    Declared,
    /// The result stands on the table.
    Settled,
    /// The round was void.
    Voided,
}

impl Phase {
    /// Every phase.
    pub const ALL: [Phase; 12] = [
        Phase::Closed,
        Phase::Prepare,
        Phase::Ready,
        Phase::Betting,
        Phase::LastCall,
        Phase::NoMoreBets,
        Phase::Dealing,
        Phase::Decision,
        Phase::Drawing,
        Phase::Declared,
        Phase::Settled,
        Phase::Voided,
    ];
}

/// The part of the state that no game knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Closed,
    /// Between rounds; a result, or the notice of a void round, is shown until then.
    Between {
        shown_until: Timestamp,
        shows: Shows,
    },
    Betting {
        closes_at: Timestamp,
        last_call: bool,
        extended: bool,
    },
    /// After the close; a decision has its time limit.
    Dealing {
        until: Option<Timestamp>,
    },
}

/// What stands on the table between rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    Nothing,
    Result,
    Void,
}

/// Settings and rule set that wait for the round, or the shoe, to end.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    pub settings: Settings,
    pub rules: RuleSet,
    pub hash: String,
}

/// A finished round, for history and replay: a cache that the log rebuilds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRecord {
    /// Which.
    pub id: RoundId,
    /// Its shoe.
    pub shoe: u32,
    /// The hash of its rule set.
    pub rules: String,
    /// When it was settled or voided.
    pub at: Timestamp,
    /// The cards of the Player and the Banker.
    pub hands: [Vec<Card>; 2],
    /// How it came out; `None` if it was void.
    pub outcome: Option<AnyOutcome>,
    /// What each bet came to; a void round returns each stake.
    pub payouts: Vec<PaidOut>,
    /// Why it was void.
    pub void: Option<crate::event::VoidReason>,
    /// No bets were taken.
    pub demonstration: bool,
}

/// Somebody in a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sitter {
    pub player: PlayerId,
    pub name: String,
}

/// One table. It changes by [`Table::apply`] alone.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) id: TableId,
    pub(crate) configuration: Option<Configuration>,
    pub(crate) pending: Option<Configuration>,
    pub(crate) game: Option<Game>,
    pub(crate) stage: Stage,
    pub(crate) closing: bool,
    pub(crate) paused: bool,
    pub(crate) disabled: bool,
    pub(crate) seats: BTreeMap<Seat, Sitter>,
    pub(crate) present: BTreeSet<PlayerId>,
    /// Since when somebody in a seat is gone.
    pub(crate) away_since: BTreeMap<PlayerId, Timestamp>,
    pub(crate) round: u64,
    pub(crate) last_bet: u64,
    pub(crate) cut_until: Option<Timestamp>,
    pub(crate) cut_at: Option<u16>,
    pub(crate) commitment: Option<String>,
    pub(crate) previous_commitment: Option<String>,
    pub(crate) unrevealed: BTreeSet<u32>,
    /// Who entered each card of the Player and of the Banker, in order.
    pub(crate) typed_by: [Vec<Actor>; 2],
    pub(crate) corrected: bool,
    pub(crate) card_asked: bool,
    /// When the last thing happened that a card could wait for: the shoe-holder's time runs from
    /// then.
    pub(crate) due_since: Timestamp,
    pub(crate) records: VecDeque<RoundRecord>,
    /// Of each record, where each owner's bets stand among its payouts.
    places: VecDeque<BTreeMap<PlayerId, Vec<usize>>>,
    pub(crate) payouts_kept: usize,
    pub(crate) events: u64,
    pub(crate) undigested: u64,
    pub(crate) at: Timestamp,
}

impl Table {
    /// A table before its first event.
    pub fn new(id: TableId) -> Table {
        Table {
            id,
            configuration: None,
            pending: None,
            game: None,
            stage: Stage::Closed,
            closing: false,
            paused: false,
            disabled: false,
            seats: BTreeMap::new(),
            present: BTreeSet::new(),
            away_since: BTreeMap::new(),
            round: 0,
            last_bet: 0,
            cut_until: None,
            cut_at: None,
            commitment: None,
            previous_commitment: None,
            unrevealed: BTreeSet::new(),
            typed_by: [Vec::new(), Vec::new()],
            corrected: false,
            card_asked: false,
            due_since: Timestamp::default(),
            records: VecDeque::new(),
            places: VecDeque::new(),
            payouts_kept: 0,
            events: 0,
            undigested: 0,
            at: Timestamp::default(),
        }
    }

    /// Its number.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// How many events it stands on.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The stamp of its last event.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The settings in force.
    pub fn settings(&self) -> Option<&Settings> {
        self.configuration.as_ref().map(|c| &c.settings)
    }

    /// The rule set in force and its hash.
    pub fn rules(&self) -> Option<(&RuleSet, &str)> {
        self.configuration.as_ref().map(|c| (&c.rules, c.hash.as_str()))
    }

    /// The game, once the table is configured.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// The number of the open round, or of the last one.
    pub fn round(&self) -> u64 {
        self.round
    }

    /// The open round, or the last one.
    pub fn round_id(&self) -> RoundId {
        RoundId { table: self.id, number: self.round }
    }

    /// True with a round open.
    pub fn is_round_open(&self) -> bool {
        self.game.as_ref().is_some_and(Game::is_round_open)
    }

    /// True unless the table is closed.
    pub fn is_open(&self) -> bool {
        self.stage != Stage::Closed
    }

    /// True if the table closes after this round.
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// True if the pit paused or disabled it.
    pub fn is_halted(&self) -> bool {
        self.paused || self.disabled
    }

    /// The stakes on the layout and those carried over.
    pub fn at_stake(&self) -> Chips {
        self.game.as_ref().map_or(Chips::ZERO, Game::at_stake)
    }

    /// Finished rounds, oldest first, as many as are kept.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = &RoundRecord> {
        self.records.iter()
    }

    /// The last finished round in which a player had bets, and what they came to. The cost does not
    /// grow with the bets of the others.
    pub(crate) fn last_of(&self, who: PlayerId) -> Option<(&RoundRecord, Vec<&PaidOut>)> {
        let mut all = self.records.iter().zip(&self.places).rev();
        let (record, own) = all.find_map(|(record, places)| Some((record, places.get(&who)?)))?;
        Some((record, own.iter().filter_map(|place| record.payouts.get(*place)).collect()))
    }

    /// Who is connected.
    pub fn present(&self) -> &BTreeSet<PlayerId> {
        &self.present
    }

    /// The seat of a player.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        self.seats.iter().find(|(_, sitter)| sitter.player == player).map(|(seat, _)| *seat)
    }

    /// Finished shoes whose order the robot has not shown yet.
    pub fn unrevealed(&self) -> impl Iterator<Item = u32> {
        self.unrevealed.iter().copied()
    }

    /// The commitment to the present shoe, and that of the shoe before.
    pub fn commitments(&self) -> (Option<&str>, Option<&str>) {
        (self.commitment.as_deref(), self.previous_commitment.as_deref())
    }

    /// What must be done next, and by whom.
    pub fn expects(&self) -> Option<Expects> {
        self.game.as_ref().map(Game::expects)
    }

    /// How the shoe-passing table stands: its shoe-holder is connected and still has time for the
    /// next card, or has asked for it (BAC-132).
    pub fn shoe_holder_until(&self) -> Option<Timestamp> {
        let course = self.game.as_ref()?.baccarat();
        let seat = course.shoe_holder()?;
        let holder = self.seats.get(&seat)?.player;
        let due = self.is_round_open() && matches!(course.expects(), Expects::Draw { .. });
        let waits = due && self.present.contains(&holder) && !self.card_asked;
        waits.then(|| self.due_since.plus_s(SHOE_HOLDER_S))
    }

    /// Until when only a seated player may cut the shoe (BAC-21).
    pub fn cut_until(&self) -> Option<Timestamp> {
        let committed = !self.is_robot_dealt() || self.commitment.is_some();
        let cutting = committed && self.expects() == Some(Expects::Step(Step::Cut));
        let sits = self.seats.values().any(|s| self.present.contains(&s.player));
        self.cut_until.filter(|_| cutting && sits)
    }

    /// Where the present shoe was cut, if that is known.
    pub fn cut_at(&self) -> Option<u16> {
        self.cut_at
    }

    /// Until when a result, or a notice, stays on the table.
    pub fn shown_until(&self) -> Option<Timestamp> {
        match self.stage {
            Stage::Between { shown_until, shows: Shows::Result | Shows::Void } => Some(shown_until),
            Stage::Between { shows: Shows::Nothing, .. }
            | Stage::Closed
            | Stage::Betting { .. }
            | Stage::Dealing { .. } => None,
        }
    }

    /// Where the table stands.
    pub fn phase(&self) -> Phase {
        let Some(game) = &self.game else { return Phase::Closed };
        match self.stage {
            Stage::Closed => Phase::Closed,
            Stage::Between { shows: Shows::Result, .. } => Phase::Settled,
            Stage::Between { shows: Shows::Void, .. } => Phase::Voided,
            Stage::Between { shows: Shows::Nothing, .. } => match game.expects() {
                Expects::Opening { .. } => Phase::Ready,
                Expects::Step(_)
                | Expects::Bets
                | Expects::Draw { .. }
                | Expects::Open { .. }
                | Expects::Insurance
                | Expects::Declaration
                | Expects::ShoeChange => Phase::Prepare,
            },
            Stage::Betting { last_call: false, .. } => Phase::Betting,
            Stage::Betting { last_call: true, .. } => Phase::LastCall,
            Stage::Dealing { .. } => dealing_phase(game),
        }
    }

    /// When something must happen without anybody asking.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        match self.stage {
            Stage::Betting { closes_at, last_call: true, .. } => Some(closes_at),
            Stage::Betting { closes_at, last_call: false, .. } => {
                Some(closes_at.minus_s(crate::limits::LAST_CALL_S))
            }
            Stage::Dealing { until } => until,
            Stage::Closed | Stage::Between { .. } => None,
        }
    }

    /// The deadline that players see: of the window, or of the decision.
    pub fn deadline(&self) -> Option<Timestamp> {
        match self.stage {
            Stage::Betting { closes_at, .. } => Some(closes_at),
            Stage::Dealing { until } => until,
            Stage::Closed | Stage::Between { .. } => None,
        }
    }

    /// Seats, and who of the players in them and the owners of carried stakes is not connected.
    pub(crate) fn seating(&self) -> Seating {
        let Seating { seats, absent } = self.seats_only();
        let wagers = self.game.as_ref().map_or_else(Vec::new, Game::wagers);
        let carried = wagers.iter().filter(|w| w.carried_from.is_some()).map(|w| w.owner);
        let away = carried.filter(|o| !self.present.contains(&player(*o)));
        let absent: BTreeSet<Owner> = absent.into_iter().chain(away).collect();
        Seating { seats, absent: absent.into_iter().collect() }
    }

    /// Seats, and who of the players in them is not connected: cheap, for what does not ask about
    /// carried stakes.
    pub(crate) fn seats_only(&self) -> Seating {
        let sitters = self.seats.values().map(|s| s.player);
        let absent = sitters.filter(|p| !self.present.contains(p)).map(owner).collect();
        let seats = self.seats.iter().map(|(seat, s)| (*seat, owner(s.player))).collect();
        Seating { seats, absent }
    }

    /// Applies an event that is committed. It cannot fail: what it says has happened.
    ///
    /// # Panics
    /// On an event that does not fit the state: a bug, or a log that is not this table's.
    pub fn apply(&mut self, at: Timestamp, event: &Event) {
        self.events += 1;
        self.undigested += 1;
        self.at = self.at.max(at);
        self.apply_event(at, event);
        if let Stage::Dealing { .. } = self.stage {
            self.set_decision_time(at, event);
        }
    }

    /// True if a digest is due: a round ended, or many events came since the last.
    pub fn digest_is_due(&self, event: &Event) -> bool {
        let ended = matches!(event, Event::Settled { .. } | Event::Voided { .. });
        ended || self.undigested >= EVENTS_PER_DIGEST
    }

    fn game_mut(&mut self) -> &mut Game {
        self.game.as_mut().expect("a table deals after it was configured")
    }

    fn apply_event(&mut self, at: Timestamp, event: &Event) {
        match event {
            Event::Configured { settings, text, .. } => self.configured(settings, text),
            Event::TableOpened { .. } => {
                self.stage = Stage::Between { shown_until: at, shows: Shows::Nothing };
            }
            Event::Closing { .. } => self.closing = true,
            Event::TableClosed => {
                self.stage = Stage::Closed;
                self.closing = false;
                self.take_pending();
            }
            Event::Paused { .. } => self.paused = true,
            Event::Unpaused { .. } => self.paused = false,
            Event::Disabled { .. } => self.disabled = true,
            Event::Enabled { .. } => self.disabled = false,
            Event::SatDown { player, name, seat } => self.sat_down(*player, name, *seat),
            Event::StoodUp { player, seat } => self.stood_up(*player, *seat),
            Event::Arrived { player } => {
                self.present.insert(*player);
                self.away_since.remove(player);
            }
            Event::Left { player } => self.left(at, *player),
            Event::ShoeBegun { .. } => self.shoe_begun(),
            Event::Committed { shoe, commitment, previous } => {
                self.commitment = Some(commitment.clone());
                self.previous_commitment.clone_from(previous);
                self.unrevealed.insert(*shoe);
            }
            Event::StepTaken { step, at: cards, .. } => self.step_taken(at, *step, *cards),
            Event::RoundOpened { .. } => self.round_opened(at, event),
            Event::LastCall => self.last_call(),
            Event::BettingExtended { closes_at, .. } => {
                self.stage =
                    Stage::Betting { closes_at: *closes_at, last_call: false, extended: true };
            }
            Event::BetPlaced { bet, owner, on, stake } => {
                self.bet_placed(*bet, *owner, *on, *stake);
            }
            Event::BetReduced { bet, by, .. } => self.game_mut().reduce(*bet, *by),
            Event::BetMoved { bet, to, .. } => self.game_mut().move_to(*bet, *to),
            Event::BetsClosed { .. } => self.bets_closed(at),
            Event::Drawn { draw, by } => self.drawn_by(at, *draw, *by),
            Event::TakenBack { .. } => self.taken_back(at),
            Event::CardsOpened { .. } => {
                self.game_mut().open_cards();
                self.due_since = at;
            }
            Event::InsuranceClosed => {
                self.game_mut().timeout();
                self.due_since = at;
            }
            Event::Settled { .. } => self.settled(at, event),
            Event::Voided { .. } => self.voided(at, event),
            Event::CarriedReturned { returned, .. } => self.game_mut().drop_carried(returned.bet),
            Event::ShoeEnded { shoe, reason } => self.end_shoe(*shoe, *reason),
            Event::Revealed { shoe, .. } => {
                self.unrevealed.remove(shoe);
            }
            Event::CardAsked { .. } => self.card_asked = true,
            Event::ShoePassed { .. } => self.shoe_passed(),
            Event::RoadsReset { .. } => self.game_mut().reset_roads(),
            Event::Resumed => self.resumed(at),
            Event::Digest { .. } => self.undigested = 0,
        }
    }

    fn sat_down(&mut self, player: PlayerId, name: &str, seat: Seat) {
        if !self.present.contains(&player) {
            self.away_since.insert(player, self.at);
        }
        self.seats.insert(seat, Sitter { player, name: name.to_owned() });
        self.seats_changed();
    }

    fn left(&mut self, at: Timestamp, player: PlayerId) {
        self.present.remove(&player);
        if self.seat_of(player).is_some() {
            self.away_since.insert(player, at);
        }
        self.game_mut().holder_left(owner(player));
    }

    fn stood_up(&mut self, player: PlayerId, seat: Seat) {
        self.seats.remove(&seat);
        self.away_since.remove(&player);
        self.game_mut().holder_left(owner(player));
        self.seats_changed();
    }

    /// After the shuffle a seated player has time to cut, where players do.
    fn step_taken(&mut self, at: Timestamp, step: Step, cut_at: Option<u16>) {
        self.cut_at = cut_at.or(self.cut_at);
        self.game_mut().step(step);
        let cut_s = self.configuration.as_ref().map_or(0, |c| c.settings.cut_s);
        let asked = step == Step::Shuffle && self.game_mut().baccarat().player_cuts();
        self.cut_until = asked.then(|| at.plus_s(cut_s));
    }

    fn last_call(&mut self) {
        if let Stage::Betting { last_call, .. } = &mut self.stage {
            *last_call = true;
        }
    }

    fn bet_placed(&mut self, id: BetId, who: PlayerId, on: AnyBet, stake: Chips) {
        self.last_bet = id.0;
        let wager = Wager { id, owner: owner(who), on, stake, carried_from: None };
        self.game_mut().place(&wager);
    }

    fn bets_closed(&mut self, at: Timestamp) {
        let seating = self.seats_only();
        self.game_mut().close(&seating);
        self.stage = Stage::Dealing { until: None };
        self.due_since = at;
    }

    fn drawn_by(&mut self, at: Timestamp, draw: Draw, by: Actor) {
        self.game_mut().draw(draw);
        self.note_typed(by);
        self.corrected = false;
        // The white card is none: the card that was asked for is still to come.
        self.card_asked &= draw == Draw::WhiteCard;
        self.due_since = at;
    }

    fn taken_back(&mut self, at: Timestamp) {
        self.game_mut().take_back();
        let cards = self.cards_dealt();
        for (typed, cards) in self.typed_by.iter_mut().zip(cards) {
            typed.truncate(cards);
        }
        self.corrected = true;
        self.due_since = at;
    }

    fn shoe_passed(&mut self) {
        let seating = self.seats_only();
        self.game_mut().pass_shoe(&seating);
    }

    fn end_shoe(&mut self, shoe: u32, reason: ShoeEnd) {
        self.game_mut().end_shoe(shoe);
        self.uncommit();
        if reason == ShoeEnd::SealedOrderLost {
            self.unrevealed.remove(&shoe);
        }
    }

    fn configured(&mut self, settings: &Settings, text: &str) {
        let rules = settings.check(text).expect("settings were checked before they were logged");
        let hash = rules_hash(text);
        self.pending = Some(Configuration { settings: settings.clone(), rules, hash });
        if self.configuration.is_none() {
            let pending = self.pending.take();
            self.game = pending.as_ref().map(|c| Game::new(&c.rules));
            self.configuration = pending;
        } else if !self.is_round_open() {
            self.take_pending();
        }
    }

    /// Puts waiting settings in force if the shoe allows it.
    fn take_pending(&mut self) {
        let Some(pending) = self.pending.take() else { return };
        let game = self.game_mut();
        let fits = !game.is_round_open() && game.fits_this_shoe(&pending.rules);
        if fits {
            game.set_rules(&pending.rules);
            self.configuration = Some(pending);
        } else {
            self.pending = Some(pending);
        }
    }

    fn shoe_begun(&mut self) {
        self.take_pending();
        let rules = self.configuration.as_ref().map(|c| c.rules.clone());
        self.game_mut().begin_shoe(&rules.expect("a table deals after it was configured"));
        self.cut_until = None;
        self.cut_at = None;
        let shown_until = self.at;
        self.stage = Stage::Between { shown_until, shows: Shows::Nothing };
    }

    fn round_opened(&mut self, at: Timestamp, event: &Event) {
        let Event::RoundOpened { round, demonstration, closes_at, carried, .. } = event else {
            return;
        };
        self.take_pending();
        self.round = *round;
        self.typed_by = [Vec::new(), Vec::new()];
        self.corrected = false;
        self.card_asked = false;
        let carried: Vec<(BetId, BetId)> = carried.iter().map(|c| (c.from, c.bet)).collect();
        if let Some(last) = carried.iter().map(|(_, bet)| bet.0).max() {
            self.last_bet = last;
        }
        self.game_mut().open_round(*demonstration, &carried);
        self.stage = if *demonstration {
            Stage::Dealing { until: None }
        } else {
            Stage::Betting { closes_at: *closes_at, last_call: false, extended: false }
        };
        self.due_since = at;
        self.seats_changed();
    }

    /// How many cards the hands of the open round have.
    fn cards_dealt(&self) -> [usize; 2] {
        let coup = self.game.as_ref().and_then(|g| g.baccarat().coup());
        Side::BOTH.map(|side| coup.map_or(0, |c| c.hand(side).len()))
    }

    /// A card that lies in a hand now and had not before was entered by this actor.
    fn note_typed(&mut self, by: Actor) {
        let cards = self.cards_dealt();
        for (typed, cards) in self.typed_by.iter_mut().zip(cards) {
            typed.resize(cards, by);
        }
    }

    fn seats_changed(&mut self) {
        let seating = self.seats_only();
        if let Some(game) = &mut self.game {
            game.seats_changed(&seating);
        }
    }

    /// A decision that an event brought about has its full time from then on.
    fn set_decision_time(&mut self, at: Timestamp, event: &Event) {
        let moves_on = match event {
            Event::BetsClosed { .. }
            | Event::Drawn { .. }
            | Event::TakenBack { .. }
            | Event::CardsOpened { .. }
            | Event::InsuranceClosed
            | Event::Left { .. }
            | Event::StoodUp { .. }
            | Event::Resumed => true,
            Event::Configured { .. }
            | Event::TableOpened { .. }
            | Event::Closing { .. }
            | Event::TableClosed
            | Event::Paused { .. }
            | Event::Unpaused { .. }
            | Event::Disabled { .. }
            | Event::Enabled { .. }
            | Event::SatDown { .. }
            | Event::Arrived { .. }
            | Event::ShoeBegun { .. }
            | Event::Committed { .. }
            | Event::StepTaken { .. }
            | Event::RoundOpened { .. }
            | Event::LastCall
            | Event::BettingExtended { .. }
            | Event::BetPlaced { .. }
            | Event::BetReduced { .. }
            | Event::BetMoved { .. }
            | Event::Settled { .. }
            | Event::Voided { .. }
            | Event::CarriedReturned { .. }
            | Event::ShoeEnded { .. }
            | Event::Revealed { .. }
            | Event::CardAsked { .. }
            | Event::ShoePassed { .. }
            | Event::RoadsReset { .. }
            | Event::Digest { .. } => false,
        };
        // Somebody leaving does not give a decision that goes on more time.
        let leaving = matches!(event, Event::Left { .. } | Event::StoodUp { .. });
        let Stage::Dealing { until } = self.stage else { return };
        if !moves_on {
            return;
        }
        let wanted = self.decision_s();
        let until = match (wanted, until, leaving) {
            (Some(_), Some(running), true) => Some(running),
            (Some(seconds), _, _) => Some(at.plus_s(seconds)),
            (None, _, _) => None,
        };
        self.stage = Stage::Dealing { until };
    }

    /// How long the decision that is due may take.
    fn decision_s(&self) -> Option<u16> {
        let (rules, _) = self.rules()?;
        match self.expects()? {
            Expects::Open { holder: Some(_), .. } => Some(rules.baccarat().squeeze_s),
            Expects::Insurance => Some(rules.baccarat().ins_s),
            Expects::Open { holder: None, .. }
            | Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::Bets
            | Expects::Draw { .. }
            | Expects::Declaration
            | Expects::ShoeChange => None,
        }
    }

    /// The order that the robot was bound to is used up.
    fn uncommit(&mut self) {
        if self.commitment.is_some() {
            self.previous_commitment = self.commitment.take();
        }
    }

    /// A coup of a continuous shuffler uses its own shuffle up.
    fn uncommit_continuous(&mut self) {
        let rules = self.game_mut().baccarat().rules();
        if rules.shuffle_mode == ShuffleMode::Continuous {
            self.uncommit();
        }
    }

    fn settle_s(&self) -> u16 {
        self.configuration.as_ref().map_or(0, |c| c.settings.settle_s)
    }

    fn settled(&mut self, at: Timestamp, event: &Event) {
        let Event::Settled { outcome, payouts, .. } = event else { return };
        self.keep_record(at, Some(*outcome), payouts.clone(), None);
        let seating = self.seats_only();
        self.game_mut().settle(&seating);
        self.uncommit_continuous();
        let shown_until = at.plus_s(self.settle_s());
        self.stage = Stage::Between { shown_until, shows: Shows::Result };
        self.take_pending();
    }

    fn voided(&mut self, at: Timestamp, event: &Event) {
        let Event::Voided { reason, returned, .. } = event else { return };
        let back = returned.iter().map(|r| PaidOut {
            bet: r.bet,
            owner: r.owner,
            on: r.on,
            stake: r.stake,
            ending: Ending::Pushed,
            winnings: Chips::ZERO,
            commission: Chips::ZERO,
        });
        self.keep_record(at, None, back.collect(), Some(reason.clone()));
        self.game_mut().void();
        self.uncommit_continuous();
        let shown_until = at.plus_s(self.settle_s());
        self.stage = Stage::Between { shown_until, shows: Shows::Void };
        self.take_pending();
    }

    fn keep_record(
        &mut self,
        at: Timestamp,
        outcome: Option<AnyOutcome>,
        payouts: Vec<PaidOut>,
        void: Option<crate::event::VoidReason>,
    ) {
        let Some(coup) = self.game.as_ref().and_then(|g| g.baccarat().coup()) else { return };
        let hands = Side::BOTH.map(|side| {
            let shown = if void.is_some() { coup.opened(side) } else { coup.hand(side).len() };
            coup.hand(side).cards().take(shown).collect()
        });
        self.payouts_kept += payouts.len();
        let mut places: BTreeMap<PlayerId, Vec<usize>> = BTreeMap::new();
        for (place, paid) in payouts.iter().enumerate() {
            places.entry(paid.owner).or_default().push(place);
        }
        self.records.push_back(RoundRecord {
            id: self.round_id(),
            shoe: self.game.as_ref().map_or(0, Game::shoe_number),
            rules: self.configuration.as_ref().map(|c| c.hash.clone()).unwrap_or_default(),
            at,
            hands,
            outcome,
            demonstration: coup.is_demonstration(),
            payouts,
            void,
        });
        self.places.push_back(places);
        while self.records.len() > ROUNDS_KEPT || self.payouts_kept > PAYOUTS_KEPT {
            let Some(oldest) = self.records.pop_front() else { break };
            self.places.pop_front();
            self.payouts_kept -= oldest.payouts.len();
        }
    }

    /// The process started again: nobody is connected, an open window or decision gets its full
    /// time.
    fn resumed(&mut self, at: Timestamp) {
        let present: Vec<PlayerId> = std::mem::take(&mut self.present).into_iter().collect();
        if let Some(game) = &mut self.game {
            for gone in present {
                game.holder_left(owner(gone));
            }
        }
        self.away_since = self.seats.values().map(|sitter| (sitter.player, at)).collect();
        let bet_s = self.configuration.as_ref().map_or(0, |c| c.settings.bet_s);
        if let Stage::Betting { extended, .. } = self.stage {
            let closes_at = at.plus_s(bet_s);
            self.stage = Stage::Betting { closes_at, last_call: false, extended };
        }
        self.due_since = at;
    }

    /// Feeds every field of the state in a fixed order, for the digest.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn describe(&self, out: &mut dyn Write) -> fmt::Result {
        writeln!(out, "table {} round {} bets {}", self.id, self.round, self.last_bet)?;
        writeln!(out, "stage {:?} at {}", self.stage, self.at.0)?;
        writeln!(out, "flags {} {} {}", self.closing, self.paused, self.disabled)?;
        for waiting in [&self.configuration, &self.pending] {
            let hash = waiting.as_ref().map_or("", |c| c.hash.as_str());
            writeln!(out, "rules {hash} {:?}", waiting.as_ref().map(|c| &c.settings))?;
        }
        for (seat, sitter) in &self.seats {
            writeln!(out, "seat {} {} {}", seat.0, sitter.player, sitter.name)?;
        }
        for (player, since) in &self.away_since {
            write!(out, "away {player} {} ", since.0)?;
        }
        for player in &self.present {
            write!(out, "{player} ")?;
        }
        let commitments = self.commitments();
        writeln!(out, "commitments {commitments:?} {:?}", self.unrevealed)?;
        let dealing = (self.card_asked, self.corrected, self.due_since.0, &self.typed_by);
        writeln!(out, "dealing {dealing:?} cut {:?} {:?}", self.cut_until, self.cut_at)?;
        let (kept, payouts) = (self.records.len(), self.payouts_kept);
        writeln!(out, "events {} {} kept {kept} {payouts}", self.events, self.undigested)?;
        if let Some(last) = self.records.back() {
            let RoundRecord { id, shoe, at, hands, outcome, void, .. } = last;
            writeln!(out, "last {id} {shoe} {at:?} {hands:?} {outcome:?} {void:?}")?;
            writeln!(out, "rules {} {}", last.rules, last.demonstration)?;
        }
        self.game.as_ref().map_or(Ok(()), |game| game.describe(out))
    }
}

/// Where an open round stands after the close.
fn dealing_phase(game: &Game) -> Phase {
    let coup = game.baccarat().coup();
    let cards = coup.map_or(0, |c| Side::BOTH.map(|s| c.hand(s).len()).iter().sum());
    match game.expects() {
        Expects::Open { .. } | Expects::Insurance => Phase::Decision,
        Expects::Declaration => Phase::Declared,
        Expects::Draw { .. }
        | Expects::Step(_)
        | Expects::Opening { .. }
        | Expects::Bets
        | Expects::ShoeChange => match cards {
            0 => Phase::NoMoreBets,
            1..=3 => Phase::Dealing,
            _ => Phase::Drawing,
        },
    }
}

/// The rules' opaque owner of a player's wagers.
pub(crate) fn owner(player: PlayerId) -> Owner {
    Owner(player.number())
}

/// The player behind the rules' opaque owner.
pub(crate) fn player(owner: Owner) -> PlayerId {
    PlayerId::new(owner.0).expect("owners at a table are players")
}

impl Table {
    /// True if the robot deals here.
    pub fn is_robot_dealt(&self) -> bool {
        self.settings().is_some_and(|s| s.dealt_by == DealtBy::Robot)
    }
}
