//! Baccarat: the coup, from the first bet to the settlement (spec BAC §4 to §9).

mod bets;
mod course;
mod layout;
pub mod roads;
mod rules;
mod tableau;

use std::fmt::{self, Write};
use std::sync::Arc;

use chips::Chips;

pub use bets::{Bet, InsuranceRow, NotABet, Window, came_to, insurance_row};
pub use course::{Course, SHOE_OUTCOMES_MAX, ShoeEnd};
pub use layout::{BETS_PER_OWNER_MAX, Change, Layout, Limits, Range, ZoneTotal};
pub use rules::{
    Burn, Cutter, DiffLimit, DragonPays, ExposedCard, Holding, InsurancePays, LastHand,
    LuckySixPays, PayTable, PayoutExactness, PerfectPairPays, PrintedPay, Reveal, Rules,
    ShuffleMode, TiePolicy, WrongRules,
};
pub use tableau::{Hand, Outcome, Side, Winner, banker_draws, player_draws, sides, value};

use crate::card::Card;
use crate::round::{
    BetId, CameTo, Draw, Due, Ending, Expects, Illegal, Owner, Payout, Refused, Return, Round,
    Seating, Settlement,
};

/// Most decks in a shoe of any preset.
pub const DECKS_MAX: u8 = 12;

/// One coup.
///
/// What is due follows from the cards that lie open: nothing here, and nothing that
/// [`Round::expects`] says, depends on a card that was not opened yet (BAC-47).
#[derive(Clone, Debug)]
pub struct Coup {
    rules: Arc<Rules>,
    demonstration: bool,
    layout: Layout,
    betting: bool,
    burn_left: u8,
    player: Hand,
    banker: Hand,
    opened: [usize; 2],
    holders: [Option<Owner>; 2],
    four_cards_window_over: bool,
    five_cards_window_over: bool,
    /// The hand whose last card may still be taken back.
    correctable: Option<Side>,
}

impl Coup {
    /// A coup whose betting window is open.
    pub fn new(rules: Arc<Rules>) -> Coup {
        let burn_left = rules.burn_per_coup;
        Coup {
            rules,
            demonstration: false,
            layout: Layout::default(),
            betting: true,
            burn_left,
            player: Hand::default(),
            banker: Hand::default(),
            opened: [0, 0],
            holders: [None, None],
            four_cards_window_over: false,
            five_cards_window_over: false,
            correctable: None,
        }
    }

    /// A demonstration coup: no bets, straight to the cards (BAC-27).
    pub fn demonstration(rules: Arc<Rules>) -> Coup {
        Coup { demonstration: true, betting: false, ..Coup::new(rules) }
    }

    /// True for a demonstration coup.
    pub fn is_demonstration(&self) -> bool {
        self.demonstration
    }

    /// The rule set it is played by.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The bets on the layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// One of the two hands, opened or not.
    pub fn hand(&self, side: Side) -> &Hand {
        match side {
            Side::Player => &self.player,
            Side::Banker => &self.banker,
        }
    }

    /// How many cards of a hand lie open.
    pub fn opened(&self, side: Side) -> usize {
        self.opened[side as usize]
    }

    /// Who may look at a hand before the others (BAC-45).
    pub fn holder(&self, side: Side) -> Option<Owner> {
        self.holders[side as usize]
    }

    /// True while bets are taken.
    pub fn is_betting(&self) -> bool {
        self.betting
    }

    /// True if no card has left the shoe for this coup, a burn card included.
    pub fn is_untouched(&self) -> bool {
        self.burn_left == self.rules.burn_per_coup && self.player.is_empty()
    }

    /// The insurance that is offered now, with the row of each hand that may be insured.
    pub fn insurance_offered(&self) -> Vec<(Bet, InsuranceRow)> {
        if self.expects() != Expects::Insurance {
            return Vec::new();
        }
        let window = if self.player.len() == 2 { Window::FourCards } else { Window::FiveCards };
        self.insurance_rows(window)
    }

    /// A demonstration takes no bets, so it has no window either (BAC-27).
    fn insurance_rows(&self, window: Window) -> Vec<(Bet, InsuranceRow)> {
        if !self.rules.insurance || self.demonstration {
            return Vec::new();
        }
        let row = |side| {
            let row = insurance_row(&self.rules, window, side, &self.player, &self.banker)?;
            Some((Bet::Insurance(window, side), row))
        };
        Side::BOTH.into_iter().filter_map(row).collect()
    }

