//! Stakes carried over a tie, from coup to coup (BAC-59 to BAC-63).

use std::sync::Arc;

use games::baccarat::{Bet, Change, Coup, Course, Rules, TiePolicy};
use games::{
    BetId, Ending, Owner, Refused, Return, ReturnReason, Round, Seating, Settlement, Wager,
};

use crate::shoe::{deal_coup, dealing};
use crate::{chips, limits, preset, seated, with};

const TIE: &str = "7 7 K K";
const BANKER: &str = "5 7 K K 7";

fn open_coup(course: &mut Course) -> &mut Coup {
    course.coup_mut().expect("a coup is open")
}

/// A coup is opened and owner 1 bets on Banker, owner 2 on Player and Tie; the cards tie.
fn tied(rules: &Arc<Rules>) -> (Course, Settlement<Bet>) {
    let mut course = dealing(rules);
    course.open_coup(false, &[]);
    let bets = [(1, 1, Bet::Banker, 2_000), (2, 2, Bet::Player, 1_000), (3, 2, Bet::Tie, 500)];
    for (id, owner, on, stake) in bets {
        let (id, owner, stake) = (BetId(id), Owner(owner), chips(stake));
        open_coup(&mut course).place(Wager { id, owner, on, stake, carried_from: None });
    }
    let settlement = deal_coup(&mut course, TIE);
    (course, settlement)
}

fn endings(settlement: &Settlement<Bet>) -> Vec<(u64, Ending)> {
    settlement.payouts.iter().map(|payout| (payout.wager.id.0, payout.ending)).collect()
}

/// BAC-60, BAC-62, BAC-63: the stakes lie on the next layout under new numbers, linked to the old.
#[test]
fn stakes_carried_over_a_tie_lie_on_the_next_layout() {
    for name in ["macau", "macau-sjm", "chemin"] {
        let (mut course, settlement) = tied(&preset(name));
        let expected = [(1, Ending::Carried), (2, Ending::Carried), (3, Ending::Won)];
        assert_eq!(endings(&settlement), expected, "{name}");
        let waiting: Vec<u64> = course.carried().iter().map(|wager| wager.id.0).collect();
        assert_eq!(waiting, [1, 2], "{name}");
        course.open_coup(false, &[(BetId(1), BetId(11)), (BetId(2), BetId(12))]);
        assert_eq!(course.carried(), [], "{name}");
        let wager = |id, owner, on, stake, from| Wager {
            id: BetId(id),
            owner: Owner(owner),
            on,
            stake: chips(stake),
            carried_from: Some(BetId(from)),
        };
        let on_layout: Vec<_> = open_coup(&mut course).layout().wagers().copied().collect();
        let banker = wager(11, 1, Bet::Banker, 2_000, 1);
        assert_eq!(on_layout, [banker, wager(12, 2, Bet::Player, 1_000, 2)], "{name}");
        // A second tie carries on, a result ends it.
        assert_eq!(
            endings(&deal_coup(&mut course, TIE)),
            [(11, Ending::Carried), (12, Ending::Carried)]
        );
        course.open_coup(false, &[(BetId(11), BetId(21)), (BetId(12), BetId(22))]);
        let settlement = deal_coup(&mut course, BANKER);
        assert_eq!(endings(&settlement), [(21, Ending::Won), (22, Ending::Lost)], "{name}");
        let paid = (settlement.payouts[0].winnings, settlement.payouts[0].commission);
        assert_eq!(paid, (chips(2_000), chips(100)), "{name}");
        assert_eq!(course.carried(), []);
    }
}

/// BAC-59.
#[test]
fn stakes_go_back_where_the_rule_set_returns_them() {
    let forced = with("macau", |rules| rules.individual_commit = true);
    assert_eq!(forced.tie_policy(), TiePolicy::Return);
    for rules in [preset("live"), forced] {
        let (course, settlement) = tied(&rules);
        let expected = [(1, Ending::Pushed), (2, Ending::Pushed), (3, Ending::Won)];
        assert_eq!(endings(&settlement), expected);
        assert_eq!(course.carried(), []);
    }
}

