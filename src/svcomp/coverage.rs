//! Properties of Test-Comp: `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`.

use super::property::PropertyError;
use std::path::Path;

/// The goals of tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoverageProperty {
    /// `coverage-branches`: each side of each branching.
    Branches,
    /// `coverage-error-call`: a call of `reach_error`.
    ErrorCall,
}

impl CoverageProperty {
    /// Reads a property file.
    ///
    /// # Errors
    /// If it cannot be read, or names something else.
    pub fn read(path: &Path) -> Result<CoverageProperty, PropertyError> {
        let text = std::fs::read_to_string(path).map_err(|error| PropertyError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        CoverageProperty::parse(&text).ok_or_else(|| PropertyError::NoCoverage {
            path: path.to_owned(),
            found: text.split_whitespace().collect::<Vec<_>>().join(" "),
        })
    }

    fn parse(text: &str) -> Option<CoverageProperty> {
        let compact: String = text.split_whitespace().collect();
        let named = [CoverageProperty::Branches, CoverageProperty::ErrorCall];
        let is_meant = |property: &CoverageProperty| {
            let formula: String = property.formula().split_whitespace().collect();
            let older = formula.replace("reach_error", "__VERIFIER_error");
            compact == formula || compact == older
        };
        named.into_iter().find(is_meant)
    }

    /// The formula.
    #[must_use]
    pub fn formula(self) -> &'static str {
        match self {
            CoverageProperty::Branches => "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            CoverageProperty::ErrorCall => {
                "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings() {
        let parse = CoverageProperty::parse;
        let branches = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n\n";
        assert_eq!(parse(branches), Some(CoverageProperty::Branches));
        let older = "COVER( init(main()), FQL(COVER EDGES(@CALL(__VERIFIER_error))) )";
        assert_eq!(parse(older), Some(CoverageProperty::ErrorCall));
        let unreach = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
        assert_eq!(parse(unreach), None);
    }
}
