# The appliance on one page: `make` lists what it can do.
.DEFAULT_GOAL := help
.ONESHELL:
.SILENT:
.SUFFIXES:
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

SYSTEM := cmake g++ portaudio19-dev python3-dev python3-venv
SYSTEM_DEV := alsa-utils chromium chromium-driver espeak-ng flite libasound2-plugins mosquitto mpd pulseaudio pulseaudio-utils sox strace systemd
PIP := .venv/bin/python -m pip install --no-input --disable-pip-version-check --require-hashes
LOCK := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --custom-compile-command "make lock"
AS_ROOT := $(if $(filter-out 0,$(shell id -u)),sudo)
# The user's own settings or the defaults, never the installed appliance's: its folders are root's and the service's.
OWN := $(or $(VOICE_APPLIANCE_CONFIG),$(wildcard $(or $(XDG_CONFIG_HOME),$(HOME)/.config)/voice-appliance/config.toml),/dev/null)
APPLIANCE := .venv/bin/appliance --config $(OWN)
MCP_SERVERS := @modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-filesystem@2026.8.31
PAGE_TOOLS := axe-core@4.14.1
ARGS ?=
NAMES ?=
PURGE ?=
BOARD ?=
PLAYBOOK ?= update
LIMIT ?= all
INVENTORY ?=
ANSIBLE := LC_ALL=C.UTF-8 ANSIBLE_CONFIG=ansible/ansible.cfg .venv/bin/ansible-playbook
# gcc 12 leaves out most of what ldtilecfg is to read (amxtileintrin.h names it 8 bytes of the 64), so llama.cpp with AMX
# dies at its first batch. Fixed by hand it reads 16 tokens in 241 ms instead of 383 and 128 no faster, for 770 MB more
# (1.5B, 2-core Xeon, 2026-11-23): not worth it.
NO_AMX := $(if $(filter x86_64,$(shell uname -m)),-mno-amx-tile -mno-amx-int8 -mno-amx-bf16)

help: ## This list
	awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: .venv/ready ## System packages, the environment in .venv and the appliance itself
	echo "Ready: .venv/bin/appliance"

models: .venv/ready ## Fetch this board's models (NAMES="..." for others)
	$(APPLIANCE) models fetch $(NAMES)

demo: models ## Play a recorded question through the whole chain
	mkdir -p out
	$(APPLIANCE) hear bench/recordings/demo.wav --realtime --out out/answer.wav --picture out/turn.png

run: models ## Start the appliance here
	$(APPLIANCE) run $(ARGS)

test: lint ## Lint, types and every test (ARGS="-k wake" for some)
	.venv/bin/python -m pytest $(ARGS)

lint: .venv/ready-dev ## Style and types
	.venv/bin/ruff check --quiet
	.venv/bin/ruff format --quiet --check
	.venv/bin/mypy --no-error-summary
	cd ansible
	../.venv/bin/yamllint --strict .
	LC_ALL=C.UTF-8 PATH="$(CURDIR)/.venv/bin:$$PATH" ansible-lint -q

test drills eval bench: export VOICE_APPLIANCE_CONFIG := $(OWN)

eval: .venv/ready-dev models ## Written cases, then spoken requests: how many end as they should
	status=0
	.venv/bin/python -m bench.evaluate $(ARGS) || status=$$?
	.venv/bin/python -m bench.spoken || status=$$?
	exit $$status

bench: .venv/ready-dev models ## Measure this machine: one row in bench/results (ARGS="--parts text" for some of it)
	.venv/bin/python -m bench.bench $(ARGS)

bench-compare: .venv/ready-dev ## The last row against the one before: no token count or ratio over 15 % worse
	.venv/bin/python -m bench.compare $(ARGS)

kills: .venv/ready-dev ## Kill the whole service 500 times in mid-turn: nothing acknowledged is lost (ARGS="--times 50")
	.venv/bin/python -m bench.kills $(ARGS)

