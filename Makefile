# The two commands that matter: `make run` and `make test`. Everything they need they install.

CROUPIER := target/debug/croupier
WEB_SOURCES := $(shell find web/src web/public web/index.html web/vite.config.ts web/svelte.config.js -type f 2>/dev/null)

.PHONY: run test check build types screenshots bench clean-data

# Builds the pages and the house, opens the tables and prints the address.
run: build
	$(CROUPIER) serve

# Every test: Rust, web, browser. Installs Chromium and fonts where they are missing.
test:
	scripts/test.sh

# What a change must pass before anything else looks at it: formatting and lints.
check: web/dist/index.html
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cd web && npm run --silent check

build: $(CROUPIER)

.PHONY: $(CROUPIER)
$(CROUPIER): web/dist/index.html
	scripts/need.sh rust
	cargo build --locked --bin croupier

web/dist/index.html: web/node_modules/.installed $(WEB_SOURCES)
	cd web && npm run --silent build

web/node_modules/.installed: web/package-lock.json
	scripts/need.sh node
	cd web && npm ci --no-audit --no-fund
	touch $@

# The TypeScript of the wire and the OpenAPI document, from the house's own types.
types:
	CROUPIER_WRITE_TYPES=1 cargo test --locked -p croupier --lib wire
	cargo run --locked --quiet --bin croupier -- openapi > docs/openapi.json

# The pictures of the README, from a real house in a real browser.
screenshots: build
	scripts/need.sh browser
	cd web && node screenshots.mjs

# Benches stand beside what they measure; each says in its head how to read it.
bench:
	cargo bench --locked -p store --bench commit -- --ratio-only