    /// May this change of one owner's bets be made, with all of it standing at the end?
    ///
    /// # Errors
    /// The first refusal in the order of OPS-40.
    pub fn verify_change(
        &self,
        owner: Owner,
        change: &Change,
        limits: &Limits,
    ) -> Result<(), Refused> {
        if !change.plus.keys().any(|bet| bet.is_insurance()) {
            return self.layout.verify_change(&self.rules, owner, change, limits);
        }
        if !change.minus.is_empty() {
            return Err(Refused::UnknownPosition);
        }
        let mut bought = change.plus.iter();
        bought.try_for_each(|(bet, stake)| self.verify_insurance(owner, *bet, *stake))
    }

    /// Insurance: offered now, by a main bet on that hand, once a window, up to the main stake
    /// (BAC-81).
    fn verify_insurance(&self, owner: Owner, bet: Bet, stake: Chips) -> Result<(), Refused> {
        let offered = self.insurance_offered();
        let Bet::Insurance(_, side) = bet else { return Err(Refused::UnknownPosition) };
        if !offered.iter().any(|(b, _)| *b == bet) {
            return Err(Refused::UnknownPosition);
        }
        let step = self.rules.exact_step(bet);
        if stake.is_zero() {
            return Err(Refused::BelowMin { min: step });
        }
        let main = self.layout.own(owner, Bet::main(side));
        if main.is_zero() {
            return Err(Refused::MainBetRequired);
        }
        if !self.layout.own(owner, bet).is_zero() {
            return Err(Refused::AboveMax { max: Chips::ZERO });
        }
        if stake > main {
            return Err(Refused::AboveMax { max: main.floor_to(step) });
        }
        if !stake.is_multiple_of(step) {
            return Err(Refused::Step { step });
        }
        Ok(())
    }

    /// Puts a wager on the layout.
    pub fn place(&mut self, wager: crate::round::Wager<Bet>) {
        if wager.on.is_insurance() {
            self.correctable = None;
        }
        self.layout.place(wager);
    }

    /// Takes part of a wager, or all of it, off the layout.
    pub fn reduce(&mut self, bet: BetId, by: Chips) {
        self.layout.reduce(bet, by);
    }

    /// Moves a wager to another zone.
    pub fn move_to(&mut self, bet: BetId, on: Bet) {
        self.layout.move_to(bet, on);
    }

    /// What goes back before the deal: carried stakes of absent owners, then what passes the
    /// differential limit, newest first (BAC-42, BAC-62).
    pub fn returns_at_close(&self, seating: &Seating, limits: &Limits) -> Vec<Return> {
        self.layout.returns_at_close(&self.rules, seating, limits)
    }

    /// May these cards be opened by `by` (`None` is the dealer)?
    ///
    /// # Errors
    /// [`Illegal::NotDue`] or, where somebody else holds the right, [`Illegal::NotYours`].
    pub fn verify_open(&self, by: Option<Owner>) -> Result<(), Illegal> {
        match self.expects() {
            Expects::Open { holder, .. } if holder == by => Ok(()),
            Expects::Open { .. } => Err(Illegal::NotYours),
            Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::Bets
            | Expects::Draw { .. }
            | Expects::Insurance
            | Expects::Declaration
            | Expects::ShoeChange => Err(Illegal::NotDue),
        }
    }

    /// Opens what is due to be opened.
    ///
    /// # Panics
    /// If nothing is.
    pub fn open(&mut self) {
        let Expects::Open { sides, .. } = self.expects() else { panic!("no cards to open") };
        for side in sides {
            self.opened[side as usize] = self.hand(side).len();
        }
        self.correctable = None;
    }

    /// The holder left or lost his connection: the dealer holds instead (BAC-46).
    pub fn holder_left(&mut self, owner: Owner) {
        for holder in &mut self.holders {
            if *holder == Some(owner) {
                *holder = None;
            }
        }
    }

    /// The card that may be taken back as wrongly entered: the last one, while nothing rests on it.
    pub fn correctable(&self) -> Option<(Side, Card)> {
        let side = self.correctable?;
        self.hand(side).cards().last().map(|card| (side, card))
    }