nodes: .venv/ready-dev ## Two hubs and six nodes killed and cut at random, 500 conversations (as root; ARGS="--times 50")
	.venv/bin/python -m bench.nodes $(ARGS)

soak: .venv/ready-dev models ## A household's day in two hours, with faults: what was lost, leaks, slows down (ARGS="--minutes 20")
	.venv/bin/python -m bench.soak $(ARGS)

install: models wheelhouse ## Make this box the appliance: a service that starts with it
	$(functions)
	store=$$(.venv/bin/python -c 'from pathlib import Path; from appliance import settings_file; print(settings_file.load(Path("$(OWN)")).models)')
	$(AS_ROOT) systemd/install "build/wheels/$$(platform)" "$$store"

uninstall: ## Take the service off this box; what it remembers stays (PURGE=1: goes too)
	$(AS_ROOT) env PURGE=$(PURGE) systemd/uninstall

wheels: .venv/ready ## Every wheel for a kind of board, into the cache, to install it offline (BOARD=pi5-cp311)
	.venv/bin/python ansible/wheels.py "$(BOARD)"

board-test: .venv/ready-dev ## Prove the wheels on an emulated arm64 Debian: they install, write and hear (as root; docs/testing-machines.md)
	.venv/bin/appliance models fetch smollm2-135m whisper-tiny.en
	.venv/bin/python -m pytest -p tests.no_skips $(ARGS) tests/boards/proof_arm64.py

