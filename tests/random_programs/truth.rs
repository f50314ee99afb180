//! What a program does on each of its 65,536 inputs, by running it natively.

use std::path::Path;
use std::process::{Command, Stdio};

/// How many inputs lead to what.
#[derive(Default, Debug)]
pub struct Truth {
    pub target: u32,
    pub undefined: u32,
    pub trap: u32,
    pub end: u32,
}

/// `None` if the program runs for too long on some input.
pub fn truth(clang: &str, folder: &Path, source: &Path) -> Result<Option<Truth>, String> {
    let program = folder.join("truth");
    let compiled = Command::new(clang)
        .args(["-O1", "-fwrapv", "-w", "-DTRUTH", "-I"])
        .arg(folder)
        .arg("-o")
        .arg(&program)
        .arg(source)
        .output()
        .map_err(|error| error.to_string())?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let run = Command::new(&program)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if !run.status.success() {
        return Err(format!("the program dies: {}", run.status));
    }
    let mut truth = Truth::default();
    for line in String::from_utf8_lossy(&run.stdout).lines() {
        let mut words = line.split(' ');
        let (outcome, count) = (words.next(), words.next());
        let count = count.and_then(|count| count.parse().ok()).unwrap_or(0);
        match outcome {
            Some("T") => truth.target = count,
            Some("U") => truth.undefined = count,
            Some("X") => truth.trap = count,
            Some("E") => truth.end = count,
            _ => return Ok(None),
        }
    }
    Ok(Some(truth))
}
