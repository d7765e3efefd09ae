"""Builds libptxopt and the programs for the wheel, by the Autotools of the C sources.

They are in ``source/`` (an sdist) or in the folder above (a checkout; one that is configured is used as it is).
``PTXOPT_CONFIGURE`` replaces the options of configure, for systems without the static libraries that
``--enable-release`` needs.
"""

import os
import platform
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PROGRAMS = ("ptxopt", "ptxopt-verify", "ptxopt-ptxas")
LIBRARY = "libptxopt.so"


class Build(BuildHookInterface):
    """The hook of hatchling: adds the library and the programs to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, and add the library to the package and the programs to the scripts."""
        if platform.system() != "Linux":
            raise RuntimeError("ptxopt is for Linux")
        if version == "editable":
            return  # PTXOPT_LIBRARY and PATH name the build that is tested
        build = self.build()
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][self.stripped(build / ".libs" / LIBRARY)] = f"ptxopt/{LIBRARY}"
        for program in PROGRAMS:
            build_data["shared_scripts"][self.stripped(build / program)] = program

    def build(self) -> Path:
        """Configure and make; returns the folder with the results."""
        source = Path(self.root) / "source"
        if not source.exists():
            source = source.parent.parent
        ours = not (source / "config.status").exists()
        build = self.configured(source) if ours else source
        # Optimizing across files saves 3 % of the instructions of a run, but takes most of the time of a build.
        variables = ["RELEASE_CFLAGS="] if ours else []
        jobs = str(len(os.sched_getaffinity(0)))
        subprocess.run(["make", "-j", jobs, *variables, "libptxopt.la", *PROGRAMS], cwd=build, check=True)
        return build

    def configured(self, source: Path) -> Path:
        """Makes a new folder, configured to build these sources."""
        if not (source / "configure").exists():
            (source / "m4").mkdir(exist_ok=True)
            subprocess.run(["autoreconf", "-i"], cwd=source, check=True)
        build = Path(self.root) / "build"  # built already, if pip has requested the metadata of the wheel before
        build.mkdir(exist_ok=True)
        options = shlex.split(os.environ.get("PTXOPT_CONFIGURE", "--enable-release"))
        subprocess.run([str(source / "configure"), "-q", "--disable-service", *options], cwd=build, check=True)
        return build

    def stripped(self, file: Path) -> str:
        """The path of a copy without unneeded symbols. The file must exist: hatchling silently leaves out a missing
        file."""
        copy = Path(self.directory).absolute() / "stripped" / file.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file.resolve(strict=True), copy)
        subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
        return str(copy)
