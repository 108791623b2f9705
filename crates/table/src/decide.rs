//! Decides: what a command would bring about, or why it cannot be. Nothing changes here.

use chips::Chips;
use games::baccarat::{ShoeEnd, ShuffleMode, Side};
use games::{
    AnyBet, BetId, Draw, Due, Ending, Expects, Game, ReturnReason, RuleSet, Seat, Step, Wager,
};
use ledger::PlayerId;

use crate::command::{
    Actor, Command, DealerCommand, HouseCommand, PitCommand, PlayerCommand, Request, Stamped,
    Timestamp,
};
use crate::digest::rules_hash;
use crate::event::{CarriedOver, Event, OpenedBy, PaidOut, Returned, TakenOff, VoidReason};
use crate::limits::{
    BETS_MAX, BETS_PER_PLAYER_MAX, EXTENSION_S, LAST_CALL_S, PRESENT_MAX, RECORD_MAX, SEAT_KEPT_S,
    TEXT_MAX,
};
use crate::rejection::{Code, Rejection};
use crate::settings::{DealtBy, Settings};
use crate::state::{Configuration, Sitter, Stage, Table, owner, player};

/// What a command brings about, in order.
type Decision = Result<Vec<Event>, Rejection>;

impl Table {
    /// Decides a command. A pure function of state and command.
    ///
    /// # Errors
    /// Why not; then nothing has changed.
    pub fn decide(&self, stamped: &Stamped) -> Decision {
        let at = stamped.at;
        match &stamped.command {
            Command::Player(request) => self.player_command(at, request),
            Command::Dealer(by, command) => self.dealer_command(at, *by, command),
            Command::Pit(by, command) => self.pit_command(Actor::Pit(*by), command),
            Command::House(command) => self.house_command(at, command),
        }
    }

    /// Decides a command and applies what it brings about to this working state, with a digest
    /// where one is due. The events still have to be committed before anybody hears of them.
    ///
    /// # Errors
    /// Why not; then nothing has changed.
    pub fn step(&mut self, stamped: &Stamped) -> Decision {
        let decided = self.decide(stamped)?;
        let mut events = Vec::with_capacity(decided.len() + 1);
        let mut digest = false;
        for event in decided {
            self.apply(stamped.at, &event);
            digest |= self.digest_is_due(&event);
            events.push(event);
        }
        if digest {
            let event = Event::Digest { hash: self.digest() };
            self.apply(stamped.at, &event);
            events.push(event);
        }
        Ok(events)
    }

    /// What a player must have to spend for this command, as far as that can be told: his wallet
    /// is asked for it before the command is decided.
    pub fn needs(&self, who: PlayerId, command: &PlayerCommand) -> Chips {
        let Some(game) = &self.game else { return Chips::ZERO };
        match command {
            PlayerCommand::Bet { stake, .. } => *stake,
            PlayerCommand::Repeat => {
                Chips::try_sum(self.repeatable(game, who).into_iter().map(|(_, stake)| stake))
                    .unwrap_or(Chips::MAX)
            }
            PlayerCommand::Double => {
                let zones = game.own_zones(owner(who));
                Chips::try_sum(zones.into_iter().map(|(_, stake)| stake)).unwrap_or(Chips::MAX)
            }
            // Who sits down can pay the minimum (OPS-91).
            PlayerCommand::Sit { .. } => self.settings().map_or(Chips::ZERO, |s| {
                let games::AnyLimits::Baccarat(limits) = &s.limits;
                limits.main.min
            }),
            PlayerCommand::Stand
            | PlayerCommand::Cancel { .. }
            | PlayerCommand::Lower { .. }
            | PlayerCommand::Move { .. }
            | PlayerCommand::Undo
            | PlayerCommand::CancelAll
            | PlayerCommand::Open
            | PlayerCommand::Cut { .. }
            | PlayerCommand::Deal
            | PlayerCommand::PassShoe => Chips::ZERO,
        }
    }

    fn player_command(&self, at: Timestamp, request: &Request) -> Decision {
        let who = request.player;
        match &request.command {
            PlayerCommand::Sit { seat } => self.sit(request, *seat),
            PlayerCommand::Stand => {
                let seat = self.seat_of(who).ok_or(Code::NotSeated)?;
                let mut events = vec![Event::StoodUp { player: who, seat }];
                events.extend(self.open_for_who_left(who));
                Ok(events)
            }
            PlayerCommand::Bet { on, stake, at_box } => self.bet(at, request, *on, *stake, *at_box),
            PlayerCommand::Cancel { bet } => {
                self.verify_window(at, request)?;
                self.cancel(who, *bet)
            }
            PlayerCommand::Lower { bet, to } => self.lower(at, request, *bet, *to),
            PlayerCommand::Move { bet, to } => self.move_bet(at, request, *bet, *to),
            PlayerCommand::Undo => {
                self.verify_window(at, request)?;
                let mut own = self.open_game()?.wagers_of(owner(who)).into_iter().rev();
                let last = own.find(|w| w.carried_from.is_none()).ok_or(Code::IllegalAction)?;
                self.cancel(who, last.id)
            }
            PlayerCommand::CancelAll => self.cancel_all(at, request),
            PlayerCommand::Repeat => self.repeat(at, request),
            PlayerCommand::Double => {
                self.verify_window(at, request)?;
                let zones = self.open_game()?.own_zones(owner(who));
                self.place_all(request, &zones)
            }
            PlayerCommand::Open => {
                let game = self.open_game()?;
                game.verify_open(Some(owner(who)))?;
                Ok(vec![Event::CardsOpened { sides: due_sides(game), by: OpenedBy::Holder(who) }])
            }
            PlayerCommand::Cut { at } => self.cut(who, *at),
            PlayerCommand::Deal => self.ask_for_card(who),
            PlayerCommand::PassShoe => self.pass_shoe(who),
        }
    }

