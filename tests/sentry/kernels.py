"""Random complete kernels with roles: a producer, a thread that issues mma, and warps that load tensor memory.

kernel(seed) returns (text, launch, parameters). Each is made in a usual style, synchronised by mbarriers; then redundant
waits and fences are inserted, and in one of four kernels a synchronisation is removed, so it is not known here whether the
kernel is race free. The same seed gives the same bytes.
"""

import random

COLUMNS = 64  # of one accumulator: 128 rows by 64 columns of f32
A_BYTES, B_BYTES = 16384, 8192  # a tile of 64 values of bf16 a row, in rows of 128 bytes
STAGE_BYTES = A_BYTES + B_BYTES
# K-major, 128-byte swizzle, 1024 bytes from eight rows to the next; and bf16 times bf16 into f32, 128 by 64.
DESCRIPTOR, INSTRUCTION = 0x4000404000010000, 0x8100490


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        draw = self.random.choice
        self.lines = []  # (text, may be taken away)
        self.labels = 0
        self.epilogue_warps = draw([1, 1, 1, 1, 2, 4])
        self.stages = draw([1, 2, 2, 4])
        self.rounds = draw([1, 2, 3, 4])
        self.accumulators = draw([1, 1, 2])
        self.tiles = draw([1, 2, 2, 3])
        self.products = draw([1, 2])
        self.producer = draw(["bulk", "tensor", "stores"])
        self.looped = draw([True, False])
        self.scratch = draw([True, False])  # a shared-memory row of each thread's own, besides global memory
        self.noise = draw([0.0, 0.1, 0.2, 0.4])
        self.used = draw([1.0, 0.6, 0.0])  # the share of loaded registers that are read
        self.fenced = draw([True, True, False])
        self.columns = {64: 64, 128: 128, 192: 256}[COLUMNS * self.accumulators]

    # ---- text ----

    def emit(self, text, can_go=False):
        self.lines.append((text, can_go))

    def label(self, name):
        self.labels += 1
        return f"{name}_{self.labels}"

    def strew(self, whole_warp):
        """Perhaps a redundant synchronisation; one with .aligned only where the whole warp executes it."""
        while self.random.random() < self.noise:
            kinds = ["tcgen05.fence::before_thread_sync;", "tcgen05.fence::after_thread_sync;",
                     "fence.proxy.async;", "fence.proxy.async.shared::cta;"]
            if whole_warp:
                kinds += ["tcgen05.wait::ld.sync.aligned;", "tcgen05.wait::st.sync.aligned;"] * 2
            self.emit(self.random.choice(kinds))

    def fence(self, which):
        if self.fenced:
            self.emit(f"tcgen05.fence::{which}_thread_sync;", can_go=True)

    def wait(self, which):
        self.emit(f"tcgen05.wait::{which}.sync.aligned;", can_go=True)

    def poll(self, bar, parity):
        again = self.label("POLL")
        self.emit(f"{again}:")
        self.emit(f"mbarrier.try_wait.parity.shared::cta.b64 %done, [{bar}], {parity};")
        self.emit(f"@!%done bra {again};")

    # ---- rounds, unrolled or as a loop ----

    def each_round(self, count, first, body):
        """body(round) for each round: its number, or None if the register %i has it."""
        if not self.looped:
            for number in range(count):
                body(first + number)
            return
        top = self.label("ROUND")
        self.emit("mov.b32 %n, 0;")
        self.emit(f"{top}:")
        self.emit(f"add.s32 %i, %n, {first};")
        body(None)
        self.emit("add.s32 %n, %n, 1;")
        self.emit(f"setp.lt.s32 %more, %n, {count};")
        self.emit(f"@%more bra {top};")

    def stage(self, number, flip):
        """Sets %full and %empty to the round's mbarriers, %tile to its shared memory, %phase to its parity."""
        if number is None:
            self.emit(f"and.b32 %s, %i, {self.stages - 1};")
            self.emit(f"shr.u32 %phase, %i, {self.stages.bit_length() - 1};")
            self.emit("and.b32 %phase, %phase, 1;")
            if flip:
                self.emit("xor.b32 %phase, %phase, 1;")
        else:
            self.emit(f"mov.b32 %s, {number % self.stages};")
            self.emit(f"mov.b32 %phase, {(number // self.stages & 1) ^ flip};")
        self.emit("mov.u32 %full, bars;")
        self.emit("shl.b32 %x, %s, 3;")
        self.emit("add.s32 %full, %full, %x;")
        self.emit(f"add.s32 %empty, %full, {8 * self.stages};")
        self.emit("mov.u32 %tile, tiles;")
        self.emit(f"mad.lo.s32 %tile, %s, {STAGE_BYTES}, %tile;")

    def accumulator_bar(self, tile, register, empty):
        offset = 16 * self.stages + 8 * (tile % self.accumulators) + (8 * self.accumulators if empty else 0)
        self.emit(f"mov.u32 {register}, bars;")
        self.emit(f"add.s32 {register}, {register}, {offset};")

    # ---- roles ----

    def one_thread(self, past):
        self.emit("elect.sync _|%leader, 0xffffffff;" if self.random.random() < 0.5 else "setp.eq.u32 %leader, %lane, 0;")
        self.emit(f"@!%leader bra {past};")

    def set_up(self):
        threads = {"stores": 32}.get(self.producer, 1)
        past = self.label("INITIALISED")
        self.emit("setp.ne.u32 %p, %tid_x, 0;")
        self.emit(f"@%p bra {past};")
        self.emit("mov.u32 %full, bars;")
        count = 0
        for arrivals, number in ((threads, self.stages), (1, self.stages), (1, self.accumulators),
                                 (32 * self.epilogue_warps, self.accumulators)):
            for _ in range(number):
                self.emit(f"mbarrier.init.shared::cta.b64 [%full+{8 * count}], {arrivals};")
                count += 1
        self.emit("fence.mbarrier_init.release.cluster;")
        self.emit(f"{past}:")
        self.strew(False)
        past = self.label("ALLOCATED")
        self.emit(f"setp.ne.u32 %p, %warp, {self.mma_warp};")
        self.emit(f"@%p bra {past};")
        self.emit("mov.u32 %x, slot;")
        self.emit(f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%x], {self.columns};")
        self.emit("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;")
        self.emit(f"{past}:")
        self.fence("before")
        self.strew(True)
        self.emit("bar.sync 0;")
        self.fence("after")
        self.strew(True)
        self.emit("ld.shared.b32 %tmem, [slot];")

    def produce(self):
        end = self.label("PRODUCED")
        if self.producer != "stores":
            self.one_thread(end)

        def one(number):
            self.stage(number, 1)
            self.poll("%empty", "%phase")
            if self.producer == "stores":
                for offset in self.random.sample(range(0, STAGE_BYTES, 512), 2):
                    self.emit("mad.lo.s32 %x, %lane, 16, %tile;")
                    self.emit(f"st.shared.v4.b32 [%x+{offset}], {{%s, %s, %s, %s}};")
                    self.strew(True)
                self.emit("fence.proxy.async.shared::cta;", can_go=True)
                self.strew(True)
                self.emit("mbarrier.arrive.shared::cta.b64 _, [%full];")
                return
            self.emit(f"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%full], {STAGE_BYTES};")
            self.strew(False)
            if self.producer == "bulk":
                self.emit("ld.param.u64 %g, [k_in];")
                self.emit("cvta.to.global.u64 %g, %g;")
                self.emit("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                          f"[%tile], [%g], {STAGE_BYTES}, [%full];")
            else:
                self.emit("mov.b64 %g, k_map_a;")
                self.emit("cvta.param.u64 %g, %g;")
                self.emit("mov.b64 %h, k_map_b;")
                self.emit("cvta.param.u64 %h, %h;")
                self.emit("shl.b32 %x, %s, 6;")
                self.emit("mov.b32 %y, 0;")
                load = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                self.emit(f"{load} [%tile], [%g, {{%x, %y}}], [%full];")
                self.emit(f"add.s32 %tile, %tile, {A_BYTES};")
                self.emit(f"{load} [%tile], [%h, {{%x, %y}}], [%full];")

        self.each_round(self.tiles * self.rounds, 0, one)
        self.emit(f"{end}:")

    def multiply(self):
        end = self.label("MULTIPLIED")
        self.one_thread(end)
        self.emit(f"mov.b32 %idesc, {INSTRUCTION};")
        commit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64"
        for tile in range(self.tiles):
            accumulator = tile % self.accumulators
            self.emit(f"add.s32 %d, %tmem, {COLUMNS * accumulator};")
            if tile >= self.accumulators or self.random.random() < 0.3:
                self.accumulator_bar(tile, "%bar", True)
                self.poll("%bar", (tile // self.accumulators & 1) ^ 1)
                self.fence("after")
                self.strew(False)
            self.emit("mov.pred %acc, 0;" if self.random.random() < 0.5 else "setp.ne.u32 %acc, %idesc, %idesc;")

            def one(number):
                self.stage(number, 0)
                self.poll("%full", "%phase")
                self.fence("after")
                self.strew(False)
                self.emit("shr.u32 %x, %tile, 4;")
                self.emit("and.b32 %x, %x, 0x3fff;")
                self.emit("cvt.u64.u32 %a, %x;")
                self.emit(f"or.b64 %a, %a, 0x{DESCRIPTOR:x};")
                self.emit(f"add.s64 %b, %a, {A_BYTES >> 4};")
                for product in range(self.products):
                    if product:
                        self.emit("add.s64 %a, %a, 2;")
                        self.emit("add.s64 %b, %b, 2;")
                    self.emit("tcgen05.mma.cta_group::1.kind::f16 [%d], %a, %b, %idesc, %acc;")
                    self.strew(False)
                    self.emit("setp.eq.u32 %acc, %idesc, %idesc;")
                self.emit(f"{commit} [%empty];")
                self.strew(False)

            self.each_round(self.rounds, tile * self.rounds, one)
            self.accumulator_bar(tile, "%bar", False)
            self.emit(f"{commit} [%bar];")
            self.strew(False)
        self.emit(f"{end}:")

    def load(self, column, registers):
        names = ", ".join(f"%v{i}" for i in range(registers))
        self.emit(f"tcgen05.ld.sync.aligned.32x32b.x{registers}.b32 {{{names}}}, [%row+{column}];")
        self.strew(True)

    def keep(self, registers):
        """Uses loaded registers: stores them to memory of this thread only."""
        for i in range(registers):
            if self.random.random() >= self.used:
                continue
            self.emit(f"add.u32 %w, %v{i}, 1;")
            if self.scratch and i == 0:
                self.emit("st.shared.b32 [%own], %w;")
            else:
                self.emit(f"st.global.b32 [%out+{self.written}], %w;")
                self.written += 4

    def chunk(self, column):
        """Some columns of an accumulator: read, changed in place, or cleared."""
        registers = self.random.choice([1, 2, 4])
        names = ", ".join(f"{'%v' if self.used == 1 else '%u'}{i}" for i in range(registers))
        store = f"tcgen05.st.sync.aligned.32x32b.x{registers}.b32 [%row+{column}], {{{names}}};"
        kind = self.random.choice(["read", "read", "read", "read twice", "update", "clear", "update and read"])
        if kind != "clear":
            self.load(column, registers)
            self.wait("ld")
            self.strew(True)
        if kind.startswith("read"):
            self.keep(registers)
        if kind == "read twice":
            self.load(column + registers, registers)
            self.wait("ld")
            self.keep(registers)
        if kind.startswith("update"):
            for i in range(registers):
                if self.used == 1:
                    self.emit(f"add.u32 %v{i}, %v{i}, 1;")
                elif self.random.random() < self.used:
                    self.emit(f"add.u32 %u{i}, %v{i}, 1;")
        if not kind.startswith("read"):
            self.emit(store)
            self.strew(True)
            self.wait("st")
            self.strew(True)
        if kind == "update and read":
            self.load(column, registers)
            self.wait("ld")
            self.keep(registers)

    def read_back(self):
        self.emit("shl.b32 %row, %warp, 21;")
        self.emit("add.s32 %row, %tmem, %row;")
        self.emit("mul.wide.u32 %g, %tid_x, 1024;")
        self.emit("ld.param.u64 %out, [k_out];")
        self.emit("cvta.to.global.u64 %out, %out;")
        self.emit("add.s64 %out, %out, %g;")
        self.emit("mov.u32 %own, rows;")
        self.emit("mad.lo.u32 %own, %tid_x, 4, %own;")
        self.written = 0
        for i in range(4):  # what clears, so that no load is waited for by it
            self.emit(f"mov.b32 %u{i}, {i};")
            if self.used == 1:
                self.emit(f"mov.b32 %v{i}, {i};")
        for tile in range(self.tiles):
            self.accumulator_bar(tile, "%bar", False)
            self.poll("%bar", tile // self.accumulators & 1)
            self.fence("after")
            self.strew(True)
            for chunk in range(self.random.choice([1, 2, 3, 4])):
                self.chunk(COLUMNS * (tile % self.accumulators) + 8 * chunk)
                self.strew(True)
            if self.random.random() < 0.3 and self.epilogue_warps > 1:
                self.fence("before")
                self.emit(f"bar.sync 1, {32 * self.epilogue_warps};")
                self.fence("after")
                self.strew(True)
            if tile + self.accumulators < self.tiles or self.random.random() < 0.5:
                self.fence("before")
                self.accumulator_bar(tile, "%bar", True)
                self.strew(True)
                self.emit("mbarrier.arrive.shared::cta.b64 _, [%bar];")
            self.strew(True)

    def tear_down(self):
        self.emit("bar.warp.sync 0xffffffff;")
        self.fence("before")
        self.strew(True)
        self.emit("bar.sync 0;")
        self.fence("after")
        self.emit(f"setp.ne.u32 %p, %warp, {self.mma_warp};")
        self.emit("@%p bra END;")
        self.emit(f"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tmem, {self.columns};")
        self.emit("END:")
        self.emit("ret;")

    # ---- the whole ----

    def build(self):
        self.mma_warp, self.producer_warp = self.epilogue_warps, self.epilogue_warps + 1
        self.threads = 32 * (self.epilogue_warps + 2)
        self.emit("mov.u32 %tid_x, %tid.x;")
        self.emit("shr.u32 %warp, %tid_x, 5;")
        self.emit("and.b32 %lane, %tid_x, 31;")
        self.set_up()
        for warp, work in ((self.mma_warp, self.multiply), (self.producer_warp, self.produce)):
            past = self.label("NOT_THIS_ROLE")
            self.emit(f"setp.ne.u32 %p, %warp, {warp};")
            self.emit(f"@%p bra {past};")
            work()
            self.emit("bra JOIN;")
            self.emit(f"{past}:")
        self.read_back()
        self.emit("JOIN:")
        self.tear_down()
        if self.random.random() < 0.25:
            choices = [i for i, (_, can_go) in enumerate(self.lines) if can_go]
            if choices:
                del self.lines[self.random.choice(choices)]

    def text(self):
        body = "\n".join("    " + line if not line.endswith(":") else line for line, _ in self.lines)
        bars = 8 * 2 * (self.stages + self.accumulators)
        used = {1.0: "all", 0.0: "none"}.get(self.used, "some")
        return f"""// made by tests/sentry/kernels.py; of the loaded registers {used} are read
.version 8.8
.target sm_100a
.address_size 64
.extern .shared .align 1024 .b8 tiles[];
.shared .align 8 .b8 bars[{bars}];
.shared .align 4 .b8 rows[{4 * self.threads}];
.shared .align 4 .b32 slot;

.visible .entry k(.param .u64 .ptr .align 16 k_out, .param .u64 .ptr .align 16 k_in,
    .param .align 128 .b8 k_map_a[128], .param .align 128 .b8 k_map_b[128])
.maxntid {self.threads}
{{
    .reg .pred %p, %done, %more, %leader, %acc;
    .reg .b32 %tid_x, %warp, %lane, %tmem, %d, %row, %idesc, %n, %i, %s, %phase, %x, %y, %w, %own;
    .reg .b32 %full, %empty, %bar, %tile, %v<4>, %u<4>;
    .reg .b64 %a, %b, %g, %h, %out;
{body}
}}
"""

    def launch(self):
        """The launch in the input of sentryward: threads, dynamic shared memory, and tensors by parameter."""
        tensor = {"type": "bf16", "shape": [64 * self.stages, 128], "box": [64, 128]}
        tensors = {"k_map_a": tensor, "k_map_b": dict(tensor, box=[64, 64])} if self.producer == "tensor" else {}
        return {"block": [self.threads, 1, 1], "shared": STAGE_BYTES * self.stages, "tensors": tensors}


def kernel(seed):
    made = Kernel(seed)
    made.build()
    return made.text(), made.launch()
