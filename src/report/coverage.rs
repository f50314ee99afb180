//! The execution of loops in words, shared by all reports.

use super::record::place;
use super::templates::prefixed;
use flowgraph::Program;
use template::{Coverage, MemoryObstacle, NoTemplate, Obstacle};

/// How the iterations of a loop are executed, without the reason why not better.
pub(super) fn coverage_in_words(coverage: &Coverage) -> String {
    match coverage {
        Coverage::Whole => "one template covers the whole loop".to_owned(),
        Coverage::Cycles {
            n_templates,
            n_cycles,
            has_inner,
            obstacle,
        } => {
            let is_all = n_templates == n_cycles;
            let cycles = match n_cycles {
                1 => "the template of its one cycle covers".to_owned(),
                _ if is_all => format!("templates of its {n_cycles} cycles cover"),
                _ => format!("templates of {n_templates} of its {n_cycles} cycles cover"),
            };
            match (has_inner, is_all) {
                (true, _) => {
                    format!("{cycles} iterations around the loops inside, no template the rest")
                }
                (false, true) if obstacle.is_none() || *n_cycles == 1 => format!("{cycles} it"),
                (false, true) => format!("{cycles} it, no template all of them"),
                (false, false) => format!("{cycles} some iterations, no template the rest"),
            }
        }
        Coverage::Within {
            outer,
            in_one_step: true,
        } => format!("one step in each iteration of loop {outer}"),
        Coverage::Within { outer, .. } => format!("unrolled in each iteration of loop {outer}"),
        Coverage::Nothing(NoTemplate::Infeasible) => "no iteration of it is feasible".to_owned(),
        Coverage::Nothing(_) => "no template, executed iteration by iteration".to_owned(),
        Coverage::NotMet => {
            "no template was needed: no execution reached the loop, or all of its values were known"
                .to_owned()
        }
    }
}

/// The obstacle to a template for the whole loop, if one was tried without success.
fn reason_of(coverage: &Coverage) -> Option<&NoTemplate> {
    match coverage {
        Coverage::Cycles { obstacle, .. } => obstacle.as_ref(),
        Coverage::Nothing(reason) => Some(reason),
        Coverage::Whole | Coverage::Within { .. } | Coverage::NotMet => None,
    }
    .filter(|reason| **reason != NoTemplate::Infeasible)
}

/// How the iterations of a loop to which an execution came are executed, and why not better, in one
/// sentence.
pub(super) fn coverage_with_reason(coverage: &Coverage, program: &Program) -> String {
    let words = match coverage {
        Coverage::NotMet => "executed iteration by iteration, no template was needed".to_owned(),
        _ => coverage_in_words(coverage),
    };
    match reason_of(coverage) {
        None => words,
        Some(reason) => {
            let at = prefixed(", at ", &place(program, reason.span()));
            format!("{words}: {reason}{at}")
        }
    }
}

/// A remedy for users, in plain words.
pub(super) fn hint(reason: &NoTemplate) -> &'static str {
    match reason {
        NoTemplate::Infeasible => "nothing: this path is infeasible",
        NoTemplate::Undecided(_) => {
            "more solver work (--query-work), or simpler conditions in the loop"
        }
        NoTemplate::Splits(_) => {
            "keep the pointer in one object throughout the loop, for example by a copy of the loop for each object"
        }
        NoTemplate::Calls(_) => {
            "only functions that are not recursive are inlined: write the recursion as a loop, or \
             drop --no-inline"
        }
        NoTemplate::Allocates(_) => "allocate before the loop, and free after it",
        NoTemplate::NoProgression { why, .. } => hint_for_variable(why),
        NoTemplate::WritesArray { why, .. } => hint_for_memory(*why),
        NoTemplate::PointerMoves { .. } => {
            "keep the pointer in one object and move an index instead"
        }
        NoTemplate::InnerLoop { .. } => {
            "make the number of iterations of the inner loop depend only on the state before it (a \
             bound that it does not change), or at most 64"
        }
        NoTemplate::PathsDiffer { .. } => {
            "read the same inputs and write memory in the same widths on all paths of an iteration"
        }
        NoTemplate::TooManyPaths(_) => {
            "fewer branches in an iteration: split the loop, or write conditions without side effects"
        }
        NoTemplate::Limit(_) => "more time or memory: --timeout, --memory",
        NoTemplate::Recursion { .. } => {
            "make at most one recursive call per call, with plain variables only, or write the recursion as a loop"
        }
        NoTemplate::Unsupported { what, .. } => hint_for_unsupported(what),
    }
}

