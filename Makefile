# Everything here needs Python 3.11+, g++ and make. `make test` also needs Chromium, npm, PostgreSQL,
# Redis or Valkey, and nginx; `make check-site` needs Chromium and npm; `make check` and `make wasm` need npm.
# The virtual environment and the kernel are built on first use, and again when their sources
# change.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNEL := $(shell find core -name '*.hpp' -o -name '*.cpp') CMakeLists.txt pyproject.toml
# The editable install contains a map of the package's modules. The stamp's name has a checksum of
# their names, so that a new module renews the install.
MODULES := $(shell find src -name '*.py' | sort | cksum | cut -d ' ' -f 1)
BUILT := $(VENV)/.built-$(MODULES)
PROGRESS := $(PYTHON) tools/progress.py
PIP := $(BIN)/pip --disable-pip-version-check
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)
# Make several targets at once, or with the jobs of the make that called this one (hence the +).
SIDE_BY_SIDE = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(PROCESSORS))
# Compile through ccache where it is installed.
CCACHE := $(shell command -v ccache)
# Keep compiled modules: else every process of the tests compiles them, and rewrites their assertions.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help play test test-all quick ready check check-core check-site check-wasm js site docs build wasm \
	prove bench bench-rules load faults diagrams screenshots setup wheels clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

# Variables of the environment do not count: shells and hosts set HOST to other things.
HOST := 127.0.0.1
PORT := 8077

play: build ## play in the browser (games are saved; HOST=0.0.0.0 for other devices, PORT=8077)
	@$(BIN)/damka serve --host "$(HOST)" --port "$(PORT)"

# One worker runs all tests of a file. In the order of the folders, a folder's files share a browser
# and servers, and the quick doctests come last.
BY_FILE := --dist loadfile --no-loadscope-reorder

test: ready ## run the tests (needs Chromium, npm, PostgreSQL, Redis, nginx)
	$(BIN)/python -m pytest -n 3 $(BY_FILE) -m "not release"

test-all: ready ## run the tests and the slow checks of a release: wheels, Ray, more languages
	$(BIN)/python -m pytest -n 3 $(BY_FILE)

# What breaks first when rules, boards, games or the page's state change.
QUICK_TESTS := $(addprefix tests/,board game live notation pdn refusal rules) \
	$(addprefix tests/project/test_,import.py version.py)

quick: build $(VENV)/.test ## style, layers, types and the tests that matter most while editing (a minute)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo --no-cache
	+@$(SIDE_BY_SIDE) check-types quick-tests

.PHONY: quick-tests
quick-tests:
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not release" $(QUICK_TESTS)

# Everything the tests need. Packages download while the compiler runs; IN_TURN serializes the
# commands that install into the environment.
ready:
	$(PYTHON) tools/prerequisites.py build node chromium databases
	+@$(SIDE_BY_SIDE) IN_TURN=yes check-core js site-tests $(BUNDLERS)/.package-lock.json
ifdef IN_TURN
$(VENV)/.wasm: $(VENV)/.docs
$(BUILT): | $(VENV)/.wasm
endif

check: build $(VENV)/.test $(VENV)/.docs node_modules/.package-lock.json ## style, layers, types and compiler warnings (needs npm)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(wildcard core/*/*.?pp tools/*/*.cpp)
	$(BIN)/lint-imports --no-logo --no-cache
	+@$(SIDE_BY_SIDE) --output-sync check-types check-page check-warnings
	@$(PYTHON) tools/commit_subjects.py

.PHONY: check-types check-page check-warnings
check-types:
	$(BIN)/mypy

check-page:
	npx --no-install tsc -p .
	npx --no-install tsc -p site
	npx --no-install tsc -p js

# Resources that a page or style sheet loads from another host, which is an error. Links are allowed.
REMOTE := (https?:)?//[[:alnum:].-]+\.[[:alnum:]]
LOADS := -e '<(script|link|img|iframe|source|video|audio|embed|object|image|use)\b[^>]*\s(src|href|data|srcset|xlink:href)\s*=\s*["]?$(REMOTE)' \
	-e '(url\(\s*["]?|@import\s+["])$(REMOTE)'

docs: build $(VENV)/.docs ## build the documentation's pages; every warning is an error
	@rm -rf build/site-docs
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet --fresh-env --write-all --jobs auto -d build/site-docs.cache docs build/site-docs
	@! grep -rzoE $(LOADS) --include='*.html' --include='*.css' --include='*.svg' build/site-docs
	@echo "the documentation: $(CURDIR)/build/site-docs/index.html"

