//! Property files: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use ::property::{Check, Checks, Subproperty};
use frontend::TargetSpec;
use std::path::{Path, PathBuf};

/// `unreach-call`: no execution from `main` on reaches the error.
///
/// The wordings of the years, all of them in use: a call of `reach_error()`, a call of
/// `__VERIFIER_error()`, the C label `ERROR`. Each asks about what it names (see [`Specification::target`]); a
/// program that has no such thing keeps the property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreachCall {
    /// The target named by the wording.
    named: TargetSpec,
}

/// Why a property is not one that can be decided.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PropertyError {
    #[error("{path}: cannot be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    /// A property of SV-COMP or Test-Comp that is none of ours.
    #[error(
        "{path}: the property {name} is not supported; these are: unreach-call, no-overflow, \
         valid-memsafety, valid-memcleanup"
    )]
    NotSupported { path: PathBuf, name: String },
    #[error(
        "{path}: not a property: expected CHECK( init(main()), LTL(G ! call(reach_error())) ), found {found}"
    )]
    Malformed { path: PathBuf, found: String },
    /// None of the properties that tests can be made for.
    #[error(
        "{path}: not a known property of Test-Comp: expected coverage-branches, COVER( \
         init(main()), FQL(COVER EDGES(@DECISIONEDGE)) ), or coverage-error-call, COVER( init(main()), \
         FQL(COVER EDGES(@CALL(reach_error))) ), found {found}"
    )]
    NoCoverage { path: PathBuf, found: String },
}

/// A property of SV-COMP that can be decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Specification {
    UnreachCall(UnreachCall),
    /// `no-overflow`: the result of each signed operation fits its type.
    NoOverflow,
    /// `valid-memsafety`: accesses and frees are valid, and no memory is lost.
    ValidMemsafety,
    /// `valid-memcleanup`: all memory is freed when the program ends.
    ValidMemcleanup,
}

/// The function that must not be called.
const ERROR: &str = "reach_error";
/// Its name before.
const ERROR_UNTIL_2019: &str = "__VERIFIER_error";

/// Whether the text of a file has a name; one that cannot be read is refused later.
fn mentions(file: &Path, name: &str) -> bool {
    let text = std::fs::read(file).unwrap_or_default();
    text.windows(name.len()).any(|part| part == name.as_bytes())
}

/// The formulas of `valid-memsafety`.
const MEMSAFETY: [&str; 3] = ["Gvalid-deref", "Gvalid-free", "Gvalid-memtrack"];

impl Specification {
    /// Reads a property file.
    ///
    /// # Errors
    /// If it cannot be read or does not hold one of these properties, and nothing else.
    pub fn read(path: &Path) -> Result<Specification, PropertyError> {
        let text = std::fs::read_to_string(path).map_err(|error| PropertyError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        Specification::parse(&text, path)
    }

    /// Reads the text of a property file; `path` is for messages.
    ///
    /// # Errors
    /// If it does not hold one of these properties, and nothing else.
    pub fn parse(text: &str, path: &Path) -> Result<Specification, PropertyError> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let unreach_call = |named: TargetSpec| {
            let named = UnreachCall { named };
            Ok(Specification::UnreachCall(named))
        };
        let mut checks = compact.split("CHECK(");
        let is_first_empty = checks.next() == Some("");
        let formulas: Option<Vec<&str>> = checks
            .map(|check| {
                let formula = check.strip_prefix("init(main()),LTL(")?;
                formula.strip_suffix("))")
            })
            .collect();
        let mut formulas = formulas.filter(|_| is_first_empty).unwrap_or_default();
        formulas.sort_unstable();
        match formulas.as_slice() {
            ["G!call(reach_error())"] => unreach_call(TargetSpec::Function(ERROR.to_owned())),
            ["G!call(__VERIFIER_error())"] => {
                unreach_call(TargetSpec::Function(ERROR_UNTIL_2019.to_owned()))
            }
            ["G!label(ERROR)"] => unreach_call(TargetSpec::Label("ERROR".to_owned())),
            ["G!overflow"] => Ok(Specification::NoOverflow),
            ["Gvalid-memcleanup"] => Ok(Specification::ValidMemcleanup),
            all if *all == MEMSAFETY => Ok(Specification::ValidMemsafety),
            _ => Err(refused(&compact, text, path)),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Specification::UnreachCall(_) => "unreach-call",
            Specification::NoOverflow => "no-overflow",
            Specification::ValidMemsafety => "valid-memsafety",
            Specification::ValidMemcleanup => "valid-memcleanup",
        }
    }

    /// What must not be reached in the program of these files; nothing where the property is about errors.
    ///
    /// Task definitions of later years refer to property files of 2019, before `__VERIFIER_error` became
    /// `reach_error`: a program that does not mention the former is checked for the latter.
    #[must_use]
    pub fn target(&self, files: &[PathBuf]) -> TargetSpec {
        let Specification::UnreachCall(property) = self else {
            return TargetSpec::EachOf(Vec::new());
        };
        let is_old = property.named == TargetSpec::Function(ERROR_UNTIL_2019.to_owned());
        if is_old && !files.iter().any(|file| mentions(file, ERROR_UNTIL_2019)) {
            return TargetSpec::Function(ERROR.to_owned());
        }
        property.named.clone()
    }