/// The coup after a tie, with owner 1 on Banker and owner 2 on Player from before.
fn after_tie(rules: &Arc<Rules>) -> Course {
    let (mut course, _) = tied(rules);
    course.open_coup(false, &[(BetId(1), BetId(11)), (BetId(2), BetId(12))]);
    course
}

/// BAC-60: free stakes may be withdrawn, lowered, raised and moved to the other side.
#[test]
fn free_carried_stakes_may_be_changed_in_every_way() {
    let rules = preset("macau");
    let course = after_tie(&rules);
    let layout = course.coup().unwrap().layout();
    let (owner, bet) = (Owner(1), BetId(11));
    assert_eq!(layout.verify_cancel(&rules, owner, bet, &limits()), Ok(vec![bet]));
    assert_eq!(layout.verify_lower(&rules, owner, bet, chips(1_000), &limits()), Ok(()));
    assert_eq!(layout.verify_move(&rules, owner, bet, Bet::Player, &limits()), Ok(()));
    let raise = Change::place(Bet::Banker, chips(1_000));
    assert_eq!(course.coup().unwrap().verify_change(owner, &raise, &limits()), Ok(()));
    // The rest is a legal stake, and a carried stake stays on a main bet.
    let step = layout.verify_lower(&rules, owner, bet, chips(1_990), &limits());
    assert_eq!(step, Err(Refused::Step { step: chips(20) }));
    let minimum = layout.verify_lower(&rules, owner, bet, chips(900), &limits());
    assert_eq!(minimum, Err(Refused::BelowMin { min: chips(1_000) }));
    let side = layout.verify_move(&rules, owner, bet, Bet::Tie, &limits());
    assert_eq!(side, Err(Refused::MainBetRequired));
}

/// BAC-61.
#[test]
fn locked_carried_stakes_may_only_be_raised() {
    let rules = preset("macau-sjm");
    let mut course = after_tie(&rules);
    let (owner, bet) = (Owner(1), BetId(11));
    let layout = course.coup().unwrap().layout();
    let locked = Refused::CarryLocked;
    assert_eq!(layout.verify_cancel(&rules, owner, bet, &limits()), Err(locked));
    assert_eq!(layout.verify_lower(&rules, owner, bet, chips(1_000), &limits()), Err(locked));
    assert_eq!(layout.verify_move(&rules, owner, bet, Bet::Player, &limits()), Err(locked));
    let raise = Change::place(Bet::Banker, chips(1_000));
    assert_eq!(course.coup().unwrap().verify_change(owner, &raise, &limits()), Ok(()));
    // What was added may be taken off again.
    let (id, stake) = (BetId(13), chips(1_000));
    let added = Wager { id, owner, on: Bet::Banker, stake, carried_from: None };
    open_coup(&mut course).place(added);
    let layout = course.coup().unwrap().layout();
    assert_eq!(layout.verify_cancel(&rules, owner, id, &limits()), Ok(vec![id]));
}

/// BAC-62: carried stakes count for limits, the differential and holding.
#[test]
fn carried_stakes_count_like_all_others() {
    let course = after_tie(&preset("macau"));
    let coup = course.coup().unwrap();
    let mut limits = limits();
    limits.diff = Some(chips(3_000));
    let say = |owner, on, stake| {
        coup.verify_change(Owner(owner), &Change::place(on, chips(stake)), &limits)
    };
    assert_eq!(say(1, Bet::Banker, 99_000), Err(Refused::AboveMax { max: chips(98_000) }));
    assert_eq!(say(3, Bet::Banker, 3_000), Err(Refused::DiffLimit { max: chips(2_000) }));
    assert_eq!(say(2, Bet::PlayerPair, 500), Ok(()), "it is a main bet for a side bet");
    let mut coup = coup.clone();
    coup.close(&seated([1, 2]));
    assert_eq!(coup.holder(games::baccarat::Side::Banker), Some(Owner(1)));
    assert_eq!(coup.holder(games::baccarat::Side::Player), Some(Owner(2)));
}

