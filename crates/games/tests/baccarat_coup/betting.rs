//! Limits, steps, exclusions, main bets and the differential limit (BAC-30 to BAC-42, BAC-70).

use games::baccarat::{Bet, Change, Coup, Range, Rules, Side};
use games::{BetId, Owner, Refused, Return, ReturnReason, Round, Seating};

use crate::{PRESETS, chips, dealt, limits, place_all, preset, with};

/// Says what the coup says to one more stake of an owner.
fn bet(coup: &Coup, owner: u64, on: Bet, stake: u64) -> Result<(), Refused> {
    coup.verify_change(Owner(owner), &Change::place(on, chips(stake)), &limits())
}

fn coup(name: &str) -> Coup {
    Coup::new(preset(name))
}

/// BAC-30, BAC-31: which bets lie on which layout.
#[test]
fn each_preset_offers_its_own_bets() {
    let live = [Bet::Player, Bet::Banker, Bet::Tie];
    let macau = [&live[..], &[Bet::PlayerPair, Bet::BankerPair]].concat();
    let dragons = [Bet::LuckySix, Bet::PlayerDragon, Bet::BankerDragon];
    let cases = [
        ("live", live.to_vec()),
        ("chemin", live.to_vec()),
        ("macau", macau.clone()),
        ("macau-sjm", macau.clone()),
        ("no-commission", [&macau[..], &dragons].concat()),
        ("ez", [&live[..], &[Bet::DragonSeven, Bet::PandaEight]].concat()),
    ];
    for (name, offered) in cases {
        let rules = preset(name);
        assert_eq!(rules.layout().collect::<Vec<_>>(), offered, "{name}");
        for on in Bet::all() {
            let unknown = bet(&coup(name), 1, on, 2_000) == Err(Refused::UnknownPosition);
            assert_eq!(unknown, !offered.contains(&on), "{name} {on}");
            assert_eq!(dealt(&rules, "9 5 K 3").came_to(on).is_none(), unknown, "{name} {on}");
        }
    }
}

/// BAC-31: all three together.
#[test]
fn a_live_player_may_have_player_banker_and_tie() {
    let mut coup = coup("live");
    for (id, on) in (1..).zip([Bet::Player, Bet::Banker, Bet::Tie]) {
        assert_eq!(bet(&coup, 1, on, 2_000), Ok(()));
        let (id, owner, stake) = (BetId(id), Owner(1), chips(2_000));
        coup.place(games::Wager { id, owner, on, stake, carried_from: None });
    }
}

/// BAC-32.
#[test]
fn one_side_only_where_the_rule_set_says_so() {
    for name in PRESETS {
        let mut coup = coup(name);
        place_all(&mut coup, &[(Bet::Banker, 2_000)]);
        let exclusive = matches!(name, "no-commission" | "chemin");
        let refused = bet(&coup, 1, Bet::Player, 1_000);
        let expected = if exclusive { Err(Refused::BankerPlayerExclusive) } else { Ok(()) };
        assert_eq!(refused, expected, "{name}");
        assert_eq!(bet(&coup, 1, Bet::Tie, 500), Ok(()), "{name}: other zones are free");
        assert_eq!(bet(&coup, 2, Bet::Player, 1_000), Ok(()), "{name}: another player");
        assert_eq!(bet(&coup, 1, Bet::Banker, 1_000), Ok(()), "{name}: the same side");
    }
}

/// BAC-32 in one command: both sides at once are refused as well.
#[test]
fn both_sides_in_one_command_are_refused_together() {
    let mut change = Change::place(Bet::Player, chips(1_000));
    change.plus.insert(Bet::Banker, chips(1_000));
    let refused = coup("no-commission").verify_change(Owner(1), &change, &limits());
    assert_eq!(refused, Err(Refused::BankerPlayerExclusive));
    assert_eq!(coup("live").verify_change(Owner(1), &change, &limits()), Ok(()));
}

