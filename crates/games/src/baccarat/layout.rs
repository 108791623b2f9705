//! The bets of one coup on the layout, with the limits of the table and the rules of placing
//! (spec BAC §5).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use chips::{Chips, common_step};
use serde::{Deserialize, Serialize};

use super::bets::Bet;
use super::rules::{DiffLimit, PayoutExactness, Rules, TiePolicy};
use super::tableau::Side;
use crate::round::{BetId, Owner, Refused, Return, ReturnReason, Seating, Wager};

/// Most bets that one owner may have on one layout.
pub const BETS_PER_OWNER_MAX: usize = 200;

/// Smallest and largest total of one player on a zone, in smallest units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Range {
    pub min: Chips,
    pub max: Chips,
}

/// The limits of a table (BAC-35, BAC-40).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Banker and Player.
    pub main: Range,
    /// Tie.
    pub tie: Range,
    /// Every side bet without a range of its own.
    pub side: Range,
    /// Side bets with a range of their own.
    pub own: BTreeMap<Bet, Range>,
    /// Most that all players together may have on one zone.
    pub zone_max: Option<Chips>,
    /// Most by which Banker and Player may differ; needed where the rule set requires it.
    pub diff: Option<Chips>,
    /// Every stake is a multiple of this.
    pub step: Chips,
}

impl Limits {
    /// The range of one bet.
    pub fn range(&self, bet: Bet) -> Range {
        let usual = match bet {
            Bet::Player | Bet::Banker => self.main,
            Bet::Tie => self.tie,
            Bet::PlayerPair
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
            | Bet::Insurance(..) => self.side,
        };
        self.own.get(&bet).copied().unwrap_or(usual)
    }

    /// The step of one bet's stakes: that of the table and that of exact payment (BAC-70).
    pub fn step(&self, rules: &Rules, bet: Bet) -> Chips {
        common_step(self.step, rules.exact_step(bet)).unwrap_or(Chips::MAX)
    }

    /// True if one owner may have this much on a zone.
    pub fn allow(&self, rules: &Rules, bet: Bet, total: Chips) -> bool {
        total <= self.range(bet).max && legal_total(rules, bet, total, self) == total
    }

    /// Do these limits fit this rule set?
    ///
    /// # Errors
    /// What is wrong, in words for the operator.
    pub fn validate(&self, rules: &Rules) -> Result<(), String> {
        if self.step.is_zero() {
            return Err("step: at least one smallest unit".into());
        }
        if rules.diff_limit == DiffLimit::Required && self.diff.is_none() {
            return Err(format!("diff_limit: the rule set `{}` needs one", rules.name));
        }
        for bet in rules.layout().filter(|bet| !bet.is_insurance()) {
            let range = self.range(bet);
            if range.min.is_zero() || range.min > range.max {
                return Err(format!(
                    "{bet}: the minimum must be above zero and not above the maximum"
                ));
            }
            let step = self.step(rules, bet);
            if range.max.floor_to(step) < range.min {
                return Err(format!(
                    "{bet}: no stake between minimum and maximum fits step {step}"
                ));
            }
            if rules.banker_multiple_of_min
                && rules.payout_exactness == PayoutExactness::ExactOnly
                && bet == Bet::Banker
                && !range.min.is_multiple_of(step)
            {
                return Err(format!("{bet}: the minimum must be a multiple of {step} (BAC-36)"));
            }
            let most = rules.pays_of(bet).try_fold(Chips::ZERO, |most, pays| {
                Some(most.max(pays.rounded_down(range.max, self.step)?))
            });
            let all = most.and_then(|m| m.minor().checked_mul(PLAYERS_AT_MAX)).and_then(Chips::new);
            if all.is_none() {
                return Err(format!("{bet}: the maximum is too large to be paid to many players"));
            }
        }
        Ok(())
    }
}

/// The largest win of each bet must fit into [`Chips`] this many times.
const PLAYERS_AT_MAX: u64 = 100_000;

/// What a command would change of one owner's bets, summed by zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Taken off.
    pub minus: BTreeMap<Bet, Chips>,
    /// Put on.
    pub plus: BTreeMap<Bet, Chips>,
}

