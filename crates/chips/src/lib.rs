//! Exact amounts, payout ratios and rounding: the house's vocabulary of money.
//!
//! Amounts are whole numbers of the smallest unit of the one house currency (play chips with two
//! decimals: `2000` is 20.00). Nothing here can be negative, wrap or carry a fraction
//! (OPS-43, STD-53): arithmetic is checked, and a payout that is not whole says so.

use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Decimals of the house currency in the text form of [`Chips`].
pub const DECIMALS: u32 = 2;
/// Smallest units in one whole chip.
const UNIT: u64 = 10u64.pow(DECIMALS);

/// An amount in the smallest unit of the house currency; never negative, never above
/// [`Chips::MAX`].
///
/// On disk and on the wire it is the whole number of smallest units; its text form, used in
/// settings and by the command line, has two decimals.
///
/// ```
/// use chips::Chips;
/// let stake: Chips = "20.00".parse().unwrap();
/// assert_eq!(stake, Chips::new(2_000).unwrap());
/// assert_eq!(stake.to_string(), "20.00");
/// assert!("-1".parse::<Chips>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
pub struct Chips(u64);

impl Chips {
    /// Nothing.
    pub const ZERO: Chips = Chips(0);
    /// The largest amount: 2^53 - 1, so that every reader of JSON holds it exactly.
    pub const MAX: Chips = Chips((1 << 53) - 1);

    /// An amount of `minor` smallest units, if it is not above [`Chips::MAX`].
    pub const fn new(minor: u64) -> Option<Chips> {
        if minor <= Chips::MAX.0 { Some(Chips(minor)) } else { None }
    }

    /// The number of smallest units.
    pub const fn minor(self) -> u64 {
        self.0
    }

    /// True for an amount of nothing.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum, or `None` above [`Chips::MAX`].
    pub fn checked_add(self, other: Chips) -> Option<Chips> {
        self.0.checked_add(other.0).and_then(Chips::new)
    }

    /// The difference, or `None` where it would be negative.
    pub fn checked_sub(self, other: Chips) -> Option<Chips> {
        self.0.checked_sub(other.0).map(Chips)
    }

    /// The difference, or nothing where it would be negative.
    pub fn saturating_sub(self, other: Chips) -> Chips {
        Chips(self.0.saturating_sub(other.0))
    }

    /// How far apart two amounts are.
    pub fn abs_diff(self, other: Chips) -> Chips {
        Chips(self.0.abs_diff(other.0))
    }

    /// True if this is a whole multiple of `step`; nothing is a multiple of a zero step but zero.
    pub fn is_multiple_of(self, step: Chips) -> bool {
        self.0.is_multiple_of(step.0)
    }

    /// The largest multiple of `step` that is not above this amount; a zero step leaves it as is.
    pub fn floor_to(self, step: Chips) -> Chips {
        if step.0 == 0 { self } else { Chips(self.0 - self.0 % step.0) }
    }

    /// The sum of many, or `None` above [`Chips::MAX`].
    pub fn try_sum<I: IntoIterator<Item = Chips>>(amounts: I) -> Option<Chips> {
        amounts.into_iter().try_fold(Chips::ZERO, Chips::checked_add)
    }
}

/// Sums amounts that are known to fit together, such as the stakes on one layout.
///
/// # Panics
/// Above [`Chips::MAX`]: limits at the door make that a bug.
impl Sum for Chips {
    fn sum<I: Iterator<Item = Chips>>(amounts: I) -> Chips {
        Chips::try_sum(amounts).expect("amounts on one layout fit into Chips")
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:02}", self.0 / UNIT, self.0 % UNIT))
    }
}

impl fmt::Debug for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Why a text is no amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotChips(String);

impl fmt::Display for NotChips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no amount of chips; write it like 20 or 20.00", self.0)
    }
}

impl std::error::Error for NotChips {}

impl FromStr for Chips {
    type Err = NotChips;

    /// Reads `20`, `20.5` or `20.00`; no sign, no exponent, no separators.
    fn from_str(text: &str) -> Result<Chips, NotChips> {
        let no = || NotChips(text.chars().take(40).collect());
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.len() > DECIMALS as usize {
            return Err(no());
        }
        let scale = 10u64.pow(DECIMALS - u32::try_from(part.len()).map_err(|_| no())?);
        let whole: u64 = whole.parse().map_err(|_| no())?;
        let part: u64 = part.parse().map_err(|_| no())?;
        let minor = whole.checked_mul(UNIT).and_then(|w| w.checked_add(part * scale));
        minor.and_then(Chips::new).ok_or_else(no)
    }
}

