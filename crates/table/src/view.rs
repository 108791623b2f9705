//! What one pair of eyes may see: built for each viewer by type, never by leaving fields out of
//! something larger (cases.md 177).
//!
//! The public parts (felt, totals, roads) are the same bytes for everybody. A card that was not
//! opened is in none of them; it is in [`MineView`] of its holder and in [`DealerView`] of the
//! dealer who entered it.

use std::collections::{BTreeMap, BTreeSet};

use chips::{Chips, Pays};
use games::baccarat::roads::RoadMaps;
use games::baccarat::{Bet, Coup, Hand, PrintedPay, Range, Side, came_to};
use games::{
    AnyBet, AnyLimits, AnyOutcome, BetId, Card, Due, Ending, Expects, Game, GameName, Owner, Seat,
    Step,
};
use ledger::PlayerId;
use serde::Serialize;

use crate::command::{Actor, Timestamp};
use crate::event::{PaidOut, VoidReason};
use crate::settings::DealtBy;
use crate::state::{Phase, RoundRecord, Shows, Stage, Table, owner, player};

/// Somebody in a seat, or a free one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct SeatView {
    pub seat: Seat,
    /// The name of who sits there; none for a free seat.
    pub name: Option<String>,
    /// Connected.
    pub present: bool,
    /// Holds the shoe (BAC-131).
    pub holds_shoe: bool,
    /// Has the right to look at these hands first.
    pub holds: Vec<Side>,
}

/// One hand as all may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct HandView {
    /// The cards in order; none for a card that lies face down.
    pub cards: Vec<Option<Card>>,
    /// The total of the cards that lie open, once any does.
    pub total: Option<u8>,
}

/// The shoe as all may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct ShoeView {
    pub number: u32,
    /// The robot's commitment to its order (OPS-69), and that of the shoe before.
    pub commitment: Option<String>,
    pub previous: Option<String>,
    /// This round is the last before the shuffle (BAC-90).
    pub last_hand: bool,
    /// The step of the shoe procedure that is due.
    pub step: Option<Step>,
    /// Where a seated player may cut: fewest and most cards, until the time given.
    pub cut: Option<CutView>,
}

/// The cut that waits for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct CutView {
    pub min: u16,
    pub max: u16,
    pub until: Timestamp,
}

/// Insurance that may be bought now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct InsuranceOffer {
    pub on: AnyBet,
    pub side: Side,
    pub pays: Pays,
    /// It pays on a tie, not on a loss (BAC-82).
    pub on_tie: bool,
}

/// The game's own part of the felt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "game", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum FaceView {
    Baccarat {
        player: HandView,
        banker: HandView,
        /// The hands that are to be opened now.
        opening: Vec<Side>,
        insurance: Vec<InsuranceOffer>,
        outcome: Option<AnyOutcome>,
        /// Bets that won, so that their zones light up.
        winners: Vec<AnyBet>,
    },
}

/// What everybody sees of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct FeltView {
    pub table: u32,
    pub name: String,
    pub preset: String,
    pub rules: String,
    pub dealt_by: DealtBy,
    pub practice: bool,
    pub phase: Phase,
    /// The open round, or the last one; its text form is `table-number`.
    pub round: u64,
    /// When the window or the decision ends.
    pub deadline: Option<Timestamp>,
    /// How long the betting window is, for the countdown ring.
    pub bet_s: u16,
    pub paused: bool,
    pub disabled: bool,
    pub closing: bool,
    pub demonstration: bool,
    /// The last card was corrected.
    pub corrected: bool,
    /// Why the round is void.
    pub void: Option<VoidReason>,
    pub shoe: ShoeView,
    pub seats: Vec<SeatView>,
    pub standing_allowed: bool,
    pub ask_road: bool,
    pub click_is_bet: bool,
    pub face: FaceView,
}

/// One zone with what lies on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct ZoneView {
    pub on: AnyBet,
    pub stake: Chips,
    pub bettors: u32,
}

/// One zone of the layout with its pays and limits: from the one rule record (BAC, cases.md 9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct LayoutZone {
    pub on: AnyBet,
    /// Each ratio that the bet may be paid at, with the case it is for, as printed.
    pub pays: Vec<PrintedPay>,
    /// Commission on its winnings in per cent.
    pub commission_pct: u8,
    pub min: Chips,
    pub max: Chips,
    pub step: Chips,
}

