//! Strings that a pattern matches, from its syntax tree.
//!
//! Every node has a range of lengths. To come near a wanted length the difference to the least length is handed
//! out from left to right, as far as each node can take it, so one walk of the tree gives one string. A variant
//! number rotates alternatives and the characters of classes. Look-around and back-references are met by luck
//! (look-ahead by writing what it asks for): the caller checks every string against the compiled pattern.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use fancy_regex::{Expr, LookAround};
use regex_syntax::hir::{Class, HirKind};

/// The readable characters, in the order in which they are preferred in a class.
const READABLE: &str =
    "ab01xcdefghijklmnopqrstuvwyz23456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. /:,+#@!$%&()*;=?'\"<>[]{}|~^`\\";
/// No pattern needs more repetitions of one thing than this.
const MAX_LENGTH: usize = 66_000;
const MAX_DEPTH: u32 = 100;
/// Longer patterns, in bytes, are not sampled: every string would be walked to at the cost of the whole pattern.
const MAX_PATTERN: usize = 16_384;

/// A pattern that can be sampled.
pub(super) struct Sampler {
    tree: Expr,
    classes: HashMap<String, Vec<char>>,
    /// The strings that have been made, by what was asked for.
    made: RefCell<HashMap<Asked, Rc<RefCell<Made>>>>,
}

/// What strings are asked for: the least and the greatest length, and how many variants.
type Asked = (usize, usize, usize);

/// One way to write a string: the variant, about how long, and whether look-ahead is left out and one character of a
/// class stands for all.
#[derive(Clone, Copy)]
struct Way {
    variant: usize,
    target: usize,
    plain: bool,
}

/// Strings that have been made in the first of some ways, and the ways that are left.
struct Made {
    found: Vec<String>,
    left: std::vec::IntoIter<Way>,
}

impl Made {
    fn new(ways: Vec<Way>) -> Made {
        Made { found: Vec::new(), left: ways.into_iter() }
    }

    fn get(&mut self, sampler: &Sampler, index: usize) -> Option<String> {
        while self.found.len() <= index {
            let text = sampler.sample(self.left.next()?);
            if !self.found.contains(&text) {
                self.found.push(text);
            }
        }
        self.found.get(index).cloned()
    }
}

/// One walk of the tree.
struct Walk<'p> {
    sampler: &'p Sampler,
    variant: usize,
    /// Whether look-ahead contributes its own text.
    look: bool,
    /// Whether the characters of a class are taken in turn instead of one for all.
    mixed: bool,
    turn: usize,
    groups: HashMap<usize, String>,
    next_group: usize,
    out: String,
}

impl Sampler {
    /// `None` where the pattern is not understood.
    pub(super) fn new(pattern: &str) -> Option<Sampler> {
        if pattern.len() > MAX_PATTERN {
            return None;
        }
        let tree = Expr::parse_tree(pattern).ok()?.expr;
        let mut classes = HashMap::new();
        collect_classes(&tree, &mut classes, 0)?;
        Some(Sampler { tree, classes, made: RefCell::default() })
    }

    /// Strings the pattern may match, of lengths near the ones asked for, without repeats. Each is made when it is
    /// first asked for: mostly the first one will do.
    pub(super) fn samples(
        self: &Rc<Self>,
        min: usize,
        max: usize,
        variants: usize,
    ) -> impl Iterator<Item = String> + use<> {
        let sampler = Rc::clone(self);
        let made = Rc::clone(
            self.made
                .borrow_mut()
                .entry((min, max, variants))
                .or_insert_with(|| Rc::new(RefCell::new(Made::new(self.ways(min, max, variants))))),
        );
        (0..).map_while(move |index| made.borrow_mut().get(&sampler, index))
    }

    /// The ways to write strings of about these lengths.
    fn ways(&self, min: usize, max: usize, variants: usize) -> Vec<Way> {
        let (least, most) = length(&self.tree, 0);
        let mut targets = vec![least.max(min).min(max.max(least))];
        targets.extend(
            [1, 2, 5].map(|more| least.saturating_add(more)).into_iter().filter(|t| (min..=max).contains(t)),
        );
        targets.push(max.min(most).min(least.max(min).saturating_add(12)));
        let each_target =
            |variant: usize| targets.iter().map(move |target| Way { variant, target: *target, plain: true });
        (0..variants)
            .flat_map(each_target)
            .flat_map(|way| [Some(way), (way.variant <= 3).then_some(Way { plain: false, ..way })])
            .flatten()
            .collect()
    }

    fn sample(&self, Way { variant, target, plain }: Way) -> String {
        let mut walk = Walk {
            sampler: self,
            variant,
            look: !plain,
            mixed: !plain,
            turn: 0,
            groups: HashMap::new(),
            next_group: 1,
            out: String::new(),
        };
        walk.write(&self.tree, target.min(MAX_LENGTH), 0);
        walk.out
    }
}

