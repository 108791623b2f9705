//! A full layout: what a table accepts, the store can write.

use games::baccarat::{Outcome, Winner};
use games::{AnyOutcome, BetId, Ending};
use ledger::PlayerId;
use store::{Append, Batch, Lease, Seq, StreamId};
use table::limits::{BETS_MAX, PAYOUTS_KEPT};
use table::{Actor, Event, PaidOut, StaffId, postings};

use crate::chips;
use crate::house::table_id;

/// The settlement of as many bets as a layout takes, each with the longest numbers and three
/// postings, is one record: or the table could never settle.
#[test]
fn the_settlement_of_a_full_layout_fits_into_one_record() {
    let paid = PaidOut {
        bet: BetId((1 << 53) - 1),
        owner: PlayerId::new(PlayerId::MAX).expect("the last player"),
        on: "insurance-5:banker".parse().expect("a bet"),
        stake: chips((1 << 53) - 1),
        ending: Ending::Won,
        winnings: chips((1 << 53) - 1),
        commission: chips((1 << 53) - 2),
    };
    let outcome = AnyOutcome::Baccarat(Outcome {
        winner: Winner::Banker,
        player_total: 0,
        banker_total: 9,
        player_natural: false,
        banker_natural: false,
        player_pair: false,
        banker_pair: false,
    });
    let by = Actor::Dealer(StaffId(u32::MAX));
    let settled = Event::Settled { outcome, payouts: vec![paid; BETS_MAX], by };
    let table = table_id(1);
    let mut append = Append::new(StreamId::from(table), Seq(0), Lease(1));
    let body = serde_json::to_string(&settled).expect("an event");
    let seq = append.record(0, settled.kind(), body);
    append.postings = postings(table, &settled).into_iter().map(|p| (seq, p)).collect();
    assert_eq!(append.postings.len(), 3 * BETS_MAX);
    Batch { appends: vec![append] }.check().expect("a batch that the store takes");
    const { assert!(BETS_MAX <= PAYOUTS_KEPT, "the last round is always remembered") };
}
