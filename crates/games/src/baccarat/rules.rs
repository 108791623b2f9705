//! A baccarat rule set as data: every option of BAC-1, parsed once into a type that holds only
//! what BAC-9 allows.

use std::fmt;

use chips::{Chips, Pays, common_step};
use serde::{Deserialize, Serialize};

use super::bets::Bet;
use super::roads::DragonTail;
use crate::game::GameName;

/// How the cards of a shoe are mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum ShuffleMode {
    Hand,
    BatchShuffler,
    Continuous,
    Rng,
}

/// Who cuts the shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cutter {
    /// A seated player, the dealer where none does.
    Player,
    /// The dealer.
    Dealer,
}

/// What is burned from a new shoe (BAC-25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Burn {
    /// Nothing.
    None,
    /// As many cards as decks.
    Decks,
    /// As many as the first card shows.
    FirstCardValue,
    /// This many, 1 to 8.
    Fixed(u8),
}

/// Which coup is the last when the white card appears (BAC-91).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LastHand {
    /// The one in which it appears.
    Current,
    /// That one and one more.
    OneMore,
}

/// In which order the hands are opened (BAC-51).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reveal {
    /// Every card is laid face up.
    DealtFaceUp,
    /// The Player's pair, then the Banker's.
    PlayerFirst,
    /// Both pairs together.
    Simultaneous,
}

/// Who may look at the cards first (BAC-45, BAC-133).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holding {
    /// Nobody.
    Off,
    /// For each hand the seated player with the largest stake on it.
    LargestSeated,
    /// The seated player with the largest Player stake looks at the Player's cards.
    Chemin,
}

/// What becomes of Banker and Player stakes on a tie (BAC-59 to BAC-61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TiePolicy {
    /// They stay and may be changed or withdrawn.
    Free,
    /// They stay and may only be raised.
    AddOnly,
    /// They go back.
    Return,
}

/// Whether stakes must be paid exactly (BAC-70, BAC-71).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PayoutExactness {
    /// A stake that could not be paid exactly is refused.
    ExactOnly,
    /// Winnings and commission are rounded down to `round_unit`.
    RoundDown,
}

/// Whether the differential limit is in force; its amount is a limit of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum DiffLimit {
    Required,
    Off,
}

/// A card found face up in the shoe (BAC-106).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExposedCard {
    /// It counts, in its place.
    Valid,
}

/// Pays of Lucky Six (BAC-75).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct LuckySixPays {
    pub two_cards: Pays,
    pub three_cards: Pays,
}

/// Pays of a perfect pair: on one hand, on both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PerfectPairPays {
    pub one: Pays,
    pub both: Pays,
}

/// Pays of the dragon bet: a natural, and each winning margin (BAC-76).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct DragonPays {
    pub natural: Pays,
    pub by_nine: Pays,
    pub by_eight: Pays,
    pub by_seven: Pays,
    pub by_six: Pays,
    pub by_five: Pays,
    pub by_four: Pays,
}

/// Pays of insurance (BAC-83), each row by the total that names it, 0 to 9; an empty text in the
/// file means that the row is not offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct InsurancePays {
    #[serde(with = "row")]
    pub four_cards_banker_at: [Option<Pays>; 10],
    #[serde(with = "row")]
    pub four_cards_player_at: [Option<Pays>; 10],
    #[serde(with = "row")]
    pub five_cards_banker_player_at: [Option<Pays>; 10],
    #[serde(with = "row")]
    pub five_cards_player_at: [Option<Pays>; 10],
}

