//! Tables: for the terminal, as Markdown, as CSV.
//!
//! # Invariants
//! - Every row has as many cells as there are columns.

use std::fmt::Write;

/// A table of text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    pub title: String,
    pub columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
}

/// A column; those with the same group stand side by side under one heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Empty for none.
    pub group: String,
    /// What stands above the cells on the terminal, where the group stands above it.
    pub name: String,
    /// What says everything where there are no groups: in Markdown and CSV.
    pub full_name: String,
    pub align: Align,
}

/// On which side the cells of a column are flush.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Left,
    Right,
}

impl Column {
    /// A column of words.
    #[must_use]
    pub fn words(name: &str) -> Column {
        Column {
            group: String::new(),
            name: name.to_owned(),
            full_name: name.to_owned(),
            align: Align::Left,
        }
    }

    /// A column of numbers.
    #[must_use]
    pub fn numbers(group: &str, name: &str) -> Column {
        let full_name = if group.is_empty() {
            name.to_owned()
        } else {
            format!("{group}: {name}")
        };
        Column {
            group: group.to_owned(),
            name: name.to_owned(),
            full_name,
            align: Align::Right,
        }
    }

    /// The same column with another full name.
    #[must_use]
    pub fn in_full(self, full_name: String) -> Column {
        Column { full_name, ..self }
    }
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(title: &str, columns: Vec<Column>) -> Table {
        Table {
            title: title.to_owned(),
            columns,
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not one cell for each column.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(
            row.len(),
            self.columns.len(),
            "a row has a cell for each column"
        );
        self.rows.push(row);
    }

    /// The rows so far.
    #[cfg(test)]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// For the terminal: aligned by blanks, groups above the names.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut widths = self.widths();
        self.widen_for_groups(&mut widths);
        let mut text = format!("{}\n", self.title);
        if self.columns.iter().any(|column| !column.group.is_empty()) {
            text.push_str(self.group_line(&widths).trim_end());
            text.push('\n');
        }
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|column| column.name.clone())
            .collect();
        for row in std::iter::once(&names).chain(&self.rows) {
            let cells = row.iter().zip(&self.columns).zip(&widths);
            let cells: Vec<String> = cells
                .map(|((cell, column), width)| padded(cell, column.align, *width))
                .collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let width = |(index, column): (usize, &Column)| {
            let cells = self.rows.iter().map(|row| row[index].chars().count());
            cells.max().unwrap_or(0).max(column.name.chars().count())
        };
        self.columns.iter().enumerate().map(width).collect()
    }

    /// Runs of columns of one group: first column and number of columns.
    fn groups(&self) -> Vec<(usize, usize)> {
        let mut groups: Vec<(usize, usize)> = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            match groups.last_mut() {
                Some((first, count))
                    if !column.group.is_empty() && self.columns[*first].group == column.group =>
                {
                    *count += 1;
                }
                _ => groups.push((index, 1)),
            }
        }
        groups
    }

    fn widen_for_groups(&self, widths: &mut [usize]) {
        for (first, count) in self.groups() {
            let heading = self.columns[first].group.chars().count();
            let room = span_width(&widths[first..first + count]);
            widths[first] += heading.saturating_sub(room);
        }
    }

    fn group_line(&self, widths: &[usize]) -> String {
        let headings = self.groups().into_iter().map(|(first, count)| {
            padded(
                &self.columns[first].group,
                Align::Left,
                span_width(&widths[first..first + count]),
            )
        });
        headings.collect::<Vec<String>>().join("  ")
    }

    fn full_names(&self) -> Vec<String> {
        self.columns
            .iter()
            .map(|column| column.full_name.clone())
            .collect()
    }

    /// As a Markdown table; with full names.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("## {}\n\n", self.title);
        let names: Vec<String> = self.full_names();
        text.push_str(&markdown_row(&names));
        let rules = self.columns.iter().map(|column| match column.align {
            Align::Left => "---".to_owned(),
            Align::Right => "--:".to_owned(),
        });
        text.push_str(&markdown_row(&rules.collect::<Vec<String>>()));
        for row in &self.rows {
            text.push_str(&markdown_row(row));
        }
        for note in &self.notes {
            let _ = write!(text, "\n{note}\n");
        }
        text
    }

    /// As CSV (RFC 4180) with a line of names; without title and notes.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let names: Vec<String> = self.full_names();
        std::iter::once(&names)
            .chain(&self.rows)
            .map(|row| csv_row(row))
            .collect()
    }
}

fn span_width(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + 2 * (widths.len().max(1) - 1)
}

fn padded(cell: &str, align: Align, width: usize) -> String {
    match align {
        Align::Left => format!("{cell:<width$}"),
        Align::Right => format!("{cell:>width$}"),
    }
}

fn markdown_row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn csv_row(cells: &[String]) -> String {
    let field = |cell: &String| {
        if cell.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    };
    let mut line = cells.iter().map(field).collect::<Vec<String>>().join(",");
    line.push_str("\r\n");
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        let columns = vec![
            Column::words("name"),
            Column::numbers("times", "a"),
            Column::numbers("times", "b"),
            Column::numbers("", "n"),
        ];
        let mut table = Table::new("Title", columns);
        table.push(["x", "1.0", "22.5", "7"].map(str::to_owned).to_vec());
        table.push(
            ["a|b, \"c\"", "T/O", "κ", "1000"]
                .map(str::to_owned)
                .to_vec(),
        );
        table.notes.push("A note.".to_owned());
        table
    }

    #[test]
    fn the_terminal_gets_aligned_columns() {
        let expected = "\
Title
          times
name        a     b     n
x         1.0  22.5     7
a|b, \"c\"  T/O     κ  1000
A note.
";
        assert_eq!(example().to_text(), expected);
    }

    #[test]
    fn markdown_escapes_bars() {
        let expected = "\
## Title

| name | times: a | times: b | n |
| --- | --: | --: | --: |
| x | 1.0 | 22.5 | 7 |
| a\\|b, \"c\" | T/O | κ | 1000 |

A note.
";
        assert_eq!(example().to_markdown(), expected);
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let expected =
            "name,times: a,times: b,n\r\nx,1.0,22.5,7\r\n\"a|b, \"\"c\"\"\",T/O,κ,1000\r\n";
        assert_eq!(example().to_csv(), expected);
    }

    #[test]
    fn a_long_heading_widens_its_columns() {
        let mut table = Table::new(
            "T",
            vec![Column::numbers("a long heading", "x"), Column::words("y")],
        );
        table.push(vec!["1".to_owned(), "2".to_owned()]);
        let text = table.to_text();
        assert_eq!(text.lines().nth(2), Some("             x  y"));
    }

    #[test]
    #[should_panic(expected = "a row has a cell for each column")]
    fn rows_have_all_cells() {
        example().push(vec![String::new()]);
    }
}