impl Change {
    /// One more stake on one zone.
    pub fn place(on: Bet, stake: Chips) -> Change {
        Change { plus: BTreeMap::from([(on, stake)]), ..Change::default() }
    }
}

/// One owner's total on one zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Own {
    total: Chips,
    /// When the present total was reached, counted in changes of the layout.
    reached: u64,
}

/// What all owners together have on one zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ZoneTotal {
    pub stake: Chips,
    pub bettors: u32,
}

/// The bets of one coup. Every sum that a decision needs is kept, so that its cost does not grow
/// with the number of bets.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    wagers: BTreeMap<BetId, Wager<Bet>>,
    by_owner: BTreeSet<(Owner, BetId)>,
    own: BTreeMap<(Owner, Bet), Own>,
    zones: BTreeMap<Bet, ZoneTotal>,
    changes: u64,
}

impl Layout {
    /// All wagers in the order of their numbers.
    pub fn wagers(&self) -> impl Iterator<Item = &Wager<Bet>> {
        self.wagers.values()
    }

    /// How many wagers lie here.
    pub fn len(&self) -> usize {
        self.wagers.len()
    }

    /// True if none does.
    pub fn is_empty(&self) -> bool {
        self.wagers.is_empty()
    }

    /// One wager.
    pub fn wager(&self, bet: BetId) -> Option<&Wager<Bet>> {
        self.wagers.get(&bet)
    }

    /// One owner's wagers, oldest first.
    pub fn wagers_of(&self, owner: Owner) -> impl DoubleEndedIterator<Item = &Wager<Bet>> {
        let all = (owner, BetId(0))..=(owner, BetId(u64::MAX));
        self.by_owner.range(all).map(|(_, bet)| &self.wagers[bet])
    }

    /// One owner's total on a zone.
    pub fn own(&self, owner: Owner, bet: Bet) -> Chips {
        self.own.get(&(owner, bet)).map_or(Chips::ZERO, |own| own.total)
    }

    /// One owner's totals by zone.
    pub fn own_zones(&self, owner: Owner) -> impl Iterator<Item = (Bet, Chips)> {
        let all = (owner, Bet::Player)..;
        self.own
            .range(all)
            .take_while(move |((o, _), _)| *o == owner)
            .map(|((_, b), t)| (*b, t.total))
    }

    /// Every zone with something on it.
    pub fn zones(&self) -> impl Iterator<Item = (Bet, ZoneTotal)> {
        self.zones.iter().map(|(bet, zone)| (*bet, *zone))
    }

    /// What all owners have on a zone.
    pub fn zone(&self, bet: Bet) -> ZoneTotal {
        self.zones.get(&bet).copied().unwrap_or_default()
    }

    /// What one owner has at stake in all.
    pub fn at_stake(&self, owner: Owner) -> Chips {
        self.own_zones(owner).map(|(_, total)| total).sum()
    }

    /// Everything on the layout.
    pub fn total(&self) -> Chips {
        self.zones.values().map(|zone| zone.stake).sum()
    }

    /// May this change be made? Refusals in the order of OPS-40: position, amount, game rule.
    ///
    /// # Errors
    /// The first refusal.
    pub fn verify_change(
        &self,
        rules: &Rules,
        owner: Owner,
        change: &Change,
        limits: &Limits,
    ) -> Result<(), Refused> {
        for bet in change.plus.keys() {
            if !rules.offers(*bet) || bet.is_insurance() {
                return Err(Refused::UnknownPosition);
            }
        }
        let touched: BTreeSet<Bet> =
            change.minus.keys().chain(change.plus.keys()).copied().collect();
        for bet in &touched {
            self.verify_amount(rules, owner, *bet, change, limits)?;
        }
        self.verify_game_rules(rules, owner, change, limits)
    }

    /// The owner's total on a zone after a change.
    fn after(&self, owner: Owner, bet: Bet, change: &Change) -> Option<Chips> {
        let minus = change.minus.get(&bet).copied().unwrap_or_default();
        let plus = change.plus.get(&bet).copied().unwrap_or_default();
        self.own(owner, bet).checked_sub(minus)?.checked_add(plus)
    }

