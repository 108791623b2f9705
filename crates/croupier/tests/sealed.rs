//! The robot's sealed files: written before anything is published, secret, whole or refused.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use croupier::proof::{Commitment, ShoeId, ShuffleMode, ShuffledShoe};
use croupier::robot::sealed::{SealedError, SealedShoes};
use croupier::robot::shuffle::fresh_shoe;
use games::Card;

/// A house of its own for one test.
struct House {
    home: tempfile::TempDir,
}

impl House {
    fn new() -> House {
        House { home: tempfile::tempdir().expect("a directory for the test") }
    }

    fn directory(&self) -> PathBuf {
        self.home.path().join("data/sealed")
    }

    fn key(&self) -> PathBuf {
        self.home.path().join("elsewhere/robot.key")
    }

    fn open(&self) -> Result<SealedShoes, SealedError> {
        SealedShoes::open(&self.directory(), &self.key())
    }
}

const ID: ShoeId = ShoeId { table: 3, shoe: 17 };

fn shoe(id: ShoeId) -> ShuffledShoe {
    fresh_shoe(id, Some(Commitment([7; 32])), 8, ShuffleMode::Rng).expect("a fresh shoe")
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("the file is there").permissions().mode() & 0o777
}

#[test]
fn a_sealed_shoe_comes_back_after_a_restart() {
    let house = House::new();
    let shoe = shoe(ID);
    let sealed = house.open().unwrap();
    let announced = sealed.seal(&shoe).unwrap();
    assert_eq!(announced.id, ID);
    assert_eq!(announced.commitment, shoe.commitment());
    assert_eq!(announced.previous, shoe.previous());
    let path = house.directory().join("table-3-shoe-17.sealed");
    assert_eq!(sealed.path(ID), path);
    assert_eq!((mode(&path), mode(&house.key())), (0o600, 0o600));
    drop(sealed);

    let again = house.open().unwrap();
    assert_eq!(again.load_announced(&announced).unwrap(), shoe);
    assert_eq!(again.sealed().unwrap(), [ID]);
    again.remove(ID).unwrap();
    again.remove(ID).unwrap();
    assert_eq!(again.sealed().unwrap(), []);
    assert!(matches!(again.load(ID), Err(SealedError::Missing { id: ID })));
}

/// STD-15, OPS-71: neither the file nor what is printed about it tells a card or the salt.
#[test]
fn nothing_of_the_order_can_be_read_from_outside() {
    let house = House::new();
    let shoe = shoe(ID);
    let sealed = house.open().unwrap();
    let announced = sealed.seal(&shoe).unwrap();
    let file = fs::read_to_string(sealed.path(ID)).unwrap();
    let order: Vec<String> = shoe.order().iter().map(Card::to_string).collect();
    let order = order[..3].join(" ");
    let secrets = [order.clone(), hex::encode(order), shoe.salt().to_string()];
    let key = fs::read_to_string(house.key()).unwrap();
    for told in [file, announced.to_string(), format!("{shoe:?} {sealed:?} {:?}", shoe.salt())] {
        for secret in secrets.iter().chain([&key.trim_end().to_owned()]) {
            assert!(!told.contains(secret), "{told}");
        }
    }
}

/// The same text sealed twice is two different files: the nonce is never used again.
#[test]
fn every_seal_has_a_nonce_of_its_own() {
    let house = House::new();
    let (shoe, sealed) = (shoe(ID), house.open().unwrap());
    sealed.seal(&shoe).unwrap();
    let first = fs::read(sealed.path(ID)).unwrap();
    sealed.remove(ID).unwrap();
    sealed.seal(&shoe).unwrap();
    assert_ne!(first, fs::read(sealed.path(ID)).unwrap());
}

#[test]
fn a_shoe_is_never_sealed_over_another() {
    let house = House::new();
    let sealed = house.open().unwrap();
    let first = shoe(ID);
    sealed.seal(&first).unwrap();
    let refused = sealed.seal(&shoe(ID));
    assert!(matches!(refused, Err(SealedError::AlreadySealed { id: ID })), "{refused:?}");
    assert_eq!(sealed.load(ID).unwrap(), first);
    let files = fs::read_dir(house.directory()).unwrap().count();
    assert_eq!(files, 1, "a refused seal left a file behind");
}

