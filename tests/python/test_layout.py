"""The declarations for ctypes are those of ptxopt.h, as a C compiler has them."""

import ctypes
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from ptxopt import _library, model, run

HEADER = pathlib.Path(os.environ["SRCDIR"], "src/api/ptxopt.h")
CODE = re.sub(r"/\*.*?\*/|^#[^\n]*(\\\n[^\n]*)*", "", HEADER.read_text(), flags=re.DOTALL | re.MULTILINE)

# Of no use to Python: text has its input, findings are a tuple, and these are for people who work on ptxopt.
NOT_DECLARED = {
    "ptxopt_dump",
    "ptxopt_options_copy",
    "ptxopt_options_give_up",  # what ptxas was asked, by ptxopt alone …
    "ptxopt_options_set_estimates",  # … and what its --stats say without
    "ptxopt_options_set_optimizations",
    "ptxopt_options_set_progress",  # for the bar of ptxopt
    "ptxopt_options_set_remarks",
    "ptxopt_options_set_threads",  # Python has threads of its own
    "ptxopt_result_count",
    "ptxopt_result_input",
    "ptxopt_result_insertions",  # findings have theirs
    "ptxopt_result_next",
    "ptxopt_result_operations",  # what html and svg draw …
    "ptxopt_result_settings",  # … and what stands over it
}
NO_TYPES = {"ptxopt_operation", "ptxopt_operation_kind"}

ENUMERATORS = {
    **{f"PTXOPT_{kind.name}": kind.value for kind in model.Kind},
    "PTXOPT_KINDS": len(model.Kind),
    **{f"PTXOPT_{level.name}": level.value for level in model.Level},
    **{f"PTXOPT_{verdict.name}": verdict.value for verdict in model.Verdict},
    **{f"PTXOPT_{style.upper()}": index for index, style in enumerate(run._STYLES)},
    **{f"PTXOPT_PARSE_{parse.upper()}": index for index, parse in enumerate(run._PARSES)},
    "PTXOPT_OK": run._OK,
    "PTXOPT_BAD_INPUT": run._BAD_INPUT,
    "PTXOPT_NO_MEMORY": run._NO_MEMORY,
    "PTXOPT_CANCELLED": run._CANCELLED,
    "PTXOPT_INTERNAL": run._CANCELLED + 1,  # any other status
}


def printed_by_c():
    """Sizes, places and values, as C has them: NAME VALUE."""
    lines = [f'P("{name}", sizeof(struct {name}));' for name in _library.STRUCTURES]
    for name, structure in _library.STRUCTURES.items():
        for field, *_ in structure._fields_:
            lines.append(f'P("{name}.{field}", offsetof(struct {name}, {field}));')
            lines.append(f'P("sizeof {name}.{field}", sizeof(((struct {name} *)0)->{field}));')
    lines += [
        f'P("{name}", {name});' for name in re.findall(r"\bPTXOPT_[A-Z_]+\b(?=[,\n ])", CODE) if name in ENUMERATORS
    ]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "layout.c")
        source.write_text(
            '#include <stdio.h>\n#include "api/ptxopt.h"\n'
            '#define P(name, value) printf("%s=%zu\\n", name, (size_t)(value))\n'
            "int main(void)\n{\n" + "\n".join(lines) + "\n}\n"
        )
        compiler = shlex.split(os.environ.get("TEST_CC", "cc -std=c11"))
        program = os.path.join(folder, "layout")
        subprocess.run([*compiler, "-w", "-I", HEADER.parent.parent, "-o", program, source], check=True)
        printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {name: int(value) for name, value in (line.split("=") for line in printed.splitlines())}


def known_to_python():
    values = dict(ENUMERATORS)
    for name, structure in _library.STRUCTURES.items():
        values[name] = ctypes.sizeof(structure)
        for field, *_ in structure._fields_:
            place = getattr(structure, field)
            values[f"{name}.{field}"] = place.offset
            values[f"sizeof {name}.{field}"] = place.size
    return values


def prototypes():
    """The return and argument types of each function of the header."""
    found = {}
    for statement in re.sub(r"\{[^{}]*\}", "", CODE).split(";"):
        one = re.search(r"([\w \n*]+?)\b(ptxopt_\w+)\((.*)\)$", statement.strip(), re.DOTALL)
        if one:
            found[one[2]] = one[1], [] if one[3] == "void" else split(one[3])
    return found


def split(arguments):
    """Splits at commas, but not at those of a function pointer."""
    return re.split(r",\s*(?![^()]*\))", re.sub(r"\s+", " ", arguments))


def shape_in_c(declared):
    if "(*" in declared:
        return "function"
    if "*" in declared:
        return "string" if re.search(r"const char \*\w*$", declared.strip()) else "pointer"
    return next(
        (shape for shape in ("size_t", "bool", "enum", "void", "unsigned") if re.search(rf"\b{shape}\b", declared)),
        declared,
    )


def shape_in_python(declared):
    if declared is None:
        return "void"
    if declared is _library.Cancelled:
        return "function"
    shapes = {
        ctypes.c_size_t: "size_t",
        ctypes.c_bool: "bool",
        ctypes.c_int: "enum",
        ctypes.c_uint: "unsigned",
        ctypes.c_char_p: "string",
    }
    return shapes.get(declared, "pointer")


class Layout(unittest.TestCase):
    def test_values(self):
        """layout: structures and enumerators have the sizes, places and values of C"""
        self.assertEqual(known_to_python(), printed_by_c())

    def test_soname(self):
        """layout: the library of the system is looked for by the name that it is built with"""
        text = (HEADER.parent.parent / "local.mk").read_text()
        current, age = re.search(r"libptxopt_la_LDFLAGS .*-version-info (\d+):\d+:(\d+)", text).groups()
        self.assertEqual(_library.SONAME, f"libptxopt.so.{int(current) - int(age)}")

    def test_fields(self):
        """layout: every structure of the header that is no secret, and every field, is declared"""
        in_c = {}
        for name, body in re.findall(r"struct (ptxopt_\w+) \{(.*?)\};", CODE, re.DOTALL):
            if name in NO_TYPES:
                continue
            in_c[name] = [re.findall(r"\w+", one)[-1] for part in body.split(";")[:-1] for one in part.split(",")]
        self.assertEqual(in_c, {n: [f for f, *_ in s._fields_] for n, s in _library.STRUCTURES.items()})

    def test_enumerators(self):
        """layout: every enumerator of the header is known"""
        bodies = [b for n, b in re.findall(r"enum (ptxopt_\w+) \{(.*?)\}", CODE, re.DOTALL) if n not in NO_TYPES]
        self.assertEqual(set(ENUMERATORS), {name for body in bodies for name in re.findall(r"PTXOPT_\w+", body)})

    def test_functions(self):
        """layout: every function is declared with the arguments of the header, or said not to be"""
        in_c = prototypes()
        self.assertEqual(set(in_c), set(_library.FUNCTIONS) | NOT_DECLARED)
        for name, (result, arguments) in _library.FUNCTIONS.items():
            c_result, c_arguments = in_c[name]
            shapes = [shape_in_python(one) for one in arguments]
            # An address that is read with its length is no string to ctypes.
            self.assertEqual((name, shapes), (name, [shape_in_c(one) for one in c_arguments]))
            both = {shape_in_python(result), shape_in_c(c_result)}
            self.assertTrue(len(both) == 1 or both == {"pointer", "string"}, f"{name}: {both}")
