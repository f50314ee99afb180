//! Values of the other rooms' enums, by the names that these give them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Reads one of `all` by its name; `help` is what --help says of it.
pub fn choice<T: Copy + Send + Sync + 'static>(
    all: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
    help: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let all: Vec<T> = all.into_iter().collect();
    let values = all
        .iter()
        .map(|value| PossibleValue::new(name(*value)).help(help(*value)));
    PossibleValuesParser::new(values.collect::<Vec<_>>()).try_map(move |chosen| {
        let mut all = all.iter();
        let found = all.find(|value| name(**value).eq_ignore_ascii_case(&chosen));
        found.copied().ok_or("no such value")
    })
}