    /// Minimum, maximum, zone, step and the Banker multiple of one zone.
    fn verify_amount(
        &self,
        rules: &Rules,
        owner: Owner,
        bet: Bet,
        change: &Change,
        limits: &Limits,
    ) -> Result<(), Refused> {
        let range = limits.range(bet);
        let step = limits.step(rules, bet);
        let minus = change.minus.get(&bet).copied().unwrap_or_default();
        let plus = change.plus.get(&bet).copied();
        let before = self.own(owner, bet).saturating_sub(minus);
        let room = range.max.saturating_sub(before);
        let after = self.after(owner, bet, change).ok_or(Refused::AboveMax { max: room })?;
        if plus == Some(Chips::ZERO) || (!after.is_zero() && after < range.min) {
            return Err(Refused::BelowMin { min: range.min });
        }
        if plus.is_some() && after > range.max {
            return Err(Refused::AboveMax { max: room.floor_to(step) });
        }
        if let (Some(most), Some(plus)) = (limits.zone_max, plus) {
            let zone = self.zone(bet).stake.saturating_sub(minus);
            if zone.checked_add(plus).is_none_or(|zone| zone > most) {
                return Err(Refused::ZoneFull { max: most.saturating_sub(zone).floor_to(step) });
            }
        }
        if !after.is_multiple_of(step) {
            return Err(Refused::Step { step });
        }
        if bet == Bet::Banker && rules.banker_multiple_of_min && !after.is_multiple_of(range.min) {
            return Err(Refused::BankerMultiple { step: range.min });
        }
        Ok(())
    }

    /// One side only, main bet required, differential limit.
    fn verify_game_rules(
        &self,
        rules: &Rules,
        owner: Owner,
        change: &Change,
        limits: &Limits,
    ) -> Result<(), Refused> {
        let after = |bet| self.after(owner, bet, change).unwrap_or_default();
        let adds = |bet| change.plus.contains_key(&bet);
        let adds_main = adds(Bet::Banker) || adds(Bet::Player);
        let both = !after(Bet::Banker).is_zero() && !after(Bet::Player).is_zero();
        if !rules.allow_both_sides && adds_main && both {
            return Err(Refused::BankerPlayerExclusive);
        }
        for side in Side::BOTH.into_iter().filter(|side| adds(Bet::main(*side))) {
            if let Some(room) = self.diff_room(side, change, limits) {
                let bet = Bet::main(side);
                let minus = change.minus.get(&bet).copied().unwrap_or_default();
                let before = self.own(owner, bet).saturating_sub(minus);
                let most = before.checked_add(room).unwrap_or(Chips::MAX);
                let most = legal_total(rules, bet, most.min(limits.range(bet).max), limits);
                return Err(Refused::DiffLimit { max: most.saturating_sub(before) });
            }
        }
        let no_main = after(Bet::Banker).is_zero() && after(Bet::Player).is_zero();
        let adds_side = change.plus.keys().any(|bet| bet.is_side_bet());
        if rules.side_requires_main && adds_side && no_main {
            return Err(Refused::MainBetRequired);
        }
        Ok(())
    }

    /// What could still be added on `side`, if the change passes the differential limit (BAC-41).
    fn diff_room(&self, side: Side, change: &Change, limits: &Limits) -> Option<Chips> {
        let diff = limits.diff?;
        let minus = |bet| change.minus.get(&bet).copied().unwrap_or_default();
        let plus = |bet| change.plus.get(&bet).copied().unwrap_or_default();
        let (this, other) = (Bet::main(side), Bet::main(side.other()));
        let here = self.zone(this).stake.saturating_sub(minus(this));
        let there = self.zone(other).stake.saturating_sub(minus(other));
        let there = there.checked_add(plus(other)).unwrap_or(Chips::MAX);
        let most = there.checked_add(diff).unwrap_or(Chips::MAX);
        let after = here.checked_add(plus(this));
        let fits = after.is_some_and(|after| after <= most);
        (!fits).then(|| most.saturating_sub(here))
    }