    fn open_game(&self) -> Result<&Game, Rejection> {
        let game = self.game.as_ref().ok_or(Code::NotOpen)?;
        if self.stage == Stage::Closed { Err(Code::NotOpen.into()) } else { Ok(game) }
    }

    fn settled_settings(&self) -> Result<&Settings, Rejection> {
        self.settings().ok_or_else(|| Code::NotOpen.into())
    }

    /// BAC-44, OPS-90, cases.md 133: one seat, free, that exists.
    fn sit(&self, request: &Request, seat: Seat) -> Decision {
        let game = self.open_game()?;
        if self.disabled {
            return Err(Code::Disabled.into());
        }
        let seats = game.baccarat().rules().seats;
        if !(1..=seats).contains(&seat.0) {
            return Err(Rejection::because(Code::NoSuchSeat, format!("1 to {seats}")));
        }
        if let Some(own) = self.seat_of(request.player) {
            let detail = format!("seat {} is yours already", own.0);
            return Err(Rejection::because(Code::IllegalAction, detail));
        }
        if self.seats.contains_key(&seat) {
            return Err(Code::SeatTaken.into());
        }
        request.funds.map_err(Rejection::insufficient)?;
        let name = request.name.chars().take(TEXT_MAX).collect();
        Ok(vec![Event::SatDown { player: request.player, name, seat }])
    }

    /// Rights, table state, round and rule set of a command that needs the betting window, in the
    /// order of OPS-40. The stamp decides, not a timer (OPS-32).
    fn verify_window(&self, at: Timestamp, request: &Request) -> Result<(), Rejection> {
        let game = self.game.as_ref().ok_or(Code::NotOpen)?;
        let rules = game.baccarat().rules();
        if !rules.standing_allowed && self.seat_of(request.player).is_none() {
            return Err(Code::NotSeated.into());
        }
        self.verify_not_halted()?;
        match self.stage {
            Stage::Betting { closes_at, .. } if at < closes_at => (),
            Stage::Betting { .. } => return Err(Code::BetClosed.into()),
            Stage::Dealing { .. } if game.is_demonstration() => return Err(Code::DemoCoup.into()),
            Stage::Dealing { .. } => return Err(Code::BetClosed.into()),
            Stage::Between { .. } if game.shoe_number() > 0 && !game.has_shoe() => {
                return Err(Code::LastHandDone.into());
            }
            Stage::Between { .. } | Stage::Closed => return Err(Code::NotOpen.into()),
        }
        self.verify_fresh(request)
    }

    fn verify_not_halted(&self) -> Result<(), Rejection> {
        if self.stage == Stage::Closed {
            return Err(Code::NotOpen.into());
        }
        if self.disabled {
            return Err(Code::Disabled.into());
        }
        if self.paused { Err(Code::TablePaused.into()) } else { Ok(()) }
    }

    /// The round and the rule set that were meant are those in force.
    fn verify_fresh(&self, request: &Request) -> Result<(), Rejection> {
        if request.round != Some(self.round) {
            return Err(Code::StaleRound.into());
        }
        let meant = request.rules.as_deref();
        let (_, hash) = self.rules().ok_or(Code::NotOpen)?;
        if meant.is_some_and(|rules| rules != hash) { Err(Code::StaleRules.into()) } else { Ok(()) }
    }

    fn bet(
        &self,
        at: Timestamp,
        request: &Request,
        on: AnyBet,
        stake: Chips,
        at_box: Option<Seat>,
    ) -> Decision {
        let game = self.game.as_ref().ok_or(Code::NotOpen)?;
        let AnyBet::Baccarat(bet) = on;
        // Insurance is bought while its window is open, every other bet before the close.
        if bet.is_insurance() && game.expects() == Expects::Insurance {
            self.verify_not_halted()?;
            self.verify_in_time(at)?;
            self.verify_fresh(request)?;
        } else {
            self.verify_window(at, request)?;
        }
        if at_box.is_some_and(|seat| self.seat_of(request.player) != Some(seat)) {
            return Err(Code::NotYourBox.into());
        }
        self.place_all(request, &[(on, stake)])
    }