prove: build $(VENV)/.test ## compare the kernel with the reference rules: property tests with 50 times the examples (an hour)
	@nice $(BIN)/python -m pytest --hypothesis-profile prove --timeout 0 -n auto tests/reference \
		tests/board/test_perft.py tests/board/test_result.py tests/game/test_properties.py

bench: build $(VENV)/.test ## measure speed in comparison with other programs
	$(BIN)/python -m bench

load: build $(VENV)/.test ## load-test a running server, with checks (an hour; SCENARIO=games ...)
	@$(BIN)/python -m bench.load $(SCENARIO)

faults: build $(VENV)/.test ## inject faults into running games (minutes; SCENARIO=server ...)
	@$(BIN)/python -m bench.faults $(SCENARIO)

bench-rules: build $(VENV)/.test ## measure perft of every rule set
	@$(BIN)/python -m bench rules

diagrams: build ## regenerate the rule pages of docs/rules and their diagrams
	@$(BIN)/python -m damka.rulebook docs/rules

screenshots: build $(VENV)/.test ## take pictures of all pages and check their layout (minutes; OPTIONS=--help; needs Chromium)
	@$(PYTHON) tools/prerequisites.py chromium
	@$(BIN)/python -m tools.screenshots $(OPTIONS)

build: $(BUILT) ## set up the environment and build the kernel

setup: build $(VENV)/.test $(VENV)/.docs node_modules/.package-lock.json ## all that the tests and checks need

wheels: build $(VENV)/.test ## build the sdist and this system's wheel into dist
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m build --no-isolation --sdist --wheel

clean: ## remove the environment and everything built
	rm -rf $(VENV) build dist node_modules

$(VENV)/.play: requirements/play.txt requirements/run.txt
	@$(PYTHON) tools/prerequisites.py build
	@$(PROGRESS) "creating the environment in $(VENV)" $(PYTHON) -m venv $(VENV)
	@$(PROGRESS) "installing the libraries" $(PIP) install --require-hashes -r requirements/play.txt
	@touch $@

# Few of these packages' modules are ever imported, so they are compiled on first import.
$(VENV)/.test: requirements/test.txt requirements/cluster.txt $(VENV)/.play
	@$(PROGRESS) "installing the test dependencies" $(PIP) install --no-compile --require-hashes -r requirements/test.txt
	@touch $@

$(VENV)/.docs: requirements/docs.txt $(VENV)/.test
	@$(PROGRESS) "installing the documentation's dependencies" $(PIP) install --no-compile --require-hashes -r requirements/docs.txt
	@touch $@

$(BUILT): $(VENV)/.play $(KERNEL)
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(PROGRESS) "building the kernel" \
		$(PIP) install --verbose --no-build-isolation --no-deps --editable .
	@rm -f $(VENV)/.built-*
	@touch $@

node_modules/.package-lock.json: package.json package-lock.json
	@$(PYTHON) tools/prerequisites.py node
	@$(PROGRESS) "installing the type checker and the bundler" npm ci --no-audit --no-fund

# Bundlers for the tests of the JavaScript package.
BUNDLERS := tests/javascript/bundlers/node_modules

$(BUNDLERS)/.package-lock.json: tests/javascript/bundlers/package.json tests/javascript/bundlers/package-lock.json
	@$(PYTHON) tools/prerequisites.py node
	@$(PROGRESS) "installing the tests' bundlers" npm ci --prefix tests/javascript/bundlers --no-audit --no-fund

# The kernel as WebAssembly, with and without SIMD. The compiler comes from the package ziglang. Its
# input is the same on every machine, so its output is too.
WASM := build/wasm
WASM_SOURCES := $(filter-out core/bindings/% core/tests/% core/game/batch% core/game/workers.cpp,\
	$(wildcard core/*/*.cpp))
WASM_FLAGS := -target wasm32-wasi -mexec-model=reactor -std=c++20 -g0 -fno-rtti -fexceptions \
	-fvisibility=hidden -Wall -Wextra -Werror -Icore
# Cold code is optimized for size and compiled once for both: SIMD does not help it.
WASM_SMALL := $(filter core/movegen/routes.cpp core/movegen/perft_% core/game/% core/pdn/% core/wasm/%,\
	$(WASM_SOURCES))
WASM_HOT := $(filter-out $(WASM_SMALL),$(WASM_SOURCES))
WASM_HEADERS := $(filter-out core/bindings/% core/tests/%,$(wildcard core/*/*.hpp))
# Move lists and the search nest deeply. The stack lies below the data, so an overflow traps.
WASM_LINK := -Wl,--strip-all -Wl,-z,stack-size=4194304
ZIG := ZIG_GLOBAL_CACHE_DIR=$(WASM)/cache ZIG_LOCAL_CACHE_DIR=$(WASM)/cache \
	$(BIN)/python -m ziglang c++

