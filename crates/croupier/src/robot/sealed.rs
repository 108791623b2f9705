//! The robot's sealed files: order and salt of a shoe, encrypted, from the shuffle to the reveal.
//!
//! One file per shoe, `<directory>/table-<n>-shoe-<m>.sealed`, readable by its owner only. It is
//! on the disk, and synced, before [`SealedShoes::seal`] hands out the announcement, so a crash
//! can neither lose a published shoe nor tempt anybody to shuffle again. The key lies in a file of
//! its own, which should be on another disk than the sealed files and the database; neither key
//! nor sealed files belong in a backup, since a restored one would show an order that is in play.
//!
//! The file is ASCII text: five lines of header, then the sealed text in hexadecimal digits.
//! XChaCha20-Poly1305 seals the canonical text of the shoe; the header is authenticated with it.

use std::fmt;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::shuffle::{self, NoShuffle};
use crate::proof::{Announcement, NotHex, ShoeId, ShuffledShoe, bytes_from_hex};

/// The name of the key file in the data directory, unless the settings put it elsewhere.
pub const KEY_FILE: &str = "robot.key";

/// The name of the directory of the sealed files in the data directory.
pub const SEALED_DIRECTORY: &str = "sealed";

/// The longest sealed file or key file that is read, in bytes; twelve decks take about 5,000.
const MAX_FILE_BYTES: u64 = 64 * 1_024;

/// The most sealed files that are listed; every table has one or two.
const MAX_LISTED: usize = 100_000;

/// The first line of a sealed file.
const FORM: &str = "croupier-sealed-shoe: 1";

/// How a file that is not finished yet is named; swept at the next start.
const UNFINISHED: &str = ".unfinished-";

/// What of a mode means that others than the owner may use the file.
const OTHERS: u32 = 0o077;

/// Why a shoe could not be sealed, read or removed.
#[derive(Debug, thiserror::Error)]
pub enum SealedError {
    /// The disk refused.
    #[error("{doing} {}", path.display())]
    Disk {
        /// What was tried, like `writing`.
        doing: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others than the owner may read or write the key.
    #[error("the key file {} is open to others, mode {mode:o}; expected 600", path.display())]
    KeyExposed {
        /// The key file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The key file holds no key.
    #[error("the key file {} holds no key", path.display())]
    KeyDamaged {
        /// The key file.
        path: PathBuf,
        /// What stands there instead.
        source: NotHex,
    },
    /// No random bytes for a key.
    #[error("no key could be made")]
    NoKey(#[source] NoShuffle),
    /// The shoe is sealed already and is never sealed again: load that one.
    #[error("{id} is sealed already")]
    AlreadySealed {
        /// Which shoe.
        id: ShoeId,
    },
    /// There is no file of this shoe.
    #[error("{id} has no sealed file")]
    Missing {
        /// Which shoe.
        id: ShoeId,
    },
    /// The file is cut short, altered, or no sealed file.
    #[error("the sealed file of {id} is damaged")]
    Damaged {
        /// Which shoe.
        id: ShoeId,
    },
    /// The file was sealed with another key.
    #[error("the sealed file of {id} was sealed with key {got}, expected {expected}")]
    OtherKey {
        /// Which shoe.
        id: ShoeId,
        /// The mark of the key in use.
        expected: String,
        /// The mark of the key that sealed it.
        got: String,
    },
    /// The file holds another shoe than its name says.
    #[error("expected {expected} in its sealed file, got {got}")]
    OtherShoe {
        /// The shoe that was asked for.
        expected: ShoeId,
        /// The shoe in the file.
        got: ShoeId,
    },
    /// The file holds another order than the one that was announced.
    #[error("the sealed file of {id} does not hold the order that was announced")]
    NotAsAnnounced {
        /// Which shoe.
        id: ShoeId,
    },
}

impl SealedError {
    /// True if the order cannot be had any more: the open round is voided, the shoe ends and both
    /// are published. A disk that refuses or another key than the one that sealed may be put right
    /// by hand; until then the table stays shut.
    pub const fn is_lost(&self) -> bool {
        match self {
            SealedError::Missing { .. }
            | SealedError::Damaged { .. }
            | SealedError::OtherShoe { .. }
            | SealedError::NotAsAnnounced { .. } => true,
            SealedError::Disk { .. }
            | SealedError::OtherKey { .. }
            | SealedError::KeyExposed { .. }
            | SealedError::KeyDamaged { .. }
            | SealedError::NoKey(_)
            | SealedError::AlreadySealed { .. } => false,
        }
    }
}

/// The sealed files of one house and the key to them.
pub struct SealedShoes {
    directory: PathBuf,
    cipher: XChaCha20Poly1305,
    key_mark: String,
}

impl fmt::Debug for SealedShoes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealedShoes({}, key {})", self.directory.display(), self.key_mark)
    }
}

impl SealedShoes {
    /// Opens the directory and the key file; makes both at first use.
    ///
    /// Call it once per directory: it sweeps files that a crash left unfinished.
    ///
    /// # Errors
    /// [`SealedError`] if the disk refuses, or the key is damaged or open to others.
    pub fn open(directory: &Path, key_file: &Path) -> Result<SealedShoes, SealedError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
        made.map_err(disk("making", directory))?;
        sync_directory(parent(directory))?;
        let key = read_key(key_file)?;
        let mut marked = Sha256::new();
        marked.update(b"croupier robot key mark 1");
        marked.update(key);
        let key_mark = hex::encode(&marked.finalize()[..8]);
        let cipher = XChaCha20Poly1305::new(&Key::from(key));
        let shoes = SealedShoes { directory: directory.to_owned(), cipher, key_mark };
        shoes.sweep()?;
        Ok(shoes)
    }

