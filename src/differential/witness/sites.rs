//! Where every schema object of a document is, and how an instance gets there.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::schema::{Document, Origin, Part, Schema};
use crate::vocabulary::Keyword;

/// Which of a keyword's subschemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Select<'a> {
    Only,
    At(usize),
    Name(&'a str),
}

/// From a schema object into one of its subschemas, or into the definition that it refers to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) schema: &'a Schema,
    pub(super) keyword: Keyword,
    pub(super) select: Select<'a>,
    pub(super) child: &'a Schema,
}

/// A way from the root to a schema object.
pub(super) struct Route<'a> {
    pub(super) steps: Vec<Step<'a>>,
    pub(super) end: &'a Schema,
}

#[derive(Clone, Copy)]
struct Edge<'a> {
    parent: usize,
    keyword: Keyword,
    select: Select<'a>,
}

struct Node<'a> {
    schema: &'a Schema,
    /// How it is reached, the shortest way first.
    edges: Vec<Edge<'a>>,
}

/// Every reachable schema object, in breadth-first order, so that the first way to each is a shortest one.
pub(super) struct Sites<'a> {
    nodes: Vec<Node<'a>>,
    by_origin: HashMap<Origin, Vec<usize>>,
    /// The depth of the smallest instance, as far as it is known; an order among branches, not a bound.
    heights: HashMap<*const Schema, u32>,
}

const MAX_EDGES: usize = 4;
const MAX_STEPS: usize = 400;
/// More than any height that counts; a branch that never ends.
const ENDLESS: u32 = 1_000_000;

