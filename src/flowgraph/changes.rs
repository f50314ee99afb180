//! Assignments of a register within a part of a function.

use super::{Action, EdgeId, Expr, Function, RegId, Span};

/// The first place along `edges` that gives a register a new value, behind the copies that merge
/// values at joins; `None` where nothing does, or its place is not known.
#[must_use]
pub fn change_of(function: &Function, edges: &[EdgeId], reg: RegId) -> Option<Span> {
    let mut seen = vec![reg];
    let mut next = 0;
    while let Some(&wanted) = seen.get(next) {
        next += 1;
        let steps = edges.iter().flat_map(|edge| &function.edge(*edge).steps);
        for step in steps {
            if let Action::Assign(pairs) = &step.action {
                let values = pairs.iter().filter(|(dst, _)| *dst == wanted);
                for (_, value) in values {
                    match value {
                        Expr::Reg(source) if seen.contains(source) => {}
                        Expr::Reg(source) => seen.push(*source),
                        _ if step.span.line > 0 => return Some(step.span),
                        _ => {}
                    }
                }
                continue;
            }
            let mut writes = false;
            step.action.for_each_def(&mut |dst| writes |= dst == wanted);
            if writes && step.span.line > 0 {
                return Some(step.span);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::change_of;
    use crate::{EdgeId, Program, RegId};

    #[test]
    fn copies_are_followed_to_what_they_copy() {
        let text = "program block pointers 32 main @main\nfile \"a.c\"\n\
            fn @main(%n: i8) -> i8 {\n\
            reg %x: i8\nreg %y: i8\nreg %z: i8\n\
            start -> head: %x = 0:8 at 1:1\n\
            head -> body: assume %x <u %n at 2:1\n\
            head -> done: assume !(%x <u %n) at 2:1\n\
            body -> head: %y = %x + 1:8 at 3:1; %z = %x at 4:1; %x = %y at 2:3\n\
            done -> end: return %x\n}\n";
        let program: Program = text.parse().expect("the program is well-formed");
        let function = program.function(program.main);
        let line = |edges: &[u32], name: &str| {
            let reg = function.regs.iter().position(|reg| reg.name == name);
            let reg = RegId(reg.unwrap_or_default().try_into().expect("few registers"));
            let edges: Vec<EdgeId> = edges.iter().map(|edge| EdgeId(*edge)).collect();
            change_of(function, &edges, reg).map(|span| span.line)
        };
        assert_eq!(line(&[1, 3], "x"), Some(3), "not the copy on line 2");
        assert_eq!(line(&[1, 3], "z"), Some(3), "through two copies");
        assert_eq!(line(&[1, 3], "n"), None);
        assert_eq!(line(&[0, 1, 2, 3], "x"), Some(1), "the first in order");
    }
}