/// BAC-34, BAC-35: limits hold for the total of one player on a zone, and refusals say what fits.
#[test]
fn totals_stay_within_the_limits_of_their_zone() {
    let mut coup = coup("live");
    let (min, max) = (chips(1_000), chips(100_000));
    assert_eq!(bet(&coup, 1, Bet::Player, 990), Err(Refused::BelowMin { min }));
    assert_eq!(bet(&coup, 1, Bet::Player, 0), Err(Refused::BelowMin { min }));
    assert_eq!(bet(&coup, 1, Bet::Player, 1_000), Ok(()));
    assert_eq!(bet(&coup, 1, Bet::Player, 100_000), Ok(()));
    assert_eq!(bet(&coup, 1, Bet::Player, 100_010), Err(Refused::AboveMax { max }));
    assert_eq!(bet(&coup, 1, Bet::Tie, 490), Err(Refused::BelowMin { min: chips(500) }));
    assert_eq!(bet(&coup, 1, Bet::Tie, 20_010), Err(Refused::AboveMax { max: chips(20_000) }));
    place_all(&mut coup, &[(Bet::Player, 99_500)]);
    assert_eq!(bet(&coup, 1, Bet::Player, 10), Ok(()), "a raise may be below the minimum");
    let left = Refused::AboveMax { max: chips(500) };
    assert_eq!(bet(&coup, 1, Bet::Player, 510), Err(left));
    assert_eq!(bet(&coup, 1, Bet::Player, u64::MAX >> 11), Err(left), "nothing wraps");
    assert_eq!(bet(&coup, 2, Bet::Player, 100_000), Ok(()), "limits are per player");
    assert_eq!(bet(&coup, 1, Bet::Player, 5), Err(Refused::Step { step: chips(10) }));
}

/// BAC-35: the zone's own limit for all players together, and ranges of single bets.
#[test]
fn a_zone_may_be_full_and_bets_may_have_ranges_of_their_own() {
    let mut coup = coup("macau");
    place_all(&mut coup, &[(Bet::Player, 60_000), (Bet::Player, 35_000)]);
    let mut limits = limits();
    limits.zone_max = Some(chips(100_005));
    let say = |owner, on, stake| {
        coup.verify_change(Owner(owner), &Change::place(on, chips(stake)), &limits)
    };
    assert_eq!(say(3, Bet::Player, 5_000), Ok(()));
    let full = Refused::ZoneFull { max: chips(5_000) };
    assert_eq!(say(3, Bet::Player, 5_010), Err(full));
    assert_eq!(say(3, Bet::Banker, 50_000), Ok(()));
    limits.own.insert(Bet::PlayerPair, Range { min: chips(100), max: chips(300) });
    let say = |on, stake| coup.verify_change(Owner(1), &Change::place(on, chips(stake)), &limits);
    assert_eq!(say(Bet::PlayerPair, 100), Ok(()));
    assert_eq!(say(Bet::PlayerPair, 310), Err(Refused::AboveMax { max: chips(300) }));
    assert_eq!(say(Bet::BankerPair, 100), Err(Refused::BelowMin { min: chips(500) }));
}

/// BAC-36, BAC-150.
#[test]
fn banker_is_a_multiple_of_the_minimum_where_the_rule_set_says_so() {
    let say = |rules: &std::sync::Arc<Rules>, own: u64, on, stake| {
        let mut coup = Coup::new(rules.clone());
        if own > 0 {
            place_all(&mut coup, &[(on, own)]);
        }
        let mut limits = limits();
        limits.main.min = chips(10_000);
        coup.verify_change(Owner(1), &Change::place(on, chips(stake)), &limits)
    };
    let multiple = Err(Refused::BankerMultiple { step: chips(10_000) });
    for name in ["macau", "macau-sjm", "chemin"] {
        let rules = preset(name);
        assert_eq!(say(&rules, 0, Bet::Banker, 15_000), multiple, "{name}");
        assert_eq!(say(&rules, 0, Bet::Player, 15_000), Ok(()), "{name}");
        assert_eq!(say(&rules, 0, Bet::Banker, 20_000), Ok(()), "{name}");
        assert_eq!(say(&rules, 0, Bet::Banker, 10_000), Ok(()), "{name}");
        assert_eq!(say(&rules, 10_000, Bet::Banker, 5_000), multiple, "{name}: the total counts");
    }
    for name in ["live", "no-commission", "ez", "extra"] {
        assert_eq!(say(&preset(name), 0, Bet::Banker, 15_000), Ok(()), "{name}");
    }
    // The step comes first (OPS-40: amount before game rule).
    let step = Err(Refused::Step { step: chips(20) });
    assert_eq!(say(&preset("macau"), 0, Bet::Banker, 10_010), step);
}