    /// A decision's time is not over.
    fn verify_in_time(&self, at: Timestamp) -> Result<(), Rejection> {
        let over = self.deadline().is_some_and(|until| at >= until);
        if over { Err(Code::BetClosed.into()) } else { Ok(()) }
    }

    /// Places all of these stakes or none (BAC-39).
    fn place_all(&self, request: &Request, bets: &[(AnyBet, Chips)]) -> Decision {
        let game = self.open_game()?;
        let who = request.player;
        if bets.is_empty() {
            return Err(Code::IllegalAction.into());
        }
        let limits = &self.settled_settings()?.limits;
        game.verify_bets(owner(who), bets, limits)?;
        let own = game.baccarat().coup().map_or(0, |c| c.layout().wagers_of(owner(who)).count());
        let all = game.baccarat().coup().map_or(0, |c| c.layout().len());
        if own + bets.len() > BETS_PER_PLAYER_MAX || all + bets.len() > BETS_MAX {
            return Err(Rejection::because(Code::LimitReached, "too many bets on this layout"));
        }
        request.funds.map_err(Rejection::insufficient)?;
        let placed = bets.iter().zip(self.last_bet + 1..).map(|((on, stake), number)| {
            Event::BetPlaced { bet: BetId(number), owner: who, on: *on, stake: *stake }
        });
        Ok(placed.collect())
    }

    /// A bet taken off, with the side bets that lose their main bet by it (BAC-37).
    fn cancel(&self, who: PlayerId, bet: BetId) -> Decision {
        let game = self.open_game()?;
        let limits = &self.settled_settings()?.limits;
        let gone = game.verify_cancel(owner(who), bet, limits)?;
        let event = |gone: BetId| {
            let stake = game.wager(gone).map_or(Chips::ZERO, |w| w.stake);
            let why = if gone == bet { TakenOff::Cancelled } else { TakenOff::MainBetGone };
            Event::BetReduced { bet: gone, owner: who, by: stake, why }
        };
        Ok(gone.into_iter().map(event).collect())
    }

    fn cancel_all(&self, at: Timestamp, request: &Request) -> Decision {
        self.verify_window(at, request)?;
        let (who, game) = (request.player, self.open_game()?);
        let free = game.cancellable(owner(who));
        if free.is_empty() {
            let locked = !game.wagers_of(owner(who)).is_empty();
            return Err(if locked { Code::CarryLocked } else { Code::IllegalAction }.into());
        }
        let event = |bet: BetId| {
            let by = game.wager(bet).map_or(Chips::ZERO, |w| w.stake);
            Event::BetReduced { bet, owner: who, by, why: TakenOff::Cancelled }
        };
        Ok(free.into_iter().map(event).collect())
    }

    fn lower(&self, at: Timestamp, request: &Request, bet: BetId, to: Chips) -> Decision {
        self.verify_window(at, request)?;
        let game = self.open_game()?;
        let limits = &self.settled_settings()?.limits;
        game.verify_lower(owner(request.player), bet, to, limits)?;
        let stake = game.wager(bet).map_or(Chips::ZERO, |w| w.stake);
        let (owner, by) = (request.player, stake.saturating_sub(to));
        Ok(vec![Event::BetReduced { bet, owner, by, why: TakenOff::Lowered }])
    }

    fn move_bet(&self, at: Timestamp, request: &Request, bet: BetId, to: AnyBet) -> Decision {
        self.verify_window(at, request)?;
        let limits = &self.settled_settings()?.limits;
        self.open_game()?.verify_move(owner(request.player), bet, to, limits)?;
        Ok(vec![Event::BetMoved { bet, owner: request.player, to }])
    }

    /// What "repeat" would place: the zones of the round before, less what is carried there.
    pub(crate) fn repeatable(&self, game: &Game, who: PlayerId) -> Vec<(AnyBet, Chips)> {
        let had = game.previous(owner(who)).into_iter();
        let own = game.own_zones(owner(who));
        let lies = |on| own.iter().find(|(zone, _)| *zone == on).map_or(Chips::ZERO, |(_, c)| *c);
        had.map(|(on, stake)| (on, stake.saturating_sub(lies(on))))
            .filter(|(_, stake)| !stake.is_zero())
            .collect()
    }

    /// BAC-38, BAC-39: for whoever had bets in the round before and has placed none in this one.
    fn repeat(&self, at: Timestamp, request: &Request) -> Decision {
        self.verify_window(at, request)?;
        let (who, game) = (request.player, self.open_game()?);
        if game.wagers_of(owner(who)).iter().any(|w| w.carried_from.is_none()) {
            return Err(Code::IllegalAction.into());
        }
        self.place_all(request, &self.repeatable(game, who))
    }

    /// A seated player cuts, while the dealer waits for it (BAC-21).
    fn cut(&self, who: PlayerId, cards: u16) -> Decision {
        let game = self.open_game()?;
        self.seat_of(who).ok_or(Code::NotSeated)?;
        if !game.baccarat().player_cuts() {
            return Err(Code::NotYourTurn.into());
        }
        game.verify_step(Step::Cut, Some(cards))?;
        self.verify_committed()?;
        Ok(vec![Event::StepTaken { step: Step::Cut, at: Some(cards), by: Actor::Player(who) }])
    }

