"""Runs the steps of action.yml as GitHub's runner would: steps.py [INPUT=VALUE]... [github.NAME=VALUE]...

The repository is the current folder. Steps that use other actions are printed and not run. At the end the
job's summary, shortened, and the outputs are printed. It evaluates only the kinds of expressions that
action.yml uses, and fails for others.
"""

import os
import pathlib
import re
import subprocess
import sys

import yaml

HERE = pathlib.Path(os.environ["SRCDIR"])
ACTION = yaml.safe_load((HERE / "action.yml").read_text())


def evaluate(text, context):
    """Replaces each '${{ NAME }}'."""
    return re.sub(r"\$\{\{ ([a-z_.]+) \}\}", lambda match: context[match[1]], text)


def holds(condition, context):
    for part in condition.split(" && "):
        name, value = re.fullmatch(r"([a-z_.]+) == '([^']*)'", part).groups()
        if context.get(name, "") != value:
            return False
    return True


def run_step(step, context, temp):
    """The exit status; the outputs go into the context."""
    files = {name: temp / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.touch()
    added = files["GITHUB_PATH"].read_text().split()
    environment = {
        **os.environ,
        **{name: str(file) for name, file in files.items()},
        **{name: evaluate(value, context) for name, value in step.get("env", {}).items()},
        "GITHUB_ACTION_PATH": str(HERE),
        "GITHUB_WORKSPACE": os.getcwd(),
        "RUNNER_TEMP": str(temp),
        "PATH": os.pathsep.join(added[::-1] + [os.environ["PATH"]]),
    }
    assert step["shell"] == "bash"
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    status = subprocess.run(command, env=environment, check=False).returncode
    for line in files["GITHUB_OUTPUT"].read_text().splitlines():
        name, _, value = line.partition("=")
        context[f"steps.{step['id']}.outputs.{name}"] = value
    files["GITHUB_OUTPUT"].write_text("")
    return status


def main():
    temp = pathlib.Path(os.environ["RUNNER_TEMP"])
    context = {f"inputs.{name}": value.get("default", "") for name, value in ACTION["inputs"].items()}
    context |= {"github.action_repository": "owner/ptxopt", "github.action_ref": "main", "github.token": "secret"}
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        name = name if name.startswith("github.") else f"inputs.{name}"
        assert name in context, f"no {name}"
        context[name] = value
    status = 0
    for step in ACTION["runs"]["steps"]:
        if status or "if" in step and not holds(step["if"], context):
            continue
        print(f"== {step['name']}", flush=True)
        if "uses" in step:
            values = [f"{name}={evaluate(value, context)}" for name, value in step["with"].items()]
            print(step["uses"], *values, sep="\n  ")
        else:
            status = run_step(step, context, temp)
    summary = (temp / "GITHUB_STEP_SUMMARY").read_text()
    print("== the job", *summary.split("\n<details>")[0].splitlines(), sep="\n")
    for name, output in ACTION["outputs"].items():
        key = re.fullmatch(r"\$\{\{ (steps\.[a-z_.]+) \}\}", output["value"])[1]
        print(f"{name}={context.get(key, '')}")
    sys.exit(status)


main()