    /// The errors that must not occur.
    #[must_use]
    pub fn checks(&self) -> Checks {
        match self {
            Specification::UnreachCall(_) => Checks::NONE,
            Specification::NoOverflow => [Check::Overflow].into_iter().collect(),
            Specification::ValidMemsafety => [Check::Memory, Check::Scope, Check::Leak]
                .into_iter()
                .collect(),
            Specification::ValidMemcleanup => [Check::Cleanup].into_iter().collect(),
        }
    }

    /// Whether it is about memory, so that it counts what becomes of it on endless paths as well.
    #[must_use]
    pub fn is_about_memory(&self) -> bool {
        matches!(
            self,
            Specification::ValidMemsafety | Specification::ValidMemcleanup
        )
    }

    /// The property, or the part of it, that an error violates, of which the record says this part.
    #[must_use]
    pub fn violated_by<'a>(&self, part: Option<&'a str>) -> &'a str {
        match (self, part) {
            (Specification::ValidMemsafety, Some(part)) => part,
            (Specification::ValidMemsafety, None) => Subproperty::ValidDeref.name(),
            _ => self.name(),
        }
    }
}

/// Parts of formulas that name the other properties, and those.
const OTHERS: [(&str, &str); 7] = [
    ("COVER(", "coverage (supported by compact-se cover)"),
    ("valid-", "of a part of valid-memsafety"),
    ("!data-race", "no-data-race"),
    ("Fend", "termination"),
    ("def-behavior", "def-behavior"),
    ("call(", "of a call of another function"),
    ("label(", "of another label"),
];

fn refused(compact: &str, text: &str, path: &Path) -> PropertyError {
    let n_checks = compact.matches("CHECK(").count();
    let known = OTHERS.iter().find(|(part, _)| compact.contains(part));
    let is_property = compact.starts_with("CHECK(init(main()),") || compact.starts_with("COVER(");
    match known {
        Some((_, name)) if is_property && n_checks <= 1 => PropertyError::NotSupported {
            path: path.to_owned(),
            name: (*name).to_owned(),
        },
        Some((_, name)) if is_property => PropertyError::NotSupported {
            path: path.to_owned(),
            name: format!("of several checks ({name} among them)"),
        },
        _ => PropertyError::Malformed {
            path: path.to_owned(),
            found: match text.trim().lines().next() {
                None | Some("") => "nothing".to_owned(),
                Some(line) => line.chars().take(80).collect(),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Specification, PropertyError> {
        Specification::parse(text, Path::new("p.prp"))
    }

    fn target(text: &str) -> String {
        parse(text).unwrap().target(&[]).to_string()
    }

    #[test]
    fn the_three_wordings_are_read() {
        let call = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(target(call), "function reach_error");
        let old = "CHECK(init( main() ),\n  LTL( G !call( __VERIFIER_error() ) ))\n\n";
        assert_eq!(target(old), "function reach_error"); // no file mentions the older name
        let label = "CHECK( init(main()), LTL(G ! label(ERROR)) )";
        assert_eq!(target(label), "label ERROR");
    }

    #[test]
    fn others_are_refused_by_name() {
        let refused = |formula: &str| {
            let text = format!("CHECK( init(main()), LTL({formula}) )");
            match parse(&text) {
                Err(PropertyError::NotSupported { name, .. }) => name,
                other => panic!("{formula}: {other:?}"),
            }
        };
        assert_eq!(refused("F end"), "termination");
        assert_eq!(refused("G valid-free"), "of a part of valid-memsafety");
        assert_eq!(refused("G ! data-race"), "no-data-race");
        assert_eq!(refused("G ! call(f())"), "of a call of another function");
        let several = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\
            CHECK( init(main()), LTL(G ! overflow) )";
        let message = parse(several).unwrap_err().to_string();
        assert!(message.contains("several checks"), "{message}");
        let cover = parse("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )").unwrap_err();
        assert_eq!(
            cover.to_string(),
            "p.prp: the property coverage (supported by compact-se cover) is not supported; these are: \
             unreach-call, no-overflow, valid-memsafety, valid-memcleanup"
        );
    }

    #[test]
    fn properties_of_errors_are_read() {
        let check = |formula: &str| format!("CHECK( init(main()), LTL(G {formula}) )\n");
        assert_eq!(parse(&check("! overflow")), Ok(Specification::NoOverflow));
        let cleanup = parse(&check("valid-memcleanup"));
        assert_eq!(cleanup, Ok(Specification::ValidMemcleanup));
        let parts = ["valid-free", "valid-deref", "valid-memtrack"].map(check);
        let memsafety = parse(&parts.concat());
        assert_eq!(memsafety, Ok(Specification::ValidMemsafety));
        parse(&parts[..2].concat()).unwrap_err();
        parse(&format!("x{}", parts[0])).unwrap_err();
    }

    #[test]
    fn what_is_no_property_is_said() {
        assert!(
            parse("")
                .unwrap_err()
                .to_string()
                .ends_with("found nothing")
        );
        let message = parse("int main() { }").unwrap_err().to_string();
        assert!(message.ends_with("found int main() { }"), "{message}");
    }
}
