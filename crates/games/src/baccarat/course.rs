//! What a baccarat table keeps from coup to coup: the shoe and its procedure, results, carried
//! stakes, the shoe-holder (spec BAC §4, §10, §12).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::sync::Arc;

use chips::Chips;
use serde::{Deserialize, Serialize};

use super::roads::{CONTINUOUS_RESULTS, recent};
use super::{
    Bet, Burn, Coup, Cutter, Holding, LastHand, Limits, Outcome, Rules, ShuffleMode, Side,
    TiePolicy, Winner, value,
};
use crate::card::{Card, Rank};
use crate::round::{
    BetId, Draw, Due, Expects, Illegal, Owner, Round, Seat, Seating, Settlement, Step, Wager,
};
use crate::shoe::Shoe;

/// Most results that one shoe keeps; twelve decks give fewer than 160 coups.
pub const SHOE_OUTCOMES_MAX: usize = 1_000;

/// Why a shoe ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ShoeEnd {
    /// The last coup after the white card was dealt (BAC-91).
    WhiteCard,
    /// The house changed it between coups (BAC-29).
    HouseChange,
    /// The robot lost the order it had sealed.
    SealedOrderLost,
    /// The table closed.
    TableClosed,
    /// The cards could not complete the coup (BAC-119).
    OutOfCards,
}

/// Where the shoe procedure stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Before this step (BAC-20).
    Step(Step),
    /// The first card is to be turned (BAC-25).
    Turn,
    /// Cards are burned; the turned card may be taken back while none was.
    Burn { turned: Option<Card>, left: u8 },
    /// Coups are dealt; the turned card may be taken back before the first where it was the only
    /// one to burn.
    Dealing { turned: Option<Card> },
    /// The last coup is over, or no shoe was begun yet.
    Over,
}

/// How far the shoe is from its last coup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// The white card is in the shoe.
    NotYet,
    /// The next coup is the last.
    Next,
    /// This coup is the last.
    This,
}

/// The course of play at one table.
#[derive(Clone, Debug)]
pub struct Course {
    rules: Arc<Rules>,
    shoe_number: u32,
    shoe: Shoe,
    stage: Stage,
    last: Last,
    demonstrations: u8,
    betting_began: bool,
    outcomes: Vec<Outcome>,
    carried: Vec<Wager<Bet>>,
    previous: BTreeMap<Owner, Vec<(Bet, Chips)>>,
    shoe_holder: Option<Seat>,
    coup: Option<Coup>,
}

impl Course {
    /// A table before its first shoe.
    pub fn new(rules: Arc<Rules>) -> Course {
        Course {
            shoe: Shoe::full(rules.decks),
            rules,
            shoe_number: 0,
            stage: Stage::Over,
            last: Last::NotYet,
            demonstrations: 0,
            betting_began: false,
            outcomes: Vec::new(),
            carried: Vec::new(),
            previous: BTreeMap::new(),
            shoe_holder: None,
            coup: None,
        }
    }

    /// The rule set in force for the next coup.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The open coup.
    pub fn coup(&self) -> Option<&Coup> {
        self.coup.as_ref()
    }

    /// The open coup, to act on.
    pub fn coup_mut(&mut self) -> Option<&mut Coup> {
        self.coup.as_mut()
    }

    /// How many cards have left the shoe, burned ones included.
    pub fn cards_out(&self) -> u16 {
        52 * u16::from(self.rules.decks) - self.shoe.inside()
    }

    /// How many copies of a card have not been seen in this shoe.
    pub fn unseen(&self, card: Card) -> u8 {
        self.shoe.unseen(card)
    }

    /// How many demonstration coups this shoe has had.
    pub fn demonstrations(&self) -> u8 {
        self.demonstrations
    }

    /// The number of the shoe, from 1; 0 before the first. A continuous shuffler gives each coup a
    /// number, as each is dealt from a shuffle of its own.
    pub fn shoe_number(&self) -> u32 {
        self.shoe_number
    }

