//! The targets of an analysis.

use super::folded::TargetName;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Names of functions that are targets if none is chosen.
pub(super) const DEFAULT_FUNCTIONS: [&str; 4] = [
    "reach_error",
    "__VERIFIER_error",
    "compact_se_target",
    KLEE_ERROR,
];
/// The models of [`KLEE_REPORTERS`] call it too.
pub(super) const KLEE_ERROR: &str = "klee_report_error";
/// Their models report errors: of a range that is empty, and always.
pub(super) const KLEE_REPORTERS: [&str; 2] = ["klee_range", "klee_abort"];
/// The label that is the target if there is none of these functions.
pub(super) const DEFAULT_LABEL: &str = "ERROR";

/// The target of the analysis; reaching it violates the property.
///
/// Text form (`--target`): `file.c:12` is a line, `label NAME` and `function NAME` are exact, and
/// a plain `NAME` is a function (defined or only declared), else a C label.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TargetSpec {
    /// Each of the functions `reach_error`, `__VERIFIER_error`, `compact_se_target` and
    /// `klee_report_error` that is called or has its address taken, or the C label `ERROR` where there
    /// is none of them.
    #[default]
    Default,
    /// Every place that is a target by default: functions and labels.
    All,
    /// A function, else a label.
    Name(String),
    /// Reached when it is called, whether it has a body or not.
    Function(String),
    /// A C label, in every function that has it.
    Label(String),
    /// The first instruction of a source line. `file` is the path as clang was given it, or any
    /// tail of it that begins at a `/`.
    Line { file: String, line: u32 },
    /// Each of these.
    EachOf(Vec<TargetSpec>),
}

impl TargetSpec {
    /// Whether no place is in question.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.parts().is_empty()
    }

    /// The targets of which each has to be there.
    pub(super) fn parts(&self) -> &[TargetSpec] {
        match self {
            TargetSpec::EachOf(targets) => targets,
            one => std::slice::from_ref(one),
        }
    }

    /// Whether each target gets a separate verdict.
    #[must_use]
    pub fn asks_for_each(&self) -> bool {
        self.parts().contains(&TargetSpec::All)
    }

    /// What people call the target at a place where these are, where several were requested: all of
    /// them where it is not known which it is.
    #[must_use]
    pub fn name_among_several(&self, here: &[&str]) -> Option<String> {
        let asked = match self {
            TargetSpec::EachOf(several) if several.len() > 1 => several.as_slice(),
            TargetSpec::All => &[],
            _ => return None,
        };
        let mut names: Vec<String> = here.iter().map(|&name| name.to_owned()).collect();
        if names.is_empty() {
            names = asked.iter().map(ToString::to_string).collect();
        }
        names.dedup();
        (!names.is_empty()).then(|| names.join(" or "))
    }

    /// The functions that the target may be.
    pub(super) fn functions(&self) -> Vec<String> {
        let names = self.names().into_iter();
        let function = |name| match name {
            TargetName::Call(name) | TargetName::Function(name) => Some(name),
            TargetName::Label(_) => None,
        };
        names.filter_map(function).collect()
    }

    /// The functions and labels that the target may be; none for a line.
    pub(super) fn names(&self) -> Vec<TargetName> {
        let call = |name: &str| TargetName::Call(name.to_owned());
        let function = |name: &str| TargetName::Function(name.to_owned());
        let label = |name: &str| TargetName::Label(name.to_owned());
        match self {
            TargetSpec::Default => {
                let calls = DEFAULT_FUNCTIONS.into_iter().map(call);
                calls.chain([label(DEFAULT_LABEL)]).collect()
            }
            TargetSpec::All => {
                let functions = DEFAULT_FUNCTIONS.into_iter().map(function);
                functions.chain([label(DEFAULT_LABEL)]).collect()
            }
            TargetSpec::Name(name) => vec![function(name), label(name)],
            TargetSpec::Function(name) => vec![function(name)],
            TargetSpec::Label(name) => vec![label(name)],
            TargetSpec::Line { .. } => Vec::new(),
            TargetSpec::EachOf(targets) => targets.iter().flat_map(TargetSpec::names).collect(),
        }
    }
}

impl FromStr for TargetSpec {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<TargetSpec, Self::Err> {
        if let Some((file, line)) = text.rsplit_once(':')
            && let Ok(line) = line.parse()
            && !file.is_empty()
        {
            return Ok(TargetSpec::Line {
                file: file.to_owned(),
                line,
            });
        }
        if text == "all" {
            return Ok(TargetSpec::All);
        }
        Ok(match text.split_once(' ') {
            Some(("label", name)) => TargetSpec::Label(name.trim().to_owned()),
            Some(("function", name)) => TargetSpec::Function(name.trim().to_owned()),
            _ => TargetSpec::Name(text.to_owned()),
        })
    }
}

impl fmt::Display for TargetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetSpec::Default => {
                f.write_str("(reach_error and similar functions, or label ERROR)")
            }
            TargetSpec::All => f.write_str(
                "(every call of reach_error and similar functions, and label ERROR; failed assertions \
                 and other errors need no target: --all continues after the first)",
            ),
            TargetSpec::Name(name) => write!(f, "{name}"),
            TargetSpec::Function(name) => write!(f, "function {name}"),
            TargetSpec::Label(name) => write!(f, "label {name}"),
            TargetSpec::Line { file, line } => write!(f, "{file}:{line}"),
            TargetSpec::EachOf(targets) => {
                let targets: Vec<String> = targets.iter().map(ToString::to_string).collect();
                f.write_str(&targets.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TargetSpec;

    #[test]
    fn text_forms() {
        let parse = |text: &str| text.parse::<TargetSpec>().unwrap();
        assert_eq!(
            parse("a/b.c:12"),
            TargetSpec::Line {
                file: "a/b.c".into(),
                line: 12
            }
        );
        assert_eq!(parse("ERROR"), TargetSpec::Name("ERROR".into()));
        assert_eq!(parse("label ERROR"), TargetSpec::Label("ERROR".into()));
        assert_eq!(parse("function f"), TargetSpec::Function("f".into()));
        assert_eq!(parse("x:y"), TargetSpec::Name("x:y".into()));
        let each = TargetSpec::EachOf(vec![parse("a.c:3"), parse("goal")]);
        assert_eq!(each.to_string(), "a.c:3, goal");
        assert_eq!(each.parts().len(), 2);
        assert_eq!(each.name_among_several(&["goal"]).as_deref(), Some("goal"));
        assert_eq!(
            each.name_among_several(&[]).as_deref(),
            Some("a.c:3 or goal")
        );
        assert_eq!(parse("goal").name_among_several(&["goal"]), None);
    }
}
