//! What can be bet at baccarat and what each bet comes to: the one list from which the layout, the
//! help, the API and the settlement are made.

use std::fmt;
use std::str::FromStr;

use chips::Pays;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::rules::{DragonPays, Rules};
use super::tableau::{Hand, Side, Winner};
use crate::round::CameTo;

/// The moment at which insurance is offered (BAC-80).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Window {
    /// After the four cards are face up.
    FourCards,
    /// After the Player's third card, when the Banker will draw.
    FiveCards,
}

/// What can be bet on. The text form is the name on the wire, in the log and in rule files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
#[allow(missing_docs)]
pub enum Bet {
    Player,
    Banker,
    Tie,
    PlayerPair,
    BankerPair,
    LuckySix,
    PlayerDragon,
    BankerDragon,
    DragonSeven,
    PandaEight,
    EitherPair,
    PerfectPair,
    PerfectPairFlat,
    Big,
    Small,
    SuperSix,
    /// A tie with this total, 0 to 9.
    Egalite(u8),
    /// Insurance of this hand, bought in this window.
    Insurance(Window, Side),
}

/// The bets without a number or side of their own, with their text forms.
const PLAIN: [(Bet, &str); 16] = [
    (Bet::Player, "player"),
    (Bet::Banker, "banker"),
    (Bet::Tie, "tie"),
    (Bet::PlayerPair, "player-pair"),
    (Bet::BankerPair, "banker-pair"),
    (Bet::LuckySix, "lucky-six"),
    (Bet::PlayerDragon, "player-dragon"),
    (Bet::BankerDragon, "banker-dragon"),
    (Bet::DragonSeven, "dragon-seven"),
    (Bet::PandaEight, "panda-eight"),
    (Bet::EitherPair, "either-pair"),
    (Bet::PerfectPair, "perfect-pair"),
    (Bet::PerfectPairFlat, "perfect-pair-flat"),
    (Bet::Big, "big"),
    (Bet::Small, "small"),
    (Bet::SuperSix, "super-six"),
];

/// Insurance bets with their text forms.
const INSURANCE: [(Bet, &str); 4] = [
    (Bet::Insurance(Window::FourCards, Side::Player), "insurance-4:player"),
    (Bet::Insurance(Window::FourCards, Side::Banker), "insurance-4:banker"),
    (Bet::Insurance(Window::FiveCards, Side::Player), "insurance-5:player"),
    (Bet::Insurance(Window::FiveCards, Side::Banker), "insurance-5:banker"),
];

impl Bet {
    /// Every bet that some rule set may offer.
    pub fn all() -> impl Iterator<Item = Bet> {
        let plain = PLAIN.into_iter().map(|(bet, _)| bet);
        let insurance = INSURANCE.into_iter().map(|(bet, _)| bet);
        plain.chain((0..=9).map(Bet::Egalite)).chain(insurance)
    }

    /// The main bet on a hand.
    pub const fn main(side: Side) -> Bet {
        match side {
            Side::Player => Bet::Player,
            Side::Banker => Bet::Banker,
        }
    }

    /// The hand of a main bet, `None` for every other bet.
    pub const fn main_side(self) -> Option<Side> {
        match self {
            Bet::Player => Some(Side::Player),
            Bet::Banker => Some(Side::Banker),
            Bet::Tie
            | Bet::PlayerPair
            | Bet::BankerPair
            | Bet::LuckySix
            | Bet::PlayerDragon
            | Bet::BankerDragon
            | Bet::DragonSeven
            | Bet::PandaEight
            | Bet::EitherPair
            | Bet::PerfectPair
            | Bet::PerfectPairFlat
            | Bet::Big
            | Bet::Small
            | Bet::SuperSix
            | Bet::Egalite(_)
            | Bet::Insurance(..) => None,
        }
    }

    /// True for the bets that `side_requires_main` ties to a main bet: all but Player, Banker, Tie
    /// and insurance, which has its own rule (BAC-37, BAC-81).
    pub const fn is_side_bet(self) -> bool {
        !matches!(self, Bet::Player | Bet::Banker | Bet::Tie | Bet::Insurance(..))
    }

    /// True for insurance.
    pub const fn is_insurance(self) -> bool {
        matches!(self, Bet::Insurance(..))
    }
}

impl fmt::Display for Bet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Bet::Egalite(total) = self {
            return write!(f, "egalite:{total}");
        }
        let mut named = PLAIN.iter().chain(&INSURANCE);
        let (_, name) = named.find(|(bet, _)| bet == self).expect("every other bet has a name");
        f.write_str(name)
    }
}

/// Why a text is no bet of baccarat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotABet(pub String);