#[test]
fn a_damaged_file_is_refused_wherever_it_was_hit() {
    let house = House::new();
    let sealed = house.open().unwrap();
    let announced = sealed.seal(&shoe(ID)).unwrap();
    let path = sealed.path(ID);
    let whole = fs::read(&path).unwrap();
    let mut hit = 0;
    let places = (0..150).chain((150..whole.len()).step_by(97)).chain([whole.len() - 1]);
    for place in places {
        let mut wrong = whole.clone();
        wrong[place] ^= 1;
        fs::write(&path, &wrong).unwrap();
        sealed.load_announced(&announced).expect_err(&format!("byte {place} was altered"));
        hit += 1;
    }
    for length in [0, 1, 60, 150, whole.len() / 2, whole.len() - 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        let cut = sealed.load(ID);
        assert!(matches!(cut, Err(SealedError::Damaged { id: ID })), "{length} bytes: {cut:?}");
        assert!(cut.is_err_and(|why| why.is_lost()));
    }
    fs::write(&path, [whole.clone(), whole.clone()].concat()).unwrap();
    assert!(matches!(sealed.load(ID), Err(SealedError::Damaged { .. })));
    fs::write(&path, vec![b'0'; 10_000_000]).unwrap();
    assert!(matches!(sealed.load(ID), Err(SealedError::Damaged { .. })));
    fs::write(&path, &whole).unwrap();
    sealed.load_announced(&announced).expect("the whole file is right again");
    assert!(hit > 150, "only {hit} places were tried");
}

#[test]
fn each_way_of_being_the_wrong_file_has_its_name() {
    let house = House::new();
    let sealed = house.open().unwrap();
    let announced = sealed.seal(&shoe(ID)).unwrap();

    let other = ShoeId { table: 3, shoe: 18 };
    fs::copy(sealed.path(ID), sealed.path(other)).unwrap();
    let renamed = sealed.load(other);
    let expected = matches!(
        renamed,
        Err(SealedError::OtherShoe { expected, got }) if expected == other && got == ID
    );
    assert!(expected, "{renamed:?}");

    // A header that claims to be the other shoe is not what was sealed.
    let text = fs::read_to_string(sealed.path(ID)).unwrap();
    fs::write(sealed.path(other), text.replace("shoe: 17", "shoe: 18")).unwrap();
    assert!(matches!(sealed.load(other), Err(SealedError::Damaged { .. })));

    sealed.remove(ID).unwrap();
    sealed.seal(&shoe(ID)).unwrap();
    let swapped = sealed.load_announced(&announced);
    assert!(matches!(swapped, Err(SealedError::NotAsAnnounced { id: ID })), "{swapped:?}");

    fs::remove_file(house.key()).unwrap();
    let stranger = house.open().unwrap();
    let locked = stranger.load(ID);
    assert!(matches!(locked, Err(SealedError::OtherKey { .. })), "{locked:?}");
    assert!(!locked.unwrap_err().is_lost(), "the right key may be put back");
}

#[test]
fn a_key_open_to_others_or_damaged_is_refused() {
    let house = House::new();
    house.open().unwrap();
    for (bits, refused) in
        [(0o640, true), (0o604, true), (0o666, true), (0o620, true), (0o400, false), (0o600, false)]
    {
        fs::set_permissions(house.key(), fs::Permissions::from_mode(bits)).unwrap();
        match house.open() {
            Err(SealedError::KeyExposed { mode, .. }) => {
                assert!(refused && mode == bits, "{mode:o}");
            }
            other => assert!(!refused, "{bits:o}: {other:?}"),
        }
    }
    let key = fs::read_to_string(house.key()).unwrap();
    for wrong in [&key[..60], "", "\n", &key.to_uppercase(), "no key", &key.repeat(3_000)] {
        fs::write(house.key(), wrong).unwrap();
        let error = house.open().expect_err("a key of another form");
        assert!(matches!(error, SealedError::KeyDamaged { .. }), "{error:?}");
        assert!(!format!("{error:?}").contains(&key[..20]), "the error repeats the key");
    }
    fs::write(house.key(), key).unwrap();
    house.open().unwrap();
}

#[test]
fn a_start_sweeps_what_a_crash_left_unfinished_and_nothing_else() {
    let house = House::new();
    let sealed = house.open().unwrap();
    sealed.seal(&shoe(ID)).unwrap();
    let unfinished = house.directory().join(".unfinished-abc123");
    fs::write(&unfinished, "half a file").unwrap();
    let foreign = house.directory().join("notes.txt");
    fs::write(&foreign, "not ours").unwrap();
    let again = house.open().unwrap();
    assert!(!unfinished.exists() && foreign.exists());
    assert_eq!(again.sealed().unwrap(), [ID]);
}

/// Nothing may be announced that is not on the disk.
#[test]
fn no_disk_no_announcement() {
    let house = House::new();
    let sealed = house.open().unwrap();
    fs::remove_dir_all(house.directory()).unwrap();
    fs::write(house.directory(), "a file where the directory was").unwrap();
    let refused = sealed.seal(&shoe(ID));
    assert!(matches!(refused, Err(SealedError::Disk { .. })), "{refused:?}");
    assert!(!refused.unwrap_err().is_lost());
}
