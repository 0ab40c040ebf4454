# Everything happens in .venv; a fresh machine needs Python 3.11 and pip only.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup model demo test check bench bench-scale peers clean

setup: .venv/.ready

.venv/.ready: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[test,check]'
	touch $@

model: setup
	$(BIN)/paragauge models get default

demo: setup model
	$(BIN)/paragauge score examples/pairs.csv

# what some tests read; they skip, and say so, where it cannot be had
test: setup model
	-for name in wordnet glove-6b-50d smollm2-135m-instruct meteor-1.5; do $(BIN)/paragauge models get $$name; done
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# bert_score, parascore and torch: for the live comparisons in tests/parity and bench/
peers: setup
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet transformers bert-score==0.3.13 parascore==1.0.5

bench: setup model peers
	$(BIN)/python bench/run.py

# cores, engines, memory: needs no peers, and Ray only where it is installed
bench-scale: setup
	$(BIN)/python bench/scale.py

clean:
	rm -rf .venv build dist src/*.egg-info
