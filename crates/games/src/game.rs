//! The closed set of games: what a table, the log and the wire hold instead of one game.
//!
//! Every `let Game::Baccarat(..) = self` here stops compiling when a game is added: the compiler is
//! the checklist (docs/adding-a-game.md).

use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use chips::Chips;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::baccarat::{self, Bet, Change, Course, NotABet, Outcome, Rules, WrongRules};
use crate::round::{
    BetId, Draw, Expects, Illegal, Owner, Payout, Refused, Return, Round, Seating, Settlement,
    Step, Wager,
};

/// Most bytes that a rule file may have.
pub const RULES_BYTES_MAX: usize = 64 * 1024;

/// The games that are dealt here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum GameName {
    Baccarat,
}

/// A bet of any game. Its text form is the game's own (`banker`); no two games share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
#[allow(missing_docs)]
pub enum AnyBet {
    Baccarat(Bet),
}

impl fmt::Display for AnyBet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnyBet::Baccarat(bet) = self;
        bet.fmt(f)
    }
}

impl FromStr for AnyBet {
    type Err = NotABet;

    fn from_str(text: &str) -> Result<AnyBet, NotABet> {
        text.parse().map(AnyBet::Baccarat)
    }
}

impl Serialize for AnyBet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AnyBet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyBet, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A variant of a game, as data, parsed once and frozen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum RuleSet {
    Baccarat(Arc<Rules>),
}

/// Why a text is no rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesFailure {
    /// Larger than [`RULES_BYTES_MAX`].
    TooLarge,
    /// No TOML, an unknown or a missing option, a wrong value: with line and column.
    Malformed(String),
    /// The game is not dealt here.
    UnknownGame(String),
    /// An option outside what BAC-9 allows.
    Wrong(WrongRules),
}

impl fmt::Display for RulesFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesFailure::TooLarge => write!(f, "larger than {RULES_BYTES_MAX} bytes"),
            RulesFailure::Malformed(why) => write!(f, "{}", why.trim_end()),
            RulesFailure::UnknownGame(game) => write!(f, "game `{game}` is not dealt here"),
            RulesFailure::Wrong(wrong) => wrong.fmt(f),
        }
    }
}

impl std::error::Error for RulesFailure {}

impl RuleSet {
    /// Reads a rule file.
    ///
    /// # Errors
    /// [`RulesFailure`], with the position where there is one.
    pub fn parse(text: &str) -> Result<RuleSet, RulesFailure> {
        if text.len() > RULES_BYTES_MAX {
            return Err(RulesFailure::TooLarge);
        }
        #[derive(Deserialize)]
        struct Head {
            game: String,
        }
        let malformed = |e: toml::de::Error| RulesFailure::Malformed(e.to_string());
        let head: Head = toml::from_str(text).map_err(malformed)?;
        if head.game != "baccarat" {
            return Err(RulesFailure::UnknownGame(head.game.chars().take(40).collect()));
        }
        let rules: Rules = toml::from_str(text).map_err(malformed)?;
        rules.validate().map_err(RulesFailure::Wrong)?;
        Ok(RuleSet::Baccarat(Arc::new(rules)))
    }

    /// Reads a rule file with some of its options replaced, as a table's settings may.
    ///
    /// # Errors
    /// As [`RuleSet::parse`]; an option that the file does not have is refused as well.
    pub fn parse_with(text: &str, options: &toml::Table) -> Result<RuleSet, RulesFailure> {
        RuleSet::parse(text)?;
        if options.is_empty() {
            return RuleSet::parse(text);
        }
        let malformed = |e: String| RulesFailure::Malformed(e);
        let mut table: toml::Table = toml::from_str(text).map_err(|e| malformed(e.to_string()))?;
        replace(&mut table, options);
        RuleSet::parse(&toml::to_string(&table).map_err(|e| malformed(e.to_string()))?)
    }

    /// The whole rule set as text, every option spelled out: what the log keeps under its hash.
    pub fn canonical(&self) -> String {
        let RuleSet::Baccarat(rules) = self;
        toml::to_string(&**rules).expect("a rule set can be written as TOML")
    }

    /// The name of the variant.
    pub fn name(&self) -> &str {
        let RuleSet::Baccarat(rules) = self;
        &rules.name
    }

    /// The game that it is a variant of.
    pub fn game(&self) -> GameName {
        let RuleSet::Baccarat(rules) = self;
        rules.game
    }

    /// The rule set of baccarat.
    pub fn baccarat(&self) -> &Arc<Rules> {
        let RuleSet::Baccarat(rules) = self;
        rules
    }
}

