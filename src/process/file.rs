//! Atomic writes of files: a file is complete or absent.

use super::cleanup::Draft;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a temporary file next to the destination and renames it, so that a process that ends meanwhile
/// leaves no half of it. A pipe or a link is written to, not replaced, and so is a file in a folder in which
/// no other may be made.
///
/// ```
/// let folder = compact_se_process::Folder::new("example-")?;
/// let file = folder.path().join("record.json");
/// compact_se_process::write_whole(&file, b"{}")?;
/// assert_eq!(std::fs::read(&file)?, b"{}");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the system refuses.
pub fn write_whole(path: &Path, text: &[u8]) -> io::Result<()> {
    let is_plain = std::fs::symlink_metadata(path).map_or(true, |data| data.is_file());
    if is_plain && replace(path, text).is_ok() {
        return Ok(());
    }
    std::fs::write(path, text)
}

fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    // A new file gets what the user's mask leaves of this.
    let permissions = std::fs::metadata(path).map_or_else(
        |_| std::fs::Permissions::from_mode(0o666),
        |data| data.permissions(),
    );
    let mut draft = tempfile::Builder::new()
        .permissions(permissions)
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    let draft_path = draft.path().to_owned();
    let _belonging = Draft::new(&draft_path);
    draft.write_all(text)?;
    draft.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Folder;

    #[test]
    fn a_file_is_made_and_replaced_and_nothing_else_is_left() {
        let folder = Folder::new("compact-se-test-").unwrap();
        let file = folder.path().join("file");
        for text in ["first", "second"] {
            write_whole(&file, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_stays_one() {
        let folder = Folder::new("compact-se-test-").unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, b"text").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "text");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn what_cannot_be_written_is_an_error() {
        assert!(write_whole(Path::new("/nowhere/at/all"), b"text").is_err());
    }
}
