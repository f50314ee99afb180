//! What a witness is about: the property in its metadata, in the words of SV-COMP.

use crate::flowgraph::EndKind;
use crate::frontend::TargetSpec;
use crate::property::{Check, Checks, ErrorKind};
use crate::semantics::{Leak, MemoryFault};

/// A property of SV-COMP that is about errors, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Formula {
    NoOverflow,
    ValidDeref,
    ValidFree,
    /// No memory is lost.
    ValidMemtrack,
    /// All memory is freed when the program ends.
    ValidMemcleanup,
}

/// What a witness says of a program, or denies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// That the target is not reached.
    Unreached(TargetSpec),
    /// That these hold, in order.
    NoErrors(Vec<Formula>),
}

impl Formula {
    const ALL: [Formula; 5] = [
        Formula::NoOverflow,
        Formula::ValidDeref,
        Formula::ValidFree,
        Formula::ValidMemtrack,
        Formula::ValidMemcleanup,
    ];

    /// As in property files.
    pub fn text(self) -> &'static str {
        match self {
            Formula::NoOverflow => "G ! overflow",
            Formula::ValidDeref => "G valid-deref",
            Formula::ValidFree => "G valid-free",
            Formula::ValidMemtrack => "G valid-memtrack",
            Formula::ValidMemcleanup => "G valid-memcleanup",
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Formula::NoOverflow => "no-overflow",
            Formula::ValidDeref => "valid-deref",
            Formula::ValidFree => "valid-free",
            Formula::ValidMemtrack => "valid-memtrack",
            Formula::ValidMemcleanup => "valid-memcleanup",
        }
    }

    /// The one that an error violates, if any does.
    pub fn of_error(kind: ErrorKind) -> Option<Formula> {
        match kind {
            ErrorKind::Target | ErrorKind::Memory(MemoryFault::UninitialisedUse) => None,
            ErrorKind::Memory(
                MemoryFault::InvalidFree | MemoryFault::DoubleFree | MemoryFault::MismatchedFree,
            ) => Some(Formula::ValidFree),
            ErrorKind::Memory(_) => Some(Formula::ValidDeref),
            ErrorKind::Leak(Leak::Lost) => Some(Formula::ValidMemtrack),
            ErrorKind::Leak(Leak::NotFreed) => Some(Formula::ValidMemcleanup),
            ErrorKind::Program(
                EndKind::SignedOverflow | EndKind::DivisionOverflow | EndKind::QuotientOverflow,
            ) => Some(Formula::NoOverflow),
            ErrorKind::Program(_) => None,
        }
    }

    /// The checks that find all errors that violate it.
    pub fn checks(self) -> &'static [Check] {
        match self {
            Formula::NoOverflow => &[Check::Overflow],
            Formula::ValidDeref => &[Check::Memory, Check::Scope],
            Formula::ValidFree => &[Check::Memory],
            Formula::ValidMemtrack => &[Check::Leak],
            Formula::ValidMemcleanup => &[Check::Cleanup],
        }
    }

    /// Whether it is violated when the program ends, or memory is lost, and not by an operation.
    pub fn is_about_blocks(self) -> bool {
        matches!(self, Formula::ValidMemtrack | Formula::ValidMemcleanup)
    }

    /// Those that follow if no check finds anything.
    pub fn shown_by(checks: Checks) -> Vec<Formula> {
        let is_shown = |formula: &Formula| {
            let mut needed = formula.checks().iter();
            needed.all(|check| checks.contains(*check))
        };
        Formula::ALL.into_iter().filter(is_shown).collect()
    }

    /// The checks for several.
    pub fn checks_for(formulas: &[Formula]) -> Checks {
        let checks = formulas.iter().flat_map(|formula| formula.checks());
        checks.copied().collect()
    }
}

impl Claim {
    /// Reads a specification, `CHECK( init(main()), LTL(G ! call(reach_error())) )` or several of errors;
    /// `None` if it is, or has among others, one that is not known.
    pub fn parse(specification: &str) -> Option<Claim> {
        let compact: String = specification.split_whitespace().collect();
        let parts = compact.split("CHECK(").filter(|part| !part.is_empty());
        let formulas: Vec<&str> = parts
            .map(|part| part.split_once("LTL(").map_or(part, |(_, formula)| formula))
            .map(|formula| formula.strip_prefix('G'))
            .collect::<Option<_>>()?;
        if let [formula] = formulas.as_slice()
            && let Some(target) = target(formula)
        {
            return Some(Claim::Unreached(target));
        }
        let mut known: Vec<Formula> = formulas
            .iter()
            .map(|formula| of_text(formula))
            .collect::<Option<_>>()?;
        known.sort_unstable();
        known.dedup();
        (!known.is_empty()).then_some(Claim::NoErrors(known))
    }

