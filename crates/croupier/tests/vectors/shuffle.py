#!/usr/bin/env python3
"""Makes shuffle.json: the shuffle and the commitment, written a second time from their description.

It follows the specification at the head of src/robot/shuffle.rs and docs/fairness.md, shares no
code with the program, and uses nothing but the standard library:

    python3 shuffle.py > shuffle.json           the vectors that the tests read
    python3 shuffle.py --example                the worked example of docs/fairness.md
"""

import hashlib
import json
import sys


def rotate(word, bits):
    return ((word << bits) | (word >> (32 - bits))) & 0xFFFFFFFF


def quarter(state, a, b, c, d):
    for first, second, third, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[first] = (state[first] + state[second]) & 0xFFFFFFFF
        state[third] = rotate(state[third] ^ state[first], bits)


def chacha20_words(key):
    """The key stream as 32-bit words: 20 rounds, 64-bit counter from 0, nonce 0."""
    constants = [int.from_bytes(b"expand 32-byte k"[i : i + 4], "little") for i in range(0, 16, 4)]
    words = [int.from_bytes(key[i : i + 4], "little") for i in range(0, 32, 4)]
    counter = 0
    while True:
        start = constants + words + [counter & 0xFFFFFFFF, counter >> 32, 0, 0]
        state = list(start)
        for _ in range(10):
            quarter(state, 0, 4, 8, 12)
            quarter(state, 1, 5, 9, 13)
            quarter(state, 2, 6, 10, 14)
            quarter(state, 3, 7, 11, 15)
            quarter(state, 0, 5, 10, 15)
            quarter(state, 1, 6, 11, 12)
            quarter(state, 2, 7, 8, 13)
            quarter(state, 3, 4, 9, 14)
        for mixed, first in zip(state, start):
            yield (mixed + first) & 0xFFFFFFFF
        counter += 1


def below(words, bound):
    fair = 2**32 - 2**32 % bound
    while True:
        word = next(words)
        if word < fair:
            return word % bound


def shuffled(decks, words):
    cards = [rank + suit for _ in range(decks) for suit in "CDHS" for rank in "A23456789TJQK"]
    for last in range(len(cards) - 1, 0, -1):
        other = below(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def canonical(table, shoe, previous, decks, shuffle, order, salt):
    return (
        f"croupier-shoe: 1\ntable: {table}\nshoe: {shoe}\nprevious: {previous or 'none'}\n"
        f"decks: {decks}\nshuffle: {shuffle}\norder: {' '.join(order)}\nsalt: {salt}\n"
    )


def sha256(text):
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def vector(seed, table, shoe, previous, decks, shuffle, salt):
    words = chacha20_words(seed)
    order = shuffled(decks, words)
    text = canonical(table, shoe, previous, decks, shuffle, order, salt)
    return {
        "seed": seed.hex(),
        "table": table,
        "shoe": shoe,
        "previous": previous,
        "decks": decks,
        "shuffle": shuffle,
        "salt": salt,
        "next_word": next(words),
        "order": " ".join(order),
        "commitment": sha256(text),
    }


def vectors():
    salts = [hashlib.sha256(b"salt %d" % n).hexdigest() for n in range(6)]
    previous = hashlib.sha256(b"the shoe before").hexdigest()
    return [
        vector(bytes(32), 1, 1, None, 1, "continuous", salts[0]),
        vector(bytes(range(32)), 1, 2, previous, 2, "rng", salts[1]),
        vector(b"\xff" * 32, 3, 17, previous, 6, "rng", salts[2]),
        vector(hashlib.sha256(b"eight").digest(), 3, 18, previous, 8, "rng", salts[3]),
        vector(hashlib.sha256(b"more").digest(), 4294967295, 4294967295, previous, 8,
               "continuous", salts[4]),
        vector(hashlib.sha256(b"twelve").digest(), 12, 1, None, 12, "rng", salts[5]),
    ]


def value(card):
    return {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}[card[0]] if card[0] in "ATJQK" else int(card[0])


def coup(cards):
    """How many cards a coup of baccarat takes, for a plausible example."""
    player = (value(cards[0]) + value(cards[2])) % 10
    banker = (value(cards[1]) + value(cards[3])) % 10
    if player >= 8 or banker >= 8:
        return 4
    if player >= 6:
        return 5 if banker <= 5 else 4
    third = value(cards[4])
    draws = {3: third != 8, 4: 2 <= third <= 7, 5: 4 <= third <= 7, 6: third in (6, 7)}
    return 6 if banker <= 2 or draws.get(banker, False) else 5


def example():
    previous = hashlib.sha256(b"the shoe before").hexdigest()
    salt = hashlib.sha256(b"the salt of the example").hexdigest()
    order = shuffled(2, chacha20_words(hashlib.sha256(b"the example").digest()))
    text = canonical(3, 17, previous, 2, "rng", order, salt)
    cut = order[52:] + order[:52]
    position, rounds, burned, dealt = 2, [], 2, 0
    for number, kind in ((2041, "demo"), (2042, "played"), (2043, "void"), (2044, "played")):
        position += 1
        burned += 1
        count = 2 if kind == "void" else coup(cut[position:])
        cards = cut[position : position + count]
        position += count
        dealt += count
        rounds.append({"round": number, "kind": kind, "burned": 1, "cards": " ".join(cards)})
    record = {
        "version": 1, "table": 3, "shoe": 17,
        "rules": {
            "decks": 2, "shuffle": "rng", "white_card_from_back": 12, "last_hand": "current",
            "white_first_is_last": False, "burn_new_shoe": "decks", "burn_court_value": 10,
            "burn_includes_first": True, "burn_per_coup": 1,
        },
        "previous": previous, "commitment": sha256(text),
        "order": " ".join(order), "salt": salt,
        "cut": {"by": "player", "at": 52}, "burn": {"count": 2, "shown": None},
        "rounds": rounds,
        "totals": {"burned": burned, "dealt": dealt, "left": len(order) - burned - dealt},
        "end": "pit",
    }
    return text, sha256(text), json.dumps(record, indent=2)


# The first key stream bytes under an all-zero key, as published with the cipher (RFC 8439 A.1).
FIRST = b"".join(word.to_bytes(4, "little") for _, word in zip(range(4), chacha20_words(bytes(32))))
assert FIRST.hex() == "76b8e0ada0f13d90405d6ae55386bd28", FIRST.hex()

if sys.argv[1:] == ["--example"]:
    print("\n".join(example()))
else:
    print(json.dumps({"made_by": "shuffle.py", "vectors": vectors()}, indent=1))
