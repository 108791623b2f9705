#!/usr/bin/env bash
# Every test of the project: formatting and lints, Rust, the vectors, the pages, the real browser.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$1"; }

step 'tools'
scripts/need.sh rust
scripts/need.sh node
scripts/need.sh browser

step 'pages: build'
make --no-print-directory web/dist/index.html

step 'formatting and lints'
make --no-print-directory check

step 'rust: build'
cargo build --locked --bin croupier
cargo test --locked --workspace --no-run

step 'rust: tests'
cargo test --locked --workspace

step 'vectors through the command line'
target/debug/croupier check crates/croupier/tests/vectors/*.jsonl

step 'pages: tests'
(cd web && npm test --silent)

step 'browser: a real house, real sockets, real Chromium'
(cd web && CROUPIER_BIN=../target/debug/croupier node --test --test-concurrency=1 e2e/)

step 'all passed'
