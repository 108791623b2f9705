//! Scripts: commands in a readable form, with the events, money and views that must follow.
//!
//! One line is one command: who asks, then what.
//!
//! ```text
//! ready                           the table is opened, a shoe prepared
//! round                           the result was shown long enough; a round is opened
//! 1 bet banker 20.00              player 1; he arrives when he is first named
//! = #1 1 banker 20.00             the events of the command before, all of them, in order
//! 1 bet banker 0.10 -> STEP step 0.20     refused with this code and these hints
//! dealer close-bets               whoever deals here; `dealer-2` is a colleague
//! deal 9 5 K 3                    cards for whatever is due, opened where nobody holds them
//! coup 9 5 K 3                    bets closed, dealt and declared
//! pit void lamp out               the pit; `house …` the house itself
//! later 19.999                    the clock, nothing else; `wait 20` with the timers of the table
//! restart                         the process started again: the log is replayed
//! money 1 9980.00                 what a player has; `layout`, `float` and `commission` likewise
//! ```
//!
//! After every event the money is checked against the table, after every refusal that nothing
//! changed (I9), and at the end that a replay of the written log gives the same table.

#![allow(dead_code, reason = "each file of scripts uses its part")]

mod lines;
mod run;
mod words;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use chips::Chips;
use games::baccarat::{Limits, Range};
use games::{AnyLimits, Card, RuleSet};
use ledger::{Account, Balance, Books, PlayerId, Posting, Reason, TableId};
use table::{
    Actor, Command, DealtBy, Event, HouseCommand, PlayerCommand, Rejection, Request, Settings,
    StaffId, Stamped, Table, Timestamp,
};

pub use lines::told;
pub use words::read;

/// What every player is granted when he is first named.
const GRANT: &str = "10000.00";
/// When scripts begin.
const START: Timestamp = Timestamp(1_767_225_600_000);

/// An amount by its text.
pub fn chips(text: &str) -> Chips {
    read(text)
}

/// The text of a preset's rule file.
pub fn preset(name: &str) -> String {
    let path = format!("{}/../../rules/baccarat/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a preset that ships")
}

/// A table to play at: preset, options, settings.
#[derive(Clone)]
pub struct Setup {
    preset: String,
    options: toml::Table,
    settings: Settings,
}

impl Setup {
    fn new(preset: &str, dealt_by: DealtBy) -> Setup {
        let range = |min, max| Range { min: chips(min), max: chips(max) };
        let limits = Limits {
            main: range("10.00", "1000.00"),
            tie: range("1.00", "100.00"),
            side: range("1.00", "100.00"),
            own: BTreeMap::new(),
            zone_max: None,
            diff: preset.starts_with("macau").then(|| chips("2000.00")),
            step: chips("0.10"),
        };
        let settings = Settings {
            name: "One".into(),
            dealt_by,
            practice: false,
            bet_s: 20,
            settle_s: 3,
            cut_s: 10,
            demo_coups: 0,
            pit_boss_required: false,
            ask_road: true,
            limits: AnyLimits::Baccarat(limits),
        };
        Setup { preset: preset.into(), options: toml::Table::new(), settings }
    }

    /// A table where a person deals by this preset.
    pub fn dealer(preset: &str) -> Setup {
        Setup::new(preset, DealtBy::Dealer).rules("shuffle_mode = \"hand\"")
    }

    /// A table where the robot deals by this preset.
    pub fn robot(preset: &str) -> Setup {
        Setup::new(preset, DealtBy::Robot)
    }

    /// With these options replaced.
    pub fn rules(mut self, options: &str) -> Setup {
        let options: toml::Table = toml::from_str(options).expect("options are TOML");
        self.options.extend(options);
        self
    }

    /// With other limits.
    pub fn limits(mut self, change: impl FnOnce(&mut Limits)) -> Setup {
        let AnyLimits::Baccarat(limits) = &mut self.settings.limits;
        change(limits);
        self
    }

    /// With other settings.
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Setup {
        change(&mut self.settings);
        self
    }

    /// With this minimum and maximum on Banker and Player.
    pub fn main(self, min: &str, max: &str) -> Setup {
        let range = Range { min: chips(min), max: chips(max) };
        self.limits(|limits| limits.main = range)
    }

    fn configure(&self) -> HouseCommand {
        let rules = RuleSet::parse_with(&preset(&self.preset), &self.options);
        let rules = rules.unwrap_or_else(|why| panic!("{}: {why}", self.preset)).canonical();
        HouseCommand::Configure { settings: Box::new(self.settings.clone()), rules }
    }
}

/// Plays a script at a new table and checks everything that can be checked.
pub fn check(setup: Setup, script: &str) -> Script {
    let mut played = Script::new(setup);
    played.run(script);
    played.end();
    played
}

/// A script that is being played.
#[derive(Clone)]
pub struct Script {
    /// The table.
    pub table: Table,
    /// The same table, event by event.
    replica: Table,
    setup: Setup,
    books: Books,
    /// What is on disk.
    log: Vec<(Timestamp, String)>,
    now: Timestamp,
    met: BTreeSet<PlayerId>,
    /// Events of the last command that no line has quoted yet.
    unquoted: VecDeque<String>,
    quoted: bool,
    line: String,
    /// Cards of each rank dealt without a suit.
    ranks: BTreeMap<char, usize>,
}