/// One of one's own bets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct MyBet {
    pub bet: BetId,
    pub on: AnyBet,
    pub stake: Chips,
    pub carried: bool,
}

/// What one of one's own bets came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct MyPayout {
    pub bet: BetId,
    pub on: AnyBet,
    pub stake: Chips,
    pub ending: Ending,
    pub winnings: Chips,
    pub commission: Chips,
}

/// A finished round as one of its players sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct MyRound {
    pub table: u32,
    pub round: u64,
    pub shoe: u32,
    pub at: Timestamp,
    pub player: Vec<Card>,
    pub banker: Vec<Card>,
    pub outcome: Option<AnyOutcome>,
    pub void: Option<VoidReason>,
    pub payouts: Vec<MyPayout>,
    pub staked: Chips,
    pub returned: Chips,
}

/// What a player alone sees of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct MineView {
    pub table: u32,
    pub round: u64,
    pub seat: Option<Seat>,
    /// On the layout; between rounds the stakes that are carried over.
    pub bets: Vec<MyBet>,
    pub at_stake: Chips,
    /// The cards that one holds and that nobody else sees yet.
    pub player_cards: Vec<Card>,
    pub banker_cards: Vec<Card>,
    /// What one may do now: the buttons of the page.
    pub may: Vec<String>,
    /// What "repeat" would place.
    pub repeat: Vec<ZoneView>,
    /// The last round of this table that one had bets in.
    pub last: Option<MyRound>,
}

/// What the dealer sees beside the public parts: totals, never names (OPS-33, OPS-107).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct DealerView {
    pub table: u32,
    pub round: u64,
    pub phase: Phase,
    pub due: Option<Due>,
    pub step: Option<Step>,
    /// What may be done now.
    pub may: Vec<String>,
    /// Cards that this dealer entered and that are not open yet.
    pub player_cards: Vec<Option<Card>>,
    pub banker_cards: Vec<Option<Card>>,
    pub correctable: bool,
    pub zones: Vec<ZoneView>,
    /// The Banker total less the Player total.
    pub differential: i64,
    pub diff_limit: Option<Chips>,
    /// Until when a player may cut.
    pub cut_until: Option<Timestamp>,
    pub opening: Vec<Side>,
    /// The seat whose player has the right to open.
    pub holder: Option<Seat>,
    pub outcome: Option<AnyOutcome>,
    pub shown_until: Option<Timestamp>,
    pub shoe: u32,
    pub last_hand: bool,
}

/// A table in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct TileView {
    pub table: u32,
    pub name: String,
    pub game: GameName,
    pub preset: String,
    pub dealt_by: DealtBy,
    pub practice: bool,
    pub phase: Phase,
    pub deadline: Option<Timestamp>,
    pub bet_s: u16,
    pub min: Chips,
    pub max: Chips,
    pub seats: u8,
    pub seats_free: u8,
    pub standing_allowed: bool,
    pub players: u32,
    pub shoe: u32,
    pub big_road: Vec<games::baccarat::roads::BigRoadCell>,
    pub banker: usize,
    pub player: usize,
    pub tie: usize,
}

fn hand_view(coup: Option<&Coup>, record: Option<&RoundRecord>, side: Side) -> HandView {
    let cards: Vec<Option<Card>> = match (coup, record) {
        (Some(coup), _) => {
            let opened = coup.opened(side);
            let cards = coup.hand(side).cards().enumerate();
            cards.map(|(nth, card)| (nth < opened).then_some(card)).collect()
        }
        (None, Some(record)) => record.hands[side as usize].iter().copied().map(Some).collect(),
        (None, None) => Vec::new(),
    };
    let open: Vec<Card> = cards.iter().flatten().copied().collect();
    let points = open.iter().map(|c| games::baccarat::value(c.rank)).sum::<u8>() % 10;
    HandView { total: (!open.is_empty()).then_some(points), cards }
}

impl Table {
    /// The round that still lies on the felt after its end.
    fn shown(&self) -> Option<&RoundRecord> {
        match self.stage {
            Stage::Between { shows: Shows::Result | Shows::Void, .. } => self.records.back(),
            Stage::Between { shows: Shows::Nothing, .. }
            | Stage::Closed
            | Stage::Betting { .. }
            | Stage::Dealing { .. } => None,
        }
    }

