# make demo: a real model from PyTorch to verified Relay, and the worked example explained. make test: the tests.
# Both make their own .venv and install what they need.
VENV ?= .venv
PYTHON ?= python3
RUN := $(VENV)/bin
STAMP := $(VENV)/.torchrelay-ready
# Two test workers, each with one thread: NumPy and torch would otherwise fight for the cores.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1

.PHONY: demo test check lint types bench opinfo venv clean

demo: venv
	@echo "The worked example: one layer, stage by stage"
	@$(RUN)/python examples/worked_example.py
	@echo; echo "A whole model: resnet18"
	@$(RUN)/python examples/resnet.py

test: venv
	$(ONE_THREAD) $(RUN)/python -m pytest -q -n 2 --dist worksteal

check: lint types test

lint: venv
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .

types: venv
	$(RUN)/pyright --pythonpath $(RUN)/python

bench: venv
	PYTHONPATH=. $(RUN)/python -m benchmarks

# Every operator of PyTorch's database by both routes; what opinfo-out/ holds already is not judged again.
opinfo: venv
	$(ONE_THREAD) PYTHONPATH=. $(RUN)/python -m tests.opinfo --route trace --route export

venv: $(STAMP)

# The first time takes some minutes: torch is large.
# torch first, by pip: what depends on it would otherwise bring another release.
$(STAMP): pyproject.toml
	test -x $(RUN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Preparing $(VENV): PyTorch and what torchrelay needs, once; this takes some minutes ..."
	$(RUN)/python -c "import torch, torchvision" 2>/dev/null || $(RUN)/python -m pip install -q torch==2.14.1 torchvision==0.29.1
	$(RUN)/python -m pip install -q -e ".[dev]"
	touch $@

clean:
	rm -rf .venv demo-out bench-out opinfo-out build dist .pytest_cache .ruff_cache .hypothesis