/// The least and the greatest number of characters that a node matches.
fn length(expr: &Expr, depth: u32) -> (usize, usize) {
    if depth > MAX_DEPTH {
        return (0, 0);
    }
    match expr {
        Expr::Any { .. } | Expr::Delegate { .. } | Expr::GeneralNewline { .. } => (1, 1),
        Expr::Literal { val, .. } => (val.chars().count(), val.chars().count()),
        Expr::Concat(parts) => parts
            .iter()
            .map(|part| length(part, depth + 1))
            .fold((0, 0), |sum, part| (sum.0.saturating_add(part.0), sum.1.saturating_add(part.1))),
        Expr::Alt(parts) => {
            let ranges = parts.iter().map(|part| length(part, depth + 1));
            ranges.reduce(|all, part| (all.0.min(part.0), all.1.max(part.1))).unwrap_or((0, 0))
        }
        Expr::Group(inner) => length(inner, depth + 1),
        Expr::AtomicGroup(inner) => length(inner, depth + 1),
        Expr::Repeat { child, lo, hi, .. } => {
            let (least, most) = length(child, depth + 1);
            (least.saturating_mul(*lo), most.saturating_mul(*hi))
        }
        _ => (0, 0),
    }
}

impl Walk<'_> {
    fn write(&mut self, expr: &Expr, target: usize, depth: u32) {
        if depth > MAX_DEPTH || self.out.len() > 4 * MAX_LENGTH {
            return;
        }
        match expr {
            Expr::Literal { val, .. } => self.out.push_str(val),
            Expr::Any { .. } => {
                let character = self.pick(&['a', 'b', '0', 'x', 'A', '1', '-']);
                self.out.extend(character);
            }
            Expr::Delegate { inner, .. } => {
                let sampler = self.sampler;
                let character = sampler.classes.get(inner).and_then(|characters| self.pick(characters));
                self.out.extend(character);
            }
            Expr::GeneralNewline { .. } => self.out.push('\n'),
            Expr::Concat(parts) => self.concat(parts, target, depth),
            Expr::Alt(parts) => self.alternative(parts, target, depth),
            Expr::Group(inner) => {
                let number = self.next_group;
                self.next_group += 1;
                let start = self.out.len();
                self.write(inner, target, depth + 1);
                let text = self.out.get(start..).unwrap_or_default().to_owned();
                self.groups.insert(number, text);
            }
            Expr::AtomicGroup(inner) => self.write(inner, target, depth + 1),
            Expr::Repeat { child, lo, hi, .. } => self.repeat(child, *lo, *hi, target, depth),
            Expr::Backref { group, .. } => {
                let text = self.groups.get(group).cloned().unwrap_or_default();
                self.out.push_str(&text);
            }
            Expr::LookAround(inner, LookAround::LookAhead) if self.look => {
                self.write(inner, length(inner, 0).0, depth + 1);
            }
            _ => {}
        }
    }

    fn concat(&mut self, parts: &[Expr], target: usize, depth: u32) {
        let least: usize = parts.iter().map(|part| length(part, depth + 1).0).fold(0, usize::saturating_add);
        let mut slack = target.saturating_sub(least);
        for part in parts {
            let (low, high) = length(part, depth + 1);
            let more = slack.min(high.saturating_sub(low));
            let start = self.out.chars().count();
            self.write(part, low.saturating_add(more), depth + 1);
            let written = self.out.chars().count().saturating_sub(start);
            // A part may take less than it was given (a repetition of long things), or more (a look-ahead).
            slack = slack.saturating_sub(written.saturating_sub(low));
        }
    }

    fn alternative(&mut self, parts: &[Expr], target: usize, depth: u32) {
        // That the text ends here cannot be written; what else there may be can, so that has the first turn.
        let written: Vec<&Expr> = parts.iter().filter(|part| !matches!(part, Expr::Assertion(_))).collect();
        let parts: Vec<&Expr> =
            if written.is_empty() || self.variant % 2 == 1 { parts.iter().collect() } else { written };
        let fitting: Vec<&Expr> = parts
            .iter()
            .copied()
            .filter(|part| {
                let (low, high) = length(part, depth + 1);
                (low..=high).contains(&target)
            })
            .collect();
        let nearest = || parts.iter().min_by_key(|part| length(part, depth + 1).0.abs_diff(target));
        let turn = self.variant;
        match turn.checked_rem(fitting.len()).and_then(|index| fitting.get(index)) {
            Some(part) => self.write(part, target, depth + 1),
            None => {
                if let Some(part) = nearest() {
                    self.write(part, target, depth + 1);
                }
            }
        }
    }

    fn repeat(&mut self, child: &Expr, lo: usize, hi: usize, target: usize, depth: u32) {
        let (low, high) = length(child, depth + 1);
        let needed = if high == 0 { lo } else { target.div_ceil(high.min(target.max(1))) };
        let count = needed.max(lo).min(hi).min(MAX_LENGTH);
        let mut rest = target;
        for index in 0..count {
            let left = count.saturating_sub(index).max(1);
            let share = (rest / left).clamp(low.min(high), high.max(low));
            let start = self.out.len();
            let group = self.next_group;
            self.write(child, share, depth + 1);
            let after = self.next_group;
            self.next_group = if index + 1 == count { after } else { group };
            rest = rest.saturating_sub(self.out.get(start..).unwrap_or_default().chars().count());
            if self.out.len() > 4 * MAX_LENGTH {
                break;
            }
        }
    }

    fn pick(&mut self, characters: &[char]) -> Option<char> {
        let turn = if self.mixed {
            self.turn = self.turn.wrapping_add(13);
            self.variant.wrapping_add(self.turn)
        } else {
            self.variant
        };
        characters.get(turn.checked_rem(characters.len())?).copied()
    }
}

