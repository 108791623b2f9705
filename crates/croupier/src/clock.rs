//! The one clock: milliseconds since 1970 that never go backwards.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use table::Timestamp;

/// Stamps everything that the house receives (STD-1). A clock set back stands still until the time
/// has caught up, so that stamps never precede one another.
#[derive(Debug, Default)]
pub struct Clock(AtomicI64);

impl Clock {
    /// A clock that does not go before `last`, the newest stamp in the log.
    pub fn not_before(last: Timestamp) -> Clock {
        Clock(AtomicI64::new(last.0))
    }

    /// Now.
    #[expect(clippy::disallowed_methods, reason = "the only clock")]
    pub fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        Timestamp(self.0.fetch_max(now, Ordering::SeqCst).max(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_never_goes_before_the_log() {
        let ahead = Clock(AtomicI64::new(0)).now().0 + 60_000;
        let clock = Clock::not_before(Timestamp(ahead));
        assert_eq!(clock.now(), Timestamp(ahead));
        assert!(clock.now() >= clock.now() || clock.now().0 == ahead);
    }
}