/// BAC-62: an owner who is not connected gets a free stake back, a locked one plays; his other
/// bets stay where they may stand alone.
#[test]
fn stakes_of_absent_owners_go_back_where_they_are_free() {
    let seating = Seating { absent: vec![Owner(1)], ..seated([1, 2]) };
    let back = |name: &str| {
        let course = after_tie(&preset(name));
        course.coup().unwrap().returns_at_close(&seating, &limits())
    };
    let reason = ReturnReason::CarryAbsent;
    let returned = Return { bet: BetId(11), amount: chips(2_000), reason };
    assert_eq!(back("macau"), [returned]);
    assert_eq!(back("macau-sjm"), []);
}

/// BAC-62: absent owners first, then the trim on what is left.
#[test]
fn absent_owners_are_returned_before_the_trim() {
    let course = after_tie(&preset("macau"));
    let mut limits = limits();
    limits.diff = Some(chips(0));
    let returns = |absent: Vec<Owner>| {
        let seating = Seating { absent, ..seated([1, 2]) };
        let returns = course.coup().unwrap().returns_at_close(&seating, &limits);
        returns.iter().map(|r| (r.bet.0, r.amount.minor(), r.reason)).collect::<Vec<_>>()
    };
    assert_eq!(returns(vec![]), [(11, 1_000, ReturnReason::DiffTrimmed)]);
    let absent = (11, 2_000, ReturnReason::CarryAbsent);
    let trimmed = (12, 1_000, ReturnReason::DiffTrimmed);
    assert_eq!(returns(vec![Owner(1)]), [absent, trimmed]);
}

/// BAC-62: voiding the next coup returns the carried stakes as well.
#[test]
fn voiding_the_next_coup_gives_carried_stakes_back() {
    let mut course = after_tie(&preset("macau"));
    let back: Vec<u64> = course.void().iter().map(|wager| wager.id.0).collect();
    assert_eq!((back, course.carried()), (vec![11, 12], &[][..]));
}

/// BAC-62: at the end of a shoe free stakes go back, locked ones wait; when the table closes all
/// go back.
#[test]
fn stakes_that_wait_go_back_when_shoe_or_table_ends() {
    let waiting = |name: &str, closes| {
        let (course, _) = tied(&preset(name));
        course.carried_to_return(closes).len()
    };
    assert_eq!([waiting("macau", false), waiting("macau", true)], [2, 2]);
    assert_eq!([waiting("macau-sjm", false), waiting("macau-sjm", true)], [0, 2]);
    let (mut course, _) = tied(&preset("macau-sjm"));
    course.end_shoe(1);
    let rules = Arc::clone(course.rules());
    course.begin_shoe(rules);
    assert_eq!(course.carried().len(), 2, "they are carried to the next shoe");
    course.drop_carried(BetId(1));
    assert_eq!(course.carried().len(), 1);
}

/// STD-40: stakes that another rule set would not carry go back.
#[test]
fn carried_stakes_that_no_longer_fit_are_named() {
    let (course, _) = tied(&preset("macau"));
    let unfit = |name: &str| course.carried_that_no_longer_fit(&preset(name), &limits()).len();
    assert_eq!([unfit("macau-sjm"), unfit("live"), unfit("no-commission")], [0, 2, 2]);
}

/// BAC-38: what the repeat button would place is what lay there in the coup just before.
#[test]
fn the_previous_bets_are_those_of_the_coup_just_before() {
    let mut course = dealing(&preset("live"));
    course.open_coup(false, &[]);
    for (id, owner, on, stake) in
        [(1, 1, Bet::Player, 1_000), (2, 1, Bet::Player, 500), (3, 1, Bet::Tie, 500)]
    {
        let (id, owner, stake) = (BetId(id), Owner(owner), chips(stake));
        open_coup(&mut course).place(Wager { id, owner, on, stake, carried_from: None });
    }
    deal_coup(&mut course, BANKER);
    let had = [(Bet::Player, chips(1_500)), (Bet::Tie, chips(500))];
    assert_eq!(course.previous(Owner(1)), had);
    assert_eq!(course.previous(Owner(2)), []);
    course.open_coup(false, &[]);
    deal_coup(&mut course, BANKER);
    assert_eq!(course.previous(Owner(1)), [], "he had none in the coup before");
}