    /// The results since the shoe began, oldest first; a continuous shuffler keeps the last 200
    /// (BAC-28).
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Stakes carried over a tie that wait for the next coup.
    pub fn carried(&self) -> &[Wager<Bet>] {
        &self.carried
    }

    /// What an owner had on the layout of the coup before (BAC-38).
    pub fn previous(&self, owner: Owner) -> &[(Bet, Chips)] {
        self.previous.get(&owner).map_or(&[], Vec::as_slice)
    }

    /// Who holds the shoe at a shoe-passing table (BAC-131); nobody at any other.
    pub fn shoe_holder(&self) -> Option<Seat> {
        self.shoe_holder.filter(|_| self.rules.holding == Holding::Chemin)
    }

    /// True while the open coup, or with none open the next, is the last of the shoe.
    pub fn is_last_coup(&self) -> bool {
        self.last == Last::This || (self.coup.is_none() && self.last == Last::Next)
    }

    /// True between coups with a shoe from which one may be dealt.
    pub fn may_open(&self) -> bool {
        self.coup.is_none() && matches!(self.stage, Stage::Dealing { .. })
    }

    /// True while a shoe is in use, from its first step to its end.
    pub fn has_shoe(&self) -> bool {
        self.stage != Stage::Over
    }

    /// True before anything was done with a new shoe but the steps up to this one.
    pub fn is_before(&self, step: Step) -> bool {
        self.stage == Stage::Step(step)
    }

    /// Who must do what next.
    pub fn expects(&self) -> Expects {
        if let Some(coup) = &self.coup {
            return self.expects_of(coup);
        }
        let draw = |due| Expects::Draw { due, white_card: false };
        match self.stage {
            Stage::Step(step) => Expects::Step(step),
            Stage::Turn => draw(Due::Turned),
            Stage::Burn { left, .. } => draw(Due::Burn { left }),
            Stage::Dealing { .. } => Expects::Opening { demonstration: self.may_demonstrate() },
            Stage::Over => Expects::ShoeChange,
        }
    }

    fn expects_of(&self, coup: &Coup) -> Expects {
        let Expects::Draw { due, .. } = coup.expects() else { return coup.expects() };
        let continuous = self.rules.shuffle_mode == ShuffleMode::Continuous;
        let inside = self.last == Last::NotYet && !continuous;
        // The house knows where the card lies in a shoe that it shuffled itself; in a shoe filled
        // by hand it may come whenever a card is due.
        if self.rules.shuffle_mode == ShuffleMode::Rng {
            let next = inside && self.shoe.inside() <= self.rules.white_card_from_back;
            let due = if next { Due::WhiteCard } else { due };
            return Expects::Draw { due, white_card: false };
        }
        Expects::Draw { due, white_card: inside }
    }

    fn may_demonstrate(&self) -> bool {
        let continuous = self.rules.shuffle_mode == ShuffleMode::Continuous;
        !continuous && !self.betting_began && self.demonstrations < self.rules.demo_coups_max
    }

    /// May this step of the shoe procedure be taken? `at` is where the shoe is cut, if that is
    /// known.
    ///
    /// # Errors
    /// [`Illegal::NotDue`], or [`Illegal::CutOutOfRange`] (BAC-21).
    pub fn verify_step(&self, step: Step, at: Option<u16>) -> Result<(), Illegal> {
        if self.stage != Stage::Step(step) || (at.is_some() && step != Step::Cut) {
            return Err(Illegal::NotDue);
        }
        let (min, max) = self.cut_range();
        let known = self.rules.shuffle_mode == ShuffleMode::Rng && step == Step::Cut;
        match at {
            Some(at) if !(min..=max).contains(&at) => Err(Illegal::CutOutOfRange { min, max }),
            None if known => Err(Illegal::CutOutOfRange { min, max }),
            Some(_) | None => Ok(()),
        }
    }