wasm: $(VENV)/.wasm site/node_modules/.package-lock.json ## build the kernel for browsers into build/wasm (needs npm)
	+@$(SIDE_BY_SIDE) $(WASM)/damka.wasm $(WASM)/damka-simd.wasm

$(VENV)/.wasm: requirements/wasm.txt $(VENV)/.play
	@$(PROGRESS) "installing the compiler for WebAssembly" \
		$(PIP) install --no-compile --require-hashes -r requirements/wasm.txt
	@touch $@

# If several objects contain an inline function, the linker takes the first, so hot objects come first.
wasm_objects = $(sort $(WASM_HOT:core/%.cpp=$(WASM)/$1/%.o)) $(sort $(WASM_SMALL:core/%.cpp=$(WASM)/small/%.o))

$(WASM)/%/linked.wasm:
	@echo "linking $@"
	@$(ZIG) $(WASM_FLAGS) -O2 $^ -o $@ $(WASM_LINK)

$(WASM)/plain/linked.wasm: $(call wasm_objects,plain)
$(WASM)/simd/linked.wasm: $(call wasm_objects,simd)

# Binaryen makes them a tenth smaller. The features are the compiler's defaults, which the stripped
# modules no longer declare.
WASM_FEATURES := --mvp-features $(addprefix --enable-,bulk-memory bulk-memory-opt mutable-globals \
	nontrapping-float-to-int sign-ext)
WASM_OPT := node site/node_modules/binaryen/bin/wasm-opt -O3 $(WASM_FEATURES)

$(WASM)/damka.wasm: $(WASM)/plain/linked.wasm
	@echo "optimizing $@"
	@$(WASM_OPT) $< -o $@

$(WASM)/damka-simd.wasm: $(WASM)/simd/linked.wasm
	@echo "optimizing $@"
	@$(WASM_OPT) --enable-simd $< -o $@

$(WASM)/plain/%.o: WASM_OPTIMIZE := -O2
$(WASM)/simd/%.o: WASM_OPTIMIZE := -O2 -msimd128
$(WASM)/small/%.o: WASM_OPTIMIZE := -Oz

define compile_wasm
	@mkdir -p $(@D)
	@echo "compiling $@"
	@$(ZIG) $(WASM_FLAGS) $(WASM_OPTIMIZE) -c $< -o $@
endef

$(WASM)/plain/%.o: core/%.cpp $(WASM_HEADERS)
	$(compile_wasm)

$(WASM)/simd/%.o: core/%.cpp $(WASM_HEADERS)
	$(compile_wasm)

$(WASM)/small/%.o: core/%.cpp $(WASM_HEADERS)
	$(compile_wasm)

# Two builds from nothing, in two folders, one after the other.
check-wasm: $(VENV)/.wasm ## build the kernel for browsers twice and compare every byte (minutes)
	@for n in 1 2; do \
		rm -rf build/check-wasm/$$n && started=$$(date +%s) && \
		$(MAKE) --no-print-directory WASM=build/check-wasm/$$n wasm >build/check-wasm.log 2>&1 || \
			{ cat build/check-wasm.log; exit 1; }; \
		echo "build $$n: $$(( $$(date +%s) - started )) s"; \
		(cd build/check-wasm/$$n && sha256sum damka.wasm damka-simd.wasm) || exit 1; \
	done
	@cmp build/check-wasm/1/damka.wasm build/check-wasm/2/damka.wasm
	@cmp build/check-wasm/1/damka-simd.wasm build/check-wasm/2/damka-simd.wasm
	@echo "both builds are the same"

# Dependencies of the site's tests: the flat kernel as a native library, Pyodide, and its wheels.
.PHONY: site-tests
site-tests: build build/site/.flat site/node_modules/.package-lock.json \
	build/site/wheels/.done build/site/test-wheels/.done

build/site/.flat: $(KERNEL) | build
	@mkdir -p $(@D)
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(PROGRESS) "building the flat kernel" \
		$(BIN)/cmake --build $$(dirname $$(ls -t build/*/CMakeCache.txt | head -n 1)) --target damka_flat
	@cp $$(dirname $$(ls -t build/*/CMakeCache.txt | head -n 1))/libdamka_flat.so build/site/libdamka_flat.so
	@touch $@

