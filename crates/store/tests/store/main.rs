//! The store held to its word: one contract for every back end, and what only files can suffer.

mod contract;
mod file;
mod model;

use std::path::Path;

use store::{Sqlite, Store};

/// Opens a store in a folder of the test's own.
type Open = fn(&Path) -> Box<dyn Store>;

fn in_file(folder: &Path) -> Box<dyn Store> {
    Box::new(Sqlite::open(&folder.join("house.sqlite")).unwrap())
}

fn in_memory(_folder: &Path) -> Box<dyn Store> {
    Box::new(Sqlite::in_memory().unwrap())
}

fn hold(case: fn(&mut dyn Store), open: Open) {
    let folder = tempfile::tempdir().unwrap();
    case(&mut *open(folder.path()));
}

/// One test for each case of the contract and each back end.
macro_rules! contract {
    ($($case:ident)*) => {
        mod sqlite_file { $( #[test] fn $case() {
            super::hold(super::contract::$case, super::in_file);
        } )* }
        mod sqlite_memory { $( #[test] fn $case() {
            super::hold(super::contract::$case, super::in_memory);
        } )* }
    };
}

contract! {
    what_is_appended_is_loaded
    a_taken_seq_is_refused
    a_stale_lease_is_refused
    an_overdraft_is_refused_whole
    the_order_of_postings_counts
    several_streams_commit_together_or_not_at_all
    a_command_is_remembered
    a_command_is_accepted_once
    balances_are_the_sum_of_postings
    postings_are_paged_by_stream
    postings_are_paged_by_player
    records_are_paged_within_bounds
    a_long_page_ends_early
    ten_thousand_postings_fit_in_one_batch
    a_malformed_batch_is_refused
    any_text_is_kept_as_it_is
    refusals_come_in_order
    a_refusal_leaves_no_trace
}