    /// Where the file of a shoe lies.
    pub fn path(&self, id: ShoeId) -> PathBuf {
        self.directory.join(format!("table-{}-shoe-{}.sealed", id.table, id.shoe))
    }

    /// Seals a shoe and only then tells what may be published of it (OPS-69, STD-15).
    ///
    /// # Errors
    /// [`SealedError::AlreadySealed`] if there is a file of this shoe, [`SealedError::Disk`] if it
    /// could not be written and synced. Nothing may be published then.
    pub fn seal(&self, shoe: &ShuffledShoe) -> Result<Announcement, SealedError> {
        let id = shoe.id();
        let mut nonce = [0; 24];
        let filled = SysRng.try_fill_bytes(&mut nonce).map_err(NoShuffle::NoEntropy);
        filled.map_err(SealedError::NoKey)?;
        let header = self.header(id, &nonce);
        let text = shoe.text();
        let payload = Payload { msg: text.as_bytes(), aad: header.as_bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.expect("a text of a few kilobytes can be sealed");
        let whole = format!("{header}{}\n", hex::encode(sealed));
        match write_new(&self.path(id), whole.as_bytes())? {
            Written::New => {}
            Written::WasThere => return Err(SealedError::AlreadySealed { id }),
        }
        Ok(Announcement { id, previous: shoe.previous(), commitment: shoe.commitment() })
    }

    /// Reads a sealed shoe back.
    ///
    /// # Errors
    /// [`SealedError`]; [`SealedError::is_lost`] says whether the shoe must end.
    pub fn load(&self, id: ShoeId) -> Result<ShuffledShoe, SealedError> {
        let path = self.path(id);
        let whole = match read_bounded(&path) {
            Ok(whole) => whole,
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                return Err(SealedError::Missing { id });
            }
            Err(why) => return Err(disk("reading", &path)(why)),
        };
        let damaged = || SealedError::Damaged { id };
        let whole = whole.and_then(|whole| String::from_utf8(whole).ok()).ok_or_else(damaged)?;
        let file = SealedFile::read(&whole).ok_or_else(damaged)?;
        if file.id != id {
            return Err(SealedError::OtherShoe { expected: id, got: file.id });
        }
        if file.key_mark != self.key_mark {
            let (expected, got) = (self.key_mark.clone(), file.key_mark.to_owned());
            return Err(SealedError::OtherKey { id, expected, got });
        }
        let header = self.header(id, &file.nonce);
        let payload = Payload { msg: &file.sealed, aad: header.as_bytes() };
        let text =
            self.cipher.decrypt(&XNonce::from(file.nonce), payload).map_err(|_| damaged())?;
        let text = String::from_utf8(text).map_err(|_| damaged())?;
        let shoe = ShuffledShoe::from_text(&text).map_err(|_| damaged())?;
        if shoe.id() != id {
            return Err(SealedError::OtherShoe { expected: id, got: shoe.id() });
        }
        Ok(shoe)
    }

    /// Reads the shoe back that was announced, and no other order.
    ///
    /// # Errors
    /// As [`SealedShoes::load`], and [`SealedError::NotAsAnnounced`].
    pub fn load_announced(&self, announced: &Announcement) -> Result<ShuffledShoe, SealedError> {
        let shoe = self.load(announced.id)?;
        if shoe.commitment() != announced.commitment || shoe.previous() != announced.previous {
            return Err(SealedError::NotAsAnnounced { id: announced.id });
        }
        Ok(shoe)
    }

    /// Removes the file of a shoe whose order is revealed; a file that is gone already is no error.
    ///
    /// # Errors
    /// [`SealedError::Disk`].
    pub fn remove(&self, id: ShoeId) -> Result<(), SealedError> {
        let path = self.path(id);
        remove_if_there(&path)?;
        sync_directory(&self.directory)
    }

    /// The shoes that have a sealed file, by table and number; at most 100,000.
    ///
    /// # Errors
    /// [`SealedError::Disk`].
    pub fn sealed(&self) -> Result<Vec<ShoeId>, SealedError> {
        let mut ids = Vec::new();
        for entry in self.entries()? {
            if let Some(id) = entry.to_str().and_then(id_of_name) {
                ids.push(id);
            }
        }
        ids.sort_unstable();
        Ok(ids)
    }

    fn entries(&self) -> Result<Vec<std::ffi::OsString>, SealedError> {
        let entries = fs::read_dir(&self.directory).map_err(disk("listing", &self.directory))?;
        let names = entries.take(MAX_LISTED).map(|entry| entry.map(|entry| entry.file_name()));
        names.collect::<io::Result<_>>().map_err(disk("listing", &self.directory))
    }