    /// The bets that go with `bet` when it is taken off: side bets whose main bet is gone (BAC-37).
    ///
    /// # Errors
    /// If it is not this owner's, or locked by `add_only`, or the rest is below the minimum.
    pub fn verify_cancel(
        &self,
        rules: &Rules,
        owner: Owner,
        bet: BetId,
        limits: &Limits,
    ) -> Result<Vec<BetId>, Refused> {
        let wager = self.wagers.get(&bet).filter(|w| w.owner == owner && !w.on.is_insurance());
        let wager = wager.ok_or(Refused::IllegalAction)?;
        verify_unlocked(rules, wager)?;
        let minus = BTreeMap::from([(wager.on, wager.stake)]);
        let change = Change { minus, ..Change::default() };
        self.verify_amount(rules, owner, wager.on, &change, limits)?;
        Ok(std::iter::once(bet).chain(self.orphans(rules, owner, &change)).collect())
    }

    /// The side bets that lose their main bet by a change.
    pub fn orphans(&self, rules: &Rules, owner: Owner, change: &Change) -> Vec<BetId> {
        let gone = |side| self.after(owner, Bet::main(side), change).is_none_or(Chips::is_zero);
        if !rules.side_requires_main || !Side::BOTH.into_iter().all(gone) {
            return Vec::new();
        }
        let sides = self.wagers_of(owner).filter(|w| w.on.is_side_bet());
        sides.map(|w| w.id).collect()
    }

    /// May `bet` be lowered to the stake `to`?
    ///
    /// # Errors
    /// As [`Layout::verify_cancel`], and if `to` is nothing or not lower.
    pub fn verify_lower(
        &self,
        rules: &Rules,
        owner: Owner,
        bet: BetId,
        to: Chips,
        limits: &Limits,
    ) -> Result<(), Refused> {
        let wager = self.wagers.get(&bet).filter(|w| w.owner == owner && !w.on.is_insurance());
        let wager = wager.ok_or(Refused::IllegalAction)?;
        let by = wager.stake.checked_sub(to).filter(|by| !by.is_zero() && !to.is_zero());
        let by = by.ok_or(Refused::IllegalAction)?;
        verify_unlocked(rules, wager)?;
        let change = Change { minus: BTreeMap::from([(wager.on, by)]), ..Change::default() };
        self.verify_amount(rules, owner, wager.on, &change, limits)
    }

    /// May `bet` be moved to another zone? (BAC-60)
    ///
    /// # Errors
    /// As for taking it off and placing it anew; nothing happens unless both may.
    pub fn verify_move(
        &self,
        rules: &Rules,
        owner: Owner,
        bet: BetId,
        to: Bet,
        limits: &Limits,
    ) -> Result<(), Refused> {
        let wager = self.wagers.get(&bet).filter(|w| w.owner == owner && !w.on.is_insurance());
        let wager = wager.ok_or(Refused::IllegalAction)?;
        if wager.on == to {
            return Err(Refused::IllegalAction);
        }
        verify_unlocked(rules, wager)?;
        let change = Change {
            minus: BTreeMap::from([(wager.on, wager.stake)]),
            plus: BTreeMap::from([(to, wager.stake)]),
        };
        self.verify_change(rules, owner, &change, limits)?;
        let carried_off_main = wager.carried_from.is_some() && to.main_side().is_none();
        let orphans = !self.orphans(rules, owner, &change).is_empty();
        if carried_off_main || orphans {
            return Err(Refused::MainBetRequired);
        }
        Ok(())
    }

    /// Puts a wager on.
    pub fn place(&mut self, wager: Wager<Bet>) {
        assert!(!wager.stake.is_zero(), "a wager without a stake");
        let twin = self.wagers.insert(wager.id, wager);
        assert!(twin.is_none(), "bet numbers are used once");
        self.by_owner.insert((wager.owner, wager.id));
        let own = self.own(wager.owner, wager.on);
        let total = own.checked_add(wager.stake).expect("limits keep totals in range");
        self.set_own(wager.owner, wager.on, total);
    }

