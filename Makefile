# Everything happens in .venv; a fresh machine needs Python 3.11 and pip only.
PYTHON ?= python3
BIN := .venv/bin
# one test process per core, four at most, as each may hold its own copy of the models; a file's tests stay together,
# because they share what the file computes once; in their order, in which the doctests, one small file each, are last
WORKERS ?= auto
PYTEST := -m pytest -n $(WORKERS) --maxprocesses 4 --dist loadfile --no-loadscope-reorder
# what some tests read; they skip, and say so, where it could not be downloaded
EXTRA_MODELS := wordnet glove-6b-50d smollm2-135m-instruct meteor-1.5
# the human-rated data sets; without them the tests that read them skip, and say so
export PARAGAUGE_DATA ?= $(abspath $(wildcard ../shared/data))
# tests start the program a thousand times: compiled once
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup model models demo test test-all test-torch test-oldest golden check lines bench bench-scale peers clean

setup: .venv/.ready

.venv/.ready: pyproject.toml research/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[test,check]' --editable ./research
	touch $@

model: setup
	$(BIN)/paragauge models get default

demo: setup model
	$(BIN)/paragauge score examples/pairs.csv --report report.html --overwrite

models: model
	-for name in $(EXTRA_MODELS); do $(BIN)/paragauge models get $$name; done

# one thread for a product of matrices in each process: there is one on every core already, and two wait for each other
test golden: export OMP_NUM_THREADS = 1
test golden: export OPENBLAS_NUM_THREADS = 1
test: models
	$(BIN)/python $(PYTEST) -m "not thorough"

# the long simulations and full-data reproductions too; then what needs torch and the field's own packages
test-all: export PARAGAUGE_THOROUGH = 1
test-all: models
	$(BIN)/python $(PYTEST)
	$(MAKE) test-torch

test-torch: models peers
	.venv-torch/bin/python $(PYTEST) -rs tests/parity tests/unit/models tests/unit/metrics tests/unit/extrinsic \
		tests/unit/paraphrasers research/tests

# the oldest versions that pyproject.toml allows, of everything it names
test-oldest: models
	test -x .venv-oldest/bin/python || $(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet uv
	.venv-oldest/bin/uv pip install --quiet --python .venv-oldest/bin/python --resolution lowest-direct \
		--editable '.[test,lm,transport,pandas,charts]' --editable ./research
	.venv-oldest/bin/python $(PYTEST) -m "not thorough"

# what the commands print and write is recorded anew where it differs; then review the diff
golden: export PARAGAUGE_RECORD = 1
golden: models
	$(BIN)/python $(PYTEST) tests/golden tests/words

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# bert_score, parascore and torch: for the live comparisons in tests/parity and research/bench/
peers: .venv-torch/.ready

.venv-torch/.ready: pyproject.toml research/pyproject.toml
	test -x .venv-torch/bin/python || $(PYTHON) -m venv .venv-torch
	.venv-torch/bin/python -m pip install --quiet torch==2.13.0
	.venv-torch/bin/python -m pip install --quiet --editable '.[test,torch]' --editable ./research bert-score==0.3.13 parascore==1.0.5 gguf
	touch $@

# rooms, files and lines: what the tree is made of
lines:
	$(PYTHON) research/bench/lines.py

bench: model peers
	.venv-torch/bin/python research/bench/run.py

# cores, engines, memory: needs no peers, and Ray only where it is installed
bench-scale: setup
	$(BIN)/python research/bench/scale.py

clean:
	rm -rf .venv .venv-torch .venv-oldest build dist src/*.egg-info research/src/*.egg-info
