"""The Python package of the grammar; what pip needs to know else is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py


class BuildWithQueries(build_py):
    """Takes the queries along, which lie beside the bindings and not in them."""

    def run(self):
        super().run()
        target = Path(self.build_lib) / "tree_sitter_ptx" / "queries"
        self.mkpath(str(target))
        for query in sorted(Path("queries").glob("*.scm")):
            self.copy_file(str(query), str(target / query.name))


setup(
    packages=["tree_sitter_ptx"],
    package_dir={"": "bindings/python"},
    package_data={"tree_sitter_ptx": ["*.pyi", "py.typed"]},
    ext_modules=[
        Extension(
            name="tree_sitter_ptx._binding",
            sources=["bindings/python/tree_sitter_ptx/binding.c", "src/parser.c"],
            include_dirs=["src"],
            extra_compile_args=["-std=c11", "-O2", "-w"],
        )
    ],
    cmdclass={"build_py": BuildWithQueries},
    zip_safe=False,
)