impl Serialize for Chips {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Chips {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Chips, D::Error> {
        let minor = u64::deserialize(deserializer)?;
        Chips::new(minor)
            .ok_or_else(|| serde::de::Error::custom(format_args!("{minor} chips are too many")))
    }
}

/// Amounts in settings files: the text form (`"20.00"`) instead of smallest units.
pub mod text {
    use super::{Chips, Deserialize, Deserializer, Serializer};

    /// Writes the text form.
    pub fn serialize<S: Serializer>(chips: &Chips, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(chips)
    }

    /// Reads the text form.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Chips, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What a bet pays as printed on the layout: `19 to 20` wins 19 for a stake of 20, the stake
/// returned on top (BAC "a:b").
///
/// The unit is part of the text: `9 for 1` counts the stake as part of what comes back and is the
/// same as `8 to 1`; a bare number is refused.
///
/// ```
/// use chips::{Chips, Pays};
/// let banker: Pays = "19 to 20".parse().unwrap();
/// assert_eq!(banker.exactly(Chips::new(2_000).unwrap()), Chips::new(1_900));
/// assert_eq!(banker.exactly(Chips::new(1_990).unwrap()), None);
/// assert_eq!("9 for 1".parse::<Pays>(), "8 to 1".parse());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub struct Pays {
    win: u32,
    stake: u32,
}

impl Pays {
    /// Even money.
    pub const EVEN: Pays = Pays { win: 1, stake: 1 };
    /// The largest number on either side of a ratio.
    pub const MAX: u32 = 1_000_000;

    /// `win` for each `stake`, in lowest terms; both 1 ..= [`Pays::MAX`].
    pub const fn new(win: u32, stake: u32) -> Option<Pays> {
        if win == 0 || stake == 0 || win > Pays::MAX || stake > Pays::MAX {
            return None;
        }
        let common = gcd(win, stake);
        Some(Pays { win: win / common, stake: stake / common })
    }

    /// The numerator: what is won.
    pub const fn win(self) -> u32 {
        self.win
    }

    /// The denominator: for which stake.
    pub const fn stake(self) -> u32 {
        self.stake
    }

    /// The winnings of `stake`, or `None` where they are not a whole number of smallest units or
    /// above [`Chips::MAX`].
    pub fn exactly(self, stake: Chips) -> Option<Chips> {
        let product = stake.0.checked_mul(u64::from(self.win))?;
        let whole = product.is_multiple_of(u64::from(self.stake));
        if whole { Chips::new(product / u64::from(self.stake)) } else { None }
    }

    /// The winnings of `stake` rounded down to a multiple of `unit`; the house keeps the breakage
    /// (BAC-71). `None` above [`Chips::MAX`].
    pub fn rounded_down(self, stake: Chips, unit: Chips) -> Option<Chips> {
        let product = stake.0.checked_mul(u64::from(self.win))?;
        Chips::new(product / u64::from(self.stake)).map(|win| win.floor_to(unit))
    }

    /// The smallest stake, in smallest units, of which every multiple is paid exactly (BAC-70).
    pub fn step(self) -> Chips {
        Chips(u64::from(self.stake))
    }
}

const fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The smallest amount that is a multiple of both steps.
pub fn common_step(a: Chips, b: Chips) -> Option<Chips> {
    fn gcd64(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { gcd64(b, a % b) }
    }
    match (a.0, b.0) {
        (0, x) | (x, 0) => Some(Chips(x)),
        (a, b) => (a / gcd64(a, b)).checked_mul(b).and_then(Chips::new),
    }
}

impl fmt::Display for Pays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.win, self.stake)
    }
}

impl fmt::Debug for Pays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Why a text is no payout ratio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotPays(String);

impl fmt::Display for NotPays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no payout; write `8 to 1` (profit) or `9 for 1` (stake included)",
            self.0
        )
    }
}

impl std::error::Error for NotPays {}

