//! The environment of a result: tool, solver, machine.

use serde::{Deserialize, Serialize};

/// Further conditions of a measured result, in addition to program and options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Environment {
    /// `compact-se` with its version.
    pub tool: String,
    /// Commit of the checkout, with `-dirty` behind it if files differ from it; `None` outside of a checkout,
    /// or if unknown.
    pub commit: Option<String>,
    /// Name and version of the solver.
    pub solver: String,
    /// Processor, number of processors, memory, system.
    pub machine: String,
}

impl Environment {
    /// That of this process; the commit is for the caller to find out.
    #[must_use]
    pub fn current(commit: Option<String>) -> Environment {
        Environment {
            tool: format!("compact-se {}", env!("CARGO_PKG_VERSION")),
            commit,
            solver: solver::name_and_version(),
            machine: machine(),
        }
    }
}

/// The processes that run or wait to, as an average over the last minute; `None` where the system
/// does not say.
#[must_use]
pub fn load_average() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

fn machine() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let processor = field(&cpuinfo, "model name").unwrap_or("unknown processor");
    let n_processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let kilobytes =
        field(&meminfo, "MemTotal").and_then(|total| total.split(' ').next()?.parse::<u64>().ok());
    let gigabytes = kilobytes.map_or_else(
        || "unknown".to_owned(),
        |kilobytes| (kilobytes >> 20).to_string(),
    );
    let system = std::env::consts::OS;
    format!("{processor}, {n_processors} processors, {gigabytes} GB memory, {system}")
}

/// The value of the first line `name : value`.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_of_proc_files_are_found() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\nMemTotal:  123 kB\n";
        assert_eq!(field(text, "model name"), Some("Some CPU @ 2 GHz"));
        assert_eq!(field(text, "MemTotal"), Some("123 kB"));
        assert_eq!(field(text, "model"), None);
    }
}