    /// Where a shoe may be cut: a deck on either side.
    pub fn cut_range(&self) -> (u16, u16) {
        (52, 52 * u16::from(self.rules.decks) - 52)
    }

    /// True if a seated player is asked to cut before the dealer does (BAC-21).
    pub fn player_cuts(&self) -> bool {
        self.rules.cutter == Cutter::Player
    }

    /// Takes a step of the shoe procedure.
    pub fn step(&mut self, step: Step) {
        assert_eq!(self.stage, Stage::Step(step), "steps are taken in order");
        let next = Step::ALL.iter().copied().find(|s| *s > step);
        self.stage = match (next, self.rules.burn_new_shoe) {
            (Some(next), _) => Stage::Step(next),
            (None, Burn::None) => Stage::Dealing { turned: None },
            (None, Burn::Decks) => Stage::Burn { turned: None, left: self.rules.decks },
            (None, Burn::Fixed(count)) => Stage::Burn { turned: None, left: count },
            (None, Burn::FirstCardValue) => Stage::Turn,
        };
    }

    /// Begins the next shoe under `rules`: roads and counters are clear (BAC-92), but for those of
    /// a continuous shuffler, which the supervisor alone clears (BAC-28).
    pub fn begin_shoe(&mut self, rules: Arc<Rules>) {
        assert!(self.stage == Stage::Over && self.coup.is_none(), "one shoe after another");
        let continuous = rules.shuffle_mode == ShuffleMode::Continuous;
        let roads_go_on = continuous && self.rules.shuffle_mode == ShuffleMode::Continuous;
        self.shoe_number += u32::from(!continuous);
        self.shoe = Shoe::full(rules.decks);
        let dealing = Stage::Dealing { turned: None };
        self.stage = if continuous { dealing } else { Stage::Step(Step::Inspect) };
        self.last = Last::NotYet;
        self.demonstrations = 0;
        self.betting_began = false;
        if !roads_go_on {
            self.outcomes.clear();
        }
        self.rules = rules;
    }

    /// Puts another rule set in force from the next coup on.
    ///
    /// # Panics
    /// With a coup open, or where [`Course::fits_this_shoe`] says no.
    pub fn set_rules(&mut self, rules: Arc<Rules>) {
        assert!(self.coup.is_none() && self.fits_this_shoe(&rules), "rules change between coups");
        self.rules = rules;
    }

    /// True if another rule set may take effect within the present shoe: it has the same decks,
    /// shuffle, cut, white card and burn.
    pub fn fits_this_shoe(&self, rules: &Rules) -> bool {
        let facts = |r: &Rules| {
            let burn = (r.burn_new_shoe, r.burn_court_value, r.burn_includes_first);
            let white = (r.white_card_from_back, r.back_cover_card, r.last_hand);
            (r.decks, r.shuffle_mode, r.cutter, white, burn, r.burn_per_coup)
        };
        self.stage == Stage::Over || facts(&self.rules) == facts(rules)
    }

    /// Opens a coup; carried stakes lie on its layout under the numbers given (BAC-62).
    pub fn open_coup(&mut self, demonstration: bool, carried: &[(BetId, BetId)]) {
        assert!(self.may_open(), "a coup is opened between coups");
        self.stage = Stage::Dealing { turned: None };
        if self.rules.shuffle_mode == ShuffleMode::Continuous {
            self.shoe = Shoe::full(self.rules.decks);
            self.shoe_number += 1;
        }
        if self.last == Last::Next {
            self.last = Last::This;
        }
        if demonstration {
            assert!(self.may_demonstrate(), "demonstrations come before the first window");
            self.demonstrations += 1;
            self.coup = Some(Coup::demonstration(Arc::clone(&self.rules)));
            return;
        }
        self.betting_began = true;
        let mut coup = Coup::new(Arc::clone(&self.rules));
        for (old, new) in carried {
            let place = self.carried.iter().position(|w| w.id == *old);
            let wager = self.carried.remove(place.expect("a carried stake"));
            coup.place(Wager { id: *new, carried_from: Some(*old), ..wager });
        }
        self.coup = Some(coup);
    }