/// A row of ten pays, an empty text where none is offered.
mod row {
    use super::Pays;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(row: &[Option<Pays>; 10], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(row.iter().map(|p| p.map(|p| p.to_string()).unwrap_or_default()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[Option<Pays>; 10], D::Error> {
        use serde::de::Error;
        let texts: Vec<String> = Vec::deserialize(from)?;
        let texts: [String; 10] = texts
            .try_into()
            .map_err(|t: Vec<_>| D::Error::invalid_length(t.len(), &"ten pays, totals 0 to 9"))?;
        let mut row = [None; 10];
        for (pays, text) in row.iter_mut().zip(&texts) {
            if !text.is_empty() {
                *pays = Some(text.parse().map_err(D::Error::custom)?);
            }
        }
        Ok(row)
    }
}

/// What each bet pays; a bet without a pay is not offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PayTable {
    pub player: Pays,
    pub banker: Pays,
    /// Instead of `banker` when the Banker wins with six.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banker_six: Option<Pays>,
    pub tie: Pays,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_pair: Option<Pays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banker_pair: Option<Pays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dragon_seven: Option<Pays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panda_eight: Option<Pays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub either_pair: Option<Pays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perfect_pair_flat: Option<Pays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub big: Option<Pays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub small: Option<Pays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub super_six: Option<Pays>,
    /// A tie with the total 0 to 9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub egalite: Option<[Pays; 10]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lucky_six: Option<LuckySixPays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perfect_pair: Option<PerfectPairPays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_dragon: Option<DragonPays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banker_dragon: Option<DragonPays>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insurance: Option<InsurancePays>,
}

/// A rule set: every option of BAC-1, none left out of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Baccarat.
    pub game: GameName,
    /// The preset's name.
    pub name: String,
    /// Decks in the shoe.
    pub decks: u8,
    /// Fewest decks that the preset allows.
    pub decks_min: u8,
    /// Most decks that the preset allows.
    pub decks_max: u8,
    /// How the cards are mixed.
    pub shuffle_mode: ShuffleMode,
    /// The ways of mixing that the preset allows.
    pub shuffle_modes: Vec<ShuffleMode>,
    /// Who cuts.
    pub cutter: Cutter,
    /// Cards behind the white card (BAC-23).
    pub white_card_from_back: u16,
    /// A second cut card covers the back of the pack.
    pub back_cover_card: bool,
    /// What is burned from a new shoe.
    pub burn_new_shoe: Burn,
    /// What a ten or court card counts as the first card.
    pub burn_court_value: u8,
    /// The turned card is the first of those burned.
    pub burn_includes_first: bool,
    /// Cards burned before each coup, 0 to 3 (BAC-26).
    pub burn_per_coup: u8,
    /// Most demonstration coups of a new shoe (BAC-27).
    pub demo_coups_max: u8,
    /// Demonstration coups enter the roads.
    pub demo_on_road: bool,
    /// Which coup is the last.
    pub last_hand: LastHand,
    /// A white card before a coup's first card makes that coup the last.
    pub white_first_is_last: bool,
    /// In which order the hands are opened.
    pub reveal: Reveal,
    /// Who may look first.
    pub holding: Holding,
    /// Seconds for looking, 1 to 120 (BAC-46).
    pub squeeze_s: u16,
    /// Banker and Player in one coup.
    pub allow_both_sides: bool,
    /// Side bets need a main bet.
    pub side_requires_main: bool,
    /// Banker must be a multiple of the minimum (BAC-36).
    pub banker_multiple_of_min: bool,
    /// Commission on Banker winnings in per cent (BAC-65).
    pub commission_pct: u8,
    /// The Banker bet is a push when the Banker wins with a three-card seven.
    pub banker_three_card_7_pushes: bool,
    /// What becomes of stakes on a tie.
    pub tie_policy: TiePolicy,
    /// A jurisdiction that forbids carried stakes: forces `return` (BAC-62, STD-32).
    pub individual_commit: bool,
    /// Whether payouts must be exact.
    pub payout_exactness: PayoutExactness,
    /// The unit that `round_down` rounds to, in smallest units.
    pub round_unit: Chips,
    /// Whether the table needs a differential limit.
    pub diff_limit: DiffLimit,
    /// Insurance is offered (BAC-80).
    pub insurance: bool,
    /// Seconds of an insurance window, 1 to 120.
    pub ins_s: u16,
    /// Stakes on a voided insurance go back (BAC-85).
    pub ins_void_refund: bool,
    /// Seats, 0 for a table without any.
    pub seats: u8,
    /// Players without a seat may bet.
    pub standing_allowed: bool,
    /// A click on a zone is a bet without confirmation (BAC-38).
    pub click_is_bet: bool,
    /// A card found face up in the shoe.
    pub exposed_shoe_card: ExposedCard,
    /// How a dragon tail goes on where it can.
    pub dragon_tail: DragonTail,
    /// What each bet pays.
    pub pays: PayTable,
}

/// Why a rule set is refused: the option and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongRules {
    /// The option.
    pub option: &'static str,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for WrongRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.option, self.why)
    }
}

