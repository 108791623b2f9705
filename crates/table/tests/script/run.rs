//! Plays the lines of a script.

use games::{Draw, Due, Expects, Step};
use ledger::{Account, PlayerId};
use table::{
    Actor, Command, DealerCommand, Event, HouseCommand, Rejection, StaffId, Table, Timestamp,
    VoidReason, felt_view,
};

use super::lines::word;
use super::words::{dealer_command, pit_command, player_command, read};
use super::{Script, chips};

/// Most acts that one line of a script may bring about.
const ACTS_MAX: usize = 2_000;

/// Seconds as a script writes them.
fn ms(text: &str) -> i64 {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let part = format!("{part:0<3}");
    read::<i64>(whole) * 1_000 + read::<i64>(&part)
}

/// A refusal as scripts write it.
fn refusal(why: &Rejection) -> String {
    let hint = |name, chips: Option<chips::Chips>| chips.map(|c| format!(" {name} {c}"));
    let hints = [hint("min", why.min), hint("max", why.max), hint("step", why.step)];
    format!("{}{}", why.code, hints.into_iter().flatten().collect::<String>())
}

impl Script {
    /// Plays more lines.
    pub fn run(&mut self, script: &str) -> &mut Script {
        for line in script.lines().map(str::trim) {
            if line.is_empty() || line.starts_with("# ") {
                continue;
            }
            if let Some(right) = line.strip_prefix("= ") {
                self.quote(right);
                continue;
            }
            self.finish_quotes();
            line.clone_into(&mut self.line);
            self.act(line);
        }
        self.finish_quotes();
        self
    }

    fn quote(&mut self, right: &str) {
        self.quoted = true;
        let came = self.unquoted.pop_front().unwrap_or_else(|| "nothing".into());
        if came != right {
            self.fail(&format!("\n   expected  {right}\n   came      {came}"));
        }
    }

    /// All events of a command are quoted, or none.
    pub(super) fn finish_quotes(&mut self) {
        if self.quoted && !self.unquoted.is_empty() {
            self.fail(&format!("not quoted: {:?}", self.unquoted));
        }
        self.quoted = false;
        self.unquoted.clear();
    }

