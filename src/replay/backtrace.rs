//! The call stack, with source locations, of a sanitizer's report.

use super::SourcePlace;
use addr2line::Loader;
use std::path::Path;

/// The places of a report's first stack within the executable, the innermost first, those of inlined
/// calls too. Functions without debug information have none: those of the replay library, and the
/// sanitizer's own.
pub(super) fn places(executable: &Path, report: &str) -> Vec<SourcePlace> {
    let is_frame = |line: &&str| line.trim_start().starts_with('#');
    let lines = report.lines().skip_while(|line| !is_frame(line));
    let frames = lines.take_while(is_frame);
    let addresses: Vec<u64> = frames
        .filter_map(|line| address_within(executable, line))
        .collect();
    let Ok(loader) = Loader::new(executable) else {
        return Vec::new();
    };
    addresses
        .into_iter()
        .flat_map(|address| places_of(&loader, address))
        .collect()
}

/// The address of a frame as the executable has it: `#0 0x55685dba7b7b  (/tmp/program+0x10bb7b)`.
fn address_within(executable: &Path, frame: &str) -> Option<u64> {
    let (_, module) = frame.split_once(" (")?;
    let (path, address) = module.split_once("+0x")?;
    let (address, _) = address.split_once(')')?;
    let is_ours = Path::new(path).file_name() == executable.file_name();
    is_ours.then(|| u64::from_str_radix(address, 16).ok())?
}

fn places_of(loader: &Loader, address: u64) -> Vec<SourcePlace> {
    let mut places = Vec::new();
    let Ok(mut frames) = loader.find_frames(address) else {
        return places;
    };
    while let Ok(Some(frame)) = frames.next() {
        if let Some(location) = frame.location
            && let (Some(file), Some(line)) = (location.file, location.line)
            && line != 0
        {
            places.push(SourcePlace {
                file: file.to_owned(),
                line,
                column: location.column.unwrap_or(0),
            });
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_other_modules_have_no_place() {
        let executable = Path::new("/tmp/program");
        let ours = "    #0 0x55685dba7b7b  (/tmp/program+0x10bb7b) (BuildId: b7)";
        assert_eq!(address_within(executable, ours), Some(0x0010_bb7b));
        let other = "    #1 0x7fc3f5e40249  (/lib/libc.so.6+0x27249)";
        assert_eq!(address_within(executable, other), None);
        assert_eq!(
            address_within(executable, "    #2 0x7f (<unknown module>)"),
            None
        );
    }
}
