//! What the house counts about itself, for Prometheus (docs/operations.md).

use metrics::{describe_counter, describe_gauge, describe_histogram};

/// What kind of figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// Goes up and down.
    Gauge,
    /// How many up to each bound.
    Histogram,
}

/// One figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Figure {
    pub name: &'static str,
    pub kind: Kind,
    pub labels: &'static [&'static str],
    pub what: &'static str,
}

const fn figure(
    name: &'static str,
    kind: Kind,
    labels: &'static [&'static str],
    what: &'static str,
) -> Figure {
    Figure { name, kind, labels, what }
}

/// Every figure there is.
pub const FIGURES: [Figure; 14] = [
    figure("croupier_connections", Kind::Gauge, &[], "sockets that are open"),
    figure(
        "croupier_events_total",
        Kind::Counter,
        &["table", "event"],
        "events of the tables, by kind",
    ),
    figure(
        "croupier_refusals_total",
        Kind::Counter,
        &["table", "code"],
        "commands that were refused, by code",
    ),
    figure(
        "croupier_alarms_total",
        Kind::Counter,
        &["table", "code"],
        "refusals that no honest mistake explains: an impossible or an early card",
    ),
    figure("croupier_commit_seconds", Kind::Histogram, &[], "time of a commit to the disk"),
    figure("croupier_commit_appends", Kind::Histogram, &[], "streams that shared a commit"),
    figure(
        "croupier_commits_failed_total",
        Kind::Counter,
        &[],
        "commits that failed; after one that is no refusal nothing is written any more",
    ),
    figure(
        "croupier_http_requests_total",
        Kind::Counter,
        &["route", "method", "status"],
        "requests that were answered",
    ),
    figure("croupier_http_seconds", Kind::Histogram, &[], "time of a request"),
    figure("croupier_guests_total", Kind::Counter, &[], "guests who joined"),
    figure("croupier_malformed_total", Kind::Counter, &[], "messages that could not be read"),
    figure("croupier_rate_limited_total", Kind::Counter, &[], "messages above a session's rate"),
    figure(
        "croupier_slow_clients_dropped_total",
        Kind::Counter,
        &[],
        "browsers that did not read in time",
    ),
    figure("croupier_sign_ins_refused_total", Kind::Counter, &[], "wrong passwords of staff"),
];

/// Says what each figure is; the counters without labels stand at nothing from the start.
pub fn describe() {
    for Figure { name, kind, labels, what } in FIGURES {
        match kind {
            Kind::Counter => {
                describe_counter!(name, what);
                if labels.is_empty() {
                    metrics::counter!(name).increment(0);
                }
            }
            Kind::Gauge => describe_gauge!(name, what),
            Kind::Histogram => describe_histogram!(name, what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_documented() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operations.md");
        let page = std::fs::read_to_string(path).unwrap();
        for Figure { name, labels, .. } in FIGURES {
            let line = page.lines().find(|line| line.contains(&format!("`{name}`")));
            let line = line.unwrap_or_else(|| panic!("{name} is not in docs/operations.md"));
            assert!(labels.iter().all(|label| line.contains(label)), "{line}");
        }
    }
}
