# `make run` and `make test` set up everything they need; the rest is for those who work on Parlour.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test proxies lint docs charts browser bench crash house simulate simulate-castle forgeries oracle mutants flood clean

run: $(READY)
	$(BIN)/twistd --nodaemon --pidfile= parlour $(ARGS)

# make test ARGS='--shuffle 7': all tests, in an order that follows from the number.
# make test ARGS='--hypothesis-profile thorough': a thousand examples where the suite is content with some.
# Four at a time also where there are two processors: many wait for a browser or a clock.
test: lint browser proxies
	$(BIN)/python -m pytest --numprocesses 4 --dist worksteal $(ARGS)

# The pages are tested in a real browser; where there is none and none may be installed, those tests are left out.
browser:
	@{ command -v chromium-headless-shell && command -v chromedriver; } >/dev/null || tests/browser/install.sh \
		|| { command -v chromium && command -v chromedriver; } >/dev/null \
		|| echo 'no Chromium here, and it cannot be installed: the tests in the browser are left out'

# The samples for proxies are tested behind real ones; where there are none and none may be installed, that is left out.
proxies:
	@{ PATH="$$PATH:/usr/sbin"; command -v nginx && command -v haproxy; } >/dev/null || tests/end_to_end/install_proxies.sh \
		|| echo 'no nginx or no HAProxy here, and it cannot be installed: the tests of their samples are left out'

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The pages of docs/ as HTML, in docs/_build.
docs: $(READY)
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build $(ARGS)

# The charts in the pages, drawn anew from the life cycles; dot, of graphviz, must be there.
charts: $(READY)
	$(BIN)/python docs/draw_charts.py

bench: $(READY)
	$(BIN)/python -m tests.bench $(ARGS)

# make crash N=1000 SEED=7: so many times the daemon is killed while people play; with ARGS=--flood in a flood.
crash: $(READY)
	$(BIN)/python -m tests.crash --kills $(or $(N),1000) $(if $(SEED),--seed $(SEED)) $(if $(GAMES),--games $(GAMES)) $(ARGS)

# make house N=1000 SEED=7: so many faults are done to three daemons of one house, on PostgreSQL, while people play.
house: $(READY)
	$(BIN)/python -m tests.house --faults $(or $(N),1000) $(if $(SEED),--seed $(SEED)) $(ARGS)

# make simulate N=20000 SEED=7: so many steps of whole halls, each from one number.
simulate: $(READY)
	$(BIN)/python -m tests.simulation --steps 3000 --total $(or $(N),20000) $(if $(SEED),--seed $(SEED)) $(ARGS)

# make simulate-castle N=1000: so many random games of Castle Wars.
simulate-castle: $(READY)
	$(BIN)/python -m tests.simulation.castle_random --games $(or $(N),1000) $(if $(SEED),--seed $(SEED)) $(ARGS)

# make forgeries N=1000: so many forged records of each kind, for verify to find; the suite tries a sample.
forgeries: $(READY)
	FORGERIES=$(or $(N),1000) $(BIN)/python -m pytest -q tests/gamecore/test_forgeries.py $(ARGS)

# make oracle N=10000: so many games against open_spiel; the suite plays a sample.
oracle: $(READY)
	ORACLE=$(or $(N),10000) $(BIN)/python -m pytest -q tests/gamecore/games/gops/test_gops_oracle.py \
		tests/gamecore/games/rikiki/test_rikiki_oracle.py $(ARGS)

# make flood ARGS='--kind fuzz --rounds 1': what a pair at one table feels of a crowd at all others.
flood: $(READY)
	$(BIN)/python -m tests.flood $(ARGS)

# make mutants ARGS='--only Nim': bugs are planted in a copy of the tree, and the tests have to find each.
mutants: $(READY)
	$(BIN)/python -m tests.mutants $(ARGS)

clean:
	rm -rf $(VENV) build dist docs/_build *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): setup.cfg pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=24'
	$(BIN)/python -m pip install --quiet --editable '.[metrics,play,tls,web,tournament,zoo,test,dev,docs]'
	-$(BIN)/python -m pip install --quiet --no-deps open_spiel || echo 'no open_spiel here: the tests against it are left out'
	touch $@
