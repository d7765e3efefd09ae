"""Compiles FlashAttention-4 for Blackwell, with fake tensors, as far as possible without a GPU."""

import os

import ptxopt.cute

ptxopt.cute.install()
os.environ.update(FLASH_ATTENTION_ARCH="sm_100", FLASH_ATTENTION_NUM_SMS="148", CUTE_DSL_ARCH="sm_100a")

import torch  # noqa: E402
from cutlass.base_dsl.common import DSLCudaRuntimeError  # noqa: E402
from flash_attn.cute import interface  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402

with FakeTensorMode():
    one = torch.empty(1, 256, 2, 128, dtype=torch.bfloat16, device="cuda")
    try:
        interface._flash_attn_fwd(one, one, one, causal=True)
    except DSLCudaRuntimeError as error:
        print("without a GPU:", str(error).split("\n")[1])