    /// Takes `by` off a wager; all of it removes the wager.
    pub fn reduce(&mut self, bet: BetId, by: Chips) {
        let wager = self.wagers.get_mut(&bet).expect("a wager on the layout");
        wager.stake = wager.stake.checked_sub(by).expect("no more than the stake");
        let wager = *wager;
        if wager.stake.is_zero() {
            self.wagers.remove(&bet);
            self.by_owner.remove(&(wager.owner, bet));
        }
        let own = self.own(wager.owner, wager.on);
        let total = own.checked_sub(by).expect("an owner's total covers his wagers");
        self.set_own(wager.owner, wager.on, total);
    }

    /// Moves a wager to another zone.
    pub fn move_to(&mut self, bet: BetId, on: Bet) {
        let mut wager = *self.wagers.get(&bet).expect("a wager on the layout");
        self.reduce(bet, wager.stake);
        wager.on = on;
        self.place(wager);
    }

    fn set_own(&mut self, owner: Owner, bet: Bet, total: Chips) {
        self.changes += 1;
        let before = self.own(owner, bet);
        let zone = self.zones.entry(bet).or_default();
        let rest = zone.stake.checked_sub(before).expect("a zone covers its owners");
        zone.stake = rest.checked_add(total).expect("limits keep totals in range");
        if before.is_zero() && !total.is_zero() {
            zone.bettors += 1;
        }
        if total.is_zero() {
            zone.bettors -= 1;
            self.own.remove(&(owner, bet));
        } else {
            self.own.insert((owner, bet), Own { total, reached: self.changes });
        }
        if self.zones[&bet].bettors == 0 {
            self.zones.remove(&bet);
        }
    }

    /// The seated owner with the largest total on a main bet; of equals the one who reached it
    /// first (BAC-45).
    pub fn largest_seated(&self, bet: Bet, seating: &Seating) -> Option<Owner> {
        let totals = seating.seats.values().filter_map(|owner| {
            let own = self.own.get(&(*owner, bet))?;
            Some((own.total, std::cmp::Reverse(own.reached), *owner))
        });
        totals.max().map(|(_, _, owner)| owner)
    }

    /// What goes back at the close: carried stakes of absent owners under `free`, then the trim of
    /// the heavy side, newest first (BAC-42, BAC-62).
    pub fn returns_at_close(
        &self,
        rules: &Rules,
        seating: &Seating,
        limits: &Limits,
    ) -> Vec<Return> {
        let mut rest = self.clone();
        let mut returns = Returns::default();
        if rules.tie_policy() == TiePolicy::Free {
            for owner in &seating.absent {
                rest.return_carried(rules, *owner, limits, &mut returns);
            }
        }
        if let Some(diff) = limits.diff {
            rest.trim(rules, diff, limits, &mut returns);
        }
        returns.list
    }

    /// Takes an absent owner's carried stakes off, and what would stand below the minimum then.
    fn return_carried(
        &mut self,
        rules: &Rules,
        owner: Owner,
        limits: &Limits,
        returns: &mut Returns,
    ) {
        let reason = ReturnReason::CarryAbsent;
        let carried = self.wagers_of(owner).filter(|w| w.carried_from.is_some());
        let carried: Vec<_> = carried.map(|w| (w.id, w.stake, w.on)).collect();
        for (bet, stake, _) in &carried {
            self.take_off(*bet, *stake, reason, returns);
        }
        for (_, _, on) in carried {
            if self.own(owner, on) < limits.range(on).min {
                self.clear_zone(owner, on, reason, returns);
            }
        }
        self.clear_orphans(rules, owner, reason, returns);
    }