impl std::error::Error for WrongRules {}

/// One ratio on the layout and the case it is for; none for every case that is not named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct PrintedPay {
    pub pays: Pays,
    pub when: Option<&'static str>,
}

const fn printed(pays: Pays, when: Option<&'static str>) -> PrintedPay {
    PrintedPay { pays, when }
}

/// The rows of insurance, named by the total that chooses them.
const AT_TOTAL: [&str; 10] =
    ["at-0", "at-1", "at-2", "at-3", "at-4", "at-5", "at-6", "at-7", "at-8", "at-9"];

fn dragon_pays(pays: Option<&DragonPays>) -> Vec<PrintedPay> {
    pays.map_or(vec![], |p| {
        vec![
            printed(p.by_nine, Some("by-nine")),
            printed(p.by_eight, Some("by-eight")),
            printed(p.by_seven, Some("by-seven")),
            printed(p.by_six, Some("by-six")),
            printed(p.by_five, Some("by-five")),
            printed(p.by_four, Some("by-four")),
            printed(p.natural, Some("natural")),
        ]
    })
}

/// Fails with a reason unless the condition holds.
fn require(holds: bool, option: &'static str, why: &str) -> Result<(), WrongRules> {
    if holds { Ok(()) } else { Err(WrongRules { option, why: why.to_owned() }) }
}

impl Rules {
    /// The validator of BAC-9, and the ranges of every option.
    ///
    /// # Errors
    /// The first option that is wrong.
    pub fn validate(&self) -> Result<(), WrongRules> {
        self.validate_decks()?;
        let continuous = self.shuffle_mode == ShuffleMode::Continuous;
        require(
            self.holding == Holding::Off || !continuous,
            "holding",
            "a continuous shuffler needs cards dealt face up, so nobody may hold them",
        )?;
        require(
            self.burn_per_coup == 0 || !continuous,
            "burn_per_coup",
            "a continuous shuffler burns no cards",
        )?;
        require(self.burn_per_coup <= 3, "burn_per_coup", "at most 3")?;
        require(self.demo_coups_max <= 3, "demo_coups_max", "at most 3")?;
        let coups = if self.last_hand == LastHand::OneMore { 2 } else { 1 };
        let needed = (6 + u16::from(self.burn_per_coup)) * coups;
        require(
            self.white_card_from_back >= needed,
            "white_card_from_back",
            &format!("at least {needed}, or the last coup may run out of cards"),
        )?;
        require(
            self.white_card_from_back <= 52 * u16::from(self.decks) / 2,
            "white_card_from_back",
            "at most half of the shoe",
        )?;
        require(
            !matches!(self.burn_new_shoe, Burn::Fixed(n) if !(1..=8).contains(&n)),
            "burn_new_shoe",
            "fixed burns 1 to 8 cards",
        )?;
        require((1..=10).contains(&self.burn_court_value), "burn_court_value", "1 to 10")?;
        require(
            self.holding == Holding::Off || self.reveal != Reveal::DealtFaceUp,
            "holding",
            "cards dealt face up cannot be held",
        )?;
        require(
            self.holding == Holding::Off || self.seats > 0,
            "holding",
            "only seated players hold, and the table has no seats",
        )?;
        require(
            self.standing_allowed || self.seats > 0,
            "standing_allowed",
            "a table without seats and standing players has nobody to bet",
        )?;
        require(self.seats <= 14, "seats", "at most 14")?;
        require((1..=120).contains(&self.squeeze_s), "squeeze_s", "1 to 120 seconds")?;
        require((1..=120).contains(&self.ins_s), "ins_s", "1 to 120 seconds")?;
        require(self.commission_pct <= 5, "commission_pct", "at most 5 per cent")?;
        require(
            !self.insurance || self.pays.insurance.is_some(),
            "insurance",
            "switched on without pays.insurance",
        )?;
        require(!self.round_unit.is_zero(), "round_unit", "at least one smallest unit")?;
        require(!self.name.is_empty() && self.name.len() <= 40, "name", "1 to 40 letters")
    }

