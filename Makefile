# `make run` and `make test` set up everything they need; the rest is for those who work on Parlour.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test lint bench crash clean

run: $(READY)
	$(BIN)/twistd --nodaemon --pidfile= parlour $(ARGS)

test: lint
	$(BIN)/python -m pytest $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m tests.bench $(ARGS)

# make crash N=1000 SEED=7: so many times the daemon is killed while people play.
crash: $(READY)
	$(BIN)/python -m tests.crash --kills $(or $(N),1000) $(if $(SEED),--seed $(SEED)) $(ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): setup.cfg pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=24'
	$(BIN)/python -m pip install --quiet --editable '.[play,test,dev]'
	-$(BIN)/python -m pip install --quiet --no-deps open_spiel || echo 'no open_spiel here: the tests against it are left out'
	touch $@