    fn coup(&self) -> Option<&Coup> {
        self.game.as_ref()?.baccarat().coup()
    }
}

/// Bets of the layout that this round pays.
fn winners(table: &Table, record: Option<&RoundRecord>) -> Vec<AnyBet> {
    let Some((rules, _)) = table.rules() else { return Vec::new() };
    let Some(record) = record.filter(|r| r.outcome.is_some()) else { return Vec::new() };
    let rules = rules.baccarat();
    let [player, banker] = record.hands.each_ref().map(|cards| Hand::of(cards));
    let won = |bet: &Bet| {
        matches!(came_to(rules, *bet, &player, &banker), Some(games::CameTo::Won { .. }))
    };
    rules.layout().filter(won).map(AnyBet::Baccarat).collect()
}

/// What everybody sees of a table; none before it is configured.
pub fn felt_view(table: &Table) -> Option<FeltView> {
    let settings = table.settings()?;
    let (rules, hash) = table.rules()?;
    let game = table.game()?;
    let (coup, record) = (table.coup(), table.shown());
    let baccarat = rules.baccarat();
    let opening = match game.expects() {
        Expects::Open { sides, .. } => sides,
        Expects::Step(_)
        | Expects::Opening { .. }
        | Expects::Bets
        | Expects::Draw { .. }
        | Expects::Insurance
        | Expects::Declaration
        | Expects::ShoeChange => Vec::new(),
    };
    Some(FeltView {
        table: table.id().number(),
        name: settings.name.clone(),
        preset: baccarat.name.clone(),
        rules: hash.to_owned(),
        dealt_by: settings.dealt_by,
        practice: settings.practice,
        phase: table.phase(),
        round: table.round(),
        deadline: table.deadline(),
        bet_s: settings.bet_s,
        paused: table.paused,
        disabled: table.disabled,
        closing: table.closing,
        demonstration: game.is_demonstration() || record.is_some_and(|r| r.demonstration),
        corrected: table.corrected,
        void: record.and_then(|r| r.void.clone()),
        shoe: shoe_view(table, game),
        seats: seats_view(table, game),
        standing_allowed: baccarat.standing_allowed,
        ask_road: settings.ask_road,
        click_is_bet: baccarat.click_is_bet,
        face: FaceView::Baccarat {
            player: hand_view(coup, record, Side::Player),
            banker: hand_view(coup, record, Side::Banker),
            opening,
            insurance: coup.map_or_else(Vec::new, offers),
            outcome: game.outcome().or_else(|| record.and_then(|r| r.outcome)),
            winners: winners(table, record),
        },
    })
}

fn offers(coup: &Coup) -> Vec<InsuranceOffer> {
    let offer = |(bet, row): (Bet, games::baccarat::InsuranceRow)| {
        let Bet::Insurance(_, side) = bet else { return None };
        Some(InsuranceOffer { on: AnyBet::Baccarat(bet), side, pays: row.pays, on_tie: row.on_tie })
    };
    coup.insurance_offered().into_iter().filter_map(offer).collect()
}

fn shoe_view(table: &Table, game: &Game) -> ShoeView {
    let (commitment, previous) = table.commitments();
    let step = match game.expects() {
        Expects::Step(step) => Some(step),
        Expects::Opening { .. }
        | Expects::Bets
        | Expects::Draw { .. }
        | Expects::Open { .. }
        | Expects::Insurance
        | Expects::Declaration
        | Expects::ShoeChange => None,
    };
    let (min, max) = game.baccarat().cut_range();
    // At a continuous shuffler the commitment to the next coup's order is there before the coup.
    let committed = commitment.and_then(|_| table.unrevealed().last());
    ShoeView {
        number: committed.unwrap_or_else(|| game.shoe_number()),
        commitment: commitment.map(str::to_owned),
        previous: previous.map(str::to_owned),
        last_hand: game.is_round_open() && game.is_last_round(),
        step,
        cut: table.cut_until().map(|until| CutView { min, max, until }),
    }
}

