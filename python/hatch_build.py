"""Builds libptxopt and the programs for the wheel, by the Autotools of the C sources.

They are in ``source/`` (an sdist) or in the folder above (a checkout). ``PTXOPT_CONFIGURE`` replaces the options of
configure, for systems without the static libraries that ``--enable-release`` needs.
"""

import os
import platform
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PROGRAMS = ("ptxopt", "ptxopt-verify", "ptxopt-ptxas")
LIBRARY = "libptxopt.so.0"


class Build(BuildHookInterface):
    """The hook of hatchling: says what else is in the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, and add the library to the package and the programs to the scripts."""
        if platform.system() != "Linux":
            raise RuntimeError("ptxopt is for Linux")
        if version == "editable":
            return  # PTXOPT_LIBRARY and PATH say which build is tried
        installed = self.build() / "usr"
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][str(there(installed / "lib" / LIBRARY))] = f"ptxopt/{LIBRARY}"
        for program in PROGRAMS:
            build_data["shared_scripts"][str(there(installed / "bin" / program))] = program

    def build(self) -> Path:
        """Configure, make and install; the root of what is installed."""
        root = Path(self.root)
        source = root / "source"
        if not source.exists():
            source = root.parent
        if not (source / "configure").exists():
            (source / "m4").mkdir(exist_ok=True)
            subprocess.run(["autoreconf", "-i"], cwd=source, check=True)
        build = Path(self.directory).absolute() / "build"
        build.mkdir(parents=True, exist_ok=True)
        options = shlex.split(os.environ.get("PTXOPT_CONFIGURE", "--enable-release"))
        stage = build / "stage"
        for command in (
            [str(source / "configure"), "-q", "--prefix=/usr", "--libdir=/usr/lib", "--disable-service", *options],
            ["make", "-j", str(len(os.sched_getaffinity(0)))],
            ["make", "-s", "install-strip", f"DESTDIR={stage}"],
        ):
            subprocess.run(command, cwd=build, check=True)
        return stage


def there(file: Path) -> Path:
    """The file itself; hatchling leaves out what is missing without a word."""
    return file.resolve(strict=True)