    /// May this draw be made? The coup and the shoe are asked.
    ///
    /// # Errors
    /// [`Illegal`] names what was expected.
    pub fn verify_draw(&self, draw: Draw) -> Result<(), Illegal> {
        let Expects::Draw { due, white_card } = self.expects() else { return Err(Illegal::NotDue) };
        match (due, draw) {
            (Due::WhiteCard, Draw::WhiteCard) => return Ok(()),
            (_, Draw::WhiteCard) if white_card => return Ok(()),
            (Due::WhiteCard, _) | (_, Draw::WhiteCard) => return Err(Illegal::NotDue),
            (Due::Turned, Draw::Card(_)) | (Due::Burn { .. }, Draw::Unseen) => (),
            (Due::Turned, Draw::FaceDown(_)) => {
                return Err(Illegal::WrongFace { face_down: false });
            }
            (Due::Card { .. }, Draw::Card(_) | Draw::FaceDown(_) | Draw::Unseen) => {
                let coup = self.coup.as_ref().expect("cards are due in a coup");
                coup.verify_draw(draw)?;
            }
            (Due::Turned, Draw::Unseen) | (Due::Burn { .. }, Draw::Card(_) | Draw::FaceDown(_)) => {
                return Err(Illegal::NotDue);
            }
        }
        match draw {
            Draw::Card(card) | Draw::FaceDown(card) if !self.shoe.can_draw(card) => {
                Err(Illegal::ShoeCannotHold { card })
            }
            Draw::Unseen if self.shoe.inside() == 0 => Err(Illegal::NotDue),
            Draw::Card(_) | Draw::FaceDown(_) | Draw::Unseen | Draw::WhiteCard => Ok(()),
        }
    }

    /// Makes a draw.
    pub fn draw(&mut self, draw: Draw) {
        assert_eq!(self.verify_draw(draw), Ok(()), "a draw that is not due");
        match draw {
            Draw::WhiteCard => return self.white_card(),
            Draw::Card(card) | Draw::FaceDown(card) => self.shoe.draw(card),
            Draw::Unseen => self.shoe.burn(),
        }
        match (&mut self.coup, draw) {
            (Some(coup), _) => coup.draw(draw),
            (None, Draw::Card(card)) => {
                let left = self.burn_after(card);
                let turned = Some(card);
                let burn = Stage::Burn { turned, left };
                self.stage = if left > 0 { burn } else { Stage::Dealing { turned } };
            }
            (None, Draw::FaceDown(_) | Draw::Unseen | Draw::WhiteCard) => {
                let Stage::Burn { left, .. } = self.stage else { panic!("nothing to burn") };
                let burn = Stage::Burn { turned: None, left: left - 1 };
                self.stage = if left > 1 { burn } else { Stage::Dealing { turned: None } };
            }
        }
    }

    /// How many cards are burned after the first card of a shoe was turned (BAC-25).
    fn burn_after(&self, first: Card) -> u8 {
        let shown = match first.rank {
            Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => self.rules.burn_court_value,
            Rank::Ace
            | Rank::Two
            | Rank::Three
            | Rank::Four
            | Rank::Five
            | Rank::Six
            | Rank::Seven
            | Rank::Eight
            | Rank::Nine => value(first.rank),
        };
        if self.rules.burn_includes_first { shown - 1 } else { shown }
    }

    /// The white card appears (BAC-91).
    fn white_card(&mut self) {
        let coup = self.coup.as_mut().expect("the white card comes where a card is due");
        let first = coup.is_untouched() && self.rules.white_first_is_last;
        self.last = match self.rules.last_hand {
            LastHand::OneMore if !first => Last::Next,
            LastHand::OneMore | LastHand::Current => Last::This,
        };
        coup.settle_cards();
    }

