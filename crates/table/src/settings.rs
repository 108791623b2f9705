//! The settings of a table: what the operator chooses beside the rule set.

use std::fmt;

use games::AnyLimits;
use games::baccarat::ShuffleMode;
use games::{RuleSet, RulesFailure};
use serde::{Deserialize, Serialize};

/// Who deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DealtBy {
    /// The house's robot, from a shoe that it shuffled and committed to.
    Robot,
    /// A person, who enters every card.
    Dealer,
}

/// The settings of a table. Times are seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The name on the sign.
    pub name: String,
    /// Who deals.
    pub dealt_by: DealtBy,
    /// A practice or test table, whose times may be shorter (OPS-21).
    pub practice: bool,
    /// The betting window.
    pub bet_s: u16,
    /// How long a result is shown at least (STD-26).
    pub settle_s: u16,
    /// How long a player has to cut the shoe (BAC-21).
    pub cut_s: u16,
    /// Demonstration coups that the robot deals (BAC-27).
    pub demo_coups: u8,
    /// A dealer may open and close the table only with a pit boss present (OPS-3).
    pub pit_boss_required: bool,
    /// Players may use the ask-the-road buttons (STD-108).
    pub ask_road: bool,
    /// The limits.
    pub limits: AnyLimits,
}

/// Why settings are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongSettings {
    /// The rule set does not parse or is not allowed.
    Rules(RulesFailure),
    /// A setting is wrong: which, and why.
    Setting(String),
}

impl fmt::Display for WrongSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongSettings::Rules(why) => write!(f, "rules: {why}"),
            WrongSettings::Setting(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for WrongSettings {}

impl Settings {
    /// Reads the rule set and checks that the settings fit it.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, rules: &str) -> Result<RuleSet, WrongSettings> {
        let rules = RuleSet::parse(rules).map_err(WrongSettings::Rules)?;
        let wrong = |why: &str| Err(WrongSettings::Setting(why.to_owned()));
        let shortest = if self.practice { 1 } else { 5 };
        if !(shortest..=120).contains(&self.bet_s) {
            return wrong("bet_s: 5 to 120 seconds, from 1 at a practice table");
        }
        let shortest = if self.practice { 1 } else { 3 };
        if !(shortest..=120).contains(&self.settle_s) {
            return wrong("settle_s: 3 to 120 seconds, from 1 at a practice table");
        }
        if !(1..=120).contains(&self.cut_s) {
            return wrong("cut_s: 1 to 120 seconds");
        }
        if self.name.is_empty() || self.name.chars().count() > 40 {
            return wrong("name: 1 to 40 letters");
        }
        let (RuleSet::Baccarat(baccarat), AnyLimits::Baccarat(limits)) = (&rules, &self.limits);
        if self.demo_coups > baccarat.demo_coups_max {
            return wrong("demo_coups: more than the rule set's demo_coups_max");
        }
        let continuous = baccarat.shuffle_mode == ShuffleMode::Continuous;
        if continuous && self.demo_coups > 0 {
            return wrong("demo_coups: a continuous shuffler has no demonstration coups");
        }
        let by_house = matches!(baccarat.shuffle_mode, ShuffleMode::Rng | ShuffleMode::Continuous);
        if (self.dealt_by == DealtBy::Robot) != by_house {
            return wrong(
                "shuffle_mode: the robot deals `rng` or `continuous`, a person `hand` or \
                 `batch_shuffler`",
            );
        }
        limits.validate(baccarat).map_err(WrongSettings::Setting)?;
        Ok(rules)
    }
}
