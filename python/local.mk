# The Python package.

EXTRA_DIST += \
	python/README.md python/pyproject.toml \
	python/ptxopt/__init__.py python/ptxopt/__main__.py python/ptxopt/_library.py python/ptxopt/cute.py \
	python/ptxopt/errors.py python/ptxopt/model.py python/ptxopt/programs.py python/ptxopt/py.typed \
	python/ptxopt/run.py python/ptxopt/tilelang.py python/ptxopt/triton.py
