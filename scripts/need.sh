#!/usr/bin/env bash
# Makes sure that a tool is there: installs it where that can be done, says in one line what is
# missing where it cannot.
set -euo pipefail

missing() {
  echo "croupier: $1" >&2
  exit 1
}

# apt packages, on Debian as root; elsewhere their names.
packages() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update >/dev/null
    apt-get -qq install -y --no-install-recommends "$@" >/dev/null
  else
    missing "missing: $*; on Debian: sudo apt-get install $*"
  fi
}

at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

case "${1:?what is needed}" in
  rust)
    command -v cargo >/dev/null || missing "Rust 1.95 or newer is needed; get it with rustup"
    version=$(rustc --version | cut -d' ' -f2)
    at_least 1.95.0 "$version" || missing "Rust 1.95 or newer is needed, here is $version; run rustup update"
    command -v cc >/dev/null || packages gcc libc6-dev
    ;;
  node)
    command -v npm >/dev/null || missing "Node.js 20.19 or newer with npm is needed"
    version=$(node --version | tr -d v)
    at_least 20.19.0 "$version" || missing "Node.js 20.19 or newer is needed, here is $version"
    ;;
  nextest)
    command -v cargo-nextest >/dev/null || cargo install --locked --quiet cargo-nextest
    ;;
  browser)
    command -v chromium >/dev/null || [ -x /usr/bin/chromium ] || packages chromium
    fc-list 2>/dev/null | grep -qi 'cjk' || packages fonts-noto-cjk fontconfig
    ;;
  *) missing "no such need: $1" ;;
esac