impl Script {
    fn new(setup: Setup) -> Script {
        let id = TableId::new(1).expect("a number");
        let mut script = Script {
            table: Table::new(id),
            replica: Table::new(id),
            books: Books::default(),
            log: Vec::new(),
            now: START,
            met: BTreeSet::new(),
            unquoted: VecDeque::new(),
            quoted: false,
            line: String::new(),
            ranks: BTreeMap::new(),
            setup,
        };
        let configure = script.setup.configure();
        script.house(configure).expect("a setup that is allowed");
        script
    }

    /// Stops with the line that was wrong.
    pub fn fail(&self, why: &str) -> ! {
        let last: Vec<&str> =
            self.log.iter().rev().take(12).map(|(_, body)| body.as_str()).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        panic!("in the line `{}`: {why}\nthe last events:\n{}", self.line, last.join("\n"))
    }

    /// Asks for something now.
    pub fn ask(&mut self, command: Command) -> Result<(), Rejection> {
        let stamped = Stamped { at: self.now, command };
        let before = self.table.digest();
        if let Err(why) = self.table.decide(&stamped) {
            assert_eq!(self.table.digest(), before, "I9: a refusal changes nothing");
            assert_eq!(self.table.step(&stamped), Err(why.clone()), "decided as asked");
            assert_eq!(self.table.digest(), before, "I9: a refusal changes nothing");
            return Err(why);
        }
        let events = self.table.step(&stamped).expect("decided as asked");
        for event in events {
            self.accept(&event);
        }
        assert_eq!(self.replica.digest(), self.table.digest(), "event by event it is the same");
        Ok(())
    }

    /// Writes an event down, moves its chips and checks what must hold after it.
    fn accept(&mut self, event: &Event) {
        if let Event::Digest { hash } = event {
            assert_eq!(*hash, self.replica.digest(), "the digest is that of the state before it");
        } else {
            self.unquoted.push_back(told(event));
        }
        self.log.push((self.now, serde_json::to_string(event).expect("events can be written")));
        self.replica.apply(self.now, event);
        let postings = table::postings(self.table.id(), event);
        if let Err(why) = self.books.verify(&postings) {
            self.fail(&format!("I5: {why}"));
        }
        self.books.post(&postings);
        assert_eq!(self.books.sum(), 0, "I1: the sum is zero");
        let layout = self.balance(Account::Layout(self.table.id()));
        assert_eq!(layout, balance(self.replica.at_stake()), "the books know what is at stake");
        let carried: Chips = match self.replica.game() {
            Some(game) => game.carried().iter().map(|w| w.stake).sum(),
            None => Chips::ZERO,
        };
        if !self.replica.is_round_open() {
            assert_eq!(layout, balance(carried), "between rounds the layout is clear");
        }
    }

    /// What an account holds.
    pub fn balance(&self, account: Account) -> Balance {
        self.books.balance(account)
    }

    /// Moves chips from the cage to a player.
    fn grant(&mut self, player: PlayerId, amount: Chips) {
        let to = Account::Player(player);
        let grant = Posting::new(Account::Cage, to, amount, Reason::Grant).expect("some chips");
        self.books.post(&[grant]);
    }

    /// The player of this number; he is granted chips and arrives when he is first named.
    pub fn player(&mut self, number: u64) -> PlayerId {
        let player = PlayerId::new(number).expect("a player's number");
        if self.met.insert(player) {
            self.grant(player, chips(GRANT));
            self.house(HouseCommand::Arrived { player }).expect("a table with room");
            self.unquoted.pop_back();
        }
        player
    }

    /// What a player asks now, with the round and the rules that he sees unless told otherwise.
    pub fn request(&mut self, number: u64, command: PlayerCommand) -> Request {
        let player = self.player(number);
        let has = self.balance(Account::Player(player)).chips().unwrap_or_default();
        let needs = self.table.needs(player, &command);
        Request {
            player,
            name: format!("Player {number}"),
            round: Some(self.table.round()),
            rules: self.table.rules().map(|(_, hash)| hash.to_owned()),
            funds: if needs <= has { Ok(()) } else { Err(has) },
            command,
        }
    }

    /// Something that the house does now.
    pub fn house(&mut self, command: HouseCommand) -> Result<(), Rejection> {
        self.ask(Command::House(command))
    }

    /// Whoever deals here.
    pub fn dealing(&self) -> Actor {
        match self.setup.settings.dealt_by {
            DealtBy::Robot => Actor::Robot,
            DealtBy::Dealer => Actor::Dealer(StaffId(1)),
        }
    }

    /// A card by rank and suit, or the next one of this rank.
    pub fn card(&mut self, text: &str) -> Card {
        let letters: Vec<char> = text.chars().collect();
        let [rank] = letters[..] else { return read(text) };
        let count = self.ranks.entry(rank).or_default();
        let suit = ['S', 'H', 'C', 'D'][*count % 4];
        *count += 1;
        read(&format!("{rank}{suit}"))
    }

    /// The log replayed into a new table.
    pub fn replayed(&self) -> Table {
        let mut table = Table::new(self.table.id());
        for (at, body) in &self.log {
            let event: Event = serde_json::from_str(body).expect("what was written can be read");
            if let Event::Digest { hash } = &event {
                assert_eq!(*hash, table.digest(), "the replay comes by every digest");
            }
            table.apply(*at, &event);
        }
        table
    }

    /// Checks that everything was quoted and that the replay gives the same table.
    fn end(&mut self) {
        self.finish_quotes();
        assert_eq!(self.replayed().digest(), self.table.digest(), "a replay is the same table");
    }
}

fn balance(chips: Chips) -> Balance {
    Balance::from(chips)
}