    /// BAC-132: the shoe-holder triggers each card.
    fn ask_for_card(&self, who: PlayerId) -> Decision {
        let game = self.open_game()?;
        let holds = self.seat_of(who).is_some()
            && self.seat_of(who) == game.baccarat().shoe_holder()
            && game.is_round_open();
        if !holds {
            return Err(Code::NotYourTurn.into());
        }
        match game.expects() {
            Expects::Draw { .. } if !self.card_asked => Ok(vec![Event::CardAsked { player: who }]),
            Expects::Draw { .. }
            | Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::Bets
            | Expects::Open { .. }
            | Expects::Insurance
            | Expects::Declaration
            | Expects::ShoeChange => Err(Code::NotDue.into()),
        }
    }

    /// BAC-131: the shoe-holder declines, before the cards come.
    fn pass_shoe(&self, who: PlayerId) -> Decision {
        let game = self.open_game()?;
        let seat = self.seat_of(who).ok_or(Code::NotSeated)?;
        if game.baccarat().shoe_holder() != Some(seat) {
            return Err(Code::NotYourTurn.into());
        }
        match self.stage {
            Stage::Between { .. } | Stage::Betting { .. } => {
                Ok(vec![Event::ShoePassed { player: who }])
            }
            Stage::Dealing { .. } | Stage::Closed => Err(Code::NotDue.into()),
        }
    }

    fn dealer_command(&self, at: Timestamp, by: Actor, command: &DealerCommand) -> Decision {
        let settings = self.settled_settings()?;
        if (settings.dealt_by == DealtBy::Robot) != (by == Actor::Robot) {
            return Err(Code::NotYourTable.into());
        }
        match command {
            DealerCommand::OpenTable => self.open_table(by),
            DealerCommand::CloseTable => self.close_table(by),
            DealerCommand::NewShoe => self.new_shoe(),
            DealerCommand::ChangeShoe => self.change_shoe(),
            DealerCommand::Step { step, at: cards } => self.take_step(at, by, *step, *cards),
            DealerCommand::OpenRound { demonstration } => self.open_round(at, *demonstration),
            DealerCommand::CloseBets => match self.stage {
                Stage::Betting { .. } => self.close_bets(by),
                Stage::Between { .. } | Stage::Dealing { .. } | Stage::Closed => {
                    Err(Code::NotDue.into())
                }
            },
            DealerCommand::ExtendBets => self.extend_bets(at, by),
            DealerCommand::Card { card } => {
                let draw = self.draw_of(*card)?;
                self.drawn(by, draw)
            }
            DealerCommand::Burn => self.drawn(by, Draw::Unseen),
            DealerCommand::WhiteCard => self.drawn(by, Draw::WhiteCard),
            DealerCommand::TakeBack => {
                let may = self.open_game()?.may_take_back() && by != Actor::Robot;
                let event = Event::TakenBack { by };
                if may { Ok(vec![event]) } else { Err(Code::NothingToTakeBack.into()) }
            }
            DealerCommand::Open => {
                let game = self.open_game()?;
                game.verify_open(None)?;
                Ok(vec![Event::CardsOpened { sides: due_sides(game), by: OpenedBy::Dealer }])
            }
            DealerCommand::Declare => self.declare(by),
        }
    }

    /// Which way up a card is laid follows from what is due.
    fn draw_of(&self, card: games::Card) -> Result<Draw, Rejection> {
        let expects = self.open_game()?.expects();
        match &expects {
            Expects::Draw { due: Due::Card { face_down: true, .. }, .. } => {
                Ok(Draw::FaceDown(card))
            }
            Expects::Draw { due: Due::Card { .. } | Due::Turned, .. } => Ok(Draw::Card(card)),
            Expects::Draw { .. }
            | Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::Bets
            | Expects::Open { .. }
            | Expects::Insurance
            | Expects::Declaration
            | Expects::ShoeChange => Err(card_not_due(&expects)),
        }
    }

    fn open_table(&self, by: Actor) -> Decision {
        if self.disabled {
            return Err(Code::Disabled.into());
        }
        if self.stage != Stage::Closed {
            return Err(Rejection::because(Code::NotDue, "the table is open"));
        }
        self.verify_pit_boss(by)?;
        Ok(vec![Event::TableOpened { by }])
    }

    /// OPS-3, as far as no console of the pit exists: a person deals alone only where the settings
    /// allow it.
    fn verify_pit_boss(&self, by: Actor) -> Result<(), Rejection> {
        let required = self.settled_settings()?.pit_boss_required && by != Actor::Robot;
        if required { Err(Code::PitBossRequired.into()) } else { Ok(()) }
    }

