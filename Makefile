# Everything runs in .venv, made on first use: by uv where it is installed, else by venv and pip.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check pytest bench clean

demo: $(BIN)/warledger
	$(BIN)/warledger demo

test: check pytest

check: $(BIN)/warledger
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

pytest: $(BIN)/warledger
	$(BIN)/pytest -n 2

# Peers come by pip (the extra "bench") and, where npm is, by npm into tests/bench/node.
bench: $(BIN)/warledger
	@if ! $(BIN)/python -c 'import chess' 2>/dev/null; then \
		if command -v uv >/dev/null 2>&1; \
		then uv pip install -q --python $(BIN)/python -e '.[bench]'; \
		else $(BIN)/python -m pip install -q --disable-pip-version-check -e '.[bench]'; fi \
	fi
	$(BIN)/python tests/bench

clean:
	rm -rf demo-out .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(BIN)/warledger: pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
		echo "uv makes .venv"; \
		{ [ -x $(BIN)/python ] || uv venv -q --python '>=3.11' .venv; } \
		&& uv pip install -q --python $(BIN)/python -e '.[dev]'; \
	else \
		$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed; name it: make PYTHON=python3.12"; exit 1; }; \
		echo "venv and pip make .venv"; \
		{ [ -x $(BIN)/python ] || $(PYTHON) -m venv .venv; } \
		&& $(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'; \
	fi
	@touch $@