/// Replaces values of `table` by those of `options`, tables within tables as well.
fn replace(table: &mut toml::Table, options: &toml::Table) {
    for (key, value) in options {
        match (table.get_mut(key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(by)) => replace(inner, by),
            (_, value) => {
                table.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The limits of a table, for whatever game is dealt there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum AnyLimits {
    Baccarat(baccarat::Limits),
}

/// How a round came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum AnyOutcome {
    Baccarat(Outcome),
}

/// The game at a table, from shoe to shoe, with its open round.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Game {
    Baccarat(Box<Course>),
}

fn any(wager: &Wager<Bet>) -> Wager<AnyBet> {
    let Wager { id, owner, on, stake, carried_from } = *wager;
    Wager { id, owner, on: AnyBet::Baccarat(on), stake, carried_from }
}

impl Game {
    /// A table before its first round.
    pub fn new(rules: &RuleSet) -> Game {
        let RuleSet::Baccarat(rules) = rules;
        Game::Baccarat(Box::new(Course::new(Arc::clone(rules))))
    }

    /// The course of baccarat.
    pub fn baccarat(&self) -> &Course {
        let Game::Baccarat(course) = self;
        course
    }

    fn course(&mut self) -> &mut Course {
        let Game::Baccarat(course) = self;
        course
    }

    fn coup(&mut self) -> &mut baccarat::Coup {
        self.course().coup_mut().expect("a round is open")
    }

    /// Who must do what next.
    pub fn expects(&self) -> Expects {
        self.baccarat().expects()
    }

    /// True with a round open.
    pub fn is_round_open(&self) -> bool {
        self.baccarat().coup().is_some()
    }

    /// The number of the shoe; 0 before the first.
    pub fn shoe_number(&self) -> u32 {
        self.baccarat().shoe_number()
    }

    /// True while a shoe is in use.
    pub fn has_shoe(&self) -> bool {
        self.baccarat().has_shoe()
    }

    /// May these stakes be added, with all of them standing?
    ///
    /// # Errors
    /// The first refusal in the order of OPS-40.
    pub fn verify_bets(
        &self,
        owner: Owner,
        bets: &[(AnyBet, Chips)],
        limits: &AnyLimits,
    ) -> Result<(), Refused> {
        let AnyLimits::Baccarat(limits) = limits;
        let coup = self.baccarat().coup().ok_or(Refused::IllegalAction)?;
        let mut change = Change::default();
        for (AnyBet::Baccarat(bet), stake) in bets {
            let sum = change.plus.entry(*bet).or_default();
            let room = Chips::MAX.saturating_sub(*sum);
            *sum = sum.checked_add(*stake).ok_or(Refused::AboveMax { max: room })?;
        }
        coup.verify_change(owner, &change, limits)
    }

    /// The bets that go with `bet` when it is cancelled.
    ///
    /// # Errors
    /// Why it may not be.
    pub fn verify_cancel(
        &self,
        owner: Owner,
        bet: BetId,
        limits: &AnyLimits,
    ) -> Result<Vec<BetId>, Refused> {
        let AnyLimits::Baccarat(limits) = limits;
        let coup = self.baccarat().coup().ok_or(Refused::IllegalAction)?;
        coup.layout().verify_cancel(coup.rules(), owner, bet, limits)
    }

    /// All bets of an owner that he may cancel together; carried stakes locked by `add_only` stay.
    pub fn cancellable(&self, owner: Owner) -> Vec<BetId> {
        let Some(coup) = self.baccarat().coup() else { return Vec::new() };
        let locked = coup.rules().tie_policy() == baccarat::TiePolicy::AddOnly;
        let free = coup.layout().wagers_of(owner);
        free.filter(|w| !(locked && w.carried_from.is_some())).map(|w| w.id).collect()
    }

    /// May a bet be lowered?
    ///
    /// # Errors
    /// Why it may not be.
    pub fn verify_lower(
        &self,
        owner: Owner,
        bet: BetId,
        to: Chips,
        limits: &AnyLimits,
    ) -> Result<(), Refused> {
        let AnyLimits::Baccarat(limits) = limits;
        let coup = self.baccarat().coup().ok_or(Refused::IllegalAction)?;
        coup.layout().verify_lower(coup.rules(), owner, bet, to, limits)
    }

    /// May a bet be moved?
    ///
    /// # Errors
    /// Why it may not be.
    pub fn verify_move(
        &self,
        owner: Owner,
        bet: BetId,
        to: AnyBet,
        limits: &AnyLimits,
    ) -> Result<(), Refused> {
        let (AnyLimits::Baccarat(limits), AnyBet::Baccarat(to)) = (limits, to);
        let coup = self.baccarat().coup().ok_or(Refused::IllegalAction)?;
        coup.layout().verify_move(coup.rules(), owner, bet, to, limits)
    }

    /// One owner's bets on the layout, oldest first.
    pub fn wagers_of(&self, owner: Owner) -> Vec<Wager<AnyBet>> {
        let coup = self.baccarat().coup();
        coup.map_or_else(Vec::new, |coup| coup.layout().wagers_of(owner).map(any).collect())
    }

    /// One owner's totals by zone.
    pub fn own_zones(&self, owner: Owner) -> Vec<(AnyBet, Chips)> {
        let Some(coup) = self.baccarat().coup() else { return Vec::new() };
        coup.layout().own_zones(owner).map(|(b, c)| (AnyBet::Baccarat(b), c)).collect()
    }

    /// One bet on the layout.
    pub fn wager(&self, bet: BetId) -> Option<Wager<AnyBet>> {
        self.baccarat().coup()?.layout().wager(bet).map(any)
    }

    /// Every bet on the layout.
    pub fn wagers(&self) -> Vec<Wager<AnyBet>> {
        let coup = self.baccarat().coup();
        coup.map_or_else(Vec::new, |coup| coup.layout().wagers().map(any).collect())
    }

    /// What an owner had on the layout of the round before.
    pub fn previous(&self, owner: Owner) -> Vec<(AnyBet, Chips)> {
        let had = self.baccarat().previous(owner).iter();
        had.map(|(bet, stake)| (AnyBet::Baccarat(*bet), *stake)).collect()
    }

    /// All stakes on the layout and carried ones that wait.
    pub fn at_stake(&self) -> Chips {
        let course = self.baccarat();
        let carried: Chips = course.carried().iter().map(|w| w.stake).sum();
        let layout = course.coup().map_or(Chips::ZERO, |coup| coup.layout().total());
        [carried, layout].into_iter().sum()
    }

    /// Puts a wager on the layout.
    pub fn place(&mut self, wager: &Wager<AnyBet>) {
        let Wager { id, owner, on: AnyBet::Baccarat(on), stake, carried_from } = *wager;
        self.coup().place(Wager { id, owner, on, stake, carried_from });
    }

    /// Takes part of a wager off.
    pub fn reduce(&mut self, bet: BetId, by: Chips) {
        self.coup().reduce(bet, by);
    }

    /// Moves a wager.
    pub fn move_to(&mut self, bet: BetId, AnyBet::Baccarat(on): AnyBet) {
        self.coup().move_to(bet, on);
    }

    /// What goes back at the close.
    pub fn returns_at_close(&self, seating: &Seating, limits: &AnyLimits) -> Vec<Return> {
        let AnyLimits::Baccarat(limits) = limits;
        let coup = self.baccarat().coup();
        coup.map_or_else(Vec::new, |coup| coup.returns_at_close(seating, limits))
    }

    /// Closes the betting window.
    pub fn close(&mut self, seating: &Seating) {
        self.coup().close(seating);
    }

    /// May this draw be made?
    ///
    /// # Errors
    /// What was expected instead.
    pub fn verify_draw(&self, draw: Draw) -> Result<(), Illegal> {
        self.baccarat().verify_draw(draw)
    }

    /// Makes a draw.
    pub fn draw(&mut self, draw: Draw) {
        self.course().draw(draw);
    }

    /// True if the last card may be taken back.
    pub fn may_take_back(&self) -> bool {
        self.baccarat().correctable().is_some()
    }

    /// Takes the last card back.
    pub fn take_back(&mut self) {
        self.course().take_back();
    }

    /// May `by` (`None` is the dealer) open what is to be opened?
    ///
    /// # Errors
    /// Why not.
    pub fn verify_open(&self, by: Option<Owner>) -> Result<(), Illegal> {
        self.baccarat().coup().map_or(Err(Illegal::NotDue), |coup| coup.verify_open(by))
    }

    /// Opens it.
    pub fn open_cards(&mut self) {
        self.coup().open();
    }

    /// The time of the decision that is due is over.
    pub fn timeout(&mut self) {
        self.coup().timeout();
    }

    /// Somebody who may hold cards left.
    pub fn holder_left(&mut self, owner: Owner) {
        if let Some(coup) = self.course().coup_mut() {
            coup.holder_left(owner);
        }
    }

    /// May this step of preparing the next shoe be taken?
    ///
    /// # Errors
    /// What was expected instead.
    pub fn verify_step(&self, step: Step, at: Option<u16>) -> Result<(), Illegal> {
        self.baccarat().verify_step(step, at)
    }

    /// Takes it.
    pub fn step(&mut self, step: Step) {
        self.course().step(step);
    }

    /// Begins the next shoe.
    pub fn begin_shoe(&mut self, rules: &RuleSet) {
        let RuleSet::Baccarat(rules) = rules;
        self.course().begin_shoe(Arc::clone(rules));
    }

    /// Ends the shoe between rounds; numbers up to `number` are used up.
    pub fn end_shoe(&mut self, number: u32) {
        self.course().end_shoe(number);
    }

    /// True if another rule set may take effect now, within the shoe.
    pub fn fits_this_shoe(&self, rules: &RuleSet) -> bool {
        let RuleSet::Baccarat(rules) = rules;
        self.baccarat().fits_this_shoe(rules)
    }

    /// Puts another rule set in force between rounds.
    pub fn set_rules(&mut self, rules: &RuleSet) {
        let RuleSet::Baccarat(rules) = rules;
        self.course().set_rules(Arc::clone(rules));
    }

    /// Opens a round, with carried stakes under new numbers.
    pub fn open_round(&mut self, demonstration: bool, carried: &[(BetId, BetId)]) {
        self.course().open_coup(demonstration, carried);
    }

    /// True if the open round deals no bets.
    pub fn is_demonstration(&self) -> bool {
        self.baccarat().coup().is_some_and(baccarat::Coup::is_demonstration)
    }

    /// True while the open (or else the next) round is the last of the shoe.
    pub fn is_last_round(&self) -> bool {
        self.baccarat().is_last_coup()
    }

    /// How the open round came out, if it is over.
    pub fn outcome(&self) -> Option<AnyOutcome> {
        self.baccarat().coup()?.outcome().map(AnyOutcome::Baccarat)
    }

    /// What the open round would come to, if it is over.
    pub fn settlement(&self) -> Option<Settlement<AnyBet>> {
        let settlement = self.baccarat().coup()?.settlement()?;
        let payouts = settlement.payouts.iter().map(|p| Payout {
            wager: any(&p.wager),
            ending: p.ending,
            winnings: p.winnings,
            commission: p.commission,
        });
        Some(Settlement { payouts: payouts.collect() })
    }

    /// Ends the round with its settlement.
    pub fn settle(&mut self, seating: &Seating) {
        self.course().settle(seating);
    }

    /// Ends the round without one.
    pub fn void(&mut self) {
        self.course().void();
    }

    /// Carried stakes that wait for the next round.
    pub fn carried(&self) -> Vec<Wager<AnyBet>> {
        self.baccarat().carried().iter().map(any).collect()
    }

    /// Carried stakes that go back as the shoe, or the table, ends.
    pub fn carried_to_return(&self, table_closes: bool) -> Vec<Wager<AnyBet>> {
        self.baccarat().carried_to_return(table_closes).iter().map(any).collect()
    }

    /// Carried stakes that would not fit under another rule set and other limits.
    pub fn carried_that_no_longer_fit(
        &self,
        rules: &RuleSet,
        limits: &AnyLimits,
    ) -> Vec<Wager<AnyBet>> {
        let (RuleSet::Baccarat(rules), AnyLimits::Baccarat(limits)) = (rules, limits);
        self.baccarat().carried_that_no_longer_fit(rules, limits).iter().map(any).collect()
    }

    /// Forgets a carried stake that went back.
    pub fn drop_carried(&mut self, bet: BetId) {
        self.course().drop_carried(bet);
    }

    /// Somebody sat down or left: what depends on seats follows.
    pub fn seats_changed(&mut self, seating: &Seating) {
        let course = self.course();
        if course.rules().holding == baccarat::Holding::Chemin {
            course.keep_shoe_held(seating);
        }
    }

    /// The shoe-holder passes the shoe on (BAC-131).
    pub fn pass_shoe(&mut self, seating: &Seating) {
        self.course().pass_shoe(seating);
    }

    /// Clears the roads of a shoe that never ends (BAC-28).
    pub fn reset_roads(&mut self) {
        self.course().reset_roads();
    }

    /// Feeds every field in a fixed order, for the digest.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn describe(&self, out: &mut dyn Write) -> fmt::Result {
        self.baccarat().describe(out)
    }
}