impl fmt::Display for NotABet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no bet; bets are named like banker, tie or player-pair", self.0)
    }
}

impl std::error::Error for NotABet {}

impl FromStr for Bet {
    type Err = NotABet;

    fn from_str(text: &str) -> Result<Bet, NotABet> {
        let named = PLAIN.iter().chain(&INSURANCE).find(|(_, name)| *name == text);
        if let Some((bet, _)) = named {
            return Ok(*bet);
        }
        let total = text.strip_prefix("egalite:").filter(|t| t.len() == 1);
        let total = total.and_then(|t| t.parse().ok()).filter(|t| *t <= 9);
        total.map(Bet::Egalite).ok_or_else(|| NotABet(text.chars().take(40).collect()))
    }
}

impl Serialize for Bet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bet, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What a bet comes to on two finished hands; `None` if the rule set does not offer it, or the
/// insurance window never opened.
pub fn came_to(rules: &Rules, on: Bet, player: &Hand, banker: &Hand) -> Option<CameTo> {
    let hands = Hands { player, banker };
    let pays = &rules.pays;
    let even = |pays| CameTo::Won { pays, commission: false };
    let wins_if =
        |pays: Option<Pays>, won: bool| pays.map(|p| if won { even(p) } else { CameTo::Lost });
    match on {
        Bet::Player => Some(match hands.winner() {
            Winner::Player => even(pays.player),
            Winner::Banker => CameTo::Lost,
            Winner::Tie => CameTo::Pushed,
        }),
        Bet::Banker => Some(banker_bet(rules, &hands)),
        Bet::Tie => wins_if(Some(pays.tie), hands.winner() == Winner::Tie),
        Bet::PlayerPair => wins_if(pays.player_pair, player.is_pair()),
        Bet::BankerPair => wins_if(pays.banker_pair, banker.is_pair()),
        Bet::LuckySix => {
            let pays = pays.lucky_six.as_ref()?;
            let won = hands.winner() == Winner::Banker && banker.total() == 6;
            wins_if(Some(if banker.len() == 2 { pays.two_cards } else { pays.three_cards }), won)
        }
        Bet::PlayerDragon => pays.player_dragon.as_ref().map(|p| dragon(p, player, banker)),
        Bet::BankerDragon => pays.banker_dragon.as_ref().map(|p| dragon(p, banker, player)),
        Bet::DragonSeven => wins_if(pays.dragon_seven, hands.banker_wins_three_card_seven()),
        Bet::PandaEight => {
            let won = hands.winner() == Winner::Player && player.total() == 8 && player.len() == 3;
            wins_if(pays.panda_eight, won)
        }
        Bet::EitherPair => wins_if(pays.either_pair, player.is_pair() || banker.is_pair()),
        Bet::PerfectPair => {
            let pays = pays.perfect_pair.as_ref()?;
            let count = u8::from(player.is_perfect_pair()) + u8::from(banker.is_perfect_pair());
            wins_if(Some(if count == 2 { pays.both } else { pays.one }), count > 0)
        }
        Bet::PerfectPairFlat => {
            wins_if(pays.perfect_pair_flat, player.is_perfect_pair() || banker.is_perfect_pair())
        }
        Bet::Big => wins_if(pays.big, player.len() + banker.len() > 4),
        Bet::Small => wins_if(pays.small, player.len() + banker.len() == 4),
        Bet::SuperSix => {
            wins_if(pays.super_six, hands.winner() == Winner::Banker && banker.total() == 6)
        }
        Bet::Egalite(total) => {
            let pays = *pays.egalite.as_ref()?.get(usize::from(total))?;
            wins_if(Some(pays), hands.winner() == Winner::Tie && player.total() == total)
        }
        Bet::Insurance(window, side) if window_opened(window, player, banker) => {
            let row = insurance_row(rules, window, side, player, banker)?;
            Some(insurance(&row, hands.winner(), side))
        }
        Bet::Insurance(..) => None,
    }
}

/// True if two finished hands went through this window: a card was still to come (BAC-80).
fn window_opened(window: Window, player: &Hand, banker: &Hand) -> bool {
    let (thirds, both) = (player.len() + banker.len() > 4, player.len() + banker.len() == 6);
    match window {
        Window::FourCards => thirds,
        Window::FiveCards => both,
    }
}

/// Two finished hands.
struct Hands<'a> {
    player: &'a Hand,
    banker: &'a Hand,
}

impl Hands<'_> {
    fn winner(&self) -> Winner {
        match self.player.total().cmp(&self.banker.total()) {
            std::cmp::Ordering::Greater => Winner::Player,
            std::cmp::Ordering::Less => Winner::Banker,
            std::cmp::Ordering::Equal => Winner::Tie,
        }
    }

    fn banker_wins_three_card_seven(&self) -> bool {
        self.winner() == Winner::Banker && self.banker.total() == 7 && self.banker.len() == 3
    }
}