/// The readable characters of every class in the tree.
fn collect_classes(expr: &Expr, classes: &mut HashMap<String, Vec<char>>, depth: u32) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    match expr {
        Expr::Delegate { inner, .. } if !classes.contains_key(inner) => {
            classes.insert(inner.clone(), class_characters(inner)?);
        }
        Expr::Concat(parts) | Expr::Alt(parts) => {
            for part in parts {
                collect_classes(part, classes, depth + 1)?;
            }
        }
        Expr::Group(inner) => collect_classes(inner, classes, depth + 1)?,
        Expr::AtomicGroup(inner) | Expr::LookAround(inner, _) => collect_classes(inner, classes, depth + 1)?,
        Expr::Repeat { child, .. } => collect_classes(child, classes, depth + 1)?,
        _ => {}
    }
    Some(())
}

fn class_characters(class: &str) -> Option<Vec<char>> {
    let hir = regex_syntax::Parser::new().parse(class).ok()?;
    let ranges: Vec<(char, char)> = match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            class.ranges().iter().map(|range| (range.start(), range.end())).collect()
        }
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            text.chars().map(|character| (character, character)).collect()
        }
        _ => return None,
    };
    let holds = |character: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&character));
    let mut characters: Vec<char> = READABLE.chars().filter(|character| holds(*character)).collect();
    if characters.is_empty() {
        characters = ranges.iter().map(|(low, _)| *low).take(8).collect();
    }
    (!characters.is_empty()).then_some(characters)
}

/// Strings near this one that a pattern matching it may no longer match.
pub(super) fn near_misses(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let last = characters.len().saturating_sub(1);
    let with = |index: usize, other: char| {
        let swap = |(at, character): (usize, &char)| if at == index { other } else { *character };
        characters.iter().enumerate().map(swap).collect::<String>()
    };
    let mut found = Vec::new();
    if !characters.is_empty() {
        found.push(characters.iter().take(last).collect());
        found.push(characters.iter().skip(1).collect());
        for index in [last, 0, last / 2] {
            found.extend(['!', '0', 'a', 'A', ' ', '-', 'é', '\u{10FFFF}'].map(|other| with(index, other)));
        }
    }
    found.extend(["!", "0", "a", " ", "\n", "é"].map(|end| format!("{text}{end}")));
    found.extend(["!", "0", "a", " ", "é"].map(|start| format!("{start}{text}")));
    // Every single character, for patterns that are only violated in one place.
    if characters.len() <= 40 {
        for index in 0..characters.len() {
            let dropped = characters.iter().enumerate().filter(|(at, _)| *at != index);
            found.push(dropped.map(|(_, character)| *character).collect());
            found.push(with(index, '!'));
            found.push(with(index, '9'));
        }
    }
    found.extend([text.to_uppercase(), text.to_lowercase()]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matching(pattern: &str, min: usize, max: usize) -> Vec<String> {
        let regex = fancy_regex::Regex::new(pattern).unwrap();
        let samples: Vec<String> = Rc::new(Sampler::new(pattern).unwrap()).samples(min, max, 6).collect();
        samples
            .into_iter()
            .filter(|text| regex.is_match(text).unwrap() && (min..=max).contains(&text.chars().count()))
            .collect()
    }

    #[test]
    fn every_pattern_gets_a_sample_within_the_lengths() {
        for (pattern, min, max) in [
            ("^[a-z]+$", 0, 100),
            ("^[A-Fa-f\\d]{24}$", 0, 100),
            ("^([\\w\\/-]|[\\w-][\\w\\/-]*[\\w-])$", 0, 100),
            ("^(a|bc|def)+$", 7, 7),
            ("^(?=.*[A-Z])(?=.*[0-9]).{8,}$", 0, 20),
            ("^(a+)-\\1$", 0, 20),
            ("^(?!foo)[a-z]{3}$", 0, 20),
            ("^#([0-9a-f]{3}){1,2}$", 7, 7),
            ("^\\p{Lu}\\S*$", 4, 4),
            ("^([^,]+(,|$)){3,}$", 0, 100),
        ] {
            assert!(!matching(pattern, min, max).is_empty(), "{pattern}");
        }
    }

    #[test]
    fn what_is_not_understood_is_given_up() {
        assert!(Sampler::new("(").is_none());
    }
}
