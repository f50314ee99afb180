//! Locations from which every path ends without a return.

use super::{Action, EdgeId, EndKind, Function, NodeId, Span, Step};

/// The ends that paths certainly reach, by edge.
///
/// Behind such an edge a path can only end, in one way, and nothing else that counts happens before: checks of
/// undefined behaviour lead there, and assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SureEnds(Vec<Option<(EndKind, Span)>>);

impl SureEnds {
    /// Those of a function, backwards from its ends.
    #[must_use]
    pub fn of(function: &Function) -> SureEnds {
        let mut ends = SureEnds(vec![None; function.edge_ids().count()]);
        let mut is_new = true;
        while is_new {
            is_new = false;
            for edge in function.edge_ids() {
                if ends.end_after(edge).is_none()
                    && let Some(end) = ends.found(function, edge)
                {
                    ends.0[edge.index()] = Some(end);
                    is_new = true;
                }
            }
        }
        ends
    }

    /// The end of all paths along an edge.
    #[must_use]
    pub fn end_after(&self, edge: EdgeId) -> Option<(EndKind, Span)> {
        self.0[edge.index()]
    }

    /// The end of all paths from a location on; of several places the first.
    #[must_use]
    pub fn from(&self, function: &Function, node: NodeId) -> Option<(EndKind, Span)> {
        let (first, others) = function.out_edges(node).split_first()?;
        let end = self.end_after(*first)?;
        let is_same = |other: &EdgeId| {
            self.end_after(*other)
                .is_some_and(|(kind, _)| kind == end.0)
        };
        others.iter().all(is_same).then_some(end)
    }

    fn found(&self, function: &Function, edge: EdgeId) -> Option<(EndKind, Span)> {
        let is_silent = |step: &Step| matches!(step.action, Action::Assume(_) | Action::Assign(_));
        let steps = &function.edge(edge).steps;
        if let Some((last, before)) = steps.split_last()
            && let Action::End(kind) = last.action
        {
            return before.iter().all(is_silent).then_some((kind, last.span));
        }
        let is_silent = steps.iter().all(is_silent);
        is_silent.then(|| self.from(function, function.target(edge)))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    #[test]
    fn an_end_is_sure_where_nothing_else_can_happen() {
        let program: Program = "program block pointers 64 main @main\n\
             fn @main() {\n\
               reg %x: i32\n\
               a -> b: %x = input \"x\"\n\
               b -> c: assume %x == 1:32\n\
               b -> d: assume %x == 2:32; goal 0\n\
               b -> e: assume (%x != 1:32) & (%x != 2:32)\n\
               c -> c1: %x = 3:32\n\
               d -> c1\n\
               c1 -> end: end abort\n\
               e -> end: assume %x == 4:32; end abort\n\
               e -> end: assume %x != 4:32; end exit\n\
             }\n"
        .parse()
        .unwrap();
        let main = &program.functions[0];
        let ends = main.sure_ends();
        let node = |name| main.node_by_name(name).unwrap();
        let sure = |name| ends.from(main, node(name)).map(|(kind, _)| kind);
        for (name, end) in [
            ("c", Some(EndKind::Abort)),
            ("d", Some(EndKind::Abort)),
            ("e", None),
        ] {
            assert_eq!(sure(name), end, "{name}");
        }
        let behind = main.out_edges(node("b")).iter();
        let behind: Vec<bool> = behind.map(|edge| ends.end_after(*edge).is_some()).collect();
        assert_eq!(
            behind,
            [true, false, false],
            "a goal counts, and so does which end it is"
        );
    }
}
