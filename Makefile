# retrykit: one command for each thing one does here. `make` alone lists them.
GO  ?= go
BIN := $(CURDIR)/bin
OUT := $(CURDIR)/dist

# Every module of this repository but tools, which only pins programs, and e2e,
# whose tests have a target of their own: analyzing and race-testing Prometheus
# itself would take longer than all the rest.
MODULES := . $(filter-out tools e2e,$(patsubst %/go.mod,%,$(wildcard */go.mod */*/go.mod)))
# What runs goroutines is tested under the race detector; the analyzers, which
# do not, take several times as long under it, as do files of hundreds of MB,
# which are read without it.
RACE_FREE := /analyzer(/|$$)|/cmd/retrylint
# The service whose mistakes are there to be found.
MISTAKES := ./checkout/before

.DELETE_ON_ERROR:
.PHONY: help build demo test fmt-check vet lint staticcheck unit race e2e alert-demo mixin readme readme-check golden golden-modules golden-modules-check fix-modules fuzz bench bench-lint test-deps clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-21s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build both tools into bin/
	@mkdir -p $(BIN)
	$(GO) build -o $(BIN)/ ./cmd/...

demo: ## lint a service with mistakes, run the corrected one under load, report what its retries cost
	@GO=$(GO) BIN=$(BIN) OUT=$(OUT) .ci/demo

test: fmt-check vet lint staticcheck unit race e2e readme-check ## everything that decides whether a change is good

fmt-check: ## is every file formatted by gofmt?
	@unformatted=$$(find . -name '*.go' -not -path '*/testdata/*' -exec "$$($(GO) env GOROOT)/bin/gofmt" -l {} +); \
	if [ -n "$$unformatted" ]; then echo "not formatted; run gofmt -w on:"; echo "$$unformatted"; exit 1; fi

vet: ## go vet in every module
	@for m in $(MODULES); do echo "go vet: $$m"; (cd $$m && $(GO) vet ./...) || exit 1; done

lint: build ## our own retrylint in every module
	@for m in $(MODULES); do echo "retrylint: $$m"; \
	  (cd $$m && $(GO) vet -vettool=$(BIN)/retrylint $$($(GO) list ./... | grep -v '$(MISTAKES:./%=/%)$$')) || exit 1; done

staticcheck: $(BIN)/staticcheck ## staticcheck in every module, at the version that tools/go.mod pins
	@for m in $(MODULES); do echo "staticcheck: $$m"; (cd $$m && $(BIN)/staticcheck ./...) || exit 1; done

$(BIN)/staticcheck: tools/go.mod tools/go.sum
	cd tools && $(GO) build -o $@ honnef.co/go/tools/cmd/staticcheck

unit: build ## test the packages that the race detector has nothing to find in, and long files
	$(GO) test $$($(GO) list ./... | grep -E '$(RACE_FREE)') ./internal/reader

race: build ## test all other packages, under the race detector
	@for m in $(MODULES); do echo "go test -race: $$m"; \
	  (cd $$m && $(GO) test -race -short $$($(GO) list ./... | grep -vE '$(RACE_FREE)')) || exit 1; done

e2e: ## test rules and dashboards against Prometheus, Grafana's and Perses' schemas
	cd e2e && $(GO) test -timeout 15m ./...

alert-demo: build ## watch the alerts fire and resolve in a real Prometheus; FAULT=false: nothing fires
	cd examples && $(GO) run ./alerting -retrystat $(BIN)/retrystat -fault=$(or $(FAULT),true)

mixin: build ## write the rules and dashboards of mixin/ anew
	$(BIN)/retrystat dashboard --mixin mixin

readme: ## run the demo and write what it printed into the README, and the quick start
	@mkdir -p $(OUT)
	$(MAKE) --no-print-directory demo > $(OUT)/demo.txt || { cat $(OUT)/demo.txt; exit 1; }
	.ci/readme write README.md demo $(OUT)/demo.txt
	.ci/readme write README.md quickstart examples/quickstart/main.go

readme-check: ## is what the README shows what the demo prints?
	@mkdir -p $(OUT)
	$(MAKE) --no-print-directory demo > $(OUT)/demo.txt || { cat $(OUT)/demo.txt; exit 1; }
	.ci/readme check README.md demo $(OUT)/demo.txt
	.ci/readme check README.md quickstart examples/quickstart/main.go

golden: ## rewrite the golden files of every test that has some
	@for m in $(MODULES); do (cd $$m && \
	  for p in $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -r -n1 dirname | sort -u); do \
	    echo "go test $$m $$p -update"; $(GO) test $$p -update || exit 1; done) || exit 1; done

golden-modules: ## rewrite what retrylint finds in public modules (downloads and compiles them: long the first time)
	$(GO) run ./analyzer/internal/goldenmodules

golden-modules-check: ## does retrylint find in public modules what it did?
	$(GO) run ./analyzer/internal/goldenmodules -check

bench-lint: build $(BIN)/staticcheck ## what retrylint costs beside staticcheck and a tool that does nothing
	cd bench/lint && $(GO) build -o $(BIN)/bench-lint . && $(GO) build -o $(BIN)/vettool-none ./none && \
	  $(BIN)/bench-lint -retrylint $(BIN)/retrylint -none $(BIN)/vettool-none -staticcheck $(BIN)/staticcheck

fix-modules: build ## apply every fix to copies of large public modules, which have to compile after
	RETRYKIT_MODULES=1 $(GO) test -timeout 90m -run TestFixModules -v ./cmd/retrylint/internal/command

# Minimizing what is found new is bounded: coverage differs a little from run to
# run, so that the go command would spend its time on that, a minute each.
fuzz: ## run every fuzz target, FUZZTIME=20s each
	@for p in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -r -n1 dirname | sort -u); do \
	  for t in $$(grep -ho '^func Fuzz[A-Za-z0-9]*' $$p/*_test.go | sed 's/func //'); do echo "fuzz: $$p $$t"; \
	    $(GO) test -run '^$$' -fuzz "^$$t\$$" -fuzztime $(or $(FUZZTIME),20s) -fuzzminimizetime 10x $$p || exit 1; done; done

bench: ## run every benchmark
	@for m in $(MODULES); do echo "benchmarks: $$m"; (cd $$m && $(GO) test -run '^$$' -bench . -benchmem ./...) || exit 1; done

test-deps: ## install the outside programs that the end-to-end tests start (Debian)
	.ci/deps

clean: ## remove what the other targets made
	rm -rf $(BIN) $(OUT)
