"""Lint of what CuTe DSL emits; needs no GPU. CUTE_DSL_ARCH names the target."""

import cutlass
import cutlass.cute as cute


@cute.kernel
def scale(a: cute.Tensor):
    index, _, _ = cute.arch.thread_idx()
    a[index] = a[index] + a[index]


@cute.jit
def launch(a: cute.Tensor):
    scale(a).launch(grid=[1, 1, 1], block=[128, 1, 1])


def test_scale(ptx_lint, tmp_path):
    tensor = cute.runtime.make_fake_compact_tensor(cutlass.Float32, (128,))
    cute.compile(launch, tensor, options=f"--keep-ptx --dump-dir={tmp_path}")
    ptx_lint(tmp_path)
