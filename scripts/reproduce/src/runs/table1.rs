//! Table 1 of ATVA 2013: which runs make it.

use super::commit::commit;
use super::runner::{Run, Runner, write_tables};
use super::{TIMEOUT, concluded, limits_of, setup_of};
use crate::arguments::{ReproduceArguments, SettingArgument, TechniqueArgument};
use crate::tables::rows::{Row, Rows};
use crate::tables::table1::{self, PAPER, RowKey};
use anyhow::{Context, Result, bail};
use limits::Interrupt;
use report::Environment;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs what is missing and prints the tables.
///
/// # Errors
/// If the benchmarks are not found, the rows kept are not readable, or a file cannot be written.
pub(super) fn run(arguments: &ReproduceArguments, interrupt: &Interrupt) -> Result<ExitCode> {
    if arguments.tasks.is_some() {
        bail!("--tasks is for tables of tasks; Table 1 has --benchmarks");
    }
    let plan = Plan::new(arguments)?;
    let runner = Runner {
        environment: &plan.environment,
        interrupt,
        jobs: arguments.jobs,
        json: arguments.json.as_deref(),
    };
    let rows = runner.make_missing(&plan.runs, runner.kept(Rows::new(table1::NAME))?)?;
    let keys: Vec<RowKey> = plan.runs.iter().map(|run| run.key.clone()).collect();
    let tables: Vec<_> = plan
        .settings
        .iter()
        .map(|setting| rows.table(setting.name(), &keys))
        .collect();
    write_tables(&tables, arguments.markdown.as_ref(), arguments.csv.as_ref())?;
    let found: Vec<&Row<RowKey>> = keys.iter().filter_map(|key| rows.find(key)).collect();
    let n_bad = found
        .iter()
        .filter(|row| row.is_wrong() || row.error.is_some())
        .count();
    Ok(concluded(keys.len() - found.len(), n_bad))
}

/// All runs, finished ones included.
struct Plan {
    settings: Vec<Setting>,
    runs: Vec<Run<RowKey>>,
    environment: Environment,
}

/// How the two techniques are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Setting {
    /// `analyze --paper`.
    Paper,
    /// The same, without the links that take quantifiers out.
    Native,
    /// `analyze` as it comes.
    Default,
}

impl Setting {
    fn name(self) -> &'static str {
        match self {
            Setting::Paper => "paper",
            Setting::Native => "native",
            Setting::Default => "default",
        }
    }

    /// Options of `analyze`.
    fn options(self) -> &'static [&'static str] {
        match self {
            Setting::Paper => &["--paper"],
            Setting::Native => &[
                "--paper",
                "--without=sums",
                "--without=quantifiers",
                "--without=integers",
            ],
            Setting::Default => &[],
        }
    }

    /// The paper has no interleaved techniques: templates alone represent them.
    fn technique(self, name: &'static str) -> &'static str {
        match (self, name) {
            (Setting::Paper | Setting::Native, "default") => "compact",
            _ => name,
        }
    }

    /// Classic execution has no quantifiers.
    fn has(self, technique: &str) -> bool {
        self != Setting::Native || technique != "classic"
    }
}

impl Plan {
    /// The runs that the arguments ask for, program by program.
    ///
    /// # Errors
    /// If the benchmarks are not found, or one is named that Table 1 does not have.
    fn new(arguments: &ReproduceArguments) -> Result<Plan> {
        let folder = match &arguments.benchmarks {
            Some(folder) => folder.clone(),
            None => find_benchmarks()?,
        };
        let settings = match arguments.setting {
            SettingArgument::Paper => vec![Setting::Paper],
            SettingArgument::Native => vec![Setting::Native],
            SettingArgument::Default => vec![Setting::Default],
            SettingArgument::Both => vec![Setting::Paper, Setting::Default],
        };
        let programs = wanted_programs(&arguments.only)?;
        let environment = Environment::current(folder.parent().and_then(commit));
        let mut runs = Vec::new();
        for setting in &settings {
            for program in &programs {
                let file = folder.join(format!("{program}.c"));
                if !file.is_file() {
                    bail!(
                        "{} is missing: name the folder of the benchmarks with --benchmarks",
                        file.display()
                    );
                }
                let techniques = arguments.technique.names().iter();
                let techniques = techniques.map(|technique| setting.technique(technique));
                for technique in techniques.filter(|technique| setting.has(technique)) {
                    runs.push(make_run(
                        arguments,
                        *setting,
                        program,
                        &file,
                        technique,
                        &environment,
                    ));
                }
            }
        }
        Ok(Plan {
            settings,
            runs,
            environment,
        })
    }
}

fn make_run(
    arguments: &ReproduceArguments,
    setting: Setting,
    program: &str,
    file: &Path,
    technique: &str,
    environment: &Environment,
) -> Run<RowKey> {
    let timeout = arguments.limits.timeout.unwrap_or(TIMEOUT);
    let key = RowKey {
        program: program.to_owned(),
        technique: technique.to_owned(),
        setting: setting.name().to_owned(),
        setup: setup_of(&arguments.limits, timeout, environment),
    };
    let mut line: Vec<OsString> = vec!["analyze".into(), file.into()];
    line.push("--target=reach_error".into());
    line.extend(limits_of(&arguments.limits, timeout));
    line.extend(TechniqueArgument::options(technique));
    line.extend(setting.options().iter().map(Into::into));
    Run {
        description: format!("{program}, {technique}, {} setting", key.setting),
        timeout_s: timeout,
        key,
        checked_as: None,
        arguments: line,
    }
}

fn wanted_programs(only: &[String]) -> Result<Vec<&'static str>> {
    let all = || PAPER.iter().map(|line| line.program);
    if let Some(unknown) = only
        .iter()
        .find(|name| !all().any(|known| known == name.as_str()))
    {
        bail!(
            "Table 1 has no program {unknown}; it has {}",
            all().collect::<Vec<_>>().join(", ")
        );
    }
    Ok(all()
        .filter(|program| only.is_empty() || only.iter().any(|name| name == program))
        .collect())
}

/// The folder `c-benchmarks` above the executable or the working directory.
pub(super) fn find_benchmarks() -> Result<PathBuf> {
    let executable = std::env::current_exe().context("finding the executable")?;
    let here = std::env::current_dir().context("finding the working directory")?;
    let folders = executable.ancestors().skip(1).chain(here.ancestors());
    let found = folders
        .map(|folder| folder.join("c-benchmarks"))
        .find(|folder| folder.join("hello.c").is_file());
    found.context("c-benchmarks is neither above the executable nor above the working directory: name it with --benchmarks")
}
