//! The limits of a command, enforced by the sentinel.

use super::progress::Progress;
use super::{exit, output};
use limits::Deadline;
use process::{Bounds, Sentinel};
use report::Environment;
use report::record::ErrorRecord;
use std::path::Path;
use symex::Budget;

/// A budget whose time begins now.
pub(super) fn of(budget: &Budget) -> Bounds {
    Bounds {
        deadline: Deadline::after(budget.time),
        memory: budget.memory,
    }
}

/// Watches over a command whose result cannot be given in part: at a limit that it does not heed,
/// it says which, in the file for its JSON too.
pub(super) fn watch(
    sentinel: &Sentinel,
    budget: &Budget,
    progress: &Progress,
    json: Option<&Path>,
) {
    let json = json.map(Path::to_owned);
    let last_step = progress.last_step();
    sentinel.watch(of(budget), move |overrun| {
        last_step.take();
        let message = format!("{}, before there was a result", overrun.why);
        if let Some(path) = &json {
            let record = ErrorRecord::new(Environment::current(None), message.clone());
            if let Err(error) = output::write_json(path, &record) {
                output::complain(&format!("error: {error:#}"));
            }
        }
        output::complain(&message);
        exit::UNKNOWN
    });
}
