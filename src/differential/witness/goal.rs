//! From wants to facts: references are followed, conjunctions merged, and of every disjunction one side is chosen.
//!
//! Choices are made by a [`Chooser`](super::choose::Chooser), a script that is replayed with its last open choice changed, so that the
//! alternatives of a position are enumerated in a fixed order without being held in memory. A want that is
//! probably met anyway (the other branches of a `oneOf` reject, a `not` rejects) is first only *hoped* for and
//! checked on the finished value; where hope fails, the search goes back to exactly that choice.

use super::choose::Chooser;
use super::facts::{Dead, Facts, Instead, Want};
use super::negate;
use super::sites::{Route, Sites};
use crate::schema::{Document, Schema};
use crate::vocabulary::{Keyword, Types};

/// What happens at the end of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finale {
    /// The keyword is violated, everything else there holds.
    Violate(Keyword),
    /// The same, looked for where the violation makes the document accept: one other branch of a `oneOf` holds.
    Reverse(Keyword),
    /// Everything holds, and the value shows what a narrower keyword would forbid.
    Exercise(Keyword),
    /// The same, where the other branches of an `anyOf` may hold as well.
    ExerciseAmong(Keyword),
    /// Everything holds.
    Visit,
}

/// Something that is checked on the finished value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hope<'a> {
    Fails(&'a Schema),
    Conditional(&'a Schema),
    /// A keyword that sees what the others evaluated.
    Keyword(&'a Schema, Keyword),
}

/// A disjunction that is decided after everything that needs no decision.
#[derive(Debug, Clone, Copy)]
pub(super) enum Choice<'a> {
    End(&'a Schema),
    Any(&'a [Schema]),
    One(&'a [Schema]),
    Conditional(&'a Schema),
    Dependent(&'a str, &'a Schema),
    /// At a step into a branch of `oneOf`: all others fail, or one holds, so that the value is accepted for the
    /// violation's sake and rejected without the keyword.
    Beside(&'a [Schema], usize),
    /// At a step through `if`: the condition fails, and with it what follows, or the reverse.
    AroundIf(&'a Schema),
}

/// The state of one expansion.
pub(super) struct Goal<'g, 'a> {
    pub(super) document: &'a Document,
    pub(super) sites: &'g Sites<'a>,
    pub(super) route: Option<(&'g Route<'a>, Finale)>,
    pub(super) facts: Facts<'a>,
    /// What is hoped for, and the position of the choice to take back where it does not come true.
    pub(super) hopes: Vec<(usize, Hope<'a>)>,
    /// Where the choice about the end of the route was made, and among how many ways.
    pub(super) end: Option<End>,
    pub(super) agenda: Vec<Want<'a>>,
    pub(super) pending: std::collections::VecDeque<Choice<'a>>,
    /// What has to reject. Decided last: which branch holds is best known before it is asked how others fail.
    failing: std::collections::VecDeque<&'a Schema>,
    seen: Vec<*const Schema>,
    pub(super) work: u32,
}

/// The choice about the end of a route.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) position: usize,
    pub(super) ways: usize,
}

/// No position has more obligations than this.
const MAX_WORK: u32 = 20_000;
/// Branches of one `anyOf` that are tried.
const MAX_BRANCHES: usize = 64;

impl<'g, 'a> Goal<'g, 'a> {
    pub(super) fn new(
        document: &'a Document,
        sites: &'g Sites<'a>,
        route: Option<(&'g Route<'a>, Finale)>,
        wants: &[Want<'a>],
    ) -> Goal<'g, 'a> {
        let mut agenda = wants.to_vec();
        agenda.reverse();
        Goal {
            document,
            sites,
            route,
            facts: Facts::new(),
            hopes: Vec::new(),
            end: None,
            agenda,
            pending: std::collections::VecDeque::new(),
            failing: std::collections::VecDeque::new(),
            seen: Vec::new(),
            work: 0,
        }
    }

    /// Expands everything, with the choices of the script.
    pub(super) fn expand(&mut self, chooser: &mut Chooser) -> Result<(), Dead> {
        loop {
            self.work += 1;
            if self.work > MAX_WORK {
                return Err(Dead);
            }
            match self.agenda.pop() {
                Some(Want::Holds(schema)) => self.holds(schema)?,
                Some(Want::Fails(schema)) => self.failing.push_back(schema),
                Some(Want::Reach(index)) => self.reach(index)?,
                Some(Want::Is(types)) => self.facts.restrict(types)?,
                Some(Want::Nested) => {
                    self.facts.restrict(Types::ARRAY)?;
                    let inner = Instead { want: Want::Is(Types::ARRAY), replaces: None };
                    self.facts.arrays.at.push((0, inner));
                }
                Some(Want::Matches(pattern)) => {
                    self.facts.restrict(Types::STRING)?;
                    self.facts.strings.patterns.push(pattern);
                }
                None => match (self.pending.pop_front(), self.failing.front()) {
                    (Some(choice), _) => self.decide(choice, chooser)?,
                    (None, Some(schema)) => {
                        let schema = *schema;
                        self.failing.pop_front();
                        self.fail(schema, chooser)?;
                    }
                    (None, None) => return Ok(()),
                },
            }
        }
    }

    pub(super) fn push(&mut self, want: Want<'a>) {
        self.agenda.push(want);
    }

    fn holds(&mut self, schema: &'a Schema) -> Result<(), Dead> {
        let place = std::ptr::from_ref(schema);
        if self.seen.contains(&place) {
            return Ok(());
        }
        self.seen.push(place);
        for (keyword, _) in schema.keywords() {
            self.assert(schema, *keyword)?;
        }
        Ok(())
    }

    /// One keyword of a schema that holds.
    pub(super) fn assert(&mut self, schema: &'a Schema, keyword: Keyword) -> Result<(), Dead> {
        self.work += 1;
        match keyword {
            Keyword::Ref => {
                if let Some(target) = schema.target().and_then(|name| self.document.definition(name)) {
                    self.push(Want::Holds(target));
                }
            }
            Keyword::AllOf => {
                self.agenda.extend(schema.schemas(keyword).iter().rev().map(Want::Holds));
            }
            Keyword::AnyOf => self.pending.push_back(Choice::Any(schema.schemas(keyword))),
            Keyword::OneOf => self.pending.push_back(Choice::One(schema.schemas(keyword))),
            Keyword::Not => {
                let inner = schema.schema(keyword).ok_or(Dead)?;
                if inner.is_always() {
                    return Err(Dead);
                }
                self.push(Want::Fails(inner));
            }
            Keyword::If => self.pending.push_back(Choice::Conditional(schema)),
            Keyword::Then | Keyword::Else => {}
            Keyword::DependentSchemas => {
                let named = schema.named(keyword).iter();
                self.pending.extend(named.map(|(name, child)| Choice::Dependent(name, child)));
            }
            Keyword::UnevaluatedProperties | Keyword::UnevaluatedItems => {
                self.facts.hints = self.facts.hints.with(keyword.applies_to());
                self.hopes.push((usize::MAX, Hope::Keyword(schema, keyword)));
            }
            _ if keyword.constrains() => self.facts.assert(schema, keyword)?,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn siblings(
        &mut self,
        branches: &'a [Schema],
        taken: usize,
        want: fn(&'a Schema) -> Want<'a>,
    ) {
        let others = branches.iter().enumerate().filter(|(index, _)| *index != taken);
        self.agenda.extend(others.map(|(_, branch)| want(branch)));
    }

    fn decide(&mut self, choice: Choice<'a>, chooser: &mut Chooser) -> Result<(), Dead> {
        match choice {
            Choice::End(schema) => {
                let finale = self.route.ok_or(Dead)?.1;
                let ways = match finale {
                    Finale::Visit => 1,
                    Finale::Violate(keyword) | Finale::Reverse(keyword) => negate::options(schema, keyword),
                    Finale::Exercise(keyword) | Finale::ExerciseAmong(keyword) => {
                        super::exercise::options(&self.facts, schema, keyword)
                    }
                };
                self.end = Some(End { position: chooser.position(), ways });
                match finale {
                    Finale::Visit => Ok(()),
                    Finale::Violate(keyword) | Finale::Reverse(keyword) => {
                        let option = chooser.choose(ways)?;
                        negate::violate(self, schema, keyword, option)
                    }
                    Finale::Exercise(keyword) | Finale::ExerciseAmong(keyword) => {
                        let option = chooser.choose(ways)?;
                        super::exercise::exercise(self, schema, keyword, option)
                    }
                }
            }
            Choice::Any(branches) => {
                let branch = self.branch(branches, chooser)?.1;
                self.push(Want::Holds(branch));
                Ok(())
            }
            Choice::One(branches) => {
                let (taken, branch) = self.branch(branches, chooser)?;
                self.siblings(branches, taken, Want::Fails);
                self.push(Want::Holds(branch));
                Ok(())
            }
            Choice::Conditional(schema) => self.conditional(schema, chooser),
            Choice::Dependent(name, child) => {
                if !self.facts.objects.required.contains(&name) && chooser.choose(2)? == 0 {
                    self.facts.forbid(name)?;
                } else if self.facts.types.contains(Types::OBJECT) {
                    self.push(Want::Holds(child));
                }
                Ok(())
            }
            Choice::AroundIf(schema) => self.around_if(schema, chooser),
            Choice::Beside(branches, taken) => self.beside(branches, taken, chooser),
        }
    }

    /// One of the branches that are not impossible at first sight, the one with the smallest instances first.
    fn branch(&mut self, branches: &'a [Schema], chooser: &mut Chooser) -> Result<(usize, &'a Schema), Dead> {
        let mut open: Vec<(usize, &Schema)> =
            branches.iter().enumerate().filter(|(_, branch)| self.possible(branch)).collect();
        open.sort_by_key(|(index, branch)| (self.sites.height(branch), *index));
        open.truncate(MAX_BRANCHES);
        let chosen = chooser.choose(open.len())?;
        open.get(chosen).copied().ok_or(Dead)
    }

    /// Whether the types that a schema names leave anything.
    pub(super) fn possible(&self, schema: &'a Schema) -> bool {
        let mut here = schema;
        for _ in 0..8 {
            if here.is_never() || here.types().and(self.facts.types).is_empty() {
                return false;
            }
            match here.target().and_then(|name| self.document.definition(name)) {
                Some(target) => here = target,
                None => break,
            }
        }
        true
    }

    /// Makes a schema reject: by hoping first, then by one of its keywords.
    fn fail(&mut self, schema: &'a Schema, chooser: &mut Chooser) -> Result<(), Dead> {
        if schema.is_always() {
            return Err(Dead);
        }
        if !self.possible(schema) {
            return Ok(());
        }
        let counts: Vec<(Keyword, usize)> = schema
            .keywords()
            .iter()
            .filter(|(keyword, _)| keyword.constrains())
            .map(|(keyword, _)| (*keyword, negate::options(schema, *keyword).min(16)))
            .collect();
        let total = counts.iter().map(|(_, count)| count).sum::<usize>();
        let position = chooser.position();
        let mut option = chooser.choose(total.saturating_add(1))?;
        if option == 0 {
            self.hopes.push((position, Hope::Fails(schema)));
            return Ok(());
        }
        option -= 1;
        for (keyword, count) in counts {
            if option < count {
                return negate::violate(self, schema, keyword, option);
            }
            option -= count;
        }
        Err(Dead)
    }

    fn conditional(&mut self, schema: &'a Schema, chooser: &mut Chooser) -> Result<(), Dead> {
        let Some(condition) = schema.schema(Keyword::If) else { return Ok(()) };
        let position = chooser.position();
        match chooser.choose(3)? {
            0 => self.hopes.push((position, Hope::Conditional(schema))),
            1 => {
                self.agenda.extend(schema.schema(Keyword::Then).map(Want::Holds));
                self.push(Want::Holds(condition));
            }
            _ => {
                self.agenda.extend(schema.schema(Keyword::Else).map(Want::Holds));
                self.push(Want::Fails(condition));
            }
        }
        Ok(())
    }
}