/// BAC-37: pair bets need a main bet, and go with it.
#[test]
fn side_bets_need_a_main_bet_and_go_with_it() {
    let rules = preset("macau");
    let mut coup = Coup::new(rules.clone());
    assert_eq!(bet(&coup, 1, Bet::PlayerPair, 500), Err(Refused::MainBetRequired));
    assert_eq!(bet(&coup, 1, Bet::Tie, 500), Ok(()), "the tie is no side bet");
    let mut change = Change::place(Bet::PlayerPair, chips(500));
    change.plus.insert(Bet::Player, chips(1_000));
    assert_eq!(coup.verify_change(Owner(1), &change, &limits()), Ok(()), "both in one command");
    let own = |id, on, stake| {
        let (owner, stake) = (Owner(1), chips(stake));
        games::Wager { id: BetId(id), owner, on, stake, carried_from: None }
    };
    coup.place(own(1, Bet::Player, 1_000));
    coup.place(own(2, Bet::PlayerPair, 500));
    coup.place(own(3, Bet::BankerPair, 500));
    coup.place(own(4, Bet::Tie, 500));
    assert_eq!(bet(&coup, 2, Bet::BankerPair, 500), Err(Refused::MainBetRequired), "another's");
    let cancel =
        |coup: &Coup, id| coup.layout().verify_cancel(&rules, Owner(1), BetId(id), &limits());
    assert_eq!(cancel(&coup, 1), Ok(vec![BetId(1), BetId(2), BetId(3)]));
    assert_eq!(cancel(&coup, 2), Ok(vec![BetId(2)]));
    // With another main bet standing, nothing goes along.
    coup.place(own(5, Bet::Banker, 1_000));
    assert_eq!(cancel(&coup, 1), Ok(vec![BetId(1)]));
    // Where side bets stand alone, they stay.
    for name in ["no-commission", "ez", "extra"] {
        let side = preset(name).layout().find(|bet| bet.is_side_bet()).unwrap();
        assert_eq!(bet(&self::coup(name), 1, side, 500), Ok(()), "{name}");
    }
}

/// OPS-30: undo, lower and move name a bet of one's own; a rest below the minimum is refused.
#[test]
fn bets_are_lowered_moved_and_cancelled_by_their_owner_only() {
    let rules = preset("live");
    let mut coup = Coup::new(rules.clone());
    place_all(&mut coup, &[(Bet::Player, 3_000), (Bet::Tie, 500)]);
    let layout = coup.layout();
    let lower =
        |owner, id, to| layout.verify_lower(&rules, Owner(owner), BetId(id), chips(to), &limits());
    assert_eq!(lower(1, 1, 1_000), Ok(()));
    assert_eq!(lower(1, 1, 990), Err(Refused::BelowMin { min: chips(1_000) }));
    for (owner, id, to) in [(1, 1, 3_000), (1, 1, 4_000), (1, 1, 0), (2, 1, 1_000), (1, 9, 1_000)] {
        assert_eq!(lower(owner, id, to), Err(Refused::IllegalAction), "{owner} {id} {to}");
    }
    let moved = |owner, id, to| layout.verify_move(&rules, Owner(owner), BetId(id), to, &limits());
    assert_eq!(moved(1, 1, Bet::Banker), Ok(()));
    assert_eq!(moved(1, 1, Bet::Player), Err(Refused::IllegalAction));
    assert_eq!(moved(2, 1, Bet::Banker), Err(Refused::IllegalAction));
    assert_eq!(moved(2, 2, Bet::Banker), Err(Refused::BelowMin { min: chips(1_000) }));
    assert_eq!(moved(1, 1, Bet::LuckySix), Err(Refused::UnknownPosition));
    let cancel = |owner, id| layout.verify_cancel(&rules, Owner(owner), BetId(id), &limits());
    assert_eq!(cancel(1, 1), Ok(vec![BetId(1)]));
    assert_eq!(cancel(2, 1), Err(Refused::IllegalAction));
}