    /// Takes the last card back.
    ///
    /// # Panics
    /// If [`Coup::correctable`] is `None`.
    pub fn take_back(&mut self) -> Card {
        let side = self.correctable.take().expect("a card that may be taken back");
        let hand = match side {
            Side::Player => &mut self.player,
            Side::Banker => &mut self.banker,
        };
        let card = hand.pop().expect("the last card lies in its hand");
        self.opened[side as usize] = self.opened[side as usize].min(self.hand(side).len());
        card
    }

    /// Nothing drawn so far can be taken back any more.
    pub fn settle_cards(&mut self) {
        self.correctable = None;
    }

    /// How the coup came out, once it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let over = self.expects() == Expects::Declaration;
        over.then(|| Outcome::of(&self.player, &self.banker))
    }

    /// What must happen after the four cards lie open.
    fn after_four_cards(&self) -> Expects {
        let (player, banker) = (self.player.two_card_total(), self.banker.two_card_total());
        let natural = self.player.is_natural() || self.banker.is_natural();
        let player_draws = player_draws(player);
        if natural || (!player_draws && !banker_draws(banker, None)) {
            return Expects::Declaration;
        }
        if !self.four_cards_window_over && !self.insurance_rows(Window::FourCards).is_empty() {
            return Expects::Insurance;
        }
        if player_draws {
            let Some(third) = self.player.third() else { return self.card_due(Side::Player, 3) };
            if self.opened(Side::Player) < 3 {
                return self.opening_of(&[Side::Player]);
            }
            if !banker_draws(banker, Some(value(third.rank))) {
                return Expects::Declaration;
            }
            if !self.five_cards_window_over && !self.insurance_rows(Window::FiveCards).is_empty() {
                return Expects::Insurance;
            }
        }
        match self.banker.third() {
            None => self.card_due(Side::Banker, 3),
            Some(_) if self.opened(Side::Banker) < 3 => self.opening_of(&[Side::Banker]),
            Some(_) => Expects::Declaration,
        }
    }

    fn card_due(&self, side: Side, nth: u8) -> Expects {
        let face_down = self.rules.reveal() != Reveal::DealtFaceUp;
        Expects::Draw { due: Due::Card { side, nth, face_down }, white_card: false }
    }

    fn opening_of(&self, sides: &[Side]) -> Expects {
        Expects::Open { sides: sides.to_vec(), holder: self.holder(sides[0]) }
    }

    /// Feeds every field in a fixed order, for the digest.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn describe(&self, out: &mut dyn Write) -> fmt::Result {
        write!(out, "coup demo={} betting={}", self.demonstration, self.betting)?;
        write!(out, " burn={}", self.burn_left)?;
        for side in Side::BOTH {
            write!(out, " hand=")?;
            for card in self.hand(side).cards() {
                write!(out, "{card}")?;
            }
            let holder = self.holder(side).map_or(0, |o| o.0);
            write!(out, " opened={} holder={holder}", self.opened(side))?;
        }
        let windows = (self.four_cards_window_over, self.five_cards_window_over);
        writeln!(out, " windows={}{}", u8::from(windows.0), u8::from(windows.1))?;
        writeln!(out, "correctable {:?}", self.correctable)?;
        self.layout.describe(out)
    }
}

impl Round for Coup {
    type Bet = Bet;

    fn expects(&self) -> Expects {
        if self.betting {
            return Expects::Bets;
        }
        if self.burn_left > 0 {
            return Expects::Draw { due: Due::Burn { left: self.burn_left }, white_card: false };
        }
        match self.player.len() + self.banker.len() {
            0 => return self.card_due(Side::Player, 1),
            1 => return self.card_due(Side::Banker, 1),
            2 => return self.card_due(Side::Player, 2),
            3 => return self.card_due(Side::Banker, 2),
            _ => (),
        }
        let closed = |side| self.opened(side) < 2;
        match self.rules.reveal() {
            Reveal::Simultaneous if closed(Side::Player) => self.opening_of(&Side::BOTH),
            Reveal::PlayerFirst if closed(Side::Player) => self.opening_of(&[Side::Player]),
            Reveal::PlayerFirst if closed(Side::Banker) => self.opening_of(&[Side::Banker]),
            Reveal::Simultaneous | Reveal::PlayerFirst | Reveal::DealtFaceUp => {
                self.after_four_cards()
            }
        }
    }

