"""The Python package of the grammar; all other metadata is in pyproject.toml."""

import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

# One wheel for every Python since then. Free-threaded ones have no stable ABI: theirs is their own.
STABLE_ABI = not sysconfig.get_config_var("Py_GIL_DISABLED")


class BuildWithQueries(build_py):
    """Adds the queries, whose folder is beside the bindings and not in them."""

    def run(self):
        super().run()
        target = Path(self.build_lib) / "tree_sitter_ptx" / "queries"
        self.mkpath(str(target))
        for query in sorted(Path("queries").glob("*.scm")):
            self.copy_file(str(query), str(target / query.name))


setup(
    packages=["tree_sitter_ptx"],
    package_dir={"": "bindings/python"},
    include_package_data=False,
    package_data={"tree_sitter_ptx": ["*.pyi", "py.typed"]},
    ext_modules=[
        Extension(
            name="tree_sitter_ptx._binding",
            sources=["bindings/python/tree_sitter_ptx/binding.c", "src/parser.c"],
            include_dirs=["src"],
            define_macros=[("Py_LIMITED_API", "0x03090000")] if STABLE_ABI else [],
            py_limited_api=STABLE_ABI,
            extra_compile_args=["-std=c11", "-O2", "-w"],
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp39"}} if STABLE_ABI else {},
    cmdclass={"build_py": BuildWithQueries},
    zip_safe=False,
)