    /// The card that may be taken back as wrongly entered.
    pub fn correctable(&self) -> Option<Card> {
        match (&self.coup, self.stage) {
            (Some(coup), _) => coup.correctable().map(|(_, card)| card),
            (None, Stage::Burn { turned, .. } | Stage::Dealing { turned }) => turned,
            (None, Stage::Step(_) | Stage::Turn | Stage::Over) => None,
        }
    }

    /// Takes the last card back.
    ///
    /// # Panics
    /// If [`Course::correctable`] is `None`.
    pub fn take_back(&mut self) {
        let card = match (&mut self.coup, self.stage) {
            (Some(coup), _) => coup.take_back(),
            (
                None,
                Stage::Burn { turned: Some(card), .. } | Stage::Dealing { turned: Some(card) },
            ) => {
                self.stage = Stage::Turn;
                card
            }
            (None, _) => panic!("no card to take back"),
        };
        self.shoe.take_back(card);
    }

    /// Ends the coup with its settlement: the result enters the roads, carried stakes stay.
    ///
    /// # Panics
    /// If the coup is not over.
    pub fn settle(&mut self, seating: &Seating) -> Settlement<Bet> {
        let coup = self.coup.take().expect("a coup to settle");
        let settlement = coup.settlement().expect("a coup that is over");
        let outcome = coup.outcome().expect("a coup that is over");
        if !coup.is_demonstration() || self.rules.demo_on_road {
            self.note(outcome);
        }
        if !coup.is_demonstration() {
            self.remember(&coup);
            let carried = settlement.payouts.iter().filter(|p| p.ending == crate::Ending::Carried);
            self.carried.extend(carried.map(|p| p.wager));
            if outcome.winner == Winner::Player && self.rules.holding == Holding::Chemin {
                self.pass_shoe(seating);
            }
        }
        self.coup_over();
        settlement
    }

    fn note(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
        if self.rules.shuffle_mode == ShuffleMode::Continuous {
            self.outcomes = recent(&self.outcomes, CONTINUOUS_RESULTS).to_vec();
        }
        assert!(self.outcomes.len() <= SHOE_OUTCOMES_MAX, "a shoe has fewer coups");
    }

    fn remember(&mut self, coup: &Coup) {
        self.previous.clear();
        for wager in coup.layout().wagers().filter(|w| !w.on.is_insurance()) {
            let had = self.previous.entry(wager.owner).or_default();
            match had.iter_mut().find(|(bet, _)| *bet == wager.on) {
                Some((_, total)) => *total = total.checked_add(wager.stake).expect("within limits"),
                None => had.push((wager.on, wager.stake)),
            }
        }
    }

    fn coup_over(&mut self) {
        if self.last == Last::This {
            self.stage = Stage::Over;
        }
    }

    /// Ends the coup without a result: every stake goes back, the cards stay out of the shoe.
    pub fn void(&mut self) -> Vec<Wager<Bet>> {
        let coup = self.coup.take().expect("a coup to void");
        if !coup.is_demonstration() {
            self.remember(&coup);
        }
        self.coup_over();
        coup.layout().wagers().copied().collect()
    }

    /// Ends the shoe, whatever is left in it. `number` is its own, or at a continuous shuffler that
    /// of a shuffle which was made for a coup that is not dealt: it is not used again.
    ///
    /// # Panics
    /// With a coup open.
    pub fn end_shoe(&mut self, number: u32) {
        assert!(self.coup.is_none(), "the shoe ends between coups");
        self.stage = Stage::Over;
        self.shoe_number = self.shoe_number.max(number);
    }

    /// Carried stakes that go back when the shoe (`table_closes` or not) ends (BAC-62).
    pub fn carried_to_return(&self, table_closes: bool) -> Vec<Wager<Bet>> {
        let stay = self.rules.tie_policy() == TiePolicy::AddOnly && !table_closes;
        if stay { Vec::new() } else { self.carried.clone() }
    }