    fn close_table(&self, by: Actor) -> Decision {
        let game = self.open_game()?;
        self.verify_pit_boss(by)?;
        if self.closing {
            return Err(Rejection::because(Code::NotDue, "the table closes after this round"));
        }
        if game.is_round_open() {
            return Ok(vec![Event::Closing { by }]);
        }
        let mut events = carried_returned(&game.carried_to_return(true), ReturnReason::CarryEnded);
        events.extend(game.has_shoe().then(|| self.shoe_ended(game, ShoeEnd::TableClosed)));
        events.push(Event::TableClosed);
        Ok(events)
    }

    /// The end of the shoe in use; at a continuous shuffler between coups that is the shuffle which
    /// the robot has committed to for the next one.
    fn shoe_ended(&self, game: &Game, reason: ShoeEnd) -> Event {
        let continuous = game.baccarat().rules().shuffle_mode == ShuffleMode::Continuous;
        let unused = continuous && self.commitment.is_some() && !game.is_round_open();
        Event::ShoeEnded { shoe: game.shoe_number() + u32::from(unused), reason }
    }

    fn verify_between(&self) -> Result<&Game, Rejection> {
        let game = self.open_game()?;
        match self.stage {
            Stage::Between { .. } => Ok(game),
            Stage::Betting { .. } | Stage::Dealing { .. } | Stage::Closed => {
                Err(Rejection::because(Code::NotDue, "a round is open"))
            }
        }
    }

    fn new_shoe(&self) -> Decision {
        let game = self.verify_between()?;
        if game.expects() != Expects::ShoeChange {
            return Err(Rejection::because(Code::NotDue, "a shoe is in use"));
        }
        let (rules, hash) = self.rules_in_force_next()?;
        let continuous = rules.baccarat().shuffle_mode == ShuffleMode::Continuous;
        let shoe = game.shoe_number() + u32::from(!continuous);
        Ok(vec![Event::ShoeBegun { shoe, rules: hash.to_owned() }])
    }

    /// BAC-29: between coups.
    fn change_shoe(&self) -> Decision {
        let game = self.verify_between()?;
        if !game.has_shoe() {
            return Err(Rejection::because(Code::NotDue, "no shoe is in use"));
        }
        let mut events = carried_returned(&game.carried_to_return(false), ReturnReason::CarryEnded);
        events.push(self.shoe_ended(game, ShoeEnd::HouseChange));
        Ok(events)
    }

    /// The next rules: those that wait, if the shoe lets them in.
    fn next_configuration(&self) -> Option<&Configuration> {
        let game = self.game.as_ref()?;
        let waiting = self.pending.as_ref().filter(|c| game.fits_this_shoe(&c.rules));
        waiting.or(self.configuration.as_ref())
    }

    fn rules_in_force_next(&self) -> Result<(&RuleSet, &str), Rejection> {
        let next = self.next_configuration().ok_or(Code::NotOpen)?;
        Ok((&next.rules, &next.hash))
    }

    fn take_step(&self, at: Timestamp, by: Actor, step: Step, cards: Option<u16>) -> Decision {
        let game = self.verify_between()?;
        if self.disabled {
            return Err(Code::Disabled.into());
        }
        game.verify_step(step, cards)?;
        if step == Step::Cut {
            if self.cut_until().is_some_and(|until| at < until) {
                return Err(Rejection::because(Code::NotYourTurn, "a player may cut first"));
            }
            self.verify_committed()?;
        }
        Ok(vec![Event::StepTaken { step, at: cards, by }])
    }

    /// The robot is bound to an order before the cut, and before the first bet (OPS-69).
    fn verify_committed(&self) -> Result<(), Rejection> {
        let missing = self.is_robot_dealt() && self.commitment.is_none();
        let why = "the commitment to the shoe comes first";
        if missing { Err(Rejection::because(Code::NotDue, why)) } else { Ok(()) }
    }

    fn open_round(&self, at: Timestamp, demonstration: bool) -> Decision {
        let game = self.verify_between()?;
        self.verify_not_halted()?;
        if self.closing {
            return Err(Rejection::because(Code::NotDue, "the table closes"));
        }
        let Expects::Opening { demonstration: allowed } = game.expects() else {
            return Err(Rejection::because(Code::NotDue, "the shoe is not ready"));
        };
        if demonstration && !allowed {
            return Err(Rejection::because(Code::NotDue, "no demonstration coup is left"));
        }
        if self.shown_until().is_some_and(|until| at < until) {
            return Err(Rejection::because(Code::NotDue, "the result stays on the table"));
        }
        self.verify_committed()?;
        let next = self.next_configuration().ok_or(Code::NotOpen)?;
        let gone = game.carried_that_no_longer_fit(&next.rules, &next.settings.limits);
        let stays = game.carried().into_iter().filter(|w| !gone.iter().any(|g| g.id == w.id));
        let carried = stays.zip(self.last_bet + 1..);
        let carried = carried.map(|(w, bet)| CarriedOver { from: w.id, bet: BetId(bet) });
        let mut events = self.seats_given_up(at);
        events.extend(carried_returned(&gone, ReturnReason::CarryEnded));
        events.push(Event::RoundOpened {
            round: self.round + 1,
            rules: next.hash.clone(),
            demonstration,
            last: game.is_last_round(),
            closes_at: at.plus_s(next.settings.bet_s),
            carried: if demonstration { Vec::new() } else { carried.collect() },
        });
        Ok(events)
    }