    /// What an analysis that looks for these errors, and else for the target, shows if it finds nothing.
    pub fn of_analysis(target: &TargetSpec, checks: Checks) -> Claim {
        if target.is_nothing() {
            Claim::NoErrors(Formula::shown_by(checks))
        } else {
            Claim::Unreached(target.clone())
        }
    }

    /// Whether an error of this kind violates it.
    pub fn is_violated_by(&self, kind: ErrorKind) -> bool {
        match self {
            Claim::Unreached(_) => kind == ErrorKind::Target,
            Claim::NoErrors(formulas) => {
                Formula::of_error(kind).is_some_and(|formula| formulas.contains(&formula))
            }
        }
    }
}

/// For people.
impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Claim::Unreached(_) => f.write_str("unreach-call"),
            Claim::NoErrors(formulas) => {
                let names: Vec<&str> = formulas.iter().map(|formula| formula.name()).collect();
                f.write_str(&names.join(", "))
            }
        }
    }
}

/// The target in `!call(f())))` or `!label(L)))`.
fn target(formula: &str) -> Option<TargetSpec> {
    let word = |text: &str| -> Option<String> {
        let end = text.find(['(', ')'])?;
        (end > 0).then(|| text[..end].to_owned())
    };
    if let Some(rest) = formula.strip_prefix("!call(") {
        word(rest).map(TargetSpec::Function)
    } else if let Some(rest) = formula.strip_prefix("!label(") {
        word(rest).map(TargetSpec::Label)
    } else {
        None
    }
}

fn of_text(formula: &str) -> Option<Formula> {
    let formula = formula.trim_end_matches([')', ',']);
    Formula::ALL.into_iter().find(|known| {
        let compact: String = known.text().split_whitespace().collect();
        compact.strip_prefix('G') == Some(formula)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: &str) -> String {
        format!("CHECK( init(main()), LTL({formula}) )")
    }

    #[test]
    fn targets_of_specifications() {
        let function = TargetSpec::Function("reach_error".to_owned());
        let function = Some(Claim::Unreached(function));
        for text in [
            "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            "G ! call(reach_error())",
        ] {
            assert_eq!(Claim::parse(text), function);
        }
        let label = Claim::Unreached(TargetSpec::Label("ERROR".to_owned()));
        let found = Claim::parse("CHECK(init(main()),LTL(G!label(ERROR)))");
        assert_eq!(found, Some(label));
    }

    #[test]
    fn formulas_are_read_as_they_are_written() {
        for formula in Formula::ALL {
            let claim = Some(Claim::NoErrors(vec![formula]));
            assert_eq!(Claim::parse(&check(formula.text())), claim);
            assert_eq!(Claim::parse(formula.text()), claim);
            assert!(Formula::shown_by(Formula::checks_for(&[formula])).contains(&formula));
        }
        let whole = ["G valid-memtrack", "G valid-free", "G valid-deref"].map(check);
        let memsafety = vec![
            Formula::ValidDeref,
            Formula::ValidFree,
            Formula::ValidMemtrack,
        ];
        let found = Claim::parse(&whole.join("\n"));
        assert_eq!(found, Some(Claim::NoErrors(memsafety)));
    }

    #[test]
    fn what_is_not_known_is_no_claim() {
        for text in [
            "",
            "CHECK( init(main()), LTL(G ! data-race) )",
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(main()), LTL(G def-behavior) )",
            "CHECK( init(main()), LTL(G valid-dereference) )",
        ] {
            assert_eq!(Claim::parse(text), None, "{text}");
        }
        let mixed = [check("G valid-free"), check("G ! call(reach_error())")].join("\n");
        assert_eq!(Claim::parse(&mixed), None);
        let mixed = [check("G valid-free"), check("G def-behavior")].join("\n");
        assert_eq!(Claim::parse(&mixed), None);
    }

    #[test]
    fn accesses_alone_do_not_show_that_accesses_are_valid() {
        let memory: Checks = [Check::Memory].into_iter().collect();
        assert_eq!(Formula::shown_by(memory), [Formula::ValidFree]);
    }
}
