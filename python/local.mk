# The Python package: `make wheel` needs Python 3.10 and the package index.

EXTRA_DIST += \
	python/README.md python/hatch_build.py python/pyproject.toml python/wheel.sh \
	python/ptxopt/__init__.py python/ptxopt/__main__.py python/ptxopt/_call.py python/ptxopt/_library.py python/ptxopt/cute.py python/ptxopt/cutile.py \
	python/ptxopt/errors.py python/ptxopt/model.py python/ptxopt/programs.py python/ptxopt/py.typed \
	python/ptxopt/pytest.py python/ptxopt/run.py python/ptxopt/tilelang.py python/ptxopt/triton.py

# An sdist and a wheel in wheel.dir, made of what `make dist` ships.
wheel:
	rm -rf wheel.dir && $(MKDIR_P) wheel.dir && $(MAKE) $(AM_MAKEFLAGS) distdir && mv $(distdir) wheel.dir/source
	bash $(srcdir)/python/wheel.sh wheel.dir/source wheel.dir

.PHONY: wheel