site/node_modules/.package-lock.json: site/package.json site/package-lock.json
	@$(PYTHON) tools/prerequisites.py node
	@$(PROGRESS) "installing Pyodide" npm ci --prefix site --no-audit --no-fund

# The platform of the Pyodide version in site/package.json.
FOR_PYODIDE := --require-hashes --no-deps --only-binary :all: --python-version 3.14 \
	--implementation cp --abi cp314 --abi none --platform pyemscripten_2026_0_wasm32

build/site/wheels/.done: requirements/site.txt $(VENV)/.play
	@rm -rf $(@D)
	@$(PROGRESS) "downloading the browser's Python packages" \
		$(PIP) download $(FOR_PYODIDE) --dest $(@D) -r requirements/site.txt
	@touch $@

build/site/test-wheels/.done: requirements/site-test.txt $(VENV)/.play
	@rm -rf $(@D)
	@$(PROGRESS) "downloading the tests' dependencies for Pyodide" \
		$(PIP) download $(FOR_PYODIDE) --dest $(@D) -r requirements/site-test.txt
	@touch $@

# Tests that need no threads, no files opened by the kernel, and no processes.
SITE_TESTS := $(addprefix tests/,board box draw engine game locales notation pdn refusal rulebook rules)
# Tests that run in Pyodide, without NumPy and other programs.
PYODIDE_TESTS := $(filter-out tests/board tests/draw tests/engine,$(SITE_TESTS)) \
	$(addprefix tests/board/test_,board.py complex_positions.py perft.py positions.py result.py) \
	$(addprefix tests/draw/test_,games.py svg.py text_drawing.py) \
	$(addprefix tests/engine/test_,clock.py endings.py levels.py material_draws.py rule_kinds.py \
		search.py short_kings.py skill.py)

site: build wasm site/node_modules/.package-lock.json build/site/wheels/.done ## write the static site into dist/site (BOXES=folder of house boxes)
	@PYTHONPATH=site/python $(BIN)/python -m tools.static_site dist/site $(if $(BOXES),--boxes "$(BOXES)")

js: build wasm node_modules/.package-lock.json ## write the package for other pages into dist/damka-js (needs npm)
	@$(BIN)/python -m tools.js_package dist/damka-js

check-site: build wasm site-tests $(VENV)/.test ## run all tests that apply to the browser's kernel
	DAMKA_CORE=bridge DAMKA_LIBRARY=build/site/libdamka_flat.so $(BIN)/python -m pytest -n 2 \
		--dist loadfile -m "not native and not browser" \
		--ignore tests/engine/weights/test_files.py $(SITE_TESTS)
	$(PYTHON) tools/prerequisites.py chromium
	DAMKA_SITE=all $(BIN)/python -m pytest -n 2 --dist loadfile tests/static_site
	node tests/wasm/in_pyodide.mjs $(CURDIR) $(PYODIDE_TESTS)

# The kernel's own tests, with the address and undefined-behaviour sanitizers.
CORE_TESTS := $(patsubst core/%.cpp,build/check-core/%.o,$(filter-out core/bindings/%,$(wildcard core/*/*.cpp)))

check-core: ## run the kernel's own tests
	+@$(SIDE_BY_SIDE) build/check-core/run
	build/check-core/run --list | xargs -P $(PROCESSORS) -n 1 build/check-core/run

build/check-core/run: $(CORE_TESTS)
	@$(CXX) -fsanitize=address,undefined $^ -o $@

build/check-core/%.o: core/%.cpp $(wildcard core/*/*.hpp)
	@mkdir -p $(@D)
	@echo "compiling $@"
	@$(CCACHE) $(CXX) -std=c++20 -Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=all \
		-Wall -Wextra -Wconversion -Werror -Icore -c $< -o $@

# Warnings are errors in the kernel (compiled with its tests) and in its bindings.
BINDINGS := $(patsubst core/%.cpp,build/check-core/%.checked,$(wildcard core/bindings/*.cpp))

check-warnings: $(BINDINGS) $(CORE_TESTS)

build/check-core/%.checked: core/%.cpp $(wildcard core/*/*.hpp) | build
	@mkdir -p $(@D)
	$(CXX) -std=c++20 -fsyntax-only -fvisibility=hidden -Wall -Wextra -Wconversion -Werror -Icore \
		-isystem $$($(BIN)/python -m nanobind --include_dir) \
		-isystem $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))') $<
	@touch $@
