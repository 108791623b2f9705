//! Exact fractions: probabilities, expectations, edges.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A fraction in lowest terms. Its text form is `n/d`, or `n` where it is whole.
///
/// ```
/// use odds::Fraction;
/// let edge: Fraction = "-1/37".parse().unwrap();
/// assert_eq!(edge.decimal(4), "-0.0270");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    above: i128,
    below: i128,
}

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction { above: 0, below: 1 };
    /// The whole.
    pub const ONE: Fraction = Fraction { above: 1, below: 1 };

    /// `above` over `below`; `None` over zero, or where a sign cannot be turned.
    pub fn new(above: i128, below: i128) -> Option<Fraction> {
        if below == 0 || above == i128::MIN || below == i128::MIN {
            return None;
        }
        let common = gcd(above.abs(), below.abs()) * below.signum();
        Some(Fraction { above: above / common, below: below / common })
    }

    /// The numerator; it carries the sign.
    pub const fn above(self) -> i128 {
        self.above
    }

    /// The denominator, above zero.
    pub const fn below(self) -> i128 {
        self.below
    }

    /// The same, with the other sign.
    pub const fn negated(self) -> Fraction {
        Fraction { above: -self.above, below: self.below }
    }

    /// The sum; `None` where it is too long to be held.
    pub fn plus(self, other: Fraction) -> Option<Fraction> {
        let common = gcd(self.below, other.below);
        let left = self.above.checked_mul(other.below / common)?;
        let right = other.above.checked_mul(self.below / common)?;
        let below = (self.below / common).checked_mul(other.below)?;
        Fraction::new(left.checked_add(right)?, below)
    }

    /// The product; `None` where it is too long to be held.
    pub fn times(self, other: Fraction) -> Option<Fraction> {
        let left = Fraction::new(self.above, other.below)?;
        let right = Fraction::new(other.above, self.below)?;
        let above = left.above.checked_mul(right.above)?;
        Fraction::new(above, left.below.checked_mul(right.below)?)
    }

    /// The decimal number with this many places, rounded half to even.
    pub fn decimal(self, places: usize) -> String {
        let below = self.below.unsigned_abs();
        let mut whole = self.above.unsigned_abs() / below;
        let mut rest = self.above.unsigned_abs() % below;
        let mut digits = Vec::with_capacity(places);
        for _ in 0..places {
            let (digit, left) = next_digit(rest, below);
            digits.push(digit);
            rest = left;
        }
        let odd = digits.last().map_or(whole % 2 == 1, |digit| digit % 2 == 1);
        let up = match rest.cmp(&(below - rest)) {
            Ordering::Greater => true,
            Ordering::Equal => odd,
            Ordering::Less => false,
        };
        let mut carry = up;
        for digit in digits.iter_mut().rev().filter(|_| up) {
            if carry {
                carry = *digit == 9;
                *digit = if carry { 0 } else { *digit + 1 };
            }
        }
        whole += u128::from(carry);
        let nothing = whole == 0 && digits.iter().all(|digit| *digit == 0);
        let sign = if self.above < 0 && !nothing { "-" } else { "" };
        let point = if places > 0 { "." } else { "" };
        let digits: String = digits.into_iter().map(|digit| char::from(b'0' + digit)).collect();
        format!("{sign}{whole}{point}{digits}")
    }
}

/// The next digit of `rest` over `below`, and what is left of it; `rest` is below `below`.
fn next_digit(rest: u128, below: u128) -> (u8, u128) {
    // Ten times the rest is taken as ten additions, so that no long fraction overflows.
    let (mut digit, mut left) = (0, 0);
    for _ in 0..10 {
        let room = below - left;
        if rest >= room {
            digit += 1;
            left = rest - room;
        } else {
            left += rest;
        }
    }
    (digit, left)
}

const fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        // As continued fractions: no product that could overflow.
        let whole = |f: &Fraction| f.above.div_euclid(f.below);
        let rest = |f: &Fraction| f.above.rem_euclid(f.below);
        whole(self).cmp(&whole(other)).then_with(|| match (rest(self), rest(other)) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Less,
            (_, 0) => Ordering::Greater,
            (left, right) => {
                let left = Fraction { above: self.below, below: left };
                let right = Fraction { above: other.below, below: right };
                right.cmp(&left)
            }
        })
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.below {
            1 => write!(f, "{}", self.above),
            below => write!(f, "{}/{below}", self.above),
        }
    }
}

/// Why a text is no fraction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no fraction; write it like -1/37 or 8")]
pub struct NotAFraction(String);

impl FromStr for Fraction {
    type Err = NotAFraction;

    fn from_str(text: &str) -> Result<Fraction, NotAFraction> {
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| text.parse::<i128>().ok();
        let fraction = number(above).zip(number(below)).filter(|(_, below)| *below > 0);
        let fraction = fraction.and_then(|(above, below)| Fraction::new(above, below));
        fraction.ok_or_else(|| NotAFraction(text.chars().take(80).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(text: &str) -> Fraction {
        text.parse().unwrap()
    }

    #[test]
    fn decimals_are_rounded_half_to_even() {
        let cases = [
            ("1/8", 2, "0.12"),
            ("3/8", 2, "0.38"),
            ("-1/8", 2, "-0.12"),
            ("1/2", 0, "0"),
            ("3/2", 0, "2"),
            ("-1/1000", 2, "0.00"),
            ("999/1000", 2, "1.00"),
            ("1999/1000", 2, "2.00"),
            ("2/3", 6, "0.666667"),
            (
                "170141183460469231731687303715884105726/170141183460469231731687303715884105727",
                3,
                "1.000",
            ),
        ];
        for (text, places, decimal) in cases {
            assert_eq!(fraction(text).decimal(places), decimal, "{text}");
        }
    }

    #[test]
    fn fractions_are_ordered_by_their_size() {
        let rising = ["-3", "-5/2", "-1/3", "0", "1/1000000000000000000", "1/3", "2/5", "1/2", "7"];
        for (left, a) in rising.iter().enumerate() {
            for (right, b) in rising.iter().enumerate() {
                assert_eq!(fraction(a).cmp(&fraction(b)), left.cmp(&right), "{a} {b}");
            }
        }
    }

    #[test]
    fn sums_and_products_are_in_lowest_terms() {
        assert_eq!(fraction("1/6").plus(fraction("1/3")), Some(fraction("1/2")));
        assert_eq!(fraction("19/20").times(fraction("-40/38")), Some(fraction("-1")));
        assert_eq!(Fraction::new(2, -4), Some(fraction("-1/2")));
        assert_eq!(Fraction::new(1, 0), None);
        assert_eq!(fraction("170141183460469231731687303715884105727").plus(Fraction::ONE), None);
        for text in ["", "/", "1/0", "1/-2", "x", "0.5", "1/2/3", " 1"] {
            assert!(text.parse::<Fraction>().is_err(), "{text}");
        }
    }
}