/// The Banker bet: commission, the pay on six, the push on a three-card seven, tie returned.
fn banker_bet(rules: &Rules, hands: &Hands<'_>) -> CameTo {
    match hands.winner() {
        Winner::Player => CameTo::Lost,
        Winner::Tie => CameTo::Pushed,
        Winner::Banker
            if rules.banker_three_card_7_pushes && hands.banker_wins_three_card_seven() =>
        {
            CameTo::Pushed
        }
        Winner::Banker => {
            let six = rules.pays.banker_six.filter(|_| hands.banker.total() == 6);
            let pays = six.unwrap_or(rules.pays.banker);
            CameTo::Won { pays, commission: rules.commission_pct > 0 }
        }
    }
}

/// The dragon bet on `hand` against `other`, in the order of BAC-76; a natural never earns a
/// margin pay (BAC-77).
fn dragon(pays: &DragonPays, hand: &Hand, other: &Hand) -> CameTo {
    let won = |pays| CameTo::Won { pays, commission: false };
    if hand.total() == other.total() {
        let both = hand.is_natural() && other.is_natural();
        return if both { CameTo::Pushed } else { CameTo::Lost };
    }
    if hand.total() < other.total() {
        return CameTo::Lost;
    }
    if hand.is_natural() {
        return won(pays.natural);
    }
    match hand.total() - other.total() {
        9 => won(pays.by_nine),
        8 => won(pays.by_eight),
        7 => won(pays.by_seven),
        6 => won(pays.by_six),
        5 => won(pays.by_five),
        4 => won(pays.by_four),
        _ => CameTo::Lost,
    }
}

/// What insurance pays in one state of the coup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsuranceRow {
    /// The pay.
    pub pays: Pays,
    /// It pays on a tie and loses otherwise, as the insured hand can no longer lose (BAC-82).
    pub on_tie: bool,
}

/// The row of BAC-83 for insuring `side` in this window; `None` where it is not offered: the hand
/// is not strictly ahead, or the table has no such row.
pub fn insurance_row(
    rules: &Rules,
    window: Window,
    side: Side,
    player: &Hand,
    banker: &Hand,
) -> Option<InsuranceRow> {
    let pays = rules.pays.insurance.as_ref().filter(|_| rules.insurance)?;
    let at = |row: &[Option<Pays>; 10], total: u8| row[usize::from(total)];
    let player_total = match window {
        Window::FourCards => player.two_card_total(),
        Window::FiveCards => player.total(),
    };
    let banker_total = banker.two_card_total();
    let plain = |pays| InsuranceRow { pays, on_tie: false };
    match (window, side) {
        (Window::FourCards, Side::Banker) if banker_total > player_total => {
            at(&pays.four_cards_banker_at, banker_total).map(plain)
        }
        (Window::FourCards, Side::Player) if player_total > banker_total => {
            at(&pays.four_cards_player_at, player_total).map(plain)
        }
        (Window::FiveCards, Side::Banker) if banker_total > player_total => {
            let pays = at(&pays.five_cards_banker_player_at, player_total)?;
            Some(InsuranceRow { pays, on_tie: player_total == 0 })
        }
        (Window::FiveCards, Side::Player) if player_total > banker_total => {
            let pays = at(&pays.five_cards_player_at, player_total)?;
            Some(InsuranceRow { pays, on_tie: player_total == 9 })
        }
        (Window::FourCards | Window::FiveCards, Side::Player | Side::Banker) => None,
    }
}

/// What insurance of `side` comes to (BAC-82).
fn insurance(row: &InsuranceRow, winner: Winner, side: Side) -> CameTo {
    let won = CameTo::Won { pays: row.pays, commission: false };
    let insured = match side {
        Side::Player => Winner::Player,
        Side::Banker => Winner::Banker,
    };
    match (row.on_tie, winner == Winner::Tie) {
        (true, true) => won,
        (true, false) => CameTo::Lost,
        (false, true) => CameTo::Pushed,
        (false, false) if winner == insured => CameTo::Lost,
        (false, false) => won,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bet_has_one_text_form() {
        let all: Vec<Bet> = Bet::all().collect();
        for bet in &all {
            assert_eq!(bet.to_string().parse(), Ok(*bet));
        }
        assert_eq!(all.len(), 30);
        for text in ["", "Banker", "egalite:10", "egalite:", "egalite:+1", "insurance", "split:1-2"]
        {
            assert!(text.parse::<Bet>().is_err(), "{text}");
        }
    }
}