fn seats_view(table: &Table, game: &Game) -> Vec<SeatView> {
    let course = game.baccarat();
    let view = |number: u8| {
        let seat = Seat(number);
        let sitter = table.seats.get(&seat);
        let holds = |side: &Side| {
            let holder = table.coup().and_then(|coup| coup.holder(*side));
            sitter.is_some_and(|s| holder == Some(owner(s.player)))
        };
        SeatView {
            seat,
            name: sitter.map(|s| s.name.clone()),
            present: sitter.is_some_and(|s| table.present.contains(&s.player)),
            holds_shoe: sitter.is_some() && course.shoe_holder() == Some(seat),
            holds: Side::BOTH.into_iter().filter(holds).collect(),
        }
    };
    (1..=course.rules().seats).map(view).collect()
}

/// The total and the number of bettors on each zone, no names. Between rounds these are the
/// carried stakes, which stay on the layout (BAC-60).
pub fn totals_view(table: &Table) -> Vec<ZoneView> {
    let Some(game) = table.game() else { return Vec::new() };
    let carried = game.carried();
    let mut waiting: BTreeMap<AnyBet, (Chips, BTreeSet<Owner>)> = BTreeMap::new();
    for wager in &carried {
        let (stake, owners) = waiting.entry(wager.on).or_default();
        *stake = [*stake, wager.stake].into_iter().sum();
        owners.insert(wager.owner);
    }
    let bettors = |owners: BTreeSet<Owner>| u32::try_from(owners.len()).unwrap_or(u32::MAX);
    let waiting = waiting.into_iter();
    let waiting = waiting.map(|(on, (stake, o))| ZoneView { on, stake, bettors: bettors(o) });
    let zone = |(bet, zone): (Bet, games::baccarat::ZoneTotal)| ZoneView {
        on: AnyBet::Baccarat(bet),
        stake: zone.stake,
        bettors: zone.bettors,
    };
    let laid = table.coup().into_iter().flat_map(|coup| coup.layout().zones().map(zone));
    waiting.chain(laid).collect()
}

/// All roads of the shoe, with the answers to ask-the-road where the table has it.
pub fn roads_view(table: &Table) -> Option<RoadMaps> {
    let course = table.game()?.baccarat();
    let roads = RoadMaps::of(course.outcomes(), course.rules().dragon_tail);
    let asks = table.settings().is_some_and(|s| s.ask_road);
    Some(if asks { roads } else { roads.without_ask_road() })
}

/// The layout: every bet with pays, limits and step.
pub fn layout(table: &Table) -> Vec<LayoutZone> {
    let (Some(settings), Some((rules, _))) = (table.settings(), table.rules()) else {
        return Vec::new();
    };
    let AnyLimits::Baccarat(limits) = &settings.limits;
    let rules = rules.baccarat();
    let zone = |bet: Bet| {
        let mut range = limits.range(bet);
        let mut step = limits.step(rules, bet);
        if bet.is_insurance() {
            // Any amount up to the main stake, in steps of exact payment (BAC-81).
            step = rules.exact_step(bet);
            range = Range { min: step, max: limits.main.max };
        }
        LayoutZone {
            on: AnyBet::Baccarat(bet),
            pays: rules.printed_pays(bet),
            commission_pct: if bet == Bet::Banker { rules.commission_pct } else { 0 },
            min: range.min,
            max: range.max,
            step,
        }
    };
    rules.layout().map(zone).collect()
}

/// A finished round as `who` sees it.
pub fn my_round(record: &RoundRecord, who: PlayerId) -> Option<MyRound> {
    let own: Vec<&PaidOut> = record.payouts.iter().filter(|p| p.owner == who).collect();
    (!own.is_empty()).then(|| round_with(record, &own))
}

/// A finished round with these of its payouts.
fn round_with(record: &RoundRecord, own: &[&PaidOut]) -> MyRound {
    let back = |p: &&PaidOut| match p.ending {
        Ending::Won => [p.stake, p.winnings.saturating_sub(p.commission)].into_iter().sum(),
        Ending::Pushed | Ending::Carried => p.stake,
        Ending::Lost => Chips::ZERO,
    };
    MyRound {
        table: record.id.table.number(),
        round: record.id.number,
        shoe: record.shoe,
        at: record.at,
        player: record.hands[0].clone(),
        banker: record.hands[1].clone(),
        outcome: record.outcome,
        void: record.void.clone(),
        staked: own.iter().map(|p| p.stake).sum(),
        returned: own.iter().map(back).sum(),
        payouts: own
            .iter()
            .map(|p| MyPayout {
                bet: p.bet,
                on: p.on,
                stake: p.stake,
                ending: p.ending,
                winnings: p.winnings,
                commission: p.commission,
            })
            .collect(),
    }
}