/// Owners 1, 2, 3 … bet in turn on Banker or Player; D is the differential limit.
fn with_diff(bets: &[(Bet, u64)], diff: u64) -> (Coup, games::baccarat::Limits) {
    let mut coup = Coup::new(with("macau", |rules| rules.banker_multiple_of_min = false));
    place_all(&mut coup, bets);
    let mut limits = limits();
    limits.main.min = chips(20);
    limits.diff = Some(chips(diff));
    (coup, limits)
}

/// BAC-40, BAC-41, BAC-151, in chips of one.
#[test]
fn the_differential_limit_refuses_what_would_pass_it() {
    let (mut coup, limits) = with_diff(&[(Bet::Banker, 8_000)], 10_000);
    let say = |coup: &Coup, owner, on, stake| {
        coup.verify_change(Owner(owner), &Change::place(on, chips(stake)), &limits)
    };
    let refused = Err(Refused::DiffLimit { max: chips(2_000) });
    assert_eq!(say(&coup, 1, Bet::Banker, 3_000), refused);
    assert_eq!(say(&coup, 2, Bet::Banker, 3_000), refused, "whoever bets");
    assert_eq!(say(&coup, 2, Bet::Banker, 2_000), Ok(()), "what was offered is accepted");
    assert_eq!(say(&coup, 2, Bet::Player, 5_000), Ok(()));
    let wager = |id, owner, on, stake| games::Wager {
        id: BetId(id),
        owner: Owner(owner),
        on,
        stake: chips(stake),
        carried_from: None,
    };
    coup.place(wager(2, 2, Bet::Player, 5_000));
    assert_eq!(say(&coup, 1, Bet::Banker, 7_000), Ok(()));
    coup.place(wager(3, 1, Bet::Banker, 7_000));
    assert_eq!(say(&coup, 3, Bet::Banker, 20), Err(Refused::DiffLimit { max: chips(0) }));
    // A cancellation may break the limit; the close trims the newest of the heavy side.
    coup.reduce(BetId(2), chips(5_000));
    let trim = Return { bet: BetId(3), amount: chips(5_000), reason: ReturnReason::DiffTrimmed };
    assert_eq!(coup.returns_at_close(&Seating::default(), &limits), [trim]);
}

/// BAC-41: the offered maximum is a stake that the other rules take as well.
#[test]
fn the_offered_maximum_is_itself_accepted() {
    for (multiple, room, offered) in [(false, 2_035, 2_020), (true, 2_035, 2_000), (true, 900, 0)] {
        let mut coup = Coup::new(with("macau", |rules| rules.banker_multiple_of_min = multiple));
        place_all(&mut coup, &[(Bet::Player, 5_000)]);
        let mut limits = limits();
        limits.diff = Some(chips(room));
        place_more(&mut coup, 9, Bet::Banker, 5_000);
        let say = |stake| {
            coup.verify_change(Owner(3), &Change::place(Bet::Banker, chips(stake)), &limits)
        };
        let refused = Err(Refused::DiffLimit { max: chips(offered) });
        assert_eq!(say(3_000), refused, "{multiple} {room}");
        assert!(offered == 0 || say(offered) == Ok(()));
    }
}

fn place_more(coup: &mut Coup, id: u64, on: Bet, stake: u64) {
    let (owner, stake) = (Owner(id), chips(stake));
    coup.place(games::Wager { id: BetId(id), owner, on, stake, carried_from: None });
}

