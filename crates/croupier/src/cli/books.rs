//! The commands that look at what is kept: check, audit, replay, proof, verify.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde_json::value::RawValue;
use store::Sqlite;

use super::{FOUND, RIGHT, print};
use crate::proof::{self, MAX_CHAIN_RECORDS, MAX_RECORD_BYTES, Outcome, ShoeRecord, Verdict};
use crate::recall::{Archive, shoe_id};
use crate::replay::round_id;
use crate::{audit, check, replay};

/// Bytes of the longest file of records that is read.
const CHAIN_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// The house file at a path, or in a data folder.
fn house_file(db: &Path) -> PathBuf {
    if db.is_dir() { db.join("house.sqlite") } else { db.to_owned() }
}

fn open(db: &Path) -> anyhow::Result<Sqlite> {
    Sqlite::open_read_only(&house_file(db)).map_err(|why| anyhow!("{}: {why}", why.code()))
}

fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// `croupier check`.
pub fn check(files: &[PathBuf], json: bool) -> anyhow::Result<u8> {
    let reports: Vec<check::Report> = files.iter().map(|file| check::check_file(file)).collect();
    if json {
        print_json(&check::json(&reports))?;
    } else {
        print(&check::text(&reports))?;
    }
    Ok(if check::all_passed(&reports) { RIGHT } else { FOUND })
}

/// `croupier audit`.
pub fn audit(db: &Path, json: bool) -> anyhow::Result<u8> {
    let mut store = open(db)?;
    let report = audit::audit(&mut store).map_err(|why| anyhow!("{}: {why}", why.code()))?;
    if json {
        print_json(&report)?;
    } else {
        print(&format!("{report}\n"))?;
    }
    Ok(if report.is_clean() { RIGHT } else { FOUND })
}

/// `croupier replay`.
pub fn replay(db: &Path, round: &str, json: bool) -> anyhow::Result<u8> {
    let id = round_id(round);
    let id = id.ok_or_else(|| anyhow!("--round: expected table and number such as 3-17"))?;
    let mut store = open(db)?;
    let told = replay::replay(&mut store, id).map_err(|why| anyhow!("{}: {why}", why.code()))?;
    if json {
        print_json(&told)?;
    } else {
        print(&format!("{told}\n"))?;
    }
    Ok(RIGHT)
}

/// `croupier proof`.
pub fn proof(db: &Path, shoe: &str) -> anyhow::Result<u8> {
    let id = shoe_id(shoe);
    let id = id.ok_or_else(|| anyhow!("--shoe: expected table and number such as 3-17"))?;
    drop(open(db)?);
    let record = Archive::new(&house_file(db)).shoe(id)?;
    let record = record.ok_or_else(|| anyhow!("NO_SUCH_SHOE: no robot shuffled a shoe {shoe}"))?;
    print(&format!("{}\n", record.to_json()))?;
    Ok(RIGHT)
}

/// The records in a file: one, or a list.
fn records(file: &Path) -> anyhow::Result<Vec<ShoeRecord>> {
    let named = || file.display().to_string();
    let mut text = String::new();
    let opened = std::fs::File::open(file).with_context(named)?;
    let read = opened.take(CHAIN_BYTES_MAX).read_to_string(&mut text).with_context(named)?;
    let told = |why: proof::NotARecord| anyhow!("{}: {}: {why}", why.code(), file.display());
    if !text.trim_start().starts_with('[') {
        if read > MAX_RECORD_BYTES {
            bail!("{}: longer than {MAX_RECORD_BYTES} bytes", file.display());
        }
        return Ok(vec![ShoeRecord::parse(&text).map_err(told)?]);
    }
    let list: Vec<&RawValue> = serde_json::from_str(&text).with_context(named)?;
    if list.len() > MAX_CHAIN_RECORDS {
        bail!("{}: more than {MAX_CHAIN_RECORDS} records", file.display());
    }
    list.into_iter().map(|record| ShoeRecord::parse(record.get()).map_err(told)).collect()
}

fn told(verdict: &Verdict) -> String {
    let word = match verdict.outcome {
        Outcome::Proven => "proven",
        Outcome::InPlay => "in play: nothing is wrong, nothing is proven yet",
        Outcome::Unprovable => "cannot be proven: the house lost the order",
        Outcome::Refuted => "REFUTED",
    };
    let mut text = format!(
        "shoe {}-{}: {word} ({} cards compared)\n",
        verdict.table, verdict.shoe, verdict.cards_compared
    );
    for finding in &verdict.findings {
        text.push_str(&format!("  {finding}\n"));
    }
    if verdict.more > 0 {
        text.push_str(&format!("  and {} more\n", verdict.more));
    }
    text
}

/// `croupier verify`.
pub fn verify(files: &[PathBuf], json: bool) -> anyhow::Result<u8> {
    let mut all = Vec::new();
    for file in files {
        all.extend(records(file)?);
    }
    if let [record] = all.as_slice() {
        let verdict = proof::verify(record);
        if json {
            print_json(&verdict)?
        } else {
            print(&told(&verdict))?
        }
        return Ok(if verdict.is_proven() { RIGHT } else { FOUND });
    }
    let chain = proof::verify_chain(&all);
    if json {
        print_json(&chain)?;
    } else {
        let mut text: String = chain.shoes.iter().map(told).collect();
        for finding in &chain.links {
            text.push_str(&format!("between shoes: {finding}\n"));
        }
        text.push_str(if chain.is_proven() { "the chain is proven\n" } else { "NOT PROVEN\n" });
        print(&text)?;
    }
    Ok(if chain.is_proven() { RIGHT } else { FOUND })
}