/// A remedy where an operation is not supported.
pub(super) fn hint_for_unsupported(what: &str) -> &'static str {
    let says = |words: &[&str]| words.iter().any(|word| what.contains(word));
    if says(&[
        "of unknown origin",
        "of a pointer that is not to a function",
    ]) {
        "assign the pointer a value (the address of a variable, a block from malloc) before its use, \
         or exclude the path by an assumption"
    } else if says(&["a null pointer with an"]) {
        "check that the pointer is not null before its use, or exclude the path by an assumption"
    } else if says(&["with --sym-stdin"]) {
        "--sym-stdin, --sym-file or --sym-arg: with one of these the functions for files have models"
    } else if says(&["the leak check at exit"]) {
        "return from main instead of calling exit, so that its variables are out of scope, or free the memory before"
    } else if says(&["declared weak"]) {
        "define it in a file of the program, or declare it without the attribute weak"
    } else if what.starts_with("call of ")
        && !says(&[", since ", " with other types", " in a program that "])
        // Words of other tools mean what no function of a program can do.
        && !says(&["call of klee_", "call of __CPROVER_", "call of __SMACK_", "call of __builtin_"])
    {
        "define the function in a file of the program, or exclude the path by an assumption"
    } else {
        "exclude the path by an assumption, or avoid the operation"
    }
}

fn hint_for_variable(why: &Obstacle) -> &'static str {
    match why {
        Obstacle::Itself => {
            "add a value that does not depend on it, multiply by a constant, or assign one value; or \
             compute it in a separate loop with few iterations"
        }
        Obstacle::Other { why, .. } => hint_for_variable(why),
        Obstacle::EachOther(_) => "compute one of the two from variables that have closed forms",
        Obstacle::Input => "drop --paper: whole loops support sums of inputs",
        Obstacle::Kind => {
            "closed forms are at most quadratic in the number of iterations; compute the value that it \
             depends on outside of the loop"
        }
        Obstacle::Memory => "keep the value in a variable, or read it in a later loop",
        Obstacle::Pointer => "keep the pointer in one object and move an index instead",
    }
}

fn hint_for_memory(why: MemoryObstacle) -> &'static str {
    match why {
        MemoryObstacle::Offset => "write at an index that moves by a constant in every iteration",
        MemoryObstacle::Value => {
            "write values that have closed forms: of counters, inputs, or other objects"
        }
        MemoryObstacle::Interferes => {
            "avoid elements that one iteration writes and another one accesses: use a second array, or \
             a variable that carries the value"
        }
        MemoryObstacle::Widths => "access the object as elements of one type only",
        MemoryObstacle::Whole => {
            "write it in this loop instead of an inner loop, element by element"
        }
        MemoryObstacle::EachOther => "write the objects in separate loops",
    }
}

#[cfg(test)]
mod tests {
    use super::hint_for_unsupported;

    #[test]
    fn only_functions_want_a_body() {
        for (what, helps) in [
            ("call of sensor", "define the function"),
            (
                "call of fgets (modelled with --sym-stdin, --sym-file or --sym-arg)",
                "--sym-stdin",
            ),
            (
                "access through a pointer of unknown origin",
                "the pointer a value",
            ),
            (
                "use of option, which is declared weak and not defined",
                "define it in a file",
            ),
            (
                "call of a pointer that is not to a function",
                "the pointer a value",
            ),
            (
                "call of expl, since long double is not supported",
                "exclude the path",
            ),
        ] {
            let hint = hint_for_unsupported(what);
            assert!(hint.contains(helps), "{what}: {hint}");
            assert_eq!(hint.contains("define"), helps.contains("define"), "{hint}");
        }
    }
}
