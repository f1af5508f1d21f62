//! A script of choices that is replayed with its last open choice changed.

use super::facts::Dead;

/// A script of choices.
#[derive(Debug, Default)]
pub(super) struct Chooser {
    script: Vec<(usize, usize)>,
    at: usize,
}

impl Chooser {
    /// One of `count`, the first at first. `None` where there is nothing to choose from.
    pub(super) fn choose(&mut self, count: usize) -> Result<usize, Dead> {
        if count == 0 {
            return Err(Dead);
        }
        let chosen = match self.script.get_mut(self.at) {
            Some(entry) => {
                entry.1 = count;
                entry.0
            }
            None => {
                self.script.push((0, count));
                0
            }
        };
        self.at += 1;
        Ok(chosen)
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn rewind(&mut self) {
        self.at = 0;
    }

    /// Changes the last choice up to `position` that has something left. `false` where none has.
    pub(super) fn advance(&mut self, position: usize) -> bool {
        self.script.truncate(position);
        while let Some((chosen, count)) = self.script.last_mut() {
            *chosen += 1;
            if chosen < count {
                return true;
            }
            self.script.pop();
        }
        false
    }
}
