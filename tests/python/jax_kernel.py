"""Compiles a kernel for a description of a Blackwell GPU, also without a GPU."""

import jax
import jax.numpy as jnp
from jax.experimental import topologies

DEVICE = """
gpu_device_info {
  threads_per_block_limit: 1024 threads_per_warp: 32 threads_per_core_limit: 2048
  shared_memory_per_block: 49152 shared_memory_per_core: 233472 shared_memory_per_block_optin: 232448
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
  core_count: 148 fpus_per_core: 128 clock_rate_ghz: 1.965
  memory_bandwidth: 8000000000000 device_memory_size: 191000000000 l2_cache_size: 132644864
  registers_per_core_limit: 65536 registers_per_block_limit: 65536
  cuda_compute_capability { major: 10 minor: 0 }
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 12 }
runtime_version { major: 13 minor: 0 }
device_description_str: "NVIDIA B200"
"""

jax.config.update("jax_platforms", "cpu")
topology = topologies.get_topology_desc(platform="cuda", target_config=DEVICE, topology="1x1x1")
matrix = jax.ShapeDtypeStruct(
    (512, 512), jnp.dtype("float16"), sharding=jax.sharding.SingleDeviceSharding(topology.devices[0])
)
jax.jit(lambda a, b: jnp.tanh(a @ b) + 1).lower(matrix, matrix).compile()