/// BAC-42: newest first, down to legal amounts, all of it below the minimum, side bets with it.
#[test]
fn the_close_trims_the_heavy_side_newest_first() {
    let close = |bets: &[(Bet, u64)], diff, min| {
        let (coup, mut limits) = with_diff(bets, diff);
        limits.main.min = chips(min);
        let returns = coup.returns_at_close(&Seating::default(), &limits);
        let trimmed = |r: &Return| {
            assert_eq!(r.reason, ReturnReason::DiffTrimmed);
            (r.bet.0, r.amount.minor())
        };
        returns.iter().map(trimmed).collect::<Vec<_>>()
    };
    let (b, p) = (Bet::Banker, Bet::Player);
    assert_eq!(close(&[(b, 3_000), (b, 2_000), (p, 1_000)], 4_000, 20), []);
    assert_eq!(close(&[(b, 3_000), (b, 2_000), (p, 1_000)], 3_000, 20), [(2, 1_000)]);
    assert_eq!(close(&[(b, 3_000), (b, 2_000), (p, 1_000)], 1_000, 20), [(2, 2_000), (1, 1_000)]);
    assert_eq!(close(&[(b, 3_000), (b, 2_000)], 0, 20), [(2, 2_000), (1, 3_000)]);
    assert_eq!(close(&[(p, 3_000), (p, 2_000), (b, 1_000)], 3_000, 20), [(2, 1_000)]);
    // Rounded down to a step of twenty, and nothing is left below the minimum.
    assert_eq!(close(&[(b, 3_000), (b, 2_000)], 4_990, 20), [(2, 20)]);
    assert_eq!(close(&[(b, 3_000), (b, 2_000)], 4_000, 1_500), [(2, 2_000)]);
    // What is left of a trim may make the other side the heavy one.
    assert_eq!(close(&[(b, 2_000), (p, 1_900)], 50, 1_990), [(1, 2_000), (2, 1_900)]);
    // The side bets of a trimmed owner go with his last main bet.
    let pairs = [(b, 3_000), (b, 2_000)];
    let (mut coup, limits) = with_diff(&pairs, 3_000);
    let (id, owner, stake) = (BetId(7), Owner(2), chips(500));
    coup.place(games::Wager { id, owner, on: Bet::PlayerPair, stake, carried_from: None });
    let returns = coup.returns_at_close(&Seating::default(), &limits);
    let bets: Vec<u64> = returns.iter().map(|r| r.bet.0).collect();
    assert_eq!(bets, [2, 7]);
}

/// BAC-40: after the close the two sides differ by no more than the limit, whatever was bet, and
/// every rest is a legal stake.
#[test]
fn after_the_close_the_sides_differ_by_no_more_than_the_limit() {
    let mut luck = crate::Luck(40);
    let mut trimmed = 0;
    for _ in 0..2_000 {
        let count = 1 + luck.below(8);
        let bets: Vec<(Bet, u64)> = (0..count)
            .map(|_| {
                let on = Bet::main(Side::BOTH[luck.below(2)]);
                (on, 1_000 * (1 + u64::try_from(luck.below(9)).unwrap()))
            })
            .collect();
        let multiple = luck.below(2) == 1;
        let mut coup = Coup::new(with("macau", |rules| rules.banker_multiple_of_min = multiple));
        place_all(&mut coup, &bets);
        let mut limits = limits();
        limits.diff = Some(chips(u64::try_from(luck.below(12_000)).unwrap()));
        let returns = coup.returns_at_close(&Seating::default(), &limits);
        for r in &returns {
            coup.reduce(r.bet, r.amount);
        }
        trimmed += returns.len();
        let zone = |on| coup.layout().zone(on).stake;
        assert!(zone(Bet::Banker).abs_diff(zone(Bet::Player)) <= limits.diff.unwrap());
        for wager in coup.layout().wagers() {
            let own = coup.layout().own(wager.owner, wager.on);
            assert!(own >= limits.main.min && own.is_multiple_of(chips(10)));
            let banker = multiple && wager.on == Bet::Banker;
            assert!(!banker || own.is_multiple_of(limits.main.min));
        }
        assert_eq!(coup.returns_at_close(&Seating::default(), &limits), []);
    }
    assert!(trimmed > 1_000, "{trimmed}");
}