wheelhouse: .venv/ready ## Collect every wheel of a release in build/wheels (BOARD="pi5-cp311 ...": those that `make wheels` made)
	$(functions)
	own=build/wheels/$$(platform)
	if [ -z "$(BOARD)" ] && ! cmp -s requirements.txt "$$own/for"; then
		echo "Wheels for boxes like this one: $$own"
		rm -rf "$$own"
		native_build
		quietly .venv/bin/python -m pip wheel --no-input --disable-pip-version-check --require-hashes \
			--cache-dir "$$(wheel_cache)" --no-binary pywhispercpp --wheel-dir "$$own" -r requirements.txt
		cp requirements.txt "$$own/for"
	fi
	rm -rf build/lib build/bdist.*
	for folder in $(or $(addprefix build/wheels/,$(BOARD)),$$own); do
		made=$${XDG_CACHE_HOME:-$$HOME/.cache}/voice-appliance/wheels/$${folder##*/}
		if [ "$$folder" != "$$own" ] && [ -d "$$made" ]; then
			rm -rf "$$folder"
			mkdir -p build/wheels
			cp -r "$$made" "$$folder"
		fi
		rm -f "$$folder"/voice_appliance-*.whl
		# Dated like the rest of its files: what did not change has the same hash.
		SOURCE_DATE_EPOCH=315532800 quietly .venv/bin/python -m pip wheel --disable-pip-version-check --no-deps \
			--no-build-isolation --wheel-dir "$$folder" .
		.venv/bin/python ansible/wheelhouse.py "$$folder"
		echo "Release: $$(systemd/release name "$$folder") for $${folder#build/wheels/}"
	done

provision-test: .venv/ready-dev models wheelhouse ## The ansible role against Debian in a folder: fresh, again, updates good and bad
	$(functions)
	system_packages debootstrap
	$(AS_ROOT) env HOME="$$HOME" .venv/bin/python -m pytest -m provision tests/ansible $(ARGS)

vm-test: .venv/ready-dev wheelhouse ## The same on a whole machine: systemd, kill -9, a hung service, power cuts (as root; docs/testing-machines.md)
	$(functions)
	system_packages apt-utils bc bison debootstrap flex gcc iproute2 openssh-client
	.venv/bin/appliance --config /dev/null --profile pi4 models fetch
	echo "Kernel: compiled the first time, some 6 minutes on 2 cores"
	PYTHONPATH=tests:ansible .venv/bin/python tests/machine/kernel.py
	$(AS_ROOT) env HOME="$$HOME" VOICE_APPLIANCE_CONFIG=/dev/null .venv/bin/python -m pytest -m vm -p tests.no_skips --verbose tests/machine $(ARGS)

home-test: .venv/ready-dev ## Bridge and Wyoming on a real Home Assistant in an environment of its own (minutes, 500 MB, the first time)
	.venv/bin/python -m pytest -m home -p tests.no_skips tests/bridge tests/hub $(ARGS)

mcp-test: .venv/ready-dev ## The bridge against the reference MCP servers of the npm registry, which are fetched (needs node)
	folder=$${XDG_CACHE_HOME:-$$HOME/.cache}/voice-appliance/mcp-servers
	mkdir -p "$$folder"
	npm install --prefix "$$folder" --no-audit --no-fund --ignore-scripts --silent $(MCP_SERVERS)
	.venv/bin/python -m pytest -m mcp -p tests.no_skips $(ARGS) tests/bridge

page-test: .venv/ready-dev ## The hub's page in Chromium, with axe-core of the npm registry, which is fetched (needs npm)
	folder=$${XDG_CACHE_HOME:-$$HOME/.cache}/voice-appliance/page-tools
	mkdir -p "$$folder"
	npm install --prefix "$$folder" --no-audit --no-fund --ignore-scripts --silent $(PAGE_TOOLS)
	.venv/bin/python -m pytest -m "axe or not axe" -p tests.no_skips $(ARGS) tests/hub

wifi-test: .venv/ready-dev ## What joins a Wi-Fi, beside a real NetworkManager in namespaces (as root; installs network-manager)
	$(functions)
	system_packages network-manager
	.venv/bin/python -m pytest -m wifi -p tests.no_skips $(ARGS) tests/systemd

drills: .venv/ready-dev models ## The 18 fault drills, a line each (as root; ARGS="3 7" for some, ARGS=--red: can each fail?)
	.venv/bin/appliance --config /dev/null models fetch smollm2-135m whisper-tiny.en
	.venv/bin/python tests/drills/drills.py $(ARGS)

deploy: inventory .venv/ready-dev models wheelhouse ## Bring the boxes of INVENTORY=... to this version (LIMIT=one of them; PLAYBOOK=site, rollback)
	$(ANSIBLE) --inventory "$(INVENTORY)" --limit "$(LIMIT)" "ansible/playbooks/$(PLAYBOOK).yml" $(ARGS)

inventory: # asked for before anything is made: the example's addresses are somebody else's
	: $(or $(INVENTORY),$(error Which boxes? Remedy: make deploy INVENTORY=../boxes/example.yml (docs/provisioning.md, The inventory)))

lock: .venv/ready-dev ## Pin what the *.in files name (ARGS=--upgrade for newer versions)
	for name in requirements requirements-setup requirements-dev; do
		$(LOCK) $(ARGS) --output-file $$name.txt $$name.in
	done

clean: ## Remove the environment and everything made here; fetched models stay
	rm -rf .venv build out .mypy_cache .ruff_cache .pytest_cache .hypothesis ./*.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

.PHONY: help setup models demo run test lint eval bench bench-compare kills nodes soak install uninstall wheels board-test wheelhouse provision-test vm-test home-test mcp-test page-test wifi-test drills deploy inventory lock clean

.venv/ready: requirements.txt requirements-setup.txt
	$(functions)
	system_packages $(SYSTEM)
	python=$$(newest_python)
	echo "Environment: .venv with $$($$python --version)"
	$$python -m venv --clear .venv
	quietly $(PIP) --upgrade -r requirements-setup.txt
	echo "Libraries; the first time, llama.cpp and whisper.cpp are compiled for this machine: some 9 minutes on 2 cores"
	native_build
	quietly $(PIP) --cache-dir "$$(wheel_cache)" --no-binary pywhispercpp -r requirements.txt
	quietly .venv/bin/python -m pip install --no-build-isolation --no-deps --editable .
	touch $@

.venv/ready-dev: .venv/ready requirements-dev.txt
	$(functions)
	system_packages $(SYSTEM_DEV)
	echo "Tools for tests and measurements"
	quietly $(PIP) -r requirements-dev.txt
	touch $@

# Shell functions of the two recipes above.
define functions
progress() { # the newest line of a long job and the seconds so far: in place on a terminal, every 20 s elsewhere
	local line shown='' last=$$SECONDS start=$$SECONDS
	while IFS= read -r -t 1 line || (($$? > 128)); do
		shown=$${line:-$$shown}
		if [ -t 1 ]; then
			printf '\r\033[K  %4d s  %.66s' $$((SECONDS - start)) "$$shown"
		elif ((SECONDS - last >= 20)); then
			printf '  %4d s  %.100s\n' $$((SECONDS - start)) "$$shown"
			last=$$SECONDS
		fi
	done
	[ ! -t 1 ] || printf '\r\033[K'
}

quietly() { # COMMAND...: progress only; the end of its output when it fails
	local log
	log=$$(mktemp)
	"$$@" 2>&1 | tee "$$log" | progress || { tail -n 40 "$$log"; echo "Failed: $$*; the whole output is in $$log"; exit 1; } >&2
	rm -f "$$log"
}

system_packages() { # NAME...: install those that are missing, with a question before sudo
	local name missing=() as_root=()
	command -v dpkg-query >/dev/null || { echo "No apt here; see to it that there are: $$*"; return; }
	for name; do
		dpkg-query -Wf '$${Status}' "$$name" 2>/dev/null | grep -q '^install ok installed' || missing+=("$$name")
	done
	[ $${#missing[@]} -gt 0 ] || return 0
	echo "System packages: $${missing[*]}"
	if [ "$$(id -u)" != 0 ]; then
		as_root=(sudo DEBIAN_FRONTEND=noninteractive)
		read -rp "Install them with sudo apt-get? [Y/n] " answer || answer=n
		[[ $${answer:-y} == [Yy]* ]] || { echo "Then install them first: sudo apt-get install $${missing[*]}" >&2; exit 1; }
		sudo --validate
	fi
	export DEBIAN_FRONTEND=noninteractive
	quietly "$${as_root[@]}" apt-get update
	quietly "$${as_root[@]}" apt-get install --yes --no-install-recommends "$${missing[@]}"
}

native_build() { # how llama.cpp and whisper.cpp are compiled for the processor they will run on
	export CFLAGS="$(NO_AMX)" CXXFLAGS="$(NO_AMX)"
	export CMAKE_ARGS="-DGGML_NATIVE=ON -DGGML_LLAMAFILE=ON" CMAKE_BUILD_PARALLEL_LEVEL=$$(nproc)
	# Read by pywhispercpp only: its own ggml goes into the module, or it would meet llama.cpp's in one process.
	export BUILD_SHARED_LIBS=OFF CMAKE_POSITION_INDEPENDENT_CODE=ON
}

platform() { # as the folder of wheels for it is called
	.venv/bin/python -c 'import platform, sys; print("%s-cp%d%d" % (platform.machine(), *sys.version_info[:2]))'
}

wheel_cache() { # a folder of its own per processor and set of options: pip reuses a wheel whatever it was compiled for
	local key
	key=$$({ uname -m; grep -m 1 -iE '^(flags|features)' /proc/cpuinfo || true; env | grep -E '^(C(XX)?FLAGS|CMAKE_ARGS|CMAKE_POS.*|BUILD_SHARED.*)=' | sort; } | sha256sum)
	echo "$${XDG_CACHE_HOME:-$$HOME/.cache}/voice-appliance/wheels/$${key:0:12}"
}

newest_python() { # the newest Python that the appliance runs on and that can make an environment
	local name
	for name in python3.13 python3.12 python3.11 python3; do
		if "$$name" -c 'import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14) or sys.version_info[3] != "final")' 2>/dev/null; then
			echo "$$name"
			return
		fi
	done
	echo "No Python 3.11, 3.12 or 3.13 here; install one: sudo apt-get install python3 python3-venv" >&2
	return 1
}
endef
