//! Lines of the analysed program's source, for display.

use flowgraph::{Program, Span, file_of_call};

/// The text of a program's source files, indexed like [`Program::files`]; a file that cannot be
/// shown is empty.
#[derive(Clone, Default, Debug)]
pub struct Sources {
    files: Vec<Vec<String>>,
    texts: Vec<Option<String>>,
}

/// Longer lines are cut.
const LONGEST_LINE: usize = 80;

impl Sources {
    /// Sources whose texts `read` gives, by the file's name.
    pub fn new(program: &Program, mut read: impl FnMut(&str) -> Option<String>) -> Sources {
        let lines = |text: &String| {
            text.lines()
                .map(|line| shortened(line.trim(), LONGEST_LINE))
                .collect()
        };
        let files = program.files.iter();
        let texts: Vec<Option<String>> = files.map(|name| read(file_of_call(name))).collect();
        Sources {
            files: texts
                .iter()
                .map(|text| text.as_ref().map(lines).unwrap_or_default())
                .collect(),
            texts,
        }
    }

    /// The whole file of a place; `None` where it is not known.
    #[must_use]
    pub fn text(&self, span: Span) -> Option<&str> {
        let file = usize::try_from(span.file).ok()?;
        self.texts.get(file)?.as_deref()
    }

    /// The source line of a place, without surrounding blanks; empty where it is not known.
    #[must_use]
    pub fn line(&self, span: Span) -> &str {
        let file = usize::try_from(span.file)
            .ok()
            .and_then(|file| self.files.get(file));
        let number = usize::try_from(span.line)
            .ok()
            .and_then(|line| line.checked_sub(1));
        file.zip(number)
            .and_then(|(file, number)| file.get(number))
            .map_or("", String::as_str)
    }
}

/// The text, cut to at most `longest` characters, with … at the end if it was cut.
///
/// ```
/// assert_eq!(compact_se_report::source::shortened("i < n && x", 6), "i < n…");
/// ```
#[must_use]
pub fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(longest.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn only_long_texts_are_cut() {
        assert_eq!(shortened("κ < n", 5), "κ < n");
        assert_eq!(shortened("κ < n", 4), "κ <…");
    }
}