    /// Carried stakes that another rule set, or other limits, would not take (STD-40): all that an
    /// owner has on a zone goes back where any of it could not be paid exactly or the whole is no
    /// legal stake, and both sides where only one is allowed.
    pub fn carried_that_no_longer_fit(&self, rules: &Rules, limits: &Limits) -> Vec<Wager<Bet>> {
        let mut totals: BTreeMap<(Owner, Bet), Chips> = BTreeMap::new();
        for wager in &self.carried {
            let total = totals.entry((wager.owner, wager.on)).or_default();
            *total = [*total, wager.stake].into_iter().sum();
        }
        let uneven = |w: &&Wager<Bet>| !w.stake.is_multiple_of(limits.step(rules, w.on));
        let uneven: BTreeSet<(Owner, Bet)> =
            self.carried.iter().filter(uneven).map(|w| (w.owner, w.on)).collect();
        let both = |owner| {
            let on = |side| totals.contains_key(&(owner, Bet::main(side)));
            Side::BOTH.into_iter().all(on)
        };
        let fits = |w: &Wager<Bet>| {
            rules.tie_policy() != TiePolicy::Return
                && rules.offers(w.on)
                && limits.allow(rules, w.on, totals[&(w.owner, w.on)])
                && !uneven.contains(&(w.owner, w.on))
                && (rules.allow_both_sides || !both(w.owner))
        };
        self.carried.iter().filter(|w| !fits(w)).copied().collect()
    }

    /// Forgets a carried stake that went back.
    pub fn drop_carried(&mut self, bet: BetId) {
        self.carried.retain(|w| w.id != bet);
    }

    /// Passes the shoe to the next seat whose player is here (BAC-131). Where nobody is, it stays;
    /// where its own seat is empty as well, the next taken seat has it.
    pub fn pass_shoe(&mut self, seating: &Seating) {
        let after = self.shoe_holder.unwrap_or(Seat(0));
        let behind = seating.seats.iter().filter(|(seat, _)| **seat > after);
        let before = seating.seats.iter().filter(|(seat, _)| **seat <= after);
        let round: Vec<(&Seat, &Owner)> = behind.chain(before).collect();
        let here = round.iter().find(|(_, owner)| seating.is_here(**owner));
        let stays = round.iter().find(|(seat, _)| **seat == after);
        self.shoe_holder = here.or(stays).or(round.first()).map(|(seat, _)| **seat);
    }

    /// Passes the shoe on where nobody holds it, or its holder is gone or away.
    pub fn keep_shoe_held(&mut self, seating: &Seating) {
        let holder = self.shoe_holder.and_then(|seat| seating.seats.get(&seat));
        if !holder.is_some_and(|owner| seating.is_here(*owner)) {
            self.pass_shoe(seating);
        }
    }

    /// Clears the roads, as the supervisor may at a continuous shuffler (BAC-28).
    pub fn reset_roads(&mut self) {
        self.outcomes.clear();
    }

    /// Feeds every field in a fixed order, for the digest.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn describe(&self, out: &mut dyn Write) -> fmt::Result {
        writeln!(out, "shoe {} {:?} {:?}", self.shoe_number, self.stage, self.last)?;
        for card in Card::deck() {
            write!(out, "{}", self.shoe.unseen(card))?;
        }
        writeln!(out, " inside {}", self.shoe.inside())?;
        writeln!(out, "demonstrations {} {}", self.demonstrations, self.betting_began)?;
        for o in &self.outcomes {
            write!(out, "{o:?} ")?;
        }
        for w in &self.carried {
            write!(out, "carried {} {} {} {} ", w.id, w.owner.0, w.on, w.stake)?;
        }
        for (owner, bets) in &self.previous {
            write!(out, "previous {}", owner.0)?;
            for (bet, stake) in bets {
                write!(out, " {bet} {stake}")?;
            }
        }
        writeln!(out, "holder {}", self.shoe_holder.map_or(0, |s| s.0))?;
        self.coup.as_ref().map_or(Ok(()), |coup| coup.describe(out))
    }
}