    fn act(&mut self, line: &str) {
        let (line, refused) = match line.split_once("->") {
            Some((line, refused)) => (line, Some(refused.trim())),
            None => (line, None),
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let done = if self.look(&words) { Ok(()) } else { self.command(&words) };
        match (done, refused) {
            (Ok(()), None) => (),
            (Ok(()), Some(code)) => self.fail(&format!("expected {code}, but it was accepted")),
            (Err(why), None) => self.fail(&format!("refused: {} ({why})", refusal(&why))),
            (Err(why), Some(right)) if right.contains(' ') => {
                if refusal(&why) != right {
                    self.fail(&format!("expected {right}, refused {} ({why})", refusal(&why)));
                }
            }
            (Err(why), Some(right)) => {
                if why.code.as_str() != right {
                    self.fail(&format!("expected {right}, refused {} ({why})", refusal(&why)));
                }
            }
        }
    }

    /// Lines that only look.
    fn look(&mut self, words: &[&str]) -> bool {
        let id = self.table.id();
        let (account, right) = match words {
            ["money", player, right] => (Account::Player(self.player(read(player))), right),
            ["layout", right] => (Account::Layout(id), right),
            ["float", right] => (Account::Float(id), right),
            ["commission", right] => (Account::Commission(id), right),
            ["phase", right] => {
                self.expect("phase", right, &word(&self.table.phase()));
                return true;
            }
            ["due", right @ ..] => {
                let due = self.due();
                self.expect("due", &right.join(" "), &due);
                return true;
            }
            ["hands", right @ ..] => {
                let hands = self.hands();
                self.expect("hands", &right.join(" "), &hands);
                return true;
            }
            _ => return false,
        };
        let right = match right.strip_prefix('-') {
            Some(debt) => -chips(debt).minor().cast_signed(),
            None => chips(right).minor().cast_signed(),
        };
        let holds = self.balance(account).minor();
        if holds != right {
            self.fail(&format!("{account}: expected {right} smallest units, found {holds}"));
        }
        true
    }

    fn expect(&self, what: &str, right: &str, found: &str) {
        if right != found {
            self.fail(&format!("{what}: expected `{right}`, found `{found}`"));
        }
    }

    /// What is due, in words.
    fn due(&self) -> String {
        match self.table.expects() {
            None => "nothing".into(),
            Some(Expects::Step(step)) => format!("step {}", word(&step)),
            Some(Expects::Opening { demonstration: true }) => "opening or demonstration".into(),
            Some(Expects::Opening { demonstration: false }) => "opening".into(),
            Some(Expects::Bets) => "bets".into(),
            Some(Expects::Draw { due, white_card }) => {
                let white = if white_card { " or white card" } else { "" };
                match due {
                    Due::Turned => "turned".into(),
                    Due::Burn { left } => format!("burn {left}{white}"),
                    Due::WhiteCard => "white card".into(),
                    Due::Card { side, nth, face_down } => {
                        let down = if face_down { " face down" } else { "" };
                        format!("{} {nth}{down}{white}", word(&side))
                    }
                }
            }
            Some(Expects::Open { sides, holder }) => {
                let sides: String = sides.iter().map(|s| format!(" {}", word(s))).collect();
                let by = holder.map_or(String::new(), |o| format!(" by {}", o.0));
                format!("open{sides}{by}")
            }
            Some(Expects::Insurance) => "insurance".into(),
            Some(Expects::Declaration) => "declaration".into(),
            Some(Expects::ShoeChange) => "shoe change".into(),
        }
    }

    /// The public hands: ranks, `?` for a card that lies face down.
    fn hands(&self) -> String {
        let felt = felt_view(&self.table).expect("a configured table");
        let table::FaceView::Baccarat { player, banker, .. } = felt.face;
        let hand = |hand: &table::HandView| {
            let rank = |card: &Option<games::Card>| {
                card.map_or("?".into(), |c| c.to_string().chars().take(1).collect::<String>())
            };
            hand.cards.iter().map(rank).collect::<String>()
        };
        format!("{} {}", hand(&player), hand(&banker)).trim().to_owned()
    }

    /// What a command would be answered, and what it would bring about.
    pub fn answer(&self, line: &str) -> Result<Vec<String>, Rejection> {
        let mut copy = self.clone();
        copy.unquoted.clear();
        copy.command(&line.split_whitespace().collect::<Vec<&str>>())?;
        Ok(copy.unquoted.into())
    }

    fn command(&mut self, words: &[&str]) -> Result<(), Rejection> {
        match words {
            ["later", seconds] => {
                self.now = Timestamp(self.now.0 + ms(seconds));
                Ok(())
            }
            ["wait", seconds] => self.wait(Timestamp(self.now.0 + ms(seconds))),
            ["ready"] => self.ready(),
            ["round"] => self.round(),
            ["deal", cards @ ..] => self.deal(cards),
            ["coup", cards @ ..] => {
                self.dealer(DealerCommand::CloseBets)?;
                self.deal(cards)?;
                self.dealer(DealerCommand::Declare)
            }
            ["grant", player, amount] => {
                let player = self.player(read(player));
                self.grant(player, chips(amount));
                Ok(())
            }
            ["restart"] => {
                let table = self.replayed();
                assert_eq!(table.digest(), self.table.digest(), "the log is the table");
                self.table = table;
                self.house(HouseCommand::Resume)
            }
            ["tick"] => self.house(HouseCommand::Tick),
            ["dealer", command @ ..] => self.dealer(dealer_command(command)),
            ["dealer-2", command @ ..] => {
                let colleague = Actor::Dealer(StaffId(2));
                self.ask(Command::Dealer(colleague, dealer_command(command)))
            }
            ["robot", command @ ..] => {
                self.ask(Command::Dealer(Actor::Robot, dealer_command(command)))
            }
            ["pit", command @ ..] => self.ask(Command::Pit(StaffId(9), pit_command(command))),
            ["house", command @ ..] => self.house_words(command),
            [player, command @ ..] => self.player_words(read(player), command),
            [] => Ok(()),
        }
    }

    fn player_words(&mut self, player: u64, words: &[&str]) -> Result<(), Rejection> {
        let (options, words): (Vec<&str>, Vec<&str>) =
            words.iter().partition(|word| word.starts_with('@'));
        let mut request = self.request(player, player_command(&words));
        for option in options {
            match option.split_once('=') {
                Some(("@round", "none")) => request.round = None,
                Some(("@round", round)) => request.round = Some(read(round)),
                Some(("@rules", rules)) => request.rules = Some(rules.to_owned()),
                _ => self.fail(&format!("no option {option}")),
            }
        }
        self.ask(Command::Player(request))
    }

    fn house_words(&mut self, words: &[&str]) -> Result<(), Rejection> {
        let player = |number: &str| PlayerId::new(read(number)).expect("a player's number");
        let hash = |letter: &str| letter.repeat(64);
        match words {
            ["arrive", who] => self.house(HouseCommand::Arrived { player: player(who) }),
            ["leave", who] => self.house(HouseCommand::Left { player: player(who) }),
            ["resume"] => self.house(HouseCommand::Resume),
            ["commit"] => {
                self.house(HouseCommand::Commit { commitment: hash("a"), previous: None })
            }
            ["commit", commitment, previous] => self.house(HouseCommand::Commit {
                commitment: hash(commitment),
                previous: Some(hash(previous)),
            }),
            ["reveal", shoe] => {
                let (shoe, record) = (read(shoe), "{}".to_owned());
                self.house(HouseCommand::Reveal { shoe, record })
            }
            ["seal-lost"] => self.house(HouseCommand::SealLost),
            ["void", "out-of-cards"] => {
                self.house(HouseCommand::Void { reason: VoidReason::OutOfCards })
            }
            ["rules", options @ ..] => {
                self.setup = self.setup.clone().rules(&options.join(" "));
                self.house(self.setup.configure())
            }
            ["preset", name] => {
                (*name).clone_into(&mut self.setup.preset);
                self.house(self.setup.configure())
            }
            ["main", min, max] => {
                self.setup = self.setup.clone().main(min, max);
                self.house(self.setup.configure())
            }
            ["diff", diff] => {
                let diff = Some(chips(diff));
                self.setup = self.setup.clone().limits(|limits| limits.diff = diff);
                self.house(self.setup.configure())
            }
            ["bet_s", seconds] => {
                let bet_s = read(seconds);
                self.setup = self.setup.clone().settings(|settings| settings.bet_s = bet_s);
                self.house(self.setup.configure())
            }
            other => self.fail(&format!("the house never does {other:?}")),
        }
    }

    /// Whoever deals here asks.
    pub fn dealer(&mut self, command: DealerCommand) -> Result<(), Rejection> {
        let by = self.dealing();
        self.ask(Command::Dealer(by, command))
    }

    /// Time goes by, with a tick at each deadline of the table.
    fn wait(&mut self, until: Timestamp) -> Result<(), Rejection> {
        for _ in 0..ACTS_MAX {
            match self.table.next_deadline().filter(|deadline| *deadline <= until) {
                Some(deadline) => {
                    self.now = self.now.max(deadline);
                    self.house(HouseCommand::Tick)?;
                }
                None => {
                    self.now = until;
                    return Ok(());
                }
            }
        }
        self.fail("a timer that never rests")
    }

    /// Opens the table if it is closed, and prepares a shoe up to its first round.
    fn ready(&mut self) -> Result<(), Rejection> {
        if !self.table.is_open() {
            self.dealer(DealerCommand::OpenTable)?;
        }
        for _ in 0..ACTS_MAX {
            match self.table.expects() {
                Some(Expects::ShoeChange) => self.dealer(DealerCommand::NewShoe)?,
                Some(Expects::Step(step)) => self.step(step)?,
                Some(Expects::Draw { due: Due::Turned, .. }) => {
                    let card = self.card("3");
                    self.dealer(DealerCommand::Card { card })?;
                }
                Some(Expects::Draw { .. }) => self.dealer(DealerCommand::Burn)?,
                _ => {
                    self.commit_if_due()?;
                    return Ok(());
                }
            }
        }
        self.fail("a shoe that is never ready")
    }

    fn commit_if_due(&mut self) -> Result<(), Rejection> {
        if self.table.next_commitment_number().is_none() {
            return Ok(());
        }
        let letter = ["a", "b", "c", "d", "e", "f"][self.log.len() % 6];
        self.house(HouseCommand::Commit { commitment: letter.repeat(64), previous: None })
    }

    fn step(&mut self, step: Step) -> Result<(), Rejection> {
        let cut = step == Step::Cut;
        if cut {
            self.commit_if_due()?;
            if let Some(until) = self.table.cut_until() {
                self.now = self.now.max(until);
            }
        }
        let at = (cut && self.table.is_robot_dealt()).then_some(100);
        self.dealer(DealerCommand::Step { step, at })
    }

    /// Opens a round as soon as that may be.
    fn round(&mut self) -> Result<(), Rejection> {
        if let Some(shown) = self.table.shown_until() {
            self.now = self.now.max(shown);
        }
        self.commit_if_due()?;
        self.dealer(DealerCommand::OpenRound { demonstration: false })
    }

    /// Deals these cards; `W` is the white card where a person deals.
    fn deal(&mut self, cards: &[&str]) -> Result<(), Rejection> {
        let mut cards = cards.iter();
        for _ in 0..ACTS_MAX {
            match self.table.expects() {
                Some(Expects::Draw { due: Due::WhiteCard, .. }) => {
                    self.dealer(DealerCommand::WhiteCard)?;
                }
                Some(Expects::Draw { due: Due::Burn { .. }, .. }) => {
                    self.dealer(DealerCommand::Burn)?;
                }
                Some(Expects::Draw { due: Due::Card { .. }, .. }) => match cards.next() {
                    Some(&"W") => self.dealer(DealerCommand::WhiteCard)?,
                    Some(text) => {
                        let card = self.card(text);
                        self.dealer(DealerCommand::Card { card })?;
                    }
                    None => return Ok(()),
                },
                Some(Expects::Open { holder: None, .. }) => self.dealer(DealerCommand::Open)?,
                _ => match cards.next() {
                    None => return Ok(()),
                    Some(text) => {
                        let card = self.card(text);
                        self.dealer(DealerCommand::Card { card })?;
                    }
                },
            }
        }
        self.fail("a deal without end")
    }

    /// Every event so far.
    pub fn events(&self) -> Vec<Event> {
        let read = |(_, body): &(Timestamp, String)| serde_json::from_str(body);
        self.log.iter().map(read).collect::<Result<_, _>>().expect("what was written can be read")
    }

    /// The table as another viewer's code gets it.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What lies open on a draw, for scripts that look at the log.
    pub fn draws(&self) -> Vec<Draw> {
        let draw =
            |event: Event| if let Event::Drawn { draw, .. } = event { Some(draw) } else { None };
        self.events().into_iter().filter_map(draw).collect()
    }
}