    /// Trims the heavier of Banker and Player until they differ by no more than `diff`.
    fn trim(&mut self, rules: &Rules, diff: Chips, limits: &Limits, returns: &mut Returns) {
        let reason = ReturnReason::DiffTrimmed;
        // Oldest first; a wager that is gone is dropped when its turn comes.
        let of = |bet| self.wagers.values().filter(|w| w.on == bet).map(|w| w.id).collect();
        let (mut on_banker, mut on_player): (Vec<BetId>, Vec<BetId>) =
            (of(Bet::Banker), of(Bet::Player));
        loop {
            let (banker, player) = (self.zone(Bet::Banker).stake, self.zone(Bet::Player).stake);
            let heavy = if banker > player { Bet::Banker } else { Bet::Player };
            let excess = banker.abs_diff(player).saturating_sub(diff);
            if excess.is_zero() {
                return;
            }
            let side = if heavy == Bet::Banker { &mut on_banker } else { &mut on_player };
            while side.last().is_some_and(|bet| !self.wagers.contains_key(bet)) {
                side.pop();
            }
            let newest = self.wagers[side.last().expect("the heavy side has a wager")];
            let cut = excess.min(newest.stake);
            let total = self.own(newest.owner, heavy);
            let keep = legal_total(rules, heavy, total.saturating_sub(cut), limits);
            let mut to_cut = total.saturating_sub(keep);
            while !to_cut.is_zero() {
                let last = self.wagers_of(newest.owner).rev().find(|w| w.on == heavy);
                let last = *last.expect("the owner's total covers the cut");
                let part = to_cut.min(last.stake);
                self.take_off(last.id, part, reason, returns);
                to_cut = to_cut.saturating_sub(part);
            }
            self.clear_orphans(rules, newest.owner, reason, returns);
        }
    }

    fn clear_zone(&mut self, owner: Owner, on: Bet, why: ReturnReason, into: &mut Returns) {
        let there: Vec<_> =
            self.wagers_of(owner).filter(|w| w.on == on).map(|w| (w.id, w.stake)).collect();
        for (bet, stake) in there {
            self.take_off(bet, stake, why, into);
        }
    }

    fn clear_orphans(
        &mut self,
        rules: &Rules,
        owner: Owner,
        why: ReturnReason,
        into: &mut Returns,
    ) {
        for bet in self.orphans(rules, owner, &Change::default()) {
            let stake = self.wagers[&bet].stake;
            self.take_off(bet, stake, why, into);
        }
    }

    fn take_off(&mut self, bet: BetId, amount: Chips, why: ReturnReason, into: &mut Returns) {
        self.reduce(bet, amount);
        into.add(Return { bet, amount, reason: why });
    }

    /// Feeds every wager in order, for the digest.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn describe(&self, out: &mut dyn Write) -> fmt::Result {
        for w in self.wagers.values() {
            let carried = w.carried_from.map_or(0, |b| b.0);
            let reached = self.own[&(w.owner, w.on)].reached;
            writeln!(out, "wager {} {} {} {} {carried} {reached}", w.id, w.owner.0, w.on, w.stake)?;
        }
        writeln!(out, "changes {}", self.changes)
    }
}

/// What goes back at the close, in order, one entry for each wager and reason.
#[derive(Default)]
struct Returns {
    list: Vec<Return>,
    places: BTreeMap<BetId, usize>,
}

impl Returns {
    fn add(&mut self, part: Return) {
        let place = self.places.get(&part.bet).copied();
        let before = place.and_then(|place| self.list.get_mut(place));
        match before.filter(|before| before.reason == part.reason) {
            Some(before) => {
                let sum = before.amount.checked_add(part.amount);
                before.amount = sum.expect("parts of one stake");
            }
            None => {
                self.places.insert(part.bet, self.list.len());
                self.list.push(part);
            }
        }
    }
}

/// `add_only` locks carried stakes (BAC-61).
fn verify_unlocked(rules: &Rules, wager: &Wager<Bet>) -> Result<(), Refused> {
    let locked = wager.carried_from.is_some() && rules.tie_policy() == TiePolicy::AddOnly;
    if locked { Err(Refused::CarryLocked) } else { Ok(()) }
}

/// The largest legal total that is not above `total`; nothing where that is below the minimum.
fn legal_total(rules: &Rules, bet: Bet, total: Chips, limits: &Limits) -> Chips {
    let range = limits.range(bet);
    let multiple = rules.banker_multiple_of_min && bet == Bet::Banker;
    let step = limits.step(rules, bet);
    let step = if multiple { common_step(step, range.min).unwrap_or(range.min) } else { step };
    let legal = total.floor_to(step);
    if legal < range.min { Chips::ZERO } else { legal }
}
