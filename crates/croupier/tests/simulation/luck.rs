//! The one source of chance of a simulation: everything follows from its seed.

use croupier::robot::shuffle;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

/// Chance by seed.
pub struct Luck(ChaCha20Rng);

impl Luck {
    /// Chance from this seed.
    pub fn new(seed: u64) -> Luck {
        Luck(ChaCha20Rng::seed_from_u64(seed))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        shuffle::below(&mut self.0, bound)
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn of<T: Clone>(&mut self, these: &[T]) -> T {
        these[self.below(these.len())].clone()
    }

    /// These in another order.
    pub fn shuffled<T>(&mut self, these: Vec<T>) -> Vec<T> {
        shuffle::shuffled(these, &mut self.0)
    }

    /// Bytes that nobody could guess, but for whoever knows the seed.
    pub fn bytes(&mut self) -> [u8; 32] {
        std::array::from_fn(|_| u8::try_from(self.below(256)).expect("a byte"))
    }
}
