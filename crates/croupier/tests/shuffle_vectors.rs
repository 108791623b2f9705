//! The shuffle and the commitment against the same description written again in Python.

use croupier::proof::{Commitment, Salt, ShoeId, ShuffleMode, ShuffledShoe};
use croupier::robot::shuffle::{pack, shuffled};
use games::Card;
use rand::rngs::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use serde::Deserialize;

/// One case of `vectors/shuffle.json`, made by `vectors/shuffle.py`.
#[derive(Deserialize)]
struct Vector {
    seed: Salt,
    table: u32,
    shoe: u32,
    previous: Option<Commitment>,
    decks: u8,
    shuffle: ShuffleMode,
    salt: Salt,
    next_word: u32,
    order: String,
    commitment: Commitment,
}

#[derive(Deserialize)]
struct Vectors {
    vectors: Vec<Vector>,
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("vectors/shuffle.json");
    let vectors = serde_json::from_str::<Vectors>(text).expect("the vectors are JSON").vectors;
    assert!(vectors.len() >= 6, "too few vectors to mean anything");
    vectors
}

fn check(vector: &Vector) {
    let mut generator = ChaCha20Rng::from_seed(vector.seed.0);
    let order = shuffled(pack(vector.decks), &mut generator);
    let words: Vec<String> = order.iter().map(Card::to_string).collect();
    assert_eq!(words.join(" "), vector.order, "{} decks", vector.decks);
    assert_eq!(generator.next_u32(), vector.next_word, "another count of words was used");

    let id = ShoeId { table: vector.table, shoe: vector.shoe };
    let (decks, shuffle, salt) = (vector.decks, vector.shuffle, vector.salt);
    let shoe = ShuffledShoe::new(id, vector.previous, decks, shuffle, order, salt).unwrap();
    assert_eq!(shoe.commitment(), vector.commitment, "{id}");
    assert_eq!(ShuffledShoe::from_text(&shoe.text()), Ok(shoe));
}

#[test]
fn shuffle_and_commitment_agree_with_the_second_writing() {
    vectors().iter().for_each(check);
}

#[test]
fn the_text_of_a_shoe_has_one_spelling() {
    let vector = &vectors()[1];
    let mut generator = ChaCha20Rng::from_seed(vector.seed.0);
    let order = shuffled(pack(vector.decks), &mut generator);
    let id = ShoeId { table: 5, shoe: 9 };
    let (decks, shuffle, salt) = (vector.decks, vector.shuffle, vector.salt);
    let shoe = ShuffledShoe::new(id, vector.previous, decks, shuffle, order, salt).unwrap();
    let text = shoe.text();
    let first = shoe.order()[0].to_string();
    let other = Card::deck().find(|card| *card != shoe.order()[0]).unwrap().to_string();
    for (from, to) in [
        ("croupier-shoe: 1", "croupier-shoe: 2"),
        ("table: 5", "table: 05"),
        ("table: 5", "table: +5"),
        ("table: 5", "table: 4294967296"),
        ("shoe: 9", "shoe:9"),
        ("decks: 2", "decks: 3"),
        ("decks: 2", "decks: 0"),
        ("decks: 2", "decks: 13"),
        ("shuffle: rng", "shuffle: RNG"),
        ("previous: ", "previous: 0"),
        (&format!("order: {first}"), &format!("order: {other}")),
        (&format!("order: {first}"), "order: 1X"),
        (&format!("order: {first} "), &format!("order: {first}  ")),
        (&format!("order: {first} "), "order: "),
        ("salt: ", "salt: 0"),
        ("\nsalt: ", "\r\nsalt: "),
        ("\nsalt: ", "\nmore: 1\nsalt: "),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text, "{from} is not in the text");
        let error = ShuffledShoe::from_text(&wrong).expect_err(to);
        assert!(!error.to_string().contains(&shoe.salt().to_string()), "{error}");
    }
    for wrong in [text.trim_end().to_owned(), format!("{text}\n"), String::new(), "\n".repeat(9)] {
        ShuffledShoe::from_text(&wrong).expect_err("another ending");
    }
}