impl<'a> Sites<'a> {
    pub(super) fn new(document: &'a Document) -> Sites<'a> {
        let mut sites = Sites { nodes: Vec::new(), by_origin: HashMap::new(), heights: HashMap::new() };
        let mut definitions: HashMap<&'a str, usize> = HashMap::new();
        let (mut near, mut far) = (VecDeque::new(), VecDeque::new());
        sites.add(&document.root, None);
        near.push_back(0);
        // Ways through `not`, `if` and `contains` are tried last: what is reached there is harder to isolate.
        while let Some(parent) = near.pop_front().or_else(|| far.pop_front()) {
            let Some(schema) = sites.nodes.get(parent).map(|node| node.schema) else { break };
            for (keyword, part) in schema.keywords() {
                let edge = |select| Edge { parent, keyword: *keyword, select };
                let queue = match keyword {
                    Keyword::Not | Keyword::If | Keyword::Contains => &mut far,
                    Keyword::ContentSchema => continue,
                    Keyword::Then | Keyword::Else if !schema.has(Keyword::If) => continue,
                    _ => &mut near,
                };
                match part {
                    Part::Data(_) => {}
                    Part::Reference(name) => match definitions.get(&**name) {
                        Some(known) => sites.add_edge(*known, edge(Select::Only)),
                        None => {
                            if let Some(target) = document.definition(name) {
                                let node = sites.add(target, Some(edge(Select::Only)));
                                definitions.insert(name, node);
                                queue.push_back(node);
                            }
                        }
                    },
                    Part::Schema(child) => queue.push_back(sites.add(child, Some(edge(Select::Only)))),
                    Part::Schemas(list) => {
                        for (index, child) in list.iter().enumerate() {
                            queue.push_back(sites.add(child, Some(edge(Select::At(index)))));
                        }
                    }
                    Part::Named(named) => {
                        for (name, child) in named {
                            queue.push_back(sites.add(child, Some(edge(Select::Name(name)))));
                        }
                    }
                }
            }
        }
        sites.measure(document);
        sites
    }

    fn add(&mut self, schema: &'a Schema, edge: Option<Edge<'a>>) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node { schema, edges: edge.into_iter().collect() });
        self.by_origin.entry(schema.origin).or_default().push(index);
        index
    }

    fn add_edge(&mut self, node: usize, edge: Edge<'a>) {
        if let Some(node) = self.nodes.get_mut(node)
            && !node.edges.is_empty()
            && node.edges.len() < MAX_EDGES
        {
            node.edges.push(edge);
        }
    }

    /// Ways to the schemas of this origin that are wanted, shortest first, at most `limit`.
    pub(super) fn routes(
        &self,
        origin: Origin,
        wanted: impl Fn(&Schema) -> bool,
        limit: usize,
    ) -> Vec<Route<'a>> {
        let all = self.by_origin.get(&origin).map_or(&[][..], Vec::as_slice);
        let is_wanted = |node: &&usize| self.nodes.get(**node).is_some_and(|node| wanted(node.schema));
        let nodes: Vec<usize> = all.iter().filter(is_wanted).take(limit).copied().collect();
        let mut routes: Vec<Route<'a>> = Vec::new();
        routes.extend(nodes.iter().filter_map(|node| self.route(*node, None)));
        for node in &nodes {
            // Other ways: leave the shortest one once, at any schema on it that is reached in several ways.
            let mut at = *node;
            while let Some(here) = self.nodes.get(at) {
                for other in 1..here.edges.len() {
                    if routes.len() < limit {
                        routes.extend(self.route(*node, Some((at, other))));
                    }
                }
                let Some(edge) = here.edges.first() else { break };
                at = edge.parent;
            }
        }
        routes.truncate(limit);
        routes
    }

    fn route(&self, node: usize, detour: Option<(usize, usize)>) -> Option<Route<'a>> {
        let end = self.nodes.get(node)?.schema;
        let mut steps = Vec::new();
        let mut at = node;
        let mut detour = detour;
        while let Some(here) = self.nodes.get(at) {
            let choice = match detour {
                Some((place, choice)) if place == at => {
                    detour = None;
                    choice
                }
                _ => 0,
            };
            let Some(edge) = here.edges.get(choice) else { break };
            let schema = self.nodes.get(edge.parent)?.schema;
            steps.push(Step { schema, keyword: edge.keyword, select: edge.select, child: here.schema });
            at = edge.parent;
            if steps.len() > MAX_STEPS {
                return None;
            }
        }
        steps.reverse();
        Some(Route { steps, end })
    }

    /// The schemas that are in a branch, or that have an optional part, in breadth-first order.
    pub(super) fn branches(&self) -> impl Iterator<Item = Route<'a>> {
        let branching = |node: &Node<'a>| {
            node.edges.first().is_some_and(|edge| {
                matches!(edge.keyword, Keyword::AnyOf | Keyword::OneOf | Keyword::Then | Keyword::Else)
            })
        };
        let found = self.nodes.iter().enumerate().filter(move |(_, node)| branching(node));
        found.filter_map(|(index, _)| self.route(index, None))
    }

    /// The height of the smallest instance of a schema, as far as it is known.
    pub(super) fn height(&self, schema: &Schema) -> u32 {
        self.heights.get(&std::ptr::from_ref(schema)).copied().unwrap_or(0)
    }

    /// A few passes from the leaves up: heights only ever get smaller, and more passes only improve the order.
    fn measure(&mut self, document: &Document) {
        self.heights = self.nodes.iter().map(|node| (std::ptr::from_ref(node.schema), ENDLESS)).collect();
        for _ in 0..12 {
            let mut changed = false;
            for node in self.nodes.iter().rev() {
                let height = self.measure_one(document, node.schema);
                if let Some(known) = self.heights.get_mut(&std::ptr::from_ref(node.schema))
                    && height < *known
                {
                    *known = height;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }

    fn measure_one(&self, document: &Document, schema: &Schema) -> u32 {
        if schema.is_never() {
            return ENDLESS;
        }
        let types = schema.types();
        let mut height = 0;
        for (keyword, part) in schema.keywords() {
            let children = part.schemas().map(|child| self.height(child));
            let needed = match keyword {
                Keyword::Ref => schema
                    .target()
                    .and_then(|name| document.definition(name))
                    .map(|target| self.height(target)),
                Keyword::AllOf => children.max(),
                Keyword::AnyOf | Keyword::OneOf => children.min(),
                Keyword::Required if only(types, crate::vocabulary::Types::OBJECT) => {
                    let required: HashSet<&str> = schema.required().collect();
                    let needed = schema
                        .named(Keyword::Properties)
                        .iter()
                        .filter(|(name, _)| required.contains(&**name));
                    needed.map(|(_, child)| self.height(child)).max().map(|deepest| deepest.saturating_add(1))
                }
                Keyword::Items | Keyword::PrefixItems
                    if only(types, crate::vocabulary::Types::ARRAY)
                        && schema.count(Keyword::MinItems).unwrap_or(0) > 0 =>
                {
                    children.max().map(|deepest| deepest.saturating_add(1))
                }
                _ => None,
            };
            height = height.max(needed.unwrap_or(0));
        }
        height.min(ENDLESS)
    }
}

fn only(types: crate::vocabulary::Types, one: crate::vocabulary::Types) -> bool {
    one.contains(types)
}