impl FromStr for Pays {
    type Err = NotPays;

    fn from_str(text: &str) -> Result<Pays, NotPays> {
        let no = || NotPays(text.chars().take(40).collect());
        let number = |s: &str| {
            let plain = !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
            if plain { s.parse::<u32>().ok() } else { None }
        };
        let read = |win: &str, stake: &str| Some((number(win)?, number(stake)?));
        let pays = if let Some((win, stake)) = text.split_once(" to ") {
            read(win, stake)
        } else if let Some((back, stake)) = text.split_once(" for ") {
            read(back, stake).and_then(|(back, stake)| Some((back.checked_sub(stake)?, stake)))
        } else {
            None
        };
        pays.and_then(|(win, stake)| Pays::new(win, stake)).ok_or_else(no)
    }
}

impl Serialize for Pays {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pays {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pays, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chips(minor: u64) -> Chips {
        Chips::new(minor).unwrap()
    }

    /// cases.md 161: amounts that are no amounts.
    #[test]
    fn wrong_amounts_are_refused() {
        for text in [
            "",
            "-1",
            "1e-12",
            "0.001",
            "NaN",
            "1e3",
            "9223372036854775808",
            "1.",
            ".5",
            "+1",
            "1,000",
            " 1",
            "90071992547409.92",
        ] {
            assert!(text.parse::<Chips>().is_err(), "{text}");
        }
        assert_eq!("90071992547409.91".parse(), Ok(Chips::MAX));
        assert_eq!("0".parse(), Ok(Chips::ZERO));
        assert_eq!("1.5".parse(), Ok(chips(150)));
        assert!(serde_json::from_str::<Chips>("9007199254740992").is_err());
        assert!(serde_json::from_str::<Chips>("1.5").is_err());
        assert!(serde_json::from_str::<Chips>("-1").is_err());
    }

    /// cases.md 10: odds "for 1" and "to 1".
    #[test]
    fn payouts_carry_their_unit() {
        assert_eq!("9 for 1".parse::<Pays>().unwrap(), Pays::new(8, 1).unwrap());
        assert_eq!("39 for 20".parse::<Pays>().unwrap(), Pays::new(19, 20).unwrap());
        assert_eq!("38 to 40".parse::<Pays>().unwrap().to_string(), "19 to 20");
        for text in [
            "9",
            "9:1",
            "1 for 1",
            "0 to 1",
            "1 to 0",
            "-1 to 1",
            "8 to 1 ",
            "8  to 1",
            "1.95 to 1",
            "8 to 1 to 1",
            "4294967296 to 1",
        ] {
            assert!(text.parse::<Pays>().is_err(), "{text}");
        }
    }

    /// cases.md 158 and 160: commission and odd ratios in integers, rounded down by the house.
    #[test]
    fn winnings_are_exact_or_rounded_down() {
        let banker = Pays::new(95, 100).unwrap();
        let tie = Pays::new(93, 10).unwrap();
        let floor = |p: Pays, s| p.rounded_down(chips(s), chips(1)).unwrap().minor();
        assert_eq!([60, 120, 140].map(|s| floor(banker, s)), [57, 114, 133]);
        assert_eq!(floor(tie, 1690), 15_717);
        assert_eq!([1, 5, 10, 20].map(|s| floor(banker, s)), [0, 4, 9, 19]);
        assert_eq!(banker.rounded_down(chips(2_010), chips(100)), Some(chips(1_900)));
        assert_eq!(tie.step(), chips(10));
        assert_eq!(common_step(chips(20), chips(50)), Some(chips(100)));
    }

    /// cases.md 164: no wrap and no clamp.
    #[test]
    fn nothing_wraps() {
        assert_eq!(Pays::new(36, 1).unwrap().exactly(Chips::MAX), None);
        assert_eq!(Chips::MAX.checked_add(chips(1)), None);
        assert_eq!(chips(1).checked_sub(chips(2)), None);
        assert_eq!(Chips::try_sum([Chips::MAX, chips(1)]), None);
    }

    proptest::proptest! {
        #[test]
        fn text_form_round_trips(minor in 0..=Chips::MAX.minor()) {
            let amount = chips(minor);
            proptest::prop_assert_eq!(amount.to_string().parse::<Chips>().unwrap(), amount);
        }
    }
}