/// What a player alone sees.
pub fn mine_view(table: &Table, who: PlayerId) -> MineView {
    let mut wagers = table.game().map_or_else(Vec::new, |g| g.wagers_of(owner(who)));
    let waiting = table.game().map_or_else(Vec::new, Game::carried);
    let waiting = waiting.into_iter().filter(|w| w.owner == owner(who));
    let laid = wagers.len();
    wagers.extend(waiting);
    let held = |side: Side| {
        let Some(coup) = table.coup() else { return Vec::new() };
        let holds = coup.holder(side) == Some(owner(who));
        let hidden = coup.hand(side).cards().skip(coup.opened(side));
        if holds { hidden.collect() } else { Vec::new() }
    };
    let zone = |(on, stake)| ZoneView { on, stake, bettors: 1 };
    let repeat = table.game().map_or_else(Vec::new, |g| table.repeatable(g, who));
    let last = table.last_of(who).map(|(record, own)| round_with(record, &own));
    MineView {
        table: table.id().number(),
        round: table.round(),
        seat: table.seat_of(who),
        at_stake: wagers.iter().map(|w| w.stake).sum(),
        bets: wagers
            .iter()
            .enumerate()
            .map(|(nth, w)| MyBet {
                bet: w.id,
                on: w.on,
                stake: w.stake,
                carried: nth >= laid || w.carried_from.is_some(),
            })
            .collect(),
        player_cards: held(Side::Player),
        banker_cards: held(Side::Banker),
        may: player_may(table, who),
        repeat: repeat.into_iter().map(zone).collect(),
        last,
    }
}

/// The buttons of a player's page.
fn player_may(table: &Table, who: PlayerId) -> Vec<String> {
    let mut may = Vec::new();
    let Some(game) = table.game() else { return may };
    let seat = table.seat_of(who);
    let rules = game.baccarat().rules();
    let open = table.is_open();
    let mut say = |word: &str, holds: bool| may.extend(holds.then(|| word.to_owned()));
    say("sit", open && seat.is_none() && rules.seats > 0 && !table.disabled);
    say("stand", seat.is_some());
    let betting = matches!(table.stage, Stage::Betting { .. }) && !table.is_halted();
    let betting = betting && (seat.is_some() || rules.standing_allowed);
    let own = game.wagers_of(owner(who));
    let placed = own.iter().any(|w| w.carried_from.is_none());
    say("bet", betting);
    say("undo", betting && placed);
    say("cancel-all", betting && !game.cancellable(owner(who)).is_empty());
    say("double", betting && !own.is_empty());
    say("repeat", betting && !placed && !table.repeatable(game, who).is_empty());
    say("open", game.verify_open(Some(owner(who))).is_ok());
    let main = game.own_zones(owner(who));
    let has_main = main.iter().any(|(AnyBet::Baccarat(b), _)| b.main_side().is_some());
    say("insure", game.expects() == Expects::Insurance && has_main && !table.is_halted());
    say("cut", seat.is_some() && table.cut_until().is_some());
    let shoe = seat.is_some() && game.baccarat().shoe_holder() == seat;
    let due = matches!(game.expects(), Expects::Draw { .. });
    say("deal", shoe && due && game.is_round_open() && !table.card_asked);
    let between = matches!(table.stage, Stage::Between { .. } | Stage::Betting { .. });
    say("pass-shoe", shoe && between);
    may
}