    fn verify_draw(&self, draw: Draw) -> Result<(), Illegal> {
        let Expects::Draw { due, .. } = self.expects() else { return Err(Illegal::NotDue) };
        match (due, draw) {
            (Due::Burn { .. }, Draw::Unseen)
            | (Due::Card { face_down: false, .. }, Draw::Card(_))
            | (Due::Card { face_down: true, .. }, Draw::FaceDown(_)) => Ok(()),
            (Due::Card { face_down, .. }, Draw::Card(_) | Draw::FaceDown(_)) => {
                Err(Illegal::WrongFace { face_down })
            }
            (
                Due::Turned | Due::WhiteCard | Due::Burn { .. } | Due::Card { .. },
                Draw::Card(_) | Draw::FaceDown(_) | Draw::Unseen | Draw::WhiteCard,
            ) => Err(Illegal::NotDue),
        }
    }

    fn draw(&mut self, draw: Draw) {
        assert_eq!(self.verify_draw(draw), Ok(()), "a draw that is not due");
        let Expects::Draw { due, .. } = self.expects() else { unreachable!("verified above") };
        match (due, draw) {
            (Due::Card { side, .. }, Draw::Card(card) | Draw::FaceDown(card)) => {
                match side {
                    Side::Player => self.player.push(card),
                    Side::Banker => self.banker.push(card),
                }
                if draw == Draw::Card(card) {
                    self.opened[side as usize] = self.hand(side).len();
                }
                self.correctable = Some(side);
            }
            (Due::Turned | Due::WhiteCard | Due::Burn { .. } | Due::Card { .. }, _) => {
                self.burn_left -= 1;
            }
        }
    }

    fn close(&mut self, seating: &Seating) {
        assert!(self.betting, "the betting window is closed once");
        self.betting = false;
        // Who has the right but is away has left the table: the dealer opens (BAC-46).
        let largest = |side| {
            let largest = self.layout.largest_seated(Bet::main(side), seating);
            largest.filter(|owner| seating.is_here(*owner))
        };
        self.holders = match self.rules.holding {
            Holding::Off => [None, None],
            Holding::LargestSeated => [largest(Side::Player), largest(Side::Banker)],
            Holding::Chemin => [largest(Side::Player), None],
        };
    }

    fn timeout(&mut self) {
        match self.expects() {
            Expects::Open { .. } => self.open(),
            Expects::Insurance => {
                self.correctable = None;
                if self.player.len() == 2 {
                    self.four_cards_window_over = true;
                }
                if self.player.len() == 3 {
                    self.five_cards_window_over = true;
                }
            }
            Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::Bets
            | Expects::Draw { .. }
            | Expects::Declaration
            | Expects::ShoeChange => (),
        }
    }

    fn came_to(&self, on: Bet) -> Option<CameTo> {
        let over = self.expects() == Expects::Declaration;
        over.then(|| came_to(&self.rules, on, &self.player, &self.banker)).flatten()
    }

    fn settlement(&self) -> Option<Settlement<Bet>> {
        let outcome = self.outcome()?;
        let carries = outcome.winner == Winner::Tie
            && matches!(self.rules.tie_policy(), TiePolicy::Free | TiePolicy::AddOnly);
        let payout = |wager: &crate::round::Wager<Bet>| {
            let came_to = self.came_to(wager.on).expect("a bet on the layout is offered");
            let nothing = (Chips::ZERO, Chips::ZERO);
            let (ending, (winnings, commission)) = match came_to {
                CameTo::Won { pays, commission } => {
                    (Ending::Won, self.rules.winnings(wager.stake, pays, commission))
                }
                CameTo::Lost => (Ending::Lost, nothing),
                CameTo::Pushed if carries && wager.on.main_side().is_some() => {
                    (Ending::Carried, nothing)
                }
                CameTo::Pushed => (Ending::Pushed, nothing),
            };
            Payout { wager: *wager, ending, winnings, commission }
        };
        Some(Settlement { payouts: self.layout.wagers().map(payout).collect() })
    }
}
