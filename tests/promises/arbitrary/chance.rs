//! Choosing, all ways equally likely.

use quickcheck::Gen;
use serde_json::Value;

/// Makes choices. `Arbitrary` for numbers prefers the smallest and the largest; here none is preferred.
pub struct Chance<'g> {
    pub random: &'g mut Gen,
}

impl Chance<'_> {
    pub fn below(&mut self, limit: usize) -> usize {
        let bytes: [u8; 256] = std::array::from_fn(|byte| byte as u8);
        let mut byte = || usize::from(*self.random.choose(&bytes).expect("there are bytes"));
        (byte() * 256 + byte()) % limit
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub fn pick<'v>(&mut self, from: &[&'v str]) -> &'v str {
        from[self.below(from.len())]
    }

    pub fn value(&mut self, from: &[Value]) -> Value {
        from[self.below(from.len())].clone()
    }
}