    /// The seats of those who are gone too long, so that others may sit (cases.md 128).
    fn seats_given_up(&self, at: Timestamp) -> Vec<Event> {
        let gone = |player: &PlayerId| {
            self.away_since.get(player).is_some_and(|since| at >= since.plus_s(SEAT_KEPT_S))
        };
        let empty = self.seats.iter().filter(|(_, sitter)| gone(&sitter.player));
        let given_up = |(seat, sitter): (&Seat, &Sitter)| Event::StoodUp {
            player: sitter.player,
            seat: *seat,
        };
        empty.map(given_up).collect()
    }

    /// The close: absent owners and the trim first, holders are named by the event (BAC-62).
    fn close_bets(&self, by: Actor) -> Decision {
        let game = self.open_game()?;
        let limits = &self.settled_settings()?.limits;
        let returns = game.returns_at_close(&self.seating(), limits);
        let mut events: Vec<Event> = returns
            .iter()
            .filter_map(|r| {
                let owner = player(game.wager(r.bet)?.owner);
                let why = TakenOff::Returned(r.reason);
                Some(Event::BetReduced { bet: r.bet, owner, by: r.amount, why })
            })
            .collect();
        events.push(Event::BetsClosed { by });
        Ok(events)
    }

    /// OPS-33: once, by a person.
    fn extend_bets(&self, at: Timestamp, by: Actor) -> Decision {
        match self.stage {
            Stage::Betting { closes_at, extended: false, .. } if at < closes_at => {
                let closes_at = closes_at.plus_s(EXTENSION_S);
                Ok(vec![Event::BettingExtended { closes_at, by }])
            }
            Stage::Betting { .. }
            | Stage::Between { .. }
            | Stage::Dealing { .. }
            | Stage::Closed => Err(Code::NotDue.into()),
        }
    }

    fn drawn(&self, by: Actor, draw: Draw) -> Decision {
        let game = self.open_game()?;
        if matches!(self.stage, Stage::Betting { .. }) {
            return Err(card_not_due(&Expects::Bets));
        }
        game.verify_draw(draw)?;
        Ok(vec![Event::Drawn { draw, by }])
    }

    fn declare(&self, by: Actor) -> Decision {
        let game = self.open_game()?;
        let not_due = || Rejection::because(Code::NotDue, "the coup is not over");
        let settlement = game.settlement().ok_or_else(not_due)?;
        let outcome = game.outcome().ok_or_else(not_due)?;
        let payouts: Vec<PaidOut> = settlement
            .payouts
            .iter()
            .map(|p| PaidOut {
                bet: p.wager.id,
                owner: player(p.wager.owner),
                on: p.wager.on,
                stake: p.wager.stake,
                ending: p.ending,
                winnings: p.winnings,
                commission: p.commission,
            })
            .collect();
        let carried = payouts.iter().filter(|p| p.ending == Ending::Carried).map(returned);
        let carried: Vec<Returned> = carried.collect();
        let mut events = vec![Event::Settled { outcome, payouts, by }];
        events.extend(self.after_round(game, carried, false));
        Ok(events)
    }

    /// What follows a round: the end of the shoe after its last or where it has no more cards
    /// (BAC-119), the end of play at a closing table, and with them carried stakes that go back
    /// (BAC-62, OPS-15).
    fn after_round(
        &self,
        game: &Game,
        mut carried: Vec<Returned>,
        out_of_cards: bool,
    ) -> Vec<Event> {
        let last = game.is_last_round() || out_of_cards;
        let add_only = game.baccarat().rules().tie_policy() == games::baccarat::TiePolicy::AddOnly;
        if !(self.closing || (last && !add_only)) {
            carried.clear();
        }
        if self.closing || last {
            let waiting = game.carried_to_return(self.closing);
            carried.extend(waiting.iter().map(returned_wager));
        }
        let why = ReturnReason::CarryEnded;
        let mut events: Vec<Event> =
            carried.into_iter().map(|returned| Event::CarriedReturned { returned, why }).collect();
        if out_of_cards {
            events.push(self.shoe_ended(game, ShoeEnd::OutOfCards));
        } else if last {
            events.push(self.shoe_ended(game, ShoeEnd::WhiteCard));
        } else if self.closing {
            events.push(self.shoe_ended(game, ShoeEnd::TableClosed));
        }
        events.extend(self.closing.then_some(Event::TableClosed));
        events
    }

    /// OPS-51: every stake of the round goes back, carried ones too.
    fn void(&self, reason: VoidReason, by: Actor) -> Decision {
        let game = self.open_game()?;
        if !game.is_round_open() {
            return Err(Rejection::because(Code::NotDue, "no round is open"));
        }
        let out_of_cards = reason == VoidReason::OutOfCards;
        let returned = game.wagers().iter().map(returned_wager).collect();
        let mut events = vec![Event::Voided { reason, by, returned }];
        events.extend(self.after_round(game, Vec::new(), out_of_cards));
        Ok(events)
    }

