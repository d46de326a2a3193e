# retrykit: one command for each thing one does here. `make` alone lists them.
GO  ?= go
BIN := bin

.PHONY: help build demo test test-deps lint bench clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build both tools into bin/
	$(GO) build -o $(BIN)/ ./cmd/...

test: build ## vet, lint and test every module of this repository
	$(GO) vet ./...
	$(GO) test -race ./...

test-deps: ## install the outside programs that the end-to-end tests start (Debian)
	.ci/deps

clean: ## remove what the other targets made
	rm -rf $(BIN)
