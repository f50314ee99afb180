//! What a witness is about: the property in its metadata, in the words of SV-COMP.

use frontend::TargetSpec;
use property::{Checks, ErrorKind, Subproperty};

/// What a witness says of a program, or denies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// That the target is not reached.
    Unreached(TargetSpec),
    /// That these hold, in order.
    NoErrors(Vec<Subproperty>),
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
        let mut known: Vec<Subproperty> = formulas
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
            Claim::NoErrors(Subproperty::shown_by(checks))
        } else {
            Claim::Unreached(target.clone())
        }
    }

    /// Whether an error of this kind violates it.
    pub fn is_violated_by(&self, kind: ErrorKind) -> bool {
        match self {
            Claim::Unreached(_) => kind == ErrorKind::Target,
            Claim::NoErrors(formulas) => kind
                .facts()
                .subproperty
                .is_some_and(|formula| formulas.contains(&formula)),
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

fn of_text(formula: &str) -> Option<Subproperty> {
    let formula = formula.trim_end_matches([')', ',']);
    Subproperty::ALL.into_iter().find(|known| {
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
        for formula in Subproperty::ALL {
            let claim = Some(Claim::NoErrors(vec![formula]));
            assert_eq!(Claim::parse(&check(formula.text())), claim);
            assert_eq!(Claim::parse(formula.text()), claim);
            assert!(Subproperty::shown_by(Subproperty::checks_for(&[formula])).contains(&formula));
        }
        let whole = ["G valid-memtrack", "G valid-free", "G valid-deref"].map(check);
        let memsafety = vec![
            Subproperty::ValidDeref,
            Subproperty::ValidFree,
            Subproperty::ValidMemtrack,
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
}