    fn pit_command(&self, by: Actor, command: &PitCommand) -> Decision {
        let unless = |already: bool, event: Event| {
            let why = "it is so already";
            if already { Err(Rejection::because(Code::NotDue, why)) } else { Ok(vec![event]) }
        };
        match command {
            PitCommand::Void { round, reason } => {
                verify_reason(reason)?;
                if round.is_some_and(|round| round != self.round) {
                    return Err(Code::StaleRound.into());
                }
                self.void(VoidReason::Pit(reason.trim().to_owned()), by)
            }
            PitCommand::Pause => unless(self.paused, Event::Paused { by }),
            PitCommand::Unpause => unless(!self.paused, Event::Unpaused { by }),
            PitCommand::Disable { reason } => {
                verify_reason(reason)?;
                unless(self.disabled, Event::Disabled { by, reason: reason.trim().to_owned() })
            }
            PitCommand::Enable => unless(!self.disabled, Event::Enabled { by }),
            PitCommand::ResetRoads => {
                let game = self.verify_between()?;
                let continuous = game.baccarat().rules().shuffle_mode == ShuffleMode::Continuous;
                let why = "roads are cleared with the shoe";
                let event = Event::RoadsReset { by };
                if continuous {
                    Ok(vec![event])
                } else {
                    Err(Rejection::because(Code::NotDue, why))
                }
            }
        }
    }

    fn house_command(&self, at: Timestamp, command: &HouseCommand) -> Decision {
        match command {
            HouseCommand::Configure { settings, rules } => self.configure(settings, rules),
            HouseCommand::Arrived { player } => {
                if self.game.is_none() || self.present.contains(player) {
                    return Ok(Vec::new());
                }
                if self.present.len() >= PRESENT_MAX {
                    return Err(Code::TableFull.into());
                }
                Ok(vec![Event::Arrived { player: *player }])
            }
            HouseCommand::Left { player } => {
                if !self.present.contains(player) {
                    return Ok(Vec::new());
                }
                let mut events = vec![Event::Left { player: *player }];
                events.extend(self.open_for_who_left(*player));
                Ok(events)
            }
            HouseCommand::Resume => {
                let mut events = vec![Event::Resumed];
                if let Some(game) = &self.game
                    && let Expects::Open { sides, holder: Some(holder) } = game.expects()
                    && self.present.contains(&player(holder))
                {
                    events.push(Event::CardsOpened { sides, by: OpenedBy::HolderLeft });
                }
                Ok(events)
            }
            HouseCommand::Tick => self.tick(at),
            HouseCommand::Commit { commitment, previous } => self.commit(commitment, previous),
            HouseCommand::Reveal { shoe, record } => self.reveal(*shoe, record),
            HouseCommand::SealLost => self.seal_lost(),
            HouseCommand::Void { reason } => self.void(reason.clone(), Actor::House),
        }
    }

    fn configure(&self, settings: &Settings, rules: &str) -> Decision {
        let wrong = |why: String| Rejection::because(Code::WrongSettings, why);
        let parsed = settings.check(rules).map_err(|why| wrong(why.to_string()))?;
        let text = parsed.canonical();
        let hash = rules_hash(&text);
        let newest = self.pending.as_ref().or(self.configuration.as_ref());
        if newest.is_some_and(|c| c.settings == *settings && c.hash == hash) {
            return Ok(Vec::new());
        }
        Ok(vec![Event::Configured { settings: Box::new(settings.clone()), rules: hash, text }])
    }

    /// BAC-46: the dealer opens at once for a holder who left.
    fn open_for_who_left(&self, who: PlayerId) -> Option<Event> {
        match self.game.as_ref()?.expects() {
            Expects::Open { sides, holder } if holder == Some(owner(who)) => {
                Some(Event::CardsOpened { sides, by: OpenedBy::HolderLeft })
            }
            Expects::Open { .. }
            | Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::Bets
            | Expects::Draw { .. }
            | Expects::Insurance
            | Expects::Declaration
            | Expects::ShoeChange => None,
        }
    }

    fn tick(&self, at: Timestamp) -> Decision {
        match self.stage {
            Stage::Betting { closes_at, .. } if at >= closes_at => self.close_bets(Actor::House),
            Stage::Betting { closes_at, last_call: false, .. }
                if at >= closes_at.minus_s(LAST_CALL_S) =>
            {
                Ok(vec![Event::LastCall])
            }
            Stage::Dealing { until: Some(until) } if at >= until => {
                let game = self.open_game()?;
                let sides = due_sides(game);
                Ok(vec![if sides.is_empty() {
                    Event::InsuranceClosed
                } else {
                    Event::CardsOpened { sides, by: OpenedBy::TimeOut }
                }])
            }
            Stage::Betting { .. }
            | Stage::Dealing { .. }
            | Stage::Between { .. }
            | Stage::Closed => Ok(Vec::new()),
        }
    }