/// What the dealer `by` sees.
pub fn dealer_view(table: &Table, by: Actor) -> Option<DealerView> {
    let game = table.game()?;
    let coup = table.coup();
    let cards = |side: Side| {
        let Some(coup) = coup else { return Vec::new() };
        let cards = coup.hand(side).cards().enumerate();
        let typed = |nth: usize| table.typed_by[side as usize].get(nth) == Some(&by);
        cards.map(|(nth, card)| (nth < coup.opened(side) || typed(nth)).then_some(card)).collect()
    };
    let (due, step, opening, holder) = match game.expects() {
        Expects::Draw { due, .. } => (Some(due), None, vec![], None),
        Expects::Step(step) => (None, Some(step), vec![], None),
        Expects::Open { sides, holder } => (None, None, sides, holder),
        Expects::Opening { .. }
        | Expects::Bets
        | Expects::Insurance
        | Expects::Declaration
        | Expects::ShoeChange => (None, None, vec![], None),
    };
    let side = |bet| coup.map_or(Chips::ZERO, |c| c.layout().zone(bet).stake);
    let signed = |chips: Chips| i64::try_from(chips.minor()).unwrap_or(i64::MAX);
    let limits = table.settings().map(|s| &s.limits);
    Some(DealerView {
        table: table.id().number(),
        round: table.round(),
        phase: table.phase(),
        due,
        step,
        may: dealer_may(table, game),
        player_cards: cards(Side::Player),
        banker_cards: cards(Side::Banker),
        correctable: game.may_take_back(),
        zones: totals_view(table),
        differential: signed(side(Bet::Banker)) - signed(side(Bet::Player)),
        diff_limit: limits.and_then(|AnyLimits::Baccarat(limits)| limits.diff),
        cut_until: table.cut_until(),
        opening,
        holder: holder.and_then(|o| table.seat_of(player(o))),
        outcome: game.outcome().or_else(|| table.shown().and_then(|r| r.outcome)),
        shown_until: table.shown_until(),
        shoe: game.shoe_number(),
        last_hand: game.is_last_round(),
    })
}

/// The buttons of the dealer's page.
fn dealer_may(table: &Table, game: &Game) -> Vec<String> {
    let mut may = Vec::new();
    let mut say = |word: &str, holds: bool| may.extend(holds.then(|| word.to_owned()));
    let between = matches!(table.stage, Stage::Between { .. });
    let open = table.is_open();
    let expects = game.expects();
    say("open-table", !open && !table.disabled);
    say("close-table", open && !table.closing);
    say("new-shoe", between && expects == Expects::ShoeChange);
    say("change-shoe", between && game.has_shoe());
    say("step", between && !table.disabled && matches!(expects, Expects::Step(_)));
    let ready = between && !table.closing && !table.is_halted();
    say("open-round", ready && matches!(expects, Expects::Opening { .. }));
    let demo = matches!(expects, Expects::Opening { demonstration: true });
    say("demonstration", ready && demo);
    let (betting, extended) = match table.stage {
        Stage::Betting { extended, .. } => (true, extended),
        Stage::Closed | Stage::Between { .. } | Stage::Dealing { .. } => (false, false),
    };
    say("close-bets", betting);
    say("extend-bets", betting && !extended);
    let drawing = open && !betting;
    if let (true, Expects::Draw { due, white_card }) = (drawing, &expects) {
        say("card", matches!(due, Due::Card { .. } | Due::Turned));
        say("burn", matches!(due, Due::Burn { .. }));
        say("white-card", *white_card || *due == Due::WhiteCard);
    }
    say("take-back", game.may_take_back() && !table.is_robot_dealt());
    say("open", game.verify_open(None).is_ok());
    say("declare", expects == Expects::Declaration);
    may
}

/// A table in the lobby; none before it is configured.
pub fn tile_view(table: &Table) -> Option<TileView> {
    let settings = table.settings()?;
    let game = table.game()?;
    let rules = game.baccarat().rules();
    let AnyLimits::Baccarat(limits) = &settings.limits;
    let roads = roads_view(table)?;
    let taken = u8::try_from(table.seats.len()).unwrap_or(u8::MAX);
    Some(TileView {
        table: table.id().number(),
        name: settings.name.clone(),
        game: GameName::Baccarat,
        preset: rules.name.clone(),
        dealt_by: settings.dealt_by,
        practice: settings.practice,
        phase: table.phase(),
        deadline: table.deadline(),
        bet_s: settings.bet_s,
        min: limits.main.min,
        max: limits.main.max,
        seats: rules.seats,
        seats_free: rules.seats.saturating_sub(taken),
        standing_allowed: rules.standing_allowed,
        players: u32::try_from(table.present.len()).unwrap_or(u32::MAX),
        shoe: game.shoe_number(),
        big_road: roads.big_road,
        banker: roads.statistics.banker,
        player: roads.statistics.player,
        tie: roads.statistics.tie,
    })
}