    fn sweep(&self) -> Result<(), SealedError> {
        for entry in self.entries()? {
            if entry.to_str().is_some_and(|name| name.starts_with(UNFINISHED)) {
                remove_if_there(&self.directory.join(entry))?;
            }
        }
        Ok(())
    }

    /// The open part of a file, authenticated with the sealed part.
    fn header(&self, id: ShoeId, nonce: &[u8; 24]) -> String {
        let (mark, nonce) = (&self.key_mark, hex::encode(nonce));
        format!("{FORM}\ntable: {}\nshoe: {}\nkey: {mark}\nnonce: {nonce}\n", id.table, id.shoe)
    }
}

/// The parts of a sealed file.
struct SealedFile<'a> {
    id: ShoeId,
    key_mark: &'a str,
    nonce: [u8; 24],
    sealed: Vec<u8>,
}

impl SealedFile<'_> {
    fn read(whole: &str) -> Option<SealedFile<'_>> {
        let mut lines = whole.strip_suffix('\n')?.split('\n');
        if lines.next()? != FORM {
            return None;
        }
        let table = lines.next()?.strip_prefix("table: ")?.parse().ok()?;
        let shoe = lines.next()?.strip_prefix("shoe: ")?.parse().ok()?;
        let key_mark = lines.next()?.strip_prefix("key: ")?;
        let mut nonce = [0; 24];
        hex::decode_to_slice(lines.next()?.strip_prefix("nonce: ")?, &mut nonce).ok()?;
        let sealed = hex::decode(lines.next()?).ok()?;
        let id = ShoeId { table, shoe };
        lines.next().is_none().then_some(SealedFile { id, key_mark, nonce, sealed })
    }
}

/// The shoe that a file name stands for, if it is the name of a sealed file.
fn id_of_name(name: &str) -> Option<ShoeId> {
    let (table, shoe) =
        name.strip_prefix("table-")?.strip_suffix(".sealed")?.split_once("-shoe-")?;
    Some(ShoeId { table: table.parse().ok()?, shoe: shoe.parse().ok()? })
}

/// The key from its file, made at first use.
fn read_key(path: &Path) -> Result<[u8; 32], SealedError> {
    if !path.try_exists().map_err(disk("looking for", path))? {
        let directory = parent(path);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
        made.map_err(disk("making", directory))?;
        let key = hex::encode(shuffle::entropy().map_err(SealedError::NoKey)?);
        // If another start was faster its key stands; it is read below like any other.
        match write_new(path, format!("{key}\n").as_bytes())? {
            Written::New | Written::WasThere => {}
        }
    }
    let file = File::open(path).map_err(disk("opening", path))?;
    let mode = file.metadata().map_err(disk("looking at", path))?.permissions().mode() & 0o777;
    if mode & OTHERS != 0 {
        return Err(SealedError::KeyExposed { path: path.to_owned(), mode });
    }
    let text = read_bounded(path).map_err(disk("reading", path))?;
    let text = text.and_then(|text| String::from_utf8(text).ok()).unwrap_or_default();
    let key = bytes_from_hex(text.trim_end()).map_err(|_| {
        // What stands there may be most of a key; it is not repeated.
        NotHex(format!("{} bytes", text.len()))
    });
    key.map_err(|source| SealedError::KeyDamaged { path: path.to_owned(), source })
}

/// Whether a file was written, or one stood there already and was left alone.
enum Written {
    New,
    WasThere,
}

/// Writes a file that appears whole or not at all, mode 0600, never over another; synced.
fn write_new(path: &Path, bytes: &[u8]) -> Result<Written, SealedError> {
    let directory = parent(path);
    let file = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .permissions(fs::Permissions::from_mode(0o600))
        .tempfile_in(directory)
        .map_err(disk("writing in", directory))?;
    let mut file: NamedTempFile = file;
    file.write_all(bytes).map_err(disk("writing", path))?;
    file.as_file().sync_all().map_err(disk("syncing", path))?;
    match file.persist_noclobber(path) {
        Ok(_) => {}
        Err(why) if why.error.kind() == io::ErrorKind::AlreadyExists => {
            return Ok(Written::WasThere);
        }
        Err(why) => return Err(disk("naming", path)(why.error)),
    }
    sync_directory(directory)?;
    Ok(Written::New)
}

/// The bytes of a file; none if it is longer than any that is written here.
fn read_bounded(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    let bound = usize::try_from(MAX_FILE_BYTES).expect("64 KiB fit in a usize");
    Ok((bytes.len() <= bound).then_some(bytes))
}

fn remove_if_there(path: &Path) -> Result<(), SealedError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(why) => Err(disk("removing", path)(why)),
    }
}

fn sync_directory(path: &Path) -> Result<(), SealedError> {
    let directory = File::open(path).map_err(disk("opening", path))?;
    directory.sync_all().map_err(disk("syncing", path))
}

/// The directory in which a file lies.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    }
}

fn disk<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> SealedError + 'a {
    move |source| SealedError::Disk { doing, path: path.to_owned(), source }
}