    /// The number under which the robot commits to the next order: the shoe's, or at a continuous
    /// shuffler that of the next coup's own shuffle.
    pub fn next_commitment_number(&self) -> Option<u32> {
        let game = self.game.as_ref().filter(|_| self.is_robot_dealt())?;
        let continuous = game.baccarat().rules().shuffle_mode == ShuffleMode::Continuous;
        let due = match (continuous, game.expects()) {
            (true, Expects::Opening { .. }) | (false, Expects::Step(Step::Cut)) => true,
            (_, Expects::Step(_) | Expects::Opening { .. } | Expects::Bets)
            | (_, Expects::Draw { .. } | Expects::Open { .. } | Expects::Insurance)
            | (_, Expects::Declaration | Expects::ShoeChange) => false,
        };
        let due = due && self.commitment.is_none() && self.stage != Stage::Closed;
        due.then(|| game.shoe_number() + u32::from(continuous))
    }

    fn commit(&self, commitment: &str, previous: &Option<String>) -> Decision {
        let shoe = self.next_commitment_number().ok_or(Code::NotDue)?;
        let is_hash = |text: &str| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hash(commitment) || previous.as_deref().is_some_and(|p| !is_hash(p)) {
            return Err(Rejection::because(Code::Malformed, "a commitment has 64 hex digits"));
        }
        let (commitment, previous) = (commitment.to_owned(), previous.clone());
        Ok(vec![Event::Committed { shoe, commitment, previous }])
    }

    /// A shoe is shown after its last round only.
    fn reveal(&self, shoe: u32, record: &str) -> Decision {
        if !self.revealable().any(|s| s == shoe) {
            return Err(Rejection::because(Code::NotDue, "the shoe is in use, or was shown"));
        }
        if record.len() > RECORD_MAX {
            return Err(Rejection::because(Code::Malformed, "the record is too long"));
        }
        Ok(vec![Event::Revealed { shoe, record: record.to_owned() }])
    }

    /// The finished shoes whose order may be shown now.
    pub fn revealable(&self) -> impl Iterator<Item = u32> {
        let in_use = self.commitment.is_some();
        let current = self.unrevealed.last().copied().filter(|_| in_use);
        self.unrevealed.iter().copied().filter(move |shoe| Some(*shoe) != current)
    }

    fn seal_lost(&self) -> Decision {
        let game = self.open_game()?;
        if self.commitment.is_none() {
            return Err(Rejection::because(Code::NotDue, "no order is sealed"));
        }
        let mut events = Vec::new();
        if game.is_round_open() {
            let returned = game.wagers().iter().map(returned_wager).collect();
            let reason = VoidReason::SealedOrderLost;
            events.push(Event::Voided { reason, by: Actor::House, returned });
        }
        let waiting = game.carried_to_return(self.closing);
        events.extend(carried_returned(&waiting, ReturnReason::CarryEnded));
        events.push(self.shoe_ended(game, ShoeEnd::SealedOrderLost));
        events.extend(self.closing.then_some(Event::TableClosed));
        Ok(events)
    }
}

fn verify_reason(reason: &str) -> Result<(), Rejection> {
    let letters = reason.trim().chars().count();
    if letters == 0 {
        return Err(Code::ReasonRequired.into());
    }
    let why = format!("a reason has at most {TEXT_MAX} letters");
    if letters > TEXT_MAX { Err(Rejection::because(Code::Malformed, why)) } else { Ok(()) }
}

/// The hands that are to be opened; none where something else is due.
fn due_sides(game: &Game) -> Vec<Side> {
    match game.expects() {
        Expects::Open { sides, .. } => sides,
        Expects::Step(_)
        | Expects::Opening { .. }
        | Expects::Bets
        | Expects::Draw { .. }
        | Expects::Insurance
        | Expects::Declaration
        | Expects::ShoeChange => Vec::new(),
    }
}

/// An early card: refused, and the pit hears of it.
fn card_not_due(expects: &Expects) -> Rejection {
    let what = match expects {
        Expects::Step(_) => "a step of the shoe procedure is due",
        Expects::Opening { .. } => "no round is open",
        Expects::Bets => "bets are still taken",
        Expects::Draw { .. } => "no card for a hand is due",
        Expects::Open { .. } => "cards are to be opened first",
        Expects::Insurance => "insurance is open",
        Expects::Declaration => "the coup is over and waits for its declaration",
        Expects::ShoeChange => "the shoe is finished",
    };
    Rejection::because(Code::CardNotDue, what)
}

fn returned(paid: &PaidOut) -> Returned {
    Returned { bet: paid.bet, owner: paid.owner, on: paid.on, stake: paid.stake }
}

fn returned_wager(wager: &Wager<AnyBet>) -> Returned {
    let Wager { id, owner, on, stake, .. } = *wager;
    Returned { bet: id, owner: player(owner), on, stake }
}

fn carried_returned(wagers: &[Wager<AnyBet>], why: ReturnReason) -> Vec<Event> {
    let event = |w| Event::CarriedReturned { returned: returned_wager(w), why };
    wagers.iter().map(event).collect()
}
