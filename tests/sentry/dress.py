"""Completes a fragment, so that sentryward can analyse it: a register that is never written gets a value according to its use.

Most cases of tests/ are a few instructions on registers that nothing writes. One warp executes them, and only its first lane
those that one thread issues (mma, cp, shift, commit), in a kernel that first allocates tensor memory and frees it at the end.
Fragments before and after ptxopt are completed in the same way: nothing here depends on waits and fences.
"""

import re

import flat
from kernels import DESCRIPTOR, INSTRUCTION

INSTRUCTION_LINE = re.compile(r"(@!?[%\w$]+ )?([a-z][\w.:]*)\s*(.*);$")
REGISTER = re.compile(r"(?<![.\w$%])[%A-Za-z_$][\w$]*")
NO_DESTINATION = re.compile(r"st\b|st\.|red|tcgen05\.(?!ld)|mbarrier\.(?:init|inval|expect_tx|complete_tx)|cp\.|bar|fence|membar|"
                            r"prefetch|bra|brx|call|ret|exit|trap|multimem\.(?:st|red)|griddep|setmaxnreg|nanosleep|tensormap|"
                            r"discard|applypriority|stmatrix|sust|sured|pmevent|brkpt")
OF_ONE_THREAD = re.compile(r"tcgen05\.(?:mma|cp|shift|commit)\b")
COLUMNS, BARS = 512, 16


class Registers:
    """What a body declares, and which of these registers are read before they are written, in the order of the text."""

    def __init__(self, lines):
        self.types, self.unwritten = {}, []
        written = set()
        for line in lines:
            kind = re.match(r"\.reg \.(\w+)", line)
            if kind:
                for name, count in flat.declared(line):
                    for one in [f"{name}{i}" for i in range(int(count))] if count else [name]:
                        self.types[one] = kind.group(1)
        for line in lines:
            reads, writes = self.reads_and_writes(line)
            self.unwritten += [one for one in dict.fromkeys(reads) if one not in written and one not in self.unwritten]
            written |= writes

    def named(self, text):
        return [name for name in REGISTER.findall(text) if name in self.types]

    def reads_and_writes(self, line):
        parts = INSTRUCTION_LINE.match(line)
        if not parts:
            return [], set()
        guard, opcode, operands = parts.groups()
        depth = 0
        end = len(operands)
        for i, letter in enumerate(operands):
            depth += (letter in "{[(") - (letter in "}])")
            if letter == "," and not depth:
                end = i
                break
        first = operands[:end]
        if NO_DESTINATION.match(opcode) or "[" in first:
            return self.named((guard or "") + operands), set()
        return self.named((guard or "") + operands[end:]), set() if guard else set(self.named(first))


def role(register, kind, lines):
    """The use of an unwritten register, by the first instruction that shows it."""
    name = re.escape(register)
    for use, pattern in (
            ("tensor memory", rf"tcgen05\.(?:ld|st|mma|cp|shift)\b.*\[{name}\b|tcgen05\.dealloc\S* {name}\b"),
            ("mbarrier", rf"(?:mbarrier\.|tcgen05\.commit)[^\[]*\[{name}\b|bulk.*\], *\[{name}\b"),
            ("parity", rf"wait\.parity\S* [^\[]*\[[^\]]*\], *{name}\b"),
            ("instruction", rf"tcgen05\.mma\S* \[[^\]]*\], [^,]*, [^,]*, {name}\b"),
            ("descriptor", rf"tcgen05\.(?:mma|cp)\b.*[ ,]{name}\b"),
            ("shared", rf"(?:shared|tcgen05\.alloc).*\[{name}\b"),
            ("global", rf"\[{name}\b")):
        if kind == "pred" or use in ("global", "descriptor") and kind[-2:] != "64":
            continue
        if any(re.search(pattern, line) for line in lines):
            return use
    return "predicate" if kind == "pred" else "number"


def parity_of(register, lines):
    """0 if something arrives at the mbarrier before the wait, otherwise 1: that phase is complete from the start."""
    for at, line in enumerate(lines):
        wait = re.search(rf"wait\.parity\S* [^\[]*\[([^\]+]*)[^\]]*\], *{re.escape(register)}\b", line)
        if wait:
            arrived = any(re.search(rf"(?:arrive|commit)\S* [^\[]*\[{re.escape(wait.group(1))}\b", other) for other in lines[:at])
            return 0 if arrived else 1
    return 0


