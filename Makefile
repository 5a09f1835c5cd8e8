# Two commands are enough on a fresh machine: make demo, make test. The rest is for people who change Portway.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export NODE_NO_WARNINGS := 1
packages := node_modules/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help demo test check generate bench faults mutants build format clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

demo: $(packages) ## the main job on a real control plane on this machine
	@check/tools.sh go
	@node demo/run.ts

test: $(packages) ## every test; the same as CI
	@check/tools.sh go
	@node check/run.ts
	@node test/run.ts

check: $(packages) ## format, lint, types, direction of dependency, dependencies
	@node check/run.ts

generate: $(packages) ## messages from proto/: src/rpc/gen; types from the server's OpenAPI: src/api/gen
	@check/tools.sh go
	@node generate/run.ts

bench: $(packages) ## speed beside the peers: docs/benchmarks.md
	@check/tools.sh go
	@node bench/run.ts
	@node bench/run.ts transfer
	@node bench/run.ts provision
	@node bench/run.ts buckets
	@node bench/run.ts cli

faults: $(packages) ## crashes at every write of every flow: docs/faults.md
	@check/tools.sh go
	@node test/faults/run.ts

mutants: $(packages) ## break one thing at a time, in a copy: a named test must fail each time
	@check/tools.sh go
	@node test/mutants/run.ts

build: $(packages) ## the program as one file: build/portway
	@node check/bundle.ts

format: $(packages) ## put every file into the common format
	@biome check --write --linter-enabled=false .

clean: ## remove what was installed and built here (the cache of built parts stays: ~/.cache/portway)
	rm -rf node_modules build

$(packages): package.json package-lock.json .npmrc
	@check/tools.sh node npm
	@echo "installing npm packages (half a minute the first time)"
	@npm ci --loglevel=error || { echo "error: the npm packages cannot be installed; check the network, then run this again" >&2; exit 1; }
	@touch $@