    /// The decks, and whether they can be mixed and cut as the file says.
    fn validate_decks(&self) -> Result<(), WrongRules> {
        let range = 1..=crate::baccarat::DECKS_MAX;
        require(
            range.contains(&self.decks_min) && range.contains(&self.decks_max),
            "decks_min",
            "the preset's range must lie within 1 to 12 decks",
        )?;
        require(
            (self.decks_min..=self.decks_max).contains(&self.decks),
            "decks",
            "outside the preset's range of decks",
        )?;
        require(
            self.decks > 1 || self.shuffle_mode != ShuffleMode::Rng,
            "decks",
            "a robot cuts with a deck on either side, which takes two",
        )?;
        require(
            self.shuffle_modes.contains(&self.shuffle_mode),
            "shuffle_mode",
            "not among the preset's shuffle_modes",
        )
    }

    /// The tie policy in force (BAC-62: `individual_commit` forces `return`).
    pub fn tie_policy(&self) -> TiePolicy {
        if self.individual_commit { TiePolicy::Return } else { self.tie_policy }
    }

    /// The opening in force: a continuous shuffler deals face up (BAC-28).
    pub fn reveal(&self) -> Reveal {
        let continuous = self.shuffle_mode == ShuffleMode::Continuous;
        if continuous { Reveal::DealtFaceUp } else { self.reveal }
    }

    /// True if this bet is on the layout.
    pub fn offers(&self, bet: Bet) -> bool {
        self.pays_of(bet).next().is_some()
    }

    /// Every bet on the layout, insurance included where it is switched on.
    pub fn layout(&self) -> impl Iterator<Item = Bet> {
        Bet::all().filter(|bet| self.offers(*bet))
    }

    /// Every ratio that this bet may be paid at; none if it is not offered.
    pub fn pays_of(&self, bet: Bet) -> impl Iterator<Item = Pays> + use<> {
        self.printed_pays(bet).into_iter().map(|printed| printed.pays)
    }