def values(registers, lines):
    """The statements that give each unwritten register its value."""
    out, places, bars = [], 0, {}
    for register in registers.unwritten:
        kind = registers.types[register]
        use, wide = role(register, kind, lines), kind[-2:] == "64"
        if use == "tensor memory":
            out.append(f"add.s32 {register}, %dress_t, {64 * places % COLUMNS};")
            places += 1
        elif use == "mbarrier":
            bars[register] = 1 + len(bars) % (BARS - 1)
            out.append("mov.u32 %dress_x, dress_bars;")
            out.append(f"add.s32 {'%dress_x' if wide else register}, %dress_x, {8 * bars[register]};")
            if wide:
                out.append(f"cvt.u64.u32 {register}, %dress_x;")
        elif use in ("shared", "global"):
            out.append("mov.u32 %dress_x, %tid.x;")
            if use == "shared" and not wide:
                out += [f"mov.u32 {register}, dress_tile;", f"mad.lo.s32 {register}, %dress_x, 256, {register};"]
            else:
                out += [f"mul.wide.u32 {register}, %dress_x, 256;", "ld.param.u64 %dress_g, [dress_global];",
                        "cvta.to.global.u64 %dress_g, %dress_g;", f"add.s64 {register}, {register}, %dress_g;"]
        elif use == "descriptor":
            out += ["mov.u32 %dress_x, dress_tile;", "shr.u32 %dress_x, %dress_x, 4;", "and.b32 %dress_x, %dress_x, 0x3fff;",
                    f"cvt.u64.u32 {register}, %dress_x;", f"or.b64 {register}, {register}, 0x{DESCRIPTOR:x};"]
        elif use == "predicate":
            branches = any(re.match(rf"@!?{re.escape(register)} bra", line) for line in lines)
            out.append("mov.b32 %dress_x, 1;")
            out.append(f"setp.{'ne' if branches else 'eq'}.u32 {register}, %dress_x, 1;")
        else:
            value = {"parity": parity_of(register, lines), "instruction": INSTRUCTION}.get(use, 1)
            out.append(f"mov.b{kind[-2:]} {register}, {value};" if kind[0] in "bus" else "")
    return [line for line in out if line], bars


def initialisations(bars, lines):
    """mbarrier.init by the first lane, for each mbarrier in the fragment's registers that the fragment does not initialise."""
    out = ["@%dress_first mbarrier.init.shared::cta.b64 [dress_bars], 1;"]
    for register, number in bars.items():
        name = re.escape(register)
        if any(re.search(rf"mbarrier\.init\S* \[{name}\b", line) for line in lines):
            continue
        by_all = any(re.match(rf"mbarrier\.arrive\S* [^\[]*\[{name}\b", line) for line in lines)
        out.append(f"@%dress_first mbarrier.init.shared::cta.b64 [dress_bars+{8 * number}], {32 if by_all else 1};")
    return out


def is_fragment(text):
    """Whether a kernel uses tensor memory that it does not allocate."""
    return "tcgen05.alloc" not in text and bool(re.search(r"tcgen05\.(?:ld|st|mma|cp|shift)\b", text))


def dress(text, header):
    """Completes the fragment that is the only kernel of a flattened text."""
    lines = text.rstrip("\n").split("\n")
    at = lines.index(header)
    depth, end = 1, at + 1
    while depth:
        end += 1
        depth += (lines[end] == "{") - (lines[end] == "}")
    body = lines[at + 2:end]
    registers = Registers(body)
    given, bars = values(registers, body)
    front = [".reg .pred %dress_first, %dress_done;", ".reg .b32 %dress_t, %dress_x;", ".reg .b64 %dress_g;",
             ".shared .align 4 .b32 dress_slot;", f".shared .align 8 .b8 dress_bars[{8 * BARS}];",
             ".shared .align 1024 .b8 dress_tile[32768];", "mov.u32 %dress_x, dress_slot;",
             f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%dress_x], {COLUMNS};",
             "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "mov.u32 %dress_x, %tid.x;",
             "setp.eq.u32 %dress_first, %dress_x, 0;", *initialisations(bars, body), "bar.sync 0;",
             "ld.shared.b32 %dress_t, [dress_slot];"]
    inside = []
    for line in body:
        line = re.sub(r"\b(?:ret|exit)(?:\.uni)?;$", "bra DRESS_END;", line)
        inside.append("@%dress_first " + line if OF_ONE_THREAD.match(line) else line)
    # Loads and stores stay in flight, as waits complete them. A commit tracks the other operations, and is waited for here.
    back = ["DRESS_END:", "bar.warp.sync 0xffffffff;", "mov.u32 %dress_x, dress_bars;",
            "@%dress_first tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%dress_x];",
            "DRESS_POLL:", "mbarrier.try_wait.parity.shared::cta.b64 %dress_done, [%dress_x], 0;", "@!%dress_done bra DRESS_POLL;",
            f"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %dress_t, {COLUMNS};", "ret;"]
    back = back if any(OF_ONE_THREAD.search(line) for line in body) else back[:2] + back[-2:]
    declarations = [line for line in inside if line.startswith(".reg ")]
    code = [line for line in inside if not line.startswith(".reg ")]
    return "\n".join([*lines[:at], with_parameter(header), "{", *declarations, *front, *given, *code, *back, *lines[end:]]) + "\n"


def with_parameter(header):
    pointer = ".param .u64 .ptr .align 16 dress_global"
    if "(" not in header:
        return re.sub(r"(\.entry\s+[\w$%]+)", rf"\1({pointer})", header)
    empty = re.search(r"\(\s*\)", header)
    return re.sub(r"\(\s*\)", f"({pointer})", header, count=1) if empty else header.replace("(", f"({pointer}, ", 1)
