//! Property files: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use crate::frontend::TargetSpec;
use std::path::{Path, PathBuf};

/// `unreach-call`: no execution from `main` on reaches the error.
///
/// The wordings of the years, all of them in use: a call of `reach_error()`, a call of
/// `__VERIFIER_error()`, the C label `ERROR`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreachCall {
    /// What the wording names.
    named: TargetSpec,
}

/// The wordings, in the order in which a program is searched for what they name.
fn wordings() -> [TargetSpec; 3] {
    [
        TargetSpec::Function("reach_error".to_owned()),
        TargetSpec::Function("__VERIFIER_error".to_owned()),
        TargetSpec::Label("ERROR".to_owned()),
    ]
}

/// Why a property is not one that can be decided.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PropertyError {
    #[error("{path}: cannot be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    /// A property of SV-COMP or Test-Comp that is none of ours.
    #[error("{path}: the property {name} is not supported, only unreach-call is")]
    NotSupported { path: PathBuf, name: String },
    #[error(
        "{path}: not a property: expected CHECK( init(main()), LTL(G ! call(reach_error())) ), found {found}"
    )]
    Malformed { path: PathBuf, found: String },
}

impl UnreachCall {
    /// The wording of today: `call(reach_error())`.
    #[must_use]
    pub fn of_today() -> UnreachCall {
        let [named, ..] = wordings();
        UnreachCall { named }
    }

    /// Reads a property file.
    ///
    /// # Errors
    /// If it cannot be read or does not hold `unreach-call`, and nothing else.
    pub fn read(path: &Path) -> Result<UnreachCall, PropertyError> {
        let text = std::fs::read_to_string(path).map_err(|error| PropertyError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        UnreachCall::parse(&text, path)
    }

    /// Reads the text of a property file; `path` is for messages.
    ///
    /// # Errors
    /// If it does not hold `unreach-call`, and nothing else.
    pub fn parse(text: &str, path: &Path) -> Result<UnreachCall, PropertyError> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let specification = compact
            .strip_prefix("CHECK(init(main()),")
            .and_then(|rest| rest.strip_suffix(')'));
        let named = match specification {
            Some("LTL(G!call(reach_error()))") => 0,
            Some("LTL(G!call(__VERIFIER_error()))") => 1,
            Some("LTL(G!label(ERROR))") => 2,
            _ => return Err(refused(&compact, text, path)),
        };
        let [first, second, third] = wordings();
        Ok(UnreachCall {
            named: [first, second, third]
                .into_iter()
                .nth(named)
                .unwrap_or_default(),
        })
    }

    /// The target that stands for the property: what the wording names, and in a program that has
    /// no such thing what another wording names, since tasks and property files of different years
    /// go together. A program that has none of them keeps the property.
    #[must_use]
    pub fn target(&self) -> TargetSpec {
        let others = wordings().into_iter().filter(|other| *other != self.named);
        TargetSpec::FirstOf(std::iter::once(self.named.clone()).chain(others).collect())
    }
}

/// Parts of formulas that name the other properties, and those.
const OTHERS: [(&str, &str); 9] = [
    ("COVER(", "coverage"),
    ("valid-memcleanup", "valid-memcleanup"),
    ("valid-", "valid-memsafety"),
    ("!overflow", "no-overflow"),
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

    fn parse(text: &str) -> Result<UnreachCall, PropertyError> {
        UnreachCall::parse(text, Path::new("p.prp"))
    }

    fn first(text: &str) -> String {
        let TargetSpec::FirstOf(targets) = parse(text).unwrap().target() else {
            panic!("several targets");
        };
        assert_eq!(targets.len(), 3, "each once: {targets:?}");
        targets[0].to_string()
    }

    #[test]
    fn the_three_wordings_are_read() {
        let call = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(first(call), "function reach_error");
        let old = "CHECK(init( main() ),\n  LTL( G !call( __VERIFIER_error() ) ))\n\n";
        assert_eq!(first(old), "function __VERIFIER_error");
        let label = "CHECK( init(main()), LTL(G ! label(ERROR)) )";
        assert_eq!(first(label), "label ERROR");
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
        assert_eq!(refused("G ! overflow"), "no-overflow");
        assert_eq!(refused("G valid-free"), "valid-memsafety");
        assert_eq!(refused("G valid-memcleanup"), "valid-memcleanup");
        assert_eq!(refused("G ! data-race"), "no-data-race");
        assert_eq!(refused("G ! call(f())"), "of a call of another function");
        let several = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\
            CHECK( init(main()), LTL(G ! overflow) )";
        let message = parse(several).unwrap_err().to_string();
        assert!(message.contains("several checks"), "{message}");
        let cover = parse("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )").unwrap_err();
        assert_eq!(
            cover.to_string(),
            "p.prp: the property coverage is not supported, only unreach-call is"
        );
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
