# Everything here needs Python 3.11+, g++ and make. `make test` also needs Chromium, `make check` Node.
# The virtual environment and the built kernel are made on first use and renewed when their
# sources change.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNEL := $(shell find core -name '*.hpp' -o -name '*.cpp') CMakeLists.txt pyproject.toml
# The editable install holds a map of the package's modules, so the stamp carries a checksum of
# their names: a new module renews the install.
MODULES := $(shell find src -name '*.py' | sort | cksum | cut -d ' ' -f 1)
BUILT := $(VENV)/.built-$(MODULES)

.DEFAULT_GOAL := help
.PHONY: help play test check check-core build prove bench bench-rules clean

help: ## show what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

play: build ## play in the browser (games are kept in SQLite)
	@$(BIN)/damka serve

test: build $(VENV)/.test check-core ## run every test (needs Chromium)
	$(PYTHON) tools/prerequisites.py chromium
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: build $(VENV)/.test node_modules/.package-lock.json ## style, types and warnings (needs Node)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	npx --no-install tsc -p .
	$(MAKE) --no-print-directory check-warnings

prove: build $(VENV)/.test ## compare the kernel with the specification (hours; goes on where it was)
	@nice $(BIN)/python -m tools.prove

bench: build $(VENV)/.test ## measure speed, next to the peers
	$(BIN)/python -m bench

bench-rules: build ## count leaves by every rule set, beside international draughts
	@$(BIN)/python -m bench.rules

build: $(BUILT) ## set up the environment and build the kernel

clean: ## remove the environment and everything built
	rm -rf $(VENV) build dist node_modules

$(VENV)/.play: requirements/play.txt
	$(PYTHON) tools/prerequisites.py build
	@echo "setting up the environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/play.txt
	touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.play
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	touch $@

$(BUILT): $(VENV)/.play $(KERNEL)
	@echo "building the search kernel: a minute or two"
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pip install --quiet --disable-pip-version-check \
		--no-build-isolation --no-deps --editable .
	@rm -f $(VENV)/.built-*
	touch $@

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-audit --no-fund

# The kernel's own tests, under the address and undefined-behaviour sanitizers.
CORE_TESTS := $(patsubst core/%.cpp,build/check-core/%.o,$(wildcard core/*.cpp core/tests/*.cpp))

check-core: ## run the kernel's own tests
	@$(MAKE) --no-print-directory -j$$(getconf _NPROCESSORS_ONLN) build/check-core/run
	build/check-core/run --list | xargs -P $$(getconf _NPROCESSORS_ONLN) -n 1 build/check-core/run

build/check-core/run: $(CORE_TESTS)
	$(CXX) -fsanitize=address,undefined $^ -o $@

build/check-core/%.o: core/%.cpp $(wildcard core/*.hpp core/tests/*.hpp)
	@mkdir -p $(@D)
	$(CXX) -std=c++20 -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all \
		-Wall -Wextra -Wconversion -Werror -Icore -c $< -o $@

# What the compiler has to say of the bindings and the kernel in them, without building them again.
.PHONY: check-warnings
check-warnings: build ## compile the kernel with warnings as errors
	@printf '%s\n' core/*.cpp core/bindings/*.cpp | xargs -P $$(getconf _NPROCESSORS_ONLN) -I SOURCE \
		$(CXX) -std=c++20 -fsyntax-only -fvisibility=hidden -Wall -Wextra -Wconversion -Werror -Icore \
		-isystem $$($(BIN)/python -m nanobind --include_dir) \
		-isystem $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))') SOURCE