    /// What is printed on the layout for this bet: each ratio and the case it is for.
    pub fn printed_pays(&self, bet: Bet) -> Vec<PrintedPay> {
        let pays = &self.pays;
        let always = |p: Option<Pays>| p.into_iter().map(|p| printed(p, None)).collect();
        match bet {
            Bet::Player => vec![printed(pays.player, None)],
            Bet::Banker => {
                let six = pays.banker_six.map(|p| printed(p, Some("banker-six")));
                std::iter::once(printed(pays.banker, None)).chain(six).collect()
            }
            Bet::Tie => vec![printed(pays.tie, None)],
            Bet::PlayerPair => always(pays.player_pair),
            Bet::BankerPair => always(pays.banker_pair),
            Bet::LuckySix => pays.lucky_six.as_ref().map_or(vec![], |p| {
                let two = printed(p.two_cards, Some("two-cards"));
                vec![two, printed(p.three_cards, Some("three-cards"))]
            }),
            Bet::PlayerDragon => dragon_pays(pays.player_dragon.as_ref()),
            Bet::BankerDragon => dragon_pays(pays.banker_dragon.as_ref()),
            Bet::DragonSeven => always(pays.dragon_seven),
            Bet::PandaEight => always(pays.panda_eight),
            Bet::EitherPair => always(pays.either_pair),
            Bet::PerfectPair => pays.perfect_pair.as_ref().map_or(vec![], |p| {
                vec![printed(p.one, Some("one-hand")), printed(p.both, Some("both-hands"))]
            }),
            Bet::PerfectPairFlat => always(pays.perfect_pair_flat),
            Bet::Big => always(pays.big),
            Bet::Small => always(pays.small),
            Bet::SuperSix => always(pays.super_six),
            Bet::Egalite(total) => {
                always(pays.egalite.as_ref().and_then(|p| p.get(usize::from(total)).copied()))
            }
            Bet::Insurance(window, side) => self.insurance_pays(window, side),
        }
    }

    fn insurance_pays(&self, window: super::bets::Window, side: super::Side) -> Vec<PrintedPay> {
        use super::Side::{Banker, Player};
        use super::bets::Window::{FiveCards, FourCards};
        let Some(pays) = self.pays.insurance.as_ref().filter(|_| self.insurance) else {
            return vec![];
        };
        let row = match (window, side) {
            (FourCards, Banker) => &pays.four_cards_banker_at,
            (FourCards, Player) => &pays.four_cards_player_at,
            (FiveCards, Banker) => &pays.five_cards_banker_player_at,
            (FiveCards, Player) => &pays.five_cards_player_at,
        };
        let named = row.iter().zip(AT_TOTAL);
        named.filter_map(|(pays, when)| Some(printed((*pays)?, Some(when)))).collect()
    }

    /// The smallest stake, in smallest units, of which every multiple of this bet is paid exactly
    /// whatever comes (BAC-70); one unit where the rule set rounds down.
    pub fn exact_step(&self, bet: Bet) -> Chips {
        let unit = Chips::new(1).expect("one is an amount");
        if self.payout_exactness == PayoutExactness::RoundDown {
            return unit;
        }
        let percent = if bet == Bet::Banker { u32::from(self.commission_pct) } else { 0 };
        let exact = |pays: Pays| {
            // Both the gross winnings and the commission on them are whole.
            let commission = Pays::new(pays.win() * percent.max(1), pays.stake() * 100);
            let commission = commission.filter(|_| percent > 0).map_or(unit, Pays::step);
            common_step(pays.step(), commission).expect("steps of small ratios fit")
        };
        self.pays_of(bet).map(exact).fold(unit, |a, b| common_step(a, b).expect("steps fit"))
    }

    /// Winnings and commission of a winning stake, exact or rounded down as the rule set says.
    ///
    /// # Panics
    /// If a stake was accepted that cannot be paid exactly: [`Rules::exact_step`] was not kept.
    pub fn winnings(&self, stake: Chips, pays: Pays, commission: bool) -> (Chips, Chips) {
        let taken = |gross: Chips| {
            let percent = Pays::new(u32::from(self.commission_pct), 100).filter(|_| commission);
            percent.map_or(Some(Chips::ZERO), |percent| match self.payout_exactness {
                PayoutExactness::ExactOnly => percent.exactly(gross),
                PayoutExactness::RoundDown => percent.rounded_down(gross, self.round_unit),
            })
        };
        let gross = match self.payout_exactness {
            PayoutExactness::ExactOnly => pays.exactly(stake),
            PayoutExactness::RoundDown => pays.rounded_down(stake, self.round_unit),
        };
        let gross = gross.expect("an accepted stake is paid exactly and within range");
        (gross, taken(gross).expect("an accepted stake has an exact commission"))
    }
}
